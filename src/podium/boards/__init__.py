"""Boards that collect submissions for years, and stay honest; studies watched while they run."""

from podium.base.capability import ANALYSE, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "store",
        "reading",
        "inference",
        "orders",
        "cli",
        "verdicts",
        "planning",
        "sequential",
    ),
    inside=(
        "board:Board",
        "board:load",
        "verbs:Added",
        "verbs:add",
        "verbs:ask",
        "verbs:new",
        "verbs:renew",
    ),
    commands=(
        Command("", "Keep a board of submissions that stays honest.", ANALYSE, 45, called="board"),
        Command("command:new", "Make a board of results.", ANALYSE, 45.1, called="board new"),
        Command("command:add", "Add a submission to a board.", ANALYSE, 45.2, called="board add"),
        Command("command:show", "Show who stands where.", ANALYSE, 45.3, called="board show"),
        Command(
            "command:renew",
            "Start afresh with new sealed items.",
            ANALYSE,
            45.6,
            called="board renew",
        ),
    ),
    offers={"check a board": "command:say_checked", "is a board": "board:is_board"},
)


def __getattr__(name: str) -> object:
    return CAPABILITY.attribute(name)
