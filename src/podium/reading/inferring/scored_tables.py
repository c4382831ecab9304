"""A table while its roles are found: rows that count, failed runs, battles, columns of scores."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from podium.reading.cells.vocabulary import (
    Options,
    plain,
    same_measure,
)
from podium.reading.inferring.column_facts import Column, columns_of
from podium.reading.inferring.directions import is_higher_better
from podium.reading.loading.sources import Loaded
from podium.reading.recipes.deriving import texts
from podium.reading.recipes.recipe import Recipe

JOINT = "~"
LEAST_ITEMS = 10  # tasks with single outcomes, from which they are items
SENTINELS = (-1.0, -99.0, -999.0, -9999.0, 999.0, 9999.0)
SCALE = 20.0  # times by which medians of columns on one scale may differ
_BLOCKS = ("fold", "repeat", "seed", "sample")
_PARAMETERS = {"lr", "rate", "temperature", "k", "degree", "level", "alpha", "beta", "gamma", "c"}
_WITHIN = {"turn", "round", "part", "idx", "index", "attempt", "trial", "sample", "game", "pass"}
_FIRST = ("model", "algorithm", "method", "system", "framework", "agent", "provider", "command")


@dataclass(frozen=True)
class Open:
    """What the table leaves open: in words, and the options that the best guess closes it by."""

    text: str
    options: tuple[str, ...] = ()
    without: str = ""  # the column that may as well be left out


@dataclass
class Inferred:
    """A reading of a table."""

    recipe: Recipe
    open: list[Open] = field(default_factory=list)
    traps: list[str] = field(default_factory=list)  # that plain readers of tables do not know
    refusal: str = ""  # why nothing can be compared
    is_final: bool = False  # whatever columns are called
    judged: tuple[str, str] | None = None  # columns of a judge's and of people's scores
    battles: tuple[str, str, str] | None = None  # two models, and who won
    columns: dict[str, str] = field(default_factory=dict)  # --columns that say the reading
    score: float = 0.0  # how much speaks for it


class Table:
    """A table while its roles are found."""

    def __init__(self, loaded: Loaded, options: Options, stem: str) -> None:
        self.loaded, self.options, self.stem = loaded, options, stem
        self.frame = loaded.frame
        self.where: dict[str, list[str]] = {}
        self.without: dict[str, list[str]] = {}
        self.choices: set[str] = set()  # columns of which one value is to be chosen
        self.open: list[Open] = []
        self.traps: list[str] = []
        self.reasons: dict[str, str] = {}
        self.roles: dict[str, list[str]] = {
            role: [p for c in columns for p in c.split("+")]
            for role, columns in options.columns.items()
            if role not in ("ignore", "block", "sheet", "across")
        }
        self.given = {c for columns in self.roles.values() for c in columns}
        self.ignored = {*options.columns.get("ignore", ())}
        self.said: dict[str, str] = {}
        self.failed: dict[str, list[str]] = {}
        self.free: list[Column] = []
        self._facts()

    def _facts(self) -> None:
        for column, values in self.options.where.items():
            if column in self.frame.columns:
                kept = texts(self.frame[column]).isin(values)
                self.frame = self.frame[kept].reset_index(drop=True)
        self.cols = columns_of(self.frame, self.loaded.decimal_comma)
        for each in [c for c in self.cols.values() if c.is_split and c.name not in self.given]:
            if each.name in self.ignored or each.name in self.options.where:
                continue
            self.where[each.name] = each.test_values
            self.frame = self.frame[np.isin(each.cells, each.test_values)].reset_index(drop=True)
            self.cols = columns_of(self.frame, self.loaded.decimal_comma)
            self.traps.append("split")
        self.rows = len(self.frame)

    def _refused(self, why: str, final: bool = False) -> Inferred:
        return Inferred(Recipe(), self.open, self.traps, refusal=why, is_final=final)

    def _is_free(self, c: Column) -> bool:
        if c.name in self.ignored or c.kind == "empty":
            return False
        if c.name in self.given:
            return False
        if c.is_constant:
            self.reasons[c.name] = "the same in all rows"
            return False
        return c.name not in self.where and c.name not in self.failed

    # -- rows ---------------------------------------------------------------------------------

    def _battles(self) -> tuple[str, str, str] | None:
        """Two columns of the same names, and a third that says which of the two."""
        names = [
            c for c in self.cols.values() if c.kind == "text" and not c.is_long and c.count < 500
        ]
        for i, first in enumerate(names):
            for second in names[i + 1 :]:
                a, b = {*first.cells} - {""}, {*second.cells} - {""}
                if len(a | b) < 2 or len(a & b) < 2 or 2 * len(a & b) < len(a | b):
                    continue
                if (first.cells == second.cells).any():
                    continue
                for third in self.cols.values():
                    if third.name in (first.name, second.name):
                        continue
                    kinds = {c.lower() for c in {*third.cells} - {""}}
                    sides = {"a", "b", "tie", "draw", "model_a", "model_b", "1", "2", "left"}
                    sides |= {"right", "both", "both_bad", "bothbad", "tie (bothbad)", "equal"}
                    sides |= {"neither", "first", "second", "0.5"}
                    rows = (third.cells == first.cells) | (third.cells == second.cells)
                    labels = {*third.cells[~rows]}
                    by_name = rows.mean() > 0.5 and {n.lower() for n in labels} <= sides | {""}
                    by_side = len(kinds) in (2, 3, 4) and kinds <= sides and kinds != {"1", "0.5"}
                    if by_name or by_side:
                        return first.name, second.name, third.name
        return None

    def _failures(self) -> dict[str, list[str]]:
        """Columns of a status, with the values that are no failure."""
        failed = {}
        for c in self.cols.values():
            if c.name in self.given or c.name in self.ignored:
                continue
            good = c.good_values
            if good is not None:
                failed[c.name] = good
                self.traps.append("failed")
        if failed:
            return failed
        scores = [c for c in self.cols.values() if c.is_measure and c.kind == "number"]
        empty = (
            np.all([np.isnan(c.values) for c in scores], axis=0)
            if scores
            else np.zeros(self.rows, bool)
        )
        for c in self.cols.values():
            if c.is_error_text and c.name not in self.given and empty.any():
                of_gaps = c.filled[empty].mean()
                if of_gaps > 0.5 and (empty[c.filled]).mean() > 0.8:
                    failed[c.name] = [""]
                    self.traps.append("failed")
        return failed

    # -- scores -------------------------------------------------------------------------------

    def _numbers(self) -> list[Column]:
        return [c for c in self.free if c.kind in ("number", "outcome")]

    def _scores(self) -> list[Column]:
        """The columns of scores: those said, asked for, called by measures, or of outcomes."""
        if "value" in self.roles:
            return [self.cols[c] for c in self.roles["value"] if c in self.cols]
        numbers = self._numbers()
        if self.options.measure:
            requests = [c for c in numbers if plain(c.name) == plain(self.options.measure)]
            requests = requests or [
                c for c in numbers if same_measure(c.name, self.options.measure)
            ]
            if requests:
                return requests[:1]
        label = [c for c in self.free if c.role == "measure" and c.kind == "text"]
        label += [
            c for c in self.free if c.kind == "text" and c.words[-1:] in (("stat",), ("kpi",))
        ]
        label = [c for c in label if _are_measures(c)]
        if label:
            self.roles["measure"] = [label[0].name]
            return [c for c in numbers if c.role == "value"][:1] or numbers[-1:]
        named = [c for c in numbers if self._is_score(c)]
        if not named:  # a status that is all there is: the outcome itself
            own = [c for n in self.failed if (c := self.cols[n]).kind == "outcome"]
            for c in own[:1]:
                del self.failed[c.name]
                self.traps = [trap for trap in self.traps if trap != "failed"]
                self.free.append(c)
                return [c]
        main = [c for c in named if not c.is_cost and not self._is_time(c) and not c.is_human]
        rates = [c for c in main if not (c.is_whole and not c.is_binary) or c.role == "value"]
        main = rates or main  # counts of errors stand beside rates
        result = main or named or [c for c in numbers if c.role == "value"]
        result.sort(key=lambda c: c.name.count("."))  # of all before of single classes
        return result or self._only_fractions(numbers)

    def _only_fractions(self, numbers: list[Column]) -> list[Column]:
        """The one column of numbers that tells no size, cost, time or setting."""
        odd = [c for c in numbers if c.is_setting or c.is_cost or c.is_when or c.is_step]
        left = [c for c in numbers if c not in odd and not c.is_whole and c.role in (None, "value")]
        left = [c for c in left if not c.name.startswith(("params", "config")) and not c.is_human]
        return left if len(left) == 1 and left[0].count > 5 else []

    def _is_score(self, c: Column) -> bool:
        if c.is_step or c.is_when or c.role in (*_BLOCKS, "item", "dataset", "algorithm"):
            return False
        if c.name.endswith("#") or c.is_split:
            return False
        if c.words and c.words[0] in ("train", "training"):
            return False
        if c.kind == "outcome":
            return is_higher_better(c.name) is not None or c.role == "value"
        if c.role == "value" or c.is_measure:
            return True
        if c.is_size and not c.is_cost:
            return False
        return is_higher_better(c.name) is not None or c.has({"score", "scores", "value"})

    def _is_time(self, c: Column) -> bool:
        return is_higher_better(c.name) is False and c.has(
            {"time", "times", "latency", "ms", "ns", "seconds", "sec", "duration", "runtime"}
        )


def _are_measures(c: Column) -> bool:
    """Whether most of the few names that a column holds are those of measures."""
    kinds = {*c.cells[c.filled]}
    known = sum(is_higher_better(k) is not None for k in kinds)
    return 2 * known >= len(kinds) and len(kinds) <= 60
