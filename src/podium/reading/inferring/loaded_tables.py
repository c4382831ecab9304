"""A table as it is loaded, less what is no row of scores: totals, summaries, parts of names."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.reading.cells.vocabulary import Options, is_summary, role_of, same_measure, summaries
from podium.reading.cells.words import words_of
from podium.reading.inferring.column_facts import Column, columns_of, groups
from podium.reading.inferring.headers import (
    LAST_NUMBER,
    means_among,
    numbers_in_names,
    side_by_side,
)
from podium.reading.loading.sources import Loaded
from podium.reading.recipes.deriving import texts

LEAST_ITEMS = 10  # tasks from which they are items
COUNTED = {"iterations", "iteration", "iters", "loops", "repeats"}


@dataclass(frozen=True)
class Open:
    """What the table leaves open: in words, and the options that the best guess closes it by."""

    text: str
    options: tuple[str, ...] = ()
    without: str = ""  # the column that may as well be left out
    either: bool = False  # a direction that nothing speaks for


def _spread_in(values: np.ndarray, of: np.ndarray) -> float:
    """How far numbers of one group lie apart, in units of their mean; the middle of the groups."""
    cells = pd.Series(values).groupby(of)
    return float((cells.std() / cells.mean().abs().replace(0, 1.0)).median())


class LoadedTable:
    """A table with the facts of its columns."""

    def __init__(self, loaded: Loaded, options: Options, stem: str) -> None:
        self.loaded, self.options, self.stem = loaded, options, stem
        self.frame = loaded.frame
        self.where: dict[str, list[str]] = {}
        self.without: dict[str, list[str]] = {}
        self.choices: set[str] = set()  # columns of which one value is to be chosen
        self.open: list[Open] = []
        self.traps: list[str] = []
        self.by_content = self.tells_more = False
        self.reasons: dict[str, str] = {}
        self.roles: dict[str, list[str]] = {
            role: held
            for role, columns in options.columns.items()
            if role not in ("ignore", "block", "sheet", "across")
            if (held := [p for c in columns for p in c.split("+") if p in loaded.frame.columns])
        }
        self.given = {c for columns in self.roles.values() for c in columns}
        self.ignored = {*options.columns.get("ignore", ())}
        self.said: dict[str, str] = {}
        self.failed: dict[str, list[str]] = {}
        self.free: list[Column] = []
        self.aggregates: list[str] = []  # rows that summarise others
        self.is_of_all = False  # whether the only scores are aggregates
        self.of_means = False  # whether columns are means, as their headers say
        self.derive: dict[str, dict[str, object]] = {}  # columns that are made of others
        self.parted: set[str] = set()  # columns that are parts of others, which options cannot name
        self.side: dict[str, object] = {}  # columns of repetitions side by side
        self.blocks: list[Column] = []  # what all are tried on, though called like an algorithm
        self._facts()

    def _facts(self) -> None:
        for column, values in self.options.where.items():
            if column in self.frame.columns:
                kept = texts(self.frame[column]).isin(values)
                self.frame = self.frame[kept].reset_index(drop=True)
        self._less_summaries()
        self._less_spreads()
        self._less_beside_means()
        self._lengthen()
        self._less_totals()
        self._part_names()
        self.cols = columns_of(self.frame, self.loaded.decimal_comma, self.loaded.paths)
        for each in [c for c in self.cols.values() if c.is_split and c.name not in self.given]:
            if each.name in self.ignored or each.name in self.options.where:
                continue
            self.where[each.name] = each.test_values
            self.frame = self.frame[np.isin(each.cells, each.test_values)].reset_index(drop=True)
            self.cols = columns_of(self.frame, self.loaded.decimal_comma, self.loaded.paths)
            self.traps.append("split")
        self._one_direction()
        self.rows = len(self.frame)

    def _less_beside_means(self) -> None:
        """Without deviations and counts in columns beside those of means."""
        names = [str(c) for c in self.frame.columns]
        if means := means_among(names):
            self.of_means = True
            kept = [c for c in names if "~" not in c or c in means]
            self.frame = self.frame[kept]
            self.traps.append("means")

    def _less_spreads(self) -> None:
        """The first of two numbers in a list, where the second is always small: a spread of it."""
        for name in map(str, self.frame.columns):
            if not re.search(r"#\d*$", name) or name in self.given | {*self.options.where}:
                continue
            place = texts(self.frame[name])
            kinds = list(dict.fromkeys(place))
            if len(kinds) != 2 or kinds != sorted(kinds):
                continue
            values = pd.to_numeric(self.frame.iloc[:, -1], errors="coerce").to_numpy(float)
            first, second = (values[(place == kind).to_numpy()] for kind in kinds)
            alike = len(first) == len(second) >= LEAST_ITEMS
            if alike and (second >= 0).all() and (second < np.abs(first) / 5).all():
                self.where[name] = [kinds[0]]
                self.frame = self.frame[place == kinds[0]].reset_index(drop=True)
                way = ("--where", f"{name}={kinds[0]}")
                self.open.append(Open("whether the second number of a list is a spread", way))
                self.traps.append("spreads")
                return

    def _one_direction(self) -> None:
        """The rows of one direction, where a column tells that of some more is better."""
        for c in self.cols.values():
            if c.name in self.given | self.ignored or c.name in self.options.where:
                continue
            told = {cell: c.tells_direction(cell) for cell in {*c.cells}}
            if {*told.values()} != {True, False}:
                continue
            counts = pd.Series(c.cells).value_counts()
            best = str(max(told, key=lambda cell: (counts[cell], bool(told[cell]))))
            self.frame = self.frame[c.cells == best].reset_index(drop=True)
            self.cols = columns_of(self.frame, self.loaded.decimal_comma, self.loaded.paths)
            way = ("--where", f"{c.name}={best}")
            self.open.append(
                Open(f"which scores count: '{c.name}' tells different directions", way)
            )
            self.traps.append("directions")
            return

    def _less_totals(self) -> None:
        """Totals of as many iterations as another column says as what one of them took."""
        names = [str(c) for c in self.frame.columns if str(c) not in self.given | self.ignored]
        counts = [c for c in names if {*words_of(c)} & COUNTED]
        for count in counts if len(self.frame) > LEAST_ITEMS else ():
            own = columns_of(self.frame[names], self.loaded.decimal_comma)
            for total in own.values():
                if total.kind != "number" or total.name == count or not own[count].is_whole:
                    continue
                with np.errstate(divide="ignore", invalid="ignore"):
                    once = total.values / own[count].values
                labels = [c for c in own.values() if c.kind == "text"]
                of, cells = groups(labels, len(self.frame))
                of = of if 3 * cells <= len(of) else np.zeros_like(of)
                if np.isfinite(once).all() and _spread_in(once, of) < 0.5 * _spread_in(
                    total.values, of
                ):
                    name = f"{total.name} per iteration"
                    self.derive = {name: {"divide": [total.name, count]}}
                    self.frame = self.frame.assign(**{name: once}).drop(columns=[total.name, count])
                    self.traps.append("totals")
                    return

    def _part_names(self) -> None:
        """Names such as `tpe_seed0`, alike for all that is compared, as a name and its seed."""
        names = [c for c in self.frame.columns if isinstance(c, str) and c not in self.ignored]
        if self.loaded.path == "" and self.loaded.files > 1:
            return  # whose names are parted already
        for name in names:
            cells = texts(self.frame[name])
            numbers = numbers_in_names({*cells} - {""})
            new = {part: f"{name} {part}" for part in numbers}
            if len(numbers) != 1 or {*new.values()} & {*names}:
                continue
            (mark, pattern), *_ = numbers.items()
            if any(role_of(c) == mark for c in names):
                continue
            self.derive |= {  # the name last, as it is made of itself
                new[mark]: {"from": name, "pattern": pattern, "replace": r"\g<no>"},
                name: {"from": name, "pattern": pattern, "replace": r"\g<stem>"},
            }
            parts = cells.str.extract(pattern)
            self.frame = self.frame.assign(**{name: parts["stem"], new[mark]: parts["no"]})
            self.roles[mark] = [new[mark]]
            self.given.add(new[mark])
            if "algorithm" not in self.roles and all(role_of(c) != "algorithm" for c in names):
                self.roles["algorithm"] = [name]
                self.given.add(name)
                self.open.append(Open(f"whether '{name}' names what is compared"))
            self.parted = {*new.values()}
            self.traps.append("parted names")
            return

    def _lengthen(self) -> None:
        """Repetitions side by side (`seed_0`, `acc (fold 1)`) as rows, those of one measure."""
        names = [str(c) for c in self.frame.columns]
        side = {} if "across" in self.options.columns else side_by_side(names)
        held = {c for columns in side.values() for c in columns}
        if not held or held & (self.given | self.ignored) or self.loaded.path:
            return
        comma = self.loaded.decimal_comma
        if not all(columns_of(self.frame[[c]], comma)[c].kind in ("number", "empty") for c in held):
            return
        kept = [c for c in names if c not in held]
        beside = columns_of(self.frame[kept], comma).values()
        if not any(c.kind == "text" and not c.is_block for c in beside):
            return  # `run1` may be a system
        measures = list(dict.fromkeys(measure for measure, _ in side))
        wanted = self.options.measure or ""
        same = [m for m in measures if wanted and m and same_measure(m, wanted)]
        (measure, mark), columns = next(
            (key, value) for key, value in side.items() if key[0] == (same or measures)[0]
        )
        value = measure or wanted or "value"
        if {value, mark} & {*kept}:
            return
        if len(measures) > 1 and not same:
            self.open.append(
                Open(f"which measure is meant: {', '.join(measures)}", ("--measure", measures[0]))
            )
        long = self.frame.melt(kept, columns, mark, value)
        self.frame = long.assign(**{mark: long[mark].str.extract(LAST_NUMBER)[0]})
        self.side = {"role": role_of(mark), "columns": columns, "pattern": LAST_NUMBER}
        self.traps.append("side by side")

    def _less_summaries(self) -> None:
        """Without rows that summarise the others, where the first column names each row once."""
        names = texts(self.frame.iloc[:, 0])
        if not names.map(is_summary).any():
            return
        beside = [texts(self.frame[c]) == "" for c in self.frame.columns[1:-1]]
        bare = names.map(is_summary) & (np.all(beside, axis=0) if beside else False)
        if 0 < bare.sum() < 5 and not names.is_unique and not names[~bare].isin(names[bare]).any():
            self.without[str(self.frame.columns[0])] = [*dict.fromkeys(names[bare])]
            self.frame = self.frame[~bare].reset_index(drop=True)
            return
        gone = names.isin(self._summaries(names, self.frame.iloc[:, 1:]))
        if names.is_unique and gone.any() and (~gone).sum() > 2:
            self.aggregates = [str(n) for n in names[gone]]
            self.without[str(self.frame.columns[0])] = self.aggregates
            self.frame = self.frame[~gone].reset_index(drop=True)

    def _summaries(self, names: pd.Series, rest: pd.DataFrame) -> list[str]:
        """Names of rows that summarise others."""
        numbers = [pd.to_numeric(rest[c], errors="coerce") for c in rest.columns]
        return summaries(names.to_numpy(object), [n.to_numpy(float) for n in numbers if n.any()])
