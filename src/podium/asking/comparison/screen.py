"""The screen of `podium analyze`: verdict, standings, labelled lines, and what to do next.

The order with every pair (`--pairs`), and reasons and cautions in full (`--why`), are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from podium.asking.comparison.answer import Shown
from podium.asking.comparison.next_steps import next_text
from podium.core.base.formatting import columns, screen, shortened, wrapped
from podium.core.base.rooms import required
from podium.core.inference.comparing.comparisons import TEXTS
from podium.core.results.results import RECOGNISED
from podium.core.verdicts.standing import standing
from podium.core.words.facts import INVALID
from podium.core.words.saying import noted
from podium.running.sequential.words import saved
from podium.showing.screens.standings import (
    coloured,
    say_label,
    say_letters,
    say_means,
    say_own,
    say_standings,
    say_verdict,
)
from podium.showing.terminal.saying import say

if TYPE_CHECKING:
    from podium.core.inference.comparing.comparisons import Comparisons
    from podium.core.inference.layouts import Layout
    from podium.core.orders.order import Order
    from podium.core.verdicts.standing import Standing
    from podium.core.words.facts import Note

SHORTEST = 9  # room for a name in a table of pairs, however narrow the screen
MOST_CHAINED = 25  # names of an order in a line


def say_comparisons(
    c: Comparisons,
    order: Order,
    shown: Shown,
    layout: Callable[[], Layout | None],
    say_beside: Callable[[], None],
) -> None:
    """Who is better, by how much, how sure, and of what this is a statement.

    `say_beside` says what was asked for besides; what to do next is the last line.
    """
    from podium.core.verdicts.verdict import next_sentence, verdict

    width = screen()
    result = standing(c)
    names = c.decision.line
    say_verdict(verdict(c, result), width)
    _say_doubts(c, width)
    if evidence := next_sentence(c, result):
        say(wrapped(evidence, width))
    if result is None:
        say_means(c, names)
    else:
        say_standings(c, result, order, width, every=shown.algorithms)
    if c.extras.covariates is not None and c.extras.covariates.asked:
        required("say_covariates")(c)
    if shown.pairs:
        say_own(c, names)
        _say_order(c, order, names, width, every=shown.algorithms)
        _say_pairs(c, names, width)
    say()
    _say_labelled(c, shown, width)
    if shown.why:
        _say_reasons(c, width)
    say_beside()
    _say_next(c, result, layout, width)


def _say_wrapped(text: str, width: int) -> None:

    say(wrapped(text, width, "  "))


def _say_doubts(c: Comparisons, width: int) -> None:
    """What belongs to the verdict: runs that failed, why none is given, that it is not legal."""
    from podium.core.words.saying import say as words
    from podium.showing.screens.terminal import failed

    if message := failed(c):
        say(coloured(wrapped(message, width, "  "), warns=True))
    for note in c.warnings:
        if note.severity is INVALID:
            _say_wrapped(f"*** {words(note)} ***", width)


# -- labelled lines -------------------------------------------------------------------------------


def _say_labelled(c: Comparisons, shown: Shown, width: int) -> None:
    """What it holds for, how it was read, the test, and caveats."""
    from podium.showing.screens import terminal as words

    say_label(words.ABOUT, [words.about(c)], width)
    say_label(words.READ, words.read_as(c.warnings), width)
    say_label(words.TEST, _tested(c), width)
    cautions = list(words.cautions(c, in_full_below=shown.why))
    warned = sum(warns for _, warns in cautions)
    say_label(words.CARE, [text for text, _ in cautions], width, warned=warned)


def _tested(c: Comparisons) -> list[str]:
    """What was tested, how much of it is decided, and critical differences of ranks."""
    from podium.showing.screens import terminal
    from podium.showing.screens import terminal as labelled

    texts = [labelled.tested(c)]
    if c.mean_ranks is not None and (critical := _critical(c)):
        texts.append(critical)
    if margin := terminal.within_margin(c):
        texts.append(margin)
    if c.extras.sequential is not None:
        texts.append(saved(c.extras.sequential, c.blocks.noun))
    return texts


def _critical(c: Comparisons) -> str:
    """The critical difference of mean ranks, where all pairs share one."""
    from podium.core.inference.comparing.evidence import critical_value, demsar_value
    from podium.showing.screens import terminal

    value = critical_value(c, c.mean_ranks or {})
    permuted = c.judged is not None and c.judged.null.name.startswith("permutation")
    all_pairs = c.control is None and c.alternative == "two-sided" and len(c.table) > 1
    if value != value and not (permuted and all_pairs and not c.relevance):
        return ""
    return terminal.critical(value, demsar_value(c))


# -- pairs ----------------------------------------------------------------------------------------


def _say_order(
    c: Comparisons, order: Order, names: Sequence[str], width: int, *, every: bool
) -> None:
    """The order in a line, what its signs mean, and letters where it leaves something open."""
    from podium.showing.screens import terminal

    if c.is_race or len(names) < 2:
        return  # a race claims no order
    if len(names) <= MOST_CHAINED or every:
        say(f"\n{terminal.order_in_lines(order, width)}\n")
        _say_wrapped(terminal.legend(order, c), width)
        say_letters(order, names)


def _say_pairs(c: Comparisons, names: Sequence[str], width: int) -> None:
    """Every pair; the better one first, unless the question has a first one."""
    from podium.showing.screens import terminal

    if not len(c.table):
        return
    if c.control is None and c.alternative == "two-sided" and not c.has_contrasts:
        c = c.best_first(names)
    table = {str(name): list(column) for name, column in c.shown().items()}
    say()
    _say_wrapped(terminal.columns(c, "lower" in table or "upper" in table), width)
    pair = ("first", "second")
    rest = columns({n: t for n, t in table.items() if n not in pair}, left=[])
    short = shortened(c.algorithms, max((width - len(rest.split("\n")[0]) - 6) // 2, SHORTEST))
    table |= {name: [short.get(n, n) for n in table[name]] for name in pair}
    say("\n" + columns(table, left=TEXTS, indent="  "))


# -- reasons, and what to do next -----------------------------------------------------------------


def _say_reasons(c: Comparisons, width: int) -> None:
    """The hypothesis, what ranks say beside means, who may be best, and all notes."""
    from podium.core.orders.decide import decide as decide_comparisons
    from podium.showing.screens import terminal

    say()
    if c.overall and (message := terminal.overall(c, c.overall)):
        _say_wrapped(message, width)
    if c.extras.companion is not None:
        _say_wrapped(terminal.companion_line(c, decide_comparisons(c.extras.companion)), width)
    _say_wrapped(c.statement, width)
    for note in _messages(c):
        _say_wrapped(noted(note), width)


def _messages(c: Comparisons) -> Iterator[Note]:
    """The notes that were not told above the table."""

    return (n for n in c.warnings if n.severity is not INVALID and n.code != RECOGNISED)


def _say_next(
    c: Comparisons, standing: Standing | None, layout: Callable[[], Layout | None], width: int
) -> None:
    """What would settle the first place, or what else there is to do."""
    from podium.showing.screens.terminal import NEXT, SETTLED, WRITE_PAGE

    if c.is_forced or standing is None:
        return
    if text := next_text(c, standing, layout):
        hint = f" {WRITE_PAGE}" if text == SETTLED else ""
        say_label(NEXT, [text + hint], width)
