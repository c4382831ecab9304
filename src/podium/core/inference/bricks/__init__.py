"""What procedures are made of: scores, estimates, contrasts, nulls, adjustments."""
