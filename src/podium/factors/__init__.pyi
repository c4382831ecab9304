"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.factors.judging import Effects as Effects
from podium.factors.levels import Factors as Factors
from podium.factors.verbs import Fraction as Fraction
from podium.factors.verbs import effects as effects
from podium.factors.verbs import fraction as fraction

CAPABILITY: Capability
