"""P-values of many pairs against their definitions, written out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts_made import made, noise
from scipy import stats

from podium import compare
from podium.core.inference.bricks import adjustments as adj
from podium.core.inference.bricks.adjustments import ADJUSTMENTS
from podium.core.inference.bricks.adjustments import Statistics as Evidence
from podium.core.inference.bricks.nulls import Known, Null, Student
from podium.core.inference.comparing.known import PROCEDURES
from podium.errors import InferenceError

P = st.lists(
    st.sampled_from([0.0, 1e-9, 0.001, 0.01, 0.02, 0.02, 0.04, 0.3, 0.5, 1.0])
    | st.floats(0, 1, allow_subnormal=False),
    min_size=1,
    max_size=6,
).map(np.array)
MARGINAL = {
    "none": lambda p: p,
    "bonferroni": adj.bonferroni,
    "sidak": adj.sidak,
    "holm": adj.holm,
    "hochberg": adj.hochberg,
    "hommel": adj.hommel,
    "bh": adj.benjamini_hochberg,
}


def evidence(p: np.ndarray, two_sided: bool = True, null: Null | None = None) -> Evidence:
    pairs = [(0, i + 1) for i in range(len(p))]
    t = np.where(np.isnan(p), np.nan, 0.0)
    return Evidence(t, null or Known(np.nan_to_num(p)), two_sided, pairs, len(p) + 1, lambda s: 1.0)


def closed(p: np.ndarray, local: Callable[[np.ndarray], float]) -> np.ndarray:
    """The largest local p-value of all intersections that contain a hypothesis."""
    m = len(p)
    sets = [s for size in range(1, m + 1) for s in combinations(range(m), size)]
    tested = {s: local(p[list(s)]) for s in sets}
    return np.array([max(q for s, q in tested.items() if i in s) for i in range(m)])


def simes(p: np.ndarray) -> float:
    return float(min(1, (np.sort(p) * len(p) / np.arange(1, len(p) + 1)).min()))


@given(P)
@settings(max_examples=150, deadline=None)
def test_hommel_is_simes_closed_over_all_intersections(p: np.ndarray) -> None:
    np.testing.assert_allclose(adj.hommel(p), closed(p, simes), rtol=1e-12)


@given(P)
@settings(max_examples=150, deadline=None)
def test_holm_is_bonferroni_closed_over_all_intersections(p: np.ndarray) -> None:
    np.testing.assert_allclose(
        adj.holm(p), closed(p, lambda q: min(1, len(q) * q.min())), rtol=1e-12
    )


@given(P)
@settings(max_examples=100, deadline=None)
def test_step_up_p_values_by_definition(p: np.ndarray) -> None:
    order = np.argsort(p)
    for found, factors in (
        (adj.hochberg(p), np.arange(len(p), 0, -1)),
        (adj.benjamini_hochberg(p), len(p) / np.arange(1, len(p) + 1)),
    ):
        steps = p[order] * factors
        expected = [min(1, steps[i:].min()) for i in range(len(p))]
        np.testing.assert_allclose(found[order], expected, rtol=1e-12)
    np.testing.assert_allclose(
        adj.benjamini_hochberg(p), stats.false_discovery_control(p), rtol=1e-12
    )


@given(P)
@settings(max_examples=100, deadline=None)
def test_every_adjustment_lies_between_the_p_value_and_bonferroni(p: np.ndarray) -> None:
    most = np.minimum(1, len(p) * p)
    found = {name: ADJUSTMENTS[name].adjusted(evidence(p)) for name in MARGINAL}
    for name, q in found.items():
        assert (q >= p - 1e-15).all(), name
        assert (q <= most + 1e-12).all(), name
        assert (np.diff(q[np.argsort(p)]) >= -1e-12).all(), name  # the order of p is kept
    assert (found["hommel"] <= found["hochberg"] + 1e-12).all()
    assert (found["hochberg"] <= found["holm"] + 1e-12).all()
    assert (found["sidak"] <= found["bonferroni"] + 1e-12).all()


def test_adjustments_by_hand() -> None:
    p = np.array([0.01, 0.04, 0.03, 0.005])
    np.testing.assert_allclose(adj.holm(p), [0.03, 0.06, 0.06, 0.02])
    np.testing.assert_allclose(adj.hochberg(p), [0.03, 0.04, 0.04, 0.02])
    np.testing.assert_allclose(adj.benjamini_hochberg(p), [0.02, 0.04, 0.04, 0.02])
    np.testing.assert_allclose(adj.sidak(p), 1 - (1 - p) ** 4)
    assert adj.sidak(np.array([1e-30, 1]))[0] == pytest.approx(2e-30)


@pytest.mark.parametrize("name", MARGINAL)
def test_an_unknown_p_stays_unknown_but_counts_as_a_test(name: str) -> None:
    p = np.array([0.01, np.nan, 0.002])
    found = ADJUSTMENTS[name].adjusted(evidence(p))
    assert np.isnan(found).tolist() == [False, True, False]
    with_one = MARGINAL[name](np.array([0.01, 1, 0.002]))
    np.testing.assert_allclose(found[[0, 2]], with_one[[0, 2]])


def test_one_sided_sidak_is_bonferroni() -> None:
    p = np.array([0.01, 0.3, 0.02])
    np.testing.assert_allclose(
        ADJUSTMENTS["sidak"].adjusted(evidence(p, two_sided=False)), [0.03, 0.9, 0.06]
    )


@pytest.mark.parametrize("name", ["none", "bonferroni", "sidak", "single-step", "max-modulus"])
def test_critical_values_have_an_adjusted_p_of_alpha(name: str) -> None:
    rng = np.random.default_rng(1)
    root = rng.normal(size=(4, 3))
    null = Student(
        root / np.linalg.norm(root, axis=1, keepdims=True), np.full(4, 9.0), "general", 4
    )
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2)]
    adjustment = ADJUSTMENTS[name]
    assert adjustment.critical is not None
    for alpha in (0.05, 0.3):
        blank = Evidence(np.zeros(4), null, True, pairs, 4, lambda s: 1.0)
        t = adjustment.critical(blank, alpha)
        found = adjustment.adjusted(Evidence(t, null, True, pairs, 4, lambda s: 1.0))
        np.testing.assert_allclose(found, alpha, rtol=1e-6)


def partitions(items: list[int]) -> Iterator[list[list[int]]]:
    """All partitions, by where the first item goes."""
    if not items:
        yield []
        return
    head, rest = items[0], items[1:]
    for size in range(len(rest) + 1):
        for mates in combinations(rest, size):
            left = [i for i in rest if i not in mates]
            for others in partitions(left):
                yield [[head, *mates], *others]


@pytest.mark.parametrize(("count", "bell"), [(3, 5), (4, 15), (5, 52), (8, 4140)])
def test_partitions_are_counted_by_bell_numbers(count: int, bell: int) -> None:
    found = adj._partitions(count)
    assert len(found) == bell - 1  # the finest one says nothing
    assert len({tuple(sorted(parts)) for parts in found}) == bell - 1
    if count < 8:
        theirs = {
            tuple(sorted(tuple(p) for p in parts if len(p) > 1))
            for parts in partitions(list(range(count)))
        }
        assert {tuple(sorted(parts)) for parts in found} == theirs - {()}


@pytest.mark.parametrize("count", [3, 4, 5])
def test_closed_testing_is_the_worst_of_all_partitions(count: int) -> None:
    rng = np.random.default_rng(count)
    subsets = [s for n in range(2, count + 1) for s in combinations(range(count), n)]
    p = dict(zip(subsets, rng.uniform(0, 0.2, len(subsets)), strict=True))
    pairs = list(combinations(range(count), 2))
    null = Student(np.eye(len(pairs)), np.full(len(pairs), np.inf), "general", count)
    found = adj._closed(Evidence(np.zeros(len(pairs)), null, True, pairs, count, p.__getitem__))
    for pair, q in zip(pairs, found, strict=True):
        worst = 0.0
        for parts in partitions(list(range(count))):
            several = [tuple(part) for part in parts if len(part) > 1]
            if any(set(pair) <= set(part) for part in several):
                least = min(p[part] for part in several)
                worst = max(worst, 1 - (1 - least) ** len(several))
        assert q == pytest.approx(worst)
        assert q >= p[pair]


def test_closed_testing_of_many_algorithms_uses_ryans_levels_and_says_so() -> None:
    values = noise(40, 9)
    values[:, 8] += 3
    c = compare(made(values), "permutation")
    assert "ryan" in [w.code for w in c.warnings]
    friedman_like = compare(made(values[:, :2], names="ab"), "permutation").table["p"][0]
    # the pair itself is tested at alpha 2/9, the whole set at alpha
    row = c.table.iloc[0]
    assert row["p_adjusted"] >= min(1, friedman_like * 9 / 2) - 1e-12
    assert row["p_adjusted"] >= (c.overall.p if c.overall else 1)
    for i in range(8):  # the wild one is worse than all
        assert c.table.query("second == 'i'")["p_adjusted"].iloc[i] < 1e-6


@pytest.mark.parametrize("null", ["asymptotic", "permutation:999"])
def test_closed_testing_of_very_many_algorithms_is_refused(null: str) -> None:
    with pytest.raises(InferenceError, match=r"of 13 algorithms has too many .* step-down or holm"):
        compare(made(noise(10, 13)), "permutation", null=null)


@pytest.mark.parametrize(
    ("procedure", "null"),
    [
        ("nemenyi", "exact"),
        ("nemenyi", "permutation:999"),
        ("nemenyi", "asymptotic"),
        ("mixed-tukey", None),
        ("paired-t", None),
        ("median-bootstrap", None),
    ],
)
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_steps_down_lie_between_the_p_value_and_the_single_step(
    procedure: str, null: str | None, alternative: str
) -> None:
    layout = made(noise(max(8, PROCEDURES[procedure].needs.least), 4))
    one, down = (
        compare(layout, procedure, null=null, adjust=a, alternative=alternative).table
        for a in ("single-step", "step-down")
    )
    assert (down["p_adjusted"] <= one["p_adjusted"]).all()
    assert (down["p_adjusted"] >= down["p"]).all()
    first = one["p_adjusted"].idxmin()
    assert down["p_adjusted"][first] == pytest.approx(one["p_adjusted"][first], abs=1e-9)
    # a bound for the true probabilities: drawn ones (999) miss it by their Monte-Carlo error
    bound = np.minimum(1, 6 * one["p"] + (0.02 if null == "permutation:999" else 2e-3))
    assert (one["p_adjusted"] <= bound).all()


def test_the_maximum_modulus_is_two_sided_and_for_joint_t_statistics() -> None:
    layout = made(noise(12, 3))
    for options in ({"alternative": "less"}, {"procedure": "nemenyi", "null": "permutation:999"}):
        with pytest.raises(InferenceError, match="maximum modulus is two-sided and needs t"):
            compare(layout, **{"procedure": "paired-t", "adjust": "max-modulus", **options})


def test_max_modulus_lies_between_the_joint_t_and_bonferroni() -> None:
    layout = made(noise(12, 4))
    p = {
        a: compare(layout, "paired-t", adjust=a).table["p_adjusted"].to_numpy()
        for a in ("single-step", "max-modulus", "bonferroni")
    }
    assert (p["single-step"] <= p["max-modulus"] + 1e-3).all()
    assert (p["max-modulus"] <= p["bonferroni"]).all()


def test_closed_testing_is_refused_where_subsets_cannot_be_tested() -> None:
    for procedure, match in (
        ("median-bootstrap", "needs a test of several algorithms at once"),
        ("wilcoxon", "scores each pair on its own"),
    ):
        with pytest.raises(InferenceError, match=match):
            compare(made(noise(12, 3)), procedure, adjust="closed")
    with pytest.raises(InferenceError, match="Closed testing here is two-sided"):
        compare(made(noise(12, 3)), "permutation", alternative="less", adjust="closed")
    with pytest.raises(InferenceError, match="takes no relevance"):
        compare(made(noise(12, 3)), "paired-t", adjust="closed", relevance=0.1)


@pytest.mark.parametrize(
    ("procedure", "instead"), [("max-modulus", "bonferroni"), ("permutation", "holm")]
)
def test_one_sided_tests_take_another_adjustment_than_one_of_sizes(procedure, instead) -> None:
    layout = made(noise(12, 3))
    own = compare(layout, procedure, alternative="less")
    assert own.method.adjust.name == instead
    named = compare(layout, procedure, alternative="less", adjust=instead)
    assert own.table["p_adjusted"].tolist() == named.table["p_adjusted"].tolist()
    assert compare(layout, procedure).method.adjust.name == PROCEDURES[procedure].adjust
