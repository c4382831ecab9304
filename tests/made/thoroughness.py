"""How many examples a property is tried with: many in `make test-all`, fewer in `make test`."""

from __future__ import annotations

import os

from hypothesis import settings


def examples(thorough: int, quick: int) -> settings:
    """The settings of a property, the same examples each time."""
    number = thorough if os.environ.get("PODIUM_THOROUGH") else quick
    return settings(max_examples=number, derandomize=True, deadline=None, database=None)
