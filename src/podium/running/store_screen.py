"""Of a store with many algorithms and data sets: what fits on one screen, the worst first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from podium.cli.main import say

if TYPE_CHECKING:
    import pandas as pd

    from podium.reading.results import Results

MOST_LINES = 40  # of a listing that is shown as it is
MOST_PAIRS = 20  # of a data set and an algorithm
MOST_ROWS = 12  # of totals
MOST_TROUBLED = 6  # pairs with runs that failed or are missing
STATES = ["done", "failed", "missing"]  # as people ask for them


# -- `podium status` ------------------------------------------------------------------------------


def say_totals(table: pd.DataFrame, store: Path) -> None:
    """Runs by algorithm, or by data set where these are fewer, and the pairs that lack most."""
    by = min(("algorithm", "dataset"), key=lambda name: table.index.unique(name).size)
    totals = _totals(table, by)
    troubled = bool(totals[["failed", "missing"]].to_numpy().any())
    columns = ["failed", "missing"] if troubled else ["seconds"]
    shown = totals.sort_values(columns, ascending=False, kind="stable").head(MOST_ROWS)
    text = "most failed and missing first" if troubled else "slowest first"
    say(f"By {'data set' if by == 'dataset' else by}, {text}:")
    say_states({"": [str(name) for name in shown.index]}, shown)
    _say_more(len(totals) - len(shown), "algorithm" if by == "algorithm" else "data set")
    if troubled:
        _say_troubled(table)
    say(f"Each of the {len(table)} pairs of data set and algorithm: podium status {store} --all")


def _totals(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Sums of states, and the mean seconds of the runs that were timed."""
    timed = (table["done"] + table["failed"]).where(table["seconds"].notna(), 0)
    known = table[STATES].assign(timed=timed, spent=timed * table["seconds"])
    result = known.groupby(level=by, observed=True, sort=False).sum()
    return result.assign(seconds=result["spent"] / result["timed"].where(result["timed"] > 0))


def _say_troubled(table: pd.DataFrame) -> None:
    waits = table[table["done"] < table[STATES].sum(axis=1)]
    worst = waits.sort_values(["failed", "missing"], ascending=False, kind="stable")
    worst = worst.head(MOST_TROUBLED)
    verb = "lacks" if len(waits) == 1 else "lack"
    say(f"\n{len(waits)} of {len(table)} pairs {verb} runs, those with most failures first:")
    say_states(names_of(worst), worst)
    _say_more(len(waits) - len(worst), "pair")
    say()


def names_of(table: pd.DataFrame) -> dict[str, list[str]]:
    """The names of the pairs, by column."""
    datasets, algorithms = zip(*table.index, strict=True)
    return {"": [str(name) for name in datasets], " ": [str(name) for name in algorithms]}


def say_states(names: dict[str, list[str]], table: pd.DataFrame) -> None:
    """How many runs are done, failed and missing behind each name, and how long one takes."""
    from podium.base.formatting import columns

    counts = {state: [str(int(n)) for n in table[state]] for state in STATES}
    seconds = [f"{s:.3g}" if s == s else "?" for s in table["seconds"]]
    say(columns(names | counts | {"s/run": seconds}, left=[*names, "s/run"]))


def _say_more(count: int, noun: str) -> None:
    if count > 0:
        say(f"... and {count} more {noun if count == 1 else noun + 's'}")


# -- `podium store summary` -----------------------------------------------------------------------


def fits(table: pd.DataFrame) -> bool:
    """Whether all rows of a summary, with their headings, go on a screen."""
    return len(table) + 3 * table.groupby(["dataset", "measure"], observed=True).ngroups <= (
        MOST_LINES
    )


def say_overview(results: Results, table: pd.DataFrame, store: Path) -> None:
    """Means of the first measure, what failed, and how to see the rest."""
    from podium.running.outcome import say_table_of_means

    say_table_of_means(results)
    _say_lost(table, next(iter(results.measures)))
    say(f"Mean, sd, median and maximum on every data set: podium store summary {store} --all")


def _say_lost(table: pd.DataFrame, measure: str) -> None:
    """Runs of the measure that failed or are missing, by algorithm."""
    rows = table[table["measure"] == measure]
    lost = rows.groupby("algorithm", observed=True, sort=False)[["failures", "missing"]].sum()
    for state, word in (("failures", "failed"), ("missing", "missing")):
        worst = lost[state].sort_values(ascending=False, kind="stable")
        names = [f"{name} {int(count)}" for name, count in worst.items() if count]
        if names:
            total = int(worst.sum())
            say(f"  {total} {'run' if total == 1 else 'runs'} {word}: {_listed(names)}.")


def _listed(names: Sequence[str]) -> str:
    from podium.base.formatting import listed

    return listed(names, MOST_TROUBLED)
