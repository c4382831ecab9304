"""What all commands share: options, help, where lines and files go."""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(__name__, needs=("results", "inference", "reading"))
