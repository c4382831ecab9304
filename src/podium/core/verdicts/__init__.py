"""Who is better, and how far: compare and decide, standings, and how a verdict is said."""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("results", "inference", "orders"),
    public=("verbs:compare",),
    inside=(
        "verbs:order_by",
        "verbs:score_interval",
        "findings:how_to_report",
    ),
)
__getattr__ = CAPABILITY.attribute
