"""The whole answer of one file: the screen of analyze, the page of report, the doctor."""

from podium.base.capability import Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "reading",
        "execution",
        "inference",
        "orders",
        "cli",
        "judges",
        "drawing",
        "verdicts",
        "robustness",
        "planning",
        "surveys",
        "plots",
        "reports",
        "sequential",
    ),
    public=("verbs:report",),
    commands=(
        Command(
            "analyze_command:analyze",
            "Which algorithm is better, and may we say so: comparisons and an order.",
            80,
        ),
        Command("report_command:report", "Results and what may be said of them, as one page.", 100),
        Command(
            "doctor_command:doctor",
            "What a file of scores supports today, what it lacks, what it would take.",
            120,
        ),
    ),
    sections=(
        "claims",
        "section_comparisons",
        "section_neutral",
        "section_scores",
        "section_surveys",
        "sections",
    ),
)
