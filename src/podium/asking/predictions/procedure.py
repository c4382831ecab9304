"""The t test of influence values, which for AUC is DeLong's."""

from __future__ import annotations

from dataclasses import replace

from podium.core.inference.bricks.linearised import influence_means
from podium.core.inference.bricks.nulls import largest
from podium.core.inference.procedures.mean_tests import PAIRED_T
from podium.core.inference.procedures.procedure import CONTRASTS, ITEMS, NULL, Bare, Cited, derive

INFLUENCE_T = derive(
    PAIRED_T,
    name="influence-t",
    bare=Bare(
        (NULL, CONTRASTS),
        title="t test of influence values (DeLong's for AUC)",
        words="t tests with variances by influence values (for the area under the curve those of "
        "DeLong, DeLong and Clarke-Pearson)",
    ),
    title="t test of influence values (DeLong's for AUC)",
    words="t tests of each pair with variances by influence values (for the area under the curve "
    "those of DeLong, DeLong and Clarke-Pearson) and Satterthwaite's degrees of freedom",
    estimate=influence_means,
    overall=largest,
    hypothesis="two models have equal values of the measure on new items",
    null="equal values of the measure; items are independent, and enough of them are of each class",
    references=(
        Cited("DeLong, DeLong, Clarke-Pearson (1988)"),
        Cited("Hampel (1974)"),
        Cited("Bell, McCaffrey (2002)", ", of clusters"),
    ),
    legal=ITEMS,
    needs=replace(PAIRED_T.needs, linearised=True),
)
PROCEDURES = (INFLUENCE_T,)
