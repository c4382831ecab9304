"""The verbs, with their whole signatures; besides `cli` the only part that may import all."""
