"""What the terminal draws of comparisons: labelled lines and standings."""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(__name__, needs=("results", "inference", "orders", "verdicts", "terminal"))
