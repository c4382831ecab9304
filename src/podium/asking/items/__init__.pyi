"""What stands in this room (docs/make_stub.py writes this)."""

from podium.asking.items.description import ItemDescription as ItemDescription
from podium.asking.items.description import Strata as Strata
from podium.asking.items.verbs import Repeats as Repeats
from podium.asking.items.verbs import by_stratum as by_stratum
from podium.asking.items.verbs import describe_items as describe_items
from podium.asking.items.verbs import repeats as repeats
from podium.core.base.rooms import Capability

CAPABILITY: Capability
