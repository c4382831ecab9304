"""The labelled lines of a terminal's first screen: About, Test, Care, More, and what is next."""

from __future__ import annotations

from collections.abc import Iterator

from podium.base.formatting import number, printable, short
from podium.inference.comparing.comparisons import Comparisons
from podium.reading.read_as import RECOGNISED
from podium.verdicts.chips import CHIPS, chip
from podium.verdicts.standing import Standing
from podium.verdicts.terminal import (
    FRIEDMAN,
    degrees,
    is_friedman,
    no_overall,
    overall,
    within_margin,
)
from podium.words.facts import CAUTION, REMARK, FewBlocks, Note, Overall
from podium.words.order_text import quoted
from podium.words.phrases import capital, counted, is_are, p_text
from podium.words.saying import say
from podium.words.statements import about as claimed

ABOUT, READ, TEST, CARE, MORE, NEXT = "About", "Read as", "Test", "Care", "More", "Next"
LONGEST = 160  # letters of a caution that is told in full, where a few words are known for it
# what is missing is told in full, however long
IN_FULL = ("failures", "gaps", "withheld", "too-few-data-sets", "depends-on-others",
           "informative-gaps", "incomplete-blocks", "incomplete-items", "worst-case-values",
           "check-scores", "versions-of-data", "copied-blocks", "ranks-as-scores", "repeated-folds",
           "items-that-are-none", "confounded", "drift")  # fmt: skip
NEW_DATA = (
    "New data would settle it (more rows, a fresh sample, other data sets); more resamples of the "
    "same rows would not."
)
NEW_CONDITIONS = (
    "More items and more conditions (prompts, judges) would settle it, more answers hardly; "
    "--target test-set asks about just these conditions."
)


def about(c: Comparisons) -> str:
    """What was measured on what, and whom the answer is about."""
    better = "higher" if c.higher_is_better else "lower"
    sampling = f" ({c.blocks.sampling})" if c.blocks.sampling else ""
    blocks = f"{c.blocks.count} {c.blocks.text}{sampling}"
    of = {note.code: note for note in c.warnings}
    classes = {name for _, name in of["positive-class"].positive} if "positive-class" in of else ()
    positive = f" of class {quoted(next(iter(classes)))}" if len(classes) == 1 else ""
    measured = f"{c.measure}{positive} ({better} is better), {blocks}"
    return f"{measured}; claims are about {claimed(c.claim)} (target: {c.target})"


def read_as(c: Comparisons) -> list[str]:
    """How the source was read, where it was one that others wrote."""
    told = [say(note) for note in c.warnings if note.code == RECOGNISED]
    return [text.removeprefix("Read as").lstrip(": ") for text in told]


def failed(c: Comparisons) -> str:
    """How many runs failed, which belongs to the verdict."""
    of = next((note for note in c.warnings if note.code == "failures"), None)
    return f"{of.runs} of {of.of} runs failed." if of else ""


# -- Test -----------------------------------------------------------------------------------------


def tested(c: Comparisons) -> str:
    """The procedure, how many pairs it decides, and the test of no difference at all."""
    told = _decided(c)
    return f"{c.procedure}: {c.title}{'; ' * bool(told)}{told}."


def _decided(c: Comparisons) -> str:
    if c.is_race:
        return overall(c, c.overall).rstrip(".") if c.overall else ""
    if not len(c.table):
        return ""
    if len(c.table) == 1 and not c.has_contrasts:
        by_limits = c.has_posterior or within_margin(c)
        return "" if by_limits else p_text(float(c.table["p"].iloc[0]))
    decided = c.decision.significant
    pairs = counted(len(c.table), "contrast" if c.has_contrasts else "pair")
    told = f"{decided} of {pairs} decided"
    return f"{told}; {_all_alike(c, c.overall)}" if c.overall else told


def _all_alike(c: Comparisons, found: Overall) -> str:
    """The test of no difference at all in a few words; Friedman's by its name."""
    if found.p != found.p:
        return no_overall(c, found)
    test = f"{FRIEDMAN} {number(found.statistic, 4)}{degrees(found)}, " * is_friedman(c, found)
    return f"all alike? {test}{p_text(found.p)}"


# -- Care -----------------------------------------------------------------------------------------


def cautions(c: Comparisons, *, in_full_below: bool = False) -> Iterator[tuple[str, bool]]:
    """What limits a conclusion or says how to read it, and whether it is a warning."""
    if not in_full_below:
        yield from _noted(c)
    still = c.decision.inconclusive
    if still and not c.is_race:
        yield f"{counted(still, 'pair')} {is_are(still)} open, which does not mean equal.", False


def _noted(c: Comparisons) -> Iterator[tuple[str, bool]]:
    """The notes: cautions, and behind them remarks; long ones in a few words."""
    told = [note for note in c.warnings if note.code != RECOGNISED]
    grave = [note for note in told if note.severity is CAUTION]
    yield from ((say(note), True) for note in grave if _in_full(note))
    brief = [chip(note) for note in grave if not _in_full(note)]
    brief += [_few(c.claim.few)] if c.claim.few else []
    if brief:
        yield f"{capital('; '.join(brief))} (--why tells more).", True
    remarks = [note for note in told if note.severity is REMARK]
    yield from ((say(note), False) for note in remarks if _in_full(note))
    if brief := [chip(note) for note in remarks if not _in_full(note)]:
        yield f"{capital('; '.join(brief))} (--why tells more).", False


def _in_full(note: Note) -> bool:
    """Whether a note is told by its own words: those that have no shorter ones are."""
    if note.code not in CHIPS or note.code in IN_FULL:
        return True
    return note.severity is CAUTION and len(say(note)) <= LONGEST


def _few(few: FewBlocks) -> str:
    return (
        f"{few.blocks} blocks are few for a test of {'ranks' if few.skewness is None else 'means'}"
    )


# -- More, and what to do next --------------------------------------------------------------------


def more(c: Comparisons, *, pairs: bool, why: bool, hidden: bool) -> list[str]:
    """The options that show more, each with what it shows."""
    told = [f"--pairs  {'the pair' if len(c.table) == 1 else 'order and pairs'}"]
    offers = {
        told[0]: len(c.table) and not pairs,
        "--why  reasons and cautions": not why,
        "--all  every algorithm": hidden,
        "--report page.html": True,
    }
    return [text for text, there in offers.items() if there]


def settled(found: Standing) -> str:
    """Where nothing about the first place is open."""
    if not found.open:
        return "Nothing is open: podium report makes a page of it."
    whom = f"against {printable(short(found.control, 30))}" if found.control else "the first place"
    still = f"{counted(found.open, 'pair')} {is_are(found.open)} open"
    if found.control:
        return f"Nothing is open {whom}."
    return f"{capital(whom)} is settled; {still} behind it."
