"""The items of a test set: how hard and telling they are, and scores by stratum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from podium.core.base.errors import InferenceError
from podium.core.inference.bricks.adjustments import holm
from podium.core.inference.bricks.clustered import clustered_covariance
from podium.core.inference.comparing.single import item_scores
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.questions.options import check_alpha
from podium.core.questions.targets import ITEM
from podium.core.words.facts import CAUTION, REMARK, Note, Overall
from podium.core.words.notes.of_surveys import items_heading, strata_heading
from podium.core.words.saying import Presented

# -- items by their answers -----------------------------------------------------------------------
# Difficulty and discrimination, solved by nobody or by all; model twins.
#
# This describes a test set and tests nothing. The two-parameter logistic model has chances 1 /
# (1 + exp(-a (theta - b))) with abilities theta from a normal population, fitted by marginal
# maximum likelihood on Gauss-Hermite nodes (Bock and Aitkin 1981).


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


# -- the items of a test set ----------------------------------------------------------------------
# How hard, how telling, solved by nobody or by all; model twins.


TWINS = 0.25  # of the disagreement that chance gives, below which two models are near duplicates
LEVEL = 0.05  # for all items together
LEAST_APART = 5  # items that two should differ on, for that to tell anything


@dataclass(frozen=True, eq=False, repr=False)
class ItemDescription(Presented):
    """Items and models as their answers show them; a description, no test.

    `items` has for every item the share of models that solve it and how solving it goes with
    solving the others (`item_rest`), and from 50 models on the two-parameter logistic model's
    difficulty and discrimination. `twins` are pairs of models that differ on far fewer items than
    chance would make them. `model` is the fitted model, where there is one.
    """

    items: pd.DataFrame
    twins: pd.DataFrame
    abilities: pd.DataFrame  # of models; no rows without a model
    model: TwoParameters | None
    notes: tuple[Note, ...] = ()

    @property
    def unsolved(self) -> list[str]:
        """Items that no model solves."""
        return list(self.items["item"][self.items["solved"] == 0])

    @property
    def solved(self) -> list[str]:
        """Items that every model solves."""
        return list(self.items["item"][self.items["solved"] == 1])

    @property
    def against(self) -> list[str]:
        """Items that weaker models solve rather than stronger ones, by more than chance gives."""
        r, m = (self.items[name].to_numpy(float) for name in ("item_rest", "models"))
        t = r * np.sqrt(np.maximum(m - 2, 0) / np.maximum(1 - r**2, 1e-12))
        known = (m > 3) & ~np.isnan(r)
        p = np.where(known, tails.t_sf(np.where(known, -t, 0.0), np.maximum(m - 2, 1)), 1.0)
        return list(self.items["item"][p < LEVEL / max(len(p), 1)])

    def _lines_above(self) -> list[str]:
        return [items_heading(self)]

    def _tables(self) -> Mapping[str, pd.DataFrame]:
        return {"Items": self.items, "Near duplicates": self.twins}

    def _facts(self) -> dict[str, Any]:
        return {
            "items": self.items,
            "unsolved": self.unsolved,
            "solved": self.solved,
            "against": self.against,
            "twins": self.twins,
            "abilities": self.abilities,
            "log_likelihood": None if self.model is None else self.model.log_likelihood,
            "warnings": list(self.notes),
        }


def describe_items(
    layout: Layout, names: list[str] | None = None, response_model: bool | None = None
) -> ItemDescription:
    """The items of a layout of right and wrong answers; of other scores only their means.

    `response_model` asks for the two-parameter model, which is refused below 50 models; without it
    the model is there where it can be.
    """
    if layout.block != ITEM:
        raise InferenceError(
            f"Only items can be described, and these are {layout.block_text}: use "
            "--sampling items (sampling='items')."
        )
    scores = layout.sign * layout.values.T  # models x items
    binary = layout.is_binary
    right = layout.values.T + (0 if layout.measure.higher_is_better else 1) if binary else scores
    labels = names or [str(i + 1) for i in range(len(layout.values))]
    items = pd.DataFrame(
        {
            "item": labels,
            "models": (~np.isnan(scores)).sum(axis=0),
            "solved" if binary else "mean": np.nanmean(right, axis=0),
            "item_rest": item_rest_correlation(right),
        }
    )
    if not binary:
        items.insert(3, "solved", np.nan)
    model, notes = _fitted(right, binary, response_model)
    abilities = pd.DataFrame(columns=["algorithm", "ability", "error"])
    if model is not None:
        items = items.assign(difficulty=model.difficulty, discrimination=model.discrimination)
        items.loc[items["solved"].isin((0, 1)), ["difficulty", "discrimination"]] = np.nan
        abilities = pd.DataFrame(
            {"algorithm": layout.algorithms, "ability": model.ability, "error": model.ability_error}
        )
    twins = _twins(right, layout.algorithms) if binary else _twins(right[:0], ())
    return ItemDescription(items, twins, abilities, model, (*layout.notes, *notes))


def _fitted(
    right: np.ndarray, binary: bool, request: bool | None
) -> tuple[TwoParameters | None, list[Note]]:
    """The model where there are models enough, and why it is not there."""
    models = len(right)
    if request is False:
        return None, []
    if not binary or models < LEAST_MODELS:
        why = (
            f"of at least {LEAST_MODELS} models, and there are {models}: with fewer, how telling "
            "an item is cannot be known"
            if binary
            else "of right and wrong answers, and these are other scores"
        )
        if request:
            raise InferenceError(f"The two-parameter logistic model is {why}.")
        return None, [Note("no-item-model", REMARK, models=models, least=LEAST_MODELS,
                           binary=binary)]  # fmt: skip
    return two_parameters(right), []


def _twins(right: np.ndarray, algorithms: tuple[str, ...]) -> pd.DataFrame:
    """Pairs that differ far less than chance would have it, the closest first."""
    columns = ["first", "second", "differ", "by_chance"]
    if len(algorithms) < 2:
        return pd.DataFrame(columns=columns)
    apart, chance = disagreement(right)
    i, j = np.triu_indices(len(algorithms), 1)
    items = right.shape[1]
    close = (apart < TWINS * chance) & (chance * items >= LEAST_APART)
    kept = close[i, j]
    names = np.array(algorithms, dtype=object)
    result = pd.DataFrame(
        {
            "first": names[i[kept]],
            "second": names[j[kept]],
            "differ": apart[i, j][kept],
            "by_chance": chance[i, j][kept],
        }
    )
    return result.sort_values("differ", kind="stable", ignore_index=True)


# -- items in strata such as topics ---------------------------------------------------------------
# Scores of each, and whether differences depend on the stratum.
#
# Strata are fixed, as a cluster is not: nothing is said about others. Whether algorithms differ
# otherwise in one stratum than in another is Welch's test (1951) of every algorithm's score less
# the mean of all on the same items; with two algorithms that is a test of their difference.


LEAST_ITEMS = 5  # of a stratum, to take part in the test
FEW_ITEMS = 20


@dataclass(frozen=True, eq=False, repr=False)
class Strata(Presented):
    """Scores by stratum with intervals of their own, and tests of interaction.

    `scores` has a row per stratum and algorithm. `interaction` has a row per algorithm: how its
    score less the mean of all varies between strata; p-values are Holm's. `overall` is the test
    that no difference depends on the stratum.
    """

    scores: pd.DataFrame
    interaction: pd.DataFrame
    overall: Overall | None
    measure: str
    higher_is_better: bool
    alpha: float
    notes: tuple[Note, ...] = ()

    @property
    def strata(self) -> list[str]:
        """In the order of the source."""
        return list(dict.fromkeys(self.scores["stratum"]))

    @property
    def algorithms(self) -> list[str]:
        """In the order of the source."""
        return list(dict.fromkeys(self.scores["algorithm"]))

    def _lines_above(self) -> list[str]:
        return [strata_heading(self)]

    def _tables(self) -> Mapping[str, pd.DataFrame]:
        return {"Scores": self.scores, "Interaction": self.interaction}

    def _facts(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "alpha": self.alpha,
            "scores": self.scores,
            "interaction": self.interaction,
            "global": self.overall,
            "warnings": list(self.notes),
        }


def by_stratum(layout: Layout, alpha: float = 0.05) -> Strata:
    """The strata of a layout of items."""
    check_alpha(alpha)
    if layout.items.strata is None:
        raise InferenceError(
            "The items are in no strata: say which column holds them, as in --strata topic "
            "(columns={'stratum': 'topic'})."
        )
    names = list(dict.fromkeys(layout.items.strata.tolist()))
    if len(names) < 2:
        raise InferenceError(f"All items are in one stratum, '{names[0]}': there is no other one.")
    parts = {name: _only(layout, name) for name in names}
    table, overall, notes = _interaction(parts, layout.algorithms)
    return Strata(
        pd.concat([_scores(part, name, alpha) for name, part in parts.items()], ignore_index=True),
        table,
        overall,
        layout.measure.name,
        layout.measure.higher_is_better,
        alpha,
        (*layout.notes, *notes),
    )


def _only(layout: Layout, name: str) -> Layout:
    kept = np.asarray(layout.items.strata) == name
    return layout.only_blocks(kept, Note("stratum", REMARK, stratum=name))


def _scores(part: Layout, name: str, alpha: float) -> pd.DataFrame:
    table = item_scores(part, alpha, alone=True)
    assert table is not None  # of items
    table.insert(0, "stratum", name)
    return table.rename(columns={"blocks": "items"}).drop(columns="method")


def _interaction(
    parts: Mapping[str, Layout], algorithms: tuple[str, ...]
) -> tuple[pd.DataFrame, Overall | None, list[Note]]:
    """Welch's test of every algorithm, adjusted, and the smallest of them."""
    columns = ["algorithm", "statistic", "df", "df_rest", "p", "p_adjusted"]
    if len(algorithms) < 2:
        return pd.DataFrame(columns=columns), None, []
    moments = {name: _moments(part.complete()) for name, part in parts.items()}
    small = tuple(name for name, (n, *_) in moments.items() if n < LEAST_ITEMS)
    used = [each for name, each in moments.items() if name not in small]
    notes = [Note("small-strata", CAUTION, strata=small, least=LEAST_ITEMS)] if small else []
    if len(used) < 2:
        return pd.DataFrame(columns=columns), None, notes
    compared = (
        algorithms[:1] if len(algorithms) == 2 else algorithms
    )  # two differ by one difference
    means, variances, dfs = (np.array(each) for each in zip(*(m[1:] for m in used), strict=True))
    rows = [
        (name, *welch(means[:, k], variances[:, k], dfs[:, k])) for k, name in enumerate(compared)
    ]
    table = pd.DataFrame(rows, columns=columns[:-1])
    if table["df_rest"].isna().all():
        return pd.DataFrame(columns=columns), None, [*notes, Note("strata-never-vary", REMARK)]
    p = table["p"].to_numpy(float)
    table["p_adjusted"] = np.where(np.isnan(p), np.nan, holm(np.nan_to_num(p, nan=1.0)))
    if len(algorithms) == 2:
        table["algorithm"] = " - ".join(algorithms)
    known = table[table["df_rest"].notna()]
    first = known.iloc[int(known["p"].to_numpy().argmin())]
    least = min(n for n, *_ in used)
    if least < FEW_ITEMS:
        notes.append(Note("few-in-strata", CAUTION, items=least))
    overall = Overall(
        "welch", float(first["statistic"]), (float(first["df"]), float(first["df_rest"])),
        float(table["p_adjusted"].min()), "Welch's F",
    )  # fmt: skip
    return table, overall, notes


