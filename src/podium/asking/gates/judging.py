"""Judging every benchmark of a gate: two one-sided questions, and ratios of what is spent.

That there is no loss (rejected: worse), and that the loss is the margin or more (rejected: not
worse by the margin). Of several benchmarks each is judged at 1 - (1 - alpha)^(1/benchmarks), and so
are its limits: a loss of the margin is ruled out exactly where the lower limit lies above it.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from scipy import special

from podium.asking.gates.gates import COLUMNS, NOT_SHOWN, NOT_WORSE, UNDECIDED, WORSE, Gate, Margin
from podium.asking.gates.sides import NEW, OLD, Sides
from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.adjustments import pair_level, sidak
from podium.core.inference.comparing.arranging import suited
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.comparing.decision import WITHHELD
from podium.core.inference.comparing.legality import about_amounts, one_of_several
from podium.core.inference.layouts import Layout, spread_note
from podium.core.inference.procedures.procedure import Options
from podium.core.questions.options import WORST, check_alpha
from podium.core.questions.targets import BLOCKS, CONDITION_ITEM, TEST_SET
from podium.core.results.measure_names import is_resource
from podium.core.results.results import Results
from podium.core.words.facts import CAUTION, DETAIL, REMARK, Note

# -- ratios ---------------------------------------------------------------------------------------
# New over old of what is spent, with limits that invert the very test of their difference.
#
# The old scores are multiplied by r, and the limit is the r at which the difference is just
# significant: by a t test that is Fieller's limit (1954), by Hall's the corrected one. Means
# count, not logarithms: what is paid is a sum.


STEP, FARTHEST = 0.1, 10.0  # of the logarithm: beyond it there is no limit
MOST_STEPS, EXACT = 30, 1e-9
LEAST_P = 1e-300


def multiplied(layout: Layout, factor: float) -> Layout:
    """The layout with the old scores times a factor."""
    values = layout.values.copy()
    values[:, layout.algorithms.index(OLD)] *= factor
    return replace(layout, values=values)


def ratio_of(layout: Layout, options: Options) -> tuple[float, float, float] | None:
    """The ratio of means with one-sided limits; None where nothing is spent, or a mean is 0."""
    if not is_resource(layout.measure):
        return None
    means = layout.means()
    old, new = means[OLD], means[NEW]
    if not (old > 0 and new > 0 and math.isfinite(old * new)):
        return None
    options = options.but(procedure=options.procedure or one_of_several(layout))
    ratio = new / old
    if (np.nanstd(layout.values, axis=0) == 0).all():  # a list price is known
        return ratio, ratio, ratio

    def beyond(log: float, way: str) -> float:
        """How far the p-value at a ratio is from alpha, as normal quantiles; negative: shown."""
        table = compare(multiplied(layout, math.exp(log)), options.but(alternative=way)).table
        p = float(np.clip(table["p"].iloc[0], LEAST_P, 1 - 1e-16))
        return float(special.ndtri(p) - special.ndtri(options.alpha))

    upper = _limit(lambda log: beyond(log, "less"), math.log(ratio), 1)
    lower = _limit(lambda log: beyond(log, "greater"), math.log(ratio), -1)
    return ratio, lower, upper


def _limit(beyond: Callable[[float], float], start: float, way: int) -> float:
    """The nearest ratio that is ruled out; infinite or 0 where none is.

    Quantiles of p are nearly linear in the ratio: secants that keep the limit between them (the
    Illinois rule; Dowell and Jarratt 1971) need a few steps.
    """
    near, at_near, step = start, beyond(start), STEP
    far, at_far = start + way * step, beyond(start + way * step)
    if math.isnan(at_near) or math.isnan(at_far):  # scores are missing: no verdict, no limits
        return math.nan
    while at_far > 0:
        step *= 2
        if step > FARTHEST:
            return math.inf if way > 0 else 0.0
        near, at_near = far, at_far
        far = start + way * step
        at_far = beyond(far)
    for _ in range(MOST_STEPS):
        middle = far - at_far * (far - near) / (at_far - at_near)
        at_middle = beyond(middle)
        if at_middle * at_far < 0:
            near, at_near = far, at_far
        else:
            at_near /= 2
        far, at_far = middle, at_middle
        if abs(far - near) < EXACT or abs(at_far) < EXACT:
            break
    return math.exp(far)


# -- judging every benchmark of a gate ------------------------------------------------------------
# Two one-sided questions, and what no test can tell.
#
# That there is no loss (rejected: worse), and that the loss is the margin or more (rejected: not
# worse by the margin). Of several benchmarks each is judged at 1 - (1 - alpha)^(1/benchmarks),
# and so are its limits: a loss of the margin is ruled out exactly where the lower limit lies
# above it.


def judged(
    sides: Sides,
    *,
    margin: Margin | float | str | None = None,
    measure: str | None = None,
    procedure: str | None = None,
    alpha: float = 0.05,
    gaps: str | None = None,
    together: bool = False,
) -> Gate:
    """Every benchmark by itself; benchmarks of one score each together, as blocks.

    `together` leaves levels as they are: all benchmarks (and measures) are one claim.
    """
    check_alpha(alpha)
    allowed = margin if margin is None or isinstance(margin, Margin) else Margin.read(margin)
    results = sides.results
    both, only = _benchmarks(results)
    joint = _is_joint(results, both)
    layouts = _layouts(results, both, joint, procedure, measure)
    request = Options.said(
        procedure=procedure,
        pairs=((NEW, OLD),),
        alpha=alpha if together else pair_level(alpha, len(layouts)),
        gaps=gaps,
    )
    procedures = {
        n: procedure or (one_of_several(m) if together else None) for n, m in layouts.items()
    }
    outcomes = [
        _judged(n, m, request.but(procedure=procedures[n]), allowed) for n, m in layouts.items()
    ]
    spent = together and allowed is None
    first = next(iter(layouts.values()))
    return Gate(
        table=_decided([f.row for f in outcomes], alpha, allowed is not None),
        measure=" and ".join(dict.fromkeys(made.measure.name for made in layouts.values())),
        higher_is_better=first.measure.higher_is_better,
        margin=allowed,
        alpha=alpha,
        sources=sides.sources,
        algorithms=sides.algorithms,
        only=only,
        joint=joint,
        block=BLOCKS[first.block].noun,
        notes=_once(outcomes),
        notes_by={f.row["benchmark"]: f.notes for f in outcomes},
        ratios={n: r for n, m in layouts.items() if spent and (r := ratio_of(m, request))},
    )


def _benchmarks(results: Results) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """The data sets that both have scores of, and those that only one has."""
    scored = results.scores[results.scores["value"].notna()]
    sets = {
        side: {*scored.loc[scored["algorithm"] == side, "dataset"].astype(str)}
        for side in (OLD, NEW)
    }
    both = [name for name in results.datasets if name in sets[OLD] & sets[NEW]]
    if not both:
        raise InferenceError(
            "No benchmark has scores of both the old and the new one. Give results of the same "
            "benchmarks."
        )
    lacking = {OLD: sets[OLD] - sets[NEW], NEW: sets[NEW] - sets[OLD]}
    return both, {
        side: tuple(n for n in results.datasets if n in lacking[side]) for side in lacking
    }


def _is_joint(results: Results, both: Sequence[str]) -> bool:
    """Whether benchmarks have one score of each side, so that only they can be the blocks."""
    if results.predictions.linearised:  # one value of each, with what every item adds to it
        return False
    runs = results.runs[results.runs["dataset"].isin(both)]
    most = runs.groupby("dataset", observed=True)["sample"].nunique().max()
    if most == 1 and len(both) == 1:
        raise InferenceError(
            "The old and the new one have one score each, which no test can compare. "
            "Give the scores item by item, or of several runs, folds or data sets."
        )
    return bool(most == 1)


def _layouts(
    results: Results,
    both: Sequence[str],
    joint: bool,
    procedure: str | None,
    measure: str | None,
) -> dict[str, Layout]:
    results = results.filter(dataset=list(both))
    if joint:
        names = [*results.measures] if measure is None else [measure]
        measure = names[0] if len(names) == 1 else None
        wanted: dict[str | None, str | None] = {None: measure or _refuse(names)}
    else:
        wanted = {name: measure or _own(results, name) for name in both}
    layouts = {name or "": _layout(results, procedure, m, name) for name, m in wanted.items()}
    if len({layout.measure.higher_is_better for layout in layouts.values()}) > 1:
        _refuse(dict.fromkeys(layout.measure.name for layout in layouts.values()))
    return layouts


def _layout(
    results: Results, procedure: str | None, measure: str | None, dataset: str | None
) -> Layout:
    """Of items under several prompts or judges the claim is about just these: both had them."""
    made = suited(results, procedure, measure=measure, dataset=dataset)
    if procedure is None and made.block == CONDITION_ITEM:
        return suited(results, measure=measure, dataset=dataset, target=TEST_SET)
    return made


def _refuse(measures: Iterable[str]) -> NoReturn:
    names = list(measures)
    raise InferenceError(
        f"The benchmarks have {len(names)} measures ({', '.join(names)}), which make no one "
        f"comparison: say which one, as in --measure {shlex.quote(names[0])} (measure=)."
    )


def _own(results: Results, dataset: str) -> str | None:
    """The measure of a data set that has one alone."""
    scores = results.scores
    result = scores.loc[
        (scores["dataset"] == dataset) & scores["value"].notna(), "measure"
    ].unique()
    return str(result[0]) if len(result) == 1 else None


@dataclass(frozen=True)
class _Judged:
    """A row of the table, less what depends on the other rows, and what must be known of it."""

    row: dict[str, Any]
    notes: tuple[Note, ...]


def _judged(name: str, layout: Layout, options: Options, margin: Margin | None) -> _Judged:
    layout = layout.only([layout.algorithms.index(side) for side in (NEW, OLD)])
    gaps = np.isnan(layout.values)
    own = BLOCKS[layout.block].unpaired
    if options.gaps == WORST and not own:
        layout = _filled(layout)
    used = layout if own else layout.complete()
    least = int((~np.isnan(used.values)).sum(axis=0).min())
    means = used.means()
    facts = {
        "benchmark": name,
        "measure": layout.measure.name,
        "blocks": least,
        "only_old": 0 if own else int((gaps[:, 0] & ~gaps[:, 1]).sum()),
        "only_new": 0 if own else int((gaps[:, 1] & ~gaps[:, 0]).sum()),
        "old": means[OLD],
        "new": means[NEW],
        "margin": None if margin is None else margin.in_units(means[OLD]),
    }
    if least < 2:
        return _Judged(facts | _nothing(), (*layout.notes, Note("too-few-shared", blocks=least)))
    return _tested(layout, used, facts, options, margin)


def _filled(layout: Layout) -> Layout:
    """With the worst score that there can be, or was seen, where the new one alone lacks one."""
    lacking = np.isnan(layout.values[:, 0]) & ~np.isnan(layout.values[:, 1])
    bound = min(layout.sign * np.array(layout.measure.bounds))
    worst = bound if math.isfinite(bound) else float(np.nanmin(layout.values))
    values = layout.values.copy()
    values[lacking, 0] = worst
    facts = {"scores": int(lacking.sum()), "value": layout.sign * worst}
    notes = (*layout.notes, *([Note("filled-new", REMARK, **facts)] if lacking.any() else []))
    return replace(layout, values=values, notes=notes)


def _nothing() -> dict[str, Any]:
    """Of a benchmark that tells nothing."""
    names = ("difference", "lower", "upper", "p_worse", "p_margin", "p_better")
    return dict.fromkeys(names, math.nan) | {"procedure": "", "open": True}


def _tested(
    layout: Layout, used: Layout, facts: dict[str, Any], options: Options, margin: Margin | None
) -> _Judged:
    higher = layout.measure.higher_is_better
    better, worse = ("greater", "less") if higher else ("less", "greater")
    options = options.but(procedure=options.procedure or about_amounts(layout))
    loss = compare(layout, options.but(alternative=worse))
    gain = compare(layout, options.but(alternative=better))
    within, lacking = math.nan, _withheld(gain) if margin is not None else ()
    if margin is not None and not lacking:
        within = _p_within(layout, used, facts, options.but(alternative=better), margin)
    row, other = loss.table.iloc[0], gain.table.iloc[0]
    # ranks and signs have limits that are not in the measure's unit
    ranks = not loss.quantity.in_scores
    low, high = (other, row) if higher else (row, other)
    undecided = math.isnan(row["p"]) and (facts["new"] - facts["old"]) * layout.sign < 0
    facts |= {
        "difference": facts["new"] - facts["old"] if ranks else row["estimate"],
        "lower": math.nan if ranks else low["lower"],
        "upper": math.nan if ranks else high["upper"],
        "p_worse": row["p"],
        "p_margin": within,
        "p_better": other["p"],
        "procedure": loss.procedure,
        "open": undecided,
    }
    spread = spread_note(layout)
    return _Judged(facts, (*loss.warnings, *lacking, *([spread] if spread else [])))


def _withheld(gain: Comparisons) -> tuple[Note, ...]:
    """That the new one lacks too many of the old one's scores to be called as good."""
    if gain.table["verdict"].iloc[0] != WITHHELD:
        return ()
    return tuple(note for note in gain.warnings if note.code == WITHHELD)


