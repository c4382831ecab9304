"""What stands in this room (docs/make_stub.py writes this)."""

from podium.core.base.rooms import Capability
from podium.core.results.dataset_facts import characteristics as characteristics
from podium.core.results.dataset_facts import exclude_datasets as exclude_datasets
from podium.core.results.dataset_facts import learning_curve as learning_curve
from podium.core.results.pass_at import fits_spent as fits_spent
from podium.reading.openml_export import export_openml as export_openml

CAPABILITY: Capability
