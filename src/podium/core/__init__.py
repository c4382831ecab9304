"""The statistics: from scores to a decision; numpy, scipy and pandas alone."""
