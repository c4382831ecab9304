"""Study files: TOML to Study. A study file is configuration, not code."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from podium.core.base import options as checks
from podium.core.base.errors import DesignError, PodiumError
from podium.core.base.options import is_number, is_whole, subject, takes
from podium.core.base.registry import did_you_mean, unknown
from podium.running.design.data.datasets import Dataset
from podium.running.design.data.processes import Process
from podium.running.design.data.sources import all_from_source
from podium.running.design.frames import Frame, frame
from podium.running.design.learners.algorithms import (
    TRUSTED,
    Algorithm,
    check_preprocessing,
    named_algorithm,
    required,
    resolve,
)
from podium.running.design.measuring.outputs import PREDICTED, check_output
from podium.running.design.samples.drawing import DRAWINGS, PROCESS, check_groups, check_test_sample
from podium.running.design.study import DEVELOPMENT, ROLES, STAGES, Study

# -- where the keys of a TOML text stand, so that a complaint can name their line ------------------


def key_lines(text: str) -> dict[tuple[Any, ...], int]:
    """Where the tables and keys of a TOML text stand; the parser itself does not tell.

    Every header and every key with its value is TOML of its own, so the text is cut by parsing.
    """
    lines: dict[tuple[Any, ...], int] = {}
    counts: dict[tuple[Any, ...], int] = {}
    table: tuple[Any, ...] = ()
    piece, start = "", 1
    for number, line in enumerate(text.split("\n"), 1):
        piece += line + "\n"
        try:
            content = tomllib.loads(piece)
        except ValueError:
            continue  # a value that goes on in the next line
        if piece.lstrip().startswith("["):
            table = _header(content, counts)
            paths = [table[: i + 1] for i in range(len(table))]
        else:
            paths = [(*table, *path) for path in _paths(content)]
        for path in paths:
            lines.setdefault(path, start)
        piece, start = "", number + 1
    return lines


def _header(content: dict[str, Any], counts: dict[tuple[Any, ...], int]) -> tuple[Any, ...]:
    """The place that a header names; tables of a list are counted from 0."""
    where: tuple[Any, ...] = ()
    while content:
        key, inner = next(iter(content.items()))
        where += (key,)
        if isinstance(inner, list):
            counts[where] = counts.get(where, -1) + 1
            inner = inner[0]
        where += (counts[where],) if where in counts else ()
        content = inner
    return where


def _paths(content: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for key, value in content.items():
        yield (key,)
        if isinstance(value, dict):
            yield from ((key, *path) for path in _paths(value))


TEXT, WHOLE, TRUTH, TABLE, TEXTS, NUMBERS = (
    "a text",
    "a whole number",
    "true or false",
    "a table",
    "a list of texts",
    "a list of numbers",
)
TRUTH_OR_NAME = "true, false or a name"
MOST_BYTES = 10_000_000
TARGET = "a text, or a list of two texts"  # time and event
STUDY = {
    "name": TEXT,
    "seed": WHOLE,
    "population": TEXT,
    "sampling": TEXT,
    "measures": TEXTS,
    "keep": TEXTS,
    "fits": WHOLE,
    "sizes": NUMBERS,
    "isolate": TEXT,
    "trust": TEXTS,
    "analysis": TABLE,
    "frame": TABLE,
    "datasets": "[[datasets]]",
    "algorithms": "[[algorithms]]",
}
DATASET = {
    "name": TEXT,
    "source": TEXT,
    "target": TARGET,
    "test": TEXT,
    "task": TEXT,
    "nominal": TEXTS,
    "ignore": TEXTS,
    "group": TEXT,
    "groups": TEXT,  # as it is called in Python
    "positive": "a text or number",
    "n": WHOLE,
    "n_test": WHOLE,
    "fresh_test": TRUTH,
    "seed": WHOLE,
    "parameters": TABLE,
    "stage": TEXT,
}
FRAME = {
    "catalogue": TEXT,
    "where": TEXTS,
    "draw": WHOLE,
    "seed": WHOLE,
    "development": WHOLE,
}
ALGORITHM = {
    "name": TEXT,
    "factors": TABLE,
    "estimator": TEXT,
    "parameters": TABLE,
    "preprocess": TRUTH_OR_NAME,
    "output": TEXT,
    "role": TEXT,
}
REQUIRED = {
    "study": ("sampling", "algorithms"),
    "datasets": ("name", "source"),
    "algorithms": ("name", "estimator"),
    "frame": ("catalogue",),
}


@takes("trust")
def load_study(path: str | Path, **options: Any) -> Study:
    """The study that a TOML file describes; names of files are relative to it.

    The file can ask for packages beside scikit-learn, but only who reads it can grant them
    (`trust`): to import a package is to run its code.

    Parameters
    ----------
    path : str | Path

    Returns
    -------
    Study

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import podium
    >>> text = '''
    ... sampling = "cv:5"
    ... measures = ["error"]
    ... [[datasets]]
    ... name = "iris"
    ... source = "sklearn:iris"
    ... [[algorithms]]
    ... name = "nb"
    ... estimator = "sklearn.naive_bayes.GaussianNB"
    ... '''
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "iris.toml"
    >>> _ = path.write_text(text)
    >>> len(podium.load_study(path))
    5
    """
    trust = options["trust"]
    path = Path(path)
    try:
        with path.open("rb") as file:  # which may be a device without an end
            raw = file.read(MOST_BYTES + 1)
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        raise DesignError(f"There is no study file '{path}'.") from None
    except IsADirectoryError:
        raise DesignError(f"'{path}' is a folder, not a study file.") from None
    except UnicodeDecodeError:
        raise DesignError(f"The study file '{path}' is not a text in UTF-8.") from None
    except OSError as error:
        raise DesignError(f"The study file '{path}' cannot be read: {error.strerror}.") from None
    if len(raw) > MOST_BYTES:
        raise DesignError(f"The study file '{path}' has more than {MOST_BYTES // 1_000_000} MB.")
    by_name = {"origin": path.name, "default_name": path.stem}
    return parse_study(text, folder=path.parent, trust=trust, **by_name)


def parse_study(
    text: str,
    *,
    folder: Path = Path(),
    trust: Sequence[str] = (),
    origin: str = "study",
    default_name: str = "study",
) -> Study:
    """The study that a text in TOML describes."""
    try:
        content = tomllib.loads(text)
    except ValueError as error:  # no TOML, or a number of thousands of digits
        raise DesignError(f"{origin}: this is not TOML: {error}.") from None
    except RecursionError:
        raise DesignError(f"{origin}: this is not TOML: it is nested too deeply.") from None
    return _StudyFile(text, folder, origin, _packages(trust)).study(content, default_name)


def _packages(trust: Sequence[str]) -> tuple[str, ...]:
    """The packages that somebody trusts."""
    given = (trust,) if isinstance(trust, str) else tuple(trust)
    for package in given:
        if not isinstance(package, str) or not package.isidentifier():
            raise DesignError(f"trust names packages, such as 'xgboost', not {package!r}.")
    return given


class _StudyFile:
    """A study file being read; every complaint names its line."""

    def __init__(self, text: str, folder: Path, origin: str, trust: tuple[str, ...]) -> None:
        self.text, self.folder, self.origin, self.trust = text, folder, origin, trust

    def study(self, content: dict[str, Any], default_name: str) -> Study:
        self._check_numbers(content, ())
        self._check_keys(content, STUDY, "study", ())
        frame = self._frame(content)
        self._check_names(content, "datasets", DATASET)
        self._check_names(content, "algorithms", ALGORITHM)
        of_processes = tuple(name for name, d in DRAWINGS.items() if d.source == PROCESS)
        simulate = content["sampling"].strip().lower().startswith(of_processes)
        self._check_trust(content.get("trust", []))
        entries = enumerate(content["datasets"])
        several = [self._datasets(e, i, simulate) for i, e in entries]
        datasets = [d for group in several for d in group]
        algorithms = [self._algorithm(e, i) for i, e in enumerate(content["algorithms"])]
        options = ("seed", "population", "measures", "keep", "fits", "sizes", "isolate", "analysis")
        given = {k: content[k] for k in options if k in content}
        given |= {"frame": frame, "roles": self._roles(content["algorithms"])}
        given["factors"] = {
            e["name"]: e["factors"] for e in content["algorithms"] if "factors" in e
        }
        given["development"] = [d.name for d in self._development(content["datasets"], several)]
        with self._blaming():
            made = Study(
                datasets,
                algorithms,
                sampling=content["sampling"],
                folder=self.folder,
                name=content.get("name", default_name),
                text=self.text,
                **given,
            )
        self._check_used(made, content["datasets"])
        return made

    def _check_used(self, study: Study, entries: list[dict[str, Any]]) -> None:
        """Refuse groups and test samples that the sampling would read past."""
        checks = {"group": check_groups, "groups": check_groups, "test": check_test_sample}
        for i, entry in enumerate(entries):
            for key in checks.keys() & entry.keys():
                with self._blaming("datasets", i, key):
                    if study.splits is None:
                        checks[key](study.sampling)

    def _frame(self, content: dict[str, Any]) -> Frame | None:
        """The frame that the data sets are drawn from, whose draw takes the place of a list."""
        wording = content.get("frame")
        if ("datasets" in content) == (wording is not None):
            raise self._at((), "a study needs either [[datasets]] or a [frame] to draw them from.")
        if wording is None:
            return None
        self._check_keys(wording, FRAME, "frame", ("frame",))
        with self._blaming("frame"):
            made = frame(**{"seed": content.get("seed", 1)} | wording, folder=self.folder)
            content["datasets"] = made.entries()
        return made

    def _roles(self, entries: list[dict[str, Any]]) -> dict[str, str]:
        for i, entry in enumerate(entries):
            if entry.get("role", ROLES[0]) not in ROLES:
                message = unknown("role", entry["role"], ROLES)
                raise self._at(("algorithms", i, "role"), message)
        return {e["name"]: e["role"] for e in entries if "role" in e}

    def _development(
        self, entries: list[dict[str, Any]], several: list[list[Dataset | Process]]
    ) -> list[Dataset | Process]:
        for i, entry in enumerate(entries):
            if entry.get("stage", STAGES[0]) not in STAGES:
                message = unknown("stage", entry["stage"], STAGES)
                raise self._at(("datasets", i, "stage"), message)
        both = zip(entries, several, strict=True)
        return [d for e, datasets in both if e.get("stage") == DEVELOPMENT for d in datasets]

    def _check_numbers(self, value: Any, where: tuple[Any, ...]) -> None:
        """Whole numbers in TOML have 64 bits; longer ones, which Python takes, have no decimals."""
        if isinstance(value, (dict, list)):
            for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
                self._check_numbers(inner, (*where, key))
        elif isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise self._at(where, f"'{where[-1]}' holds a whole number of more than 64 bits.")

    def _check_trust(self, texts: list[str]) -> None:
        """What a file asks for is not what it gets: a file from elsewhere would run its code."""
        missing = [p for p in texts if p not in (*TRUSTED, *self.trust)]
        if missing:
            several = len(missing) > 1
            flags = " ".join(f"--trust {p}" for p in missing)
            raise self._at(
                ("trust",),
                f"this study asks to run code of the package{'s' * several} "
                f"{', '.join(map(repr, missing))}. If you trust {'them' if several else 'it'}, add "
                f"{flags} (from Python: trust={missing!r}).",
            )

    def _check_names(self, content: dict[str, Any], kind: str, schema: Mapping[str, str]) -> None:
        seen: dict[str, int] = {}
        for i, entry in enumerate(content[kind]):
            self._check_keys(entry, schema, kind, (kind, i))
            name = entry["name"]
            with self._blaming(kind, i, "name"):
                checks.name({"datasets": "data set"}.get(kind, "algorithm"), name)
            if name in seen:
                first = self._line((kind, seen[name], "name"))
                raise self._at(
                    (kind, i, "name"), f"the name '{name}' is taken already (line {first})."
                )
            seen[name] = i

    def _check_keys(
        self, table: dict[str, Any], schema: Mapping[str, str], kind: str, where: tuple[Any, ...]
    ) -> None:
        noun = {
            "study": "a study",
            "datasets": "a data set",
            "algorithms": "an algorithm",
            "frame": "a frame",
        }[kind]
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

    def _datasets(self, entry: dict[str, Any], i: int, simulate: bool) -> list[Dataset | Process]:
        source = entry["source"]
        options = {k: v for k, v in entry.items() if k not in ("name", "source", "stage")}
        if "groups" in options:
            if "group" in options:
                raise self._at(("datasets", i, "groups"), "say 'group' or 'groups', not both.")
            options["group"] = options.pop("groups")
        if "ignore" in options:
            options["ignore"] = tuple(options["ignore"])
        try:
            return all_from_source(
                entry["name"], source, folder=self.folder, simulate=simulate, **options
            )
        except PodiumError as error:
            key = next((k for k in subject(error)[:1] if k in entry), "source")
            raise self._at(("datasets", i, key), str(error)) from None

    def _algorithm(self, entry: dict[str, Any], i: int) -> Algorithm:
        trusted = (*TRUSTED, *self.trust)
        name, path, parameters = entry["name"], entry["estimator"], entry.get("parameters", {})
        options = {k: entry[k] for k in ("preprocess", "output") if k in entry}
        output = options.get("output", PREDICTED)
        with self._blaming("algorithms", i):
            check_preprocessing(f"Algorithm '{name}'", options.get("preprocess", False))
        with self._blaming("algorithms", i, "output"):
            check_output(f"Algorithm '{name}'", output)
        with self._blaming("algorithms", i, "estimator"):
            resolve(path, trusted, f"Algorithm '{name}'", required(output))
        try:
            return named_algorithm(name, path, parameters, trust=trusted, **options)
        except PodiumError as error:
            where = ("parameters", *subject(error)) if parameters else ("estimator",)
            raise self._at(("algorithms", i, *where), str(error)) from None

    @contextmanager
    def _blaming(self, *where: Any) -> Iterator[None]:
        """Say of an error where in the file it is; a study's own errors know it."""
        try:
            yield
        except PodiumError as error:
            raise self._at((*where, *subject(error)), str(error)) from None

    def _at(self, where: tuple[Any, ...], message: str) -> DesignError:
        line = self._line(where)
        return DesignError(
            f"{self.origin}, line {line}: {message}" if line else f"{self.origin}: {message}"
        )

    def _line(self, where: tuple[Any, ...]) -> int | None:
        """The line, from 1, of a key such as ("algorithms", 2, "estimator"); of its table else."""
        lines = key_lines(self.text)
        while where:
            if where in lines:
                return lines[where]
            where = where[:-1]
        return None


def _fits(value: Any, kind: str) -> bool:
    if kind == TEXT:
        return isinstance(value, str)
    if kind == TARGET:
        return isinstance(value, str) or (_fits(value, TEXTS) and len(value) == 2)
    if kind == WHOLE:
        return is_whole(value)
    if kind == TRUTH:
        return isinstance(value, bool)
    if kind == TRUTH_OR_NAME:
        return isinstance(value, (bool, str))
    if kind == TABLE:
        return isinstance(value, dict)
    if kind == TEXTS:
        return isinstance(value, list) and all(isinstance(v, str) for v in value)
    if kind == NUMBERS:
        return isinstance(value, list) and all(is_number(v) for v in value)
    if kind.startswith("[["):
        return isinstance(value, list) and all(isinstance(v, dict) for v in value) and bool(value)
    return isinstance(value, (str, int, float))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
