"""A law that an extension must keep."""

from __future__ import annotations


def law(number: int, holds: object, broken: str) -> None:
    """Raise AssertionError where a law does not hold; also under `python -O`."""
    if not holds:
        raise AssertionError(f"law {number}: {broken}")
