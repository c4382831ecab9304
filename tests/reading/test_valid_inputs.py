"""Any order of rows and columns, any separator, any format: the same scores, the same analysis."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from valid_tables import RENDERINGS, Case, made, written

import podium
from podium import Results


def scores(results: Results) -> dict[tuple[str, str, int], float]:
    table = results.scores
    keys = zip(table["dataset"].astype(str), table["algorithm"].astype(str), table["sample"],
               strict=True)  # fmt: skip
    return dict(zip(keys, table["value"], strict=True))


def plainly(case: Case) -> Results:
    """The same scores from a frame in their own order."""
    rows = [(d, a, s, v) for (d, a, s), v in sorted(case.truth.items())]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "accuracy"])
    return podium.read(frame if "sampling" in case.said else frame.drop(columns="sample"),
                       **case.said)  # fmt: skip


def judged(results: Results) -> tuple[dict[tuple[str, str], np.ndarray], frozenset]:
    """Of every pair its estimate, limits and p-values, and what is decided; in no order."""
    compared = podium.compare(results)
    numbers = ["estimate", "lower", "upper", "p", "p_adjusted"]
    found = {}
    for row in compared.table.to_dict("records"):
        first, second = str(row["first"]), str(row["second"])
        values = np.array([row.get(n, np.nan) for n in numbers], float)
        if first > second:
            values[:3] = -values[[0, 2, 1]]
        found[min(first, second), max(first, second)] = values
    order = podium.decide(compared)
    pairs = order.pairs_table().to_dict("records")
    better = frozenset((r["first"], r["second"]) for r in pairs if r["sign"] == "<")
    better |= {(r["second"], r["first"]) for r in pairs if r["sign"] == ">"}
    return found, better


def check(seed: int, folder: Path, analysed: bool) -> None:
    case = made(seed)
    results = podium.read(written(case, folder), **case.said)
    found = scores(results)
    assert found.keys() == case.truth.keys(), (seed, case.form)
    there = [(found[k], case.truth[k]) for k in found]
    assert all(a == b or (a != a and b != b) for a, b in there), (seed, case.form)
    if analysed:
        (pairs, better), (expected, also) = judged(results), judged(plainly(case))
        assert better == also, (seed, case.form)
        assert pairs.keys() == expected.keys()
        for pair, values in pairs.items():
            np.testing.assert_allclose(values, expected[pair], 1e-9, 1e-12, err_msg=f"{seed}")


@pytest.mark.parametrize(
    ("cases", "analysed"),
    [
        (range(0, 60 * RENDERINGS, RENDERINGS), 100),  # sixty truths, one rendering of each
        pytest.param(range(1000, 101_000), RENDERINGS, marks=pytest.mark.long),
    ],
)
def test_what_is_valid_is_read_as_it_is_meant(cases: range, analysed: int, tmp_path: Path) -> None:
    for seed in cases:
        check(seed, tmp_path, analysed=seed % analysed == 0)
