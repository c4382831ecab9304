"""Predictions in, any measure out: truth and predictions of test items, compared by a measure."""

from podium.base.capability import Capability

CAPABILITY = Capability(
    __name__,
    needs=("design", "reading", "execution", "inference"),
    words=("note_words",),
    procedures=("procedure",),
    formats=("format",),
    offers={"results_of_kept": "kept:results_of_kept"},
)
