"""The public names, for editors and type checkers (docs/make_stub.py writes this)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium import errors as errors
from podium import reading as reading
from podium import running as running
from podium.asking import boards as boards
from podium.asking import comparison as comparison
from podium.asking import factors as factors
from podium.asking import fronts as fronts
from podium.asking import gates as gates
from podium.asking import items as items
from podium.asking import planning as planning
from podium.asking import predictions as predictions
from podium.asking import registered as registered
from podium.asking import robustness as robustness
from podium.asking import surveys as surveys
from podium.asking import synthesis as synthesis
from podium.asking import timings as timings
from podium.asking.comparison.answer import Answer
from podium.asking.comparison.verbs import Page
from podium.asking.gates.decisions import Decision
from podium.asking.gates.gates import Candidates, Gate
from podium.asking.planning.pilot import PilotPlan
from podium.asking.planning.plan import Plan
from podium.asking.registered.verbs import Registration
from podium.asking.robustness.bootstrap import LeftOut
from podium.asking.robustness.multiverse import Multiverse
from podium.asking.robustness.stability import Stability
from podium.asking.surveys.by_dataset import Weights
from podium.asking.surveys.explaining import Explained
from podium.asking.surveys.recommending import Recommendation
from podium.asking.surveys.subgroups import Subgroups
from podium.asking.synthesis.verbs import MetaAnalysis
from podium.core import inference as inference
from podium.core import orders as orders
from podium.core import samplings as samplings
from podium.core import verdicts as verdicts
from podium.core.base.errors import PodiumError as PodiumError
from podium.core.base.progress import Progress
from podium.core.inference.bricks.estimates import Estimator
from podium.core.inference.bricks.nulls import NullBrick
from podium.core.inference.comparing.comparisons import Comparisons as Comparisons
from podium.core.inference.comparing.legality import Advice
from podium.core.inference.layouts import Layout as Layout
from podium.core.inference.procedures.procedure import Contrasts, Procedure
from podium.core.orders.consensus import consensus as consensus
from podium.core.orders.dataset_orders import DatasetOrders
from podium.core.orders.decide import decide as decide
from podium.core.orders.order import Order as Order
from podium.core.orders.order import order as order
from podium.core.questions.measures import Measure as Measure
from podium.core.results.results import Results as Results
from podium.core.samplings import Sampling as Sampling
from podium.core.words.facts import Note as Note
from podium.reading.formats.record import Format
from podium.reading.store.store import Store as Store
from podium.running import design as design
from podium.running import sequential as sequential
from podium.running.design.data.datasets import Dataset as Dataset
from podium.running.design.data.datasets import dataset as dataset
from podium.running.design.data.openml import from_openml as from_openml
from podium.running.design.data.processes import process as process
from podium.running.design.learners.algorithms import Algorithm as Algorithm
from podium.running.design.learners.algorithms import algorithm as algorithm
from podium.running.design.measuring.scoring import measure as measure
from podium.running.design.study import Study as Study
from podium.running.execution.item_reading import read_items as read_items
from podium.running.sequential.verbs import Rule
from podium.running.studies.verbs import merge as merge
from podium.running.studies.verbs import score as score
from podium.showing import plots as plots
from podium.showing import reports as reports

answers = comparison

__version__: str

__all__ = [
    "Algorithm",
    "Comparisons",
    "Dataset",
    "Layout",
    "Measure",
    "Note",
    "Order",
    "PodiumError",
    "Results",
    "Sampling",
    "Store",
    "Study",
    "__version__",
    "advise",
    "algorithm",
    "analyze",
    "by_dataset",
    "compare",
    "consensus",
    "dataset",
    "decide",
    "errors",
    "explain_differences",
    "from_openml",
    "gate",
    "layout",
    "left_out",
    "load_study",
    "measure",
    "merge",
    "meta",
    "multiverse",
    "order",
    "plan",
    "plots",
    "process",
    "queue",
    "read",
    "read_items",
    "recommend",
    "register",
    "report",
    "run",
    "samplings",
    "score",
    "stability",
    "subgroups",
]

def advise(
    source: Any,
    *,
    target: str | None = ...,
    measure: str | None = ...,
    sampling: str | Sampling | None = ...,
    higher_is_better: bool | None = ...,
    columns: str | Mapping[str, str | Iterable[str]] | None = ...,
    trust: Sequence[str] = ...,
) -> Advice: ...
def analyze(
    source: Any,
    *,
    procedure: str | Procedure | None = ...,
    strata: str | None = ...,
    sample: int | str | None = ...,
    queue: str | Path | None = ...,
    sampling: str | Sampling | None = ...,
    measure: str | None = ...,
    columns: str | Mapping[str, str | Iterable[str]] | None = ...,
    higher_is_better: bool | None = ...,
    step: str | int | None = ...,
    where: str | Iterable[str] | None = ...,
    recipe: str | None = ...,
    exclude: str | None = ...,
    reason: str | None = ...,
    target: str | None = ...,
    dataset: str | None = ...,
    scale: str | None = ...,
    null: str | NullBrick | None = ...,
    adjust: str | None = ...,
    control: str | None = ...,
    pairs: Sequence[tuple[str, str]] | None = ...,
    estimate: str | Estimator | None = ...,
    alternative: str = ...,
    alpha: float = ...,
    relevance: float = ...,
    gaps: str | None = ...,
    force: bool = ...,
    contrasts: Contrasts | np.ndarray | None = ...,
    non_inferiority: float | None = ...,
    equivalence: float | None = ...,
    posterior: bool | str = ...,
    rope: float | None = ...,
    rho: float | None = ...,
    weights: Mapping[str, float] | str | None = ...,
    covariates: str | Sequence[str] | None = ...,
    judge: str | None = ...,
    human: str | None = ...,
    open: bool = ...,
    factors: str | Sequence[str] | Mapping[str, Any] | None = ...,
    margin: Sequence[str] = ...,
) -> Answer: ...
def by_dataset(
    results: Results,
    procedure: str | Procedure | None = ...,
    *,
    weights: Weights | None = ...,
    time_limit: float | None = ...,
    measure: str | None = ...,
    target: str | None = ...,
    null: str | NullBrick | None = ...,
    adjust: str | None = ...,
    control: str | None = ...,
    pairs: Sequence[tuple[str, str]] | None = ...,
    estimate: str | Estimator | None = ...,
    alternative: str = ...,
    alpha: float = ...,
    relevance: float = ...,
    gaps: str | None = ...,
    force: bool = ...,
    family: str | None = ...,
    progress: Progress | None = ...,
) -> DatasetOrders: ...
def compare(
    results: Any,
    procedure: str | Procedure | None = ...,
    *,
    measure: str | None = ...,
    target: str | None = ...,
    dataset: str | None = ...,
    scale: str | None = ...,
    null: str | NullBrick | None = ...,
    adjust: str | None = ...,
    control: str | None = ...,
    pairs: Sequence[tuple[str, str]] | None = ...,
    estimate: str | Estimator | None = ...,
    alternative: str = ...,
    alpha: float = ...,
    relevance: float = ...,
    gaps: str | None = ...,
    force: bool = ...,
    contrasts: Contrasts | np.ndarray | None = ...,
    non_inferiority: float | None = ...,
    equivalence: float | None = ...,
    posterior: bool | str = ...,
    rope: float | None = ...,
    rho: float | None = ...,
    weights: Mapping[str, float] | str | None = ...,
    covariates: str | Sequence[str] | None = ...,
    judge: str | None = ...,
    human: str | None = ...,
) -> Comparisons: ...
def explain_differences(
    results: Any,
    by: pd.DataFrame | Results | None = ...,
    *,
    columns: str | Sequence[str] | None = ...,
    logs: str | Sequence[str] = ...,
    procedure: str = ...,
    measure: str | None = ...,
    scale: str | None = ...,
    control: str | None = ...,
    pairs: Sequence[tuple[str, str]] | None = ...,
    alpha: float = ...,
) -> Explained: ...
def gate(
    old: Any,
    new: Any = ...,
    *,
    margin: float | str | Sequence[str] | Mapping[str, float | str] | None = ...,
    improve: str | Sequence[str] | None = ...,
    algorithm: str | None = ...,
    procedure: str | None = ...,
    ledger: str | Path | None = ...,
    sampling: str | Sampling | None = ...,
    measure: str | None = ...,
    columns: str | Mapping[str, str | Iterable[str]] | None = ...,
    higher_is_better: bool | None = ...,
    step: str | int | None = ...,
    where: str | Iterable[str] | None = ...,
    recipe: str | None = ...,
    control: str | None = ...,
    alpha: float = ...,
    gaps: str | None = ...,
) -> Gate | Decision | Candidates: ...
def layout(
    results: Results,
    *,
    nested: bool = ...,
    failed: bool = ...,
    measure: str | None = ...,
    dataset: str | None = ...,
    target: str | None = ...,
) -> Layout: ...
def left_out(
    results: Any,
    procedure: str | Procedure | None = ...,
    *,
    measure: str | None = ...,
    dataset: str | None = ...,
    target: str | None = ...,
    null: str | NullBrick | None = ...,
    adjust: str | None = ...,
    control: str | None = ...,
    pairs: Sequence[tuple[str, str]] | None = ...,
    estimate: str | Estimator | None = ...,
    alternative: str = ...,
    alpha: float = ...,
    relevance: float = ...,
    gaps: str | None = ...,
    force: bool = ...,
    progress: Progress | None = ...,
) -> LeftOut: ...
def load_study(path: str | Path, *, trust: Sequence[str] = ...) -> Study: ...
def meta(
    studies: Any,
    *,
    by: str | None = ...,
    network: bool = ...,
    method: str = ...,
    sampling: str | Sampling | None = ...,
    measure: str | None = ...,
    columns: str | Mapping[str, str | Iterable[str]] | None = ...,
    higher_is_better: bool | None = ...,
    step: str | int | None = ...,
    where: str | Iterable[str] | None = ...,
    recipe: str | None = ...,
    alpha: float = ...,
) -> MetaAnalysis: ...
def multiverse(
    results: Results | Iterable[Results],
    *,
    procedures: Sequence[str] | None = ...,
    measures: Sequence[str] | None = ...,
    targets: Sequence[str] | None = ...,
    kind: str = ...,
    alpha: float = ...,
    relevance: float = ...,
    control: str | None = ...,
    gaps: str | None = ...,
    seed: int = ...,
    progress: Progress | None = ...,
) -> Multiverse: ...
def plan(
    *,
    pilot: Any = ...,
    difference: float | None = ...,
    sd: float | None = ...,
    power: float | None = ...,
    datasets: int | None = ...,
    items: int | None = ...,
    comparisons: int | None = ...,
    formula: str | None = ...,
    by: str | None = ...,
    most: int | None = ...,
    item_cost: float | None = ...,
    procedure: str | None = ...,
    replications: int | None = ...,
    progress: Callable[[str], None] | None = ...,
    alpha: float = ...,
    alternative: str = ...,
    measure: str | None = ...,
    dataset: str | None = ...,
    seed: int = ...,
) -> Plan | PilotPlan: ...
def queue(
    items: Any,
    algorithms: Sequence[str],
    *,
    cluster: str | None = ...,
    bounds: tuple[float, float] | None = ...,
    seed: int = ...,
    item: str | None = ...,
    alpha: float = ...,
    relevance: float = ...,
    spending: str = ...,
    looks: int = ...,
    open: bool = ...,
) -> pd.DataFrame: ...
def read(
    source: Any,
    *,
    format: str | Format | None = ...,
    sampling: str | Sampling | None = ...,
    measure: str | None = ...,
    columns: str | Mapping[str, str | Iterable[str]] | None = ...,
    higher_is_better: bool | None = ...,
    step: str | int | None = ...,
    where: str | Iterable[str] | None = ...,
    recipe: str | None = ...,
) -> Results: ...
def recommend(
    results: Any,
    by: pd.DataFrame | Results | None = ...,
    *,
    columns: str | Sequence[str] | None = ...,
    measure: str | None = ...,
    scale: str | None = ...,
    alpha: float = ...,
) -> Recommendation: ...
def register(
    study: Study | str | Path, store: str | Path, *, trust: Sequence[str] = ...
) -> Registration: ...
def report(
    results: Any,
    path: str | Path | None = ...,
    *,
    comparisons: Comparisons | Sequence[Comparisons] | None = ...,
    procedure: str | Procedure | None = ...,
    measure: str | None = ...,
    target: str | None = ...,
    dataset: str | None = ...,
    scale: str | None = ...,
    null: str | NullBrick | None = ...,
    adjust: str | None = ...,
    control: str | None = ...,
    alternative: str = ...,
    alpha: float = ...,
    relevance: float = ...,
    gaps: str | None = ...,
    force: bool = ...,
    progress: Progress | None = ...,
) -> Page: ...
def run(
    study: Study | str | Path,
    store: str | Path | None = ...,
    *,
    jobs: int = ...,
    cluster: Any = ...,
    time_limit: float | str | None = ...,
    memory_limit: float | str | None = ...,
    shard: tuple[int, int] | str | None = ...,
    until: Rule | str | None = ...,
    halves: int | None = ...,
    quiet: bool = ...,
    trust: Sequence[str] = ...,
) -> Results: ...
def stability(
    results: Any,
    procedure: str | Procedure | None = ...,
    *,
    resamples: int = ...,
    orders: int = ...,
    same_null: bool = ...,
    measure: str | None = ...,
    dataset: str | None = ...,
    target: str | None = ...,
    null: str | NullBrick | None = ...,
    adjust: str | None = ...,
    control: str | None = ...,
    pairs: Sequence[tuple[str, str]] | None = ...,
    estimate: str | Estimator | None = ...,
    alternative: str = ...,
    alpha: float = ...,
    relevance: float = ...,
    gaps: str | None = ...,
    force: bool = ...,
    seed: int = ...,
    progress: Progress | None = ...,
) -> Stability: ...
def subgroups(
    results: Any,
    groups: Mapping[str, Sequence[str]] | pd.DataFrame,
    *,
    declared_before: bool | str = ...,
    procedure: str = ...,
    test: str = ...,
    draws: int = ...,
    measure: str | None = ...,
    scale: str | None = ...,
    control: str | None = ...,
    pairs: Sequence[tuple[str, str]] | None = ...,
    alternative: str = ...,
    null: str | NullBrick | None = ...,
    seed: int = ...,
    alpha: float = ...,
) -> Subgroups: ...
