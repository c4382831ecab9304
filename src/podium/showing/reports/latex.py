"""The table of scores that papers print, as LaTeX; it needs booktabs and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from podium.core.base.errors import ResultsError
from podium.core.base.formatting import aligned, booktabs, latex
from podium.core.base.registry import unknown
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.orders.order import Order
from podium.core.questions.measures import TIMES, Measure
from podium.core.results.results import Results
from podium.core.words.saying import written
from podium.showing.reports.words import DAGGER, ScoreCells, score_caption, score_cells

Compared = Comparisons | Mapping[str, Comparisons] | DatasetOrders | None
MISSING = "--"


def scores_latex(
    results: Results,
    comparisons: Compared = None,
    order: Order | None = None,
    measure: str | None = None,
    *,
    control: str | None = None,
    transpose: bool | None = None,
    path: str | Path | None = None,
) -> str:
    """Means and standard deviations of every data set and algorithm, the best in bold.

    Parameters
    ----------
    comparisons : of one data set, or of many: a mapping from their names, or `by_dataset`'s value.
        Cells not significantly different from the best of their data set get a dagger, where the
        best was compared with all others.
    order : gives the sequence of the algorithms, the best first, and is said in the caption.
    measure : which, where there are several.
    control : wins, ties and losses are against this algorithm; without it they count how often an
        algorithm is the best alone, shares the best mean, or has it not.
    transpose : algorithms as rows; by default where there are more of them than data sets.
    """
    each = _each(comparisons)
    chosen = _measure(results, comparisons, each, measure)
    names = _algorithms(results, order)
    if control is not None and control not in names:
        raise ResultsError(unknown("algorithm of these results", control, names))
    cells = score_cells(results, chosen, names, each)
    turned = len(names) > len(cells.datasets) if transpose is None else transpose
    text = _table(cells, control, score_caption(results, cells, order, control), turned)
    return written(text, path)


# -- what is asked ------------------------------------------------------------------------------


def _each(comparisons: Compared) -> dict[str, Comparisons]:
    """The comparisons of single data sets, by their names."""
    if isinstance(comparisons, DatasetOrders):
        return dict(comparisons.comparisons)
    if isinstance(comparisons, Comparisons):
        return {comparisons.dataset: comparisons} if comparisons.dataset else {}
    return dict(comparisons or {})


def _measure(
    results: Results, comparisons: Compared, each: Mapping[str, Comparisons], name: str | None
) -> Measure:
    known = list(results.measures)
    measures = {c.measure for c in each.values()}
    if isinstance(comparisons, Comparisons):
        measures.add(comparisons.measure)
    wanted = name or (next(iter(measures)) if measures else known[0] if len(known) == 1 else None)
    if wanted is None:
        raise ResultsError(
            f"The results have {len(known)} measures ({', '.join(known)}): say which one the table "
            "is of, as in measure='error'."
        )
    if wanted not in (*known, *TIMES):
        raise ResultsError(unknown("measure of these results", wanted, known))
    if each and measures != {wanted}:
        raise ResultsError(
            f"The table is of '{wanted}' and the comparisons are of {', '.join(sorted(measures))}: "
            "compare by the same measure."
        )
    return results.measure(wanted)


def _algorithms(results: Results, order: Order | None) -> tuple[str, ...]:
    if order is None:
        return tuple(results.algorithms)
    listed = [name for group in order.groups for name in group]
    for name in listed:
        if name not in results.algorithms:
            raise ResultsError(unknown("algorithm of these results", name, results.algorithms))
    return (*listed, *(name for name in results.algorithms if name not in listed))


# -- texts --------------------------------------------------------------------------------------


def _table(cells: ScoreCells, control: str | None, caption: str, turned: bool) -> str:
    """Data sets below each other and a rule before what sums up; or turned, algorithms so."""
    head = ["algorithm" if turned else "data set", *map(latex, cells.algorithms)]
    rows = [[latex(name), *_row(cells, i)] for i, name in enumerate(cells.datasets)]
    sums = []
    if cells.is_ranked:
        sums = [["mean rank", *_mean_ranks(cells)], ["wins/ties/losses", *_counts(cells, control)]]
    bodies = [rows, sums]
    if turned:
        head, *body = map(list, zip(head, *rows, *sums, strict=True))
        bodies = [body]
    return booktabs(caption, "l" + "c" * (len(head) - 1), head, bodies, centred=True)


def _row(cells: ScoreCells, i: int) -> list[str]:
    """The cells of a data set, all with the same decimals."""
    means, sds = cells.means[i], cells.sds[i]
    texts = aligned([*means, *sds], _unit(means, sds), digits=2)
    shown, spread = texts[: len(means)], texts[len(means) :]
    best = _best(cells.good[i], shown)
    return [
        _cell(mean, sd if known else "", bold, mark)
        for mean, sd, known, bold, mark in zip(
            shown, spread, np.isfinite(sds), best, cells.alike[i] & ~best, strict=True
        )
    ]


def _unit(means: np.ndarray, sds: np.ndarray) -> float:
    """What the numbers of a data set are exact to: a usual standard deviation, else a tenth."""
    known = sds[np.isfinite(sds) & (sds > 0)]
    if known.size:
        return float(np.median(known))
    size = np.abs(means[np.isfinite(means) & (means != 0)])
    return float(np.median(size)) / 10 if size.size else 1.0


def _best(good: np.ndarray, shown: Sequence[str]) -> np.ndarray:
    """The best means of a data set; those that print the same are tied."""
    if not np.isfinite(good).any():
        return np.zeros(len(good), dtype=bool)
    first = shown[int(np.nanargmax(good))]
    return np.array([text == first for text in shown])


def _cell(mean: str, sd: str, bold: bool, mark: bool) -> str:
    if mean == "–":
        return MISSING
    value = rf"\mathbf{{{_math(mean)}}}" if bold else _math(mean)
    spread = rf" \pm {_math(sd)}" if sd else ""
    return f"${value}{spread}{DAGGER * bool(mark)}$"


def _math(text: str) -> str:
    """A number in a formula: powers of ten are written as such."""
    text = text.replace("∞", r"\infty ")
    match = re.fullmatch(r"(.*)e([+-]\d+)", text)
    return rf"{match[1]} \cdot 10^{{{int(match[2])}}}" if match else text


def _mean_ranks(cells: ScoreCells) -> list[str]:
    ranks = cells.ranks.mean(axis=0)
    texts = [f"{rank:.2f}" for rank in ranks]
    least = texts[int(ranks.argmin())]
    return [rf"\textbf{{{text}}}" if text == least else text for text in texts]


def _counts(cells: ScoreCells, control: str | None) -> list[str]:
    """Wins, ties and losses on the data sets that have all scores."""
    texts = ["/".join(map(str, counts)) for counts in cells.wins(control)]
    pairs = zip(cells.algorithms, texts, strict=True)
    return [MISSING if name == control else text for name, text in pairs]
