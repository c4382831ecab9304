"""Calibration: the error rates of procedures, measured by simulation under their own null."""
