"""The standings in a terminal: a row per algorithm with its gap to the best, drawn and told."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from podium.core.base.formatting import (
    aligned,
    cells,
    columns,
    number,
    p_value,
    padded,
    printable,
    screen,
    shortened,
    wrapped,
)
from podium.core.results.results import RECOGNISED
from podium.core.verdicts.standing import Row
from podium.core.words.notes.of_surveys import strata_heading
from podium.core.words.phrases import plain
from podium.core.words.saying import as_text, noted
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import Glyphs, glyphs, say_lines

if TYPE_CHECKING:
    from podium.core.inference.comparing.comparisons import Comparisons
    from podium.core.orders.order import Order
    from podium.core.verdicts.standing import Standing
    from podium.core.words.facts import Note
    from podium.core.words.phrases import Marked
    from podium.core.words.saying import Presented


LEAD, WARNING = "cyan", "yellow"
MOST_ROWS = 25  # algorithms that are all listed
MOST_LEADING, MORE = 15, 3  # of more, so many of the lead, and of those that follow
LEAST, WIDEST = 14, 34  # columns that gaps are drawn on
NAMES = 31  # columns that a name gets before the picture is wider than it must be
PLACE = "rank"  # a head


def coloured(
    text: str, *, lead: bool = False, bold: bool = False, soft: bool = False, warns: bool = False
) -> str:
    """A text in colour; click leaves it plain where no terminal shows it."""
    if os.environ.get("NO_COLOR"):
        return text
    colour = LEAD if lead else WARNING if warns else None
    return click.style(text, fg=colour, bold=bold or None, dim=soft or None)


def say_verdict(text: Marked, width: int) -> None:
    """The sentence that comes first, the names of the lead in colour."""

    lines = wrapped(plain(text), width, "  ")
    if "\n" in lines:
        say(coloured(lines, bold=True))
    else:
        say("".join(coloured(part, lead=name, bold=True) for part, name in text))


def say_standings(
    c: Comparisons, standing: Standing, order: Order, width: int, *, every: bool
) -> None:
    """The table; of very many algorithms the lead and the next unless all are asked for."""
    from podium.showing.screens import terminal

    rows = list(standing.rows) if every or len(standing.rows) <= MOST_ROWS else _first(standing)
    for line in _lines(c, standing, order, rows, width):
        say(line)
    if hidden := standing.rows[len(rows) :]:
        text = terminal.more_algorithms([row.name for row in hidden], _may_be_best(standing))
        say(f"  {wrapped(text, width - 2, '    ')}")


def _may_be_best(standing: Standing) -> Sequence[str]:
    return standing.lead if standing.control is None else ()


def _first(standing: Standing) -> list[Row]:
    return list(standing.rows[: min(len(standing.lead), MOST_LEADING) + MORE])


class Room(NamedTuple):
    """How the columns of a screen are shared out."""

    names: dict[str, str]  # as they fit
    drawn: int  # columns that gaps are drawn on
    limits: bool  # whether these are written
    head: str  # of the names

    @property
    def widest(self) -> int:
        """Of the names."""

        return max([*map(cells, self.names.values()), len(self.head)])


def _shared(
    rows: Sequence[Row], rest: int, gaps: Mapping[bool, int], width: int, head: str
) -> Room:
    """Names come before limits, limits before a wide picture."""

    names = [row.name for row in rows]
    longest = max(len(head), *map(cells, names))
    for limits in (True, False):
        free = width - rest - gaps[limits] - 4
        drawn = min(free - min(longest, NAMES), WIDEST)
        if drawn >= LEAST and free - drawn >= longest:
            return Room(shortened(names, longest), drawn, limits, head)
    room = Room(shortened(names, max(free - LEAST, 9)), LEAST, limits=False, head=head)
    if room.widest + LEAST <= free:
        return room
    drawn = min(max(free - room.widest, 0), WIDEST)  # names that differ in the middle only
    return Room(room.names, drawn if drawn >= LEAST else 0, limits=False, head=head)


def _on_ranks(c: Comparisons, standing: Standing) -> bool:
    """Whether rows are drawn on an axis of mean ranks: those of a test without limits."""
    no_limits = bool(c.table[["lower", "upper"]].isna().to_numpy().all())
    return standing.by_ranks and standing.control is None and no_limits


def _lines(
    c: Comparisons, standing: Standing, order: Order, rows: Sequence[Row], width: int
) -> Iterator[str]:
    """The head, the rows, and a line below the lead; below mean ranks who is not told apart."""
    from podium.core.verdicts.standing import compared
    from podium.showing.screens import terminal

    signs, scale = glyphs(), Scale.of(rows)
    numbers = [[head, *texts] for head, texts in _scores(c, [row.name for row in rows]).items()]
    sizes = [max(map(cells, column)) for column in numbers]
    places = [PLACE, *map(terminal.place, rows)]
    wide = max(map(len, places))
    gaps = {limits: _gaps(standing, rows, limits=limits) for limits in (True, False)}
    on_ranks = _on_ranks(c, standing)
    if on_ranks:
        gaps = dict.fromkeys(gaps, [""] * len(rows))
    rest = 6 + wide + sum(size + 2 for size in sizes)
    lengths = {k: max(map(cells, v)) for k, v in gaps.items()}
    room = _shared(rows, rest, lengths, width, compared(c))

    def cells_of(i: int, name: str) -> list[str]:
        texts = [" " * (size - cells(column[i])) + column[i]
                 for column, size in zip(numbers, sizes, strict=True)]  # fmt: skip
        return [padded(places[i], wide), padded(name, room.widest), *texts]

    before = "    " + "  ".join([*cells_of(0, room.head), ""])
    head = terminal.standing_heads(c, standing, width - cells(before))
    axis = RankAxis(len(standing.rows), room.drawn, signs) if on_ranks and room.drawn else None
    if axis is not None:
        head = axis.head()
    yield coloured(f"\n{before}{head}", soft=True)
    cut = sum(row.name in standing.lead for row in rows) if standing.control is None else 0
    for i, row in enumerate(rows):
        if cut and i == cut:
            yield coloured("  " + signs.cut * (width - 4), soft=True)
        gap = gaps[room.limits][i]
        own = row.name == standing.reference
        drawn = axis.row(row.score) if axis else _drawn(row, scale, room.drawn, signs, own=own)
        texts = [*cells_of(i + 1, room.names[row.name]), *[drawn] * bool(room.drawn), gap]
        mark = signs.lead if row.leads else " "
        line = f"  {mark} {'  '.join(texts)}".rstrip()
        yield coloured(line, lead=True) if row.leads else line
    if axis is not None:
        for line in below_ranks(axis, c, order):
            yield coloured(" " * cells(before) + line, soft=True)


def _scores(c: Comparisons, names: Sequence[str]) -> dict[str, list[str]]:
    """Every algorithm's own numbers: its mean and what else there is, by what is compared."""

    means = [c.means[name] for name in names]
    known = any(mean == mean for mean in means)  # none of several measures
    columns = {"mean": aligned(means, _smallest(means), digits=4)} if known else {}
    if c.blocks.partial:  # of battles a mean is the share that was won
        columns = {"win rate": [f"{100 * mean:.0f} %" for mean in means]}
    if c.judged is not None and c.judged.elo is not None:
        elo = {"Elo": [f"{c.judged.elo[name]:.0f}" for name in names]}
        if c.extras.covariates is not None and c.extras.covariates.asked:
            plain = c.judged.points(c.extras.covariates.unadjusted)
            elo["unadjusted"] = [f"{plain[name]:.0f}" for name in names]
        columns = elo | columns
    if c.extras.scores is not None:
        errors = c.extras.scores.set_index("algorithm")["standard_error"].loc[list(names)].tolist()
        least = min((e for e in errors if e > 0), default=_smallest(means) / 10)
        columns = {
            "mean": aligned(means, least, digits=2),
            "s.e.": aligned(errors, least, digits=2),
        }
    if c.extras.standing is not None:
        standing = [c.extras.standing[name] for name in names]
        columns["P(best)"] = [p_value(s.best) for s in standing]
        columns["exp. rank"] = aligned([s.expected_rank for s in standing], 1.0, digits=3)
    if c.mean_ranks is not None:
        columns["mean rank"] = aligned([c.mean_ranks[name] for name in names], 1.0, digits=3)
    return columns


