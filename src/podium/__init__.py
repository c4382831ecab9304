"""Podium: design, execution and statistical analysis of benchmark experiments.

The public names, and nothing else. They are loaded when first used, so that `import podium` and
`podium --help` stay fast; `__init__.pyi` beside this file says to editors and type checkers what
they are.
"""

from importlib import import_module as _import_module  # typing takes longer than all of this

__version__ = "0.1.0"

_HOMES = {
    "podium.planning.advising": ("advise",),
    "podium.synthesis.verbs": ("meta",),
    "podium.verdicts.verbs": ("compare", "decide", "order", "order_by", "score_interval"),
    "podium.robustness.verbs": ("joint_stability", "left_out", "stability"),
    "podium.surveys.verbs": (
        "by_dataset",
        "explain_differences",
        "recommend",
        "size_trend",
        "subgroups",
    ),
    "podium.gates.verbs": ("gate",),
    "podium.items.verbs": ("by_stratum", "describe_items"),
    "podium.planning.verbs": ("plan", "plan_from_pilot", "plan_labels", "plan_sequential"),
    "podium.sequential.queues": ("queue", "read_queued"),
    "podium.execution.item_reading": ("read_items",),
    "podium.reading.formats": ("read",),
    "podium.registered.verbs": ("register",),
    "podium.answers.verbs": ("report",),
    "podium.running.verbs": ("merge", "run", "score", "write_indices"),
    "podium.lab.calibration.calibrate": ("calibrate",),
    "podium.lab.calibration.scenario": ("scenario",),
    "podium.lab.calibration.tables": ("table_scenario",),
    "podium.design.learners.algorithms": ("Algorithm", "algorithm"),
    "podium.design.data.datasets": ("Dataset", "dataset"),
    "podium.design.measuring.scoring": ("measure",),
    "podium.design.frames": ("Frame", "frame"),
    "podium.design.data.openml": ("from_openml",),
    "podium.design.learners.preprocessing": ("pipeline",),
    "podium.design.data.processes": ("Process", "process"),
    "podium.design.study": ("Study",),
    "podium.design.subsamples": ("subsamples",),
    "podium.design.studyfile": ("load_study",),
    "podium.base.errors": ("PodiumError",),
    "podium.words.facts": ("Note",),
    "podium.inference.comparing.arranging": ("layout",),
    "podium.inference.comparing.comparisons": ("Comparisons",),
    "podium.inference.layouts.layouts": ("Layout",),
    "podium.inference.bricks.nulls": ("asymptotic", "exact", "permutation"),
    "podium.questions.measures": ("Measure",),
    "podium.orders.consensus": ("Consensus", "consensus"),
    "podium.orders.distances": ("distance",),
    "podium.orders.ensembles": ("hierarchical", "pareto"),
    "podium.orders.order": ("Order",),
    "podium.lab.papers.replication": ("replicate",),
    "podium.reports.latex": ("scores_latex",),
    "podium.reading.dataset_facts": ("characteristics", "exclude_datasets", "learning_curve"),
    "podium.reading.fits": ("fits_spent",),
    "podium.reading.openml_export": ("export_openml",),
    "podium.reading.results": ("Results",),
    "podium.samplings": ("Sampling",),
    "podium.store": ("Store",),
    "podium.gates.gates": ("Gate",),
    "podium.robustness.left_out": ("LeftOut",),
    "podium.robustness.randomness": ("randomness",),
    "podium.robustness.multiverse": ("Multiverse", "multiverse"),
    "podium.robustness.stability": ("Stability",),
    "podium.surveys.true_differences": ("true_differences",),
    "podium.synthesis.together": ("MetaAnalysis",),
    "podium.sequential.verbs": ("decided", "raced"),
    "podium.verdicts.findings": ("how_to_report",),
}
_FOLDERS = ("plots", "samplings")  # that are public as they are
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME, *_FOLDERS, "__version__"])


def __getattr__(name: str) -> object:
    if name in _FOLDERS:
        return _import_module(f"podium.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'podium' has no attribute '{name}'")
    try:
        value = getattr(_import_module(_HOME[name]), name)
    except ModuleNotFoundError as error:  # a light installation
        optional = _import_module("podium.base.optional")
        raise optional.told_missing(error) from error
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
