"""What stands in this room (docs/make_stub.py writes this)."""

from podium.core.base.rooms import Capability
from podium.core.verdicts.findings import how_to_report as how_to_report
from podium.core.verdicts.verbs import order_by as order_by
from podium.core.verdicts.verbs import score_interval as score_interval

CAPABILITY: Capability
