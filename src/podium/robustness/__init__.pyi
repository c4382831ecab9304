"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.capability import Capability
from podium.robustness.fit_variance import Randomness as Randomness
from podium.robustness.fit_variance import randomness as randomness
from podium.robustness.joint_orders import JointStability as JointStability
from podium.robustness.left_out import LeftOut as LeftOut
from podium.robustness.multiverse import Multiverse as Multiverse
from podium.robustness.stability import Stability as Stability
from podium.robustness.verbs import joint_stability as joint_stability

CAPABILITY: Capability
