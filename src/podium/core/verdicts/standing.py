"""Standing: how the algorithms stand to the best, or to the control, one row each.

Sentence, table, picture and terminal are made from it, so that they say the same. Gaps are free of
direction: positive is behind, whichever way the measure goes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np

from podium.core.base.formatting import aligned, printable, short
from podium.core.inference.bricks.scales import ranks_within
from podium.core.inference.comparing.comparisons import COUNTS, Blocks, Comparisons
from podium.core.inference.comparing.decision import Decision
from podium.core.inference.comparing.evidence import NO_INTERVAL
from podium.core.inference.procedures.procedure import Control
from podium.core.questions.aims import FITTED, TARGETS
from podium.core.questions.measures import written
from podium.core.questions.targets import NESTED
from podium.core.words.facts import Note
from podium.core.words.phrases import level

SURE = (Control.STRONG, Control.APPROXIMATE)
MOST_CELLS = 200  # of a strip; of more data sets evenly spaced ones are shown


class Badge(Enum):
    """What is known of an algorithm in a word."""

    BEST = "best"
    MAY_BE_BEST = "could be best"
    OPEN = "inconclusive"
    BEHIND = "worse"
    REFERENCE = "reference"  # the control
    BEATS = "beats"  # the control


@dataclass(frozen=True)
class Gap:
    """How far behind the reference, with limits, and the blocks won, tied and lost against it."""

    size: float = 0.0
    lower: float = float("nan")
    upper: float = float("nan")
    won: tuple[int, ...] | None = None
    too_few: bool = False  # blocks, for an interval


UNKNOWN_GAP = Gap(size=float("nan"))  # with the reference, as only some pairs were


@dataclass(frozen=True)
class Row:
    """An algorithm: its place, its score, and how far it is behind the reference."""

    name: str
    place: tuple[int, int]
    score: float
    badge: Badge
    behind: Gap = Gap()
    beaten_by: tuple[str, ...] = ()
    strip: tuple[float, ...] = ()  # per data set 1 for the best, 0 for the worst

    @property
    def gap(self) -> float:
        """To the reference; positive is behind."""
        return self.behind.size

    @property
    def lower(self) -> float:
        """The limit of the gap."""
        return self.behind.lower

    @property
    def upper(self) -> float:
        """The limit of the gap."""
        return self.behind.upper

    @property
    def won(self) -> tuple[int, ...] | None:
        """Blocks won, tied and lost against the reference."""
        return self.behind.won

    @property
    def too_few(self) -> bool:
        """Whether there are too few blocks for an interval of the gap."""
        return self.behind.too_few

    @property
    def leads(self) -> bool:
        """Whether it is drawn as one of the best."""
        return self.badge in (Badge.BEST, Badge.MAY_BE_BEST, Badge.BEATS)


@dataclass(frozen=True)
class Standing:
    """All algorithms, those that may be best first."""

    rows: tuple[Row, ...]
    lead: tuple[str, ...]
    decided: int  # pairs
    open: int  # pairs; others are equivalent, or not inferior
    pairs: int
    sure: bool  # whether the error of all pairs together is held
    control: str | None = None
    by_ranks: bool = False  # scores and gaps are mean ranks
    columns: tuple[str, ...] = field(default=())  # the data sets of the strips

    @property
    def behind(self) -> list[str]:
        """Those that at least one algorithm is shown to be better than."""
        return [row.name for row in self.rows if row.name not in self.lead]

    @property
    def reference(self) -> str:
        """Whom the gaps are to."""
        return self.control or self.rows[0].name

    @property
    def undecided(self) -> bool:
        """Whether nothing is decided."""
        return not self.decided

    def row(self, name: str) -> Row:
        """The row of an algorithm."""
        return next(row for row in self.rows if row.name == name)


def standing(
    c: Comparisons, values: np.ndarray | None = None, labels: Sequence[str] = ()
) -> Standing | None:
    """How the algorithms stand; None where pairs were not compared.

    `values` (data sets x algorithms, larger is better) with `labels` make the strips.
    """
    decision = c.decision
    if decision.places is None or decision.lead is None or not len(c.table):
        return None
    names, control = decision.rows, decision.control
    beaten = {name: decision.beaten_by(name) for name in names}
    gaps = _gaps(c, control or names[0])
    strips, columns = _strips(c, names, values, labels)
    levels = c.mean_ranks or _points(c) or c.means
    rows = tuple(
        Row(
            name,
            decision.places[name],
            levels[name],
            _badge(name, decision, beaten),
            gaps.get(name, UNKNOWN_GAP),
            beaten[name],
            strips.get(name, ()),
        )
        for name in names
    )
    return Standing(
        rows,
        decision.lead,
        decision.significant,
        decision.inconclusive,
        decision.comparisons,
        is_sure(c),
        control,
        c.mean_ranks is not None,
        columns,
    )


def _points(c: Comparisons) -> dict[str, float] | None:
    """Of strengths: points of Elo."""
    return None if c.judged is None else c.judged.elo


def is_sure(c: Comparisons) -> bool:
    """Whether the pairs hold the family-wise error strongly, at least with many blocks."""
    how = c.judged
    if c.is_forced or how is None or how.procedure.bayes.posterior is not None:
        return False
    if len(c.table) < 2:
        return True
    if how.is_own_adjustment:
        return how.procedure.controls.kind in SURE
    return c.is_adjusted and not how.adjust.told and how.procedure.controls.kind in SURE


def _badge(name: str, made: Decision, beaten: dict[str, tuple[str, ...]]) -> Badge:
    if made.control is not None:
        if name == made.control:
            return Badge.REFERENCE
        if made.control in beaten[name]:
            return Badge.BEHIND
        return Badge.BEATS if name in beaten[made.control] else Badge.OPEN
    assert made.lead is not None
    if name not in made.lead:
        return Badge.BEHIND
    if not made.significant:
        return Badge.OPEN
    return Badge.BEST if len(made.lead) == 1 else Badge.MAY_BE_BEST


def _gaps(c: Comparisons, whom: str) -> dict[str, Gap]:
    """Of the others: how far behind `whom`, with limits, and the blocks won, tied and lost."""
    t = c.pairs
    ours = t[(t["first"] == whom) | (t["second"] == whom)]
    gaps = {whom: Gap()}
    wide = (note.pairs for note in c.warnings if note.code == NO_INTERVAL)
    unknown = {frozenset(pair) for pairs in wide for pair in pairs}
    for row in ours.to_dict("records"):
        ahead = row["first"] == whom
        sign = c.sign * (c.factor if ahead else -c.factor)
        low, high = (sign * row[end] for end in ("lower", "upper")[:: 1 if sign > 0 else -1])
        won = tuple(int(row[name]) for name in COUNTS) if COUNTS[0] in row else None
        turned = won[::-1] if won and ahead else won
        other = row["second"] if ahead else row["first"]
        few = frozenset((whom, other)) in unknown
        gaps[other] = Gap(sign * row["estimate"], low, high, turned, few)
    return gaps


def _strips(
    c: Comparisons, names: Sequence[str], values: np.ndarray | None, labels: Sequence[str]
) -> tuple[dict[str, tuple[float, ...]], tuple[str, ...]]:
    """Per algorithm its standing on every data set, those with the same winner side by side."""
    if values is None or len(labels) < 2 or len(labels) != len(values):
        return {}, ()
    columns = [c.algorithms.index(name) for name in names]
    ranks = ranks_within(values[:, columns])
    count = np.maximum((~np.isnan(ranks)).sum(axis=1, keepdims=True) - 1, 1)
    good = 1 - (ranks - 1) / count
    winner = np.where(np.isnan(ranks), np.inf, ranks).argmin(axis=1)
    second = np.nan_to_num(good[:, 0], nan=-1.0)
    arranged = np.lexsort((-second, winner))
    if len(arranged) > MOST_CELLS:
        arranged = arranged[np.linspace(0, len(arranged) - 1, MOST_CELLS).round().astype(int)]
    strips = {name: tuple(good[arranged, i].tolist()) for i, name in enumerate(names)}
    return strips, tuple(str(labels[i]) for i in arranged)


# -- in words -------------------------------------------------------------------------------------
# What is compared, in words: gaps, places, badges, and notes in two to four words.


MINUS = "−"
NOT_COMPARED = "not compared"  # with the reference
PEOPLE = "score by people"
POINTS = "Elo"


def scored(c: Comparisons, standing: Standing | None = None) -> str:
    """What is compared: the mean error, say, or the mean rank."""
    if standing is not None and standing.by_ranks:
        return "mean rank"
    return estimated(c)


def estimated(c: Comparisons, measure: str = "") -> str:
    """What is estimated: the mean error, say, or the median one; the measure by another word.

    Strengths are told in points of Elo, whose measure goes without saying.
    """
    return POINTS if c.factor != 1 else c.quantity.name_level(measure or measured(c))


def averaged(c: Comparisons, standing: Standing) -> str:
    """What every algorithm's own number is, which stands beside differences of something else."""
    own = standing.by_ranks or c.quantity.has_levels
    return scored(c, standing) if own else f"mean {measured(c)}"


