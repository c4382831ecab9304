"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.reports.latex import scores_latex as scores_latex

CAPABILITY: Capability
