"""What must not matter: names, orders, units, directions and what all algorithms share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layouts_made import crossed, made, nested, of_survey, with_halvings
from thoroughness import examples

from podium import Layout, Measure, compare
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.procedures.procedure import DATASETS, ITEMS

pytestmark = pytest.mark.filterwarnings("error")
LOSS = Measure("loss")
NUMBERS = ["estimate", "lower", "upper", "statistic", "p", "p_adjusted"]
BOOTSTRAPS = ["median-bootstrap", "quantile-bootstrap"]
OWN_SCALE = ["paired-scale", *BOOTSTRAPS]  # each algorithm's scores are judged on their own
few = examples(7, quick=4)


@st.composite
def losses(draw: st.DrawFn, name: str) -> Layout:
    """Whole numbers, often tied: sums and differences are exact, so that only logic can differ."""
    procedure = PROCEDURES[name]
    few_blocks = st.integers(max(3, procedure.needs.least), max(9, procedure.needs.least))
    blocks = 10 if procedure.needs.samplings else draw(few_blocks)
    algorithms = draw(st.integers(2, 4))
    most = 1 if procedure.needs.binary else draw(st.sampled_from([3, 1000]))
    seed = draw(st.integers(0, 10_000))
    values = np.random.default_rng(seed).integers(0, most + 1, size=(blocks, algorithms))
    if not procedure.needs.binary:
        values[:, 0] += most // 2  # so that something is significant now and then
    if procedure.needs.samplings or ("fold", "population") in procedure.legal:
        how = (procedure.needs.samplings or ("cv:10",))[0]
        folds = made(values, block="fold", how=how, measure=LOSS)
        return with_halvings(folds) if procedure.needs.halves else folds
    if ("crossed", "population") in procedure.legal:
        sets = np.random.default_rng(seed).integers(0, most + 1, size=(3, blocks, algorithms))
        return crossed(sets + most // 2 * (np.arange(algorithms) == 0), measure=LOSS)
    if by_item := sorted(b for b, _ in procedure.legal if b == "held-out" or b.endswith("-item")):
        sets = np.random.default_rng(seed).integers(0, most + 1, size=(3, blocks, algorithms))
        return crossed(
            sets + most // 2 * (np.arange(algorithms) == 0), measure=LOSS, block=by_item[0]
        )
    if procedure.needs.ordered:
        return made(values, block="origin", measure=LOSS)
    if target := of_survey(procedure.legal):
        sets = np.random.default_rng(seed).integers(0, most + 1, size=(3, blocks, algorithms))
        return nested(sets + most // 2 * (np.arange(algorithms) == 0), measure=LOSS, target=target)
    if procedure.legal == ITEMS:
        return made(values, block="item", measure=LOSS)
    if procedure.legal == DATASETS:
        return made(values, block="dataset", measure=LOSS)
    if procedure.needs.unpaired:
        return made(values, block="independent-resample", measure=LOSS)
    return made(values, block="item" if procedure.needs.binary else "resample", measure=LOSS)


AMOUNTS = ("pseudo-median", "first fold")  # of differences, in the measure's own unit


def rows(layout: Layout, name: str, **options: Any) -> dict[tuple[str, str], list[Any]]:
    """What a comparison says of each pair, in both directions."""
    procedure = PROCEDURES[name]
    if not procedure.nulls.default and not procedure.pairwise:
        options.setdefault("null", "asymptotic")  # draws follow the order of blocks and columns
    if name in BOOTSTRAPS:
        options.setdefault("null", "bootstrap:199")
    if procedure.needs.control:
        options.setdefault("control", "a")
    c = compare(layout, name, alpha=0.0517, force=bool(procedure.reports.marked), **options)
    found = {}
    turned = {"better": "worse", "worse": "better"}
    for row in c.table.to_dict("records"):
        low, high = row["lower"], row["upper"]
        rest = [row["p"], row["p_adjusted"]]
        one = [row["estimate"], low, high, row["statistic"], *rest, row["verdict"]]
        other = [-row["estimate"], -high, -low, -row["statistic"], *rest]
        found[row["first"], row["second"]] = one
        found[row["second"], row["first"]] = [*other, turned.get(row["verdict"], row["verdict"])]
    return found


def same(one: dict[Any, list[Any]], two: dict[Any, list[Any]], unit: float = 1.0) -> None:
    assert one.keys() == two.keys()
    for pair, row in one.items():
        found = np.array(two[pair][:6], float)
        expected = np.array(row[:6], float) * [unit, unit, unit, 1, 1, 1]
        if expected[0] == 0:  # no difference has no sign, but for an F it has a size
            found[3], expected[3] = np.abs([found[3], expected[3]])
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
        assert two[pair][6] == row[6]


# studies that may stop look at their blocks in order, and have tests of their own
SUITED = [name for name in PROCEDURES if not PROCEDURES[name].needs.stops]


def has_order(procedure: Any) -> bool:
    return bool(procedure.needs.samplings or procedure.needs.ordered)


def own_samples(procedure: Any) -> bool:
    return bool(procedure.needs.binary or procedure.needs.unpaired)


every = pytest.mark.parametrize("name", SUITED)


@every
@given(data=st.data())
@few
def test_the_order_and_the_names_of_algorithms_do_not_matter(name: str, data: Any) -> None:
    layout = data.draw(losses(name))
    order = data.draw(st.permutations(range(len(layout.algorithms))))
    same(rows(layout, name), rows(layout.only(order), name))
    called = {a: f"algorithm {a}!" for a in layout.algorithms}
    renamed = replace(layout, algorithms=tuple(called.values()))
    control = {"control": called["a"]} if PROCEDURES[name].needs.control else {}
    theirs = rows(renamed, name, **control)
    same({(called[a], called[b]): r for (a, b), r in rows(layout, name).items()}, theirs)


@pytest.mark.parametrize(
    "name",
    [n for n in SUITED if n not in BOOTSTRAPS and not has_order(PROCEDURES[n])],
)
@given(data=st.data())
@few
def test_the_order_of_blocks_does_not_matter(name: str, data: Any) -> None:
    layout = data.draw(losses(name))
    order = np.array(data.draw(st.permutations(range(len(layout.values)))))
    turned = replace(layout, values=layout.values[order])
    crossed, nested = layout.crossed.only_blocks(order), layout.nested.only_blocks(order)
    turned = replace(turned, crossed=crossed, nested=nested)
    same(rows(layout, name), rows(turned, name))


@pytest.mark.parametrize(
    "name",
    [n for n in SUITED if n not in OWN_SCALE and not own_samples(PROCEDURES[n])],
)
@given(data=st.data())
@few
def test_what_all_algorithms_share_in_a_block_does_not_matter(name: str, data: Any) -> None:
    layout = data.draw(losses(name))
    shift = np.random.default_rng(data.draw(st.integers(0, 999))).integers(
        -500, 500, size=(len(layout.values), 1)
    )
    same(rows(layout, name), rows(replace(layout, values=layout.values + shift), name))


@pytest.mark.parametrize("name", [n for n in SUITED if not PROCEDURES[n].needs.binary])
@given(data=st.data(), unit=st.sampled_from([0.125, 2.0, 1024.0]))
@few
def test_the_unit_scales_estimates_and_intervals_only(name: str, data: Any, unit: float) -> None:
    layout = data.draw(losses(name))
    scaled = replace(layout, values=unit * layout.values)
    if layout.halvings is not None:
        inside = replace(layout.halvings, means=unit * layout.halvings.means)
        scaled = replace(scaled, halvings=inside)
    same(
        rows(layout, name),
        rows(scaled, name),
        1.0 if PROCEDURES[name].quantity.unit not in ("", *AMOUNTS) else unit,
    )


@every
@given(data=st.data())
@few
def test_gains_instead_of_losses_turn_signs_and_nothing_else(name: str, data: Any) -> None:
    layout = data.draw(losses(name))
    values = layout.values + (1 if PROCEDURES[name].needs.binary else 0)  # correct instead of wrong
    gain = replace(layout, values=values, measure=Measure("gain", higher_is_better=True))
    # deviations and ranks are losses in either direction
    if name == "paired-scale" or PROCEDURES[name].quantity.ranks:
        same(rows(layout, name), rows(gain, name))
        return
    turned = {
        pair: [-row[0], -row[2], -row[1], -row[3], *row[4:]]
        for pair, row in rows(gain, name).items()
    }
    same(rows(layout, name), turned)


@given(data=st.data(), alternative=st.sampled_from(["less", "greater"]))
@few
def test_the_other_alternative_of_turned_pairs_is_the_same(data: Any, alternative: str) -> None:
    layout = data.draw(losses("wilcoxon"))
    other = "greater" if alternative == "less" else "less"
    for name in ("wilcoxon", "paired-t", "nemenyi"):
        one = rows(layout, name, pairs=[("a", "b")], alternative=alternative)
        two = rows(layout, name, pairs=[("b", "a")], alternative=other)
        same(one, two)


@given(data=st.data())
@few
def test_another_algorithm_does_not_change_what_a_pair_says_of_itself(data: Any) -> None:
    layout = data.draw(losses("wilcoxon"))
    two = layout.only([0, 1])
    for name in ("wilcoxon", "sign", "sign-flip", "pratt", "paired-t"):
        alone, among = (rows(x, name, adjust="none")["a", "b"] for x in (two, layout))
        same({"pair": alone}, {"pair": among})
