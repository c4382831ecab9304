"""Is the new one worse than the old one?"""

from podium.core.base.rooms import ANALYSE, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("results", "inference", "reading", "terminal", "screens"),
    public=("verbs:gate",),
    inside=("gates:Gate", "decisions:Decision", "gates:Candidates"),
    commands=(Command("command:gate", "Fail a build if the new version is worse.", ANALYSE, 40),),
    words=("note_words",),
)
__getattr__ = CAPABILITY.attribute
