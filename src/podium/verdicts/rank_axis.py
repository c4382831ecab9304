"""Mean ranks on an axis, as a critical difference diagram has them, in letters of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from podium.cli.glyphs import Glyphs

if TYPE_CHECKING:
    from podium.inference.comparing.comparisons import Comparisons
    from podium.orders.order import Order

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
    from podium.inference.comparing.critical_values import critical_value
    from podium.verdicts import terminal

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
