"""calibrate: how often procedures reject what is true, find differences and cover the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from podium.core.base.progress import Progress
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.procedures.procedure import Procedure
from podium.core.words.saying import Presented, written
from podium.errors import InferenceError
from podium_lab.calibration.batches import KeptBatches, Tally, done
from podium_lab.calibration.judging import (
    COVERAGE,
    ERROR,
    POWER,
    ProcedureJudge,
    Setting,
    Simulation,
)
from podium_lab.calibration.scenario import Scenario
from podium_lab.calibration.scenarios import APART, SCENARIOS
from podium_lab.calibration.words import kind_words, rates_heading

PARTIAL = (0, 0, 1, 1, 2)  # groups 2 + 2 + 1 of five algorithms
BATCH = 100  # replications that are kept together
COLUMNS = [
    "procedure",
    "scenario",
    "target",
    "blocks",
    "algorithms",
    "effects",
    "kind",
    "replications",
    "rate",
    "lower",
    "upper",
]


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Presented):
    """Rates by procedure, scenario, number of blocks and effect, with Monte-Carlo intervals.

    `kind` is error (family-wise; of two algorithms the type I error), power or coverage; `effects`
    are the true means of the algorithms, empty where all are equal; `target` is what the scenario's
    hypotheses are about.
    """

    table: pd.DataFrame
    alpha: float
    seed: int

    @property
    def rate(self) -> float:
        """The one error rate there is: of two algorithms type I, of more family-wise."""
        return float(self._only(ERROR)["rate"])

    @property
    def power(self) -> float:
        """The one power there is."""
        return float(self._only(POWER)["rate"])

    @property
    def coverage(self) -> float:
        """The one coverage there is."""
        return float(self._only(COVERAGE)["rate"])

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Monte-Carlo interval of the error rate."""
        row = self._only(ERROR)
        return float(row["lower"]), float(row["upper"])

    @property
    def replications(self) -> int:
        """How many there were."""
        return int(self.table["replications"].iloc[0])

    @property
    def rejections(self) -> int:
        """In how many of them a true hypothesis was rejected."""
        return round(self.rate * self.replications)

    def _only(self, kind: str) -> pd.Series:
        rows = self.table[self.table["kind"] == kind]
        if len(rows) != 1:
            raise InferenceError(
                f"There are {len(rows)} rates of the kind '{kind}', not one: read `.table`."
            )
        return rows.iloc[0]

    def to_csv(self, path: str | Path | None = None) -> str:
        """The table as CSV, with all digits."""
        return written(self.table.to_csv(index=False, lineterminator="\n"), path)

    def _lines_above(self) -> list[str]:
        return [rates_heading(self.alpha, self.seed)]

    def _tables(self) -> dict[str, pd.DataFrame]:
        text = "; ".join(map(kind_words, dict.fromkeys(self.table["kind"])))
        shown = self.table.drop(columns=["effects"] if not any(self.table["effects"]) else [])
        return {text: shown.round({"rate": 4, "lower": 4, "upper": 4})}

    def _facts(self) -> dict[str, Any]:
        return {"alpha": self.alpha, "seed": self.seed, "rates": self.table}


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
    null: str | None = None,
    adjust: str | None = None,
    jobs: int = 1,
    store: str | Path | None = None,
    progress: Progress | None = None,
) -> Calibration:
    """Simulate procedures where the truth is known: error rates, power and coverage.

    All procedures see the same draws of one seed; what is found depends neither on `jobs` nor on
    interruptions.

    Parameters
    ----------
    procedure, scenario : one or several, by name; a scenario may be your own (`scenario`).
    blocks : one or several numbers of them, else the scenario's first.
    algorithms, groups : how many; equal numbers in `groups` are equal algorithms, others lie far
        apart: a partial null.
    effects : true differences between the last algorithm and the others, in the scenario's own
        unit: a power curve. 0 is the complete null.
    intervals : also count how often simultaneous intervals hold all true differences.
    null, adjust : other bricks, as in `compare`.
    jobs, store, progress : processes; a file that keeps what is done, so that it can go on; is told
        `(done, total)` batches.

    >>> calibrate("paired-t", "normal", blocks=50, replications=200).rate < 0.1
    True
    """
    made = simulations(
        procedure,
        scenario,
        blocks=blocks,
        algorithms=algorithms,
        groups=groups,
        effects=effects,
        alpha=alpha,
        seed=seed,
        intervals=intervals,
        null=null,
        adjust=adjust,
    )
    return measured(made, replications, jobs=jobs, store=store, progress=progress)


# -- counting -------------------------------------------------------------------------------------


def measured(
    simulations: Sequence[Simulation],
    replications: int,
    *,
    jobs: int = 1,
    store: str | Path | None = None,
    progress: Progress | None = None,
) -> Calibration:
    """What comes of simulations; batches that are in the store are not done again."""
    _whole("replications", replications, 1)
    if jobs == 0:
        raise InferenceError("With 0 jobs nothing runs: say 1 or more, or -1 for all cores.")
    starts = range(0, replications, BATCH)
    with closing(KeptBatches(store)) as kept:
        batches = [_missing(kept, batch) for batch in _batches(simulations, starts, replications)]
        todo = [batch for batch in batches if batch.simulations]
        for number, (batch, result) in enumerate(done(Batch.tallies, todo, jobs), 1):
            for simulation, tallies in zip(batch.simulations, result, strict=True):
                kept.add(simulation.key, batch.first, np.array(tallies))
            if progress is not None:
                progress(len(batches) - len(todo) + number, len(batches))
        rows = [row for one in simulations for row in _rows(one, kept, starts)]
    table = pd.DataFrame(rows, columns=COLUMNS)
    return Calibration(table, simulations[0].judge.alpha, simulations[0].setting.seed)


