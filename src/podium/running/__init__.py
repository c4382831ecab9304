"""Running studies and asking stores: verbs, commands, what is said at the end."""

from podium.base.capability import Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "store",
        "design",
        "reading",
        "execution",
        "inference",
        "cli",
        "verdicts",
        "reports",
        "sequential",
    ),
    public=("verbs:merge", "verbs:run", "verbs:score", "verbs:write_indices"),
    commands=(
        Command("command:demo", "Run a small embedded study end to end and write a report.", 10),
        Command("command:run", "Run what is missing of a study; always resumable.", 40),
        Command(
            "race_command:race", "Run a study, dropping what is worse, until the best is known.", 50
        ),
        Command(
            "store_commands:status", "What is done, failed and missing, and how long is left.", 60
        ),
        Command(
            "store_commands:summary", "The summary table of a store's scores, and their export.", 70
        ),
        Command("store_commands:merge", "Join stores of one study that were made apart.", 240),
        Command(
            "store_commands:score",
            "Score kept predictions by a new measure, without refitting.",
            300,
        ),
        Command("store_commands:export", "Write runs of OpenML tasks in OpenML's format.", 310),
        Command("command:indices", "Write the row numbers of all samples of a study.", 320),
    ),
)
