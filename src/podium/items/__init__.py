"""Items of one test set: strata, difficulty, twins among models."""
