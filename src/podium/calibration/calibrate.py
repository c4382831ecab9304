"""calibrate: how often procedures reject what is true, find differences and cover the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from podium.calibration import damaged, learners, processes  # noqa: F401  (add their scenarios)
from podium.calibration.kept import Kept, Tally, key_of
from podium.calibration.own import scenario as scenario
from podium.calibration.result import COLUMNS, Calibration
from podium.calibration.scenarios import APART, Scenario
from podium.calibration.scenarios import SCENARIOS as SCENARIOS  # with those added above
from podium.errors import InferenceError
from podium.inference.compare import compare, p_adjusted
from podium.inference.layouts import Layout
from podium.inference.legality import is_legal
from podium.inference.procedures import PROCEDURES, Procedure
from podium.progress import Progress

PARTIAL = (0, 0, 1, 1, 2)  # groups 2 + 2 + 1 of five algorithms
BATCH = 100  # replications that are kept together


@dataclass(frozen=True, eq=False)
class Cell:
    """One simulation: a procedure where the truth is known."""

    procedure: Procedure
    scenario: Scenario
    blocks: int
    algorithms: int
    effects: tuple[float, ...] = ()  # empty: all algorithms are equal
    alpha: float = 0.05
    seed: int = 0
    intervals: bool = False
    bricks: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def kinds(self) -> list[str]:
        """What can be counted: errors where a hypothesis is true, power where one is false."""
        equal = [a == b for a, b in self._pairs()]
        counted = {"error": any(equal), "power": not all(equal), "coverage": self.intervals}
        return [kind for kind, there in counted.items() if there]

    def _pairs(self) -> Iterator[tuple[float, float]]:
        means = self.effects or (0.0,) * self.algorithms
        if self.procedure.control:
            return ((means[0], mean) for mean in means[1:])
        return ((a, b) for i, a in enumerate(means) for b in means[i + 1 :])

    @property
    def key(self) -> str:
        """What its numbers depend on."""
        facts = {
            "version": version("podium"),
            "procedure": self.procedure.name,
            "scenario": (self.scenario.name, self.scenario.text),
            "target": self.scenario.target_of,
            "intervals": self.intervals,
            "adjust": self.adjust,
            "null": self.bricks.get("null"),
        }
        if self.scenario.code:
            facts["code"] = self.scenario.code
        names = ("blocks", "algorithms", "effects", "alpha", "seed")
        return key_of(facts | {name: getattr(self, name) for name in names})

    @property
    def adjust(self) -> str:
        """As in `compare`, except that Holm's, which is usual for data sets, has no intervals."""
        usual = self.procedure.adjust if self.intervals else self._usual
        return self.bricks.get("adjust") or usual

    @property
    def _usual(self) -> str:
        return self.procedure.adjust_for(self.scenario.block)

    @property
    def label(self) -> str:
        """The procedure, with its adjustment where `compare` would take another one."""
        return self.procedure.name + f" ({self.adjust})" * (self.adjust != self._usual)

    @property
    def draws(self) -> tuple[object, ...]:
        """What its layouts depend on: cells that share it are judged by the same draws."""
        return (self.scenario, self.blocks, self.algorithms, self.effects, self.seed)

    def layout(self, number: int) -> Layout:
        """The draw of a replication, which has a seed of its own."""
        rng = np.random.default_rng((self.seed, number))
        return self.scenario.layout(rng, self.blocks, self.algorithms, self.effects)

    def judged(self, layout: Layout) -> dict[str, float]:
        """What comes of one draw, by kind."""
        control = layout.algorithms[0] if self.procedure.control else None
        if self.intervals:
            return self._compared(layout, control)
        options = {**self.bricks, "adjust": self.adjust, "control": control}
        pairs, p = p_adjusted(layout, self.procedure, force=True, **options)
        return self._judged(_true(self.effects, np.asarray(pairs)), p)

    def _judged(self, true: np.ndarray, p: np.ndarray) -> dict[str, float]:
        """Whether a true hypothesis was rejected; the share of true differences found."""
        rejected = np.nan_to_num(p, nan=1.0) <= self.alpha
        same = true == 0
        found = float(rejected[~same].mean()) if (~same).any() else np.nan
        return {"error": float(rejected[same].any()), "power": found}

    def _compared(self, layout: Layout, control: str | None) -> dict[str, float]:
        options: dict[str, Any] = {"control": control, "alpha": self.alpha, "force": True}
        options |= {**self.bricks, "adjust": self.adjust}
        table = compare(layout, self.procedure, **options).table
        if table["lower"].isna().any():
            raise InferenceError(f"'{self.procedure.name}' has no simultaneous intervals to judge.")
        place = {name: i for i, name in enumerate(layout.algorithms)}
        pairs = table[["first", "second"]].map(place.__getitem__).to_numpy()
        true = layout.sign * _true(self.effects, pairs)
        held = (true >= table["lower"]) & (true <= table["upper"])
        return self._judged(true, table["p_adjusted"].to_numpy()) | {"coverage": float(held.all())}


