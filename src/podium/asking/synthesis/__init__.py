"""Several studies together."""

from podium.core.base.rooms import ANALYSE, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "results",
        "inference",
        "reading",
        "terminal",
        "drawing",
        "plots",
        "screens",
        "reports",
        "pictures",
    ),
    public=("verbs:meta",),
    inside=("verbs:MetaAnalysis",),
    commands=(Command("command:meta", "Combine several studies in a meta-analysis.", ANALYSE, 90),),
    words=("words",),
    plots=("plots",),
    offers={"is_of_studies": "reported_studies:is_of_studies"},
)
__getattr__ = CAPABILITY.attribute
