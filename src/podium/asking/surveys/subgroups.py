"""subgroups: the differences of algorithms within groups of data sets, and between these.

Groups are set before the scores are seen, and all that was tested is reported, as in medicine
(boulesteix2013, section 6).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.surveys.dataset_differences import (
    INTERACTIONS,
    Differences,
    Interaction,
    Pairs,
    Tested,
    described,
    differences,
)
from podium.core.base.errors import InferenceError, PodiumError
from podium.core.base.registry import unknown
from podium.core.inference.bricks.adjustments import holm
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.legality import stated
from podium.core.inference.layouts import Layout
from podium.core.inference.procedures.procedure import Options
from podium.core.questions.options import COMPLETE, WORST, check_alpha
from podium.core.results.results import Results
from podium.core.verdicts.verbs import tried
from podium.core.words.facts import Hypothesis, Note
from podium.core.words.notes.of_surveys import (
    SAME_WITHIN_AND_BETWEEN,
    subgroups_heading,
    subgroups_statement,
)
from podium.core.words.saying import Presented
from podium.core.words.statements import statement

Groups = Mapping[str, Sequence[str]]
COLUMNS = ["estimate", "lower", "upper", "statistic", "p"]  # of one group's comparisons


@dataclass(frozen=True, eq=False, repr=False)
class Subgroups(Presented):
    """Differences within subgroups of data sets, and whether they differ between them.

    Attributes
    ----------
    groups : the data sets of each; `ungrouped` are in none.
    within : one row per pair and group: mean difference in the measure's own sign, interval,
        p-value, and that adjusted (Holm) for all tests of both tables. Intervals are of Bonferroni
        for all of these tests, so they are somewhat wider than the p-values need.
    interactions : one row per pair: the test that its mean difference is the same in all groups.
    """

    within: pd.DataFrame
    interactions: pd.DataFrame
    groups: Mapping[str, tuple[str, ...]]
    ungrouped: tuple[str, ...]
    measure: str
    higher_is_better: bool
    procedure: str
    test: str
    statement: str
    alpha: float
    notes: tuple[Note, ...]

    @property
    def heading(self) -> str:
        """One line: the measure, the groups and the tests."""
        sizes = {name: len(names) for name, names in self.groups.items()}
        return subgroups_heading(
            self.measure, self.higher_is_better, sizes, self.procedure, self.test
        )

    def _lines_above(self) -> list[str]:
        return [self.heading, self.statement]

    def _facts(self) -> dict[str, Any]:
        names = ("measure", "higher_is_better", "procedure", "test", "statement", "alpha")
        tables = ("groups", "ungrouped", "within", "interactions")
        facts = {name: getattr(self, name) for name in (*names, *tables)}
        return {**facts, "warnings": self.notes}

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {
            "First less second within subgroups": self.within,
            "Do the differences differ between subgroups": self.interactions,
        }


def subgroups(
    layout: Layout,
    groups: Groups,
    *,
    declared_before: bool | str = False,
    procedure: str = "paired-t",
    test: str = "welch",
    control: str | None = None,
    pairs: Pairs | None = None,
    alternative: str = "two-sided",
    null: str | None = None,
    draws: int = 9999,
    seed: int = 0,
    alpha: float = 0.05,
    gaps: str = COMPLETE,
) -> Subgroups:
    """The differences of algorithms in subgroups of data sets, and the test of their interaction.

    Parameters
    ----------
    layout : of data sets, also on another scale.
    groups : the names of each group's data sets, such as `{"small": [...], "large": [...]}`; see
        `grouped`. No data set is in two; those in none are listed.
    declared_before : whether, or in words where, groups were declared before scores were seen.
    procedure, null, control, pairs, alternative : as in `compare`, for every group alike.
    test : of the interaction: welch, anova or permutation (with so many `draws`).
    gaps : complete (leave out data sets with gaps) or worst (fill these).
    """
    check_alpha(alpha)
    _check_draws(draws, seed)
    between = INTERACTIONS[test]
    layout = layout.filled() if gaps == WORST else layout
    result = differences(layout, control, pairs)
    members = _members(result.layout.labels, layout.labels, groups)
    tests = (len(members) + 1) * len(result.pairs)
    options = Options(
        procedure=procedure,
        null=null,
        adjust="none",
        pairs=result.pairs,
        alternative=alternative,
        alpha=alpha / tests,
        gaps=gaps,
    )
    within, text = _within(result, members, options)
    tested = _between(result, members, between, draws, seed)
    within, interactions = _adjusted(within, _rows(result, tested), alpha, result.layout.sign)
    grouped = {name for names in members.values() for name in names}
    ungrouped = tuple(name for name in result.layout.labels if name not in grouped)
    return Subgroups(
        within=within,
        interactions=interactions,
        groups=members,
        ungrouped=ungrouped,
        measure=layout.measure.name,
        higher_is_better=layout.measure.higher_is_better,
        procedure=procedure,
        test=test,
        statement=subgroups_statement(
            statement(stated(result.layout, Hypothesis(SAME_WITHIN_AND_BETWEEN))), declared_before
        ),
        alpha=alpha,
        notes=(
            *result.layout.notes,
            *_notes(tests, ungrouped, declared_before),
            *_about_sizes(members, test),
            *text,
        ),
    )


# -- what is asked ----------------------------------------------------------------------------


def _check_draws(draws: int, seed: int) -> None:
    for name, value, least in (("draws", draws, 99), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
            raise InferenceError(f"{name} must be a whole number from {least} on, not {value!r}.")


def _members(
    scored: Sequence[str], known: Sequence[str], groups: Groups
) -> dict[str, tuple[str, ...]]:
    """The data sets of each group that have all scores."""
    if not isinstance(groups, Mapping):
        raise InferenceError(
            "Subgroups are at least two, each with its data sets, as in "
            "{'small': ['iris', 'zoo'], 'large': ['letter', 'shuttle']}."
        )
    if len(groups) < 2:
        text = f"only '{next(iter(groups))}'" if groups else "none"
        raise InferenceError(
            f"Subgroups are at least two, and there is {text}: put some of the data sets into "
            "another group."
        )
    place: dict[str, str] = {}
    for group, names in groups.items():
        if isinstance(names, str):
            raise InferenceError(f"The subgroup '{group}' is a list of names, not '{names}'.")
        for name in names:
            if name not in scored and name not in known:
                raise InferenceError(unknown("data set with scores", name, list(scored)))
            if place.setdefault(name, group) != group:
                raise InferenceError(
                    f"The data set '{name}' is in the subgroups '{place[name]}' and '{group}'; "
                    "a data set is in one of them."
                )
    return {str(g): tuple(n for n in scored if place.get(n) == g) for g in groups}


# -- within and between groups ----------------------------------------------------------------


def _within(
    result: Differences, members: Groups, options: Options
) -> tuple[pd.DataFrame, list[Note]]:
    """The comparisons of every group, not yet adjusted; the reason where one has none."""
    tables, notes, refused = [], [], []
    parts = {group: _part(result.layout, names) for group, names in members.items()}
    for group, one in tried(list(parts), lambda group: compare(parts[group], options)):
        head = result.names.assign(group=group, datasets=len(members[group]))
        if isinstance(one, PodiumError):
            refused.append(one)
            notes.append(_not_computed(group, one))
            tables.append(head.assign(**dict.fromkeys(COLUMNS, np.nan)))
        else:
            tables.append(pd.concat([head, one.table[COLUMNS]], axis=1))
            notes += _of_group(group, one.warnings)
    if len(refused) == len(members):
        raise refused[0]
    return pd.concat(tables, ignore_index=True), notes


def _not_computed(group: str, error: PodiumError) -> Note:
    return Note("not-computed", group=group, reason=str(error))


def _of_group(group: str, notes: Iterable[Note]) -> list[Note]:
    kept = [note for note in notes if note.code != "unadjusted"]  # adjusted over all groups
    return [Note(note.code, note.severity, group=group, note=note) for note in kept]


def _part(layout: Layout, names: Sequence[str]) -> Layout:
    chosen = [layout.labels.index(name) for name in names]
    return replace(layout, values=layout.values[chosen], labels=tuple(names), notes=())


def _between(
    result: Differences, members: Groups, test: Interaction, draws: int, seed: int
) -> Tested:
    """The interaction of every pair, over the groups that have a variance."""
    kept = [names for names in members.values() if len(names) > 1]
    if len(kept) < 2:
        nothing = np.full(len(result.pairs), np.nan)
        return Tested(nothing, nothing, nothing, nothing)
    labels = np.array(result.layout.labels)
    used = np.isin(labels, [name for names in kept for name in names])
    indicators = np.array([np.isin(labels[used], names) for names in kept], dtype=float)
    return test.compute(result.values[used], indicators, draws, seed)


def _rows(result: Differences, tested: Tested) -> pd.DataFrame:
    return pd.concat([result.names, pd.DataFrame(tested._asdict())], axis=1)


def _adjusted(
    within: pd.DataFrame, between: pd.DataFrame, alpha: float, sign: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both tables with Holm's p-values over all of their tests; an unknown one counts as a test."""
    p = np.concatenate([within["p"], between["p"]])
    q = np.where(np.isnan(p), np.nan, holm(np.nan_to_num(p, nan=1.0)))
    inside, across = q[: len(within)], q[len(within) :]
    ahead = np.where(sign * within["statistic"] > 0, "better", "worse")
    return (
        within.assign(p_adjusted=inside, verdict=np.where(inside <= alpha, ahead, "undecided")),
        between.assign(
            p_adjusted=across, verdict=np.where(across <= alpha, "they differ", "undecided")
        ),
    )


