"""What a notebook shows of comparisons before all else."""

from __future__ import annotations

from podium.asking.comparison.analysis import Analysis
from podium.core.inference.comparing.comparisons import Comparisons
from podium.showing.reports.document import (
    first_hero,
)
from podium.showing.reports.page import notebook

# -- notebooks ------------------------------------------------------------------------------------


def notebook_hero(c: Comparisons) -> str:
    """What a notebook shows of comparisons before all else; empty where there is no table."""
    _, views = first_hero(Analysis.alone(c), of_results=False)
    return notebook(views[0]) if views and views[0].rows else ""


# -- the data -------------------------------------------------------------------------------------


# -- the script and its policy --------------------------------------------------------------------
