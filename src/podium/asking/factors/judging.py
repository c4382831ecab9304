"""Effects of factors: contrasts, each judged by its own variance, and shares of the variance.

A mixed model with one effect of blocks takes a factor's effect to be the same in all of them, and
finds effects that are none where it is not (lab: factors-slopes). Limits are Bonferroni's below 20
blocks (and 4 for every free contrast), where a joint t of estimated correlations is liberal, and
single-step from there; the same number decides and draws the limits. Families: main effects,
interactions of two factors, simple effects of those whose interaction is shown; or an ablation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.factors import words
from podium.asking.factors.designs import (
    ABLATION,
    COMPLETE,
    NESTED,
    Design,
    Nested,
    Term,
    coded,
    design_of,
)
from podium.asking.factors.levels import Factors
from podium.asking.factors.words import not_told
from podium.core.base.errors import InferenceError
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.comparing.legality import TESTS, is_legal
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.inference.procedures.procedure import Options, Procedure
from podium.core.questions.targets import BLOCKS
from podium.core.words.facts import CAUTION, REMARK, Note
from podium.core.words.saying import Presented

# -- shares of the variance between combinations --------------------------------------------------
# How much each factor and each pair accounts for.
#
# Sums of squares of estimated means are too large by the trace of their covariance, which is
# taken off; otherwise noise is called importance. Shares describe and decide nothing: they are
# told where the whole is at least two of its jackknife standard errors above 0, with limits from
# 20 blocks on.


LIMITS_FROM = 20  # blocks
CLEAR = 2.0  # standard errors that the whole is above 0


@dataclass(frozen=True, eq=False)
class Shares:
    """One row of `table` per factor, pair of factors, and what is left."""

    table: pd.DataFrame


def shares_of(design: Design, layout: Layout) -> Shares | None:
    """Of all combinations; None where too little varies, or blocks are not the same for all."""
    values = layout.values
    if BLOCKS[layout.block].unpaired or layout.items.clusters is not None:
        return None
    if len(values) < LEAST_BLOCKS or np.isnan(values).any():
        return None
    terms = _terms(len(design.factors.names))
    bases = _bases(design, terms)
    parts = squares(values, bases)
    n = len(values)
    left_out = np.array([squares(np.delete(values, b, axis=0), bases) for b in range(n)])
    total = parts.sum()
    spread = _jackknife_error(left_out.sum(axis=1))
    if total <= CLEAR * spread or total <= 0:
        return None
    error = _jackknife_error(left_out / left_out.sum(axis=1, keepdims=True))
    share = parts / total
    reach = tails.t_isf(0.025, n - 1) * error if n >= LIMITS_FROM else np.full(len(share), np.nan)
    names = [" x ".join(design.factors.names[f] for f in term) for term in terms]
    names += ["three factors and more"] * (len(share) > len(terms))
    return Shares(
        pd.DataFrame(
            {
                "term": names,
                "share": share,
                "lower": np.maximum(share - reach, 0.0),
                "upper": np.minimum(share + reach, 1.0),
            }
        )
    )


def _terms(factors: int) -> list[Term]:
    return [term for size in (1, 2) for term in combinations(range(factors), size)]


def _bases(design: Design, terms: Sequence[Term]) -> list[np.ndarray]:
    """Orthonormal columns of every term; all combinations were run, so terms are orthogonal."""
    factors = design.factors
    results = [np.linalg.qr(coded(factors.cells, term, factors.counts))[0] for term in terms]
    k = len(factors.cells)
    rest = np.eye(k) - 1 / k - sum(q @ q.T for q in results)
    left = k - 1 - sum(q.shape[1] for q in results)
    if left:
        vectors = np.linalg.eigh(rest)[1]
        results.append(vectors[:, -left:])
    return results


def squares(values: np.ndarray, bases: Sequence[np.ndarray]) -> np.ndarray:
    """Sums of squares of true means along each term: m'Pm less the trace of PV."""
    n = len(values)
    results = []
    for q in bases:
        along = values @ q
        m = along.mean(axis=0)
        results.append((m**2).sum() - along.var(axis=0, ddof=1).sum() / n)
    return np.array(results)


def _jackknife_error(left_out: np.ndarray) -> np.ndarray:
    n = len(left_out)
    return np.asarray(np.sqrt((n - 1) / n * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)))


# -- effects of factors ---------------------------------------------------------------------------
# Contrasts of the algorithms, each judged by its own variance over blocks.
#
# A mixed model with one effect of blocks takes a factor's effect to be the same in all of them,
# and finds effects that are none where it is not (lab: factors-slopes).


