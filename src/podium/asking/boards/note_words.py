"""Words of the notes that boards and ledgers add."""

from __future__ import annotations

from podium.core.words.facts import Note, words
from podium.core.words.phrases import counted


@words("asked-before")
def _asked_before(n: Note) -> str:
    return (
        f"These items have been looked at {counted(n.looks, 'time')} before, as the ledger "
        f"'{n.ledger}' tells: after many looks this verdict is too favourable. Add --ledger "
        f"{n.ledger}"
    )
