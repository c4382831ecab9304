"""Studies whose plan is fixed before the first score."""

from podium.base.capability import Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "store",
        "design",
        "reading",
        "execution",
        "inference",
        "cli",
        "surveys",
        "reports",
        "running",
    ),
    public=("verbs:register",),
    commands=(
        Command(
            "command:register",
            "Fix study, data and plan of analysis in a store, before the first score.",
            30,
        ),
    ),
    words=("words",),
    sections=("section",),
    offers={
        "planned_subgroups": "planned_subgroups:planned_subgroups",
        "deviations_text": "screen:deviations_text",
    },
)
