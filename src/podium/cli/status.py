"""`podium status`: what is done, failed and missing, and how long is left."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from podium.cli.main import say

if TYPE_CHECKING:
    import pandas as pd

    from podium.results.results import Results

STATES = ["done", "failed", "missing"]  # as people ask for them


@click.command("status")
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--failures", is_flag=True, help="Show each failure with its traceback.")
def command(store: Path, failures: bool) -> int:
    """What is done, failed and missing in STORE, and how long is left."""
    from podium.results.formats.stores import read_store

    results = read_store(store)
    runs = _own_runs(results)
    say(f"Study '{results.name}', {results.sampling}: {len(runs)} runs, {counts(runs)}.")
    _say_halvings(results)
    table = _by_pair(runs)
    _say_pairs(table)
    _say_warnings(results.warnings)
    waiting = table[table["done"] < table[STATES].sum(axis=1)]
    if len(waiting):
        say(_time_left(waiting))
    if failures:
        for row in results.failures.itertuples():
            say(
                f"\n{row.algorithm} on {row.dataset}, {_place(row.sample)}:\n"
                f"{_lines(row.traceback)}"
            )
    return 0


def _say_halvings(results: Results) -> None:
    """How many runs inside halves there are, and are without a score."""
    table = results.halvings
    if not len(table):
        return
    keys = ["dataset", "algorithm", "halving", "side", "fold"]
    done = table.groupby(keys, observed=True)["value"].count() > 0
    halvings = table["halving"].max()
    say(f"Inside {halvings} halvings: {len(done)} runs, {done.sum()} of them with scores.")


def _place(sample: int) -> str:
    """Which sample it is, in words."""
    from podium.samplings import halvings

    if sample > 0:
        return f"sample {sample}"
    return ", ".join(f"{name} {at}" for name, at in halvings.place(sample)._asdict().items())


def counts(runs: pd.DataFrame) -> str:
    """How many runs are done, failed and missing, in words."""
    found = runs["status"].value_counts()
    return ", ".join(f"{found.get(state, 0)} {state}" for state in STATES)


def _own_runs(results: Results) -> pd.DataFrame:
    """The runs of the study, or of the shard of it that the store is for."""
    from podium.execution.shards import shard_of

    runs, shard = results.runs, shard_of(results.provenance)
    if not shard:
        return runs
    return runs[shard.holds(runs["dataset"].cat.codes.astype(int), runs["sample"])]


def _by_pair(runs: pd.DataFrame) -> pd.DataFrame:
    """For every data set and algorithm: runs by state, and the mean seconds of those timed."""
    timed = runs.assign(seconds=runs["fit_time"] + runs["predict_time"])
    pairs = timed.groupby(["dataset", "algorithm"], observed=True)
    table = pairs["status"].value_counts().unstack(fill_value=0)
    return table.reindex(columns=STATES, fill_value=0).assign(seconds=pairs["seconds"].mean())


def _say_pairs(table: pd.DataFrame) -> None:
    from podium.formatting import cells, padded

    if not len(table):
        return  # of few samples, a shard may hold none
    width = [max(map(cells, table.index.unique(name))) for name in table.index.names]
    say(f"{'':{width[0]}}  {'':{width[1]}}   done failed missing  s/run")
    for row in table.itertuples():
        names = "  ".join(map(padded, row.Index, width))
        seconds = f"{row.seconds:.3g}" if row.seconds == row.seconds else "?"
        say(f"{names}  {row.done:5} {row.failed:6} {row.missing:7}  {seconds}")


def _time_left(waiting: pd.DataFrame) -> str:
    from podium.progress import duration

    seconds = float(((waiting["failed"] + waiting["missing"]) * waiting["seconds"]).sum())
    if waiting["seconds"].isna().any():
        least = f" at least {duration(seconds)} on one core, and" if seconds else ""
        return f"What is left takes{least} an unknown time for algorithms that were never timed."
    return f"What is left takes about {duration(seconds)} on one core."


def _say_warnings(warnings: pd.DataFrame) -> None:
    from podium.formatting import printable

    groups = warnings.groupby(["algorithm", "category"], observed=True)
    for (algorithm, category), rows in groups:
        first = printable(str(rows["message"].iloc[0]).partition("\n")[0])[:80]
        say(f"{rows['count'].sum()} x {category} from {algorithm}, e.g. {first}")


def _lines(text: str) -> str:
    """Text in lines that leave the terminal as it is: an algorithm may have written anything."""
    from podium.formatting import printable

    return "\n".join(map(printable, text.split("\n")))
