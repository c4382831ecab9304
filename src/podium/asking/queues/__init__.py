"""Have enough items been evaluated? Queues that are looked at until they are decided."""

from podium.core.base.rooms import PLAN, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "results",
        "inference",
        "reading",
        "terminal",
        "drawing",
        "plots",
        "reports",
        "sequential",
        "judges",
        "comparison",
    ),
    public=("queues:queue",),
    commands=(
        Command(
            "command:queue",
            "Draw the order in which to evaluate items, with a stopping plan.",
            PLAN,
            11,
            called="plan queue",
            formerly=("queue",),
        ),
    ),
    questions=("question:QUEUED",),
    plots=("plots",),
    sections=("plots",),
)
__getattr__ = CAPABILITY.attribute
