"""Items by their answers: difficulty and discrimination, solved by nobody or by all; model twins.

This describes a test set and tests nothing. The two-parameter logistic model has chances
1 / (1 + exp(-a (theta - b))) with abilities theta from a normal population, fitted by marginal
maximum likelihood on Gauss-Hermite nodes (Bock and Aitkin 1981).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

LEAST_MODELS = 50  # with fewer, discriminations are not identified
NODES = 21
STEPS = 500  # of the EM algorithm
NEWTON = 3  # of its inner steps
CLOSE = 1e-8  # a change of parameters that is none
WIDEST = 30.0  # a discrimination beyond which items divide models perfectly


@dataclass(frozen=True, eq=False)
class TwoParameters:
    """The fitted model: items by difficulty and discrimination, models by ability."""

    difficulty: np.ndarray
    discrimination: np.ndarray
    ability: np.ndarray  # posterior modes
    ability_error: np.ndarray
    log_likelihood: float
    steps: int


def two_parameters(right: np.ndarray) -> TwoParameters:
    """The model of models x items of 0 and 1; a missing cell is NaN, of which nothing is known."""
    known = ~np.isnan(right)
    y, here = np.nan_to_num(right), known.astype(float)
    nodes, weights = np.polynomial.hermite_e.hermegauss(NODES)
    log_weights = np.log(weights / weights.sum())
    share = np.clip(np.nanmean(right, axis=0), 0.02, 0.98)
    beta = np.array([special.logit(share), np.ones(right.shape[1])])  # intercepts and slopes
    for steps in range(1, STEPS + 1):  # noqa: B007  told
        posterior, _ = _expected(y, here, beta, nodes, log_weights)
        tried, solved = posterior.T @ here, posterior.T @ y  # nodes x items
        moved = _maximised(beta, nodes, tried, solved)
        change = float(np.abs(moved - beta).max())
        beta = moved
        if change < CLOSE:
            break
    posterior, log_likelihood = _expected(y, here, beta, nodes, log_weights)
    ability, error = _abilities(y, here, beta, posterior @ nodes)
    slope = np.where(np.abs(beta[1]) < 1e-6, np.copysign(1e-6, beta[1]), beta[1])
    return TwoParameters(-beta[0] / slope, beta[1], ability, error, log_likelihood, steps)


def _abilities(
    y: np.ndarray, here: np.ndarray, beta: np.ndarray, start: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The likeliest ability of every model given its answers, and its error by the curvature."""
    theta = start
    for _ in range(50):
        p = special.expit(beta[0] + theta[:, None] * beta[1])
        slope = ((y - here * p) @ beta[1]) - theta
        curve = (here * p * (1 - p)) @ beta[1] ** 2 + 1
        move = np.clip(slope / curve, -1.0, 1.0)
        theta = theta + move
        if np.abs(move).max() < 1e-12:
            break
    return theta, 1 / np.sqrt(curve)


def _expected(
    y: np.ndarray, here: np.ndarray, beta: np.ndarray, nodes: np.ndarray, log_weights: np.ndarray
) -> tuple[np.ndarray, float]:
    """Every model's posterior over the nodes, and the log-likelihood."""
    eta = beta[0] + nodes[:, None] * beta[1]
    log = y @ eta.T - here @ np.logaddexp(0, eta).T + log_weights
    total = special.logsumexp(log, axis=1, keepdims=True)
    return np.exp(log - total), float(total.sum())


def _maximised(
    beta: np.ndarray, nodes: np.ndarray, tried: np.ndarray, solved: np.ndarray
) -> np.ndarray:
    """Every item's logistic regression on the nodes, by Newton's steps for all of them at once."""
    for _ in range(NEWTON):
        p = special.expit(beta[0] + nodes[:, None] * beta[1])
        left, weight = solved - tried * p, tried * p * (1 - p) + 1e-12
        g0, g1 = left.sum(axis=0), nodes @ left
        h00, h01, h11 = weight.sum(axis=0), nodes @ weight, nodes**2 @ weight
        det = np.maximum(h00 * h11 - h01**2, 1e-12)
        step = np.array([(h11 * g0 - h01 * g1) / det, (h00 * g1 - h01 * g0) / det])
        beta = np.clip(beta + np.clip(step, -2.0, 2.0), -WIDEST, WIDEST)
    return beta


# -- without a model -------------------------------------------------------------------------------


def item_rest_correlation(right: np.ndarray) -> np.ndarray:
    """How solving an item goes with solving the others, of models x items; NaN if all are alike."""
    here = ~np.isnan(right)
    y = np.nan_to_num(right)
    others = (y.sum(axis=1, keepdims=True) - y) / np.maximum(
        here.sum(axis=1, keepdims=True) - here, 1
    )
    n = np.maximum(here.sum(axis=0), 1)
    own = np.where(here, y - y.sum(axis=0) / n, 0.0)
    rest = np.where(here, others - np.where(here, others, 0.0).sum(axis=0) / n, 0.0)
    size = np.sqrt((own**2).sum(axis=0) * (rest**2).sum(axis=0))
    return np.divide((own * rest).sum(axis=0), size, out=np.full(len(n), np.nan), where=size > 1e-9)


def disagreement(right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of every two models the share of items that they differ on, and what chance would give.

    Chance: the two are right or wrong independently of each other, given how often each of them
    and all models solve an item (a logistic model without interaction).
    """
    here = (~np.isnan(right)).astype(float)
    y = np.nan_to_num(right)
    both = np.maximum(here @ here.T, 1)
    apart = (y @ (here - y).T + (here - y) @ y.T) / both
    item = special.logit(np.clip(np.nanmean(right, axis=0), 0.01, 0.99))
    model = special.logit(np.clip(np.nanmean(right, axis=1), 0.01, 0.99))
    p = special.expit(item + (model - model.mean())[:, None]) * here
    q = here - p
    return apart, (p @ q.T + q @ p.T) / both
