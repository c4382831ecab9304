"""The sections of a report: text and tables, no statistics of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from podium.comparisons import Comparisons
from podium.orders.order import Order
from podium.results.results import Results


@dataclass(frozen=True)
class Section:
    """A heading, paragraphs and tables with captions."""

    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[tuple[str, pd.DataFrame], ...] = ()
    lead: str = ""  # the one line that a reader must see


Evidence = tuple[Comparisons, Order]


def sections(results: Results, evidence: Sequence[Evidence] = ()) -> list[Section]:
    """What a report of these results says; what was inferred comes first."""
    parts = [design(results), scores(results), problems(results), provenance(results)]
    return [*(inference(*e) for e in evidence), *parts]


def inference(comparisons: Comparisons, order: Order) -> Section:
    """The order, what it is a statement about, and the evidence."""
    legend = "Best first: < is significantly better, ≈ is not distinguishable, ≲ only in part."
    texts = (legend, comparisons.heading + ".", comparisons.statement)
    warnings = [f"Note ({w.code}): {w.text}" for w in comparisons.warnings]
    where = f"on {comparisons.dataset}" if comparisons.dataset else "over all data sets"
    pairs = (("Pairs", comparisons.shown()),)
    return Section(f"What may be said {where}", (*texts, *warnings), pairs, order.text)


def design(results: Results) -> Section:
    """What was run."""
    facts = [
        {
            "data set": name,
            "task": f["task"],
            "rows": f["n"],
            "test rows": f["n_test"],
            "attributes": f["p"],
            "nominal": f["nominal"],
            "missing values": f["missing"],
            "classes": len(f["classes"]) or "",
            "origin": f["origin"],
        }
        for name, f in results.facts.items()
        if "task" in f  # a table that somebody else made has no such facts
    ]
    counts = results.runs["status"].value_counts()
    own = results.sampling is not None and results.sampling.independent
    text = (
        f"{len(results.algorithms)} algorithms ({', '.join(results.algorithms)}) on "
        f"{len(results.datasets)} data set{'s' * (len(results.datasets) != 1)}, sampling "
        f"{results.sampling or 'not said'}; "
        f"{'every algorithm has its own' if own else 'all algorithms see the same'} samples. Of "
        f"{len(results.runs)} runs {counts.get('done', 0)} are done, "
        f"{counts.get('failed', 0)} failed and {counts.get('missing', 0)} are missing."
    )
    area = (f"Area of application: {results.population}.",) if results.population else ()
    return Section("Design", (text, *area), (("Data sets", pd.DataFrame(facts)),))


def scores(results: Results) -> Section:
    """The summary table of each measure, and the times."""
    table = results.summary()
    note = (
        "Means, standard deviations, medians and maxima over samples. They describe; a difference "
        "between means alone is no evidence that one algorithm is better than another."
    )
    tables = []
    for name in results.measures:
        rows = table[table["measure"] == name].drop(columns=["measure"])
        tables.append((f"{name} ({results.measure(name).direction} is better)", rows))
    done = results.runs[results.runs["status"] == "done"]
    times = done.groupby(["dataset", "algorithm"], observed=True)[
        ["fit_time", "predict_time"]
    ].mean()
    tables.append(("Mean times of a run in seconds", times.reset_index()))
    return Section("Scores", (note,), tuple(tables))


def problems(results: Results) -> Section:
    """Failures and warnings, counted."""
    failed = results.failures.groupby(
        ["dataset", "algorithm", "exception", "message"], observed=True
    )
    warned = results.warnings.groupby(["algorithm", "category", "message"], observed=True)
    tables = []
    if len(results.failures):
        tables.append(("Failures", failed.size().rename("runs").reset_index()))
    if len(results.warnings):
        counts = warned["count"].sum().reset_index().sort_values("count", ascending=False).head(50)
        tables.append(("Warnings, the most frequent ones", counts))
    text = "" if tables else "No run failed and no algorithm warned."
    return Section("Failures and warnings", (text,) if text else (), tuple(tables))


def provenance(results: Results) -> Section:
    """What the scores were made with."""
    rows = [
        {
            "python": e.get("python", ""),
            "platform": e.get("platform", ""),
            "cores": e.get("cores", ""),
            **e.get("packages", {}),
        }
        for e in results.provenance
    ]
    return Section("Provenance", (), (("Sessions", pd.DataFrame(rows).drop_duplicates()),))
