"""The table of scores that papers print, as LaTeX; it needs booktabs and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from podium.errors import ResultsError
from podium.formatting import aligned, latex, number
from podium.inference.comparisons import Comparisons
from podium.inference.scales import ranks_within
from podium.measures import TIMES, Measure
from podium.orders.order import Order
from podium.presentation import written
from podium.registry import unknown
from podium.results.results import Results
from podium.studies.dataset_orders import DatasetOrders

Compared = Comparisons | Mapping[str, Comparisons] | DatasetOrders | None
MISSING = "--"
DAGGER = r"^{\dagger}"


@dataclass(frozen=True, eq=False)
class Cells:
    """Means and standard deviations, data sets x algorithms, and which cells are special.

    `alike` are those not significantly different from the best of a data set in `judged`.
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    means: np.ndarray
    sds: np.ndarray
    measure: Measure
    alike: np.ndarray
    judged: tuple[str, ...]
    uneven: bool  # whether algorithms have different numbers of samples on a data set

    @property
    def good(self) -> np.ndarray:
        """The means, larger is better."""
        return self.measure.sign * self.means

    @property
    def whole(self) -> np.ndarray:
        """Which data sets have a score of every algorithm."""
        return np.asarray(np.isfinite(self.means).all(axis=1))


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
    cells = _cells(results, chosen, names, each)
    turned = len(names) > len(cells.datasets) if transpose is None else transpose
    body = _body(cells, control)
    rows = [list(row) for row in zip(*body, strict=True)] if turned else body
    text = _table(rows, _caption(results, cells, each, order, control), cells, turned)
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
    of = {c.measure for c in each.values()}
    if isinstance(comparisons, Comparisons):
        of.add(comparisons.measure)
    wanted = name or (next(iter(of)) if of else known[0] if len(known) == 1 else None)
    if wanted is None:
        raise ResultsError(
            f"The results have {len(known)} measures ({', '.join(known)}): say which one the table "
            "is of, as in measure='error'."
        )
    if wanted not in (*known, *TIMES):
        raise ResultsError(unknown("measure of these results", wanted, known))
    if each and of != {wanted}:
        raise ResultsError(
            f"The table is of '{wanted}' and the comparisons are of {', '.join(sorted(of))}: "
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


# -- numbers ------------------------------------------------------------------------------------


def _cells(
    results: Results, measure: Measure, names: Sequence[str], each: Mapping[str, Comparisons]
) -> Cells:
    table = results.values(measure.name)
    grouped = table.groupby(["dataset", "algorithm"], observed=True)["value"]
    found = grouped.agg(["mean", "std", "count"]).unstack("algorithm")

    def of(column: str) -> np.ndarray:
        wide = found[column].reindex(index=results.datasets, columns=list(names))
        return wide.to_numpy(float)

    datasets, means = tuple(results.datasets), of("mean")
    good = measure.sign * means
    alike, judged = _alike(datasets, names, good, each)
    counts = of("count")
    most = np.nanmax(counts, axis=1, initial=0, keepdims=True)
    uneven = bool(((counts > 0) & (counts < most)).any())
    return Cells(datasets, tuple(names), means, of("std"), measure, alike, judged, uneven)


def _alike(
    datasets: Sequence[str],
    names: Sequence[str],
    good: np.ndarray,
    each: Mapping[str, Comparisons],
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Which cells are not significantly different from the best, and where that is known."""
    alike = np.zeros((len(datasets), len(names)), dtype=bool)
    judged = []
    for i, dataset in enumerate(datasets):
        if dataset not in each or not np.isfinite(good[i]).any():
            continue
        found = _undecided(each[dataset], names[int(np.nanargmax(good[i]))])
        if found is not None:
            alike[i] = [name in found for name in names]
            judged.append(dataset)
    return alike, tuple(judged)


def _undecided(c: Comparisons, best: str) -> set[str] | None:
    """The algorithms not shown to differ from the best; None where not all were compared."""
    pairs = c.table[(c.table["first"] == best) | (c.table["second"] == best)]
    others = np.where(pairs["first"] == best, pairs["second"], pairs["first"])
    if set(others) != set(c.algorithms) - {best} or c.is_forced or c.alternative != "two-sided":
        return None
    decided = pairs["verdict"].isin(["better", "worse"]).to_numpy(bool)
    return set(others[~decided])


# -- texts --------------------------------------------------------------------------------------


def _body(cells: Cells, control: str | None) -> list[list[str]]:
    """All cells as LaTeX, data sets below each other, the names at the head and the side."""
    head = ["data set", *map(latex, cells.algorithms)]
    rows = [[latex(name), *_row(cells, i)] for i, name in enumerate(cells.datasets)]
    if len(cells.datasets) > 1 and cells.whole.any():
        rows += [["mean rank", *_mean_ranks(cells)], ["wins/ties/losses", *_counts(cells, control)]]
    return [head, *rows]


def _row(cells: Cells, i: int) -> list[str]:
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
    found = re.fullmatch(r"(.*)e([+-]\d+)", text)
    return rf"{found[1]} \cdot 10^{{{int(found[2])}}}" if found else text


def _mean_ranks(cells: Cells) -> list[str]:
    ranks = ranks_within(cells.good[cells.whole]).mean(axis=0)
    texts = [f"{rank:.2f}" for rank in ranks]
    least = texts[int(ranks.argmin())]
    return [rf"\textbf{{{text}}}" if text == least else text for text in texts]


def _counts(cells: Cells, control: str | None) -> list[str]:
    """Wins, ties and losses on the data sets that have all scores."""
    ranks = ranks_within(cells.good[cells.whole])
    if control is None:
        first = ranks.min(axis=1, keepdims=True)
        alone = (ranks == first).sum(axis=1, keepdims=True) == 1
        wins, ties = (ranks == first) & alone, (ranks == first) & ~alone
    else:
        of = ranks[:, [cells.algorithms.index(control)]]
        wins, ties = ranks < of, ranks == of
    losses = ~wins & ~ties
    texts = [
        f"{w}/{t}/{n}"
        for w, t, n in zip(*(x.sum(axis=0) for x in (wins, ties, losses)), strict=True)
    ]
    own = [name == control for name in cells.algorithms]
    return [MISSING if mine else text for text, mine in zip(texts, own, strict=True)]


# -- the table ----------------------------------------------------------------------------------


def _caption(
    results: Results,
    cells: Cells,
    each: Mapping[str, Comparisons],
    order: Order | None,
    control: str | None,
) -> str:
    several = bool(np.isfinite(cells.sds).any())
    what = r"Mean $\pm$ standard deviation" if several else "Values"
    drawn = (
        f" over samples ({latex(str(results.sampling))})" if several and results.sampling else ""
    )
    measure = cells.measure
    parts = [
        f"{what} of {latex(measure.name)} ({measure.direction} is better){drawn}",
        "The best of each data set, as printed, is bold",
        *["Some means are over fewer samples than others of their data set"] * cells.uneven,
        *_marks(cells, each),
        *_ranked(cells, control),
    ]
    if order is not None:
        # \lesssim would need amssymb
        text = latex(order.text).replace(r"\lesssim", r"\stackrel{<}{\sim}")
        parts.append(f"Order, the best first: {text}")
    return " ".join(f"{part}." for part in parts)


def _marks(cells: Cells, each: Mapping[str, Comparisons]) -> list[str]:
    """What the dagger means and where it is not known."""
    if not cells.judged:
        return []
    some = [each[name] for name in cells.judged]
    procedures = ", ".join(dict.fromkeys(c.procedure for c in some))
    levels = ", ".join(dict.fromkeys(number(c.alpha) for c in some))
    rest = [latex(name) for name in cells.datasets if name not in cells.judged]
    unknown_for = f"; not known for {', '.join(rest)}" if rest else ""
    return [
        f"${DAGGER}$ not significantly different from it ({latex(procedures)}, level {levels}, "
        f"each data set by itself{unknown_for})"
    ]


def _ranked(cells: Cells, control: str | None) -> list[str]:
    if len(cells.datasets) < 2 or not cells.whole.any():
        return []
    count = int(cells.whole.sum())
    over = "all" if cells.whole.all() else f"the {count} complete"
    wins = "best alone, best shared, not best" if control is None else f"against {latex(control)}"
    return [
        f"Ranks (1 is the best) and wins/ties/losses ({wins}) are of unrounded means on {over} "
        "data sets"
    ]


def _table(rows: list[list[str]], caption: str, cells: Cells, turned: bool) -> str:
    """The whole table; a rule before what sums up, where that is below the data sets."""
    head, *body = rows
    count = len(body) if turned else len(cells.datasets)
    if turned:
        head = ["algorithm", *head[1:]]
    parts = [_line(row) for row in body[:count]]
    rest = [_line(row) for row in body[count:]]
    return "\n".join(
        [
            r"\begin{table} % needs \usepackage{booktabs}",
            r"\centering",
            rf"\caption{{{caption}}}",
            r"\smallskip",
            rf"\begin{{tabular}}{{l{'c' * (len(head) - 1)}}}",
            r"\toprule",
            _line(head),
            r"\midrule",
            *parts,
            *([r"\midrule", *rest] if rest else []),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _line(row: Sequence[str]) -> str:
    return " & ".join(row) + r" \\"
