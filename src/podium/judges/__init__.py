"""Judges and people: tables with both scores, and items drawn to be labelled."""

from podium.base.rooms import RUN, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("reading", "inference", "cli"),
    commands=(
        Command("command:label", "Draw a random sample of items for human labels.", RUN, 50),
    ),
)
