"""Many data sets: each by itself, in groups, by what they are like, and which were left out."""