def difference_text(c: Comparisons) -> str:
    """What differences are of, where these are no differences of means or mean ranks."""
    return c.quantity.name_difference(measured(c))


def measured(c: Comparisons, most: int = 0) -> str:
    """What is measured; the measure of a corrected judge is what people say."""
    if c.judged is not None and c.judged.procedure.needs.labels:
        return PEOPLE
    name = written(c.measure)
    return printable(short(name, most) if most else name)


def compared(c: Comparisons) -> str:
    """What is compared: models that are fitted once for all, or algorithms."""
    return "model" if FITTED in TARGETS[c.target].said.given else "algorithm"


def margin_text(c: Comparisons) -> str:
    """The smallest difference that matters, in the unit of the differences that are shown."""
    size = abs(c.relevance)
    return f"{size:g}" if c.factor == 1 else f"{c.factor * size:.3g} {POINTS}"


TOO_FEW = "too few for an interval"


def gap_text(c: Comparisons, row: Row, estimand: str) -> str:
    """The size of a difference, what it is of, and its limits."""
    size, low, high = numbers_of(row)
    what = (
        f"{size} {estimand}"
        if estimand == POINTS
        else f"{size} in {estimand}"
        if estimand
        else size
    )
    if not (math.isfinite(row.lower) or math.isfinite(row.upper)):
        return f"{what} ({TOO_FEW})" if row.too_few else what
    alone = ", not adjusted" if c.is_unadjusted and len(c.table) > 1 else ""
    ends = (row.lower, row.upper) if row.gap >= 0 else (row.upper, row.lower)  # as numbers are
    if not math.isfinite(ends[0]):
        return f"{what} (at most {high}{alone})"
    if not math.isfinite(ends[1]):
        return f"{what} (at least {low}{alone})"
    return f"{what} ({low} to {high}{alone})"


