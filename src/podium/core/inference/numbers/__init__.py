"""Numbers behind tests: fits, tails, boundaries, strengths; no layout is known here."""
