"""Words of the notes that comparisons carry: blocks, designs, pairs, populations, tests."""
