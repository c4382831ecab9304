"""Tables of scores: long, wide, transposed; they become sheets, and sheets become results."""