def _true(effects: tuple[float, ...], pairs: np.ndarray) -> np.ndarray:
    """The true difference of every pair."""
    if not effects:
        return np.zeros(len(pairs))
    means = np.asarray(effects, float)
    return means[pairs[:, 0]] - means[pairs[:, 1]]


def calibrate(
    procedure: str | Procedure | Sequence[str | Procedure],
    scenario: str | Scenario | Sequence[str | Scenario] = "normal",
    *,
    blocks: int | Sequence[int] | None = None,
    algorithms: int = 2,
    groups: Sequence[int] = (),
    effects: float | Sequence[float] = (),
    replications: int = 2000,
    alpha: float = 0.05,
    seed: int = 0,
    intervals: bool = False,
    jobs: int = 1,
    store: str | Path | None = None,
    progress: Progress | None = None,
    **bricks: str | None,
) -> Calibration:
    """Simulate procedures where the truth is known: error rates, power and coverage.

    All procedures see the same draws of one seed; what is found depends neither on `jobs` nor on
    interruptions.

    Parameters
    ----------
    procedure, scenario : one or several, by name; a scenario may be your own (`podium.scenario`).
    blocks : one or several numbers of them, else the scenario's first.
    algorithms, groups : how many; equal numbers in `groups` are equal algorithms, others lie far
        apart: a partial null.
    effects : true differences between the last algorithm and the others, in the scenario's own
        unit: a power curve. 0 is the complete null.
    intervals : also count how often simultaneous intervals hold all true differences.
    jobs, store, progress : processes; a file that keeps what is done, so that it can go on; is told
        `(done, total)` batches.
    bricks : null and adjust, as in `compare`.

    >>> calibrate("paired-t", "normal", blocks=50, replications=200).rate < 0.1
    True
    """
    made = cells(
        procedure,
        scenario,
        blocks=blocks,
        algorithms=algorithms,
        groups=groups,
        effects=effects,
        alpha=alpha,
        seed=seed,
        intervals=intervals,
        **bricks,
    )
    return measured(made, replications, jobs=jobs, store=store, progress=progress)


def cells(
    procedure: str | Procedure | Sequence[str | Procedure],
    scenario: str | Scenario | Sequence[str | Scenario],
    *,
    blocks: int | Sequence[int] | str | None = None,
    algorithms: int = 2,
    groups: Sequence[int] = (),
    effects: float | Sequence[float] = (),
    **more: Any,
) -> list[Cell]:
    """What is to be simulated, checked; all numbers of blocks of a scenario where it says so."""
    settings = {name: more.pop(name) for name in ("alpha", "seed", "intervals") if name in more}
    made = [
        Cell(p, s, size, algorithms, means, bricks=more, **settings)
        for p, s in product(_each(procedure, PROCEDURES), _each(scenario, SCENARIOS))
        for size in _sizes(s, blocks)
        for means in _moves(algorithms, groups, effects)
    ]
    for cell in made:
        _check(cell, bool(groups))
    return made


