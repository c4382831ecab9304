"""Measures as they are computed."""
