"""Items that are right or wrong: McNemar's test of every pair with Bonett and Price's interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from scipy import special

from podium.base.errors import InferenceError
from podium.inference.bricks.contrasts import Pair
from podium.inference.bricks.estimates import correct
from podium.inference.bricks.nulls import NullBrick
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.mean_tests import MCNEMAR
from podium.inference.procedures.procedure import BY_HOLM, Cited
from podium.words.facts import Overall

FEW_ITEMS = 10  # below them mid-p errs up to 6.2 %, and the exact test is used
NULLS = ("mid-p", "exact")
NONE_DISCORDANT = "none-discordant"


class Asked(Protocol):
    """What of a request matters here."""

    pairs: tuple[Pair, ...]
    null: NullBrick

    @property
    def two_sided(self) -> bool:
        """Whether both directions count."""


@dataclass(frozen=True, eq=False)
class Shares:
    """Right and wrong answers of every pair, on the items that both have.

    `won` counts the items that only the first has right, `lost` those that only the second has.
    Equality is judged by McNemar's test, of the binomial of these; all else, limits and margins,
    by Bonett and Price's interval (2012): one answer of either kind is added, so that the
    interval does not collapse where such items are rare. Of one-sided tests and limits it takes
    the ends of the two-sided interval: ends of their own at 5 % err in up to 9.7 %.
    """

    won: np.ndarray
    lost: np.ndarray
    items: np.ndarray
    exact: bool
    two_sided: bool

    @property
    def discordant(self) -> np.ndarray:
        """How many items only one of two has right."""
        return self.won + self.lost

    @property
    def difference(self) -> np.ndarray:
        """Of the shares of right answers."""
        share = (self.won - self.lost) / np.maximum(self.items, 1)
        return np.where(self.items > 0, share, np.nan)

    @property
    def statistic(self) -> np.ndarray:
        """The root of McNemar's chi-square; NaN where two have no item in common."""
        found = np.divide(self.won - self.lost, np.sqrt(np.maximum(self.discordant, 1)))
        return np.where(self.items > 0, found, np.nan)

    @property
    def remarks(self) -> list[str]:
        """Pairs that never differ."""
        never = (self.discordant == 0) & (self.items > 0)
        return [NONE_DISCORDANT if none else "" for none in never]

    def p(self, null: np.ndarray, turn: int) -> np.ndarray:
        """Of equality by McNemar's test; of any other difference by the interval."""
        return np.where(null == 0, self._mcnemar(turn), self._beyond(null, turn))

    def _mcnemar(self, turn: int) -> np.ndarray:
        """The binomial chance of so few items of one kind, those of just as many counted half."""
        few = self.lost if turn > 0 else self.won if turn < 0 else np.minimum(self.won, self.lost)
        fewer = np.where(few > 0, special.bdtr(np.maximum(few - 1, 0), self.discordant, 0.5), 0.0)
        as_few = special.bdtr(few, self.discordant, 0.5)
        p = as_few if self.exact else (as_few + fewer) / 2
        return np.minimum(p if turn else 2 * p, 1.0)

    def _beyond(self, null: np.ndarray, turn: int) -> np.ndarray:
        """Whether the interval reaches `null`; without discordant items (1 - |null|)^n.

        A pair that differs by more shows no difference on n items at most so often. Equivalence
        asks either end of a two-sided interval and doubles what it gets.
        """
        centre, error = self._centre()
        side = np.sign(centre - null) if turn == 0 else turn
        tail = 2 * special.ndtr(-side * (centre - null) / error)
        none = np.clip(1 - np.abs(null), 0.0, 1.0) ** self.items
        p = np.minimum(np.where(self.discordant == 0, np.maximum(tail, none), tail), 1.0)
        return p / 2 if turn and self.two_sided else p

    def _centre(self) -> tuple[np.ndarray, np.ndarray]:
        n = self.items + 2
        first, second = (self.won + 1) / n, (self.lost + 1) / n
        return first - second, np.sqrt((first + second - (first - second) ** 2) / n)

    def limits(self, alpha: float, two_sided: bool) -> tuple[np.ndarray, np.ndarray]:
        """Bonett and Price's, or 1 - alpha^(1/n), about 3/n, where no item is discordant."""
        centre, error = self._centre()
        reach = special.ndtri(1 - alpha / 2) * error
        rule = 1 - alpha ** (1 / np.maximum(self.items, 1))
        reach = np.where(self.discordant == 0, np.maximum(reach, rule), reach)
        low, high = np.clip(centre - reach, -1, 1), np.clip(centre + reach, -1, 1)
        return np.minimum(low, self.difference), np.maximum(high, self.difference)

    def overall(self) -> Overall | None:
        """None of its own."""
        return None


def counted(right: np.ndarray, pairs: Sequence[Pair]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Items that only the first, that only the second has right, and that both of a pair have."""
    known = (~np.isnan(right)).astype(float)
    right = np.nan_to_num(right)
    first, second = np.array(pairs).T
    only = np.rint(right.T @ (known - right)).astype(int)  # the other is known to be wrong
    both = np.rint(known.T @ known).astype(int)
    return only[first, second], only[second, first], both[first, second]


def shares(layout: Layout, request: Asked) -> Shares:
    """Right and wrong answers of the pairs that are asked for."""
    if request.null.name not in NULLS:
        raise InferenceError(
            f"This procedure has no null '{request.null.name}'; use {' or '.join(NULLS)}, or "
            "mcnemar for others."
        )
    won, lost, items = counted(correct(layout), request.pairs)
    return Shares(won, lost, items, request.null.name == "exact", request.two_sided)


MID_P = replace(
    MCNEMAR,
    name="mcnemar-mid-p",
    title="McNemar test of each pair with Bonett and Price's intervals",
    words="McNemar's test of each pair, with the intervals of Bonett and Price",
    controls=BY_HOLM,
    references=(
        Cited("Fagerland, Lydersen, Laake (2013)"),
        Cited("Bonett, Price (2012)"),
    ),
    nulls=replace(MCNEMAR.nulls, default="mid-p", exact_below=FEW_ITEMS),
    reports=replace(MCNEMAR.reports, conservative=False),
    needs=replace(MCNEMAR.needs, margins=True, gaps=True),
    judge=replace(MCNEMAR.judge, test=shares),
)
PROCEDURES = (MID_P,)
