"""Which posterior is asked for, and the region in which two are practically the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from podium.base.errors import InferenceError
from podium.inference.comparing.known import named
from podium.inference.comparing.known import posterior as named_posterior
from podium.inference.layouts.layouts import Layout
from podium.inference.posteriors.procedures import HIERARCHICAL, LEAST_SAMPLES
from podium.inference.procedures.procedure import Procedure
from podium.reading.formats import read
from podium.reading.results import Results


def posterior_of(
    results: Any,
    procedure: str | Procedure | None,
    posterior: bool | str,
    chosen: Mapping[str, str | None],
) -> str | None:
    """The name of the posterior; None leaves it to the design of a layout."""
    if procedure is not None:
        raise InferenceError(
            "Say either a procedure or a posterior: --procedure bayes-sign (posterior='sign') "
            "names one of them."
        )
    if posterior is not True:
        return named_posterior(posterior).name
    if isinstance(results, Layout):
        return None
    result = results if isinstance(results, Results) else read(results, measure=chosen["measure"])
    return HIERARCHICAL.name if _has_samples(result, chosen) else None


def _has_samples(results: Results, chosen: Mapping[str, str | None]) -> bool:
    """Whether data sets have samples enough of their own, and are compared by their scores."""
    if chosen["dataset"] or chosen["scale"] or len(results.datasets) < 2:
        return False
    if chosen["target"] not in (None, *(target for _, target in HIERARCHICAL.legal)):
        return False
    if results.sampling is None or results.sampling.independent:
        return False
    counts = results.scores.groupby(["dataset", "algorithm"], observed=True)["sample"].nunique()
    return int(counts.min()) >= LEAST_SAMPLES


def region(
    procedure: str | Procedure | None, posterior: bool, relevance: float | None, rope: float | None
) -> float | None:
    """The relevance of a posterior: what two may differ by and be practically the same."""
    if rope is None:
        return relevance
    record = named(procedure) if isinstance(procedure, str) else procedure
    if not posterior and (record is None or record.bayes.posterior is None):
        raise InferenceError(
            "--rope (rope=) is for a posterior: add --bayes (posterior=True), or say --relevance "
            "(relevance=)."
        )
    if relevance:
        raise InferenceError("Say either rope or relevance: for a posterior they are the same.")
    return rope
