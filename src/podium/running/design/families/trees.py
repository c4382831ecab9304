"""Trees: one pruned by the 1-SE rule, many bagged, many randomised."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from podium.running.design.families.base import (
    COUNT,
    FAMILIES,
    SEVERAL,
    TASK,
    Model,
    WeightedFamily,
    counted,
    losses,
)

# -- cost-complexity pruning ------------------------------------------------------------------


def stopping_alphas(left: np.ndarray, right: np.ndarray, risk: np.ndarray) -> np.ndarray:
    """For every node the smallest price of a leaf at which it is not split any more.

    Weakest-link pruning (Breiman, Friedman, Olshen & Stone 1984, Section 3.3); `risk` is R(t), a
    leaf has no children (-1), nodes are numbered depth first as in scikit-learn. A leaf's alpha is
    0; a node below one that stops has that one's alpha.
    """
    branch, leaves, size = risk.astype(float), np.ones(len(left), int), np.ones(len(left), int)
    parent = np.full(len(left), -1)
    for t in np.flatnonzero(left >= 0)[::-1]:
        children = [left[t], right[t]]
        parent[children] = t
        branch[t], leaves[t] = branch[children].sum(), leaves[children].sum()
        size[t] = 1 + size[children].sum()
    split, alphas, alpha = left >= 0, np.zeros(len(left)), 0.0
    while split[0]:
        links = np.full(len(left), np.inf)
        links[split] = (risk - branch)[split] / (leaves[split] - 1)
        t = int(links.argmin())
        alpha = max(alpha, links[t])
        below = slice(t, t + size[t])
        alphas[below] = np.where(split[below], alpha, alphas[below])
        split[below] = False
        more_risk, fewer_leaves = risk[t] - branch[t], leaves[t] - 1
        while t >= 0:
            branch[t] += more_risk
            leaves[t] -= fewer_leaves
            t = parent[t]
    return alphas


@dataclass(frozen=True)
class Pruned:
    """A grown tree, where its nodes stop, and the price of a leaf."""

    tree: Any
    alphas: np.ndarray
    values: np.ndarray
    classifies: bool
    alpha: float = 0.0

    def at(self, Z: np.ndarray, prices: np.ndarray) -> np.ndarray:
        """Rows x prices x columns: what the trees pruned at several prices say, from one pass."""
        end = np.zeros((len(self.alphas), len(prices)), dtype=int)
        for t in np.flatnonzero(self.tree.children_left >= 0):  # parents before children
            for child in (self.tree.children_left[t], self.tree.children_right[t]):
                end[child] = np.where(self.alphas[t] <= prices, end[t], child)
        return self.values[end[self.tree.apply(Z.astype(np.float32))]]

    def predict(self, Z: np.ndarray) -> np.ndarray:
        """Codes, or numbers."""
        return self.decided(self.predict_proba(Z))

    def decided(self, values: np.ndarray) -> np.ndarray:
        """The most frequent class, the first of equals, or the number."""
        return values.argmax(axis=-1) if self.classifies else values[..., 0]

    def predict_proba(self, Z: np.ndarray) -> np.ndarray:
        """The shares of the classes in the leaf, or one column of numbers."""
        return self.at(Z, np.array([self.alpha]))[:, 0]

    def leaves(self, alpha: float) -> int:
        """The number of leaves at this price."""
        reached = np.zeros(len(self.alphas), bool)
        reached[0] = True
        goes_on = (self.tree.children_left >= 0) & (self.alphas > alpha)
        for t in np.flatnonzero(goes_on):
            reached[[self.tree.children_left[t], self.tree.children_right[t]]] = reached[t]
        return int((reached & ~goes_on).sum())


def one_se(errors: np.ndarray) -> int:
    """The last column whose mean is within one standard error of the smallest mean.

    `errors` has a row per observation and a column per tree, large trees first.
    """
    mean = errors.mean(axis=0)
    best = int(mean.argmin())
    limit = mean[best] + errors[:, best].std() / np.sqrt(len(errors))
    return int(np.flatnonzero(mean <= limit + 1e-12)[-1])


@FAMILIES.named("tree")
class Tree(WeightedFamily):
    """A tree (CART), pruned to the smallest one within a standard error of the best.

    Grown with scikit-learn (Gini index or variance) down to R's rpart defaults (`min_split`,
    `min_leaf`), pruned by misclassification or squared error; each price of a leaf on the whole
    sample's path is judged by cross-validation at the geometric mean with the next one (Breiman
    et al. 1984, Sections 3.4.2 and 3.4.3). Nominal attributes split one level from the others.
    Weights count in impurities and errors; `min_split` and `min_leaf` are numbers of rows.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "min_split": [SEVERAL],
        "min_leaf": [COUNT],
        "folds": [SEVERAL],
        "task": TASK,
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        min_split: int = 20,
        min_leaf: int = 7,
        folds: int = 10,
        task: str | None = None,
        random_state: Any = None,
    ) -> None:
        self.min_split = min_split
        self.min_leaf = min_leaf
        self.folds = folds
        self.task = task
        self.random_state = random_state

    def _choose(self, Z: np.ndarray, target: np.ndarray, seed: int) -> dict[str, Any]:
        grown = self._grown(Z, target, seed, self._weights)
        path = _steps(grown.alphas)
        errors = self._errors(path, Z, target, seed)
        k = one_se(errors)
        leaves = grown.leaves(path[k])
        return {"alpha": float(path[k]), "leaves": leaves, "cv": float(errors[:, k].mean())}

    def _errors(self, path: np.ndarray, Z: np.ndarray, target: np.ndarray, seed: int) -> np.ndarray:
        """Rows x steps of the path: cross-validated losses, one grown tree per fold."""
        prices = np.append(np.sqrt(path[:-1] * path[1:]), np.inf)
        errors, w = np.zeros((len(target), len(path))), self._weights
        for train, test in counted(self._splits(target, seed)):
            part = self._grown(Z[train], target[train], seed, w if w is None else w[train])
            text = part.decided(part.at(Z[test], prices))
            errors[test] = losses(text, target[test][:, None], classifies=self._classifies)
        return errors if w is None else errors * w[:, None]

    def _fitted(self, Z: np.ndarray, target: np.ndarray, seed: int) -> Pruned:
        grown = self._grown(Z, target, seed, self._weights)
        return replace(grown, alpha=self.chosen_["alpha"])

    def _grown(
        self, Z: np.ndarray, target: np.ndarray, seed: int, weights: np.ndarray | None = None
    ) -> Pruned:
        kind = DecisionTreeClassifier if self._classifies else DecisionTreeRegressor
        grower = kind(
            min_samples_split=self.min_split, min_samples_leaf=self.min_leaf, random_state=seed
        )
        grower.fit(Z, target, weights)
        tree = grower.tree_
        rows, values = tree.weighted_n_node_samples, tree.value[:, 0, :]
        if self._classifies:
            risk = rows * (1 - values.max(axis=1))
            if weights is None:
                risk = np.round(risk)  # exact, so that equal links are equal
            shares = np.zeros((len(values), len(self.classes_)))  # a fold may lack a class
            shares[:, grower.classes_] = values
            values = shares
        else:
            risk = rows * tree.impurity
        alphas = stopping_alphas(tree.children_left, tree.children_right, risk) / rows[0]
        return Pruned(tree, alphas, values, self._classifies)


