"""Design: what was run, counted, and the facts of the data sets."""

from __future__ import annotations

import pandas as pd

from podium.reports.document import Part, Section, Table
from podium.results.dataset_facts import exclusions
from podium.results.results import Results
from podium.wording.phrases import counted, is_are, joined, replicate

MOST_NAMES = 20
FACTS = {  # of a data set, under the names that people read
    "task": "task",
    "n": "rows",
    "n_test": "test rows",
    "p": "attributes",
    "nominal": "nominal",
    "missing": "missing values",
    "classes": "classes",
    "origin": "origin",
}


def design(results: Results) -> Section:
    """What was run."""
    facts = _facts(results)
    tables = (Table("Data sets", facts),) if len(facts) else ()
    paragraphs = (*_said(results), *_left_out(results))
    return Section("Design", "design", (Part(paragraphs=paragraphs, items=tables),))


def _said(results: Results) -> list[str]:
    algorithms, datasets = results.algorithms, results.datasets
    of = f" ({joined(datasets, MOST_NAMES)})" if len(datasets) > 1 else f" ({datasets[0]})"
    return [
        f"{counted(len(algorithms), 'algorithm')} ({joined(algorithms, MOST_NAMES)}) on "
        f"{counted(len(datasets), 'data set')}{of}, judged by {joined(list(results.measures))}.",
        _sampling(results),
        _runs(results),
        *([f"Area of application: {results.population}."] if results.population else []),
    ]


def _sampling(results: Results) -> str:
    """How the samples were drawn, and whether they are the same for all algorithms."""
    sampling = results.sampling
    if sampling is None:
        single = len(results.runs) == len(results.algorithms) * len(results.datasets)
        known = "Every algorithm has one score per data set; how" if single else "How"
        return f"{known} the samples were drawn is not said."
    if len(results.algorithms) < 2:
        return f"Sampling: {sampling}."
    own = "every algorithm has its own" if sampling.independent else "all algorithms see the same"
    return f"Sampling: {sampling}; {own} {replicate(results)}s."


def _runs(results: Results) -> str:
    counts = results.runs["status"].value_counts()
    done, failed, missing = (int(counts.get(s, 0)) for s in ("done", "failed", "missing"))
    total = counted(len(results.runs), "run")
    if not failed and not missing:
        return f"The study has {total}, and all are done."
    return (
        f"Of {total}, {done} {is_are(done)} done, {failed or 'none'} failed and "
        f"{missing or 'none'} {is_are(missing or 1)} missing."
    )


def _left_out(results: Results) -> list[str]:
    return [
        f"The data set {name} was left out after the fact: {why}."
        for name, why in exclusions(results).items()
    ]


def _facts(results: Results) -> pd.DataFrame:
    """One row per data set of a study; a table that somebody else made has no such facts."""
    rows = [
        {"data set": name, **{words: _fact(facts, key) for key, words in FACTS.items()}}
        for name, facts in results.facts.items()
        if "task" in facts and name in results.datasets
    ]
    return pd.DataFrame(rows)


def _fact(facts: object, key: str) -> object:
    value = facts.get(key, "") if hasattr(facts, "get") else ""
    return (len(value) or "") if key == "classes" else value
