"""Judges and people: tables with both scores, and items drawn to be labelled."""

from podium.base.capability import Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("reading", "inference", "cli"),
    commands=(
        Command(
            "command:label", "Draw the items that people shall label, to correct a judge.", 260
        ),
    ),
)
