"""What a design answers, and the least difference of every pair that it finds.

That is a property of the design and of the spread of the differences. The power for the difference
that was observed would be none: it only says the p-value again (Hoenig and Heisey 2001).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

import numpy as np
import pandas as pd
from scipy.special import ndtri

from podium.asking.planning.pilot import by_cluster, plan_pilot
from podium.asking.planning.plan import USUAL
from podium.asking.planning.power import blocks_needed, detectable, extra_blocks, pair_design
from podium.asking.planning.words import planned_noun
from podium.core.base.errors import DesignError, InferenceError, UnknownName
from podium.core.base.options import takes
from podium.core.base.registry import unknown
from podium.core.inference.bricks.adjustments import pair_level
from podium.core.inference.bricks.contrasts import Pair, all_pairs
from podium.core.inference.bricks.estimates import moments, overlap
from podium.core.inference.bricks.linearised import only_values
from podium.core.inference.comparing.arranging import layout
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.comparing.decision import INCONCLUSIVE
from podium.core.inference.comparing.legality import Advice, advise_design
from podium.core.inference.comparing.legality import advise as advise_layout
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.halves import HalvesTest
from podium.core.questions.measures import Measure
from podium.core.questions.targets import BLOCKS, POPULATION, pairs
from podium.core.results.dataset_facts import exclusions
from podium.core.results.results import Results
from podium.core.words.statements import excluded
from podium.reading.formats import read

if TYPE_CHECKING:
    from podium.running.design.study import Study


# blocks whose pairs of scores have a difference each, independent or with a known correction
PAIRED = {block for block, _ in pairs(lambda claim: claim.plain or claim.corrected)}
COLUMNS = ["first", "second", "blocks", "sd", "detectable"]


def detectable_pairs(
    layout: Layout,
    *,
    alpha: float = 0.05,
    comparisons: int | None = None,
) -> pd.DataFrame:
    """For every pair the blocks that both have, the sd of the differences and what is detectable.

    Each pair is tested by paired t at its level (Šidák), one of so many `comparisons` (without
    them, of all pairs). Replicates that share rows count by the variance and df of the test that is
    their default. A pair without variation has no number; no rows where blocks are not paired.
    """
    if layout.block not in PAIRED:
        return pd.DataFrame(columns=COLUMNS)
    layout = by_cluster(layout)
    every = all_pairs(len(layout.algorithms))
    count, sd = _spreads(layout, every)
    names = [[layout.algorithms[at] for at in side] for side in zip(*every, strict=True)]
    table = pd.DataFrame(dict(zip(COLUMNS[:2], names or ([], []), strict=True)))
    table = table.assign(blocks=count.astype(int), sd=sd)
    usable = (sd > 0) & (count > 1)
    variance, df = _of_means(layout, sd, count)
    alike = np.minimum(count, df + 1)  # independent blocks with as many df
    spread = np.sqrt(variance * alike)
    values = detectable(
        np.where(usable, spread, 1.0),
        np.where(usable, alike, 2.0),
        USUAL,
        **pair_design(alpha, len(table) if comparisons is None else comparisons, "two-sided"),
    )
    return table.assign(detectable=np.where(usable, values, np.nan))


def _spreads(layout: Layout, every: Sequence[Pair]) -> tuple[np.ndarray, np.ndarray]:
    """How many blocks both of every pair have, and the sd of their differences."""
    if not every:
        return np.zeros(0), np.zeros(0)
    of_pairs = moments(layout.values, every)
    count = of_pairs.n.astype(float)
    wider = np.sqrt(count / np.maximum(count - 1, 1))  # from the divisor n to n - 1
    return count, np.where(count > 1, of_pairs.sd * wider, np.nan)


def _of_means(layout: Layout, sd: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, float]:
    """The variance of every mean difference, and the most df, by the design's own test."""
    each = sd**2
    if layout.target != POPULATION or not _shares(layout):
        return each / np.maximum(count, 1), np.inf
    if layout.halvings is not None:
        test = HalvesTest(layout.complete(), all_pairs(len(layout.algorithms)))
        return test.variance, test.df
    ratio, df = overlap(layout)
    return each * (1 / np.maximum(count, 1) + ratio), df


