"""Covariates of choices between two: what beside strengths may decide who is chosen.

Who is shown first; a number or a kind that differs between the two sides (`length_a`, `length_b`);
a group that a choice belongs to (its judge, its turn), in which position may count for more and
ties be more frequent than in others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.base.formatting import natural
from podium.core.base.registry import unknown
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers.preferences import Design
from podium.core.inference.procedures.procedure import Procedure
from podium.core.words.facts import CAUTION, REMARK, Note

POSITION, NONE = "position", "none"
TIES, STRENGTH, STRENGTHS = "ties", "strength", "strengths"  # what a term is about, and position
FIXED = "fixed-levels"  # the note of a group that would be the blocks
BLOCKS = "choice-blocks"  # the note that it replaces
MOST_LEVELS = 20  # of a group or a kind
LEAST_CHOICES, LEAST_BLOCKS = 10, 5  # of every level
RELATIVE, PLAIN = "(a - b) / (a + b)", "a - b"


class Term(NamedTuple):
    """One effect: of which covariate, called what, about what, and its unit where it has one."""

    covariate: str
    term: str
    about: str
    unit: str = ""
    sd: float = float("nan")  # of what was standardised


@dataclass(frozen=True, eq=False)
class Columns:
    """What one covariate adds to log-odds and to tie effects, and how its terms are made of that.

    `odds_terms` and `tie_terms` are weights of the covariate's own columns; `constant` says that
    the effect of position belongs to a term as well.
    """

    odds: np.ndarray  # choices x columns
    ties: np.ndarray
    terms: tuple[Term, ...]
    weights: np.ndarray  # terms x (columns of odds, then of ties)
    constant: np.ndarray  # of every term, whether position is part of it
    code: np.ndarray | None  # of every choice, where few kinds of them differ
    level: np.ndarray | None = None  # of every choice, of a group
    levels: tuple[str, ...] = ()


def read_names(given: str | Sequence[str] | None) -> tuple[str, ...] | None:
    """Names of covariates, also from a text with commas between."""
    if given is None:
        return None
    names = given.split(",") if isinstance(given, str) else list(given)
    covariates = tuple(dict.fromkeys(str(name).strip() for name in names if str(name).strip()))
    if not covariates or {NONE, POSITION} <= {*covariates}:
        raise InferenceError(
            f"Covariates are names such as judge,length, or none, which leaves position out, not "
            f"'{given}'."
        )
    return covariates


def adjusted_for(layout: Layout, procedure: Procedure, names: Sequence[str] | None) -> Layout:
    """The layout with the covariates that strengths are to be free of."""
    if names is None:
        return layout
    if not procedure.needs.covariates or layout.choices.shown_first is None:
        raise InferenceError(
            f"'{procedure.name}' takes no covariates: they are for battles (a table "
            "with model_a, model_b and winner). Leave --covariates (covariates=) out."
        )
    known = [POSITION, *layout.choices.covariates]
    for name in names:
        if name not in known and name != NONE:
            raise InferenceError(unknown("covariate of these choices", name, [*known, NONE]))
    made = replace(layout, choices=replace(layout.choices, adjusted_for=tuple(names)))
    made = _of_these_levels(made, names)
    fixed = next((name for name in names if _are_blocks(made, name)), "")
    if not fixed:
        return made
    note = Note(FIXED, CAUTION, covariate=fixed)
    return replace(made, notes=(*made.notes, note), items=replace(made.items, clusters=None))


def _of_these_levels(layout: Layout, names: Sequence[str]) -> Layout:
    """Judges (or prompts) that have effects of their own are just these: the others are blocks."""
    factors = layout.crossed.factors
    fixed = [name for name in factors if name in names]
    if not fixed or layout.items.clusters is None:
        return layout
    rest = {name: labels for name, labels in factors.items() if name not in fixed}
    levels = tuple(sorted(set(map(str, factors[fixed[-1]])), key=natural))
    judges = levels if fixed[-1] == [*factors][-1] else ()
    return replace(
        layout,
        notes=(*layout.notes, *(Note(BLOCKS, REMARK, block=name, other="") for name in rest)),
        items=replace(layout.items, clusters=next(iter(rest.values()), factors[fixed[-1]])),
        crossed=replace(layout.crossed, factors={}),
        choices=replace(layout.choices, judges=judges),
    )


def still_true(remarks: Iterable[Note], layout: Layout) -> tuple[Note, ...]:
    """What was said of the scores, less that of blocks which are none any more."""
    others = any(note.code in (FIXED, BLOCKS) for note in layout.notes)
    return tuple(note for note in remarks if not (others and note.code == BLOCKS))


def _are_blocks(layout: Layout, name: str) -> bool:
    """Whether the levels of a group are just the blocks, which cannot be both."""
    if layout.items.clusters is None or name not in layout.choices.covariates:
        return False
    values = layout.choices.covariates[name]
    if values.ndim != 1:
        return False
    codes = [
        pd.factorize(np.asarray(each).astype(str))[0] for each in (values, layout.items.clusters)
    ]
    return bool((codes[0] == codes[1]).all())


# -- columns ---------------------------------------------------------------------------------------


def columns_of(layout: Layout, name: str, outcome: np.ndarray) -> Columns:
    """The columns of one covariate."""
    if name == POSITION:
        return position(len(outcome))
    values = np.asarray(layout.choices.covariates[name])
    _check_known(name, values)
    if values.ndim == 1:
        return _group(name, values, outcome, layout.items.clusters)
    if np.issubdtype(values.dtype, np.number):
        return _number(name, values.astype(float))
    return _kinds(name, values)


def position(n: int) -> Columns:
    """What it counts for to be shown first."""
    term = (Term(POSITION, "shown first", POSITION),)
    none = np.zeros((n, 0))
    return Columns(
        np.ones((n, 1)), none, term, np.ones((1, 1)), np.zeros(1, bool), np.zeros(n, np.int64)
    )


def _check_known(name: str, values: np.ndarray) -> None:
    gone = pd.isna(values) if values.ndim == 1 else pd.isna(values).any(axis=1)
    if gone.any():
        raise InferenceError(
            f"The covariate '{name}' is missing in {int(gone.sum())} of {len(values)} battles, "
            f"such as number {int(np.argmax(gone)) + 1}: fill it in, or leave these battles out."
        )


def _number(name: str, sides: np.ndarray) -> Columns:
    """First less second, as a share of both where no number is negative, in units of its sd."""
    first, second = sides.T
    if not np.isfinite(sides).all():
        raise InferenceError(f"The covariate '{name}' has an infinite value: leave that row out.")
    shares = bool((sides >= 0).all())
    total = first + second
    x = np.divide(first - second, total, out=np.zeros(len(first)), where=total > 0) if shares else (
        first - second
    )  # fmt: skip
    # about 0, not the mean: two alike must have none of the effect
    sd = float(np.sqrt((x**2).mean()))
    if not sd > 0:
        raise InferenceError(
            f"The covariate '{name}' is the same on both sides of every battle: leave it out."
        )
    term = Term(name, name, STRENGTH, RELATIVE if shares else PLAIN, sd)
    none = np.zeros((len(x), 0))
    return Columns((x / sd)[:, None], none, (term,), np.ones((1, 1)), np.zeros(1, bool), None)


def _kinds(name: str, sides: np.ndarray) -> Columns:
    """Kinds of answers as indicators, first less second; the most frequent one is left out."""
    texts = sides.astype(str)
    counts = pd.Series(texts.ravel()).value_counts()
    _check_levels(name, len(counts))
    others = sorted(counts.index[1:])
    if not others:
        raise InferenceError(
            f"The covariate '{name}' is the same on both sides of every battle: leave it out."
        )
    x = np.column_stack([(texts[:, 0] == v).astype(float) - (texts[:, 1] == v) for v in others])
    terms = tuple(Term(name, v, STRENGTH, f"against '{counts.index[0]}'") for v in others)
    both = pd.factorize(pd.Series(texts[:, 0]) + "\0" + texts[:, 1])[0]
    none = np.zeros((len(x), 0))
    return Columns(x, none, terms, np.eye(len(others)), np.zeros(len(others), bool), both)


def _group(
    name: str, values: np.ndarray, outcome: np.ndarray, blocks: np.ndarray | None
) -> Columns:
    """What position counts for in every level, and how frequent ties are there."""
    level, result = pd.factorize(values.astype(str), sort=True)
    _check_levels(name, len(result))
    names = tuple(map(str, result))
    _check_sizes(name, names, level, blocks)
    coded = np.vstack([np.eye(len(names) - 1), -np.ones(len(names) - 1)])  # sums to 0 over levels
    odds = coded[level]
    tied = np.bincount(level, outcome == 0, minlength=len(names))
    tells = bool(((tied > 0) & (tied < np.bincount(level))).all())
    ties = odds if tells else odds[:, :0]
    terms = [Term(name, v, POSITION) for v in names] + [Term(name, v, TIES) for v in names] * tells
    weights = np.zeros((len(terms), odds.shape[1] + ties.shape[1]))
    weights[: len(names), : odds.shape[1]] = coded
    if tells:
        weights[len(names) :, odds.shape[1] :] = coded
    constant = np.arange(len(terms)) < len(names)
    return Columns(odds, ties, tuple(terms), weights, constant, level, level, names)


def _check_levels(name: str, count: int) -> None:
    if count < 2:
        raise InferenceError(f"The covariate '{name}' is the same in all battles: leave it out.")
    if count > MOST_LEVELS:
        raise InferenceError(
            f"The covariate '{name}' has {count} levels, of which each would have effects of its "
            f"own: more than {MOST_LEVELS} are no covariate. As clusters of battles they count "
            f"with --columns cluster={name}."
        )


def _check_sizes(
    name: str, names: Sequence[str], level: np.ndarray, blocks: np.ndarray | None
) -> None:
    """Every level needs choices, and blocks that its effects vary between."""
    sizes = np.bincount(level)
    if sizes.min() < LEAST_CHOICES:
        few = names[int(sizes.argmin())]
        raise InferenceError(
            f"'{few}' of the covariate '{name}' has {sizes.min()} battles, too few for an effect "
            f"of its own: leave them out, join levels until each has {LEAST_CHOICES}, or leave "
            f"'{name}' out."
        )
    if blocks is None:
        return
    pairs = pd.DataFrame({"level": level, "block": blocks}).drop_duplicates()
    counts = np.bincount(pairs["level"], minlength=len(names))
    if counts.min() < LEAST_BLOCKS:
        few = names[int(counts.argmin())]
        raise InferenceError(
            f"'{few}' of the covariate '{name}' is in {counts.min()} clusters of battles, and an "
            f"effect needs at least {LEAST_BLOCKS}: "
            f"name other clusters (--columns cluster=question, or so), or leave '{name}' out."
        )


# -- the design ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Plan:
    """Kinds of choices with what they are made of, and what each parameter and term means."""

    design: Design
    kind: np.ndarray
    terms: tuple[Term, ...]
    rows: np.ndarray  # terms x parameters
    owner: tuple[str, ...]  # of every parameter: '' of strengths and ties in general


def planned(
    first: np.ndarray, second: np.ndarray, k: int, covariates: Mapping[str, Columns], *, ties: bool
) -> Plan:
    """The design of choices between two of k, each kind once where kinds are few."""
    from scipy import sparse  # only where there are choices

    kind, shown = _kinds_of(first, second, k, covariates)
    n = len(shown)
    sides = np.concatenate([np.ones(n), -np.ones(n)])
    places = np.concatenate([first[shown], second[shown]])
    strengths = sparse.csr_matrix((sides, (np.tile(np.arange(n), 2), places)), shape=(n, k))
    odds = [c.odds[shown] for c in covariates.values()]
    levels = [c.ties[shown] * ties for c in covariates.values()]
    tied = [np.ones((n, 1))] * ties + [each for each in levels if ties]
    widths = [sum(each.shape[1] for each in part) for part in (odds, tied)]
    nothing = sparse.csr_matrix((n, widths[1]))
    of_odds = sparse.hstack([strengths, *map(sparse.csr_matrix, odds), nothing]).tocsr()
    before = sparse.csr_matrix((n, k + widths[0]))
    of_ties = sparse.hstack([before, *map(sparse.csr_matrix, tied)]).tocsr() if ties else None
    loose = np.zeros((1, k + sum(widths)))
    loose[0, :k] = 1 / np.sqrt(k)
    terms, rows, owner = _terms(covariates, k, widths, ties)
    return Plan(Design(of_odds, of_ties, loose), kind, terms, rows, owner)


def _kinds_of(
    first: np.ndarray, second: np.ndarray, k: int, covariates: Mapping[str, Columns]
) -> tuple[np.ndarray, np.ndarray]:
    """The number of every choice's kind, and a choice of each kind."""
    key, size = first.astype(np.int64) * k + second, k * k
    for each in covariates.values():
        if each.code is None:
            return np.arange(len(first)), np.arange(len(first))
        count = int(each.code.max()) + 1
        key, size = key * count + each.code, size * count
    if size > 4 * len(first) + 10_000:
        kind, result = pd.factorize(key)
        shown = np.zeros(len(result), np.int64)
    else:  # no sorting of many choices
        there = np.flatnonzero(np.bincount(key, minlength=size))
        number = np.zeros(size, np.int64)
        number[there] = np.arange(len(there))
        kind, shown = number[key], np.zeros(len(there), np.int64)
    shown[kind] = np.arange(len(kind))
    return kind, shown


