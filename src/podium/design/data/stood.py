"""Where code stood when keys were first made: files may move, keys of stored runs may not."""

PACKAGES: dict[str, str] = {}  # others of ours: the package that keys name instead
STOOD = {  # module: as keys name it
    "podium.design.data.arff": "podium.design.arff",
    "podium.design.data.characteristics": "podium.design.characteristics",
    "podium.design.data.datasets": "podium.design.datasets",
    "podium.design.data.download": "podium.design.download",
    "podium.design.data.identity": "podium.design.identity",
    "podium.design.data.openml": "podium.design.openml",
    "podium.design.data.problems": "podium.design.problems",
    "podium.design.data.processes": "podium.design.processes",
    "podium.design.data.sources": "podium.design.sources",
    "podium.design.data.survival": "podium.design.survival",
    "podium.design.data.targets": "podium.design.targets",
    "podium.design.data.views": "podium.design.views",
    "podium.design.learners.algorithms": "podium.design.algorithms",
    "podium.design.learners.fresh": "podium.design.fresh",
    "podium.design.learners.preprocessing": "podium.design.preprocessing",
    "podium.design.learners.spent": "podium.design.spent",
    "podium.design.measuring.corrections": "podium.design.corrections",
    "podium.design.measuring.losses": "podium.design.losses",
    "podium.design.measuring.outputs": "podium.design.outputs",
    "podium.design.measuring.scorers": "podium.design.scorers",
    "podium.design.measuring.scoring": "podium.design.scoring",
    "podium.design.samples.drawers": "podium.design.drawers",
    "podium.design.samples.drawing": "podium.design.drawing",
    "podium.design.samples.generators": "podium.design.generators",
    "podium.design.samples.halving": "podium.design.halving",
    "podium.design.samples.indices": "podium.design.indices",
    "podium.design.samples.sampler": "podium.design.sampler",
    "podium.design.samples.tasks": "podium.design.tasks",
}


def as_in_keys(module: str) -> str:
    """How keys of runs name a module."""
    package, dot, rest = module.partition(".")
    return STOOD.get(module, f"{PACKAGES.get(package, package)}{dot}{rest}")
