"""How many blocks, items or labels; what a design answers and can detect."""

from podium.base.capability import PLAN, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("design", "reading", "inference", "cli", "judges", "drawing", "verdicts"),
    public=(
        "advising:advise",
        "verbs:plan",
        "verbs:plan_from_pilot",
        "verbs:plan_labels",
        "verbs:plan_sequential",
    ),
    commands=(Command("command:plan", "Sample size and power.", PLAN, 10),),
    words=("words",),
    plots=("plots",),
)
