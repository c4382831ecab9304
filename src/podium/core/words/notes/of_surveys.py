"""What is said of many data sets and of boards of many models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from podium.core.base.formatting import listed, number
from podium.core.words.facts import ANY, Note, say, sentences, words
from podium.core.words.phrases import counted, is_are, joined, p_text, quoted

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


MOST_NAMED = 4  # algorithms in a sentence, or data sets
LEVELS = ((0.3, "weakly"), (0.7, "in part"), (1.01, "largely"))  # below which W agreement is so


def best_means(table: pd.DataFrame) -> str:
    """On how many data sets the mean of each is best; of a few, on which."""
    if len(table) <= MOST_NAMED:
        where: dict[str, list[str]] = {}
        for row in table.itertuples():
            where.setdefault(str(row.best_mean), []).append(str(row.dataset))
        (first, on), *others = where.items()
        rest_of = (f"{name} on {joined(at)}" for name, at in others)
        return ", ".join([f"{first} has the best mean on {joined(on)}", *rest_of])
    (most, times), *fewer = Counter(map(str, table["best_mean"])).most_common()
    texts = [f"{most} has the best mean on {counted(times, 'data set')}"]
    texts += [f"{name} on {n}" for name, n in fewer[: MOST_NAMED - 1]]
    if rest := fewer[MOST_NAMED - 1 :]:
        texts.append(f"{len(rest)} more on {sum(n for _, n in rest)}")
    return ", ".join(texts)


def agreement(w: float) -> str:
    """Kendall's W in a word and as a number."""
    word = next(word for limit, word in LEVELS if w < limit)
    return f"{word} (Kendall's W {number(w, 2)}; 0 none, 1 full)"


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


SENTENCES = {
    "multiplicity": "All {tests} tests, of every pair within every subgroup and between them, "
    "are reported and adjusted together by Holm; intervals hold for all of them at once.",
    "exploratory": "Subgroups that were chosen after the fact fish for differences.",
    "not-computed": "Within '{group}': {reason}",
    # the order on every data set
    "uncompared": "Not all pairs were compared; those that were not add nothing to distances and "
    "have no vote in the consensus.",
    "agreement": "Kendall's W ranks the mean scores of each data set, however uncertain they "
    "are; the distances are between orders by tests. The test that belongs to W is friedman over "
    "the data sets.",
    # subgroups
    "interaction": "That a difference is significant in one subgroup and not in another does not "
    "show that the two differ: the second table does.",
    # characteristics
    "observational": "Characteristics were not assigned to data sets at random: an effect may be "
    "that of something else that goes along with them.",
    "logarithms": "Natural logarithms are used of: {terms:listed}.",
    "collinear": "Nearly determined by the others, so their effects are hard to separate: "
    "{terms:listed} (variance inflation above {inflation:g}).",
    "influential": "A model depends on single data sets: {datasets:listed}.",
    # words on boards of many models
    "stratum": "Of the stratum {stratum:quoted} alone.",
    "strata-never-vary": "No test of strata: answers never vary.",
    "few-in-strata": "The smallest stratum has {items:counted item}: the test is approximate.",
    # pictures
    "plot-podiums": "Cells: ranks, in the light colour of the algorithm. Bars: mean {measure}, "
    "from {low} to {high}. Black borders: neighbours differ significantly.",
    "plot-best-models": "The {shown} best of {of} models are shown.",
}
sentences(SENTENCES)


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
        f"{_measured(measure, higher_is_better)}: first − second by characteristics of "
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


@words("incomplete-blocks", "left_out")
def _incomplete(note: Note) -> str:
    names = listed(note.left_out, len(note.left_out))
    return f"Left out, as an algorithm has no score there: {names}."


# -- words on boards of many models ---------------------------------------------------------------
# Strata of items, items themselves, models that are alike.


def strata_heading(strata: Any) -> str:
    """What came of the test of interaction, in a sentence."""
    count = counted(len(strata.strata), "stratum", "strata")
    overall = strata.overall
    if overall is None:
        return f"{strata.measure} by stratum: {count}."
    f, (df, rest) = overall.statistic, overall.df
    depends = overall.p <= strata.alpha
    text = (
        "differences between the algorithms depend on the stratum"
        if depends
        else "that differences between the algorithms depend on the stratum is not shown"
    )
    return (
        f"{strata.measure} in {count}: {text} (Welch's F {f:.3g}, df {df:g} and {rest:.3g}, "
        f"{p_text(overall.p)})."
    )


@words("small-strata", "strata", "least")
def _small(n: Note) -> str:
    names = joined([quoted(name) for name in n.strata])
    return (
        f"Fewer than {n.least} items that all algorithms have are in {names}, which the test of "
        "interaction leaves out."
    )


