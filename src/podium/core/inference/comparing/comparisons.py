"""Comparisons: evidence about pairs of algorithms; prints, shows and exports itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.formatting import aligned, p_value, text_or_digits
from podium.core.inference.bricks.adjustments import Adjustment
from podium.core.inference.bricks.clustered import AnswerParts
from podium.core.inference.bricks.nulls import NullBrick
from podium.core.inference.bricks.quantities import MEAN, Quantity
from podium.core.inference.comparing.decision import MEANS, RANKS, Decision, Kind, decision
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers.boundaries import RACE
from podium.core.inference.procedures.covariates import Effects
from podium.core.inference.procedures.procedure import Options, Procedure
from podium.core.questions.options import PlannedAndDone
from podium.core.questions.targets import BLOCKS
from podium.core.results.results import reading_facts
from podium.core.words import statements as headings
from podium.core.words.facts import (
    INVALID,
    ModelFacts,
    Note,
    Overall,
    Sequential,
    Standing,
    Statement,
)
from podium.core.words.phrases import ELO
from podium.core.words.saying import Presented, Texts, noted
from podium.core.words.statements import statement as in_words

# -- compared on ----------------------------------------------------------------------------------
# What was compared on and how, as comparisons tell it.


UNADJUSTED = "none"


@dataclass(frozen=True)
class Blocks:
    """What was compared on: the kind of block, how many, and how they were drawn."""

    kind: str
    count: int
    sampling: str | None = None
    of_clusters: bool = False

    @property
    def text(self) -> str:
        """What the blocks are, in words."""
        return ("clusters of " if self.of_clusters else "") + BLOCKS[self.kind].text

    @property
    def noun(self) -> str:
        """What the blocks are, in a word or two."""
        return "clusters" if self.of_clusters else BLOCKS[self.kind].noun

    @property
    def partial(self) -> bool:
        """Whether every block has some of the algorithms only, as a choice has."""
        return BLOCKS[self.kind].partial

    def to_dict(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "kind": self.kind,
            "text": self.text,
            "count": self.count,
            "sampling": self.sampling,
        }


def blocks_of(layout: Layout, count: int | None = None) -> Blocks:
    """What a layout is compared on."""
    drawn = str(layout.origin.sampling) if layout.origin.sampling else None
    count = len(layout.values) if count is None else count
    return Blocks(layout.block, count, drawn, layout.items.of_clusters)


@dataclass(frozen=True)
class Interval:
    """The interval of one algorithm's expected score, and how it was made."""

    lower: float
    upper: float
    method: str

    @property
    def title(self) -> str:
        """What was done."""
        return headings.interval_of_one(self.method)

    def to_dict(self) -> dict[str, Any]:
        """The contract's details."""
        return {"lower": self.lower, "upper": self.upper, "method": self.method}


@dataclass(frozen=True, eq=False)
class Method:
    """How pairs were judged: the procedure's record, the bricks that were used, their findings."""

    procedure: Procedure
    null: NullBrick
    adjust: Adjustment
    model: ModelFacts | None = None
    mean_ranks: Mapping[str, float] | None = None
    epsilon: float | None = None  # how alike differences vary, where that is assumed
    strengths: Mapping[str, float] | None = None  # logs, of choices

    @property
    def title(self) -> str:
        """The procedure with the bricks that were used; a posterior has none."""
        if self.procedure.bayes.posterior is not None:
            return self.procedure.title
        return headings.with_bricks(self.procedure.title, self.named_null, self.adjust.name)

    @property
    def named_null(self) -> str:
        """The null, where it does not go without saying."""
        own = self.procedure.nulls.default == str(self.null) == "asymptotic"  # a t, or an F
        return "" if own else str(self.null)

    @property
    def elo(self) -> dict[str, float] | None:
        """Strengths in points of Elo, 1000 on average: ten to one are 400 points."""
        return None if self.strengths is None else self.points(self.strengths)

    @staticmethod
    def points(logs: Mapping[str, float]) -> dict[str, float]:
        """Log-strengths in points of Elo."""
        return {name: 1000 + ELO * logs[name] for name in logs}

    @property
    def is_own_adjustment(self) -> bool:
        """Whether the adjustment is the procedure's own, whose control is known."""
        return self.adjust.name == self.procedure.adjust

    @property
    def controls(self) -> str:
        """Which error is controlled."""
        return str(self.procedure.controls) if self.is_own_adjustment else self.adjust.text

    def to_dict(self) -> dict[str, Any]:
        """The contract's details."""
        quantity = self.procedure.quantity
        facts: dict[str, Any] = {
            "null": str(self.null),
            "adjustment": self.adjust.name,
            "controls": self.controls,
            "holds under": self.procedure.null,
            "reference": self.procedure.reference,
            "estimates of": quantity.estimand,
        }
        if quantity.unit:
            facts["unit"] = quantity.unit
        if quantity.has_own_direction:
            facts["higher is better"] = quantity.higher
        if self.model is not None:
            facts |= self.model.to_dict()
        more = {"mean_ranks": self.mean_ranks, "epsilon": self.epsilon, "elo": self.elo}
        return facts | {name: value for name, value in more.items() if value is not None}


