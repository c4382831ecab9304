"""Study files: TOML to Study. A study file is configuration, not code."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from podium.design.algorithms import Algorithm, named_algorithm
from podium.design.datasets import Dataset
from podium.design.processes import Process
from podium.design.sources import from_source
from podium.design.study import Study
from podium.errors import DesignError, PodiumError
from podium.registry import did_you_mean

TEXT, WHOLE, TRUTH, TABLE, TEXTS = (
    "a text",
    "a whole number",
    "true or false",
    "a table",
    "a list of texts",
)
STUDY = {
    "name": TEXT,
    "seed": WHOLE,
    "population": TEXT,
    "sampling": TEXT,
    "measures": TEXTS,
    "keep": TEXTS,
    "trust": TEXTS,
    "datasets": "[[datasets]]",
    "algorithms": "[[algorithms]]",
}
DATASET = {
    "name": TEXT,
    "source": TEXT,
    "target": TEXT,
    "test": TEXT,
    "task": TEXT,
    "nominal": TEXTS,
    "ignore": TEXTS,
    "group": TEXT,
    "positive": "a text or number",
    "n": WHOLE,
    "n_test": WHOLE,
    "fresh_test": TRUTH,
    "seed": WHOLE,
    "parameters": TABLE,
}
ALGORITHM = {"name": TEXT, "estimator": TEXT, "parameters": TABLE, "preprocess": TRUTH}
REQUIRED = {
    "study": ("sampling", "datasets", "algorithms"),
    "datasets": ("name", "source"),
    "algorithms": ("name", "estimator"),
}
SUITS = {  # which keys of a data set go with which kind of source
    "file": ("target", "test", "task", "nominal", "ignore", "group", "positive"),
    "sklearn": ("target", "task", "positive"),
    "builtin": ("target", "positive", "n", "n_test", "fresh_test", "seed", "parameters"),
}


def load_study(path: str | Path) -> Study:
    """The study that a TOML file describes; names of files are relative to it."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise DesignError(f"There is no study file '{path}'.") from None
    except IsADirectoryError:
        raise DesignError(f"'{path}' is a folder, not a study file.") from None
    except UnicodeDecodeError:
        raise DesignError(f"The study file '{path}' is not a text in UTF-8.") from None
    except OSError as error:
        raise DesignError(f"The study file '{path}' cannot be read: {error.strerror}.") from None
    return parse_study(text, folder=path.parent, origin=path.name, default_name=path.stem)