def _terms(
    covariates: Mapping[str, Columns], k: int, widths: Sequence[int], ties: bool
) -> tuple[tuple[Term, ...], np.ndarray, tuple[str, ...]]:
    """All terms as rows of weights of the parameters, and whose these are."""
    owner = [""] * k
    for name, each in covariates.items():
        owner += [name] * each.odds.shape[1]
    owner += [""] * ties
    at = {name: owner.index(name) for name in covariates}
    place = len(owner)  # where ties by level begin
    terms: list[Term] = []
    rows = []
    for name, each in covariates.items():
        wide, more = each.odds.shape[1], each.ties.shape[1] * ties
        for term, weights, constant in zip(each.terms, each.weights, each.constant, strict=True):
            if term.about == TIES and not ties:
                continue
            row = np.zeros(k + sum(widths))
            row[at[name] : at[name] + wide] = weights[:wide]
            row[place : place + more] = weights[wide:] if more else 0.0
            if constant and POSITION in at:
                row[at[POSITION]] = 1.0
            terms.append(term)
            rows.append(row)
        owner += [name] * more
        place += more
    return tuple(terms), np.array(rows).reshape(len(terms), place), tuple(owner)


def check_varies(name: str, columns: Columns, pair: np.ndarray) -> None:
    """Refuse what is the same whenever two meet: a property of theirs is part of their strength."""
    if columns.terms[0].about != STRENGTH:
        return
    by_pair = pd.DataFrame(columns.odds).groupby(pair)
    if float((by_pair.max() - by_pair.min()).to_numpy().max()) <= 1e-9:
        raise InferenceError(
            f"The covariate '{name}' is the same whenever two algorithms meet, so it cannot be "
            "separated from their strengths: leave it out."
        )


