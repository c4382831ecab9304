"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.queues.queues import read_queued as read_queued
from podium.core.base.rooms import Capability
from podium.running.sequential.verbs import Rule as Rule
from podium.running.sequential.verbs import until_best as until_best
from podium.running.sequential.verbs import until_decided as until_decided

CAPABILITY: Capability
