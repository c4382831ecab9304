"""The caption of the table of scores that papers print, in LaTeX."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from podium.formatting import latex, number
from podium.orders.order import Order
from podium.results.results import Results
from podium.studies.score_cells import ScoreCells

DAGGER = r"^{\dagger}"


def score_caption(
    results: Results, cells: ScoreCells, order: Order | None, control: str | None
) -> str:
    """What the cells are, what is bold, what the dagger means, and the order."""
    parts = [
        _values(results, cells),
        "The best of each data set, as printed, is bold",
        *["Some means are over fewer samples than others of their data set"] * cells.uneven,
        *_marks(cells),
        *_ranked(cells, control),
    ]
    if order is not None:
        # \lesssim would need amssymb
        text = latex(order.text).replace(r"\lesssim", r"\stackrel{<}{\sim}")
        parts.append(f"Order, the best first: {text}")
    return " ".join(f"{part}." for part in parts)


def _values(results: Results, cells: ScoreCells) -> str:
    several, measure = bool(np.isfinite(cells.sds).any()), cells.measure
    what = r"Mean $\pm$ standard deviation" if several else "Values"
    drawn = (
        f" over samples ({latex(str(results.sampling))})" if several and results.sampling else ""
    )
    return f"{what} of {latex(measure.name)} ({measure.direction} is better){drawn}"


def _marks(cells: ScoreCells) -> Iterator[str]:
    """What the dagger means and where it is not known."""
    if not cells.judged:
        return
    some = cells.judged.values()
    procedures = ", ".join(dict.fromkeys(c.procedure for c in some))
    levels = ", ".join(dict.fromkeys(number(c.alpha) for c in some))
    rest = [latex(name) for name in cells.datasets if name not in cells.judged]
    unknown_for = f"; not known for {', '.join(rest)}" if rest else ""
    yield (
        f"${DAGGER}$ not significantly different from it ({latex(procedures)}, level {levels}, "
        f"each data set by itself{unknown_for})"
    )


def _ranked(cells: ScoreCells, control: str | None) -> Iterator[str]:
    if not cells.is_ranked:
        return
    over = "all" if cells.whole.all() else f"the {int(cells.whole.sum())} complete"
    wins = "best alone, best shared, not best" if control is None else f"against {latex(control)}"
    yield (
        f"Ranks (1 is the best) and wins/ties/losses ({wins}) are of unrounded means on {over} "
        "data sets"
    )
