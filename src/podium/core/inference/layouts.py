"""Layouts: the blocks x algorithms view of results that answers one question.

Larger is better in a layout, whatever the measure. What a block is (`targets.py`) follows from how
the samples were drawn and decides, with the target, which inference is legal (`legality.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress
from typing import NamedTuple

import numpy as np
import pandas as pd

from podium.core.inference.numbers.boundaries import StoppingPlan
from podium.core.inference.numbers.judge_correction import corrected_means
from podium.core.questions.measures import Measure
from podium.core.questions.targets import BLOCKS
from podium.core.results.linearised import Linearised
from podium.core.results.measure_names import is_resource
from podium.core.samplings import Sampling
from podium.core.words.facts import CAUTION, DETAIL, REMARK, Note
from podium.core.words.saying import Presented

# -- whether the scores of data sets mix ----------------------------------------------------------
# With scales too unlike, a mean is that of a few data sets.
#
# Optimisation errors from 10^-8 to 10^7, or root mean squares beside areas under curves, have no
# mean that says something of all of them. Then ranks within data sets are compared.


UNLIKE = 100.0  # the 90 % quantile of spreads, or of levels, over their 10 % quantile
SOMEWHAT = 10.0
HALF = 0.5
LEAST = 3  # data sets


class Mixing(NamedTuple):
    """How unlike the scales of blocks are, and which block carries most of what varies."""

    spread: float  # of the algorithms within a block, 90 % over 10 % quantile over the blocks
    middle: float  # the same, 90 % quantile over the median
    level: float  # of the blocks' median scores, 90 % over 10 % quantile
    share: float  # of what varies beyond blocks and algorithms that the first block carries
    top: int  # its place

    @property
    def is_unlike(self) -> bool:
        """Whether means over such blocks are of a few blocks."""
        apart = self.level >= UNLIKE and self.spread >= SOMEWHAT
        alone = self.share > HALF and self.middle >= SOMEWHAT
        return self.spread >= UNLIKE or apart or alone


def mixing(values: np.ndarray) -> Mixing:
    """Of blocks x algorithms; missing cells are NaN and count nowhere."""
    known = values[(~np.isnan(values)).sum(axis=1) > 1]
    known = known[:, ~np.isnan(known).all(axis=0)]
    if len(known) < LEAST:
        return Mixing(1.0, 1.0, 1.0, 0.0, 0)
    spread = np.nanstd(known, axis=1, ddof=1)
    centred = known - np.nanmean(known, axis=1, keepdims=True)
    away = np.nanmean((centred - _median(centred)) ** 2, axis=1)
    total = float(away.sum())
    place = int(away.argmax())
    rows = np.flatnonzero((~np.isnan(values)).sum(axis=1) > 1)
    return Mixing(
        _ratio(spread, 0.1),
        _ratio(spread, 0.5),
        _ratio(np.abs(_median(known.T)), 0.1),
        float(away[place]) / total if total > 0 else 0.0,
        int(rows[place]),
    )


def _median(values: np.ndarray) -> np.ndarray:
    """Of every column, over what is there."""
    return np.asarray(np.nanmedian(values, axis=0))


def _ratio(sizes: np.ndarray, low: float) -> float:
    """The 90 % quantile over a lower one; zeros have no scale."""
    sizes = sizes[sizes > 0]
    if not len(sizes):
        return 1.0
    top, bottom = np.quantile(sizes, [0.9, low])
    return float(top / bottom)


# -- layouts --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Halvings:
    """Mean scores inside halves of the rows, and what is known of the data they come from."""

    means: np.ndarray  # halvings x two sides x algorithms; larger is better, NaN where one failed
    rarest: int | None = None  # rows of the rarest class
    attributes: int | None = None
    distinct: int | None = None  # rows
    grouped: bool = False  # rows come in groups

    def complete(self) -> Halvings:
        """Without the halvings that lack a score."""
        return replace(self, means=self.means[~np.isnan(self.means).any(axis=(1, 2))])

    def only(self, columns: Sequence[int]) -> Halvings:
        """Of some algorithms, by position."""
        return replace(self, means=self.means[:, :, list(columns)])


@dataclass(frozen=True, eq=False)
class AnswersPerItem:
    """Blocks x algorithms: how many answers a score is the mean of, and their variance."""

    count: np.ndarray
    variance: np.ndarray

    def only(self, blocks: np.ndarray | slice, columns: Sequence[int] | slice) -> AnswersPerItem:
        """Of some blocks and algorithms."""
        both = (each[blocks][:, columns] for each in (self.count, self.variance))
        return AnswersPerItem(*both)


def without_rounding(values: np.ndarray) -> np.ndarray:
    """Ten digits: means of the same scores in another order are the same."""
    size = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
    return np.round(values / size, 10)


def _kept(each: np.ndarray | None, blocks: np.ndarray) -> np.ndarray | None:
    return None if each is None else each[blocks]


@dataclass(frozen=True)
class Origin:
    """Where the scores of a layout come from."""

    sampling: Sampling | None = None
    dataset: str = ""  # the one data set, empty where blocks are data sets
    rows: int | None = None  # that samples are drawn from, where known
    size: float | None = None  # how much of a sample is learned from: rows, or a share below 1
    population: str = ""  # the area of application, in the user's words
    runs: int = 0  # behind the scores, where known
    failed: tuple[tuple[str, int], ...] = ()  # algorithms with failed runs, and how many


@dataclass(frozen=True, eq=False)
class Items:
    """What is known of blocks that are items."""

    clusters: np.ndarray | None = None
    strata: np.ndarray | None = None  # fixed ones such as topics
    of_clusters: bool = False  # blocks are means of clusters of items
    human: np.ndarray | None = None  # people's scores, where the values are a judge's; NaN: none
    answers: AnswersPerItem | None = None  # that scores are means of
    # where values are no scores but a measure's value and each item's influence on it
    linearised: Linearised | None = None

    def only_blocks(self, kept: np.ndarray) -> Items:
        """Of some blocks."""
        return replace(
            self,
            clusters=_kept(self.clusters, kept),
            strata=_kept(self.strata, kept),
            human=_kept(self.human, kept),
            answers=None if self.answers is None else self.answers.only(kept, slice(None)),
        )

    def only(self, columns: Sequence[int]) -> Items:
        """Of some algorithms, by position."""
        return replace(
            self,
            human=None if self.human is None else self.human[:, columns],
            answers=None if self.answers is None else self.answers.only(slice(None), columns),
        )


@dataclass(frozen=True, eq=False)
class Crossed:
    """The training set and the item of every block, where each of these has a score of each."""

    training_sets: np.ndarray | None = None
    items: np.ndarray | None = None
    # of items under two conditions at once, each of these (their training set is both together)
    factors: Mapping[str, np.ndarray] = field(default_factory=dict)

    def only_blocks(self, kept: np.ndarray) -> Crossed:
        """Of some blocks."""
        factors = {name: each[kept] for name, each in self.factors.items()}
        return Crossed(_kept(self.training_sets, kept), _kept(self.items, kept), factors)


@dataclass(frozen=True, eq=False)
class Choices:
    """What is known of blocks that are choices among algorithms."""

    shown_first: np.ndarray | None = None  # who of each choice was, by name
    # what else choices come with: one value each, or one of either side (choices x 2)
    covariates: Mapping[str, np.ndarray] = field(default_factory=dict)
    adjusted_for: tuple[str, ...] | None = None  # those of them that count; None: the usual one
    judges: tuple[str, ...] = ()  # whose choices alone are meant; empty: of any judge like these

    def only_blocks(self, kept: np.ndarray) -> Choices:
        """Of some blocks."""
        covariates = {name: each[kept] for name, each in self.covariates.items()}
        return replace(self, shown_first=_kept(self.shown_first, kept), covariates=covariates)


@dataclass(frozen=True, eq=False)
class Nested:
    """Data sets that blocks lie within, or are."""

    within: np.ndarray | None = None  # the data set, by number, of each nested block
    datasets: tuple[str, ...] = ()  # the names of these
    weights: np.ndarray | None = None  # and how much each counts, where not alike

    def only_blocks(self, kept: np.ndarray) -> Nested:
        """Of some blocks."""
        return replace(self, within=_kept(self.within, kept))


@dataclass(frozen=True, eq=False)
class Stopped:
    """The plan of a study that may stop; blocks are its whole budget."""

    plan: StoppingPlan | None = None
    finished: np.ndarray | None = None  # which of its runs are, done or failed


@dataclass(frozen=True, eq=False, repr=False)
class Layout(Presented):
    """Blocks x algorithms; larger is better; a missing cell is NaN.

    >>> import podium
    >>> scores = {"svm": [0.1, 0.2], "lda": [0.3, 0.2]}
    >>> made = podium.layout(podium.read(scores, measure="error", sampling="bootstrap"))
    >>> made.algorithms, made.block, made.values.tolist()
    (('svm', 'lda'), 'resample', [[-0.1, -0.3], [-0.2, -0.2]])
    """

    values: np.ndarray
    algorithms: tuple[str, ...]
    block: str
    target: str
    measure: Measure
    notes: tuple[Note, ...] = field(default=())
    labels: tuple[str, ...] = ()  # the blocks' names, where they are data sets
    metrics: tuple[str, ...] = ()  # of the blocks, where they were not measured alike
    failed: np.ndarray | None = None  # cells all of whose runs failed: the worst of their block
    halvings: Halvings | None = None  # beside the samples of one data set
    origin: Origin = Origin()
    items: Items = field(default_factory=Items)
    crossed: Crossed = field(default_factory=Crossed)
    choices: Choices = field(default_factory=Choices)
    nested: Nested = field(default_factory=Nested)
    stopped: Stopped = field(default_factory=Stopped)

    @property
    def sign(self) -> int:
        """What turns larger-is-better back into the measure's own sign."""
        return self.measure.sign

    @property
    def block_text(self) -> str:
        """What the blocks are, in words."""
        return ("clusters of " if self.items.of_clusters else "") + BLOCKS[self.block].text

    @property
    def has_gaps(self) -> bool:
        """Whether a cell is missing."""
        return bool(np.isnan(self.values).any())

    @property
    def is_binary(self) -> bool:
        """Whether every score says correct or not."""
        if self.items.linearised is not None:
            return False
        known = self.sign * self.values[~np.isnan(self.values)]
        return bool(np.isin(known, (0.0, 1.0)).all())

    @property
    def is_right_or_wrong(self) -> bool:
        """Whether algorithms are right or wrong on each item, and items are independent."""
        binary = self.is_binary if len(self.values) else self.measure.unit == "share"
        return binary and self.items.clusters is None

    @cached_property
    def mixing(self) -> Mixing:
        """How unlike the scales of the blocks are."""
        return mixing(self.values)

    @property
    def is_bounded(self) -> bool:
        """Whether one measure ends at both sides, such as a share: then its scales mix.

        Of a measure that nobody knows the scores tell: all are shares, or percentages.
        """
        low, high = self.measure.bounds
        if self.metrics or np.isfinite([low, high]).any():
            return not self.metrics and bool(np.isfinite([low, high]).all())
        own = self.sign * self.values[~np.isnan(self.values)]
        return bool(len(own)) and bool((own >= 0).all() and (own <= 100).all())

    @property
    def is_unmixable(self) -> bool:
        """Whether scales are so unlike that means over the blocks are those of a few blocks."""
        if len(set(self.metrics)) > 1:
            return True
        return not self.is_bounded and self.mixing.is_unlike

    def lacking(self) -> tuple[tuple[str, int], ...]:
        """The algorithms that lack scores, and how many."""
        counts = np.isnan(self.values).sum(axis=0).tolist()
        return tuple((a, n) for a, n in zip(self.algorithms, counts, strict=True) if n)

    def by_dataset(self) -> np.ndarray:
        """Nested blocks averaged within their data sets; other blocks as they are."""
        return self.values if self.nested.within is None else self._averaged

    @cached_property
    def _averaged(self) -> np.ndarray:
        assert self.nested.within is not None
        return averaged(self.values, self.nested.within, len(self.nested.datasets))

    def means(self) -> dict[str, float]:
        """The mean of every algorithm over the blocks it has, in the measure's own sign.

        Of nested blocks it is the mean over data sets, however many samples each of them has, by
        their weights; of a judge with labels what people would say.
        """
        values = self.by_dataset()
        if self.items.linearised is not None:
            means = values.mean(axis=0)
        else:
            means = averaged(values, np.zeros(len(values), dtype=np.int64), 1)[0]
        if self.nested.weights is not None:
            shares = self.nested.weights[:, None] * np.isfinite(values)
            means = np.nansum(shares * values, axis=0) / shares.sum(axis=0)
        if self.items.human is not None:
            means = corrected_means(self.items.human, self.values).values
        return dict(zip(self.algorithms, (self.sign * means + 0.0).tolist(), strict=True))

    def _heading(self) -> str:
        gaps = int(np.isnan(self.values).sum())
        missing = f", {gaps} score{'s' * (gaps > 1)} missing" if gaps else ""
        return (
            f"Layout of {self.measure.name}: {len(self.values)} {self.block_text} x "
            f"{len(self.algorithms)} algorithms, target {self.target}{missing}"
        )

    def _lines_above(self) -> list[str]:
        return [self._heading()]

    def _tables(self) -> Mapping[str, pd.DataFrame]:
        means = self.means()
        return {"Means": pd.DataFrame({"algorithm": list(means), "mean": list(means.values())})}

    def __repr__(self) -> str:
        return f"<{self._heading()}>"

    def only(self, columns: Sequence[int]) -> Layout:
        """The layout of some algorithms, by position."""
        chosen = list(columns)
        made = replace(
            self,
            values=self.values[:, chosen],
            failed=None if self.failed is None else self.failed[:, chosen],
            algorithms=tuple(self.algorithms[c] for c in chosen),
            halvings=None if self.halvings is None else self.halvings.only(chosen),
            items=self.items.only(chosen),
        )
        return made.met()

    def complete(self) -> Layout:
        """Without the blocks in which a cell is missing; says how many these were."""
        whole = ~np.isnan(self.values).any(axis=1)
        if whole.all():
            return self
        note = Note(
            "incomplete-blocks",
            blocks=int((~whole).sum()),
            of=len(whole),
            lacking=self.lacking(),
        )
        return self.only_blocks(whole, note)

    def begun(self) -> Layout:
        """Without the blocks in which no algorithm has a score yet; says how many these were."""
        begun = ~np.isnan(self.values).all(axis=1)
        if begun.all():
            return self
        note = Note("empty-blocks", blocks=int((~begun).sum()), of=len(begun))
        return self.only_blocks(begun, note)

    def met(self) -> Layout:
        """Without the choices that were not between two of these algorithms."""
        if not BLOCKS[self.block].partial or len(self.algorithms) < 2:
            return self
        between_two = (~np.isnan(self.values)).sum(axis=1) > 1
        return self if between_two.all() else self.only_blocks(between_two)

    def only_blocks(self, kept: np.ndarray, note: Note | None = None) -> Layout:
        """Some blocks, with a note on the others."""
        return replace(
            self,
            values=self.values[kept],
            failed=_kept(self.failed, kept),
            items=self.items.only_blocks(kept),
            crossed=self.crossed.only_blocks(kept),
            choices=self.choices.only_blocks(kept),
            nested=self.nested.only_blocks(kept),
            notes=self.notes if note is None else (*self.notes, note),
            labels=tuple(compress(self.labels, kept)),
            metrics=tuple(compress(self.metrics, kept)),
        )

    def in_order(self) -> Layout:
        """With named blocks by their scores, so that what is drawn depends on no names nor rows."""
        if len(self.labels) < 2:
            return self
        rows = np.sort(self.values, axis=1).T[::-1]  # whichever algorithm has which score
        places = np.lexsort((np.array(self.labels, dtype=str), *rows))
        if (np.diff(places) > 0).all():
            return self
        return replace(
            self,
            values=self.values[places],
            failed=_kept(self.failed, places),
            labels=tuple(self.labels[i] for i in places),
            metrics=tuple(self.metrics[i] for i in places) if self.metrics else (),
        )

    def by_scores(self) -> Layout:
        """With its blocks, named or not, by the scores of its algorithms in turn."""
        if self.stopped.plan is not None or self.items.linearised is not None:
            return self  # whose blocks have an order of their own
        if BLOCKS[self.block].unpaired:
            return replace(self, values=np.sort(self.values, axis=0))
        places = np.lexsort(without_rounding(self.values).T[::-1])
        return replace(
            self,
            values=self.values[places],
            failed=_kept(self.failed, places),
            items=self.items.only_blocks(places),
            crossed=self.crossed.only_blocks(places),
            choices=self.choices.only_blocks(places),
            nested=self.nested.only_blocks(places),
            labels=tuple(self.labels[i] for i in places) if self.labels else (),
            metrics=tuple(self.metrics[i] for i in places) if self.metrics else (),
        )

    def filled(self) -> Layout:
        """With the worst value of its block in every missing cell.

        Where blocks are not shared, or have no score at all, it is the worst possible value, or
        else the worst one seen.
        """
        gaps = np.isnan(self.values)
        if not gaps.any():
            return self
        bound = self.measure.bounds[0] if self.measure.higher_is_better else self.measure.bounds[1]
        last = self.sign * bound if np.isfinite(bound) else float(np.nanmin(self.values))
        worst = np.where(gaps, np.inf, self.values).min(axis=1, keepdims=True)
        own = BLOCKS[self.block].unpaired
        worst = np.where(np.isinf(worst) | own, last, worst)
        facts = {"scores": int(gaps.sum()), "lacking": self.lacking()}
        note = Note("worst-case-values", shared=not own, value=self.sign * last, **facts)
        values = np.where(gaps, worst, self.values)
        return replace(self, values=values, notes=(*self.notes, note))


