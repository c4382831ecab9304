"""The differences of two algorithms on every data set, and what describes the data sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import fdtrc

from podium.base.errors import InferenceError
from podium.base.registry import Registry, unknown
from podium.inference.bricks.contrasts import against, all_pairs, named
from podium.inference.layouts.layouts import Layout
from podium.questions.targets import BLOCKS, DATASET, DATASET_POPULATION
from podium.reading.dataset_facts import characteristics
from podium.reading.results import Results
from podium.words.facts import Note

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class Differences:
    """First less second of every pair on every data set, in the measure's own unit and sign."""

    values: np.ndarray  # data sets x pairs
    pairs: tuple[tuple[str, str], ...]
    layout: Layout  # the data sets that have all scores

    @property
    def names(self) -> pd.DataFrame:
        """The pairs as columns of a table."""
        return pd.DataFrame(list(self.pairs), columns=["first", "second"])


def differences(
    layout: Layout, control: str | None = None, pairs: Pairs | None = None
) -> Differences:
    """The differences on all data sets where every algorithm has a score."""
    _check(layout)
    whole = _complete(layout)
    if control is not None and pairs is not None:
        raise InferenceError("Say either a control or pairs, not both.")
    if pairs is not None:
        chosen = named(whole.algorithms, pairs)
    elif control is not None:
        chosen = against(whole.algorithms, control)
    else:
        chosen = all_pairs(len(whole.algorithms))
    first, second = np.array(chosen).T
    values = whole.sign * (whole.values[:, first] - whole.values[:, second])
    names = tuple((whole.algorithms[i], whole.algorithms[j]) for i, j in chosen)
    return Differences(values + 0.0, names, whole)  # no -0.0


def _check(layout: Layout) -> None:
    if layout.block != DATASET:
        raise InferenceError(
            f"Groups and characteristics belong to data sets, not to "
            f"{BLOCKS[layout.block].text}; give results of several data sets."
        )
    if layout.target != DATASET_POPULATION:
        raise InferenceError(
            f"What differs between data sets is judged by how they vary, which is evidence about "
            f"the target '{DATASET_POPULATION}', not about '{layout.target}'."
        )
    if len(layout.algorithms) < 2:
        raise InferenceError("A difference needs two algorithms; there is one.")
    if np.isinf(layout.values).any():
        raise InferenceError(
            f"The measure '{layout.measure.name}' has infinite scores, which no mean or test can "
            "use; remove them or choose another measure."
        )


def _complete(layout: Layout) -> Layout:
    """The data sets that have all scores, with their names; a note lists the others."""
    names = layout.labels or tuple(f"data set {i + 1}" for i in range(len(layout.values)))
    whole = ~np.isnan(layout.values).any(axis=1)
    gone = tuple(compress(names, ~whole))
    if not whole.any():
        raise InferenceError("On no data set has every algorithm a score: there is no difference.")
    note = Note("incomplete-blocks", left_out=gone)
    return replace(
        layout,
        values=layout.values[whole],
        labels=tuple(compress(names, whole)),
        notes=(*layout.notes, *[note] * bool(gone)),
    )


