"""Replication: a paper's printed numbers beside recomputed ones, and the items that there are."""

from __future__ import annotations

import importlib
import math
import pkgutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy import special
from threadpoolctl import threadpool_limits

from podium.core.base.formatting import columns, markdown, markdown_table, number, printable
from podium.core.base.progress import Counted, Progress
from podium.core.base.registry import Registry
from podium.core.results.results import Results
from podium.core.words.saying import Presented, written
from podium.reading.formats.stores import read_store
from podium.running.design.study import Study
from podium.running.execution.runner import execute
from podium_lab.calibration.words import (
    agreement,
    in_a_hurry,
    measured,
    near,
    noticed,
    replication_heading,
    unseen,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WITHIN = 3.5  # standard errors of the difference
TEXTS = ("table", "row", "column", "within", "note")
COLUMNS = [
    "table",
    "row",
    "column",
    "theirs",
    "ours",
    "standard_error",
    "difference",
    "z",
    "within",
    "note",
]


@dataclass(frozen=True)
class Cell:
    """A printed number and ours.

    `theirs` is printed, or follows from printed numbers, which a note of the item then says.
    `standard_error` is of their difference: the Monte-Carlo error of both where both are
    simulated, 0 where both are computed. `rounding` is half a unit of the last printed digit.
    `note` names a misprint or explains a difference.
    """

    table: str
    row: str
    column: str
    theirs: float
    ours: float
    standard_error: float = 0.0
    rounding: float = 0.0
    note: str = ""

    @property
    def difference(self) -> float:
        """Ours less theirs."""
        return self.ours - self.theirs

    @property
    def z(self) -> float:
        """What rounding leaves of the difference, in standard errors; infinite without error."""
        # a hair more than half a unit: the printed number is no exact binary fraction
        excess = max(abs(self.difference) - self.rounding * (1 + 1e-9), 0.0)
        if excess == 0:
            return 0.0
        size = excess / self.standard_error if self.standard_error > 0 else math.inf
        return math.copysign(size, self.difference)

    @property
    def within(self) -> bool:
        """Whether the difference is no more than chance and rounding explain."""
        return abs(self.z) <= WITHIN


@dataclass(frozen=True)
class Finding(Cell):
    """What a paper finds in words, where it prints no number: `theirs` is missing.

    `holds` says whether our number bears it out; `standard_error` is of ours.
    """

    holds: bool = False

    @property
    def z(self) -> float:
        """Unknown: words are not judged in standard errors."""
        return math.nan

    @property
    def within(self) -> bool:
        """Whether the finding holds."""
        return self.holds


@dataclass(frozen=True)
class Measured(Cell):
    """A number that a paper asks for or leaves open: there is nothing to agree with."""

    @property
    def z(self) -> float:
        """Unknown."""
        return math.nan


def share_error(theirs: float, n_theirs: int, ours: float, n_ours: int) -> float:
    """The standard error of the difference of two simulated shares that are equal in truth.

    It makes the difference, in standard errors, the signed root of the likelihood ratio: where one
    share is of few replications and both are near 0 or 1, the pooled variance is far too small
    (1 of 20 beside 0 of 5000 would be 16 standard errors; by Fisher's exact test p is 0.004).
    """
    p = (theirs * n_theirs + ours * n_ours) / (n_theirs + n_ours)
    information = n_theirs * _divergence(theirs, p) + n_ours * _divergence(ours, p)
    if information > 1e-9:
        return abs(ours - theirs) / math.sqrt(2 * information)
    return math.sqrt(max(p * (1 - p), 0.0) * (1 / n_theirs + 1 / n_ours))


def least_noticed(cell: Cell, n_theirs: int, n_ours: int) -> float:
    """By how much a simulated share must miss a printed one to be told from it; inf: it cannot."""
    missed = [math.inf]
    for share in np.arange(n_ours + 1) / n_ours:
        error = share_error(cell.theirs, n_theirs, float(share), n_ours)
        if not replace(cell, ours=float(share), standard_error=error).within:
            missed.append(abs(share - cell.theirs))
    return min(missed)


def _divergence(share: float, p: float) -> float:
    """Kullback and Leibler's, of two chances; 0 log 0 is 0."""
    return float(special.rel_entr(share, p) + special.rel_entr(1 - share, 1 - p))


@dataclass(frozen=True, eq=False, repr=False)
class Replication(Presented):
    """An item of a paper, replicated: one cell for each printed number."""

    paper: str
    item: str
    cells: Sequence[Cell]
    remarks: Sequence[str] = ()  # what a reader must know, said by the item itself
    replications: int = 0  # 0: nothing is simulated
    seed: int | None = None
    figures: Mapping[str, Callable[[Axes], Axes]] = field(default_factory=dict)
    seconds: float = 0.0  # that it took
    printed_replications: int = 0  # of the paper, where shares are simulated there, too
    quick: bool = False  # made in a hurry
    whole: str = ""  # what a run that was not met

    @property
    def table(self) -> pd.DataFrame:
        """One row per cell."""
        return pd.DataFrame(
            [[_entry(cell, name) for name in COLUMNS] for cell in self.cells], columns=COLUMNS
        )

    @property
    def heading(self) -> str:
        """One line: what was replicated, how, and how many cells agree."""
        compared = [cell for cell in self.cells if not isinstance(cell, Measured)]
        within, cells = sum(cell.within for cell in compared), len(compared)
        judged = agreement(
            within,
            cells,
            findings=all(isinstance(cell, Finding) for cell in compared),
            exact=all(cell.standard_error == 0 for cell in compared),
            errors=WITHIN,
        )
        if len(compared) < len(self.cells):
            judged = measured(len(self.cells) - cells, judged if cells else "")
        if self.quick:
            judged += in_a_hurry(self.whole, self._limits(compared))
        if 0 < self.replications < self.printed_replications:
            judged = noticed(within, cells, *self._noticed())
        item = f"{self.paper}, {self.item}"
        return replication_heading(item, self.replications, self.seed, judged, self.seconds)

    def _noticed(self) -> tuple[float, float]:
        """The least deviation that would show: in the cell where it is smallest, and largest."""
        each = [least_noticed(c, self.printed_replications, self.replications) for c in self.cells]
        return min(each), max(each)

    def _limits(self, compared: Sequence[Cell]) -> str:
        """Which deviations would not show: of printed numbers, or of findings in words."""
        errors = [cell.standard_error for cell in compared if cell.standard_error > 0]
        shares = [
            (WITHIN * cell.standard_error + cell.rounding) / abs(cell.theirs)
            for cell in compared
            if not math.isnan(cell.z) and cell.theirs != 0 and cell.standard_error > 0
        ]
        if shares:
            return unseen(min(shares), max(shares))
        return near(WITHIN * max(errors)) if errors else ""

    def shown(self) -> pd.DataFrame:
        """The cells as texts; columns that are empty everywhere are left out."""
        table = self.table
        if self.cells:
            table = table.dropna(axis=1, how="all")
        exact = table.pop("standard_error") if (table["standard_error"] == 0).all() else None
        if exact is not None:
            table = table.drop(columns="z", errors="ignore")
        if not any(table["note"]):
            table.pop("note")
        return pd.DataFrame({str(n): _texts(str(n), values) for n, values in table.items()})

    def _lines_above(self) -> list[str]:
        return [self.heading]

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"cells": self.table}

    def _facts(self) -> dict[str, Any]:
        own = ("paper", "item", "replications", "seed", "seconds")
        facts = {name: getattr(self, name) for name in own}
        return facts | {"cells": self.table, "notes": list(self.remarks)}

    def to_markdown(self, path: str | Path | None = None) -> str:
        """The cells as a Markdown table, above it what was done, below it the notes."""
        table = markdown_table({str(n): list(c) for n, c in self.shown().items()}, TEXTS)
        notes = [f"- {markdown(note)}" for note in self.remarks]
        text = "\n".join([markdown(self.heading) + ".", "", table, "", *notes])
        return written(text.rstrip("\n") + "\n", path)

    def __repr__(self) -> str:
        table = columns({str(n): list(c) for n, c in self.shown().items()}, TEXTS)
        return "\n".join([self.heading, table, *(f"Note: {printable(n)}" for n in self.remarks)])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{escape(note)}</p>" for note in self.remarks)
        return f"<p><b>{escape(self.heading)}</b></p>{self.shown().to_html(index=False)}{notes}"


