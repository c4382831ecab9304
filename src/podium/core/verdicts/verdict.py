"""The verdict: one short sentence from the lead, the next one with the gap, and badges.

Page and terminal say the same. Names are marked, so that they can have the colour of the lead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from podium.core.base.formatting import aligned, number, printable, short
from podium.core.inference.comparing.comparisons import COUNTS, Comparisons
from podium.core.inference.comparing.decision import INCONCLUSIVE, RANKS
from podium.core.orders.order import Order
from podium.core.verdicts.standing import (
    Badge,
    Row,
    Standing,
    gap_text,
    is_sure,
    margin_text,
    measured,
    scored,
    signed,
    superlative,
)
from podium.core.words.phrases import (
    Marked,
    counted,
    is_are,
    joined,
    level,
    marked,
    p_text,
    was_were,
)

MOST_NAMED = 4
ROOM = 76  # letters for all names of a verdict together
SOFT = "comes first"
ROUNDED = 1e-9  # of the reach of its limits: a difference of means that sums leave of none


def verdict(c: Comparisons, standing: Standing | None) -> Marked:
    """Who is best, as far as the data say."""
    if c.is_forced:
        return (("No conclusion: this test is not valid for the design.", False),)
    if len(c.algorithms) < 2:
        return _alone(c)
    if c.extras.sequential is not None and not c.extras.sequential.taken:
        first = (
            f"No look yet: the first needs {c.extras.sequential.looks[0]} finished {c.blocks.noun}."
        )
        return ((first, False),)
    if c.extras.sequential is not None and c.is_race:
        return _raced(c, c.extras.sequential.remaining)
    if standing is None:
        return _contrasts(c)
    if standing.control is not None:
        return _against(c, standing, standing.control)
    if is_probable(c):
        return _probable(c)
    if standing.undecided:
        return _undecided(c)
    if not standing.lead:
        return (("No ranking: the comparisons form a cycle.", False),)
    return (*_doubted(c), *_led(c, standing))


# -- by a posterior -------------------------------------------------------------------------------

SURE = 0.95  # a probability from which on the best one is named without a second
PROBABLE = "{first} is better than {second} with probability {better}"
ROPE = ", practically the same (within ±{rope}) with {same}"


def is_probable(c: Comparisons) -> bool:
    """Whether a posterior tells how likely each is the best."""
    return c.has_posterior and c.extras.standing is not None and c.control is None


def likeliest(c: Comparisons) -> list[tuple[str, float]]:
    """The algorithms by their probability of being the best."""
    assert c.extras.standing is not None
    chances = {
        name: c.extras.standing[name].best for name in c.decision.line
    }  # equals in its order
    return sorted(chances.items(), key=lambda each: -each[1])


def probability(value: float) -> str:
    """A probability with two digits, never 1 or 0 where it is not.

    >>> probability(0.6184), probability(0.9999), probability(0.0001)
    ('0.62', '>0.99', '<0.01')
    """
    return ">0.99" if 0.995 <= value < 1 else "<0.01" if 0 < value < 0.005 else f"{value:.2f}"


def _probable(c: Comparisons) -> Marked:
    """Who is probably best, and who else could be."""
    (first, one), (second, other) = likeliest(c)[:2]
    name = (printable(short(first, 30)), True)
    if one >= SURE:
        best = superlative(c).best if is_sure(c) else "is best"
        return (name, (f" {best} (probability {probability(one)}).", False))
    likely = "is probably best" if one > 0.5 else "is the likeliest to be best"
    then = (printable(short(second, 30)), True)
    return (name, (f" {likely} ({probability(one)}), then ", False), then,
            (f" ({probability(other)}).", False))  # fmt: skip


def pair_chances(c: Comparisons, first: str, second: str) -> tuple[float, float] | None:
    """That the first of two is better, and that both are practically the same."""
    t = c.table
    for one, other, win in ((first, second, "win"), (second, first, "lose")):
        row = t[(t["first"] == one) & (t["second"] == other)]
        if len(row):
            return float(row[win].iloc[0]), float(row["same"].iloc[0])
    return None


def _probable_sentence(c: Comparisons) -> str:
    """The probabilities of the likeliest two."""
    (first, _), (second, _) = likeliest(c)[:2]
    chances = pair_chances(c, first, second)
    if chances is None:
        return ""
    a, b = printable(short(first, 30)), printable(short(second, 30))
    text = PROBABLE.format(first=a, second=b, better=probability(chances[0]))
    if c.relevance:
        text += ROPE.format(rope=margin_text(c), same=probability(chances[1]))
    return f"{text}."


def _doubted(c: Comparisons) -> Marked:
    """What may explain a difference by itself, said before the claim."""
    if any(note.code == "drift" for note in c.warnings):
        return (("Scores drift with the order of the runs; if that is not all, ", False),)
    if c.extras.sequential is not None and not c.extras.sequential.over:
        return (("So far ", False),)  # further looks may follow
    return ()


def _raced(c: Comparisons, names: Sequence[str]) -> Marked:
    """Of a race: who is left, and nothing about the order of the others."""
    sure, k, best = f"{level(c.alpha)} confidence", len(c.algorithms), superlative(c).best
    if len(names) == k:
        return ((f"No algorithm is dropped: the best is still among all {k}.", False),)
    if len(names) == 1:
        return (*_marked(names, "and"), (f" {best} ({sure}).", False))
    if len(names) <= MOST_NAMED:
        end = f" {best} ({sure}); the data cannot tell which."
        return (*_marked(names, "or"), (end, False))
    return ((f"{len(names)} of {k}", True), (f" could be best ({sure}).", False))


def _led(c: Comparisons, standing: Standing) -> Marked:
    """Some are behind: the sentence goes by how many are not."""
    count, k = len(standing.lead), len(standing.rows)
    if count == 1:
        return _one(c, standing)
    if (family := _family(c, standing.lead)) and not _alike(c, standing.lead):
        verb = superlative(c).best if standing.sure else SOFT
        end = f" variants {verb}; the data cannot tell which{_but(c)}.{_odd(c)}"
        return ((f"One of {count:,} ", False), (family, True), (end, False))
    if count <= MOST_NAMED and len(set(_fitted(standing.lead))) == count:
        if _alike(c, standing.lead):
            apart = f" are best, no two more than {margin_text(c)} apart.{_behind(standing)}"
            return (*_marked(standing.lead, "and"), (apart, False))
        verb = superlative(c).best if standing.sure else SOFT
        end = f" {verb}; the data cannot tell which{_but(c)}.{_odd(c)}"
        return (*_marked(standing.lead, "or"), (end, False))
    may = "could be best" if standing.sure else "could come first"
    front = _marked(standing.lead[:1], "and")
    return ((f"{count:,} of {k:,}", True), (f" {may}, with ", False), *front, (" ahead.", False))


def family_of(name: str) -> str:
    """The name up to a bracket, by which variants of one method are known."""
    return name.partition(" (")[0].strip()


def _family(c: Comparisons, lead: Sequence[str]) -> str:
    """The family that all in the lead are of, where others are of other families."""
    families = {family_of(name) for name in lead}
    others = {family_of(name) for name in c.algorithms} - families
    variants = all(family_of(name) != name.strip() for name in lead)
    return (
        printable(short(families.pop(), 40)) if len(families) == 1 and others and variants else ""
    )


def _but(c: Comparisons) -> str:
    """Who has the best mean, where ranks put others before it."""
    best = c.best_mean
    if best is None or best in (c.decision.lead or ()):
        return ""
    return f", but {printable(short(best, 24))} has the better mean"


def _odd(c: Comparisons) -> str:
    """Verdicts that do not add up: of three, the first beats the second and this the third."""
    broken = c.decision.intransitive
    if not broken:
        return ""
    a, b, d = (printable(short(name, 20)) for name in broken[0])
    more = f" (and {len(broken) - 1} more such)" if len(broken) > 1 else ""
    return f" Oddly, {a} beats {b} and {b} beats {d}, but {a} and {d} are inconclusive{more}."


def _alike(c: Comparisons, names: Sequence[str]) -> bool:
    """Whether no two of these differ by more than what matters."""
    inside = c.table[c.table["first"].isin(names) & c.table["second"].isin(names)]
    return bool(len(inside)) and bool((inside["verdict"] == "equivalent").all())


def _one(c: Comparisons, standing: Standing) -> Marked:
    """One is ahead of all others."""
    by = c.quantity.name_lead(measured(c, 36))
    best = superlative(c).best if standing.sure else f"{SOFT} by {by}"
    end = "; the full ranking is settled" if c.decision.is_settled else ""
    return (*_marked(standing.lead, "and"), (f" {best}{_but(c)}{end}.{_odd(c)}", False))


def _behind(standing: Standing) -> str:
    names = standing.behind
    if len(names) <= 2 and sum(map(len, names)) <= 24:
        return f" {joined(names)} {is_are(len(names))} worse."
    return f" {len(names)} {is_are(len(names))} worse."


def _undecided(c: Comparisons) -> Marked:
    if set(c.table["verdict"]) == {"equivalent"}:
        text = f"All {len(c.algorithms)} are equivalent within {margin_text(c)}."
        return ((text, False),)
    if set(c.table["verdict"]) & {"equivalent", "non-inferior", "non-superior"}:
        return _within(c)
    if c.relevance > 0:
        return ((f"No two are shown to differ by more than {margin_text(c)}.", False),)
    if c.relevance < 0:
        return ((f"No algorithm is shown to be not worse by {margin_text(c)} or more.", False),)
    few = next((n for n in c.warnings if n.code == "too-few-data-sets"), None)
    if few is not None:
        return ((f"No conclusion: {counted(few.datasets, 'data set')} are too few.", False),)
    rare = next((n for n in c.warnings if n.code == "few-of-a-class"), None)
    if rare is not None:
        held = counted(rare.rarest, "cluster" if rare.clusters else "item")
        text = f"No conclusion: {held} of the rarest class {is_are(rare.rarest)} too few."
        return ((text, False),)
    return ((f"No significant difference in {superlative(c).difference}.", False),)


def _within(c: Comparisons) -> Marked:
    """Nobody is better, but of some it is shown that they are not worse, or differ by little."""
    shown = ~c.table["verdict"].isin(INCONCLUSIVE)
    margin = f"{abs(c.relevance):g}"
    if len(c.table) == 1:
        row = c.table.iloc[0]
        a, b = (printable(short(str(row[end]), 30)) for end in ("first", "second"))
        than = "worse" if row["verdict"] == "non-inferior" else "better"
        return ((f"{a} is not {than} than {b} by {margin} or more.", False),)
    text = f"No one is better; {int(shown.sum())} of {len(c.table)} are within {margin}."
    return ((text, False),)


def _against(c: Comparisons, standing: Standing, control: str) -> Marked:
    """How many beat the reference, or are shown not to be worse, and how many are worse."""
    shown = int((~c.table["verdict"].isin(("better", "worse", *INCONCLUSIVE))).sum())
    if standing.undecided and shown:
        return _margin_of(c, shown, control)
    count = {badge: sum(row.badge is badge for row in standing.rows) for badge in Badge}
    beat, behind, open_ = count[Badge.BEATS], count[Badge.BEHIND], count[Badge.OPEN]
    total = len(standing.rows) - 1
    parts = [f" {'beats' if beat == 1 else 'beat'} "] if beat else []
    name = printable(short(control, 30))
    if not beat and not behind:
        if c.relevance < 0:
            than = "worse" if c.asks_inferiority else "better"
            text = f"None of {total} is shown to be not {than} than {name} by {margin_text(c)}."
            return ((text, False),)
        margin = f" by {c.relevance:g}" if c.relevance else ""
        return ((f"None of {total} is significantly different from {name}{margin}.", False),)
    rest = [f"{behind} {is_are(behind)} worse{'' if beat else ' than ' + name}"] if behind else []
    rest += [f"{open_} {is_are(open_)} not significantly different"] if open_ else []
    end = ("; " if beat and rest else "") + "; ".join(rest) + "."
    first = [(f"{beat} of {total}", True), (parts[0] + name, False)] if beat else []
    return (*first, (end if beat or not rest else end[0].upper() + end[1:], False))


def _margin_of(c: Comparisons, shown: int, control: str) -> Marked:
    """How many are shown to be equivalent to the reference, or not worse, by the margin."""
    words = {"equivalent": "equivalent to", "non-inferior": "not worse than",
             "non-superior": "not better than"}  # fmt: skip
    word = next(words[v] for v in c.table["verdict"] if v in words)
    name, margin = printable(short(control, 30)), f"{abs(c.relevance):g}"
    by = f"within {margin}" if word.startswith("equi") else f"by {margin} or more"
    text = f" {is_are(shown)} {word} {name} {by}."
    return ((f"{shown} of {len(c.table)}", True), (text, False))


def _alone(c: Comparisons) -> Marked:
    name = c.algorithms[0]
    mean = number(c.means[name], 4)
    limits = ""
    if c.interval is not None:
        ends = [float(c.interval.lower), float(c.interval.upper)]
        wide = (ends[1] - ends[0]) / 2
        if wide > 0:
            mean, low, high = aligned([c.means[name], *ends], wide, 2)
            limits = f" ({low} to {high})"
    return (
        (printable(short(name, 30)), True),
        (f": mean {measured(c, 30)} {mean}{limits}.", False),
    )


def _contrasts(c: Comparisons) -> Marked:
    decided = c.decision.significant
    return ((f"{decided or 'None'} of {counted(len(c.table), 'contrast')} significant.", False),)


def _marked(names: Sequence[str], word: str) -> Marked:
    """Names in a sentence, cut in the middle where they are long."""
    return marked(_fitted(names), word)


def _fitted(names: Sequence[str]) -> list[str]:
    room = max(ROOM // max(len(names), 1), 12)
    return [printable(short(name, room)) for name in names]


MOST_CHAINED = 8  # names of an order in a sentence


def order_or_lead(c: Comparisons, order: Order) -> str:
    """The order or, of very many algorithms, how many come first."""
    if len(order.algorithms) <= MOST_CHAINED or not c.lead:
        return order.text
    return f"{len(c.lead)} of {len(order.algorithms)} could be best"


# -- the second sentence --------------------------------------------------------------------------


def next_sentence(c: Comparisons, standing: Standing | None) -> str:
    """The difference that matters most, and how many comparisons are significant."""
    if standing is None or c.is_forced:
        return ""
    if is_probable(c):
        return _probable_sentence(c)
    if c.is_race:
        return _race_gap(c, standing)
    if c.counts is not None and c.decides == RANKS and standing.pairs == 1:
        return _wins(c, standing)
    if standing.undecided:
        return _widest(c, standing)
    gap = _leading(c, standing)
    return gap if standing.pairs == 1 else f"{gap} {_counted(c, standing)}".strip()


def _wins(c: Comparisons, standing: Standing) -> str:
    """Of two by the sign test: how often one wins, and how far apart their means are."""
    assert c.counts is not None
    row, (won, tied, lost) = c.table.iloc[0], c.counts.iloc[0][list(COUNTS)]
    first, second = str(row["first"]), str(row["second"])
    if tied == won + tied + lost:
        return f"All {counted(tied, 'data set')} are tied."
    whom = first if won >= lost else second
    ties = f", {tied} tied" if tied else ""
    name, of = printable(short(whom, 40)), won + tied + lost
    text = f"{name} wins on {max(won, lost)} of {of} data sets{ties}"
    p = f" ({p_text(float(row['p']))})" if row["p"] == row["p"] else ""
    sign = 1 if whom == first else -1
    size = sign * float(row.get("mean_difference", math.nan))
    if not math.isfinite(size):
        return f"{text}{p}."
    ends = sorted(sign * float(row[end]) for end in ("mean_lower", "mean_upper"))
    turn = 1 if size >= 0 else -1
    ends = ends if turn > 0 else [-ends[1], -ends[0]]
    reach = min((abs(e - abs(size)) for e in ends if math.isfinite(e)), default=abs(size)) or 1.0
    shown, low, high = signed(aligned([abs(size), *ends], reach, 2))
    limits = f" ({low} to {high})" if all(map(math.isfinite, ends)) else ""
    if abs(size) < ROUNDED * reach:
        return f"{text}{p}; their mean {measured(c)} is the same{limits}."
    way = "higher" if turn > 0 else "lower"
    return f"{text}{p}; its mean {measured(c)} is {shown} {way}{limits}."


def _counted(c: Comparisons, standing: Standing) -> str:
    """How many comparisons are significant, and which is not, where it is one."""
    verb = f"{is_are(standing.decided)} significant"
    if c.relevance > 0:
        verb = f"{'differs' if standing.decided == 1 else 'differ'} by more than {margin_text(c)}"
    if c.has_posterior:
        has = "has" if standing.decided == 1 else "have"
        verb = f"{has} a probability of at least {level(c.alpha)}"
    if standing.decided == standing.pairs:
        return f"All {standing.pairs:,} comparisons {verb}."
    text = f"{standing.decided:,} of {standing.pairs:,} comparisons {verb}"
    within = int((c.table["verdict"] == "equivalent").sum())
    if within:
        return f"{text}, {within:,} by no more than that."
    still = c.table[c.table["verdict"].isin(INCONCLUSIVE)]
    if len(still) != 1:
        return f"{text}."
    a, b = (printable(short(str(still[end].iloc[0]), 40)) for end in ("first", "second"))
    return f"{text}; {a} against {b} is inconclusive."


def _race_gap(c: Comparisons, standing: Standing) -> str:
    """How many were ruled out, and by how much the best is ahead of the nearest of them."""
    gone = standing.behind
    if not gone:
        return ""
    text = f"{len(gone)} of {len(standing.rows)} {was_were(len(gone))} ruled out during the race."
    rows = [row for row in standing.rows if row.name in gone and row.lower > 0]
    if not rows:
        return text
    row = min(rows, key=lambda row: row.gap)
    return f"{text} {_beats(c, standing, standing.reference, row)}"


def _beats(c: Comparisons, standing: Standing, first: str, row: Row, whom: str = "") -> str:
    second = whom or printable(short(row.name, 40))
    return (
        f"{printable(short(first, 40))} beats {second} by {gap_text(c, row, scored(c, standing))}."
    )


def _leading(c: Comparisons, standing: Standing) -> str:
    """Of one that is best the difference to the next; of several the largest significant one."""
    whom = standing.reference
    rows = [row for row in standing.rows if row.name != whom and math.isfinite(row.gap)]
    decided = [row for row in rows if whom in row.beaten_by or row.badge is Badge.BEATS]
    if not decided:
        return ""
    if len(standing.lead) == 1 or standing.pairs == 1:
        row = min(decided, key=lambda row: abs(row.gap))
    else:
        row = max(decided, key=lambda row: abs(row.gap))
    if row.badge is Badge.BEATS:
        return _beats(c, standing, row.name, row, printable(short(whom, 40)))
    next_one = len(standing.lead) == 1 and standing.control is None and standing.pairs > 1
    second = f"{printable(short(row.name, 40))}, the runner-up," if next_one else ""
    return _beats(c, standing, whom, row, second)


def _widest(c: Comparisons, standing: Standing) -> str:
    whom = standing.reference
    rows = [
        row for row in standing.rows if row.name != whom and row.gap == row.gap and row.gap != 0
    ]
    if not rows:
        return f"Their {scored(c, standing)} is the same." if standing.pairs == 1 else ""
    row = max(rows, key=lambda row: abs(row.gap))
    first, second = (whom, row.name) if row.gap > 0 else (row.name, whom)
    which = "The difference" if standing.pairs == 1 else "The largest difference"
    pair = " against ".join(printable(short(name, 40)) for name in (first, second))
    return f"{which}, {pair}, is {gap_text(c, row, scored(c, standing))}."
