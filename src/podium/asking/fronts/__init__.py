"""Several measures at once: who is on the front of quality and cost, and what a trade is worth."""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    questions=("question:FRONTS", "question:UTILITY"),
    needs=(
        "results",
        "inference",
        "verdicts",
        "reading",
        "terminal",
        "drawing",
        "screens",
        "reports",
        "comparison",
    ),
    inside=("verbs:front", "verbs:trade", "verbs:utility", "dominance:Front", "trades:Trade"),
    plots=("plots",),
    words=("note_words",),
    sections=("command",),
    offers={
        "fronts_hint": "verbs:hint",
        "front_of_file": "question:front_of_file",
    },
)
__getattr__ = CAPABILITY.attribute
