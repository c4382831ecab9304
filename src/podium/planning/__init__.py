"""Before anything is run: power, how many data sets, samples or items, and what they cost."""
