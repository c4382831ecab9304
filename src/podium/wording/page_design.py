"""What was run, what it was run with and what went wrong, in sentences of a page."""

from __future__ import annotations

from podium.results.dataset_facts import exclusions
from podium.results.results import Results
from podium.wording.evidence import replicate
from podium.wording.phrases import capital, counted, is_are, joined

MOST_NAMES = 20
NO_PROVENANCE = "Nothing is known about the machines and packages that these scores were made with."


def designed(results: Results) -> list[str]:
    """Algorithms, data sets and measures, the sampling, the runs, and what was left out."""
    return [
        _compared(results),
        _sampling(results),
        _runs(results),
        *([f"Area of application: {results.population}."] if results.population else []),
        *(
            f"The data set {name} was left out after the fact: {why}."
            for name, why in exclusions(results).items()
        ),
    ]


def _compared(results: Results) -> str:
    algorithms, datasets = results.algorithms, results.datasets
    of = f" ({joined(datasets, MOST_NAMES)})" if len(datasets) > 1 else f" ({datasets[0]})"
    return (
        f"{counted(len(algorithms), 'algorithm')} ({joined(algorithms, MOST_NAMES)}) on "
        f"{counted(len(datasets), 'data set')}{of}, judged by {joined(list(results.measures))}."
    )


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


def failed(results: Results) -> str:
    """How many runs failed; empty where algorithms only warned."""
    if len(results.failures):
        return f"{capital(counted(len(results.failures), 'run'))} failed."
    return "" if len(results.warnings) else "No run failed and no algorithm warned."
