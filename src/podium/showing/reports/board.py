"""The board: all algorithms as a table with ranks, differences from the best and a strip each.

One record of comparisons makes one view. What the script needs to compare with another reference,
or to hide rows, are the comparisons themselves and templates of the words (`live`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.formatting import printable, short
from podium.core.inference.comparing.comparisons import COUNTS, Comparisons
from podium.core.inference.layouts import Layout
from podium.core.verdicts.standing import (
    CHIPS,
    TOO_FEW,
    Badge,
    Standing,
    averaged,
    chip,
    compared,
    difference_text,
    exact_to,
    limits_scope,
    margin_text,
    measured,
    standing,
)
from podium.core.verdicts.standing import Row as Ranked
from podium.core.verdicts.verdict import family_of, next_sentence, verdict
from podium.core.words.facts import CAUTION, DETAIL, PAGE, Note
from podium.core.words.phrases import capital, level
from podium.core.words.saying import say
from podium.showing.reports.document import Axis, Chip, Column, Row, View, axis_of
from podium.showing.reports.words import BELOW, BELOW_RACE, VERDICTS, bar_key, claim_templates
from podium.showing.screens.terminal import ABOUT, about

MANY = 25  # algorithms: from here on an overview stands above the table
MOST_CAVEATS = 3  # in the line that is closed
MOST_DECIMALS = 6
SHADES = 8  # of a strip
NO_DIFFERENCE = "–"
CODES = {"better": 1, "worse": -1, "equivalent": 2, "non-inferior": 3, "non-superior": 4}


def board(
    c: Comparisons, made: Layout | None = None, *, at: Mapping[str, str] | None = None
) -> View:
    """The view of comparisons; contrasts and single algorithms have words and no table.

    Examples
    --------
    >>> import podium
    >>> scores = {"svm": [0.1, 0.2, 0.3, 0.2], "lda": [0.3, 0.5, 0.4, 0.4]}
    >>> c = podium.compare(podium.read(scores, sampling="runs", measure="error"))
    >>> [(row.name, row.cells["rank"]) for row in board(c).rows]
    [('svm', '1'), ('lda', '2')]
    """
    values, labels = scores_by_block(made)
    ranking = standing(c, values, labels)
    view = View(
        verdict(c, ranking),
        sentence=next_sentence(c, ranking),
        about=holds_for(c),
        chips=tuple(chips(c.warnings)),
        at=at or {},
    )
    if ranking is None or c.is_forced:
        return view
    columns = tuple(_columns(c, ranking))
    leading = sum(row.name in ranking.lead for row in ranking.rows)
    split = 0 < leading < len(ranking.rows) and ranking.control is None and ranking.decided
    return replace(
        view,
        columns=columns,
        rows=tuple(_rows(c, ranking, columns)),
        axis=_axis(ranking.rows[:MANY]),
        cut=leading if split else 0,
        below=BELOW_RACE if c.is_race else BELOW,
        key=tuple(_key(c, ranking)),
        live=_live(c, ranking),
    )


def scores_by_block(made: Layout | None) -> tuple[np.ndarray | None, tuple[str, ...]]:
    """Scores by data set, larger is better, where there are several data sets."""
    if made is None:
        return None, ()
    if made.nested.within is not None:
        return made.by_dataset(), made.nested.datasets
    return (made.values, made.labels) if made.labels else (None, ())


def holds_for(c: Comparisons) -> str:
    """What the conclusion is about, in the words of the terminal."""
    return f"{ABOUT} {about(c)}."


def chips(notes: Iterable[Note]) -> Iterable[Chip]:
    """Caveats in a few words, those that change the conclusion first; none is told twice."""
    known: set[str] = set()
    for note in sorted(notes, key=lambda note: -note.severity):
        warns, few = note.severity >= CAUTION, chip(note)
        if few not in known and (warns or (note.severity is not DETAIL and note.code in CHIPS)):
            known.add(few)
            yield Chip(few, printable(say(note, PAGE)), warns)


def caveats_line(notes: Iterable[Note]) -> str:
    """The caveats that change the conclusion in a line, or that none does."""
    grave = [each.words for each in chips(notes) if each.warns]
    more = f" and {len(grave) - MOST_CAVEATS} more" if len(grave) > MOST_CAVEATS else ""
    return "; ".join(grave[:MOST_CAVEATS]) + more or "none that changes the conclusion; all notes"


# -- columns --------------------------------------------------------------------------------------


def _columns(c: Comparisons, ranking: Standing) -> Iterable[Column]:
    many, blocks = len(ranking.rows) > MANY, c.blocks.noun
    yield Column("rank", "rank", "Rank", "the ranks that the comparisons allow")
    yield Column("name", "name", name_head(c))
    yield Column("score", "number", capital(averaged(c, ranking)))
    yield Column("interval", "interval", _difference_head(c, ranking))
    yield Column("difference", "estimate", "Difference")
    if ranking.by_ranks and not many:
        yield Column("mean", "estimate", f"Mean {measured(c, 20)}", wide=True)
    if not many and any(row.won is not None for row in ranking.rows):
        title = f"{blocks} on which it is better than the reference, tied, worse"
        yield Column("won", "text", "Better · tied · worse", title, wide=True)
    if ranking.columns:
        title = "a cell per data set: full colour best there, faint worst"
        yield Column("strip", "strip", f"{len(ranking.columns)} data sets", title)
    if many:
        title = "significantly better than so many others"
        yield Column("beats", "number", "Beats", title, wide=True)
    else:
        yield Column("verdict", "text", "Verdict", wide=True)


def name_head(c: Comparisons) -> str:
    """Above the names: on a board of many, algorithms are called methods."""
    noun = compared(c)
    return "Method" if noun == "algorithm" and len(c.algorithms) > MANY else capital(noun)


def _difference_head(c: Comparisons, ranking: Standing) -> str:
    whom = printable(short(ranking.control, 24)) if ranking.control else "best"
    limits = any(math.isfinite(row.lower) or math.isfinite(row.upper) for row in ranking.rows)
    head = capital(difference_text(c))
    return f"{head} from {whom}" + (f" ({interval_name(c)})" if limits else "")


def interval_name(c: Comparisons) -> str:
    """What limits of differences are called."""
    if c.has_posterior:
        return limits_scope(c)
    together = "simultaneous " if c.is_adjusted else ""
    return f"{together}{level(c.alpha)} CI"


def _key(c: Comparisons, ranking: Standing) -> Iterable[tuple[str, str]]:
    if any(math.isfinite(row.lower) for row in ranking.rows):
        yield bar_key(margin_text(c) if c.relevance > 0 and not c.has_posterior else "")
    yield "Row:", "click for details."
    yield "Heading:", "click to sort."


# -- rows -----------------------------------------------------------------------------------------


def _rows(c: Comparisons, ranking: Standing, columns: Sequence[Column]) -> Iterable[Row]:
    keys = {column.key for column in columns}
    own, far = decimals(ranking)
    beats = dict.fromkeys(c.algorithms, 0)
    for row in ranking.rows:
        for winner in row.beaten_by:
            beats[winner] += 1
    means = _mean_cells(c, ranking) if "mean" in keys else {}
    for row in ranking.rows:
        reference = row.name == ranking.reference
        cells = {
            "rank": rank_text(row),
            "score": (fixed(row.score, own), row.score),
            "interval": _interval(row, reference),
            "difference": _difference(row, far, reference),
            "won": "" if row.won is None else " · ".join(map(str, row.won)),
            "strip": strip_text(row.strip),
            "verdict": verdict_text(row, ranking),
            "beats": (str(beats[row.name]), beats[row.name]),
            "mean": means.get(row.name),
        }
        used = {key: value for key, value in cells.items() if key in keys}
        leads = row.leads or (row.badge is Badge.OPEN and row.name in ranking.lead)
        yield Row(row.name, used, leads, family_of(row.name))


def rank_text(row: Ranked) -> str:
    """The ranks that the comparisons allow."""
    low, high = row.place
    return f"{low}–{high}" if low < high else str(low)


def _interval(row: Ranked, reference: bool) -> dict[str, float] | None:
    if reference:
        return {"v": 0.0}
    known = {"v": row.gap, "lo": row.lower, "hi": row.upper}
    return {key: value for key, value in known.items() if math.isfinite(value)} or None


def _difference(row: Ranked, far: int, reference: bool) -> tuple[str, str, float | None]:
    """The text of a difference, its limits in brackets, and the value by which rows are sorted."""
    if reference:
        return NO_DIFFERENCE, "", 0.0
    if math.isnan(row.gap):
        return VERDICTS["none"], "", None
    if row.too_few:
        return fixed(row.gap, far), f"({TOO_FEW})", row.gap
    low, high = (fixed(v, far) if math.isfinite(v) else "" for v in (row.lower, row.upper))
    limits = f"({low} to {high})" if low and high else f"(at least {low})" if low else ""
    return fixed(row.gap, far), limits or (f"(at most {high})" if high else ""), row.gap


def _mean_cells(c: Comparisons, ranking: Standing) -> dict[str, tuple[str, str, float]]:
    """Of ranks: every mean, with its difference from that of the reference."""
    first = c.means[ranking.reference]
    own, far = mean_decimals(c, ranking)
    return {
        name: (
            fixed(mean, own),
            ""
            if name == ranking.reference
            else f"{'+' * (mean > first)}{fixed(mean - first, far)}",
            mean,
        )
        for name, mean in c.means.items()
    }


def mean_decimals(c: Comparisons, ranking: Standing) -> tuple[int, int]:
    """Decimals of means and of their differences, where ranks decide."""
    first = c.means[ranking.reference]
    known = [abs(m - first) for m in c.means.values() if m == m and m != first]
    places = decimals_for(float(np.median(known)) if known else 0.01, 2)
    return max(places, 3) if abs(first) < 10 else places, places


def verdict_text(row: Ranked, ranking: Standing) -> str:
    """What is known of an algorithm, in a few words."""
    if row.badge is Badge.REFERENCE:
        return VERDICTS["reference"]
    if row.badge is Badge.BEATS:
        return VERDICTS["better"]
    if row.badge is Badge.BEHIND and not row.beaten_by:
        return VERDICTS["out"]
    if row.badge is Badge.BEHIND and len(row.beaten_by) == 1:
        return VERDICTS["worse"].format(name=printable(short(row.beaten_by[0], 18)))
    if row.badge is Badge.BEHIND:
        return VERDICTS["worse_many"].format(count=len(row.beaten_by))
    if row.badge is Badge.OPEN:
        return VERDICTS["alike"]
    return VERDICTS["best" if row.badge is Badge.BEST else "could"]


def strip_text(strip: Sequence[float]) -> str:
    """A digit per data set, 0 the worst there; a dot where there is no score."""
    return "".join("." if v != v else str(round(v * SHADES)) for v in strip)


# -- numbers --------------------------------------------------------------------------------------


def decimals_for(unit: float, digits: int) -> int:
    """Decimals by which `unit` has so many significant digits."""
    return max(digits - 1 - math.floor(math.log10(unit)), 0) if unit > 0 else 0


def decimals(ranking: Standing) -> tuple[int, int]:
    """Decimals of scores and of differences: limits set those of both."""
    unit = exact_to(ranking.rows)
    far = decimals_for(unit, 2)
    if ranking.by_ranks:
        return max(far, 1), max(far, 1)
    sizes = [abs(row.score) for row in ranking.rows if row.score and math.isfinite(row.score)]
    least = decimals_for(min(sizes, default=1.0), 3)
    return max(far, min(least, far + 1)), far


def fixed(value: float, places: int) -> str:
    """A number with so many decimals and a true minus sign; of very many by powers of ten.

    >>> fixed(-0.0123, 3), fixed(2.359e-07, 9)
    ('−0.012', '2.36e−7')
    """
    if not math.isfinite(value):
        return NO_DIFFERENCE
    if places > MOST_DECIMALS:
        size = math.floor(math.log10(abs(value))) if value else 0
        mantissa, _, power = f"{value:.{max(places + size, 0)}e}".partition("e")
        return f"{mantissa}e{int(power)}".replace("-", "−") if value else "0"
    text = f"{value:.{places}f}"
    return text.replace("-", "−") if float(text) else text.replace("-", "")


def _axis(rows: Sequence[Ranked]) -> Axis:
    return axis_of([v for row in rows for v in (row.gap, row.lower, row.upper) if v == v])


# -- for the script -------------------------------------------------------------------------------


def _live(c: Comparisons, ranking: Standing) -> dict[str, Any]:
    """The comparisons as short rows, and templates of the sentences that follow from them."""
    place = {name: i for i, name in enumerate(c.algorithms)}
    own, far = decimals(ranking)
    strips = {row.name: strip_text(row.strip) for row in ranking.rows}
    scores = [ranking.row(name).score for name in c.algorithms]
    return {
        "order": [place[row.name] for row in ranking.rows],
        "ranks": [rank_text(ranking.row(name)) for name in c.algorithms],
        "higher": c.higher_is_better,
        "pairs": pair_rows(c, place, c.factor),
        "sign": c.sign,
        "scores": [rounded(v, 6) for v in scores],
        "means": [rounded(v, 6) for v in c.means.values()] if ranking.by_ranks else None,
        "mean_decimals": mean_decimals(c, ranking),
        "decimals": [own, far],
        "control": None if ranking.control is None else place[ranking.control],
        "strips": [strips[name] for name in c.algorithms] if ranking.columns else None,
        "strip_blocks": list(ranking.columns),
        "race": c.is_race,
        "claims": claim_templates(c),
        "heads": {"best": _difference_head(c, ranking), "other": _other_head(c, ranking)},
    }


def _other_head(c: Comparisons, ranking: Standing) -> str:
    return _difference_head(c, ranking).replace(
        f"from {printable(short(ranking.control, 24)) if ranking.control else 'best'}",
        "from {name}",
    )


def pair_rows(c: Comparisons, place: Mapping[str, int], factor: float = 1.0) -> list[list[Any]]:
    """Every comparison as first, second, estimate, limits, adjusted p, code of the verdict, counts.

    Codes are those of `CODES`, 0 for inconclusive.
    """
    t: pd.DataFrame = c.pairs
    counts = [t[name].tolist() for name in COUNTS] if COUNTS[0] in t else []
    numbers = (
        [rounded(factor * v) for v in t[name].tolist()] for name in ("estimate", "lower", "upper")
    )
    return [
        list(each)
        for each in zip(
            (place[str(n)] for n in t["first"]),
            (place[str(n)] for n in t["second"]),
            *numbers,
            (rounded(v, 2) for v in t["p_adjusted"].tolist()),
            (CODES.get(v, 0) for v in t["verdict"]),
            *counts,
            strict=True,
        )
    ]


def rounded(value: float, digits: int = 5) -> float | int | None:
    """A number with a few significant digits, for the script."""
    if value is None or not math.isfinite(value):
        return None
    short_ = float(f"{value:.{digits}g}")
    return int(short_) if short_ == int(short_) and abs(short_) < 1e9 else short_
