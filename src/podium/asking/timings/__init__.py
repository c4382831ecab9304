"""Timings of two versions on several benchmarks: how much faster, and on which slower."""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("results", "inference", "terminal", "screens", "reports", "comparison"),
    inside=("ratios:changes", "ratios:Changes"),
    sections=("command",),
    offers={
        "with_timings": "ratios:with_timings",
        "timings_compared": "ratios:compared",
        "timings_answer": "command:timings_answer",
        "timings_say": "command:say_changes",
    },
)
__getattr__ = CAPABILITY.attribute
