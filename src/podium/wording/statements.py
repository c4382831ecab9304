"""Statements as sentences: the hypothesis, what it is conditional on, the training size."""

from __future__ import annotations

from podium.facts import Hypothesis, Statement, TrainingSize
from podium.formatting import printable

FORCED = "NOT LEGAL for this design, computed by force: nothing of this may be claimed. "
AREA = "{area}"


def statement(s: Statement) -> str:
    """A statement in full, for terminal, page and JSON."""
    tested = (
        f"none; an expected {s.measure} is estimated"
        if s.hypothesis is None
        else hypothesis(s.hypothesis)
    )
    return f"{FORCED * s.forced}Hypothesis: {tested}. This is a statement about {about(s)}."


def hypothesis(h: Hypothesis) -> str:
    """What is held to be true until the scores speak against it."""
    both = f"(one-sided; two-sided: {h.equality})"
    if h.alternative == "greater":
        return f"first - second is at most {h.margin:g} {both}"
    if h.alternative == "less":
        return f"first - second is at least {-h.margin + 0.0:g} {both}"
    return f"two algorithms differ by at most {h.margin:g}" if h.margin else h.equality


def about(s: Statement) -> str:
    """What the statement is about, with the area of application and the training size."""
    of = f" ('{s.dataset}')" if s.dataset else ""
    said = s.said.about.format(of=of, area=f" ({s.area})" if s.area else "")
    area = f"; area of application: {s.area}" if s.area and AREA not in s.said.about else ""
    return said + area + (f", {training_size(s.size)}" if s.size else "")


def training_size(size: TrainingSize) -> str:
    """How many rows the algorithms learned from."""
    return f"for algorithms that learn from {_rows(size)}"


def _rows(size: TrainingSize) -> str:
    if size.rows is not None:
        return f"{size.rows:g} rows"
    share = size.share or 0.0
    if size.of_sample:
        return f"{100 * share:g} % of the rows of each sample"
    count = f" (about {round(share * size.total)} of {size.total})" if size.total else ""
    if size.distinct:
        return f"{share:.3f} n distinct rows{count}"
    return f"{'n/2' if share == 0.5 else f'{share:.3g} n'} rows{count}"


def claims(s: Statement, here: str, found: bool) -> tuple[str, str]:
    """What may be claimed, and what may not; `found` tells whether anything was found."""
    words = {
        "here": f"'{printable(here)}'" if here else "the data",
        "area": f" ({s.area})" if s.area else "",
        "finding": "What was found holds for" if found else "The question was about",
        "on_average": "What was found holds on average over"
        if found
        else "The question was about the average over",
        "about": "for" if found else "about",
    }
    answer = "It" if found else "The answer"
    return s.said.may.format(**words), f"{answer} says nothing about {s.said.may_not}."


# -- one line that says what was compared, by what, on what ---------------------------------------

MARK = "NOT LEGAL for this design, computed by force: "


def compared(
    measure: str,
    higher_is_better: bool,
    title: str,
    blocks: tuple[int, str],
    target: str,
    *,
    forced: bool,
) -> str:
    """Measure, procedure, blocks, target."""
    better = "higher" if higher_is_better else "lower"
    count, text = blocks
    return (
        f"{MARK * forced}{measure} ({better} is better), {title}, {count} {text}, target: {target}"
    )


def with_bricks(title: str, null: str, adjustment: str) -> str:
    """A procedure's title with the bricks that were used."""
    return f"{title} (null: {null}, adjustment: {adjustment})"


def interval_of_one(method: str) -> str:
    """The title where one algorithm has an interval of its own."""
    return f"{method} interval of one algorithm"