def _notes(tests: int, ungrouped: tuple[str, ...], declared: bool | str) -> Iterator[Note]:
    yield Note("multiplicity", tests=tests)
    yield Note("interaction")
    if not declared:
        yield Note("exploratory")
    if ungrouped:
        yield Note("no-subgroup", datasets=ungrouped)


def _about_sizes(members: Groups, test: str) -> Iterator[Note]:
    sizes = {group: len(names) for group, names in members.items()}
    single = tuple(group for group, size in sizes.items() if size < 2)
    if single:
        yield Note("small-subgroup", groups=single)
    if any(2 <= size < INTERACTIONS[test].least for size in sizes.values()):
        yield Note("small-subgroup", test=test)


# -- groups from what data sets are like ------------------------------------------------------


def grouped(
    source: pd.DataFrame | Results,
    column: str,
    cuts: Sequence[float] | None = None,
    datasets: Sequence[str] | None = None,
) -> dict[str, list[str]]:
    """The data sets by a characteristic: by its categories or, for numbers, between cut points.

    A cut point belongs to the upper group. A data set without a value is in no group, nor is one
    that is not among `datasets` (such as a layout's labels), where these are given.

    >>> sizes = pd.DataFrame({"rows": [50, 100, 3000]}, index=["zoo", "iris", "letter"])
    >>> grouped(sizes, "rows", cuts=[100])
    {'rows < 100': ['zoo'], 'rows >= 100': ['iris', 'letter']}
    """
    values = described(source, [column])[column].dropna().infer_objects()
    if datasets is not None:
        values = values[values.index.isin(list(datasets))]
    numeric = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    if numeric:
        return _cut(values, column, cuts)
    if cuts is not None:
        raise InferenceError(f"The characteristic '{column}' is no number and takes no cut points.")
    groups = {str(v): [n for n in values.index if values[n] == v] for v in values.unique()}
    return {f"{column} = {name}": names for name, names in groups.items()}