MAIN, PAIRS, SIMPLE, ABLATED, SPLIT, INSIDE = (
    "main", "interaction", "simple", "ablation", "split", "nested",
)  # fmt: skip
# tests of means that judge any contrast, the first that is valid for a design counts
JUDGES = ("paired-t", "corrected-t", "games-howell", "crossed-t", "conditions-t", "seeds-t",
          "cv-clt", "survey-fixed")  # fmt: skip
LEAST_BLOCKS = 5
SINGLE_STEP_FROM = 20  # blocks
BLOCKS_PER_CONTRAST = 4
MOST_CONTRASTS = 2000  # of one family


@dataclass(frozen=True, eq=False)
class Effect:
    """A contrast with its name: of which factors, of one level less another, and where."""

    family: str
    factors: tuple[int, ...]
    low: tuple[int, ...]  # levels
    high: tuple[int, ...]
    at: tuple[int, int] | None  # of a simple effect: the other factor and its level
    weights: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class Effects(Presented):
    """What the factors do: one row of `table` per effect, in the measure's unit and sign.

    `estimate` is of the level `high` less `low`, averaged over the other factors with equal
    weights; of an interaction it is a difference of such differences; of an ablation what the base
    has more than the one that lacks a part. Limits and `p_adjusted` hold for all effects of a
    `family` at once.
    """

    table: pd.DataFrame
    means: pd.DataFrame  # of every level, and of every two levels of two factors
    shares: Shares | None  # of the variance between combinations, which describe
    families: Mapping[str, Comparisons]
    design: Design
    notes: Sequence[Note] = ()

    @property
    def factors(self) -> Factors:
        """Which level of each factor every algorithm has."""
        return self.design.factors

    @property
    def has_two_levels(self) -> bool:
        """Whether every factor has two levels, so that an interaction is one contrast."""
        return {*self.factors.counts} == {2}

    @cached_property
    def first(self) -> Comparisons:
        """The comparisons of the first family, which know what the scores are about."""
        return next(iter(self.families.values()))

    def of(self, family: str, *factors: int) -> pd.DataFrame:
        """The rows of a family, of some factors alone where these are said."""
        rows = self.table[self.table["family"] == family]
        names = tuple(self.factors.names[f] for f in factors)
        return rows[rows["factors"].map(lambda each: each == names).astype(bool)] if names else rows

    def _lines_above(self) -> list[str]:
        return [line for line in (words.headline(self), words.sentence(self)) if line]

    def _tables(self) -> dict[str, pd.DataFrame]:
        texts = ["family", "name", "estimate", "lower", "upper", "p", "p_adjusted", "verdict"]
        tables = {"Effects": self.table[texts], "Means": self.means}
        return tables | ({} if self.shares is None else {"Shares": self.shares.table})

    def _facts(self) -> dict[str, Any]:
        names = self.factors.names
        adjusted = {name: each.judged.adjust.name for name, each in self.families.items()
                    if each.judged is not None}  # fmt: skip
        return {
            "headline": words.headline(self),
            "sentence": words.sentence(self),
            "factors": [self._row(row) for row in self.table.to_dict("records")],
            "factorial": {
                "levels": dict(zip(names, map(list, self.factors.levels), strict=True)),
                "design": self.design.kind,
                "procedure": self.first.procedure,
                "adjustment": adjusted,
                "means": self.means,
                "shares": None if self.shares is None else self.shares.table,
                "not_told": list(not_told(self.design)),
                "warnings": list(self.notes),
            },
        }

    def _row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return dict(row) | {"factors": list(row["factors"])}


# -- judging --------------------------------------------------------------------------------------


def effects_of(layout: Layout, factors: Factors, options: Options) -> Effects:
    """All effects that the combinations tell, judged."""
    if layout.stopped.plan is not None:
        raise InferenceError(
            "This study stops by a plan for comparisons of algorithms, which effects of factors "
            "are not: run it without the plan, or analyze it without --factors."
        )
    design = design_of(factors.only(layout.algorithms))
    _check_blocks(layout)
    judge = _judge(layout)
    families: dict[str, Comparisons] = {}
    every: list[Effect] = []
    for effects in _families(design):
        every += effects
        families[effects[0].family] = _judged(layout, design, judge, effects, options)
    if PAIRS in families and (simple := _simple(design, families[PAIRS], every)):
        every += simple
        families[SIMPLE] = _judged(layout, design, judge, simple, options)
    used = _used(layout, options)
    return Effects(
        table=_table(design, every, families),
        means=_means(design, used),
        shares=shares_of(design, used) if design.kind == COMPLETE else None,
        families=families,
        design=design,
        notes=tuple(_notes(design, families)),
    )


def _used(layout: Layout, options: Options) -> Layout:
    own = BLOCKS[layout.block].unpaired
    return layout if own else layout.filled() if options.gaps == "worst" else layout.complete()