def parse_study(
    text: str, *, folder: Path = Path(), origin: str = "study", default_name: str = "study"
) -> Study:
    """The study that a text in TOML describes."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DesignError(f"{origin}: this is not TOML: {error}.") from None
    except RecursionError:
        raise DesignError(f"{origin}: this is not TOML: it is nested too deeply.") from None
    return _StudyFile(text, folder, origin).study(content, default_name)


class _StudyFile:
    """A study file being read; every complaint names its line."""

    def __init__(self, text: str, folder: Path, origin: str) -> None:
        self.text, self.folder, self.origin = text, folder, origin

    def study(self, content: dict[str, Any], default_name: str) -> Study:
        self._check_keys(content, STUDY, "study", ())
        simulate = str(content["sampling"]).strip().startswith("simulation")
        self._check_names(content, "datasets", DATASET)
        self._check_names(content, "algorithms", ALGORITHM)
        trust = content.get("trust", [])
        datasets = [
            self._dataset(entry, i, simulate) for i, entry in enumerate(content["datasets"])
        ]
        algorithms = [self._algorithm(e, i, trust) for i, e in enumerate(content["algorithms"])]
        plain = {k: content[k] for k in ("seed", "population", "measures", "keep") if k in content}
        if "measures" not in plain:
            plain["measures"] = ["error" if datasets[0].task == "classification" else "squared"]
        try:
            return Study(
                datasets,
                algorithms,
                sampling=content["sampling"],
                folder=self.folder,
                name=content.get("name", default_name),
                text=self.text,
                **plain,
            )
        except PodiumError as error:
            raise self._at(self._blamed(str(error), content), str(error)) from None

    def _check_names(self, content: dict[str, Any], kind: str, schema: Mapping[str, str]) -> None:
        seen: dict[str, int] = {}
        for i, entry in enumerate(content[kind]):
            self._check_keys(entry, schema, kind, (kind, i))
            name = entry["name"]
            if name in seen:
                first = self._line((kind, seen[name], "name"))
                raise self._at(
                    (kind, i, "name"), f"the name '{name}' is taken already (line {first})."
                )
            seen[name] = i

    def _check_keys(
        self, table: dict[str, Any], schema: Mapping[str, str], kind: str, where: tuple[Any, ...]
    ) -> None:
        noun = {"study": "a study", "datasets": "a data set", "algorithms": "an algorithm"}[kind]
        for key, value in table.items():
            if key not in schema:
                message = f"{noun} has no key '{key}'.{did_you_mean(key, schema)} "
                raise self._at((*where, key), message + f"Known: {', '.join(schema)}.")
            if not _fits(value, schema[key]):
                raise self._at(
                    (*where, key), f"'{key}' must be {schema[key]}, not {_shown(value)}."
                )
        for key in REQUIRED[kind]:
            if key not in table:
                raise self._at(where, f"{noun} needs '{key}'.")

    def _dataset(self, entry: dict[str, Any], i: int, simulate: bool) -> Dataset | Process:
        name, source = entry["name"], entry["source"]
        options = {k: v for k, v in entry.items() if k not in ("name", "source")}
        scheme = source.partition(":")[0]
        for key in options:
            if key not in SUITS.get(scheme, options):
                raise self._at(
                    ("datasets", i, key), f"'{key}' does not go with the source '{source}'."
                )
        if scheme != "file":
            options.pop("target", None)  # what is not a file knows its target
        if "ignore" in options:
            options["ignore"] = tuple(options["ignore"])
        try:
            return from_source(name, source, folder=self.folder, simulate=simulate, **options)
        except PodiumError as error:
            raise self._at(("datasets", i, self._key_in(str(error), entry)), str(error)) from None

    def _algorithm(self, entry: dict[str, Any], i: int, trust: list[str]) -> Algorithm:
        try:
            return named_algorithm(
                entry["name"],
                entry["estimator"],
                entry.get("parameters", {}),
                preprocess=entry.get("preprocess", False),
                trust=trust,
            )
        except PodiumError as error:
            raise self._at(("algorithms", i, self._key_in(str(error), entry)), str(error)) from None

    def _key_in(self, message: str, entry: dict[str, Any]) -> str:
        """The key that a message most likely speaks of."""
        for key, value in entry.items():
            if key != "name" and isinstance(value, (str, int)) and f"'{value}'" in message:
                return key
        if "parameter" in message and "parameters" in entry:
            return "parameters"
        return "source" if "source" in entry else "estimator"

    def _blamed(self, message: str, content: dict[str, Any]) -> tuple[Any, ...]:
        """Where to point for a complaint about the study as a whole."""
        for key in ("sampling", "measures", "keep", "seed"):
            noun = key.removesuffix("s")
            if key in content and re.match(rf"(The |In |A )?'?{noun}", message, re.IGNORECASE):
                return (key,)
        for kind, noun in (("algorithms", "Algorithm"), ("datasets", "Data set")):
            for i, entry in enumerate(content[kind]):
                if message.startswith(f"{noun} '{entry['name']}'"):
                    return (kind, i, "name")
        for key in ("measures", "sampling"):
            values = content.get(key, [])
            if any(f"'{v}'" in message for v in ([values] if isinstance(values, str) else values)):
                return (key,)
        return ()

    def _at(self, where: tuple[Any, ...], message: str) -> DesignError:
        line = self._line(where)
        return DesignError(
            f"{self.origin}, line {line}: {message}" if line else f"{self.origin}: {message}"
        )

    def _line(self, where: tuple[Any, ...]) -> int | None:
        """The line, from 1, of a key such as ("algorithms", 2, "estimator"); of its table else."""
        lines = _lines(self.text)
        while where:
            if where in lines:
                return lines[where]
            where = where[:-1]
        return None


_HEADER = re.compile(r"^\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*(?:\.|=)""")
_INLINE = re.compile(r"""([{,\[]\s*)("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)\s*=""")


def _lines(text: str) -> dict[tuple[Any, ...], int]:
    """Where the tables and keys of a TOML text stand; the parser itself does not tell."""
    found: dict[tuple[Any, ...], int] = {}
    counts: dict[str, int] = {}
    where: tuple[Any, ...] = ()
    quote = ""
    for number, line in enumerate(text.splitlines(), 1):
        outside, quote = _outside_long_texts(line, quote)
        if (match := _HEADER.match(outside)) and not _KEY.match(outside):
            name, *inner = [p.strip().strip("\"'") for p in match[1].split(".")]
            if outside.lstrip().startswith("[[") and not inner:
                counts[name] = counts.get(name, -1) + 1
            where = (name, counts[name], *inner) if name in counts else (name, *inner)
            found.setdefault(where, number)
        elif match := _KEY.match(outside):
            found.setdefault((*where, match[1].strip("\"'")), number)
    return found


def _outside_long_texts(line: str, quote: str) -> tuple[str, str]:
    """The part of a line that is not inside a text over several lines, and the quote still open."""
    kept = ""
    while line:
        if quote:
            _, found, line = line.partition(quote)
            if not found:
                return kept, quote
            quote = ""
        else:
            at = [(line.find(q), q) for q in ('"""', "'''") if q in line]
            if not at:
                return kept + line, ""
            position, quote = min(at)
            kept, line = kept + line[:position], line[position + 3 :]
    return kept, quote


def _fits(value: Any, kind: str) -> bool:
    if kind == TEXT:
        return isinstance(value, str)
    if kind == WHOLE:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == TRUTH:
        return isinstance(value, bool)
    if kind == TABLE:
        return isinstance(value, dict)
    if kind == TEXTS:
        return isinstance(value, list) and all(isinstance(v, str) for v in value)
    if kind.startswith("[["):
        return isinstance(value, list) and all(isinstance(v, dict) for v in value) and bool(value)
    return isinstance(value, (str, int, float))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
