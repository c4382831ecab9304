"""How samples were drawn and what was measured, in words for a paper: past tense, sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from podium.formatting import number, printable
from podium.measures import KNOWN, Measure
from podium.registry import Registry
from podium.samplings import Sampling
from podium.wording.phrases import sentence, spelled, was_were
from podium.wording.references import Citations

MEASURES = {
    "error": "the misclassification error",
    "accuracy": "the classification accuracy",
    "squared": "the mean squared error",
    "absolute": "the mean absolute error",
    "rmse": "the root mean squared error",
    "log-loss": "the logarithmic loss",
    "brier": "the Brier score",
    "auc": "the area under the ROC curve",
    "log-likelihood": "the mean log-likelihood",
    "adjusted-rand": "the adjusted Rand index",
    "silhouette": "the mean silhouette width",
    "concordance": "the concordance index",
    "integrated-brier": "the integrated Brier score",
    "fit-time": "the training time in seconds",
    "predict-time": "the prediction time in seconds",
    "time": "the training and prediction time in seconds",
    "peak-memory": "the peak memory in bytes",
}


def measured(measure: Measure) -> str:
    """What was measured, and which values are better."""
    known = measure.name in KNOWN and KNOWN[measure.name] == measure  # not a user's own
    words = MEASURES[measure.name] if known else f"'{printable(measure.name)}'"
    return f"{words} ({measure.direction} values are better)"


# -- samplings ----------------------------------------------------------------------------------


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
    def source(self) -> str:
        """What samples are drawn from."""
        size = f" of {self.rows} observations" if self.rows else ""
        return ("each learning sample" if self.several else "the learning sample") + size

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


Words = Callable[[Drawn, Citations], str]
WORDS: Registry[Words] = Registry("sampling in words")


def drawn_words(drawn: Drawn, cite: Citations) -> str:
    """How the samples were drawn, as sentences."""
    made = WORDS[drawn.sampling.name](drawn, cite)
    if not drawn.shared:
        made = made.replace("the algorithms were", "the algorithm was")
    return " ".join([sentence(made), *(sentence(o) for o in _options(drawn))])


def _options(drawn: Drawn) -> list[str]:
    s = drawn.sampling
    said = []
    if s.stratified:
        said.append("sampling was stratified by class")
    if s.grouped:
        said.append("observations of one group were kept together")
    if s.gap:
        between = spelled(s.gap, "observation")
        said.append(f"{between} between those learned from and those tested on were left out")
    if s.independent:
        said.append("samples were drawn independently for every algorithm")
    elif s.name != "items" and drawn.shared:
        said.append("all algorithms were trained and tested on the same samples")
    return said


def _bootstrap(
    noun: str, tested: str, *sources: str, source: str = "", adjective: str = "bootstrap "
) -> Words:
    def words(d: Drawn, cite: Citations) -> str:
        from_what = source or d.source
        share = f", on average {number(100 * (d.sampling.train_share or 1), 3)} % of them distinct"
        size = f" ({d.rows} observations{share})" if d.rows and not source else ""
        return (
            f"from {from_what}, {spelled(d.count, adjective + noun)} "
            f"{was_were(d.count)} drawn with replacement{cite(*sources)}; the "
            f"algorithms were trained on each of them{size} and tested on "
            f"{tested}{d.tested if tested.endswith('it') else ''}"
        )

    return words


OUTSIDE = "the observations outside it"
WORDS.add("bootstrap", _bootstrap("sample", OUTSIDE, "Efron (1979)", "hothorn2005"))
WORDS.add(
    "bootstrap-2n",
    _bootstrap("sample", OUTSIDE, "hothorn2005", source="the merged learning and test samples"),
)
WORDS.add(
    "competition",
    _bootstrap("sample", "a separate test sample", "Efron (1979)", "hothorn2005"),
)
WORDS.add(
    "bootstrap-whole",
    _bootstrap("sample", "the whole learning sample, which is optimistic", "Efron (1979)"),
)


def _corrected(estimator: str, source: str, weighing: str) -> Words:
    def words(d: Drawn, cite: Citations) -> str:
        return (
            f"for each of {spelled(d.count, 'bootstrap sample')} of {d.source}, the performance "
            f"was estimated by the {estimator} estimator{cite(source)}, a mean of that on the "
            f"observations outside the sample and the apparent one, weighted by {weighing}"
        )

    return words


WORDS.add("bootstrap-632", _corrected(".632", "Efron (1983)", "0.632 and 0.368"))
WORDS.add(
    "bootstrap-632plus",
    _corrected(".632+", "Efron, Tibshirani (1997)", "the relative overfitting"),
)


@WORDS.named("bootstrap-cv")
def _bootstrap_cv(d: Drawn, cite: Citations) -> str:
    k = f"{d.sampling.folds}-fold " if d.sampling.folds else ""
    return (
        f"from {d.source}, {spelled(d.count, 'bootstrap sample')} "
        f"{was_were(d.count)} drawn with replacement"
        f"{cite('Efron (1979)', 'hothorn2005')}, and the algorithms were trained and tested by "
        f"{k}cross-validation inside each of them, observations that were learned from being "
        "removed from the test folds"
    )


@WORDS.named("bayesian-bootstrap")
def _bayesian(d: Drawn, cite: Citations) -> str:
    where = "a separate test sample" if d.test else "the learning sample"
    return (
        f"the algorithms were trained on {d.source} with random weights, drawn "
        f"{spelled(d.count, 'time')} by the Bayesian bootstrap{cite('Rubin (1981)')}, and tested "
        f"on {where}"
    )


@WORDS.named("parametric-bootstrap")
def _parametric(d: Drawn, cite: Citations) -> str:
    rows = f"{d.sampling.rows} " if d.sampling.rows else ""
    return (
        f"a generator was fitted to {d.source}, and the algorithms were trained on "
        f"{spelled(d.count, 'sample')} drawn from it{cite('Efron, Tibshirani (1993)')} and tested "
        f"on {rows}new observations of it"
    )


@WORDS.named("simulation")
def _simulation(d: Drawn, cite: Citations) -> str:
    rows = f" of {d.rows} observations" + " each" * (d.count > 1) if d.rows else ""
    return (
        f"from a known data generating process{cite('hothorn2005')}, "
        f"{spelled(d.count, 'learning sample')}{rows} {was_were(d.count)} drawn, "
        "and the algorithms were tested on other observations of the same process"
    )


@WORDS.named("training-sets")
def _training_sets(d: Drawn, cite: Citations) -> str:
    size = f" of {d.sampling.rows} observations each" if d.sampling.rows else ""
    count = d.sampling.samples or d.count
    return (
        f"from the data, {spelled(count, 'disjoint training set')}{size} "
        f"{was_were(count)} drawn"
        f"{cite('Rasmussen et al. (1996)')}, and the algorithms were trained on each of them and "
        "tested on one common test set"
    )


@WORDS.named("cv")
def _cv(d: Drawn, cite: Citations) -> str:
    k = f"{d.sampling.folds}-fold " if d.sampling.folds else ""
    return (
        f"performance on {d.source} was estimated by {k}cross-validation{cite('Stone (1974)')}, "
        f"in which the algorithms were trained on {d.learned} and tested on the rest"
    )


@WORDS.named("repeated-cv")
def _repeated_cv(d: Drawn, cite: Citations) -> str:
    k, repeats = d.sampling.folds, d.sampling.samples
    times = f"{spelled(repeats, 'repetition')} of " if repeats else "repeated "
    return (
        f"performance on {d.source} was estimated by {times}{f'{k}-fold ' if k else ''}"
        f"cross-validation{cite('Stone (1974)')} with new random folds in each repetition; the "
        f"algorithms were trained on {d.learned} and tested on the rest"
    )


@WORDS.named("5x2cv")
def _five_by_two(d: Drawn, cite: Citations) -> str:
    return (
        f"performance on {d.source} was estimated by five repetitions of twofold "
        f"cross-validation{cite('dietterich1998')}, in which the algorithms were trained on one "
        f"half of the observations{f' ({d.rows // 2})' if d.rows else ''} and tested on the other"
    )


@WORDS.named("loo")
def _loo(d: Drawn, cite: Citations) -> str:
    return f"performance on {d.source} was estimated by leaving one out{cite('Stone (1974)')}"


@WORDS.named("subsampling")
def _subsampling(d: Drawn, cite: Citations) -> str:
    return (
        f"{d.source} was split at random {spelled(d.count, 'time')}"
        f"{cite('Picard, Cook (1984)')}; the algorithms were trained on {d.learned} and tested on "
        "the rest"
    )


@WORDS.named("holdout")
def _holdout(d: Drawn, cite: Citations) -> str:
    return (
        f"{d.source} was split once at random; the algorithms were trained on {d.learned} and "
        "tested on the rest"
    )


@WORDS.named("moving-block")
def _moving_block(d: Drawn, cite: Citations) -> str:
    length = f" of {d.sampling.rows} consecutive observations" if d.sampling.rows else ""
    return (
        f"from the series{f' of {d.rows} observations' if d.rows else ''}, "
        f"{spelled(d.count, 'moving-block bootstrap sample')} made of blocks{length} "
        f"{was_were(d.count)} drawn{cite('Künsch (1989)')}; the algorithms were "
        "trained on each of them and tested on the observations outside the blocks"
    )


@WORDS.named("rolling-origin")
def _rolling_origin(d: Drawn, cite: Citations) -> str:
    ahead = d.sampling.rows or 1
    following = "the next one" if ahead == 1 else f"the next {ahead}"
    return (
        f"forecasts were made from {spelled(d.count, 'successive origin')} of the series"
        f"{cite('Tashman (2000)')}; at each origin the algorithms were trained on all observations "
        f"before it and tested on {following}"
    )


@WORDS.named("items")
def _items(d: Drawn, cite: Citations) -> str:
    return f"the algorithms were fitted once and tested on the same {spelled(d.count, 'test item')}"


@WORDS.named("splitter")
def _splitter(d: Drawn, cite: Citations) -> str:
    return f"{d.source} was split {spelled(d.count, 'time')} by a rule of the authors' own"
