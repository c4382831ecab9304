"""What stands in this room (docs/make_stub.py writes this)."""

from podium.core.base.rooms import Capability
from podium.core.inference.bricks.nulls import NullBrick as NullBrick
from podium.core.inference.bricks.nulls import asymptotic as asymptotic
from podium.core.inference.bricks.nulls import exact as exact
from podium.core.inference.bricks.nulls import permutation as permutation
from podium.core.inference.comparing.legality import Advice as Advice

CAPABILITY: Capability
