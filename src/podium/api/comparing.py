"""From results to comparisons and orders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.api.reading import read
from podium.comparisons import COLUMNS, Comparisons
from podium.design.study import Study
from podium.design.studyfile import load_study
from podium.errors import DesignError, InferenceError
from podium.inference.advice import Advice, advise_design
from podium.inference.advice import advise as advise_layout
from podium.inference.compare import compare as compare_layout
from podium.inference.layouts import Layout, layout
from podium.inference.procedures import Procedure
from podium.inference.single import alone as intervals
from podium.inference.statements import statement
from podium.inference.suited import suited
from podium.measures import parse as parse_measure
from podium.orders.decide import decide_comparisons
from podium.orders.notation import parse_order
from podium.orders.order import Order
from podium.orders.statistics import Ordered
from podium.orders.statistics import order_by as ordered
from podium.results.dataset_facts import exclusions
from podium.results.results import Results


def compare(
    results: Any,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    scale: str | None = None,
    **options: Any,
) -> Comparisons:
    """Evidence about pairs of algorithms: who is better, by how much, and how sure.

    Parameters
    ----------
    results : `Results`, a `Layout`, or anything that `read` takes and that carries its sampling.
    procedure : a name from `podium procedures`; without one the design decides.
    measure, dataset : which, where there are several. Several data sets are blocks, their samples
        averaged.
    target : what the claim is about: sample, population, test-set, dataset-population; by default
        the honest one for the design.
    scale : what data sets are compared by: raw, ranks, best, baseline:NAME, ratio:NAME, normalised.
    null, adjust : other bricks, such as `null="permutation:9999"`, `adjust="holm"`.
    control, pairs : compare with one algorithm only, or these pairs only.
    contrasts : a user's own, such as `{"new": {"svm": 1, "lda": -0.5, "nb": -0.5}}`, or a matrix
        with one column per algorithm.
    estimate : another estimate for the procedure: means, mixed, block-sums or, of other scores,
        block-sums:ranks, block-sums:normal-scores ...; or a function of a layout.
    alternative : two-sided, less or greater: the sign of first - second, in the measure's unit.
    alpha, relevance : the level, and the least difference that matters. A negative relevance with
        a one-sided alternative asks for non-inferiority.
    missing : complete (leave out blocks with gaps) or worst (fill gaps with the worst value).
    force : compute what is not legal for the design, and mark it.
    """
    chosen = {"measure": measure, "dataset": dataset, "target": target, "scale": scale}
    made = layout_of(results, procedure, missing=options.get("missing"), **chosen)
    if not isinstance(options.get("contrasts", {}), (Mapping, type(None))):
        rows = enumerate(np.atleast_2d(options["contrasts"]).tolist(), 1)
        options["contrasts"] = {f"contrast {i}": row for i, row in rows}
    return compare_layout(made, procedure, **options)


def layout_of(
    results: Any, procedure: str | Procedure | None = None, **chosen: str | None
) -> Layout:
    """The layout of results, or of anything that `read` takes; a layout stays as it is.

    Samples within data sets stay apart for procedures that are made for them.
    """
    missing = chosen.pop("missing", None)
    if isinstance(results, Layout):
        if said := [name for name, value in chosen.items() if value is not None]:
            raise InferenceError(f"A layout has its own {', '.join(said)}: make another layout.")
        return results
    found = results if isinstance(results, Results) else read(results, measure=chosen["measure"])
    return suited(found, procedure, missing=missing, **chosen)


def order_by(
    results: Any,
    statistic: Any = "mean",
    *,
    measure: str | None = None,
    dataset: str | None = None,
    **options: Any,
) -> Ordered:
    """The order by a statistic of the scores, which describes them and tests nothing.

    Parameters
    ----------
    statistic : mean, median, minimum, maximum, worst:12, quantile:0.95 ... of the scores in the
        measure's own sign, or a function of blocks x algorithms.
    epsilon : algorithms whose statistics differ by no more are alike.
    intervals : a level such as 0.95: alike are those whose bootstrap intervals overlap.
    """
    made = layout_of(results, measure=measure, dataset=dataset).complete()
    better = made.measure.higher_is_better
    scores = made.sign * made.values
    found = ordered(scores, made.algorithms, statistic, higher_is_better=better, **options)
    return replace(found, notes=(*made.notes, *found.notes))


def alone(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    alpha: float = 0.05,
) -> Comparisons:
    """Comparisons without a pair: one algorithm has an interval of its expected score."""
    made = layout_of(results, measure=measure, dataset=dataset, target=target)
    found = intervals(made, alpha).iloc[0]
    made = replace(made, of_clusters=made.clusters is not None)
    return Comparisons(
        table=pd.DataFrame(columns=COLUMNS),
        algorithms=made.algorithms,
        means=made.means(),
        measure=made.measure.name,
        higher_is_better=made.measure.higher_is_better,
        procedure="alone",
        title=f"{found['method']} interval of one algorithm",
        blocks={
            "kind": made.block,
            "text": made.block_text,
            "count": int(found["blocks"]),
            "sampling": str(made.sampling) if made.sampling else None,
        },
        target=made.target,
        statement=statement(made, f"none; an expected {made.measure.name} is estimated"),
        overall=None,
        alpha=alpha,
        warnings=made.notes,
        details={"lower": found["lower"], "upper": found["upper"], "method": found["method"]},
    )


def advise(
    source: Any, *, target: str | None = None, measure: str | None = None, **reading: Any
) -> Advice:
    """Which question a design answers: of a study (or its file), of results or of a table."""
    if isinstance(source, (str, Path)) and str(source).endswith(".toml"):
        source = load_study(source)
    if isinstance(source, Study):
        return _advise_study(source, measure, {"target": target, **reading})
    found = source if isinstance(source, Results) else read(source, measure=measure, **reading)
    made = advise_layout(layout(found, measure=measure, target=target or ""))
    gone = [f"{name}, left out after the fact ({why})" for name, why in exclusions(found).items()]
    return replace(made, cannot=(*made.cannot, *gone))


def _advise_study(study: Study, measure: str | None, said: Mapping[str, object]) -> Advice:
    """The advice for a study that has not been run; it says itself how samples are drawn."""
    for name, value in said.items():
        if value is not None:
            raise DesignError(
                f"A study is advised as it is: leave out {name}, or change the study."
            )
    rows = getattr(study.datasets[0], "n", None) if len(study.datasets) == 1 else None
    chosen = parse_measure(measure) if measure else study.measures[0].measure
    return advise_design(len(study.algorithms), len(study.datasets), study.sampling, chosen, rows)


def decide(
    comparisons: Comparisons, *, alpha: float | None = None, relevance: float | None = None
) -> Order:
    """The order that comparisons allow; alpha and relevance are theirs unless changed."""
    return decide_comparisons(comparisons, alpha, relevance)


def order(text: str) -> Order:
    """The order that a text such as `svm ≈ rpart < nnet` writes (or `svm ~ rpart < nnet`)."""
    return parse_order(text)