def items_heading(result: Any) -> str:
    """What the items and models are like, in a sentence or two."""
    items = result.items
    none, every = len(result.unsolved), len(result.solved)
    text = f"{counted(len(items), 'item')} of {counted(int(items['models'].max()), 'model')}"
    if items["solved"].notna().any():
        text += (
            f": {counted(none, 'item')} that no model solves and {every or 'none'} that every "
            "model solves tell nothing of differences"
        )
    if against := result.against:
        unlikely = joined([quoted(name) for name in against])
        text += (
            f"; weaker models solve {unlikely} rather than stronger ones: is the answer key right?"
        )
    twins = len(result.twins)
    text += "" if text.endswith("?") else "."
    if twins:
        text += f" {counted(twins, 'pair')} of models differ on far fewer items than by chance."
    return text


@words("no-item-model", "models", "least", "binary")
def _no_item_model(n: Note) -> str:
    if not n.binary:
        return "Difficulty and discrimination are of right and wrong answers; these are scores."
    return (
        f"No response model of {counted(n.models, 'model')}: below {n.least} how telling an item "
        "is cannot be known from it; 'item rest' is its correlation with the other items."
    )


# -- pictures -------------------------------------------------------------------------------------

MOST_BEST = 3  # names of a title


def same_corner(region: float) -> str:
    """The corner of the triangle for no difference that matters."""
    return f"practically the same (within ±{region:g})" if region else "practically the same"


def corner(name: str, *, better: bool = False) -> str:
    """What a corner of the triangle says: one alone is named."""
    if name:
        return f"{name} is better"
    return "the first is better" if better else "the second is better"


def own_label(measure: str, level: str | None) -> str:
    """The axis of scores."""
    return measure if level is None else f"{measure}, own {level} interval"


def best_title(best: Sequence[str], algorithms: int, measure: str = "") -> str:
    """Who could be best, above a picture.

    >>> best_title(["svm"], 5, "error"), best_title(["svm", "knn"], 2, "error")
    ('svm is best in error', 'No significant difference in error')
    """
    where = f" in {measure}" if measure else ""
    if len(best) == algorithms > 1:
        return f"No significant difference{where}"
    if not best or len(best) > MOST_BEST:
        return f"{len(best)} of {algorithms} could be best{where}"
    return f"{joined(list(best), word='or')} is best{where}"


def places_label(c: Any) -> str:
    """The axis of places, and what the colour of those in front means."""
    text = "possible ranks"
    return f"{text}\nblue: could be best ({100 * (1 - c.alpha):g} %)" if c.lead else text


def simplex_title(c: Any) -> str:
    """Of the triangle: the likeliest verdict about one pair; of several none."""
    if len(c.table) != 1:
        return ""
    row = c.table.iloc[0]
    better = {"win": row["first"], "lose": row["second"]}
    chance = max(("win", "same", "lose"), key=lambda name: row[name])
    if chance == "same":
        return f"Practically the same in {c.measure} (probability {row[chance]:.2f})"
    return f"{better[chance]} is better in {c.measure} with probability {row[chance]:.2f}"


# -- pages ----------------------------------------------------------------------------------------

SCORES_BY_STRATUM = "Scores by stratum, with intervals of their own"
INTERACTION = "Does a score, less the mean of all algorithms, depend on the stratum? (Welch, Holm)"


# -- recommending -------------------------------------------------------------------------------
# What is said of whom to take where, and of what that is worth.


def rule_text(column: str, threshold: float) -> tuple[str, str]:
    """The two sides of a question."""
    return f"{column} ≤ {number(threshold)}", f"{column} > {number(threshold)}"


def recommendation_lines(
    best: str,
    helps: bool,
    regrets: tuple[float, float],
    interval: tuple[float, float],
    p: float,
    measure: str,
    datasets: int,
    groups: int,
) -> list[str]:
    """Whether a recommendation helps, first of all."""
    text = (
        f"on {counted(datasets, 'data set')}, each left out in turn, the mean regret is "
        f"{number(regrets[0])} of {measure} against {number(regrets[1])} of always taking the "
        f"overall best (it saves from {number(interval[0])} to {number(interval[1])}, {p_text(p)} "
        "one-sided)"
    )
    if helps:
        return [f"Recommending by characteristics helps: {text}. Without them take {best}."]
    texts = [
        f"Take {best} everywhere: recommending by characteristics is not shown to help: {text}."
    ]
    if groups > 1:
        texts.append("The groups below describe these data sets, and predict no others.")
    return texts


def taken_line(name: str, taken: str, helps: bool, unknown: Sequence[str]) -> str:
    """Whom to take on a new data set."""
    why = "by its characteristics" if helps else "the overall best, as nothing better is shown"
    if unknown:
        why = f"{joined(unknown)} {is_are(len(unknown))} unknown: as at the median"
    return f"{name}: take {taken} ({why})."


sentences(
    {
        "regret-of-few": "The scales of the data sets do not mix, so that few of them make the "
        "regret: --scale ranks (scale='ranks') counts all alike.",
    }
)
