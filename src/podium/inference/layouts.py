"""Layouts: the blocks x algorithms view of results that answers one question.

The only place that knows whether large is good: from here on, larger is better. What a block is
(resample, repetition, simulation, fold, item, dataset) follows from how the samples were drawn
and decides, with the target, which inference is legal (`legality.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from podium.comparisons import Note
from podium.errors import InferenceError
from podium.measures import TIMES, Measure
from podium.registry import unknown
from podium.results.results import Results
from podium.samplings import Sampling

BLOCKS = {
    "resample": "samples drawn from one learning sample",
    "repetition": "repetitions of a cross-validation, each averaged over its folds",
    "simulation": "independent samples from a known process",
    "fold": "folds that share training rows",
    "item": "items of one test set",
    "dataset": "data sets",
}
DEFAULT_TARGETS = {
    "resample": "sample",
    "repetition": "sample",
    "simulation": "population",
    "fold": "population",
    "item": "test-set",
    "dataset": "dataset-population",
}
TARGETS = ("sample", "test-set", "population", "datasets", "dataset-population")
MISSING = ("complete", "worst")
FIVE_BY_TWO = ("repeated-cv", 10, 2)  # another way to write 5x2cv


@dataclass(frozen=True, eq=False)
class Layout:
    """Blocks x algorithms; larger is better; a missing cell is NaN."""

    values: np.ndarray
    algorithms: tuple[str, ...]
    block: str
    target: str
    measure: Measure
    sampling: Sampling | None = None
    dataset: str = ""  # the one data set, empty where blocks are data sets
    rows: int | None = None  # of the data set, where known
    population: str = ""  # the area of application, in the user's words
    clusters: np.ndarray | None = None  # of items
    of_clusters: bool = False  # blocks are means of clusters of items
    notes: tuple[Note, ...] = field(default=())

    @property
    def sign(self) -> int:
        """What turns larger-is-better back into the measure's own sign."""
        return 1 if self.measure.higher_is_better else -1

    @property
    def block_text(self) -> str:
        """What the blocks are, in words."""
        return ("clusters of " if self.of_clusters else "") + BLOCKS[self.block]

    @property
    def has_gaps(self) -> bool:
        """Whether a cell is missing."""
        return bool(np.isnan(self.values).any())

    def means(self) -> dict[str, float]:
        """The mean of every algorithm over the blocks it has, in the measure's own sign."""
        counts = (~np.isnan(self.values)).sum(axis=0)
        sums = np.nansum(self.values, axis=0)
        means = np.divide(sums, counts, out=np.full(len(counts), np.nan), where=counts > 0)
        return dict(zip(self.algorithms, (self.sign * means + 0.0).tolist(), strict=True))

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
            f"{int((~whole).sum())} of {len(whole)} blocks lack a score "
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
        return self._only_blocks(begun, Note("empty-blocks", text))

    def _only_blocks(self, kept: np.ndarray, note: Note) -> Layout:
        clusters = None if self.clusters is None else self.clusters[kept]
        return replace(self, values=self.values[kept], clusters=clusters, notes=(*self.notes, note))

    def filled(self) -> Layout:
        """With the worst possible value, or else the worst one seen, in every missing cell."""
        gaps = np.isnan(self.values)
        if not gaps.any():
            return self
        bound = self.measure.bounds[0] if self.measure.higher_is_better else self.measure.bounds[1]
        worst = self.sign * bound if np.isfinite(bound) else float(np.nanmin(self.values))
        note = Note(
            "worst-case-values",
            f"{int(gaps.sum())} missing scores ({_where(self)}) were set to the worst "
            f"{'possible' if np.isfinite(bound) else 'observed'} value, {self.sign * worst:g}.",
        )
        values = np.where(gaps, worst, self.values)
        return replace(self, values=values, notes=(*self.notes, note))


def _where(layout: Layout) -> str:
    counts = np.isnan(layout.values).sum(axis=0)
    gone = [f"{a}: {n}" for a, n in zip(layout.algorithms, counts, strict=True) if n]
    return ", ".join(gone[:5]) + (", ..." if len(gone) > 5 else "")


