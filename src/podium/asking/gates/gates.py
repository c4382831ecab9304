"""A gate: is the new one worse than the old one, on each benchmark and on all of them?"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from podium.asking.gates import decisions as of_one
from podium.asking.gates import words as in_words
from podium.asking.gates.decisions import NO, NOT_YET, SHIP, SIGNS, STATUS, Decision, Told, of_gate
from podium.asking.gates.sides import NEW, OLD
from podium.core.base.errors import InferenceError, ResultsError
from podium.core.base.formatting import markdown, printable
from podium.core.base.registry import unknown
from podium.core.words.facts import Note
from podium.core.words.phrases import joined
from podium.core.words.saying import Presented, Texts, say

NOT_WORSE, WORSE, UNDECIDED, NOT_SHOWN = in_words.VERDICTS
STATUS_OF_GATE = {NOT_WORSE: 0, NOT_SHOWN: 0, WORSE: 3, UNDECIDED: 4}
COLUMNS = (
    "benchmark",
    "measure",
    "blocks",
    "only_old",
    "only_new",
    "old",
    "new",
    "difference",
    "lower",
    "upper",
    "margin",
    "p_worse",
    "p_worse_adjusted",
    "p_margin",
    "p_margin_adjusted",
    "p_better",
    "procedure",
    "verdict",
)


# -- margins --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Margin:
    """The loss that still counts as not worse: in the measure's unit, or a share of the old mean.

    >>> Margin.read("5%"), Margin.read(0.01)
    (Margin(value=0.05, relative=True), Margin(value=0.01, relative=False))
    """

    value: float
    relative: bool = False

    @classmethod
    def read(cls, wording: float | str) -> Margin:
        """The margin in the words of a caller, or an error."""
        match = re.fullmatch(r"\s*([0-9.eE+-]+)\s*(%?)\s*", str(wording))
        try:
            value = float(match[1]) if match and not isinstance(wording, bool) else math.nan
        except ValueError:
            value = math.nan
        if not 0 < value < math.inf:
            raise InferenceError(
                "A margin is a number above 0 in the measure's unit, such as 0.01, or a share of "
                f"the old mean, such as 5%, not '{wording}'."
            )
        relative = bool(match and match[2])
        return cls(value / 100 if relative else value, relative)

    @property
    def text(self) -> str:
        """As it was said."""
        return f"{100 * self.value:g} %" if self.relative else f"{self.value:g}"

    def __str__(self) -> str:
        return f"{100 * self.value:g}%" if self.relative else f"{self.value:g}"

    def in_units(self, old: float) -> float:
        """In the measure's unit."""
        return self.value * abs(old) if self.relative else self.value


# -- the record -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What the sealed items of a ledger answered, where they were asked."""

    ledger: str
    public: int  # items
    sealed: int
    looks: int  # calls with this ledger
    question: int | None
    answer: str | None  # yes or no
    level: float | None

    @property
    def passes(self) -> bool:
        """Whether they say that it holds there, too."""
        return self.answer == "yes"


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Presented):
    """Whether the new one is worse; one row of `table` per benchmark.

    `verdict` is not worse, worse, undecided or not shown to be worse (where no margin was said),
    `status` what `podium gate` exits with. `difference` is new - old in the measure's unit; every
    one of its limits is one-sided at alpha for all benchmarks at once: with one benchmark and 5 %
    they are the ends of a two-sided interval at 90 %.
    """

    table: pd.DataFrame
    measure: str
    higher_is_better: bool
    margin: Margin | None
    alpha: float
    sources: Mapping[str, str]
    algorithms: Mapping[str, str]
    only: Mapping[str, tuple[str, ...]]  # benchmarks that are in the old, in the new one alone
    joint: bool  # benchmarks have one score each, and are the blocks
    block: str  # what was compared, in words
    notes: Sequence[Note] = ()
    notes_by: Mapping[str, Sequence[Note]] = field(default_factory=dict)  # by benchmark
    asked: Asked | None = None  # with a ledger, of whose public items all else is
    # by benchmark, of what is spent: new over old, with one-sided limits
    ratios: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """Of all benchmarks: one that is worse decides, then one that is undecided."""
        results = {*self.table["verdict"]}
        return next(v for v in (WORSE, UNDECIDED, NOT_SHOWN, NOT_WORSE) if v in results)

    @property
    def status(self) -> int:
        """0 not worse or nothing shown, 3 worse, 4 undecided."""
        if self.asked is not None and self.verdict != WORSE:
            return 0 if self.asked.passes else STATUS_OF_GATE[UNDECIDED]
        return STATUS_OF_GATE[self.verdict]

    @property
    def is_worse(self) -> bool:
        """Whether the new one is shown to be worse."""
        return self.verdict == WORSE

    def _lines_above(self) -> list[str]:
        return [line for lines in self.lines for line in lines]

    @property
    def lines(self) -> tuple[list[str], list[str]]:
        """What is said above the rows, and below them."""
        message = self.told
        first = "" if self.asked is None else in_words.asked_line(self.asked)
        above = [in_words.headline(message), in_words.further(message), first]
        return [line for line in above if line], in_words.details(message)

    @property
    def told(self) -> in_words.Told:
        """The facts that words are made of."""
        rows = self.table.to_dict("records")
        margin = (self.margin.value, self.margin.relative) if self.margin else None
        return in_words.Told(
            verdict=self.verdict,
            rows=rows,
            measure=self.measure,
            higher_is_better=self.higher_is_better,
            margin=margin,
            alpha=self.alpha,
            only=self.only,
            joint=self.joint,
            block=self.block,
        )

    def comment(self) -> str:
        """A comment for a pull request: at most 80 words in Markdown, the rest folded."""
        return of_gate(self.told)

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"": self.table}

    def _texts(self, most: int = 0) -> dict[str, Texts]:
        left = ("benchmark", "verdict")
        return {"": Texts(in_words.shown(self.told), left)}

    def _facts(self) -> dict[str, Any]:
        rows = [
            row | {"warnings": list(self.notes_by.get(row["benchmark"], ()))}
            for row in self.table.to_dict("records")
        ]
        return {
            "verdict": self.verdict,
            "status": self.status,
            "text": in_words.headline(self.told),
            "measure": self.measure,
            "higher_is_better": self.higher_is_better,
            "margin": None
            if self.margin is None
            else {"value": self.margin.value, "relative": self.margin.relative},
            "alpha": self.alpha,
            "old": {"source": self.sources[OLD], "algorithm": self.algorithms[OLD]},
            "new": {"source": self.sources[NEW], "algorithm": self.algorithms[NEW]},
            "benchmarks": rows,
            "only_old": list(self.only[OLD]),
            "only_new": list(self.only[NEW]),
            "warnings": list(self.notes),
            **({} if self.asked is None else {"ledger": asdict(self.asked)}),
        }


