"""Results: tidy tables read from a store, the one interchange format."""
