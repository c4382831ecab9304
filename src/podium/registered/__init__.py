"""Studies whose plan is fixed before the first score."""
