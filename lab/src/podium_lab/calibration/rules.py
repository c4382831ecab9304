"""Rules of rooms: how often factors, decisions and fronts claim what is not so.

Chances of a false claim in per cent at nominal 5, of the code that Podium runs, under nulls with
skewed, heavy-tailed and bounded scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product

import numpy as np
from scipy import special

from podium.asking.factors.designs import Design, design_of
from podium.asking.factors.judging import _families, is_joint
from podium.asking.factors.levels import of_rows
from podium.asking.fronts.dominance import dominated_within
from podium.asking.fronts.trades import trade_of
from podium.core.inference.bricks.adjustments import holm
from podium.core.inference.comparing.compare import p_adjusted
from podium.core.inference.comparing.legality import one_of_several
from podium.core.inference.comparing.request import chosen_procedure
from podium.core.inference.layouts import Layout, Origin
from podium.core.inference.numbers import tails
from podium.core.inference.numbers.tails import JointT
from podium.core.inference.procedures.procedure import Options
from podium.core.questions.measures import Measure
from podium.core.questions.targets import DATASET, DATASET_POPULATION, ITEM, TEST_SET
from podium.core.results.measure_names import known_measure
from podium.core.samplings import parse

ALPHA = 0.05
POINTS = 2**10  # directions of a joint t: enough for one p-value near 0.05
Errors = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]
Rate = Callable[[np.random.Generator], bool | None]
Drawn = Callable[[np.random.Generator], list[np.ndarray]]


def _normal(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    return rng.standard_normal(size)


def _exponential(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    return rng.exponential(1.0, size) - 1.0


def _heavy(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    return rng.standard_t(3, size) / np.sqrt(3)


def _bounded(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    return (rng.beta(8, 1, size) - 8 / 9) / 0.0994  # shares near 1: skewed to the left


def _unequal_sets(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Data sets whose spread differs by a lognormal factor (sigma 1)."""
    return rng.standard_normal(size) * np.exp(
        rng.standard_normal((*size[:2], *[1] * (len(size) - 2)))
    )


