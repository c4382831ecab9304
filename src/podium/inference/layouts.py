"""Layouts: the blocks x algorithms view of results that answers one question.

The only place that knows whether large is good: from here on, larger is better. What a block is
(`BLOCKS`) follows from how the samples were drawn and decides, with the target, which inference
is legal (`legality.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any

import numpy as np
import pandas as pd

from podium import presentation
from podium.errors import InferenceError
from podium.facts import Note
from podium.measures import TIMES, Measure
from podium.registry import unknown
from podium.results.dataset_facts import exclusion_notes
from podium.results.results import Results
from podium.samplings import Sampling

BLOCKS = {
    "resample": "samples drawn from one learning sample",
    "repetition": "repetitions of a cross-validation, each averaged over its folds",
    "simulation": "independent samples from a known process",
    "fold": "folds that share training rows",
    "independent-resample": "samples of each algorithm's own, drawn from one learning sample",
    "independent-simulation": "samples of each algorithm's own, from a known process",
    "training-set": "disjoint training sets, all tested on one test set",
    "crossed": "items of one test set after each of several training sets",
    "origin": "origins of forecasts in one series",
    "item": "items of one test set",
    "dataset": "data sets",
    "nested": "samples within data sets",
}
DEFAULT_TARGETS = {
    "resample": "sample",
    "repetition": "sample",
    "simulation": "population",
    "fold": "population",
    "independent-resample": "sample",
    "independent-simulation": "population",
    "training-set": "test-set",
    "crossed": "population",
    "origin": "population",
    "item": "test-set",
    "dataset": "dataset-population",
    "nested": "dataset-population",
}
UNPAIRED_BLOCKS = ("independent-resample", "independent-simulation")
TARGETS = ("sample", "test-set", "population", "datasets", "dataset-population")
MISSING = ("complete", "worst")
FIVE_BY_TWO = ("repeated-cv", 10, 2)  # another way to write 5x2cv


@dataclass(frozen=True, eq=False, repr=False)
class Layout:
    """Blocks x algorithms; larger is better; a missing cell is NaN."""

    values: np.ndarray
    algorithms: tuple[str, ...]
    block: str
    target: str
    measure: Measure
    sampling: Sampling | None = None
    dataset: str = ""  # the one data set, empty where blocks are data sets
    rows: int | None = None  # that samples are drawn from, where known
    size: float | None = None  # how much of a sample is learned from: rows, or a share below 1
    population: str = ""  # the area of application, in the user's words
    clusters: np.ndarray | None = None  # of items
    of_clusters: bool = False  # blocks are means of clusters of items
    training_sets: np.ndarray | None = None  # of crossed blocks
    items: np.ndarray | None = None  # of crossed blocks
    notes: tuple[Note, ...] = field(default=())
    labels: tuple[str, ...] = ()  # the blocks' names, where they are data sets
    within: np.ndarray | None = None  # the data set, by number, of each nested block
    datasets: tuple[str, ...] = ()  # the names of these

    @property
    def sign(self) -> int:
        """What turns larger-is-better back into the measure's own sign."""
        return self.measure.sign

    @property
    def block_text(self) -> str:
        """What the blocks are, in words."""
        return ("clusters of " if self.of_clusters else "") + BLOCKS[self.block]

    @property
    def has_gaps(self) -> bool:
        """Whether a cell is missing."""
        return bool(np.isnan(self.values).any())

    def by_dataset(self) -> np.ndarray:
        """Nested blocks averaged within their data sets; other blocks as they are."""
        if self.within is None:
            return self.values
        return _averaged(self.values, self.within, len(self.datasets))

    def means(self) -> dict[str, float]:
        """The mean of every algorithm over the blocks it has, in the measure's own sign.

        Of nested blocks it is the mean over data sets, however many samples each of them has.
        """
        values = self.by_dataset()
        means = _averaged(values, np.zeros(len(values), dtype=np.int64), 1)[0]
        return dict(zip(self.algorithms, (self.sign * means + 0.0).tolist(), strict=True))

    def __repr__(self) -> str:
        gaps = int(np.isnan(self.values).sum())
        missing = f", {gaps} score{'s' * (gaps > 1)} missing" if gaps else ""
        return (
            f"<Layout of {self.measure.name}: {len(self.values)} {self.block_text} x "
            f"{len(self.algorithms)} algorithms, target {self.target}{missing}>"
        )

    def _repr_html_(self) -> str:
        means = self.means()
        table = pd.DataFrame({"algorithm": list(means), "mean": list(means.values())})
        return presentation.html([repr(self)[1:-1]], {"Means": table}, self.notes)

    def only(self, columns: Sequence[int]) -> Layout:
        """The layout of some algorithms, by position."""
        chosen = list(columns)
        names = tuple(self.algorithms[c] for c in chosen)
        return replace(self, values=self.values[:, chosen], algorithms=names)

    def complete(self) -> Layout:
        """Without the blocks in which a cell is missing; says how many these were."""
        whole = ~np.isnan(self.values).any(axis=1)
        if whole.all():
            return self
        note = Note(
            "incomplete-blocks",
            text=f"{int((~whole).sum())} of {len(whole)} blocks lack a score "
            f"({_where(self)}) and were left out; a procedure that accepts gaps "
            "(mixed-tukey, where legal) or a worst-case value (missing=worst) would use them.",
        )
        return self._only_blocks(whole, note)

    def begun(self) -> Layout:
        """Without the blocks in which no algorithm has a score yet; says how many these were."""
        begun = ~np.isnan(self.values).all(axis=1)
        if begun.all():
            return self
        text = f"{int((~begun).sum())} of {len(begun)} blocks have no score at all."
        return self._only_blocks(begun, Note("empty-blocks", text=text))

    def _only_blocks(self, kept: np.ndarray, note: Note) -> Layout:
        def of(each: np.ndarray | None) -> np.ndarray | None:
            return None if each is None else each[kept]

        return replace(
            self,
            values=self.values[kept],
            clusters=of(self.clusters),
            training_sets=of(self.training_sets),
            items=of(self.items),
            within=of(self.within),
            notes=(*self.notes, note),
            labels=tuple(compress(self.labels, kept)),
        )

    def filled(self) -> Layout:
        """With the worst possible value, or else the worst one seen, in every missing cell."""
        gaps = np.isnan(self.values)
        if not gaps.any():
            return self
        bound = self.measure.bounds[0] if self.measure.higher_is_better else self.measure.bounds[1]
        worst = self.sign * bound if np.isfinite(bound) else float(np.nanmin(self.values))
        note = Note(
            "worst-case-values",
            text=f"{int(gaps.sum())} missing scores ({_where(self)}) were set to the worst "
            f"{'possible' if np.isfinite(bound) else 'observed'} value, {self.sign * worst:g}.",
        )
        values = np.where(gaps, worst, self.values)
        return replace(self, values=values, notes=(*self.notes, note))