def described(source: pd.DataFrame | Results, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Characteristics as a table whose rows are named by the data sets.

    From results that know them, or from a frame with the data sets as its index or as the column
    `dataset`.
    """
    table = characteristics(source) if isinstance(source, Results) else source
    if not isinstance(table, pd.DataFrame):
        raise InferenceError(
            f"Characteristics are a data frame with one row per data set, or results that know "
            f"them, not {type(source).__name__}."
        )
    if "dataset" in table.columns:
        table = table.set_index("dataset")
    table = table.set_axis(table.index.map(str), axis=0)
    twice = table.index[table.index.duplicated()]
    if len(twice):
        raise InferenceError(f"The data set '{twice[0]}' has two rows of characteristics.")
    wanted = list(table.columns) if columns is None else list(columns)
    for name in wanted:
        if name not in table.columns:
            known = [str(column) for column in table.columns]
            raise InferenceError(unknown("characteristic", name, known))
    return table[wanted]


# -- tests of equal means in several groups; arrays in, arrays out -------------------------------

Array = np.ndarray
CELLS = 4_000_000  # permuted statistics that are held at a time
ROUNDING = 1e-12


class Tested(NamedTuple):
    """F, its degrees of freedom (NaN where the test has none) and p, of each variable."""

    statistic: Array
    df1: Array
    df2: Array
    p: Array


Test = Callable[[Array, Array, int, int], Tested]


class Interaction(NamedTuple):
    """A test; where a group has fewer rows than `least`, a note says what becomes of it.

    Its words are chosen by the fact `test` of the note `small-subgroup`.
    """

    compute: Test
    least: int = 2


INTERACTIONS: Registry[Interaction] = Registry("test of equal differences in subgroups")


def _moments(values: Array, members: Array) -> tuple[Array, Array, Array]:
    """Sizes, means and variances of groups; `members` are 0 and 1, (... x) groups x rows."""
    n = members.sum(axis=-1)[..., None]
    means = members @ values / n
    squares = members @ values**2 / n
    variances = np.maximum(squares - means**2, 0.0) * n / (n - 1)
    noise = 1e-14 * np.abs(values).max(axis=0) ** 2  # squares less squares lose digits
    return n, means, np.where(variances <= noise, 0.0, variances)


def _welch(values: Array, members: Array) -> tuple[Array, Array]:
    """Welch's F (1951, eq. 10) and its second degrees of freedom."""
    n, means, variances = _moments(values, members)
    k = members.shape[-2]
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = n / variances
        share = weights / weights.sum(axis=-2, keepdims=True)
        between = (weights * (means - (share * means).sum(axis=-2, keepdims=True)) ** 2).sum(
            axis=-2
        )
        rest = ((1 - share) ** 2 / (n - 1)).sum(axis=-2)
        f = between / (k - 1) / (1 + 2 * (k - 2) / (k**2 - 1) * rest)
        df = (k**2 - 1) / (3 * rest)
    same = np.ptp(means, axis=-2) <= ROUNDING * np.abs(values).max(axis=0)
    constant = (variances == 0).any(axis=-2)
    return np.where(constant, np.where(same, 0.0, np.nan), f), np.where(constant, np.nan, df)


def welch(values: Array, members: Array, _draws: int, _seed: int) -> Tested:
    """Welch's analysis of variance: groups may vary unequally (Welch 1951)."""
    f, df = _welch(_centred(values), members)
    first = np.full(len(f), members.shape[0] - 1.0)
    p = np.where(f == 0, 1.0, fdtrc(first, df, f))
    return Tested(f, first, df, p)


def anova(values: Array, members: Array, _draws: int, _seed: int) -> Tested:
    """One-way analysis of variance: all groups vary alike (Fisher 1925)."""
    values = _centred(values)
    n, means, variances = _moments(values, members)
    total, k = float(n.sum()), len(n)
    grand = (n * means).sum(axis=0) / total
    between = (n * (means - grand) ** 2).sum(axis=0) / (k - 1)
    within = ((n - 1) * variances).sum(axis=0) / (total - k)
    none = between <= (ROUNDING * np.abs(values).max(axis=0)) ** 2
    safe = np.where(within > 0, within, 1.0)
    f = np.where(within > 0, between / safe, np.where(none, 0.0, np.nan))
    df1, df2 = np.full(len(f), k - 1.0), np.full(len(f), total - k)
    return Tested(f, df1, df2, fdtrc(df1, df2, f))


def permutation(values: Array, members: Array, draws: int, seed: int) -> Tested:
    """Welch's F with the data sets exchanged between groups at random.

    Exact where differences are exchangeable; with groups that vary unequally right in the limit, as
    F is studentised (Janssen 1997; Chung and Romano 2013). p = (1 + hits) / (1 + draws).
    """
    values = _centred(values)
    f, _ = _welch(values, members)
    f = np.where(np.isnan(f), np.inf, f)  # groups apart and without variation
    hits = np.zeros(len(f))
    rng = np.random.default_rng(seed)
    rows = np.arange(members.shape[1])
    batch = max(CELLS // (values.size + 1), 1)
    for start in range(0, draws, batch):
        order = rng.permuted(np.tile(rows, (min(batch, draws - start), 1)), axis=1)
        drawn, _ = _welch(values, np.moveaxis(members[:, order], 0, 1))
        hits += (np.where(np.isnan(drawn), np.inf, drawn) >= f * (1 - 1e-9)).sum(axis=0)
    unknown = np.full(len(f), np.nan)
    shown = np.where(np.isinf(f), np.nan, f)
    return Tested(shown, np.full(len(f), members.shape[0] - 1.0), unknown, (1 + hits) / (1 + draws))


def _centred(values: Array) -> Array:
    return np.asarray(values - values.mean(axis=0))


INTERACTIONS.add("welch", Interaction(welch, least=4))
INTERACTIONS.add("anova", Interaction(anova))
INTERACTIONS.add("permutation", Interaction(permutation))
