"""What the numbers of a brick are: a record that hangs on whatever makes them.

An estimate, a test of pairs or a posterior says what its numbers are (`gives`), and all that names
them, turns them or puts a unit behind them reads it there: a procedure whose estimate is replaced
tells the numbers of the new one. A function that says nothing gives "mean of NAME", of which larger
is better; where its estimates say that they are in the measure's unit, they have its direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, TypeVar

from podium.core.inference.bricks import shifts
from podium.core.inference.bricks.shifts import Location

BY_MEASURE = "{measure's own}"  # what is said of the best goes by the measure: "is the fastest"
HIGHEST = "has the {way} {level}"
RANKED = "ranks best in {measure}"
Brick = TypeVar("Brick", bound=Callable[..., Any])


@dataclass(frozen=True)
class Quantity:
    """What the numbers of a brick are.

    Attributes
    ----------
    estimand : what is estimated, as the details of comparisons name it.
    unit : their own, as ranks have one; empty: that of the measure.
    amount : the unit is of an amount, as a log ratio's; ranks and wins are none.
    ranks : ranks within blocks, 1 for the best, whose means are what is compared.
    strengths : log-strengths, which may be told as points of Elo.
    location : of each pair alone, what its test estimates.
    higher : of a unit of their own, whether larger is better; None: as of the measure.
    few_sums : few of their sums differ, as of ranks and signs: an exact null is cheap.
    spherical : all differences are taken to vary alike.
    unsaid : nobody said what they are.
    level : what every algorithm has, with `{measure}` in it; empty: the estimand.
    difference : what differences are called; empty: a difference in that level.
    best : what is said of the best, with `{measure}`, `{level}` or `{way}`, which is highest or
        lowest; empty: who has the highest or lowest level, of means what the measure says.
    open : what there is no significant difference in; empty: the level.
    """

    estimand: str = "mean"
    unit: str = ""
    amount: bool = False
    ranks: bool = False
    strengths: bool = False
    location: Location | None = None
    higher: bool | None = True
    few_sums: bool = False
    spherical: bool = False
    unsaid: bool = False
    level: str = ""
    difference: str = ""
    best: str = ""
    open: str = ""

    @property
    def is_mean(self) -> bool:
        """Whether they are means of the measure."""
        return self.estimand == "mean" and not self.unit

    @property
    def is_by_measure(self) -> bool:
        """Whether what is said of the best goes by the measure."""
        return self.best == BY_MEASURE or (self.is_mean and not self.best)

    @property
    def has_levels(self) -> bool:
        """Whether standings have it of every algorithm; beside others they show mean scores."""
        return self.is_mean or self.strengths or self.estimand == "value"

    @property
    def in_scores(self) -> bool:
        """Whether they are in the measure's unit; ranks and wins are not."""
        return not self.unit or (self.location is not None and self.location.in_scores)

    @property
    def is_bound_by_measure(self) -> bool:
        """Whether a difference is no larger than the measure's span."""
        return self.in_scores and not (self.strengths or self.unsaid)

    @property
    def ordinal(self) -> bool:
        """Whether who is ahead how often decides, and not by how much."""
        return not (self.in_scores or self.amount)

    @property
    def has_own_direction(self) -> bool:
        """Whether larger is better, or smaller, whatever the direction of the measure."""
        return not (self.ranks or self.in_scores or self.higher is None)

    def find_sign(self, of_measure: int) -> int:
        """What turns larger-is-better into their own direction; 1 where larger is better."""
        if self.ranks:
            return -1
        if self.has_own_direction:
            return 1 if self.higher else -1
        return of_measure

    def name_level(self, measure: str) -> str:
        """What every algorithm has: the mean error, say.

        >>> MEDIAN.name_level("error"), Quantity("share of firsts", "share").name_level("error")
        ('median error', 'share of firsts')
        """
        if self.level:
            return self.level.format(measure=measure)
        if self.is_mean:
            return f"mean {measure}"
        return self.estimand if self.unit or self.unsaid else f"{self.estimand} of {measure}"

    def name_unit(self, measure: str) -> str:
        """What differences are differences of: of means the measure."""
        level = self.name_level(measure)
        return level if self.unsaid else level.removeprefix("mean ")

    def name_difference(self, measure: str) -> str:
        """What a difference is called."""
        if self.difference or self.is_mean:
            return self.difference or "difference"
        return f"difference in {self.name_level(measure)}"

    def describe_best(self, measure: str, higher_is_better: bool) -> tuple[str, str]:
        """What is said of the best, and what there is no significant difference in.

        >>> TYPICAL.describe_best("error", False), MEAN_RANK.describe_best("error", False)
        (('has the lowest typical error', 'typical error'), ('ranks best in error', 'rank'))
        """
        level = self.name_level(measure)
        way = "highest" if self.find_sign(1 if higher_is_better else -1) > 0 else "lowest"
        best = (self.best or HIGHEST).format(measure=measure, level=level, way=way)
        return best, self.open or level

    def name_lead(self, measure: str) -> str:
        """By what somebody comes first, where that is all that may be said."""
        return measure if self.is_by_measure or self.best else self.name_level(measure)


