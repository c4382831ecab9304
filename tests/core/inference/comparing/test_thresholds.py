"""From which number on something is said, refused or withheld: at that number, and beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from layouts_made import made, noise

import podium
from podium import Layout, Measure, compare
from podium.core.words.facts import CAUTION, REMARK
from podium.errors import InferenceError

Made = Callable[[Any], tuple[Layout, dict[str, Any]]]


def items(clusters: int, telling: int | None = None) -> Layout:
    """Clusters of three items; of right and wrong ones some clusters tell two models apart."""
    places, more = np.arange(3 * clusters) // 3, {"block": "item"}
    if telling is None:
        return made(noise(3 * clusters, 2), **more, clusters=places)
    right = np.ones((3 * clusters, 2))
    right[: 3 * telling : 3, 0] = 0
    return made(right, **more, clusters=places, measure="accuracy")


def copied(rows: int, digits: int) -> Layout:
    """Of three algorithms; the last row is that before it."""
    values = noise(rows, 3, 4).round(digits)
    values[-1] = values[-2]
    return made(values, block="dataset", labels=[f"{i} own" for i in range(rows)])


def places(rows: int, algorithms: int) -> Layout:
    """Ranks given as scores."""
    rng = np.random.default_rng(rows)
    values = [rng.permutation(np.arange(1.0, algorithms + 1)) for _ in range(rows)]
    return made(values, block="dataset")


def warming(runs: int) -> Layout:
    """Times of two algorithms, one of which grows from run to run."""
    times = {"a": np.linspace(1, 2, runs), "b": np.resize([3.0, 5.0, 4.0], runs)}
    rows = [(name, i, t) for name, own in times.items() for i, t in enumerate(own)]
    frame = pd.DataFrame(rows, columns=["algorithm", "run", "time"])
    return podium.layout(podium.read(frame, measure="time", sampling="runs"))


def unlike(blocks: int) -> Layout:
    """Four algorithms, one of which varies a hundred times as much as the others."""
    return made(noise(blocks, 4) * [1, 1, 1, 100])


def scaled(sizes: list[float], level: Any = 0.0) -> Layout:
    """Three algorithms on data sets whose scores have these spreads, about means on that level."""
    shapes = noise(len(sizes), 3, 5)
    shapes -= shapes.mean(axis=1, keepdims=True)
    shapes /= shapes.std(axis=1, ddof=1, keepdims=True)
    shapes -= np.median(shapes, axis=1, keepdims=True)
    return made(np.array(sizes)[:, None] * shapes + level, block="dataset", measure=Measure("loss"))


SAID: dict[str, tuple[Made, Any, Any]] = {  # a note's code: what is compared, when it is said
    "too-few-data-sets": (lambda n: (made(noise(n, 3), block="dataset"), {}), 3, 4),
    "few-data-sets": (lambda n: (made(noise(n, 3), block="dataset"), {}), 9, 10),
    "few-clusters": (lambda n: (items(n), {}), 9, 10),
    "rarely-apart": (lambda n: (items(12, n), {}), 4, 5),
    "copied-blocks": (lambda n: (copied(n, 4), {}), 4, 3),
    "copied-blocks ": (lambda n: (copied(8, n), {}), 3, 2),
    "ranks-as-scores": (lambda n: (places(n, 3), {}), 3, 2),
    "ranks-as-scores ": (lambda n: (places(5, n), {}), 3, 2),
    "few-blocks": (
        lambda n: (made(noise(n, 3)), {"procedure": "paired-t", "adjust": "single-step"}), 29, 30
    ),
    "few-blocks ": (
        lambda n: (made(noise(12, n)), {"procedure": "paired-t", "adjust": "single-step"}), 3, 2
    ),
    "sphericity": (lambda n: (unlike(n), {"procedure": "mixed-tukey"}), 8, 7),
    "drift": (lambda n: (warming(n), {}), 8, 7),
    "ryan": (
        lambda n: (made(noise(5, n)), {"procedure": "permutation", "null": "asymptotic"}), 9, 8
    ),
    "few-origins": (
        lambda n: (made(noise(n, 2), block="origin", how="rolling-origin:60x2x2"),
                   {"procedure": "diebold-mariano"}), 59, 60
    ),
    "unadjusted": (lambda n: (made(noise(12, n)), {"adjust": "none"}), 3, 2),
    "one-data-set": (
        lambda n: (scaled([*[1.0] * (n - 1), 9.0]), {"procedure": "hull"}), 10, 9
    ),
}  # fmt: skip


@pytest.mark.parametrize("code", list(SAID))
def test_a_note_is_said_from_its_number_on(code: str) -> None:
    ask, yes, no = SAID[code]
    told = []
    for number in (yes, no):
        layout, options = ask(number)
        result = compare(layout, **options)
        told.append(code.strip() in {note.code for note in result.warnings})
    assert told == [True, False]


FEW = "no test of means keeps a level"
SKEWED = np.geomspace(1, 400, 20)  # a pair's differences: median skewness above 1.5


def skewed(blocks: int, power: float) -> Layout:
    return made(np.column_stack([np.resize(SKEWED, blocks) ** power, np.zeros(blocks)]))


CLAIMS: dict[str, tuple[Made, Any, Any]] = {  # where a claim says that blocks are few
    "hull": (lambda n: (made(noise(n, 3)), {"procedure": "hull"}), 29, 30),
    "rank-t": (lambda n: (made(noise(n, 3)), {"procedure": "rank-t"}), 19, 20),
    "signs": (lambda n: (made(noise(n, 2)), {"procedure": "rank-t"}), 99, 100),
    "many algorithms": (lambda n: (made(noise(99, n)), {"procedure": "hull"}), 16, 15),
    "blocks of many": (lambda n: (made(noise(n, 16)), {"procedure": "hull"}), 99, 100),
    "skewed": (lambda n: (skewed(n, 1.0), {"procedure": "hull"}), 180, 200),
    "skewness": (lambda n: (skewed(100, n), {"procedure": "hull"}), 1.0, 0.5),
}


@pytest.mark.parametrize("name", list(CLAIMS))
def test_a_claim_names_few_blocks_below_its_number(name: str) -> None:
    ask, yes, no = CLAIMS[name]
    few = []
    for number in (yes, no):
        layout, options = ask(number)
        few.append(compare(layout, **options).claim.few is not None)
    assert few == [True, False]


@pytest.mark.parametrize(
    ("procedure", "blocks", "algorithms", "null"),
    [
        ("friedman", 29, 3, "permutation"),
        ("friedman", 30, 3, "asymptotic"),
        ("wilcoxon", 29, 2, "exact"),
        ("wilcoxon", 30, 2, "asymptotic"),
        ("sign-flip", 6, 2, "exact"),
        ("sign-flip", 18, 2, "exact"),
        ("sign-flip", 25, 2, "permutation"),  # 2^24 patterns of signs are the most that are listed
        ("sign-flip", 23, 3, "permutation"),  # of all three pairs together
    ],
)
def test_the_null_that_is_taken_follows_from_the_number_of_blocks(
    procedure: str, blocks: int, algorithms: int, null: str
) -> None:
    method = compare(made(noise(blocks, algorithms)), procedure).judged
    assert method is not None
    assert method.null.name == null


@pytest.mark.parametrize(("blocks", "verdict"), [(19, "withheld"), (20, "better")])
@pytest.mark.parametrize("turned", [False, True])
def test_one_gap_in_twenty_leaves_a_verdict(blocks: int, verdict: str, turned: bool) -> None:
    """Who lacks more than 5 % of the rival's blocks is not said to be better than it."""
    values = np.array([0.0, 5.0]) + noise(blocks, 2) / 5
    values[3, 0] = np.nan
    layout = made(values[:, ::-1] if turned else values)
    c = compare(layout, "paired-t")
    (found,) = c.table["verdict"]
    ahead = [note.pairs for note in c.warnings if note.code == "withheld"]
    assert ahead == ([((("b", "a") if turned else ("a", "b")),)] if found == "withheld" else [])
    assert found == ("worse" if turned and verdict == "better" else verdict)
    against = compare(made(-values[:, ::-1] if turned else -values), "paired-t").table
    assert list(against["verdict"]) == ["better" if turned else "worse"], "speaks against it"