def _where(layout: Layout) -> str:
    counts = np.isnan(layout.values).sum(axis=0)
    gone = [f"{a}: {n}" for a, n in zip(layout.algorithms, counts, strict=True) if n]
    return ", ".join(gone[:5]) + (", ..." if len(gone) > 5 else "")


def layout(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str = "",
    nested: bool = False,
) -> Layout:
    """The layout of one measure: of one data set's samples, or of data sets where there are many.

    Several samples per data set are averaged within it, over the samples that every algorithm has,
    or stay apart as `nested` blocks, which statements about just these data sets need.
    """
    if target and target not in TARGETS:
        raise InferenceError(unknown("target", target, TARGETS))
    results = results if dataset is None else results.filter(dataset=dataset)
    chosen = _measure(results, measure)
    table = results.values(chosen.name)
    table = table.assign(value=table["value"] * chosen.sign)
    if np.isinf(table["value"].to_numpy(float)).any():
        raise InferenceError(
            f"The measure '{chosen.name}' has infinite scores, which no mean or test can use; "
            "remove them or choose another measure."
        )
    many = len(results.datasets) > 1
    _refuse_sizes(results)
    if nested and not many:
        raise InferenceError(
            "Samples within data sets need several data sets, and there is one: leave out nested, "
            "or name another procedure."
        )
    apart = _nested if nested or target == "datasets" else _by_dataset
    made = (apart if many else _by_sample)(results, table, chosen, target)
    if many:
        made = replace(made, notes=(*exclusion_notes(results), *made.notes))
    # of a series no block may go: its neighbours would seem to follow each other
    return made if made.block == "origin" else made.begun()


