"""A gate: is the new one worse than the old one, on each benchmark and on all of them?"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import pandas as pd

from podium.base.errors import InferenceError
from podium.gates import words as in_words
from podium.gates.decisions import of_gate
from podium.gates.sides import NEW, OLD
from podium.words.facts import Note
from podium.words.presentation import Presented, Texts

NOT_WORSE, WORSE, UNDECIDED, NOT_SHOWN = in_words.VERDICTS
STATUS = {NOT_WORSE: 0, NOT_SHOWN: 0, WORSE: 3, UNDECIDED: 4}
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
            return 0 if self.asked.passes else STATUS[UNDECIDED]
        return STATUS[self.verdict]

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
