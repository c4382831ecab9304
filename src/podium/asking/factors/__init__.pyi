"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.factors.judging import Effects as Effects
from podium.asking.factors.levels import Factors as Factors
from podium.asking.factors.verbs import Fraction as Fraction
from podium.asking.factors.verbs import effects as effects
from podium.asking.factors.verbs import fraction as fraction
from podium.core.base.rooms import Capability

CAPABILITY: Capability
