"""How far an order hangs on what was drawn, left out or chosen."""

from podium.base.capability import ANALYSE, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("reading", "inference", "orders", "cli", "drawing", "verdicts"),
    public=(
        "verbs:joint_stability",
        "verbs:left_out",
        "verbs:stability",
        "left_out:LeftOut",
        "randomness:randomness",
        "multiverse:Multiverse",
        "multiverse:multiverse",
        "stability:Stability",
    ),
    commands=(
        Command("command:stability", "Would the order be the same with other data?", ANALYSE, 70),
    ),
    words=("words",),
    plots=("plots",),
)
