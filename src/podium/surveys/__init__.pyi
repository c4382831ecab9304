"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.surveys.dataset_differences import TrueDifferences as TrueDifferences
from podium.surveys.dataset_differences import true_differences as true_differences
from podium.surveys.explaining import Explained as Explained
from podium.surveys.recommending import Recommendation as Recommendation
from podium.surveys.subgroups import Subgroups as Subgroups
from podium.surveys.verbs import size_trend as size_trend

CAPABILITY: Capability
