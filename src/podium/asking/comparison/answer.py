"""The one answer that every question gives: terminal, JSON, tables, page and notebook render it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from podium.core.base.errors import PodiumError
from podium.core.base.rooms import required
from podium.showing.terminal.options import BAYES, CHOOSING, JUDGED
from podium.showing.terminal.saying import collect_lines

if TYPE_CHECKING:
    from podium.asking.comparison.request import Case, Request
    from podium.core.inference.comparing.comparisons import Comparisons
    from podium.core.inference.layouts import Layout
    from podium.core.orders.order import Order
    from podium.core.results.results import Results


class Shown(NamedTuple):
    """How much of an answer is shown besides its first screen."""

    pairs: bool = False
    why: bool = False
    algorithms: bool = False  # all, however many


@dataclass(frozen=True, eq=False, repr=False)
class Answer:
    """What is the case, as one record.

    `str(answer)` is what a terminal shows; a notebook shows the first screen of the page.

    Attributes
    ----------
    question : the name of the question that was asked.
    case : the results, and the request as reading them settled it.
    comparisons, order : the usual comparison, which every answer stands on.
    result : what was asked for: comparisons, effects, a front, changes of times.
    show : prints the answer on a terminal.
    parts : what was asked besides, by its name in JSON: strata, repeats, subgroups.
    """

    question: str
    case: Case
    comparisons: Comparisons
    order: Order
    result: Any
    show: Callable[[Answer, Shown], None]
    parts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def results(self) -> Results:
        """The results that this is about."""
        return self.case.results

    @property
    def request(self) -> Request:
        """What was asked."""
        return self.case.request

    @cached_property
    def layout(self) -> Layout | None:
        """What was compared; None where it was not compared by its own scores alone."""
        from podium.core.verdicts.verbs import layout_of

        others = self.request.select_given((*JUDGED, *BAYES))
        if self.comparisons.extras.registered is not None or others:
            return None
        names = ("procedure", "measure", *CHOOSING, "gaps")
        try:
            return layout_of(self.results, **self.request.select_given(names))
        except PodiumError:
            return None

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values, as `--json` writes it."""
        from podium.asking.comparison.record import record

        made = record(self.comparisons, self.order, lambda: self.layout)
        made |= {name: part.to_dict() for name, part in self.parts.items()}
        return made if self.result is self.comparisons else made | self.result.to_dict()

    def write_table(self, kind: str) -> str:
        """The table for a paper as "csv", "latex" or "markdown"."""
        text: str = getattr(self.result, f"to_{kind}")()
        return text

    def say(self, shown: Shown) -> None:
        """Print the answer on a terminal."""
        self.show(self, shown)

    def lines(self, *, pairs: bool = False, why: bool = False, every: bool = False) -> list[str]:
        """What a terminal shows, without colours.

        Parameters
        ----------
        pairs : the order, and every comparison with its numbers.
        why : why this test, and all caveats in full.
        every : every algorithm, however many there are.
        """
        with collect_lines() as lines:
            self.say(Shown(pairs, why, every))
        return lines

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return str(required("notebook_of_answer")(self))
