"""Files and frames of any make as one table."""
