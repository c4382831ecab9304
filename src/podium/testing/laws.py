"""The laws of measures, samplings and procedures, as suites that any record can be held against."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from podium.core.base.errors import InferenceError
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.comparisons import CHANCES, COLUMNS, Comparisons
from podium.core.inference.comparing.evidence import MEANS
from podium.core.inference.comparing.legality import is_legal, stated
from podium.core.inference.comparing.request import prepared
from podium.core.inference.layouts import Crossed, Halvings, Layout, Nested, Origin, Stopped
from podium.core.inference.numbers.boundaries import StoppingPlan, planned_looks
from podium.core.inference.procedures.procedure import Options, Procedure, compute_estimates
from podium.core.inference.procedures.sequential import procedure_of
from podium.core.orders.decide import decide as decide_comparisons
from podium.core.questions.measures import KNOWN, Measure
from podium.core.questions.measures import parse as parse_measure
from podium.core.questions.targets import BLOCKS, CLAIMS, NESTED, REPETITION, TARGETS, Pair
from podium.core.samplings import (
    BOOTSTRAP,
    KINDS,
    REPEATED_CV,
    Drawn,
    Kind,
    Sampling,
    drawn_in_words,
    parse,
)
from podium.core.verdicts.findings import how_to_report
from podium.core.verdicts.methods import measured
from podium.core.verdicts.standing import Standing, difference_text, scored, standing
from podium.core.verdicts.verdict import next_sentence, verdict
from podium.core.words.statements import statement
from podium.showing.screens.terminal import columns, standing_heads


def law(number: int, holds: object, broken: str) -> None:
    """Raise AssertionError where a law does not hold; also under `python -O`."""
    if not holds:
        raise AssertionError(f"law {number}: {broken}")


# -- of a measure ---------------------------------------------------------------------------------


def check_measure(measure: Measure) -> None:
    """Hold a measure's record against its laws; the first one that it breaks raises.

    The laws:

    1. It has a name without blanks around it, and, where it is registered, that name means it.
    2. It knows its direction: `sign` turns its values into larger-is-better.
    3. Its bounds are two numbers, the lower first.
    4. It can be told in a paper, with its direction.
    """
    name = measure.name
    law(1, name and name == name.strip(), f"{name!r} is no name")
    law(1, name not in KNOWN or parse_measure(name) == measure, f"'{name}' means another measure")
    law(2, measure.sign == (1 if measure.higher_is_better else -1), "the sign is wrong")
    low, high = measure.bounds
    law(3, not math.isnan(low) and not math.isnan(high) and low < high, "no bounds")
    law(4, measure.direction in measured(measure), "the direction is not told")


# -- of a sampling --------------------------------------------------------------------------------

ROWS = (40, 100, 1000)


def check_sampling(kind: Kind) -> None:
    """Hold a sampling's record against its laws; the first one that it breaks raises.

    The laws:

    1. It is registered under its own name, and its example names it.
    2. Its texts are read back as they were written.
    3. Its identity tells how samples are drawn, not how many (unless a sample depends on that).
    4. Its sizes are numbers: rows learned from, rows tested on where known; a training set of
       the least size can be sampled.
    5. Its blocks are of a kind that is known, and something can be said about every target.
    6. A paper can say how samples were drawn, whatever is known of them.
    """
    sampling = parse(kind.example)
    law(1, KINDS[kind.name] is kind and sampling.name == kind.name, "it is another sampling")
    _is_read_back(kind, sampling)
    _keeps_its_identity(kind, sampling)
    _has_sizes(sampling)
    _is_told(kind, sampling)
    _is_told_in_papers(sampling)


def _is_read_back(kind: Kind, sampling: Sampling) -> None:
    law(2, str(sampling) == kind.example, f"'{kind.example}' is written '{sampling}'")
    law(2, parse(str(sampling)) == sampling, f"'{sampling}' is not read back")
    law(2, parse(kind.name) == Sampling(kind.name), "numbers may be left out")
    for option in kind.grammar.options:
        text = f"{kind.example}+{option}"
        law(2, str(parse(text)) == text, f"'{text}' is not read back")


def _keeps_its_identity(kind: Kind, sampling: Sampling) -> None:
    if sampling.samples is not None and not kind.counted:
        more = sampling.with_count(sampling.samples + 1)
        law(3, more.identity == sampling.identity, "more samples are another sampling")
    law(3, sampling.identity.split(":")[0] == kind.name, "the identity lacks the name")


def _has_sizes(sampling: Sampling) -> None:
    law(4, sampling.count is None or sampling.count > 0, "it has no samples")
    for n in ROWS:
        if n < sampling.least_rows():
            continue
        learned, tested = sampling.sizes(n, test=n // 2)
        law(4, learned > 0, f"nothing is learned from {n} rows")
        law(4, tested is None or tested >= 0, f"{tested} of {n} rows are tested on")
    share = sampling.train_share
    law(4, share is None or 0 < share <= 1, f"{share} is no share of rows")


def _is_told(kind: Kind, sampling: Sampling) -> None:
    block, nothing = BLOCKS[kind.block], np.zeros((0, 2))
    for target in TARGETS:
        made = Layout(
            nothing,
            ("a", "b"),
            block.name,
            target,
            parse_measure("error"),
            origin=Origin(sampling=sampling),
        )
        law(5, statement(stated(made, None)), f"nothing is said about '{target}'")


def _is_told_in_papers(sampling: Sampling) -> None:
    for rows in (None, 100):
        for several, shared in ((False, False), (False, True), (True, True)):
            drawn = Drawn(sampling, 7, rows, 50, several, shared)
            text = drawn_in_words(drawn, lambda *keys: "")
            law(6, text.strip(), "a paper says nothing")


# -- of a procedure -------------------------------------------------------------------------------

NAMES = ("a", "b", "c")
DRAWS = 3  # of scores, of every design
LOSS, CORRECT = Measure("loss"), Measure("correct", True, (0, 1), "share")
GAIN = Measure("gain", True)
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
    9. A pair is decided exactly where its adjusted p-value is at most alpha and, where it has
       limits, exactly where these exclude 0; and never beside an overall test that finds nothing.
    10. Its numbers are what its bricks say that they are: means, mean ranks, or of a unit of their
        own. Where `a` is the best in every block it comes first, in the rows, the order, the
        headline and on the screen, with a positive gap that is told in that unit.
    """
    made = [layout for pair in sorted(procedure.legal) if (layout := example(procedure, pair))]
    tried = [layout for layout in made if is_legal(procedure, layout)]
    law(1, tried or not procedure.legal, "no design that it is legal for could be made")
    for layout in tried:
        comparisons = _compared(layout, procedure)
        _is_whole(comparisons)
        _has_chances(comparisons)
        _is_decided(comparisons)
        _is_the_same_again(layout, procedure, comparisons)
        _turns_around(layout, procedure, comparisons)
        _leaves_equals_alone(layout, procedure)
        _can_be_said(comparisons)
        check_rows(layout, procedure, comparisons)
        _puts_the_best_first(with_the_best(layout), procedure)
        if not (procedure.needs.binary or procedure.needs.stops):
            turned = replace(layout, measure=GAIN)
            _puts_the_best_first(with_the_best(turned), procedure)
        for seed in range(1, DRAWS):
            drawn = example(procedure, (layout.block, layout.target), seed)
            _is_one_answer(
                comparisons if drawn is None else _compared(_nearer(drawn, seed), procedure)
            )
    _refuses_the_rest(procedure)


