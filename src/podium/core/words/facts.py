"""Facts that travel: what a reader must know besides the numbers, without a word of English.

`wording/` makes sentences of them, last of all; no layer takes a sentence apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum
from string import Formatter
from types import MappingProxyType
from typing import Any, NamedTuple

from podium.core.base.formatting import listed, number, printable, short
from podium.core.base.registry import unknown
from podium.core.questions.targets import Said
from podium.core.words.phrases import (
    MOST,
    capital,
    counted,
    joined,
    p_text,
    paired,
    quoted,
    spelled,
)


class Severity(IntEnum):
    """How much a note matters to who reads nothing else."""

    DETAIL = 0  # how it was done: told where the tests are
    REMARK = 1  # how it is to be read: told below the cautions
    CAUTION = 2  # what limits a conclusion: told before all else
    INVALID = 3  # nothing may be concluded


DETAIL, REMARK, CAUTION, INVALID = Severity
NOT_PLANNED = "not-planned"  # the note of what a registered study's plan does not have


class Note:
    """What a reader must know: a stable code, how much it matters, and facts by name.

    >>> Note("few-data-sets", datasets=6).datasets
    6
    """

    __slots__ = ("code", "facts", "severity")

    code: str
    severity: Severity
    facts: Mapping[str, Any]

    def __init__(self, code: str, severity: Severity = CAUTION, /, **facts: Any) -> None:
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "severity", severity)
        object.__setattr__(self, "facts", MappingProxyType(facts))

    def __getattr__(self, name: str) -> Any:
        try:
            return self.facts[name]
        except KeyError:
            raise AttributeError(f"The note '{self.code}' has no fact '{name}'.") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("A note does not change.")

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.code, self.severity, dict(self.facts))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Note) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash((self.code, self.severity, *self.facts.items()))

    def __repr__(self) -> str:
        facts = "".join(f", {name}={value!r}" for name, value in self.facts.items())
        return f"Note({self.code!r}, {self.severity.name}{facts})"


def _made(code: str, severity: Severity, facts: Mapping[str, Any]) -> Note:
    return Note(code, severity, **facts)


class Overall(NamedTuple):
    """The test of no difference between any two algorithms."""

    procedure: str
    statistic: float
    df: float | tuple[float, float] | None
    p: float
    test: str = ""  # the name of the statistic
    t_star: float | None = None  # statistic (3) of hothorn2005, where that is the test


class Standing(NamedTuple):
    """One algorithm among all, by a posterior."""

    best: float  # the chance to be the best
    expected_rank: float


@dataclass(frozen=True)
class ModelFacts:
    """A fitted model's own numbers: standard deviations by name, and a test of its interaction."""

    sigmas: Mapping[str, float]
    interaction: Overall | None = None

    def to_dict(self) -> dict[str, object]:
        """As details of comparisons have them."""
        parts: dict[str, object] = dict(self.sigmas)
        if self.interaction is not None:
            _, statistic, df, p, test, _ = self.interaction
            parts["interaction"] = {"test": test, "statistic": statistic, "df": df, "p": p}
        return parts


@dataclass(frozen=True)
class Hypothesis:
    """What is held to be true until the scores speak against it."""

    equality: str  # of what, as the procedure's record has it
    alternative: str = "two-sided"
    margin: float = 0.0
    prior: str = ""  # of a posterior, which has no hypothesis but an event


@dataclass(frozen=True)
class TrainingSize:
    """How many rows the algorithms learned from, as far as it is known."""

    rows: float | None = None  # a number of them
    share: float | None = None  # of the rows of a sample
    distinct: bool = False  # the share counts distinct rows
    of_sample: bool = False  # the share was asked for, of each sample
    total: int | None = None  # what the share is of
    given: str = ""  # how rows were, where they were not just taken


@dataclass(frozen=True)
class FewBlocks:
    """Too few blocks for a test of means where differences are skewed, or of ranks: its level."""

    blocks: int
    algorithms: int
    skewness: float | None = None  # the median size over the pairs; None: a test of ranks


@dataclass(frozen=True)
class Statement:
    """What a result is a statement about: hypothesis, target, conditions, training size, area."""

    hypothesis: Hypothesis | None  # None: a score is estimated, and nothing tested
    measure: str
    block: str
    target: str
    said: Said
    dataset: str = ""
    area: str = ""  # of application, in the user's words
    size: TrainingSize | None = None
    forced: bool = False
    few: FewBlocks | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """What the statement is conditional on."""
        return self.said.given


@dataclass(frozen=True)
class Course:
    """How strong the evidence about a pair was at its looks, and after how many blocks it ended.

    Evidence is |z| or, without a budget, the power of ten by which bets against equality have
    grown; below 0 it speaks for two that are alike within the relevance. Of a race it is about one
    algorithm, `second` is empty: that another one is better.
    """

    first: str
    second: str
    ended: int  # blocks
    decided: bool
    evidence: tuple[float, ...]

    def to_dict(self) -> dict[str, object]:
        """The contract's object."""
        who = {"first": self.first, "second": self.second}
        return (who if self.second else {"algorithm": self.first}) | {
            "ended": self.ended,
            "decided": self.decided,
            "evidence": self.evidence,
        }


