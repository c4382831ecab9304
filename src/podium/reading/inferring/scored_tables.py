"""A table while its roles are found: rows that count, failed runs, battles, columns of scores."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from podium.reading.cells.directions import is_higher_better
from podium.reading.cells.vocabulary import (
    known_measure,
    plain,
    same_measure,
)
from podium.reading.cells.words import words_of
from podium.reading.inferring.column_facts import (
    PARTS,
    Column,
    groups,
    likely_higher,
    looks_compared,
)
from podium.reading.inferring.headers import describes
from podium.reading.inferring.loaded_tables import COUNTED, LoadedTable, Open
from podium.reading.recipes.recipe import Recipe

JOINT = "~"
SENTINELS = (-1.0, -99.0, -999.0, -9999.0, 999.0, 9999.0)
SCALE = 20.0  # times by which medians of columns on one scale may differ
OF_SAMPLES = ("fold", "repeat", "seed", "sample")
PARAMETERS = {"lr", "rate", "temperature", "k", "degree", "level", "alpha", "beta", "gamma", "c"}
_WITHIN = {"turn", "round", "part", "idx", "index", "attempt", "trial", "sample", "game", "pass"}
_FIRST = ("model", "algorithm", "method", "system", "framework", "agent", "provider", "command")


@dataclass
class Inferred:
    """A reading of a table."""

    recipe: Recipe
    open: list[Open] = field(default_factory=list)
    traps: list[str] = field(default_factory=list)  # what tells which rows count, or what as
    by_content: bool = False  # roles are told by what columns hold, not by their names
    tells_more: bool = False  # than names do, which may be enough
    refusal: str = ""  # why nothing can be compared
    is_final: bool = False  # whatever columns are called
    judged: tuple[str, str] | None = None  # columns of a judge's and of people's scores
    battles: tuple[str, str, str] | None = None  # two models, and who won
    columns: dict[str, str] = field(default_factory=dict)  # --columns that say the reading
    score: float = 0.0  # how much speaks for it


GAMES = "\1"  # between columns that tell who won games of the same two
BETWEEN = "\0"  # two columns of scores of a battle
SCORES = {"1-0": "model_a", "0-1": "model_b", "1/2-1/2": "tie", "½-½": "tie", "0.5-0.5": "tie"}
_WON = {"winner", "won", "chosen", "preferred", "better"}
_LOST = {"loser", "lost", "rejected", "dispreferred", "worse", "nonpreferred"}


def _won_and_lost(first: Column, second: Column) -> tuple[str, str] | None:
    """The column of winners and that of losers, where two are called so."""
    if first.has(_WON) and second.has(_LOST):
        return first.name, second.name
    return (second.name, first.name) if second.has(_WON) and first.has(_LOST) else None


_TIMES = {
    "time",
    "times",
    "latency",
    "ms",
    "ns",
    "seconds",
    "sec",
    "duration",
    "runtime",
    "elapsed",
}
_MARKS = {"label", "mark", "vote", "verdict", "annotation", "judgment", "judgement", "points"}
_PLACES = {"order", "position", "place", "rank", "turn", "round", "session"}
_SCORES = {"score", "scores", "metric", "metrics", "feedback", "eval", "evals", "evaluation"}
LABELS = [(w,) for w in ("stat", "kpi", "event", "counter", "indicator", "sheet")]  # of measures


class Table(LoadedTable):
    """A table while its roles are found."""

    @property
    def _found(self) -> tuple[list[Open], list[str], bool, bool]:
        return self.open, self.traps, self.by_content, self.tells_more

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
        names = [c for c in names if 2 * c.filled.sum() > self.rows]  # not of other files' rows
        for i, first in enumerate(names):
            for second in names[i + 1 :]:
                a, b = {*first.cells} - {""}, {*second.cells} - {""}
                if games := self._games(first, second):
                    return first.name, second.name, games
                if len(a | b) < 2 or len(a & b) < 2 or 2 * len(a & b) < len(a | b):
                    continue
                if (first.cells == second.cells).any():
                    continue
                if order := _won_and_lost(first, second):
                    return *order, ""
                if beside := self._scores_beside(first, second):
                    return first.name, second.name, beside
                for third in self.cols.values():
                    if third.name in (first.name, second.name):
                        continue
                    kinds = {c.lower() for c in {*third.cells} - {""}}
                    sides = {"a", "b", "tie", "draw", "model_a", "model_b", "1", "2", "left"}
                    sides |= {"right", "both", "both_bad", "bothbad", "tie (bothbad)", "equal"}
                    sides |= {"neither", "first", "second", "0.5", *SCORES}
                    sides |= {first.name.lower(), second.name.lower()}
                    rows = (third.cells == first.cells) | (third.cells == second.cells)
                    labels = {*third.cells[~rows]}
                    by_name = rows.mean() > 0.5 and {n.lower() for n in labels} <= sides | {""}
                    by_side = len(kinds) in (2, 3, 4) and kinds <= sides and kinds != {"1", "0.5"}
                    if by_name or by_side:
                        return first.name, second.name, third.name
        return None

    def _games(self, first: Column, second: Column) -> str:
        """Columns that say by the names of these two which of them won, one for each game."""
        sides = {first.name.lower(), second.name.lower()}
        rest = {"tie", "draw", "error", "both", "neither", "equal", ""}
        told = []
        for c in self.cols.values():
            kinds = {cell.lower() for cell in {*c.cells}}
            if c.kind == "text" and c is not first and c is not second and kinds & sides:
                told += [c.name] if kinds <= sides | rest else []
        each = [{cell.lower() for cell in {*self.cols[name].cells}} for name in told]
        return GAMES.join(told) if any(kinds >= sides for kinds in each) else ""

    def _scores_beside(self, first: Column, second: Column) -> str:
        """Two columns of numbers named as the two names are: `score_1` and `score_2`."""
        numbers = [c for c in self.cols.values() if c.kind == "number"]
        only = {*first.words} - {*second.words}, {*second.words} - {*first.words}
        for a in numbers:
            for b in numbers:
                apart = {*a.words} - {*b.words}, {*b.words} - {*a.words}
                if apart == only and len(apart[0]) == 1 and self._is_score(a):
                    return f"{a.name}{BETWEEN}{b.name}"
        return ""

    def _failures(self) -> dict[str, list[str]]:
        """Columns of a status, with the values that are no failure."""
        failed = {}
        for c in self.cols.values():
            if c.name in self.given or c.name in self.ignored:
                continue
            good = c.good_values
            if good is not None and self._is_verdict(c):
                continue
            if good is not None and not self._repeats_a_score(c, good):
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

    def _is_verdict(self, c: Column) -> bool:
        """Whether passed and failed are the score itself, beside times alone."""
        if not {cell.lower() for cell in {*c.cells}} <= {"passed", "failed", "pass", "fail"}:
            return False
        others = [o for o in self.cols.values() if o.kind == "number" and o.role is None]
        scored = [o for o in others if not (self._is_time(o) or o.is_cost or o.is_constant)]
        return c.has({"outcome", "verdict"}) and not any(map(self._is_score, scored))

    def _repeats_a_score(self, status: Column, good: list[str]) -> bool:
        """Whether a status says what a score does: `failed: ...` wherever `passed` is false."""
        rows = np.isin(status.cells, good)
        return any(
            np.array_equal(c.values, rows)
            for c in self.cols.values()
            if c is not status and c.kind in ("number", "outcome") and c.filled.all()
        )

    # -- scores -------------------------------------------------------------------------------

    def _numbers(self) -> list[Column]:
        return [c for c in self.free if c.kind in ("number", "outcome")]

    def _is_from_above(self, c: Column) -> bool:
        """Whether a column of a list's rows stands above the list, and is repeated beside it."""
        place = re.sub(r"(\[\]|\{\})+$", "", self.loaded.path)
        path = self.loaded.paths.get(c.name, "")
        nested = bool(place) and place.count("[]") + place.count("{}") > 0
        nested = nested and c.name not in self.derive
        return nested and path != c.name and not path.startswith(place)

    def _own_numbers(self) -> list[Column]:
        """The numbers of the rows themselves, where one of them may be a score; else all."""
        numbers = self._numbers()
        own = [c for c in numbers if not self._is_from_above(c)]
        fractions = [c for c in own if c.kind == "number" and not c.is_whole]
        return own if fractions or any(map(self._is_score, own)) else numbers

    def _scores(self) -> list[Column]:
        """The columns of scores: those said, asked for, called by measures, or of outcomes."""
        label = [c for c in self.free if c.role == "measure" and c.kind == "text"]
        label += [c for c in self.free if c.kind == "text" and _less_name(c.words)[-1:] in LABELS]
        label = [c for c in label if are_measures(c)] or self._keys_of_measures()
        if "value" in self.roles:
            if label and "measure" not in self.roles and "value" in self.options.columns:
                self.roles["measure"] = [label[0].name]
            return [self.cols[c] for c in self.roles["value"] if c in self.cols]
        numbers = self._own_numbers()
        if self.options.measure:
            requests = [c for c in numbers if plain(c.name) == plain(self.options.measure)]
            requests = requests or [
                c for c in numbers if same_measure(c.name, self.options.measure)
            ]
            if requests:
                return requests[:1]
        if label:
            values = [c for c in numbers if c.role == "value"]
            values = values or [c for c in numbers if c.words[-1:] in (("value",), ("score",))]
            values = values or [*filter(is_mean, numbers)]
            plausible = [c for c in numbers if not c.is_setting and not c.is_statistic]
            if not values and len(plausible) > 1:
                return []  # a column of each algorithm
            self.roles["measure"] = [label[0].name]
            return values[:1] or numbers[-1:]
        named = [c for c in numbers if self._is_score(c)]
        if not named:  # a status that is all there is: the outcome itself
            own = [c for n in self.failed if (c := self.cols[n]).kind == "outcome"]
            for c in own[:1]:
                del self.failed[c.name]
                self.traps = [trap for trap in self.traps if trap != "failed"]
                self.free.append(c)
                return [c]
        named = [c for c in named if not any(_is_spread_of(c, o) for o in named)]
        named = _of_test_data(named)
        trained = [c for c in self.cols.values() if c.is_measure and _part_of(c) == "train"]
        if trained and any(_part_of(c) == "test" for c in named):
            self.traps.append("split")  # which plain readers of tables do not see
        if not named:
            named = self._outcomes(numbers)
        main = [c for c in named if not c.is_cost and not self._is_time(c) and not c.is_human]
        rates = [c for c in main if not (c.is_whole and not c.is_binary) or c.role == "value"]
        main = rates or main  # counts of errors stand beside rates
        result = main or named or [c for c in numbers if c.role == "value"]
        # of test data before others, then what is known to be good, of all before single classes
        result.sort(
            key=lambda c: (
                _part_of(c) != "test",
                is_higher_better(c.name) is None,
                c.name.count("."),
            )
        )
        if all(map(self._is_side_effect, result)):
            result = [*self._unnamed_scores(numbers, result), *result]
        return result or self._only_fractions(numbers) or [c for c in numbers if is_mean(c)][:1]

    def _is_side_effect(self, c: Column) -> bool:
        """Whether a score tells what it took to get another one: a time, a cost, a count."""
        counts = c.is_whole and not c.is_binary and c.kind == "number" and c.role != "value"
        return counts or c.is_cost or self._is_time(c)

    def _unnamed_scores(self, numbers: list[Column], beside: list[Column]) -> list[Column]:
        """Numbers of single runs whose names say nothing, where names and blocks tell runs apart.

        What is the same for all that was tried on one block describes the block.
        """
        labels = [c for c in self.free if self._tells_rows_apart(c)]
        called = [c for c in labels if c.is_contender and c.kind == "text"]
        names = sorted(called, key=lambda c: (c.is_judge, c.count))[:1]
        blocks = [c for c in labels if c not in names]
        if not names or not blocks or names[0].count > self.rows / 2 or self._has_mean:
            return []
        if groups([*names, *blocks], self.rows)[1] < 0.9 * self.rows:
            return []
        others = [c for c in numbers if c not in beside and c not in blocks and c.kind == "number"]
        others = [c for c in others if c.role in (None, "value") and not describes(c, others)]
        others = [c for c in others if not c.has(_PLACES) and not c.is_human]
        fractions = [c for c in others if not c.is_whole]
        chosen = (fractions if beside else others) if fractions or not beside else []
        if looks_compared(c.name for c in chosen) > max(0.0, looks_compared({*names[0].cells})):
            return []  # columns of svm and knn, beside a `db` that is a data set
        return [c for c in chosen if self._differs_within(c, names, blocks)]

    def _tells_rows_apart(self, c: Column) -> bool:
        """Whether a label may tell what was compared or tried on, or which run it was."""
        named = c.is_block or c.role in ("item", "dataset", "cluster", *OF_SAMPLES)
        names = c.kind == "text" and not c.is_text_field and not c.is_long
        return (named or names or c.is_setting) and (c.kind == "text" or c.is_whole)

    def _differs_within(self, c: Column, names: list[Column], blocks: list[Column]) -> bool:
        """Whether numbers differ between the names on a block, and between blocks for a name."""
        alone = [[b] for b in blocks]
        kinds = [pd.Series(c.values).groupby(groups(k, self.rows)[0]) for k in [names, *alone]]
        return all(bool((each.nunique() > 1).any()) for each in kinds)

    def _keys_of_measures(self) -> list[Column]:
        """Keys that are names of measures, beside the one column of numbers: `key`, `score`."""
        keys = [c for c in self.free if c.kind == "text" and c.words[-1:] in (("key",), ("name",))]
        keys = [c for c in keys if not self._is_from_above(c) and 2 <= c.count <= self.rows / 3]
        kinds = {c.name: [is_higher_better(k) for k in {*c.cells}] for c in keys}
        values = [c for c in self._numbers() if c.role == "value"]
        told = [c for c in keys if None not in kinds[c.name]]
        return told if len(values) == 1 else []

    def _outcomes(self, numbers: list[Column]) -> list[Column]:
        """The one column of words for passed and failed; of true and false it is asked."""
        outcomes = [c for c in numbers if c.kind == "outcome" and not c.is_split]
        if len(outcomes) != 1:
            return []
        if {c.lower() for c in {*outcomes[0].cells}} <= {"true", "false", "yes", "no", ""}:
            if len(numbers) > 1:
                return []  # one of many facts
            self.open.append(Open(f"whether '{outcomes[0].name}' tells success"))
        return outcomes

    def _only_fractions(self, numbers: list[Column]) -> list[Column]:
        """The one column of numbers that tells no size, cost, time or setting."""
        odd = [c for c in numbers if c.is_setting or c.is_cost or c.is_when or c.is_step]
        left = [c for c in numbers if c not in odd and not c.is_whole and c.role in (None, "value")]
        left = [c for c in left if not c.name.startswith(("params", "config")) and not c.is_human]
        if not left and len(odd) == 1 and not (odd[0].is_whole or odd[0].is_step or odd[0].is_when):
            left = odd  # the length of a path
        return left if len(left) == 1 and left[0].count > 5 else []

    def _is_entry(self, c: Column) -> bool:
        """Whether it holds the entries of a list of numbers, whose path is the list's."""
        path = self.loaded.paths.get(c.name, "")
        return bool(path) and f"{path}[]" == self.loaded.path and c.kind == "number"

    @cached_property
    def _has_mean(self) -> bool:
        """Whether a column of means stands beside one of deviations."""
        deviating = {"std", "sd", "stddev", "stdev", "dev"}
        return any(map(is_mean, self.cols.values())) and any(
            c.has(deviating) for c in self.cols.values()
        )

    def _is_score(self, c: Column) -> bool:
        if c.kind == "text":
            return False  # whatever its name: a column `loss` may name the loss that was chosen
        if self._is_entry(c) and not c.is_whole:
            return True
        if (
            c.is_step
            or c.is_when
            or c.is_http_status
            or c.role in (*OF_SAMPLES, "item", "dataset", "algorithm")
        ):
            return False
        if self.loaded.paths.get(c.name, c.name).endswith(("[]", "{}", "#")) or c.is_split:
            return False
        if c.kind == "outcome":
            named = c.role == "value" or c.has({"score", "scores", "grade", "verdict", "outcome"})
            return named or is_higher_better(c.name) is not None
        if c.words in (("error",), ("err",)) and self._has_mean:
            return False  # of a mean beside it
        if c.role == "value" or c.is_measure or self._stands_among_scores(c):
            return True
        if c.has({"judge", "rater", "grader"}) and not c.is_size:
            return True
        if (c.is_human or c.has({"llm", "auto", "gpt"})) and {*c.words[-1:]} & _MARKS:
            return True
        if c.is_size and not c.is_cost:
            return False
        return is_higher_better(c.name) is not None or c.has({"score", "scores", "value"})

    def _stands_among_scores(self, c: Column) -> bool:
        """Whether a number stands below what is called scores: `scores.Factuality`."""
        path = re.sub(r"[\[\]{}]", "", self.loaded.paths.get(c.name, c.name))
        above = re.split(r"[./:]", path)[-2:-1]
        return bool(above) and bool({*words_of(above[0])} & _SCORES) and not c.is_size

    def _is_time(self, c: Column) -> bool:
        above = (self._is_entry(c) and c.role == "sample") or c.words == ("value",)
        name = (above and self._measure_above(c)) or c.name
        return is_higher_better(name) is False and bool(_TIMES & {*words_of(name)})

    def _sentinels(self, scores: list[Column]) -> dict[str, list[float]]:
        """Values that stand for no score: -1 among numbers that are never negative."""
        missing = {}
        for c in scores:
            if told := self._stands_for_none(c.values, c.is_whole, c.name):
                missing[c.name] = told[-1:]
                self.traps.append("sentinel")
        return missing

    def _stands_for_none(self, values: np.ndarray, whole: bool, name: str = "") -> list[float]:
        """The numbers among scores that no score can be by the others, and that are few.

        A measure that may be negative, as rewards are, may well be -1.
        """
        here, told = values[~np.isnan(values)], []
        known = known_measure(self.options.measure or name)
        least = known.bounds[0] if known else 0.0
        for value in SENTINELS:
            others = here[here != value]
            if not (here == value).any() or len(others) < 5:
                continue
            low = value < min(least, 0) or (value < -1 and least == -np.inf)
            low = low and (others >= 0).all() and (others.max() > 1 or not whole)
            high = value > 0 and others.max() < value / 9
            if (low or high) and (here == value).mean() < 0.5:
                told.append(value)
        return told

    def _judged(self) -> tuple[str, str] | None:
        people = [c for c in self.free if c.is_human and not c.filled.all()]
        judge = [
            c
            for c in self._numbers()
            if c.filled.all()
            and not c.is_human
            and c.has({"judge", "auto", "llm", "model", "score"})
        ]
        if people and judge and "item" in self.roles:
            return judge[0].name, people[0].name
        return None

    # -- measures -----------------------------------------------------------------------------

    def _measure_beside(self, measure: dict[str, object]) -> dict[str, object]:
        """The one measure of columns that stand side by side."""
        directions = measure["higher_is_better"]
        assert isinstance(directions, dict)
        name = str(measure["first"])
        asked = any("--measure" in o.options for o in self.open)
        if not self.options.measure and not asked and is_higher_better(name) is None:
            likely = self._measure_of_stem() or name
            self.open.append(Open("what the scores measure", ("--measure", likely)))
        return {"name": name, "higher_is_better": directions[name]}

    def _measure(self, scores: list[Column]) -> dict[str, object]:
        if "measure" in self.roles:
            label = self.cols[self.roles["measure"][0]]
            kinds = list(dict.fromkeys(label.cells[label.filled]))
            spread = pd.Series(scores[0].values).groupby(label.cells).nunique()
            kinds.sort(key=lambda k: (spread[k] < 2, is_higher_better(k) is None))
            if len(kinds) > 1 and not self.options.measure:
                which = f"which measure is meant: {', '.join(kinds[:4])}"
                self.open.append(Open(which, ("--measure", kinds[0])))
            known = {k: h for k in kinds if (h := is_higher_better(k)) is not None}
            chosen = self.options.measure or kinds[0]
            if is_higher_better(chosen) is None and self.options.higher_is_better is None:
                whether = f"whether more of '{chosen}' is better"
                self.open.append(Open(whether, ("--lower-is-better",), either=True))
            return {"higher_is_better": known}
        directions: dict[str, bool] = {}
        for c in scores:
            counted = self._is_entry(c) and {*c.words} <= COUNTED  # a list of so many numbers
            higher = None if counted else is_higher_better(c.name)
            if higher is None:
                higher = self._direction_of_unit()
            if higher is None and (c.role == "value" or self._is_entry(c)):
                above = self._measure_above(c) or self._measure_of_stem()
                higher = is_higher_better(above) if above else None
            if higher is None and self.options.higher_is_better is not None:
                higher = self.options.higher_is_better
            if higher is not None:
                directions[c.name] = higher
        if len(scores) > 1 and not self.options.measure:
            names = ", ".join(c.name for c in scores[:4])
            self.open.append(
                Open(f"which measure is meant: {names}", ("--measure", scores[0].name))
            )
        if scores[0].name not in directions:
            higher = likely_higher(scores[0])
            way = f"--{'higher' if higher else 'lower'}-is-better"
            text = f"whether more of '{scores[0].name}' is better"
            self.open.append(Open(text, (way,), either=higher is None))
            directions[scores[0].name] = bool(higher)
        return {"higher_is_better": directions, "first": scores[0].name}

    def _measure_above(self, c: Column) -> str:
        """The measure that stands over a value: `accuracy{}{}.value`."""
        parts = re.sub(r"[\[\]{}]", "", self.loaded.paths.get(c.name, "")).split(".")[:-1]
        return next((p for p in reversed(parts) if is_higher_better(p) is not None), "")

    def _direction_of_unit(self) -> bool | None:
        """Which values are better by the units or the one measure that a column names."""
        for c in self.cols.values():
            if c.count == 1 and (told := c.tells_direction(str(c.cells[c.filled][0]))) is not None:
                return told
            if c.kind == "text" and (
                c.has({"unit", "units"}) or (c.count == 1 and c.role == "measure")
            ):
                directions = {is_higher_better(str(unit)) for unit in {*c.cells[c.filled]}}
                return directions.pop() if len(directions) == 1 else None
        return None

    def _measure_of_stem(self) -> str:
        words = [w for w in re.split(r"[^A-Za-z0-9]+", self.stem) if w]
        for word in words:
            if known_measure(word) or (len(word) > 2 and is_higher_better(word) is not None):
                return word
        return ""


