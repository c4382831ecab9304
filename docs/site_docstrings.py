"""How the API pages read docstrings: what stands behind `name :` is words, not a type.

An extension of griffe, which mkdocstrings reads the source with; types come from the signature.
"""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension

ENTRY = re.compile(r"^(\w[\w, ]*?) : (\S.*)$", re.MULTILINE)
LISTS = ("Parameters\n----------\n", "Attributes\n----------\n")


class WordsBehindNames(Extension):
    """Moves the words behind a name into its description."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Change the docstring of a function or class that lists parameters."""
        if obj.docstring is None:
            return
        for head in LISTS:
            before, found, listed = obj.docstring.value.partition(head)
            if found:
                obj.docstring.value = before + found + ENTRY.sub(r"\1\n    \2", listed)
