"""What describes the scores of a page, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from podium.measures import Measure
from podium.results.results import Results
from podium.wording.evidence import replicate
from podium.wording.phrases import joined

DESCRIBES = (
    "What follows describes the scores. A difference between means alone is no evidence that one "
    "algorithm is better than another."
)


def no_charts(error: Exception) -> str:
    """Why the scores are not drawn."""
    return f"There are no charts: {error}"


def no_figure(title: str, error: Exception) -> str:
    """Why a figure is not there."""
    return f"There is no figure '{title}': {error}"


def not_described(measures: Sequence[str]) -> str:
    """The measures that are left out."""
    return f"Without tables and figures here: {joined(measures)}."


def rows_shown(most: int, total: int) -> str:
    """How much of a table is there."""
    return f"The first {most} of {total} rows are shown."


def too_coarse(fewest: int) -> str:
    """Why there are no boxes."""
    return f"Box plots need at least {fewest} different scores, and there are fewer."


def scores_caption(measure: Measure) -> str:
    """Above the summary of a measure."""
    return f"Scores by {measure.name} ({measure.direction} is better)"


def charts_caption(results: Results, samples: tuple[int, int], datasets: int) -> str:
    """What charts show: how many samples of how many, and how many data sets."""
    most, shown = samples
    said = ["Places are among all algorithms, ties broken at random."]
    per = " per data set" if len(results.datasets) > 1 else ""
    if most > shown:
        said.append(
            f"Of {most} {replicate(results)}s{per}, {shown} evenly spaced ones are shown; tables "
            "and tests use all of them."
        )
    if len(results.datasets) > datasets:
        said.append(f"Shown are the first {datasets} of {len(results.datasets)} data sets.")
    return " ".join(said)
