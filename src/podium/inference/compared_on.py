"""What was compared on, as comparisons tell it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from podium.inference.layouts import Layout
from podium.targets import BLOCKS
from podium.wording import statements as headings


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
    drawn = str(layout.sampling) if layout.sampling else None
    count = len(layout.values) if count is None else count
    return Blocks(layout.block, count, drawn, layout.of_clusters)


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