def measured(
    cells: Sequence[Cell],
    replications: int,
    *,
    jobs: int = 1,
    store: str | Path | None = None,
    progress: Progress | None = None,
) -> Calibration:
    """What comes of simulating cells; batches that are in the store are not done again."""
    _whole("replications", replications, 1)
    if jobs == 0:
        raise InferenceError("With 0 jobs nothing runs: say 1 or more, or -1 for all cores.")
    with closing(Kept(store)) as kept:
        return _measured(cells, replications, jobs, kept, progress)


def _measured(
    cells: Sequence[Cell], replications: int, jobs: int, kept: Kept, progress: Progress | None
) -> Calibration:
    starts = range(0, replications, BATCH)
    ends = [(first, min(first + BATCH, replications)) for first in starts]
    batches = [_missing(kept, batch) for batch in _batches(cells, ends)]
    todo = [batch for batch in batches if batch.cells]
    for number, (batch, found) in enumerate(_simulated(todo, jobs), 1):
        for cell, tallies in zip(batch.cells, found, strict=True):
            kept.add(cell.key, batch.first, np.array([tallies[kind] for kind in cell.kinds]))
        if progress is not None:
            progress(len(batches) - len(todo) + number, len(batches))
    rows = [row for cell in cells for row in _rows(cell, kept, starts)]
    first_cell = cells[0]
    table = pd.DataFrame(rows, columns=COLUMNS)
    return Calibration(table, first_cell.alpha, first_cell.seed)


class Batch(NamedTuple):
    """Replications `first` up to before `last`, and the cells that their draws are judged by."""

    cells: tuple[Cell, ...]
    first: int
    last: int

    def tallies(self) -> list[dict[str, Tally]]:
        """One for each cell; every draw is made once for all of them."""
        drawn = (self.cells[0].layout(i) for i in range(self.first, self.last))
        found = [[cell.judged(layout) for cell in self.cells] for layout in drawn]
        return [
            {kind: Tally.of(np.array([one[place][kind] for one in found])) for kind in cell.kinds}
            for place, cell in enumerate(self.cells)
        ]


def _batches(cells: Sequence[Cell], ends: Sequence[tuple[int, int]]) -> Iterator[Batch]:
    together: dict[tuple[object, ...], list[Cell]] = {}
    for cell in cells:
        together.setdefault(cell.draws, []).append(cell)
    for group in together.values():
        yield from (Batch(tuple(group), first, last) for first, last in ends)


def _missing(kept: Kept, batch: Batch) -> Batch:
    """The batch with the cells that are not kept whole: a last one may have been shorter."""

    def is_done(cell: Cell) -> bool:
        found = kept.get(cell.key, batch.first)
        return found is not None and bool((found[:, 0] == batch.last - batch.first).all())

    return batch._replace(cells=tuple(cell for cell in batch.cells if not is_done(cell)))


def _simulated(todo: Sequence[Batch], jobs: int) -> Iterator[tuple[Batch, list[dict[str, Tally]]]]:
    """Batches as they are done, in their order."""
    if jobs == 1 or len(todo) < 2:
        yield from ((batch, batch.tallies()) for batch in todo)
        return
    from joblib import Parallel, delayed

    found = Parallel(n_jobs=jobs, return_as="generator")(delayed(_tallies)(b) for b in todo)
    yield from zip(todo, found, strict=True)


def _tallies(batch: Batch) -> list[dict[str, Tally]]:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # small matrices: threads would only wait for each other
        return batch.tallies()


