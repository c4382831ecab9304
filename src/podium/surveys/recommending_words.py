"""What is said of whom to take where, and of what that is worth."""

from __future__ import annotations

from podium.base.formatting import number
from podium.words.facts import Note, words
from podium.words.phrases import counted, p_text


def rule_text(column: str, threshold: float) -> tuple[str, str]:
    """The two sides of a question."""
    return f"{column} ≤ {number(threshold)}", f"{column} > {number(threshold)}"


def recommendation_lines(
    best: str,
    helps: bool,
    regrets: tuple[float, float],
    interval: tuple[float, float],
    p: float,
    measure: str,
    datasets: int,
    groups: int,
) -> list[str]:
    """Whether a recommendation helps, first of all."""
    text = (
        f"on {counted(datasets, 'data set')}, each left out in turn, the mean regret is "
        f"{number(regrets[0])} of {measure} against {number(regrets[1])} of always taking the "
        f"overall best (it saves from {number(interval[0])} to {number(interval[1])}, {p_text(p)} "
        "one-sided)"
    )
    if helps:
        return [f"Recommending by characteristics helps: {text}. Without them take {best}."]
    texts = [
        f"Take {best} everywhere: recommending by characteristics is not shown to help: {text}."
    ]
    if groups > 1:
        texts.append("The groups below describe these data sets, and predict no others.")
    return texts


def taken_line(name: str, taken: str, helps: bool) -> str:
    """Whom to take on a new data set."""
    why = "by its characteristics" if helps else "the overall best, as nothing better is shown"
    return f"{name}: take {taken} ({why})."


@words("regret-of-few")
def _regret_of_few(_: Note) -> str:
    return (
        "The scales of the data sets do not mix, so that few of them make the regret: --scale "
        "ranks (scale='ranks') counts all alike."
    )
