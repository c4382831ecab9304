"""Tables, figures and charts as HTML; every text is escaped, and all is seen without scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import pandas as pd

from podium.formatting import latex, printable
from podium.reports.document import Charts, Figure, Table
from podium.reports.embedding import data
from podium.reports.specs import BLOCK, TITLES, specs

WIDE = 28  # letters of a cell that is not to be squeezed into a narrow column
HINT = (  # of no use on paper and without scripts
    "Drag over dots to choose some, which are then marked in every chart; point at a dot to see "
    "what all algorithms scored there."
)
LONG_LATEX = 500  # rows from which a table is no longer one to print


@dataclass(frozen=True)
class Setting:
    """What rendering knows of the page: its algorithms, and how long a table may be.

    The script adds the other rows of a longer one when it is looked at.
    """

    algorithms: Mapping[str, int] = field(default_factory=dict)
    most: int | None = None


# -- tables ---------------------------------------------------------------------------------


def table(item: Table, setting: Setting) -> str:
    """A table with its caption; numbers keep their value, rows know their algorithms."""
    texts = _texts(item)
    values = [_values(item.frame, texts, i) for i in range(texts.shape[1])]
    whom = _algorithms_of(item.frame, setting.algorithms)
    rows = list(zip(texts.itertuples(index=False, name=None), zip(*values, strict=True), whom,
                    strict=True)) if len(texts) else []  # fmt: skip
    numeric = [any(isinstance(v, float) for v in column) for column in values]
    inside = rows[: setting.most]
    names = [_of_dataset(item.frame, texts, i) for i in range(texts.shape[1])]
    head = "".join(
        _head(str(c), n, d, setting) for c, n, d in zip(texts.columns, numeric, names, strict=True)
    )
    body = "\n".join(_row(*row, numeric) for row in inside)
    said = f"The first {len(inside)} of {len(rows)} rows; the others need scripts."
    more = f'<p class="cut">{said}</p>\n'
    return (
        f'<div class="table" data-title="{_attribute(item.caption)}"><div class="scroll" '
        f'role="region" tabindex="0" aria-label="{_attribute(item.caption)}"><table>\n'
        f"<caption>{escape(item.caption)}</caption>\n"
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>\n"
        f"{more if len(inside) < len(rows) else ''}{_table_data(item, texts, rows[len(inside) :])}"
        "</div>\n"
    )


def _texts(item: Table) -> pd.DataFrame:
    if item.shown is not None:
        return item.shown.astype(object).map(_text)
    return item.frame.astype(object).map(_text)


def _text(value: Any) -> str:
    """A value for people: four digits; nothing where there is none."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, float):
        return "" if value != value else f"{value:.4g}"
    return "" if value is None or value is pd.NA or value is pd.NaT else str(value)


def _values(frame: pd.DataFrame, texts: pd.DataFrame, place: int) -> list[float | None]:
    """The numbers behind a column of texts, by which it is sorted; none where it has none."""
    name = texts.columns[place]
    same = list(frame.columns) == list(texts.columns) or len(frame.columns) == texts.shape[1]
    at = place if same else next((i for i, c in enumerate(frame.columns) if c == name), None)
    column = texts.iloc[:, place] if at is None else frame.iloc[:, at]
    if at is not None and not pd.api.types.is_numeric_dtype(column):
        found = [v if isinstance(v, int | float) else None for v in column]
    else:
        found = pd.to_numeric(column, errors="coerce").astype(float).tolist()
    return [None if v is None or pd.isna(v) else float(v) for v in found]


def _of_dataset(frame: pd.DataFrame, texts: pd.DataFrame, place: int) -> bool:
    """Whether a column names data sets: its rows are then those of the one that is chosen."""
    return frame.shape[1] == texts.shape[1] and str(frame.columns[place]) == "dataset"


def _head(name: str, numeric: bool, names_datasets: bool, setting: Setting) -> str:
    kind = ' class="number"' if numeric else ""
    kind += " data-names-datasets" if names_datasets else ""
    who = setting.algorithms.get(name)
    return f'<th scope="col"{kind}{_whose([] if who is None else [who])}>{escape(name)}</th>'


def _row(
    texts: Sequence[str], values: Sequence[float | None], whom: list[int], numeric: Sequence[bool]
) -> str:
    cells = "".join(_cell(*cell) for cell in zip(texts, values, numeric, strict=True))
    return f"<tr{_whose(whom)}>{cells}</tr>"