# -- comparisons ----------------------------------------------------------------------------------


COLUMNS = [
    "first",
    "second",
    "estimate",
    "lower",
    "upper",
    "statistic",
    "p",
    "p_adjusted",
    "verdict",
]
LIMITS = (
    ("lower", "upper"),  # at 1 - alpha: who is better
    ("equivalence_lower", "equivalence_upper"),  # at 1 - 2 alpha: who is equivalent
    ("mean_lower", "mean_upper"),  # of means beside ranks
)
COUNTS = ("wins", "ties", "losses")  # blocks in which the first is better, as good, worse
WON = "w/t/l"  # the same in one column
TEXTS = ("algorithm", "first", "second", "verdict")  # the columns that are no numbers
_OPPOSITE = {"better": "worse", "non-inferior": "non-superior"}
TURNED = _OPPOSITE | {b: a for a, b in _OPPOSITE.items()}  # a verdict seen from the second


@dataclass(frozen=True, eq=False)
class Extras:
    """What some designs and procedures tell besides pairs."""

    companion: Comparisons | None = None  # the same pairs by ranks, beside a test of means
    sequential: Sequential | None = None  # of a study that may stop
    registered: PlannedAndDone | None = None  # of a study with a plan
    standing: Mapping[str, Standing] | None = None  # by a posterior: who is the best, and the ranks
    # by a posterior: chances of all pairs (lose, same, win) with another region
    chances: Callable[[float], np.ndarray] | None = None
    # of ranks: significant pairs that would not be so without another algorithm
    falls: tuple[tuple[str, str, str], ...] = ()
    scores: pd.DataFrame | None = None  # of items: each algorithm's own, with error and interval
    answers: AnswerParts | None = None  # of items with several answers: what they vary by
    covariates: Effects | None = None  # of choices: what strengths were adjusted for
    options: Options | None = None  # what was asked, for whoever asks the same again


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(Presented):
    """One row per pair: what a study says about two algorithms.

    `estimate` is mean(first) - mean(second) in the measure's own unit and sign; of tests of ranks
    it is the difference of mean ranks (rank 1 is the best), of signed ranks the pseudo-median of
    the differences, of signs the net wins, with `mean_difference` beside it. `lower` and `upper`
    hold for all pairs at once; `verdict` is about `first`. `method` says how they were judged; one
    algorithm alone has an interval instead.

    >>> import podium
    >>> scores = {"svm": [0.1, 0.2, 0.3, 0.2], "lda": [0.3, 0.5, 0.4, 0.3]}
    >>> made = podium.compare(podium.read(scores, sampling="bootstrap", measure="error"))
    >>> made.table[["first", "second", "verdict"]].values.tolist(), made.procedure
    ([['svm', 'lda', 'better']], 'hull')
    """

    table: pd.DataFrame
    algorithms: tuple[str, ...]
    means: Mapping[str, float]
    measure: str
    higher_is_better: bool
    procedure: str
    method: Method | Interval
    blocks: Blocks
    target: str
    claim: Statement  # what it is about
    overall: Overall | None
    dataset: str = ""  # the one data set, empty where blocks are data sets
    alternative: str = "two-sided"
    alpha: float = 0.05
    relevance: float = 0.0
    warnings: Sequence[Note] = ()
    counts: pd.DataFrame | None = None  # wins, ties, losses of the first of every pair, in blocks
    extras: Extras = field(default_factory=Extras)

    def _facts(self) -> dict[str, Any]:
        """The contract's object less `order`, which a decision adds."""
        facts = {
            "measure": self.measure,
            "higher_is_better": self.higher_is_better,
            "procedure": self.procedure,
            "title": self.title,
            "blocks": self.blocks.to_dict(),
            "target": self.target,
            "statement": self.statement,
            "alternative": self.alternative,
            "alpha": self.alpha,
            "relevance": self.relevance,
            "means": dict(self.means),
            "global": self.overall,
            "pairs": self.pairs,
            "warnings": list(self.warnings),
            "details": self.method.to_dict(),
            **self.decision.to_dict(),
            "ranks": self.extras.companion._beside() if self.extras.companion else None,
            "reading": reading_facts(self.warnings) or None,
        }
        if "mean_difference" in self.table:
            facts["best_mean"] = self.best_mean
        if self.decides == RANKS:
            names = ("better", "worse", "without")
            facts["falls"] = [dict(zip(names, each, strict=True)) for each in self.extras.falls]
        if self.extras.scores is not None:
            facts["scores"] = self.extras.scores
        if self.extras.answers is not None:
            facts["answers"] = self.extras.answers.to_dict()
        if self.extras.covariates is not None:
            facts["covariates"] = self.extras.covariates.to_dict()
        if self.extras.sequential is not None:
            facts["sequential"] = self.extras.sequential.to_dict()
        if self.extras.registered is not None:
            facts |= self.extras.registered.to_dict()
        return facts | ({"posterior": self._posterior()} if self.has_posterior else {})

    def _beside(self) -> dict[str, Any]:
        """What is told of it beside another test."""
        columns = ["first", "second", "estimate", "lower", "upper", "p", "p_adjusted", "verdict"]
        return {
            "procedure": self.procedure,
            "title": self.title,
            "mean_ranks": dict(self.means),
            "pairs": self.table[columns],
        }

    @cached_property
    def decision(self) -> Decision:
        """Who beats whom, ranks, who could be best, the order of rows, counts: read it, always."""
        race = self.extras.sequential if self.is_race else None
        kind = Kind(
            self.decides,
            self.sign,
            self.blocks.count,
            self.control,
            None if race is None else tuple(race.remaining),
            self._chances,
            self.has_contrasts,
        )
        return decision(self.table, self.algorithms, self.levels, kind)

    @property
    def _chances(self) -> Mapping[str, float] | None:
        """By a posterior, how likely each is the best, where all are compared."""
        if self.extras.standing is None or self.control is not None:
            return None
        return {name: each.best for name, each in self.extras.standing.items()}

    @property
    def decides(self) -> str:
        """What decides who is ahead: ranks (and wins), or means (medians and strengths too)."""
        return RANKS if self.quantity.ordinal else MEANS

    @property
    def quantity(self) -> Quantity:
        """What estimates are, as the brick says that makes them."""
        return MEAN if self.judged is None else self.judged.procedure.quantity

    @property
    def best_mean(self) -> str | None:
        """Where means do not decide: whom no difference of them puts behind another one."""
        if "mean_difference" not in self.table or self.has_contrasts:
            return None
        sign = 1 if self.higher_is_better else -1
        means = {name: sign * mean for name, mean in self.means.items()}
        table = self.table.assign(estimate=self.table["mean_difference"], verdict="")
        return decision(table, self.algorithms, means, Kind(sign=sign)).first

    @property
    def places(self) -> Mapping[str, tuple[int, int]] | None:
        """Of every algorithm the lowest and the highest rank that the verdicts allow."""
        return self.decision.places

    @property
    def lead(self) -> list[str] | None:
        """Those whom nobody beats, in file order."""
        lead = self.decision.lead
        return None if lead is None else [a for a in self.algorithms if a in lead]

    @property
    def best_set(self) -> list[str] | None:
        """Those among which the best one is: the lead."""
        return self.lead

    @property
    def is_race(self) -> bool:
        """Whether algorithms were dropped on the way, so that nothing but the best is claimed."""
        return self.extras.sequential is not None and self.extras.sequential.goal == RACE

    def _lines_above(self) -> list[str]:
        return [self.heading, self.statement]

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"": self.pairs if len(self.algorithms) > 1 else self._alone()}

    @property
    def pairs(self) -> pd.DataFrame:
        """The table with how many blocks the first of a pair wins, ties and loses."""
        return self.table if self.counts is None else self.table.join(self.counts)

    def _texts(self, most: int = 0) -> dict[str, Texts]:
        return {"": Texts({str(n): list(c) for n, c in self.shown().items()}, TEXTS)}

    def shown(self) -> pd.DataFrame:
        """The pairs as texts, for people: numbers as exact as the intervals are wide."""
        if len(self.algorithms) == 1:
            return _texts(self._alone())
        t = self.table
        names = [end for both in LIMITS[:2] for end in both if end in t]
        numbers = ["estimate", *(n for n in names if not t[n].isna().all())]
        unit, values = self.factor * _unit(t), self.factor * t[numbers].to_numpy(float)
        texts = aligned(values.ravel().tolist(), unit, digits=2)
        cells = np.array(texts, dtype=object).reshape(len(t), len(numbers))
        # however wide the intervals are
        estimates = zip(cells[:, 0], values[:, 0], strict=True)
        cells[:, 0] = [text_or_digits(*each, unit) for each in estimates]
        chances = (
            {name: t[name].map(p_value) for name in CHANCES}
            if self.has_posterior
            else {"p": t["p"].map(p_value), "p adjusted": t["p_adjusted"].map(p_value)}
        )
        shown = {
            "first": t["first"].astype(str),
            "second": t["second"].astype(str),
            **{self.head(name): cells[:, i] for i, name in enumerate(numbers)},
            **chances,
        }
        if self.asks_equivalence:  # of two verdicts: whose p-values are both there
            del shown["p"]
            shown["p equiv."] = t["p_equivalence"].map(p_value)
        if self.extras.sequential is not None and not self.is_race and not self.has_contrasts:
            shown["decided after"] = self._decided_after()
        if self.counts is not None and not self.asks_equivalence:
            shown[WON] = ["/".join(map(str, each)) for each in self.counts.itertuples(index=False)]
        if self.is_race:  # it claims no order of pairs
            return pd.DataFrame({n: v for n, v in shown.items() if n not in chances})
        return pd.DataFrame(shown | {"verdict": t["verdict"].astype(str)})

    @property
    def asks_equivalence(self) -> bool:
        """Whether tests could show two to be equivalent, by limits of their own."""
        return "p_equivalence" in self.table

    @property
    def factor(self) -> float:
        """What estimates are multiplied by for people: log-strengths are told as points of Elo."""
        return ELO if self.quantity.strengths else 1.0

    def head(self, name: str) -> str:
        """The head of a column of numbers; limits of equivalence are of another level."""
        share = f"{100 - 200 * self.alpha:g} % "
        return name.replace("equivalence_", share)

    def _decided_after(self) -> list[str]:
        """Of a study that may stop: how many blocks each pair took."""
        assert self.extras.sequential is not None
        decided = [course for course in self.extras.sequential.courses if course.decided]
        after = {frozenset((c.first, c.second)): str(c.ended) for c in decided}
        pairs = zip(self.table["first"], self.table["second"], strict=True)
        return [after.get(frozenset(map(str, pair)), "-") for pair in pairs]

    def _alone(self) -> pd.DataFrame:
        """The one algorithm with its interval."""
        (name,) = self.algorithms
        ends = (self.interval.lower, self.interval.upper) if self.interval else (math.nan,) * 2
        row = {"algorithm": [name], "mean": [self.means[name]], "lower": ends[0], "upper": ends[1]}
        return pd.DataFrame(row)

    def best_first(self, names: Sequence[str]) -> Comparisons:
        """The same evidence for reading: pairs in the order of `names`, turned where need be."""
        place = {name: i for i, name in enumerate(names)}
        t = self.pairs
        turned = (t["first"].map(place) > t["second"].map(place)).to_numpy(bool)
        swapped = {"win": t["lose"], "lose": t["win"]} if self.has_posterior else {}
        if self.counts is not None:
            swapped |= {"wins": t["losses"], "losses": t["wins"]}
        for low, high in LIMITS:
            if low in t:
                swapped |= {low: -t[high], high: -t[low]}
        if "mean_difference" in t:
            swapped |= {"mean_difference": -t["mean_difference"]}
        back = t.assign(
            first=t["second"],
            second=t["first"],
            estimate=-t["estimate"],
            statistic=-t["statistic"],
            verdict=t["verdict"].replace(TURNED),
            **swapped,
        )
        table = pd.concat([t[~turned], back[turned]])
        places = [table[column].map(place) for column in ("second", "first")]
        table = table.iloc[np.lexsort(places)].reset_index(drop=True)
        counts = None if self.counts is None else table[list(COUNTS)]
        return replace(self, table=table[list(self.table)], counts=counts)

    @property
    def title(self) -> str:
        """Of the procedure, with the bricks that were used."""
        return self.method.title

    @property
    def statement(self) -> str:
        """What it is about, in words: the hypothesis, what it is conditional on, the size."""
        return in_words(self.claim)

    @property
    def interval(self) -> Interval | None:
        """Of one algorithm alone."""
        return self.method if isinstance(self.method, Interval) else None

    @property
    def judged(self) -> Method | None:
        """How pairs were judged; None where one algorithm stands alone."""
        return self.method if isinstance(self.method, Method) else None

    @property
    def mean_ranks(self) -> Mapping[str, float] | None:
        """Of rank procedures: what they compare."""
        return self.judged.mean_ranks if self.judged else None

    @property
    def levels(self) -> Mapping[str, float]:
        """What was compared, larger is better: means, mean ranks turned round, or log-strengths."""
        if self.mean_ranks is not None:
            return {name: -rank for name, rank in self.mean_ranks.items()}
        if self.judged is not None and self.judged.strengths is not None:
            return self.judged.strengths
        turn = 1 if self.higher_is_better else -1
        return {name: turn * mean for name, mean in self.means.items()}

    @property
    def notes(self) -> Sequence[Note]:  # type: ignore[override]
        """What a reader must know besides the numbers."""
        return self.warnings

    @property
    def told(self) -> list[str]:
        """The notes as sentences, with their codes."""
        return [noted(note) for note in self.warnings]

    @property
    def sign(self) -> int:
        """What turns estimates into larger-is-better, and back: rank 1 is the best."""
        return self.quantity.find_sign(1 if self.higher_is_better else -1)

    @property
    def is_unadjusted(self) -> bool:
        """Whether p-values and limits are of each pair alone though there are several."""
        return len(self.table) > 1 and not self._adjusts

    @property
    def is_adjusted(self) -> bool:
        """Whether p-values and intervals of several pairs were adjusted for each other."""
        return len(self.table) > 1 and self._adjusts

    @property
    def _adjusts(self) -> bool:
        return self.judged is None or self.judged.adjust.name != UNADJUSTED

    @property
    def asks_inferiority(self) -> bool:
        """Whether a test with a negative margin asked that the first is not worse, not better."""
        return (self.alternative == "greater") == self.higher_is_better

    @property
    def is_forced(self) -> bool:
        """Whether the design does not allow this and it was computed by force."""
        return any(note.severity is INVALID for note in self.warnings)

    @property
    def has_contrasts(self) -> bool:
        """Whether rows are contrasts of the user's own, not pairs."""
        return bool((self.table["second"] == "").any())

    @property
    def control(self) -> str | None:
        """The algorithm that all others were compared with, where only that was done."""
        second, k = set(self.table["second"]), len(self.algorithms)
        one_by_one = len(self.table) == k - 1 and k > 2 and len(second) == 1
        return str(second.pop()) if one_by_one else None

    @property
    def has_posterior(self) -> bool:
        """Whether pairs were judged by a posterior, not by p-values."""
        return CHANCES[0] in self.table

    def _posterior(self) -> dict[str, Any]:
        posterior: dict[str, Any] = {"pairs": self.table[["first", "second", *CHANCES]]}
        if self.extras.standing is not None:
            for field in Standing._fields:
                posterior[field] = {
                    name: getattr(standing, field)
                    for name, standing in self.extras.standing.items()
                }
        return posterior

    @property
    def registered(self) -> PlannedAndDone | None:
        """Of a study with a plan: the plan, and what differs from it."""
        return self.extras.registered

    @property
    def standing(self) -> Mapping[str, Standing] | None:
        """By a posterior: how likely each algorithm is the best, and its expected rank."""
        return self.extras.standing

    @property
    def heading(self) -> str:
        """One line: measure, procedure, blocks, target."""
        return headings.compared(
            self.measure,
            self.higher_is_better,
            self.title,
            (self.blocks.count, self.blocks.text),
            self.target,
            forced=self.is_forced,
        )


CHANCES = ("win", "same", "lose")  # that the first is better, alike, worse


def _texts(alone: pd.DataFrame) -> pd.DataFrame:
    """A mean and its interval, as exact as that is wide."""
    name, *numbers = alone.iloc[0]
    mean, low, high = map(float, numbers)
    reach = (high - low) / 2
    shown = aligned([mean, low, high], reach if reach > 0 else abs(mean) or 1.0, digits=2)
    return pd.DataFrame([[str(name), *shown]], columns=alone.columns)


def _unit(table: pd.DataFrame) -> float:
    """What the numbers are exact to: the narrowest interval, or a tenth of a usual difference."""
    size = np.abs(table["estimate"].to_numpy(float))
    ends = table[["lower", "upper"]].to_numpy(float)
    reach = np.abs(ends - table[["estimate"]].to_numpy(float))
    reach = reach[np.isfinite(reach) & (reach > 0)]
    if reach.size:
        return float(reach.min())
    size = size[np.isfinite(size) & (size > 0)]
    return float(np.median(size)) / 10 if size.size else 1.0
