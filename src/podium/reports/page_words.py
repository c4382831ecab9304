"""What the page's table and script say: templates that Python and the script fill in."""

from __future__ import annotations

from podium.inference.comparing.comparisons import Comparisons
from podium.verdicts.gaps import superlative
from podium.verdicts.standing import is_sure
from podium.verdicts.verdict import SOFT

VERDICTS = {  # of a row, filled in here and by the script
    "best": "best",
    "could": "could be best",
    "alike": "not significantly different",
    "worse": "worse than {name}",
    "worse_many": "worse than {count}",
    "better": "better",
    "reference": "reference",
    "out": "ruled out",
    "equivalent": "equivalent",
    "none": "not compared",
}
DETAILS = {
    "beats": "Significantly better than",
    "worse": "Significantly worse than",
    "alike": "Inconclusive against",
    "blocks": "Best on",
}
BELOW = "significantly worse than at least one of the above"
BELOW_RACE = "ruled out during the race; not ranked"
WORDS = {  # all that the script writes, besides what views and sections bring
    "compare": "Compare with",
    "best": "the best",
    "family": "Family",
    "all": "all",
    "search": "Search (press /)",
    "algorithms": "Algorithms ▾",
    "hint": "Intervals hold for all comparisons together; hiding rows never narrows them.",
    "copy": "Copy ▾",
    "copied": "Copied",
    "show_all": "Show all {count}",
    "show_fewer": "Show the first {count}",
    "rope": "Practically the same within ±",
    "or": "or",
    "limits": "({low} to {high})",
    "compared": "{first} compared with {second}",
    "better_on": "better on {wins}, tied on {ties}, worse on {losses}",
    "rank_on": "{name}: {value}, rank {rank} of {count}",
    "no_value": "{name}: no score",
    "selected": "{count} of {all} selected; drag in any picture, click to clear.",
    "brush": "Drag in any picture to select; the others show the same ones.",
    "none_left": "No row matches.",
    "p": "p",
    "significant": "significantly better; ≈ inconclusive, which does not mean equal.",
    "details": DETAILS,
    "verdicts": VERDICTS,
}


def claim_templates(c: Comparisons) -> dict[str, str]:
    """Sentences with names and numbers to fill in, where rows are hidden or compared anew."""
    kind = superlative(c)
    best = kind.best if is_sure(c) or len(c.algorithms) == 2 else SOFT
    return {
        "one": f"{{names}} {best}.",
        "several": f"{{names}} {best}; the data cannot tell which.",
        "many": "{count} of {all} could be best, with {names} ahead.",
        "none": f"No significant difference in {kind.difference}.",
        "beat": "{count} of {all} beat {name}",
        "worse": "{count} significantly worse than {name}",
        "alike": "{count} not significantly different from {name}",
        "lead": "{first} beats {second} by {difference}.",
        "counts": "{count} of {all} comparisons are significant; {rest} inconclusive.",
    }
