"""What Eugster, Hothorn & Leisch (2008) print, and the raw scores behind it.

Printed are colours, orders, Tables 1, 2, 4 and Appendix A.2. The paper's key of colours contradicts
its numbers: orange is naive Bayes, yellow is knn, purple is lda. The coefficient of data set U has
lost its sign.

The raw scores are read from a folder that the user has. They come with the R package benchmark
0.3-6, in which random forest stands where the paper has naive Bayes; the other five algorithms are
the paper's.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd

import podium
from podium import samplings
from podium.core.orders.distances import distance
from podium.core.orders.order import Order
from podium.core.orders.order import order as parse_order
from podium.core.results.results import Results
from podium.errors import PodiumError, ResultsError
from podium_lab.papers.replication import Cell, printed

# -- what is printed ------------------------------------------------------------------------------

NAMES = {
    "blue": "svm",
    "red": "rpart",
    "green": "nnet",
    "yellow": "knn",
    "purple": "lda",
    "orange": "nb",
}
MISSING = "nb"  # of naive Bayes no raw scores are kept, but for its means in Appendix A.2
FIVE = tuple(name for name in NAMES.values() if name != MISSING)
SAMPLES = 250
DIGITS = 0.00005  # half a unit of four decimals

MEANS_ALONE = "blue ≻ red ≻ green ≻ yellow ≻ purple ≻ orange"
MEANS_APART = "blue ≈ red ≻ green ≻ yellow ≈ purple ≈ orange"
MINIMAX = "blue ≻ red ≈ purple ≈ orange ≻ green ≻ yellow"
QUANTILES = "blue ≻ red ≻ purple ≈ orange ≻ green ≻ yellow"  # R_w of section 3.3
QUANTILES_NEAR = "blue ≈ red ≻ purple ≈ orange ≻ green ≻ yellow"
TESTED = "blue ≈ red ≻ green ≻ orange ≈ purple ≈ yellow"  # R_m, and the order of the rank test
TIME = "red ≻ purple ≻ orange ≻ yellow ≻ green ≻ blue"  # R_c
HIERARCHICAL = "blue ≻ red ≻ green ≻ purple ≻ orange ≻ yellow"
MEAN_AND_WORST = tuple(
    f"blue < red < {a} < {b} < {c} < yellow"
    for a, b, c in (
        ("green", "orange", "purple"),
        ("green", "purple", "orange"),
        ("orange", "green", "purple"),
        ("orange", "purple", "green"),
        ("purple", "green", "orange"),
        ("purple", "orange", "green"),
    )
)
ALL_THREE = (
    "red ≻ blue ≻ purple ≻ orange ≻ green ≻ yellow",
    "blue ≻ red ≻ purple ≻ orange ≻ green ≻ yellow",
)
SURVEY_CONSENSUS = (
    "blue ≻ purple ≻ red ≻ green ≻ orange ≻ yellow",
    "blue ≻ purple ≻ red ≻ green ≻ yellow ≻ orange",
)
SURVEY_MODEL = "blue ≻ red ≈ orange ≈ green ≻ yellow ≻ purple"

# what happens in a table of the survey, said in section 4.1
FIRST_PLACES = {"blue": 13, "purple": 8, "orange": 6}
LAST_PLACES = {"orange": 9}


def named(order: str) -> Order:
    """A printed order of colours as one of algorithms."""
    for colour, name in NAMES.items():
        order = order.replace(colour, name)
    return parse_order(order)


def order_cell(table: str, row: str, theirs: str | Order, ours: Order, note: str = "") -> Cell:
    """The distance of our order to the printed one, of the algorithms that ours has."""
    paper = named(theirs) if isinstance(theirs, str) else theirs
    paper = paper.restricted(ours.algorithms)
    text = f"Ours: {ours.text}." if paper == ours else f"Paper: {paper.text}. Ours: {ours.text}."
    apart = float(distance(paper, ours))
    return Cell(table, row, "distance of orders", 0, apart, note=f"{text} {note}".strip())


def orders_cell(table: str, row: str, theirs: tuple[str, ...], ours: list[Order]) -> list[Cell]:
    """How many orders there are, and how many of the printed ones are among ours."""
    both = len({named(text) for text in theirs} & set(ours))
    return [
        Cell(table, row, "number of orders", len(theirs), len(ours)),
        Cell(table, row, "of them printed", len(theirs), both),
    ]


@cache
def algorithms_table() -> pd.DataFrame:
    """Table 1, the quantiles, rank sums and effects of the mixed model, by algorithm."""
    return printed("eugster2008_table1").rename(index=NAMES)


@cache
def pairs_table() -> pd.DataFrame:
    """Section 3.2: differences of rank sums, second less first, with their p-values."""
    return printed("eugster2008_pairs").reset_index().replace(NAMES)


@cache
def datasets_table() -> pd.DataFrame:
    """Table 4 by letter."""
    return printed("eugster2008_datasets")


@cache
def distance_table() -> pd.DataFrame:
    """Table 2, both halves, by letter."""
    lower = printed("eugster2008_table2")
    letters = [*lower.columns, lower.index[0]]
    half = lower.reindex(index=letters, columns=letters).fillna(0.0)
    return half + half.T


@cache
def coefficients() -> pd.Series:
    """Appendix A.2 by effect (an algorithm, a letter, or algorithm:letter), as it is printed."""
    return printed("eugster2008_coefficients")["value"].rename(_effect)


def _effect(text: str) -> str:
    first, colon, letter = text.partition(":")
    return NAMES.get(first, first) + colon + letter


@cache
def cell_means() -> pd.DataFrame:
    """Letters x algorithms: the means that the coefficients of Appendix A.2 make.

    The intercept is svm on BreastCancer (K).
    """
    known = coefficients().copy()
    known["U"] *= -1  # printed without its sign
    letters, names = distance_table().index, list(NAMES.values())
    values = np.array([[known.reindex(_effects(name, x)).sum() for name in names] for x in letters])
    return pd.DataFrame(values, letters, names)


def _effects(name: str, letter: str) -> list[str]:
    """The coefficients that are summed for a cell; those of the first levels are 0."""
    return ["Intercept", name, letter, f"{name}:{letter}"]


@cache
def dataset_orders() -> dict[str, Order]:
    """By letter the orders that Appendix A.2 and Table 2 imply; the paper draws them (Figure 9)."""
    table = printed("eugster2008_orders").fillna("")
    return {str(row.Index): _with_alike(row.order, row.alike) for row in table.itertuples()}


def _with_alike(text: str, alike: str) -> Order:
    """An order in which neighbours among those named are ≈; this need not be transitive."""
    order, names = parse_order(text), alike.split()
    better = order.better.copy()
    for first, second in pairwise(names):
        better[order.algorithms.index(first), order.algorithms.index(second)] = False
    return Order(order.algorithms, better)


# -- raw scores -----------------------------------------------------------------------------------

FORM = {
    "monks3_wide.csv": "misclassification on MONK-3: b, lda, rf, knn, rpart, svm, nnet; 250 rows",
    "monks3_time_wide.csv": "seconds in the same form",
    "uci621_long.csv.gz": "misclassification in the survey: ds, b, alg, p; failed runs empty",
}


def table(data: Path | None, name: str) -> pd.DataFrame:
    """A file of the folder's `results`; without it, one sentence on what is needed."""
    form = f"results/{name} ({FORM[name]})"
    if data is None:
        raise ResultsError(
            f"This item needs raw scores: say --data DIR (data=DIR), a folder with {form}."
        )
    path = data / "results" / name
    if not path.is_file():
        raise ResultsError(f"'{data}' lacks {form}.")
    try:
        return pd.read_csv(path)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise ResultsError(f"'{path}' cannot be read as CSV: {error}.") from None


