"""The laws of a procedure, as a suite that any record can be held against."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np

from podium.errors import InferenceError
from podium.inference.compare import compare
from podium.inference.comparisons import CHANCES, COLUMNS, Comparisons
from podium.inference.layouts import Layout
from podium.inference.legality import is_legal
from podium.inference.options import Options
from podium.inference.procedure import Procedure
from podium.measures import Measure
from podium.orders.decide import decide_comparisons
from podium.samplings import BOOTSTRAP, KINDS, REPEATED_CV, parse
from podium.targets import BLOCKS, CLAIMS, NESTED, REPETITION, Pair
from podium.testing.laws import law
from podium.wording.findings import how_to_report

NAMES = ("a", "b", "c")
LOSS, CORRECT = Measure("loss"), Measure("correct", True, (0, 1), "share")
CLOSE = 1e-9


def check_procedure(procedure: Procedure) -> None:
    """Hold a procedure's record against its laws; the first one that it breaks raises.

    The laws, for every design that it is legal for:

    1. It gives one row per pair with all columns; estimates are first - second.
    2. P-values lie in [0, 1] and adjusted ones are not smaller; the chances of a posterior add up
       to one; limits lie around their estimate.
    3. Verdicts follow from these, and an order from the verdicts.
    4. The same scores give the same numbers.
    5. Turning two algorithms around turns their difference around.
    6. Algorithms with equal scores are not told apart.
    7. What is found can be said, in JSON without NaN, and in a paper.
    8. What it is not legal for is refused in a sentence, and marked when forced.
    """
    made = [layout for pair in sorted(procedure.legal) if (layout := example(procedure, pair))]
    tried = [layout for layout in made if is_legal(procedure, layout)]
    law(1, tried or not procedure.legal, "no design that it is legal for could be made")
    for layout in tried:
        found = _compared(layout, procedure)
        _is_whole(found)
        _has_chances(found)
        _is_decided(found)
        _is_the_same_again(layout, procedure, found)
        _turns_around(layout, procedure, found)
        _leaves_equals_alone(layout, procedure)
        _can_be_said(found)
    _refuses_the_rest(procedure)


def example(procedure: Procedure, pair: Pair, seed: int = 0) -> Layout | None:
    """Scores of three algorithms, the first the best, in blocks of a kind; None without any."""
    block, target = pair
    how = _sampling(procedure, block)
    if how is None and not BLOCKS[block].sets:
        return None
    count = max(12, procedure.least) if procedure.samplings is None else 10
    values = _scores(procedure, count, seed)
    more = _more(block, count)
    measure = CORRECT if procedure.binary else LOSS
    sampling = parse(how or BOOTSTRAP.example)
    return Layout(values, NAMES, block, target, measure, sampling, rows=100, **more)


def _sampling(procedure: Procedure, block: str) -> str | None:
    """A sampling whose samples are such blocks."""
    if procedure.samplings:
        return procedure.samplings[0]
    for kind in KINDS.values():
        if kind.no_test or (not kind.runnable and kind.fields):
            continue
        for text in (kind.example, *(f"{kind.example}+{o}" for o in kind.options)):
            own = parse(text).block
            if block in (own, BLOCKS[own].by_item):
                return text
    return REPEATED_CV.example if block == REPETITION else None


def _scores(procedure: Procedure, count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if procedure.binary:
        return (rng.random((count, 3)) < [0.9, 0.5, 0.4]).astype(float)
    means = np.array([1.0, 0.0, -0.2])
    return rng.normal(size=(count, 3)) + means + rng.normal(size=(count, 1))


def _more(block: str, count: int) -> dict[str, Any]:
    half = np.arange(count) // max(count // 3, 1)
    if block == NESTED:
        names = tuple(f"set {i + 1}" for i in range(int(half.max()) + 1))
        return {"within": half, "datasets": names}
    if any(each.by_item == block for each in BLOCKS.values()):
        return {"training_sets": half, "items": np.arange(count) % max(count // 3, 1)}
    return {}


def _compared(layout: Layout, procedure: Procedure) -> Comparisons:
    control = NAMES[-1] if procedure.control else None
    return compare(layout, Options(procedure=procedure, control=control))


def _is_whole(found: Comparisons) -> None:
    table = found.table
    law(1, list(table.columns[: len(COLUMNS)]) == COLUMNS, "columns are missing")
    pairs = len(NAMES) - 1 if found.control else len(NAMES) * (len(NAMES) - 1) // 2
    law(1, len(table) == pairs, "not one row per pair")
    known = table["estimate"].notna()
    law(1, known.any(), "nothing is estimated")


def _has_chances(found: Comparisons) -> None:
    table = found.table
    if found.has_posterior:
        total = table[list(CHANCES)].sum(axis=1)
        law(2, np.allclose(total, 1.0), "chances do not add up to one")
    else:
        p, adjusted = table["p"].to_numpy(float), table["p_adjusted"].to_numpy(float)
        inside = (p >= 0) & (p <= 1) & (adjusted <= 1) | np.isnan(p)
        law(2, inside.all(), "a p-value is none")
        law(2, (~(adjusted < p)).all(), "an adjusted p-value is smaller")
    low, at, high = (table[n].to_numpy(float) for n in ("lower", "estimate", "upper"))
    law(2, (~(low > at + CLOSE)).all() and (~(high < at - CLOSE)).all(), "limits elsewhere")


def _is_decided(found: Comparisons) -> None:
    known = {"better", "worse", "equivalent", "undecided"}
    law(3, set(found.table["verdict"]) <= known, "a verdict that nobody knows")
    order = decide_comparisons(found)
    for row in found.table.itertuples():
        first, second = (order.algorithms.index(name) for name in (row.first, row.second))
        better = {"better": order.better[first, second], "worse": order.better[second, first]}
        law(3, better.get(row.verdict, True), "the order is another one")


def _is_the_same_again(layout: Layout, procedure: Procedure, found: Comparisons) -> None:
    again = _compared(layout, procedure)
    law(4, found.table.equals(again.table), "other numbers of the same scores")


def _turns_around(layout: Layout, procedure: Procedure, found: Comparisons) -> None:
    if procedure.control:
        return
    turned = _compared(layout.only([1, 0, 2]), procedure).table
    here, there = found.table.iloc[0], turned.iloc[0]
    law(5, np.isclose(here["estimate"], -there["estimate"], equal_nan=True), "not turned")


def _leaves_equals_alone(layout: Layout, procedure: Procedure) -> None:
    same = replace(layout, values=layout.values[:, [0, 0, 0]])
    try:
        found = _compared(same, procedure).table
    except InferenceError:
        return  # there is nothing to judge by
    told = set(found["verdict"]) & {"better", "worse"}
    law(6, not told, "algorithms with equal scores are told apart")


def _can_be_said(found: Comparisons) -> None:
    json.dumps(found.to_dict(), allow_nan=False)
    said = how_to_report(found, decide_comparisons(found))
    law(7, said and found.heading and found.statement, "it says nothing")


def _refuses_the_rest(procedure: Procedure) -> None:
    for pair in sorted(CLAIMS.keys() - procedure.legal):
        layout = example(replace(procedure, samplings=None), pair)
        if layout is None:
            continue
        try:
            _compared(layout, procedure)
        except InferenceError as error:
            law(8, str(error).endswith("."), "the refusal is no sentence")
        else:
            law(8, False, f"{pair} was not refused")
