"""What a procedure is, a record of bricks, and what may be asked of it: one record of options."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cached_property
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.estimates import Estimates, Estimator
from podium.core.inference.bricks.nulls import NullBrick, OverallTest, describe_needs, parse_null
from podium.core.inference.bricks.quantities import Quantity, find_quantity
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers.boundaries import StoppingPlan
from podium.core.questions.options import ALPHA
from podium.core.questions.targets import CLAIMS, DATASET, FOLD, ITEM, POPULATION, Pair, pairs
from podium.core.words.facts import Note
from podium.core.words.saying import Presented


class Posterior(NamedTuple):
    """What a posterior says of every pair; larger is better.

    `win`, `same` and `lose` are the chances that the first is better by more than the relevance,
    that they differ by no more, and that it is worse. `best` and `expected_rank` are of the
    algorithms, where all of them were judged at once.
    """

    estimate: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    win: np.ndarray
    same: np.ndarray
    lose: np.ndarray
    best: np.ndarray | None = None
    expected_rank: np.ndarray | None = None
    # of what is no difference of means: this difference, and its limits
    means: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
    # pairs x (lose, same, win) of the same posterior for another region of practical equality
    at: Callable[[float], np.ndarray] | None = None


Legal = frozenset[Pair]
INDEPENDENT: Legal = frozenset(pairs(lambda claim: claim.plain))  # all algorithms in every block
ITEMS: Legal = frozenset(pair for pair in INDEPENDENT if pair[0] == ITEM)
DATASETS: Legal = frozenset(pair for pair in INDEPENDENT if pair[0] == DATASET)
ONE_DATASET: Legal = INDEPENDENT - ITEMS - DATASETS
UNPAIRED: Legal = frozenset(pairs(lambda claim: claim.unpaired))
DEPENDENT: Legal = frozenset(pairs(lambda claim: claim.corrected))
HALVES: Legal = frozenset({(FOLD, POPULATION)})
NOWHERE: Legal = frozenset()


def legal_pairs(block: str) -> Legal:
    """All pairs of a kind of block that the table of claims knows."""
    return frozenset(pair for pair in CLAIMS if pair[0] == block)


class Control(Enum):
    """Which error a procedure controls."""

    STRONG = "strong"
    APPROXIMATE = "approximate"  # strongly, with many blocks
    WEAK = "weak"
    ADJUSTMENT = "adjustment"  # what the adjustment controls, if the user's own bricks are right
    NOTHING = "nothing"


@dataclass(frozen=True)
class Controls:
    """What a procedure controls, and in words."""

    kind: Control
    words: str

    def __str__(self) -> str:
        return self.words


class Cited(NamedTuple):
    """A reference by its short form (`core/words/references.py` has it in full), and where in it.

    One that nobody knows is told as it is.
    """

    key: str
    where: str = ""
    of: str = ""  # the brick that it is cited for, where a request may replace it

    def __str__(self) -> str:
        return self.key + self.where


_STRONGLY = "family-wise error strongly"
STRONG = Controls(Control.STRONG, _STRONGLY)
APPROXIMATE = Controls(Control.APPROXIMATE, f"{_STRONGLY}, approximately")
SINGLE_STEP = Controls(
    Control.STRONG,
    f"{_STRONGLY}; conservative where only some algorithms are equal (about 1 % for 2 + 2 + 1)",
)
BY_HOLM = Controls(
    Control.STRONG, f"{_STRONGLY}; somewhat conservative, as pairs are correlated (2 to 5 %)"
)
CLOSED = Controls(
    Control.STRONG,
    f"{_STRONGLY} (closed over partitions up to K = 8, Ryan's levels beyond)",
)
WITH_MANY_ORIGINS = Controls(
    Control.APPROXIMATE,
    f"{_STRONGLY}, with many origins (five algorithms three rows ahead: 19 % with 20 origins)",
)
WEAK = Controls(
    Control.WEAK,
    "family-wise error weakly: at the complete null; under partial nulls it can exceed alpha "
    "(about 8 % at K = 8)",
)
OWN_BRICKS = Controls(
    Control.ADJUSTMENT,
    "what the adjustment controls, if the estimate and its null suit the scores",
)
EXCHANGEABLE = "within a block the algorithms' scores are exchangeable"
EQUAL_MEANS = "equal means; differences between blocks nearly normal, or many blocks"
SYMMETRIC = "differences symmetric about zero"


def under_null(rates: tuple[tuple[str, float], ...]) -> Controls:
    """Strong control under a null that fitted algorithms do not fulfil."""
    seen = ", ".join(f"{100 * rate:.0f} % of {what}" for what, rate in rates)
    return Controls(
        Control.STRONG,
        f"{_STRONGLY} under its null, which fitted algorithms do not fulfil: {seen} that are equal "
        "are told apart",
    )


def nothing(words: str) -> Controls:
    """Nothing is controlled."""
    return Controls(Control.NOTHING, f"nothing {words}")


@dataclass(frozen=True)
class Needs:
    """What a procedure needs of a layout, what it copes with, and which options it takes."""

    least: int = 2  # blocks
    with_fewer: str = ""  # the procedure to use instead with fewer of them
    samplings: tuple[str, ...] | None = None
    unpaired: bool = False  # every algorithm has samples of its own
    ordered: bool = False  # the order of the blocks matters
    binary: bool = False  # counts correct items: every score is 0 or 1
    halves: bool = False  # judges by halvings, which must be there
    labels: bool = False  # corrects a judge by people's labels, which must be there
    linearised: bool = False  # judges by influence values of items, which must be there
    stops: bool = False  # for studies with a plan when to stop, and for no others
    control: bool = False  # against a control by default
    gaps: bool = False  # copes with missing scores
    incomplete: bool = False  # models blocks that lack algorithms by design, missing at random
    clusters: bool = False  # knows how to use clusters of items
    margins: bool = False  # takes a relevance
    weighs: bool = False  # takes weights of data sets
    correlated: bool = False  # takes a correlation of samples (rho)
    # takes covariates of choices: of a layout and a level, their effects
    covariates: Callable[[Layout, float], Any] | None = None


@dataclass(frozen=True)
class DefaultNull:
    """The null where none is named."""

    default: str = ""  # empty: asymptotic from 30 blocks, exact or permutation below
    of_one: str = ""  # the default null where one pair alone is judged
    exact_below: int = 0  # so many blocks, the default null is exact


@dataclass(frozen=True)
class Reports:
    """What a test stands beside, what is known of its level, and what must be said of it."""

    of_all: bool = False  # the hypothesis is of all algorithms at once
    companion: str = ""  # the procedure that is always shown beside it
    amounts: str = ""  # of ranks: the procedure that tells by how much, and takes margins
    conservative: bool = False
    few_below: int = 0  # blocks: with fewer its level does not hold, and the statement says so
    rates: tuple[tuple[str, float], ...] = ()  # of true hypotheses rejected, where above nominal
    marked: str = ""  # why it is legal nowhere
    own: bool = False  # made of a user's own bricks
    # what must be said of it: of a layout, the record and a request, notes
    cautions: Callable[[Layout, Any, Any], Iterable[Note]] | None = None


@dataclass(frozen=True)
class Judge:
    """A test of its own instead of estimates and a null."""

    # of a layout and a request, a `pair_tests.PairTest`
    test: Callable[[Layout, Any], Any] | None = None
    where: Callable[[Layout], bool] | None = None  # layouts that it judges; None: all
    bounded: bool = False  # it knows a bound of adjusted p-values
    joint: tuple[str, ...] = ()  # the adjustments that it makes for all pairs at once
    alone: bool = False  # beside these, pairs may be adjusted by their own p-values
    other_bricks: str = ""  # the procedure to use where bricks are replaced, as it has none of them


@dataclass(frozen=True)
class Bayes:
    """A posterior instead of p-values; `hypothesis` is then what `win` is the chance of."""

    posterior: Callable[[Layout, Any], Posterior] | None = None  # of a layout and a request
    prior: str = ""  # in words
    default_for: Legal = frozenset()  # designs whose posterior it is, where none is named


def find_maker(bayes: Bayes, judge: Judge, estimate: Estimator) -> Callable[..., Any]:
    """The brick that makes the numbers of a procedure with these."""
    if bayes.posterior is not None:
        return bayes.posterior
    return estimate if judge.test is None or judge.where is not None else judge.test


ADJUST, NULL, PAIRS, CONTRASTS = "adjust", "null", "pairs", "contrasts"  # that requests replace


@dataclass(frozen=True)
class Bare:
    """What a procedure is called where a brick that its words name is another one."""

    of: tuple[str, ...] = ()  # these bricks
    title: str = ""  # empty: as ever
    words: str = ""  # for a paper; empty: as ever


@dataclass(frozen=True, repr=False)
class Procedure(Presented):
    """A named test: bricks, its null in words, where it is legal and what it controls.

    What a record leaves out has general words, so that somebody else's procedure is told as
    well as ours. So is what `replace` leaves of a record whose brick it replaces; `derive` keeps
    it, for whoever answers for it.
    """

    name: str
    title: str
    estimate: Estimator
    overall: OverallTest
    adjust: str
    hypothesis: str  # what equality it tests
    null: str  # under which it holds its level
    controls: Controls
    references: tuple[Cited, ...]
    legal: Legal
    words: str = ""  # completes "were compared by" in a paper; empty: its title
    pairwise: bool = False  # each pair is scored on its own
    criterion: Callable[[Layout], Layout] | None = None  # other than location
    needs: Needs = Needs()
    nulls: DefaultNull = DefaultNull()
    reports: Reports = Reports()
    judge: Judge = Judge()
    bayes: Bayes = Bayes()
    bare: Bare = Bare()
    # all of it when it was made, which `replace` hands on: what is not said anew of a brick that
    # is replaced is forgotten
    said: tuple[Any, ...] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = [each.name for each in fields(self) if each.name != "said"]
        if self.said is not None:
            before = dict(zip(names, self.said, strict=True))
            for name, value in list_forgotten_facts(self, before).items():
                object.__setattr__(self, name, value)
        object.__setattr__(self, "said", tuple(getattr(self, name) for name in names))

    def judges(self, layout: Layout) -> bool:
        """Whether its own test judges a layout, instead of estimates and a null."""
        if self.judge.test is None:
            return False
        return self.judge.where is None or self.judge.where(layout)

    @property
    def maker(self) -> Callable[..., Any]:
        """The brick that makes its numbers: a posterior, a judge, or the estimate."""
        return find_maker(self.bayes, self.judge, self.estimate)

    @cached_property
    def quantity(self) -> Quantity:
        """What its numbers are, as the brick says that makes them."""
        of_estimate = find_quantity(self.estimate)
        return (
            of_estimate if self.maker is self.estimate else find_quantity(self.maker, of_estimate)
        )

    @property
    def reference(self) -> str:
        """Where it comes from."""
        return "; ".join(map(str, self.references))

    @property
    def in_words(self) -> str:
        """The procedure as a noun phrase, for a paper."""
        return self.words or self.title

    def _lines_above(self) -> list[str]:
        texts: Mapping[str, str] = {
            "hypothesis": self.hypothesis,
            "holds under": self.null,
            "controls": str(self.controls),
            "adjustment": self.adjust,
            "reference": self.reference,
            "legal for": "; ".join(f"{b} about {t}" for b, t in sorted(self.legal)) or "nothing",
        }
        heading = f"Procedure {self.name}: {self.title}"
        return [heading, *(f"{name}: {text}" for name, text in texts.items())]

    def __repr__(self) -> str:
        return f"<{self._lines_above()[0]}>"


def derive(other: Procedure, **otherwise: Any) -> Procedure:
    """Another procedure but for what is said; whoever derives it answers for what is left.

    A title goes with what it is in other words where its bricks are others.
    """
    bare = {"bare": Bare()} if "title" in otherwise else {}
    return replace(other, **{"said": None} | bare | otherwise)


def compute_estimates(procedure: Procedure, layout: Layout) -> Estimates:
    """What the estimate of a procedure gives; somebody else's is held to its form."""
    e = procedure.estimate(layout)
    k = len(layout.algorithms)
    if not isinstance(e, Estimates):
        raise InferenceError(
            f"The estimate of '{procedure.name}' gives {type(e).__name__}, and must give "
            "Estimates: a value of every algorithm, and their covariance."
        )
    values, covariance = np.shape(e.values), np.shape(e.covariance)
    if values != (k,) or covariance != (k, k):
        raise InferenceError(
            f"The estimate of '{procedure.name}' gives values of the shape {values} and a "
            f"covariance of {covariance}; of {k} algorithms it is ({k},) and ({k}, {k})."
        )
    return e


