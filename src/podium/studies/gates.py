"""A gate: is the new one worse than the old one, on each benchmark and on all of them?

Two questions of every benchmark, each one-sided: that there is no loss (rejected: worse), and that
the loss is the margin or more (rejected: not worse by the margin). Both families of p-values are
adjusted by Holm's method over the benchmarks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from podium.errors import InferenceError
from podium.facts import CAUTION, DETAIL, Note
from podium.inference.adjustments import holm
from podium.inference.arranging import suited
from podium.inference.compare import compare
from podium.inference.layouts import Layout
from podium.inference.nulls import check_alpha
from podium.inference.options import WORST, Options
from podium.presentation import Presented, Texts
from podium.results.formats.sides import NEW, OLD, Sides
from podium.results.results import Results
from podium.targets import BLOCKS
from podium.wording import gates as in_words

NOT_WORSE, WORSE, UNDECIDED, NOT_SHOWN = in_words.VERDICTS
STATUS = {NOT_WORSE: 0, NOT_SHOWN: 0, WORSE: 3, UNDECIDED: 4}
COLUMNS = (
    "benchmark",
    "measure",
    "blocks",
    "only_old",
    "only_new",
    "old",
    "new",
    "difference",
    "lower",
    "upper",
    "margin",
    "p_worse",
    "p_worse_adjusted",
    "p_margin",
    "p_margin_adjusted",
    "procedure",
    "verdict",
)


# -- margins --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Margin:
    """The loss that still counts as not worse: in the measure's unit, or a share of the old mean.

    >>> Margin.read("5%"), Margin.read(0.01)
    (Margin(value=0.05, relative=True), Margin(value=0.01, relative=False))
    """

    value: float
    relative: bool = False

    @classmethod
    def read(cls, said: float | str) -> Margin:
        """The margin in the words of a caller, or an error."""
        found = re.fullmatch(r"\s*([0-9.eE+-]+)\s*(%?)\s*", str(said))
        try:
            value = float(found[1]) if found and not isinstance(said, bool) else math.nan
        except ValueError:
            value = math.nan
        if not 0 < value < math.inf:
            raise InferenceError(
                "A margin is a number above 0 in the measure's unit, such as 0.01, or a share of "
                f"the old mean, such as 5%, not '{said}'."
            )
        relative = bool(found and found[2])
        return cls(value / 100 if relative else value, relative)

    def in_units(self, old: float) -> float:
        """In the measure's unit."""
        return self.value * abs(old) if self.relative else self.value


# -- the record -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Presented):
    """Whether the new one is worse; one row of `table` per benchmark.

    `verdict` is not worse, worse, undecided or not shown to be worse (where no margin was said),
    `status` what `podium gate` exits with. `difference` is new - old in the measure's unit; every
    one of its limits is one-sided and holds for all benchmarks at once.
    """

    table: pd.DataFrame
    measure: str
    higher_is_better: bool
    margin: Margin | None
    alpha: float
    sources: Mapping[str, str]
    algorithms: Mapping[str, str]
    only: Mapping[str, tuple[str, ...]]  # benchmarks that are in the old, in the new one alone
    joint: bool  # benchmarks have one score each, and are the blocks
    block: str  # what was compared, in words
    notes: Sequence[Note] = ()
    notes_by: Mapping[str, Sequence[Note]] = field(default_factory=dict)  # by benchmark

    @property
    def verdict(self) -> str:
        """Of all benchmarks: one that is worse decides, then one that is undecided."""
        found = {*self.table["verdict"]}
        return next(v for v in (WORSE, UNDECIDED, NOT_SHOWN, NOT_WORSE) if v in found)

    @property
    def status(self) -> int:
        """0 not worse or nothing shown, 3 worse, 4 undecided."""
        return STATUS[self.verdict]

    @property
    def is_worse(self) -> bool:
        """Whether the new one is shown to be worse."""
        return self.verdict == WORSE

    def _said(self) -> list[str]:
        return [in_words.headline(self._told()), *in_words.details(self._told())]

    def _told(self) -> in_words.Told:
        rows = self.table.to_dict("records")
        margin = (self.margin.value, self.margin.relative) if self.margin else None
        return in_words.Told(
            verdict=self.verdict,
            rows=rows,
            measure=self.measure,
            higher_is_better=self.higher_is_better,
            margin=margin,
            alpha=self.alpha,
            only=self.only,
            joint=self.joint,
            block=self.block,
        )

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {"": self.table}

    def _texts(self, most: int = 0) -> dict[str, Texts]:
        left = ("benchmark", "verdict")
        return {"": Texts(in_words.shown(self._told()), left)}

    def _facts(self) -> dict[str, Any]:
        rows = [
            row | {"warnings": list(self.notes_by.get(row["benchmark"], ()))}
            for row in self.table.to_dict("records")
        ]
        return {
            "verdict": self.verdict,
            "status": self.status,
            "text": in_words.headline(self._told()),
            "measure": self.measure,
            "higher_is_better": self.higher_is_better,
            "margin": None
            if self.margin is None
            else {"value": self.margin.value, "relative": self.margin.relative},
            "alpha": self.alpha,
            "old": {"source": self.sources[OLD], "algorithm": self.algorithms[OLD]},
            "new": {"source": self.sources[NEW], "algorithm": self.algorithms[NEW]},
            "benchmarks": rows,
            "only_old": list(self.only[OLD]),
            "only_new": list(self.only[NEW]),
            "warnings": list(self.notes),
        }


