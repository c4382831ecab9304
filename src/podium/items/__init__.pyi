"""What stands in this room (docs/make_stub.py writes this)."""

from podium.base.rooms import Capability
from podium.items.description import ItemDescription as ItemDescription
from podium.items.description import Strata as Strata
from podium.items.verbs import Repeats as Repeats
from podium.items.verbs import by_stratum as by_stratum
from podium.items.verbs import describe_items as describe_items
from podium.items.verbs import repeats as repeats

CAPABILITY: Capability
