"""Where the keys of a TOML text stand, so that a complaint can name their line."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any


def key_lines(text: str) -> dict[tuple[Any, ...], int]:
    """Where the tables and keys of a TOML text stand; the parser itself does not tell.

    Every header and every key with its value is TOML of its own, so the text is cut by parsing.
    """
    found: dict[tuple[Any, ...], int] = {}
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
            found.setdefault(path, start)
        piece, start = "", number + 1
    return found


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
