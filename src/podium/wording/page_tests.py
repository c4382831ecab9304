"""What a page says beside its tests: how they were chosen, what they control, who agrees."""

from __future__ import annotations

from collections.abc import Sequence

from podium.inference.comparisons import Comparisons
from podium.studies.analysis import Evidence
from podium.wording.evidence import overall
from podium.wording.notes import say
from podium.wording.phrases import joined, level
from podium.wording.voices import PAGE

CHOSEN = "procedure-chosen"  # the code of the note that gives the reason
RULE = (
    "It is the analysis of this page. The others are sensitivity analyses, fixed in advance and "
    "not chosen after looking: they show whether the order depends on this choice. To pick the "
    "most pleasing of them is not allowed, as it voids the error level of all."
)
SAME_ORDER = "Do other procedures give the same order?"
NO_OTHERS = "No other procedure of the usual kinds is legal for this design and question."


def procedure_title(c: Comparisons) -> str:
    """The procedure by its short name and its title, without the bricks that were used."""
    title = c.judged.procedure.title if c.judged else c.title
    return f"{c.procedure}: {title}"


def tested(evidence: Evidence) -> list[str]:
    """What was tested and how, what came out of all together, why so, and what is controlled."""
    c = evidence.comparisons
    said = [f"By {c.heading}.", c.statement, overall(c), reason(evidence), _controls(c)]
    return [text for text in said if text]


def reason(evidence: Evidence) -> str:
    """Why this procedure."""
    c = evidence.comparisons
    if not evidence.is_chosen:
        return f"Sensitivity analysis ({evidence.kind}): not chosen after looking."
    if len(c.algorithms) < 2:
        return ""
    why = next((say(n, PAGE) for n in c.warnings if n.code == CHOSEN), "")
    return f"Chosen by the design: {why}" if why else f"{c.procedure} was asked for."


def _controls(c: Comparisons) -> str:
    if c.judged is None or c.has_posterior:
        return ""
    return f"Null: {c.judged.procedure.null}. Control: {c.judged.controls}."


def not_listed(pairs: int) -> str:
    """Why a sensitivity analysis has no table."""
    return f"The {pairs} pairs of this sensitivity analysis are not listed."


def pairs_caption(c: Comparisons) -> str:
    """Above the table of all pairs."""
    where = f" on {c.dataset}" if c.dataset else ""
    return f"Pairs by {c.measure}{where}, {c.procedure} (estimate: first minus second)"


def limits(c: Comparisons) -> str:
    """What the limits of intervals hold for."""
    if len(c.table) < 2:
        return f"{level(c.alpha)} limits"
    alone = "all pairs at once" if c.is_adjusted else "each pair alone"
    touch = "" if c.relevance else "; those that do not touch zero are decided"
    return f"limits that hold for {alone}{touch}"


def not_tested(measure: str, why: str) -> tuple[str, str]:
    """The heading and the paragraph of a measure that was not tested."""
    return f"No test of {measure}", f"Nothing was tested by {measure}. {why}"


def agreement(same: Sequence[str]) -> str:
    """Which procedures gave the same order."""
    return f"The same order came from {joined(same)}." if same else "None gave the same order."
