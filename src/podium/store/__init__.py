"""The store: one SQLite file to which finished runs are appended; it is read as tables.

`Store` appends and reads `records.py`; `store_file.py` opens the file and words what goes wrong;
`schema.sql` holds the tables; `digests.py` tells whether what is read is what was written, and
`checking.py` what of a damaged store is sound; `merge.py` joins stores of one study that were made
apart; `locks.py` tells who is writing.
"""

from podium.store.records import Failure, Kept, Record, Warned
from podium.store.store import Store
from podium.store.store_file import is_blank

__all__ = ["Failure", "Kept", "Record", "Store", "Warned", "is_blank"]
