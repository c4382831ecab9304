"""The labelled lines of a terminal's first screen: for whom it holds, test, caveats, next."""

from __future__ import annotations

from collections.abc import Iterator

from podium.base.formatting import number, printable, short
from podium.inference.comparing.comparisons import Comparisons
from podium.reading.read_as import RECOGNISED
from podium.verdicts.chips import CHIPS, chip
from podium.verdicts.gaps import noun_of
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
from podium.words.statements import holds_for

ABOUT, READ, TEST, CARE, MORE, NEXT = "Holds for", "Read as", "Test", "Caveats", "More", "Next"
MOST_CAVEATS = 4
LONGEST = 160  # letters of a caution that is told in full, where a few words are known for it
# what is missing is told in full, however long
IN_FULL = ("failures", "gaps", "withheld", "too-few-data-sets", "depends-on-others",
           "informative-gaps", "incomplete-blocks", "incomplete-items", "worst-case-values",
           "check-scores", "versions-of-data", "copied-blocks", "ranks-as-scores", "repeated-folds",
           "items-that-are-none", "confounded", "drift", "first-measure")  # fmt: skip
FEW = ("few-data-sets", "too-few-data-sets")  # that say it already
ADJUSTED = {"sidak": "Šidák", "holm": "Holm", "bonferroni": "Bonferroni", "none": ""}
NEW_DATA = "New data would help (more rows, other data sets); resampling the same rows would not."
NEW_CONDITIONS = (
    "More items and more conditions (prompts, judges) would help, more answers hardly; for just "
    "these conditions add --target test-set."
)


def about(c: Comparisons) -> str:
    """What was measured on what, and whom the answer is about."""
    better = "higher" if c.higher_is_better else "lower"
    drawn = f", {c.blocks.sampling}" if ":" in (c.blocks.sampling or "") else ""
    blocks = f"{c.blocks.count} {noun_of(c.blocks)}{drawn}"
    by_code = {note.code: note for note in c.warnings}
    classes = (
        {name for _, name in by_code["positive-class"].positive}
        if "positive-class" in by_code
        else ()
    )
    positive = f" of class {quoted(next(iter(classes)))}" if len(classes) == 1 else ""
    measured = f"; {printable(c.measure)}{positive}, {better} is better"
    return f"{holds_for(c.claim)} ({blocks}{measured * bool(positive or not read_as(c))})"


def read_as(c: Comparisons) -> list[str]:
    """How the source was read, where it was one that others wrote."""
    sentences = [say(note) for note in c.warnings if note.code == RECOGNISED]
    return [sentence.removeprefix("Read as").lstrip(": ") for sentence in sentences]


def failed(c: Comparisons) -> str:
    """How many runs failed, which belongs to the verdict."""
    failures = next((note for note in c.warnings if note.code == "failures"), None)
    return f"{failures.runs} of {failures.of} runs failed." if failures else ""


# -- Test -----------------------------------------------------------------------------------------


def tested(c: Comparisons) -> str:
    """The test with its adjustment, its p-value, and the test of no difference at all."""
    overall_test = _decided(c)
    return f"{c.procedure}: {_titled(c)}{'; ' * bool(overall_test)}{overall_test}."


def _titled(c: Comparisons) -> str:
    """The title with the adjustment by its name, which goes without saying of one comparison."""
    method = c.judged
    if method is None or method.procedure.bayes.posterior is not None:
        return c.title
    null = f"null: {method.named_null}" if method.named_null else ""
    bricks = [null, ADJUSTED.get(method.adjust.name, method.adjust.name)]
    text = ", ".join(part for part in bricks if part)
    return f"{method.procedure.title} ({text})" if text else method.procedure.title


def _decided(c: Comparisons) -> str:
    if c.is_race:
        return overall(c, c.overall).rstrip(".") if c.overall else ""
    if not len(c.table):
        return ""
    if len(c.table) == 1 and not c.has_contrasts:
        by_limits = c.has_posterior or within_margin(c)
        return "" if by_limits else p_text(float(c.table["p"].iloc[0]))
    return _overall(c, c.overall) if c.overall else ""


def _overall(c: Comparisons, result: Overall) -> str:
    """The test of no difference at all in a few words; Friedman's by its name."""
    if result.p != result.p:
        return no_overall(c, result)
    test = f"{FRIEDMAN} {number(result.statistic, 4)}{degrees(result)}, " * is_friedman(c, result)
    return f"overall test: {test}{p_text(result.p)}"


# -- Care -----------------------------------------------------------------------------------------


def cautions(c: Comparisons, *, in_full_below: bool = False) -> Iterator[tuple[str, bool]]:
    """What changes what may be concluded, and whether it is a warning; the rest is behind --why."""
    if in_full_below:
        return
    every = list(_noted(c))
    yield from every[:MOST_CAVEATS]
    if len(every) > MOST_CAVEATS:
        yield f"{len(every) - MOST_CAVEATS} more: --why", False


def _noted(c: Comparisons) -> Iterator[tuple[str, bool]]:
    """The notes: cautions, long ones in a few words, and behind them what is missing."""
    every = [note for note in c.warnings if note.code != RECOGNISED]
    grave = [note for note in every if note.severity is CAUTION]
    yield from ((say(note), True) for note in grave if _in_full(note))
    brief = [chip(note) for note in grave if not _in_full(note)]
    known = any(note.code in FEW for note in grave)
    brief += [_few(c.claim.few, c)] if c.claim.few and not known else []
    if brief:
        yield f"{capital('; '.join(brief))} (--why tells more)", True
    remarks = [note for note in every if note.severity is REMARK]
    yield from ((say(note), False) for note in remarks if note.code in IN_FULL)


def _in_full(note: Note) -> bool:
    """Whether a note is told by its own words: those that have no shorter ones are."""
    if note.code not in CHIPS or note.code in IN_FULL:
        return True
    return note.severity is CAUTION and len(say(note)) <= LONGEST


def _few(few: FewBlocks, c: Comparisons) -> str:
    noun = noun_of(c.blocks)
    return f"{few.blocks} {noun} are few: only large differences can be detected"


# -- what to do next ------------------------------------------------------------------------------


def settled(standing: Standing) -> str:
    """Where nothing about the best is inconclusive."""
    if not standing.open:
        return "Everything is settled; podium report writes it as a page."
    if standing.control:
        return f"Everything against {printable(short(standing.control, 30))} is settled."
    still = f"{counted(standing.open, 'comparison')} below it {is_are(standing.open)} inconclusive"
    return f"Rank 1 is settled; {still}."
