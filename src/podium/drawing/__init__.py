"""What all plots share: canvas, records, rows, emphasis."""

from podium.base.rooms import Capability

CAPABILITY = Capability(__name__, needs=("reading", "inference", "orders"))
