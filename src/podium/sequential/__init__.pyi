"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.sequential.queues import read_queued as read_queued
from podium.sequential.verbs import Rule as Rule
from podium.sequential.verbs import until_best as until_best
from podium.sequential.verbs import until_decided as until_decided

CAPABILITY: Capability
