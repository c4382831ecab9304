"""What may stand in a recipe: every key with the kind of its value, and which keys need others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from podium.core.base.errors import ResultsError
from podium.core.base.options import is_number
from podium.core.base.patterns import BoundedPattern
from podium.core.base.shapes import (
    TABLE,
    TEXT,
    TEXTS,
    TRUTH,
    Fault,
    Kind,
    ListOf,
    Shape,
    TableOf,
    Where,
    one_of,
    whole_from,
)

ROLES = (
    *("algorithm", "dataset", "item", "sample", "fold", "repeat", "seed", "step", "cluster"),
    *("stratum", "measure", "value", "condition", "answer"),
)
RULES = (
    *("from", "pattern", "first", "text", "map", "join", "divide", "multiply", "add", "sum"),
    *("within", "fill", "number", "runs", "default", "apart", "twice", "through"),
    "replace",
)
OPTIONS = ("sampling", "measure", "higher_is_better", "columns", "step", "where")
MARKS = ("columns", "has", "lacks", "text", "file", "tables")


# -- kinds of values ------------------------------------------------------------------------------


class _PatternKind(Kind):
    """A text that is a regular expression."""

    def find_fault(self, value: Any, where: Where = ()) -> Fault | None:
        """What is wrong with a pattern, in the words of who reads it."""
        if fault := super().find_fault(value, where):
            return fault
        try:
            BoundedPattern(value)
        except ResultsError as error:
            return Fault(where, str(error))
        return None


def _is_single(value: Any) -> bool:
    return isinstance(value, (str, bool)) or is_number(value)


def _are_single(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_single, value))


def _are_operands(value: Any) -> bool:
    two = isinstance(value, list) and len(value) == 2
    return two and all(map(_is_single, value)) and any(isinstance(v, str) for v in value)


def _is_name_or_names(value: Any) -> bool:
    return isinstance(value, str) or TEXTS.fits(value)


def _is_first(value: Any) -> bool:
    return isinstance(value, dict) and {*value} == {"first"} and _are_single(value["first"])


def _are_ends(value: Any) -> bool:
    two = isinstance(value, list) and len(value) == 2 and all(map(is_number, value))
    return two and value[0] < value[1]


PATTERN = _PatternKind("a pattern", TEXT.fits)
SINGLE = Kind("a text or number", _is_single)
SOME = Kind("a text, a number or a list of these", lambda v: _is_single(v) or _are_single(v))
ROWS_KEPT = Kind(
    "a value, a list of values or {first = [...]}",
    lambda v: _is_single(v) or _are_single(v) or _is_first(v),
)
NAMES = Kind("the name of a column or a list of names", _is_name_or_names)
COLUMNS = Kind(
    "a list of names of columns", lambda v: TEXTS.fits(v) and bool(v) and len({*v}) == len(v)
)
OPERANDS = Kind("a list of two columns, or of a column and a number", _are_operands)
ENDS = Kind("a list of two numbers, the lower one first", _are_ends)
BY_NAME = Kind(
    "a text, or a table of texts by measure",
    lambda v: isinstance(v, str) or TableOf(TEXT).find_fault(v) is None,
)
TRUTH_BY_NAME = Kind(
    "true, false, or a table of these by measure",
    lambda v: isinstance(v, bool) or TableOf(TRUTH).find_fault(v) is None,
)
SAID_COLUMNS = Kind(
    "a text such as 'algorithm=method', a list of texts or a table",
    lambda v: _is_name_or_names(v) or TableOf(NAMES).find_fault(v) is None,
)
SAID_ROWS = Kind(
    "a text such as 'split=test', a list of texts or a table",
    lambda v: _is_name_or_names(v) or TableOf(SOME).find_fault(v) is None,
)
CELLS_BY_COLUMN = Kind(
    "a table of one column and the cells for which higher is better",
    lambda v: isinstance(v, dict) and len(v) == 1 and all(map(_are_single, v.values())),
)


# -- tables ---------------------------------------------------------------------------------------

ROLES_OF = Shape("[roles]", dict.fromkeys(ROLES, NAMES), key_noun="role")
RULE = Shape(
    "a derived column",
    {
        **dict.fromkeys(("from", "runs", "sum", "fill"), TEXT),
        **dict.fromkeys(("divide", "multiply", "add"), OPERANDS),
        **dict.fromkeys(("first", "join", "within", "number", "apart", "twice"), COLUMNS),
        "pattern": PATTERN,
        "replace": TEXT,
        "text": TEXT,
        "map": TableOf(SINGLE),
        "default": SINGLE,
        "through": whole_from(1),
    },
    key_noun="rule",
)
ACROSS = Shape(
    "[across]",
    {
        "role": one_of(*ROLES),
        "columns": COLUMNS,
        "pattern": PATTERN,
        "unless": TEXT,
        "numbers": TRUTH,
        "value": TEXT,
        "runs": one_of("sample", "seed", "fold", "repeat", "answer"),
    },
)
MEASURE = Shape(
    "[measure]",
    {
        **dict.fromkeys(("name", "only", "first", "higher_by", "lower_by"), TEXT),
        **dict.fromkeys(("higher", "lower", "likely_higher", "order"), TEXTS),
        "prefer": COLUMNS,
        "unit": BY_NAME,
        "bounds": ENDS,
        "higher_is_better": TRUTH_BY_NAME,
        "higher_where": CELLS_BY_COLUMN,
        "assumed": one_of("higher", "lower"),
    },
)
CHOOSE = Shape("[choose]", {"step": SINGLE, "again": one_of("mean"), "parts": one_of("mean")})
WAY = Shape(
    "a way to recognise files",
    {
        **dict.fromkeys(("columns", "has", "lacks", "tables"), TEXTS),
        **dict.fromkeys(("text", "file"), PATTERN),
        "says": TEXT,
    },
    key_noun="mark",
)
SAMPLE = Shape(
    "a sample",
    {"files": TableOf(TEXT), "order": TEXTS, "options": TABLE},
    ("files", "order"),
)
RECIPE = Shape(
    "a recipe",
    {
        **dict.fromkeys(("name", "title", "words", "sampling", "records", "format"), TEXT),
        **dict.fromkeys(("trap", "empty", "rows", "sampling_if"), TEXT),
        **dict.fromkeys(("lines", "header"), PATTERN),
        **dict.fromkeys(("ignore", "whole", "extensions", "failed"), TEXTS),
        **dict.fromkeys(("roles", "alone"), ROLES_OF),
        **dict.fromkeys(("without", "ok", "missing"), TableOf(SOME, "a table of columns")),
        **dict.fromkeys(("reasons", "nouns", "one", "note"), TableOf(TEXT)),
        **dict.fromkeys(("recognise", "refuse"), ListOf(WAY)),
        "where": TableOf(ROWS_KEPT, "a table of columns"),
        "derive": TableOf(RULE),
        "across": ACROSS,
        "measure": MEASURE,
        "choose": CHOOSE,
        "unroll": Shape("[unroll]", {"column": TEXT, "into": TEXT}, ("column", "into")),
        "beside": TableOf(
            Shape(
                "[beside]",
                {
                    "file": PATTERN,
                    "fields": TEXTS,
                    "records": TEXT,
                    "on": COLUMNS,
                    "as": COLUMNS,
                },
                ("file",),
            )
        ),
        "samples": ListOf(SAMPLE),
        "options": Shape(
            "[options]",
            {
                "sampling": TEXT,
                "measure": TEXT,
                "higher_is_better": TRUTH,
                "columns": SAID_COLUMNS,
                "step": SINGLE,
                "where": SAID_ROWS,
            },
            key_noun="option of reading",
        ),
    },
    key_noun="key of a recipe",
)


# -- keys that need others ------------------------------------------------------------------------

# what a derived column may be made by, in the order in which it is looked for, and what that needs
MADE_BY: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("divide", "multiply", "add", "number", "runs", "first", "text"), ()),
    "sum": ("within",),
    "fill": ("within",),
    "through": ("from", "within"),
    "map": (),
    "from": ("pattern",),
}


def find_lack(recipe: Mapping[str, Any]) -> Fault | None:
    """The first part of a recipe that needs something which is not there."""
    return next(_find_lacks(recipe), None)


def _find_lacks(recipe: Mapping[str, Any]) -> Iterator[Fault]:
    for name, rule in recipe.get("derive", {}).items():
        yield from _lacks_of_rule(rule, ("derive", name))
    across = recipe.get("across", {})
    if "role" in across and "columns" not in across:
        yield Fault(("across",), "[across] with a role needs 'columns'.")
    if across and not {"role", "pattern"} & {*across}:
        yield Fault(("across",), "[across] needs a 'role' with 'columns', or a 'pattern'.")
    if "runs" in across and "no" not in _groups(across.get("pattern", "")):
        yield Fault(("across", "runs"), "'runs' needs a 'pattern' with the groups stem and no.")
    if "role" not in across and "pattern" in across and not _groups(across["pattern"]):
        yield Fault(
            ("across", "pattern"),
            "the pattern of [across] needs groups with names, as in (?P<metric>.+): they become "
            "columns.",
        )
    for key in ("lines", "header"):
        if recipe.get(key) and not _groups(recipe[key]):
            yield Fault(
                (key,), f"'{key}' needs groups with names, as in (?P<name>.+): they become columns."
            )
    for name, beside in recipe.get("beside", {}).items():
        where = ("beside", name)
        if "on" in beside and "records" not in beside:
            yield Fault(where, f"[beside.{name}] with 'on' needs 'records'.")
        if "as" in beside and len(beside["as"]) != len(beside.get("on", ())):
            yield Fault(where, f"[beside.{name}]: 'as' has as many names as 'on'.")
    measure = recipe.get("measure", {})
    if measure.get("only") == "preferred" and not measure.get("prefer"):
        yield Fault(("measure", "only"), "only = \"preferred\" needs 'prefer'.")


def _lacks_of_rule(rule: Mapping[str, Any], where: Where) -> Iterator[Fault]:
    way = next((way for way in MADE_BY if way in rule), None)
    called = ".".join(map(str, where))
    if "map" in rule and way in ("from", "map"):
        if not {"from", "join"} & {*rule}:
            yield Fault((*where, "map"), f"{called}: 'map' needs 'from' or 'join'.")
        return
    if way is None:
        yield Fault(where, f"{called} needs one of {', '.join(MADE_BY)}.")
        return
    for key in MADE_BY[way]:
        if key not in rule:
            yield Fault((*where, way), f"{called}: '{way}' needs '{key}'.")
    if "twice" in rule and "apart" not in rule:
        yield Fault((*where, "twice"), f"{called}: 'twice' needs 'apart'.")


def _groups(pattern: str) -> Mapping[str, int]:
    return BoundedPattern(pattern).names
