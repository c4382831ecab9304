"""Roles of wide tables: which columns are algorithms or data sets."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from podium.reading.cells.directions import HIGHER, LOWER, is_higher_better
from podium.reading.cells.vocabulary import (
    is_summary,
    known_measure,
    role_of,
    same_measure,
    summaries,
)
from podium.reading.cells.words import words_of
from podium.reading.inferring.column_facts import (
    Column,
    groups,
    looks_compared,
)
from podium.reading.inferring.headers import (
    ABOUT_OTHERS,
    BETWEEN_TWO,
    LEAST_ITEMS,
    OF_ALL,
    SIGNS,
    are_items,
    bounds_of,
    by_measure,
    corner,
    describes,
    is_of_all,
    is_on_scale,
    measures_among,
    of_one_measure,
    runs_of_each,
    unit_of,
)
from podium.reading.inferring.loaded_tables import Open
from podium.reading.inferring.scored_tables import (
    JOINT,
    OF_SAMPLES,
    PARAMETERS,
    SCALE,
    Inferred,
    Table,
    are_measures,
)
from podium.reading.loading.sources import FILE, SHEET
from podium.reading.recipes.recipe import Recipe
from podium.reading.tables.wide_tables import parted

_OF_DATA = {"class", "classes", "features", "attributes", "instances", "train", "test", "length"}
_OF_DATA |= {"rows", "variables", "observations", "labels", "categories", "channels"}
PAIRS = (
    "its rows and columns have the same names: it has a number for every pair of them, "
    "as in a table of confusions, and none for single data sets or items"
)
MOST_HEADS = 30  # columns of which differences are looked for


def _goes_along(c: Column, others: Sequence[Column]) -> bool:
    """Whether a column is high where most others are."""
    middle = pd.DataFrame(np.array([o.values for o in others])).median()
    return float(pd.Series(c.values).rank().corr(middle.rank())) > 0.3


def _is_alike(c: Column, numbers: Sequence[Column]) -> bool:
    """Whether fractions under letters of a unit, `gb`, lie among others and go along with them."""
    others = [o for o in numbers if o is not c and not describes(o, numbers)]
    if len(c.name) > 3 or c.is_whole or len(others) < 2 or len(c.values) < LEAST_ITEMS:
        return False
    if any(o.is_whole for o in others) or c.is_step or is_of_all(c.name) or c.has(ABOUT_OTHERS):
        return False
    low, high = (f([f(o.values) for o in others]) for f in (np.nanmin, np.nanmax))
    near = low - (high - low) <= np.nanmin(c.values) and np.nanmax(c.values) <= 2 * high - low
    return bool(near) and _goes_along(c, others)


def is_within(c: Column, others: Sequence[Column]) -> bool:
    """Whether the numbers of a column are such as three others have, in range and kind."""
    like = [o for o in others if o.is_whole == c.is_whole]
    if len(like) < 3 or 2 * len(like) < len(others):
        return False
    low, high = (f([f(o.values) for o in like]) for f in (np.nanmin, np.nanmax))
    return bool(low <= np.nanmin(c.values) and np.nanmax(c.values) <= high)


def _size_of(values: np.ndarray) -> float:
    """The usual size of numbers that are not 0; 0 where all are."""
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    return float(np.median(sizes)) if len(sizes) else 0.0


def _are_ranks(heads: Sequence[Column]) -> bool:
    """Whether nearly every row holds the places of its columns, from 1 on, ties included."""
    values = np.column_stack([h.values for h in heads])
    if len(heads) < 3 or len(values) < LEAST_ITEMS:
        return False
    told = 0
    for row in values:
        here = np.sort(row[np.isfinite(row)])
        below = np.searchsorted(here, here, "left") + 1, np.searchsorted(here, here, "right")
        ties = (below[0], np.mean(below, axis=0), below[1])  # the lowest, mean or highest place
        told += len(here) > 1 and any(np.array_equal(here, places) for places in ties)
    return told >= 0.9 * len(values)


def _on_other_scales(heads: Sequence[Column]) -> list[str]:
    """Headers of shares and of numbers above 1 beside each other, all of few columns: measures."""
    shares = [h for h in heads if np.nanmax(h.values) <= 1 <= 4 * np.nanmax(h.values)]
    above = [h for h in heads if np.nanmin(h.values) > 1]
    apart = shares and above and len(shares) + len(above) == len(heads) < 4
    return [h.name for h in heads] if apart else []


def _less_whole(numbers: list[Column]) -> list[Column]:
    """The fractions side by side, where whole numbers stand on one side of them: descriptors."""
    order = [not c.is_whole for c in numbers]
    count, rows = sum(order), len(numbers[0].values) if numbers else 0
    if count < 2 or count == len(order) or rows < LEAST_ITEMS:
        return numbers
    beside = not any(order[:-count]) or not any(order[count:])
    fractions = [c for c in numbers if not c.is_whole]
    whole = [c for c in numbers if c.is_whole]
    sizes = all(float(np.nanmax(c.values)) >= 10 for c in whole)
    along = [_goes_along(c, fractions) for c in whole]
    return fractions if beside and sizes and not all(along) else numbers


def _less_measure(header: str, measure: str) -> str:
    """The pattern of a header that names a measure, whose group is the rest."""
    own = re.escape(measure)
    before = next((s for s in SIGNS if header.startswith(measure + s)), None)
    if before is not None:
        return f"^{own}{re.escape(before)}(.*)$"
    behind = next(s for s in SIGNS if header.endswith(s + measure))
    return f"^(.*){re.escape(behind)}{own}$"


class WideTable(Table):
    """A table that may be wide."""

    of_one = False  # whether one measure stands in all headers, whose names are the whole headers
    beside: frozenset[str] | set[str] = frozenset()  # columns of other measures than the one read

    # -- wide tables --------------------------------------------------------------------------

    def _wide(self, algorithm: list[str]) -> Inferred:
        """Columns that are algorithms (rows: data sets), or data sets (rows: algorithms)."""
        labels = [c for c in self.cols.values() if c.kind in ("text", "outcome") or self._is_id(c)]
        labels = [c for c in labels if not c.is_constant and c.name not in self.ignored]
        label = self._label(algorithm, labels) or self._index()
        if label is None:
            return self._refused("no column names the data sets or the algorithms")
        outcomes = [c for c in self._numbers() if c.kind == "outcome" and c is not label]
        numbers = [c for c in self._numbers() if c.kind == "number" and c is not label]
        numbers = numbers if len(outcomes) < 2 or len(numbers) > 1 else outcomes
        joint = [c for c in numbers if JOINT in c.name]
        numbers, name = self._of_one_measure(joint or numbers)
        numbers = numbers if name else _less_whole(numbers)
        heads = self._heads(numbers, bool(name))
        heads = self._with_constant(heads, name)
        if len(heads) < 2:
            return self._refused("it has no scores of several algorithms that share a scale")
        if {*label.cells} == {h.name.strip() for h in heads}:
            return self._refused(PAIRS, final=True)
        drawn = self._samples_of(label)
        more = [] if drawn else self._more_labels(label, heads)
        if not drawn and groups([label, *more], self.rows)[1] < self.rows:
            return self._refused(f"'{label.name}' does not tell the rows apart")
        if several := next(filter(are_measures, more), None):
            return self._refused(f"'{several.name}' tells different measures of its rows")
        across = "algorithm" if label.name == "#1" else self._across(label, heads)
        if across == "algorithm" and are_measures(label) and self.rows < LEAST_ITEMS:
            return self._refused(
                f"its rows are different measures ({', '.join(label.cells[:3])}), with one number "
                "of each algorithm: give the file that has a row for every item, run or data set",
                final=True,
            )
        told = measures_among(heads) or _on_other_scales(heads)
        if across == "dataset" and told:
            return self._refused(
                f"its columns are different measures ({', '.join(told[:3])}), with one number of "
                "each algorithm: give the file that has a row for every item, run or data set",
                final=True,
            )
        role = "dataset" if across == "algorithm" else "algorithm"
        role = "item" if role == "dataset" and self._are_items(label, heads) else role
        role = "sample" if label.name == "#1" and label.counts_rows else role
        if across == "algorithm" and self.rows < 2:
            return self._refused("it has one row")
        empty = np.all([np.isnan(h.values) for h in heads], axis=0)
        gone = list(dict.fromkeys(label.cells[empty]))  # footnotes, titles of groups
        if across == "algorithm":
            called = summaries(label.cells, [h.values for h in heads])
            gone += [c for c in label.cells if str(c).strip().lower() in OF_ALL - {"total"}]
            gone = list(dict.fromkeys([*gone, *called]))
        gone += self.without.get(label.name, [])
        if gone:
            self.without[label.name] = [str(c) for c in gone]
        measure = self._wide_measure(name, heads)
        missing = self._wide_sentinels(heads)
        named_by = [label.name, *(c.name for c in more)]
        samples = {str(c.role): [c.name] for c in drawn}
        self.roles = {role: named_by, **samples}
        rule: dict[str, object] = {"role": across, "columns": [c.name for c in heads]}
        if name and not (self.of_one and across == "algorithm"):
            rule["pattern"] = _less_measure(heads[0].name, name)
        repeated = runs_of_each([c.name for c in heads]) if across == "algorithm" else None
        if repeated and not name and repeated[0] not in self.roles:
            rule |= {"runs": repeated[0], "pattern": f"(?i){repeated[1]}"}
            if label.name not in self.given:
                what = f"whether the numbers behind names ({heads[0].name}) are those of runs"
                self.open.append(Open(what))
            self.traps.append("runs in headers")
        read = {*named_by, *(c.name for c in drawn), *(h.name for h in heads)}
        read |= self.beside
        left = [c.name for c in self.cols.values() if c.name not in read]
        for c in left:
            self.reasons.setdefault(c, "describes the rows, or summarises them")
        named = role_of(label.name) == role or (role == "dataset" and label.is_block)
        clear = named and not left and across == "algorithm"
        if not clear and label.name not in self.given:
            how = ("--sampling", f"cv:{self.rows}") if role == "sample" else ()
            how = () if self.options.sampling is not None else how
            self.open.append(Open(f"what the rows are, which '{label.name}' names", how))
        self.said = {role: "+".join(named_by)} | {r: c[0] for r, c in samples.items()}
        self.said |= {"across": "dataset"} if across == "dataset" else {}
        recipe = Recipe(
            dict(self.roles),
            records=self.loaded.path or None,
            where=self.where,
            without=self.without,
            ok=self.failed,
            missing=missing,
            across=rule,
            measure=measure,
            reasons=self.reasons,
            sampling="items" if role == "item" and self.options.sampling is None else None,
        )
        ignore = [c for c in left if c not in self.where]
        if ignore:
            self.said["ignore"] = ";".join(ignore)
        return Inferred(recipe, *self._found, columns=self.said, score=2)

    def _are_items(self, label: Column, heads: list[Column]) -> bool:
        if {"dataset", "item"} & {*self.options.columns}:
            return "item" in self.options.columns
        return are_items(label, heads) and not self._more_labels(label, heads)

    def _more_labels(self, label: Column, heads: list[Column]) -> list[Column]:
        """Columns beside the first label that together with it tell the rows apart."""
        more: list[Column] = []
        for c in self.cols.values():
            before = groups([label, *more], self.rows)[1]
            if before == self.rows:
                break
            names = (c.kind == "text" or c.is_setting) and c is not label and c not in heads
            if names and c.filled.all() and groups([label, *more, c], self.rows)[1] > before:
                more.append(c)
        return more

    def _wide_sentinels(self, heads: list[Column]) -> dict[str, list[float]]:
        """Values that stand for no score in any of the columns."""
        values = np.concatenate([h.values for h in heads])
        told = self._stands_for_none(values, all(h.is_whole for h in heads))
        if told:
            self.traps.append("sentinel")
        return {h.name: told for h in heads if np.isin(h.values, told).any()}

    def _less_sentinels(self, c: Column) -> np.ndarray:
        """The numbers of a column without those that stand for no score."""
        told = self._stands_for_none(c.values, c.is_whole)
        return np.where(np.isin(c.values, told), np.nan, c.values)

    def _is_id(self, c: Column) -> bool:
        """Whether whole numbers name the rows: `question_id`."""
        return c.is_whole and c.count == self.rows and c.role in ("item", "dataset")

    def _label(self, algorithm: list[str], labels: list[Column]) -> Column | None:
        given = [c for r in ("dataset", "item", "algorithm") for c in self.roles.get(r, [])]
        for name in [*given, *algorithm]:
            if name in self.cols:
                return self.cols[name]
        unique = [c for c in labels if c.count == self.rows and not c.is_text_field]
        unique = unique or [c for c in labels if c.count == self.rows]
        named = [c for c in unique if c.kind == "text"]
        unique = named if any(c.counts_rows for c in unique) and named else unique
        if not unique and any(JOINT in name for name in self.cols):  # data set and horizon
            unique = [c for c in labels if c.kind == "text" and not c.is_text_field][:1]
        if not unique:
            sets = [c for c in self.cols.values() if c.role == "dataset" or c.name == SHEET]
            unique = [c for c in sets if not c.is_constant and self._samples_of(c)]
        first = [c for c in unique if c.role in ("dataset", "algorithm", "item")]
        return next(iter(first or unique), None)

    def _samples_of(self, label: Column) -> list[Column]:
        """The columns of folds or seeds that with the data sets' names tell the rows apart."""
        if label.count == self.rows or (label.role != "dataset" and label.name != SHEET):
            return []
        samples = [c for c in self.cols.values() if c.role in OF_SAMPLES and not c.is_constant]
        return samples if groups([label, *samples], self.rows)[1] == self.rows else []

    def _index(self) -> Column | None:
        """A first column without a name that numbers the rows, as pandas writes it: samples."""
        first = next(iter(self.cols.values()), None)
        if first is None or first.name != "#1" or not first.counts_rows:
            return None
        return first

    def _of_one_measure(self, numbers: list[Column]) -> tuple[list[Column], str]:
        """The columns of one measure, where headers of two rows name measures as well."""
        split = next(filter(None, (by_measure(numbers, sign) for sign in SIGNS)), None)
        split = split or of_one_measure(numbers)
        self.of_one = split is not None and len(split) == 1 and JOINT not in numbers[0].name
        if split is None and self.of_means and all(c.name.startswith("mean~") for c in numbers):
            return numbers, "mean"
        if split is None:
            return numbers, ""
        names = list(split)
        wanted = [
            n for n in names if self.options.measure and same_measure(n, self.options.measure)
        ]
        if not wanted and len(names) > 1:
            self.open.append(
                Open(f"which measure is meant: {', '.join(names)}", ("--measure", names[0]))
            )
        name = (wanted or names)[0]
        self.beside = {c.name for held in split.values() for c in held} - {
            c.name for c in split[name]
        }
        if JOINT not in split[name][0].name and not parted([c.name for c in numbers]):
            self.traps.append("side by side")  # which plain readers of tables do not see
            self.beside = set()
        return split[name], name

    def _heads(self, numbers: list[Column], of_measure: bool) -> list[Column]:
        """The columns that share a scale and nothing says that they are something else."""
        plausible = []
        fractions = not all(c.is_whole for c in numbers)  # of whole scores one may be 0, 1, 2
        counts = {c.name for c in numbers if fractions and c.counts_rows}
        for c in numbers:
            bare = c.name.rpartition(JOINT)[2]
            if (c.role == "sample" and not c.is_whole) or (of_measure and JOINT not in c.name):
                plausible.append(c)  # b, which numbers samples elsewhere; acc.svm
                continue
            if c.name in counts or (describes(c, numbers) and not _is_alike(c, numbers)):
                continue
            if known_measure(bare) and JOINT not in c.name:
                others = [o for o in numbers if not known_measure(o.name)]
                odd = {*words_of(bare)} & (HIGHER | LOWER) or len(others) < 2
                alike = self.rows >= LEAST_ITEMS and _goes_along(c, others)
                if odd or not (alike or is_within(c, others)):
                    continue  # else an algorithm that a measure has its name from, as TPOT
            plausible.append(c)
        marks = [c for c in plausible if c.is_binary]
        if len(marks) > 1 and 2 * len(marks) > len(plausible):  # right or wrong, and nothing else
            plausible = [c for c in plausible if c in marks or np.isin(c.values, (0, 1)).all()]
        if len(plausible) < 2:
            return plausible
        scores = {c.name: self._less_sentinels(c) for c in plausible}
        sizes = {name: _size_of(values) for name, values in scores.items()}
        middle = float(np.median(list(sizes.values()))) or 1.0
        unit = {n: bool(np.nanmax(np.abs(values)) <= 1.0 + 1e-9) for n, values in scores.items()}
        most_unit = sum(unit.values()) * 2 > len(unit)
        kept = []
        for c in plausible:
            near = middle / SCALE <= max(sizes[c.name], 1e-300) <= middle * SCALE
            within = unit[c.name] if most_unit else near
            if within or (most_unit and near and np.nanmax(np.abs(scores[c.name])) <= 1.05):
                kept.append(c)
        whole = [c for c in kept if c.is_whole]
        if self.rows >= LEAST_ITEMS and 2 * len(whole) < len(kept):
            others = [c for c in kept if not c.is_whole]
            counts_of = [c for c in whole if most_unit or not _goes_along(c, others)]
            kept = [c for c in kept if c not in counts_of]  # marks of data sets, likes
        medians = [max(sizes[c.name], 1e-300) for c in kept] or [1.0]
        apart = max(medians) > SCALE * min(medians)
        different = not most_unit and (apart or len(kept) < 0.8 * len(plausible))
        if different:
            return []
        derived = self._derived(kept) | bounds_of(kept)
        return [c for c in self._side_by_side(kept) if c not in derived]

    def _with_constant(self, heads: list[Column], name: str) -> list[Column]:
        """The columns with those of one score in all rows, as of who solved all or nothing."""
        if len(heads) < 2:
            return heads
        stem, *others = {re.sub(r"\d+", "", h.name) for h in heads}
        numbered = not others and looks_compared(h.name for h in heads) <= 0  # q1, q2, not gpt-4
        if numbered and any(h.is_binary for h in heads):
            solved = [c for c in self.cols.values() if np.isin(c.values, (0.0, 1.0)).all()]
            return [c for c in solved if re.sub(r"\d+", "", c.name) == stem]
        kept, taken = {*heads}, {*self.ignored, *self.given, *self.where, *self.failed}
        branches = {*map(self._branch, heads)}  # zeros of another one are of what was not run
        for c in self.cols.values():
            if not c.is_constant or c.name in taken or c.kind not in {h.kind for h in heads}:
                continue
            named = name in re.split("|".join(map(re.escape, SIGNS)), c.name) if name else True
            named = named and c.role is None and not c.is_measure and not c.has(PARAMETERS)
            named = named and (not self.loaded.path or self._branch(c) in branches)
            named = named and self._is_beside(c, heads)
            if named and not describes(c, heads) and not self._is_from_above(c):
                kept |= {c} if is_on_scale(c, heads) else set()
        self.reasons = {n: why for n, why in self.reasons.items() if self.cols.get(n) not in kept}
        return [c for c in self.cols.values() if c in kept]

    def _is_beside(self, constant: Column, heads: list[Column]) -> bool:
        """Whether a head is the next column of numbers that vary; else it describes as they do."""
        order = [c for c in self.cols.values() if c.kind in ("number", "outcome")]
        at = order.index(constant) if constant in order else 0
        near = (order[:at][::-1], order[at + 1 :])
        return any(next((c for c in side if not c.is_constant), None) in heads for side in near)

    def _branch(self, c: Column) -> str:
        return self.loaded.paths.get(c.name, c.name).rpartition(".")[0]

    def _side_by_side(self, heads: list[Column]) -> list[Column]:
        """Less columns apart from most others that do not go along with them: descriptors."""
        order = [c for c in self.cols.values() if c.kind == "number"]
        runs: list[list[Column]] = []
        of_heads = {*heads}
        for c in order:
            if c not in of_heads:
                runs.append([])
            else:
                runs = runs or [[]]
                runs[-1].append(c)
        runs = [r for r in runs if r]
        if len(runs) < 2 or self.rows < 5:
            return heads
        most = max(runs, key=len)
        if len(most) < 2 or 2 * len(most) < len(heads):
            return heads
        ranks = {c.name: pd.Series(c.values).rank() for c in heads}

        def along(c: Column) -> float:
            others = [ranks[c.name].corr(ranks[o.name]) for o in most if o is not c]
            return float(np.nanmedian(others))

        if float(np.nanmedian([along(c) for c in most])) < 0.3:
            return heads
        return [c for c in heads if c in most or along(c) > 0.3]

    def _derived(self, heads: Sequence[Column]) -> set[Column]:
        """Columns that are the mean of all others, or the difference of two, up to rounding."""
        if len(heads) < 3 or self.rows < 3:
            return set()
        values = np.column_stack([c.values for c in heads])
        if np.isnan(values).any():
            return set()
        near = 1e-6 * (float(np.ptp(values)) or 1.0)
        means = (values.sum(axis=1, keepdims=True) - values) / (len(heads) - 1)
        derived = np.isclose(means, values, atol=near).all(axis=0) & (len(heads) > 3)
        for i, head in enumerate(heads[:MOST_HEADS]):
            others = np.delete(values[:, :MOST_HEADS], i, axis=1)
            between = np.abs(others[:, :, None] - others[:, None, :])
            same = np.isclose(between, np.abs(values[:, i])[:, None, None], atol=near).all(axis=0)
            derived[i] |= bool(same.any()) and (head.has(BETWEEN_TWO) or (values[:, i] < 0).any())
        return {c for c, told in zip(heads, derived, strict=True) if told}

    def _across(self, label: Column, heads: list[Column]) -> str:
        if self.options.columns.get("across") == ["dataset"] or "algorithm" in self.options.columns:
            return "dataset"
        if "dataset" in self.options.columns or "item" in self.options.columns:
            return "algorithm"
        if told := corner(label.name):
            return told
        if label.role == "algorithm":
            return "dataset"
        if self.aggregates or any(
            map(is_of_all, label.cells)
        ):  # an aggregate among the rows is one of data sets
            return "algorithm"
        if label.name == FILE and self.loaded.files == self.rows:  # one record of each file
            return "algorithm" if looks_compared(h.name for h in heads) > 0.2 else "dataset"
        named = label.role in ("dataset", "item") or label.name in (FILE, SHEET)
        if named or (label.is_block and not label.is_contender):
            return "algorithm"
        running = looks_compared({*label.cells}) < looks_compared(h.name for h in heads) - 0.4
        if (label.name == "key" or label.is_contender) and not running:  # functions f1, f2 ...
            return "dataset"
        # an average of columns is one over data sets
        if self._averages(heads):
            return "dataset"
        rows, columns = looks_compared({*label.cells}), looks_compared(h.name for h in heads)
        if abs(rows - columns) > 0.2:
            return "dataset" if rows > columns else "algorithm"
        if any(c.is_whole and c.has(_OF_DATA) for c in self._numbers() if c not in heads):
            return "algorithm"  # what is described by its classes and features is a data set
        if label.has({"user", "name", "team", "submission", "method"}):
            return "dataset"
        return "algorithm" if self.rows > len(heads) else "dataset"

    def _averages(self, heads: list[Column]) -> bool:
        """Whether another column is the mean of these, up to rounding."""
        if len(heads) < 3 or self.rows < 3:
            return False
        values = np.column_stack([h.values for h in heads])
        means, near = np.nanmean(values, axis=1), 0.002 * (float(np.nanmax(np.abs(values))) or 1.0)
        others = [c for c in self._numbers() if is_summary(c.name.rstrip("⬆️↑↓ "))]
        others = [c for c in others if c not in heads]
        return any(np.nanmax(np.abs(c.values - means)) <= near for c in others)

    def _wide_measure(self, name: str, heads: list[Column]) -> dict[str, object]:
        """The measure of a wide table: in its header, said, or in the name of the file."""
        text = (
            self.options.measure
            or (name if name != "mean" else "")
            or self._measure_of_paths(heads)
            or self._measure_said()
            or unit_of(heads)
            or self._measure_of_stem()
            or ("rank" if _are_ranks(heads) else "")
        )
        higher = is_higher_better(text) if text else None
        if self.options.higher_is_better is not None:
            higher = self.options.higher_is_better
        values = np.concatenate([self._less_sentinels(h) for h in heads])
        if not text:
            text = "score"
        if higher is None:
            bounded = np.nanmin(values) >= 0 and np.nanmax(values) <= 100
            most = max(1.0, SCALE * float(np.nanmedian(values)) / 4)
            shares = bounded and bool(np.nanmax(values) <= most)
            likely = bounded or np.nanmin(values) < 0  # no time or error is negative
            way = "--higher-is-better" if likely else "--lower-is-better"
            options = (way,) if text == "score" and not shares else ("--measure", text, way)
            what = "what the scores measure and which values are better"
            self.open.append(Open(what, options, either=not shares))
            higher = bool(likely)
        elif not (text == "score" or self.options.measure or name) and not self._measure_of_paths(
            heads
        ):
            self.open.append(Open("what the scores measure", ("--measure", text)))
        return {"name": text, "higher_is_better": higher}

    def _measure_of_paths(self, heads: list[Column]) -> str:
        """The measure that stands above all columns: `pass@1.humaneval`."""
        above = {self.loaded.paths.get(h.name, "").rpartition(".")[0] for h in heads}
        if len(above) != 1:
            return ""
        last = re.sub(r"[\[\]{}]", "", above.pop()).rpartition(".")[2]
        return last if known_measure(last) else ""

    def _measure_said(self) -> str:
        """The measure that a column names, the same one in all rows."""
        for c in self.cols.values():
            if c.is_constant and c.kind == "text" and c.role == "measure":
                text = str(c.cells[c.filled][0])
                if is_higher_better(text) is not None:
                    return text
        return ""
