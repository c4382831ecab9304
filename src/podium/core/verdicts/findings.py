"""What was found, as the paragraph that a paper prints: test, order, differences, their limits."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pandas as pd

from podium.core.base.formatting import number, p_value, printable
from podium.core.inference.bricks.adjustments import STRONGLY
from podium.core.inference.bricks.nulls import LARGEST, OF_PAIR, QUADRATIC
from podium.core.inference.comparing.comparisons import Comparisons, Method
from podium.core.inference.comparing.decision import INCONCLUSIVE
from podium.core.inference.procedures.procedure import Control
from podium.core.orders.order import Order
from podium.core.verdicts.standing import estimated
from podium.core.words.facts import INVALID, PAPER, Note, Overall, words_of
from podium.core.words.phrases import joined, level, sentence, spelled, was_were
from podium.core.words.references import Citations
from podium.core.words.saying import say
from podium.core.words.statements import about, hypothesis

# -- procedure words ------------------------------------------------------------------------------
# Procedures and their bricks in words for a paper; citations go with them.


WEAKLY = (
    "the family-wise error rate in the weak sense only, that is, where all algorithms are equal"
)
NULLS = {  # how p-values were computed: {draws} of them, {paired} within blocks
    "asymptotic": "from the theoretical distribution of the statistics under the null hypothesis, "
    "which holds for nearly normal scores or many units",
    "normal": "from the normal distribution, which holds for many units",
    "corrected": "from the limiting distribution of the statistics with a continuity correction",
    "permutation": "from {draws} random permutations of the algorithms' labels{paired}, the "
    "observed labels counted as one more",
    "exact": "exactly, from all permutations of the algorithms' labels{paired}",
    "mid-p": "from all permutations of the algorithms' labels{paired}, as mid-p-values",
    "bootstrap": "from {draws} bootstrap samples of the blocks",
}
NULL_SOURCES = {"permutation": "Phipson, Smyth (2010)"}


def pairs_words(c: Comparisons) -> str:
    """Which algorithms were compared with each other, as the beginning of a sentence."""
    count, k = len(c.table), len(c.algorithms)
    were = was_were(count)
    if c.has_contrasts:
        return f"{spelled(count, 'contrast')} of the algorithms {were} tested"
    if k == 2:
        return "the two algorithms were compared"
    if control := c.control:
        others = spelled(k - 1, "other algorithm")
        return f"the {others} were compared with {printable(control)}, the control,"
    if count == k * (k - 1) // 2:
        return f"all {count} pairs of algorithms were compared"
    return f"{spelled(count, 'chosen pair')} of algorithms {were} compared"


def procedure_words(method: Method, cite: Citations) -> str:
    """The procedure as a noun phrase, with its sources."""
    procedure = method.procedure
    own = f"a procedure made for this study ({procedure.title})"
    words = own if procedure.reports.own else procedure.in_words
    return words + cite(*(cited.key for cited in procedure.references))


def posterior_words(c: Comparisons) -> str:
    """How a posterior was judged."""
    by = f" by more than {number(c.relevance)}" if c.relevance else ""
    return (
        f"an algorithm was called better{by} than another where the posterior probability of that "
        f"was at least {level(c.alpha)}; intervals are of {level(2 * c.alpha)} of the posterior of "
        f"each pair alone, with {level(1 - c.alpha)} on either side"
    )


def null_words(method: Method, paired: bool, cite: Citations) -> str:
    """How p-values were computed."""
    null = method.null
    within = " within units" if paired else ""
    known = NULLS.get(null.name, f"from the null distribution '{null}'")
    source = NULL_SOURCES.get(null.name)
    return known.format(draws=null.draws, paired=within) + (cite(source) if source else "")


def adjustment_words(c: Comparisons, method: Method, cite: Citations) -> str:
    """How p-values were adjusted for many pairs, and what that controls."""
    if not c.is_adjusted:
        if len(c.table) == 1:
            return "a single comparison needed no adjustment for multiple testing"
        return (
            "p-values were not adjusted for multiple testing, so that the family-wise error rate "
            "was not controlled"
        )
    made = method.adjust
    controls = "" if c.is_forced else _controls(method)
    return (
        f"p-values were adjusted for {spelled(len(c.table), 'comparison')} by {made.words}"
        f"{cite(made.source)}" + (f", which controls {controls}" if controls else "")
    )


def _controls(method: Method) -> str:
    """What is controlled: by the procedure where the adjustment is its own, else by that."""
    of_adjustment = method.adjust.controls
    kind = method.procedure.controls.kind
    if not method.is_own_adjustment or kind is Control.NOTHING:
        return of_adjustment
    if kind is Control.WEAK:
        return WEAKLY
    if kind is Control.ADJUSTMENT:
        return f"{of_adjustment} if the estimate suits the scores" if of_adjustment else ""
    return STRONGLY + ", approximately" * (kind is Control.APPROXIMATE)


def note_words(note: Note) -> str:
    """What was averaged, left out or filled in, for a paper; empty for other notes."""
    known = words_of(note)
    return printable(say(note, PAPER)) if known is not None and known.paper else ""


def hypothesis_words(c: Comparisons, method: Method) -> str:
    """The null hypothesis."""
    if c.has_contrasts:
        margin = f" but for at most {number(c.relevance)}" if c.relevance else ""
        return f"{'the contrast is' if len(c.table) == 1 else 'all contrasts are'} zero{margin}"
    assert c.claim.hypothesis is not None
    of_all = method.procedure.reports.of_all and not c.relevance
    return ("all algorithms have " if of_all else "") + hypothesis(c.claim.hypothesis)


def about_words(c: Comparisons) -> str:
    """What the conclusions are about, and what not."""
    start = "no conclusion may be drawn" if c.is_forced else "the conclusions are"
    return f"{start} about {about(c.claim)}"


def alternative_words(c: Comparisons) -> str:
    """The alternative in words: its direction and the least difference that matters."""
    margin, measure = c.relevance, printable(c.measure)
    if c.alternative == "two-sided":
        return f"a difference of more than {number(margin)}" if margin else "a difference"
    larger = "larger" if c.alternative == "greater" else "smaller"
    smaller = "smaller" if c.alternative == "greater" else "larger"
    first, second = _sides(c)
    if c.has_contrasts:
        limit = margin if c.alternative == "greater" else -margin
        return f"that the contrast of the {measure} is {larger} than {number(limit + 0.0)}"
    if margin < 0:
        return (
            f"that the {measure} of {first} is {smaller} than that of {second} by less than "
            f"{number(-margin)}, or not {smaller} at all"
        )
    by = f" by more than {number(margin)}" if margin else ""
    return f"that the {measure} of {first} is {larger} than that of {second}{by}"


def _sides(c: Comparisons) -> tuple[str, str]:
    """What stands first and second of every pair, in words."""
    if control := c.control:
        return "an algorithm", f"the control {printable(control)}"
    if len(c.table) == 1:
        return printable(c.table["first"].iloc[0]), printable(c.table["second"].iloc[0])
    return "the first algorithm of a pair", "the second"


# -- findings -------------------------------------------------------------------------------------


MOST = 6  # differences that are written out: all of four algorithms
SPOKEN = {"squared": "squared error", "absolute": "absolute error"}  # what is no noun by itself
SIGNS = {
    "≻": "≻: significantly better",
    "≈": "≈: not significantly different",
    "≿": "≿: significantly better in some pairs only",
}
LIKELY = {  # by a posterior
    "≻": "≻: better",
    "≈": "≈: not sure to differ",
    "≿": "≿: better in some pairs only",
}


def how_to_report(comparisons: Comparisons, order: Order | None = None) -> str:
    """One paragraph with the numbers: what was found, what it is about, what must be told.

    Contrasts of one's own have no order.
    """
    return " ".join(sentence(text) for text in _phrases(comparisons, order) if text)


def _phrases(c: Comparisons, order: Order | None) -> Iterator[str]:
    if c.is_forced:
        why = next(w.because for w in c.warnings if w.severity is INVALID)
        yield f"these tests are not valid for this design and are no evidence: {why}."
    if len(c.algorithms) < 2:
        yield _alone(c)
    elif not c.is_race:  # what a race claims is said by its note
        yield from _overall(c)
        yield from _order(c, order)
        c = _arranged(c, order)
        yield _differences(c)
        yield _open(c)
    yield about_words(c)
    yield from (note_words(w) or printable(say(w)) for w in c.warnings if not _is_told(w))


def _is_told(note: Note) -> bool:
    """Whether the methods, or the sentence about the target, say it already."""
    known = words_of(note)
    return known is not None and known.in_methods


def _alone(c: Comparisons) -> str:
    assert c.interval is not None
    name, low, high = c.algorithms[0], c.interval.lower, c.interval.upper
    return (
        f"the mean {printable(c.measure)} of {printable(name)} was {signed(number(c.means[name]))} "
        f"({number(100 * (1 - c.alpha))} % interval {signed(number(low))} to "
        f"{signed(number(high))}, {c.blocks.count} {c.blocks.text})"
    )


# -- numbers ------------------------------------------------------------------------------------


def signed(text: str) -> str:
    """A number with a minus sign instead of a hyphen."""
    return text.replace("-", "−", 1) if text.startswith("-") else text


def p_words(p: float, alpha: float, name: str = "p") -> str:
    """A p-value as papers write it; with more digits where three would hide the decision.

    >>> p_words(1e-9, 0.05), p_words(0.0504, 0.05), p_words(0.2, 0.05)
    ('p < 0.001', 'p = 0.0504', 'p = 0.200')
    """
    text = p_value(p)
    if text.startswith("<"):
        return f"{name} < {text[1:]}"
    if text == "1.000" and p < 1:
        return f"{name} > 0.999"
    digits = 3
    while math.isfinite(p) and (float(text) <= alpha) != (p <= alpha) and digits < 17:
        text, digits = number(p, digits), digits + 1
    return f"{name} = {text}"


def _df(df: float | tuple[float, float] | None) -> list[str]:
    parts = df if isinstance(df, tuple) else () if df is None else (df,)
    return [number(float(d), 4) for d in parts]


def _statistic(c: Comparisons, overall: Overall) -> str:
    """The statistic with its degrees of freedom."""
    df = _df(overall.df)
    value = number(overall.statistic)
    if len(df) == 2:
        return f"F({df[0]}, {df[1]}) = {value}"
    degrees = f", df = {df[0]}" if df else ""
    return f"{_name(c, overall)} = {value}{degrees}"


def _name(c: Comparisons, overall: Overall) -> str:
    limiting = c.judged is not None and c.judged.null.name == "asymptotic"
    if overall.test == QUADRATIC and limiting:
        return "chi-square"
    return "statistic" if overall.test in ("", OF_PAIR) else overall.test


# -- the test of no difference ------------------------------------------------------------------


def _overall(c: Comparisons) -> Iterator[str]:
    result = c.overall
    if result is None or len(c.table) == 1:  # one pair says it itself
        return
    if not math.isfinite(result.p):
        yield "the hypothesis of no difference between the algorithms could not be tested"
        return
    verdict = "was rejected" if result.p <= c.alpha else "was not rejected"
    yield f"the hypothesis {_global(c, result)} {verdict} ({_evidence(c, result)})"


def _of_pairs(overall: Overall) -> bool:
    """Whether it is the most extreme pair that stands for all."""
    return overall.test in (LARGEST, OF_PAIR)


def _global(c: Comparisons, overall: Overall) -> str:
    what = "contrast" if c.has_contrasts else "pair"
    if not _of_pairs(overall):
        return f"of no difference between the {spelled(len(c.algorithms), 'algorithm')}"
    return f"that no {what} differs{_margin(c)}"


def _margin(c: Comparisons) -> str:
    """The least difference that matters, where one was given."""
    return f" by more than {number(c.relevance)}" if c.relevance > 0 else ""


def _evidence(c: Comparisons, overall: Overall) -> str:
    """Statistic and p-value; of pairs in one direction the p-value alone is about that."""
    if _of_pairs(overall) and c.alternative != "two-sided":
        return p_words(overall.p, c.alpha, "smallest adjusted p")
    name = "adjusted p" if _of_pairs(overall) else "p"
    finite = math.isfinite(overall.statistic)
    return ", ".join([*([_statistic(c, overall)] * finite), p_words(overall.p, c.alpha, name)])


# -- the order ----------------------------------------------------------------------------------


def _order(c: Comparisons, order: Order | None) -> Iterator[str]:
    left_out = order is not None and order.uncompared
    if order is None or left_out or c.control or c.relevance < 0 or len(c.algorithms) == 2:
        return  # some pairs were not compared, or not asked who is better: the pairs say it all
    by, way = _margin(c), _way(c)
    known = LIKELY if c.has_posterior else SIGNS
    signs = {sign: text.replace("better", f"better{by}") for sign, text in known.items()}
    words = {**signs, "≈": f"{known['≈']}{by}{way}"}
    used = "; ".join(words[sign] for sign in words if sign in _signs(order))
    yield f"the order of the algorithms, the best first, was {order.text} ({used})"
    for circle in order.cycles:
        yield (
            f"the algorithms {joined(circle)} come before each other around a circle, so that "
            "none of them is the best"
        )


def _signs(order: Order) -> set[str]:
    alike = {"≈"} if any(len(group) > 1 for group in order.groups) else set()
    return alike | set(order.joints)


# -- differences --------------------------------------------------------------------------------


def _arranged(c: Comparisons, order: Order | None) -> Comparisons:
    """With the better algorithm first, where it does not matter which one is."""
    if order is None or c.control or c.alternative != "two-sided":
        return c
    return c.best_first([name for group in order.groups for name in group])


def _differences(c: Comparisons) -> str:
    """The pairs that were decided; the rest of very many as a number."""
    shown, table = c.shown(), c.table
    decided = table.index[~table["verdict"].isin(INCONCLUSIVE)]
    pairs = [_pair(c, table.loc[i], shown.loc[i]) for i in decided[:MOST]]
    more = len(decided) - MOST
    if more > 0:
        pairs.append(f"{spelled(more, 'more pair')} {was_were(more)} decided")
    return f"it was found that {'; that '.join(pairs)}" if pairs else ""


def _pair(c: Comparisons, row: pd.Series, shown: pd.Series) -> str:
    first, second = printable(row["first"]), printable(row["second"])
    least = number(abs(c.relevance))
    surely = "" if c.has_posterior else "significantly "
    words = {
        "better": f"{first} was {surely}better than {second}{_margin(c)}",
        "worse": f"{first} was {surely}worse than {second}{_margin(c)}",
        "equivalent": f"{first} and {second} were equivalent within ±{least}",
        "non-inferior": f"{first} was not inferior to {second} by {least} or more",
        "non-superior": f"{first} was not superior to {second} by {least} or more",
    }[row["verdict"]]
    if not second:
        words = f"the contrast '{first}' {_contrast(c, row['verdict'], least)}"
    return f"{words} ({', '.join(_numbers(c, row, shown))})"


def _contrast(c: Comparisons, verdict: str, least: str) -> str:
    """What was found of a contrast, which is compared with zero."""
    return {
        "equivalent": f"was within ±{least} of zero",
        "non-inferior": f"was not worse than zero by {least} or more",
        "non-superior": f"was not better than zero by {least} or more",
    }.get(verdict, f"differed significantly from zero{_margin(c)}")


def _numbers(c: Comparisons, row: pd.Series, shown: pd.Series) -> Iterator[str]:
    yield f"difference in {_kind_of_difference(c)} {signed(shown['estimate'])}"
    yield from _interval(c, row, shown)
    both_sides = (
        c.alternative == "two-sided" and not c.relevance
    )  # otherwise p is of another statistic
    if both_sides and c.overall and len(c.table) == 1 and len(c.algorithms) == 2:
        yield _statistic(c, c.overall)
    if c.has_posterior:
        chance = {"worse": "lose", "equivalent": "same"}.get(row["verdict"], "win")
        yield f"posterior probability {shown[chance].replace('1.000', 'above 0.999')}"
    elif row["verdict"] == "equivalent":
        yield p_words(row["p_equivalence"], c.alpha, f"{_adjusted(c)} of equivalence")
    elif math.isfinite(row["p_adjusted"]):
        yield p_words(row["p_adjusted"], c.alpha, _adjusted(c))


def _adjusted(c: Comparisons) -> str:
    return "adjusted p" if c.is_adjusted else "p"


def _interval(c: Comparisons, row: pd.Series, shown: pd.Series) -> Iterator[str]:
    same = row["verdict"] == "equivalent" and c.asks_equivalence  # by two one-sided tests
    own = "equivalence_" if same else ""
    ends = {
        n: signed(shown[c.head(own + n)])
        for n in ("lower", "upper")
        if c.head(own + n) in shown and pd.notna(row[own + n])
    }
    either_side = c.has_posterior or same  # alpha lies beyond each end, not half of it
    level = f"{'simultaneous ' * c.is_adjusted}{number(100 * (1 - (1 + either_side) * c.alpha))} %"
    if len(ends) == 2:
        kind = "credible " * c.has_posterior
        yield f"{level} {kind}interval {ends['lower']} to {ends['upper']}"
    for end, value in ends.items() if len(ends) == 1 else ():
        yield f"{level} {end} limit {value}"


def _kind_of_difference(c: Comparisons) -> str:
    """What the difference is in: the mean error, say, or the median one."""
    text = estimated(c, SPOKEN.get(c.measure, ""))
    return text if text.startswith(("mean", "median")) else f"the {text}"


# -- what is left open --------------------------------------------------------------------------


def _open(c: Comparisons) -> str:
    """What was not decided, which is not the same as equal."""
    left = c.table[c.table["verdict"].isin(INCONCLUSIVE)]
    if not len(left):
        return ""
    where = _where(c, left)
    if c.relevance < 0:
        return f"non-{'inferiority' if c.asks_inferiority else 'superiority'} was not shown {where}"
    size = f" of more than {number(c.relevance)}" if c.relevance else ""
    return (
        f"no significant difference{size}{_way(c)} was found {where}, which does not show "
        "that there is none"
    )


def _way(c: Comparisons) -> str:
    return "" if c.alternative == "two-sided" else " in the direction that was tested"


def _where(c: Comparisons, left: pd.DataFrame) -> str:
    """The pairs with their numbers; of very many their number and the smallest p-value."""
    if len(left) > MOST:
        return f"in {spelled(len(left), 'pair')}{_smallest(c, left['p_adjusted'])}"
    shown = c.shown()
    return joined(
        [
            f"{_between(row)} ({', '.join(_numbers(c, row, shown.loc[i]))})"
            for i, row in left.iterrows()
        ]
    )


def _between(row: pd.Series) -> str:
    first, second = printable(row["first"]), printable(row["second"])
    return f"between {first} and {second}" if second else f"of '{first}' from zero"


def _smallest(c: Comparisons, p: pd.Series) -> str:
    known = p.dropna()
    return f" (smallest {p_words(float(known.min()), c.alpha, _adjusted(c))})" if len(known) else ""
