"""Is the new one worse than the old one?"""

from podium.base.capability import Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("reading", "inference", "cli"),
    public=("verbs:gate", "gates:Gate"),
    commands=(
        Command(
            "command:gate", "Is the new one worse than the old one? For continuous integration.", 90
        ),
    ),
    words=("note_words",),
)
