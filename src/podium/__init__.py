"""Podium: design, execution and statistical analysis of benchmark experiments.

The public names, and nothing else. They are loaded when first used, so that `import podium` and
`podium --help` stay fast; `__init__.pyi` beside this file says to editors and type checkers what
they are.
"""

from importlib import import_module as _import_module  # typing takes longer than all of this

__version__ = "0.1.0"

_HOMES = {
    "podium.api.advising": ("advise",),
    "podium.api.combining": ("meta",),
    "podium.api.comparing": ("compare", "decide", "order", "order_by", "score_interval"),
    "podium.api.exploring": (
        "by_dataset",
        "explain_differences",
        "joint_stability",
        "left_out",
        "recommend",
        "size_trend",
        "stability",
        "subgroups",
    ),
    "podium.api.gating": ("gate",),
    "podium.api.items": ("by_stratum", "describe_items"),
    "podium.api.planning": ("plan", "plan_from_pilot", "plan_labels", "plan_sequential"),
    "podium.api.queues": ("queue", "read_queued"),
    "podium.api.reading": ("read_items",),
    "podium.results.formats": ("read",),
    "podium.api.registering": ("register",),
    "podium.api.reporting": ("report",),
    "podium.api.running": ("merge", "run", "score", "write_indices"),
    "podium.calibration.calibrate": ("calibrate",),
    "podium.calibration.scenario": ("scenario",),
    "podium.calibration.tables": ("table_scenario",),
    "podium.design.algorithms": ("Algorithm", "algorithm"),
    "podium.design.datasets": ("Dataset", "dataset"),
    "podium.design.scoring": ("measure",),
    "podium.design.frames": ("Frame", "frame"),
    "podium.design.openml": ("from_openml",),
    "podium.design.preprocessing": ("pipeline",),
    "podium.design.processes": ("Process", "process"),
    "podium.design.study": ("Study",),
    "podium.design.subsamples": ("subsamples",),
    "podium.design.studyfile": ("load_study",),
    "podium.errors": ("PodiumError",),
    "podium.facts": ("Note",),
    "podium.inference.arranging": ("layout",),
    "podium.inference.comparisons": ("Comparisons",),
    "podium.inference.layouts": ("Layout",),
    "podium.inference.nulls": ("asymptotic", "exact", "permutation"),
    "podium.measures": ("Measure",),
    "podium.orders.consensus": ("Consensus", "consensus"),
    "podium.orders.distances": ("distance",),
    "podium.orders.ensembles": ("hierarchical", "pareto"),
    "podium.orders.order": ("Order",),
    "podium.papers.replication": ("replicate",),
    "podium.reports.latex": ("scores_latex",),
    "podium.results.dataset_facts": ("characteristics", "exclude_datasets", "learning_curve"),
    "podium.results.fits": ("fits_spent",),
    "podium.results.openml_export": ("export_openml",),
    "podium.results.results": ("Results",),
    "podium.samplings": ("Sampling",),
    "podium.store": ("Store",),
    "podium.studies.gates": ("Gate",),
    "podium.studies.left_out": ("LeftOut",),
    "podium.studies.randomness": ("randomness",),
    "podium.studies.multiverse": ("Multiverse", "multiverse"),
    "podium.studies.stability": ("Stability",),
    "podium.studies.true_differences": ("true_differences",),
    "podium.studies.together": ("MetaAnalysis",),
    "podium.api.until": ("decided", "raced"),
    "podium.wording.findings": ("how_to_report",),
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
        optional = _import_module("podium.optional")
        raise optional.told_missing(error) from error
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