def _entry(cell: Cell, name: str) -> Any:
    """What a table has of a cell; of a number without anything to agree with, no verdict."""
    return None if name == "within" and isinstance(cell, Measured) else getattr(cell, name)


def _texts(name: str, values: pd.Series) -> list[str]:
    if name == "within":
        return ["–" if value is None else "yes" if value else "NO" for value in values]
    if name in TEXTS:
        return [printable(str(value)) for value in values]
    return [number(float(value), 2 if name in ("z", "standard_error") else 4) for value in values]


# -- the items ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """How an item is to be replicated.

    `quick` with fewer replications; `store` keeps what is done, `data` is a folder with data files.
    """

    quick: bool = False
    seed: int = 0
    jobs: int = 1
    store: Path | None = None
    data: Path | None = None
    progress: Progress | None = None


Make = Callable[[Asked], Replication]


@dataclass(frozen=True)
class Item:
    """What of a paper can be replicated."""

    title: str
    make: Make
    repeats: bool = False  # other items, which a whole paper has anyway
    whole: str = ""  # how much of it the whole run met, which one in a hurry says

    def replicated(self, request: Asked) -> Replication:
        """The item, theirs beside ours, and how long that took."""
        began = time.perf_counter()
        result = self.make(request)
        seconds = time.perf_counter() - began
        return replace(result, seconds=seconds, quick=request.quick, whole=self.whole)


PAPERS: Registry[Registry[Item]] = Registry("paper with replications")


def paper(name: str) -> Registry[Item]:
    """The items of a new paper, to which its module adds."""
    return PAPERS.add(name, Registry(f"item of {name}"))


def papers() -> Registry[Registry[Item]]:
    """All papers, their modules loaded."""
    package = importlib.import_module("podium_lab.papers")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"podium_lab.papers.{module.name}")
    return PAPERS


def replicate(
    paper: str,
    item: str,
    *,
    quick: bool = False,
    seed: int = 0,
    jobs: int = 1,
    store: str | Path | None = None,
    data: str | Path | None = None,
    progress: Progress | None = None,
) -> Replication:
    """An item of a paper, recomputed and set beside what was printed.

    `quick` makes fewer replications; `store` is a file that keeps finished batches of a long
    simulation, which is then resumed; `data` is a folder with data files, for items that need
    them. The result depends on the seed alone, not on `jobs` nor on interruptions.
    """
    items = papers()[paper]
    kept = None if store is None else Path(store)
    folder = None if data is None else Path(data)
    return items[named(item, items)].replicated(Asked(quick, seed, jobs, kept, folder, progress))


def named(text: str, items: Mapping[str, Item]) -> str:
    """The item that was asked for: `Table 1` and `table1` are the same."""
    known = {name.lower(): name for name in items}
    return known.get(text.replace(" ", "").lower(), text)


def printed(name: str) -> pd.DataFrame:
    """A shipped table of printed numbers: rows and columns named as in the paper."""
    with files("podium_lab.papers").joinpath(f"{name}.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file, index_col=0, dtype={0: str})


def compared_shares(
    table: str, theirs: pd.DataFrame, n_theirs: int, ours: np.ndarray, n_ours: int, rounding: float
) -> list[Cell]:
    """A cell for every simulated share of a printed table."""
    return [
        Cell(
            table,
            str(row),
            str(column),
            float(theirs.iloc[i, j]),
            float(ours[i, j]),
            share_error(float(theirs.iloc[i, j]), n_theirs, float(ours[i, j]), n_ours),
            rounding,
        )
        for i, row in enumerate(theirs.index)
        for j, column in enumerate(theirs.columns)
    ]


# -- studies that are run -------------------------------------------------------------------------


def run_into(
    study: Study, store: Path, *, jobs: int = 1, progress: Progress | None = None
) -> Results:
    """The results of a study of which `store` may have a part already."""
    with threadpool_limits(1):  # for characteristics of data sets: threads wait for each other
        outcome = execute(study, store, jobs=jobs, progress=Counted(progress))
    if outcome.interrupted:
        raise KeyboardInterrupt(f"Stopped; what is done is kept in '{store}'.")
    return read_store(store)


def executed(study: Study, request: Asked, part: str = "") -> Results:
    """The results of a study, kept in the store that was asked for, or in one that is gone after.

    `part` tells the stores of several studies of one item apart.
    """
    with TemporaryDirectory() as folder:
        store = request.store or Path(folder) / "runs.db"
        store = store.with_stem(f"{store.stem}-{part}") if part else store
        return run_into(study, store, jobs=request.jobs, progress=request.progress)
