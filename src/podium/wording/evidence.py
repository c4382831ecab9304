"""Comparisons in phrases that terminal, page and paper share."""

from __future__ import annotations

from podium.formatting import number
from podium.inference.comparisons import Comparisons
from podium.results.results import Results
from podium.targets import BLOCKS
from podium.wording.phrases import capital, p_text


def replicate(results: Results) -> str:
    """What one sample of these results is called: sample, fold, item ..."""
    drawn = results.sampling
    return "sample" if drawn is None else BLOCKS[drawn.replicate].unit


def noun(comparisons: Comparisons) -> str:
    """What the blocks are, in a word or two."""
    return "clusters" if comparisons.blocks.of_clusters else BLOCKS[comparisons.blocks.kind].noun


def overall(comparisons: Comparisons) -> str:
    """The test of no difference at all, as a sentence; empty where there is none."""
    found = comparisons.overall
    if found is None or found.p != found.p:
        return ""
    df = found.df if isinstance(found.df, tuple) else (found.df,)
    shown = " and ".join(f"{round(x, 1):g}" for x in df if x is not None)
    name = capital(found.test or found.procedure)
    who = "the two algorithms" if len(comparisons.algorithms) == 2 else "all algorithms"
    return (
        f"Are {who} alike? {name} {number(found.statistic, 4)}"
        f"{f' (df {shown})' if shown else ''}, {p_text(found.p)}."
    )
