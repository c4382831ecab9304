"""Shards: equal parts of a study for machines that cannot speak with each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.base.errors import DesignError

if TYPE_CHECKING:  # what is done and missing is read where nothing can be run
    from podium.design.study import Run, Study

_TEXT = re.compile(r"\s*(\d+)\s*/\s*(\d+)\s*")


@dataclass(frozen=True)
class Shard:
    """Part `number` (from 1) of `of` parts.

    All algorithms of a sample are in one shard, as they share its rows; samples go round the
    shards, in every data set from another one on. More samples, or data sets at the end of the
    study, move nothing from one shard to another.
    """

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def holds(self, dataset: Any, sample: Any) -> Any:
        """Whether a sample of the data set at this place in the study belongs here; or arrays."""
        return (dataset + sample - self.number) % self.of == 0

    def runs(self, study: Study) -> Iterator[Run]:
        """The runs of the study that belong here."""
        place = {data.name: i for i, data in enumerate(study.datasets)}
        return (run for run in study if self.holds(place[run.dataset], run.sample))

    def path(self, store: Path) -> Path:
        """The store of this shard, named after the store of the whole.

        >>> Shard(3, 16).path(Path("monks.db")).name
        'monks-03of16.db'
        """
        width = len(str(self.of))
        return store.with_name(f"{store.stem}-{self.number:0{width}}of{self.of}{store.suffix}")


def parse_shard(given: Any) -> Shard:
    """The shard that '3/16' or (3, 16) means."""
    if isinstance(given, Shard):
        given = (given.number, given.of)
    match = _TEXT.fullmatch(given) if isinstance(given, str) else None
    pair = tuple(map(int, match.groups())) if match else given
    whole = isinstance(pair, (tuple, list)) and len(pair) == 2
    if not whole or not all(type(n) is int for n in pair) or not 1 <= pair[0] <= pair[1]:
        raise DesignError(
            f"A shard is such as '3/16', the third of sixteen parts (or (3, 16)), not {given!r}."
        )
    return Shard(*pair)


def shard_of(environments: Sequence[Mapping[str, Any]]) -> Shard | None:
    """The shard that all calls with a store have run; None where they have run more than one."""
    shards = {e.get("shard") for e in environments}
    only = shards.pop() if len(shards) == 1 else None
    return None if only is None else parse_shard(only)
