"""Running studies and asking stores: verbs, commands, what is said at the end."""

from podium.core.base.rooms import RUN, Capability, Command

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
        "screens",
        "reports",
        "design",
        "execution",
        "sequential",
    ),
    public=(
        "studies.verbs:merge",
        "studies.verbs:run",
        "studies.verbs:score",
    ),
    inside=("studies.verbs:write_indices",),
    commands=(
        Command("studies.command:demo", "Run a small study from start to report.", RUN, 10),
        Command(
            "studies.command:run",
            "Run a study, or resume it.",
            RUN,
            20,
            formerly=("race --until best",),
        ),
        Command(
            "studies.store_commands:status",
            "Show what is done, failed and missing, and the time left.",
            RUN,
            30,
        ),
        Command(
            "", "Merge, check, score, summarise or export results files.", RUN, 60, called="store"
        ),
        Command(
            "studies.store_commands:merge",
            "Join results files of one study.",
            RUN,
            61,
            called="store merge",
            formerly=("merge",),
        ),
        Command(
            "studies.store_commands:score",
            "Score kept predictions by another measure, without refitting.",
            RUN,
            63,
            called="store score",
            formerly=("score",),
        ),
        Command(
            "studies.store_commands:summary",
            "Show or write a table of the scores.",
            RUN,
            64,
            called="store summary",
            formerly=("summary",),
        ),
        Command(
            "studies.store_commands:export",
            "Write runs of OpenML tasks in OpenML's format.",
            RUN,
            65,
            called="store export",
            formerly=("export",),
        ),
        Command(
            "studies.command:indices",
            "Write the row numbers of all samples of a study.",
            RUN,
            66,
            called="store indices",
            formerly=("indices",),
        ),
    ),
)
__getattr__ = CAPABILITY.attribute
