"""The public names, for editors and type checkers (docs/make_stub.py writes this)."""

from podium import plots as plots
from podium import samplings as samplings
from podium.answers.verbs import report as report
from podium.base.errors import PodiumError as PodiumError
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
from podium.gates.verbs import gate as gate
from podium.inference.bricks.nulls import asymptotic as asymptotic
from podium.inference.bricks.nulls import exact as exact
from podium.inference.bricks.nulls import permutation as permutation
from podium.inference.comparing.arranging import layout as layout
from podium.inference.comparing.comparisons import Comparisons as Comparisons
from podium.inference.layouts.layouts import Layout as Layout
from podium.items.verbs import by_stratum as by_stratum
from podium.items.verbs import describe_items as describe_items
from podium.items.verbs import repeats as repeats
from podium.orders.consensus import Consensus as Consensus
from podium.orders.consensus import consensus as consensus
from podium.orders.distances import distance as distance
from podium.orders.ensembles import hierarchical as hierarchical
from podium.orders.ensembles import pareto as pareto
from podium.orders.order import Order as Order
from podium.planning.advising import advise as advise
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
from podium.robustness.left_out import LeftOut as LeftOut
from podium.robustness.multiverse import Multiverse as Multiverse
from podium.robustness.multiverse import multiverse as multiverse
from podium.robustness.randomness import randomness as randomness
from podium.robustness.stability import Stability as Stability
from podium.robustness.verbs import joint_stability as joint_stability
from podium.robustness.verbs import left_out as left_out
from podium.robustness.verbs import stability as stability
from podium.running.verbs import merge as merge
from podium.running.verbs import run as run
from podium.running.verbs import score as score
from podium.running.verbs import write_indices as write_indices
from podium.samplings import Sampling as Sampling
from podium.sequential.queues import queue as queue
from podium.sequential.queues import read_queued as read_queued
from podium.sequential.verbs import until_best as until_best
from podium.sequential.verbs import until_decided as until_decided
from podium.store.store import Store as Store
from podium.surveys.true_differences import true_differences as true_differences
from podium.surveys.verbs import by_dataset as by_dataset
from podium.surveys.verbs import explain_differences as explain_differences
from podium.surveys.verbs import recommend as recommend
from podium.surveys.verbs import size_trend as size_trend
from podium.surveys.verbs import subgroups as subgroups
from podium.synthesis.together import MetaAnalysis as MetaAnalysis
from podium.synthesis.verbs import meta as meta
from podium.verdicts.findings import how_to_report as how_to_report
from podium.verdicts.verbs import compare as compare
from podium.verdicts.verbs import decide as decide
from podium.verdicts.verbs import order as order
from podium.verdicts.verbs import order_by as order_by
from podium.verdicts.verbs import score_interval as score_interval
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
