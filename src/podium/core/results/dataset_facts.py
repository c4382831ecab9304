"""What results know of their data sets and samples, and on which of them choices were made.

To choose data sets by the results that they gave biases every claim (boulesteix2013, section 2). So
what is left out stays among the facts of the results, and every layout of data sets says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.formatting import listed
from podium.core.base.registry import unknown
from podium.core.questions.measures import Measure
from podium.core.questions.targets import BLOCKS
from podium.core.results.measure_names import is_of_one_class
from podium.core.results.results import DESCRIBED, Results
from podium.core.words.facts import CAUTION, REMARK, Note

CHARACTERISTICS = "characteristics"  # in the facts that a store keeps of each data set
EXCLUDED = "excluded"  # among the facts of a data set: why it was left out
CURVE = ["dataset", "algorithm", "measure", "size", "mean", "sd", "samples"]


def characteristics(results: Results) -> pd.DataFrame:
    """One row per data set with its task and its characteristics; empty cells mean nothing.

    Of a table they are the numbers beside the scores that are the same in all rows of a data set.
    `podium.running.design.data.characteristics.CHARACTERISTICS` says what each column is.
    """
    by_name = {d: results.facts.get(d, {}) for d in results.datasets}
    if not any(CHARACTERISTICS in facts for facts in by_name.values()):
        beside = results.design.get(DESCRIBED)
        own = beside.of(results.datasets) if beside is not None else {}
        if not own:
            raise ResultsError(
                "These results know no characteristics of their data sets: run a study, which "
                "computes them, into a new store, or give a table of them by --table (by=)."
            )
        by_name = {d: {**f, CHARACTERISTICS: own.get(d, {})} for d, f in by_name.items()}
    rows = [
        {"dataset": d, "task": facts.get("task", ""), **facts.get(CHARACTERISTICS, {})}
        for d, facts in by_name.items()
    ]
    table = pd.DataFrame(rows)
    numbers = [c for c in table.columns if c not in ("dataset", "task")]
    return table.assign(**{c: table[c].astype(float) for c in numbers})


def learning_curve(results: Results, measure: str | None = None) -> pd.DataFrame:
    """Mean and sd of the scores of every data set, algorithm and measure at every size.

    A size is a number of rows, or a share of those that a sample has to learn from; `samples`
    counts the scores there are. Data sets without sizes are left out.
    """
    sizes = {d: (f["of"], f["size"]) for d, f in results.facts.items() if "size" in f}
    if not sizes:
        raise ResultsError(
            f"The results of '{results.name}' have one training size: run a study with "
            "sizes=[...] for learning curves."
        )
    chosen = list(results.measures) if measure is None else [measure]
    table = pd.concat([results.values(m).assign(measure=m) for m in chosen], ignore_index=True)
    table = table[table["dataset"].isin(sizes)]
    full, rows = zip(*(sizes[d] for d in table["dataset"]), strict=True) if len(table) else ((), ())
    table = table.assign(dataset=list(full), size=list(rows))
    for column in ("dataset", "algorithm", "measure"):  # in the study's order
        table[column] = pd.Categorical(table[column], categories=table[column].unique())
    cells = table.groupby(CURVE[:4], observed=True)["value"]
    curve = cells.agg(mean="mean", sd="std", samples="count").reset_index()
    return curve.astype(dict.fromkeys(CURVE[:3], str))[CURVE]


# -- left out after the fact ----------------------------------------------------------------


def exclude_datasets(results: Results, names: str | Sequence[str], reason: str) -> Results:
    """The results without some data sets, and with the reason why."""
    gone = [names] if isinstance(names, str) else list(names)
    if not isinstance(reason, str) or not reason.strip():
        raise ResultsError(
            f"Data sets are left out for a reason, in words; none is given for {listed(gone)}."
        )
    for name in gone:
        if name not in results.datasets:
            raise ResultsError(unknown("data set of these results", name, results.datasets))
    kept = [name for name in results.datasets if name not in gone]
    if not kept:
        raise ResultsError("No data set would be left; leave out fewer.")
    why = {name: {**results.facts.get(name, {}), EXCLUDED: reason.strip()} for name in gone}
    return replace(results.filter(dataset=kept), facts={**results.facts, **why})


def exclusions(results: Results) -> dict[str, str]:
    """Every data set that was left out, and why."""
    here = set(results.datasets)
    return {
        name: str(facts[EXCLUDED])
        for name, facts in results.facts.items()
        if EXCLUDED in facts and name not in here
    }


# -- runs that failed, and the class that counts ----------------------------------------------


def run_notes(results: Results, *, missing: bool = False) -> tuple[Note, ...]:
    """What is said of runs that failed or, where asked, are missing."""
    partial = results.sampling is not None and BLOCKS[results.sampling.block].partial
    message = missing and not partial  # choices are between some only
    states = {"failed": "failures"} | ({"missing": "missing-runs"} if message else {})
    notes = []
    for state, code in states.items():
        gone = results.runs[results.runs["status"] == state]
        by = gone["algorithm"].value_counts()
        counts = tuple((str(name), int(count)) for name, count in by[by > 0].items())
        if counts:
            notes.append(Note(code, runs=len(gone), of=len(results.runs), by=counts))
    return tuple(notes)


def positive_notes(results: Results, measure: Measure) -> tuple[Note, ...]:
    """Which of two classes a measure such as F1 is of, and whether it is the more frequent one."""
    if not is_of_one_class(measure):
        return ()
    by_name = {d: results.facts.get(d, {}) for d in results.datasets}
    two = {d: f for d, f in by_name.items() if len(f.get("classes", ())) == 2}
    positive = tuple((d, str(f["classes"][-1])) for d, f in two.items())
    majority = tuple(d for d, f in two.items() if f.get("positive_share", 0) > 0.5)
    if not positive:
        return ()
    severity = CAUTION if majority else REMARK
    facts = {"positive": positive, "majority": majority}
    return (Note("positive-class", severity, measure=measure.name, **facts),)


def exclusion_notes(results: Results) -> tuple[Note, ...]:
    """One note for every reason for which data sets were left out."""
    gone = exclusions(results)
    return tuple(
        Note(
            "excluded", reason=reason, datasets=tuple(n for n, why in gone.items() if why == reason)
        )
        for reason in dict.fromkeys(gone.values())
    )


# -- data sets on which choices were made ---------------------------------------------------------
# Claims rest on the others.


def development(results: Results) -> list[str]:
    """The data sets at hand that the study set aside for choices; sizes of one go with it."""
    texts = set(results.design.get("development", ()))
    of = {d: results.facts.get(d, {}).get("of", d) for d in results.datasets}
    return [d for d, full in of.items() if d in texts or full in texts]


def confirming(results: Results) -> Results:
    """Without the data sets for development; where there are no others these, and a caution."""
    gone = development(results)
    if not gone:
        return results
    rest = [d for d in results.datasets if d not in gone]
    if not rest:
        note = Note("development-only", CAUTION, datasets=tuple(gone))
        return replace(results, notes=(*results.notes, note))
    note = Note("development-left-out", REMARK, datasets=tuple(gone))
    kept = results.filter(dataset=rest)
    return replace(kept, notes=(*kept.notes, note))
