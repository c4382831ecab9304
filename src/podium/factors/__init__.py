"""Algorithms that are combinations of parts: which part matters, and does it depend on others?"""

from podium.base.capability import Capability

CAPABILITY = Capability(
    __name__,
    needs=("reading", "inference", "cli", "verdicts"),
    inside=("verbs:effects", "judging:Effects", "levels:Factors"),
    offers={
        "factor_results": "command:factor_results",
        "factor_effects": "command:factor_effects",
        "say_effects": "command:say_effects",
    },
    words=("note_words",),
)


def __getattr__(name: str) -> object:
    return CAPABILITY.attribute(name)
