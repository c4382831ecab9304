"""Timings of two versions on several benchmarks: how much faster, and on which slower."""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    questions=("question:TIMINGS",),
    needs=("results", "inference", "terminal", "screens", "reports", "comparison"),
    inside=("ratios:changes", "ratios:Changes"),
    sections=("command",),
    offers={
        "timings_compared": "ratios:compared",
    },
)
__getattr__ = CAPABILITY.attribute
