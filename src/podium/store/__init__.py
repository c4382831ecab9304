"""The store: one SQLite file to which finished runs are appended; it is read as tables.

`Store` appends and reads records; `store_file.py` opens the file and words what goes wrong;
`schema.sql` holds the tables; `merge.py` joins stores of one study that were made apart.
"""

from podium.store.store import Failure, Kept, Record, Store, Warned

__all__ = ["Failure", "Kept", "Record", "Store", "Warned"]
