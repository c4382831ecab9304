"""One folder per question that people ask of scores."""
