"""How many blocks, items or labels; what a design answers and can detect."""
