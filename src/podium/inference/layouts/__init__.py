"""Blocks x algorithms, larger is better."""
