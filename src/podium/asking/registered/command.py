"""`podium register`: fix study, data and plan in a store, before the first score."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from podium.showing.terminal.options import PATH, command, declared, shared
from podium.showing.terminal.writing import check_writable, say_lines, show

if TYPE_CHECKING:
    import pandas as pd


@command("register")
@click.argument("study", type=PATH)
@declared("store", "Where it is kept [STUDY.db beside the study].")
@shared("trust", "json")
def register(study: Path, store: Path | None, trust: tuple[str, ...], json: Path | None) -> int:
    """Fix STUDY, its data and its plan of analysis ([analysis]), and print their fingerprint.

    The first run of a study with a plan does the same. `analyze` and `report` of the store then do
    what was planned; whatever else is asked is marked as exploratory, and a table lists all that
    was done otherwise.
    """
    from podium.asking.registered.verbs import register as registered

    check_writable(json)
    path = store or study.with_suffix(".db")
    result = registered(study, path, trust=trust)
    show(result.to_dict(), json, lambda: say_lines(f"{result!r}\nIt is kept in '{path}'."))
    return 0


def deviations_text(deviations: pd.DataFrame) -> str:
    """All that was done otherwise than planned, or that there is nothing."""
    from podium.asking.registered.words import NO_DEVIATION, PLANNED_AND_DONE
    from podium.core.words.saying import text

    return text([], {PLANNED_AND_DONE: deviations}, []) if len(deviations) else NO_DEVIATION
