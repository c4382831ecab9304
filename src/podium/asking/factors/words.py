"""What is said of factors: names of effects, the headline, and what combinations do not tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import pandas as pd

from podium.asking.factors.designs import ABLATION, Design
from podium.asking.factors.levels import Factors
from podium.core.base.formatting import aligned, printable
from podium.core.words.facts import Note, sentences, words
from podium.core.words.phrases import capital, counted, is_are, joined

MINUS = "-"
MEANS = "Means, averaged over the other factors"
MOST_SIMPLE = 4  # levels at which a simple effect is told in a sentence


class Compared(Protocol):
    """What words need of comparisons."""

    @property
    def measure(self) -> str:
        """What is measured."""

    @property
    def alpha(self) -> float:
        """The level."""

    @property
    def higher_is_better(self) -> bool:
        """The direction of the measure."""


class Told(Protocol):
    """What words need of effects."""

    @property
    def table(self) -> pd.DataFrame:
        """One row per effect."""

    @property
    def design(self) -> Design:
        """What was run."""

    @property
    def first(self) -> Compared:
        """Comparisons of the first family."""


class Contrast(Protocol):
    """What a name is made of."""

    @property
    def factors(self) -> tuple[int, ...]:
        """Of which factors."""

    @property
    def low(self) -> tuple[int, ...]:
        """Levels that are subtracted."""

    @property
    def high(self) -> tuple[int, ...]:
        """Levels that they are subtracted from."""

    @property
    def at(self) -> tuple[int, int] | None:
        """Where: another factor and its level."""


# -- names ----------------------------------------------------------------------------------------


def term_text(names: Sequence[str]) -> str:
    """The name of an interaction.

    >>> term_text(["encoder", "loss"])
    'encoder x loss'
    """
    return " x ".join(names)


def read_name(name: str) -> str:
    """The name of an effect as it is read on a page.

    >>> read_name("encoder x loss: vit - resnet")
    'encoder × loss: vit − resnet'
    """
    return name.replace(" x ", " × ").replace(f" {MINUS} ", " − ")


def levels_text(factors: Factors, chosen: Sequence[int], levels: Sequence[int]) -> str:
    """The levels of some factors."""
    return ", ".join(factors.levels[f][at] for f, at in zip(chosen, levels, strict=True))


def at_text(factors: Factors, at: tuple[int, int] | None) -> str:
    """Where a simple effect is told."""
    return "" if at is None else f"{factors.names[at[0]]} {factors.levels[at[0]][at[1]]}"


def effect_name(factors: Factors, e: Contrast) -> str:
    """What an effect is called: `pca`, `encoder: vit - resnet`, `encoder x loss`."""
    parts = [_change(factors, *each) for each in zip(e.factors, e.low, e.high, strict=True)]
    name = term_text([factors.names[f] for f in e.factors])
    if text := " by ".join(part for part in parts if part):
        name += f": {text}"
    return f"{name} at {at_text(factors, e.at)}" if e.at else name


def _change(factors: Factors, f: int, low: int, high: int) -> str:
    if factors.is_switch(f):
        return "" if high > low else "off"
    levels = factors.levels[f]
    return f"{levels[high]} {MINUS} {levels[low]}"


def not_told(design: Design) -> Iterator[str]:
    """Interactions of two factors and what they are mixed up with."""
    names = design.factors.names
    for pair, others in design.mixed_pairs.items():
        mixed = joined([" x ".join(names[f] for f in other) for other in others])
        yield f"{' x '.join(names[f] for f in pair)} is mixed up with {mixed}."


# -- the headline ---------------------------------------------------------------------------------


def headline(t: Told) -> str:
    """The factor that does most, in a sentence."""
    return _ablation(t)[0] if t.design.kind == ABLATION else _main(t)[0]


def sentence(t: Told) -> str:
    """What the other factors do, and which effects depend on another factor."""
    if t.design.kind == ABLATION:
        return _ablation(t)[1]
    parts = (_main(t)[1], inside_text(t), interaction_text(t))
    return " ".join(part for part in parts if part)


def shown(t: Told, family: str) -> pd.DataFrame:
    """The significant effects of a family."""
    rows = t.table[t.table["family"] == family]
    return rows[rows["p_adjusted"] <= t.first.alpha]


def _main(t: Told) -> tuple[str, str]:
    """The largest effect, and the others."""
    names, measure = t.design.factors.names, printable(t.first.measure)
    rows = shown(t, "main")
    if not len(rows):
        return f"No factor has a significant effect on {measure}, averaged over the others.", ""
    largest = strongest(rows)
    results = [_effect(t, row, with_number=i > 0) for i, row in enumerate(largest)]
    text = f"{results[0][0]} has the largest effect: {results[0][1]}"
    others = [name for name in names if name != results[0][0]]
    if others:
        text += f", averaged over {joined(others)}"
    further = [change for _, change in results[1:]]
    inside = {names[f] for f in t.design.factors.within}
    rest = [n for n in others if n not in {each[0] for each in results} and n not in inside]
    if rest:
        further.append(f"{joined(rest)} {is_are(len(rest))} inconclusive")
    return f"{text}.", f"{'; '.join(further)}." if further else ""


def inside_text(t: Told) -> str:
    """What factors do that belong to another one, within its levels."""
    factors = t.design.factors
    texts = []
    for f, g in factors.within.items():
        rows = shown(t, "nested")
        rows = rows[[each == (factors.names[f],) for each in rows["factors"]]]
        if not len(rows):
            texts.append(f"{factors.names[f]} makes no significant difference within any "
                         f"{factors.names[g]}.")  # fmt: skip
        for row in rows.to_dict("records")[:MOST_SIMPLE]:
            change = _effect(t, row, with_number=True)[1].replace(" it ", f" {t.first.measure} ", 1)
            texts.append(f"At {printable(row['at'])}, {change}.")
    return " ".join(texts)


def strongest(rows: pd.DataFrame, by: str = "estimate") -> list[dict[str, Any]]:
    """Of every factor (or pair of factors) the row with the largest estimate, largest first."""
    by_size = rows.reindex(rows[by].abs().sort_values(ascending=False, kind="stable").index)
    return by_size.drop_duplicates("factors").to_dict("records")


def _effect(t: Told, row: Mapping[str, Any], *, with_number: bool) -> tuple[str, str]:
    """A factor and what it does; beside another factor with its name."""
    name = row["factors"][0]
    factors, measure = t.design.factors, printable(t.first.measure)
    f = factors.names.index(name)
    high, low = row["high"], row["low"]
    if (row["estimate"] > 0) != t.first.higher_is_better and not factors.is_switch(f):
        high, low = low, high  # the better level does it
        row = turned(row)
    verb = "raises" if row["estimate"] > 0 else "lowers"
    over = "over" if row["estimate"] > 0 else "below"
    by = interval_text(row, size=True)
    if factors.is_switch(f):
        return (
            name,
            f"{name if with_number else 'it'} {verb} {'it' if with_number else measure} by {by}",
        )
    if with_number:
        return name, f"{name} {printable(high)} {verb} it {over} {printable(low)} by {by}"
    return name, f"{printable(high)} {verb} {measure} {over} {printable(low)} by {by}"


def turned(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row of the opposite difference."""
    flipped = {"estimate": -row["estimate"], "lower": -row["upper"], "upper": -row["lower"]}
    return {**row, **flipped}


