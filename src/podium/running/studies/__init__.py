"""Verbs and commands of studies and their stores; what is said at the end."""
