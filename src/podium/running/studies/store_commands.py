"""`podium status`, `summary`, `merge`, `score`, `export`: what is asked of a store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from podium.core.base.errors import ResultsError
from podium.core.base.formatting import (
    cells,
    columns,
    listed,
    padded,
    printable,
    read_digits,
    screen,
    wrapped,
)
from podium.core.base.progress import duration
from podium.core.base.writing import write_together
from podium.showing.terminal.options import PATH, command, declared, written
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import check_writable, say_formulas

if TYPE_CHECKING:
    import pandas as pd

    from podium.core.results.results import Results
    from podium.running.studies.watching import Watched


# -- store screen ---------------------------------------------------------------------------------
# Of a store with many algorithms and data sets: what fits on one screen, the worst first.


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
    from podium.running.studies.outcome import say_table_of_means

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

    return listed(names, MOST_TROUBLED)


# -- store commands -------------------------------------------------------------------------------


MOST_WARNINGS = 5  # kinds of them


@command("status")
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--failures", is_flag=True, help="Show each failure with its traceback.")
@declared("every", "Every pair, however many there are.")
@declared("watch", "Show it again every two seconds, until the study is complete.")
def status(store: Path, failures: bool, every: bool, watch: bool) -> int:
    """What is done, failed and missing in STORE, and how long is left.

    Of more than 20 pairs of data set and algorithm totals are shown, and the pairs that lack most.
    """
    from podium.reading.formats.stores import read_store
    from podium.running.studies.outcome import say_weights

    if watch:
        return _watch(store)
    results = read_store(store)
    runs = _own_runs(results)
    say(f"Study '{results.name}', {results.sampling}: {len(runs)} runs, {counts(runs)}.")
    _say_halvings(results)
    say_weights(results)
    table = _by_pair(runs)
    _say_pairs(table, store, every=every)
    _say_warnings(results.warnings, every=every)
    waiting = table[table["done"] < table[STATES].sum(axis=1)]
    if results.stopping is not None:
        _say_looks(results)
    elif len(waiting):
        say(_time_left(waiting))
    if failures:
        for row in results.failures.itertuples():
            say(
                f"\n{row.algorithm} on {row.dataset}, {_place(row.sample)}:\n"
                f"{_lines(row.traceback)}"
            )
    return 0


PAUSE = 2.0  # seconds between two screens


def _watch(store: Path) -> int:
    """Show a study that runs, until it is complete or the watcher leaves."""
    import sys
    import time

    from podium.running.studies.watching import watched

    shown = None
    while True:
        progress = watched(store)
        if progress != shown:
            if sys.stdout.isatty():
                say("\x1b[H\x1b[2J", err=False)
            _say_watched(progress, whole=sys.stdout.isatty() or progress.is_over)
        shown = progress
        if progress.is_over:
            return 0
        time.sleep(PAUSE)


def _say_watched(result: Watched, *, whole: bool) -> None:

    say(f"Study '{printable(result.name)}': {' '.join(result.lines())}")
    if not whole:
        return
    for line in (*result.failures, *result.seen.lines):
        say(wrapped(printable(line), screen(), "  "))
    for title, table in result.seen.tables.items():
        texts = {head: [*map(printable, cells)] for head, cells in table.items()}
        say(f"\n{title}\n{columns(texts, left=['first', 'second', 'algorithm'], indent='  ')}")


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
    from podium.core.samplings import halvings

    if sample > 0:
        return f"sample {sample}"
    return ", ".join(f"{name} {at}" for name, at in halvings.place(sample)._asdict().items())


def _say_looks(results: Results) -> None:
    """The plan of a study that may stop, and what its looks found."""
    from podium.core.verdicts.verbs import compare
    from podium.core.words.saying import noted
    from podium.running.sequential.words import looks_shown, pairs_shown, runs_shown, saved

    comparisons = compare(results)
    assert comparisons.extras.sequential is not None
    for note in comparisons.warnings:
        if note.code in ("stopped", "raced", "look-by-hand"):
            say(wrapped(noted(note), screen(), "  "))
    noun = comparisons.blocks.noun
    say(
        "\n"
        + columns(looks_shown(comparisons.extras.sequential, noun), left=[], indent="  ")
        + "\n"
    )
    if comparisons.extras.sequential.courses and not comparisons.is_race:
        shown = pairs_shown(comparisons.extras.sequential, noun)
        say(columns(shown, left=["first", "second"], indent="  ") + "\n")
    elif comparisons.is_race:
        say(
            columns(
                runs_shown(comparisons.extras.sequential, noun), left=["algorithm"], indent="  "
            )
            + "\n"
        )
    say(saved(comparisons.extras.sequential, noun))


def counts(runs: pd.DataFrame) -> str:
    """How many runs are done, failed and missing, in words."""
    result = runs["status"].value_counts()
    return ", ".join(f"{result.get(state, 0)} {state}" for state in STATES)


def _own_runs(results: Results) -> pd.DataFrame:
    """The runs of the study, or of the shard of it that the store is for."""
    from podium.running.execution.runner import shard_of

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


def _say_pairs(table: pd.DataFrame, store: Path, *, every: bool) -> None:

    if len(table) > MOST_PAIRS and not every:
        say_totals(table, store)
    elif len(table):  # of few samples, a shard may hold none
        say_states(names_of(table), table)


def _time_left(waiting: pd.DataFrame) -> str:

    seconds = float(((waiting["failed"] + waiting["missing"]) * waiting["seconds"]).sum())
    if waiting["seconds"].isna().any():
        least = f" at least {duration(seconds)} on one core, and" if seconds else ""
        return f"What is left takes{least} an unknown time for algorithms that were never timed."
    return f"What is left takes about {duration(seconds)} on one core."


def _say_warnings(warnings: pd.DataFrame, *, every: bool) -> None:

    groups = list(warnings.groupby(["algorithm", "category"], observed=True))
    groups.sort(key=lambda group: -group[1]["count"].sum())
    shown = groups if every else groups[:MOST_WARNINGS]
    for (algorithm, category), rows in shown:
        first = printable(str(rows["message"].iloc[0]).partition("\n")[0])[:80]
        say(f"{rows['count'].sum()} x {category} from {algorithm}, e.g. {first}")
    if more := len(groups) - len(shown):
        say(f"... and {more} more kinds of warnings (--all)")


def _lines(text: str) -> str:
    """Text in lines that leave the terminal as it is: an algorithm may have written anything."""

    return "\n".join(map(printable, text.split("\n")))


# -- `podium store summary` -----------------------------------------------------------------------


@command("summary")
@click.argument("store", type=click.Path(path_type=Path))
@declared("measure", "Only this measure (may be repeated).", multiple=True)
@declared("csv", "Write all scores as CSV.")
@written("--parquet", type=PATH, help="Write all scores as Parquet.")
@declared("latex", "Write means and sds of the first measure as a LaTeX table, the best in bold.")
@declared("every", "Every data set, however many there are.")
def summary(
    store: Path,
    measure: tuple[str, ...],
    csv: Path | None,
    parquet: Path | None,
    latex: Path | None,
    every: bool,
) -> int:
    """Mean, sd, median, maximum, failures and missing runs of STORE.

    What is longer than a screen is shown as a table of means; files hold everything.
    """
    from podium.reading.formats.stores import read_store

    check_writable(csv, parquet, latex)
    results = read_store(store)
    if measure:
        results = results.filter(measure=list(measure))
    written = []  # first: whoever reads the screen may leave early
    with write_together():
        for path, write in ((csv, results.to_csv), (parquet, results.to_parquet)):
            if path:
                write(path)
                written.append(f"{len(results.scores)} scores are in '{path}'.")
        if latex:
            from podium.showing.reports.latex import scores_latex

            scores_latex(results, measure=next(iter(results.measures)), path=latex)
            written.append(f"The table is in '{latex}'.")
    say_summary(results, store, every=every)
    for line in written:
        say(line)
    if csv:
        say_formulas([*results.algorithms, *results.scores["dataset"].unique()])
    return 0


def say_summary(results: Results, store: Path, *, every: bool) -> None:
    """One table per data set and measure, the best mean marked; or, of many, an overview."""

    table = results.summary()
    if every or fits(table):
        _say_every(results, table)
    else:
        say_overview(results, table, store)


def _say_every(results: Results, table: pd.DataFrame) -> None:

    absent = "missing" if results.stopping is None else "not needed"
    gone = {"failures": "failures", "missing": absent}
    width = max(map(cells, results.algorithms))
    for (dataset, name), rows in table.groupby(["dataset", "measure"], observed=True, sort=False):
        measure = results.measure(str(name))
        facts = results.facts.get(str(dataset), {})
        size = f", n = {facts['n']}" if facts else ""
        say(f"{dataset}{size}: {name} ({measure.direction} is better), {results.sampling}")
        say(f"  {'':{width}}  {'mean':>10} {'sd':>10} {'median':>10} {'maximum':>10}  samples")
        best = rows["mean"].max() if measure.higher_is_better else rows["mean"].min()
        for row in rows.itertuples():
            numbers = " ".join(_number(v) for v in (row.mean, row.sd, row.median, row.maximum))
            mark = " *" if row.mean == best else ""
            lost = "".join(f", {getattr(row, s)} {w}" for s, w in gone.items() if getattr(row, s))
            say(f"  {padded(row.algorithm, width)}  {numbers}  {row.samples}{lost}{mark}")
        say()
    if len(table):
        say("* the best mean; a difference of means alone is no evidence.")


def _number(value: float) -> str:
    return f"{'':>10}" if value != value else f"{value:10.4g}"


# -- `podium store merge` -------------------------------------------------------------------------


@command("merge")
@click.argument("stores", nargs=-1, required=True, type=click.Path(path_type=Path))
@declared("output", "A new store for the whole.")
def merge(stores: tuple[Path, ...], output: Path | None) -> int:
    """Append to the first of STORES what the others have and it lacks.

    With --output all of them go into another store and stay as they are. Stores of different
    studies are refused.
    """
    from podium.reading.formats.stores import read_store
    from podium.reading.store.merge import merge

    into, sources = (output, stores) if output else (stores[0], stores[1:])
    if not sources:
        raise click.UsageError("merge needs at least two stores, or one and --output.")
    copied = merge(into, sources)
    say(f"{copied} records were added to '{into}': {counts(read_store(into).runs)}.")
    return 0


# -- `podium store score` -------------------------------------------------------------------------


@command("score")
@click.argument("store", type=click.Path(path_type=Path))
@declared("measure", "A measure (may be repeated).", multiple=True, required=True)
def score(store: Path, measure: tuple[str, ...]) -> int:
    """Score the predictions kept in STORE by new measures, without refitting."""
    from podium.reading.formats.stores import read_store
    from podium.running.design.measuring.scoring import computed
    from podium.running.execution.predictions import rescore

    count = rescore(store, measure)
    names = [computed(m).name for m in measure]
    say(f"{count} runs were scored by {', '.join(names)}.\n")
    say_summary(read_store(store).filter(measure=names), store, every=False)
    return 0


# -- `podium store export` ------------------------------------------------------------------------


@command("export")
@click.argument("store", type=click.Path(path_type=Path))
@declared("output", "A folder.", required=True)
@click.option("--flow", multiple=True, help="The number of an algorithm's flow, as in svm=8317.")
def export(store: Path, output: Path, flow: tuple[str, ...]) -> int:
    """Write the runs of STORE, made on OpenML tasks with kept predictions, for OpenML."""
    from podium.reading.openml_export import export_openml

    for folder in export_openml(store, output, flows=dict(map(_flow, flow)) or None):
        say(folder)
    return 0


def _flow(text: str) -> tuple[str, int]:
    name, sign, number = text.rpartition("=")
    if not sign or not number.isdecimal():
        raise ResultsError(f"--flow is an algorithm and a number, as in svm=8317, not '{text}'.")
    return name, read_digits(number)
