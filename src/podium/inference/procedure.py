"""What a procedure is: a record of bricks, where it is legal, and what it says of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from podium import presentation
from podium.inference.estimates import Estimator
from podium.inference.layouts import Layout
from podium.inference.overall import OverallTest

Legal = frozenset[tuple[str, str]]
ONE_DATASET: Legal = frozenset(
    {
        ("resample", "sample"),
        ("resample", "test-set"),  # competition only, see legality
        ("repetition", "sample"),
        ("simulation", "population"),
        ("training-set", "test-set"),
    }
)
ITEMS: Legal = frozenset({("item", "test-set")})
DATASETS: Legal = frozenset({("dataset", "dataset-population")})
INDEPENDENT: Legal = ONE_DATASET | ITEMS | DATASETS  # blocks, in each of which all algorithms are
UNPAIRED: Legal = frozenset(
    {
        ("independent-resample", "sample"),
        ("independent-resample", "test-set"),  # competition only, see legality
        ("independent-simulation", "population"),
    }
)
DEPENDENT: Legal = frozenset({("fold", "population"), ("resample", "population")})
NOWHERE: Legal = frozenset()


@dataclass(frozen=True, repr=False)
class Procedure:
    """A named test: bricks, its null in words, where it is legal and what it controls."""

    name: str
    title: str
    estimate: Estimator
    overall: OverallTest
    adjust: str
    hypothesis: str  # what equality it tests
    null: str  # under which it holds its level
    controls: str
    reference: str
    legal: Legal
    least: int = 2  # blocks
    pairwise: bool = False  # each pair is scored on its own
    control: bool = False  # against a control by default
    default_null: str = ""  # empty: asymptotic from 30 blocks, exact or permutation below
    margins: bool = False
    gaps: bool = False
    unpaired: bool = False  # every algorithm has samples of its own
    ordered: bool = False  # the order of the blocks matters
    spherical: bool = False  # assumes equal variances of all differences
    clusters: bool = False  # knows how to use clusters of items
    conservative: bool = False
    ranks_differences: bool = False  # so that rounding can break their ties
    ranks: bool = False  # ranks within blocks, so that mean ranks are what it compares
    few_sums: bool = False  # of ranks or signs, few of them differ: an exact null is cheap
    binary: bool = False  # counts correct items: every score is 0 or 1
    samplings: tuple[str, ...] | None = None
    marked: str = ""  # why it is legal nowhere
    of: str = "mean"  # what is estimated
    criterion: Callable[[Layout], Layout] | None = None  # other than location

    def adjust_for(self, block: str) -> str:
        """The adjustment for a kind of block.

        Data sets are few: there power counts for more than Šidák's intervals.
        """
        return "holm" if (block, self.adjust) == ("dataset", "sidak") else self.adjust

    @property
    def adjustments(self) -> str:
        """The adjustment, and the one for data sets where it is another one."""
        of_sets = self.adjust_for("dataset") if any(b == "dataset" for b, _ in self.legal) else ""
        other = of_sets not in ("", self.adjust)
        return f"{self.adjust}; {of_sets} on data sets" if other else self.adjust

    def __repr__(self) -> str:
        return f"<Procedure {self.name}: {self.title}>"

    def _repr_html_(self) -> str:
        said = {
            "hypothesis": self.hypothesis,
            "holds under": self.null,
            "controls": self.controls,
            "adjustment": self.adjustments,
            "reference": self.reference,
            "legal for": "; ".join(f"{b} about {t}" for b, t in sorted(self.legal)) or "nothing",
        }
        lines = [f"{name}: {text}" for name, text in said.items()]
        return presentation.html([repr(self)[1:-1], *lines], {}, ())


EXCHANGEABLE = "within a block the algorithms' scores are exchangeable"
EQUAL_MEANS = "equal means; differences between blocks nearly normal, or many blocks"
SYMMETRIC = "differences symmetric about zero"
WEAK = (
    "family-wise error weakly: at the complete null; under partial nulls it can exceed alpha "
    "(about 8 % at K = 8)"
)
STRONG = "family-wise error strongly"
SINGLE_STEP = (
    STRONG + "; conservative where only some algorithms are equal (about 1 % for 2 + 2 + 1)"
)
BY_HOLM = STRONG + "; somewhat conservative, as pairs are correlated (2 to 5 %)"
