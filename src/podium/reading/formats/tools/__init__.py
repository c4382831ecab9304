"""Files of other tools, by family."""
