"""Items of one test set: strata, difficulty, twins among models, flaky items."""

from podium.base.capability import Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("reading", "inference", "cli", "drawing", "verdicts", "reports"),
    public=("verbs:by_stratum", "verbs:describe_items", "verbs:repeats"),
    commands=(
        Command(
            "command:items",
            "How hard and telling the items of a test set are, and which models are twins.",
            170,
        ),
    ),
    plots=("plots",),
    sections=("section",),
)
