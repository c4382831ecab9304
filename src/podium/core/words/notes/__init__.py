"""Words of notes that no single room owns."""
