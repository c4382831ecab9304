"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.surveys.dataset_differences import TrueDifferences as TrueDifferences
from podium.asking.surveys.dataset_differences import true_differences as true_differences
from podium.asking.surveys.explaining import Explained as Explained
from podium.asking.surveys.recommending import Recommendation as Recommendation
from podium.asking.surveys.subgroups import Subgroups as Subgroups
from podium.asking.surveys.verbs import size_trend as size_trend
from podium.core.base.rooms import Capability

CAPABILITY: Capability
