"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.robustness.bootstrap import LeftOut as LeftOut
from podium.asking.robustness.multiverse import Multiverse as Multiverse
from podium.asking.robustness.stability import JointStability as JointStability
from podium.asking.robustness.stability import Stability as Stability
from podium.asking.robustness.verbs import Randomness as Randomness
from podium.asking.robustness.verbs import joint_stability as joint_stability
from podium.asking.robustness.verbs import randomness as randomness
from podium.core.base.rooms import Capability

CAPABILITY: Capability