def _p_within(
    layout: Layout, used: Layout, facts: dict[str, Any], options: Options, margin: Margin
) -> float:
    """Of a loss of the margin or more.

    A share of the old mean is tested as a ratio: the old scores are multiplied by 1 + share (or
    1 - share, where higher is better), so that the old mean is estimated and not taken for known.
    Right and wrong answers would be none any more; for them it is taken for known.
    """
    if not margin.relative or layout.is_right_or_wrong:
        comparisons = compare(layout, options.but(relevance=-_units(facts)))
    else:
        comparisons = compare(_scaled(layout, facts["old"], margin), options)
    p = float(comparisons.table["p"].iloc[0])
    return _p_of_no_difference(used, _units(facts)) if math.isnan(p) else p


def _units(facts: Mapping[str, Any]) -> float:
    if facts["margin"] <= 0:
        raise InferenceError(
            "A margin in percent is a share of the old mean, which is 0 here. Say the margin in "
            "the measure's unit, such as 0.01."
        )
    return float(facts["margin"])


def _scaled(layout: Layout, old: float, margin: Margin) -> Layout:
    """The layout whose old scores are as bad as the margin allows."""
    higher = layout.measure.higher_is_better
    if old <= 0 or (higher and margin.value >= 1):
        raise InferenceError(
            f"A margin of {100 * margin.value:g}% is a share of the old mean, which must be above "
            f"0 and is {old:g} (and a share below 100% where higher is better). Say the margin in "
            "the measure's unit, such as 0.01."
        )
    factor = 1 - margin.value if higher else 1 + margin.value
    return multiplied(layout, factor)


