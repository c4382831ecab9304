"""Hothorn, Leisch, Zeileis & Hornik (2005), Section 5.3: three studies run anew, Figures 3 to 5.

The algorithms are not the paper's own programs: scikit-learn's random forests stand for those of
randomForest, `bundling` for ipred's sLDA and bundling, Podium's tuned `svm` for that of e1071.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

import podium
from podium import plots, samplings
from podium.core.samplings import Sampling
from podium.core.words.facts import Overall
from podium.errors import DesignError, PodiumError
from podium.running.design.data.datasets import dataset
from podium.running.design.data.sources import from_source, read_table
from podium_lab.papers.bundling import Bundling, StabilisedLda
from podium_lab.papers.hothorn2005 import ITEMS, SAMPLES
from podium_lab.papers.replication import Asked, Cell, Finding, Item, Replication, executed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUICK = 25  # samples in a hurry
FOLDS = 5
ALPHA = 0.05
SMALLEST = 0.001  # below which the paper prints no p-value
NULL = "permutation:9999"
RESAMPLES = 500
QUANTILE = "absolute:quantile:0.95"
SHARES = (1, 5, 10)  # of the rows, in percent, that a node must exceed to be split
DIFFERENT = 1 - np.exp(-1)  # share of rows that as many draws meet
OOB, CV = "out of bag", "cross-validated"
NOT_THEIRS = (
    "Random forests are scikit-learn's instead of randomForest's; p-values and means depend on "
    "programs, tuning and draws that the paper does not give."
)
BUNDLED = (
    "sLDA and bundling follow the papers (principal components of the correlation matrix with "
    "eigenvalues above 1; 5 nearest neighbours) and stand for ipred's, whose slda takes singular "
    "vectors for eigenvectors."
)
TUNED = (
    "The SVM's cost and gamma are tuned by cross-validation in every learning sample, on the grid "
    "of Meyer, Leisch & Hornik (2003)."
)
HURRY = (
    "In a hurry: 25 trees, a small grid for the SVM, and 25 samples: too few to find all that 250 "
    "find, so that a NO may be chance."
)


@dataclass(frozen=True)
class Source:
    """Where the data come from: a file of a folder, or OpenML."""

    name: str
    openml: str
    quantity: bool = False

    def load(self, data: Path | None) -> podium.Dataset:
        """All attributes are numbers, as they are in the paper's programs."""
        if data is None:
            return self._fetched()
        frame = read_table(data / f"{self.name}.csv", f"Data set '{self.name}'")
        if "target" not in frame.columns:
            raise DesignError(f"'{data / self.name}.csv' has no column 'target'.")
        return self._made(frame.drop(columns="target"), frame["target"], f"file:{self.name}.csv")

    def _fetched(self) -> podium.Dataset:
        try:
            result = from_source(self.name, self.openml)
        except PodiumError as error:
            raise DesignError(
                f"'{self.name}' cannot be had from OpenML ({error}) Say --data DIR (data=DIR), a "
                f"folder with {self.name}.csv: a header, attributes as numbers, the last column "
                "'target'."
            ) from None
        assert isinstance(result, podium.Dataset)
        return result

    def _made(self, attributes: pd.DataFrame, target: pd.Series, origin: str) -> podium.Dataset:
        try:
            numbers = attributes.astype(float)
            y = target.to_numpy(float) if self.quantity else target.astype(str).to_numpy()
        except ValueError as error:
            what = "attributes and target are" if self.quantity else "attributes are"
            raise DesignError(f"Data set '{self.name}': {what} numbers: {error}.") from None
        return dataset(self.name, numbers, y, origin=origin)


# -- algorithms -----------------------------------------------------------------------------


def forests(rows: int, quick: bool) -> list[podium.Algorithm]:
    """Regression forests by the size of nodes that are not split, as randomForest's nodesize.

    randomForest counts the draws in a node, scikit-learn the different rows among them.
    """
    return [
        podium.algorithm(
            f"{share} %",
            "sklearn.ensemble.RandomForestRegressor",
            n_estimators=_trees(quick),
            max_features=1 / 3,
            min_samples_split=round(DIFFERENT * rows * share / 100) + 1,
        )
        for share in SHARES
    ]


def classifiers(rows: int, quick: bool, slda: bool = False) -> list[podium.Algorithm]:
    """SVM, random forest and bundling, and sLDA where it is asked for."""
    small: dict[str, Any] = {"costs": [1, 4, 16], "gammas": [2**-6, 2**-4, 2**-2], "folds": 5}
    trees: dict[str, Any] = {"n_estimators": _trees(quick)}
    coded = partial(podium.algorithm, preprocess=True)
    forest = coded("random forest", "sklearn.ensemble.RandomForestClassifier", **trees)
    algorithms = [
        podium.algorithm(
            "svm", "podium.running.design.families.machines.Svm", **(small if quick else {})
        ),
        forest,
        coded("bundling", Bundling, **trees),
    ]
    return [coded("slda", StabilisedLda), *algorithms] if slda else algorithms


