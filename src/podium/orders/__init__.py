"""Orders of algorithms: what comparisons and statistics allow one to print."""
