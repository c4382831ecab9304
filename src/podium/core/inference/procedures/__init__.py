"""What a procedure is, and the named tests, each a record of bricks."""