def _trees(quick: bool) -> int:
    return QUICK if quick else SAMPLES


# -- the studies ----------------------------------------------------------------------------

Found = Mapping[str, podium.Results]  # by how the performance is measured


@dataclass(frozen=True)
class Application:
    """A study of the paper: called, it is run and compared."""

    item: str
    source: Source
    algorithms: Callable[[int, bool], list[podium.Algorithm]]
    measure: str
    designs: tuple[str, ...]
    cells: Callable[[Found], Iterator[Cell]]
    figures: Callable[[Found], dict[str, Callable[[Axes], Axes]]]
    notes: tuple[str, ...]

    def __call__(self, request: Asked, *, samples: int | None = None) -> Replication:
        """The study with the paper's number of samples, or another one; a store for each design."""
        quick, given = request.quick, self.source.load(request.data)
        count = samples or (QUICK if quick else SAMPLES)
        results = {}
        for design in self.designs:
            study = podium.Study(
                [given],
                self.algorithms(given.n, quick),
                sampling=_sampling(design, count),
                measures=[self.measure],
                seed=2005 + request.seed,
                name=f"hothorn2005-{self.item}",
            )
            results[design] = executed(study, request, "" if design == OOB else "cv")
        notes = [*self.notes, *([HURRY] if quick else []), *_failed(results)]
        return Replication(
            "hothorn2005",
            self.item,
            list(self.cells(results)),
            notes,
            count,
            request.seed,
            self.figures(results),
        )


def _sampling(design: str, samples: int) -> Sampling:
    return samplings.bootstrap(samples) if design == OOB else samplings.bootstrap_cv(samples, FOLDS)


def _failed(result: Found) -> list[str]:
    gone = sum(len(results.missing()) for results in result.values())
    return [f"{gone} runs failed; their samples are left out."] if gone else []


# -- what is compared -----------------------------------------------------------------------


def _overall(comparisons: podium.Comparisons) -> Overall:
    assert comparisons.overall is not None  # both procedures have a test of all
    return comparisons.overall


def statistic_3(comparisons: podium.Comparisons, blocks: int) -> float:
    """Statistic (3) for 250 samples: it goes with 1 / B."""
    return float((_overall(comparisons).t_star or 0.0) * blocks / SAMPLES)


def _global(design: str, comparisons: podium.Comparisons) -> Finding:
    """The paper finds a p-value of at most 0.001 everywhere."""
    p = _overall(comparisons).p
    return Finding(
        design, "all equal", "p", SMALLEST, p, holds=p <= SMALLEST, note="theirs: not above"
    )


def _pair(
    design: str, comparisons: podium.Comparisons, first: str, second: str, theirs: float = np.nan
) -> Finding:
    """Whether `first` is found to be better; where `theirs` is above the level, that neither is."""
    table = comparisons.table
    either = table["first"].isin([first, second]) & table["second"].isin([first, second])
    row = table[either].iloc[0]
    estimate = row["estimate"] if row["first"] == first else -row["estimate"]
    p = float(row["p_adjusted"])
    equal = theirs > ALPHA
    holds = (p > ALPHA) if equal else (p <= ALPHA and estimate < 0)
    return Finding(design, f"{first} {'≈' if equal else '≻'} {second}", "adjusted p", theirs, p,
                   holds=bool(holds))  # fmt: skip


def _boston(result: Found) -> Iterator[Cell]:
    for design, theirs in ((CV, 0.0018), (OOB, 0.0016)):
        results = result[design]
        made = podium.compare(results, "permutation", null=NULL)
        wide = results.wide(QUANTILE)[[f"{share} %" for share in SHARES]].dropna()
        ours = statistic_3(made, len(wide))
        yield Cell(design, "statistic (3)", "t*", theirs, ours, _error(_t_star, wide), 5e-5,
                   f"chi-square form {_overall(made).statistic:.4g}; theirs is met by samples "
                   "that are not paired")  # fmt: skip
        yield Cell(design, "statistic (3)", "t*, not paired", theirs,
                   _unpaired(wide.to_numpy(float)), _error(_unpaired, wide), 5e-5)  # fmt: skip
        yield _global(design, made)
        yield _pair(design, made, "1 %", "5 %")
        yield _pair(design, made, "5 %", "10 %")
    for name, dollars in (("1 %", 6707), ("10 %", 8029)):
        scores = 1000 * wide[[name]]
        note = "the text does not say how it was measured"
        yield Cell(OOB, name, "mean, US$", dollars, float(scores.to_numpy().mean()),
                   _error(lambda s: float(s.mean()), scores), 0.5, note)  # fmt: skip