def _shares(layout: Layout) -> bool:
    return BLOCKS[layout.block].shares_rows


# -- what settles pairs that are open -------------------------------------------------------------


class Needed(NamedTuple):
    """Whom the leader is to be told from, and how many blocks that takes; None: no number does."""

    other: str
    blocks: int | None


@dataclass(frozen=True, eq=False)
class Settling:
    """How many blocks the open pairs need, one row each.

    `margin` is the difference that was said to matter; without one, each pair's own is taken.
    """

    pairs: pd.DataFrame
    noun: str  # what is counted
    margin: float | None


def settling(made: Layout, c: Comparisons) -> Settling:
    """What more blocks like these would take to settle the open pairs."""
    _refuse_partial(made)
    made = by_cluster(made)
    margin = abs(c.relevance) or None
    pilot = plan_pilot(
        made,
        difference=margin and (-margin if c.alternative == "less" else margin),
        by="median",
        alpha=c.alpha,
        alternative=c.alternative,
        comparisons=_tests(c),
    )
    noun = planned_noun("cluster" if made.items.of_clusters else made.block)
    return Settling(_needed(_open(pilot.pairs, c), margin, c), noun, margin)


POWER_Z = float(ndtri(USUAL))
MOST_BLOCKS = 10_000_000
CORRECTED = "judge"  # the note that counts labels
JUDGED = "new-judges"  # the note that counts judges of choices


class Pool(NamedTuple):
    """What more of would make the errors of estimates smaller: so many choices, or labels."""

    noun: str
    there: int
    also: str = ""


def pool_of(c: Comparisons) -> Pool | None:
    """Of choices and of labels, whose pairs have an error each but no blocks of their own."""
    judged = next((note for note in c.warnings if note.code == JUDGED), None)
    if judged is not None:  # more choices of the same judges tell no more of new ones
        return Pool(f"{judged.judge}s", judged.judges, ", with as many battles each")
    if c.blocks.partial:
        return Pool("battles" if c.blocks.noun == "choices" else c.blocks.noun, c.blocks.count)
    labels = next((note.labels for note in c.warnings if note.code == CORRECTED), None)
    return None if labels is None else Pool("labels", labels, ", and items in proportion")


def needed_by_errors(c: Comparisons, whom: str, others: Sequence[str], there: int) -> list[Needed]:
    """What `needed_of` says, from the error of each estimate, which falls as a root of the count.

    A pair is found with the usual power where its statistic is expected at the critical value,
    which the limits show, and so many standard errors of a normal one.
    """
    table = open_by_errors(c, there)
    ours = table[(table["first"] == whom) | (table["second"] == whom)]
    every = [Needed(row.second if row.first == whom else row.first,
                    None if pd.isna(row.needed) else int(row.needed))
             for row in ours.itertuples()]  # fmt: skip
    results = [each for each in every if each.other in others]
    return sorted(results, key=lambda each: (each.blocks is None, each.blocks or 0))


