"""Eugster, Hothorn & Leisch (2008): the items that can be replicated.

eugster2008_printed     what the paper prints
eugster2008_data        the raw scores, from a folder that the user has
eugster2008_experiment  Table 1, sections 3.1 to 3.3
eugster2008_survey      Table 2, section 4, Appendix A.2
eugster2008_figures     Figures 1 to 15
eugster2008_runs        the experiment and the survey, run anew
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from podium.papers import eugster2008_experiment as experiment
from podium.papers import eugster2008_figures as figures
from podium.papers import eugster2008_runs as runs
from podium.papers import eugster2008_survey as survey
from podium.papers.replication import Asked, Cell, Item, Replication, paper

ITEMS = paper("eugster2008")
Parts = tuple[list[Cell], list[str], Mapping[str, Any]]


@dataclass(frozen=True)
class Computed:
    """An item that is computed from the data alone: nothing is simulated, nothing is kept."""

    item: str
    parts: Callable[[Path | None], Parts]

    def __call__(self, asked: Asked) -> Replication:
        """The item, theirs beside ours."""
        began = time.perf_counter()
        cells, notes, drawn = self.parts(asked.data)
        seconds = time.perf_counter() - began
        return Replication("eugster2008", self.item, cells, notes, 0, None, seconds, drawn)


def _undrawn(
    make: Callable[[Path | None], tuple[list[Cell], list[str]]], data: Path | None
) -> Parts:
    return *make(data), {}


TABLES = {
    "table1": ("Summaries on MONK-3, raw scores", experiment.table1),
    "section3.1": ("Orders by mean, minimax rule, quantile", experiment.section31),
    "section3.2": ("Friedman, all pairs by ranks, mixed model", experiment.section32),
    "section3.3": ("Hierarchical order and consensus; no data", experiment.section33),
    "table2": ("Distances between the orders of 21 data sets", survey.table2),
    "section4": ("Places, consensus and model of 21 data sets", survey.section4),
    "appendixA.2": ("Coefficients of the survey's model", survey.appendix),
}
for _name, (_title, _make) in TABLES.items():
    ITEMS.add(_name, Item(_title, Computed(_name, partial(_undrawn, _make))))
for _name, _figure in figures.FIGURES.items():
    ITEMS.add(_name, Item(_figure.title, Computed(_name, partial(figures.figure, _name))))
ITEMS.add(
    "figures", Item("All figures at once", Computed("figures", figures.all_figures), repeats=True)
)
ITEMS.add("monks3", Item("The experiment run anew; 25 minutes, quick 2", runs.monks3))
ITEMS.add("survey", Item("The survey run anew; hours to days, quick 2 minutes", runs.survey))
