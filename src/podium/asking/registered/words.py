"""What is said of registered studies, and of what was not planned."""

from __future__ import annotations

from podium.core.questions.options import Version, planned_value
from podium.core.words.facts import NOT_PLANNED, Note, sentences, words
from podium.core.words.phrases import counted

PLANNED_AND_DONE = "Planned and done"
SUBGROUPS = "Planned subgroups"
NO_DEVIATION = "The analysis follows the registered plan."


def registered_lines(version: Version, versions: int) -> list[str]:
    """What was fixed, for who registers."""
    plan = {k: v for k, v in version.plan.to_dict().items() if v is not None}
    study = version.study
    text = "; ".join(f"{key} {planned_value(value)}" for key, value in plan.items())
    return [
        f"Registered: {version.fingerprint} ({version.time}).",
        f"Plan: {text}.",
        f"{counted(len(study['datasets']), 'data set')}, "
        f"{counted(len(study['algorithms']), 'algorithm')}, {study['sampling_identity']}, seed "
        f"{study['seed']}; version {versions} of the plan.",
        *([LATE.format(done=version.done)] if version.done else []),
    ]


LATE = (
    "This plan came after {done} runs were done: it is kept as a deviation, and the plan before it "
    "holds."
)


def declared(fingerprint: str) -> str:
    """Where subgroups were declared."""
    return f"in the registered plan {fingerprint}"


def planned_paragraphs(fingerprint: str, time: str, measure: str, exploratory: bool) -> list[str]:
    """What a page says of a registered study."""
    texts = [f"The study was registered as {fingerprint} on {time}, before its first score."]
    if exploratory:
        return [*texts, "This page asks other things than planned: all of it is exploratory."]
    return [
        *texts,
        f"Planned was the first analysis of {measure} on this page; other measures, procedures and "
        "tables on it were not, and suggest hypotheses only.",
    ]


@words("registered")
def _registered(note: Note) -> str:
    done = counted(note.deviations, "deviation") if note.deviations else "no deviation"
    return (
        f"Planned before the first score ({note.fingerprint}, {note.time}): {done} from the plan."
    )


@words(NOT_PLANNED)
def not_planned(note: Note) -> str:
    """Of what is asked beside the analysis that was planned."""
    return f"EXPLORATORY: the registered plan of this study ({note.fingerprint}) does not have it."


SENTENCES = {
    "exploratory": "EXPLORATORY: this was not planned (registered {fingerprint}), so it suggests "
    "hypotheses and tests none; without options the planned analysis is done.",
    "planned-subgroups": "The planned subgroups could not be analysed. {reason}",
}
sentences(SENTENCES)
