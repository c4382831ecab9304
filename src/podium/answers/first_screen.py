"""The first screen: the verdict, the table of standings and three answers, from the analysis.

Everything that it shows is computed for the sections below; here it is put where people look.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from podium.answers import answer_words as words
from podium.base.formatting import aligned, printable
from podium.drawing.emphasis import Emphasis
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.layouts.layouts import Layout
from podium.planning.words import planned_noun
from podium.reading.read_as import RECOGNISED
from podium.reports.analysis import Analysis, Evidence
from podium.reports.document import Answer, Card, Chip, Hero, HeroRow, Overview, Panel
from podium.verdicts.gap_scale import Scale
from podium.verdicts.gaps import NOT_COMPARED, badge, exact_to, place_text, signed
from podium.verdicts.standing import Badge, Row, Standing, standing
from podium.verdicts.verdict import is_soft, next_sentence, tells_each, verdict
from podium.words.facts import CAUTION, DETAIL, Note
from podium.words.saying import say
from podium.words.voices import PAGE

MOST_ROWS = 25  # algorithms that are all listed
MOST_LEADING = 15  # of more, so many of the lead
MORE = 3  # and so many of those that follow
SHADES = 8
SAID_BY = {"cells-without-score": {"failures"}, "gaps": {"failures", "missing-runs"}}
NEAR = 3.0  # times the usual limit: what panels side by side have room for
STATES = {
    Badge.BEST: "best", Badge.MAY_BE_BEST: "may", Badge.BEATS: "may", Badge.OPEN: "open",
    Badge.BEHIND: "behind", Badge.REFERENCE: "reference",
}  # fmt: skip


def answer(evidence: Evidence, analysis: Analysis, notes: Sequence[Note]) -> Answer:
    """What a reader sees before all else, by one measure."""
    c, results = evidence.comparisons, analysis.results
    found = standing(c, *_by_dataset(evidence.layout))
    shown = found if found is not None and not c.is_forced else None
    leads = _of_datasets(evidence, analysis)
    return Answer(
        verdict(c, found, leads),
        next_sentence(c, found, leads),
        words.about(c, results),
        (c.statement, c.title) if len(c.algorithms) > 1 else (c.statement,),
        tuple(_chips(c, notes)),
        None if shown is None else _table(c, shown, leads),
        () if shown is None else tuple(_cards(evidence, analysis, shown)),
    )


def seen(analysis: Analysis) -> Emphasis:
    """The lead and the order of rows of the whole page: those of its first answer."""
    first = analysis.first
    found = standing(first.comparisons) if first else None
    if found is None:
        return Emphasis()
    return Emphasis(found.lead, tuple(row.name for row in found.rows))


def _by_dataset(made: Layout | None) -> tuple[np.ndarray | None, tuple[str, ...]]:
    """Scores by data set, where there are several."""
    if made is None:
        return None, ()
    if made.nested.within is not None:
        return made.by_dataset(), made.nested.datasets
    return (made.values, made.labels) if made.labels else (None, ())


def _of_datasets(evidence: Evidence, analysis: Analysis) -> dict[str, Standing]:
    """How algorithms stand on each data set, where these were judged one by one."""
    survey = analysis.survey
    if isinstance(survey, Note) or survey.refused or evidence is not analysis.first:
        return {}
    found = {d: standing(c) for d, c in survey.comparisons.items()}
    return {name: each for name, each in found.items() if each is not None}


def _chips(c: Comparisons, notes: Sequence[Note]) -> Iterator[Chip]:
    """Cautions first, then remarks; what concerns the words of the verdict last."""
    codes = {note.code for note in notes}
    told = [n for n in notes if n.severity is not DETAIL and not _is_said(n.code, codes)]
    for note in sorted(told, key=lambda note: note.severity < CAUTION):
        yield Chip(words.chip(note), say(note, PAGE), note.severity >= CAUTION)
    if is_soft(c):
        yield Chip(words.SOFT, words.SOFT_TEXT, warns=True)
    if c.decision.inconclusive and not c.is_race:
        yield Chip(words.OPEN, words.OPEN_TEXT, warns=False)


def _is_said(code: str, codes: set[str]) -> bool:
    """Whether a chip would say what another one says; its text is among the notes below."""
    return code == RECOGNISED or bool(SAID_BY.get(code, set()) & codes)


def _cards(evidence: Evidence, analysis: Analysis, found: Standing) -> Iterator[Card]:
    c, first = evidence.comparisons, analysis.first
    assert first is not None
    again = (
        words.redrawn(c, analysis.stability)
        if evidence is first
        else words.NOT_COMPUTED.format(measure=printable(first.comparisons.measure))
    )
    yield Card(words.redrawn_question(c), again, "order")
    others = [each for each in analysis.of(evidence.measure) if not each.is_chosen]
    yield Card(words.AGREE, words.agreeing(evidence, others), "tests")
    plans = evidence.layout is None or bool(planned_noun(evidence.layout.block))
    by = evidence.settled_by if plans and found.open else Note("not-made-again")
    yield Card(words.SETTLE, words.settled(c, by, found, plans), "planning")


# -- the table of standings -----------------------------------------------------------------------


def hero(c: Comparisons, found: Standing) -> Hero:
    """The table of standings; of very many algorithms the lead and the next, and a picture."""
    rows = _listed(found)
    hidden = [row.name for row in found.rows if row not in rows]
    many = len(found.rows) > MOST_ROWS
    scale = Scale.of(rows)
    limits = any(math.isfinite(row.lower) or math.isfinite(row.upper) for row in rows)
    leading = sum(row.name in found.lead for row in rows)
    cut = leading if 0 < leading < len(rows) and found.control is None else 0
    return Hero(
        heads=words.heads(c, found, limits),
        rows=tuple(_rows(found, rows, scale)),
        cut=cut,
        below=words.below(c),
        zero=scale.at(0.0),
        ticks=_ticks(scale),
        cells=len(found.columns),
        longest=max(len(printable(row.name)) for row in rows) + 1,
        key=tuple(words.key(c, found, limits)),
        rest=words.rest(hidden, len(found.lead) - leading),
        overview=_overview(c, found) if many and found.control is None else None,
    )


def _table(c: Comparisons, found: Standing, leads: Mapping[str, Standing]) -> Hero:
    """The standings or, where only single data sets have a winner, these side by side."""
    made = hero(c, found)
    if not found.undecided or not tells_each(leads):
        return made
    scale = Scale.of([row for each in leads.values() for row in each.rows], NEAR)
    rows = [replace(row, panels=tuple(_panel(each.row(of.name), each, scale)
                                      for each in leads.values()))
            for of, row in zip(_listed(found), made.rows, strict=True)]  # fmt: skip
    return replace(
        made,
        rows=tuple(rows),
        zero=scale.at(0.0),
        ticks=_ticks(scale),
        panels=tuple((printable(n), words.panel_head(n, each)) for n, each in leads.items()),
        key=tuple(words.panels_key()),
    )


def _panel(row: Row, found: Standing, scale: Scale) -> Panel:
    own = row.name == found.reference
    gap, low, high = signed(aligned([row.gap, row.lower, row.upper], exact_to(found.rows), 2))
    return Panel(
        place=place_text(row),
        leads=row.name in found.lead,
        text="" if own else f"{gap} {_limits(row, low, high)}".strip(),
        dot=scale.at(0.0) if own else scale.inside(row.gap),
        bar=None if own else scale.bar(row),
        outside="" if own or scale.inside(row.gap) is not None else f"{gap} →",
    )


def _listed(found: Standing) -> list[Row]:
    if len(found.rows) <= MOST_ROWS:
        return list(found.rows)
    lead = min(len(found.lead), MOST_LEADING)
    listed = list(found.rows[: lead + MORE])
    control = [row for row in found.rows if row.name == found.control and row not in listed]
    return [*listed, *control]


def _rows(found: Standing, rows: Sequence[Row], scale: Scale) -> Iterator[HeroRow]:
    scores = [row.score for row in rows]
    size = min((abs(s) for s in scores if s and math.isfinite(s)), default=1.0)
    spread = exact_to(rows)
    texts = signed(aligned(scores, min(size, max(spread, size / 1000)), 3))
    gaps = [[row.gap, row.lower, row.upper] for row in rows]
    flat = signed(aligned([v for gap in gaps for v in gap], spread, 2))
    for i, (row, score) in enumerate(zip(rows, texts, strict=True)):
        gap, low, high = flat[3 * i : 3 * i + 3]
        own = row.name == found.reference
        yield HeroRow(
            place=place_text(row),
            name=printable(row.name),
            score=score,
            gap="–" if own else NOT_COMPARED if math.isnan(row.gap) else gap,
            limits="" if own else _limits(row, low, high),
            won="" if row.won is None else " · ".join(map(str, row.won)),
            shares=_shares(row),
            badge=badge(row, found),
            state=STATES[row.badge],
            dot=scale.at(0.0) if own else scale.inside(row.gap),
            bar=None if own else scale.bar(row),
            outside="" if own or _fits(row.gap, scale) else f"{gap} →",
            strip=_strip(row.strip),
        )


def _fits(gap: float, scale: Scale) -> bool:
    return math.isnan(gap) or scale.inside(gap) is not None


def _ticks(scale: Scale) -> tuple[tuple[float, str], ...]:
    return tuple((at, minus) for at, text in scale.ticks for minus in signed([text]))


def _limits(row: Row, low: str, high: str) -> str:
    if math.isfinite(row.lower) and math.isfinite(row.upper):
        return f"({low} to {high})"
    if math.isfinite(row.lower):
        return f"(at least {low})"
    return f"(at most {high})" if math.isfinite(row.upper) else ""


def _shares(row: Row) -> tuple[float, float, float]:
    if row.won is None or not sum(row.won):
        return (0.0, 0.0, 0.0)
    won, tied, lost = (round(100 * count / sum(row.won), 1) for count in row.won)
    return won, tied, lost


def _strip(values: Sequence[float]) -> tuple[tuple[int, str], ...]:
    """One path per shade; a cell without a score has none."""
    paths: dict[int, list[str]] = {}
    for i, value in enumerate(values):
        if value == value:
            shade = round(value * SHADES)
            paths.setdefault(shade, []).append(f"M{i} 0h1v1h-1z")
    return tuple((shade, "".join(cells)) for shade, cells in sorted(paths.items()))


# -- very many algorithms -------------------------------------------------------------------------

SIDE = 1000  # of the square that the overview is drawn in


def _overview(c: Comparisons, found: Standing) -> Overview:
    """A thin interval per algorithm, the best at the left."""
    scale = Scale.of(found.rows)
    wide = SIDE / len(found.rows)
    ahead, behind = ("", ""), ("", "")
    for i, row in enumerate(found.rows):
        drawn = _thin(row, round((i + 0.5) * wide, 1), scale)
        if row.name in found.lead:
            ahead = (ahead[0] + drawn[0], ahead[1] + drawn[1])
        else:
            behind = (behind[0] + drawn[0], behind[1] + drawn[1])
    return Overview(
        words.overview_title(c, found, any(math.isfinite(row.lower) for row in found.rows)),
        *ahead,
        *behind,
        zero=scale.at(0.0),
        cut=round(100 * len(found.lead) / len(found.rows), 2),
        ticks=_ticks(scale),
        words=words.overview_words(found),
    )


def _thin(row: Row, x: float, scale: Scale) -> tuple[str, str]:
    """The interval and the dot of an algorithm as paths; larger gaps are lower."""
    bar = scale.bar(row)
    line = "" if bar is None else f"M{x} {10 * bar[0]:.0f}v{10 * bar[1]:.0f}"
    dot = f"M{x} {10 * scale.at(row.gap):.0f}h0" if math.isfinite(row.gap) else ""
    return line, dot