def listed_groups(table: pd.DataFrame, without: Collection[str]) -> dict[str, list[str]]:
    """The groups of a table with the columns dataset and group, by their own names.

    Groups may be numbers; a data set with an empty group is in none, nor are those `without`.

    >>> listed_groups(pd.DataFrame({"dataset": ["zoo", "iris"], "group": [2, 1]}), without=())
    {'2': ['zoo'], '1': ['iris']}
    """
    for column in ("dataset", "group"):
        if column not in table:
            raise InferenceError(
                f"A table of groups has the columns dataset and group; '{column}' is not there."
            )
    groups: dict[str, list[str]] = {}
    for name, group in zip(table["dataset"].astype(str), table["group"], strict=True):
        if not pd.isna(group) and name not in without:
            # a column of whole numbers with gaps is one of floats
            whole = isinstance(group, float) and group.is_integer()
            groups.setdefault(str(int(group) if whole else group), []).append(name)
    return groups


def _cut(values: pd.Series, column: str, cuts: Sequence[float] | None) -> dict[str, list[str]]:
    at = np.asarray([] if cuts is None else cuts, dtype=float).ravel()
    if not len(at) or not np.isfinite(at).all() or (np.diff(at) <= 0).any():
        raise InferenceError(
            f"The characteristic '{column}' is a number: say where to cut it, in increasing order, "
            f"as in cuts=[{values.median() if len(values) else 0:g}], not {cuts!r}."
        )
    texts = [f"{cut:g}" for cut in at]
    names = [f"{column} < {texts[0]}"]
    names += [f"{low} <= {column} < {high}" for low, high in pairwise(texts)]
    names += [f"{column} >= {texts[-1]}"]
    place = np.searchsorted(at, values.to_numpy(float), side="right")
    return {name: list(values.index[place == i]) for i, name in enumerate(names)}
