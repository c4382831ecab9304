"""Who is better, and how far: compare and decide, standings, and how a verdict is said."""