def interval_text(row: Mapping[str, Any], *, size: bool = False) -> str:
    """An estimate with its limits, as exact as these are wide; of its size alone on wish."""
    if size and row["estimate"] < 0:
        row = turned(row)
    low, high = row["lower"], row["upper"]
    known = low == low and high == high and high > low
    unit = (high - low) / 2 if known else abs(row["estimate"]) or 1.0
    estimate, *ends = aligned([row["estimate"], low, high], unit, digits=2)
    return f"{estimate} ({ends[0]} to {ends[1]})" if known else estimate


def signed_text(value: float, unit: float) -> str:
    """A difference with its sign."""
    (text,) = aligned([value], unit or abs(value) or 1.0, digits=2)
    return text if text.startswith("-") else f"+{text}"


def interaction_text(t: Told) -> str:
    """Of which factors the effect depends on another one; the strongest of them."""
    rows = shown(t, "interaction")
    if not len(rows):
        return ""
    first = strongest(rows, "statistic")[0]["factors"]
    terms = list(dict.fromkeys(rows["factors"]))
    more = len(terms) - 1
    simple = t.table[(t.table["family"] == "simple")]
    both = [(factor, on) for factor, on in (first, first[::-1]) if _is_short(t, factor, on)]
    ways = [text for factor, on in both if (text := _depends(t, simple, factor, on))]
    text = ways[0] if ways else f"The effect of {first[0]} depends on {first[1]}."
    if more:
        names = joined([term_text(term) for term in terms if term != first], most=3)
        text += f" Further interactions: {names}."
    return text


def _is_short(t: Told, factor: str, on: str) -> bool:
    factors = t.design.factors
    two = factors.counts[factors.names.index(factor)] == 2
    return two and factors.counts[factors.names.index(on)] <= MOST_SIMPLE


def _depends(t: Told, simple: pd.DataFrame, factor: str, on: str) -> str:
    rows = simple[[f == (factor,) and at.startswith(f"{on} ") for f, at in
                   zip(simple["factors"], simple["at"], strict=True)]]  # fmt: skip
    if not len(rows):  # combinations that were not run leave it open
        return ""
    unit = float((rows["upper"] - rows["lower"]).median()) / 2
    texts = [
        f"{signed_text(row['estimate'], unit)} at {printable(row['at'])}"
        for row in rows.to_dict("records")
    ]
    shown_ways = {row["estimate"] > 0 for row in rows.to_dict("records")
                  if row["p_adjusted"] <= t.first.alpha}  # fmt: skip
    verb = "reverses with" if len(shown_ways) == 2 else "depends on"
    return f"The effect of {factor} {verb} {on}: {', '.join(texts)}."