def _check_blocks(layout: Layout) -> None:
    kind = BLOCKS[layout.block]
    if kind.unpaired:
        return
    clusters = layout.items.clusters
    count = len(layout.values) if clusters is None else len(np.unique(clusters))
    if count < LEAST_BLOCKS:
        noun = kind.noun if clusters is None else "clusters"
        raise InferenceError(
            f"{count} {noun} are too few to judge effects of factors: {LEAST_BLOCKS} are the "
            "least. Add more, or compare the combinations without --factors."
        )


def _judge(layout: Layout) -> Procedure:
    """The test of means that is valid for the design and judges any contrast."""
    for name in JUDGES:
        if is_legal(TESTS[name], layout):
            # contrasts stand on the blocks that have all their algorithms
            return replace(TESTS[name], needs=replace(TESTS[name].needs, gaps=True))
    raise InferenceError(
        f"No test of factors is valid for {BLOCKS[layout.block].text} and the target "
        f"'{layout.target}'. Choose another --target (target=), or compare the combinations "
        "without --factors."
    )


def _judged(
    layout: Layout, design: Design, judge: Procedure, effects: Sequence[Effect], options: Options
) -> Comparisons:
    names = [words.effect_name(design.factors, e) for e in effects]
    rows = np.array([e.weights for e in effects])
    if len(rows) > MOST_CONTRASTS:
        raise InferenceError(
            f"{len(rows):,} contrasts of one kind are too many to be judged together (at most "
            f"{MOST_CONTRASTS:,}). Name fewer factors, or group their levels."
        )
    blocks = float(np.min(judge.estimate(layout).df_of(rows))) + 1
    adjust = "single-step" if is_joint(rows, blocks) else "bonferroni"
    contrasts = dict(zip(names, rows.tolist(), strict=True))
    return compare(layout, options.but(procedure=judge, contrasts=contrasts, adjust=adjust))


def is_joint(contrasts: np.ndarray, blocks: float) -> bool:
    """Whether blocks suffice for a joint t of as many contrasts as are free of each other.

    Correlations are estimated too: with 11 free contrasts it errs in 7.1 % at 20 blocks, in 6.1 %
    at 30 and in 5.3 % at 50 (normal scores; lab: factors/4x3x2, interactions).
    """
    rank = int(np.linalg.matrix_rank(contrasts))
    return rank > 1 and blocks >= max(SINGLE_STEP_FROM, BLOCKS_PER_CONTRAST * rank)


# -- the families ---------------------------------------------------------------------------------


def _families(design: Design) -> Iterator[list[Effect]]:
    if design.kind == ABLATION:
        yield list(_ablated(design))
        return
    yield list(_main(design))
    if isinstance(design, Nested):
        yield list(_inside(design))
    if pairs := list(_interactions(design)):
        yield pairs
    if design.split is not None:
        parts = range(len(design.factors.names))
        yield [Effect(SPLIT, (f,), (0,), (1,), None, design.split[f]) for f in parts]


def _main(design: Design) -> Iterator[Effect]:
    for f, count in enumerate(design.factors.counts):
        if f in design.factors.within:
            continue
        for low, high in combinations(range(count), 2):
            row = design.difference(f, low, high)
            yield Effect(MAIN, (f,), (low,), (high,), None, row)


def _inside(design: Nested) -> Iterator[Effect]:
    """Of a factor that belongs to another one: differences within each level of that one."""
    for f, outer in design.factors.within.items():
        for level in range(design.factors.counts[outer]):
            for low, high in combinations(design.own_levels(f, level), 2):
                row = design.difference(f, low, high, {outer: level})
                yield Effect(INSIDE, (f,), (low,), (high,), (outer, level), row)


def _interactions(design: Design) -> Iterator[Effect]:
    counts = design.factors.counts
    for f, g in design.clear:
        for of_f in combinations(range(counts[f]), 2):
            for of_g in combinations(range(counts[g]), 2):
                row = design.interaction(f, g, of_f, of_g)
                yield Effect(PAIRS, (f, g), (of_f[0], of_g[0]), (of_f[1], of_g[1]), None, row)


def _simple(design: Design, pairs: Comparisons, every: Sequence[Effect]) -> list[Effect]:
    """Of the factors whose interaction is shown: differences at each level of the other one.

    Where some combinations were not run, only those that the others tell.
    """
    messages = [e for e in every if e.family == PAIRS]
    shown = (pairs.table["p_adjusted"] <= pairs.alpha).tolist()
    terms = dict.fromkeys(
        e.factors for e, is_shown in zip(messages, shown, strict=True) if is_shown
    )
    results = []
    for f, g in [order for term in terms for order in (term, term[::-1])]:
        for low, high in combinations(range(design.factors.counts[f]), 2):
            for level in range(design.factors.counts[g]):
                if not design.tells({f: high, g: level}, {f: low, g: level}):
                    continue
                row = design.difference(f, low, high, {g: level})
                results.append(Effect(SIMPLE, (f,), (low,), (high,), (g, level), row))
    return results


