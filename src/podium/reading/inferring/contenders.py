"""What a table compares: the columns that name it, or files, folders, keys and crossed labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from podium.reading.inferring.column_facts import (
    Column,
    groups,
    looks_compared,
    numbers_runs,
)
from podium.reading.inferring.loaded_tables import LEAST_ITEMS, Open
from podium.reading.inferring.scored_tables import OF_SAMPLES, PARAMETERS, are_measures
from podium.reading.inferring.wide_roles import WideTable
from podium.reading.loading.sources import FILE, FOLDER, SHEET

_RUNS = {"run", "runs", "trial", "trials", "replicate", "replication", "experiment", "job"}
_FIRST = ("model", "algorithm", "method", "system", "framework", "agent", "provider", "command")


class Contenders(WideTable):
    """A table of which it is found what it compares."""

    # -- algorithms ---------------------------------------------------------------------------

    def _algorithm(self, scores: list[Column]) -> list[str]:
        if "algorithm" in self.roles:
            return self.roles["algorithm"]
        labels = [c for c in self.free if c.kind in ("text", "outcome") or c.is_whole]
        if ranked := self._ranked(labels):
            return [ranked.name]
        names = [c for c in labels if c.role == "algorithm" and not c.is_long]
        names = [c for c in names if not (c.is_whole and c.counts_rows)]  # an index
        if not names:
            called = [c for c in labels if c.is_contender and c.kind == "text" and not c.is_long]
            names = [c for c in called if c.role is None] or self._likelier(called, labels)
            self.tells_more |= bool(names)
        if not names:
            return [c.name for c in self._told_by_place(labels)] if scores else []
        names.sort(key=lambda c: (_rank(c.words, _FIRST), c.kind != "text"))  # names before ids
        names = self._less_blocks(names, labels, scores)
        chosen = [names[0]]
        for other in names[1:]:
            _, alone = groups(chosen, self.rows)
            _, both = groups([*chosen, other], self.rows)
            if both > alone and not other.is_text_field:
                chosen.append(other)
                self.open.append(
                    Open(
                        f"whether '{other.name}' is part of the algorithm, as '{names[0].name}' is"
                    )
                )
            else:
                self.reasons[other.name] = f"told by '{chosen[0].name}' already"
        return [c.name for c in chosen]

    def _likelier(self, called: list[Column], labels: list[Column]) -> list[Column]:
        """Columns called like data sets and like what is compared (`db`), or one that is likelier.

        What stands in the cells of the other looks more like names of algorithms.
        """
        others = [c for c in labels if c.kind == "text" and c.role is None and not c.is_text_field]
        others = [c for c in others if 2 <= c.count <= self.rows / 2 and self._is_crossed(c)]
        looks = {c.name: looks_compared({*c.cells}) for c in [*called, *others]}
        best = max(others, key=lambda c: looks[c.name], default=None)
        if not called or best is None or looks[best.name] < 0.3 + looks[called[0].name]:
            return called
        self.open.append(Open(f"whether '{best.name}' names what is compared"))
        return [best]

    def _ranked(self, labels: list[Column]) -> Column | None:
        """The column that names each row once, where rows are ranked: the places of a board."""
        places = [c for c in labels if c.has({"rank", "place", "position", "pos"}) and c.is_whole]
        if not any(c.counts_rows for c in places):
            return None
        unique = [c for c in labels if c.kind == "text" and c.count == self.rows]
        unique = [c for c in unique if not c.is_text_field and not c.is_when]
        unique.sort(key=lambda c: not c.is_contender)
        return next(iter(unique), None)

    def _less_blocks(
        self, names: list[Column], labels: list[Column], scores: list[Column]
    ) -> list[Column]:
        """Less the one of two crossed names that the scores hang on more: what all are tried on.

        Only where nothing else tells what that is.
        """
        others = [c for c in labels if c not in names and self._tells_rows(c)]
        others = [c for c in others if c.count < self.rows]  # less ids of single rows
        if len(names) < 2 or others or not scores:
            return names
        first, second = names[:2]
        if groups([first, second], self.rows)[1] < 0.8 * first.count * second.count:
            return names
        shares = {c.name: self._share_explained([c], scores[0]) for c in (first, second)}
        block = max((first, second), key=lambda c: shares[c.name])
        if shares[block.name] < 2 * min(shares.values()):
            return names
        self.blocks.append(block)
        self.open.append(Open(f"whether '{block.name}' is what all are tried on"))
        return [c for c in names if c is not block]

    def _tells_rows(self, c: Column) -> bool:
        """Whether a column may be a data set, item or sample by its name."""
        return c.is_block or c.role in ("dataset", "item", "sample", "fold", "repeat", "seed")

    def _share_explained(self, columns: list[Column], score: Column) -> float:
        """The share of the variance of a score that the groups of some columns explain."""
        values = score.values
        here = np.isfinite(values)
        if here.sum() < 3:
            return 0.0
        kept = values[here]
        if (kept > 0).all() and kept.max() > 10 * kept.min():
            kept = np.log(kept)
        _, of = np.unique(groups(columns, self.rows)[0][here], return_inverse=True)
        sums, sizes = np.bincount(of, kept), np.bincount(of)
        between = float((sizes * (sums / sizes - kept.mean()) ** 2).sum())
        return between / (float(((kept - kept.mean()) ** 2).sum()) or 1.0)

    def _told_by_place(self, labels: list[Column]) -> list[Column]:
        """What is compared, where no name says it: files, folders, keys, or what is crossed."""
        places = [c for c in self.free if c.name == FILE or c.name.startswith(FOLDER)]
        sheets = [c for c in self.free if c.name == SHEET]
        if sheets and not are_measures(sheets[0]) and "measure" not in self.roles:
            self.open.append(Open(f"whether '{SHEET}' names what is compared"))
            return sheets
        keys = [c for c in labels if self.loaded.paths.get(c.name, "").endswith("{}")]
        if self.loaded.files > 1 and (named := self._in_names_of_files(labels)):
            return named
        if self.loaded.files > 1 and places:
            folders = [c for c in places if c.name.startswith(FOLDER) and self._is_crossed(c)]
            folders = [c for c in folders if not self._are_runs_of(c, self.cols.get(FILE))]
            folders.sort(key=lambda c: -round(looks_compared({*c.cells}), 1))
            return (folders or [c for c in places if c.name == FILE] or places)[:1]
        texts = [c for c in labels if c.kind == "text" or c.is_where or c.has(PARAMETERS)]
        numbers = [c for c in self._numbers() if c.has(PARAMETERS) or c.is_where]
        texts += [c for c in numbers if c not in texts]
        texts = [c for c in texts if not c.is_text_field and not c.is_when and not c.is_judge]
        texts = [c for c in texts if c.filled.all() and not self._is_score(c)]
        texts = [c for c in texts if c.role in (None, "dataset") or self._is_run_file(c)]
        texts = [c for c in texts if 2 <= c.count <= self.rows / 2]
        unique = [c for c in self.free if c.kind == "text" and c.count == self.rows]
        few = min((c.count for c in texts if c.count > 1), default=0)
        texts = [c for c in texts if not (c.count >= 20 and c.count > 5 * few)]  # items
        rows_named = any(c.words[-1:] not in (("id",), ("uuid",)) for c in unique)
        texts = [] if rows_named else [c for c in texts if self._is_crossed(c)]
        among = [c for c in keys if c.kind == "text"] or keys[:1] or texts
        if not among:
            return []
        among.sort(key=self._unlike_compared)
        if len(among) > 1 or among[0] not in keys:
            self.open.append(Open(f"whether '{among[0].name}' names what is compared"))
        return among[:1]

    def _are_runs_of(self, folders: Column, files: Column | None) -> bool:
        """Whether folders are runs of what is named as the file: `vgg_seed0` and `vgg_seed1`."""
        if files is None or not 1 < files.count < folders.count:
            return False
        return groups([folders, files], self.rows)[1] == folders.count

    def _in_names_of_files(self, labels: list[Column]) -> list[Column]:
        """The column that names of files begin with, each of which has one value: `gelu-1337`."""
        files = self.cols.get(FILE)
        if files is None:
            return []
        texts = [c for c in labels if c.kind == "text" and c is not files and c.filled.all()]
        texts = [c for c in texts if 2 <= c.count <= files.count and c.name != FILE]
        texts = [c for c in texts if not c.name.startswith(FOLDER)]  # parts of these names
        for c in texts:
            pairs = {*zip(files.cells, c.cells, strict=True)}
            if len(pairs) == files.count and all(
                f.lower().startswith(str(x).lower()) for f, x in pairs
            ):
                return [c]
        return []

    def _is_run_file(self, c: Column) -> bool:
        """Whether it names runs as those of retrieval do: a system's answers to all queries."""
        return c.kind == "text" and c.words[:1] == ("run",) and not numbers_runs(c)

    def _unlike_compared(self, c: Column) -> tuple[bool, bool, bool, bool, bool, float, int]:
        """Columns in the order in which they may name what is compared, the likeliest first."""
        # numbers and versions only where there is nothing else, machines last of all
        names = (c.is_machine, c.kind != "text", c.is_where)
        looks = round(looks_compared({*c.cells}), 1)
        return c.is_block, *names, not c.has({"name"}), -looks, c.count

    def _is_crossed(self, c: Column) -> bool:
        """Whether the values of a column come with the same values of another label."""
        for other in self.free:
            if other is c or not (other.kind == "text" or other.is_whole):
                continue
            pairs = groups([c, other], self.rows)[1]
            if other.count > 1 and pairs >= 0.8 * c.count * other.count and pairs < self.rows + 1:
                return True
        return False

    # -- repetitions

    def _is_tried_on(self, c: Column, scores: list[Column]) -> bool:
        """Whether names that nothing tells the meaning of matter more than the algorithms do."""
        named = [n for n in self.roles.get("dataset", []) if not self.cols[n].is_setting]
        if c.kind != "text" or c.is_where or c.is_contender or named:
            return False
        algorithms = [self.cols[a] for a in self.roles["algorithm"] if a in self.cols]
        share = self._share_explained([c], scores[0])
        return share > 0.2 and share > 2 * self._share_explained(algorithms, scores[0])

    def _counts_repetitions(self, c: Column) -> bool:
        """Whether a column counts 0, 1, 2 ... or 1, 2, 3 ..., not called like a parameter."""
        if c.kind == "text" and numbers_runs(c):
            return True
        if not c.is_whole or any("." in cell for cell in c.cells[:50]):
            return False
        here = np.unique(c.values[~np.isnan(c.values)])
        counts = c.has({"batch"}) or (here[0] in (0, 1) and bool((np.diff(here) == 1).all()))
        return counts and not c.is_size and not c.is_where and not c.has(PARAMETERS)

    def _names_runs(self, c: Column) -> bool:
        """Whether it names runs, each of one algorithm, which has several of them."""
        algorithms = [self.cols[a] for a in self.roles["algorithm"]]
        _, cells = groups(algorithms, self.rows)
        _, pairs = groups([*algorithms, c], self.rows)
        return c.has(_RUNS) and pairs == c.count >= 2 * cells

    def _repeats(self, c: Column) -> bool:
        """Whether numbers come again in most cells, as parameters do."""
        algorithms = [self.cols[a] for a in self.roles["algorithm"]]
        _, cells = groups(algorithms, self.rows)
        _, pairs = groups([*algorithms, c], self.rows)
        return c.count >= 2 and pairs >= 0.9 * cells * c.count

    def _items_repeat(self, scores: list[Column]) -> bool:
        """Whether numbered problems have several runs with scores that are no marks."""
        marks = any(c.is_binary for c in scores)
        runs = any(r in self.roles for r in OF_SAMPLES)
        return runs and not marks and "item" in self.roles and "dataset" not in self.roles

    def _is_of_items(self, c: Column) -> bool:
        """Whether it has ids that all algorithms have: `row_id`."""
        if "item" in self.roles or not c.words or c.words[-1] not in ("id", "idx", "index"):
            return False
        algorithms = [self.cols[a] for a in self.roles["algorithm"] if a in self.cols]
        _, size = groups(algorithms, self.rows)
        return c.count >= LEAST_ITEMS and groups([*algorithms, c], self.rows)[1] == size * c.count

    def _is_within_datasets(self, c: Column) -> bool:
        """Whether each value is of one data set and of most algorithms: a sample of its data."""
        datasets = [self.cols[n] for n in self.roles.get("dataset", []) if n in self.cols]
        if not datasets or groups([*datasets, c], self.rows)[1] > c.count:
            return False
        algorithms = [self.cols[a] for a in self.roles["algorithm"] if a in self.cols]
        _, size = groups(algorithms, self.rows)
        inner = c.count > groups(datasets, self.rows)[1]
        return inner and groups([*algorithms, c], self.rows)[1] >= 0.8 * size * c.count

    def _that_differ(self, scores: list[Column], algorithms: list[Column]) -> list[Column]:
        """Less scores that are the same for all algorithms, where others are not."""
        blocks = [c for c in self._keys() if c not in algorithms]
        if len(scores) < 2 or "value" in self.roles or not blocks:
            return scores
        of, _ = groups(blocks, self.rows)
        differ = [c for c in scores if (pd.Series(c.values).groupby(of).nunique() > 1).any()]
        for c in scores if differ else ():
            if c not in differ:
                self.reasons[c.name] = "the same for all algorithms"
        return differ or scores

    def _keys(self) -> list[Column]:
        order = (
            "algorithm",
            "dataset",
            "item",
            "answer",
            *OF_SAMPLES,
            "step",
            "measure",
            "condition",
        )
        return [self.cols[c] for r in order for c in self.roles.get(r, []) if c in self.cols]


def _rank(words: Sequence[str], order: Sequence[str]) -> int:
    return next((i for i, w in enumerate(order) if w in words), len(order))
