"""What repeats within a table: curves, trials of a search, places in lists, runs of tasks."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from podium.reading.inferring.column_facts import Column, groups
from podium.reading.inferring.contenders import Contenders
from podium.reading.inferring.headers import LEAST_ITEMS
from podium.reading.inferring.loaded_tables import Open
from podium.reading.inferring.scored_tables import OF_SAMPLES

_SEARCHES = {"study", "searcher", "sampler", "tuner", "optimizer", "optimiser", "scheduler"}


class Repetitions(Contenders):
    """A table of which it is found what repeats."""

    def _curve(self, labels: list[Column], scores: list[Column]) -> list[Column]:
        """A column that counts steps under another name: in all runs scores rise, or fall."""
        if self.options.sampling is not None:
            return []  # they are samples
        for c in labels:
            counts = c.role == "sample" or self._is_entry_of(c, scores[0])
            if not counts or not c.is_whole or c.count < 5 or self._is_time(scores[0]):
                continue
            runs = [self.cols[a] for a in self.roles["algorithm"] if a in self.cols]
            runs += [o for o in labels if o.role in ("seed", "dataset", "repeat", "fold")]
            runs += [o for o in labels if self.loaded.paths.get(o.name, "").endswith("{}")]
            runs += [
                self.cols[x]
                for r in (*OF_SAMPLES, "dataset")
                for x in self.roles.get(r, [])
                if x in self.cols
            ]
            of, count = groups(runs, self.rows)
            if groups([*runs, c], self.rows)[1] < self.rows or 5 * count > self.rows:
                continue
            pairs = pd.DataFrame({"run": of, "x": c.values, "y": scores[0].values})
            ranks = pairs.groupby("run").rank()
            ranks -= ranks.groupby(of).transform("mean")
            sums = (ranks["x"] * ranks["y"]).groupby(of).sum()
            scale = np.sqrt((ranks**2).groupby(of).sum().prod(axis=1))
            trends = (sums / scale.where(scale > 0)).fillna(0.0)
            if abs(trends.median()) > 0.8 and len({*np.sign(trends)}) == 1:
                return [c]
        return []

    def _is_entry_of(self, place: Column, score: Column) -> bool:
        """Whether a column has the places of a score in its list: `rmse#` of `rmse`."""
        path = self.loaded.paths.get(place.name, "")
        return path.endswith("[]") and path == f"{self.loaded.paths.get(score.name, '')}[]"

    def _trials(self, algorithm: list[str]) -> list[Column]:
        """Columns that number the trials of a search: steps on the way to its best."""
        searched = any(c.name.startswith(("params_", "params.", "config/")) for c in self.free)
        studies = any(self.cols[a].has(_SEARCHES) for a in algorithm if a in self.cols)
        named = (("number",), ("trial",)) if searched or studies else ()
        return [c for c in self.free if c.words[:1] in named and c.is_whole]

    def _asks_again(self, step: Column, scores: list[Column]) -> bool:
        """Whether an epoch asks all items once more: answers are right or wrong, and few."""
        again = step.has({"epoch", "epochs"}) and step.count < LEAST_ITEMS
        return again and "item" in self.roles and all(c.is_binary for c in scores)

    def _are_queries(self, place: Column, scores: list[Column]) -> bool:
        """Whether places in a list are long for all: queries that are timed, and no runs of one."""
        if {"dataset", "item"} & {*self.roles} or not self._is_time(scores[0]) or place.count < 3:
            return False
        algorithms = [self.cols[a] for a in self.roles["algorithm"] if a in self.cols]
        frame = pd.DataFrame({"a": groups(algorithms, self.rows)[0], "p": place.codes})
        frame["y"] = np.log(np.maximum(scores[0].values, 1e-300))
        frame["y"] -= frame.groupby("a")["y"].transform("mean")
        total = float((frame["y"] ** 2).sum())
        means = frame.groupby("p")["y"].transform("mean")
        return total > 0 and float((means**2).sum()) > 0.5 * total

    def _places(self, labels: list[Column], scores: list[Column]) -> None:
        """Places in lists: queries, runs ... that tell rows apart, as samples."""
        places = [
            c for c in labels if re.search(r"#\d*$", c.name) and not c.name.startswith("row#")
        ]
        places = [c for c in places if c.name not in {x for v in self.roles.values() for x in v}]
        for place in places:
            if self._is_apart() or not self._is_shared(place):
                break
            if self._are_queries(place, scores):
                self.roles["dataset"] = [place.name]
                self.said["dataset"] = place.name
                self.open.append(Open(f"whether '{place.name}' numbers what all are tried on"))
                continue
            role = next((r for r in ("sample", "repeat") if r not in self.roles), None)
            if role is None:
                break
            self.roles[role] = [place.name]
            self.said[role] = place.name

    def _tasks_are_items(self, scores: list[Column]) -> None:
        """Tasks with single outcomes, right or wrong, are items of one test set."""
        named = self.roles.get("dataset", [])
        if not named and "item" not in self.roles:  # ids of samples are those of items
            named = [c for c in self.roles.get("sample", []) if c in self.cols]
            named = [c for c in named if self.cols[c].words[-1:] == ("id",)]
        tasks = [c for c in named if c in self.cols]
        if len(tasks) != 1 or {"dataset", "sample"} & {*self.options.columns}:
            return
        single = all(c.is_binary for c in scores) and "fold" not in self.roles
        if not single or self.cols[tasks[0]].count < LEAST_ITEMS:
            return
        same = [self.cols[c] for c in (*tasks, *self.roles.get("item", [])) if c in self.cols]
        if "item" in self.roles and groups(same, self.rows)[1] > same[0].count:
            return  # items of several data sets
        role = "dataset" if "dataset" in self.roles else "sample"
        self.roles["item"] = self.roles.pop(role)
        self.said["item"] = self.said.pop(role, tasks[0])
        for role in ("sample", "repeat", "seed"):
            if role in self.roles:
                self.roles["answer"] = self.roles.pop(role)
                self.said.pop(role, None)
        self.by_content = True

    def _is_apart(self) -> bool:
        _, count = groups(self._keys(), self.rows)
        return count == self.rows

    def _is_shared(self, c: Column) -> bool:
        """Whether most values of a column have rows of two algorithms."""
        algorithms = [self.cols[a] for a in self.roles["algorithm"] if a in self.cols]
        _, size = groups(algorithms, self.rows)
        if size < 2:
            return True
        _, cells = groups([c], self.rows)
        _, pairs = groups([c, *algorithms], self.rows)
        return pairs > 1.3 * cells
