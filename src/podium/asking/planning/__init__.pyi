"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.planning.pilot import PilotPlan as PilotPlan
from podium.asking.planning.pilot import VariantsPlan as VariantsPlan
from podium.asking.planning.plan import LabelPlan as LabelPlan
from podium.asking.planning.plan import Plan as Plan
from podium.asking.planning.plan import SequentialPlan as SequentialPlan
from podium.asking.planning.verbs import plan_labels as plan_labels
from podium.asking.planning.verbs import plan_sequential as plan_sequential
from podium.asking.planning.verbs import plan_variants as plan_variants
from podium.core.base.rooms import Capability

CAPABILITY: Capability