def _refuse_sizes(results: Results) -> None:
    """Refuse training sizes of one data set side by side: they are no sample of data sets."""
    of = [results.facts.get(name, {}).get("of") for name in results.datasets]
    twice = next((name for name in of if name is not None and of.count(name) > 1), None)
    if twice is not None:
        sizes = [name for name, base in zip(results.datasets, of, strict=True) if base == twice]
        raise InferenceError(
            f"'{sizes[0]}' and '{sizes[1]}' are training sizes of one data set, not two data sets: "
            f"compare one size at a time, as in --dataset '{sizes[0]}' (dataset=), or look at "
            "podium.learning_curve."
        )


def _measure(results: Results, name: str | None) -> Measure:
    known = list(results.measures)
    if name is not None:
        if name not in known and name not in TIMES:
            raise InferenceError(unknown("measure of these results", name, known))
        return results.measure(name)
    if len(known) != 1:
        raise InferenceError(
            f"The results have {len(known)} measures ({', '.join(known)}): say which one, "
            f"as in --measure {known[0] if known else 'error'} (measure=)."
        )
    return results.measure(known[0])


def _cells(table: pd.DataFrame, algorithms: list[str]) -> pd.DataFrame:
    wide = table.pivot(index="sample", columns="algorithm", values="value")
    return wide.reindex(columns=algorithms).sort_index()


