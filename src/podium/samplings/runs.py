"""Runs of the same thing: training seeds on one fixed split, and timings on one machine."""

from __future__ import annotations

from typing import Unpack

from podium.questions.targets import TIMED_RUN, TRAINING_RUN
from podium.samplings.drawn import Drawn
from podium.samplings.sampling import (
    Cite,
    Claims,
    Grammar,
    Kind,
    Options,
    Sampling,
    Sizes,
    register,
)
from podium.words.phrases import spelled

PAIRED = ("paired",)


def _seed_words(d: Drawn, cite: Cite) -> str:
    of_own = "the same" if d.sampling.paired else "its own"
    seeds = f", each algorithm with {of_own} seeds" if d.shared else ""
    return (
        f"{d.algorithms} trained {spelled(d.count, 'time')} on {d.learned} of one fixed split"
        f"{cite('Bouthillier et al. (2021)')}{seeds}, and tested on the rest"
    )


SEEDS = register(
    Kind(
        "seeds",
        "B training runs with other seeds on one fixed split (BxT draws it; else the test sample)",
        TRAINING_RUN,
        "seeds:10x0.8",
        own=True,
        grammar=Grammar(fields=("samples", "share"), optional=("share",), options=PAIRED),
        sizes=Sizes(
            rows=lambda s, n, test: (
                (n * s.share, n * (1 - s.share)) if s.share else (n, test or None)
            )
        ),
        claims=Claims(methods=_seed_words),
    )
)


def seeds(samples: int, share: float | None = None, **options: Unpack[Options]) -> Sampling:
    """Training runs with other seeds on one split: the data set's own, or one of a given share."""
    return Sampling(SEEDS.name, samples, share=share, **options)


def _run_words(d: Drawn, cite: Cite) -> str:
    each = " in turn, round by round" if d.sampling.paired else ""
    return f"{d.algorithms} run {spelled(d.count, 'time')} on one machine{each}"


RUNS = register(
    Kind(
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
)


def runs(samples: int | None = None, **options: Unpack[Options]) -> Sampling:
    """Repeated runs on one machine, of a table that somebody else made."""
    return Sampling(RUNS.name, samples, **options)
