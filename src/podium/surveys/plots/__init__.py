"""Plots of many data sets."""
