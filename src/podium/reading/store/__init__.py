"""The store: one SQLite file to which finished runs are appended; it is read as tables.

`Store` appends and reads `records.py`; `store_file.py` opens the file and words what goes wrong;
`schema.sql` holds the tables. Digests tell whether what is read is what was written, checks what of
a damaged store is sound, locks who is writing; `merge.py` joins stores of one study that were made
apart.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from podium.core.base.rooms import Capability

if TYPE_CHECKING:
    from podium.reading.store.records import Failure, Kept, Record, Warned
    from podium.reading.store.store import Store
    from podium.reading.store.store_file import LostStore, is_blank

CAPABILITY = Capability(__name__, public=("store:Store",))
_HOMES = {
    "store": ("Store",),
    "records": ("Failure", "Kept", "Record", "Warned"),
    "store_file": ("LostStore", "is_blank"),
}

__all__ = ["Failure", "Kept", "LostStore", "Record", "Store", "Warned", "is_blank"]


def __getattr__(name: str) -> Any:  # the record above is read where no store is needed
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
