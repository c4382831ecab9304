"""Tables in ARFF files, as WEKA writes them: attributes, then rows of cells."""

from __future__ import annotations

import csv
import io
import re

import pandas as pd

from podium.base.errors import ResultsError

_ATTRIBUTE = re.compile(r"^\s*@attribute\s+('(?:[^'\\]|\\.)*'|\"[^\"]*\"|\S+)", re.I | re.M)
_DATA = re.compile(r"^\s*(@data)\b.*$", re.I | re.M)


def is_arff(text: str) -> bool:
    """Whether a text begins as an ARFF file does, remarks aside."""
    lines = (line.strip() for line in text[:20_000].splitlines())
    first = next((line for line in lines if line and line[0] != "%"), "")
    return first[:9].lower() == "@relation"


def attributes(text: str) -> tuple[str, ...]:
    """The names of the columns."""
    return tuple(name.strip("'\"") for name in _ATTRIBUTE.findall(_DATA.split(text, 1)[0]))


def arff_frame(text: str, what: str) -> pd.DataFrame:
    """The cells as text; nothing where the file has a question mark."""
    head, data, body = (*_DATA.split(text, maxsplit=1), "", "")[:3]
    names = attributes(head)
    if not data or not names:
        raise ResultsError(f"{what} is no whole ARFF file: it has no @data. Write it again.")
    lines = [line for line in body.splitlines() if line.strip() and line.lstrip()[0] != "%"]
    rows = list(csv.reader(io.StringIO("\n".join(lines)), quotechar="'", escapechar="\\"))
    for number, row in enumerate(rows, 1):
        if len(row) != len(names):
            raise ResultsError(
                f"{what}, row {number}: {len(row)} values where there are {len(names)} "
                "attributes. It seems to be cut off."
            )
    return pd.DataFrame(rows, columns=names).replace("?", None)