def check_told_apart(plan: Plan, k: int) -> None:
    """Refuse a covariate that follows from who the two are, or from the others."""
    odds = plan.design.odds
    squares = np.asarray((odds.T @ odds).todense()) + plan.design.loose.T @ plan.design.loose
    for place in range(k, odds.shape[1]):
        name, own = plan.owner[place], squares[place, place]
        if not name or own == 0:
            continue
        before = squares[:place, :place]
        left = own - squares[place, :place] @ np.linalg.lstsq(before, squares[:place, place],
                                                              rcond=1e-10)[0]  # fmt: skip
        if left <= 1e-8 * own:
            raise InferenceError(
                f"The covariate '{name}' follows from who the two are, or from other covariates, "
                "so its effect cannot be separated from theirs: leave it out."
            )


# -- what covariates of choices came to -----------------------------------------------------------
# Their effects, joint tests, and what they change.


@dataclass(frozen=True, eq=False)
class Effects:
    """Effects of covariates on choices between two, errors by blocks.

    Attributes
    ----------
    terms : one row per effect. About `position` it is what being shown first adds to the log-odds
        of being chosen (of a judge: there); about `strength` what a standard deviation of the
        difference adds (of kinds: to be of this kind); about `ties` how much more often than on
        average a level ties, as a logarithm. With interval, p, and p adjusted (Holm) over all rows.
    tests : one row per covariate and question: are all levels alike in `position`, `ties` and
        `strengths` (do judges rank the algorithms alike).
    strengths : every algorithm's log-strength, with and without adjusting.
    """

    names: tuple[str, ...]
    terms: pd.DataFrame
    tests: pd.DataFrame
    strengths: Mapping[str, float]
    unadjusted: Mapping[str, float]
    blocks: int
    asked: bool  # by the user, not by default

    @property
    def by_algorithm(self) -> list[dict[str, Any]]:
        """Every log-strength with and without adjusting."""
        return [
            {"algorithm": name, "adjusted": value, "unadjusted": self.unadjusted[name]}
            for name, value in self.strengths.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "names": list(self.names),
            "terms": self.terms,
            "tests": self.tests,
            "strengths": self.by_algorithm,
            "blocks": self.blocks,
        }