def example(procedure: Procedure, pair: Pair, seed: int = 0) -> Layout | None:
    """Scores of three algorithms, the first the best, in blocks of a kind; None without any."""
    block, target = pair
    how = _sampling(procedure, block)
    if how is None and not BLOCKS[block].sets:
        return None
    count = max(12, procedure.needs.least) if procedure.needs.samplings is None else 10
    values = _scores(procedure, count, seed)
    measure = CORRECT if procedure.needs.binary else LOSS
    sampling = parse(how or BOOTSTRAP.example)
    origin = Origin(sampling, rows=100)
    layout = _labelled(Layout(values, NAMES, block, target, measure, origin=origin))
    if procedure.needs.halves:
        layout = replace(layout, halvings=_halvings(seed))
    return replace(layout, stopped=_stopped(procedure, layout)) if procedure.needs.stops else layout


def _halvings(seed: int) -> Halvings:
    """Of three algorithms, the first the best."""
    rng = np.random.default_rng((seed, 1))
    return Halvings(rng.normal(size=(10, 2, 3)) / 4 + np.array([1.0, 0.0, -0.2]))


def _stopped(procedure: Procedure, made: Layout) -> Stopped:
    """The plan of a study that may stop, all of whose blocks are there."""
    count = len(made.values)
    plan = StoppingPlan(NAMES, made.measure.name, count, planned_looks(count, 4, few=True))
    plan = next(p for p in plan.kinds() if procedure_of(p).name == procedure.name)
    return Stopped(plan, np.ones((count, len(NAMES)), dtype=bool))


