"""A table by its columns: names, labels and numbers, and where in it something is wrong.

What the columns mean is not known here. Rows are counted from 1 below the header.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.base.registry import unknown
from podium.reading.cells.cells import NOT_RUN, Numbers, Texts, are_numbers, numbers_in, texts_in
from podium.reading.cells.vocabulary import Said, way_out
from podium.words.facts import CAUTION, DETAIL, Note

IN_WORDS = ("yes", "no", "right", "wrong", "correct", "incorrect", "pass", "fail")  # answers


class Coded(NamedTuple):
    """A column of names: the number of each row's name, and the names."""

    codes: np.ndarray
    names: list[str]

    def rows(self, chosen: np.ndarray) -> Coded:
        """Some rows, and the names that occur in them, in the order they had."""
        used, codes = distinct(self.codes[chosen], len(self.names))
        return Coded(codes, [self.names[u] for u in used])


def number_of(keys: np.ndarray, size: int) -> int:
    """How many different numbers below a size there are."""
    if size > 4 * len(keys) + 1000:
        return len(np.unique(keys))
    return int(np.count_nonzero(np.bincount(keys, minlength=size)))


def distinct(keys: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """The different ones of numbers below a size, in order, and the place of each among them.

    Where there are about as many numbers as there could be they are counted, not sorted.
    """
    if size > 4 * len(keys) + 1000:
        return np.unique(keys, return_inverse=True)
    there = np.bincount(keys, minlength=size) > 0
    return np.flatnonzero(there), (np.cumsum(there) - 1)[keys]


@dataclass(frozen=True)
class Tabular:
    """Somebody's table; its columns have different names, all text, `#1` where the first has none.

    `what` is how an error calls it. The cells of a CSV file are still text.
    """

    frame: pd.DataFrame
    what: str
    name: str = ""
    decimal_comma: bool = False
    notes: tuple[Note, ...] = ()  # on how it was read
    said: Said = field(default_factory=dict)  # by the caller, of its columns
    known: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False)  # of its columns

    @property
    def columns(self) -> list[str]:
        """The names of all columns."""
        return list(self.frame.columns)

    @property
    def row(self) -> np.ndarray:
        """The number of each row in the source."""
        return self.frame.index.to_numpy() + 1

    def way_out(self, **roles: str | Iterable[str]) -> str:
        """How to say what columns are, besides what was said already."""
        return way_out(self.said, **roles)

    def _check(self, column: str, wrong: np.ndarray, why: str, way: str) -> None:
        if wrong.any():
            first = int(np.argmax(wrong))
            cell = f"'{self.frame[column].iloc[first]}' {why}"
            raise ResultsError(
                f"{self.what}, column '{column}', row {self.row[first]}: {cell}. {way}."
            )

    def numbers(self, column: str) -> np.ndarray:
        """A column of scores; cells without one are NaN, true and false 1 and 0."""
        result = self.parsed(column)
        less = self.way_out(ignore=column)
        wrong = result.odd | np.isinf(result.values)
        way = f"Correct it, leave the cell empty, or leave the column out: {less}"
        if wrong.any() and str(self.frame[column].iloc[int(np.argmax(wrong))]).lower() in IN_WORDS:
            way = "Write 1 for right and 0 for wrong (or true and false)"
        self._check(column, wrong, "is no finite number", way)
        return result.values

    def is_numeric(self, column: str) -> bool:
        """Whether a column holds nothing but numbers and gaps, and not only gaps."""
        outcome = self.parsed(column)
        return not outcome.odd.any() and not np.isnan(outcome.values).all()

    def is_label(self, column: str) -> bool:
        """Whether a column can hold names or counts: text or whole numbers."""
        values, odd = self.parsed(column)[:2]
        return bool(odd.any() or (np.isnan(values) | (np.floor(values) == values)).all())

    def is_text(self, column: str) -> bool:
        """Whether a column holds text and not one number."""
        values, odd = self.parsed(column)[:2]
        return bool(odd.any() and np.isnan(values).all())

    def is_whole(self, column: str) -> bool:
        """Whether a column holds nothing but whole numbers, and not only 0 and 1."""
        values = self.parsed(column).values
        here = values[~np.isnan(values)]
        return self.is_numeric(column) and self.is_label(column) and bool((here > 1).any())

    def parsed(self, column: str) -> Numbers:
        """The numbers of a column, and where it holds something else; read once."""
        key = ("numbers", column)
        if key not in self.known:
            cells = self.frame[column]
            texts = None if are_numbers(cells) else self._texts(column)
            self.known[key] = numbers_in(cells, self.decimal_comma, texts)
        answer: Numbers = self.known[key]
        return answer

    def codes(self, column: str) -> np.ndarray:
        """The number of each row's cell among the different cells of a column; found once."""
        if self.frame[column].dtype != object:
            return self._texts(column)[0]
        key = ("codes", column)
        if key not in self.known:
            try:
                self.known[key] = pd.factorize(self.frame[column], use_na_sentinel=False)[0]
            except TypeError:  # cells of JSON may hold lists and mappings
                self.known[key] = self._texts(column)[0]
        found: np.ndarray = self.known[key]
        return found

    def joined(self, parts: str) -> Tabular:
        """With a column `a+b` that joins the cells of a and b; as it is where it has one."""
        columns = [part.strip() for part in parts.split("+")]
        if parts in self.columns or len(columns) < 2:
            return self
        for column in columns:
            self.check_column(column)
        texts = [self.frame[c].astype(object).where(self.frame[c].notna(), "") for c in columns]
        cells = [" / ".join(str(c).strip() for c in row) for row in zip(*texts, strict=True)]
        return replace(self, frame=self.frame.assign(**{parts: cells}))

    def check_column(self, column: str) -> None:
        """Refuse a column that is not there."""
        if column not in self.columns:
            raise ResultsError(unknown(f"column of {self.what}", column, self.columns))

    def less_rows(self, gone: np.ndarray) -> Tabular:
        """Without some rows."""
        return replace(self, frame=self.frame[~gone], known={}) if gone.any() else self

    def texts(self, column: str) -> pd.Series:
        """The cells of a column as text without outer blanks."""
        codes, texts = self.kinds(column)
        return pd.Series(np.array(texts, object)[codes], self.frame.index)

    def kinds(self, column: str) -> Coded:
        """The different texts of a column without outer blanks, as they first appear."""
        key = ("kinds", column)
        if key not in self.known:
            codes, texts = self._texts(column)
            place, different = pd.factorize(np.array([t.strip() for t in texts], object))
            again = len(different) < len(texts)
            self.known[key] = Coded(place[codes] if again else codes, list(different))
        found: Coded = self.known[key]
        return found

    def _texts(self, column: str) -> Texts:
        """The different texts of a column as they are, and each cell's number; found once."""
        key = ("texts", column)
        if key not in self.known:
            self.known[key] = texts_in(self.frame[column])
        found: Texts = self.known[key]
        return found

    def names(self, column: str) -> Coded:
        """A column of names, stripped of outer blanks, as they first appear; none may be empty."""
        codes, names = self.kinds(column)
        if "" in names:
            self._check(column, codes == names.index(""), "is no name", "Fill it in")
        return Coded(codes, names)

    def labels(self, column: str) -> Coded:
        """A column of labels: numbers in their order, other labels as they first appear."""
        codes, names = self.names(column)
        try:
            numbers = np.array([float(name) for name in names if "_" not in name], float)
        except ValueError:
            numbers = np.array([np.nan])
        if len(numbers) < len(names) or np.isnan(numbers).any():
            return Coded(codes, names)
        ordered, place = np.unique(numbers, return_inverse=True)
        return Coded(place[codes], [f"{n:.12g}" for n in ordered])

    def notes_on(self, scores: Iterable[str]) -> tuple[Note, ...]:
        """What cells of scores hold besides numbers, and how the table was read."""
        results = {c: self.parsed(c) for c in scores}
        spread = sum(int(n.spread.sum()) for n in results.values())
        words = [
            str(cell).strip()
            for c, n in results.items()
            if n.failed.any()
            for cell in self.frame[c][n.failed].tolist()
        ]
        notes = list(self.notes)
        if spread:
            notes.append(Note("spread-left-out", DETAIL, cells=spread))
        if words:
            counts = tuple(Counter(words).items())
            notes.append(Note("cells-without-score", CAUTION, cells=len(words), by=counts))
        return tuple(notes)

    def failed(self, column: str) -> dict[int, str]:
        """The words for runs that gave no score in a column, by the number of their row."""
        here = self.parsed(column).failed
        if not here.any():
            return {}  # of a column of numbers no text is made
        words = zip(self.row[here].tolist(), self.texts(column)[here], strict=True)
        return {row: word for row, word in words if word.lower() not in NOT_RUN}

    def in_percent(self, scores: Iterable[str]) -> bool:
        """Whether all scores carry a percent sign; an error where only some do."""
        signs = {c: self.parsed(c) for c in scores}
        if not any(n.percent.any() for n in signs.values()):
            return False
        for column, n in signs.items():
            bare = ~n.percent & ~np.isnan(n.values) & (n.values != 0)
            way = "Write all scores in percent, or none"
            self._check(column, bare, "has no percent sign where other scores have one", way)
        return True
