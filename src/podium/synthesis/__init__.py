"""Several studies together."""

from podium.base.capability import Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("reading", "inference", "cli", "drawing", "plots", "reports"),
    public=("verbs:meta", "together:MetaAnalysis"),
    commands=(
        Command(
            "command:meta",
            "Several studies together: random effects of every pair, or a network.",
            200,
        ),
    ),
    words=("words",),
    plots=("plots",),
    offers={"is_of_studies": "reported_studies:is_of_studies"},
)
