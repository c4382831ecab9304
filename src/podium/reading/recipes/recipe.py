"""A recipe: where the records of a source are, which rows count, and what each column is.

The grammar, all keys optional; without `[roles]` those of a tool's columns are inferred:

    name, title, words, extensions    what it is called, and by `podium formats`
    format = "asv"                    read as this format, by its name ("any": as content tells);
                                      but [options] nothing else stands beside it
    sampling = "items"                the design that such files carry; folds tell theirs
    sampling_if = "drawn"             a column that has something if it is this design
    trap = "..."                      what to know of such files, for people
    empty = "..."                     what to do where a file has too little
    records = "results[].times[]"     the records: lists are unrolled, mappings are `{}`; a | b is
                                      the first that there is, "" that a file is one record
    whole = ["doc"]                   records that are kept as one text
    lines = '^(?P<name>\\S+) ...'      of plain text: a pattern whose groups are the columns
    rows = "asv"                      records that code makes, where no path leads to them
    header = '"env": "(?P<env>\\w+)'    what a file begins with: groups are columns of all its rows
    ignore = ["note", "_*"]           columns that are no part of the reading

    [recognise]                       how such a file is told, all of it must hold; [[recognise]]:
    columns = ["name", "times"]       one of several ways. Columns of a table,
    has = ["results[].times"]         paths of a nested file (lacks: that it has not),
    text = '^goos: '                  a pattern in how the file begins,
    file = 'sample.json'              a pattern of its name, tables of a database
    [[refuse]]                        files that are told so, and `says`: why they are not read
    [beside.spec]                     files in the same folder, whose fields are columns spec.*;
    file = 'spec.json'                (`fields`: these alone); with records and on = ["task"] rows
                                      that have the same task (as = [..]: what they call it)
    [unroll]                          cells that are lists as rows: column = "all", into = "value"
    [where]                           rows that count: a column and its value, or several;
    split = "test"                    {first = ["test", "*"]}: the first of them that a file has
    [without]                         rows that do not
    [ok]                              rows that have not failed; others are failed runs
    exit_code = [0]
    [failed]                          what tells why a row has no score: it is a failed run then
    [missing]                         values of a column that stand for a missing score
    score = [-1]
    [derive.method]                   new columns (`deriving` has the rules)
    from = "benchmark"
    pattern = '([^.]+)$'
    [across]                          columns that are algorithms, measures ... : role and columns,
    role = "algorithm"                or a pattern whose groups are columns (unless = "metric":
    columns = ["svm", "knn"]          where there is none of this name; numbers: of numbers alone)
    [roles]                           role = column, several are joined; value may be several
    algorithm = ["model", "lr"]       name? may be lacking, params.* are all that match, and
                                      a | b is the first of these that there is
    value = ["accuracy"]
    [alone]                           roles where no two files have the same data set
    [nouns]                           how sentences call algorithm, dataset and sample
    [one]                             columns that must have one value, and what is said otherwise
    [measure]                         name, unit, bounds, and direction where the name does not tell
    name = "time"                     it: higher_is_better (also by name), higher, lower (lists of
    higher_is_better = false          names), higher_where, lower_by (a column). `prefer`: the first
                                      of these counts; only = "known" (or "listed"): others are
                                      left out; assumed = "lower": unless the caller says otherwise;
                                      likely_higher: patterns, where no word of a name is known;
                                      order: of the names
    [choose]                          which score of a curve counts: step = "last", "shared": the
                                      one at the last step that all have;
                                      again = "mean": several scores of one cell are averaged
                                      (parts = "mean": as a matter of course)
    [options]                         what is said unless the caller says otherwise: columns,
    sampling = "cv"                   measure, higher_is_better, sampling, step, where
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from podium.core.base.errors import ResultsError
from podium.core.base.registry import unknown
from podium.core.base.shapes import NoToml, find_line, parse_toml
from podium.reading.recipes.grammar import OPTIONS, RECIPE, ROLES, find_lack
from podium.reading.recipes.rows import ROWS

__all__ = ["ANY", "OPTIONS", "ROLES", "Recipe", "Tool", "recipe_file", "recipe_of", "recipe_text"]

MOST_BYTES = 1_000_000  # of a recipe
ANY = "any"  # the format that content tells
MANY = ("roles", "where", "without", "ok", "missing", "alone")  # values are lists, or one alone


@dataclass(frozen=True)
class Tool:
    """What is known of the files of a tool, beside the roles of their columns."""

    trap: str = ""
    empty: str = ""
    lines: str = ""
    header: str = ""
    rows: str = ""
    whole: Sequence[str] = ()
    unroll: Mapping[str, str] = field(default_factory=dict)
    extensions: Sequence[str] = ()
    recognise: Sequence[Mapping[str, Any]] = ()
    refuse: Sequence[Mapping[str, Any]] = ()
    beside: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    failed: Sequence[str] = ()
    alone: Mapping[str, Sequence[str]] = field(default_factory=dict)
    nouns: Mapping[str, str] = field(default_factory=dict)
    one: Mapping[str, str] = field(default_factory=dict)
    note: Mapping[str, str] = field(default_factory=dict)
    sampling_if: str = ""
    samples: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Recipe:
    """How a source is read; see the grammar above."""

    roles: Mapping[str, Sequence[str]] = field(default_factory=dict)
    name: str = ""
    title: str = ""
    words: str = ""
    sampling: str | None = None
    records: str | None = None
    ignore: Sequence[str] = ()
    where: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    without: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    ok: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    missing: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    derive: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    across: Mapping[str, Any] = field(default_factory=dict)
    measure: Mapping[str, Any] = field(default_factory=dict)
    choose: Mapping[str, Any] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)  # why a column has no role
    format: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    tool: Tool = field(default_factory=Tool)

    @property
    def is_of_tool(self) -> bool:
        """Whether it says how the files of a tool are told."""
        return bool(self.tool.recognise)


def recipe_file(path: Path) -> Recipe:
    """The recipe in a TOML file."""
    try:
        with path.open("rb") as file:  # which may be a device without an end
            raw = file.read(MOST_BYTES + 1)
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise ResultsError(f"The recipe '{path}' cannot be read: {error}.") from None
    if len(raw) > MOST_BYTES:
        raise ResultsError(f"The recipe '{path}' has more than {MOST_BYTES // 1_000_000} MB.")
    return recipe_of(text, f"The recipe '{path}'")


def recipe_of(text: str, what: str) -> Recipe:
    """The recipe in a TOML text, checked."""
    try:
        given = parse_toml(text)
    except NoToml as error:
        raise ResultsError(f"{what} is no TOML file ({error}).") from None
    for part in ("recognise", "refuse"):
        if isinstance(given.get(part), dict):  # one way, without a list
            given[part] = [given[part]]
    if fault := RECIPE.find_fault(given) or find_lack(given):
        line = find_line(text, fault.where)
        place = f"{what}, line {line}" if line else what
        raise ResultsError(f"{place}: {fault.says}")
    if "format" in given and (more := [key for key in given if key not in ("format", "options")]):
        raise ResultsError(
            f"{what}: format = '{given['format']}' says all of how files are read, so that "
            f"{', '.join(more)} beside it would do nothing. Leave out the one or the other."
        )
    if given.get("rows", "asv") not in ROWS:
        raise ResultsError(f"{what}: " + unknown("kind of rows", given["rows"], ROWS))
    for part in MANY:
        table = given.get(part, {})
        given[part] = {k: v if isinstance(v, list) else [v] for k, v in table.items()}
    of_tool = {f.name for f in fields(Tool)}
    tool = Tool(**{k: given.pop(k) for k in [*given] if k in of_tool})
    return Recipe(**given, tool=tool)


def patterns_of(recipe: Recipe) -> list[str]:
    """The regular expressions of a recipe."""
    tool = recipe.tool
    rules = [*recipe.derive.values(), recipe.across]
    every = [rule.get("pattern", "") for rule in rules]
    for way in (*tool.recognise, *tool.refuse, *tool.beside.values()):
        every += [way.get("text", ""), way.get("file", "")]
    return [pattern for pattern in (*every, tool.lines, tool.header) if pattern]


# -- writing ----------------------------------------------------------------------------------


def recipe_text(recipe: Recipe) -> str:
    """The recipe as TOML, in the order of the grammar, with why columns are not used."""
    lines = []
    for key in ("name", "title", "words", "format", "sampling", "records"):
        value = getattr(recipe, key)
        if value or (key == "records" and value is not None):
            lines.append(f"{key} = {toml_value(value)}")
    if recipe.ignore:
        lines.append(f"ignore = {toml_value(list(recipe.ignore))}")
    known = {f.name: getattr(recipe.tool, f.name) for f in fields(Tool)}
    lines += [f"{key} = {toml_value(value)}" for key, value in known.items() if value]
    tables = ("where", "without", "ok", "missing", "across", "roles", "measure", "choose")
    for part in (*tables, "options"):
        table = getattr(recipe, part)
        if table:
            lines += ["", f"[{part}]"]
            cells = {k: _single(v) if part in MANY else v for k, v in table.items()}
            lines += [f"{_key(k)} = {toml_value(v)}" for k, v in cells.items()]
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
        return repr(float(value) if isinstance(value, float) else int(value))  # numpy's say more
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
    if sign.isprintable():
        return sign
    if "\ud800" <= sign <= "\udfff":  # half of a pair, which no text in UTF-8 has
        sign = "\N{REPLACEMENT CHARACTER}"
    return f"\\u{ord(sign):04x}" if ord(sign) < 1 << 16 else f"\\U{ord(sign):08x}"
