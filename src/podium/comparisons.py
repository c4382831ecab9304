"""Comparisons: evidence about pairs of algorithms, a value that prints, shows and exports itself.

It sits beside `tables.py` because orders, plots and reports read it without knowing inference.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

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


class Note(NamedTuple):
    """What a reader must know: a stable code and a sentence."""

    code: str
    text: str


class Overall(NamedTuple):
    """The test of no difference between any two algorithms."""

    procedure: str
    statistic: float
    df: float | tuple[float, float] | None
    p: float


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
    alternative: str = "two-sided"
    alpha: float = 0.05
    relevance: float = 0.0
    warnings: Sequence[Note] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The contract's object less `order`, which a decision adds; no NaN."""
        overall = self.overall and self.overall._asdict()
        rows = self.table[COLUMNS].to_dict("records")
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
            "global": overall,
            "pairs": rows,
            "warnings": [w._asdict() for w in self.warnings],
            "details": dict(self.details),
        }
        return _plain(parts)

    def to_json(self, path: str | Path | None = None) -> str:
        """The object as JSON text, also written to `path` where one is given."""
        return _written(json.dumps(self.to_dict(), indent=2, ensure_ascii=False) + "\n", path)

    def to_csv(self, path: str | Path | None = None) -> str:
        """The pairs as CSV."""
        return _written(self.table[COLUMNS].to_csv(index=False), path)

    def to_markdown(self, path: str | Path | None = None) -> str:
        """The pairs as a Markdown table."""
        shown = self.shown()
        rows = [list(shown.columns), ["---"] * len(shown.columns), *shown.to_numpy().tolist()]
        lines = ["| " + " | ".join(c.replace("|", "\\|") for c in row) + " |" for row in rows]
        return _written("\n".join(lines) + "\n", path)

    def to_latex(self, path: str | Path | None = None) -> str:
        """The pairs as a LaTeX tabular (booktabs), with a caption that says what was done."""
        return _written(_latex(self), path)

    def shown(self) -> pd.DataFrame:
        """The pairs as texts, for people."""
        from podium.shown import number, p_value

        t = self.table
        columns = {
            "first": t["first"].astype(str),
            "second": t["second"].astype(str),
            "estimate": t["estimate"].map(number),
            "lower": t["lower"].map(number),
            "upper": t["upper"].map(number),
            "p": t["p"].map(p_value),
            "p adjusted": t["p_adjusted"].map(p_value),
            "verdict": t["verdict"].astype(str),
        }
        if t["lower"].isna().all() and t["upper"].isna().all():
            del columns["lower"], columns["upper"]
        return pd.DataFrame(columns)

    @property
    def heading(self) -> str:
        """One line: measure, procedure, blocks, target."""
        better = "higher" if self.higher_is_better else "lower"
        return (
            f"{self.measure} ({better} is better), {self.title}, {self.blocks['count']} "
            f"{self.blocks['text']}, target: {self.target}"
        )

    def __repr__(self) -> str:
        return f"{self.heading}\n{self.statement}\n{self.shown().to_string(index=False)}"

    def _repr_html_(self) -> str:
        head = f"<p><b>{escape(self.heading)}</b><br>{escape(self.statement)}</p>"
        return head + self.shown().to_html(index=False)


def _plain(value: Any) -> Any:
    """Plain Python values; what is not finite becomes null."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if hasattr(value, "item"):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _written(text: str, path: str | Path | None) -> str:
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text


def _latex(c: Comparisons) -> str:
    from podium.shown import latex

    shown = c.shown()
    numeric = len(shown.columns) - 3
    head = " & ".join(latex(name) for name in shown.columns) + r" \\"
    rows = [" & ".join(latex(cell) for cell in row) + r" \\" for row in shown.to_numpy()]
    caption = f"{latex(c.heading)}. {latex(c.statement)}"
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{ll{'r' * numeric}l}}",
            r"\toprule",
            head,
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )
