"""The roles of a table's columns: a recipe, what is open, and why a column has no role.

Names propose, the content decides: which columns tell rows apart, what is constant within what,
which numbers share a scale. What is open carries the option that closes it.
"""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from podium.reading.cells.directions import HIGHER, LOWER, is_rate
from podium.reading.cells.vocabulary import (
    SEVERAL_STUDIES,
    Options,
    summaries,
)
from podium.reading.cells.words import words_of
from podium.reading.inferring.column_facts import (
    Column,
    groups,
    looks_compared,
    numbers_runs,
    why_unused,
)
from podium.reading.inferring.headers import are_pairs, by_measure, describes
from podium.reading.inferring.loaded_tables import LEAST_ITEMS, Open
from podium.reading.inferring.repetitions import Repetitions
from podium.reading.inferring.scored_tables import OF_SAMPLES, Inferred, is_mean
from podium.reading.inferring.wide_roles import PAIRS, is_within
from podium.reading.loading.sources import FILE, FOLDER, SHEET, Loaded
from podium.reading.recipes.recipe import Recipe

JOINT = "~"
APART = "machines that differ"
LEAST_SETS = 5  # names that are crossed with algorithms, from which they are data sets
SCALE = 20.0  # times by which medians of columns on one scale may differ
_CONFIGURED = {"parameters", "params", "config", "configuration", "settings", "hyperparameters"}
_WITHIN = {"turn", "round", "part", "idx", "index", "attempt", "trial", "sample", "game", "pass"}


def infer(loaded: Loaded, options: Options, stem: str = "") -> Inferred:
    """The reading of a record set; `stem` is the name of the file, which may tell the measure."""
    return _Table(loaded, options, stem).reading()


