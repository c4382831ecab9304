"""Many data sets and many choices: surveys, subgroups, stability, planning."""
