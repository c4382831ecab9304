"""`podium status`: what is done, failed and missing, and how long is left."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from podium.cli.main import say

if TYPE_CHECKING:
    import pandas as pd


@click.command("status")
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--failures", is_flag=True, help="Show each failure with its traceback.")
def command(store: Path, failures: bool) -> int:
    """What is done, failed and missing in STORE, and how long is left."""
    from podium.execution.shards import shard_of
    from podium.results.readers import read_store

    results = read_store(store)
    runs = results.runs
    shard = shard_of(results.provenance)
    if shard:
        runs = runs[shard.holds(runs["dataset"].cat.codes.astype(int), runs["sample"])]
    counts = runs["status"].value_counts()
    parts = ", ".join(f"{counts.get(s, 0)} {s}" for s in ("done", "failed", "missing"))
    say(f"Study '{results.name}', {results.sampling}: {len(runs)} runs, {parts}.")
    table = runs.groupby(["dataset", "algorithm"], observed=True)
    width = [max(map(len, names)) for names in (results.datasets, results.algorithms)]
    say(f"{'':{width[0]}}  {'':{width[1]}}   done failed missing  s/run")
    left, unknown = 0.0, False
    for (dataset, algorithm), cell in table:
        states = cell["status"].value_counts()
        seconds = (cell["fit_time"] + cell["predict_time"]).mean()
        waiting = states.get("missing", 0) + states.get("failed", 0)
        if waiting and seconds != seconds:
            unknown = True
        elif waiting:
            left += waiting * seconds
        shown = f"{seconds:.3g}" if seconds == seconds else "?"
        say(
            f"{dataset:{width[0]}}  {algorithm:{width[1]}}  {states.get('done', 0):5} "
            f"{states.get('failed', 0):6} {states.get('missing', 0):7}  {shown}"
        )
    _say_warnings(results.warnings)
    if counts.get("done", 0) < len(runs):
        say(_time_left(left, unknown))
    if failures:
        for row in results.failures.itertuples():
            say(f"\n{row.algorithm} on {row.dataset}, sample {row.sample}:\n{row.traceback}")
    return 0


def _time_left(seconds: float, unknown: bool) -> str:
    from podium.cli.progress import duration

    if unknown:
        least = f" at least {duration(seconds)} on one core, and" if seconds else ""
        return f"What is left takes{least} an unknown time for algorithms that were never timed."
    return f"What is left takes about {duration(seconds)} on one core."


def _say_warnings(warnings: pd.DataFrame) -> None:
    groups = warnings.groupby(["algorithm", "category"], observed=True)
    for (algorithm, category), rows in groups:
        first = str(rows["message"].iloc[0]).splitlines()[0][:80]
        say(f"{rows['count'].sum()} x {category} from {algorithm}, e.g. {first}")
