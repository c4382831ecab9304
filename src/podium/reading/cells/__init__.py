"""Cells and columns, and what people call them."""