def _rows(cell: Cell, kept: Kept, starts: range) -> Iterator[tuple[object, ...]]:
    parts = [kept.get(cell.key, first) for first in starts]
    sums = np.sum([part for part in parts if part is not None], axis=0)
    for kind, (number, total, squares) in zip(cell.kinds, sums.tolist(), strict=True):
        tally = Tally(round(number), total, squares)
        yield (
            cell.label,
            cell.scenario.name,
            cell.scenario.target_of,
            cell.blocks,
            cell.algorithms,
            " ".join(f"{e:g}" for e in cell.effects),
            kind,
            tally.number,
            tally.rate,
            *tally.interval(),
        )


# -- what is asked for ----------------------------------------------------------------------------


def _each(asked: Any, known: Mapping[str, Any]) -> list[Any]:
    single = asked is None or isinstance(asked, (str, Procedure, Scenario))
    several = [asked] if single else list(asked)
    if not several or asked is None:
        raise InferenceError("A calibration needs at least one procedure and one scenario.")
    return [known[one] if isinstance(one, str) else one for one in several]


def _sizes(scenario: Scenario, blocks: int | Sequence[int] | str | None) -> list[int]:
    """One, several, the scenario's first, or all of the scenario's."""
    if blocks is None or isinstance(blocks, str):
        return sorted(set(scenario.sizes[: None if blocks else 1]))
    return [_whole("blocks", one) for one in np.atleast_1d(blocks).tolist()]


def _whole(name: str, value: Any, least: int | None = None) -> int:
    if not isinstance(value, (int, np.integer)) or (least is not None and value < least):
        bound = "" if least is None else f" from {least} on"
        raise InferenceError(f"'{name}' is a whole number{bound}, not {value}.")
    return int(value)


def _moves(
    algorithms: int, groups: Sequence[int], effects: float | Sequence[float]
) -> list[tuple[float, ...]]:
    """The true means of each simulation; none where all are equal."""
    sizes = np.atleast_1d(np.asarray(effects, float)).tolist()
    if not np.isfinite(sizes).all():
        raise InferenceError(f"Effects are finite numbers, not {', '.join(map(str, sizes))}.")
    if groups and sizes:
        raise InferenceError("Groups lie far apart already: give either groups or effects.")
    if groups and len(groups) != algorithms:
        raise InferenceError(f"{algorithms} algorithms need as many groups, not {len(groups)}.")
    if groups:
        return [tuple(APART * np.asarray(groups, float))]
    sizes = sizes or [0.0]
    return [(0.0,) * (algorithms - 1) + (size,) if size else () for size in sizes]


def _check(cell: Cell, grouped: bool) -> None:
    scenario = cell.scenario
    scenario.sampling(cell.blocks)
    _whole("algorithms", cell.algorithms, 2)
    _whole("seed", cell.seed, 0)
    if not 0 < cell.alpha < 1:
        raise InferenceError(f"Alpha lies between 0 and 1, unlike {cell.alpha:g}.")
    if cell.intervals and any(cell.effects) and scenario.moved is not None:
        raise InferenceError(
            f"The scenario '{scenario.name}' does not add effects to scores: which differences its "
            "intervals should hold is not known. Leave out the intervals or the effects."
        )
    if cell.effects and not (scenario.moves or (scenario.moved and not grouped)):
        raise InferenceError(
            f"The scenario '{scenario.name}' cannot move {cell.algorithms} algorithms apart by "
            f"{' '.join(f'{e:g}' for e in cell.effects)}."
        )


@cache
def _example(scenario: Scenario) -> Layout:
    """A draw that shows the design; some take a while."""
    return scenario.example()


def suits(procedure: Procedure, scenario: Scenario) -> bool:
    """Whether a scenario is a design that a procedure is legal for and fulfils its null."""
    layout = _example(scenario)
    if not is_legal(procedure, layout):
        return False
    if "5x2cv" in scenario.samplings and procedure.samplings is None:
        return False  # its halves are independent, which corrected-t does not assume
    return scenario.binary or not procedure.binary