@dataclass(frozen=True)
class Sequential:
    """The plan of a study that may stop, and what came of it."""

    goal: str  # an order, or a race for the best
    budget: int
    stopped_at: int  # the largest prefix of blocks that any pair used
    looks: tuple[int, ...]  # planned, at so many blocks
    taken: int  # of these
    spending: str | None
    alpha: float
    relevance: float
    open: bool  # without a budget
    boundaries: tuple[float, ...] | None  # |z| of a pair alone at each look
    over: bool
    remaining: tuple[str, ...]  # those that no race dropped
    out: Mapping[str, int]  # those that it did, and after how many blocks
    used: Mapping[str, int]  # blocks that were run, by algorithm
    level: float  # of a pair alone, or of an algorithm of a race
    courses: tuple[Course, ...] = ()  # of pairs, or of a race's algorithms

    @property
    def saved(self) -> int:
        """How many blocks' scores were not needed, of all algorithms together."""
        return self.budget * len(self.used) - sum(self.used.values())

    def to_dict(self) -> dict[str, object]:
        """The contract's object."""
        names = ("goal", "budget", "stopped_at", "looks", "taken", "spending", "alpha", "relevance")
        more = ("open", "boundaries", "over", "remaining", "out", "used", "saved")
        courses = [course.to_dict() for course in self.courses]
        return {name: getattr(self, name) for name in (*names, *more)} | {"courses": courses}


# -- voices ---------------------------------------------------------------------------------------
# Voices, and the registry of what is said of each note.
#
# A code that nobody has words for is told by its facts, so that an extension's note never fails.


Words = Callable[[Note], str]


class Voice(Enum):
    """Who is spoken to."""

    TERMINAL = "terminal"
    PAGE = "page"
    PAPER = "paper"


TERMINAL, PAGE, PAPER = Voice


@dataclass(frozen=True)
class NoteWords:
    """What is said of a note; `paper` is what the methods of a paper say of it, if they do."""

    words: Words
    facts: frozenset[str] = frozenset()  # that the note must have
    paper: Words | None = None
    in_methods: bool = False  # the methods of a paper, or its target, say it already


NOTES: dict[str, list[NoteWords]] = {}
ANY = "*"  # the code under which words stand that are chosen by facts alone


def words(
    code: str,
    *facts: str,
    paper: Words | None = None,
    in_paper: bool = False,
    in_methods: bool = False,
) -> Callable[[Words], Words]:
    """A decorator: what it decorates says a note of this code (that has these facts).

    `paper` says it for a paper's methods; with `in_paper` these are the same words.
    """

    def registered(words: Words) -> Words:
        for_paper = paper or (words if in_paper else None)
        NOTES.setdefault(code, []).append(NoteWords(words, frozenset(facts), for_paper, in_methods))
        return words

    return registered


# what `{fact:joined 4}` makes of a fact; what stands behind the name is an argument
FILLINGS: dict[str, Callable[..., str]] = {
    "capital": capital,
    "counted": lambda count, noun: counted(count, *noun.split("/")),
    "joined": lambda names, most=MOST: joined([*names], most),
    "listed": listed,
    "number": number,
    "p": p_text,
    "paired": paired,
    "percent": lambda share, form="g": f"{100 * share:{form}} %",
    "printable": printable,
    "quoted": quoted,
    "short": short,
    "spelled": lambda count, noun: spelled(count, *noun.split("/")),
}


class Sentence(Formatter):
    """A sentence with gaps for facts, as in `str.format`.

    >>> Sentence().format("{n:counted run} of {names:joined} {n:is|are} missing.",
    ...                   n=2, names=("a", "b"))
    '2 runs of a and b are missing.'
    """

    def __init__(self, fillings: Mapping[str, Callable[..., str]] = FILLINGS) -> None:
        self.fillings = fillings

    def format_field(self, value: Any, format_spec: str) -> str:
        """A fact: by a filling, `one|several` by a count, or by a format of Python's."""
        one, choice, several = format_spec.partition("|")
        if choice:
            return one if value == 1 else several
        name, _, rest = format_spec.partition(" ")
        if name in self.fillings:
            given = [int(rest) if rest.isdigit() else rest] if rest else []
            return self.fillings[name](value, *given)
        return format(value, format_spec)


def sentences(
    texts: Mapping[str, str],
    *,
    in_paper: bool = False,
    in_methods: bool = False,
    **fillings: Callable[..., str],
) -> None:
    """Words of notes that are a `Sentence`, by their codes; a note must have the facts in it."""
    known = Sentence(FILLINGS | fillings)
    for code, text in texts.items():
        facts = re.findall(r"(?<!{){(\w+)", text)
        for wrong in {*re.findall(r"{[\w.]+:([a-z]{2,})(?: [^|}]*)?}", text)} - {*known.fillings}:
            raise ValueError(f"'{code}': {unknown('filling', wrong, known.fillings)}")

        def of(note: Note, text: str = text) -> str:
            return known.vformat(text, (), note.facts)

        words(code, *facts, in_paper=in_paper, in_methods=in_methods)(of)


def words_of(note: Note) -> NoteWords | None:
    """The words for a note: those that were made for most of its facts."""
    every = (*NOTES.get(note.code, ()), *NOTES.get(ANY, ()))
    known = [w for w in every if w.facts <= note.facts.keys()]
    return max(known, key=lambda w: len(w.facts), default=None)


def say(note: Note, voice: Voice = TERMINAL) -> str:
    """A note as a sentence.

    >>> say(Note("own-code", rows=3, of="iris"))
    'own code: rows 3, of iris.'
    """
    known = words_of(note)
    if known is None:
        return _general(note)
    return (known.paper if voice is PAPER and known.paper else known.words)(note)


def _general(note: Note) -> str:
    facts = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in note.facts.items())
    return f"{note.code.replace('-', ' ')}{': ' * bool(facts)}{facts}."
