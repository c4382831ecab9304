"""Judges and people: tables with both scores, and items drawn to be labelled."""
