"""The layout that a procedure is for, of results: one way for commands, pages and plans."""

from __future__ import annotations

from typing import Any

from podium.inference.layouts import Layout, layout
from podium.inference.procedure import Procedure
from podium.inference.requests import legal_for
from podium.inference.scales import scaled
from podium.results.results import Results


def suited(
    results: Results,
    procedure: str | Procedure | None = None,
    *,
    target: str | None = None,
    scale: str | None = None,
    missing: str | None = None,
    **chosen: str | None,
) -> Layout:
    """The layout of a measure and data set; samples within data sets stay apart where they must."""
    nested = [t for block, t in legal_for(procedure) if block == "nested"]
    asked: dict[str, Any] = {name: value for name, value in chosen.items() if value}
    asked["target"] = target or (nested[0] if nested else "")
    made = layout(results, nested=bool(nested), **asked)
    if missing == "worst" and (scale or "raw") != "raw":
        made = made.filled()  # before a scale leaves out what has gaps
    return scaled(made, scale or "raw")
