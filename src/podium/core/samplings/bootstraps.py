"""Resamples of one training set: the bootstrap and its relatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Unpack

from podium.core.base.formatting import number
from podium.core.questions.targets import (
    ON_BOTH,
    POPULATION,
    RESAMPLE,
    SAMPLE,
    TARGETS,
    TEST_SET,
    Said,
)
from podium.core.samplings.sampling import (
    OPTIONS,
    Cite,
    Claims,
    Drawn,
    Grammar,
    Kind,
    Options,
    Sampling,
    Sizes,
    registered,
)
from podium.core.words.phrases import spelled, was_were

IN_BAG = 1 - math.exp(-1)  # the share of rows in a bootstrap sample
OWN = ("independent",)
INSTEAD = "draw bootstrap, subsampling or repeated-cv and use corrected-t"
OUTSIDE = "the observations outside it"
Words = Callable[[Drawn, Cite], str]


def _out_of_bag(s: Sampling, n: int, test: int) -> tuple[float, float]:
    return n, round(n * (1 - 1 / n) ** n, 6)


def _words(
    tested: str, *sources: str, source: str = "", expected: bool = False, noun: str = "sample"
) -> Words:
    """Samples with replacement; `expected` tells how many rows are tested on."""

    def words(d: Drawn, cite: Cite) -> str:
        from_what = source or d.source
        share = f", on average {number(100 * (d.sampling.train_share or 1), 3)} % of them distinct"
        size = f" ({d.rows} observations{share})" if d.rows and not source else ""
        return (
            f"from {from_what}, {spelled(d.count, f'bootstrap {noun}')} {was_were(d.count)} drawn "
            f"with replacement{cite(*sources)}; {d.algorithms} trained on each of them{size} and "
            f"tested on {tested}{d.tested if expected else ''}"
        )

    return words


BOOTSTRAP = registered(
    "bootstrap",
    "train on n of n with replacement, test on the out-of-bag rows",
    RESAMPLE,
    "bootstrap:250",
    grammar=Grammar(options=OPTIONS),
    sizes=Sizes(share=IN_BAG, rows=_out_of_bag),
    claims=Claims(methods=_words(OUTSIDE, "Efron (1979)", "hothorn2005", expected=True)),
)


def bootstrap(samples: int, **options: Unpack[Options]) -> Sampling:
    """Bootstrap samples tested on their out-of-bag rows."""
    return Sampling(BOOTSTRAP.name, samples, **options)


BOOTSTRAP_2N = registered(
    "bootstrap-2n",
    "the same after merging learning and test sample",
    RESAMPLE,
    "bootstrap-2n:250",
    merges_test=True,
    grammar=Grammar(options=("stratified", *OWN)),
    sizes=Sizes(share=IN_BAG, rows=lambda s, n, test: _out_of_bag(s, n + test, 0)),
    claims=Claims(
        methods=_words(
            OUTSIDE, "hothorn2005", source="the merged learning and test samples", expected=True
        ),
    ),
)


def bootstrap_2n(samples: int, **options: Unpack[Options]) -> Sampling:
    """Bootstrap samples of the merged learning and test samples (hothorn2005, RW-OOB-2n)."""
    return Sampling(BOOTSTRAP_2N.name, samples, **options)


def _cv_words(d: Drawn, cite: Cite) -> str:
    k = f"{d.sampling.folds}-fold " if d.sampling.folds else ""
    return (
        f"from {d.source}, {spelled(d.count, 'bootstrap sample')} {was_were(d.count)} drawn with "
        f"replacement{cite('Efron (1979)', 'hothorn2005')}, and {d.algorithms} trained and tested "
        f"by {k}cross-validation inside each of them, observations that were learned from being "
        "removed from the test folds"
    )


BOOTSTRAP_CV = registered(
    "bootstrap-cv",
    "K-fold cross-validation inside each bootstrap sample",
    RESAMPLE,
    "bootstrap-cv:250x5",
    grammar=Grammar(fields=("samples", "folds"), options=OWN),
    sizes=Sizes(
        # a row is seen when at least one of its about Poisson(1 - 1/K) training copies is drawn
        share_of=lambda s: 1 - math.exp(-(1 - 1 / s.folds)) if s.folds else None,
        # what is removed from the test side depends on the draw
        rows=lambda s, n, test: (n * (1 - 1 / s.folds) if s.folds else n, None),
    ),
    claims=Claims(methods=_cv_words),
)


def bootstrap_cv(samples: int, folds: int, **options: Unpack[Options]) -> Sampling:
    """Cross-validation inside bootstrap samples (hothorn2005, RW-CV)."""
    return Sampling(BOOTSTRAP_CV.name, samples, folds, **options)


def _corrected(name: str, summary: str, estimator: str, source: str, weighing: str) -> Kind:
    def words(d: Drawn, cite: Cite) -> str:
        return (
            f"for each of {spelled(d.count, 'bootstrap sample')} of {d.source}, the performance "
            f"was estimated by the {estimator} estimator{cite(source)}, a mean of that on the "
            f"observations outside the sample and the apparent one, weighted by {weighing}"
        )

    return registered(
        name,
        summary,
        RESAMPLE,
        f"{name}:250",
        grammar=Grammar(options=OPTIONS),
        sizes=Sizes(share=IN_BAG, rows=_out_of_bag),
        claims=Claims(
            no_population="all samples share the apparent error of one training set",
            no_population_way=INSTEAD,
            remark="apparent-error",
            methods=words,
        ),
    )


BOOTSTRAP_632 = _corrected(
    "bootstrap-632",
    "out-of-bag and apparent performance, weighted .632 and .368",
    ".632",
    "Efron (1983)",
    "0.632 and 0.368",
)
BOOTSTRAP_632PLUS = _corrected(
    "bootstrap-632plus",
    "the same, the weight depending on how much the algorithm overfits",
    ".632+",
    "Efron, Tibshirani (1997)",
    "the relative overfitting",
)


def bootstrap_632(samples: int, *, plus: bool = False, **options: Unpack[Options]) -> Sampling:
    """The .632 estimator (Efron 1983), or .632+ (Efron & Tibshirani 1997), of every sample."""
    return Sampling((BOOTSTRAP_632PLUS if plus else BOOTSTRAP_632).name, samples, **options)


BOOTSTRAP_WHOLE = registered(
    "bootstrap-whole",
    "train on bootstrap samples, test on the whole training set: optimistic",
    RESAMPLE,
    "bootstrap-whole:250",
    optimistic=True,
    grammar=Grammar(options=OPTIONS),
    sizes=Sizes(share=IN_BAG, rows=lambda s, n, test: (n, n)),
    claims=Claims(
        no_population="rows that were learned from are tested on, so scores are optimistic",
        no_population_way=INSTEAD,
        methods=_words("the whole training set, which is optimistic", "Efron (1979)"),
    ),
)


def bootstrap_whole(samples: int, **options: Unpack[Options]) -> Sampling:
    """Bootstrap samples tested on the whole training set: optimistic."""
    return Sampling(BOOTSTRAP_WHOLE.name, samples, **options)


# details: how algorithms were given the weights
BY_ROWS, MIXED = ", as rows in proportion to weights", ", some by weights and some by rows"


def _bayesian_words(d: Drawn, cite: Cite) -> str:
    where = "a separate test sample" if d.test else "the training set"
    how = {
        "": "with random weights",
        BY_ROWS: "as rows in proportion to random weights",
        MIXED: "with random weights or as rows in proportion to them",
    }[d.sampling.detail]
    return (
        f"{d.algorithms} trained on {d.source} {how}, drawn {spelled(d.count, 'time')} by the "
        f"Bayesian bootstrap{cite('Rubin (1981)')}, and tested on {where}"
    )


BAYESIAN_BOOTSTRAP = registered(
    "bayesian-bootstrap",
    "train on all rows with random weights; test sample, or optimistic",
    RESAMPLE,
    "bayesian-bootstrap:250",
    optimistic=True,
    grammar=Grammar(options=OWN),
    sizes=Sizes(
        share=1.0,
        share_of=lambda s: {"": 1.0, BY_ROWS: IN_BAG}.get(s.detail),
        rows=lambda s, n, test: (n, test or n),
        given=lambda s: "drawn in proportion to weights" if s.detail else "each with a weight",
    ),
    claims=Claims(
        no_population="all samples weight the rows of one training set",
        no_population_way=INSTEAD,
        methods=_bayesian_words,
    ),
)


def bayesian_bootstrap(samples: int, **options: Unpack[Options]) -> Sampling:
    """All rows with weights from the flat Dirichlet distribution (Rubin 1981)."""
    return Sampling(BAYESIAN_BOOTSTRAP.name, samples, **options)


def _parametric_words(d: Drawn, cite: Cite) -> str:
    rows = f"{d.sampling.rows} " if d.sampling.rows else ""
    return (
        f"a generator was fitted to {d.source}, and {d.algorithms} trained on "
        f"{spelled(d.count, 'sample')} drawn from it{cite('Efron, Tibshirani (1993)')} and tested "
        f"on {rows}new observations of it"
    )


_GENERATED = Said(
    "the generator that was fitted to this training set{of}, and about the process behind the "
    "data as far as the generator is like it",
    "{finding} the generator that was fitted to {here}.",
    TARGETS[SAMPLE].said.may_not,
    given=("fitted generator",),
)
PARAMETRIC_BOOTSTRAP = registered(
    "parametric-bootstrap",
    "samples of a generator fitted to the data; BxM tests on M rows of it",
    RESAMPLE,
    "parametric-bootstrap:250x2000",
    grammar=Grammar(fields=("samples", "rows"), options=OWN, rows=2000),
    sizes=Sizes(rows=lambda s, n, test: (n, s.rows)),
    claims=Claims(
        no_population="all samples come from one fitted generator",
        no_population_way=INSTEAD,
        remark="fitted-generator",
        by_target=dict.fromkeys((SAMPLE, TEST_SET, POPULATION), _GENERATED),
        methods=_parametric_words,
    ),
)


def parametric_bootstrap(
    samples: int, test_rows: int = 2000, **options: Unpack[Options]
) -> Sampling:
    """Samples of a generator fitted to the training set, tested on fresh rows of it."""
    return Sampling(PARAMETRIC_BOOTSTRAP.name, samples, rows=test_rows, **options)


COMPETITION = registered(
    "competition",
    "train on bootstrap samples, test on the data set's own test sample",
    RESAMPLE,
    "competition:250",
    shared_test=True,
    grammar=Grammar(options=OPTIONS),
    sizes=Sizes(share=IN_BAG, rows=lambda s, n, test: (n, test)),
    claims=Claims(
        no_population="all samples are tested on one test set, whose luck no correction for "
        "shared training rows knows (more than half of true hypotheses would be rejected); ask "
        "for the target 'test-set'",
        no_population_way=INSTEAD,
        by_target={SAMPLE: ON_BOTH},
        methods=_words("a separate test sample", "Efron (1979)", "hothorn2005"),
    ),
)


def competition(samples: int, **options: Unpack[Options]) -> Sampling:
    """Bootstrap samples tested on the data set's own test sample."""
    return Sampling(COMPETITION.name, samples, **options)
