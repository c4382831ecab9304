"""Several measures at once: who is on the front of quality and cost, and what a trade is worth."""

from podium.base.capability import Capability

CAPABILITY = Capability(
    __name__,
    needs=("reading", "inference", "cli", "verdicts"),
    inside=("verbs:front", "verbs:trade", "dominance:Front", "trades:Trade"),
    offers={
        "fronts_results": "command:measured_results",
        "fronts_answer": "command:front_answer",
        "fronts_say": "command:say_front",
    },
)


def __getattr__(name: str) -> object:
    return CAPABILITY.attribute(name)
