"""How far an order hangs on what was drawn, left out or chosen."""

from podium.core.base.rooms import ANALYSE, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "results",
        "inference",
        "orders",
        "verdicts",
        "reading",
        "terminal",
        "drawing",
        "screens",
    ),
    public=(
        "verbs:left_out",
        "verbs:stability",
        "multiverse:multiverse",
    ),
    inside=(
        "verbs:joint_stability",
        "verbs:randomness",
        "verbs:Randomness",
        "stability:JointStability",
        "bootstrap:LeftOut",
        "multiverse:Multiverse",
        "stability:Stability",
    ),
    commands=(
        Command("command:stability", "Would the order be the same with other data?", ANALYSE, 70),
    ),
    words=("words",),
    plots=("plots",),
)
__getattr__ = CAPABILITY.attribute
