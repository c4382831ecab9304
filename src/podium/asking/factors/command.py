"""`podium analyze --factors`: the screen of effects, and what is written."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from podium.core.base.formatting import aligned, cells, columns, p_value, screen, shortened, wrapped
from podium.core.words.phrases import counted
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import glyphs, say_lines

if TYPE_CHECKING:
    from podium.asking.factors.judging import Effects

MOST_TERMS = 8  # interactions that are listed
LEAST, WIDEST = 12, 34  # columns that limits are drawn on


# -- the screen -----------------------------------------------------------------------------------


def say_effects(e: Effects, *, pairs: bool = False, why: bool = False) -> None:
    """The headline, levels with their differences, interactions, and labelled lines."""
    from podium.asking.factors import words
    from podium.showing.screens.standings import coloured, say_label

    width = screen()
    say(coloured(wrapped(words.headline(e), width, "  "), bold=True))
    if further := words.sentence(e):
        say(wrapped(further, width))
    for title, rows in sections(e, every=pairs):
        say()
        table = _columns(rows, title, width)
        left = [head for head in table if head not in ("mean", "p")]
        say_lines(columns(table, left=left, indent="  "))
    say()
    for label, texts in labelled(e, pairs=pairs, why=why):
        say_label(label, texts, width)


@dataclass(frozen=True)
class Line:
    """A row of the screen: what is told of, a number beside it, and the effect."""

    name: str
    beside: str  # a mean, or a p-value
    row: Mapping[str, Any] | None  # None: the level that others are compared with
    of: str = ""  # the factor of a level


def sections(e: Effects, *, every: bool) -> Iterator[tuple[tuple[str, ...], list[Line]]]:
    """Titles of columns and rows: of levels, of an ablation, of interactions, of single effects."""
    from podium.asking.factors import words
    from podium.asking.factors.designs import ABLATION

    ci = f"({100 * (1 - e.first.alpha):g} % CI, all together)"
    if e.design.kind == ABLATION:
        rows = e.of("ablation").to_dict("records")
        lines = [_contrast(row, words.change_text(e, row)) for row in rows]
        yield ("change", "p", f"base - changed {ci}"), lines
        return
    yield ("level", "mean", f"difference from best {ci}"), list(_levels(e))
    titles = {
        "main": "main effect",
        "nested": "effect within a level",
        "interaction": "interaction",
        "simple": "simple effect",
        "split": "share of all parts - none",
    }
    for family, title in titles.items():
        rows = e.of(family).to_dict("records")
        if rows and every:
            yield (title, "p", f"difference {ci}"), [_contrast(row) for row in rows]
        elif family == "interaction" and rows:
            rows = words.strongest(e.of(family), "statistic")
            title = "interaction" if e.has_two_levels else "interaction, largest contrast"
            yield (title, "p", f"difference {ci}"), [_term(e, r) for r in rows[:MOST_TERMS]]
        elif family in ("simple", "nested") and 0 < len(rows) <= MOST_TERMS:
            yield (title, "p", f"difference {ci}"), [_contrast(row) for row in rows]


def _contrast(row: Mapping[str, Any], name: str = "") -> Line:

    return Line(name or row["name"], p_value(row["p_adjusted"]), row)


def _term(e: Effects, row: Mapping[str, Any]) -> Line:
    return _contrast(row, row["name"].partition(":")[0] if e.has_two_levels else row["name"])


def _levels(e: Effects) -> Iterator[Line]:
    """Of every factor the levels, the best first, with how far the others are from it."""
    from podium.asking.factors.words import turned

    means = e.means[e.means["by"] == ""]
    spread = means["mean"].max() - means["mean"].min() or abs(means["mean"].iloc[0]) or 1.0
    texts = dict(zip(zip(means["factor"], means["level"], strict=True),
                     aligned(means["mean"].tolist(), spread / 10, 2), strict=True))  # fmt: skip
    sign = 1 if e.first.higher_is_better else -1
    for f, name in enumerate(e.factors.names):
        if f in e.factors.within:
            continue
        own = means[means["factor"] == name]
        order = own.sort_values("mean", ascending=sign < 0, kind="stable")["level"].tolist()
        rows = {frozenset((r["low"], r["high"])): r for r in e.of("main", f).to_dict("records")}
        for i, level in enumerate(order):
            row = rows[frozenset((order[0], level))] if i else None
            if row is not None and row["estimate"] * sign * (1 if row["low"] == level else -1) > 0:
                row = row if row["estimate"] > 0 else turned(row)  # how far this one is behind
            elif row is not None:
                row = turned(row) if row["estimate"] > 0 else row
            yield Line(level, texts[name, level], row, "" if i else name)


def _columns(lines: Sequence[Line], title: tuple[str, ...], width: int) -> dict[str, list[str]]:
    """Texts, pictures of limits and numbers."""
    from podium.asking.factors.words import interval_text

    texts = [interval_text(line.row) if line.row else "" for line in lines]
    numbers = [line.beside for line in lines]
    by_name = {}
    if any(line.of for line in lines):
        by_name["factor"] = [line.of for line in lines]
    by_name[title[0]] = [line.name for line in lines]
    others = [title[1], *numbers], [*texts]
    taken = sum(max(map(cells, column)) + 2 for column in others) + 4
    most = max((width - taken - LEAST) // len(by_name) - 2, 12)
    for head, names in by_name.items():
        short = shortened(list(dict.fromkeys(names)), most)
        by_name[head] = [short[name] for name in names]
    room = width - taken - sum(max(map(cells, (head, *n))) + 2 for head, n in by_name.items())
    drawn = _drawn([line.row for line in lines], min(room, WIDEST) if room >= LEAST else 0)
    both = [f"{picture}  {text}".rstrip() for picture, text in zip(drawn, texts, strict=True)]
    return {**by_name, title[1]: numbers, title[2]: both}


def _drawn(rows: Sequence[Mapping[str, Any] | None], room: int) -> list[str]:
    """Limits of differences on one scale; a level that others are compared with is at 0."""
    if not room:
        return [""] * len(rows)
    ends = [v for row in rows if row for v in (row["estimate"], row["lower"], row["upper"])]
    known = [v for v in ends if math.isfinite(v)]
    low, high = min([0.0, *known]), max([0.0, *known])
    signs = glyphs()

    def column(value: float) -> int:
        return round((value - low) / ((high - low) or 1.0) * (room - 1))

    lines = []
    for row in rows:
        cells = [" "] * room
        if row and math.isfinite(row["lower"]) and math.isfinite(row["upper"]):
            start, end = column(row["lower"]), column(row["upper"])
            cells[start : end + 1] = signs.bar * (end - start + 1)
        zero = column(0.0)
        cells[zero] = signs.cross if cells[zero] == signs.bar else signs.zero
        cells[column(row["estimate"]) if row else zero] = signs.dot
        lines.append("".join(cells))
    return lines


# -- labelled lines -------------------------------------------------------------------------------


def labelled(e: Effects, *, pairs: bool, why: bool) -> Iterator[tuple[str, list[str]]]:
    """What was measured on what, how it was judged, what limits it, and what else there is."""
    from podium.core.results.results import RECOGNISED
    from podium.core.words.facts import CAUTION, DETAIL
    from podium.core.words.saying import say as in_words
    from podium.showing.screens import terminal as lines

    yield lines.ABOUT, [lines.about(e.first)]
    yield lines.READ, lines.read_as(e.first.warnings)
    yield lines.TEST, list(_tested(e))
    if e.shares is not None:
        yield "Shares", [_shares(e)]
    grave = sorted(e.notes, key=lambda n: n.severity is not CAUTION)
    texts = [in_words(n) for n in grave if n.code != RECOGNISED
            and (why or n.severity is not DETAIL)]  # fmt: skip
    yield lines.CARE, texts
    more = [] if pairs else ["--pairs  every effect"]
    plot = "interaction" if len(e.of("interaction")) else "effects"
    more += ["--json effects.json", f"podium plot {plot} FILE --factors ..."]
    yield lines.MORE, ["    ".join(more)]


def _tested(e: Effects) -> Iterator[str]:
    nouns = {"main": "main effect", "interaction": "contrast of two factors",
             "simple": "simple effect", "ablation": "change", "split": "part",
             "nested": "effect within a level"}  # fmt: skip
    plurals = {"contrast of two factors": "contrasts of two factors",
               "effect within a level": "effects within a level"}  # fmt: skip
    rows = []
    for family, c in e.families.items():
        noun = nouns[family]
        shown = int((c.table["p_adjusted"] <= c.alpha).sum())
        assert c.judged is not None
        by = "" if len(c.table) == 1 else f" ({c.judged.adjust.name})"
        rows.append(f"{shown} of {counted(len(c.table), noun, plurals.get(noun, ''))}{by}")
    yield (
        f"{e.first.procedure}: every effect by its own variance over "
        f"{e.first.blocks.count} {e.first.blocks.noun}; significant: {', '.join(rows)}."
    )


LEAST_SHARE = 0.005  # that is told: it does not round to 0 %
MOST_SHARES = 5


def _shares(e: Effects) -> str:
    """How the variance between the combinations is shared out, largest first."""
    assert e.shares is not None
    rows = e.shares.table.sort_values("share", ascending=False, kind="stable")
    shares = zip(
        rows["term"], rows["share"], strict=True
    )  # free of noise, one may exceed the whole
    texts = [
        f"{term} {min(100 * share, 100):.0f} %" for term, share in shares if share >= LEAST_SHARE
    ]
    return (
        f"Of the variance between combinations: {', '.join(texts[:MOST_SHARES])}. Shares describe."
    )