class Procedures(list[Procedure]):
    """The procedures of a file."""

    def new(self, procedure: Procedure) -> Procedure:
        """One more."""
        self.append(procedure)
        return procedure

    def like(self, other: Procedure, **otherwise: Any) -> Procedure:
        """One more, which is another one but for what is said."""
        return self.new(derive(other, **otherwise))


# -- replaced bricks ------------------------------------------------------------------------------
# What is left to say of a procedure whose bricks are replaced: what is true of any such bricks.

OF_ANY_ESTIMATE = "whatever the user's own estimate needs"
NO_REFERENCE = (Cited("", "none: the user's own bricks"),)
WITH_ANY_NULL = ", if the null suits the scores"


def describe_equality(quantity: Quantity, criterion: object = None) -> str:
    """What an estimate of this holds to be equal."""
    if quantity.is_mean and criterion is None:
        return "two algorithms have equal means"
    return f"two algorithms do not differ in {quantity.estimand}"


def tell_with_bricks(
    procedure: Procedure, replaced: frozenset[str], null: NullBrick | None = None
) -> Procedure:
    """The record as it may be told where these of its bricks are others."""
    return (
        derive(procedure, **_list_bare_facts(procedure, replaced, null)) if replaced else procedure
    )


def _list_bare_facts(
    procedure: Procedure, replaced: frozenset[str], null: NullBrick | None
) -> dict[str, Any]:
    bare = procedure.bare
    facts: dict[str, Any] = {"bare": bare}
    if replaced.intersection(bare.of):
        facts["title"] = bare.title or procedure.title
        facts["words"] = bare.words or procedure.words
    facts["references"] = tuple(c for c in procedure.references if c.of not in replaced)
    if NULL in replaced and null is not None:
        facts["null"] = describe_needs(null, procedure.needs.unpaired)
        facts["controls"] = _controls_with_any_null(procedure.controls)
    return facts


