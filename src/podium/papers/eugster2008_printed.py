"""What Eugster, Hothorn & Leisch (2008) print: colours, orders, Tables 1, 2, 4 and Appendix A.2.

The paper's key of colours contradicts its numbers: orange is naive Bayes, yellow is knn, purple is
lda. The coefficient of data set U has lost its sign.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pandas as pd

from podium.orders.distances import distance
from podium.orders.notation import parse_order
from podium.orders.order import Order
from podium.papers.replication import Cell, printed

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

MEANS_ALONE = "blue < red < green < yellow < purple < orange"
MEANS_APART = "blue ≈ red < green < yellow ≈ purple ≈ orange"
MINIMAX = "blue < red ≈ purple ≈ orange < green < yellow"
QUANTILES = "blue < red < purple ≈ orange < green < yellow"  # R_w of section 3.3
QUANTILES_NEAR = "blue ≈ red < purple ≈ orange < green < yellow"
TESTED = "blue ≈ red < green < orange ≈ purple ≈ yellow"  # R_m, and the order of the rank test
TIME = "red < purple < orange < yellow < green < blue"  # R_c
HIERARCHICAL = "blue < red < green < purple < orange < yellow"
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
    "red < blue < purple < orange < green < yellow",
    "blue < red < purple < orange < green < yellow",
)
SURVEY_CONSENSUS = (
    "blue < purple < red < green < orange < yellow",
    "blue < purple < red < green < yellow < orange",
)
SURVEY_MODEL = "blue < red ≈ orange ≈ green < yellow < purple"

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
    said = f"Ours: {ours.text}." if paper == ours else f"Paper: {paper.text}. Ours: {ours.text}."
    apart = float(distance(paper, ours))
    return Cell(table, row, "distance of orders", 0, apart, note=f"{said} {note}".strip())


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
    found = np.array([[known.reindex(_effects(name, x)).sum() for name in names] for x in letters])
    return pd.DataFrame(found, letters, names)


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
