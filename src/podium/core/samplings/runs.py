"""Runs of the same thing, training seeds and timings, and samples of rows in time."""

from __future__ import annotations

from typing import Unpack

from podium.core.questions.targets import (
    CHOICE,
    ITEM,
    ORIGIN,
    RESAMPLE,
    SIMULATION,
    SPLIT,
    TIMED_RUN,
    TRAINING_RUN,
    TRAINING_SET,
)
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
from podium.core.words.phrases import spelled, was_were

PAIRED = ("paired",)


def _seed_words(d: Drawn, cite: Cite) -> str:
    of_own = "the same" if d.sampling.paired else "its own"
    seeds = f", each algorithm with {of_own} seeds" if d.shared else ""
    return (
        f"{d.algorithms} trained {spelled(d.count, 'time')} on {d.learned} of one fixed split"
        f"{cite('Bouthillier et al. (2021)')}{seeds}, and tested on the rest"
    )


SEEDS = registered(
    "seeds",
    "B training runs with other seeds on one fixed split (BxT draws it; else the test sample)",
    TRAINING_RUN,
    "seeds:10x0.8",
    own=True,
    grammar=Grammar(fields=("samples", "share"), optional=("share",), options=PAIRED),
    sizes=Sizes(
        rows=lambda s, n, test: (n * s.share, n * (1 - s.share)) if s.share else (n, test or None)
    ),
    claims=Claims(methods=_seed_words),
)


def seeds(samples: int, share: float | None = None, **options: Unpack[Options]) -> Sampling:
    """Training runs with other seeds on one split: the data set's own, or one of a given share."""
    return Sampling(SEEDS.name, samples, share=share, **options)


def _run_words(d: Drawn, cite: Cite) -> str:
    each = " in turn, round by round" if d.sampling.paired else ""
    return f"{d.algorithms} run {spelled(d.count, 'time')} on one machine{each}"


RUNS = registered(
    "runs",
    "repeated runs on one machine, such as timings (for tables, not for running)",
    TIMED_RUN,
    "runs:30",
    own=True,
    in_order=True,
    runnable=False,
    grammar=Grammar(options=PAIRED),
    sizes=Sizes(tells_size=False),
    claims=Claims(methods=_run_words),
)


def runs(samples: int | None = None, **options: Unpack[Options]) -> Sampling:
    """Repeated runs on one machine, of a table that somebody else made."""
    return Sampling(RUNS.name, samples, **options)


# -- series ---------------------------------------------------------------------------------------
# Samples of rows in time.