def _noisy_one(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """One combination (and one level of each factor) whose spread is five times the others'."""
    made = rng.standard_normal(size)
    made[..., 0] *= 5
    return made


ERRORS: dict[str, Errors] = {"skewed": _exponential, "heavy": _heavy, "near 1": _bounded}
# of factors also scores whose spread differs, which one variance for all would not bear
SPREADS: dict[str, Errors] = {"unequal data sets": _unequal_sets, "one noisy": _noisy_one}


# -- factors --------------------------------------------------------------------------------------


@cache
def designs() -> dict[str, Design]:
    """The designs that effects are judged in."""
    full = {"2x2x2": (2, 2, 2), "4x3x2": (4, 3, 2)}
    cells = {name: list(product(*map(range, counts))) for name, counts in full.items()}
    cells["2^(4-1)"] = [(a, b, c, (a + b + c) % 2) for a, b, c in product((0, 1), repeat=3)]
    cells["ablation of 4"] = [tuple(int(f != gone) for f in range(4)) for gone in range(5)]
    made = {name: design_of(_factors(each)) for name, each in cells.items()}
    sizes = [(a, b, c) for a, b, c in product((0, 1), (0, 1, 2), (0, 1)) if a or b < 2]
    rows = [[str(a), f"{a}{b}", str(c)] for a, b, c in sizes]  # two sizes of one, three of another
    names = [" / ".join(row) for row in rows]
    return made | {"nested": design_of(of_rows(names, list("ABC"), rows, {"B": "A"}))}


def _factors(cells: list[tuple[int, ...]]):  # type: ignore[no-untyped-def]
    rows = [[str(level) for level in cell] for cell in cells]
    return of_rows([" / ".join(row) for row in rows], "ABCD"[: len(cells[0])], rows)


def equal_scores(
    design: Design, errors: Errors, blocks: int, replications: int, rng: np.random.Generator
) -> np.ndarray:
    """Replications x blocks x algorithms: effects are 0 on average, and differ between blocks."""
    cells = design.factors.cells
    size = (replications, blocks)
    made = errors(rng, (*size, len(cells)))
    for f, count in enumerate(design.factors.counts):
        slopes = errors(rng, (*size, count))
        made = made + slopes[:, :, cells[:, f]]
    return made


@cache
def _contrasts(design: str, family: str = "") -> np.ndarray:
    """The effects of a family as weights of algorithms; without one the first family's."""
    every = list(_families(designs()[design]))
    of = next(effects for effects in every if family in ("", effects[0].family))
    return np.array([effect.weights for effect in of])


def false_effects(
    design: str,
    errors: Errors,
    blocks: int,
    replications: int,
    rng: np.random.Generator,
    family: str = "",
) -> np.ndarray:
    """Of every study whether any effect of a family is significant: main effects, or an ablation's.

    Where the family is named, pairs of levels differ between blocks too, as factors do.
    """
    rows = _contrasts(design, family)
    values = equal_scores(designs()[design], errors, blocks, replications, rng)
    if family:
        values = values + _pair_slopes(designs()[design], errors, values.shape[:2], rng)
    within = values @ rows.T
    t = within.mean(axis=1) / (within.std(axis=1, ddof=1) / np.sqrt(blocks))
    largest = np.abs(t).max(axis=1)
    df = blocks - 1
    bound = tails.t_isf(ALPHA / 2 / len(rows), df)
    claimed = largest > bound
    if is_joint(rows, blocks):  # a joint p-value lies between those of one and of all alone
        near = ~claimed & (largest > tails.t_isf(ALPHA / 2, df))
        for study in np.flatnonzero(near):
            claimed[study] = _p(within[study], largest[study], df) <= ALPHA
    return np.asarray(claimed)


def _pair_slopes(
    design: Design, errors: Errors, size: tuple[int, ...], rng: np.random.Generator
) -> np.ndarray:
    """What two levels of two factors do together in a block: 0 on average."""
    cells, counts = design.factors.cells, design.factors.counts
    made = np.zeros((*size, len(cells)))
    for f, g in combinations(range(len(counts)), 2):
        slopes = errors(rng, (*size, counts[f], counts[g]))
        made += slopes[:, :, cells[:, f], cells[:, g]]
    return made


def false_effects_of_one_variance(
    design: str, errors: Errors, blocks: int, replications: int, rng: np.random.Generator
) -> np.ndarray:
    """The same by a mixed model with one effect of blocks: one variance for all contrasts."""
    values = equal_scores(designs()[design], errors, blocks, replications, rng)
    rows = _contrasts(design)
    centred = values - values.mean(axis=2, keepdims=True)
    rest = centred - centred.mean(axis=1, keepdims=True)
    df = (blocks - 1) * (values.shape[2] - 1)
    variance = (rest**2).sum(axis=(1, 2)) / df
    t = (values.mean(axis=1) @ rows.T) / np.sqrt(variance[:, None] * (rows**2).sum(axis=1) / blocks)
    return np.asarray(np.abs(t).max(axis=1) > tails.t_isf(ALPHA / 2 / len(rows), df))


def _factor_cells() -> Iterator[tuple[str, Rate]]:
    """How often an effect is found that is none."""
    every = {**ERRORS, **SPREADS}
    for design in designs():
        for (kind, errors), blocks in product(every.items(), (5, 10, 20, 50)):

            def claims(
                rng: np.random.Generator,
                design: str = design,
                errors: Errors = errors,
                blocks: int = blocks,
            ) -> bool:
                return bool(false_effects(design, errors, blocks, 1, rng)[0])

            yield f"factors/{design}/{kind}/{blocks}", claims

        for family, (kind, errors), blocks in product(
            _further(design), every.items(), (5, 10, 20, 50)
        ):

            def found(
                rng: np.random.Generator,
                design: str = design,
                errors: Errors = errors,
                blocks: int = blocks,
                family: str = family,
            ) -> bool:
                return bool(false_effects(design, errors, blocks, 1, rng, family)[0])

            yield f"factors/{design}, {FURTHER[family]}/{kind}/{blocks}", found

        def pooled(rng: np.random.Generator, design: str = design) -> bool:
            return bool(false_effects_of_one_variance(design, _normal, 10, 1, rng)[0])

        yield f"factors, one variance/{design}/normal/10", pooled


FURTHER = {"interaction": "interactions", "split": "Shapley's split", "nested": "inside"}


def _further(design: str) -> list[str]:
    """The families of a design beside the first one."""
    return [of[0].family for of in _families(designs()[design]) if of[0].family in FURTHER]


def _p(within: np.ndarray, largest: float, df: int) -> float:
    """Single-step p-value of the largest t."""
    centred = within - within.mean(axis=0)
    root = (centred / np.linalg.norm(centred, axis=0)).T
    return float(JointT(root, df, POINTS).sf(np.array([largest]))[0])


# -- decisions ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Border:
    """A study in which one part of a decision is just not so, and the other is."""

    name: str
    draw: Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]  # accuracy, cost
    margin: float