def _blocks(results: Results, table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Samples x algorithms of all data sets, and the number of each sample's data set."""
    dataset = pd.Index(results.datasets).get_indexer(table["dataset"])
    algorithm = pd.Index(results.algorithms).get_indexer(table["algorithm"])
    sample = table["sample"].to_numpy(np.int64)
    first = int(sample.min(initial=0))
    span = int(sample.max(initial=0)) - first + 1
    block, place = np.unique(dataset * span + (sample - first), return_inverse=True)
    values = np.full((len(block), len(results.algorithms)), np.nan)
    values[place, algorithm] = table["value"].to_numpy(float)
    return values, block // span


def _averaged(values: np.ndarray, within: np.ndarray, groups: int) -> np.ndarray:
    """Means within groups over the values that are there; NaN where there are none."""
    here = np.isfinite(values)
    sums, counts = np.zeros((2, groups, values.shape[1]))
    np.add.at(sums, within, np.where(here, values, 0.0))
    np.add.at(counts, within, here)
    return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


def _by_dataset(results: Results, table: pd.DataFrame, measure: Measure, target: str) -> Layout:
    values, within = _blocks(results, table)
    count = len(results.datasets)
    own = results.sampling is not None and results.sampling.independent
    kept = np.ones(len(values), dtype=bool) if own else _shared(values, within, count)
    samples = np.bincount(within[kept])
    dropped = int((~kept).sum())
    notes: tuple[Note, ...] = ()
    if samples.max(initial=0) > 1:
        notes += (Note("averaged", text=_averaging(samples[samples > 0])),)
    if dropped:
        notes += (
            Note("incomplete-samples", text=f"{dropped} samples lack a score and were left out."),
        )
    return Layout(
        _averaged(values[kept], within[kept], count),
        tuple(results.algorithms),
        "dataset",
        target or DEFAULT_TARGETS["dataset"],
        measure,
        results.sampling,
        population=results.population,
        notes=notes,
        labels=tuple(results.datasets),
    )


def _averaging(samples: np.ndarray) -> str:
    """What the plain average of samples does, and what it loses."""
    text = f"Up to {samples.max()} samples were averaged within each data set"
    if np.ptp(samples):
        text += (
            f"; those with {samples.min()} count as much as those with {samples.max()}, which "
            "loses some power: survey-random weighs them"
        )
    return text + "."


def _shared(values: np.ndarray, within: np.ndarray, count: int) -> np.ndarray:
    """The samples that every algorithm has; one without any score here is a gap, no obstacle."""
    here = np.isfinite(values)
    present = np.zeros((count, values.shape[1]), dtype=bool)
    np.logical_or.at(present, within, here)
    return np.asarray((here | ~present[within]).all(axis=1))


def _nested(results: Results, table: pd.DataFrame, measure: Measure, target: str) -> Layout:
    """The samples of all data sets, gaps included."""
    if results.sampling is not None and results.sampling.independent:
        raise InferenceError(
            "Where every algorithm has samples of its own, nothing pairs them within data sets: "
            "ask for the target 'dataset-population', which averages them."
        )
    values, within = _blocks(results, table)
    return Layout(
        values,
        tuple(results.algorithms),
        "nested",
        target or DEFAULT_TARGETS["nested"],
        measure,
        results.sampling,
        population=results.population,
        within=within,
        datasets=tuple(results.datasets),
    )


def _by_sample(results: Results, table: pd.DataFrame, measure: Measure, target: str) -> Layout:
    sampling, dataset = results.sampling, results.datasets[0]
    if sampling is not None and (sampling.name, sampling.count, sampling.folds) == FIVE_BY_TWO:
        sampling = replace(sampling, name="5x2cv", samples=None, folds=None)
    if sampling is None:
        raise InferenceError(
            "How the samples of one data set were drawn decides which test is legal, and this "
            "table does not say it: add --sampling (in Python sampling=), such as bootstrap, "
            "cv:10, repeated-cv:10x10, 5x2cv, subsampling:0.9, simulation, rolling-origin or items "
            "(bootstrap+independent where every algorithm has samples of its own)."
        )
    if sampling.replicate == "split":
        raise InferenceError(
            f"One split ('{sampling}') has no replicates to judge differences by: analyse its "
            "items (sampling=items), or draw more splits."
        )
    samples = np.sort(results.runs["sample"].unique())
    facts = results.facts.get(dataset, {})
    block = block_of(sampling)
    if block == "simulation" and facts.get("fresh_test") is False:
        block = "training-set"  # fresh learning samples, all tested on one test sample
    clusters, sets, items = (_labels(facts, f) for f in ("clusters", "training_sets", "items"))
    made = Layout(
        _cells(table, results.algorithms).reindex(samples).to_numpy(float),
        tuple(results.algorithms),
        block if sets is None else "crossed",
        target,
        measure,
        sampling,
        dataset,
        _drawn_from(sampling, facts),
        facts.get("size"),
        results.population,
        clusters,
        training_sets=sets,
        items=items,
    )
    return _retargeted(made)


def _drawn_from(sampling: Sampling, facts: Mapping[str, Any]) -> int | None:
    """The number of rows that samples are drawn from, where known."""
    merged = facts.get("n_test", 0) if sampling.name == "bootstrap-2n" else 0
    return facts["n"] + merged if "n" in facts else None


def block_of(sampling: Sampling) -> str:
    """What one sample of a sampling is as a block."""
    return f"independent-{sampling.replicate}" if sampling.independent else sampling.replicate


def _labels(facts: Mapping[str, Any], of: str) -> np.ndarray | None:
    """What each sample belongs to, where it belongs to something."""
    return np.asarray(facts[of]) if of in facts else None


def _retargeted(made: Layout) -> Layout:
    """With its default target; folds about the sample at hand become whole repetitions."""
    if made.block == "fold" and made.target == "sample":
        return _repetitions(made)
    return replace(made, target=made.target or DEFAULT_TARGETS[made.block])


def _repetitions(made: Layout) -> Layout:
    folds = made.sampling.folds_per_repeat if made.sampling else None
    if not folds or len(made.values) % folds or len(made.values) // folds < 2:
        raise InferenceError(
            f"The folds of '{made.sampling}' are dependent and one cross-validation has no "
            "replicate: for the target 'sample' repeat it (repeated-cv:10x10), or ask for the "
            "target 'population' with corrected-t."
        )
    # a repetition with a missing fold is a missing cell: its mean is not comparable
    values = made.values.reshape(-1, folds, made.values.shape[1]).mean(axis=1)
    note = Note(
        "averaged", text=f"The {folds} folds of each of {len(values)} repetitions were averaged."
    )
    return replace(made, values=values, block="repetition", notes=(*made.notes, note))


def clustered(made: Layout) -> Layout:
    """Items averaged within their clusters: clusters, not items, are independent."""
    if made.clusters is None:
        return made
    made = made.complete()  # means over different items are not comparable
    means = pd.DataFrame(made.values).groupby(made.clusters, sort=False).mean().to_numpy()
    note = Note(
        "averaged", text=f"{len(made.values)} items were averaged within {len(means)} clusters."
    )
    notes = (*made.notes, note)
    return replace(made, values=means, clusters=None, of_clusters=True, notes=notes, labels=())