def _cell(text: str, value: float | None, numeric: bool) -> str:
    kind = ' class="number"' if numeric else ' class="wide"' if len(text) > WIDE else ""
    said = "" if value is None or _says(text, value) else f' data-value="{value!r}"'
    return f"<td{kind}{said}>{escape(text)}</td>"


def _says(text: str, value: float) -> bool:
    try:
        return float(text) == value
    except ValueError:
        return False


def _whose(algorithms: list[int]) -> str:
    return f' data-algorithms="{" ".join(map(str, algorithms))}"' if algorithms else ""


def _algorithms_of(frame: pd.DataFrame, algorithms: Mapping[str, int]) -> list[list[int]]:
    """The algorithms of each row: from columns that hold nothing else."""
    whom: list[list[int]] = [[] for _ in range(len(frame))]
    for i in range(frame.shape[1]):
        found = [algorithms.get(v) if isinstance(v, str) else None for v in frame.iloc[:, i]]
        if all(who is not None for who in found):
            for row, who in zip(whom, found, strict=True):
                row.extend([] if who is None else [who])
    return whom


def _table_data(item: Table, texts: pd.DataFrame, rest: Sequence[Any]) -> str:
    files = {"csv": item.frame.to_csv(index=False, lineterminator="\n")}
    if item.latex or len(texts) <= LONG_LATEX:
        files["tex"] = item.latex or booktabs(item.caption, texts)
    return data({"files": files, "rest": rest}, "content")


def booktabs(caption: str, texts: pd.DataFrame) -> str:
    """A table of texts for LaTeX with the package booktabs; columns of numbers at the right."""
    sides = "".join("r" if _numbers(texts.iloc[:, i]) else "l" for i in range(texts.shape[1]))
    lines = [
        " & ".join(latex(str(v)) for v in row) + r" \\" for row in texts.itertuples(index=False)
    ]
    head = " & ".join(latex(str(c)) for c in texts.columns) + r" \\"
    start = [r"\begin{table}", r"\centering", rf"\caption{{{latex(caption)}}}"]
    body = [
        rf"\begin{{tabular}}{{{sides}}}",
        r"\toprule",
        head,
        r"\midrule",
        *lines,
        r"\bottomrule",
    ]
    return "\n".join([*start, *body, r"\end{tabular}", r"\end{table}", ""])


def _numbers(column: pd.Series) -> bool:
    texts = column.astype(str).str.lstrip("<")
    return bool(pd.to_numeric(texts.replace("–", ""), errors="coerce").notna().any())


# -- figures and charts ---------------------------------------------------------------------


def figure(item: Figure) -> str:
    """A picture with its title and caption, and the files that go with it."""
    files = dict(item.files)
    if item.data is not None:
        files = {"csv": item.data.to_csv(index=False, lineterminator="\n"), **files}
    return (
        f'<figure class="figure" data-title="{_attribute(item.title)}">\n'
        f'<div class="scroll picture" role="img" aria-label="{_attribute(item.title)}">'
        f"{item.svg}</div>\n<figcaption><strong>{escape(item.title)}.</strong> "
        f"{escape(item.caption)}</figcaption>\n{data({'files': files}, 'content')}</figure>\n"
    )


def charts(item: Charts) -> str:
    """Places for the linked charts, which the script draws, and their data."""
    places = "".join(_chart(name, title) for name, title in TITLES.items())
    return (
        '<div class="charts">\n<noscript><p>The interactive charts need scripts; tables and '
        f'figures do not.</p></noscript>\n<p class="hint" hidden>{HINT}</p>\n'
        f"<p>{escape(item.caption)}</p>\n"
        f'<div class="selection" hidden></div>\n{places}'
        f"{data(specs(), 'specs')}{data(dict(item.data), 'scores')}</div>\n"
    )


def _chart(name: str, title: str) -> str:
    block = f'<span class="block">{BLOCK}</span>'
    words = re.sub(rf"\b{BLOCK}\b", block, escape(title))
    return (
        f'<figure class="chart" data-chart="{name}" data-title="{_attribute(title)}">\n'
        f'<div class="drawn"></div>\n<figcaption>{words}.</figcaption>\n'
        '<p class="why" hidden></p>\n</figure>\n'
    )


def swatch(colour: str, path: str) -> str:
    """The marker of an algorithm in its colour."""
    return (
        '<svg class="swatch" viewBox="-1.2 -1.2 2.4 2.4" aria-hidden="true">'
        f'<path d="{escape(path)}" fill="{escape(colour)}"/></svg>'
    )


def _attribute(text: str) -> str:
    return escape(" ".join(text.split()))
