"""Choices among algorithms: strengths of a layout, ties, covariates."""
