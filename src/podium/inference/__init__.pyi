"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.inference.bricks.nulls import NullBrick as NullBrick
from podium.inference.bricks.nulls import asymptotic as asymptotic
from podium.inference.bricks.nulls import exact as exact
from podium.inference.bricks.nulls import permutation as permutation
from podium.inference.comparing.legality import Advice as Advice

CAPABILITY: Capability
