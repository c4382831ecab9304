"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.robustness.bootstrap import LeftOut as LeftOut
from podium.robustness.multiverse import Multiverse as Multiverse
from podium.robustness.stability import JointStability as JointStability
from podium.robustness.stability import Stability as Stability
from podium.robustness.verbs import Randomness as Randomness
from podium.robustness.verbs import joint_stability as joint_stability
from podium.robustness.verbs import randomness as randomness

CAPABILITY: Capability
