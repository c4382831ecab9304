"""Studies and queues that stop when they are decided."""

from podium.base.rooms import PLAN, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "store",
        "design",
        "reading",
        "inference",
        "cli",
        "judges",
        "drawing",
        "plots",
        "reports",
    ),
    public=("queues:queue",),
    inside=(
        "queues:read_queued",
        "verbs:until_decided",
        "verbs:until_best",
        "verbs:Rule",
    ),
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
    words=("words",),
    plots=("plots",),
    sections=("plots",),
)
__getattr__ = CAPABILITY.attribute
