"""The same analysis again: what was asked and chosen of one layout is kept for others like it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from podium.base.errors import InferenceError, PodiumError
from podium.base.progress import Progress
from podium.inference.bricks.nulls import parse_null
from podium.inference.comparing.compare import compare
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.comparing.known import PROCEDURES
from podium.inference.layouts import Layout
from podium.inference.procedures.procedure import INDEPENDENT, UNPAIRED, Options, Procedure
from podium.questions.targets import BLOCKS, FOLD, TARGETS, claim

Case = TypeVar("Case")
Found = TypeVar("Found")
Refusals = type[PodiumError] | tuple[type[PodiumError], ...]
OWN_SAMPLES = "every algorithm has samples of its own, so that there are no whole blocks to draw"
NO_SAMPLE = "such blocks are no random sample of what the target is about"
QUICK = ("asymptotic", "normal", "corrected", "mid-p")  # nulls that neither draw nor enumerate
FEW_DRAWS = 499  # in each of many resamples


USUAL = Options()
ABOUT = (
    "measure", "higher_is_better", "procedure", "title", "blocks", "target", "alpha", "relevance",
)  # fmt: skip


def pinned(layout: Layout, options: Options) -> tuple[Comparisons, Options]:
    """The comparisons of a layout, and the options that lead there again.

    Procedure, null and adjustment may follow from the scores at hand (their number, gaps, ties);
    the pinned options name those of this layout.
    """
    refuse_contrasts(options)
    comparisons = compare(layout, options)
    used = comparisons.judged
    assert used is not None  # contrasts apart, pairs are compared
    bricks = {"procedure": used.procedure, "null": used.null, "adjust": used.adjust.name}
    return comparisons, options.but(**bricks, estimate=None)


def procedure_of(options: Options) -> Procedure:
    """The procedure that options name."""
    names = options.procedure
    return names if isinstance(names, Procedure) else PROCEDURES[str(names)]


def about(comparisons: Comparisons) -> dict[str, Any]:
    """What the comparisons at hand are of, before what became of them again."""
    facts = comparisons._facts()
    return {name: facts[name] for name in ABOUT}


def quick(options: Options) -> Options:
    """The same with the procedure's own quick null, where it would have to be drawn each time.

    Where all pairs are judged at once by draws there is no other: fewer of them have to do.
    """
    if options.null is not None and parse_null(options.null).name in QUICK:
        return options
    procedure = procedure_of(options)
    own = procedure.nulls.default
    if procedure.judge.joint and own:
        null = parse_null(options.null or own)
        return options.but(null=replace(null, draws=min(null.draws, FEW_DRAWS)))
    return options.but(null=parse_null(own if own in QUICK else "asymptotic"))


def tried(
    cases: Iterable[Case],
    find: Callable[[Case], Found],
    progress: Progress | None = None,
    total: int | None = None,
    refusal: Refusals = InferenceError,
) -> Iterator[tuple[Case, Found | PodiumError]]:
    """Every case with what is found for it or, where that is refused, the refusal.

    `progress` is told after each that it is done, of `total` (or as many as the list has).
    """
    for done, case in enumerate(cases, 1):
        try:
            result: Found | PodiumError = find(case)
        except refusal as error:
            result = error
        yield case, result
        if progress is not None:
            progress(done, len(cases) if isinstance(cases, Sequence) else total or done)


def refuse_contrasts(options: Options) -> None:
    """Refuse what compares no two algorithms."""
    if options.contrasts is not None:
        raise InferenceError("Contrasts make no order: say pairs or a control instead.")


def refuse_stopped(layout: Layout) -> None:
    """Refuse a study that may stop: what was run of it follows from what was seen."""
    if layout.stopped.plan is not None:
        raise InferenceError(
            "This study stopped by a plan, so what was run depends on the scores: they cannot be "
            "drawn again, nor algorithms left out. `podium status` and `podium analyze` show what "
            "its looks found."
        )


def refuse_dependent(layout: Layout) -> None:
    """Refuse blocks that are not independent evidence about the target."""
    refuse_stopped(layout)
    kind = (layout.block, layout.target)
    if kind in INDEPENDENT:
        return
    reason = OWN_SAMPLES if kind in UNPAIRED else claim(*kind).why or NO_SAMPLE
    targets = [target for target in TARGETS if (layout.block, target) in INDEPENDENT]
    way = f"ask for the target '{targets[0]}', or " if targets else ""
    if layout.block == FOLD:
        way = "ask for the target 'sample' of a repeated-cv, such as repeated-cv:10x10, or "
    raise InferenceError(
        f"A bootstrap of the rows is not valid for {BLOCKS[layout.block].text} and the target "
        f"'{layout.target}': {reason}; {way}use left_out."
    )
