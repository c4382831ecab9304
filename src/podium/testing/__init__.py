"""Conformance suites that Podium ships: hold an extension of your own against its laws."""

from podium.testing.files import check_format, check_store
from podium.testing.laws import check_measure, check_procedure, check_sampling, check_weighted
from podium.testing.plots import check_figure, check_plot

__all__ = [
    "check_figure",
    "check_format",
    "check_measure",
    "check_plot",
    "check_procedure",
    "check_sampling",
    "check_store",
    "check_weighted",
]