# -- judging --------------------------------------------------------------------------------------


def judged(
    sides: Sides,
    *,
    margin: float | str | None = None,
    measure: str | None = None,
    procedure: str | None = None,
    alpha: float = 0.05,
    gaps: str | None = None,
) -> Gate:
    """Every benchmark by itself; benchmarks of one score each together, as blocks."""
    check_alpha(alpha)
    allowed = None if margin is None else Margin.read(margin)
    results = sides.results
    both, only = _benchmarks(results)
    joint = _is_joint(results, both)
    layouts = _layouts(results, both, joint, procedure, measure, gaps)
    asked = Options.said(
        procedure=procedure, pairs=((NEW, OLD),), alpha=alpha / len(layouts), gaps=gaps
    )
    found = [_judged(name, made, asked, allowed) for name, made in layouts.items()]
    first = next(iter(layouts.values()))
    return Gate(
        table=_decided([f.row for f in found], alpha, allowed is not None),
        measure=" and ".join(dict.fromkeys(made.measure.name for made in layouts.values())),
        higher_is_better=first.measure.higher_is_better,
        margin=allowed,
        alpha=alpha,
        sources=sides.sources,
        algorithms=sides.algorithms,
        only=only,
        joint=joint,
        block=BLOCKS[first.block].noun,
        notes=_once(found),
        notes_by={f.row["benchmark"]: f.notes for f in found},
    )


def _benchmarks(results: Results) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """The data sets that both have scores of, and those that only one has."""
    scored = results.scores[results.scores["value"].notna()]
    sets = {
        side: {*scored.loc[scored["algorithm"] == side, "dataset"].astype(str)}
        for side in (OLD, NEW)
    }
    both = [name for name in results.datasets if name in sets[OLD] & sets[NEW]]
    if not both:
        raise InferenceError(
            "No benchmark has scores of both the old and the new one. Give results of the same "
            "benchmarks."
        )
    of = {OLD: sets[OLD] - sets[NEW], NEW: sets[NEW] - sets[OLD]}
    return both, {side: tuple(n for n in results.datasets if n in of[side]) for side in of}


def _is_joint(results: Results, both: Sequence[str]) -> bool:
    """Whether benchmarks have one score of each side, so that only they can be the blocks."""
    runs = results.runs[results.runs["dataset"].isin(both)]
    most = runs.groupby("dataset", observed=True)["sample"].nunique().max()
    if most == 1 and len(both) == 1:
        raise InferenceError(
            "The old and the new one have one score each, which tells no difference from chance. "
            "Give the scores item by item, or of several runs, folds or data sets."
        )
    return bool(most == 1)


