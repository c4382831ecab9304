"""How many blocks, items or labels; what a design answers and can detect."""

from podium.core.base.rooms import PLAN, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "results",
        "inference",
        "verdicts",
        "reading",
        "terminal",
        "drawing",
        "screens",
        "design",
    ),
    public=(
        "detection:advise",
        "verbs:plan",
    ),
    inside=(
        "verbs:plan_labels",
        "verbs:plan_sequential",
        "verbs:plan_variants",
        "plan:LabelPlan",
        "pilot:PilotPlan",
        "plan:Plan",
        "plan:SequentialPlan",
        "pilot:VariantsPlan",
    ),
    commands=(Command("command:plan", "Sample size and power.", PLAN, 10),),
    words=("words",),
    plots=("plots",),
)
__getattr__ = CAPABILITY.attribute
