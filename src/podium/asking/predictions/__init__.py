"""Predictions in, any measure out: truth and predictions of test items, compared by a measure."""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("results", "inference", "reading", "design", "execution"),
    inside=("of_columns:add_measure",),
    words=("note_words",),
    procedures=("procedure",),
    formats=("format", "of_columns"),
    offers={
        "results_of_kept": "computed:results_of_kept",
        "computed_measure": "computed:computed_measure",
    },
)
__getattr__ = CAPABILITY.attribute