def _layouts(
    results: Results,
    both: Sequence[str],
    joint: bool,
    procedure: str | None,
    measure: str | None,
    gaps: str | None,
) -> dict[str, Layout]:
    results = results.filter(dataset=list(both))
    if joint:
        names = [*results.measures] if measure is None else [measure]
        measure = names[0] if len(names) == 1 else None
        of = [(None, measure or _asked(names))]
    else:
        of = [(name, measure or _own(results, name)) for name in both]
    made = {
        name or "": suited(results, procedure, measure=m, dataset=name, gaps=gaps)
        for name, m in of
    }
    if len({layout.measure.higher_is_better for layout in made.values()}) > 1:
        _asked(dict.fromkeys(layout.measure.name for layout in made.values()))
    return made


def _asked(measures: Iterable[str]) -> NoReturn:
    names = list(measures)
    raise InferenceError(
        f"The benchmarks have {len(names)} measures ({', '.join(names)}), which make no one "
        f"comparison: say which one, as in --measure {names[0]} (measure=)."
    )


def _own(results: Results, dataset: str) -> str | None:
    """The measure of a data set that has one alone."""
    scores = results.scores
    found = scores.loc[(scores["dataset"] == dataset) & scores["value"].notna(), "measure"].unique()
    return str(found[0]) if len(found) == 1 else None


@dataclass(frozen=True)
class _Judged:
    """A row of the table, less what depends on the other rows, and what must be known of it."""

    row: dict[str, Any]
    notes: tuple[Note, ...]


def _judged(name: str, layout: Layout, asked: Options, margin: Margin | None) -> _Judged:
    layout = layout.only([layout.algorithms.index(side) for side in (NEW, OLD)])
    gaps = np.isnan(layout.values)
    own = BLOCKS[layout.block].unpaired
    used = layout.filled() if asked.gaps == WORST else layout if own else layout.complete()
    least = int((~np.isnan(used.values)).sum(axis=0).min())
    means = used.means()
    facts = {
        "benchmark": name,
        "measure": layout.measure.name,
        "blocks": least,
        "only_old": 0 if own else int((gaps[:, 0] & ~gaps[:, 1]).sum()),
        "only_new": 0 if own else int((gaps[:, 1] & ~gaps[:, 0]).sum()),
        "old": means[OLD],
        "new": means[NEW],
        "margin": None if margin is None else margin.in_units(means[OLD]),
    }
    if least < 2:
        return _Judged(facts | _nothing(), (*layout.notes, Note("too-few-shared", blocks=least)))
    return _tested(layout, used, facts, asked, margin)


def _nothing() -> dict[str, Any]:
    """Of a benchmark that tells nothing."""
    names = ("difference", "lower", "upper", "p_worse", "p_margin")
    return dict.fromkeys(names, math.nan) | {"procedure": "", "open": True}


def _tested(
    layout: Layout, used: Layout, facts: dict[str, Any], asked: Options, margin: Margin | None
) -> _Judged:
    higher = layout.measure.higher_is_better
    better, worse = ("greater", "less") if higher else ("less", "greater")
    loss = compare(layout, asked.but(alternative=worse))
    gain = compare(layout, asked.but(alternative=better))
    within = math.nan
    if margin is not None:
        within = _p_within(layout, used, facts, asked.but(alternative=better), margin)
    row, other = loss.table.iloc[0], gain.table.iloc[0]
    judged = loss.judged  # ranks and signs have limits that are not in the measure's unit
    ranks = judged is not None and (judged.procedure.ranks or bool(judged.procedure.of_scores))
    low, high = (other, row) if higher else (row, other)
    undecided = loss.withholds is not None or (
        math.isnan(row["p"]) and (facts["new"] - facts["old"]) * layout.sign < 0
    )
    facts |= {
        "difference": facts["new"] - facts["old"] if ranks else row["estimate"],
        "lower": math.nan if ranks else low["lower"],
        "upper": math.nan if ranks else high["upper"],
        "p_worse": row["p"],
        "p_margin": within,
        "procedure": loss.procedure,
        "open": undecided,
    }
    return _Judged(facts, tuple(loss.warnings))


