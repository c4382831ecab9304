"""What Podium itself rests on: measured error rates, and the papers replicated."""

from podium.base.capability import Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "design",
        "reading",
        "execution",
        "inference",
        "orders",
        "cli",
        "drawing",
        "verdicts",
        "planning",
        "plots",
        "reports",
    ),
    public=(
        "calibration.calibrate:calibrate",
        "calibration.scenario:scenario",
        "calibration.tables:table_scenario",
        "papers.replication:replicate",
    ),
    commands=(
        Command(
            "calibrate_command:calibrate",
            "How often a procedure rejects what is true, by simulation.",
            220,
        ),
        Command(
            "replicate_command:replicate", "A paper's tables recomputed: theirs beside ours.", 230
        ),
    ),
)
