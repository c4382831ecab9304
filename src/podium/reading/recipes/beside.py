"""What files beside a tool's files say of them: fields of single records, and rows by key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any

import pandas as pd

from podium.reading.loading.values import value_of
from podium.reading.recipes.recipe import Recipe
from podium.reading.recipes.walking import walked, with_short_names

PATH = "path"  # the column with the whole path of a row's file


class Beside:
    """The files that lie beside those of a tool, each read once."""

    def __init__(self, recipe: Recipe) -> None:
        self.rules = recipe.tool.beside
        self.whole = recipe.tool.whole
        self.waiting = {name: rule for name, rule in self.rules.items() if "on" in rule}
        self.kept: dict[Path, Any] = {}
        self.folders: dict[Path, list[Path]] = {}

    def is_one(self, file: Path) -> bool:
        """Whether a file is one that lies beside."""
        return any(re.fullmatch(rule["file"], file.name) for rule in self.rules.values())

    def facts(self, file: Path) -> dict[str, Any]:
        """The fields of single records beside a file, as `NAME.field`."""
        facts: dict[str, Any] = {}
        for name, rule in self.rules.items():
            if "on" not in rule and (files := self._files(rule, file)):
                row = walked(self._value(files[-1]), "", f"'{files[-1]}'", self.whole)[0]
                facts |= {f"{name}.{k}": v for k, v in row.items() if _is_field(k, rule)}
        return facts

    def joined(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The frame with rows beside that have the same keys, where it has these keys by now."""
        for name in [n for n, rule in self.waiting.items() if {*rule["on"]} <= {*frame.columns}]:
            rule = self.waiting.pop(name)
            if PATH in frame.columns:
                parts = [
                    self._with_rows(name, rule, Path(str(path)), rows)
                    for path, rows in frame.groupby(PATH, sort=False)
                ]
                frame = pd.concat(parts).sort_index()
        return frame

    def _with_rows(
        self, name: str, rule: Mapping[str, Any], path: Path, rows: pd.DataFrame
    ) -> pd.DataFrame:
        found = [
            row
            for file in self._files(rule, path)[::-1]
            for row in walked(self._branch(file, rule), rule["records"], f"'{file}'", self.whole)
        ]
        table = with_short_names(found)[0].add_prefix(f"{name}.")
        theirs = [f"{name}.{key}" for key in rule.get("as", rule["on"])]
        if not {*theirs} <= {*table.columns}:
            return rows
        table = table.drop_duplicates(theirs)
        made = rows.merge(table, how="left", left_on=list(rule["on"]), right_on=theirs)
        return made.set_index(rows.index)

    def _files(self, rule: Mapping[str, Any], file: Path) -> list[Path]:
        """The files of a name in the same folder, the one last that is called most alike."""
        folder = file.parent
        if folder not in self.folders:
            self.folders[folder] = _listed(folder)
        files = [
            p for p in self.folders[folder] if re.fullmatch(rule["file"], p.name) and p != file
        ]
        return sorted(files, key=lambda p: (_shared_end(p, file), p.name))

    def _branch(self, file: Path, rule: Mapping[str, Any]) -> dict[str, Any]:
        """What a file holds below the name that a path begins with."""
        name = re.split(r"[.\[{]", rule["records"])[0]
        return {name: self._value(file).get(name)}

    def _value(self, path: Path) -> Any:
        if path not in self.kept:
            self.kept[path] = value_of(path)
        return self.kept[path] if isinstance(self.kept[path], dict) else {}


def _is_field(name: str, rule: Mapping[str, Any]) -> bool:
    fields = rule.get("fields")
    return fields is None or any(name == f or name.startswith(f"{f}.") for f in fields)


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(p for p in folder.iterdir() if p.is_file() and p.name[0] != ".")
    except OSError:
        return []


def _shared_end(one: Path, two: Path) -> int:
    """How many letters at the end two names share, their extensions aside."""
    ends = [path.name.partition(".json")[0][::-1] for path in (one, two)]
    pairs = zip(*ends, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
