"""Which ranking is nearest to several rankings?"""

from podium.core.base.rooms import ANALYSE, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("inference", "orders", "verdicts", "reading", "terminal", "screens"),
    commands=(
        Command("command:consensus", "Find the ranking nearest to several rankings.", ANALYSE, 80),
    ),
)