def _gaps(standing: Standing, rows: Sequence[Row], *, limits: bool) -> list[str]:
    from podium.core.verdicts.standing import exact_to

    flat = [v for row in rows for v in (row.gap, row.lower, row.upper)]
    texts = aligned(flat, exact_to(rows), 2)
    return [_gap(standing, row, texts[3 * i :][:3], limits=limits) for i, row in enumerate(rows)]


def _gap(standing: Standing, row: Row, texts: Sequence[str], *, limits: bool) -> str:
    from podium.core.verdicts.standing import NOT_COMPARED, TOO_FEW

    size, low, high = texts
    if row.name == standing.reference:
        return ""
    if math.isnan(row.gap):
        return NOT_COMPARED
    if row.too_few and limits:
        return f"{size} ({TOO_FEW})"
    if not limits or not (math.isfinite(row.lower) or math.isfinite(row.upper)):
        return size
    if math.isnan(row.lower) or math.isnan(row.upper):
        return f"{size} (at least {low})" if math.isnan(row.upper) else f"{size} (at most {high})"
    return f"{size} ({low} to {high})"


def _drawn(row: Row, scale: Scale, room: int, signs: Glyphs, *, own: bool) -> str:
    """An interval in so many columns."""
    cells = [" "] * room
    if not room:
        return ""

    def column(percent: float) -> int:
        return min(int(percent / 100 * room), room - 1)

    zero = column(scale.at(0.0))
    bar = None if own else scale.bar(row)
    if bar is not None:
        start, end = column(bar[0]), column(bar[0] + bar[1])
        cells[start : end + 1] = signs.bar * (end - start + 1)
    cells[zero] = signs.cross if cells[zero] == signs.bar else signs.zero
    if own or math.isfinite(row.gap):
        cells[zero if own else column(scale.at(row.gap))] = signs.dot
    return "".join(cells)


