"""The code of algorithms, as a store knows it and as it is now."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from podium.design.learners.algorithms import Algorithm
from podium.design.learners.own_code import UNREADABLE
from podium.design.study import Study
from podium.running.words import changed_code_line, unknown_code_line, unread_code_line
from podium.store import Store, is_blank

_DEFINED = "SELECT definition FROM algorithms WHERE name = ? AND fingerprint = ?"
_DONE = """SELECT count(DISTINCT key) FROM runs JOIN algorithms ON algorithms.id = runs.algorithm
           WHERE name = ? AND fingerprint = ? AND failed = 0"""


def with_kept_code(study: Study, path: str | Path) -> tuple[Study, list[str]]:
    """The study with its algorithms as the store names them, and what is to be said of their code.

    Stores of earlier versions know nothing of code. Their runs count as done, and the code of now
    is noted as theirs: when it changes, they are run again.
    """
    coded = [a for a in study.algorithms if a.code]
    lines = [unread_code_line(a.name) for a in coded if UNREADABLE in a.code.values()]
    if not coded or is_blank(path):
        return study, lines
    uncoded = []
    with Store(path, readonly=True) as store:
        sessions = store.definitions()[::-1]
        for a in coded:
            last = next((s for s in sessions if a.name in s["algorithms"]), None)
            if last is None or last["algorithms"][a.name] == a.fingerprint:
                continue
            kept = last["algorithms"][a.name]
            before = _code_before(store, a, last, kept)
            done = int(store.rows(_DONE, (a.name, kept))[0][0])
            if before is None:
                continue  # the algorithm itself is another one
            if before == a.code or before == {}:
                uncoded.append(a.name)
            if before == {} and done:
                lines.append(unknown_code_line(a.name, done))
            if before not in ({}, a.code) and done:
                files = [f for f in before.keys() | a.code if before.get(f) != a.code.get(f)]
                lines.append(changed_code_line(a.name, sorted(files), done))
    return (study.uncoded(uncoded) if uncoded else study), lines


def _code_before(
    store: Store, a: Algorithm, session: Mapping[str, Any], kept: str
) -> Mapping[str, str] | None:
    """The code of the same algorithm: none ({}) where it was not noted, None where it differs."""
    rows = store.rows(_DEFINED, (a.name, kept))
    defined = json.loads(rows[0][0]) if rows else {}
    now = json.loads(json.dumps(a.definition))
    if {k: v for k, v in defined.items() if k != "code"} != {
        k: v for k, v in now.items() if k != "code"
    }:
        return None
    code: Mapping[str, str] = defined.get("code") or session.get("code", {}).get(a.name, {})
    return code
