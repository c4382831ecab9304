"""subgroups: the differences of algorithms within groups of data sets, and between these.

Groups are set before the scores are seen, and all that was tested is reported, as in medicine
(boulesteix2013, section 6).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium import presentation
from podium.errors import InferenceError
from podium.facts import Note
from podium.formatting import listed
from podium.inference.adjustments import holm
from podium.inference.compare import compare
from podium.inference.layouts import Layout
from podium.inference.nulls import check_alpha
from podium.inference.statements import statement
from podium.registry import unknown
from podium.studies.dataset_differences import Differences, Pairs, differences
from podium.studies.interactions import INTERACTIONS, Interaction, Tested
from podium.wording.notes import say

Groups = Mapping[str, Sequence[str]]
COLUMNS = ["estimate", "lower", "upper", "statistic", "p"]  # of one group's comparisons
EXPLORATORY = (
    "EXPLORATORY: the subgroups were not declared before the scores were seen, so this suggests "
    "hypotheses and tests none."
)


@dataclass(frozen=True, eq=False, repr=False)
class Subgroups:
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
        better = "higher" if self.higher_is_better else "lower"
        sizes = ", ".join(f"{name}: {len(of)}" for name, of in self.groups.items())
        return (
            f"{self.measure} ({better} is better) in subgroups of data sets ({sizes}): "
            f"{self.procedure} within, {self.test} between them, Holm over all tests"
        )

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values; no NaN."""
        names = ("measure", "higher_is_better", "procedure", "test", "statement", "alpha")
        parts = {
            **{name: getattr(self, name) for name in names},
            "groups": dict(self.groups),
            "ungrouped": list(self.ungrouped),
            "within": self.within,
            "interactions": self.interactions,
            "warnings": list(self.notes),
        }
        return dict(presentation.plain(parts))

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {
            "First less second within subgroups": self.within,
            "Do the differences differ between subgroups": self.interactions,
        }

    def __repr__(self) -> str:
        return presentation.text([self.heading, self.statement], self._tables(), self.notes)

    def _repr_html_(self) -> str:
        return presentation.html([self.heading, self.statement], self._tables(), self.notes)


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
    """
    check_alpha(alpha)
    _check_draws(draws, seed)
    between = INTERACTIONS[test]
    found = differences(layout, control, pairs)
    members = _members(found.layout.labels, layout.labels, groups)
    tests = (len(members) + 1) * len(found.pairs)
    options = {"pairs": found.pairs, "alternative": alternative, "null": null}
    within, said = _within(found, members, procedure, {**options, "alpha": alpha / tests})
    tested = _between(found, members, between, draws, seed)
    within, interactions = _adjusted(within, _rows(found, tested), alpha, found.layout.sign)
    grouped = {name for of in members.values() for name in of}
    ungrouped = tuple(name for name in found.layout.labels if name not in grouped)
    return Subgroups(
        within=within,
        interactions=interactions,
        groups=members,
        ungrouped=ungrouped,
        measure=layout.measure.name,
        higher_is_better=layout.measure.higher_is_better,
        procedure=procedure,
        test=test,
        statement=_statement(found.layout, declared_before),
        alpha=alpha,
        notes=(
            *found.layout.notes,
            *_notes(tests, ungrouped, declared_before),
            *_about_sizes(members, between),
            *said,
        ),
    )


def _statement(layout: Layout, declared: bool | str) -> str:
    text = statement(
        layout,
        "within a subgroup of data sets two algorithms have equal means; between subgroups their "
        "difference has the same mean",
    )
    if not declared:
        return f"{EXPLORATORY} {text}"
    where = f" ({declared})" if isinstance(declared, str) else ""
    return f"{text} The subgroups were declared before the scores were seen{where}."


# -- what is asked ----------------------------------------------------------------------------


def _check_draws(draws: int, seed: int) -> None:
    for name, value, least in (("draws", draws, 99), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
            raise InferenceError(f"{name} must be a whole number from {least} on, not {value!r}.")


def _members(
    scored: Sequence[str], known: Sequence[str], groups: Groups
) -> dict[str, tuple[str, ...]]:
    """The data sets of each group that have all scores."""
    if not isinstance(groups, Mapping) or len(groups) < 2:
        raise InferenceError(
            "Subgroups are at least two, each with its data sets, as in "
            "{'small': ['iris', 'zoo'], 'large': ['letter', 'shuttle']}."
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
    found: Differences, members: Groups, procedure: str, options: Mapping[str, Any]
) -> tuple[pd.DataFrame, list[Note]]:
    """The comparisons of every group, not yet adjusted; the reason where one has none."""
    tables, notes, refused = [], [], []
    for group, names in members.items():
        head = found.names.assign(group=group, datasets=len(names))
        try:
            one = compare(_part(found.layout, names), procedure, adjust="none", **options)
        except InferenceError as error:
            refused.append(str(error))
            notes.append(Note("not-computed", text=f"Within '{group}': {error}"))
            tables.append(head.assign(**dict.fromkeys(COLUMNS, np.nan)))
        else:
            tables.append(pd.concat([head, one.table[COLUMNS]], axis=1))
            kept = [w for w in one.warnings if w.code != "unadjusted"]  # adjusted over all groups
            notes += [Note(w.code, text=f"Within '{group}': {say(w)}") for w in kept]
    if len(refused) == len(members):
        raise InferenceError(refused[0])
    return pd.concat(tables, ignore_index=True), notes


def _part(layout: Layout, names: Sequence[str]) -> Layout:
    chosen = [layout.labels.index(name) for name in names]
    return replace(layout, values=layout.values[chosen], labels=tuple(names), notes=())


def _between(
    found: Differences, members: Groups, test: Interaction, draws: int, seed: int
) -> Tested:
    """The interaction of every pair, over the groups that have a variance."""
    kept = [names for names in members.values() if len(names) > 1]
    if len(kept) < 2:
        nothing = np.full(len(found.pairs), np.nan)
        return Tested(nothing, nothing, nothing, nothing)
    labels = np.array(found.layout.labels)
    used = np.isin(labels, [name for names in kept for name in names])
    indicators = np.array([np.isin(labels[used], names) for names in kept], dtype=float)
    return test.compute(found.values[used], indicators, draws, seed)


def _rows(found: Differences, tested: Tested) -> pd.DataFrame:
    return pd.concat([found.names, pd.DataFrame(tested._asdict())], axis=1)


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


def _notes(tests: int, ungrouped: Sequence[str], declared: bool | str) -> Iterator[Note]:
    yield Note(
        "multiplicity",
        text=f"All {tests} tests, of every pair within every subgroup and between them, are reported "
        "and adjusted together by Holm; intervals hold for all of them at once.",
    )
    yield Note(
        "interaction",
        text="That a difference is significant in one subgroup and not in another does not show that "
        "the two differ: the second table does.",
    )
    if not declared:
        yield Note(
            "exploratory", text="Subgroups that were chosen after the fact fish for differences."
        )
    if ungrouped:
        yield Note(
            "no-subgroup",
            text=f"In no subgroup, and not used: {listed(ungrouped, len(ungrouped))}.",
        )


def _about_sizes(members: Groups, test: Interaction) -> Iterator[Note]:
    sizes = {group: len(names) for group, names in members.items()}
    single = [group for group, size in sizes.items() if size < 2]
    if single:
        yield Note(
            "small-subgroup",
            text=f"Fewer than 2 data sets with all scores, so not in the test between subgroups: "
            f"{', '.join(single)}.",
        )
    if any(2 <= size < test.least for size in sizes.values()):
        yield Note("small-subgroup", text=test.remark)
