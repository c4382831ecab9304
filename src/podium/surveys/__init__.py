"""Many data sets: one by one, in groups, explained, recommended for."""

from podium.base.capability import Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=("reading", "inference", "orders", "cli", "drawing", "verdicts", "planning"),
    public=(
        "verbs:by_dataset",
        "verbs:explain_differences",
        "verbs:recommend",
        "verbs:size_trend",
        "verbs:subgroups",
        "true_differences:true_differences",
    ),
    commands=(
        Command(
            "command:survey",
            "Many data sets one by one: orders, consensus, subgroups, characteristics.",
            160,
        ),
        Command(
            "recommend_command:recommend",
            "Which algorithm where: groups of data sets, and whom to take on new ones.",
            180,
        ),
    ),
    words=("recommending_words",),
    plots=("plots.maps", "plots.podiums", "plots.dendrograms", "plots.distances", "plots.flow"),
)