@lru_cache(4)
def experiment(data: Path | None, substitute: str = "") -> Results:
    """Errors of the five algorithms on MONK-3; under the name `substitute` a copy of lda.

    The paper's naive Bayes and lda differ by 0.0001 in the mean and by 1 of 1176 in the rank sum.
    """
    wide = _columns(table(data, "monks3_wide.csv"), "monks3_wide.csv", ["b", *FIVE])
    if substitute:
        wide = wide.assign(**{substitute: wide["lda"]})
    return _monks3(wide, "monks3_wide.csv", "error")


@lru_cache(1)
def times(data: Path | None) -> Results:
    """The seconds of the five algorithms on MONK-3, as the times of their runs.

    What is known is the sum of fitting and predicting; it is kept as the time of fitting.
    """
    name = "monks3_time_wide.csv"
    wide = _columns(table(data, name), name, ["b", *FIVE])
    result = _monks3(wide, name, "time")
    key = ["dataset", "algorithm", "sample"]
    seconds = result.runs[key].merge(result.values("time"), how="left")["value"].to_numpy()
    return replace(result, runs=result.runs.assign(fit_time=seconds, predict_time=0.0))


@lru_cache(2)
def survey(data: Path | None, forest: bool = False) -> Results:
    """Errors of the five algorithms on the 21 data sets, or of these and random forest.

    Samples in which one of them failed are left out: so the paper's coefficients are met.
    """
    name = "uci621_long.csv.gz"
    long = _columns(table(data, name), name, ["ds", "b", "alg", "p"])
    known = {name: label(letter) for letter, name in datasets_table()["name"].items()}
    algorithms = [*FIVE, "rf"] if forest else list(FIVE)
    kept = _complete(long[long["alg"].isin(algorithms)])
    kept = kept.assign(ds=kept["ds"].map(known), at=kept["alg"].map(algorithms.index))
    kept = kept.sort_values(["ds", "at", "b"]).drop(columns="at")
    _check_cells(kept, name, list(known), algorithms)
    columns = {"dataset": "ds", "sample": "b", "algorithm": "alg", "value": "p"}
    return replace(_read(kept, name, "error", columns), name="21 data sets")


