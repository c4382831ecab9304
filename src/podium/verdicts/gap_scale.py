"""What gaps are drawn on, on a page and in a terminal: from gaps to percent of a width."""

from __future__ import annotations

import math
from collections.abc import Sequence

from podium.base.formatting import number
from podium.verdicts.standing import Row

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
