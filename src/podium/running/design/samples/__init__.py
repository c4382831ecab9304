"""Samples: drawn, generated, written as row numbers."""
