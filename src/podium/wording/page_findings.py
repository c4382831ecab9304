"""The first section of a page and its methods: headings, and what could not be said."""

from __future__ import annotations

from podium.formatting import printable
from podium.inference.comparisons import Comparisons
from podium.results.results import Results

NO_SCORES = "There are no scores to judge."
NOTHING_COMPARED = "Nothing was compared, so there are no methods to describe."


def not_made(error: Exception) -> str:
    """Why a section says nothing else."""
    return f"This section could not be made: {error}"


def headline(c: Comparisons, results: Results) -> str:
    """Whether something may be said, on which data and by which measure."""
    what = "Nothing may be said" if c.is_forced else "What may be said"
    name = c.dataset or (results.datasets[0] if len(results.datasets) == 1 else "")
    where = f"on {printable(name)}" if name else "over all data sets"
    return f"{what} {where}, by {c.measure}"


def not_judged(measure: str, why: str) -> tuple[str, str]:
    """The heading and the paragraph of a measure that cannot be judged."""
    return (
        f"Nothing may be said by {measure}",
        f"By {measure} it cannot be said which algorithm is better. {why}",
    )


def nothing_compared(measure: str) -> str:
    """Of a measure without methods."""
    return f"Nothing was compared by {measure}, so there are no methods to describe."
