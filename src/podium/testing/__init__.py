"""Conformance suites that Podium ships: hold an implementation of your own against its laws."""

from podium.testing.stores import check_store

__all__ = ["check_store"]
