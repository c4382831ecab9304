"""Studies and queues that stop when they are decided."""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("inference", "store", "reading", "design"),
    inside=(
        "podium.asking.queues.queues:read_queued",
        "verbs:until_decided",
        "verbs:until_best",
        "verbs:Rule",
    ),
    words=("words",),
)
__getattr__ = CAPABILITY.attribute
