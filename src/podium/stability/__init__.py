"""How far an order depends on the blocks, the data sets and the algorithms that happened to be."""
