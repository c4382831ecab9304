"""Boards that collect submissions for years, and stay honest; studies watched while they run."""

from podium.core.base.rooms import ANALYSE, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "results",
        "inference",
        "orders",
        "verdicts",
        "store",
        "reading",
        "terminal",
        "running",
        "planning",
        "gates",
        "queues",
    ),
    inside=(
        "board:Board",
        "board:load",
        "verbs:Added",
        "verbs:add",
        "verbs:ask",
        "verbs:new",
        "verbs:renew",
        "verbs:withdraw",
        "site:build",
    ),
    commands=(
        Command("", "Keep a board of submissions that stays honest.", ANALYSE, 45, called="board"),
        Command("command:new", "Make a board of results.", ANALYSE, 45.1, called="board new"),
        Command("command:add", "Add a submission to a board.", ANALYSE, 45.2, called="board add"),
        Command("command:show", "Show who stands where.", ANALYSE, 45.3, called="board show"),
        Command(
            "command:build", "Write a board as static pages.", ANALYSE, 45.4, called="board build"
        ),
        Command(
            "command:serve",
            "Watch a study that runs, or a board, in a browser.",
            ANALYSE,
            45.5,
            called="board serve",
        ),
        Command(
            "command:renew",
            "Start afresh with new sealed items.",
            ANALYSE,
            45.6,
            called="board renew",
        ),
        Command(
            "command:withdraw",
            "Take a submission out of the ranks; nothing is erased.",
            ANALYSE,
            45.7,
            called="board withdraw",
        ),
    ),
    words=("note_words",),
    offers={
        "check a board": "command:say_checked",
        "is a board": "board:is_board",
        "watch a study": "site:watching",
        "gate with a ledger": "gating:gated",
        "earlier questions of a gate": "gating:asked_before",
    },
)
__getattr__ = CAPABILITY.attribute
