"""What is to be run: data, samples, algorithms, measures, and the study that joins them.

data         datasets, targets (what a column to predict means), processes (that can be sampled),
             problems (the classic ones), sources (by name), openml with tasks, arff and download;
             characteristics of them, computed from views
samples      drawing (what a sample is, who draws what), drawers (one for every sampling),
             generators (fitted, for the parametric bootstrap), sampler (of a study, in training
             sizes), indices (samples as row numbers)
algorithms   algorithms, families (by name, tuned inside the training set), preprocessing
measures     outputs (what algorithms say), losses and survival (formulas), scoring
study        study, studyfile (TOML), identity (keys and random streams)

Drawers, formulas, families and sources register themselves beside their code. Where a family, a
problem or the preprocessor stands is part of the keys of runs: moving one makes old stores run
again, which `tests/design/test_kept_keys.py` guards.
"""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("results",),
    samplings=("samples.*",),
    measures=("measuring.*",),
    public=(
        "learners.algorithms:Algorithm",
        "learners.algorithms:algorithm",
        "data.datasets:Dataset",
        "data.datasets:dataset",
        "measuring.scoring:measure",
        "data.openml:from_openml",
        "data.processes:process",
        "study:Study",
        "studyfile:load_study",
    ),
    inside=(
        "frames:Frame",
        "frames:frame",
        "learners.preprocessing:pipeline",
        "data.processes:Process",
        "frames:subsamples",
        "measuring.scoring:Computed",
    ),
)
__getattr__ = CAPABILITY.attribute