MOST_LETTERED = 26


def say_letters(order: Order, names: Sequence[str]) -> None:
    """Who shares a letter, where the order in a line leaves that open."""
    from podium.showing.screens import terminal

    if "≿" not in order.joints or len(names) > MOST_LETTERED:
        return
    letters = order.letters()
    table = {"letters": [letters[name] for name in names], "algorithm": [*map(printable, names)]}
    say("\n" + columns(table, left=["algorithm", "letters"], indent="  "))
    say(f"  {terminal.LETTERS}")


def say_means(c: Comparisons, names: Sequence[str]) -> None:
    """Every algorithm's numbers, the best first; one alone with its interval."""
    from podium.showing.screens import terminal

    table = {"algorithm": [printable(name) for name in names], **_scores(c, names)}
    if c.interval is not None:
        ends = [number(end, 4) for end in (c.interval.lower, c.interval.upper)]
        table[terminal.interval(c)] = [" to ".join(ends)]
    say("\n" + columns(table, left=["algorithm"], indent="  "))


def say_own(c: Comparisons, names: Sequence[str]) -> None:
    """Of items every algorithm's own score with its interval."""
    from podium.showing.screens import terminal

    if c.extras.scores is None:
        return
    own = c.extras.scores.set_index("algorithm").loc[list(names)]
    reach = min((e for e in own["standard_error"] if e > 0), default=1.0)
    low, high = (aligned(own[end].tolist(), reach, digits=2) for end in ("lower", "upper"))
    table = {
        "algorithm": [printable(name) for name in names],
        **_scores(c, names),
        terminal.own_interval(c): [" to ".join(ends) for ends in zip(low, high, strict=True)],
    }
    say("\n" + columns(table, left=["algorithm"], indent="  "))


def _smallest(means: Sequence[float]) -> float:
    return min((abs(m) for m in means if m and m == m), default=1.0)


MOST_STRATA = 60  # rows


