"""How far an order hangs on what was drawn, left out or chosen."""
