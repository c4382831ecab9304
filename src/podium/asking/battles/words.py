"""Words of the notes on posteriors, on choices between models, and on judges."""

from __future__ import annotations

from podium.core.words.facts import Note, sentences, words
from podium.core.words.phrases import ELO, counted, p_text

MOST_JUDGED = 8  # algorithms

# -- posteriors ---------------------------------------------------------------------------------


SENTENCES = {
    # posteriors
    "many-chances": "The probabilities of {pairs} pairs are not adjusted for each other: of five "
    "equal algorithms some pair exceeds 0.95 in 48 % of studies. P(best) and expected ranks are "
    "of all algorithms at once.",
    # choices
    "few-choice-blocks": "{blocks:counted cluster} of battles are few for clustered errors, "
    "which are too small then. If the clusters are judges and only these count, use --covariates "
    "with their column.",
    "fixed-levels": "As '{covariate}' has effects of its own, its levels are no clusters: "
    "battles are treated as independent given the effects, and the result holds for these "
    "levels. If a prompt has several battles, name its column (--columns cluster=NAME).",
    "position-left-out": "The first column always names the winner, so it is not a position: the "
    "model has no position effect.",
    # judges
    "judge": "People labelled {labels} of {items} items, and the judge's scores go with theirs "
    "by a correlation of {correlation:.2f}: with the judge these labels are worth {worth:.0f}. "
    "Scores are people's; the judge only narrows the intervals.",
    "labels-unlike": "The judge scores labelled items otherwise than the others ({p:p}): if they "
    "were chosen and not drawn, nothing of this holds. `podium label` draws them.",
    "labels-taken-as-random": "This assumes that the labelled items are a random sample, drawn "
    "before anybody looked. If items were chosen by their likely labels, the result is not "
    "valid. `podium label FILE --n {labels} --seed 1` draws one and signs it.",
    "labels-drawn": "The labelled items are those that `podium label` drew ({labels}, seed "
    "{seed}).",
    "labels-missing": "{missing} of the {labels} drawn items have no label: where that depends "
    "on what people would say, the rest are no random sample.",
}
sentences(SENTENCES)


@words("correlation", "rho", "said")
def _correlation(n: Note) -> str:
    whence = "as requested" if n.said else "which follows from the sampling, as in corrected-t"
    return (
        f"Samples that share rows are assumed to correlate by {n.rho:.3g}, {whence}. Where the "
        "true correlation is larger, probabilities are too sure: with 0.3 instead of 0.1, two "
        "equal algorithms exceed 0.95 in 28 to 39 % of studies instead of 10 %."
    )


# -- choices ------------------------------------------------------------------------------------


@words("tied-choices")
def _tied_choices(n: Note) -> str:
    if not n.ties:
        return "There are no ties."
    return f"{counted(n.ties, 'tie')} {'counts' if n.ties == 1 else 'count'} as half a win."


@words("choice-blocks")
def _choice_blocks(n: Note) -> str:
    joint = " and battles of the same ".join(n.block.split("+"))
    return f"Battles of the same {joint} are treated as correlated."


@words("choices")
def _choices(n: Note) -> str:
    if n.said:
        return f"Standard errors are clustered ({counted(n.blocks, 'cluster')} of battles)."
    return (
        f"The {n.choices} battles count as independent. Where one prompt or judge has several, "
        "name its column (--columns cluster=NAME): otherwise equal models differ significantly far "
        "too often."
    )


@words("new-judges")
def _new_judges(n: Note) -> str:
    judges = counted(n.judges, n.judge)
    if not n.prompts:
        return (
            f"{judges}: the conclusion holds for new ones, so the more careful of two tests counts "
            "(errors by judge, and a t test over the judges)."
        )
    return (
        f"{counted(n.prompts, n.prompt)} and {judges}: the conclusion holds for new ones of both, "
        "so the most careful of three tests counts (by one, by the other, by both)."
    )


@words("few-judges")
def _few_judges(n: Note) -> str:
    text = f"--columns cluster={n.prompt}" if n.prompt else f"--covariates {n.judge}"
    return (
        f"With {counted(n.judges, n.judge)} little can be shown about new ones. For the "
        f"preferences of these {n.judges} only, add {text}."
    )


@words("position")
def _position(n: Note) -> str:
    which = "first" if n.effect >= 0 else "second"
    return (
        f"The answer shown {which} is favoured by {ELO * abs(n.effect):.0f} Elo (s.e. "
        f"{ELO * n.error:.0f}, {p_text(n.p)}); ratings are corrected for it."
    )


ALIKE = {
    "position": "How much it counts to be shown first depends on '{}'",
    "ties": "How frequent ties are depends on '{}'",
    "strengths": "Who is stronger depends on '{}': strengths are means over its levels as often as "
    "they come here",
    "strength": "What an answer is by '{}' matters for who is chosen",
}


@words("covariate-matters", "covariate", "about", "p", "blocks")
def _covariate_matters(n: Note) -> str:
    text = ALIKE[n.about].format(n.covariate)
    if n.p != n.p:
        return (
            f"Too few clusters ({n.blocks}) tell whether this is so: {text[0].lower()}{text[1:]}."
        )
    return f"{text} ({p_text(n.p)})."


COVARIATES = "Position and other covariates"
EFFECTS = "Effects on who is chosen"
ALL_ALIKE = "Whether all levels are alike, and whether they agree on strengths"
NO_TEST = "too few clusters"
UNADJUSTED = "Elo with and without adjusting"


def covariates_heading(alpha: float, blocks: int) -> str:
    """What the table of covariates tells."""
    return (
        f"What else decides who is chosen, in log-odds, with {100 * (1 - alpha):g} % limits of "
        f"each alone, by {counted(blocks, 'cluster')} of battles; ratings are corrected for it."
    )


# -- judges -------------------------------------------------------------------------------------


@words("judge-bias")
def _judge_bias(n: Note) -> str:
    each = [f"{name} {bias:+.3g} ({p_text(p)})" for name, bias, p in n.by]
    more = ", ..." if len(each) > MOST_JUDGED else ""
    return (
        f"Judge bias (judge − people) on the labelled items: {', '.join(each[:MOST_JUDGED])}{more}."
    )


# -- on a page ------------------------------------------------------------------------------------


def elo_head(sure: str) -> str:
    """Above the intervals of Elo."""
    return f"Elo (own {sure} CI)"


def battle_key() -> tuple[tuple[str, str], ...]:
    """How to read the table of battles."""
    return (
        ("Bar:", "own interval; 1,000 is the average model."),
        ("Difference:", "from the best in Elo, simultaneous CI."),
        ("Win rate", "depends on the opponents met, Elo does not."),
    )


def matrix_finding(pairs: int) -> str:
    """The line of the matrix of wins."""
    return f"wins and losses, {pairs} comparisons; percent of battles won by the row"