def averaged(values: np.ndarray, within: np.ndarray, groups: int) -> np.ndarray:
    """Means within groups over the values that are there; NaN where there are none."""
    here, shape = np.isfinite(values), (groups, values.shape[1])
    cell = (within[:, None] * shape[1] + np.arange(shape[1])).ravel()
    sums = np.bincount(cell, np.where(here, values, 0.0).ravel(), groups * shape[1]).reshape(shape)
    counts = np.bincount(cell, here.ravel(), groups * shape[1]).reshape(shape)
    return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


def clustered(made: Layout) -> Layout:
    """Items averaged within their clusters: clusters, not items, are independent."""
    if made.items.clusters is None:
        return made
    made = made.complete()  # means over different items are not comparable
    means = pd.DataFrame(made.values).groupby(made.items.clusters, sort=False).mean().to_numpy()
    note = Note("averaged", DETAIL, items=len(made.values), clusters=len(means))
    notes = (*made.notes, note)
    made = replace(
        made, items=replace(made.items, clusters=None, of_clusters=True, answers=None, strata=None)
    )
    return replace(made, values=means, notes=notes, labels=())


# -- how much what is spent varies ----------------------------------------------------------------
# Long tails of costs and times, which tests of means err on.


MOST_SKEWED = 2.0  # skewness from which tests of means err
SPREADS_UNLIKE = 1.5  # times the least sd over mean


def spread_note(layout: Layout) -> Note | None:
    """A caution where costs are skewed and one algorithm's are more spread than another's."""
    if not is_resource(layout.measure) or len(layout.values) < 3:
        return None
    values = layout.sign * layout.values
    mean, sd = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
    varies = (sd > 0) & (mean > 0)
    if not varies.any():
        return None
    places, mean, sd = np.flatnonzero(varies), mean[varies], sd[varies]
    skewness = np.nanmean(((values[:, varies] - mean) / sd) ** 3, axis=0)
    worst = int(np.argmax(skewness))
    if skewness[worst] < MOST_SKEWED:
        return None
    spread = sd / mean
    unlike = bool(spread.max() > SPREADS_UNLIKE * spread.min())
    return Note(
        "spread-costs",
        CAUTION if unlike else REMARK,
        measure=layout.measure.name,
        algorithm=layout.algorithms[places[worst]],
        skewness=float(skewness[worst]),
    )
