"""Studies and queues that stop when they are decided."""

from podium.base.capability import Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("store", "design", "reading", "inference", "cli", "judges", "drawing", "reports"),
    public=("queues:queue", "queues:read_queued", "verbs:decided", "verbs:raced"),
    commands=(
        Command(
            "command:queue", "Draw the order in which items are evaluated, and a plan to stop.", 250
        ),
    ),
    words=("words",),
    plots=("plots",),
    sections=("section",),
)
