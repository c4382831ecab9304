"""Universes: every choice of measure, target and procedure, and the order that it leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from podium.core.base.errors import IllegalProcedure, InferenceError, PodiumError
from podium.core.base.registry import unknown
from podium.core.inference.bricks.nulls import (
    DRAWS,
    LEAST_BLOCKS,
    RANDOM,
    NullBrick,
    parse_null,
    permutation,
)
from podium.core.inference.comparing.arranging import layout
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.comparing.legality import alternatives, is_legal
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.procedure import Options, Procedure
from podium.core.inference.procedures.survey import incomplete_sums
from podium.core.orders.decide import decide as decide_comparisons
from podium.core.orders.order import Order
from podium.core.questions.targets import BLOCKS, TARGETS, claim
from podium.core.results.results import Results
from podium.core.words.facts import Note
from podium.core.words.saying import say


@dataclass(frozen=True)
class Choice:
    """One choice of each element; empty where it was refused before the element mattered."""

    dataset: str
    measure: str
    sampling: str
    target: str = ""
    procedure: str = ""


@dataclass(frozen=True)
class Universe:
    """An order and the choice that led to it."""

    choice: Choice
    order: Order
    null: str
    adjustment: str
    block: str  # what the blocks are
    blocks: int  # that were compared
    warnings: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Refused:
    """A choice without an order, and why."""

    choice: Choice
    reason: str


Made = Layout | Note  # what to compare, or why it cannot be
Laid = Sequence[Layout] | Note  # the same in several ways
# what an estimate is where no score is missing (Skillings and Mack 1981)
WHOLE: dict[object, object] = {incomplete_sums: PROCEDURES["friedman"].estimate}


def asked(
    every: Sequence[Results],
    procedures: Sequence[str] | None,
    measures: Sequence[str] | None,
    targets: Sequence[str] | None,
    control: str | None,
) -> Iterator[tuple[Choice, Made]]:
    """Every choice there is, with its layout or the reason why there is none."""
    names = None if procedures is None else [PROCEDURES[n].name for n in _several(procedures)]
    for target in _several(targets or ()):
        if target not in TARGETS:
            raise InferenceError(unknown("target", target, TARGETS))
    for r in every:
        for measure in _several(measures) if measures is not None else r.measures:
            for choice, made in _layouts(r, measure, targets):
                chosen = _procedures(made, names, control)
                yield from ((replace(choice, procedure=n), m) for n, m in chosen)


def _procedures(
    laid: Laid, names: Sequence[str] | None, control: str | None
) -> Iterable[tuple[str, Made]]:
    if isinstance(laid, Note):
        return [("", laid)]
    if names is None:
        return _all_procedures(laid, control)
    return [(name, _layout_for(PROCEDURES[name], laid)) for name in names]


def _layout_for(procedure: Procedure, laid: Sequence[Layout]) -> Layout:
    """The layout that a procedure is legal for, or else one of blocks that it is made for."""
    blocks = {block for block, _ in procedure.legal}
    return max(laid, key=lambda made: (is_legal(procedure, made), made.block in blocks))


def _several(names: Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _layouts(
    results: Results, measure: str, targets: Sequence[str] | None
) -> Iterator[tuple[Choice, Laid]]:
    """The layouts of every target, or why there is none."""
    many = len(results.datasets)
    name = results.datasets[0] if many == 1 else f"{many} data sets"
    choice = Choice(name, measure, str(results.sampling or "not said"))
    try:
        layout(results, measure=measure)
    except PodiumError as error:
        yield choice, Note("refused", reason=str(error))
        return
    for target in _several(targets or list(TARGETS)):
        at = replace(choice, target=target)
        try:
            laid = _ways(results, measure, target)
        except PodiumError as error:
            yield at, Note("refused", reason=str(error))
        else:
            legal = targets or any(alternatives(made) for made in laid)
            yield at, laid if legal else _nothing_legal(laid[0])


def _ways(results: Results, measure: str, target: str) -> list[Layout]:
    """The layout, and for several samples of several data sets the nested one beside it."""
    made = layout(results, measure=measure, target=target)
    if made.block != "dataset":
        return [made]
    try:
        nested = layout(results, measure=measure, target=target, nested=True)
    except PodiumError:  # every algorithm has samples of its own
        return [made]
    return [made, nested] if len(nested.values) > len(nested.nested.datasets) else [made]


def _nothing_legal(made: Layout) -> Note:
    why = claim(made.block, made.target).why
    return Note("nothing-legal", blocks=BLOCKS[made.block].text, why=why)


def _all_procedures(laid: Sequence[Layout], control: str | None) -> Iterator[tuple[str, Made]]:
    """All procedures, with the layout or with the reason why not by default."""
    seen: dict[tuple[object, ...], str] = {}
    for name, procedure in PROCEDURES.items():
        made = _layout_for(procedure, laid)
        twin = seen.get(_bricks(procedure, made), "")
        if not is_legal(procedure, made):
            yield name, made  # refused when compared, with the design's reason
        elif procedure.criterion is not None:
            yield name, Note("other-criterion")
        elif procedure.needs.control and control is None:
            yield name, Note("needs-control")
        elif twin:
            yield name, Note("same-pairs", procedure=twin)
        else:
            seen[_bricks(procedure, made)] = name
            yield name, made


def _bricks(procedure: Procedure, made: Layout) -> tuple[object, ...]:
    """What the p-values of pairs depend on."""
    gaps = procedure.needs.gaps and made.has_gaps
    estimate = procedure.estimate if gaps else WHOLE.get(procedure.estimate, procedure.estimate)
    own = procedure.judge.test if procedure.judges(made) else None
    return estimate, procedure.adjust, procedure.pairwise, procedure.nulls.default, own, gaps


def comparisons_of(choice: Choice, made: Made, options: Options, seed: int) -> Comparisons:
    """The comparisons of a choice, or its refusal as an error."""
    if isinstance(made, Note):
        raise InferenceError(say(made))
    procedure = PROCEDURES[choice.procedure]
    null = _null(procedure, len(made.values), seed)
    return compare(made, options.but(procedure=procedure, null=null))


def reason_of(error: PodiumError) -> str:
    """Why a choice is refused, without other procedures, which are universes themselves."""
    if isinstance(error, IllegalProcedure) and error.refusal.legal:
        return error.refusal.reason
    return str(error)


def _null(procedure: Procedure, blocks: int, seed: int) -> NullBrick | None:
    """The procedure's own null with our seed; None leaves it to `compare`.

    The exact null of sign flips can take seconds; random ones do.
    """
    if procedure.nulls.default:
        own = parse_null(procedure.nulls.default)
        return replace(own, seed=seed) if own.name in RANDOM else None
    drawn = blocks < LEAST_BLOCKS and not procedure.quantity.few_sums
    return permutation(DRAWS, seed) if drawn else None


def universe(choice: Choice, comparisons: Comparisons) -> Universe:
    """The universe of comparisons."""
    used = comparisons.judged
    assert used is not None  # pairs were compared
    order = decide_comparisons(comparisons)
    return Universe(
        choice,
        order,
        str(used.null),
        used.adjust.name,
        comparisons.blocks.kind,
        comparisons.blocks.count,
        tuple(comparisons.warnings),
    )


def weight_of(choice: Choice, made: Made) -> int:
    """How much a refusal tells of why nothing is left: most, if the design would have allowed it.

    Less for another target than the design's own, and least where the design forbids it.
    """
    if isinstance(made, Note):
        return 0
    legal = bool(choice.procedure) and is_legal(PROCEDURES[choice.procedure], made)
    return 2 * legal + (made.target == BLOCKS[made.block].target)
