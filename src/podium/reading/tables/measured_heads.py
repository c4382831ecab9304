"""Columns called by an algorithm and its measure: svm~Accuracy as of caret, svm_acc, acc_svm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from podium.base.errors import ResultsError
from podium.reading.cells.columns import Coded, Tabular
from podium.reading.cells.vocabulary import STATISTICS, known_measure, plain
from podium.reading.files.documents import JOINT
from podium.reading.tables.designs import PARTS
from podium.reading.tables.sheets import Sheet, sheet


def crossed_heads(
    table: Tabular, values: np.ndarray, heads: Sequence[str], rows: dict[str, Coded]
) -> Sheet | None:
    """The sheet of columns called ALGORITHM~MEASURE, as caret has them; None where they are not."""
    parts = parted(heads)
    if "measure" in rows or not parts:
        return None
    measures = list(dict.fromkeys(m for _, _, m in parts))
    algorithms = list(dict.fromkeys(a for a, _, _ in parts))
    if len(heads) != len(measures) * len(algorithms):
        whole = [m for m in measures if sum(p[2] == m for p in parts) == len(algorithms)]
        rest = [h for h, p in zip(heads, parts, strict=True) if p[2] not in whole]
        raise ResultsError(
            f"{table.what}: not every algorithm of the columns {', '.join(heads)} has every "
            f"measure. Leave out what is only of some: {table.way_out(ignore=rest)}."
        )
    n, k = values.shape
    about = {r: Coded(np.repeat(c.codes, k), c.names) for r, c in rows.items()}
    for role, names, at in (("algorithm", algorithms, 0), ("measure", measures, 2)):
        codes = np.array([names.index(part[at]) for part in parts])
        about[role] = Coded(np.tile(codes, n), names)
    made = sheet(table.what, values.reshape(-1, 1), "algorithm", [""], about, name=table.name)
    return replace(made, row=np.repeat(table.row, k))


def parted(heads: Sequence[str]) -> list[tuple[str, str, str]]:
    """Algorithm and measure (first and last) of every column; none where they do not have both.

    >>> parted(["svm_acc", "svm_f1", "knn_acc", "knn_f1"])[1]
    ('svm', '_', 'f1')
    >>> parted(["log_loss", "hinge_loss"])
    []
    """
    joint = [h.rpartition(JOINT) for h in heads]
    if all(a and known_measure(m) for a, _, m in joint):
        return joint
    for sign in ("_", " ", ".", "/", "-"):
        behind = [h.rpartition(sign) for h in heads]
        before = [(a, s, m) for m, s, a in (h.partition(sign) for h in heads)]
        for result in (behind, before):
            names, measures = ({part[at] for part in result} for at in (0, 2))
            if _are_both(names, measures):
                return result
    return []


def _are_both(names: set[str], measures: set[str]) -> bool:
    """Whether names are of several algorithms, and measures of several measures."""
    odd = [n for n in names if not n or known_measure(n) or plain(n) in PARTS | STATISTICS]
    several = min(len(names), len(measures)) > 1
    return several and not odd and all(m and known_measure(m) for m in measures)
