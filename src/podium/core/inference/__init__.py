"""Inference as bricks: layouts, scores, estimates, contrasts, nulls, adjustments, procedures."""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("results",),
    public=(
        "comparing.arranging:layout",
        "comparing.comparisons:Comparisons",
        "layouts:Layout",
    ),
    inside=(
        "bricks.nulls:NullBrick",
        "bricks.nulls:asymptotic",
        "bricks.nulls:exact",
        "bricks.nulls:permutation",
        "comparing.legality:Advice",
    ),
    words=("words.*",),
    procedures=(
        "procedures.rank_tests",
        "procedures.mean_tests",
        "procedures.block_tests",
        "procedures.halves",
        "procedures.item_tests",
        "procedures.unpaired",
        "procedures.conditions",
        "procedures.crossed",
        "procedures.held_out",
        "procedures.survey",
        "procedures.sequential",
        "procedures.choices",
        "procedures.judged",
        "procedures.posteriors",
        "procedures.*",
    ),
)
__getattr__ = CAPABILITY.attribute
