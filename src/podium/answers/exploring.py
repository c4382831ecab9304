"""Single scores that a page holds, by data set or sample, and what sets some of these apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from podium.answers.record import block_scores
from podium.inference.layouts.layouts import Layout
from podium.reading.results import Results
from podium.reading.sample_facts import dataset_numbers, sample_facts
from podium.reports.analysis import Analysis, Evidence
from podium.reports.board import rounded
from podium.reports.score_words import dataset_fact, item_fact, sample_fact

MOST_VALUES = 20_000  # scores that a page holds
MOST_BLOCKS = 600  # data sets or samples that pictures show
Fact = tuple[str, list[float | int | None]]  # a label, and a number per block


@dataclass(frozen=True, eq=False)
class Explored:
    """Scores of one measure, blocks x algorithms, larger is better, with the names of blocks."""

    results: Results
    layout: Layout
    values: np.ndarray
    names: tuple[str, ...]
    noun: str
    are_datasets: bool

    def facts(self) -> list[Fact]:
        """Numbers of every block: characteristics of data sets, or of the test parts of samples."""
        return [(label, [rounded(float(v)) for v in of]) for label, of in self._facts()]

    def _facts(self) -> Iterator[tuple[str, np.ndarray]]:
        if self.are_datasets:
            numbers = dataset_numbers(self.results, self.names)
            yield from ((dataset_fact(name), of) for name, of in numbers.items())
            return
        data = self.results.datasets[0]
        for known in sample_facts(self.results, {data: [int(n) for n in self.names]}).values():
            yield from ((sample_fact(*of), v) for of, v in known.numbers.items())
            for (row, loss), tested in zip(known.items, known.tested, strict=True):
                yield item_fact(row, loss, missed=known.missed), tested.astype(float)


def explored(analysis: Analysis) -> Explored | None:
    """The scores of the page's first measure; None where they are no table, or too many."""
    return None if analysis.first is None else scores_of(analysis.first, analysis.results)


def scores_of(evidence: Evidence, results: Results) -> Explored | None:
    """The same of one measure."""
    made, c = evidence.layout, evidence.comparisons
    if made is None or c.blocks.partial or len(made.algorithms) < 2:
        return None
    if made.items.linearised is not None:  # influence values are no scores
        return None
    values, labels = block_scores(made)
    names = tuple(map(str, labels)) or _samples(made, results)
    fits = 1 < len(names) <= MOST_BLOCKS and values.size <= MOST_VALUES
    if not fits or len(names) != len(values) or made.is_binary:
        return None
    return Explored(results, made, values, names, c.blocks.noun, bool(labels))


def _samples(made: Layout, results: Results) -> tuple[str, ...]:
    """The numbers of the samples of the one data set."""
    runs = results.runs
    if made.origin.dataset:
        runs = runs[runs["dataset"] == made.origin.dataset]
    return tuple(str(n) for n in sorted(runs["sample"].unique()))
