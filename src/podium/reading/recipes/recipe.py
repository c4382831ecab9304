"""A recipe: where the records of a source are, which rows count, and what each column is.

The grammar, all keys optional beside `[roles]`:

    name, title, words, extensions    what it is called, and by `podium formats`
    sampling = "items"                the design that such files carry
    trap = "..."                      what to know of such files, for people
    records = "results[].times[]"     the record set: lists are unrolled, mappings are `{}`
    lines = '^(?P<name>\\S+) ...'      of plain text: a pattern whose groups are the columns
    ignore = ["note"]                 columns that are no part of the reading

    [recognise]                       how such a source is told, all of it must hold
    columns = ["name", "times"]       columns of the record set
    text = '^goos: '                  a pattern in how the file begins
    [where]                           rows that count: a column and its value, or several
    split = "test"
    [without]                         rows that do not
    [ok]                              rows that have not failed; others are failed runs
    exit_code = [0]
    [missing]                         values of a column that stand for a missing score
    score = [-1]
    [derive.method]                   new columns: by a pattern, a quotient (divide = [a, b]), or
    from = "benchmark"                what cells mean (join = [a, b], map = {"1 A>B" = 0.0})
    pattern = '([^.]+)$'
    [across]                          columns that are algorithms, data sets ... : role and columns
    role = "algorithm"
    columns = ["svm", "knn"]
    [roles]                           role = column, several are joined; value may be several
    algorithm = ["model", "lr"]
    value = ["accuracy"]
    [measure]                         name, and direction where the name does not tell it
    name = "time"
    higher_is_better = false
    [choose]                          which score of a curve counts: step = "last"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from podium.base.errors import ResultsError
from podium.base.registry import unknown

ROLES = (
    *("algorithm", "dataset", "item", "sample", "fold", "repeat", "seed", "step", "cluster"),
    *("stratum", "measure", "value", "condition", "answer"),
)
TOP = (
    *("name", "title", "words", "extensions", "sampling", "trap", "records", "lines", "ignore"),
    *("recognise", "where", "without", "ok", "missing", "derive", "across", "roles", "measure"),
    *("choose", "samples", "reasons"),
)


@dataclass(frozen=True)
class Recipe:
    """How a source is read; see the grammar above."""

    roles: Mapping[str, Sequence[str]] = field(default_factory=dict)
    name: str = ""
    title: str = ""
    words: str = ""
    sampling: str | None = None
    trap: str = ""
    records: str | None = None
    lines: str = ""
    ignore: Sequence[str] = ()
    recognise: Mapping[str, Any] = field(default_factory=dict)
    where: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    without: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    ok: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    missing: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    derive: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    across: Mapping[str, Any] = field(default_factory=dict)
    measure: Mapping[str, Any] = field(default_factory=dict)
    choose: Mapping[str, Any] = field(default_factory=dict)
    samples: Sequence[Mapping[str, Any]] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)  # why a column has no role


def recipe_file(path: Path) -> Recipe:
    """The recipe in a TOML file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ResultsError(f"The recipe '{path}' cannot be read: {error}.") from None
    return recipe_of(text, f"The recipe '{path}'")


def recipe_of(text: str, what: str) -> Recipe:
    """The recipe in a TOML text, checked."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ResultsError(f"{what} is no TOML file ({error}).") from None
    for key in given:
        if key not in TOP:
            raise ResultsError(f"{what}: " + unknown("key of a recipe", key, TOP))
    for role in given.get("roles", {}):
        if role not in ROLES:
            raise ResultsError(f"{what}: " + unknown("role", role, ROLES))
    many = ("roles", "where", "without", "ok", "missing")
    for part in many:
        table = given.get(part, {})
        if not isinstance(table, dict):
            raise ResultsError(f"{what}: [{part}] is a table of columns.")
        given[part] = {k: v if isinstance(v, list) else [v] for k, v in table.items()}
    for pattern in (given.get("lines", ""), *_patterns(given)):
        _check_pattern(pattern, what)
    if "extensions" in given:
        given["recognise"] = {**given.get("recognise", {}), "extensions": given.pop("extensions")}
    known = {f.name for f in fields(Recipe)}
    return Recipe(**{k: v for k, v in given.items() if k in known})


def _patterns(given: Mapping[str, Any]) -> list[str]:
    derived = [d.get("pattern", "") for d in given.get("derive", {}).values()]
    return [*derived, str(given.get("recognise", {}).get("text", ""))]


def _check_pattern(pattern: str, what: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ResultsError(f"{what}: '{pattern}' is no pattern ({error}).") from None


# -- writing ----------------------------------------------------------------------------------


def recipe_text(recipe: Recipe) -> str:
    """The recipe as TOML, in the order of the grammar, with why columns are not used."""
    lines = []
    for key in ("name", "title", "sampling", "records", "lines"):
        value = getattr(recipe, key)
        if value:
            lines.append(f"{key} = {toml_value(value)}")
    if recipe.ignore:
        lines.append(f"ignore = {toml_value(list(recipe.ignore))}")
    for part in ("where", "without", "ok", "missing", "across", "roles", "measure", "choose"):
        table = getattr(recipe, part)
        if table:
            lines += ["", f"[{part}]"]
            lines += [f"{_key(k)} = {toml_value(_single(v))}" for k, v in table.items()]
    for column, rule in recipe.derive.items():
        lines += ["", f"[derive.{_key(column)}]"]
        lines += [f"{_key(k)} = {toml_value(v)}" for k, v in rule.items()]
    if recipe.reasons:
        lines += ["", "[reasons]  # why a column has no role"]
        lines += [f"{_key(k)} = {toml_value(v)}" for k, v in recipe.reasons.items()]
    return "\n".join(lines).strip() + "\n"


def _single(value: Any) -> Any:
    return value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value


def _key(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else toml_value(text)


def toml_value(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(str(k))} = {toml_value(v)}" for k, v in value.items()) + "}"
    text = str(value)
    escaped = "".join(_escaped(sign) for sign in text)
    return f'"{escaped}"'


def _escaped(sign: str) -> str:
    if sign in '"\\':
        return "\\" + sign
    return f"\\u{ord(sign):04x}" if ord(sign) < 32 or ord(sign) == 127 else sign