def _paired(rng: np.random.Generator, n: int, loss: float) -> np.ndarray:
    """Right or wrong of new and old, of which 0.85 of the old are right."""
    old = rng.random(n) < 0.85
    flip = rng.random(n)
    new = np.where(old, flip >= 0.05 + loss / 0.85, flip < 0.05 * 0.85 / 0.15)
    return np.column_stack([new, old]).astype(float)


def _lost(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    cost = np.exp(rng.normal(0, 1, n))
    return _paired(rng, n, 0.1), np.column_stack([0.3 * cost * np.exp(rng.normal(0, 0.2, n)), cost])


def _as_dear(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    accuracy = _paired(rng, n, -0.04)
    return accuracy, np.exp(rng.normal(0, 1, (n, 2)))


def _longer_tail(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    accuracy = _paired(rng, n, -0.04)
    new, old = rng.normal(0, 1.5, n) - 1.125, rng.normal(0, 1.0, n) - 0.5
    return accuracy, np.exp(np.column_stack([new, old]))


BORDERS = (
    Border("a loss of just the margin, far cheaper", _lost, 0.1),
    Border("as good, as dear", _as_dear, 0.1),
    Border("as good, as dear, with a longer tail", _longer_tail, 0.1),
)


def _layout(values: np.ndarray, name: str, block: str, target: str) -> Layout:
    """Columns are new and old (or algorithms); larger is better in a layout."""
    known = known_measure(name)
    assert known is not None
    sampling = parse("items") if block == ITEM else None
    names = ("new", "old") if values.shape[1] == 2 else tuple("abcdefgh"[: values.shape[1]])
    return Layout(known.sign * values, names, block, target, known, origin=Origin(sampling))


def ships(accuracy: np.ndarray, cost: np.ndarray, margin: float, alpha: float = ALPHA) -> bool:
    """Whether both parts are shown."""
    options = Options(pairs=(("new", "old"),), alpha=alpha)
    kept = _layout(accuracy, "accuracy", ITEM, TEST_SET)
    spent = _layout(cost, "cost", ITEM, TEST_SET)
    better = options.but(procedure=one_of_several(spent), alternative="less")
    if not _p_of(spent, better)[0] <= alpha:
        return False
    within = options.but(alternative="greater", relevance=-margin)
    return bool(_p_of(kept, within)[0] <= alpha)


def any_ships(rng: np.random.Generator, n: int, candidates: int) -> bool:
    """Whether any of several candidates ships, each of which loses just the margin of 0.1."""
    old = rng.random(n) < 0.85
    cost = np.exp(rng.normal(0, 1, n))
    shipped = False
    for _ in range(candidates):
        flip = rng.random(n)
        new = np.where(old, flip >= 0.05 + 0.1 / 0.85, flip < 0.05 * 0.85 / 0.15)
        spent = 0.3 * cost * np.exp(rng.normal(0, 0.2, n))
        accuracy = np.column_stack([new, old]).astype(float)
        shipped |= ships(accuracy, np.column_stack([spent, cost]), 0.1, ALPHA / candidates)
    return shipped


def _nothing_improves(rng: np.random.Generator, n: int, measures: int) -> list[np.ndarray]:
    """Costs of several kinds that share what an item takes; new and old are as dear."""
    hard = rng.normal(0, 0.7, (n, 1))
    return [np.exp(hard + rng.normal(0, 0.7, (n, 2))) for _ in range(measures)]


def ships_for_any(costs: list[np.ndarray], alpha: float = ALPHA) -> bool:
    """Whether one of several measures is shown to improve, the choice paid for."""
    p = []
    for spent in costs:
        layout = _layout(spent, "cost", ITEM, TEST_SET)
        options = Options(pairs=(("new", "old"),), procedure=one_of_several(layout))
        p.append(_p_of(layout, options.but(alternative="less"))[0])
    return bool(len(p) * min(p) <= alpha)


def _p_of(layout: Layout, options: Options) -> np.ndarray:
    """The p-values that a comparison has, without the words around them."""
    return p_adjusted(layout, chosen_procedure(layout, options)[0], options)[1]


def is_cheaper_by_logs(cost: np.ndarray) -> bool:
    """What a t test of logarithms claims, which is about medians."""
    difference = np.log(cost[:, 0]) - np.log(cost[:, 1])
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    return bool(difference.mean() / error < -tails.t_isf(ALPHA, len(difference) - 1))


def _decision_cells() -> Iterator[tuple[str, Rate]]:
    """How often a version is shipped that just may not be."""
    for border in BORDERS:
        for n in (50, 200):

            def ship(rng: np.random.Generator, border: Border = border, n: int = n) -> bool:
                return ships(*border.draw(rng, n), border.margin)

            yield f"gate/{border.name}/{n}", ship
            if "dear" in border.name:

                def by_logs(rng: np.random.Generator, border: Border = border, n: int = n) -> bool:
                    return is_cheaper_by_logs(border.draw(rng, n)[1])

                yield f"gate by logs/{border.name}/{n}", by_logs
    for measures, n in product((2, 4), (50, 200)):

        def for_any(rng: np.random.Generator, m: int = measures, n: int = n) -> bool:
            return ships_for_any(_nothing_improves(rng, n, m))

        yield f"gate/none of {measures} costs improves, any is enough/{n}", for_any

    for candidates, n in product((2, 4), (50, 200)):

        def of_several(rng: np.random.Generator, k: int = candidates, n: int = n) -> bool:
            return any_ships(rng, n, k)

        yield f"gate/any of {candidates} candidates, each loses just the margin/{n}", of_several


# -- fronts ---------------------------------------------------------------------------------------


def _fronts(kind: str) -> Iterator[tuple[str, Callable[[np.random.Generator], list[np.ndarray]]]]:
    errors = ERRORS[kind]
    n, k = 30, 4

    def equal(rng: np.random.Generator) -> list[np.ndarray]:
        return [errors(rng, (n, k)) for _ in range(2)]

    def tied(rng: np.random.Generator) -> list[np.ndarray]:
        return [errors(rng, (n, k)), errors(rng, (n, k)) + 3.0 * np.arange(k)]

    def of_three(rng: np.random.Generator) -> list[np.ndarray]:
        shared = errors(rng, (n, 6))  # measures of one algorithm hang together, two against one
        steps = 3.0 * np.arange(6)
        made = [s * shared + errors(rng, (n, 6)) for s in (1, 1, -1)]
        return [made[0], made[1] + steps, made[2] + steps]

    yield "all equal", equal
    yield "equal in one measure, far apart in the other", tied
    yield "six algorithms, three measures, equal in one, far apart in the others", of_three


def _front_cells() -> Iterator[tuple[str, Rate]]:
    """How often a true member of the front is lost: every algorithm is one."""
    for kind in ERRORS:
        for name, draw in _fronts(kind):

            def lost(rng: np.random.Generator, draw: Drawn = draw) -> bool:
                return loses(draw(rng))

            def by_means(rng: np.random.Generator, draw: Drawn = draw) -> bool:
                return _dominated_by_means(draw(rng))

            yield f"front/{name}/{kind}", lost
            yield f"front of means/{name}/{kind}", by_means
        for name, draw in _fronts_with_margins(kind):

            def given_up(rng: np.random.Generator, draw: Drawn = draw) -> bool:
                return loses(draw(rng), (MARGIN, MARGIN))

            yield f"front with margins/{name}/{kind}", given_up


MARGIN = 0.5  # in standard deviations of a score


def _fronts_with_margins(kind: str) -> Iterator[tuple[str, Drawn]]:
    errors = ERRORS[kind]
    n, k = 30, 4

    def equal(rng: np.random.Generator) -> list[np.ndarray]:
        return [errors(rng, (n, k)) for _ in range(2)]

    def steps(rng: np.random.Generator) -> list[np.ndarray]:
        place = np.arange(k)
        return [errors(rng, (n, k)) + MARGIN * place, errors(rng, (n, k)) - 3.0 * place]

    yield "all equal", equal
    yield "each worse by just the margin in one measure, far better in the other", steps


def loses(values: list[np.ndarray], margins: tuple[float, ...] = ()) -> bool:
    """Whether somebody is taken off the front, as `front_of` does it."""
    layouts = [_scored(v, m) for m, v in zip("qrs", values, strict=False)]
    better = np.array([_one_sided(layout) for layout in layouts])
    p = better.max(axis=0)
    if margins:
        within = [_one_sided(x, m) for x, m in zip(layouts, margins, strict=True)]
        p = dominated_within(better, np.array(within))
    return bool((holm(p) <= ALPHA).any())


def _one_sided(layout: Layout, margin: float = 0.0) -> np.ndarray:
    """P-values of all pairs, and of all pairs the other way round; of a loss of the margin."""
    names = layout.algorithms
    every = tuple((a, b) for i, a in enumerate(names) for b in names[i + 1 :])
    options = Options(procedure=one_of_several(layout), pairs=every, alpha=ALPHA, adjust="none",
                      relevance=-margin)  # fmt: skip
    return np.concatenate([_p_of(layout, options.but(alternative=w)) for w in ("greater", "less")])


def _scored(values: np.ndarray, name: str) -> Layout:
    measure = Measure(name, higher_is_better=True)
    names = tuple("abcdef"[: values.shape[1]])
    made = Layout(values, names, DATASET, DATASET_POPULATION, measure)
    return replace(made, labels=tuple(f"d{i}" for i in range(len(values))))


def _dominated_by_means(values: list[np.ndarray]) -> bool:
    means = np.array([v.mean(axis=0) for v in values])
    better = (means[:, :, None] > means[:, None, :]).all(axis=0)
    return bool(better.any())


# -- all of k answers right --------------------------------------------------------------------


def _answer_cells() -> Iterator[tuple[str, Rate]]:
    """Two equal models by pass^3 of eight answers: a t test of items, which never ties all."""
    for n in (30, 100):

        def apart(rng: np.random.Generator, n: int = n) -> bool | None:
            share = rng.beta(0.7, 0.5, n)[:, None]
            right = rng.binomial(8, np.broadcast_to(share, (n, 2)))
            values = right * (right - 1) * (right - 2) / (8 * 7 * 6)
            p = _p_of(_layout(values, "pass^3", ITEM, TEST_SET), Options())[0]
            return None if np.isnan(p) else bool(p <= ALPHA)

        yield f"answers/pass^3 of 8/{n}", apart
    for k, n in product((1, 3), (30, 100)):

        def uneven(rng: np.random.Generator, k: int = k, n: int = n) -> bool | None:
            share = rng.beta(0.7, 0.5, n)[:, None]
            tries = rng.integers(3, 11, (n, 2))
            right = rng.binomial(tries, np.broadcast_to(share, (n, 2)))
            values = special.comb(right, k) / special.comb(tries, k)
            p = _p_of(_layout(values, f"pass^{k}", ITEM, TEST_SET), Options())[0]
            return None if np.isnan(p) else bool(p <= ALPHA)

        yield f"answers/pass^{k} of 3 to 10/{n}", uneven


def _trade_cells() -> Iterator[tuple[str, Rate]]:
    """How often the interval of a price misses the one at which both are worth the same."""
    for n in (50, 200):

        def missed(rng: np.random.Generator, n: int = n) -> bool | None:
            accuracy = _paired(rng, n, 0.15)  # the new one is cheaper and less often right
            cost = np.exp(rng.normal(0, 1, n))
            spent = np.column_stack([0.3 * cost * np.exp(rng.normal(0, 0.2, n)), cost])
            of = {"accuracy": accuracy, "cost": spent}
            layouts = {m: _layout(v, m, ITEM, TEST_SET) for m, v in of.items()}
            made = trade_of(layouts, "old", "new", ALPHA)
            price = np.exp(0.5) * (1 - 0.3 * np.exp(0.02)) / 0.15
            return _beyond(made.statistic(price), n)

        yield f"trade/price of a right answer/{n}", missed


def _utility_cells() -> Iterator[tuple[str, Rate]]:
    """How often two are told apart that are worth the same: cheaper, and less often right."""
    saved = np.exp(0.125) * 0.7  # of lognormal costs with sigma 0.5
    for n in (50, 200):

        def apart(rng: np.random.Generator, n: int = n) -> bool | None:
            cost = np.exp(rng.normal(0, 0.5, n))
            spent = np.column_stack([0.3 * cost, cost])
            worth = _paired(rng, n, 0.1) - 0.1 / saved * spent
            measure = Measure("utility", higher_is_better=True)
            origin = Origin(parse("items"))
            layout = Layout(worth, ("new", "old"), ITEM, TEST_SET, measure, origin=origin)
            p = _p_of(layout, Options())[0]
            return None if np.isnan(p) else bool(p <= ALPHA)

        yield f"utility/worth the same, cheaper and less often right/{n}", apart


def _beyond(t: float, n: int) -> bool:
    """Whether a price lies outside of Fieller's set: its net benefit is significant."""
    return bool(abs(t) > tails.t_isf(ALPHA / 2, n - 1))


def cells() -> dict[str, Rate]:
    """Factors, decisions, fronts and repeated answers, by name."""
    rooms = (_factor_cells, _decision_cells, _front_cells, _answer_cells, _trade_cells)
    return dict(cell for made in (*rooms, _utility_cells) for cell in made())
