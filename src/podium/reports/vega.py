"""The library that draws the interactive charts: made once by vl-convert, then kept in the cache.

To bundle it takes two seconds, more than all charts of most pages together.
"""

from __future__ import annotations

import contextlib
import gzip
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from podium.base.caching import cache_folder
from podium.base.errors import ExecutionError
from podium.base.writing import replacing


class Library(NamedTuple):
    """The script, and the same as gzip."""

    text: str
    packed: bytes


@cache
def library() -> Library:
    """Vega, Vega-Lite and their embedding in one text, about 0.9 MB."""
    import vl_convert

    path = cache_folder() / f"vega-{version('vl-convert-python')}.js.gz"
    with contextlib.suppress(OSError, EOFError, ValueError):  # there is none, or it is broken
        packed = path.read_bytes()
        if text := gzip.decompress(packed).decode():  # of an empty file it is empty
            return Library(text, packed)
    text = f"(function(){{{vl_convert.javascript_bundle('window.vegaEmbed = vegaEmbed;')}}})();"
    made = Library(text, gzip.compress(text.encode(), 9, mtime=0))
    with contextlib.suppress(OSError, ExecutionError):  # which costs time only
        _keep(path, made.packed)
    return made


def _keep(path: Path, content: bytes) -> None:
    """Write a file all at once: another page may be made at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(content)
