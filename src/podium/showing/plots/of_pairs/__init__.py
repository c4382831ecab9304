"""Plots of pairs and orders."""
