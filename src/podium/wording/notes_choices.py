"""Words of the notes on posteriors, on choices between models, and on judges."""

from __future__ import annotations

from podium.facts import Note
from podium.formatting import number, p_value
from podium.wording.phrases import counted
from podium.wording.voices import words

# -- posteriors ---------------------------------------------------------------------------------


@words("many-chances")
def _many_chances(n: Note) -> str:
    return (
        f"The probabilities of {n.pairs} pairs are not adjusted for each other: of five equal "
        "algorithms some pair exceeds 0.95 in 38 % of studies. P(best) and expected ranks are of "
        "all algorithms at once."
    )


@words("correlation", "rho", "said")
def _correlation(n: Note) -> str:
    whence = "as was said" if n.said else "which follows from the sampling, as in corrected-t"
    return (
        f"Samples that share rows are taken to be correlated by {n.rho:.3g}, {whence}. Where the "
        "true correlation is larger, probabilities are too sure: with 0.3 instead of 0.1, two "
        "equal algorithms exceed 0.95 in 39 % of studies instead of 10 %."
    )


# -- choices ------------------------------------------------------------------------------------


@words("battles")
def _battles(n: Note) -> str:
    ties = f"{counted(n.ties, 'tie')} count as half a win in win rates." if n.ties else ""
    blocks = f" Choices of one {n.block} are taken to depend on each other." if n.block else ""
    other = (
        f" Those of one {n.other} may, too: --columns cluster={n.other} reckons with that instead."
        if n.other
        else ""
    )
    return f"{ties}{blocks}{other}".strip() or "There are no ties."


@words("choices")
def _choices(n: Note) -> str:
    if n.said:
        return f"Standard errors are those of {counted(n.blocks, 'block')} of choices."
    return (
        f"Each of the {n.choices} choices was taken to be independent of the others. Where one "
        "prompt or judge has several of them, name its column (--columns cluster=NAME): otherwise "
        "equal models are told apart far too often."
    )


@words("few-choice-blocks")
def _few_choice_blocks(n: Note) -> str:
    return (
        f"{counted(n.blocks, 'block')} of choices are few for standard errors by blocks, which are "
        "too small then."
    )


@words("position")
def _position(n: Note) -> str:
    p = p_value(n.p)
    sign = "" if p[0] == "<" else "= "
    return (
        f"Being shown first is worth {number(n.effect, 3)} in log-strength (standard error "
        f"{number(n.error, 2)}, p {sign}{p}); strengths are free of it."
    )