NOUNS = {"choices": "battles", "samples": "resamples", "scores": "answers"}


def noun_of(blocks: Blocks) -> str:
    """What was compared on, as people call it."""
    if blocks.kind == NESTED:
        return "samples within data sets"
    return NOUNS.get(blocks.noun, blocks.noun)


def numbers_of(row: Row) -> list[str]:
    """Size and limits, turned so that the size is positive, as exact as the limits are wide."""
    sign = -1 if row.gap < 0 else 1
    ends = (row.lower, row.upper) if sign > 0 else (-row.upper, -row.lower)
    return signed(aligned([sign * row.gap, *ends], exact_to([row]), 2))


def exact_to(rows: Sequence[Row]) -> float:
    """What the numbers of gaps are exact to: the narrowest reach, or a tenth of a usual gap."""
    reach = [abs(end - row.gap) for row in rows for end in (row.lower, row.upper)
             if math.isfinite(end) and end != row.gap]  # fmt: skip
    if reach:
        return min(reach)
    sizes = sorted(abs(row.gap) for row in rows if row.gap and math.isfinite(row.gap))
    return sizes[len(sizes) // 2] / 10 if sizes else 1.0


def signed(texts: Sequence[str]) -> list[str]:
    """Numbers for reading, with a minus sign."""
    return [text.replace("-", MINUS, 1) for text in texts]


# -- badges and heads -----------------------------------------------------------------------------


def limits_scope(c: Comparisons) -> str:
    """What the limits of gaps hold for."""
    if c.has_posterior:
        return f"{level(2 * c.alpha)} CrI"  # alpha on either side
    if len(c.table) < 2 or c.is_unadjusted:
        return f"{level(c.alpha)} CI"
    return f"simultaneous {level(c.alpha)} CI"


# -- what a headline claims of the best, by the kind of measure -----------------------------------


class Superlative(NamedTuple):
    """What is said of the best, and what there is no significant difference in."""

    best: str
    difference: str
    names: tuple[str, ...] = ()
    higher: bool | None = None  # the direction it is for


KINDS = (
    Superlative("solves the most tasks", "solved tasks",
                ("pass rate", "pass@", "pass^", "pass", "passed", "solved", "resolved"), True),
    Superlative("is the most accurate", "accuracy",
                ("accuracy", "acc", "correct", "exact match"), True),
    Superlative("is the fastest", "speed",
                ("time", "seconds", "latency", "runtime", "duration"), False),
    Superlative("uses the least memory", "memory", ("memory", "bytes", "rss"), False),
    Superlative("uses the fewest tokens", "tokens", ("tokens",), False),
    Superlative("is the cheapest", "cost", ("cost", "price", "usd"), False),
)  # fmt: skip


def superlative(c: Comparisons) -> Superlative:
    """Of what was compared; ranks are of no amount, whatever the measure."""
    name = measured(c, 36)
    if not c.quantity.is_by_measure:
        return Superlative(*c.quantity.describe_best(name, c.higher_is_better))
    if name == PEOPLE:
        return Superlative("is rated best by people", "score by people")
    if c.blocks.partial:
        return Superlative("wins most", "wins")
    last = c.measure.rpartition("/")[2]  # of val/accuracy; cost/accuracy is neither of its parts
    words = set(re.split(r"[^a-z@^]+", last.lower().replace("_", " ")))
    for kind in KINDS:
        if kind.higher == c.higher_is_better and any(_holds(n, words, last) for n in kind.names):
            return kind
    way = "highest" if c.higher_is_better else "lowest"
    return Superlative(f"has the {way} {name}", name)


def _holds(name: str, words: set[str], measure: str) -> bool:
    whole = measure.lower().replace("_", " ").replace("-", " ")
    return name in words if name.isalpha() else name in whole


# -- chips ----------------------------------------------------------------------------------------
# Notes in two to four words, for the first screen of a page and of a terminal.


CHIPS = {  # codes of notes in two to four words; others are told by their code
    "adjustment": "other error controlled",
    "apparent-error": "training error only",
    "autocorrelated": "neighbours are alike",
    "liberal-in-time": "liberal in time",
    "autocorrelation": "runs depend on order",
    "averaged": "replicates averaged",
    "cannot-reject": "too few to reject",
    "cells-without-score": "words instead of scores",
    "check-scores": "check these scores",
    "clusters": "clusters count, not items",
    "conditional-on-sample": "one data set",
    "conditional-on-split": "this split only",
    "conditional-on-test-set": "this test set only",
    "correlation": "correlation assumed",
    "data-sets-that-are-none": "data sets are seeds?",
    "direction": "direction assumed",
    "disconnected": "not all compared",
    "drift": "scores drift",
    "estimate": "about the estimate",
    "few-blocks": "few scores",
    "few-clusters": "few clusters",
    "few-data-sets": "few data sets",
    "no-interval": "too few for intervals",
    "fitted-generator": "simulated from a fit",
    "forced": "not valid here",
    "gaps": "runs missing",
    "halves": "checked on halves",
    "incomplete-blocks": "incomplete data sets dropped",
    "incomplete-items": "items are missing",
    "depends-on-others": "depends on who takes part",
    "informative-gaps": "not missing at random",
    "versions-of-data": "versions of one data set?",
    "copied-blocks": "repeated scores",
    "ranks-as-scores": "ranks, not scores?",
    "label-beyond-truth": "labels that no item has",
    "measure-of-many-items": "predictions without truth?",
    "repeated-folds": "repeats add little",
    "items-that-are-none": "items are folds?",
    "confounded": "unlike training sizes",
    "too-few-data-sets": "too few data sets",
    "withheld": "runs missing",
    "liberal": "false positives likelier",
    "many-chances": "not adjusted",
    "medians-disagree": "medians disagree",
    "missing-runs": "runs are missing",
    "models-of-folds": "models of folds",
    "no-variation": "a pair never varies",
    "one-machine": "one machine",
    "one-series": "one series only",
    "optimistic": "scores look optimistic",
    "overlap": "shared training rows",
    "position": "position corrected",
    "positive-class": "positive class assumed",
    "procedure-chosen": "test chosen by design",
    "raced": "race for the best",
    "ranks-disagree": "rank test disagrees",
    "rare-class": "few of the rarest class",
    "few-of-a-class": "too few of a class",
    "biased-precision": "few positives",
    "tied-predictions": "tied predictions",
    "rarely-apart": "rarely significant",
    "repeated-rows": "repeated rows",
    "scale": "on another scale",
    "seeds-averaged": "seeds averaged",
    "sphericity": "spreads differ",
    "stopped": "planned looks",
    "these-data-sets": "these data sets only",
    "unadjusted": "not adjusted",
    "unequal-sizes": "unequal sizes",
    "uneven-samples": "uneven run counts",
    "worst-case-values": "failures count as worst",
}


OF_ESTIMATES = {  # remarks on the estimates of pairs
    "apart": "no common scores",
    "identical": "scores never differ",
    "few-common": "few common scores",
    "borderline": "a p-value near alpha",
    "bartlett": "variance by Bartlett weights",
    "none-discordant": "no item differs",
}


def chip(note: Note) -> str:
    """A note in two to four words."""
    if note.code == "estimate" and note.remark in OF_ESTIMATES:
        return OF_ESTIMATES[note.remark]
    if note.code == "failures":
        text = "1 run failed" if note.runs == 1 else f"{note.runs:,} runs failed"
        return f"{text}: as worst" if note.facts.get("policy") == "worst" else text
    return CHIPS.get(note.code, note.code.replace("-", " "))
