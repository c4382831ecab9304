"""Several studies together, of what they report or of their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError, PodiumError, ResultsError
from podium.base.options import takes
from podium.inference.bricks.estimates import corrected_means, means
from podium.inference.comparing.arranging import layout
from podium.inference.layouts.layouts import Layout
from podium.questions.measures import Measure
from podium.questions.targets import BLOCKS, DATASET, SIMULATION, claim
from podium.reading.cells.columns import Tabular
from podium.reading.cells.measure_names import known_measure
from podium.reading.files.tabular import tabular
from podium.reading.formats import read
from podium.reading.formats.record import Source
from podium.reading.formats.records import one_table
from podium.reading.formats.stores import is_store
from podium.reading.results import Results
from podium.synthesis.reported_studies import (
    CONTENT,
    Pair,
    Parts,
    Reported,
    is_of_studies,
    of_means,
    studies_in,
)
from podium.synthesis.together import MetaAnalysis, together
from podium.words.facts import Note

# -- scores as a study ----------------------------------------------------------------------------
# Means of the algorithms, and how their errors vary together over blocks.
#
# The algorithms of a study were run on the same blocks, so that their means err together; that
# covariance is kept.


FEW = 10  # blocks of a study, below which its own error is hardly known


def study_of(name: str, results: Results, measure: str | None) -> tuple[Reported, Measure]:
    """What results say as one of several studies, and the measure they say it in."""
    made = layout(results, measure=measure)
    whole = made.complete()
    if len(whole.values) < 2:
        raise InferenceError(
            f"The study '{name}' has {len(whole.values)} rows with scores of all algorithms, and "
            "its error needs two: leave it out, or leave out an algorithm."
        )
    values, covariance = _estimates(name, whole)
    notes = _notes(name, made, whole)
    names = _identified(results)
    called = dict(zip(results.datasets, names, strict=False))
    marks = {called[d]: results.fingerprints.get(d) for d in results.datasets}
    contents = {one: mark for one, mark in marks.items() if mark}
    result = of_means(name, made.algorithms, values, covariance, names, notes, contents=contents)
    return replace(result, parts=_parts(result, whole, called)), made.measure


def _parts(result: Reported, whole: Layout, called: Mapping[str, str]) -> Mapping[Pair, Parts]:
    """The differences of every pair data set by data set, whose own errors may not be known."""
    if len(called) == 1:
        return {pair: dict.fromkeys(called.values(), of) for pair, of in result.pairs.items()}
    if whole.block != DATASET or not whole.labels:
        return {}
    values = whole.sign * whole.values
    names = [called.get(label, label) for label in whole.labels]
    return {
        (first, second): {n: (float(d), 0.0) for n, d in zip(names, differences, strict=True)}
        for (i, first), (j, second) in combinations(enumerate(whole.algorithms), 2)
        for differences in [values[:, i] - values[:, j]]
    }


def _estimates(name: str, whole: Layout) -> tuple[np.ndarray, np.ndarray]:
    """Means in the measure's own sign, by the design's own covariance."""
    block = BLOCKS[whole.block]
    if block.unpaired:
        spread = whole.values.var(axis=0, ddof=1) / len(whole.values)
        return whole.sign * whole.values.mean(axis=0), np.diag(spread)
    legal = claim(whole.block, whole.target)
    if not legal.plain and not legal.corrected:
        raise InferenceError(
            f"The error of the study '{name}' is not known from {block.text}: give its estimates "
            "and standard errors in a table (study, first, second, estimate, se)."
        )
    result = means(whole) if legal.plain else corrected_means(whole)
    return whole.sign * result.values, result.covariance


def _identified(results: Results) -> list[str]:
    """The data behind a study: by name and, where the store knows it, by content.

    Samples of a process that another seed draws are other data.
    """
    sampling = results.sampling
    fresh = sampling is not None and sampling.block == SIMULATION
    seed = f" (seed {results.seed})" if fresh else ""
    marks = [results.fingerprints.get(d) for d in results.datasets]
    same = [f"{CONTENT}{mark}" for mark in marks if mark]
    return [f"{name}{seed}" for name in (*results.datasets, *same)]


def _notes(name: str, made: Layout, whole: Layout) -> Sequence[Note]:
    gone = len(made.values) - len(whole.values)
    notes = [Note("study-gaps", study=name, blocks=gone, of=len(made.values))] * bool(gone)
    few = len(whole.values) < FEW
    notes += [Note("study-few-blocks", study=name, blocks=len(whole.values))] * few
    return [*notes, *[Note("study-unmixable", study=name)] * whole.is_unmixable]


# -- verbs ----------------------------------------------------------------------------------------
# Several studies together.


STUDY = "study"  # what is taken together


@takes("measure", "higher_is_better", "sampling", "columns", "alpha")
def meta(
    studies: Any,
    *,
    by: str | None = None,
    network: bool = False,
    method: str = "reml",
    **options: Any,
) -> MetaAnalysis:
    """What several studies say together: random effects of every pair, or a network of all.

    Parameters
    ----------
    studies : a table of what studies report, or several files or tables of scores
        The table has columns study, first, second, estimate, se; or study, algorithm, mean, sd, n;
        or study, algorithm, mean and a column of covariances for every algorithm. Stores, tables of
        scores and Results are a study each, also as a mapping from names.
    by : str | None
        The column that tells studies apart; of a table of scores, whose rows of one study are read
        as one.
    network : bool
        Take all studies at once, so that algorithms which no study compared are compared through
        others.
    method : str
        Of the variance between studies: reml, dl; pair by pair also ml, eb.

    Returns
    -------
    MetaAnalysis
        `.pairs` has one row each: estimate, limits, tau2, and what a new study would show.

    Examples
    --------
    >>> import pandas as pd
    >>> import podium
    >>> rows = [("A", 0.11, 0.03), ("B", 0.09, 0.02), ("C", 0.14, 0.04), ("D", 0.10, 0.03)]
    >>> table = pd.DataFrame(rows, columns=["study", "estimate", "se"])
    >>> table = table.assign(first="svm", second="lda")
    >>> result = podium.meta(table, measure="accuracy")
    >>> result.pairs["verdict"].tolist()
    ['better']
    """
    alpha, measure = options.pop("alpha"), options.pop("measure")
    higher_is_better = options["higher_is_better"]
    sampling, columns = options["sampling"], options["columns"]
    reading = {"sampling": sampling, "columns": columns, "higher_is_better": higher_is_better}
    table = _table(studies)
    if table is not None and is_of_studies(table.columns, by):
        result, judged = studies_in(table, by), None
        if sampling is not None or columns is not None:
            raise ResultsError("sampling and columns are for scores: leave them out.")
    else:
        each = table is None and by == STUDY  # a store is a study, whatever is said
        parts = _names(studies, table) if by is None or each else _split(table, by)
        result, judged = _of_scores(parts, measure, reading)
    name, direction = _measured(measure, higher_is_better, judged)
    return together(
        result,
        network=network,
        measure=name,
        higher_is_better=direction,
        method=method,
        alpha=alpha,
    )


def _table(studies: Any) -> Tabular | None:
    """The one table that is given; None for stores, results and several of them."""
    if isinstance(studies, (list, tuple)) and len(studies) == 1:
        studies = studies[0]
    if isinstance(studies, (str, Path)):
        return None if is_store(Path(studies)) else _in_file(Path(studies))
    if _are_records(studies):
        return tabular(pd.DataFrame(studies))
    if isinstance(studies, (Results, Mapping, list, tuple)):
        return None
    return tabular(studies)


def _in_file(path: Path) -> Tabular:
    """The table of a file, also of records in JSON."""
    source = Source(path) if path.is_file() else None
    if source is None or source.shape is None:
        return tabular(path)
    return replace(one_table(source), what=f"'{path}'", name=path.stem)


def _are_records(studies: Any) -> bool:
    """Whether a list holds what studies report, row by row."""
    if not isinstance(studies, (list, tuple)) or not studies:
        return False
    return all(isinstance(s, Mapping) and is_of_studies([*map(str, s)]) for s in studies)


def _split(table: Tabular | None, by: str) -> dict[str, Any]:
    """A table of scores by study."""
    if table is None:
        raise InferenceError(
            f"--by {by} separates studies of one table; each results file is a study: leave it out."
        )
    table.check_column(by)
    places, names = table.names(by)
    rest = table.frame.drop(columns=by)
    return {name: rest[places == i].reset_index(drop=True) for i, name in enumerate(names)}


def _names(studies: Any, table: Tabular | None) -> dict[str, Any]:
    """Every study by its name: that of its file, its own, or its number."""
    if table is not None:
        raise ResultsError(
            f"{table.what} does not say what its studies are: give the columns study, algorithm, "
            "mean, sd and n, or --by COLUMN (by=), or a file for every study."
        )
    if isinstance(studies, Mapping):
        return {str(name): of for name, of in studies.items()}
    several = studies if isinstance(studies, (list, tuple)) else [studies]
    names = [_name(of, i) for i, of in enumerate(several, 1)]
    whole = [n if names.count(n) == 1 else _longer(of, i) for i, (n, of) in
             enumerate(zip(names, several, strict=True), 1)]  # fmt: skip
    return dict(zip(whole, several, strict=True))


def _name(study: Any, number: int) -> str:
    if isinstance(study, (str, Path)):
        return Path(study).stem
    return (study.name if isinstance(study, Results) else "") or f"study {number}"


def _longer(study: Any, number: int) -> str:
    """A name for one of several that are called the same."""
    return f"{study} ({number})" if isinstance(study, (str, Path)) else f"study {number}"


def _of_scores(
    parts: Mapping[str, Any], measure: str | None, reading: Mapping[str, Any]
) -> tuple[list[Reported], Measure | None]:
    outcomes: list[Reported] = []
    measures: dict[str, Measure] = {}
    for name, source in parts.items():
        results = source if isinstance(source, Results) else _read(name, source, measure, reading)
        study, measures[name] = study_of(name, results, measure)
        outcomes.append(study)
    _check_measures(measures)
    return outcomes, next(iter(measures.values()), None)


def _read(name: str, source: Any, measure: str | None, reading: Mapping[str, Any]) -> Results:
    store = isinstance(source, (str, Path)) and is_store(Path(source))
    options = {k: v for k, v in reading.items() if v is not None}
    try:
        return read(source) if store else read(source, measure=measure, **options)
    except PodiumError as error:
        error.args = (f"The study '{name}': {error}", *error.args[1:])
        raise


def _check_measures(measures: Mapping[str, Measure]) -> None:
    names = {study: m.name for study, m in measures.items()}
    for study, name in names.items():
        first = next(iter(names))
        if name != names[first]:
            raise InferenceError(
                f"The study '{first}' is measured by {names[first]}, '{study}' by {name}: choose "
                "one that all have by --measure (measure=)."
            )


def _measured(
    measure: str | None, higher_is_better: bool | None, judged: Measure | None
) -> tuple[str, bool | None]:
    """The measure's name and its direction, as far as they are known."""
    if judged is not None:
        return judged.name, judged.higher_is_better
    known = known_measure(measure) if measure else None
    if higher_is_better is None and known is not None:
        higher_is_better = known.higher_is_better
    return measure or "", higher_is_better
