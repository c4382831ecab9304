"""Inference as bricks: layouts, scores, estimates, contrasts, nulls, adjustments, procedures."""