def _controls_with_any_null(controls: Controls) -> Controls:
    if controls.kind in (Control.STRONG, Control.APPROXIMATE):
        return Controls(Control.APPROXIMATE, _STRONGLY + WITH_ANY_NULL)
    if controls.kind is Control.WEAK:
        return Controls(Control.WEAK, f"family-wise error weakly{WITH_ANY_NULL}")
    return controls


def list_forgotten_facts(procedure: Procedure, before: Mapping[str, Any]) -> dict[str, Any]:
    """What a record says in general words, as a brick is another one and nobody said it anew."""
    old = SimpleNamespace(**before)
    replaced = _find_replaced(procedure, old)
    facts: dict[str, Any] = {}
    if replaced:
        default = procedure.nulls.default
        facts |= _list_bare_facts(procedure, replaced, parse_null(default) if default else None)
    if ADJUST in replaced or procedure.pairwise != old.pairwise:
        facts["controls"] = OWN_BRICKS
    if procedure.overall is not old.overall:
        facts |= {"title": "own overall test", "words": "", "references": NO_REFERENCE}
    made_otherwise = procedure.maker is not find_maker(old.bayes, old.judge, old.estimate)
    if made_otherwise or procedure.criterion is not old.criterion:
        facts |= _list_facts_of_any_brick(procedure, old)
    if made_otherwise:
        facts["legal"] = procedure.legal & (INDEPENDENT | UNPAIRED)
        facts["needs"] = replace(procedure.needs, clusters=False)
    if facts or procedure.title != old.title:
        facts["bare"] = Bare()
    return {name: fact for name, fact in facts.items() if getattr(procedure, name) == before[name]}


