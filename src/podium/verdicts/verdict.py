"""The verdict: one short sentence from the lead, the next one with the gap, and badges.

Page and terminal say the same. Names are marked, so that they can have the colour of the lead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from podium.base.formatting import aligned, number, printable, short
from podium.inference.comparing.comparisons import Comparisons
from podium.inference.comparing.decision import INCONCLUSIVE
from podium.orders.order import Order
from podium.verdicts.gaps import gap_text, measured, numbers_of, scored, superlative
from podium.verdicts.standing import Badge, Standing, is_sure
from podium.words.phrases import counted, is_are, joined, level, was_were

Marked = tuple[tuple[str, bool], ...]  # texts, and whether each is a name of the lead
LONGEST = 120  # letters of a verdict
MOST_NAMED = 4
ROOM = 62  # letters for all names of a verdict together
SOFT = "comes first"
NO_LEADS: Mapping[str, Standing] = MappingProxyType({})


def plain(text: Marked) -> str:
    """Without the marks."""
    return "".join(part for part, _ in text)


def verdict(c: Comparisons, found: Standing | None, leads: Mapping[str, Standing]) -> Marked:
    """Who is best, as far as the data say; `leads` are those of single data sets."""
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
    if found is None:
        return _contrasts(c)
    if found.control is not None:
        return _against(c, found, found.control)
    if found.undecided:
        return _undecided(c, found, leads)
    if not found.lead:
        return (("No ranking: the comparisons form a cycle.", False),)
    return (*_doubted(c), *_led(c, found))


def _doubted(c: Comparisons) -> Marked:
    """What may explain a difference by itself, said before the claim."""
    if any(note.code == "drift" for note in c.warnings):
        return (("Scores drift with the order of the runs; if that is not all, ", False),)
    return ()


def _raced(c: Comparisons, names: Sequence[str]) -> Marked:
    """Of a race: who is left, and nothing about the order of the others."""
    sure, k = f"With {level(c.alpha)} confidence", len(c.algorithms)
    if len(names) == k:
        return ((f"No algorithm is dropped: the best is still among all {k}.", False),)
    if len(names) == 1:
        return ((f"{sure} the best of the {k} is ", False), *_named(names, "and"), (".", False))
    if len(names) <= MOST_NAMED:
        said = (f"{sure} the best of the {k} is among ", False)
        return (said, *_named(names, "and"), (".", False))
    return ((f"{sure} the best is among ", False), (f"{len(names)} of {k}", True), (".", False))


def _led(c: Comparisons, found: Standing) -> Marked:
    """Some are behind: the sentence goes by how many are not."""
    count, k = len(found.lead), len(found.rows)
    if count == 1:
        return _one(c, found)
    if count <= MOST_NAMED and len(set(_fitted(found.lead))) == count:
        if _alike(c, found.lead):
            apart = f" lead, no two more than {c.relevance:g} apart.{_behind(found)}"
            return (*_named(found.lead, "and"), (apart, False))
        verb = superlative(c).best if found.sure else SOFT
        end = f" {verb}; the data cannot tell which{_but(c)}.{_odd(c)}"
        return (*_named(found.lead, "or"), (end, False))
    may = "could be best" if found.sure else "could come first"
    front = _named(found.lead[:1], "and")
    return ((f"{count} of {k}", True), (f" {may}, with ", False), *front, (" ahead.", False))


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


def _one(c: Comparisons, found: Standing) -> Marked:
    """One is ahead of all others."""
    best = superlative(c).best if found.sure else f"{SOFT} by {measured(c, 36)}"
    end = "; the full ranking is settled" if c.decision.is_settled else ""
    return (*_named(found.lead, "and"), (f" {best}{_but(c)}{end}.{_odd(c)}", False))


def _behind(found: Standing) -> str:
    names = found.behind
    if len(names) <= 2 and sum(map(len, names)) <= 24:
        return f" {joined(names)} {is_are(len(names))} behind."
    return f" {len(names)} {is_are(len(names))} behind."


def _undecided(c: Comparisons, found: Standing, leads: Mapping[str, Standing]) -> Marked:
    if set(c.table["verdict"]) == {"equivalent"}:
        text = f"All alike: no two of {len(c.algorithms)} differ by more than {c.relevance:g}."
        return ((text, False),)
    if set(c.table["verdict"]) & {"equivalent", "non-inferior", "non-superior"}:
        return _within(c)
    if tells_each(leads):
        return _each(leads)
    if c.relevance > 0:
        return ((f"No two are shown to differ by more than {c.relevance:g}.", False),)
    if c.relevance < 0:
        return ((f"Nobody is shown to be not worse by {-c.relevance:g} or more.", False),)
    few = next((n for n in c.warnings if n.code == "too-few-data-sets"), None)
    if few is not None:
        return ((f"No conclusion: {counted(few.datasets, 'data set')} are too few.", False),)
    return ((f"No significant difference in {superlative(c).difference}.", False),)


def _within(c: Comparisons) -> Marked:
    """Nobody is better, but of some it is shown that they are not worse, or differ by little."""
    shown = ~c.table["verdict"].isin(INCONCLUSIVE)
    margin = f"{abs(c.relevance):g}"
    if len(c.table) == 1:
        row = c.table.iloc[0]
        a, b = (printable(short(str(row[end]), 30)) for end in ("first", "second"))
        if row["verdict"] == "equivalent":
            return ((f"{a} and {b} differ by no more than {margin}.", False),)
        than = "worse" if row["verdict"] == "non-inferior" else "better"
        return ((f"{a} is not {than} than {b} by {margin} or more.", False),)
    text = f"Nobody is better; {int(shown.sum())} of {len(c.table)} pairs lie within {margin}."
    return ((text, False),)


def tells_each(leads: Mapping[str, Standing]) -> bool:
    """Whether single data sets have winners that fit into a verdict."""
    return 0 < len(plain(_each(leads))) <= LONGEST


def _each(leads: Mapping[str, Standing]) -> Marked:
    """Who is best on each of a few data sets, where none is over all of them."""
    if not 2 <= len(leads) <= MOST_NAMED:
        return ()
    where: dict[tuple[str, ...], list[str]] = {}
    for dataset, found in leads.items():
        if found.undecided or not 0 < len(found.lead) <= 2 or not found.sure:
            return ()
        where.setdefault(tuple(found.lead), []).append(printable(short(dataset, 24)))
    if len(where) == 1:
        return _everywhere(next(iter(where)), len(leads))
    said: list[tuple[str, bool]] = [("No overall winner: ", False)]
    for i, (lead, datasets) in enumerate(where.items()):
        end = "." if i == len(where) - 1 else ", "
        text = f"{' is best' * (i == 0)} on {joined(datasets)}{end}"
        said += [*_named(lead, "or"), (text, False)]
    return tuple(said)


def _everywhere(lead: Sequence[str], count: int) -> Marked:
    """The same one on each data set, and too few of them to say so of others."""
    end = f" is best on each of the {count} data sets."
    return (("No overall winner yet, but ", False), *_named(lead, "or"), (end, False))


def _against(c: Comparisons, found: Standing, control: str) -> Marked:
    """How many beat the reference, or are shown not to be worse, and how many are worse."""
    shown = int((~c.table["verdict"].isin(("better", "worse", *INCONCLUSIVE))).sum())
    if found.undecided and shown:
        return _margin_of(c, shown, control)
    count = {badge: sum(row.badge is badge for row in found.rows) for badge in Badge}
    beat, behind, open_ = count[Badge.BEATS], count[Badge.BEHIND], count[Badge.OPEN]
    total = len(found.rows) - 1
    parts = [f" {'beats' if beat == 1 else 'beat'} "] if beat else []
    name = printable(short(control, 30))
    if not beat and not behind:
        margin = "" if not c.relevance else f" by {abs(c.relevance):g}"
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
    measure = printable(short(c.measure, 30))
    return ((printable(short(name, 30)), True), (f": mean {measure} {mean}{limits}.", False))


def _contrasts(c: Comparisons) -> Marked:
    decided = c.decision.significant
    return ((f"{decided or 'None'} of {counted(len(c.table), 'contrast')} decided.", False),)


def _named(names: Sequence[str], word: str) -> Marked:
    """Names in a sentence, cut in the middle where they are long."""
    texts = _fitted(names)
    parts: list[tuple[str, bool]] = []
    for i, text in enumerate(texts):
        if i:
            parts.append((f" {word} " if i == len(texts) - 1 else ", ", False))
        parts.append((text, True))
    return tuple(parts)


def _fitted(names: Sequence[str]) -> list[str]:
    room = max(ROOM // max(len(names), 1), 12)
    return [printable(short(name, room)) for name in names]


MOST_CHAINED = 8  # names of an order in a sentence


def order_or_lead(c: Comparisons, order: Order) -> str:
    """The order or, of very many algorithms, how many come first."""
    if len(order.algorithms) <= MOST_CHAINED or not c.lead:
        return order.text
    return f"{len(c.lead)} of {len(order.algorithms)} may come first"


# -- the second sentence --------------------------------------------------------------------------


def next_sentence(
    c: Comparisons, found: Standing | None, leads: Mapping[str, Standing] = NO_LEADS
) -> str:
    """The gap that leads, or the widest that is open, and how many pairs are decided."""
    if found is None or c.is_forced:
        return ""
    if c.is_race:
        return _race_gap(c, found)
    if found.undecided and tells_each(leads):
        decided, pairs = (sum(getattr(each, of) for each in leads.values())
                          for of in ("decided", "pairs"))  # fmt: skip
        return (
            f"On single data sets {decided} of {pairs} pairs are decided. {len(leads)} data sets "
            f"are too few to name a winner in general: none of {found.pairs} "
            f"{'pair' if found.pairs == 1 else 'pairs'} is decided."
        )
    if found.undecided:
        equal = " Open does not mean equal." if found.open else ""
        return f"{_widest(c, found)}{equal}".strip()
    gap = _leading(c, found)
    if found.pairs == 1:
        return gap
    return f"{gap} {found.decided} of {found.pairs} pairs {is_are(found.decided)} decided.".strip()


def _race_gap(c: Comparisons, found: Standing) -> str:
    """How many were dropped, and by how much the leader is ahead of the nearest of them."""
    gone = found.behind
    if not gone:
        return ""
    told = f"{len(gone)} of {len(found.rows)} {was_were(len(gone))} dropped on the way."
    rows = [row for row in found.rows if row.name in gone and row.lower > 0]
    if not rows:
        return told
    row = min(rows, key=lambda row: row.gap)
    ahead = f"{printable(row.name)} by {gap_text(c, row)}"
    return f"{told} {printable(found.reference)} leads {ahead} in {scored(c, found)}."


def _leading(c: Comparisons, found: Standing) -> str:
    """Of one leader the gap to the next; of several the largest gap that is decided."""
    whom = found.reference
    rows = [row for row in found.rows if row.name != whom and math.isfinite(row.gap)]
    decided = [row for row in rows if whom in row.beaten_by or row.badge is Badge.BEATS]
    if not decided:
        return ""
    if len(found.lead) == 1 or found.pairs == 1:
        row = min(decided, key=lambda row: abs(row.gap))
    else:
        row = max(decided, key=lambda row: abs(row.gap))
    first, second = (whom, row.name) if row.badge is not Badge.BEATS else (row.name, whom)
    ahead = f"{printable(second)} by {gap_text(c, row)}"
    if len(found.lead) == 1 or found.control:
        return f"{printable(first)} leads {ahead} in {scored(c, found)}."
    return f"{printable(first)} has the best {scored(c, found)} and leads {ahead}."


def _widest(c: Comparisons, found: Standing) -> str:
    whom = found.reference
    rows = [row for row in found.rows if row.name != whom and row.gap == row.gap and row.gap != 0]
    if not rows:
        return f"By {scored(c, found)} nobody is ahead."
    row = max(rows, key=lambda row: abs(row.gap))
    first, second = (whom, row.name) if row.gap > 0 else (row.name, whom)
    size, low, high = numbers_of(row)
    which = "The gap" if found.pairs == 1 else "The widest gap"
    limits = ""
    if math.isfinite(row.lower) and math.isfinite(row.upper):
        alone = " (this pair alone)" if c.is_unadjusted else ""
        limits = f" and could be anything from {low} to {high}{alone}"
    return f"{which}, {printable(first)} over {printable(second)}, is {size}{limits}."


def is_soft(c: Comparisons) -> bool:
    """Whether the words must be soft, as the error of all pairs together is not held."""
    return len(c.algorithms) > 2 and not is_sure(c) and not c.is_forced