def test_scores_are_taken_up_to_a_size() -> None:
    huge, tiny = (
        made([[1e60, 2e59], [3e59, 0], [0, 1e59]]),
        made([[1.001e-60, 0], [0, 2e-61], [0, 0]]),
    )
    for layout in (huge, tiny):
        assert len(compare(layout, "paired-t").table) == 1
    for factor, layout in ((1.01, huge), (0.99, tiny)):
        with pytest.raises(InferenceError, match="give them in another unit"):
            compare(made(factor * layout.values), "paired-t")


def test_a_margin_is_smaller_than_the_largest_difference() -> None:
    layout = made(np.clip(noise(12, 2) / 9 + 0.4, 0, 1), measure="accuracy")
    assert compare(layout, relevance=0.999).relevance == 0.999
    with pytest.raises(InferenceError, match=r"such as 0\.05"):
        compare(layout, relevance=1.0)
    for shift in (9, -9):  # which keep to one bound only, or to none
        beyond = made(np.abs(noise(12, 2)) + shift, measure="accuracy")
        assert compare(beyond, relevance=1.0).relevance == 1.0


EVEN = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
MIXING: dict[str, tuple[list[float], list[float], object]] = {  # spreads, levels: how it is told
    "spreads 100 times apart": ([1, 1, 2, 3, 4, 5, 6, 7, 50, 100.1, 100.1], EVEN, CAUTION),
    "hardly": ([1, 1, 2, 3, 4, 9, 16, 27, 50, 99.9, 99.9], EVEN, None),
    "levels, too": ([1, 1, 2, 3, 4, 5, 6, 7, 8, 10.1, 10.1], [1, *range(1, 10), 101], None),
    "both": ([1, 1, 2, 3, 4, 5, 6, 7, 8, 10.1, 10.1], [1, 1, *range(2, 9), 101, 101], CAUTION),
    "levels alone": ([1, 1, 2, 3, 4, 5, 6, 7, 8, 9.9, 9.9], [1, 1, *range(2, 9), 101, 101], None),
    "levels hardly": ([1, 1, 2, 3, 4, 5, 6, 7, 8, 10.1, 10.1], [1, 1, *range(2, 9), 99, 99], None),
    "one has most": ([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9], EVEN, REMARK),
    "one far from the middle": ([1, 1, 1, 1, 1, 1, 1, 2, 2, 10.1, 30], EVEN, CAUTION),
    "one less far": ([1, 1, 1, 1, 1, 1, 1, 2, 2, 9.9, 30], EVEN, REMARK),
}


