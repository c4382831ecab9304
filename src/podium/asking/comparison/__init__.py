"""The whole answer of one file: the screen of analyze, the page of report, the doctor."""

from podium.core.base.rooms import ANALYSE, PLAN, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "results",
        "inference",
        "orders",
        "verdicts",
        "reading",
        "terminal",
        "plots",
        "screens",
        "reports",
        "sequential",
        "robustness",
        "planning",
        "surveys",
        "pictures",
    ),
    public=("verbs:analyze", "verbs:report"),
    inside=("answer:Answer", "verbs:Page"),
    questions=("usual_question:USUAL",),
    commands=(
        Command("analyze_command:analyze", "Who is better, by how much, how sure.", ANALYSE, 10),
        Command("analyze_command:report", "Write the results as one HTML page.", ANALYSE, 20),
        Command(
            "advise_command:advise",
            "What a study or a file of scores can show, and what is missing.",
            PLAN,
            20,
            formerly=("doctor",),
        ),
    ),
    sections=(
        "heroes",
        "sections",
    ),
    offers={
        "survey_page": "pages:survey_page",
        "notebook_hero": "notebook:notebook_hero",
        "notebook_of_answer": "notebook:notebook_of_answer",
    },
    called="answers",
)
__getattr__ = CAPABILITY.attribute
