"""What a file holds as one value: JSON (whole or by line), YAML and TOML; nothing is run."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, ClassVar

from podium.base.errors import ResultsError
from podium.base.optional import require
from podium.reading.formats.opening import by_line, content, parsed

JSON = ("json", "jsonl", "ndjson")
YAML = ("yml", "yaml")
TOML = ("toml",)
MOST_YAML = 20_000_000  # bytes
LINES = 3  # that must be whole values for a file to be read by line


def suffix(path: Path) -> str:
    """The extension of a file, less that of a packed one."""
    return path.name.lower().removesuffix(".gz").rpartition(".")[2]


def holds_value(path: Path, begins: str) -> bool:
    """Whether a file that begins so is read as a nested value, not as a table."""
    kind = suffix(path)
    return begins.lstrip()[:1] in ("{", "[") or kind in (*YAML, *TOML)


def value_of(path: Path) -> Any:
    """The value in a file."""
    kind = suffix(path)
    if kind in YAML:
        return _yaml(path)
    if kind in TOML:
        return _toml(path)
    raw = content(path)
    lines = [line for line in raw.splitlines()[: LINES * 10] if line.strip()][:LINES]
    if len(lines) > 1 and all(map(_is_whole, lines[:2])):
        return list(by_line(path))
    return parsed(raw, f"'{path}'")


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), (dict, list))
    except (ValueError, RecursionError):
        return False


def _yaml(path: Path) -> Any:
    """The value in a YAML file; tags that would make objects are refused, aliases are bounded."""
    package: Any = require("yaml", extra="yaml")
    raw = content(path)
    if len(raw) > MOST_YAML:
        raise ResultsError(f"'{path}' is larger than YAML is read here; save it as JSON.")
    if raw.count(b"*") > 1000 and raw.count(b"&") > 10:
        raise ResultsError(f"'{path}' repeats itself by aliases; save it as JSON.")
    try:
        values = list(package.load_all(raw, Loader=_plain_loader(package)))
    except (package.YAMLError, RecursionError, ValueError) as error:
        where = " ".join(str(error).split())
        raise ResultsError(f"'{path}' is no whole YAML file ({where:.120}).") from None
    return values[0] if len(values) == 1 else values


def _plain_loader(package: Any) -> Any:
    """A loader for which dates are texts: `2024-07-32` is a name, and no day of a month."""

    class Plain(getattr(package, "CSafeLoader", package.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: ClassVar = {
            first: [(tag, pattern) for tag, pattern in rules if not tag.endswith(":timestamp")]
            for first, rules in package.SafeLoader.yaml_implicit_resolvers.items()
        }

    return Plain


def _toml(path: Path) -> Any:
    try:
        return tomllib.loads(content(path).decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ResultsError(f"'{path}' is no whole TOML file ({error}).") from None
