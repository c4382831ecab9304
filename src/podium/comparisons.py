"""Comparisons: evidence about pairs of algorithms, a value that prints, shows and exports itself.

It sits beside `tables.py` because orders, plots and reports read it without knowing inference.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from podium.facts import Note
from podium.formatting import (
    aligned,
    columns,
    latex,
    latex_table,
    markdown,
    markdown_table,
    p_value,
)
from podium.presentation import noted, plain, written

COLUMNS = [
    "first",
    "second",
    "estimate",
    "lower",
    "upper",
    "statistic",
    "p",
    "p_adjusted",
    "verdict",
]
TEXTS = ("algorithm", "first", "second", "verdict")  # the columns that are no numbers
_OPPOSITE = {"better": "worse", "non-inferior": "non-superior"}
TURNED = _OPPOSITE | {b: a for a, b in _OPPOSITE.items()}  # a verdict seen from the second


class Overall(NamedTuple):
    """The test of no difference between any two algorithms."""

    procedure: str
    statistic: float
    df: float | tuple[float, float] | None
    p: float
    test: str = ""  # the statistic in words


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons:
    """One row per pair: what a study says about two algorithms.

    `estimate` is mean(first) - mean(second) in the measure's own unit and sign; `lower` and
    `upper` hold for all pairs at once; `verdict` is about `first`.
    """

    table: pd.DataFrame
    algorithms: tuple[str, ...]
    means: Mapping[str, float]
    measure: str
    higher_is_better: bool
    procedure: str
    title: str  # of the procedure, with the bricks that were used
    blocks: Mapping[str, Any]  # kind, text, count
    target: str
    statement: str
    overall: Overall | None
    dataset: str = ""  # the one data set, empty where blocks are data sets
    alternative: str = "two-sided"
    alpha: float = 0.05
    relevance: float = 0.0
    warnings: Sequence[Note] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The contract's object less `order`, which a decision adds; no NaN."""
        parts = {
            "measure": self.measure,
            "higher_is_better": self.higher_is_better,
            "procedure": self.procedure,
            "title": self.title,
            "blocks": dict(self.blocks),
            "target": self.target,
            "statement": self.statement,
            "alternative": self.alternative,
            "alpha": self.alpha,
            "relevance": self.relevance,
            "means": dict(self.means),
            "global": self.overall,
            "pairs": self.table,
            "warnings": list(self.warnings),
            "details": dict(self.details),
        }
        return dict(plain(parts))

    def to_json(self, path: str | Path | None = None) -> str:
        """The object as JSON text, also written to `path` where one is given."""
        return written(json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n", path)

    def to_csv(self, path: str | Path | None = None) -> str:
        """The pairs as CSV; of one algorithm its mean and interval."""
        table = self.table if len(self.algorithms) > 1 else self._alone()
        return written(table.to_csv(index=False, lineterminator="\n"), path)

    def to_markdown(self, path: str | Path | None = None) -> str:
        """The pairs as a Markdown table, above it what was done and what it is about."""
        table = markdown_table({n: list(c) for n, c in self.shown().items()}, TEXTS)
        said = [markdown(text) for text in (self.statement, *self.notes)]
        return written("\n\n".join([markdown(self.heading) + ".", table, *said]) + "\n", path)

    def to_latex(self, path: str | Path | None = None) -> str:
        """The pairs as a LaTeX table (it needs booktabs); the caption says what was done."""
        shown = {str(n): list(c) for n, c in self.shown().items()}
        caption = f"{latex(self.heading)}. {latex(self.statement)}"
        return written(latex_table(shown, TEXTS, caption), path)

    def shown(self) -> pd.DataFrame:
        """The pairs as texts, for people: numbers as exact as the intervals are wide."""
        if len(self.algorithms) == 1:
            return _texts(self._alone())
        t = self.table
        ends = [n for n in ("lower", "upper") if not t[n].isna().all()]
        numbers = ["estimate", *ends]
        texts = aligned(t[numbers].to_numpy(float).ravel().tolist(), _unit(t), digits=2)
        cells = np.array(texts, dtype=object).reshape(len(t), len(numbers))
        shown = {
            "first": t["first"].astype(str),
            "second": t["second"].astype(str),
            **{name: cells[:, i] for i, name in enumerate(numbers)},
            "p": t["p"].map(p_value),
            "p adjusted": t["p_adjusted"].map(p_value),
            "verdict": t["verdict"].astype(str),
        }
        return pd.DataFrame(shown)

    def _alone(self) -> pd.DataFrame:
        """The one algorithm with its interval."""
        (name,) = self.algorithms
        ends = {end: self.details.get(end, math.nan) for end in ("lower", "upper")}
        return pd.DataFrame({"algorithm": [name], "mean": [self.means[name]], **ends})

    def best_first(self, names: Sequence[str]) -> Comparisons:
        """The same evidence for reading: pairs in the order of `names`, turned where need be."""
        place = {name: i for i, name in enumerate(names)}
        t = self.table
        turned = (t["first"].map(place) > t["second"].map(place)).to_numpy(bool)
        back = t.assign(
            first=t["second"],
            second=t["first"],
            estimate=-t["estimate"],
            statistic=-t["statistic"],
            lower=-t["upper"],
            upper=-t["lower"],
            verdict=t["verdict"].replace(TURNED),
        )
        table = pd.concat([t[~turned], back[turned]])
        places = [table[column].map(place) for column in ("second", "first")]
        return replace(self, table=table.iloc[np.lexsort(places)].reset_index(drop=True))

    @property
    def notes(self) -> list[str]:
        """What a reader must know besides the numbers, as sentences."""
        return [noted(w) for w in self.warnings]

    @property
    def sign(self) -> int:
        """What turns means and estimates into larger-is-better, and back."""
        return 1 if self.higher_is_better else -1

    @property
    def is_adjusted(self) -> bool:
        """Whether p-values and intervals of several pairs were adjusted for each other."""
        return len(self.table) > 1 and self.details.get("adjustment") != "none"

    @property
    def asks_inferiority(self) -> bool:
        """Whether a test with a negative margin asked that the first is not worse, not better."""
        return (self.alternative == "greater") == self.higher_is_better

    @property
    def is_forced(self) -> bool:
        """Whether the design does not allow this and it was computed by force."""
        return any(w.code == "forced" for w in self.warnings)

    @property
    def heading(self) -> str:
        """One line: measure, procedure, blocks, target."""
        better = "higher" if self.higher_is_better else "lower"
        mark = "NOT LEGAL for this design, computed by force: " if self.is_forced else ""
        return (
            f"{mark}{self.measure} ({better} is better), {self.title}, {self.blocks['count']} "
            f"{self.blocks['text']}, target: {self.target}"
        )

    def __repr__(self) -> str:
        table = columns({n: list(c) for n, c in self.shown().items()}, TEXTS)
        return "\n".join([self.heading, self.statement, table, *self.notes])

    def _repr_html_(self) -> str:
        head = f"<p><b>{escape(self.heading)}</b><br>{escape(self.statement)}</p>"
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.notes)
        return head + self.shown().to_html(index=False) + notes


def _texts(alone: pd.DataFrame) -> pd.DataFrame:
    """A mean and its interval, as exact as that is wide."""
    name, *numbers = alone.iloc[0]
    mean, low, high = map(float, numbers)
    reach = (high - low) / 2
    shown = aligned([mean, low, high], reach if reach > 0 else abs(mean) or 1.0, digits=2)
    return pd.DataFrame([[str(name), *shown]], columns=alone.columns)


def _unit(table: pd.DataFrame) -> float:
    """What the numbers are exact to: the narrowest interval, or a tenth of a usual difference."""
    size = np.abs(table["estimate"].to_numpy(float))
    ends = table[["lower", "upper"]].to_numpy(float)
    reach = np.abs(ends - table[["estimate"]].to_numpy(float))
    reach = reach[np.isfinite(reach) & (reach > 0)]
    if reach.size:
        return float(reach.min())
    size = size[np.isfinite(size) & (size > 0)]
    return float(np.median(size)) / 10 if size.size else 1.0