class _Table(Repetitions):
    """A table of which it is found what it is."""

    # -- the reading --------------------------------------------------------------------------

    def reading(self) -> Inferred:
        """What the table is: battles, a judge beside people, long, wide, or nothing."""
        if not self.rows:
            return self._refused("it has no rows that count")
        if battles := self._battles():
            return Inferred(Recipe(), self.open, ["battles"], battles=battles, score=5)
        if tested := self._of_tests():
            return self._refused(
                f"it has results of tests ({', '.join(tested)}) and no scores", final=True
            )
        self.failed = self._failures()
        self.free = [c for c in self.cols.values() if self._is_free(c)]
        messages = [c for c in self._own_numbers() if c.is_statistic and not self.of_means]
        rest = [c for c in self._numbers() if c not in messages and not c.is_size]
        tried = {c.role for c in self.free} >= {"algorithm", "dataset"} or self._is_sized()
        averaged = tried and any(map(is_mean, messages))  # on several data sets they are scores
        few = len(rest) < 2 or (len(messages) > 4 and len(messages) > 2 * len(rest))
        summed = len(messages) > 2 and few and not averaged
        if summed and not any(c.role == "value" for c in rest):
            return self._refused(
                "it has summaries of many scores (" + ", ".join(c.name for c in self._numbers()[:6])
                + f"): give a row for every run, fold, item or data set, or {SEVERAL_STUDIES}",
                final=True,
            )  # fmt: skip
        joint = [c for c in self._numbers() if JOINT in c.name]
        if by_measure(joint, JOINT) and not self.given:  # names above measures, or below them
            wide = self._wide([])
            if not wide.refusal:
                return wide
            self.open, self.traps = [], [trap for trap in self.traps if trap == "means"]
        scores = self._scores()
        algorithm = self._algorithm(scores)
        if not scores or not algorithm:
            return self._wide(algorithm)
        if self._is_one_of_many(scores) and not (wide := self._wide([])).refusal:
            return wide
        if all(map(self._is_from_above, scores)):
            return self._refused("its scores stand above these rows, once for many of them")
        before = (dict(self.roles), list(self.open), list(self.traps), dict(self.reasons))
        content, more = self.by_content, self.tells_more
        long = self._long(scores, algorithm)
        if not long.refusal:
            return long
        self.roles, self.open, self.traps, self.reasons = before
        self.said, self.by_content, self.tells_more = {}, content, more
        wide = self._wide(algorithm)
        return long if wide.refusal else wide

    def _of_tests(self) -> list[str]:
        """Columns of p-values beside estimates with their errors and degrees of freedom."""
        full = {c: self.loaded.paths.get(c, c) for c in self.cols}  # p.value, t.ratio
        words = {name: "".join(words_of(name)).replace("ratio", "") for name in full.values()}
        told = [name for name, word in words.items() if word in ("p", "pvalue", "padj", "prt")]
        beside = [n for n, word in words.items() if word in ("se", "df", "t", "z", "stderror")]
        return told + beside if told and len(beside) > 1 and "value" not in self.roles else []

    def _is_one_of_many(self, scores: list[Column]) -> bool:
        """Whether what is called like a measure is one of several algorithms, as TPOT is."""
        if len(scores) > 1 or self.given or self.options.measure:
            return False
        words = {*words_of(scores[0].name)}
        if words & (HIGHER | LOWER) or any(c.role == "algorithm" for c in self.free):
            return False
        others = [c for c in self._numbers() if c is not scores[0] and not c.is_measure]
        return is_within(scores[0], [c for c in others if not describes(c, others)])

    def _is_sized(self) -> bool:
        """Whether every algorithm has one row at each of some sizes, which a column tells."""
        names = [c for c in self.free if c.is_contender and c.kind == "text"]
        sizes = [c for c in self.free if c.is_setting and c.count > 1 and not is_mean(c)]
        pairs = [(a, c) for a in names for c in sizes if a.count * c.count == self.rows]
        return any(groups([*pair], self.rows)[1] == self.rows for pair in pairs)

    # -- long tables --------------------------------------------------------------------------

    def _long(self, scores: list[Column], algorithm: list[str]) -> Inferred:
        self.roles["algorithm"] = list(algorithm)
        scores = self._less_constant(self._of_all_algorithms(scores))
        self.said["algorithm"] = "+".join(algorithm)
        taken = {*algorithm, *(c.name for c in scores), *self.given}
        taken |= {c for columns in self.roles.values() for c in columns}
        labels = [c for c in self.free if c.name not in taken and not c.is_step and not c.is_when]
        if self.blocks and "dataset" not in self.roles:
            self.roles["dataset"] = [self.blocks[0].name]
            self.said["dataset"] = self.blocks[0].name
        trials = [c for c in self._trials(algorithm) if c.name not in taken]
        curve = self._curve(labels, scores)
        labels = [c for c in labels if c not in curve and c not in trials]
        for role in ("dataset", "item", *OF_SAMPLES):
            if role not in self.roles:
                self._name_block(role, labels, scores)
        self._named_keys(labels, scores)
        if "dataset" not in self.roles:
            self._block_by_name(labels)
        files = [c for c in labels if c.name in (FILE, SHEET) and c.count > 1]
        if files and not {"dataset", "item"} & {*self.roles} and self._is_shared(files[0]):
            self.roles["dataset"] = [files[0].name]
            self.said["dataset"] = files[0].name
        for name in self.roles.get("dataset", [])[:1]:
            self._less_aggregates(self.cols[name])
        pairs = [*self.roles["algorithm"], *self.roles.get("dataset", [])]
        if len(pairs) == 2 and are_pairs(*map(self.cols.get, pairs)):
            return self._refused(PAIRS, final=True)
        self._tasks_are_items(scores)
        steps = [c for c in self.free if c.is_step and c.name not in taken] + curve
        steps = steps or trials
        if steps and self._asks_again(steps[0], scores):
            self.roles["answer"] = [steps[0].name]  # averaged within the item
        elif steps and not self._is_apart():
            self.roles["step"] = [steps[0].name]
            self.by_content = True
            if not self.options.step:
                self.open.append(
                    Open(
                        f"which score of a curve (column '{steps[0].name}') counts",
                        ("--step", "best" if steps[0] in trials else "last"),
                    )
                )
        if not any(r in self.roles for r in ("dataset", "item", "step", *OF_SAMPLES)):
            self._text_items(labels, scores)
        self._places(labels, scores)
        self._parts(labels, scores)
        self._judges(scores)
        self._machines()
        self._clusters(labels)
        missing = self._sentinels(scores)
        if self._is_board(scores):
            return self._refused(
                "it has one number per algorithm, which no test can compare: give the "
                "file that has a row for every item, run or data set",
                final=True,
            )
        self._count_limits(scores)
        judged = self._judged()
        return self._made(scores, missing, judged)

    def _of_all_algorithms(self, scores: list[Column]) -> list[Column]:
        """Less columns in which an algorithm has no score at all, where others are full."""
        of, count = groups(
            [self.cols[a] for a in self.roles["algorithm"] if a in self.cols], self.rows
        )

        def has_all(c: Column) -> bool:
            return len({*of[np.isfinite(c.values)]}) == count

        if full := [*filter(has_all, scores)]:
            return full
        others = [c for c in self._numbers() if self._is_score(c) and c.kind == "number"]
        if full := [*filter(has_all, others)]:
            lacking = f"'{scores[0].name}' lacks for some algorithms"
            way = () if len(full) > 1 else ("--measure", full[0].name)
            self.open.append(Open(f"which measure is meant, as {lacking}", way))
        return full or scores

    def _less_constant(self, scores: list[Column]) -> list[Column]:
        """Less scores that are the same in all rows of an algorithm: aggregates of the others."""
        of, count = groups(
            [self.cols[a] for a in self.roles["algorithm"] if a in self.cols], self.rows
        )
        if 3 * count > self.rows or (len(scores) < 2 and not self.loaded.path):
            return scores
        varied = []
        for c in scores:
            cells = pd.Series(c.values).groupby(of)
            if not (cells.nunique() <= 1).all():
                varied.append(c)
            else:
                self.reasons[c.name] = "the same in all rows of an algorithm"
        self.is_of_all = not varied
        return varied or scores

    def _name_block(self, role: str, labels: list[Column], scores: list[Column]) -> None:
        used = {c for columns in self.roles.values() for c in columns}
        by_name = [c for c in labels if c.role == role and c.name not in used]
        by_name = [c for c in by_name if (c.kind == "text" or c.is_whole) and c.filled.all()]
        if role == "item":
            by_name = [c for c in by_name if not (c.is_long and len(by_name) > 1)]
        by_name = [c for c in by_name if self._is_shared(c)]
        if not by_name:
            return
        if len(by_name) > 1:
            by_name.sort(key=lambda c: (c.kind != "text", -c.count))
            _, alone = groups(by_name[:1], self.rows)
            _, both = groups(by_name, self.rows)
            if both > alone and role == "dataset":
                self.roles[role] = [c.name for c in by_name]
                self.said[role] = "+".join(c.name for c in by_name)
                return
        self.roles[role] = [by_name[0].name]
        self.said[role] = by_name[0].name

    def _block_by_name(self, labels: list[Column]) -> None:
        """Data sets that are called otherwise, or text that is crossed with the algorithms."""
        used = {c for columns in self.roles.values() for c in columns}
        free = [c for c in labels if c.name not in used and not c.is_judge and not c.is_where]
        free = [c for c in free if c.filled.all() and c.count > 1 and self._is_shared(c)]
        texts = [c for c in free if c.kind == "text" and not c.is_long and not c.is_text_field]
        called = [c for c in free if c.is_block and (c.kind == "text" or c.is_whole)]
        if any(
            self.cols[a].words[1:] == ("name",) for a in self.roles["algorithm"] if a in self.cols
        ):
            called = called or [c for c in texts if c.words == ("name",)]  # of something else
        alone = not any(role in self.roles for role in OF_SAMPLES)  # questions may be items
        if called or alone or self._is_apart() or "item" in self.roles:
            chosen = [c for c in called if not self._is_apart()][:1]
        else:
            many = [c for c in texts if c.count >= LEAST_SETS and c.role in (None, "measure")]
            chosen = sorted(many, key=lambda c: -c.count)[:1]
            if chosen:
                self.open.append(Open(f"whether '{chosen[0].name}' names the data sets"))
        if chosen:
            self.roles["dataset"] = [chosen[0].name]
            self.said["dataset"] = chosen[0].name

    def _named_keys(self, labels: list[Column], scores: list[Column]) -> None:
        """Keys of mappings below the algorithms: data sets by name, choices by number."""
        used = {c for columns in self.roles.values() for c in columns}
        for c in labels:
            path = self.loaded.paths.get(c.name, "")
            if not path.endswith("{}") or c.name in used or self._is_apart():
                continue
            if c.kind == "text" and numbers_runs(c) and c.count > 1 and "sample" not in self.roles:
                role = "seed" if "seed" in str(c.cells[0]).lower() else "sample"
                self.roles[role] = [c.name]
                self.said[role] = c.name
            elif c.kind == "text" and "dataset" not in self.roles:
                self.roles["dataset"] = [c.name]
                self.said["dataset"] = c.name
            elif self._counts_repetitions(c) and "sample" not in self.roles:
                self.roles["sample"] = [c.name]
                self.said["sample"] = c.name
                self.open.append(Open(f"whether '{c.name}' numbers samples"))
            elif c.kind == "number" and self._is_time(scores[0]) and "dataset" not in self.roles:
                self.roles["dataset"] = [c.name]  # sizes at which all are timed
                self.said["dataset"] = c.name
                self.open.append(Open(f"whether '{c.name}' is what all are tried on"))
            elif c.kind == "number":
                first = str(c.cells[0])
                self.open.append(Open(f"which '{c.name}' counts", ("--where", f"{c.name}={first}")))
                self.by_content = True
                self.choices.add(c.name)

    def _less_aggregates(self, c: Column) -> None:
        kinds = [str(k) for k in dict.fromkeys(c.cells)]
        scores = [s.values for s in self._numbers() if self._is_score(s)]
        called = summaries(c.cells, scores)
        gone = [k for k in kinds if k.lower() in ("all", "overall") or k in called]
        if gone and len(kinds) - len(gone) > 1:
            self.without[c.name] = gone

    def _text_items(self, labels: list[Column], scores: list[Column]) -> None:
        """A column of questions or ids that algorithms share, and that tells their rows apart."""
        used = {c for columns in self.roles.values() for c in columns}
        shared = [c for c in labels if c.name not in used and c.kind in ("text", "number")]
        shared = [c for c in shared if c.filled.all() and self._is_shared(c)]
        whole = [c for c in shared if c.kind == "text" or (c.is_whole and not c.is_size)]
        if not whole:
            return
        best = max(whole, key=lambda c: (c.count, c.kind == "text"))
        if re.search(r"#\d*$", best.name) and self._is_time(scores[0]):
            return  # runs that were timed one after the other are no items
        algorithms = [self.cols[a] for a in self.roles["algorithm"]]
        judges = [c for c in self.free if c.is_judge and c is not best]
        _, pairs = groups([best, *algorithms, *judges], self.rows)
        if pairs < 0.9 * self.rows or best.count < 3:
            return
        if judges and groups([best, *algorithms], self.rows)[1] < self.rows:
            self.roles["answer"] = [c.name for c in judges]  # averaged within the item
        role = "item" if best.count >= LEAST_ITEMS else "dataset"
        self.roles[role] = [best.name]
        self.said[role] = best.name
        self.open.append(Open(f"what '{best.name}' is"))

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
                or c.is_worker
                or c.is_outcome_text
            ):
                continue
            if c.name.startswith(("row#", FILE)) or self._is_score(c) or c.is_statistic:
                continue
            many = c.count > max(2, self.rows // 3) and not c.has(_CONFIGURED)
            if c.has({"hash", "commit", "sha", "uuid"}) or many:
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
            if self._is_of_items(c):
                self.roles["item"] = [c.name]
                self.said["item"] = c.name
                self.by_content = True
                continue
            if self._counts_repetitions(c) or self._names_runs(c):
                role = "answer" if "item" in self.roles else "sample"
                if role not in self.roles:
                    self.roles[role] = [c.name]
                    self.said |= {role: c.name} if role == "sample" else {"ignore": c.name}
                    self.open.append(
                        Open(f"whether '{c.name}' numbers repetitions, which are averaged")
                    )
                    self.by_content = True
                    continue
            if self._is_within_datasets(c) and "sample" not in self.roles:
                self.roles["sample"] = [c.name]
                self.said["sample"] = c.name
                continue
            if c.is_setting and self._items_repeat(scores) and self._is_shared(c):
                self.roles["dataset"] = [*self.roles.pop("item"), c.name]
                self.said.pop("item", None)
                self.said["dataset"] = "+".join(self.roles["dataset"])
                self.by_content = True
                continue
            text = "item" in self.roles or "dataset" in self.options.columns
            parts = [self.cols[a] for a in self.roles["algorithm"] if a in self.cols]
            single = c.kind == "text" and len(scores) == 1
            single = single and groups([*parts, c], self.rows)[1] == self.rows
            tried = c.is_setting or c.is_machine or single or self._is_tried_on(c, scores)
            tried = tried or (c.name.startswith(FOLDER) and looks_compared({*c.cells}) <= 0.0)
            tried = tried or (c.kind == "text" and self.roles["algorithm"] == [FILE])
            if tried and not text and self._is_shared(c):
                self.roles["dataset"] = [*self.roles.get("dataset", []), c.name]
                self.said["dataset"] = "+".join(self.roles["dataset"])
                self.open.append(Open(f"whether '{c.name}' is part of what all are tried on"))
                self.by_content = True
                continue
            self.roles["algorithm"].append(c.name)
            self.said["algorithm"] = "+".join(self.roles["algorithm"])
            self.open.append(
                Open(
                    f"whether '{c.name}', in which rows of a cell differ, is part of the algorithm",
                    without=c.name,
                )
            )
            self.by_content = True

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

    def _machines(self) -> None:
        """Machines on which not all algorithms ran: what differs may be the machine's."""
        used = {c for columns in self.roles.values() for c in columns}
        for c in self.free:
            if not c.is_machine or c.name in used or c.name in self.options.where:
                continue
            algorithms = [self.cols[a] for a in self.roles["algorithm"] if a in self.cols]
            _, count = groups(algorithms, self.rows)
            if groups([*algorithms, c], self.rows)[1] < count * c.count:
                self.reasons[c.name] = f"{APART}: not every algorithm ran on each"
                self.tells_more = True

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

    def _count_limits(self, scores: list[Column]) -> None:
        """Runs that ended at a limit of time count with it: it is no shorter than any other."""
        if not self.failed or not all(map(self._is_time, scores)):
            return
        ended = np.zeros(self.rows, bool)
        for name, good in self.failed.items():
            ended |= ~np.isin(self.cols[name].cells, good)
        for c in scores:
            here, others = c.values[ended], c.values[~ended]
            if not len(others) or not (here >= np.nanmax(others)).all() or np.isnan(here).any():
                return
        for name in self.failed:
            self.reasons[name] = "what failed counts with the limit of time that it has"
        self.failed = {}

    def _is_board(self, scores: list[Column]) -> bool:
        algorithms = [self.cols[a] for a in self.roles["algorithm"]]
        _, count = groups(algorithms, self.rows)
        return self.is_of_all or count == self.rows

    # -- what was found -----------------------------------------------------------------------

    def _made(
        self, scores: list[Column], missing: dict[str, list[float]], judged: tuple[str, str] | None
    ) -> Inferred:
        algorithms = [self.cols[a] for a in self.roles["algorithm"] if a in self.cols]
        if groups(algorithms, self.rows)[1] < 2:
            return self._refused(f"'{self.said['algorithm']}' names one algorithm only")
        scores = self._that_differ(scores, algorithms)
        measure = self._measure(scores)
        self.roles.setdefault("value", [c.name for c in scores])
        if len(scores) == 1 or not self.options.measure:
            self.said["value"] = ";".join(c.name for c in scores[:1])
        used = {c for columns in self.roles.values() for c in columns} | {*self.where, *self.failed}
        for c in self.cols.values():
            if c.name not in used:
                self.reasons.setdefault(c.name, why_unused(c))
        sampling = self._sampling(scores)
        roles = self.roles
        if self.side:  # which the recipe makes rows of
            repeated = str(self.side["role"])
            roles = {r: c for r, c in self.roles.items() if r not in (repeated, "value")}
            measure = self._measure_beside(measure)
            self.said = {r: c for r, c in self.said.items() if r not in (repeated, "value")}
        if self.parted:
            self.said = {r: c for r, c in self.said.items() if c not in self.parted}
        recipe = Recipe(
            roles,
            records=self.loaded.path or None,
            sampling=sampling,
            where=self.where,
            without=self.without,
            ok=self.failed,
            missing=missing,
            measure=measure,
            across=self.side,
            derive=self.derive,
            choose={"step": self.options.step or "last"} if "step" in self.roles else {},
            reasons=self.reasons,
        )
        for role in ("answer", "step", *(["value"] if self.derive else [])):
            self.said.pop(role, None)
        if judged:
            self.traps.append("judged")
        size = (
            3 + sum(c.is_measure for c in scores) + ("item" in self.roles) + 0.1 * len(self.roles)
        )
        size -= 2 * all(c.is_cost or self._is_time(c) for c in scores)  # beside real scores
        return Inferred(recipe, *self._found, judged=judged, columns=self.said, score=size)

    def _sampling(self, scores: list[Column]) -> str | None:
        if self.options.sampling is not None:
            return None
        if "item" in self.roles:
            return "items"
        if "dataset" in self.roles and sum(self.cols[c].count for c in self.roles["dataset"]) > 1:
            return None
        if "seed" in self.roles or "step" in self.roles:
            return "seeds"
        timed = self.derive or any(self._is_time(c) for c in scores)
        rated = any(
            c.count == 1 and c.has({"unit"}) and is_rate(c.cells[0]) for c in self.cols.values()
        )
        if timed or rated:
            return "runs+independent"
        if not self._is_apart() and not any(r in self.roles for r in OF_SAMPLES):
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
