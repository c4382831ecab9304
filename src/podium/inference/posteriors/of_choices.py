"""Posteriors of strengths, and of means over items and conditions: flat priors, from the waist.

With errors by blocks, P > 0.95 for either of two equal algorithms is a t test at 10 %, which
docs/readings.md has the rates of.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from podium.inference.choices.procedures import BRADLEY_TERRY, log_strengths
from podium.inference.posteriors.procedures import CORRELATED_T, FLAT, of_means
from podium.inference.procedures.conditions import CONDITIONS_T, condition_means
from podium.inference.procedures.procedure import Cited, legal_pairs
from podium.questions.targets import CHOICE

STRENGTHS = replace(
    BRADLEY_TERRY,
    name="bayes-bradley-terry",
    title="posterior of the strengths of a Bradley-Terry model, spread by blocks",
    words="the posterior of the strengths of a Bradley-Terry model with Davidson's ties under a "
    "flat prior, a t distribution with the spread of blocks",
    hypothesis="the first is stronger",
    controls=CORRELATED_T.controls,
    adjust="none",
    references=(*BRADLEY_TERRY.references, Cited("Box, Tiao (1973)")),
    bayes=replace(
        BRADLEY_TERRY.bayes,
        posterior=partial(of_means, estimate=log_strengths),
        prior=FLAT,
        default_for=legal_pairs(CHOICE),
    ),
)
CONDITIONS = replace(
    CONDITIONS_T,
    name="bayes-conditions-t",
    title="Bayesian t test over items and conditions",
    words="the posterior of mean differences over new items and new conditions under a flat prior, "
    "nearly a t distribution",
    hypothesis="the first has the better mean over new items and new conditions",
    controls=CORRELATED_T.controls,
    adjust="none",
    references=(*CONDITIONS_T.references, Cited("Box, Tiao (1973)")),
    bayes=replace(
        CONDITIONS_T.bayes,
        posterior=partial(of_means, estimate=condition_means),
        prior=FLAT,
        default_for=CONDITIONS_T.legal,
    ),
)
PROCEDURES = (STRENGTHS, CONDITIONS)
