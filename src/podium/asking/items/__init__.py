"""Items of one test set: strata, difficulty, twins among models, flaky items."""

from podium.core.base.rooms import ANALYSE, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "results",
        "inference",
        "verdicts",
        "reading",
        "terminal",
        "drawing",
        "plots",
        "reports",
        "comparison",
    ),
    inside=(
        "verbs:by_stratum",
        "verbs:describe_items",
        "verbs:repeats",
        "description:ItemDescription",
        "verbs:Repeats",
        "description:Strata",
    ),
    commands=(
        Command(
            "command:items",
            "Item difficulty and discrimination; near-identical models.",
            ANALYSE,
            61,
            called="survey items",
            formerly=("items",),
        ),
    ),
    questions=("question:STORED_ITEMS",),
    plots=("plots",),
    sections=("plots",),
    offers={
        "by_stratum": "verbs:by_stratum",
        "repeats_of": "command:repeats_of",
        "say_repeats": "command:say_repeats",
    },
)
__getattr__ = CAPABILITY.attribute
