"""Plots of scores."""