def _far_from_blocks(s: Sampling, n: int) -> float | None:
    """How many rows are expected outside all of ceil(n / L) blocks and the gaps around them.

    A row is missed by a block unless the block starts at one of `near` of all n - L + 1 places.
    """
    if s.rows is None or s.rows > n:
        return None
    last, before = n - s.rows, s.rows - 1 + s.gap
    near = (min(row + s.gap, last) - max(row - before, 0) + 1 for row in range(n))
    return round(sum((1 - places / (last + 1)) ** -(-n // s.rows) for places in near), 6)


def _block_words(d: Drawn, cite: Cite) -> str:
    length = f" of {d.sampling.rows} consecutive observations" if d.sampling.rows else ""
    return (
        f"from the series{f' of {d.rows} observations' if d.rows else ''}, "
        f"{spelled(d.count, 'moving-block bootstrap sample')} made of blocks{length} "
        f"{was_were(d.count)} drawn{cite('Künsch (1989)')}; {d.algorithms} "
        "trained on each of them and tested on the observations outside the blocks"
    )


MOVING_BLOCK = registered(
    "moving-block",
    "blocks of L consecutive rows with replacement, test on the rows outside",
    RESAMPLE,
    "moving-block:250x10",
    grammar=Grammar(fields=("samples", "rows", "gap"), options=("independent",)),
    sizes=Sizes(
        rows=lambda s, n, test: (n, _far_from_blocks(s, n)),
        least_rows=lambda s, test: (s.rows or 1) + s.gap + 1,
    ),
    claims=Claims(
        no_population="blocks of one series are no new series",
        no_population_way="draw rolling-origin and use diebold-mariano-fixed",
        remark="one-series",
        methods=_block_words,
    ),
)


def moving_block(samples: int, length: int, gap: int = 0, **options: Unpack[Options]) -> Sampling:
    """Blocks of consecutive rows, tested on the rows outside (Künsch 1989)."""
    return Sampling(MOVING_BLOCK.name, samples, rows=length, gap=gap, **options)


def _origin_words(d: Drawn, cite: Cite) -> str:
    ahead = d.sampling.rows or 1
    following = "the next one" if ahead == 1 else f"the next {ahead}"
    return (
        f"forecasts were made from {spelled(d.count, 'successive origin')} of the series"
        f"{cite('Tashman (2000)')}; at each origin {d.algorithms} trained on all observations "
        f"before it and tested on {following}"
    )


def _all_tested(s: Sampling) -> int:
    """The rows that all origins together test."""
    return (s.samples or 0) * (s.rows or 0)


ROLLING_ORIGIN = registered(
    "rolling-origin",
    "learn from all rows before an origin, test on the next; BxH on the next H",
    ORIGIN,
    "rolling-origin:20x1",
    grammar=Grammar(fields=("samples", "rows", "gap"), rows=1),
    sizes=Sizes(
        # the first origin, which learns least
        rows=lambda s, n, test: (n - s.gap - _all_tested(s), s.rows),
        least_rows=lambda s, test: (s.samples or 1) * (s.rows or 1) + s.gap + 2,
    ),
    claims=Claims(methods=_origin_words),
)


def rolling_origin(samples: int, horizon: int = 1, gap: int = 0) -> Sampling:
    """Forecasts of the next rows from all rows before, at the end of the series."""
    return Sampling(ROLLING_ORIGIN.name, samples, rows=horizon, gap=gap)


# -- splits -------------------------------------------------------------------------------------
# Random splits, training sets and samples of a known process, and the items of one test set.


DEFAULT_SPLITS = 30  # of subsampling:T, the number of Dietterich's resampled t test


def _subsampling_words(d: Drawn, cite: Cite) -> str:
    return (
        f"{d.source} was split at random {spelled(d.count, 'time')}"
        f"{cite('Picard, Cook (1984)')}; {d.algorithms} trained on {d.learned} and tested on "
        "the rest"
    )


SUBSAMPLING = registered(
    "subsampling",
    "B random splits with training share T (subsampling:T is 30 of them)",
    RESAMPLE,
    "subsampling:30x0.9",
    grammar=Grammar(fields=("samples", "share"), options=OPTIONS, samples=DEFAULT_SPLITS),
    claims=Claims(methods=_subsampling_words),
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


HOLDOUT = registered(
    "holdout",
    "one random split with training share T",
    SPLIT,
    "holdout:0.67",
    grammar=Grammar(fields=("share",), options=OPTIONS[:2]),
    sizes=Sizes(count=lambda s: 1),
    claims=Claims(methods=_holdout_words),
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


SIMULATED = registered(
    "simulation",
    "fresh learning and test samples from a known process",
    SIMULATION,
    "simulation:250",
    grammar=Grammar(options=("independent",)),
    sizes=Sizes(share=1.0, rows=lambda s, n, test: (n, test), tells_size=False),
    claims=Claims(methods=_simulation_words),
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


TRAINING_SETS = registered(
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


def training_sets(sets: int, rows: int, **options: Unpack[Options]) -> Sampling:
    """Disjoint training sets and one test set (DELVE; dietterich1998, question 7)."""
    return Sampling(TRAINING_SETS.name, sets, rows=rows, **options)


def _item_words(d: Drawn, cite: Cite) -> str:
    return f"{d.algorithms} fitted once and tested on the same {spelled(d.count, 'test item')}"


ITEMS = registered(
    "items",
    "one row per item of a test set (for tables, not for running)",
    ITEM,
    "items",
    runnable=False,
    grammar=Grammar(fields=()),
    sizes=Sizes(tells_size=False),
    claims=Claims(methods=_item_words),
)


def items() -> Sampling:
    """The items of one test set, of a table that somebody else made."""
    return Sampling(ITEMS.name)


def _choice_words(d: Drawn, cite: Cite) -> str:
    return f"{d.algorithms} compared in {spelled(d.count, 'battle')}, each between some of them"


PREFERENCES = registered(
    "preferences",
    "one row per choice between two models (for tables, not for running)",
    CHOICE,
    "preferences",
    runnable=False,
    grammar=Grammar(fields=()),
    sizes=Sizes(tells_size=False),
    claims=Claims(methods=_choice_words),
)
