"""Data sets, where they come from, and identity by content."""
