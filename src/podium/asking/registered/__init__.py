"""Studies whose plan is fixed before the first score."""

from podium.core.base.rooms import RUN, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "results",
        "inference",
        "store",
        "terminal",
        "reports",
        "design",
        "execution",
        "running",
        "surveys",
        "comparison",
    ),
    public=("verbs:register",),
    inside=("verbs:Registration",),
    commands=(
        Command(
            "command:register", "Fix a study and its analysis before the first score.", RUN, 40
        ),
    ),
    words=("words",),
    sections=("section",),
    offers={
        "planned_subgroups": "section:planned_subgroups",
        "deviations_text": "command:deviations_text",
    },
)
__getattr__ = CAPABILITY.attribute