# -- what bricks give -----------------------------------------------------------------------------


def gives(quantity: Quantity) -> Callable[[Brick], Brick]:
    """A decorator: the numbers of what it decorates are these.

    What has said so before says it still; another brick of the same code says this.

    >>> find_quantity(gives(MEDIAN)(min)).estimand, find_quantity(min).estimand
    ('median', 'mean of min')
    """

    def state(brick: Brick) -> Brick:
        stated: Any = (
            partial(brick) if _find_stated(brick) or not hasattr(brick, "__dict__") else brick
        )
        stated.quantity = quantity
        return stated

    return state


def find_quantity(brick: Callable[..., Any], otherwise: Quantity | None = None) -> Quantity:
    """What a brick says that its numbers are, or those that it is made of; else that nobody said.

    A class of somebody else's may have `quantity`, or facts by their names (`estimand`, `unit`).
    """
    return _find_stated(brick) or otherwise or _make_unsaid(_name_brick(brick))


def _find_stated(brick: Callable[..., Any]) -> Quantity | None:
    own = getattr(brick, "quantity", None)
    if isinstance(own, Quantity):
        return own
    if isinstance(brick, partial):
        whole = _find_stated(brick.func)
        if whole is None:
            return None
        parts = [each for each in (*brick.args, *brick.keywords.values()) if callable(each)]
        return find_quantity(parts[0]) if parts else whole
    known = {field.name for field in fields(Quantity)}
    said = {name: getattr(brick, name) for name in known if hasattr(brick, name)}
    return Quantity(**said) if {"estimand", "unit"} & {*said} else None


def _name_brick(brick: Callable[..., Any]) -> str:
    while isinstance(brick, partial):
        brick = brick.func
    name = str(getattr(brick, "__name__", type(brick).__name__))
    return name if name.isidentifier() else ""  # a lambda has none


def _make_unsaid(name: str) -> Quantity:
    """What is known of the numbers of a function that says nothing of them: larger is better."""
    estimand = f"mean of {name}" if name else "own estimate"
    return Quantity(estimand, unit=name or estimand, amount=True, unsaid=True)


def in_measure_unit(quantity: Quantity) -> Quantity:
    """The same numbers, now that they are known to be in the measure's unit and direction."""
    return replace(quantity, unit="")


# -- the quantities of Podium's bricks ------------------------------------------------------------


def _make_ranked(estimand: str, unit: str, **more: Any) -> Quantity:
    """Numbers made of ranks, which turn as the measure does."""
    words = {"level": f"{estimand} of {{measure}}", "best": RANKED, "open": "rank"}
    return Quantity(
        estimand, unit, higher=None, **({"difference": "difference in ranks"} | words | more)
    )


MEAN = Quantity()
SPHERICAL_MEAN = Quantity(spherical=True)
MEDIAN = Quantity("median", level="median {measure}", difference="median difference", best=HIGHEST)
WORST_TENTH = Quantity("90 % worst value", difference="difference", best=BY_MEASURE)
VALUE = Quantity("value", level="{measure}", difference="difference", best=BY_MEASURE)
LOG_STRENGTH = Quantity("log-strength", strengths=True, difference="difference", best=BY_MEASURE)
MEAN_RANK = _make_ranked("mean rank", "rank", ranks=True, difference="difference")
WEIGHTED_RANK = _make_ranked("mean weighted rank", "weighted rank")
ALIGNED_RANK = _make_ranked("mean aligned rank", "aligned rank")
NORMAL_SCORE = _make_ranked("mean normal score", "normal score")
RANK_EFFECT = _make_ranked("effect of ranks", "effect of ranks")
RANK_AMONG_ALL = _make_ranked("mean rank among all samples", "rank among all samples")
TYPICAL = Quantity(
    "pseudo-median",
    "pseudo-median",
    location=shifts.SIGNED_RANKS,
    few_sums=True,
    level="typical {measure}",
    difference="typical difference",
    best=HIGHEST,
)
TYPICAL_WITH_ZEROS = replace(TYPICAL, location=shifts.PRATT)
TYPICAL_OF_SAMPLES = replace(TYPICAL, location=shifts.RANK_SUMS, few_sums=False)
NET_WINS = _make_ranked(
    "net wins",
    "net wins",
    location=shifts.SIGNS,
    few_sums=True,
    level="net wins",
    difference="difference in net wins",
)
FIRST_FOLD = Quantity(
    "first-fold",
    "first fold",
    location=shifts.FIRST_FOLD,
    level="first-fold {measure}",
    difference="first-fold difference",
    best=HIGHEST,
)