@pytest.mark.parametrize("name", list(MIXING))
def test_scales_that_do_not_mix_are_told(name: str) -> None:
    """The 10, 50 and 90 % quantiles of 11 sizes are the second, the sixth and the tenth."""
    sizes, levels, severity = MIXING[name]
    layout = scaled(sizes, np.array(levels, float)[:, None])
    assert layout.mixing.spread == pytest.approx(sizes[9] / sizes[1])
    assert layout.mixing.middle == pytest.approx(sizes[9] / sizes[5])
    assert layout.mixing.level == pytest.approx(levels[9] / levels[1])
    notes = [n.severity for n in compare(layout, "hull").warnings if n.code == "one-data-set"]
    assert notes == ([] if severity is None else [severity])


def test_of_two_data_sets_nothing_is_told_of_scales() -> None:
    assert scaled([1.0, 500.0]).mixing == (1, 1, 1, 0, 0)
    assert scaled([1.0, 500.0, 500.0]).mixing.spread == pytest.approx(500 / (1 + 0.2 * 499))


def test_scales_are_those_of_data_sets_with_two_scores_or_more() -> None:
    """Of 0 and s the standard deviation is s / √2, whoever has a gap."""
    gap = np.nan
    values = [[gap, 99, gap], [0, 1, gap], [gap, gap, gap], [0, gap, 2], [gap, 0, 10], [4, 0, gap]]
    found = made(values, block="dataset", measure=Measure("loss")).mixing
    spreads, levels = [1, 2, 10, 4], [0.5, 1, 5, 2]
    for ours, sizes, low in (
        (found.spread, spreads, 0.1), (found.middle, spreads, 0.5), (found.level, levels, 0.1)
    ):  # fmt: skip
        top, bottom = np.quantile(sizes, [0.9, low])
        assert ours == pytest.approx(top / bottom)
    assert found.top == 4, "the row of all that varies most"
    # centred (-1, 1), (-2, 2), (2, -2), of which (-1, 1) is the median: 0, 1 and 9 beyond it
    for scale in (1.0, 1e-3, 1e3):
        varied = made(scale * np.array([[0, 2], [0, 4], [4, 0]]), block="dataset").mixing
        assert (varied.share, varied.top) == (pytest.approx(0.9), 2)
    same = made(np.ones((4, 3)), block="dataset").mixing
    assert same == (1, 1, 1, 0, 0)


