"""Algorithms: named, coded, seeded."""