def _find_replaced(procedure: Procedure, old: SimpleNamespace) -> frozenset[str]:
    others = {
        ADJUST: procedure.adjust != old.adjust,
        NULL: procedure.nulls != old.nulls,
        PAIRS: procedure.needs.control != old.needs.control,
    }
    return frozenset(brick for brick, is_other in others.items() if is_other)


def _list_facts_of_any_brick(procedure: Procedure, old: SimpleNamespace) -> dict[str, Any]:
    """What is true whatever makes the numbers."""
    is_untitled = procedure.title == old.title
    return {
        "title": _OWN.get(_find_other_brick(procedure, old), "own criterion"),
        "words": "",
        "hypothesis": describe_equality(procedure.quantity, procedure.criterion),
        "null": OF_ANY_ESTIMATE,
        "controls": OWN_BRICKS,
        "references": NO_REFERENCE,
        "reports": Reports(marked=procedure.reports.marked, own=is_untitled),
    }


_OWN = {"bayes": "own posterior", "judge": "own test of pairs", "estimate": "own estimate"}


def _find_other_brick(procedure: Procedure, old: SimpleNamespace) -> str:
    changed = (name for name in _OWN if getattr(procedure, name) != getattr(old, name))
    return next(changed, "")


# -- options --------------------------------------------------------------------------------------
# What may be asked of `compare`: one record, from the verbs and the command line to the tests.


