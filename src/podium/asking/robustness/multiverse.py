"""The multiverse: the orders that other legal choices would have led to (eugster2008, section 5).

A universe is one choice of each element: measure, sampling, target and procedure. Universes that
the design does not allow, or that could not be computed, are kept with the reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.robustness.universes import (
    Refused,
    Universe,
    asked,
    comparisons_of,
    reason_of,
    universe,
    weight_of,
)
from podium.asking.robustness.words import multiverse_heading, talked_up_line
from podium.core.base.errors import InferenceError, PodiumError
from podium.core.base.formatting import printable
from podium.core.base.options import takes
from podium.core.base.registry import unknown
from podium.core.inference.bricks.nulls import RANDOM, parse_null
from podium.core.inference.comparing.arranging import suited
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.comparisons import TURNED, Comparisons
from podium.core.inference.procedures.procedure import Options
from podium.core.orders.consensus import Consensus, consensus
from podium.core.orders.distances import (
    SYMMETRIC_DIFFERENCE,
    Dendrogram,
    dendrogram,
    distances,
    unlike,
)
from podium.core.orders.order import Order
from podium.core.questions.options import binding
from podium.core.results.planned_and_done import as_registered, beside_plan, versions_of
from podium.core.results.results import Results
from podium.core.verdicts.verbs import tried
from podium.core.words.facts import DETAIL, Note
from podium.core.words.saying import Presented

# -- how far a result could have been talked up: the best of all choices against the planned one ---
# Who may choose among many legal analyses after the fact finds one that favours an algorithm; how
# many do, beside what the planned one says, is how far the reader must trust the plan.


PairVerdicts = Mapping[tuple[str, str], tuple[str, float]]  # of a pair the verdict and the p-value
COLUMNS = ["first", "second", "planned", "planned_p", "best", "best_p", "better", "universes", "by"]
OURS, BETTER, UNDECIDED = "ours", "better", "undecided"


def verdicts_of(comparisons: Comparisons) -> PairVerdicts:
    """What comparisons say of every pair, seen from both sides."""
    p = comparisons.table.get("p_adjusted", np.nan)
    seen: dict[tuple[str, str], tuple[str, float]] = {}
    for first, second, verdict, own in comparisons.table.assign(own=p)[
        ["first", "second", "verdict", "own"]
    ].itertuples(index=False):
        seen[first, second] = verdict, float(own)
        seen[second, first] = TURNED.get(verdict, verdict), float(own)
    return seen


def planned(results: Results, options: Options) -> Comparisons | None:
    """What was planned or, without a plan, what is done by default; None where it is refused."""
    try:
        if versions := versions_of(results):
            plan = binding(versions).plan
            text = plan.options()
            kept = {k: text.get(k) for k in ("measure", "target")}
            request = Options.said(**{k: v for k, v in text.items() if k not in kept})
            made = suited(as_registered(results), plan.procedure, gaps=text.get("gaps"),
                          scale=None, dataset=None, **kept)  # fmt: skip
            return compare(made, request)
        measure = next(iter(results.measures), None)
        made = suited(results, None, measure=measure, target=None, dataset=None, scale=None)
        return compare(made, options)
    except PodiumError:
        return None


def talked_up(
    results: Results,
    first: Comparisons | None,
    universes: Sequence[PairVerdicts],
    labels: Sequence[str],
) -> pd.DataFrame:
    """Of every algorithm (of ours, where roles are said) against every other one: the planned
    verdict, the most favourable one, how many universes call it better, and which does most.
    """
    roles = results.design.get("roles", {})
    ours = [name for name, role in roles.items() if role == OURS] or results.algorithms
    known = verdicts_of(first) if first is not None else {}
    rows = [
        _talked_up_row(pair, known, universes, labels)
        for pair in permutations(results.algorithms, 2)
        if pair[0] in ours
    ]
    table = pd.DataFrame(rows, columns=COLUMNS)
    gained = (table["best"] == BETTER) & (table["planned"] != BETTER)
    return table.assign(gained=gained).sort_values("gained", ascending=False, kind="stable",
                                                   ignore_index=True)  # fmt: skip


def _talked_up_row(
    pair: tuple[str, str],
    known: PairVerdicts,
    universes: Sequence[PairVerdicts],
    labels: Sequence[str],
) -> tuple[object, ...]:
    judged = [
        (one[pair], label) for one, label in zip(universes, labels, strict=True) if pair in one
    ]
    better = [(p, label) for (verdict, p), label in judged if verdict == BETTER]
    verdict, own = known.get(pair, ("", np.nan))
    p, label = min(better, key=lambda one: np.nan_to_num(one[0])) if better else (np.nan, "")
    best = BETTER if better else verdict if verdict else UNDECIDED
    return (*pair, verdict, own, best, p, len(better), len(judged), label)


ELEMENTS = ("dataset", "measure", "sampling", "target", "procedure")
VERDICTS = ("better", "worse", "equivalent", "undecided")
UNCOMPARED = "uncompared"  # two that are not the control
SHOWN = 15  # rows of a table, all pairs of six algorithms
NAMED = 3  # of the procedures that were refused together


@dataclass(frozen=True, eq=False, repr=False)
class Multiverse(Presented):
    """The orders of all universes, how far apart they are and what they say of each pair.

    Attributes
    ----------
    universes, refused : with an order, and without one.
    pairs : per pair of algorithms how many universes have which verdict about `first`.
    distances : between the orders of the universes, by the distance `kind`.
    talked_up : of every algorithm (of ours, where roles are said) against each other one what the
        planned analysis says (without a plan, the usual one) and what the most favourable of all
        legal choices says; `better` is how many of so many universes call it better.
    """

    universes: tuple[Universe, ...]
    refused: tuple[Refused, ...]
    pairs: pd.DataFrame
    distances: np.ndarray
    kind: str
    alpha: float
    relevance: float
    control: str | None
    seed: int
    notes: tuple[Note, ...] = field(default=())
    talked_up: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def table(self) -> pd.DataFrame:
        """One row per universe: its choice, blocks, null, adjustment, order and warnings."""
        return pd.DataFrame(_row(u) for u in self.universes)

    @property
    def refusals(self) -> pd.DataFrame:
        """One row per choice that was refused, with the reason."""
        rows = [{**asdict(r.choice), "reason": r.reason} for r in self.refused]
        return pd.DataFrame(rows, columns=[*ELEMENTS, "reason"])

    @cached_property
    def counts(self) -> dict[Order, int]:
        """The distinct orders, the most frequent first, and how many universes have them."""
        return dict(Counter(u.order for u in self.universes).most_common())

    @property
    def orders(self) -> pd.DataFrame:
        """The distinct orders as a table, with the pairs that they tell otherwise than the first.

        Different orders can have one text, as ≿ leaves pairs open.
        """
        total, first = len(self.universes), next(iter(self.counts))
        rows = (
            (order.text, count, count / total, unlike(first, order))
            for order, count in self.counts.items()
        )
        return pd.DataFrame(rows, columns=["order", "universes", "share", "unlike_first"])

    @property
    def labels(self) -> tuple[str, ...]:
        """The universes by the elements that differ between them."""
        return _labels(self.universes)

    @cached_property
    def dendrogram(self) -> Dendrogram:
        """The universes clustered by complete linkage; `.clusters(n)` cuts it."""
        return dendrogram(self.distances, self.labels)

    @property
    def choices(self) -> pd.DataFrame:
        """What replacing one element alone does: over pairs of universes that differ in just it."""
        codes = np.array([list(asdict(u.choice).values()) for u in self.universes], dtype=object)
        first, second = np.triu_indices(len(codes), 1)
        differs = codes[first] != codes[second]
        alone = differs.sum(axis=1) == 1
        apart = self.distances[first, second]
        rows = (_replaced(e, apart[alone & differs[:, i]]) for i, e in enumerate(ELEMENTS))
        return pd.DataFrame(row for row in rows if row["pairs"])

    def consensus(self, family: str = "weak", **options: Any) -> Consensus:
        """The orders nearest to those of all universes, each of which counts once."""
        return consensus(self.counts, list(self.counts.values()), family, **options)

    @property
    def heading(self) -> str:
        """One line: how many universes and orders."""
        return multiverse_heading(
            len(self.universes),
            len(self.counts),
            len(self.refused),
            alpha=self.alpha,
            relevance=self.relevance,
            control=self.control,
        )

    def _lines_above(self) -> list[str]:
        gained = int(self.talked_up["gained"].sum()) if len(self.talked_up) else 0
        return [self.heading, *([talked_up_line(gained)] if len(self.talked_up) else [])]

    def _facts(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name) for name in ("alpha", "relevance", "control", "seed")},
            "universes": self.table,
            "refused": self.refusals,
            "orders": self.orders,
            "pairs": self.pairs,
            "talked_up": self.talked_up,
            "choices": self.choices,
            "distance": self.kind,
            "distances": self.distances.tolist(),
            "clusters": self.dendrogram.arranged,
            "warnings": self.notes,
        }

    def _tables(self) -> dict[str, pd.DataFrame]:
        tables = {
            "Distinct orders": self.orders,
            "Verdicts about first, in numbers of analyses": self.pairs.map(_printable),
            "The most favourable test of each comparison against the planned one": _few(
                self.talked_up
            ),
            f"Distances ({self.kind}) where one element alone is replaced": self.choices,
            "Refused (multiverse.refusals has the reasons)": _grouped(self.refusals),
        }
        return {
            f"{title}{_more(table)}": table.head(SHOWN)
            for title, table in tables.items()
            if len(table)
        }


def _labels(universes: Sequence[Universe]) -> tuple[str, ...]:
    varying = [e for e in ELEMENTS if len({getattr(u.choice, e) for u in universes}) > 1]
    return tuple(
        ", ".join(getattr(u.choice, e) for e in varying or ELEMENTS[-1:]) for u in universes
    )


def _few(talked: pd.DataFrame) -> pd.DataFrame:
    """Only what could have been gained; all of it is in JSON."""
    return talked[talked["gained"]].drop(columns="gained") if len(talked) else talked


def _row(universe: Universe) -> dict[str, Any]:
    return {
        **asdict(universe.choice),
        "block": universe.block,
        "blocks": universe.blocks,
        "null": universe.null,
        "adjustment": universe.adjustment,
        "order": universe.order.text,
        "warnings": ", ".join(note.code for note in universe.warnings),
    }


def _replaced(element: str, apart: np.ndarray) -> dict[str, Any]:
    same = float((apart == 0).mean()) if len(apart) else np.nan
    mean, largest = (float(apart.mean()), float(apart.max())) if len(apart) else (np.nan, np.nan)
    return {"element": element, "pairs": len(apart), "same": same, "mean": mean, "largest": largest}


def _grouped(refusals: pd.DataFrame) -> pd.DataFrame:
    """The procedures that were refused, together for each of the other elements."""
    by = refusals.groupby(["measure", "sampling", "target"], sort=False)["procedure"]
    return by.agg(_some).reset_index()


def _some(names: pd.Series) -> str:
    """How many procedures, and the first of them."""
    several = [name for name in names if name]
    more = ", ..." if len(several) > NAMED else ""
    return f"{len(several)}: {', '.join(several[:NAMED])}{more}" if several else "all"


def _printable(cell: object) -> object:
    return printable(cell) if isinstance(cell, str) else cell


def _more(table: pd.DataFrame) -> str:
    return f" ({SHOWN} of {len(table)})" if len(table) > SHOWN else ""


# -- making it ------------------------------------------------------------------------------


@takes("alpha", "relevance", "control", "gaps", "seed", "progress")
def multiverse(
    results: Results | Iterable[Results],
    *,
    procedures: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
    kind: str = SYMMETRIC_DIFFERENCE,
    **options: Any,
) -> Multiverse:
    """The orders of the same algorithms under every legal choice of measure, target and procedure.

    Nulls are each procedure's own, except that drawn ones use `seed` and tests with very many
    permutations draw some of them at random; the table says which.

    Parameters
    ----------
    results : Results, or several
        Such as one per sampling; where one has several data sets, these are blocks.
    procedures : names
        Unless given all that are legal, need no argument, order by the scores themselves (not by
        their spread) and do not repeat the pairs of another one.
    measures, targets : names
        Unless given all measures of the results, and all targets that a procedure is legal for.
    kind : str
        The distance between orders.

    Returns
    -------
    Multiverse
        `.table` has one row per choice, with its order.

    Examples
    --------
    >>> import podium
    >>> scores = {"svm": [0.1, 0.2, 0.3, 0.2], "lda": [0.3, 0.5, 0.4, 0.4]}
    >>> results = podium.read(scores, sampling="bootstrap", measure="error")
    >>> every = podium.multiverse(results, procedures=["paired-t", "wilcoxon"])
    >>> len(every.universes)
    2
    """
    control, seed = options["control"], options["seed"]
    every = _checked(results, control)
    request = Options.of(None, options)
    choices = list(asked(every, procedures, measures, targets, control))
    universes, refused, verdicts, weights, seen = [], [], [], [], []
    again = tried(
        choices,
        lambda case: comparisons_of(case[0], case[1], request, seed),
        options["progress"],
        refusal=PodiumError,
    )
    for (choice, made), result in again:
        if isinstance(result, PodiumError):
            refused.append(Refused(choice, reason_of(result)))
            weights.append(weight_of(choice, made))
        else:
            universes.append(universe(choice, result))
            verdicts.append(_verdicts(result))
            seen.append(verdicts_of(result))
    if not universes:
        raise InferenceError(f"The multiverse is empty. {_why(refused, weights)}")
    return Multiverse(
        tuple(universes),
        tuple(refused),
        _pairs(universes[0].order.algorithms, verdicts),
        distances([u.order for u in universes], kind),
        kind,
        request.alpha,
        request.relevance,
        control,
        seed,
        (*_marks(every), *_notes(universes, seed)),
        talked_up(every[0], planned(every[0], request), seen, _labels(universes)),
    )


def _checked(results: Results | Iterable[Results], control: str | None) -> list[Results]:
    """Results of the same algorithms, the control among them."""
    several = results if isinstance(results, Iterable) else [results]
    every = [results] if isinstance(results, Results) else list(several)
    if not every or not all(isinstance(r, Results) for r in every):
        raise InferenceError("A multiverse needs results, or a list of them, as podium.read gives.")
    names = every[0].algorithms
    for r in every[1:]:
        other = set(names) ^ set(r.algorithms)
        if other:
            raise InferenceError(
                f"The results of a multiverse are of the same algorithms, but '{min(other)}' is "
                "not in all of them; keep those that are with results.filter(algorithm=names)."
            )
    if control is not None and control not in names:
        raise InferenceError(unknown("algorithm", control, names))
    return every


def _marks(every: Sequence[Results]) -> tuple[Note, ...]:
    """That the multiverse of a registered study was not planned."""
    return tuple(filter(None, map(beside_plan, every)))[:1]


# -- counting -------------------------------------------------------------------------------


def _verdicts(comparisons: Comparisons) -> dict[tuple[str, str], str]:
    """What each pair is said to be, seen from both sides."""
    verdicts = {}
    for first, second, verdict in comparisons.table[["first", "second", "verdict"]].to_numpy():
        verdicts[first, second] = verdict
        verdicts[second, first] = TURNED.get(verdict, verdict)
    return verdicts


def _pairs(algorithms: Sequence[str], verdicts: Sequence[dict[Any, str]]) -> pd.DataFrame:
    counts = {
        pair: Counter(universe.get(pair, UNCOMPARED) for universe in verdicts)
        for pair in combinations(algorithms, 2)
    }
    words = list(dict.fromkeys([*VERDICTS, *(v for count in counts.values() for v in count)]))
    rows = [(*pair, *(count[v] for v in words)) for pair, count in counts.items()]
    return pd.DataFrame(rows, columns=["first", "second", *words])


def _notes(universes: Sequence[Universe], seed: int) -> tuple[Note, ...]:
    nulls = tuple(Counter(u.null for u in universes).most_common())
    drawn = any(parse_null(null).name in RANDOM for null, _ in nulls)
    return (
        Note("descriptive", DETAIL),
        Note("nulls", DETAIL, nulls=nulls, seed=seed if drawn else None),
        *_about_universes(universes),
    )


def _about_universes(universes: Sequence[Universe]) -> Iterator[Note]:
    """The warnings of universes, once each, with how many have them."""
    by_code: dict[str, list[Note]] = {}
    for u in universes:
        for note in u.warnings:
            by_code.setdefault(note.code, []).append(note)
    for code, notes in by_code.items():
        yield Note(
            code,
            notes[0].severity,
            note=notes[0],
            universes=len(notes),
            of=len(universes),
            unlike=any(note != notes[0] for note in notes),
        )


def _why(refused: Sequence[Refused], weights: Sequence[int]) -> str:
    """The refusal that tells most: of a procedure that the design allows, for its own target."""
    if not refused:
        return "There is no measure to compare."
    telling = refused[weights.index(max(weights))]
    name, target = telling.choice.procedure, telling.choice.target
    which = f"'{name}' for the target '{target}'" if name else "the first one"
    return f"All {len(refused)} choices were refused, {which} so: {telling.reason}"