def _p_within(
    layout: Layout, used: Layout, facts: dict[str, Any], asked: Options, margin: Margin
) -> float:
    """Of a loss of the margin or more.

    A share of the old mean is tested as a ratio: the old scores are multiplied by 1 + share (or
    1 - share, where higher is better), so that the old mean is estimated and not taken for known.
    Right and wrong answers would be none any more; for them it is taken for known.
    """
    if not margin.relative or layout.is_right_or_wrong:
        found = compare(layout, asked.but(relevance=-_units(facts)))
    else:
        found = compare(_scaled(layout, facts["old"], margin), asked)
    p = float(found.table["p"].iloc[0])
    return _p_of_no_difference(used, _units(facts)) if math.isnan(p) else p


def _units(facts: Mapping[str, Any]) -> float:
    if facts["margin"] <= 0:
        raise InferenceError(
            "A margin in percent is a share of the old mean, which is 0 here. Say the margin in "
            "the measure's unit, such as 0.01."
        )
    return float(facts["margin"])


def _scaled(layout: Layout, old: float, margin: Margin) -> Layout:
    """The layout whose old scores are as bad as the margin allows."""
    higher = layout.measure.higher_is_better
    if old <= 0 or (higher and margin.value >= 1):
        raise InferenceError(
            f"A margin of {margin.value:.3%} is a share of the old mean, which must be above 0 (and "
            f"below 100% where higher is better), and the mean is {old:g}. Say the margin in the "
            "measure's unit, such as 0.01."
        )
    factor = 1 - margin.value if higher else 1 + margin.value
    values = layout.values.copy()
    values[:, layout.algorithms.index(OLD)] *= factor
    return replace(layout, values=values)


def _p_of_no_difference(used: Layout, margin: float) -> float:
    """Of seeing no difference in any block, where a block differs by the range of the measure.

    A mean loss of the margin or more needs differences in a share margin / range of the blocks at
    least, and n blocks show none of them with the chance (1 - margin / range)^n at most.
    """
    low, high = used.measure.bounds
    same = bool((used.values[:, 0] == used.values[:, 1]).all())
    if BLOCKS[used.block].unpaired or not same or not math.isfinite(high - low):
        return math.nan
    blocks = len(used.values) if used.clusters is None else len(np.unique(used.clusters))
    return max(0.0, 1 - margin / (high - low)) ** blocks


# -- deciding -------------------------------------------------------------------------------------


def _decided(rows: Sequence[Mapping[str, Any]], alpha: float, margin: bool) -> pd.DataFrame:
    """The rows with adjusted p-values and verdicts; what has no p-value is never shown."""
    table = pd.DataFrame(rows)
    for name in ("p_worse", "p_margin"):
        p = table[name].to_numpy(float)
        table[f"{name}_adjusted"] = np.where(np.isnan(p), p, holm(np.where(np.isnan(p), 1.0, p)))
    worse = (table["p_worse_adjusted"] <= alpha).to_numpy()
    within = (table["p_margin_adjusted"] <= alpha).to_numpy()
    rest = UNDECIDED if margin else NOT_SHOWN
    verdict = np.where(within, NOT_WORSE, np.where(worse, WORSE, rest))
    table["verdict"] = np.where(table["open"], UNDECIDED, verdict)
    return table[list(COLUMNS)]


def _once(found: Sequence[_Judged]) -> tuple[Note, ...]:
    """What must be known, each code once: of every benchmark it is in JSON."""
    notes: dict[str, Note] = {}
    for note in (note for each in found for note in each.notes):
        if note.severity is not DETAIL:
            notes.setdefault(note.code, note)
    lacking = [f.row for f in found if f.row["only_old"] or f.row["only_new"]]
    if lacking:
        counts = {side: sum(int(row[f"only_{side}"]) for row in lacking) for side in (OLD, NEW)}
        for code in ("incomplete-blocks", "gaps"):  # that say the same
            notes.pop(code, None)
        notes["only-in-one"] = Note("only-in-one", CAUTION, **counts)
    return tuple(notes.values())