def layout(
    results: Results, *, measure: str | None = None, dataset: str | None = None, target: str = ""
) -> Layout:
    """The layout of one measure: of one data set's samples, or of data sets where there are many.

    Several samples per data set are averaged within it, over the samples that every algorithm has.
    """
    if target and target not in TARGETS:
        raise InferenceError(unknown("target", target, TARGETS))
    results = results if dataset is None else results.filter(dataset=dataset)
    chosen = _measure(results, measure)
    table = results.values(chosen.name)
    table = table.assign(value=table["value"] * (1 if chosen.higher_is_better else -1))
    if np.isinf(table["value"].to_numpy(float)).any():
        raise InferenceError(
            f"The measure '{chosen.name}' has infinite scores, which no mean or test can use; "
            "remove them or choose another measure."
        )
    many = len(results.datasets) > 1
    made = (_by_dataset if many else _by_sample)(results, table, chosen, target)
    return made.begun()


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


def _by_dataset(results: Results, table: pd.DataFrame, measure: Measure, target: str) -> Layout:
    cells = {
        name: _cells(table[table["dataset"] == name], results.algorithms)
        for name in results.datasets
    }
    shared = {name: _shared(samples) for name, samples in cells.items()}
    most = max(len(samples) for samples in cells.values())
    dropped = sum(len(cells[name]) - len(shared[name]) for name in cells)
    notes: tuple[Note, ...] = ()
    if most > 1:
        notes += (Note("averaged", f"Up to {most} samples were averaged within each data set."),)
    if dropped:
        notes += (Note("incomplete-samples", f"{dropped} samples lack a score and were left out."),)
    return Layout(
        np.array([samples.mean(axis=0).to_numpy(float) for samples in shared.values()]),
        tuple(results.algorithms),
        "dataset",
        target or DEFAULT_TARGETS["dataset"],
        measure,
        results.sampling,
        population=results.population,
        notes=notes,
    )


def _shared(cells: pd.DataFrame) -> pd.DataFrame:
    """The samples that every algorithm has; one without any score here is a gap, no obstacle."""
    present = cells.columns[cells.notna().any()]
    return cells.dropna(subset=present)


def _by_sample(results: Results, table: pd.DataFrame, measure: Measure, target: str) -> Layout:
    sampling, dataset = results.sampling, results.datasets[0]
    if sampling is not None and (sampling.name, sampling.count, sampling.folds) == FIVE_BY_TWO:
        sampling = replace(sampling, name="5x2cv", samples=None, folds=None)
    if sampling is None:
        raise InferenceError(
            "How the samples of one data set were drawn decides which test is legal, and this "
            "table does not say it: add --sampling (in Python sampling=), such as bootstrap, "
            "cv:10, repeated-cv:10x10, 5x2cv, subsampling:0.9, simulation or items."
        )
    if sampling.replicate == "split":
        raise InferenceError(
            f"One split ('{sampling}') has no replicates to judge differences by: analyse its "
            "items (sampling=items), or draw more splits."
        )
    samples = np.sort(results.runs["sample"].unique())
    facts = results.facts.get(dataset, {})
    clusters = facts.get("clusters")
    made = Layout(
        _cells(table, results.algorithms).reindex(samples).to_numpy(float),
        tuple(results.algorithms),
        sampling.replicate,
        target,
        measure,
        sampling,
        dataset,
        facts.get("n"),
        results.population,
        None if clusters is None else np.asarray(clusters),
    )
    return _retargeted(made)


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
        "averaged", f"The {folds} folds of each of {len(values)} repetitions were averaged."
    )
    return replace(made, values=values, block="repetition", notes=(*made.notes, note))


def clustered(made: Layout) -> Layout:
    """Items averaged within their clusters: clusters, not items, are independent."""
    if made.clusters is None:
        return made
    made = made.complete()  # means over different items are not comparable
    means = pd.DataFrame(made.values).groupby(made.clusters, sort=False).mean().to_numpy()
    note = Note("averaged", f"{len(made.values)} items were averaged within {len(means)} clusters.")
    return replace(made, values=means, clusters=None, of_clusters=True, notes=(*made.notes, note))
