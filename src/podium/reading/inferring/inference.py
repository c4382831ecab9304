"""The roles of a table's columns: a recipe, what is open, and why a column has no role.

Names propose, the content decides: which columns tell rows apart, what is constant within what,
which numbers share a scale. What is open carries the option that closes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from podium.reading.cells.vocabulary import (
    Options,
    is_summary,
    known_measure,
    plain,
    role_of,
    same_measure,
)
from podium.reading.inferring.column_facts import Column, columns_of, groups
from podium.reading.inferring.directions import is_higher_better
from podium.reading.loading.sources import FILE, FOLDER, Loaded
from podium.reading.recipes.applying import texts
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
    judged: tuple[str, str] | None = None  # columns of a judge's and of people's scores
    battles: tuple[str, str, str] | None = None  # two models, and who won
    columns: dict[str, str] = field(default_factory=dict)  # --columns that say the reading
    score: float = 0.0  # how much speaks for it


def infer(loaded: Loaded, options: Options, stem: str = "") -> Inferred:
    """The reading of a record set; `stem` is the name of the file, which may tell the measure."""
    return _Table(loaded, options, stem).reading()


class _Table:
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

    # -- the reading --------------------------------------------------------------------------

    def reading(self) -> Inferred:
        """What the table is: battles, a judge beside people, long, wide, or nothing."""
        if not self.rows:
            return self._refused("it has no rows that count")
        if battles := self._battles():
            return Inferred(Recipe(), self.open, ["battles"], battles=battles, score=5)
        self.failed = self._failures()
        self.free = [c for c in self.cols.values() if self._is_free(c)]
        if all(c.is_statistic for c in self._numbers()) and len(self._numbers()) > 2:
            return self._refused(
                "it has summaries of many scores (" + ", ".join(c.name for c in self._numbers()[:6])
                + ") and no score itself: give the file that has a row for every run or item"
            )  # fmt: skip
        scores = self._scores()
        algorithm = self._algorithm(scores)
        if not scores or not algorithm:
            return self._wide(algorithm)
        before = (dict(self.roles), list(self.open), list(self.traps), dict(self.reasons))
        long = self._long(scores, algorithm)
        if not long.refusal:
            return long
        self.roles, self.open, self.traps, self.reasons = before
        self.said = {}
        wide = self._wide(algorithm)
        return long if wide.refusal else wide

    def _refused(self, why: str) -> Inferred:
        return Inferred(Recipe(), self.open, self.traps, refusal=why)

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
                    named = {*third.cells[~rows]}
                    by_name = rows.mean() > 0.5 and {n.lower() for n in named} <= sides | {""}
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
            asked = [c for c in numbers if plain(c.name) == plain(self.options.measure)]
            asked = asked or [c for c in numbers if same_measure(c.name, self.options.measure)]
            if asked:
                return asked[:1]
        label = [c for c in self.free if c.role == "measure" and c.kind == "text"]
        if label:
            self.roles["measure"] = [label[0].name]
            return [c for c in numbers if c.role == "value"][:1] or numbers[-1:]
        named = [c for c in numbers if self._is_score(c)]
        main = [c for c in named if not c.is_cost and not self._is_time(c) and not c.is_human]
        rates = [c for c in main if not (c.is_whole and not c.is_binary) or c.role == "value"]
        main = rates or main  # counts of errors stand beside rates
        return main or named or [c for c in numbers if c.role == "value"]

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

    # -- algorithms ---------------------------------------------------------------------------

    def _algorithm(self, scores: list[Column]) -> list[str]:
        if "algorithm" in self.roles:
            return self.roles["algorithm"]
        labels = [c for c in self.free if c.kind in ("text", "outcome") or c.is_whole]
        named = [c for c in labels if c.role == "algorithm" and not c.is_long]
        if self.loaded.files > 1 and not named:
            place = [c for c in self.free if c.name == FILE or c.name.startswith(FOLDER)]
            return [place[0].name] if place else []
        if not named:
            keys = [c for c in labels if c.name == "key" or re.fullmatch(r"key\d", c.name)]
            return [keys[0].name] if keys and scores else []
        named.sort(key=lambda c: _rank(c.words, _FIRST))
        chosen = [named[0]]
        for other in named[1:]:
            _, alone = groups(chosen, self.rows)
            _, both = groups([*chosen, other], self.rows)
            if both > alone and not other.is_text_field:
                chosen.append(other)
                self.open.append(
                    Open(
                        f"whether '{other.name}' is part of the algorithm, as '{named[0].name}' is"
                    )
                )
            else:
                self.reasons[other.name] = f"told by '{chosen[0].name}' already"
        return [c.name for c in chosen]

    # -- long tables --------------------------------------------------------------------------

    def _long(self, scores: list[Column], algorithm: list[str]) -> Inferred:
        self.roles["algorithm"] = list(algorithm)
        self.said["algorithm"] = "+".join(algorithm)
        taken = {*algorithm, *(c.name for c in scores), *self.given}
        taken |= {c for columns in self.roles.values() for c in columns}
        labels = [c for c in self.free if c.name not in taken and not c.is_step and not c.is_when]
        for role in ("dataset", "item", *_BLOCKS):
            if role not in self.roles:
                self._name_block(role, labels, scores)
        self._named_keys(labels)
        self._places(labels)
        for name in self.roles.get("dataset", [])[:1]:
            self._less_aggregates(self.cols[name])
        self._tasks_are_items(scores)
        if not any(r in self.roles for r in ("dataset", "item", *_BLOCKS)):
            self._text_items(labels)
        steps = [c for c in self.free if c.is_step and c.name not in taken]
        if steps and not self._is_apart():
            self.roles["step"] = [steps[0].name]
            self.traps.append("step")
            if not self.options.step:
                self.open.append(
                    Open(
                        f"which score of a curve (column '{steps[0].name}') counts",
                        ("--step", "last"),
                    )
                )
        self._parts(labels, scores)
        self._judges(scores)
        self._clusters(labels)
        missing = self._sentinels(scores)
        if self._is_board(scores):
            return self._refused(
                "it has one number per algorithm, which tells no difference from chance: give the "
                "file that has a row for every item, run or data set"
            )
        judged = self._judged()
        return self._made(scores, missing, judged)

    def _name_block(self, role: str, labels: list[Column], scores: list[Column]) -> None:
        used = {c for columns in self.roles.values() for c in columns}
        named = [c for c in labels if c.role == role and c.name not in used]
        named = [c for c in named if (c.kind == "text" or c.is_whole) and c.filled.all()]
        if role == "item":
            named = [c for c in named if not (c.is_long and len(named) > 1)]
        named = [c for c in named if self._is_shared(c)]
        if not named:
            return
        if len(named) > 1:
            named.sort(key=lambda c: (c.kind != "text", -c.count))
            _, alone = groups(named[:1], self.rows)
            _, both = groups(named, self.rows)
            if both > alone and role == "dataset":
                self.roles[role] = [c.name for c in named]
                self.said[role] = "+".join(c.name for c in named)
                return
        self.roles[role] = [named[0].name]
        self.said[role] = named[0].name

    def _is_shared(self, c: Column) -> bool:
        """Whether most values of a column have rows of two algorithms."""
        algorithms = [self.cols[a] for a in self.roles["algorithm"] if a in self.cols]
        _, size = groups(algorithms, self.rows)
        if size < 2:
            return True
        _, cells = groups([c], self.rows)
        _, pairs = groups([c, *algorithms], self.rows)
        return pairs > 1.3 * cells

    def _named_keys(self, labels: list[Column]) -> None:
        """Keys of mappings below the algorithms: data sets by name, choices by number."""
        used = {c for columns in self.roles.values() for c in columns}
        for c in labels:
            path = self.loaded.paths.get(c.name, "")
            if not path.endswith("{}") or c.name in used or self._is_apart():
                continue
            if c.kind == "text" and "dataset" not in self.roles:
                self.roles["dataset"] = [c.name]
                self.said["dataset"] = c.name
            elif self._counts_repetitions(c) and "sample" not in self.roles:
                self.roles["sample"] = [c.name]
                self.said["sample"] = c.name
                self.open.append(Open(f"whether '{c.name}' numbers samples"))
            elif c.kind == "number":
                first = str(c.cells[0])
                self.open.append(Open(f"which '{c.name}' counts", ("--where", f"{c.name}={first}")))
                self.traps.append("choice")
                self.choices.add(c.name)

    def _less_aggregates(self, c: Column) -> None:
        kinds = [str(k) for k in dict.fromkeys(c.cells)]
        gone = [k for k in kinds if k.lower() in ("all", "overall") or is_summary(k)]
        if gone and len(kinds) - len(gone) > 1:
            self.without[c.name] = gone

    def _places(self, labels: list[Column]) -> None:
        """Places in lists: queries, runs ... that tell rows apart, as samples."""
        places = [
            c for c in labels if re.search(r"#\d*$", c.name) and not c.name.startswith("row#")
        ]
        places = [c for c in places if c.name not in {x for v in self.roles.values() for x in v}]
        for place in places:
            if self._is_apart() or not self._is_shared(place):
                break
            role = next((r for r in ("sample", "repeat") if r not in self.roles), None)
            if role is None:
                break
            self.roles[role] = [place.name]
            self.said[role] = place.name

    def _tasks_are_items(self, scores: list[Column]) -> None:
        """Tasks with single outcomes, right or wrong, are items of one test set."""
        tasks = self.roles.get("dataset", [])
        if "item" in self.roles or len(tasks) != 1 or "dataset" in self.options.columns:
            return
        single = all(c.is_binary for c in scores) and "fold" not in self.roles
        if not single or self.cols[tasks[0]].count < LEAST_ITEMS:
            return
        self.roles["item"] = self.roles.pop("dataset")
        self.said["item"] = self.said.pop("dataset", tasks[0])
        for role in ("sample", "repeat", "seed"):
            if role in self.roles:
                self.roles["answer"] = self.roles.pop(role)
                self.said.pop(role, None)
        self.traps.append("items")

    def _text_items(self, labels: list[Column]) -> None:
        """A column of questions or ids that algorithms share, and that tells their rows apart."""
        used = {c for columns in self.roles.values() for c in columns}
        shared = [c for c in labels if c.name not in used and c.kind in ("text", "number")]
        shared = [c for c in shared if c.filled.all() and self._is_shared(c)]
        whole = [c for c in shared if c.kind == "text" or c.is_whole]
        if not whole:
            return
        best = max(whole, key=lambda c: (c.count, c.kind == "text"))
        algorithms = [self.cols[a] for a in self.roles["algorithm"]]
        _, pairs = groups([best, *algorithms], self.rows)
        if pairs < 0.9 * self.rows or best.count < 3:
            return
        role = "item" if best.count >= LEAST_ITEMS else "dataset"
        self.roles[role] = [best.name]
        self.said[role] = best.name
        self.open.append(Open(f"what '{best.name}' is"))

    def _keys(self) -> list[Column]:
        order = ("algorithm", "dataset", "item", "answer", *_BLOCKS, "step", "measure", "condition")
        return [self.cols[c] for r in order for c in self.roles.get(r, []) if c in self.cols]

    def _is_apart(self) -> bool:
        _, count = groups(self._keys(), self.rows)
        return count == self.rows

    def _parts(self, labels: list[Column], scores: list[Column]) -> None:
        """Columns that make rows of one cell differ: parts of the algorithm, or asked about."""
        if self._is_apart() or "algorithm" in self.options.columns:
            return
        used = {c for columns in self.roles.values() for c in columns} | {c.name for c in scores}
        others = []
        for c in labels:
            if (
                c.name in used | self.choices
                or c.is_text_field
                or c.is_when
                or c.is_cost
                or c.is_judge
            ):
                continue
            if c.name.startswith(("row#", FILE)) or self._is_score(c) or c.is_statistic:
                continue
            if c.has({"hash", "commit", "sha", "uuid"}) or c.count > max(2, self.rows // 3):
                continue
            if c.kind == "number" and not self._repeats(c):
                continue
            others.append(c)
        for c in others:
            if self._is_apart():
                break
            before = groups(self._keys(), self.rows)[1]
            after = groups([*self._keys(), c], self.rows)[1]
            if after < 1.2 * before:
                continue
            if "item" in self.roles and c.has(_WITHIN) and "answer" not in self.roles:
                self.roles["answer"] = [c.name]  # averaged within the item
                continue
            if self._counts_repetitions(c):
                role = "answer" if "item" in self.roles else "sample"
                if role not in self.roles:
                    self.roles[role] = [c.name]
                    self.said |= {role: c.name} if role == "sample" else {"ignore": c.name}
                    self.open.append(
                        Open(f"whether '{c.name}' numbers repetitions, which are averaged")
                    )
                    self.traps.append("part")
                    continue
            self.roles["algorithm"].append(c.name)
            self.said["algorithm"] = "+".join(self.roles["algorithm"])
            self.open.append(
                Open(
                    f"whether '{c.name}', in which rows of a cell differ, is part of the algorithm",
                    without=c.name,
                )
            )
            self.traps.append("part")

    def _counts_repetitions(self, c: Column) -> bool:
        """Whether a column counts 0, 1, 2 ... or 1, 2, 3 ..., not called like a parameter."""
        if not c.is_whole or any("." in cell for cell in c.cells[:50]):
            return False
        here = np.unique(c.values[~np.isnan(c.values)])
        counts = bool(here[0] in (0.0, 1.0)) and bool((np.diff(here) == 1).all())
        return counts and not c.is_size and not c.is_where and not c.has(_PARAMETERS)

    def _repeats(self, c: Column) -> bool:
        """Whether numbers come again in most cells, as parameters do."""
        algorithms = [self.cols[a] for a in self.roles["algorithm"]]
        _, cells = groups(algorithms, self.rows)
        _, pairs = groups([*algorithms, c], self.rows)
        return c.count >= 2 and pairs >= 0.9 * cells * c.count

    def _judges(self, scores: list[Column]) -> None:
        """Judges that differ between algorithms are never pooled."""
        for c in self.free:
            if not c.is_judge or c.name in {x for v in self.roles.values() for x in v}:
                continue
            if c.name in self.options.where:
                continue
            algorithms = [self.cols[a] for a in self.roles["algorithm"]]
            of, count = groups(algorithms, self.rows)
            common = pd.DataFrame({"a": of, "j": c.cells}).drop_duplicates()
            by_judge = common.groupby("j")["a"].nunique()
            if (by_judge == count).all():
                continue  # every judge has judged all
            best = str(by_judge.sort_values(ascending=False, kind="stable").index[0])
            self.open.append(
                Open(
                    f"how scores of different judges ('{c.name}': {', '.join(by_judge.index[:3])}) "
                    "can be compared: they are not pooled",
                    ("--where", f"{c.name}={best}"),
                )
            )
            self.traps.append("judges")

    def _clusters(self, labels: list[Column]) -> None:
        """The coarsest column that items are nested in and that is called so."""
        if "item" not in self.roles or "cluster" in self.roles:
            return
        items = [self.cols[c] for c in self.roles["item"]]
        _, count = groups(items, self.rows)
        nested = []
        for c in labels:
            if c.role != "cluster" or not c.filled.all():
                continue
            _, both = groups([*items, c], self.rows)
            if both == count and 2 < c.count < count:
                nested.append(c)
        ids = [c for c in nested if c.words[-1] in ("id", "passage", "document", "doc")] or nested
        if ids:
            chosen = max(ids, key=lambda c: c.count)
            self.roles["cluster"] = [chosen.name]
            self.said["cluster"] = chosen.name
            for c in nested:
                if c is not chosen:
                    self.reasons[c.name] = "a stratum: --strata compares within it"

    def _sentinels(self, scores: list[Column]) -> dict[str, list[float]]:
        """Values that stand for no score: -1 among numbers that are never negative."""
        missing = {}
        for c in scores:
            here = c.values[~np.isnan(c.values)]
            for value in SENTINELS:
                others = here[here != value]
                if not (here == value).any() or len(others) < 5:
                    continue
                low = value < 0 and (others >= 0).all() and (others.max() > 1 or not c.is_whole)
                high = value > 0 and others.max() < value / 9 and (here == value).mean() < 0.5
                if (low and (here == value).mean() < 0.5) or high:
                    missing[c.name] = [value]
                    self.traps.append("sentinel")
        return missing

    def _is_board(self, scores: list[Column]) -> bool:
        algorithms = [self.cols[a] for a in self.roles["algorithm"]]
        _, count = groups(algorithms, self.rows)
        blocks = any(r in self.roles for r in ("dataset", "item", *_BLOCKS, "step"))
        return count == self.rows and not blocks

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

    # -- wide tables --------------------------------------------------------------------------

    def _wide(self, algorithm: list[str]) -> Inferred:
        """Columns that are algorithms (rows: data sets), or data sets (rows: algorithms)."""
        labels = [c for c in self.cols.values() if c.kind in ("text", "outcome")]
        labels = [c for c in labels if not c.is_constant and c.name not in self.ignored]
        label = self._label(algorithm, labels)
        if label is None:
            return self._refused("no column names the data sets or the algorithms")
        numbers = [c for c in self._numbers() if c.kind == "number" and c is not label]
        numbers, name = self._of_one_measure(numbers)
        heads = self._heads(numbers)
        if len(heads) < 2:
            return self._refused("it has no scores of several algorithms that share a scale")
        if len({*label.cells}) < self.rows:
            return self._refused(f"'{label.name}' does not tell the rows apart")
        across = self._across(label, heads)
        role = "dataset" if across == "algorithm" else "algorithm"
        if across == "algorithm" and self.rows < 2:
            return self._refused("it has one row")
        empty = np.all([np.isnan(h.values) for h in heads], axis=0)
        if empty.any():  # footnotes, titles of groups
            self.without[label.name] = [str(c) for c in dict.fromkeys(label.cells[empty])]
        measure = self._wide_measure(name, heads)
        self.roles = {role: [label.name]}
        rule: dict[str, object] = {"role": across, "columns": [c.name for c in heads]}
        if name:
            rule["pattern"] = "~(.*)$" if heads[0].name.startswith(name + JOINT) else "^(.*)~"
        left = [
            c.name
            for c in self.cols.values()
            if c.name not in (label.name, *(h.name for h in heads))
        ]
        for c in left:
            self.reasons.setdefault(c, "describes the rows, or summarises them")
        clear = role_of(label.name) == role and not left and across == "algorithm"
        if not clear and label.name not in self.given:
            self.open.append(Open(f"what the rows are, which '{label.name}' names"))
        self.said = {role: label.name} | ({"across": "dataset"} if across == "dataset" else {})
        recipe = Recipe(
            {role: [label.name]},
            records=self.loaded.path or None,
            where=self.where,
            without=self.without,
            ok=self.failed,
            across=rule,
            measure=measure,
            reasons=self.reasons,
        )
        ignore = [c for c in left if c not in self.where]
        if ignore:
            self.said["ignore"] = ";".join(ignore)
        self.traps.append("wide")
        return Inferred(recipe, self.open, self.traps, columns=self.said, score=2)

    def _label(self, algorithm: list[str], labels: list[Column]) -> Column | None:
        given = [c for r in ("dataset", "item", "algorithm") for c in self.roles.get(r, [])]
        for name in [*given, *algorithm]:
            if name in self.cols:
                return self.cols[name]
        unique = [c for c in labels if c.count == self.rows and not c.is_text_field]
        unique = unique or [c for c in labels if c.count == self.rows]
        first = [c for c in unique if c.role in ("dataset", "algorithm", "item")]
        return next(iter(first or unique), None)

    def _of_one_measure(self, numbers: list[Column]) -> tuple[list[Column], str]:
        """The columns of one measure, where headers of two rows name measures as well."""
        joint = [c for c in numbers if JOINT in c.name]
        if not joint or len(joint) < len(numbers):
            return numbers, ""
        for place in (0, 2):
            names = list(dict.fromkeys(c.name.partition(JOINT)[place] for c in joint))
            if any(is_higher_better(n) is None for n in names):
                continue
            wanted = [
                n for n in names if self.options.measure and same_measure(n, self.options.measure)
            ]
            if not wanted and len(names) > 1:
                self.open.append(
                    Open(f"which measure is meant: {', '.join(names)}", ("--measure", names[0]))
                )
            name = (wanted or names)[0]
            return [c for c in joint if c.name.partition(JOINT)[place] == name], name
        return numbers, ""

    def _heads(self, numbers: list[Column]) -> list[Column]:
        """The columns that share a scale and nothing says that they are something else."""
        plausible = []
        for c in numbers:
            bare = c.name.rpartition(JOINT)[2]
            if c.is_step or c.name.endswith("#") or c.role in (*_BLOCKS, "item", "dataset"):
                continue
            if c.is_size or c.is_cost or c.is_where or is_summary(bare) or c.is_when:
                continue
            if (known_measure(bare) or bare.lower() == "all") and JOINT not in c.name:
                continue
            plausible.append(c)
        if len(plausible) < 2:
            return plausible
        sizes = {c.name: float(np.nanmedian(np.abs(c.values))) for c in plausible}
        middle = float(np.median(list(sizes.values()))) or 1.0
        unit = {c.name: bool(np.nanmax(np.abs(c.values)) <= 1.0 + 1e-9) for c in plausible}
        most_unit = sum(unit.values()) * 2 > len(unit)
        kept = []
        for c in plausible:
            near = middle / SCALE <= max(sizes[c.name], 1e-300) <= middle * SCALE
            within = unit[c.name] if most_unit else near
            if within or (most_unit and near and np.nanmax(np.abs(c.values)) <= 1.05):
                kept.append(c)
        whole = [c for c in kept if c.is_whole]
        if most_unit and self.rows >= LEAST_ITEMS and 2 * len(whole) < len(kept):
            kept = [c for c in kept if c not in whole]  # marks of data sets, such as a yes or no
        medians = [max(sizes[c.name], 1e-300) for c in kept] or [1.0]
        apart = max(medians) > SCALE * min(medians)
        different = not most_unit and (apart or len(kept) < 0.8 * len(plausible))
        return [] if different else [c for c in kept if not self._is_derived(c, kept)]

    def _is_derived(self, c: Column, others: Sequence[Column]) -> bool:
        """Whether a column is the mean of all others, up to rounding."""
        rest = [o for o in others if o is not c]
        if len(rest) < 3 or self.rows < 3:
            return False
        values = np.column_stack([o.values for o in rest])
        if np.isnan(values).any():
            return False
        spread = float(np.ptp(values)) or 1.0
        return bool(np.allclose(values.mean(axis=1), c.values, atol=1e-6 * spread))

    def _across(self, label: Column, heads: list[Column]) -> str:
        if self.options.columns.get("across") == ["dataset"] or "algorithm" in self.options.columns:
            return "dataset"
        if "dataset" in self.options.columns or "item" in self.options.columns:
            return "algorithm"
        if label.role == "algorithm":
            return "dataset"
        if label.role in ("dataset", "item") or label.name == FILE:
            return "algorithm"
        if label.name == "key" or label.has({"user", "name", "team", "submission", "method"}):
            return "dataset"
        return "algorithm" if self.rows > len(heads) else "dataset"

    def _wide_measure(self, name: str, heads: list[Column]) -> dict[str, object]:
        """The measure of a wide table: in its header, said, or in the name of the file."""
        told = (
            self.options.measure or name or self._measure_of_paths(heads) or self._measure_of_stem()
        )
        higher = is_higher_better(told) if told else None
        if self.options.higher_is_better is not None:
            higher = self.options.higher_is_better
        values = np.concatenate([h.values for h in heads])
        if not told:
            told = "score"
        if higher is None:
            bounded = np.nanmin(values) >= 0 and np.nanmax(values) <= 100
            way = "--higher-is-better" if bounded else "--lower-is-better"
            self.open.append(
                Open(
                    "what the scores measure and which values are better", ("--measure", told, way)
                )
            )
            higher = bool(bounded)
        elif not (self.options.measure or name) and not self._measure_of_paths(heads):
            self.open.append(Open("what the scores measure", ("--measure", told)))
        return {"name": told, "higher_is_better": higher}

    def _measure_of_paths(self, heads: list[Column]) -> str:
        """The measure that stands above all columns: `pass@1.humaneval`."""
        above = {self.loaded.paths.get(h.name, "").rpartition(".")[0] for h in heads}
        if len(above) != 1:
            return ""
        last = re.sub(r"[\[\]{}]", "", above.pop()).rpartition(".")[2]
        return last if known_measure(last) else ""

    def _measure_of_stem(self) -> str:
        words = [w for w in re.split(r"[^A-Za-z0-9]+", self.stem) if w]
        for word in words:
            if known_measure(word) or (len(word) > 2 and is_higher_better(word) is not None):
                return word
        return ""

    # -- what was found -----------------------------------------------------------------------

    def _made(
        self, scores: list[Column], missing: dict[str, list[float]], judged: tuple[str, str] | None
    ) -> Inferred:
        algorithms = [self.cols[a] for a in self.roles["algorithm"] if a in self.cols]
        if groups(algorithms, self.rows)[1] < 2:
            return self._refused(f"'{self.said['algorithm']}' names one algorithm only")
        measure = self._measure(scores)
        self.roles.setdefault("value", [c.name for c in scores])
        if len(scores) == 1 or not self.options.measure:
            self.said["value"] = ";".join(c.name for c in scores[:1])
        used = {c for columns in self.roles.values() for c in columns} | {*self.where, *self.failed}
        for c in self.cols.values():
            if c.name not in used:
                self.reasons.setdefault(c.name, _why_unused(c))
        sampling = self._sampling(scores)
        recipe = Recipe(
            self.roles,
            records=self.loaded.path or None,
            sampling=sampling,
            where=self.where,
            without=self.without,
            ok=self.failed,
            missing=missing,
            measure=measure,
            choose={"step": self.options.step or "last"} if "step" in self.roles else {},
            reasons=self.reasons,
        )
        for role in ("answer", "step"):
            self.said.pop(role, None)
        if judged:
            self.traps.append("judged")
        size = (
            3 + sum(c.is_measure for c in scores) + ("item" in self.roles) + 0.1 * len(self.roles)
        )
        return Inferred(recipe, self.open, self.traps, judged=judged, columns=self.said, score=size)

    def _measure(self, scores: list[Column]) -> dict[str, object]:
        if "measure" in self.roles:
            label = self.cols[self.roles["measure"][0]]
            kinds = list(dict.fromkeys(label.cells[label.filled]))
            if len(kinds) > 1 and not self.options.measure:
                self.open.append(
                    Open(f"which measure is meant: {', '.join(kinds[:4])}", ("--measure", kinds[0]))
                )
            return {
                "higher_is_better": {k: h for k in kinds if (h := is_higher_better(k)) is not None}
            }
        directions: dict[str, bool] = {}
        for c in scores:
            higher = is_higher_better(c.name)
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
            self.open.append(
                Open(f"whether more of '{scores[0].name}' is better", ("--higher-is-better",))
            )
            directions[scores[0].name] = True
        return {"higher_is_better": directions, "first": scores[0].name}

    def _sampling(self, scores: list[Column]) -> str | None:
        if self.options.sampling is not None:
            return None
        if "item" in self.roles:
            return "items"
        if "dataset" in self.roles and sum(self.cols[c].count for c in self.roles["dataset"]) > 1:
            return None
        if "seed" in self.roles or "step" in self.roles:
            return "seeds"
        if any(self._is_time(c) for c in scores):
            return "runs+independent"
        if not self._is_apart() and not any(r in self.roles for r in _BLOCKS):
            self.open.append(Open("what the rows of one algorithm are", ("--sampling", "seeds")))
            return None
        if "fold" in self.roles or any(r in self.roles for r in ("sample", "repeat")):
            folds = self.cols[
                next(self.roles[r][0] for r in ("fold", "sample", "repeat") if r in self.roles)
            ]
            self.open.append(
                Open("how the samples were drawn", ("--sampling", f"cv:{folds.count}"))
            )
        return None


def _rank(words: Sequence[str], order: Sequence[str]) -> int:
    return next((i for i, w in enumerate(order) if w in words), len(order))


def _why_unused(c: Column) -> str:
    if c.is_constant:
        return "the same in all rows"
    if c.is_when:
        return "a time"
    if c.is_text_field:
        return "a text"
    if c.is_size or c.is_cost:
        return "a size or cost"
    if c.is_where:
        return "a version or machine"
    return "no role"


def with_options(inferred: Inferred, options: Options) -> Recipe:
    """The recipe with the direction that the caller says."""
    measure = dict(inferred.recipe.measure)
    if options.higher_is_better is not None and "name" in measure:
        measure["higher_is_better"] = options.higher_is_better
    return replace(inferred.recipe, measure=measure)