def say_strata(result: Any) -> None:
    """Scores by stratum, and what came of the test of interaction."""

    say(f"\n{wrapped(strata_heading(result), screen(), '  ')}\n")
    means = result.scores.groupby("algorithm", sort=False)["mean"].mean()
    best = means.sort_values(ascending=not result.higher_is_better, kind="stable").index
    best = best[: max(MOST_STRATA // len(result.strata), 2)]
    rows = result.scores[result.scores["algorithm"].isin(best)]
    errors = [e for e in rows["standard_error"] if e > 0]
    unit = min(errors, default=1.0)
    numbers = {n: aligned(rows[n].tolist(), unit, digits=2) for n in ("mean", "lower", "upper")}
    table = {n: [printable(v) for v in rows[n]] for n in ("stratum", "algorithm")}
    table |= {"items": [str(n) for n in rows["items"]], **numbers}
    say(columns(table, left=["stratum", "algorithm"], indent="  "))
    if len(result.scores) > len(rows):
        say(f"  The best {len(best)} of {len(result.algorithms)}: --json FILE writes all.")
    for note in result.notes:
        if note.code in ("small-strata", "few-in-strata", "strata-never-vary"):
            say(wrapped(noted(note), screen(), "  "))


# -- gap scale ------------------------------------------------------------------------------------
# What gaps are drawn on, on a page and in a terminal: from gaps to percent of a width.


FARTHEST = 6.0  # times the usual limit: what lies beyond is written at the edge
MARGIN = 3.0  # percent of the width at both sides


class Scale:
    """From gaps to percent of the width, with round numbers to write below."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    @classmethod
    def of(cls, rows: Sequence[Row], farthest: float = FARTHEST) -> Scale:
        """A scale that holds nothing, all dots and their limits, but for what is far away."""
        ends = [v for row in rows for v in (row.gap, row.lower, row.upper) if math.isfinite(v)]
        high, low = max([*ends, 0.0]), min([*ends, 0.0])
        reach = sorted(max(abs(v) for v in (row.gap, row.upper) if math.isfinite(v))
                       for row in rows if row.gap and math.isfinite(row.gap))  # fmt: skip
        if len(reach) > 2:
            most = farthest * reach[len(reach) // 2]
            high, low = min(high, most), max(low, -most)
        if high == low:
            return cls(-1.0, 1.0)
        return cls(low, high)

    def at(self, value: float) -> float:
        """Percent of the width."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(MARGIN + share * (100 - 2 * MARGIN), 2)

    def inside(self, value: float) -> float | None:
        """The same; None where it does not fit."""
        if not math.isfinite(value) or not self.low <= value <= self.high:
            return None
        return self.at(value)

    def bar(self, row: Row) -> tuple[float, float] | None:
        """Where the limits begin and how wide they are; to the edge where one has no end."""
        if math.isnan(row.lower) and math.isnan(row.upper):
            return None
        low = self.low if math.isnan(row.lower) else row.lower
        high = self.high if math.isnan(row.upper) else row.upper
        if low > self.high or high < self.low:
            return None
        start, end = self.at(low), self.at(high)
        return start, round(end - start, 2)

    @property
    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Round numbers, nothing among them."""
        rough = (self.high - self.low) / 4
        size = 10.0 ** math.floor(math.log10(rough))
        step = next(n * size for n in (1, 2, 2.5, 5, 10) if n * size >= rough * 0.999)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        values = [round(i * step, 12) for i in range(first, last + 1)]
        return tuple((self.at(v), number(v, 3)) for v in values)


# -- rank axis ------------------------------------------------------------------------------------
# Mean ranks on an axis, as a critical difference diagram has them, in letters of a terminal.


MOST_TICKS = 8
MOST_BARS = 6  # of more the picture would tell nothing
STEPS = (1, 2, 5, 10, 20, 50, 100)


@dataclass(frozen=True)
class RankAxis:
    """Ranks from 1 to `count` on so many columns."""

    count: int
    width: int
    signs: Glyphs

    @property
    def ticks(self) -> list[int]:
        """The ranks that are written: 1, the last where it has room, and round ones."""
        step = next((s for s in STEPS if self.count / s <= MOST_TICKS), STEPS[-1])
        return [1, *range(1 + step if step == 1 else step, self.count + 1, step)]

    def column(self, rank: float) -> int:
        """Where a rank is drawn."""
        return round((rank - 1) / max(self.count - 1, 1) * (self.width - 1))

    def head(self) -> str:
        """The ranks above their ticks."""
        line = " " * (self.width + 2)
        for tick in self.ticks:
            at = self.column(tick)
            line = f"{line[:at]}{tick}{line[at + len(str(tick)) :]}"
        return line.rstrip()

    def row(self, rank: float) -> str:
        """One mean rank among the ticks."""
        cells = [" "] * self.width
        for tick in self.ticks:
            cells[self.column(tick)] = self.signs.cut
        cells[self.column(rank)] = self.signs.dot
        return "".join(cells)

    def bar(self, low: float, high: float) -> str:
        """From one mean rank to another."""
        start, end = self.column(low), self.column(high)
        return " " * start + self.signs.group * (end - start + 1)

    def length(self, value: float) -> str:
        """A difference of mean ranks, from the first on; empty where it does not fit."""
        long = round(value / max(self.count - 1, 1) * (self.width - 1)) + 1
        if not 3 <= long <= self.width:
            return ""
        return self.signs.left + self.signs.bar * (long - 2) + self.signs.right


def below_ranks(axis: RankAxis, c: Comparisons, order: Order) -> Iterator[str]:
    """Who is not told apart as bars, and the critical difference, where all pairs share it."""
    from podium.core.inference.comparing.evidence import critical_value
    from podium.showing.screens import terminal

    ranks = c.mean_ranks or {}
    bars = not_told_apart(order, ranks)
    for low, high in bars if len(bars) <= MOST_BARS else []:
        yield f"{axis.bar(low, high)} inconclusive"
    value = critical_value(c, ranks)
    if value == value and (drawn := axis.length(value)):
        yield f"{drawn} {terminal.critical_difference(value)}"


def not_told_apart(order: Order, ranks: Mapping[str, float]) -> list[tuple[float, float]]:
    """The ends of groups that share a letter; none where a group has a gap within."""
    groups: dict[str, list[str]] = {}
    for name, letters in order.letters().items():
        for letter in letters:
            groups.setdefault(letter, []).append(name)
    results = [_ends(group, ranks) for group in groups.values() if len(group) > 1]
    whole = all(_is_whole(group, ranks) for group in groups.values())
    return sorted(results) if whole else []


def _ends(names: Sequence[str], ranks: Mapping[str, float]) -> tuple[float, float]:
    own = [ranks[name] for name in names]
    return min(own), max(own)


def _is_whole(names: Sequence[str], ranks: Mapping[str, float]) -> bool:
    """Whether no other algorithm lies between those of a group."""
    low, high = _ends(names, ranks)
    return all(name in names for name, rank in ranks.items() if low < rank < high)


# -- labelled lines -------------------------------------------------------------------------------
# Lines behind a label in a terminal.


LABEL = 11  # columns of a label


def say_label(label: str, texts: Sequence[str], width: int, warned: int = 0) -> None:
    """Texts below each other behind a label; the first so many are warnings."""

    for i, text in enumerate(texts):
        for j, line in enumerate(wrapped(text, width - LABEL).split("\n")):
            shown = coloured(line, warns=True) if i < warned else line
            _say_labelled_line(label if not i and not j else "", shown)


def _say_labelled_line(label: str, text: str) -> None:

    say(f"{coloured(f'{label:<{LABEL}}', bold=True) if label else ' ' * LABEL}{text}")


def say_presented(result: Presented, *, why: bool) -> None:
    """The lines and tables of a result, and its caveats."""

    say_lines(as_text(result.above, result._texts(), ()))
    if result.below:
        say()
        say_caveats(result.below, why=why)


def say_caveats(notes: Sequence[Note], *, why: bool) -> None:
    """How the source was read, and what changes the conclusion; with --why every note in full."""
    from podium.showing.screens import terminal

    width = screen()
    say_label(terminal.READ, terminal.read_as(notes), width)
    if why:
        for note in notes:
            if note.code != RECOGNISED:
                say(wrapped(noted(note), width, "  "))
        return
    lines = list(terminal.caveats(notes))
    warned = sum(warns for _, warns in lines)
    say_label(terminal.CARE, [text for text, _ in lines], width, warned=warned)
    if any(map(terminal.waits, notes)):
        say_label(terminal.MORE, ["--why  all notes in full"], width)
