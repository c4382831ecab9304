"""`podium summary`: the summary table of a store's scores, and their export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from podium.cli.main import say
from podium.cli.writing import say_formulas

if TYPE_CHECKING:
    from podium.results.results import Results


@click.command("summary")
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--measure", "-m", multiple=True, help="Only this measure (may be repeated).")
@click.option("--csv", type=click.Path(path_type=Path), help="Write all scores as CSV.")
@click.option("--parquet", type=click.Path(path_type=Path), help="Write all scores as Parquet.")
@click.option(
    "--latex",
    type=click.Path(path_type=Path),
    help="Write means and sds of the first measure as a LaTeX table, the best in bold.",
)
def command(
    store: Path,
    measure: tuple[str, ...],
    csv: Path | None,
    parquet: Path | None,
    latex: Path | None,
) -> int:
    """Mean, sd, median, maximum, failures and missing runs of STORE."""
    from podium.results.formats.stores import read_store

    results = read_store(store)
    if measure:
        results = results.filter(measure=list(measure))
    written = []  # first: whoever reads the screen may leave early
    for path, write in ((csv, results.to_csv), (parquet, results.to_parquet)):
        if path:
            write(path)
            written.append(f"{len(results.scores)} scores are in '{path}'.")
    if latex:
        from podium.reports.latex import scores_latex

        scores_latex(results, measure=next(iter(results.measures)), path=latex)
        written.append(f"The table is in '{latex}'.")
    say_summary(results)
    for line in written:
        say(line)
    if csv:
        say_formulas([*results.algorithms, *results.scores["dataset"].unique()])
    return 0


def say_summary(results: Results) -> None:
    """One table per data set and measure; the best mean is marked."""
    from podium.formatting import cells, padded

    table = results.summary()
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
            lost = "".join(
                f", {getattr(row, s)} {s}" for s in ("failures", "missing") if getattr(row, s)
            )
            say(f"  {padded(row.algorithm, width)}  {numbers}  {row.samples}{lost}{mark}")
        say()
    if len(table):
        say("* the best mean; a difference of means alone is no evidence.")


def _number(value: float) -> str:
    return f"{'':>10}" if value != value else f"{value:10.4g}"
