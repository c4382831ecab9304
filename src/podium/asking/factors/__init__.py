"""Algorithms that are combinations of parts: which part matters, and does it depend on others?"""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    questions=("question:FACTORS",),
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
    inside=(
        "verbs:effects",
        "verbs:fraction",
        "judging:Effects",
        "levels:Factors",
        "verbs:Fraction",
    ),
    plots=("plots",),
    sections=("plots",),
    offers={
        "fraction": "verbs:fraction",
        "factors_hint": "verbs:hint",
        "effects_of_file": "question:effects_of_file",
    },
    words=("words",),
)
__getattr__ = CAPABILITY.attribute
