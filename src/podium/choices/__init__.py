"""Battles: what else decides who is chosen, on screen and page."""