def _ablated(design: Design) -> Iterator[Effect]:
    """The base less every other that differs from it in one factor."""
    cells, base = design.factors.cells, design.base
    assert base is not None
    for at, cell in enumerate(cells):
        (changed,) = np.nonzero(cell != cells[base])
        if len(changed) == 1:
            f = int(changed[0])
            row = np.zeros(len(cells))
            row[base], row[at] = 1.0, -1.0
            yield Effect(ABLATED, (f,), (int(cell[f]),), (int(cells[base, f]),), None, row)


# -- tables ---------------------------------------------------------------------------------------


def _table(
    design: Design, every: Sequence[Effect], families: Mapping[str, Comparisons]
) -> pd.DataFrame:
    factors = design.factors
    rows = []
    first = next(iter(families.values()))
    rounding = 1e-13 * max(map(abs, first.means.values()))
    for family, compared in families.items():
        own = [e for e in every if e.family == family]
        for e, row in zip(own, compared.table.to_dict("records"), strict=True):
            rows.append(
                {
                    "name": row["first"],
                    "family": family,
                    "factors": tuple(factors.names[f] for f in e.factors),
                    "low": words.levels_text(factors, e.factors, e.low),
                    "high": words.levels_text(factors, e.factors, e.high),
                    "at": words.at_text(factors, e.at),
                    **{k: row[k] for k in NUMBERS},
                    "estimate": row["estimate"] if abs(row["estimate"]) > rounding else 0.0,
                }
            )
    return pd.DataFrame(rows)


NUMBERS = ("estimate", "lower", "upper", "statistic", "p", "p_adjusted", "verdict")


def _means(design: Design, used: Layout) -> pd.DataFrame:
    """Means at every level and, where they are told, at every two levels of two factors."""
    factors = design.factors
    means = np.nanmean(used.values, axis=0) * used.sign
    rows = []
    if design.kind == ABLATION:
        return pd.DataFrame({"algorithm": factors.algorithms, "mean": means})
    for f, name in enumerate(factors.names):
        if f in factors.within:
            continue
        for at, level in enumerate(factors.levels[f]):
            rows.append((name, level, "", "", float(design.mean({f: at}) @ means)))
    if isinstance(design, Nested):
        for f, g in factors.within.items():
            for over, other in enumerate(factors.levels[g]):
                for at in design.own_levels(f, over):
                    mean = float(design.mean({f: at, g: over}) @ means)
                    rows.append((factors.names[f], factors.levels[f][at], factors.names[g], other,
                                 mean))  # fmt: skip
    for f, g in design.clear:
        every = product(range(factors.counts[f]), range(factors.counts[g]))
        if not all(design.tells({f: at, g: over}) for at, over in every):
            continue
        for at, level in enumerate(factors.levels[f]):
            for over, other in enumerate(factors.levels[g]):
                mean = float(design.mean({f: at, g: over}) @ means)
                rows.append((factors.names[f], level, factors.names[g], other, mean))
    return pd.DataFrame(rows, columns=["factor", "level", "by", "by_level", "mean"])


def _notes(design: Design, families: Mapping[str, Comparisons]) -> Iterator[Note]:
    """What must be known of the scores, and of what the combinations do not tell."""
    seen: dict[str, Note] = {}
    for compared in families.values():
        for note in compared.warnings:
            seen.setdefault(note.code, note)
    yield from seen.values()
    names = design.factors.names

    def named(term: Sequence[int]) -> str:
        return words.term_text([names[f] for f in term])

    if design.mixed_main:
        mixed = tuple(
            (names[f], tuple(map(named, terms))) for f, terms in design.mixed_main.items()
        )
        folded = {*design.factors.counts} == {2}
        missing = () if folded else tuple(design.not_run())
        yield Note("effects-take-no-interaction", CAUTION, mixed=mixed, missing=missing)
    elif design.kind not in (COMPLETE, ABLATION, NESTED):
        yield Note("effects-of-some-combinations", REMARK, run=len(design.factors.cells),
                   of=int(np.prod(design.factors.counts)))  # fmt: skip
    if design.mixed_pairs:
        mixed = tuple(
            (named(p), tuple(map(named, terms))) for p, terms in design.mixed_pairs.items()
        )
        yield Note("interactions-not-told", REMARK, mixed=mixed)
    if design.kind == ABLATION:
        unused = len(design.factors.cells) - 1 - len(families[ABLATED].table)
        yield Note("ablation", REMARK, unused=unused)
