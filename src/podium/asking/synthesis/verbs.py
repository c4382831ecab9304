"""Several studies together, of what they report or of their scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.synthesis.pooled_pairs import (
    Level,
    compared_pairs,
    of_network,
    p_scores,
    pair_by_pair,
)
from podium.asking.synthesis.random_effects import LEAST_FOR_BIAS, LEAST_STUDIES, METHODS
from podium.asking.synthesis.reported_studies import (
    CONTENT,
    Pair,
    Parts,
    Reported,
    check_apart,
    check_names,
    is_of_studies,
    of_means,
    studies_in,
)
from podium.asking.synthesis.words import (
    PAIRS_INSTEAD,
    SAME_OVER_STUDIES,
    meta_heading,
    meta_verdict,
)
from podium.core.base.errors import InferenceError, PodiumError, ResultsError
from podium.core.base.options import takes
from podium.core.inference.bricks.adjustments import sidak
from podium.core.inference.bricks.estimates import corrected_means, means
from podium.core.inference.comparing.arranging import layout
from podium.core.inference.layouts import Layout
from podium.core.questions.measures import Measure
from podium.core.questions.options import check_alpha
from podium.core.questions.targets import (
    BLOCKS,
    DATASET,
    SIMULATION,
    STUDY,
    STUDY_POPULATION,
    claim,
    said_of,
)
from podium.core.results.measure_names import known_measure
from podium.core.results.results import Results
from podium.core.words.facts import DETAIL, REMARK, Hypothesis, Note, Statement
from podium.core.words.listening import tell_first
from podium.core.words.saying import Presented, write_as_csv, written
from podium.core.words.statements import statement
from podium.reading.cells.columns import Tabular
from podium.reading.cells.vocabulary import said_rows
from podium.reading.files.tabular import tabular
from podium.reading.formats import read
from podium.reading.formats.record import Source
from podium.reading.formats.records import one_table
from podium.reading.formats.stores import is_store
from podium.reading.loading.sources import FILE, is_archive, one_frame

# -- studies together ---------------------------------------------------------------------------
# Several studies together: every pair over the studies that compared it, or a network.
#
# Pair by pair each difference has random effects of its own, by REML with Hartung and Knapp's
# error and by the plain t over studies, of which the more careful counts. A network takes all
# studies at once, with one tau, so that algorithms which no study compared can be compared
# through others; t has the df that the contrasts leave. Limits are for all pairs at once, and
# they decide.


UNDECIDED = "undecided"
ROUGH = 30  # studies, below which an interval of prediction covers less than it says


@dataclass(frozen=True, eq=False, repr=False)
class MetaAnalysis(Presented):
    """Studies taken together.

    Attributes
    ----------
    pairs : one row per pair: over how many studies, first less second with its standard error and
        limits (for all pairs at once), p, p adjusted (Šidák) over the pairs, tau2 between studies
        with its interval, i2 (the share of the variation that is between studies), Q, the interval
        of the result of a new study, the verdict (decided where the limits exclude 0), and Egger's
        t and p where 10 studies allow it.
    studies : one row per study and pair: its difference, standard error, and weight.
    network : of a network its tau2, Q, I2 and inconsistency, else None.
    splits : of a network what studies of a pair say directly, and what all others say.
    scores : of a network the P-score of each algorithm: how surely it is better than the others.
    """

    pairs: pd.DataFrame
    studies: pd.DataFrame
    names: tuple[str, ...]
    measure: str
    higher_is_better: bool | None
    method: str
    alpha: float
    statement: str
    network: dict[str, Any] | None
    splits: pd.DataFrame
    scores: pd.DataFrame
    notes: tuple[Note, ...]
    target: str = STUDY_POPULATION

    def _lines_above(self) -> list[str]:
        texts = [
            meta_verdict(row, self.measure, self.alpha)
            for row in self.pairs.to_dict("records")
            if len(self.pairs) == 1 or row["verdict"] != UNDECIDED
        ]
        heading = meta_heading(
            self.measure,
            self.higher_is_better,
            len(self.names),
            self.method,
            self.network,
            texts,
            by_dataset="datasets" in self.pairs,
        )
        return [*heading, self.statement]

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {
            "Pairs": _judgement(self.pairs),
            "How studies differ, and what a new one would show": _spread(
                self.pairs, self.network is not None
            ),
            "Direct against indirect": self.splits,
            "P-scores": self.scores,
            "Studies": self.studies,
        }

    def to_csv(self, path: str | Path | None = None) -> str:
        """All that is known of the pairs, as CSV."""
        return written(write_as_csv(_flat(self.pairs)), path)

    def _facts(self) -> dict[str, Any]:
        network = self.network and self.network | {"splits": self.splits, "scores": self.scores}
        return {
            "measure": self.measure,
            "higher_is_better": self.higher_is_better,
            "blocks": {"kind": STUDY, "count": len(self.names)},
            "target": self.target,
            "statement": self.statement,
            "method": self.method,
            "alpha": self.alpha,
            "pairs": self.pairs,
            "studies": self.studies,
            "network": network,
            "warnings": self.notes,
        }


PAIR, NEW = ["first", "second"], ["new_lower", "new_upper"]
BETWEEN = ["tau2", "tau2_dataset", "tau2_rest", "i2"]
EGGER = ["egger_t", "egger_p"]


def _judgement(pairs: pd.DataFrame) -> pd.DataFrame:
    """What is said of the mean over studies, as far as a terminal is wide; CSV has the rest."""
    error, p = (["error"], "p") if len(pairs) == 1 else ([], "p_adjusted")
    limits = ["estimate", *error, "lower", "upper"]
    return _some(_flat(pairs), [*PAIR, "studies", "datasets", *limits, p, "verdict"])


def _spread(pairs: pd.DataFrame, network: bool) -> pd.DataFrame:
    """How studies differ, which a network says of all pairs at once."""
    between = [] if network else BETWEEN
    return _some(_flat(pairs), [*PAIR, *between, *NEW, *EGGER])


def _some(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    return table[[name for name in names if name in table]]


def _flat(pairs: pd.DataFrame) -> pd.DataFrame:
    """The pairs with two columns for every interval, less what only JSON holds."""
    lower, upper = (pairs["prediction"].str[side] for side in (0, 1))
    some = pairs.drop(columns=["prediction", "tau2_interval", "q", "df"])
    place = some.columns.get_loc("verdict")
    some.insert(place, "new_lower", lower)
    some.insert(place + 1, "new_upper", upper)
    return some.dropna(axis=1, how="all")


def together(
    studies: Sequence[Reported],
    *,
    network: bool,
    measure: str,
    higher_is_better: bool | None,
    method: str,
    alpha: float,
) -> MetaAnalysis:
    """Studies taken together, pair by pair or as a network."""
    check_alpha(alpha)
    METHODS[method]
    if len(studies) < LEAST_STUDIES:
        raise InferenceError(
            f"A synthesis needs {LEAST_STUDIES} studies, and there is {len(studies)}: "
            "name more stores or tables, or name the column of studies by --by."
        )
    check_names(studies)
    every = compared_pairs(studies)
    if network:
        check_apart(studies, PAIRS_INSTEAD)
        result = of_network(studies, method, alpha)
        family = len(result.pairs)
    else:
        family = len(every)
        result = pair_by_pair(studies, every, method, Level(alpha, family))
    table = _judged(result.pairs, higher_is_better, family)
    fewest = len(studies) if network else int(table["studies"].min())
    modelled = network or "datasets" in table  # by tau, what a new study would show
    notes = _limits_of_studies(table, higher_is_better, fewest, modelled)
    return MetaAnalysis(
        table,
        result.rows,
        tuple(s.name for s in studies),
        measure or "estimate",
        higher_is_better,
        method,
        alpha,
        _stated(measure),
        result.facts,
        result.splits,
        p_scores(result.fitted, higher_is_better),
        (
            *result.notes,
            *_messages(studies),
            *notes,
        ),
    )


# -- what is said ---------------------------------------------------------------------------------


def _judged(table: pd.DataFrame, higher_is_better: bool | None, family: int) -> pd.DataFrame:
    """With p adjusted over the pairs, and verdicts; without a direction these tell the sign."""
    if higher_is_better is None:
        words = ("higher", "lower")
    else:
        words = ("better", "worse") if higher_is_better else ("worse", "better")
    adjusted = np.fmax(sidak(table["p"].to_numpy(float), family), table["p"])
    table.insert(table.columns.get_loc("p") + 1, "p_adjusted", adjusted)
    verdicts = np.select([table["lower"] > 0, table["upper"] < 0], words, UNDECIDED)
    table.insert(table.columns.get_loc("prediction") + 1, "verdict", verdicts)
    return table


def _stated(measure: str) -> str:
    text = said_of(STUDY, STUDY_POPULATION)
    tested = Hypothesis(SAME_OVER_STUDIES)
    return statement(Statement(tested, measure, STUDY, STUDY_POPULATION, text))


def _messages(studies: Sequence[Reported]) -> Iterator[Note]:
    """What is said of single studies, together where it is the same."""
    every = [note for study in studies for note in study.notes]
    for code in dict.fromkeys(note.code for note in every):
        same = [note for note in every if note.code == code]
        yield Note(code, studies=tuple(note.study for note in same))


def _limits_of_studies(
    table: pd.DataFrame, higher_is_better: bool | None, fewest: int, modelled: bool
) -> Iterator[Note]:
    if higher_is_better is None:
        yield Note("direction-not-said", REMARK)
    if modelled and fewest < ROUGH:
        yield Note("prediction-rough", REMARK, studies=fewest, least=ROUGH)
    tested = table[table["egger_p"].notna()]
    odd = tested[tested["egger_p"] < 0.05]
    if len(odd):
        pairs = tuple(zip(odd["first"], odd["second"], strict=True))
        yield Note("small-studies-differ", pairs=pairs, p=float(odd["egger_p"].min()))
    if not len(tested):
        yield Note("bias-not-tested", DETAIL, least=LEAST_FOR_BIAS)


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


NAMED_BY = "study"  # what is taken together


@takes("reading", "alpha")
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
        scores and Results are a study each, also as a mapping from names, or files of a folder.
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
    reading = {name: value for name, value in options.items() if value not in (None, ())}
    studies = _files_of(studies) if by is None else _as_one(studies)
    table = _table(studies)
    if table is not None and is_of_studies(table.columns, by):
        result, judged = studies_in(_chosen(table, reading), by), None
    else:
        each = table is None and by == NAMED_BY  # a store is a study, whatever is said
        parts = _names(studies, table) if by is None or each else _split(table, by)
        tell_first([Note("studies-read", REMARK, studies=tuple(parts), scores=True)])
        result, judged = _of_scores(parts, measure, reading)
    tell_first([Note("studies-read", REMARK, studies=tuple(r.name for r in result), scores=False)])
    name, direction = _measured(measure, higher_is_better, judged)
    return together(
        result,
        network=network,
        measure=name,
        higher_is_better=direction,
        method=method,
        alpha=alpha,
    )


def _files_of(studies: Any) -> Any:
    """The files of a folder or archive, of which each is a study; anything else as it is."""
    if isinstance(studies, (list, tuple)) and len(studies) == 1:
        studies = studies[0]
    if not isinstance(studies, (str, Path)):
        return studies
    if Path(studies).is_dir():
        return list(Source(studies).files)
    frame = one_frame(studies) if is_archive(Path(studies)) else None
    if not isinstance(frame, pd.DataFrame) or FILE not in frame:
        return studies
    names = frame[FILE].astype(str)
    parts = {name: frame[names == name].drop(columns=FILE) for name in dict.fromkeys(names)}
    return {name: part.reset_index(drop=True) for name, part in parts.items()}


def _as_one(studies: Any) -> Any:
    """Several tables as one, in which a column tells studies apart; stores are a study each."""
    several = studies if isinstance(studies, (list, tuple)) else [studies]
    paths = [Path(one) for one in several if isinstance(one, (str, Path))]
    return one_frame(studies) if paths and not any(map(is_store, paths)) else studies


def _chosen(table: Tabular, reading: Mapping[str, Any]) -> Tabular:
    """The rows of what studies report that count; other options are for scores."""
    if odd := [name for name in reading if name not in ("where", "higher_is_better")]:
        raise ResultsError(f"{odd[0]} is for scores, not for what studies report: leave it out.")
    rows = said_rows(reading.get("where"))
    for column in rows:
        table.check_column(column)
    kept = [table.texts(column).isin(values).to_numpy() for column, values in rows.items()]
    if not kept:
        return table
    frame = table.frame[np.logical_and.reduce(kept)].reset_index(drop=True)
    return replace(table, frame=frame, known={})


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
        return {str(name): study for name, study in studies.items()}
    several = studies if isinstance(studies, (list, tuple)) else [studies]
    names = [_name(study, i) for i, study in enumerate(several, 1)]
    whole = [n if names.count(n) == 1 else _longer(study, i) for i, (n, study) in
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
    try:
        return read(source) if store else read(source, measure=measure, **reading)
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
