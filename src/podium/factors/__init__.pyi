"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.capability import Capability
from podium.factors.fractions import Fraction as Fraction
from podium.factors.fractions import fraction as fraction
from podium.factors.judging import Effects as Effects
from podium.factors.levels import Factors as Factors
from podium.factors.verbs import effects as effects

CAPABILITY: Capability