def _moments(part: Layout) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """Items, and of every algorithm less the mean of all: mean, its variance, and df."""
    z = part.values - part.values.mean(axis=1, keepdims=True)
    n, k = z.shape
    if n < LEAST_ITEMS:
        return n, *np.full((3, k), np.nan)
    if part.items.clusters is None:
        return n, z.mean(axis=0), z.var(axis=0, ddof=1) / n, np.full(k, n - 1.0)
    if len(np.unique(part.items.clusters)) < 2:
        return 0, *np.full((3, k), np.nan)
    covariance, df = clustered_covariance(z, np.asarray(part.items.clusters))
    return n, z.mean(axis=0), np.diag(covariance).copy(), np.full(k, df)


def welch(
    mean: np.ndarray, variance: np.ndarray, df: np.ndarray
) -> tuple[float, float, float, float]:
    """F, its two degrees of freedom and p of equal means with unequal variances (Welch 1951).

    A stratum in which nothing varies has the mean variance of the others.
    """
    some = variance > 0
    if not some.any():
        same = bool(np.ptp(mean) == 0)
        return (0.0 if same else np.nan), len(mean) - 1.0, np.nan, 1.0 if same else np.nan
    w = 1 / np.where(some, variance, variance[some].mean())
    s, total = len(mean), w.sum()
    centre = (w * mean).sum() / total
    rest = ((1 - w / total) ** 2 / df).sum() / (s**2 - 1)
    f = (w * (mean - centre) ** 2).sum() / (s - 1) / (1 + 2 * (s - 2) * rest)
    df_rest = 1 / (3 * rest)
    return float(f), s - 1.0, float(df_rest), float(tails.f_sf(f, s - 1, df_rest))
