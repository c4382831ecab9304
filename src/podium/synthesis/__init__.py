"""Several studies together."""