# -- several candidates ---------------------------------------------------------------------------
# Several candidates against one old version: which of them can ship.
#
# Each is a decision of its own, judged at alpha over the number of candidates (Bonferroni), so that
# the chance to ship any that must not is at most alpha, and every limit that is shown belongs to
# the verdict beside it. Over the parts of one candidate nothing is adjusted (intersection-union).


@dataclass(frozen=True)
class Candidate:
    """One that may replace the old version: its name, where its scores are, and what it is there.

    `algorithms` are those that are meant in the sources of the old and the new one, of several.
    """

    name: str
    given: Any
    algorithms: tuple[str | None, str | None]


def named_candidates(given: Any, algorithm: str | None) -> list[Candidate] | None:
    """The candidates of a mapping from their names to sources; None where it is one source."""
    if not isinstance(given, Mapping) or not given:
        return None
    if not all(isinstance(source, (str, Path, Mapping, pd.DataFrame)) for source in given.values()):
        return None
    return [Candidate(str(n), source, (algorithm, algorithm)) for n, source in given.items()]


def others(given: Any, names: Sequence[str], control: str) -> list[Candidate]:
    """All algorithms of one source but the old one."""
    if control not in names:
        raise ResultsError(unknown("algorithm of this file", control, [*names]))
    if len(names) < 2:
        raise ResultsError(f"'{control}' is alone in this file: add the scores of a new version.")
    return [Candidate(name, given, (control, name)) for name in names if name != control]


def by_file(paths: Sequence[Path]) -> dict[str, Path]:
    """Files by the shortest of their names that tells them apart.

    >>> list(by_file([Path("runs/a.csv"), Path("runs/b.csv")]))
    ['a', 'b']
    >>> list(by_file([Path("a/scores.csv"), Path("b/scores.csv")]))
    ['a/scores.csv', 'b/scores.csv']
    """
    stems = [path.stem for path in paths]
    texts = stems if len({*stems}) == len(stems) else [str(path) for path in paths]
    if len({*texts}) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        raise ResultsError(f"'{twice}' is given twice; give every candidate once.")
    return dict(zip(texts, paths, strict=True))