def _sampling(procedure: Procedure, block: str) -> str | None:
    """A sampling whose samples are such blocks."""
    if procedure.needs.samplings:
        return procedure.needs.samplings[0]
    for kind in KINDS.values():
        if kind.claims.no_test or (not kind.runnable and kind.grammar.fields):
            continue
        for text in (kind.example, *(f"{kind.example}+{o}" for o in kind.grammar.options)):
            own = parse(text).block
            if block in (own, BLOCKS[own].by_item):
                return text
    return REPEATED_CV.example if block == REPETITION else None


def _scores(procedure: Procedure, count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    if procedure.needs.binary:
        return (rng.random((count, 3)) < [0.9, 0.5, 0.4]).astype(float)
    means = np.array([1.0, 0.0, -0.2])
    return rng.normal(size=(count, 3)) + means + rng.normal(size=(count, 1))


def _labelled(made: Layout) -> Layout:
    """The layout with what its blocks belong to."""
    count = len(made.values)
    half = np.arange(count) // max(count // 3, 1)
    if made.block == NESTED:
        names = tuple(f"set {i + 1}" for i in range(int(half.max()) + 1))
        return replace(made, nested=Nested(half, names))
    if any(each.by_item == made.block for each in BLOCKS.values()):
        return replace(made, crossed=Crossed(half, np.arange(count) % max(count // 3, 1)))
    return made


def _compared(layout: Layout, procedure: Procedure) -> Comparisons:
    control = NAMES[-1] if procedure.needs.control else None
    return compare(layout, Options(procedure=procedure, control=control))


def _is_whole(comparisons: Comparisons) -> None:
    table = comparisons.table
    law(1, list(table.columns[: len(COLUMNS)]) == COLUMNS, "columns are missing")
    pairs = len(NAMES) - 1 if comparisons.control else len(NAMES) * (len(NAMES) - 1) // 2
    law(1, len(table) == pairs, "not one row per pair")
    known = table["estimate"].notna()
    law(1, known.any(), "nothing is estimated")


def _has_chances(comparisons: Comparisons) -> None:
    table = comparisons.table
    if comparisons.has_posterior:
        total = table[list(CHANCES)].sum(axis=1)
        law(2, np.allclose(total, 1.0), "chances do not add up to one")
    else:
        p, adjusted = table["p"].to_numpy(float), table["p_adjusted"].to_numpy(float)
        inside = (p >= 0) & (p <= 1) & (adjusted <= 1) | np.isnan(p)
        law(2, inside.all(), "a p-value is none")
        law(2, (~(adjusted < p)).all(), "an adjusted p-value is smaller")
    low, at, high = (table[n].to_numpy(float) for n in ("lower", "estimate", "upper"))
    law(2, (~(low > at + CLOSE)).all() and (~(high < at - CLOSE)).all(), "limits elsewhere")


def _is_decided(comparisons: Comparisons) -> None:
    known = {"better", "worse", "equivalent", "undecided", "withheld"}
    law(3, set(comparisons.table["verdict"]) <= known, "a verdict that nobody knows")
    order = decide_comparisons(comparisons)
    for row in comparisons.table.itertuples():
        first, second = (order.algorithms.index(name) for name in (row.first, row.second))
        better = {"better": order.better[first, second], "worse": order.better[second, first]}
        law(3, better.get(row.verdict, True), "the order is another one")


def _nearer(layout: Layout, seed: int) -> Layout:
    """The same scores, with algorithms that differ less: some pairs are then open."""
    means = np.nanmean(layout.values, axis=0)
    if layout.measure.bounds == (0, 1) and set(np.unique(layout.values)) <= {-1.0, 0.0, 1.0}:
        return layout  # right or wrong
    share = (0.0, 0.1, 0.25, 0.5)[seed % 4]
    return replace(layout, values=layout.values - (1 - share) * (means - means.mean()))


def _is_one_answer(comparisons: Comparisons) -> None:
    """Verdict, limits, adjusted p-value and overall test."""
    table, alpha = comparisons.table, comparisons.alpha
    if "win" in table or comparisons.is_race:  # a posterior has no p-values, a race decides no pair
        return
    decided = table["verdict"].isin(("better", "worse")).to_numpy()
    law(
        9, (decided == (table["p_adjusted"] <= alpha)).all(), "verdicts are not those of p_adjusted"
    )
    known = table["lower"].notna().to_numpy() & table["upper"].notna().to_numpy()
    excluded = ((table["lower"] > 0) | (table["upper"] < 0)).to_numpy()
    law(9, (decided == excluded)[known].all(), "limits and verdicts differ")
    overall = comparisons.overall
    quiet = overall is not None and overall.p > alpha
    law(9, not (quiet and decided.any()), "pairs are decided, and the overall test finds nothing")


def check_rows(layout: Layout, procedure: Procedure, comparisons: Comparisons) -> None:
    """Rows follow the contract: their columns, their pairs, and numbers that the bricks give.

    A posterior shrinks what it estimates, and looks use some of the blocks only: of these no
    numbers are asked for.
    """
    table, quantity = comparisons.table, comparisons.quantity
    pairs = [*zip(table["first"], table["second"], strict=True)]
    names = layout.algorithms
    control = comparisons.control
    against = [(name, control) for name in names if name != control]
    law(1, pairs == (against if control else [*combinations(names, 2)]), "pairs in another order")
    if comparisons.has_posterior or comparisons.is_race or procedure.needs.stops:
        return
    beside = list(MEANS) if quantity.unit else []
    law(10, list(table) == [*COLUMNS, *beside], "means stand beside a unit of its own, and only so")
    means = _differ(comparisons.means, pairs)
    if quantity.unit or quantity.is_mean:
        shown = table["mean_difference" if quantity.unit else "estimate"]
        law(10, _alike(shown, means), "differences of means are those of other scores")
    if comparisons.mean_ranks is not None:
        ranks = _differ(comparisons.mean_ranks, pairs)
        law(10, _alike(table["estimate"], ranks), "it says ranks, and gives other numbers")
    own = _estimate_pairs(layout, procedure, pairs)
    if own is not None:
        told = f"it says '{quantity.estimand}', and its estimate gives other numbers"
        law(10, _alike(table["estimate"], comparisons.sign * own), told)
    ahead = (comparisons.sign * table["statistic"] > 0).map({True: "better", False: "worse"})
    decided = table["verdict"].isin(("better", "worse"))
    law(3, (table["verdict"] == ahead)[decided].all(), "a verdict against its statistic")
    overall = comparisons.overall
    law(2, overall is None or (not overall.p < 0 and not overall.p > 1), "the overall p is none")


def _differ(numbers: Mapping[str, float], pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    return np.array([numbers[first] - numbers[second] for first, second in pairs])


def _alike(one: ArrayLike, other: ArrayLike) -> bool:
    return bool(np.allclose(np.asarray(one, float), np.asarray(other, float), atol=CLOSE))


def _estimate_pairs(
    layout: Layout, procedure: Procedure, pairs: Sequence[tuple[str, str]]
) -> np.ndarray | None:
    """What the estimate gives of pairs, larger is better; None where something else judges them."""
    if procedure.maker is not procedure.estimate or procedure.judges(layout):
        return None
    layout, made = prepared(layout, procedure, None), []
    for pair in pairs:
        columns = [layout.algorithms.index(name) for name in pair]
        e = compute_estimates(procedure, layout.only(columns) if procedure.pairwise else layout)
        if e.law is not None or procedure.quantity.location is not None:
            return None  # the statistic is another number than the estimate
        i, j = (0, 1) if procedure.pairwise else columns
        made.append((e.values[i] - e.values[j]) / e.blocks)
    return np.array(made)


def with_the_best(layout: Layout) -> Layout:
    """The same scores, but for the first algorithm, which is the best in every block."""
    rest = layout.values[:, 1:].max(axis=1)
    ahead = np.random.default_rng(len(rest)).uniform(0.5, 1.0, len(rest))
    right_or_wrong = layout.is_binary
    values = layout.values.copy()
    values[:, 0] = layout.values.max() if right_or_wrong else rest + ahead
    if layout.halvings is None:
        return replace(layout, values=values)
    halves = layout.halvings.means.copy()
    halves[..., 0] = halves[..., 1:].max(axis=-1) + 0.5
    return replace(layout, values=values, halvings=replace(layout.halvings, means=halves))


def _puts_the_best_first(layout: Layout, procedure: Procedure) -> None:
    """`a`, which is the best in every block, leads by a gap that is told in the right unit."""
    try:
        comparisons = _compared(layout, procedure)
    except InferenceError:
        return  # a model of strengths fits none to who never loses
    best, others = NAMES[0], NAMES[1:]
    for row in comparisons.table.itertuples():
        side = {row.first: 1, row.second: -1}.get(best, 0) * comparisons.sign
        law(
            10, side == 0 or side * row.estimate > 0, f"{best} is the best, and its estimate is not"
        )
    order = decide_comparisons(comparisons)
    law(10, not order.better[:, order.algorithms.index(best)].any(), "the order denies the best")
    ranking = standing(comparisons)
    if ranking is None:
        return
    if ranking.control is not None:
        law(10, ranking.row(best).gap < 0, "the best is behind the control")
        return
    law(10, ranking.rows[0].name == best, f"{ranking.rows[0].name} comes first, not the best")
    gaps = [ranking.row(name).gap for name in others]
    law(10, all(gap > 0 for gap in gaps), "the others are not behind the best")
    named = [text for text, is_name in verdict(comparisons, ranking) if is_name]
    law(10, not named or named[0] == best, "the headline names another one")
    _tells_the_unit(comparisons, ranking)


def _tells_the_unit(comparisons: Comparisons, ranking: Standing) -> None:
    """Sentence and screen say what a gap is a gap in."""
    level, sentence = scored(comparisons, ranking), next_sentence(comparisons, ranking)
    told = " beats " not in sentence or level in sentence
    law(10, told, f"the sentence does not say '{level}': {sentence}")
    if comparisons.quantity.unit and not comparisons.quantity.ranks:
        head, unit = standing_heads(comparisons, ranking, 200), difference_text(comparisons)
        law(10, head.startswith(unit), f"the screen does not say '{unit}': {head}")
    below = columns(comparisons, intervals=False)
    unit = comparisons.quantity.name_unit(comparisons.measure)
    law(10, unit in below or comparisons.factor != 1, f"the screen does not say '{unit}'")


def _is_the_same_again(layout: Layout, procedure: Procedure, comparisons: Comparisons) -> None:
    again = _compared(layout, procedure)
    law(4, comparisons.table.equals(again.table), "other numbers of the same scores")


def _turns_around(layout: Layout, procedure: Procedure, comparisons: Comparisons) -> None:
    if procedure.needs.control:
        return
    turned = _compared(layout.only([1, 0, 2]), procedure).table
    here, there = comparisons.table.iloc[0], turned.iloc[0]
    law(5, np.isclose(here["estimate"], -there["estimate"], equal_nan=True), "not turned")


def _leaves_equals_alone(layout: Layout, procedure: Procedure) -> None:
    same = replace(layout, values=layout.values[:, [0, 0, 0]])
    try:
        result = _compared(same, procedure).table
    except InferenceError:
        return  # there is nothing to judge by
    message = set(result["verdict"]) & {"better", "worse"}
    law(6, not message, "algorithms with equal scores are told apart")


def _can_be_said(comparisons: Comparisons) -> None:
    json.dumps(comparisons.to_dict(), allow_nan=False)
    text = how_to_report(comparisons, decide_comparisons(comparisons))
    law(7, text and comparisons.heading and comparisons.statement, "it says nothing")


def _refuses_the_rest(procedure: Procedure) -> None:
    for pair in sorted(CLAIMS.keys() - procedure.legal):
        layout = example(replace(procedure, needs=replace(procedure.needs, samplings=None)), pair)
        if layout is None:
            continue
        try:
            _compared(layout, procedure)
        except InferenceError as error:
            law(8, str(error).endswith("."), "the refusal is no sentence")
        else:
            law(8, False, f"{pair} was not refused")


# -- weighted -------------------------------------------------------------------------------------
# The laws of a measure of weighted items.


WIDER = 1e-3  # change of a weight, beside the usual one


def check_weighted(
    function: Callable[[np.ndarray, np.ndarray, np.ndarray], float],
    truth: np.ndarray,
    predicted: np.ndarray,
) -> None:
    """Hold a measure of weighted items against its laws, on some items of your own.

    The laws:

    1. It is a finite number, and the same whenever it is asked for.
    2. Only ratios of weights matter.
    3. The order of items does not matter.
    4. An item of weight 2 counts as two items.
    5. It is smooth: changes of weights that are small, and smaller still, tell one influence.
    6. It leaves truth, predictions and weights as they are.

    Examples
    --------
    >>> import numpy as np
    >>> y, p = np.array([0.0, 1, 1, 0]), np.array([0.2, 0.9, 0.6, 0.4])
    >>> check_weighted(lambda y, p, w: np.average((y - p) ** 2, weights=w), y, p)
    """
    from podium.asking.predictions.influence import by_differences  # a room that may be missing

    y, p = np.asarray(truth), np.asarray(predicted)
    n = len(y)
    rng = np.random.default_rng(0)
    w = rng.uniform(0.5, 2, n)
    given = y.copy(), p.copy(), w.copy()
    value = float(function(y, p, w))
    law(1, np.isfinite(value), f"it is {value}")
    law(1, float(function(y, p, w)) == value, "it gives another value when asked again")
    law(2, _same(function(y, p, 3 * w), value), "three times the weights give another value")
    order = rng.permutation(n)
    law(3, _same(function(y[order], p[order], w[order]), value), "the order of items matters")
    double = np.ones(n)
    double[0] = 2
    twice = [np.concatenate([x, x[:1]]) for x in (y, p)]
    both = function(y, p, double), function(twice[0], twice[1], np.ones(n + 1))
    law(4, _same(*both), "an item of weight 2 counts otherwise than two items")
    psi = by_differences(lambda v: function(y, p, v), n).psi
    wider = by_differences(lambda v: function(y, p, v), n, relative=WIDER).psi
    size = float(np.abs(psi).max())
    law(5, size > 0, "small changes of weights change nothing")
    law(5, np.abs(psi - wider).max() < 1e-2 * size, "small changes of weights make it jump")
    kept = all(np.array_equal(a, b) for a, b in zip(given, (y, p, w), strict=True))
    law(6, kept, "it changes what it is given")


def _same(one: float, other: float) -> bool:
    return abs(float(one) - float(other)) <= 1e-9 * max(1.0, abs(float(other)))