def _p_of_no_difference(used: Layout, margin: float) -> float:
    """Of seeing no difference in any block, where a block differs by the range of the measure.

    A mean loss of the margin or more needs differences in a share margin / range of the blocks at
    least, and n blocks show none of them with the chance (1 - margin / range)^n at most.
    """
    low, high = used.measure.bounds
    same = bool((used.values[:, 0] == used.values[:, 1]).all())
    if BLOCKS[used.block].unpaired or not same or not math.isfinite(high - low):
        return math.nan
    blocks = (
        len(used.values) if used.items.clusters is None else len(np.unique(used.items.clusters))
    )
    return max(0.0, 1 - margin / (high - low)) ** blocks


# -- deciding -------------------------------------------------------------------------------------


def _decided(rows: Sequence[Mapping[str, Any]], alpha: float, margin: bool) -> pd.DataFrame:
    """The rows with adjusted p-values and verdicts; what has no p-value is never shown."""
    table = pd.DataFrame(rows)
    for name in ("p_worse", "p_margin"):
        p = table[name].to_numpy(float)
        table[f"{name}_adjusted"] = np.where(np.isnan(p), p, sidak(np.where(np.isnan(p), 1.0, p)))
    worse = (table["p_worse_adjusted"] <= alpha).to_numpy()
    within = (table["p_margin_adjusted"] <= alpha).to_numpy()
    rest = UNDECIDED if margin else NOT_SHOWN
    verdict = np.where(within, NOT_WORSE, np.where(worse, WORSE, rest))
    table["verdict"] = np.where(table["open"], UNDECIDED, verdict)
    return table[list(COLUMNS)]


def _once(results: Sequence[_Judged]) -> tuple[Note, ...]:
    """What must be known, each code once: of every benchmark it is in JSON."""
    notes: dict[str, Note] = {}
    for note in (note for each in results for note in each.notes):
        if note.severity is not DETAIL:
            notes.setdefault(note.code, note)
    filled = "filled-new" in notes
    lacking = [f.row for f in results if f.row["only_old"] or f.row["only_new"]]
    if lacking:
        counts = {side: sum(int(row[f"only_{side}"]) for row in lacking) for side in (OLD, NEW)}
        for code in ("incomplete-blocks", "gaps"):  # that say the same
            notes.pop(code, None)
        notes["only-in-one"] = Note("only-in-one", CAUTION, **counts, filled=filled)
    return tuple(notes.values())