def are_measures(c: Column) -> bool:
    """Whether most of the few names that a column holds are those of measures."""
    kinds = {*c.cells[c.filled]}
    known = sum(is_higher_better(k) is not None for k in kinds)
    told = c.has({"metric", "measure"}) and c.role == "measure"
    told = told or (_less_name(c.words)[-1:] == ("indicator",) and known > 0)
    return (2 * known >= len(kinds) or told) and len(kinds) <= 60


def _less_name(words: tuple[str, ...]) -> tuple[str, ...]:
    """Words of a header less a last one that says little: `IndicatorName` is an indicator."""
    return words[:-1] if words[-1:] == ("name",) else words


def is_mean(c: Column) -> bool:
    """Whether a column is called a mean, of something that another one names."""
    return c.words in (("mean",), ("average",), ("avg",), ("median",))


def _is_spread_of(c: Column, other: Column) -> bool:
    """Whether a column is called as another one, with a word for its spread: `Score Error`."""
    more = c.words[len(other.words) :]
    own = c.words[: len(other.words)] == other.words and c is not other
    return own and more[:1] in (("error",), ("err",), ("std",), ("sd",), ("se",), ("stderr",))


def _part_of(c: Column) -> str | None:
    """The part of the data that a measure is of: `val_loss`, `acc_test`, `metrics/train/loss`."""
    *above, last = re.split(r"[./:]", c.title or c.name)
    words = words_of(last)
    ends = [*words[:1], *words[-1:]] if len(words) > 1 else []
    return next((PARTS[w] for w in (*ends, *map(str.lower, above)) if w in PARTS), None)


def _less_parts(c: Column) -> frozenset[str]:
    """The words of a measure less the part of the data that it is of."""
    return frozenset(w for w in words_of(c.title or c.name) if w not in PARTS)


def _of_test_data(scores: list[Column]) -> list[Column]:
    """Less scores on training data, also those that are so by what stands beside them.

    Where `val_accuracy` stands beside `accuracy`, and no `test_accuracy`, the latter is of the
    training data.
    """
    parts = {c.name: _part_of(c) for c in scores}
    kept = [c for c in scores if parts[c.name] != "train"]
    held = {_less_parts(c) for c in kept if parts[c.name] in ("test", "validation")}
    marked = any(part == "test" for part in parts.values())
    of_training = [
        c for c in kept if parts[c.name] is None and _less_parts(c) in held and not marked
    ]
    return [c for c in kept if c not in of_training] or scores
