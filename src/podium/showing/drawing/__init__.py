"""What all plots share: canvas, records, rows, emphasis."""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("results", "inference", "orders"),
)
