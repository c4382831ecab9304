"""Evidence after the waist: p-values with intervals, or a posterior; a verdict comes from either.

`compare` knows only this protocol. A procedure that says nothing is judged by its p-values
(`tested.py`); one whose record has a `posterior` is judged by the chances that the first algorithm
of a pair is better, practically the same, or worse.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Protocol

import numpy as np

from podium.inference.bricks.adjustments import ADJUSTMENTS
from podium.inference.bricks.scales import ranks_within
from podium.inference.bricks.sphericity import epsilon, varying
from podium.inference.comparing.compared_on import UNADJUSTED, Method
from podium.inference.comparing.comparisons import CHANCES
from podium.inference.comparing.notes import about_clusters, about_datasets, notes
from podium.inference.comparing.pair_tests import Found, Judged
from podium.inference.comparing.request import Request
from podium.inference.comparing.tested import Tested
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.procedure import Posterior, Procedure
from podium.words.facts import REMARK, Note, Overall, Standing

Columns = Mapping[str, np.ndarray]


class Evidence(Protocol):
    """What `compare` asks of evidence about pairs; arrays, in the measure's own unit and sign."""

    @property
    def columns(self) -> Columns:
        """The table's columns: estimate, lower, upper, statistic, p, p_adjusted and others."""

    @property
    def verdicts(self) -> list[str]:
        """What is found of the first of every pair."""

    @property
    def overall(self) -> Overall | None:
        """The test of no difference at all, where there is one."""

    @property
    def method(self) -> Method:
        """How the pairs were judged."""

    @property
    def standing(self) -> Mapping[str, Standing] | None:
        """How likely each algorithm is the best, and its expected rank, where a posterior tells."""

    def notes(self) -> Iterator[Note]:
        """What a reader must know of how they were judged."""


def tested(layout: Layout, procedure: Procedure, request: Request) -> Found:
    """Every pair tested, by the procedure's own judge or by estimates and a null."""
    return (Judged if procedure.judges(layout) else Tested)(layout, procedure, request)


class PValues:
    """Evidence by p-values and simultaneous intervals."""

    def __init__(self, layout: Layout, procedure: Procedure, request: Request) -> None:
        self.layout, self.procedure, self.request = layout, procedure, request
        self.found = tested(layout, procedure, request)

    @property
    def columns(self) -> Columns:
        """Estimates with limits, the statistic, p-values and, with a margin, of equivalence."""
        found, sign = self.found, self.layout.sign
        low, high = found.limits if sign > 0 else (-found.limits[1], -found.limits[0])
        made = {
            "estimate": sign * found.in_units + 0.0,  # no -0.0
            "lower": low + 0.0,
            "upper": high + 0.0,
            "statistic": sign * found.t + 0.0,
            "p": found.p,
            "p_adjusted": self._adjusted,
        }
        if self.procedure.reports.unit:
            made["mean_difference"] = sign * found.mean_difference + 0.0
        margin = self.request.two_sided and self.request.relevance > 0
        return made | ({"p_equivalence": found.equivalence} if margin else {})

    @property
    def _adjusted(self) -> np.ndarray:
        return np.fmax(self.found.adjusted, self.found.p)  # but for the noise of drawn nulls

    @property
    def verdicts(self) -> list[str]:
        """By the adjusted p-values, and those of equivalence."""
        found, alpha = self.found, self.request.alpha
        decided = zip(found.t, self._adjusted, found.equivalence, strict=True)
        return [self._verdict(t, p <= alpha, same <= alpha) for t, p, same in decided]

    def _verdict(self, t: float, significant: bool, equivalent: bool) -> str:
        if significant and self.request.relevance < 0:
            return "non-inferior" if self.found.turn > 0 else "non-superior"
        if significant:
            return "better" if t > 0 else "worse"
        return "equivalent" if equivalent else "undecided"

    @property
    def overall(self) -> Overall:
        """The procedure's own test, or the largest statistic."""
        return self.found.overall()

    @property
    def method(self) -> Method:
        """The bricks, and what a model behind them found."""
        layout, procedure, model = self.layout, self.procedure, self.found.model
        ranks = (
            np.nanmean(ranks_within(layout.values), axis=0).tolist()
            if procedure.reports.ranks
            else None
        )
        return Method(
            procedure,
            self.request.null,
            self.request.adjust,
            None if model is None else model.facts,
            dict(zip(layout.algorithms, ranks, strict=True)) if ranks is not None else None,
            epsilon(varying(layout)) if procedure.reports.spherical else None,
            self._strengths,
        )

    @property
    def _strengths(self) -> dict[str, float] | None:
        """Log-strengths, where the procedure estimates them."""
        if not self.procedure.reports.strengths:
            return None
        values = self.procedure.estimate(self.layout).values.tolist()
        return dict(zip(self.layout.algorithms, values, strict=True))

    @property
    def standing(self) -> None:
        """P-values tell nothing of the kind."""
        return

    def notes(self) -> Iterator[Note]:
        """On blocks, pairs and adjustment."""
        return notes(self.layout, self.procedure, self.request, self.found)


