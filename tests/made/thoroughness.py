"""How many examples a property is tried with: many in `make test-all`, fewer in `make test`."""

from __future__ import annotations

from hypothesis import settings

THOROUGH = 1000  # examples of the profile: none of ours has as many


def examples(thorough: int, quick: int) -> settings:
    """The settings of a property, the same examples each time."""
    number = thorough if settings.default.max_examples >= THOROUGH else quick
    return settings(max_examples=number, derandomize=True, deadline=None, database=None)