def _ablation(t: Told) -> tuple[str, str]:
    """The change that does most, and the others."""
    rows = t.table[t.table["family"] == "ablation"]
    result = rows[rows["p_adjusted"] <= t.first.alpha]
    measure = printable(t.first.measure)
    if not len(result):
        return f"No single change from the base makes a significant difference in {measure}.", ""
    parts = [_lacking(t, row) for row in strongest(result)]
    first = f"{capital(parts[0][0])}, {measure} {parts[0][1]}."
    further = [f"{change}, it {by}" for change, by in parts[1:]]
    rest = [row["name"].removesuffix(": off") for row in rows.to_dict("records")
            if row["p_adjusted"] > t.first.alpha]  # fmt: skip
    if rest:
        further.append(f"{joined(rest)} {is_are(len(rest))} inconclusive")
    return first, f"{capital('; '.join(further))}." if further else ""


def change_text(t: Told, row: Mapping[str, Any]) -> str:
    """What is changed in an ablation."""
    return _lacking(t, row)[0]


def _lacking(t: Told, row: Mapping[str, Any]) -> tuple[str, str]:
    """The change of a factor, and what it does."""
    factors = t.design.factors
    name = row["factors"][0]
    verb = "falls" if row["estimate"] > 0 else "rises"
    by = f"{verb} by {interval_text(row, size=True)}"
    if factors.is_switch(factors.names.index(name)):
        lacks = row["low"] == factors.levels[factors.names.index(name)][0]
        return f"{'without' if lacks else 'with'} {name}", by
    return f"with {name} {row['low']} instead of {row['high']}", by


# -- a page ---------------------------------------------------------------------------------------

HEADS = {"name": "Effect", "interval": "Difference ({level} CI, all together)", "p": "p"}
VERDICTS = ("significant", "inconclusive")
FURTHER = {"interaction": "interactions: how much one effect depends on another factor"}
SHOWN, ALGORITHMS = "Factors", "Combinations"  # what a page shows: effects, or the algorithms
KEY = (
    ("Bar", "across the line: not significantly different from no effect."),
    ("Heading:", "click to sort."),
)


def estimate_text(low: str, high: str) -> str:
    """The limits of an effect, in brackets."""
    return f"({low} to {high})"


def panel_labels(measure: str, f: str, g: str) -> tuple[str, str]:
    """Of a picture of two factors: below it and above it."""
    over = printable(f)
    return over, f"{capital(printable(measure))} by {over}, a line per {printable(g)}"


def effects_finding(t: Told) -> str:
    """How many effects are significant."""
    rows = t.table
    count = int((rows["p_adjusted"] <= t.first.alpha).sum())
    return f"{count} of {len(rows)} significant; simple effects, means and shares"


# -- pictures -------------------------------------------------------------------------------------


def effects_title(t: Told) -> str:
    """Above a picture of effects: the factor that does most."""
    return headline(t).rstrip(".")


def effects_label(t: Told) -> str:
    """The label below the picture of effects."""
    return f"difference in {t.first.measure}, {100 * (1 - t.first.alpha):g} % CI, all together"


def interaction_title(t: Told) -> str:
    """Above a picture of interactions: the strongest; nothing where none is shown."""
    return interaction_text(t).split(". ")[0].rstrip(".")


# -- notes ----------------------------------------------------------------------------------------
# Words of the notes on factors: what combinations that were not run leave open.


@words("effects-take-no-interaction")
def _no_interaction(n: Note) -> str:
    first, with_it = n.mixed[0]
    return (
        f"Too few combinations were run to tell main effects from interactions: the effect of "
        f"{first} includes part of {joined(list(with_it), most=3)}, if there is any. {_run_too(n)}"
    )


def _run_too(n: Note) -> str:
    """Of two levels each, the fold-over; otherwise what was not run."""
    if not n.missing:
        return "Run the combinations with all levels exchanged, too (podium plan --factors)."
    return f"Run {joined(list(n.missing), most=3)}, too."


SENTENCES = {
    "effects-of-some-combinations": "{run} of {of} combinations were run; effects hold if three "
    "factors together do nothing that two do not.",
    "interaction-bar": "Parallel lines: no interaction. The grey bar is as long as the limits of "
    "a difference of differences.",
}
sentences(SENTENCES)


@words("interactions-not-told")
def _mixed(n: Note) -> str:
    texts = [f"{factor} (mixed up with {joined(list(others), most=3)})" if others else factor
            for factor, others in n.mixed]  # fmt: skip
    return f"These combinations do not tell {joined(texts, most=3)}."


@words("ablation")
def _ablation_note(n: Note) -> str:
    unused = f" {counted(n.unused, 'further combination')} not compared." if n.unused else ""
    return (
        "An ablation tells what a part adds when all others are there, not its effect without "
        f"them, nor how parts work together.{unused}"
    )
