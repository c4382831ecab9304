"""Words on boards of many models: strata of items, items themselves, models that are alike."""

from __future__ import annotations

from typing import Any

from podium.words.facts import Note
from podium.words.order_text import quoted
from podium.words.phrases import counted, joined, p_text
from podium.words.voices import words


def strata_heading(strata: Any) -> str:
    """What came of the test of interaction, in a sentence."""
    count = counted(len(strata.strata), "stratum", "strata")
    result = strata.overall
    if result is None:
        return f"{strata.measure} by stratum: {count}."
    f, (df, rest) = result.statistic, result.df
    depends = result.p <= strata.alpha
    text = (
        "differences between the algorithms depend on the stratum"
        if depends
        else "that differences between the algorithms depend on the stratum is not shown"
    )
    return (
        f"{strata.measure} in {count}: {text} (Welch's F {f:.3g}, df {df:g} and {rest:.3g}, "
        f"{p_text(result.p)})."
    )


@words("stratum", "stratum")
def _stratum(n: Note) -> str:
    return f"Of the stratum {quoted(n.stratum)} alone."


@words("strata-never-vary")
def _never_vary(n: Note) -> str:
    return "No test of strata: answers never vary."


@words("small-strata", "strata", "least")
def _small(n: Note) -> str:
    names = joined([quoted(name) for name in n.strata])
    return (
        f"Fewer than {n.least} items that all algorithms have are in {names}, which the test of "
        "interaction leaves out."
    )


@words("few-in-strata", "items")
def _few(n: Note) -> str:
    return f"The smallest stratum has {counted(n.items, 'item')}: the test is approximate."


def items_heading(result: Any) -> str:
    """What the items and models are like, in a sentence or two."""
    items = result.items
    none, every = len(result.unsolved), len(result.solved)
    text = f"{counted(len(items), 'item')} of {counted(int(items['models'].max()), 'model')}"
    if items["solved"].notna().any():
        text += (
            f": {counted(none, 'item')} that no model solves and {every or 'none'} that every "
            "model solves tell nothing of differences"
        )
    if against := result.against:
        unlikely = joined([quoted(name) for name in against])
        text += (
            f"; weaker models solve {unlikely} rather than stronger ones: is the answer key right?"
        )
    twins = len(result.twins)
    text += "" if text.endswith("?") else "."
    if twins:
        text += f" {counted(twins, 'pair')} of models differ on far fewer items than by chance."
    return text


@words("no-item-model", "models", "least", "binary")
def _no_item_model(n: Note) -> str:
    if not n.binary:
        return "Difficulty and discrimination are of right and wrong answers; these are scores."
    return (
        f"No response model of {counted(n.models, 'model')}: below {n.least} how telling an item "
        "is cannot be known from it; 'item rest' is its correlation with the other items."
    )


# -- pictures -------------------------------------------------------------------------------------

SAME_CORNER = "practically the same"


def corner(name: str, *, better: bool = False) -> str:
    """What a corner of the triangle says: one alone is named."""
    if name:
        return f"{name} is better"
    return "the first is better" if better else "the second is better"


def own_label(measure: str, level: str | None) -> str:
    """The axis of scores."""
    return measure if level is None else f"{measure}, own {level} interval"


def board_title(c: Any) -> str:
    """Of scores and places."""
    return f"{c.measure}: scores and the places that are possible"


def places_label(c: Any) -> str:
    """The axis of places, and what the colour of those in front means."""
    text = "places that are possible"
    return f"{text}\nblue: could be best ({100 * (1 - c.alpha):g} %)" if c.lead else text


def simplex_title(c: Any) -> str:
    """Of the triangle; without a region nobody is practically the same."""
    region = f", the same within ±{c.relevance:g}" if c.relevance else ""
    return f"{c.measure}: who is better{region}"


@words("plot-best-models", "shown", "of")
def _best_models(n: Note) -> str:
    return f"The {n.shown} best of {n.of} models are shown."


# -- pages ----------------------------------------------------------------------------------------

SCORES_BY_STRATUM = "Scores by stratum, with intervals of their own"
INTERACTION = "Does a score, less the mean of all algorithms, depend on the stratum? (Welch, Holm)"