class Batch(NamedTuple):
    """Replications `first` up to before `last` of simulations that are judged by the same draws."""

    simulations: tuple[Simulation, ...]
    first: int
    last: int

    def tallies(self) -> list[list[Tally]]:
        """One for each simulation and kind; every draw is made once for all of them."""
        drawn = map(self.simulations[0].setting.layout, range(self.first, self.last))
        results = [[one.judged(layout) for one in self.simulations] for layout in drawn]
        return [
            [Tally.of(np.array([each[place][kind] for each in results])) for kind in one.kinds]
            for place, one in enumerate(self.simulations)
        ]


def _batches(
    simulations: Sequence[Simulation], starts: range, replications: int
) -> Iterator[Batch]:
    together: dict[Setting, list[Simulation]] = {}
    for one in simulations:
        together.setdefault(one.setting, []).append(one)
    for group in together.values():
        for first in starts:
            yield Batch(tuple(group), first, min(first + BATCH, replications))


def _missing(kept: KeptBatches, batch: Batch) -> Batch:
    """The batch with the simulations that are not kept whole: a last one may have been shorter."""

    def is_done(one: Simulation) -> bool:
        result = kept.get(one.key, batch.first)
        return result is not None and bool((result[:, 0] == batch.last - batch.first).all())

    return batch._replace(simulations=tuple(one for one in batch.simulations if not is_done(one)))


def _rows(simulation: Simulation, kept: KeptBatches, starts: range) -> Iterator[tuple[object, ...]]:
    setting = simulation.setting
    parts = [kept.get(simulation.key, first) for first in starts]
    sums = np.sum([part for part in parts if part is not None], axis=0)
    for kind, (number, total, squares) in zip(simulation.kinds, sums.tolist(), strict=True):
        tally = Tally(round(number), total, squares)
        yield (
            simulation.label,
            setting.scenario.name,
            setting.scenario.target,
            setting.blocks,
            setting.algorithms,
            " ".join(f"{e:g}" for e in setting.effects),
            kind,
            tally.number,
            tally.rate,
            *tally.interval(),
        )


# -- what is asked for ----------------------------------------------------------------------------


def simulations(
    procedure: str | Procedure | Sequence[str | Procedure],
    scenario: str | Scenario | Sequence[str | Scenario],
    *,
    blocks: int | Sequence[int] | str | None = None,
    algorithms: int = 2,
    groups: Sequence[int] = (),
    effects: float | Sequence[float] = (),
    alpha: float = 0.05,
    seed: int = 0,
    intervals: bool = False,
    null: str | None = None,
    adjust: str | None = None,
) -> list[Simulation]:
    """What is to be simulated, checked; all numbers of blocks of a scenario where it says so."""
    request = product(_each(procedure, PROCEDURES), _each(scenario, SCENARIOS))
    made = [
        Simulation(
            Setting(where, size, algorithms, means, seed),
            ProcedureJudge(one, alpha, null, adjust, intervals),
        )
        for one, where in request
        for size in _sizes(where, blocks, one.needs.least)
        for means in _moves(algorithms, groups, effects)
    ]
    for one in made:
        _check(one.setting, alpha, intervals, bool(groups))
    return made


def _each(request: Any, known: Mapping[str, Any]) -> list[Any]:
    single = request is None or isinstance(request, (str, Procedure, Scenario))
    several = [request] if single else list(request)
    if not several or request is None:
        raise InferenceError("A calibration needs at least one procedure and one scenario.")
    return [known[one] if isinstance(one, str) else one for one in several]


def _sizes(scenario: Scenario, blocks: int | Sequence[int] | str | None, least: int) -> list[int]:
    """One, several, the scenario's first that the procedure can use, or all of these."""
    if blocks is None or isinstance(blocks, str):
        usable = [size for size in scenario.sizes if size >= least] or [max(scenario.sizes)]
        return sorted(usable[: None if blocks else 1])
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


def _check(setting: Setting, alpha: float, intervals: bool, grouped: bool) -> None:
    scenario = setting.scenario
    scenario.sampling(setting.blocks)
    _whole("algorithms", setting.algorithms, 2)
    _whole("seed", setting.seed, 0)
    if not 0 < alpha < 1:
        raise InferenceError(f"Alpha lies between 0 and 1, unlike {alpha:g}.")
    if intervals and any(setting.effects) and scenario.moved is not None:
        raise InferenceError(
            f"The scenario '{scenario.name}' does not add effects to scores: which differences its "
            "intervals should hold is not known. Leave out the intervals or the effects."
        )
    if setting.effects and not (scenario.moves or (scenario.moved and not grouped)):
        raise InferenceError(
            f"The scenario '{scenario.name}' cannot move {setting.algorithms} algorithms apart by "
            f"{' '.join(f'{e:g}' for e in setting.effects)}."
        )
