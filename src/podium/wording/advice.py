"""Advice in lines: the question, what can be tested, what not, what is recommended."""

from __future__ import annotations

from collections.abc import Sequence

from podium.facts import TrainingSize
from podium.wording.statements import training_size

QUESTIONS = {
    1: "How accurate is this fitted model on new items (much test data)?",
    2: "How accurate is the model fitted to this small sample?",
    3: "Which of these fitted models is more accurate on new items?",
    4: "Which of the models fitted to this small sample is more accurate?",
    5: "How accurately does this algorithm learn from new samples (many samples at hand)?",
    6: "How accurately does this algorithm learn from new samples (one small sample at hand)?",
    7: "Which algorithm learns better from new samples (many samples at hand)?",
    8: "Which algorithm learns better from new samples (one small sample at hand)?",
    9: "Which algorithm learns better in new domains?",
}


def lines(
    question: int,
    blocks: str,
    target: str,
    can: Sequence[str],
    cannot: Sequence[str],
    recommended: tuple[str, str] | None,
) -> list[str]:
    """All that is advised, line by line."""
    said = [
        f"Question {question} of nine: {QUESTIONS[question]}",
        f"Blocks: {blocks}. Target: {target}.",
        *(f"Can be tested: {text}" for text in can),
        *(f"Cannot be tested: {text}" for text in cannot),
    ]
    if recommended:
        procedure, reason = recommended
        said.append(f"Recommended: {procedure}, because {reason}.")
    return said


def hypotheses(can: Sequence[str], measure: str, size: TrainingSize | None) -> tuple[str, ...]:
    """What can be tested, of this measure and training size."""
    new = f"equal expected {measure} over new samples from the same process"
    if size is not None:
        new = f"{new}, {training_size(size)}"
    return tuple(text.format(measure=measure, new=new) for text in can)


def one_algorithm(measure: str) -> str:
    """What is known of one algorithm."""
    return f"nothing: one algorithm has an interval of its expected {measure}"


def no_evidence(target: str, blocks: str) -> str:
    """What blocks say nothing about."""
    return f"anything about the target '{target}': {blocks} are no evidence about it"


def excluded(dataset: str, why: str) -> str:
    """A data set that was left out after the fact."""
    return f"{dataset}, left out after the fact ({why})"