@dataclass(frozen=True, eq=False, repr=False)
class Candidates(Presented):
    """Which of several candidates can ship; `decisions` has each by its name.

    `verdict` is ship where one can, no where each is shown to be worse than it may be, else not
    yet; `status` what `podium gate` exits with.
    """

    decisions: Mapping[str, Decision]
    alpha: float  # of all together
    notes: Sequence[Note] = ()

    def _of(self, *verdicts: str) -> list[str]:
        return [name for name, each in self.decisions.items() if each.verdict in verdicts]

    @property
    def ships(self) -> list[str]:
        """The candidates that can ship."""
        return self._of(SHIP)

    @property
    def verdict(self) -> str:
        """Ship, no or not yet."""
        if self.ships:
            return SHIP
        return NOT_YET if self._of(NOT_YET) else NO

    @property
    def status(self) -> int:
        """0 ship, 3 no, 4 not yet."""
        return STATUS[self.verdict]

    @property
    def is_worse(self) -> bool:
        """Whether every candidate is shown to be worse than it may be."""
        return self.verdict == NO

    @property
    def level(self) -> float:
        """At which each candidate is judged."""
        return self.alpha / len(self.decisions)

    def p_adjusted(self, name: str) -> float:
        """Of a candidate, times how many there are."""
        return min(self.decisions[name].p * len(self.decisions), 1.0)

    def _lines_above(self) -> list[str]:
        return [line for lines in self.lines for line in lines]

    @property
    def lines(self) -> tuple[list[str], list[str]]:
        """What is said above the parts, and below them."""
        return [headline(self), *others_in_words(self)], details(self)

    @property
    def below(self) -> list[Note]:
        """What must be known of one of them, and of all."""
        return [*own_notes(self), *self.notes]

    def comment(self) -> str:
        """A comment for a pull request in Markdown."""
        rows = [
            f"| {markdown(printable(name))} | {SIGNS[each.verdict]} {each.verdict} | "
            f"{markdown(printable(joined([p.measure for p in each.blocks], 3)))} |"
            for name, each in self.decisions.items()
        ]
        table = "\n".join(["| candidate | verdict | not shown |", "|---|---|---|", *rows])
        head = f"### {SIGNS[self.verdict]} {markdown(headline(self))}"
        return f"{head}\n\n{table}\n\n{in_short(self)}\n"

    def _tables(self) -> dict[str, pd.DataFrame]:
        rows = [
            {"candidate": name, **part.to_dict()}
            for name, each in self.decisions.items()
            for part in each.parts
        ]
        return {"": pd.DataFrame(rows)}

    def _texts(self, most: int = 0) -> dict[str, Texts]:
        parts = [part for each in self.decisions.values() for part in each.parts]
        first = [
            text
            for name, each in self.decisions.items()
            for text in (printable(name), *[""] * (len(each.parts) - 1))
        ]
        columns = {"candidate": first, **of_one.shown(Told(self.verdict, parts, (), self.level))}
        return {"": Texts(columns, ("candidate", "measure", "benchmark", "claim", "shown"))}

    def _facts(self) -> dict[str, Any]:
        first = next(iter(self.decisions.values()))
        return {
            "verdict": self.verdict,
            "status": self.status,
            "text": headline(self),
            "ships": self.ships,
            "alpha": self.alpha,
            "level": self.level,
            "adjustment": "bonferroni",
            "old": {"source": first.sources[OLD], "algorithm": first.algorithms[OLD]},
            "candidates": [
                {"name": name, "p_adjusted": self.p_adjusted(name), **each.to_dict()}
                for name, each in self.decisions.items()
            ],
            "warnings": list(self.notes),
        }


def together(decisions: Mapping[str, Decision], alpha: float) -> Candidates:
    """The decisions of all candidates as one, with what must be known of all of them."""
    first, *rest = ({say(note): note for note in each.notes} for each in decisions.values())
    shared = [note for text, note in first.items() if all(text in each for each in rest)]
    return Candidates(decisions, alpha, tuple(shared))


# -- what is said of them -----------------------------------------------------------------------
# What is said of several candidates: which of them can ship, and how each was judged.


MOST_NAMED = 4  # candidates, in a sentence


def headline(c: Candidates) -> str:
    """Which of them can ship, and why where it is one."""
    ships, count = c.ships, len(c.decisions)
    if len(ships) == 1:
        return of_one.headline(c.decisions[ships[0]].told, ships[0])
    names = [printable(name) for name in ships]
    if names:
        return f"{len(names)} of {count} candidates can ship: {joined(names, MOST_NAMED)}."
    if c.verdict == NO:
        return f"No: each of the {count} candidates is shown to be worse than it may be."
    return f"Not yet: none of the {count} candidates is shown to be good enough."


def others_in_words(c: Candidates) -> list[str]:
    """Every candidate in a sentence, less the one that the headline tells of."""
    best = c.ships if len(c.ships) == 1 else []
    return [of_one.headline(d.told, name) for name, d in c.decisions.items() if name not in best]


def details(c: Candidates) -> list[str]:
    """How they were judged."""
    count = len(c.decisions)
    return [
        f"Each of the {count} candidates is judged at {100 * c.level:.3g} % ({100 * c.alpha:.3g} % "
        f"over {count}, Bonferroni), and so are its limits: the chance to ship any that must not "
        f"is at most {100 * c.alpha:.3g} %.",
        *of_one.details(next(iter(c.decisions.values())).told),
    ]


def own_notes(c: Candidates) -> list[Note]:
    """What must be known of one of them and not of all."""
    shared = {*map(say, c.notes)}
    return [
        Note(note.code, note.severity, note=note, candidate=name)
        for name, each in c.decisions.items()
        for note in each.notes
        if say(note) not in shared
    ]


def in_short(c: Candidates) -> str:
    """The same for a comment."""
    return f"Each judged one-sided at {100 * c.level:.3g} %, {100 * c.alpha:.3g} % in all."
