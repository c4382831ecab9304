"""How samples were drawn, in words: what records may say of a sampling for a paper."""

from __future__ import annotations

from dataclasses import dataclass

from podium.base.formatting import number
from podium.samplings.sampling import Cite, Sampling
from podium.words.phrases import spelled


@dataclass(frozen=True)
class Drawn:
    """A sampling with what is known of its sizes; `several` data sets were each sampled so."""

    sampling: Sampling
    count: int  # of samples, of every data set
    rows: int | None = None
    test: int = 0
    several: bool = False
    shared: bool = True  # by several algorithms

    @property
    def algorithms(self) -> str:
        """Who was trained, with the verb."""
        return "the algorithms were" if self.shared else "the algorithm was"

    @property
    def source(self) -> str:
        """What samples are drawn from."""
        size = f" of {self.rows} observations" if self.rows else ""
        return ("each training set" if self.several else "the training set") + size

    @property
    def tested(self) -> str:
        """How many rows are expected to be tested on, where known."""
        size = self.sampling.sizes(self.rows, self.test)[1] if self.rows else None
        return f" (about {size:.0f})" if size and size == size else ""

    @property
    def learned(self) -> str:
        """How many rows are learned from, where known."""
        if self.rows:
            return f"{self.sampling.sizes(self.rows, self.test)[0]:.0f} observations"
        share = self.sampling.train_share
        return f"{number(100 * share, 3)} % of the observations" if share else "the others"


def drawn_in_words(drawn: Drawn, cite: Cite) -> str:
    """How samples were drawn, for a paper; general words where the record has none."""
    if drawn.sampling.kind.claims.methods is not None:
        return drawn.sampling.kind.claims.methods(drawn, cite)
    return (
        f"{drawn.source} was sampled {spelled(drawn.count, 'time')} by '{drawn.sampling.name}', "
        f"and {drawn.algorithms} trained and tested on each of these samples"
    )