def open_by_errors(c: Comparisons, there: int) -> pd.DataFrame:
    """The open pairs, each with its difference and what it needs of what there is so much of."""
    t = c.table[c.table["verdict"].isin(INCONCLUSIVE)].reset_index(drop=True)
    estimate, statistic = (t[name].to_numpy(float) for name in ("estimate", "statistic"))
    z = np.abs(statistic)
    two_sided = c.alternative == "two-sided"
    usual = -ndtri(pair_level(c.alpha, _tests(c), two_sided) / (1 + two_sided))
    with np.errstate(divide="ignore", invalid="ignore"):
        edge = _reach(t, c.alternative) / np.abs(estimate) * z
        edge = np.where(np.isfinite(edge), edge, usual)
        count = np.ceil(there * ((edge + POWER_Z) / z) ** 2)
    if not two_sided:  # on the other side no number shows anything
        count = np.where((estimate > 0) == (c.alternative == "greater"), count, np.nan)
    count = np.where(count <= MOST_BLOCKS, count, np.nan)
    pairs = {name: t[name] for name in ("first", "second")}
    needed = pd.array(count, dtype="Float64").astype("Int64")
    return pd.DataFrame({**pairs, "difference": t["estimate"], "needed": needed})


def _reach(table: pd.DataFrame, alternative: str) -> np.ndarray:
    """How far the limits of the side that is asked about are from the estimates."""
    sides = {"greater": ["lower"], "less": ["upper"]}.get(alternative, ["lower", "upper"])
    return np.asarray(table[sides].sub(table["estimate"], axis=0).abs().mean(axis=1, skipna=False))


def _refuse_partial(made: Layout) -> None:
    if BLOCKS[made.block].partial:
        raise InferenceError(
            "How many more battles would settle the inconclusive comparisons is not known."
        )
    if only_values(made):
        raise InferenceError("How much this measure varies is not known yet.")


def _tests(c: Comparisons) -> int:
    """How many tests share the level."""
    return len(c.table) if c.is_adjusted else 1


def _open(pairs: pd.DataFrame, c: Comparisons) -> pd.DataFrame:
    """The rows of those pairs that are open, whichever of the two comes first."""
    verdicts = {frozenset(p): v for *p, v in c.table[["first", "second", "verdict"]].to_numpy()}
    kept = [
        verdicts.get(frozenset(pair)) in INCONCLUSIVE
        for pair in pairs[["first", "second"]].to_numpy()
    ]
    return pairs[kept].reset_index(drop=True)


def _needed(pairs: pd.DataFrame, margin: float | None, c: Comparisons) -> pd.DataFrame:
    """One row per open pair; a number beyond ten million, or on the other side, is missing."""
    count = _count(pairs, margin, c)
    needed = f"needed for {margin:g}" if margin else "needed for this difference"
    limits = [name for name in ("sd_lower", "sd_upper") if name in pairs]
    return pd.DataFrame(
        {
            "first": pairs["first"],
            "second": pairs["second"],
            "difference": pairs["difference"].to_numpy(float),
            "sd of differences": pairs["sd"].to_numpy(float),
            **{name: pairs[name] for name in limits},  # a careful reader plans by these
            "there are": pairs["datasets"].to_numpy(int),
            needed: pd.array(count, dtype="Float64").astype("Int64"),
            "found with 80 % power now": pairs["detectable"],
        }
    )


def _count(pairs: pd.DataFrame, margin: float | None, c: Comparisons) -> np.ndarray:
    """How many blocks each pair needs; no number where none would do."""
    sd = pairs["sd"].to_numpy(float)
    own = np.abs(pairs["difference"].to_numpy(float))
    wanted = np.full(len(pairs), margin) if margin else own
    usable = (wanted > 0) & (sd > 0) & (margin is not None or _on_side(pairs, c))
    count = blocks_needed(
        np.where(usable, wanted, 1.0),
        np.where(usable, sd, 1.0),
        USUAL,
        **pair_design(c.alpha, _tests(c), c.alternative, extra_blocks(c.blocks.kind)),
    )
    return np.where(usable & np.isfinite(count), count, np.nan)


def _on_side(pairs: pd.DataFrame, c: Comparisons) -> np.ndarray:
    """Which observed differences lie on the side that was asked about."""
    if c.alternative == "two-sided":
        return np.ones(len(pairs), bool)
    tested = set(map(tuple, c.table[["first", "second"]].to_numpy()))
    turned = [tuple(pair) not in tested for pair in pairs[["first", "second"]].to_numpy()]
    size = np.where(turned, -1, 1) * pairs["difference"].to_numpy(float)
    return np.asarray(size > 0 if c.alternative == "greater" else size < 0)


