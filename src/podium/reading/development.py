"""Data sets on which choices were made: claims rest on the others."""

from __future__ import annotations

from dataclasses import replace

from podium.reading.results import Results
from podium.words.facts import CAUTION, REMARK, Note


def development(results: Results) -> list[str]:
    """The data sets at hand that the study set aside for choices; sizes of one go with it."""
    texts = set(results.design.get("development", ()))
    of = {d: results.facts.get(d, {}).get("of", d) for d in results.datasets}
    return [d for d, full in of.items() if d in texts or full in texts]


def confirming(results: Results) -> Results:
    """Without the data sets for development; where there are no others these, and a caution."""
    gone = development(results)
    if not gone:
        return results
    rest = [d for d in results.datasets if d not in gone]
    if not rest:
        note = Note("development-only", CAUTION, datasets=tuple(gone))
        return replace(results, notes=(*results.notes, note))
    note = Note("development-left-out", REMARK, datasets=tuple(gone))
    kept = results.filter(dataset=rest)
    return replace(kept, notes=(*kept.notes, note))