def spreads(data: Path | None) -> dict[tuple[str, str], tuple[float, int]]:
    """Standard deviation and number of the raw scores, by letter and algorithm.

    Empty where there are no raw scores. Networks that get stuck spread far more than ours: one
    spread for both would make a printed mean look surer than it is.
    """
    name = "uci621_long.csv.gz"
    if data is None or not (data / "results" / name).is_file():
        return {}
    raw = table(data, name).dropna(subset="p")
    letters = {name: str(letter) for letter, name in datasets_table()["name"].items()}
    groups = raw.groupby(["ds", "alg"])["p"]
    return {(letters[str(of)], str(by)): (float(s.std(ddof=1)), len(s)) for (of, by), s in groups}


def standard_error(scores: np.ndarray, theirs: tuple[float, int] | None) -> float:
    """Of the difference of our mean and theirs; without raw scores our spread stands for theirs."""
    sd = float(scores.std(ddof=1)) if len(scores) > 1 else np.nan
    their_sd, count = theirs or (sd, SAMPLES)
    return float(np.sqrt(sd**2 / max(len(scores), 1) + their_sd**2 / count))


def _check_cells(long: pd.DataFrame, name: str, datasets: list[str], algorithms: list[str]) -> None:
    """Every algorithm has scores on every data set of the paper, and there are no others."""
    scored = long.groupby(["ds", "alg"])["p"].count()
    whole = len(scored) == len(datasets) * len(algorithms) and (scored >= 2).all()
    if not whole or long["ds"].isna().any():
        raise ResultsError(
            f"'{name}' shall hold scores of {', '.join(algorithms)} on the data sets "
            f"{', '.join(datasets)}, and on no others."
        )


def _complete(long: pd.DataFrame) -> pd.DataFrame:
    """No score where another algorithm has none in the same sample."""
    failed = long["p"].isna().groupby([long["ds"], long["b"]]).transform("any")
    return long.assign(p=long["p"].mask(failed))


def label(letter: object) -> str:
    """A data set's letter and name."""
    return f"{letter} {datasets_table().loc[letter, 'name']}"


def letter_of(name: str) -> str:
    """The letter of a labelled data set."""
    return name.partition(" ")[0]


def _columns(result: pd.DataFrame, name: str, wanted: list[str]) -> pd.DataFrame:
    for column in wanted:
        if column not in result.columns:
            raise ResultsError(f"'{name}' has no column '{column}'; it holds {FORM[name]}.")
    return result[wanted]


def _monks3(wide: pd.DataFrame, name: str, measure: str) -> Results:
    """A wide table of the experiment, its data set named."""
    long = wide.melt("b", var_name="algorithm", value_name="value").assign(dataset="monks3")
    return replace(_read(long, name, measure, {"sample": "b"}), name="monks3")


def _read(long: pd.DataFrame, name: str, measure: str, columns: dict[str, str]) -> Results:
    try:
        return podium.read(
            long, sampling=samplings.bootstrap(SAMPLES), measure=measure, columns=columns
        )
    except PodiumError as error:
        raise ResultsError(f"'{name}' shall hold {FORM[name]}. {error}") from None
