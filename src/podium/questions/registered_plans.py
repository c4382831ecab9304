"""A plan of analysis that is fixed before the first score, its versions, and what came of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import pandas as pd

from podium.base.formatting import listed
from podium.base.options import OPTIONS as DECLARED
from podium.questions.options import ALPHA, PAIRS

FIXED = ("name", "seed", "sampling_identity", "fits", "measures", "datasets", "samples",
         "algorithms", "frame", "roles", "development")  # fmt: skip
OPTIONS = tuple(option.name for option in DECLARED.values() if option.in_plan)


@dataclass(frozen=True)
class AnalysisPlan:
    """What will be asked of the scores; None leaves a choice to the design."""

    measure: str
    target: str | None = None
    procedure: str | None = None
    alpha: float = ALPHA
    relevance: float = 0.0
    control: str | None = None
    pairs: tuple[tuple[str, str], ...] | None = None
    subgroups: Mapping[str, tuple[str, ...]] | None = None  # data sets of each
    gaps: str = PAIRS
    sequential: Mapping[str, Any] | None = None  # goal, spending, looks, open

    def options(self) -> dict[str, Any]:
        """What `compare` is asked."""
        every = {name: getattr(self, name) for name in OPTIONS}
        if self.gaps == PAIRS:  # a plan does not tell whether it was written or left out
            del every["gaps"]
        return {name: value for name, value in every.items() if value is not None}

    def to_dict(self) -> dict[str, Any]:
        """As a store keeps it."""
        return dict(json.loads(json.dumps(asdict(self))))

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> AnalysisPlan:
        """From what a store keeps."""
        known = {f.name for f in fields(cls)}
        made = {name: value for name, value in kept.items() if name in known}
        if made.get("pairs") is not None:
            made["pairs"] = tuple((first, second) for first, second in made["pairs"])
        if made.get("subgroups") is not None:
            made["subgroups"] = {g: tuple(names) for g, names in made["subgroups"].items()}
        return cls(**made)


@dataclass(frozen=True)
class Version:
    """A plan with what of its study was fixed, when, and how many runs were done by then."""

    plan: AnalysisPlan
    study: Mapping[str, Any]
    time: str
    done: int = 0

    @property
    def fingerprint(self) -> str:
        """The same for the same study, data and plan, whenever and wherever registered."""
        content = json.dumps([self.plan.to_dict(), self.study], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def to_dict(self) -> dict[str, Any]:
        """As a store keeps it."""
        plan = self.plan.to_dict()
        kept = {"fingerprint": self.fingerprint, "plan": plan, "study": dict(self.study)}
        return {**kept, "time": self.time, "done": self.done}

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Version:
        """From what a store keeps."""
        return cls(AnalysisPlan.of(kept["plan"]), kept["study"], kept["time"], kept["done"])


def planned_value(value: Any) -> str:
    """What a plan says under a key, as people write it.

    >>> planned_value([["svm", "lda"], ["nb", "lda"]])
    'svm and lda, nb and lda'
    >>> planned_value({"small": ["iris", "glass"], "large": ["letter"]})
    'small (iris, glass), large (letter)'
    >>> planned_value({"goal": "order", "looks": 20})
    'goal order, looks 20'
    """
    if isinstance(value, Mapping):
        return listed(
            [
                f"{key} ({listed(of)})" if _is_list(of) else f"{key} {of}"
                for key, of in value.items()
            ]
        )
    if _is_list(value):
        return listed([" and ".join(one) if _is_list(one) else str(one) for one in value])
    return str(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def fixed_of(definition: Mapping[str, Any]) -> dict[str, Any]:
    """What a plan fixes of a study's definition."""
    return {name: definition[name] for name in FIXED if name in definition}


def binding(versions: Sequence[Version]) -> Version:
    """The version that holds: the last one before the first score."""
    return [v for v in versions if not v.done][-1]


@dataclass(frozen=True, eq=False)
class PlannedAndDone:
    """What a study planned, and all that was done otherwise.

    Attributes
    ----------
    deviations : one row each: about what, what was planned, what was done.
    exploratory : whether more or other things were asked than planned.
    """

    version: Version
    versions: tuple[Version, ...]
    deviations: pd.DataFrame
    exploratory: bool

    def to_dict(self) -> dict[str, Any]:
        """What JSON holds of it."""
        # what was planned does not have the word at all
        return ({"exploratory": True} if self.exploratory else {}) | {
            "registered": {
                "fingerprint": self.version.fingerprint,
                "time": self.version.time,
                "plan": self.version.plan.to_dict(),
                "versions": [version.to_dict() for version in self.versions],
            },
            "planned_and_done": self.deviations,
        }
