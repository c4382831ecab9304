"""Posteriors of the same designs."""
