"""The public names, for editors and type checkers (docs/make_stub.py writes this)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium import plots as plots
from podium import samplings as samplings
from podium.answers.verbs import Page
from podium.base.errors import PodiumError as PodiumError
from podium.base.progress import Progress
from podium.design.data.datasets import Dataset as Dataset
from podium.design.data.datasets import dataset as dataset
from podium.design.data.openml import from_openml as from_openml
from podium.design.data.processes import Process as Process
from podium.design.data.processes import process as process
from podium.design.frames import Frame as Frame
from podium.design.frames import frame as frame
from podium.design.learners.algorithms import Algorithm as Algorithm
from podium.design.learners.algorithms import algorithm as algorithm
from podium.design.learners.preprocessing import pipeline as pipeline
from podium.design.measuring.scoring import measure as measure
from podium.design.study import Study as Study
from podium.design.studyfile import load_study as load_study
from podium.design.subsamples import subsamples as subsamples
from podium.execution.item_reading import read_items as read_items
from podium.gates.gates import Gate as Gate
from podium.inference.bricks.estimates import Estimator
from podium.inference.bricks.nulls import NullBrick
from podium.inference.bricks.nulls import asymptotic as asymptotic
from podium.inference.bricks.nulls import exact as exact
from podium.inference.bricks.nulls import permutation as permutation
from podium.inference.comparing.advice import Advice
from podium.inference.comparing.arranging import layout as layout
from podium.inference.comparing.comparisons import Comparisons as Comparisons
from podium.inference.layouts.layouts import Layout as Layout
from podium.inference.procedures.options import Contrasts
from podium.inference.procedures.procedure import Procedure
from podium.items.description import ItemDescription
from podium.items.repeats import Repeats
from podium.items.strata import Strata
from podium.orders.consensus import Consensus as Consensus
from podium.orders.consensus import consensus as consensus
from podium.orders.dataset_orders import DatasetOrders
from podium.orders.decide import decide as decide
from podium.orders.distances import distance as distance
from podium.orders.ensembles import hierarchical as hierarchical
from podium.orders.ensembles import pareto as pareto
from podium.orders.notation import order as order
from podium.orders.order import Order as Order
from podium.orders.statistics import Ordered
from podium.planning.verbs import plan as plan
from podium.planning.verbs import plan_from_pilot as plan_from_pilot
from podium.planning.verbs import plan_labels as plan_labels
from podium.planning.verbs import plan_sequential as plan_sequential
from podium.questions.measures import Measure as Measure
from podium.reading.dataset_facts import characteristics as characteristics
from podium.reading.dataset_facts import exclude_datasets as exclude_datasets
from podium.reading.dataset_facts import learning_curve as learning_curve
from podium.reading.fits import fits_spent as fits_spent
from podium.reading.formats import read as read
from podium.reading.openml_export import export_openml as export_openml
from podium.reading.results import Results as Results
from podium.registered.verbs import register as register
from podium.reports.latex import scores_latex as scores_latex
from podium.robustness.joint_stability import JointStability
from podium.robustness.left_out import LeftOut as LeftOut
from podium.robustness.multiverse import Multiverse as Multiverse
from podium.robustness.randomness import randomness as randomness
from podium.robustness.stability import Stability as Stability
from podium.running.verbs import merge as merge
from podium.running.verbs import run as run
from podium.running.verbs import score as score
from podium.running.verbs import write_indices as write_indices
from podium.samplings import Sampling as Sampling
from podium.sequential.queues import read_queued as read_queued
from podium.sequential.verbs import Rule
from podium.store.store import Store as Store
from podium.surveys.by_dataset import Weights
from podium.surveys.explaining import Explained
from podium.surveys.recommending import Recommendation
from podium.surveys.subgroups import Subgroups
from podium.surveys.true_differences import true_differences as true_differences
from podium.synthesis.together import MetaAnalysis as MetaAnalysis
from podium.verdicts.findings import how_to_report as how_to_report
from podium.words.facts import Note as Note

__version__: str

__all__ = [
    "Algorithm",
    "Comparisons",
    "Consensus",
    "Dataset",
    "Frame",
    "Gate",
    "Layout",
    "LeftOut",
    "Measure",
    "MetaAnalysis",
    "Multiverse",
    "Note",
    "Order",
    "PodiumError",
    "Process",
    "Results",
    "Sampling",
    "Stability",
    "Store",
    "Study",
    "__version__",
    "advise",
    "algorithm",
    "asymptotic",
    "by_dataset",
    "by_stratum",
    "characteristics",
    "compare",
    "consensus",
    "dataset",
    "decide",
    "describe_items",
    "distance",
    "exact",
    "exclude_datasets",
    "explain_differences",
    "export_openml",
    "fits_spent",
    "frame",
    "from_openml",
    "gate",
    "hierarchical",
    "how_to_report",
    "joint_stability",
    "layout",
    "learning_curve",
    "left_out",
    "load_study",
    "measure",
    "merge",
    "meta",
    "multiverse",
    "order",
    "order_by",
    "pareto",
    "permutation",
    "pipeline",
    "plan",
    "plan_from_pilot",
    "plan_labels",
    "plan_sequential",
    "plots",
    "process",
    "queue",
    "randomness",
    "read",
    "read_items",
    "read_queued",
    "recommend",
    "register",
    "repeats",
    "report",
    "run",
    "samplings",
    "score",
    "score_interval",
    "scores_latex",
    "size_trend",
    "stability",
    "subgroups",
    "subsamples",
    "true_differences",
    "until_best",
    "until_decided",
    "write_indices",
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
    gaps: str = ...,
    force: bool = ...,
    family: str | None = ...,
    progress: Progress | None = ...,
) -> DatasetOrders: ...
def by_stratum(
    results: Any, *, measure: str | None = ..., dataset: str | None = ..., alpha: float = ...
) -> Strata: ...
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
    gaps: str = ...,
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
def describe_items(
    results: Any,
    *,
    response_model: bool | None = ...,
    measure: str | None = ...,
    dataset: str | None = ...,
) -> ItemDescription: ...
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
    new: Any,
    *,
    margin: float | str | None = ...,
    algorithm: str | None = ...,
    procedure: str | None = ...,
    sampling: str | Sampling | None = ...,
    measure: str | None = ...,
    columns: str | Mapping[str, str | Iterable[str]] | None = ...,
    higher_is_better: bool | None = ...,
    step: str | int | None = ...,
    alpha: float = ...,
    gaps: str = ...,
) -> Gate: ...
def joint_stability(
    results: Results,
    measures: Sequence[str],
    *,
    joint: str = ...,
    weights: Sequence[float] | None = ...,
    procedure: str | Procedure | None = ...,
    resamples: int = ...,
    family: str | None = ...,
    dataset: str | None = ...,
    target: str | None = ...,
    control: str | None = ...,
    alpha: float = ...,
    relevance: float = ...,
    seed: int = ...,
    progress: Progress | None = ...,
) -> JointStability: ...
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
    gaps: str = ...,
    force: bool = ...,
    progress: Progress | None = ...,
) -> LeftOut: ...
def meta(
    studies: Any,
    *,
    by: str | None = ...,
    network: bool = ...,
    method: str = ...,
    measure: str | None = ...,
    higher_is_better: bool | None = ...,
    sampling: str | Sampling | None = ...,
    columns: str | Mapping[str, str | Iterable[str]] | None = ...,
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
    gaps: str = ...,
    seed: int = ...,
    progress: Progress | None = ...,
) -> Multiverse: ...
def order_by(
    results: Any,
    statistic: str | Callable[[np.ndarray], np.ndarray] = ...,
    *,
    epsilon: float = ...,
    intervals: float | None = ...,
    resamples: int = ...,
    measure: str | None = ...,
    dataset: str | None = ...,
    seed: int = ...,
) -> Ordered: ...
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
def recommend(
    results: Any,
    by: pd.DataFrame | Results | None = ...,
    *,
    columns: str | Sequence[str] | None = ...,
    measure: str | None = ...,
    scale: str | None = ...,
    alpha: float = ...,
) -> Recommendation: ...
def repeats(results: Any, *, k: int | None = ..., alpha: float = ...) -> Repeats: ...
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
    gaps: str = ...,
    force: bool = ...,
    progress: Progress | None = ...,
) -> Page: ...
def score_interval(
    results: Any,
    *,
    measure: str | None = ...,
    dataset: str | None = ...,
    target: str | None = ...,
    alpha: float = ...,
    judge: str | None = ...,
    human: str | None = ...,
) -> Comparisons: ...
def size_trend(
    results: Results,
    procedure: str | Procedure | None = ...,
    *,
    measure: str | None = ...,
    control: str | None = ...,
    pairs: Sequence[tuple[str, str]] | None = ...,
    alpha: float = ...,
) -> Comparisons: ...
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
    gaps: str = ...,
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
def until_best(
    *, measure: str | None = ..., alpha: float = ..., spending: str = ..., looks: int = ...
) -> Rule: ...
def until_decided(
    *,
    test: str = ...,
    measure: str | None = ...,
    alpha: float = ...,
    relevance: float = ...,
    spending: str = ...,
    looks: int = ...,
    open: bool = ...,
) -> Rule: ...
