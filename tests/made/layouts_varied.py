"""Small layouts of every design, and requests: what procedures meet, edges too; seeded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from layouts_made import crossed, made, nested, noise, with_halvings
from numpy.typing import NDArray

from podium import Layout, Measure
from podium.core.inference.procedures.procedure import Procedure

BY_ITEM = ("crossed", "seed-item", "independent-seed-item", "condition-item", "held-out")
LOSS, GAIN = Measure("loss"), Measure("gain", higher_is_better=True)


def scores(kind: str, blocks: int, algorithms: int, seed: int, binary: bool) -> NDArray[np.float64]:
    """Blocks x algorithms of a kind."""
    rng = np.random.default_rng(seed)
    values = noise(blocks, algorithms, seed)
    if binary:
        values = (values > np.median(values)).astype(float)
    elif kind == "ties":
        values = np.round(values)
    elif kind == "skewed":
        values = np.exp(1.5 * values) * np.exp(2 * rng.normal(size=(blocks, 1)))
    elif kind == "apart":  # everything is decided
        values = values / 20 + np.arange(algorithms) * np.where(rng.random(algorithms) < 0.3, 1, 2)
    if kind == "gaps":
        values[rng.random(values.shape) < 0.12] = np.nan
        values[0] = np.where(np.isnan(values[0]), 0.0, values[0])
    elif kind == "one gap":
        values[blocks // 2, 0] = np.nan
    elif kind == "alike":
        values[:, -1] = values[:, 0]
    return values


def laid_out(
    procedure: Procedure, pair: tuple[str, str], kind: str, algorithms: int, seed: int, few: bool
) -> Layout:
    """A layout of a design (block and target) that a procedure may judge, or refuses."""
    block, target = pair
    needs, measure = procedure.needs, (LOSS, GAIN)[seed % 2]
    blocks = max(needs.least, 4) if few else max(needs.least, 11 + seed % 3)
    facts: dict[str, Any] = {"measure": measure, "block": block, "target": target}
    if needs.samplings or procedure.needs.halves or block == "fold":
        blocks, facts["how"] = 10, (needs.samplings or ("cv:10",))[0]
    values = scores(kind, blocks, algorithms, seed, needs.binary)
    if block in BY_ITEM or block == "nested":
        sets = [scores(kind, blocks, algorithms, seed + 10 * s, needs.binary) for s in range(4)]
        shift = np.random.default_rng(seed).normal(size=(4, 1, algorithms)) / 3
        values = np.stack(sets) + shift * (not needs.binary)
        if block == "nested":
            del facts["block"]
            return nested(values, **facts)
        return crossed(values, **facts)
    if block == "item" and needs.clusters and seed % 3:
        facts["clusters"] = np.arange(blocks) // 2
    layout = made(values, **facts)
    if block == "dataset":
        layout = replace(layout, labels=tuple(f"d{i}" for i in range(blocks)))
    return with_halvings(layout) if needs.halves else layout


Request = tuple[str, int, dict[str, Any]]  # kind of scores, algorithms, options
REQUESTS: dict[str, Request] = {
    "plain": ("plain", 3, {}),
    "ties": ("ties", 2, {"relevance": 0.25}),
    "control": ("skewed", 4, {"control": "b", "alternative": "less"}),
    "gaps": ("gaps", 3, {"alpha": 0.1}),
    "one gap": ("one gap", 2, {"adjust": "none"}),
    "worst": ("gaps", 2, {"gaps": "worst", "alternative": "greater"}),
    "complete": ("gaps", 2, {"gaps": "complete", "relevance": 0.1, "alternative": "less"}),
    "alike": ("alike", 3, {"adjust": "holm"}),
    "few": ("plain", 2, {}),
    "apart": ("apart", 3, {"relevance": 0.5}),
    "pairs": ("apart", 4, {"pairs": [("a", "c"), ("d", "b")], "adjust": "bonferroni"}),
}
ELSEWHERE = {("resample", "test-set"), ("independent-resample", "test-set")}  # of a competition
NEVER_GAPS = BY_ITEM  # every item is met by all, or refused when it is read


def requests(procedure: Procedure) -> Iterator[tuple[str, Layout, dict[str, Any]]]:
    """What is asked of a procedure in turn of its designs: a name, a layout, options.

    What it never takes is asked once.
    """
    here = sorted(pair for pair in procedure.legal - ELSEWHERE if pair[0] != "choice")
    legal = here or [("item", "test-set"), ("fold", "population")]
    refused = set[str]()
    several = [*REQUESTS.items()]
    if procedure.bayes.posterior is not None:  # draws take their time
        several = [each for each in several if each[0] in ("ties", "gaps", "few")]
    for number, (name, (kind, algorithms, options)) in enumerate(several):
        pair = legal[number % len(legal)]
        if kind.endswith(("gaps", "gap")) and pair[0] in NEVER_GAPS:
            kind = "plain"
        layout = laid_out(procedure, pair, kind, algorithms, number + 1, name == "few")
        asked: dict[str, Any] = {"force": True} if not procedure.legal else {}
        if name in ("apart", "few") and not procedure.nulls.default and not procedure.judge.test:
            asked["null"] = "asymptotic" if name == "apart" else "permutation:999"
        if procedure.needs.control:
            asked["control"] = "a"
        for option, value in options.items():
            never = (option == "relevance" and not procedure.needs.margins) or (
                option in ("alternative", "adjust") and procedure.bayes.posterior is not None
            )
            if not never or option not in refused:
                asked[option] = value
            if never:
                refused.add(option)
        yield f"{name} {' '.join(pair)}", layout, asked
