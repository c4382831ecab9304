"""What may be asked: blocks, targets, measures, and plans fixed before the first score."""
