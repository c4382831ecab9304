"""What stands in this room (docs/make_stub.py writes this)."""

from podium.core.base.rooms import Capability
from podium.showing.reports.latex import scores_latex as scores_latex

CAPABILITY: Capability