@pytest.mark.parametrize(
    ("largest", "least", "bounded"),
    [(100.0, 0.0, True), (100.5, 0.0, False), (1.0, -0.01, False), (1.0, 0.5, True)],
)
def test_scores_of_a_measure_nobody_knows_tell_whether_it_is_a_share(
    largest: float, least: float, bounded: bool
) -> None:
    values = np.linspace(least, largest, 12).reshape(4, 3)
    for higher in (True, False):
        layout = made(values, block="dataset", measure=Measure("merit", higher))
        assert layout.is_bounded == bounded


@pytest.mark.parametrize(
    ("null", "blocks", "algorithms", "least"),
    [
        ("exact", 5, 2, 2 / 2**5),
        ("exact", 6, 2, None),
        ("mid-p", 4, 2, 1 / 2**4),  # half of what is as extreme
        ("mid-p", 5, 2, None),
        ("permutation:99", 20, 4, 6 / 100),  # what was seen is one of the draws; six pairs
        ("permutation:199", 20, 4, None),
    ],
)
def test_tests_that_cannot_reject_are_told_by_their_smallest_p(
    null: str, blocks: int, algorithms: int, least: float | None
) -> None:
    layout = made(noise(blocks, algorithms) + 30 * np.arange(algorithms))
    c = compare(layout, "sign", null=null, adjust="bonferroni" if algorithms > 2 else "none")
    notes = [note.least for note in c.warnings if note.code == "cannot-reject"]
    assert notes == ([] if least is None else [pytest.approx(least)])
    if least is not None:
        assert c.table["p_adjusted"].min() == pytest.approx(least)


def test_means_of_items_in_clusters_are_judged_by_clusters_whoever_names_the_brick() -> None:
    clusters = np.repeat(np.arange(12), np.arange(1, 13))
    layout = made(noise(78, 2) + clusters[:, None] / 9, block="item", clusters=clusters)
    usual, named, mixed = (
        compare(layout, "paired-t", estimate=each) for each in (None, "means", "mixed")
    )
    assert named.table["p"][0] == pytest.approx(usual.table["p"][0])
    assert "averaged" not in {note.code for note in named.warnings}
    assert "averaged" in {note.code for note in mixed.warnings}, "of clusters, one mean each"
    assert mixed.blocks.count == 12
