"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.verdicts.findings import how_to_report as how_to_report
from podium.verdicts.verbs import order_by as order_by
from podium.verdicts.verbs import score_interval as score_interval

CAPABILITY: Capability
