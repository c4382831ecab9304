"""What is said of many data sets: their orders one by one, subgroups, characteristics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from podium.base.formatting import listed, number
from podium.words.facts import Note
from podium.words.voices import ANY, say, words

SAME_WITHIN_AND_BETWEEN = (
    "within a subgroup of data sets two algorithms have equal means; between subgroups their "
    "difference has the same mean"
)
SAME_EVERYWHERE = "the difference of two algorithms does not depend on a characteristic"
ALIKE_EVERYWHERE = "who of two algorithms is better does not depend on a characteristic"
EXPLORATORY = (
    "EXPLORATORY: the subgroups were not declared before the scores were seen, so this suggests "
    "hypotheses and tests none."
)


def _measured(measure: str, higher_is_better: bool) -> str:
    return f"{measure} ({'higher' if higher_is_better else 'lower'} is better)"


# -- the order on every data set ------------------------------------------------------------


def orders_heading(
    measure: str, higher_is_better: bool, procedures: Sequence[str], datasets: int, target: str
) -> str:
    """The measure, the procedures and how many data sets there are."""
    return (
        f"{_measured(measure, higher_is_better)} on {datasets} data sets, each by itself: "
        f"{', '.join(procedures)}, target: {target}"
    )


def orders_statement(target: str, datasets: int, population: str) -> str:
    """What the orders and what their summaries are about."""
    area = f" Area of application: {population}." if population else ""
    return (
        f"Each order is a statement about its own data set (target '{target}'). "
        f"Consensus and agreement describe these {datasets} data sets; they test "
        f"nothing and say nothing about others.{area}"
    )


def orders_agreement(distance: float, concordance: float, algorithms: int) -> str:
    """How much alike the data sets are."""
    largest = algorithms * (algorithms - 1)
    return (
        f"Mean distance between the orders of two data sets: {number(distance)} (from 0 to"
        f" {largest}); Kendall's W of the ranks by mean, corrected for ties: "
        f"{number(concordance)} (from 0 to 1)"
    )


@words("not-analysed")
def _not_analysed(note: Note) -> str:
    count = len(note.refused)
    verb = "is" if count == 1 else "are"
    return (
        f"{count} of {note.datasets} data sets could not be analysed and "
        f"{verb} in no summary: {listed(note.refused, count)}."
    )


@words("multiplicity", "datasets")
def _multiplicity_of_data_sets(note: Note) -> str:
    """What is not adjusted for, and what is to be expected of it."""
    head = f"Nothing is adjusted across the {note.datasets} data sets: "
    if note.adjustment == "bh":
        return f"{head}within each a share of the claims may be false, and so it is of all of them."
    expected = note.alpha * note.datasets
    if note.adjustment == "none" and note.pairs > 1:
        return (
            f"{head}nor within them, so that up to alpha x data sets x pairs = "
            f"{expected * note.pairs:.3g} false claims are to be expected."
        )
    return (
        f"{head}up to alpha x data sets = {note.alpha:g} x {note.datasets} = {expected:.3g} data "
        "sets with a false claim are to be expected, where the procedure holds its level."
    )


@words("procedures-differ")
def _procedures_differ(note: Note) -> str:
    each = [f"{name} ({null}) on {listed(datasets, 5)}" for name, null, datasets in note.used]
    return (
        f"Not all data sets were analysed alike: {'; '.join(each)}. Name a procedure and a "
        "null to do so."
    )


@words("uncompared")
def _uncompared(_: Note) -> str:
    return (
        "Not all pairs were compared; those that were not add nothing to distances and have no "
        "vote in the consensus."
    )


@words("agreement")
def _agreement(_: Note) -> str:
    return (
        "Kendall's W ranks the mean scores of each data set, however uncertain they are; the "
        "distances are between decided orders. The test that belongs to W is friedman over the "
        "data sets as blocks."
    )


@words(ANY, "note", "numbers_of")
def _on_data_sets(note: Note) -> str:
    """A note of single data sets; `datasets` is empty where all have it."""
    where = f"On {listed(note.datasets, 5)}: " if note.datasets else ""
    other = f" (The numbers are those of '{note.numbers_of}'.)" if note.numbers_of else ""
    return where + say(note.note) + other


# -- subgroups ------------------------------------------------------------------------------


def subgroups_heading(
    measure: str, higher_is_better: bool, sizes: Mapping[str, int], procedure: str, test: str
) -> str:
    """The measure, the groups and the tests."""
    groups = ", ".join(f"{name}: {size}" for name, size in sizes.items())
    return (
        f"{_measured(measure, higher_is_better)} in subgroups of data sets ({groups}): "
        f"{procedure} within, {test} between them, Holm over all tests"
    )


def subgroups_statement(statement: str, declared: bool | str) -> str:
    """What the tests are about, and whether the subgroups were declared before."""
    if not declared:
        return f"{EXPLORATORY} {statement}"
    where = f" ({declared})" if isinstance(declared, str) else ""
    return f"{statement} The subgroups were declared before the scores were seen{where}."


@words("multiplicity", "tests")
def _multiplicity_of_subgroups(note: Note) -> str:
    return (
        f"All {note.tests} tests, of every pair within every subgroup and between them, are "
        "reported and adjusted together by Holm; intervals hold for all of them at once."
    )


@words("interaction")
def _interaction(_: Note) -> str:
    return (
        "That a difference is significant in one subgroup and not in another does not show that "
        "the two differ: the second table does."
    )


@words("exploratory")
def _exploratory_subgroups(_: Note) -> str:
    return "Subgroups that were chosen after the fact fish for differences."


@words("no-subgroup")
def _no_subgroup(note: Note) -> str:
    return f"In no subgroup, and not used: {listed(note.datasets, len(note.datasets))}."


@words("small-subgroup", "groups")
def _untested_subgroups(note: Note) -> str:
    return (
        "Fewer than 2 data sets with all scores, so not in the test between subgroups: "
        f"{', '.join(note.groups)}."
    )


@words("small-subgroup", "test")
def _small_subgroups(note: Note) -> str:
    if note.test == "welch":
        return (
            "Welch's test errs too often where a subgroup is very small (6 % with 3 data sets "
            "against 9, 12 % with 2 against 20, at 5 %); test=permutation does not."
        )
    return f"A subgroup is very small for the test '{note.test}'; test=permutation copes with that."


@words(ANY, "note", "group")
def _within_subgroup(note: Note) -> str:
    """A note of one subgroup."""
    return f"Within '{note.group}': {say(note.note)}"


@words("not-computed", "group")
def _subgroup_not_computed(note: Note) -> str:
    return f"Within '{note.group}': {note.reason}"


# -- characteristics ------------------------------------------------------------------------


def explained_heading(
    measure: str, higher_is_better: bool, datasets: int, coefficients: int, *, wins: bool
) -> str:
    """The measure and the model."""
    if wins:
        return (
            f"{_measured(measure, higher_is_better)}: log-odds that the first is better than the "
            f"second by characteristics of {datasets} data sets, Bradley-Terry with errors by data "
            f"sets, Holm over all {coefficients} coefficients"
        )
    return (
        f"{_measured(measure, higher_is_better)}: first less second by characteristics of "
        f"{datasets} data sets, least squares with HC3 standard errors, Holm over "
        f"all {coefficients} coefficients"
    )


MOST_GAINS = 6


@words("gains", "found")
def _gains(note: Note) -> str:
    each = [
        f"{first} gains on {second} {'as' if number else 'where'} {term}{' grows' * number}"
        for first, second, term, number in note.found
    ]
    more = len(each) - MOST_GAINS
    rest = f"; and {more} more" if more > 0 else ""
    return f"Shown: {'; '.join(each[:MOST_GAINS])}{rest}."


@words("multiplicity", "coefficients")
def _multiplicity_of_coefficients(note: Note) -> str:
    return (
        f"All {note.coefficients} coefficients of all pairs are reported and adjusted together by "
        "Holm; characteristics that were tried and not reported would not be."
    )


@words("observational")
def _observational(_: Note) -> str:
    return (
        "Characteristics were not assigned to data sets at random: an effect may be that of "
        "something else that goes along with them."
    )


@words("logarithms")
def _logarithms(note: Note) -> str:
    return f"Natural logarithms were taken of: {listed(note.terms)}."


@words("collinear")
def _collinear(note: Note) -> str:
    return (
        "Nearly determined by the others, so that their effects are hard to tell apart: "
        f"{listed(note.terms)} (variance inflation above {note.inflation:g})."
    )


@words("no-variation", "unjudged")
def _without_error(note: Note) -> str:
    names = listed([f"{a} and {b}" for a, b in note.unjudged], 5)
    return f"There is no error to judge the difference of {names} by."


@words("few-data-sets", "coefficients")
def _few_data_sets(note: Note) -> str:
    if note.wins:
        return f"{note.datasets} data sets are few: only large effects show."
    return (
        f"{note.datasets} data sets are few: only large effects show, and where differences vary "
        "much more on some than on others tests err a little too often (up to 8 % at 5 %)."
    )


@words("no-characteristics")
def _no_characteristics(note: Note) -> str:
    names = listed(note.datasets, len(note.datasets))
    return f"Left out, as a characteristic is missing: {names}."


@words("influential")
def _influential(note: Note) -> str:
    return f"A model hangs on single data sets: {listed(note.datasets)}."


@words("incomplete-blocks", "left_out")
def _incomplete(note: Note) -> str:
    names = listed(note.left_out, len(note.left_out))
    return f"Left out, as an algorithm has no score there: {names}."
