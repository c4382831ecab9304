"""Judges and people: tables with both scores, and items drawn to be labelled."""

from podium.core.base.rooms import RUN, Capability, Command

CAPABILITY = Capability(
    __name__,
    offers={"judged_results": "tables:read_judged"},
    needs=("results", "verdicts", "reading", "terminal", "comparison"),
    questions=("question:JUDGED",),
    commands=(
        Command("command:label", "Draw a random sample of items for human labels.", RUN, 50),
    ),
)
