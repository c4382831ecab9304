"""Who is better, and how far: compare and decide, standings, and how a verdict is said."""

from podium.base.rooms import ANALYSE, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("reading", "execution", "inference", "orders", "cli", "judges"),
    public=("verbs:compare",),
    inside=(
        "verbs:order_by",
        "verbs:score_interval",
        "findings:how_to_report",
    ),
    commands=(
        Command(
            "consensus_command:consensus",
            "Find the ranking nearest to several rankings.",
            ANALYSE,
            80,
        ),
    ),
)
__getattr__ = CAPABILITY.attribute
