"""The public names, for editors and type checkers (docs/make_stub.py writes this)."""

from podium import plots as plots
from podium import samplings as samplings
from podium.api.advising import advise as advise
from podium.api.combining import meta as meta
from podium.api.comparing import compare as compare
from podium.api.comparing import decide as decide
from podium.api.comparing import order as order
from podium.api.comparing import order_by as order_by
from podium.api.comparing import score_interval as score_interval
from podium.api.exploring import by_dataset as by_dataset
from podium.api.exploring import explain_differences as explain_differences
from podium.api.exploring import joint_stability as joint_stability
from podium.api.exploring import left_out as left_out
from podium.api.exploring import recommend as recommend
from podium.api.exploring import size_trend as size_trend
from podium.api.exploring import stability as stability
from podium.api.exploring import subgroups as subgroups
from podium.api.gating import gate as gate
from podium.api.items import by_stratum as by_stratum
from podium.api.items import describe_items as describe_items
from podium.api.planning import plan as plan
from podium.api.planning import plan_from_pilot as plan_from_pilot
from podium.api.planning import plan_labels as plan_labels
from podium.api.planning import plan_sequential as plan_sequential
from podium.api.queues import queue as queue
from podium.api.queues import read_queued as read_queued
from podium.api.reading import read_items as read_items
from podium.api.registering import register as register
from podium.api.reporting import report as report
from podium.api.running import merge as merge
from podium.api.running import run as run
from podium.api.running import score as score
from podium.api.running import write_indices as write_indices
from podium.api.until import decided as decided
from podium.api.until import raced as raced
from podium.calibration.calibrate import calibrate as calibrate
from podium.calibration.scenario import scenario as scenario
from podium.calibration.tables import table_scenario as table_scenario
from podium.design.algorithms import Algorithm as Algorithm
from podium.design.algorithms import algorithm as algorithm
from podium.design.datasets import Dataset as Dataset
from podium.design.datasets import dataset as dataset
from podium.design.frames import Frame as Frame
from podium.design.frames import frame as frame
from podium.design.openml import from_openml as from_openml
from podium.design.preprocessing import pipeline as pipeline
from podium.design.processes import Process as Process
from podium.design.processes import process as process
from podium.design.scoring import measure as measure
from podium.design.study import Study as Study
from podium.design.studyfile import load_study as load_study
from podium.design.subsamples import subsamples as subsamples
from podium.errors import PodiumError as PodiumError
from podium.facts import Note as Note
from podium.inference.arranging import layout as layout
from podium.inference.comparisons import Comparisons as Comparisons
from podium.inference.layouts import Layout as Layout
from podium.inference.nulls import asymptotic as asymptotic
from podium.inference.nulls import exact as exact
from podium.inference.nulls import permutation as permutation
from podium.measures import Measure as Measure
from podium.orders.consensus import Consensus as Consensus
from podium.orders.consensus import consensus as consensus
from podium.orders.distances import distance as distance
from podium.orders.ensembles import hierarchical as hierarchical
from podium.orders.ensembles import pareto as pareto
from podium.orders.order import Order as Order
from podium.papers.replication import replicate as replicate
from podium.reports.latex import scores_latex as scores_latex
from podium.results.dataset_facts import characteristics as characteristics
from podium.results.dataset_facts import exclude_datasets as exclude_datasets
from podium.results.dataset_facts import learning_curve as learning_curve
from podium.results.fits import fits_spent as fits_spent
from podium.results.formats import read as read
from podium.results.openml_export import export_openml as export_openml
from podium.results.results import Results as Results
from podium.samplings import Sampling as Sampling
from podium.store import Store as Store
from podium.studies.gates import Gate as Gate
from podium.studies.left_out import LeftOut as LeftOut
from podium.studies.multiverse import Multiverse as Multiverse
from podium.studies.multiverse import multiverse as multiverse
from podium.studies.randomness import randomness as randomness
from podium.studies.stability import Stability as Stability
from podium.studies.together import MetaAnalysis as MetaAnalysis
from podium.studies.true_differences import true_differences as true_differences
from podium.wording.findings import how_to_report as how_to_report

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
    "calibrate",
    "characteristics",
    "compare",
    "consensus",
    "dataset",
    "decide",
    "decided",
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
    "raced",
    "randomness",
    "read",
    "read_items",
    "read_queued",
    "recommend",
    "register",
    "replicate",
    "report",
    "run",
    "samplings",
    "scenario",
    "score",
    "score_interval",
    "scores_latex",
    "size_trend",
    "stability",
    "subgroups",
    "subsamples",
    "table_scenario",
    "true_differences",
    "write_indices",
]
