"""Which sampling goes with which data set, algorithm and measure: refused before anything runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from podium.design.algorithms import Algorithm
from podium.design.corrected import CORRECTIONS, has_no_information_rate, is_mean_loss
from podium.design.datasets import Dataset, task_noun
from podium.design.generators import check_generator
from podium.design.losses import Computed, is_recorded
from podium.design.processes import Process
from podium.design.sizes import SIZED
from podium.design.splits import DRAWERS
from podium.design.weights import weight_parameter
from podium.errors import DesignError
from podium.samplings import KINDS, Sampling

GENERATED, SIMULATED, WEIGHTED = "parametric-bootstrap", "simulation", "bayesian-bootstrap"
OVERFITTING = "bootstrap-632plus"


def check_sampling(
    s: Sampling, data: Dataset | Process, splits: Any = None, generator: Any = None
) -> None:
    """Refuse a sampling that this data set does not allow."""
    _check_runnable(s, splits)
    if (s.name == SIMULATED) != isinstance(data, Process):
        raise DesignError(
            f"'{data.name}' is a process, which only the sampling 'simulation:B' samples."
            if isinstance(data, Process)
            else f"Data set '{data.name}' is no process, so 'simulation' cannot draw it anew. "
            "Use 'bootstrap:B', or a process such as builtin:twonorm."
        )
    if generator is not None and s.name != GENERATED:
        raise DesignError(
            f"The sampling '{s}' takes no generator; '{GENERATED}:B' does, and 'simulation:B' "
            "samples a process."
        )
    if isinstance(data, Process):
        return
    _check_content(s, data)
    _check_rows(s, data)
    if s.name == GENERATED:
        check_generator(generator, data)


def _check_runnable(s: Sampling, splits: Any) -> None:
    drawn = s.name in DRAWERS or s.name in (SIMULATED, GENERATED) or s.folds_per_repeat
    if not drawn and splits is None:
        names = ", ".join(n for n in KINDS if n not in ("items", "splitter"))
        raise DesignError(
            f"The sampling '{s}' describes a table of scores; it cannot be run. These can: {names}."
        )


def _check_content(s: Sampling, data: Dataset) -> None:
    """Refuse data without the test sample, classes or groups that the sampling is about."""
    if s.kind.needs_test_sample and not data.n_test:
        raise DesignError(
            f"The sampling '{s}' needs a test sample; data set '{data.name}' has none."
        )
    if s.stratified and not data.classes:
        raise DesignError(
            f"The sampling '{s}' needs classes; '{data.name}' is a {task_noun(data.task)}."
        )
    if s.grouped and data.groups is None:
        raise DesignError(f"The sampling '{s}' needs groups; data set '{data.name}' has none.")


def _check_rows(s: Sampling, data: Dataset) -> None:
    units = int(data.groups.max()) + 1 if s.grouped and data.groups is not None else data.n
    least = s.least_rows(data.n_test)
    if units < least:
        noun = "groups" if s.grouped else "rows"
        raise DesignError(f"The sampling '{s}' needs {least} {noun}; '{data.name}' has {units}.")


def check_size(s: Sampling, data: Dataset | Process, splits: Any = None) -> None:
    """Refuse a size that is larger than the learning samples."""
    if not isinstance(data, SIZED) or splits is not None:
        return  # samples that others drew have the sizes they have: a run says so
    size, most = data.size, int(s.sizes(data.n, data.n_test)[0])
    if size.among(most) > most:
        raise DesignError(
            f"The size {size} is larger than the {most} rows that samples of '{size.of}' learn "
            f"from with '{s}'. Choose a smaller size, or shares such as 0.5."
        )


def check_weights(s: Sampling, a: Algorithm) -> None:
    """Refuse an algorithm that takes no weights where the sampling gives weights."""
    if s.name == WEIGHTED and not weight_parameter(a.estimator()):
        raise DesignError(
            f"Algorithm '{a.name}' takes no sample_weight, which '{s}' learns with. Choose "
            f"'bootstrap-whole:B' or 'bootstrap:B', which draw rows instead, or another algorithm."
        )


def check_correction(
    s: Sampling, measures: Sequence[Computed], keep: Sequence[str], sizes: Sequence[float]
) -> None:
    """Refuse what has no .632 estimate."""
    if s.name not in CORRECTIONS:
        return
    for m in measures:
        if not is_recorded(m) and not is_mean_loss(m):
            raise DesignError(
                f"The sampling '{s}' is for means of a loss, which the measure '{m.name}' is not. "
                "Choose 'bootstrap:B', or a measure such as error, squared or log-loss."
            )
        if s.name == OVERFITTING and not is_recorded(m) and not has_no_information_rate(m):
            raise DesignError(
                f"The sampling '{s}' needs the loss of algorithms without information, which the "
                f"measure '{m.name}' does not have. Choose 'bootstrap-632:B' or 'bootstrap:B'."
            )
    if keep:
        raise DesignError(
            f"The sampling '{s}' keeps no predictions: its scores also need the fit to the whole "
            "learning sample. Leave 'keep' out, or choose 'bootstrap:B'."
        )
    if sizes:
        raise DesignError(
            f"The sampling '{s}' has one size, that of the learning sample. Leave 'sizes' out, or "
            "choose 'bootstrap:B'."
        )
