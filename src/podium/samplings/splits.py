"""Random splits, training sets and samples of a known process, and the items of one test set."""

from __future__ import annotations

from typing import Unpack

from podium.questions.targets import CHOICE, ITEM, RESAMPLE, SIMULATION, SPLIT, TRAINING_SET
from podium.samplings.sampling import (
    OPTIONS,
    Cite,
    Claims,
    Drawn,
    Grammar,
    Kind,
    Options,
    Sampling,
    Sizes,
    register,
)
from podium.words.phrases import spelled, was_were

DEFAULT_SPLITS = 30  # of subsampling:T, the number of Dietterich's resampled t test


def _subsampling_words(d: Drawn, cite: Cite) -> str:
    return (
        f"{d.source} was split at random {spelled(d.count, 'time')}"
        f"{cite('Picard, Cook (1984)')}; {d.algorithms} trained on {d.learned} and tested on "
        "the rest"
    )


SUBSAMPLING = register(
    Kind(
        "subsampling",
        "B random splits with training share T (subsampling:T is 30 of them)",
        RESAMPLE,
        "subsampling:30x0.9",
        grammar=Grammar(fields=("samples", "share"), options=OPTIONS, samples=DEFAULT_SPLITS),
        claims=Claims(methods=_subsampling_words),
    )
)


def subsampling(
    share: float, samples: int = DEFAULT_SPLITS, **options: Unpack[Options]
) -> Sampling:
    """Random splits with a given training share."""
    return Sampling(SUBSAMPLING.name, samples, share=share, **options)


def _holdout_words(d: Drawn, cite: Cite) -> str:
    return (
        f"{d.source} was split once at random; {d.algorithms} trained on {d.learned} and "
        "tested on the rest"
    )


HOLDOUT = register(
    Kind(
        "holdout",
        "one random split with training share T",
        SPLIT,
        "holdout:0.67",
        grammar=Grammar(fields=("share",), options=OPTIONS[:2]),
        sizes=Sizes(count=lambda s: 1),
        claims=Claims(methods=_holdout_words),
    )
)


def holdout(share: float, **options: Unpack[Options]) -> Sampling:
    """One random split with a given training share."""
    return Sampling(HOLDOUT.name, share=share, **options)


def _simulation_words(d: Drawn, cite: Cite) -> str:
    rows = f" of {d.rows} observations" + " each" * (d.count > 1) if d.rows else ""
    return (
        f"from a known data generating process{cite('hothorn2005')}, "
        f"{spelled(d.count, 'training set')}{rows} {was_were(d.count)} drawn, "
        f"and {d.algorithms} tested on other observations of the same process"
    )


SIMULATED = register(
    Kind(
        "simulation",
        "fresh learning and test samples from a known process",
        SIMULATION,
        "simulation:250",
        grammar=Grammar(options=("independent",)),
        sizes=Sizes(share=1.0, rows=lambda s, n, test: (n, test), tells_size=False),
        claims=Claims(methods=_simulation_words),
    )
)


def simulation(samples: int, **options: Unpack[Options]) -> Sampling:
    """Fresh training sets from a process."""
    return Sampling(SIMULATED.name, samples, **options)


def _training_words(d: Drawn, cite: Cite) -> str:
    size = f" of {d.sampling.rows} observations each" if d.sampling.rows else ""
    count = d.sampling.samples or d.count
    return (
        f"from the data, {spelled(count, 'disjoint training set')}{size} "
        f"{was_were(count)} drawn"
        f"{cite('Rasmussen et al. (1996)')}, and {d.algorithms} trained on each of them and "
        "tested on one common test set"
    )


def _in_all(s: Sampling) -> int:
    """The rows that all training sets together learn from."""
    return (s.samples or 0) * (s.rows or 0)


TRAINING_SETS = register(
    Kind(
        "training-sets",
        "R disjoint training sets of N rows, one test set for all",
        TRAINING_SET,
        "training-sets:8x64",
        counted=True,
        grammar=Grammar(fields=("samples", "rows"), options=("stratified",)),
        sizes=Sizes(
            fixed_size=True,
            rows=lambda s, n, test: (s.rows or n, test or n - _in_all(s)),
            least_rows=lambda s, test: (s.samples or 1) * (s.rows or 1) + (0 if test else 1),
        ),
        claims=Claims(methods=_training_words),
    )
)


def training_sets(sets: int, rows: int, **options: Unpack[Options]) -> Sampling:
    """Disjoint training sets and one test set (DELVE; dietterich1998, question 7)."""
    return Sampling(TRAINING_SETS.name, sets, rows=rows, **options)


def _item_words(d: Drawn, cite: Cite) -> str:
    return f"{d.algorithms} fitted once and tested on the same {spelled(d.count, 'test item')}"


ITEMS = register(
    Kind(
        "items",
        "one row per item of a test set (for tables, not for running)",
        ITEM,
        "items",
        runnable=False,
        grammar=Grammar(fields=()),
        sizes=Sizes(tells_size=False),
        claims=Claims(methods=_item_words),
    )
)


def items() -> Sampling:
    """The items of one test set, of a table that somebody else made."""
    return Sampling(ITEMS.name)


def _choice_words(d: Drawn, cite: Cite) -> str:
    return f"{d.algorithms} compared in {spelled(d.count, 'battle')}, each between some of them"


PREFERENCES = register(
    Kind(
        "preferences",
        "one row per choice between two models (for tables, not for running)",
        CHOICE,
        "preferences",
        runnable=False,
        grammar=Grammar(fields=()),
        sizes=Sizes(tells_size=False),
        claims=Claims(methods=_choice_words),
    )
)
