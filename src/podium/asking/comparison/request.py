"""A request, which is a source of scores and what is asked of it, and the case that it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.core.base.errors import InferenceError
from podium.core.base.options import OPTIONS, part_of
from podium.core.base.registry import unknown
from podium.core.base.rooms import capabilities
from podium.showing.terminal.options import CHOOSING, EXCLUDING, READING, given_options, refuse

if TYPE_CHECKING:
    from podium.core.results.results import Results

OF_ITEMS = ("sample", "queue", "open", "strata")
# what may be asked of scores; how an answer is shown is asked of the answer
COMPARED = ("measure", *CHOOSING, *part_of("line", "testing", "comparing"))  # by podium.compare
# what commands do not take; their --pairs is about what is shown
OF_PYTHON = tuple(name for name in COMPARED if name in OPTIONS and not OPTIONS[name].on_line)
COMMON = (*READING, *EXCLUDING, *COMPARED, *OF_ITEMS, "factors", "margin")
OWN = "asked"  # the set of options that questions declare for themselves


@dataclass(frozen=True)
class Request:
    """A source of scores and what is asked of it.

    Attributes
    ----------
    source : a path, several paths, a frame or results.
    options : by the names that `podium analyze` has for them; what was not said is None.
    """

    source: Any
    options: Mapping[str, Any]

    @classmethod
    def from_options(cls, source: Any, options: Mapping[str, Any]) -> Request:
        """A request that has every option, those that were not said as None."""
        known = list_options()
        odd = next((name for name in options if name not in known), None)
        if odd is not None:
            raise InferenceError(unknown("option of analyze", odd, known))
        # a flag that is off was not said; False is an answer only to what is better, high or low
        off = {name: None for name, value in options.items() if value is False}
        off.pop("higher_is_better", None)
        return cls(source, {**dict.fromkeys(known), **options, **off})

    @classmethod
    def from_asked(cls, source: Any, options: Mapping[str, Any]) -> Request:
        """A request of those options of a command that are about what is asked."""
        known = {name for name in list_options() if name not in OF_PYTHON}
        return cls.from_options(source, {k: v for k, v in options.items() if k in known})

    def __getitem__(self, name: str) -> Any:
        return self.options[name]

    def but(self, **changed: Any) -> Request:
        """The same request with some options changed."""
        return Request(self.source, {**self.options, **changed})

    def select_given(self, names: Sequence[str]) -> dict[str, Any]:
        """Those of these options that were said."""
        return given_options(self.options, names)

    def refuse(self, names: Sequence[str], why: str) -> None:
        """Refuse options that do not apply, rather than ignore them."""
        refuse(self.options, names, why)

    @property
    def comparing(self) -> dict[str, Any]:
        """What `podium.compare` is asked."""
        return self.select_given(COMPARED)

    @property
    def is_of_store(self) -> bool:
        """Whether the source is the store of a study."""
        from podium.reading.formats.stores import is_store

        return isinstance(self.source, Path) and is_store(self.source)

    @property
    def names_several_measures(self) -> bool:
        """Whether several measures are named, as in `-m accuracy,cost`."""
        return "," in (self.options["measure"] or "")


@dataclass(frozen=True, eq=False)
class Case:
    """What a question is answered from: results, and the request as reading them settled it.

    Attributes
    ----------
    results : what was read; of several measures those of the first.
    request : names of measures and factors are those of the results.
    several : results by measure, where a question is about several.
    """

    results: Results
    request: Request
    several: Mapping[str, Results] = field(default_factory=dict)


@cache
def load_questions() -> tuple[Any, ...]:
    """The questions that rooms declare; the options of their own are declared then, too."""
    return tuple(one.load(at) for one in capabilities() for at in one.questions)


def list_options() -> tuple[str, ...]:
    """The names of all that may be asked, those that questions declare included."""
    load_questions()
    return (*COMMON, *part_of(OWN))
