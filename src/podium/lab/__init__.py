"""What Podium itself rests on: measured error rates, and the papers replicated."""
