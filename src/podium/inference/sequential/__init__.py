"""Evidence that may be looked at before all of it is there."""
