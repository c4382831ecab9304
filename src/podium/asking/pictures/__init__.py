"""How does it look? One plot of a file of scores."""

from podium.core.base.rooms import ANALYSE, READ, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("results", "inference", "orders", "terminal", "drawing", "plots", "robustness"),
    commands=(
        Command(
            "command:plot", "Draw one plot: ranks, intervals, critical differences ...", ANALYSE, 30
        ),
        Command(
            "command:plots",
            "List the plots that `podium plot` draws.",
            READ,
            34,
            called="list plots",
        ),
    ),
)