Pairs = Sequence[tuple[str, str]]
Contrasts = Mapping[str, Mapping[str, float] | Sequence[float]]


@dataclass(frozen=True)
class Options:
    """What is asked of a layout, with the defaults of every verb; None leaves it to the design.

    `podium.core.questions.options` says what each is. `posterior` makes `relevance` the difference
    below which two are practically the same; a negative one with a one-sided alternative asks for
    non-inferiority. Without `gaps`, pairs stand on the blocks that both have where the procedure
    can, and else all on the complete ones.
    """

    procedure: str | Procedure | None = None
    null: str | NullBrick | None = None
    adjust: str | None = None
    control: str | None = None
    pairs: Pairs | None = None
    contrasts: Contrasts | None = None
    estimate: str | Estimator | None = None
    alternative: str = "two-sided"
    alpha: float = ALPHA
    relevance: float = 0.0
    gaps: str | None = None
    force: bool = False
    posterior: bool | str = False
    rho: float | None = None
    weights: Mapping[str, float] | None = None
    covariates: Sequence[str] | None = None

    def with_margin(
        self, higher_is_better: bool, non_inferiority: float | None, equivalence: float | None
    ) -> Options:
        """The same options about a margin: that the first is not worse by it, or no pair differs.

        Both are a relevance; non-inferiority also needs the direction in which the measure is good.
        """
        margins = {"non_inferiority": non_inferiority, "equivalence": equivalence}
        given = {name: margin for name, margin in margins.items() if margin is not None}
        if not given:
            return self
        if len(given) > 1 or self.relevance or self.alternative != "two-sided":
            raise InferenceError(
                "Say one of non_inferiority, equivalence, or relevance with an alternative "
                "(--non-inferiority, --equivalence, or --relevance with --alternative)."
            )
        ((name, margin),) = given.items()
        if not isinstance(margin, (int, float)) or not 0 < margin < math.inf:
            raise InferenceError(
                f"{name} is a margin above 0 in the measure's unit, such as 0.01, not {margin!r}."
            )
        if name == "equivalence":
            return self.but(relevance=margin)
        better = "greater" if higher_is_better else "less"
        return self.but(alternative=better, relevance=-margin)

    @classmethod
    def of(cls, procedure: str | Procedure | None, options: Mapping[str, Any]) -> Options:
        """Those of the options of a verb that a comparison takes."""
        known = {field.name for field in fields(cls)}
        return cls(procedure, **{k: v for k, v in options.items() if k in known})

    def but(self, **changes: Any) -> Options:
        """The same options with some changed."""
        return replace(self, **changes)

    @classmethod
    def said(cls, **options: Any) -> Options:
        """Options of which those that are None are left at their defaults."""
        return cls(**{name: value for name, value in options.items() if value is not None})


OF_PLAN = ("alpha", "relevance")
FREE = ("procedure", "gaps", "force")  # the procedure is judged by its legality


def fixed_by_plan(name: str, planned: float | None) -> InferenceError:
    """The refusal of what a stopping plan has fixed otherwise."""
    at = f" at {planned:g}" if name in OF_PLAN else ""
    return InferenceError(
        f"This study stopped by a plan, which fixes {name}{at}: leave {name} out, or force it."
    )


def as_planned(options: Options, plan: StoppingPlan | None) -> Options:
    """The options that a study's plan has fixed; what else is asked is refused."""
    if plan is None or options.force:
        return options
    usual = Options()
    for name in (each.name for each in fields(Options)):
        value, planned = getattr(options, name), getattr(plan, name, None)
        if name not in FREE and value not in (getattr(usual, name), planned):
            raise fixed_by_plan(name, planned)
    return options.but(**{name: getattr(plan, name) for name in OF_PLAN})