class Chances:
    """Evidence by a posterior."""

    def __init__(self, layout: Layout, procedure: Procedure, request: Request) -> None:
        assert procedure.bayes.posterior is not None
        self.layout, self.procedure, self.request = layout, procedure, request
        self.found: Posterior = procedure.bayes.posterior(layout, request)

    @property
    def columns(self) -> Columns:
        """Estimates with credible limits, and the three chances."""
        found, sign = self.found, self.layout.sign
        low, high = (found.lower, found.upper) if sign > 0 else (-found.upper, -found.lower)
        nothing = np.full(len(found.win), math.nan)
        return {
            "estimate": sign * found.estimate + 0.0,
            "lower": low + 0.0,
            "upper": high + 0.0,
            **dict.fromkeys(("statistic", "p", "p_adjusted"), nothing),
            **{name: getattr(found, name) for name in CHANCES},
        }

    @property
    def verdicts(self) -> list[str]:
        """What has at least the chance 1 - alpha."""
        sure, words = 1 - self.request.alpha, ("better", "equivalent", "worse")
        chances = zip(self.found.win, self.found.same, self.found.lose, strict=True)
        decided = ([w for w, c in zip(words, three, strict=True) if c >= sure] for three in chances)
        return [known[0] if known else "undecided" for known in decided]

    @property
    def overall(self) -> None:
        """There is no test."""
        return

    @property
    def method(self) -> Method:
        """The procedure; a posterior needs no null, and chances of pairs are not adjusted."""
        return Method(self.procedure, self.request.null, ADJUSTMENTS[UNADJUSTED])

    @property
    def standing(self) -> dict[str, Standing] | None:
        """The chance of each to be the best, and its expected rank."""
        best, ranks = self.found.best, self.found.expected_rank
        if best is None or ranks is None:
            return None
        both = zip(best.tolist(), ranks.tolist(), strict=True)
        return {a: Standing(*each) for a, each in zip(self.layout.algorithms, both, strict=True)}

    def notes(self) -> Iterator[Note]:
        """On blocks, on many pairs, and what the procedure must say of itself."""
        yield from about_datasets(self.layout)
        if self.layout.items.clusters is not None and not self.procedure.reports.strengths:
            yield from about_clusters(self.layout)
        if self.procedure.reports.cautions is not None:
            yield from self.procedure.reports.cautions(self.layout, self.procedure, self.request)
        if len(self.request.labels) > 1:
            yield Note("many-chances", REMARK, pairs=len(self.request.labels))


def evidence(layout: Layout, procedure: Procedure, request: Request) -> Evidence:
    """What a procedure finds about the pairs."""
    judge = PValues if procedure.bayes.posterior is None else Chances
    return judge(layout, procedure, request)