def _steps(alphas: np.ndarray) -> np.ndarray:
    """The different prices at which the tree shrinks, from 0 on.

    Of prices that differ by rounding alone the last counts: all of their nodes stop there.
    """
    result = np.unique(np.append(0.0, alphas))
    return result[np.append(np.diff(result) > 1e-9 * result[-1], True)]


# -- ensembles --------------------------------------------------------------------------------


class _Forest(WeightedFamily):
    share: ClassVar[dict[str, Any]]  # the attributes that a split may look at, by task

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "trees": [COUNT],
        "task": TASK,
        "random_state": ["random_state"],
    }

    def __init__(self, trees: int = 500, task: str | None = None, random_state: Any = None) -> None:
        self.trees = trees
        self.task = task
        self.random_state = random_state

    def _fitted(self, Z: np.ndarray, target: np.ndarray, seed: int) -> Model:
        kind = RandomForestClassifier if self._classifies else RandomForestRegressor
        share = self.share[self.learned_]
        forest = kind(self.trees, max_features=share, n_jobs=1, random_state=seed)
        return forest.fit(Z, target, self._weights)


@FAMILIES.named("random-forest")
class RandomForest(_Forest):
    """500 trees on bootstrap samples; a split sees sqrt(p) attributes, in regression p / 3.

    The defaults of R's randomForest (Breiman 2001).
    """

    share: ClassVar[dict[str, Any]] = {"classification": "sqrt", "regression": 1 / 3}


@FAMILIES.named("bagging")
class Bagging(_Forest):
    """Unpruned trees on bootstrap samples, averaged (Breiman 1996); 250 as in hothorn2005."""

    share: ClassVar[dict[str, Any]] = {"classification": None, "regression": None}

    def __init__(self, trees: int = 250, task: str | None = None, random_state: Any = None) -> None:
        super().__init__(trees, task, random_state)
