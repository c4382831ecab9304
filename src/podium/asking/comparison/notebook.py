"""What a notebook shows of comparisons and of answers before all else."""

from __future__ import annotations

from podium.asking.comparison.analysis import Analysis
from podium.asking.comparison.answer import Answer
from podium.asking.comparison.pages import page_of_answer
from podium.core.inference.comparing.comparisons import Comparisons
from podium.showing.reports.document import (
    first_hero,
)
from podium.showing.reports.page import notebook


def notebook_hero(c: Comparisons) -> str:
    """What a notebook shows of comparisons before all else; empty where there is no table."""
    _, views = first_hero(Analysis.alone(c), of_results=False)
    return notebook(views[0]) if views and views[0].rows else ""


def notebook_of_answer(answer: Answer) -> str:
    """The first screen of an answer's page."""
    return notebook(page_of_answer(answer).views[0])
