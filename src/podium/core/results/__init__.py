"""Results: tidy tables of scores, and facts about their data sets."""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(__name__, public=("results:Results",))
__getattr__ = CAPABILITY.attribute
