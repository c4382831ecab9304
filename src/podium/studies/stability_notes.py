"""Notes: what a reader of a stability must know besides the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from podium.facts import Note
from podium.inference.layouts import Layout
from podium.orders.decide import decide_comparisons
from podium.orders.order import Order
from podium.studies.decisions import Decided
from podium.studies.pipeline import Pipeline
from podium.studies.ranks import LEVEL, Ranked


def notes(
    layout: Layout,
    order: Order,
    pipelines: tuple[Pipeline, Pipeline],  # of the observed scores, of the resamples
    by_mean: Ranked,
    decisions: Decided,
) -> Iterator[Note]:
    """All that is worth saying about how the frequencies came about."""
    yield from _about_frequencies(layout, by_mean, decisions)
    yield from _about_ranks(pipelines[0], by_mean)
    yield from _about_null(layout, order, *pipelines)
    yield from _about_decisions(decisions)


def _about_frequencies(layout: Layout, by_mean: Ranked, decisions: Decided) -> Iterator[Note]:
    drawn = "blocks" if layout.clusters is None else "whole clusters of items"
    errors = (0.5 / max(count, 1) ** 0.5 for count in (by_mean.count, len(decisions.better)))
    given = "; all is conditional on this learning sample" * (layout.target == "sample")
    yield Note(
        "bootstrap",
        text=f"As many {drawn} as there are were drawn with replacement; the standard error of a "
        "frequency is at most {:.2g} for ranks and {:.2g} for orders.".format(*errors),
    )
    yield Note(
        "frequencies",
        text="Frequencies are no p-values and no probabilities of a truth: the decisions of resamples "
        "bear the noise of the scores twice, so that a pair whose p-value is just alpha is decided "
        f"in about half of them{given}.",
    )


def _about_ranks(pipeline: Pipeline, by_mean: Ranked) -> Iterator[Note]:
    yield Note(
        "ranks",
        text="Rank 1 is the best mean; tied means have mean ranks and share their places, also the "
        f"best, equally; {100 * LEVEL:g} % percentile intervals of single ranks, which are rough "
        "where means are nearly tied (Hall and Miller 2009).",
    )
    procedure = pipeline.procedure
    if procedure.of != "mean" or procedure.criterion is not None:
        yield Note(
            "ranks-by-mean",
            text=f"Ranks are by the means of scores; the orders are by '{procedure.name}', which is "
            "about something else.",
        )
    if by_mean.adjusted:
        yield Note(
            "adjusted-means",
            text="Not every block has all scores: means, and ranks by them, are those of additive "
            "blocks and algorithms, so that nobody gains by lacking hard blocks.",
        )
    if by_mean.unranked:
        yield Note(
            "unranked",
            text=f"In {by_mean.unranked} of {by_mean.unranked + by_mean.count} resamples an algorithm "
            "had no score that can be used, or no blocks in common with the others, however "
            "indirectly; they have no ranks and are not among the frequencies.",
        )


def _about_null(
    layout: Layout, order: Order, observed: Pipeline, within: Pipeline
) -> Iterator[Note]:
    if within is observed:
        return
    other = decide_comparisons(within.comparisons(layout))
    given = "the same order" if other == order else f"another order: {other.text}"
    yield Note(
        "null",
        text=f"The observed analysis has the null {observed.null} and the resamples {within.null}, "
        f"which gives the scores at hand {given}. same_null=True uses the former for all.",
    )


def _about_decisions(decisions: Decided) -> Iterator[Note]:
    count, failures = len(decisions.better), decisions.failures
    if failures:
        yield Note(
            "not-computed",
            text=f"{len(failures)} of {count + len(failures)} resamples could not be decided and are "
            f"not among the frequencies of pairs and orders; the first, because: {failures[0]}",
        )
    without = int(decisions.unknown.any(axis=1).sum())
    if without:
        yield Note(
            "no-variation",
            text=f"In {without} of {count} resamples some pair had no p-value, mostly as its "
            "differences did not vary there; it counts as ≈.",
        )
