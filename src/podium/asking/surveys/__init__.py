"""Many data sets: one by one, in groups, explained, recommended for."""

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
        "plots",
        "screens",
        "planning",
    ),
    public=(
        "verbs:by_dataset",
        "verbs:explain_differences",
        "verbs:recommend",
        "verbs:subgroups",
    ),
    inside=(
        "verbs:size_trend",
        "dataset_differences:true_differences",
        "dataset_differences:TrueDifferences",
        "explaining:Explained",
        "recommending:Recommendation",
        "subgroups:Subgroups",
    ),
    commands=(
        Command(
            "command:survey", "Compare on every data set; subgroups, characteristics.", ANALYSE, 60
        ),
        Command(
            "command:recommend",
            "Recommend an algorithm from characteristics of the data sets.",
            ANALYSE,
            62,
            called="survey recommend",
            formerly=("recommend",),
        ),
    ),
    offers={"equal bias": "verbs:equal_bias_note"},
    plots=("map_plots", "podium_plots", "distance_plots"),
)
__getattr__ = CAPABILITY.attribute
