"""Many data sets: one by one, in groups, explained, recommended for."""
