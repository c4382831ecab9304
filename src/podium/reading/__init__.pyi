"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.reading.dataset_facts import characteristics as characteristics
from podium.reading.dataset_facts import exclude_datasets as exclude_datasets
from podium.reading.dataset_facts import learning_curve as learning_curve
from podium.reading.openml_export import export_openml as export_openml
from podium.reading.pass_at import fits_spent as fits_spent

CAPABILITY: Capability
