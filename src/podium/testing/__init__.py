"""Conformance suites that Podium ships: hold an implementation of your own against its laws."""

from podium.testing.formats import check_format
from podium.testing.plots import check_figure, check_plot
from podium.testing.stores import check_store

__all__ = ["check_figure", "check_format", "check_plot", "check_store"]
