"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.planning.pilot import PilotPlan as PilotPlan
from podium.planning.pilot import VariantsPlan as VariantsPlan
from podium.planning.plan import LabelPlan as LabelPlan
from podium.planning.plan import Plan as Plan
from podium.planning.plan import SequentialPlan as SequentialPlan
from podium.planning.verbs import plan_labels as plan_labels
from podium.planning.verbs import plan_sequential as plan_sequential
from podium.planning.verbs import plan_variants as plan_variants

CAPABILITY: Capability
