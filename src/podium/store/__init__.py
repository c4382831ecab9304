"""The store: one SQLite file to which finished runs are appended; it is read as tables.

`Store` opens, appends and reads; `records.py` says what is appended; `schema.sql` holds the tables;
`merge.py` joins stores of one study that were made apart; `complaints.py` words what goes wrong.
"""

from podium.store.records import Failure, Kept, Record, Warned
from podium.store.store import Store

__all__ = ["Failure", "Kept", "Record", "Store", "Warned"]
