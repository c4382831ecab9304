"""The .632 and .632+ estimators: out-of-bag performance corrected by the apparent one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from podium.core.base.errors import DesignError
from podium.running.design.measuring.losses import LossScore
from podium.running.design.measuring.outputs import Output
from podium.running.design.measuring.scoring import Computed, OwnScore, Scores, is_recorded, scored

# Efron (1983), Estimating the error rate of a prediction rule; Efron & Tibshirani (1997),
# Improvements on cross-validation: the .632+ bootstrap method. Here every bootstrap sample has its
# own estimate: its own out-of-bag loss and, for .632+, its own relative overfitting rate. The mean
# over samples of the .632 estimates is Efron's estimator; that of the .632+ estimates is not quite
# the paper's, which averages the out-of-bag losses first.

OUT_OF_BAG = 0.632  # as it is printed; 1 - 1/e has more digits


@dataclass(frozen=True)
class Losses:
    """Mean losses of one measure; smaller is better."""

    out_of_bag: float
    apparent: float
    no_information: float


def estimate_632(losses: Losses) -> float:
    """.368 times the apparent and .632 times the out-of-bag loss (Efron 1983)."""
    return (1 - OUT_OF_BAG) * losses.apparent + OUT_OF_BAG * losses.out_of_bag


def estimate_632plus(losses: Losses) -> float:
    """The .632 estimate, and more the more the algorithm overfits (1997, equations 31 and 32).

    The relative overfitting rate is 0 where nothing is overfitted or there is nothing to learn.
    """
    gamma, training = losses.no_information, losses.apparent
    bounded = min(losses.out_of_bag, gamma)
    rate = (bounded - training) / (gamma - training) if bounded > training else 0.0
    share = (1 - OUT_OF_BAG) * rate
    return estimate_632(losses) + (bounded - training) * OUT_OF_BAG * share / (1 - share)


@dataclass(frozen=True)
class Correction:
    """An estimate from out-of-bag and apparent losses, and whether it reads the third of them."""

    estimate: Callable[[Losses], float]
    no_information: bool = False

    def refuses(self, measure: Computed) -> str:
        """Why a measure has no such estimate, behind the name of the sampling; empty if it has."""
        if not is_mean_loss(measure):
            return (
                f"is for means of a loss, which the measure '{measure.name}' is not. "
                "Choose 'bootstrap:B', or a measure such as error, squared or log-loss."
            )
        if self.no_information and not has_no_information_rate(measure):
            return (
                "needs the loss of algorithms without information, which the "
                f"measure '{measure.name}' does not have. Choose 'bootstrap-632:B' or "
                "'bootstrap:B'."
            )
        return ""


def is_mean_loss(measure: Computed) -> bool:
    """Whether a measure is the mean of a loss of every observation."""
    if not isinstance(measure.score, (LossScore, OwnScore)):
        return False
    probe = np.array([0.0, 1.0, 5.0])  # told apart from medians, roots, quantiles and maxima
    return math.isclose(measure.score.functional(probe), 2.0)


def has_no_information_rate(measure: Computed) -> bool:
    """Whether observations can be paired with what was said of others: a density has no truth."""
    return bool({"classification", "regression"} & set(measure.tasks))


@dataclass(frozen=True)
class Apparent:
    """What the fit to the whole training set says, by measure."""

    scores: Scores
    no_information: Mapping[str, float]


def apparent(wanted: Sequence[Computed], outputs: list[Output]) -> Apparent:
    """The scores of outputs for the rows that were learned from, and those without information."""
    measures = [m for m in wanted if not is_recorded(m)]
    for m in measures:
        _check_per_observation(m, outputs[0])
    gamma = {
        m.name: float(np.mean([no_information(m, o) for o in outputs]))
        for m in measures
        if has_no_information_rate(m)
    }
    return Apparent(scored(measures, outputs), gamma)


def _check_per_observation(measure: Computed, output: Output) -> None:
    own = measure.score
    if isinstance(own, OwnScore) and np.ndim(own.function(output.y, output.get(own.kind))) == 0:
        raise DesignError(
            f"The measure '{measure.name}' gives one number for a sample; .632 estimators need one "
            "loss per observation."
        )


def no_information(measure: Computed, output: Output) -> float:
    """The mean loss over all pairs of an observation and a prediction (1997, equation 27)."""
    values, counts = np.unique(output.y, axis=0, return_counts=True)
    n = len(output.y)
    losses = [measure.score(replace(output, y=np.repeat(v[None], n, axis=0))) for v in values]
    return float(np.average(losses, weights=counts))


def corrected(
    correction: Correction, wanted: Sequence[Computed], outputs: list[Output], whole: Apparent
) -> Scores:
    """Every measure of a sample, from its out-of-bag outputs and the whole training set."""
    result = scored(wanted, outputs)
    for m in wanted:
        if is_recorded(m):
            continue
        gamma = whole.no_information.get(m.name, math.nan)  # used by .632+ only
        values = result.values[m.name], whole.scores.values[m.name], gamma
        sign = -m.measure.sign  # losses
        result.values[m.name] = sign * correction.estimate(Losses(*(sign * v for v in values)))
    return replace(result, undefined=whole.scores.undefined | result.undefined)
