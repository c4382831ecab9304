"""Studies and queues that stop when they are decided."""
