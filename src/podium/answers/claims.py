"""The top of a page in plain words: who is better, by how much, what may be claimed, what not.

The paragraph for a paper is in `findings.py`; this one is for a person who reads nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pandas as pd

from podium.base.formatting import aligned, number
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.comparing.decision import INCONCLUSIVE
from podium.inference.comparing.notes import cautions
from podium.orders.decide import decide as decide_comparisons
from podium.orders.order import Order
from podium.planning.detection import low_power
from podium.reading.dataset_facts import run_notes
from podium.reading.results import Results
from podium.reports.analysis import Evidence
from podium.verdicts.gaps import estimated
from podium.verdicts.legend import legend as signs_meant
from podium.verdicts.procedure_words import alternative_words
from podium.verdicts.verdict import MOST_CHAINED, NO_LEADS, order_or_lead, plain, verdict
from podium.words.facts import DETAIL, Note
from podium.words.phrases import capital, counted, is_are, joined, level
from podium.words.statements import claims

EQUAL = "not told apart (not the same as equal)"  # for those who read nothing else
ROUNDING = 1e-12  # share of a mean: a smaller difference is the computer's
UNITS = ("s", "bytes", "nats")  # that are written behind a number
VERDICTS = (
    (("better", "worse"), "decided"),
    (("equivalent",), "equivalent within {margin:g}"),
    (("non-inferior",), "shown not to be inferior by {margin:g}"),
    (("non-superior",), "shown not to be superior by {margin:g}"),
    (INCONCLUSIVE, "open"),
)


def claim(evidence: Evidence, results: Results) -> str:
    """One paragraph: what was found, how much, how much is open, and what it is about."""
    c, order = evidence.comparisons, evidence.order
    if c.is_forced:
        return (
            "Nothing of this may be claimed: the comparison is not legal for this design and was "
            "computed by force."
        )
    if len(c.algorithms) < 2:
        return " ".join([_alone(c, results), *allowed(c, results)])
    if c.is_race:  # its note says the rest
        return " ".join([plain(verdict(c, None, NO_LEADS)), *allowed(c, results)])
    found = [_who(c, order), _how_much(evidence, results), _open(c), _one_way(c), _beside(c)]
    return " ".join([*filter(None, found), *allowed(c, results)])


def allowed(c: Comparisons, results: Results) -> tuple[str, str]:
    """What may be claimed, and what may not."""
    name = c.dataset or (results.datasets[0] if len(results.datasets) == 1 else "")
    open_ = 0 < c.decision.inconclusive == c.decision.comparisons
    return claims(c.claim, name, found=not open_)


def legend(order: Order, relevance: float = 0.0) -> str:
    """What the signs of an order mean; empty where it has none."""
    return signs_meant(order, relevance, alike=EQUAL)


def _margin(relevance: float) -> str:
    """By how much better, where a difference that matters was said."""
    return f" by more than {relevance:g}" if relevance > 0 else ""


# -- who ----------------------------------------------------------------------------------------


def _alone(c: Comparisons, results: Results) -> str:
    name = c.algorithms[0]
    mean = f"Its mean {c.measure} is {number(c.means[name], 4)}{unit_of(c, results)}"
    if c.interval is not None:
        ends = [float(c.interval.lower), float(c.interval.upper)]
        wide = (ends[1] - ends[0]) / 2
        values = [c.means[name], *ends]
        texts = aligned(values, wide, 2) if wide > 0 else [number(v, 4) for v in values]
        mean = f"Its mean {c.measure} is {texts[0]}{unit_of(c, results)}"
        mean += f" ({level(c.alpha)} interval {texts[1]} to {texts[2]})"
    return f"There is one algorithm, {name}, and nothing to compare it with. {mean}."


def _who(c: Comparisons, order: Order) -> str:
    control = c.control
    if order.cycles:
        return (
            f"No best algorithm can be named: {joined(order.cycles[0])} are better than each other "
            "around a circle."
        )
    if not order.better.any():
        return _nobody(c)
    if len(c.algorithms) == 2:
        return f"{order.groups[0][0]} is better than {order.groups[1][0]}{_margin(c.relevance)}."
    return _best(c, order) if control is None else _against(c, order, control)


def _nobody(c: Comparisons) -> str:
    """No pair is decided, but some may be equivalent or not inferior."""
    verdicts, names, by = list(c.table["verdict"]), joined(c.algorithms), _margin(c.relevance)
    if set(verdicts) == {"equivalent"}:
        return f"{names} perform alike: no two differ by more than {c.relevance:g}."
    if len(c.algorithms) > 2 or not verdicts:
        return f"No winner yet: none of the {len(verdicts)} pairs is decided{by}."
    if verdicts[0] in ("non-inferior", "non-superior"):
        first, second = c.table["first"].iloc[0], c.table["second"].iloc[0]
        return f"{first} is {verdicts[0]} to {second} by a margin of {abs(c.relevance):g}."
    if by:
        return f"Neither of {names} is shown to be better than the other{by}."
    return f"It is open which of {names} is better."


def _best(c: Comparisons, order: Order) -> str:
    """The first layer, and what it is better than."""
    winners, by = order.winners, _margin(c.relevance)
    if len(winners) > 1:
        return (
            f"{joined(winners)} are in the lead: nobody is shown to be better than "
            f"{'either' if len(winners) == 2 else 'any'} of them{by}, and {_among(c, winners)}."
            f"{_idle(order)}"
        )
    better = order.better[order.algorithms.index(winners[0])]
    beaten = [name for name, less in zip(order.algorithms, better, strict=True) if less]
    rest = [name for name in order.algorithms if name not in (*beaten, *winners)]
    if not rest:
        return f"{winners[0]} is better than each of the other {len(beaten)} algorithms{by}."
    return (
        f"{winners[0]} comes first: it is better than {joined(beaten)}{by}, but that it is better "
        f"than {joined(rest, word='or')} is not shown."
    )


def _idle(order: Order) -> str:
    """Those that come first only as nothing is shown of them, often by a wide spread."""
    wins = {name: row.any() for name, row in zip(order.algorithms, order.better, strict=True)}
    idle = [name for name in order.winners if not wins[name]]
    if not idle or len(idle) == len(order.winners):
        return ""
    verb = is_are(len(idle))
    return (
        f" {joined(idle)} {verb} among them only because nothing is shown, not because "
        f"{'it' if len(idle) == 1 else 'they'} {verb} shown to be better than any other."
    )


def _among(c: Comparisons, winners: Sequence[str]) -> str:
    """What is known of several that come first: they are alike, or which is best is open."""
    inside = c.table[c.table["first"].isin(winners) & c.table["second"].isin(winners)]
    if len(inside) and (inside["verdict"] == "equivalent").all():
        return f"no two of them differ by more than {c.relevance:g}"
    return f"which of them is {'better' if len(winners) == 2 else 'best'} is open"


def _against(c: Comparisons, order: Order, control: str) -> str:
    """Who is better than the control, and who is worse."""
    place = order.algorithms.index(control)
    sides = (("better", order.better[:, place]), ("worse", order.better[place]))
    parts = []
    for word, which in sides:
        names = [name for name, yes in zip(order.algorithms, which, strict=True) if yes]
        if names:
            parts.append(
                f"{joined(names)} {is_are(len(names))} {word} than {control}{_margin(c.relevance)}"
            )
    return f"{', and '.join(parts)}."


# -- how much -----------------------------------------------------------------------------------


def _how_much(evidence: Evidence, results: Results) -> str:
    """The size of what was shown; of one open pair, what is compatible with the scores."""
    order, c = evidence.order, evidence.comparisons
    table = c.best_first(c.decision.line).table
    if len(c.algorithms) == 2:
        return _of_two(c, table.iloc[0], results) if len(table) else ""
    shown = table[(table["verdict"] == "better") & table["estimate"].notna()]
    if not len(shown):
        return _observed(c, table, results)
    one = len(order.winners) == 1 and c.control is None
    if one:
        shown = shown[shown["first"] == order.winners[0]]
    size = shown["estimate"].abs()
    least, most = (shown.loc[size.idxmin()], shown.loc[size.idxmax()])
    largest = f"{compared(c, most)} by {amount(c, most, results)}"
    if not one:
        return f"The largest difference that is shown: {largest}."
    if least.name == most.name:
        return f"{capital(largest)}."
    return f"{capital(compared(c, least))} by {amount(c, least, results)}; {largest}."


def _observed(c: Comparisons, table: pd.DataFrame, results: Results) -> str:
    """The largest open difference where none is shown, with what the scores are compatible with."""
    size = table.loc[table["verdict"].isin(INCONCLUSIVE), "estimate"].abs()
    if len(size) and (size == 0).all():
        return f"Their {estimated(c)} is the same."
    if not (size > 0).any() or c.relevance < 0:
        return ""
    row = table.loc[size.idxmax()]
    return f"The widest gap: {compared(c, row)} by {amount(c, row, results)}{_alone_only(c, row)}."


def _alone_only(c: Comparisons, row: pd.Series) -> str:
    """What to think of limits of one pair that exclude zero though the pair is open."""
    excluded = row["lower"] > 0 or row["upper"] < 0
    several = c.is_unadjusted and not c.relevance
    many = f"; judged together with the other {counted(len(c.table) - 1, 'pair')}, it is not shown"
    return many if excluded and several else ""


def _of_two(c: Comparisons, row: pd.Series, results: Results) -> str:
    if row["estimate"] != row["estimate"]:
        return ""
    if abs(row["estimate"]) <= ROUNDING * max(map(abs, c.means.values())):
        return f"Their {estimated(c)} is the same."
    text = f"{capital(compared(c, row))} by {amount(c, row, results)}"
    if row["verdict"] in INCONCLUSIVE and row["lower"] == row["lower"]:
        text += ", and every difference within these limits is compatible with the scores"
    return text + "."


def _open(c: Comparisons) -> str:
    """How many pairs are decided, and that an open one is not an equal one."""
    verdicts, still = c.table["verdict"], c.decision.inconclusive
    if len(verdicts) < 2:
        return "That the pair is open does not show that the two are equal." if still else ""
    total = len(c.algorithms) * (len(c.algorithms) - 1) // 2
    some = "" if len(verdicts) == total else f" that were compared (of {total} that there are)"
    counts = [(int(verdicts.isin(words).sum()), what) for words, what in VERDICTS]
    parts = [
        f"{count or 'none'} {is_are(count or 1)} {what.format(margin=abs(c.relevance))}"
        for count, what in counts
        if count or what in ("decided", "open")
    ]
    equal = " Open does not mean equal." if still else ""
    return f"Of {len(verdicts)} pairs{some}, {joined(parts)}.{equal}"


def _one_way(c: Comparisons) -> str:
    """Of one-sided tests, what alone they can find."""
    if c.alternative == "two-sided":
        return ""
    return f"The tests were one-sided: they can only find {alternative_words(c)}."


def _beside(c: Comparisons) -> str:
    """What ranks say beside a test of means, and among whom the best is."""
    if c.extras.companion is None:
        return ""
    found = decide_comparisons(c.extras.companion)
    ranks = f"By ranks within blocks the order is {found.text}."
    if len(c.algorithms) > MOST_CHAINED:
        ranks = f"By ranks within blocks {order_or_lead(c.extras.companion, found)}."
    return ranks


# -- notes --------------------------------------------------------------------------------------


def cautionary(evidence: Evidence, results: Results) -> tuple[Note, ...]:
    """What a reader must know before anything else, with codes."""
    c, made = evidence.comparisons, evidence.layout
    said = [note for note in c.warnings if note.severity is not DETAIL]
    if made is not None:
        said += [*cautions(made), *low_power(made, c)]
    told = {note.code for note in said}
    runs = [note for note in failures(results) if note.code not in told]
    return tuple(dict.fromkeys([*said, *runs]))


def failures(results: Results) -> Iterator[Note]:
    """Runs that failed or are missing; those of a study that stopped were not needed."""
    yield from run_notes(results, missing=results.stopping is None)


# -- a difference ---------------------------------------------------------------------------------


def compared(c: Comparisons, row: pd.Series) -> str:
    """What is compared, as in 'the mean error of svm is lower than that of lda'."""
    way = "higher" if row["estimate"] > 0 else "lower"
    return f"the {estimated(c)} of {row['first']} is {way} than that of {row['second']}"


def amount(c: Comparisons, row: pd.Series, results: Results) -> str:
    """The size of a difference with its interval, in the measure's unit.

    Numbers are as exact as the interval is wide. The interval is turned with the difference, so
    that a negative end means the other direction.
    """
    size, low, high = abs(float(row["estimate"])), float(row["lower"]), float(row["upper"])
    if row["estimate"] < 0:
        low, high = -high, -low
    texts = aligned([size, low, high], _exact_to(size, low, high), digits=2)
    value = texts[0] + unit_of(c, results)
    if not math.isfinite(low) and not math.isfinite(high):
        return value
    alone = c.is_unadjusted
    name = f"{level(c.alpha)} interval{' of this pair alone' if alone else ''}"
    if not math.isfinite(low):
        return f"{value} ({name}: at most {texts[2]})"
    if not math.isfinite(high):
        return f"{value} ({name}: at least {texts[1]})"
    return f"{value} ({name}{',' * alone} {texts[1]} to {texts[2]})"


def _exact_to(size: float, low: float, high: float) -> float:
    """Half the interval, or the distance to its one end, or the difference itself."""
    reach = [abs(end - size) for end in (low, high) if math.isfinite(end) and end != size]
    if reach:
        return min(reach)
    return size if size > 0 else 1.0


def unit_of(c: Comparisons, results: Results) -> str:
    """The unit behind a number, where the measure has one that is written so."""
    if c.judged is not None and c.judged.procedure.reports.unit:
        return ""
    measure = results.measures.get(c.measure)
    return f" {measure.unit}" if measure is not None and measure.unit in UNITS else ""