def needed_of(made: Layout, c: Comparisons, whom: str, others: Sequence[str]) -> list[Needed]:
    """How many blocks would tell `whom` from each of a few others, the soonest settled first.

    What `settling` says of them, without the plan of all pairs.
    """
    _refuse_partial(made)
    made = by_cluster(made)
    margin = abs(c.relevance) or None
    columns = {name: made.values[:, made.algorithms.index(name)] for name in (whom, *others)}
    rows = []
    for name in others:
        both = columns[whom] - columns[name]
        both = both[~np.isnan(both)]
        spread = float(both.std(ddof=1)) if len(both) > 1 else 0.0
        rows.append((whom, name, made.sign * float(both.mean()) if len(both) else 0.0, spread))
    pairs = pd.DataFrame(rows, columns=["first", "second", "difference", "sd"])
    count = _count(pairs, margin, c)
    results = [
        Needed(name, None if n != n else int(n)) for name, n in zip(others, count, strict=True)
    ]
    return sorted(results, key=lambda each: (each.blocks is None, each.blocks or 0))


# -- advising -------------------------------------------------------------------------------------
# Which question a design answers, of results or of a study that has not been run.


@takes("target", "measure", "sampling", "higher_is_better", "columns", "trust")
def advise(source: Any, **options: Any) -> Advice:
    """Which question a design answers: of a study (or its file), of results or of a table.

    Parameters
    ----------
    source : Study, the path of a study file, Results, or anything that `read` takes

    Returns
    -------
    Advice
        `.procedure` is the recommended test; printed, what can be tested and what cannot.

    Examples
    --------
    >>> import podium
    >>> scores = {"svm": [0.1, 0.2, 0.3, 0.2], "lda": [0.3, 0.5, 0.4, 0.4]}
    >>> podium.advise(podium.read(scores, sampling="cv:4", measure="error")).procedure
    'corrected-t'
    """
    trust, target, measure = (options.pop(name) for name in ("trust", "target", "measure"))
    if isinstance(source, (str, Path)) and str(source).endswith(".toml"):
        from podium.running.design.studyfile import load_study

        source = load_study(source, trust=trust)
    if _is_study(source):
        return _advise_study(source, measure, {"target": target, **options})
    result = source if isinstance(source, Results) else read(source, measure=measure, **options)
    made = advise_layout(layout(result, measure=measure, target=target or ""))
    gone = [excluded(name, why) for name, why in exclusions(result).items()]
    return replace(made, cannot=(*made.cannot, *gone))


def _is_study(source: Any) -> TypeGuard[Study]:
    """Whether it is one; without the package that makes studies there is none."""
    made = sys.modules.get("podium.running.design.study")
    return made is not None and isinstance(source, made.Study)


def _advise_study(study: Study, measure: str | None, texts: Mapping[str, object]) -> Advice:
    """The advice for a study that has not been run; it says itself how samples are drawn."""
    for name, value in texts.items():
        if value is not None:
            raise DesignError(
                f"A study is advised as it is: leave out {name}, or change the study."
            )
    rows = getattr(study.datasets[0], "n", None) if len(study.datasets) == 1 else None
    chosen = _measure_of(study, measure)
    return advise_design(len(study.algorithms), len(study.datasets), study.sampling, chosen, rows)


def _measure_of(study: Study, name: str | None) -> Measure:
    """The study's measure of this name; without a name its first."""
    known = {scored.name: scored.measure for scored in study.measures}
    if name is None:
        return next(iter(known.values()))
    written = name if name in known else name.strip().lower().replace("_", "-")
    if written not in known:
        raise UnknownName(unknown(f"measure of the study '{study.name}'", name, known))
    return known[written]