def _t_star(scores: np.ndarray) -> float:
    """Statistic (3) as it is printed, of as many samples as the paper has."""
    means = scores.mean(axis=0)
    rest = scores - scores.mean(axis=1, keepdims=True) - means + scores.mean()
    squares = ((means - scores.mean()) ** 2).sum() / (rest**2).sum()
    return float(squares * len(scores) / SAMPLES)


def _unpaired(scores: np.ndarray) -> float:
    """Statistic (3) if every algorithm had samples of its own, so that blocks had no effect."""
    means = scores.mean(axis=0)
    rest = (1 - 1 / scores.shape[1]) * ((scores - means) ** 2).sum()
    return float(((means - scores.mean()) ** 2).sum() / rest * len(scores) / SAMPLES)


def _error(statistic: Callable[[np.ndarray], float], wide: pd.DataFrame) -> float:
    """The standard error of the difference of two such statistics, ours and one of 250 samples."""
    scores, rng = wide.to_numpy(float), np.random.default_rng(0)
    drawn = [scores[rng.integers(0, len(scores), len(scores))] for _ in range(RESAMPLES)]
    with np.errstate(divide="ignore"):  # few samples may be drawn so that nothing is left
        values = np.array([statistic(one) for one in drawn])
    spread = values[np.isfinite(values)].std()
    return float(spread * np.sqrt(1 + len(scores) / SAMPLES))


def _ionosphere(result: Found) -> Iterator[Cell]:
    for design, theirs in ((CV, 0.063), (OOB, 0.008)):
        made = podium.compare(result[design], "permutation", null=NULL)
        yield _global(design, made)
        yield _pair(design, made, "svm", "random forest")
        yield _pair(design, made, "svm", "bundling")
        yield _pair(design, made, "bundling", "random forest", theirs)


def _breastcancer(result: Found) -> Iterator[Cell]:
    yield _global(OOB, podium.compare(result[OOB], "permutation", null=NULL))
    made = podium.compare(result[OOB], "mixed-tukey")
    for ensemble in ("random forest", "bundling"):
        for other in ("slda", "svm"):
            yield _pair(OOB, made, ensemble, other)
    for first, second in (("svm", "slda"), ("random forest", "bundling")):
        pair = _pair(OOB, made, first, second, 1.0)
        yield Finding(OOB, pair.row, pair.column, np.nan, pair.ours, holds=pair.holds)


# -- figures --------------------------------------------------------------------------------


def _drawn(face: Callable[..., Any], what: Any, ax: Axes) -> Axes:
    made: Axes = face(what, ax=ax)
    return made


def _distributions(number: int, result: Found) -> dict[str, Callable[[Axes], Axes]]:
    """Box plots and densities of the performance, by how it is measured."""
    short = {OOB: "oob", CV: "cv"}
    return {
        f"figure{number}-{short[design]}-{name}": partial(_drawn, face, results)
        for design, results in result.items()
        for name, face in (("boxes", plots.boxes), ("densities", plots.densities))
    }


def _figure_5(result: Found) -> dict[str, Callable[[Axes], Axes]]:
    made = podium.compare(result[OOB], "mixed-tukey")
    intervals = partial(_drawn, plots.intervals, made)
    return _distributions(5, result) | {"figure5-intervals": intervals}


boston = Application(
    "boston",
    Source("BostonHousing", "openml:531", quantity=True),
    forests,
    QUANTILE,
    (CV, OOB),
    _boston,
    partial(_distributions, 3),
    (
        NOT_THEIRS,
        "Nodes of up to 1, 5 and 10 % of the rows are not split, which is randomForest's nodesize; "
        "with so many rows at least in every leaf the errors are larger by a tenth and more.",
        "Statistic (3) is taken for 250 samples, since it goes with 1 / B.",
    ),
)
ionosphere = Application(
    "ionosphere",
    Source("Ionosphere", "openml:59"),
    classifiers,
    "error",
    (CV, OOB),
    _ionosphere,
    partial(_distributions, 4),
    (NOT_THEIRS, BUNDLED, TUNED),
)
breastcancer = Application(
    "breastcancer",
    Source("BreastCancer", "openml:15"),
    partial(classifiers, slda=True),
    "error",
    (OOB,),
    _breastcancer,
    _figure_5,
    (
        NOT_THEIRS,
        BUNDLED,
        TUNED,
        "The nine scores from 1 to 10 are numbers; 16 missing ones are medians of the learning "
        "sample. What the paper did with them is not said.",
        "Tukey's pairs are those of the random block model: on aligned scores the one-way test "
        "that the paper describes has too many degrees of freedom.",
    ),
)
ITEMS.add(
    "boston", Item("Boston Housing: forests by size of nodes; Figure 3", boston, whole="10 of 12")
)
ITEMS.add(
    "ionosphere",
    Item("Ionosphere: SVM, random forest, bundling; Figure 4", ionosphere, whole="6 of 8"),
)
ITEMS.add(
    "breastcancer", Item("Breast Cancer: the same and sLDA; Figure 5", breastcancer, whole="6 of 7")
)
