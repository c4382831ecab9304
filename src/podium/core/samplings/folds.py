"""Cross-validation: folds that share training rows, and splitters of one's own."""

from __future__ import annotations

from typing import Unpack

from podium.core.questions.targets import FOLD, NESTED_FOLD, Default
from podium.core.samplings.sampling import (
    OPTIONS,
    Cite,
    Claims,
    Drawn,
    Grammar,
    Options,
    Sampling,
    Sizes,
    registered,
)
from podium.core.words.phrases import spelled

WITHIN = OPTIONS[:2]  # folds are never drawn anew for every algorithm


def _cv_words(d: Drawn, cite: Cite) -> str:
    k = f"{d.sampling.folds}-fold " if d.sampling.folds else ""
    return (
        f"performance on {d.source} was estimated by {k}cross-validation{cite('Stone (1974)')}, "
        f"in which {d.algorithms} trained on {d.learned} and tested on the rest"
    )


CV = registered(
    "cv",
    "one cross-validation of K folds",
    FOLD,
    "cv:10",
    grammar=Grammar(fields=("folds",), options=WITHIN),
    sizes=Sizes(count=lambda s: s.folds, repeats=lambda s: 1),
    claims=Claims(methods=_cv_words),
)


def cv(folds: int, **options: Unpack[Options]) -> Sampling:
    """One cross-validation."""
    return Sampling(CV.name, folds=folds, **options)


def _repeated_words(d: Drawn, cite: Cite) -> str:
    k, repeats = d.sampling.folds, d.sampling.samples
    times = f"{spelled(repeats, 'repetition')} of " if repeats else "repeated "
    return (
        f"performance on {d.source} was estimated by {times}{f'{k}-fold ' if k else ''}"
        f"cross-validation{cite('Stone (1974)')} with new random folds in each repetition; "
        f"{d.algorithms} trained on {d.learned} and tested on the rest"
    )


def _all_folds(s: Sampling) -> int | None:
    return None if s.samples is None or s.folds is None else s.samples * s.folds


REPEATED_CV = registered(
    "repeated-cv",
    "R cross-validations of K folds, with new folds each time",
    FOLD,
    "repeated-cv:10x10",
    grammar=Grammar(fields=("samples", "folds"), options=WITHIN),
    sizes=Sizes(count=_all_folds, repeats=lambda s: s.samples),
    claims=Claims(methods=_repeated_words),
)


def repeated_cv(repeats: int, folds: int, **options: Unpack[Options]) -> Sampling:
    """Several cross-validations with new folds each time."""
    return Sampling(REPEATED_CV.name, repeats, folds, **options)


def _five_words(d: Drawn, cite: Cite) -> str:
    return (
        f"performance on {d.source} was estimated by five repetitions of twofold "
        f"cross-validation{cite('dietterich1998')}, in which {d.algorithms} trained on one "
        f"half of the observations{f' ({d.rows // 2})' if d.rows else ''} and tested on the other"
    )


FIVE_BY_TWO = registered(
    "5x2cv",
    "five cross-validations of two folds",
    FOLD,
    "5x2cv",
    grammar=Grammar(fields=(), options=WITHIN, also_written=(REPEATED_CV.name, 10, 2)),
    sizes=Sizes(count=lambda s: 10, folds=lambda s: 2, repeats=lambda s: 5),
    claims=Claims(
        # at twice the ratio ridge regression still rejects 9 % of true hypotheses
        overlap=(3.0, 5.0),
        default=Default(
            "corrected-t",
            "it is the one test of ten halves that holds its level, though it finds little: "
            "repeated-cv:5x5 finds more",
            lambda layout: layout.halvings is None,
        ),
        methods=_five_words,
    ),
)


def five_by_two_cv(**options: Unpack[Options]) -> Sampling:
    """Five twofold cross-validations (dietterich1998)."""
    return Sampling(FIVE_BY_TWO.name, **options)


def _nested_words(d: Drawn, cite: Cite) -> str:
    k, repeats = d.sampling.folds, d.sampling.samples
    times = f"{spelled(repeats, 'repetition')} of " if repeats else ""
    return (
        f"performance on {d.source} was estimated by {times}nested {f'{k}-fold ' if k else ''}"
        f"cross-validation{cite('Bates et al. (2024)')}"
    )


NESTED_CV = registered(
    "nested-cv",
    "R nested cross-validations of K folds, for an interval of one algorithm (R x K x K fits)",
    NESTED_FOLD,
    "nested-cv:10x10",
    grammar=Grammar(
        fields=("samples", "folds"),
        least_folds=3,  # of two, nothing would be left to learn from
    ),
    sizes=Sizes(
        least_rows=lambda s, test: 2 * (s.folds or 3),
        count=lambda s: None if None in (s.samples, s.folds) else s.samples * s.folds**2,
        rows=lambda s, n, test: (n * (1 - 1 / s.folds), n / s.folds) if s.folds else (n, None),
        share_of=lambda s: 1 - 1 / s.folds if s.folds else None,
    ),
    claims=Claims(
        no_test="the fits of a nested cross-validation are for an interval of one algorithm",
        no_test_way="ask for one (podium.verdicts.score_interval, or analyze one algorithm), "
        "and compare algorithms by repeated-cv:5x5",
        methods=_nested_words,
    ),
)


def nested_cv(repeats: int, folds: int) -> Sampling:
    """Nested cross-validations (Bates, Hastie and Tibshirani 2024), for one algorithm's error."""
    return Sampling(NESTED_CV.name, repeats, folds)


def _loo_words(d: Drawn, cite: Cite) -> str:
    return f"performance on {d.source} was estimated by leaving one out{cite('Stone (1974)')}"


LOO = registered(
    "loo",
    "every row is a fold",
    FOLD,
    "loo",
    grammar=Grammar(fields=()),
    sizes=Sizes(share=1.0, rows=lambda s, n, test: (n - 1, 1)),
    claims=Claims(
        no_test="the folds of leave-one-out share all but one row",
        no_test_way="use repeated-cv:5x5",
        methods=_loo_words,
    ),
)


def loo() -> Sampling:
    """Leave one out."""
    return Sampling(LOO.name)


def _splitter_words(d: Drawn, cite: Cite) -> str:
    return f"{d.source} was split {spelled(d.count, 'time')} by a rule of the authors' own"


SPLITTER = registered(
    "splitter",
    "a splitter of one's own (from Python only)",
    FOLD,
    "splitter",
    runnable=False,
    grammar=Grammar(fields=()),
    claims=Claims(methods=_splitter_words),
)
