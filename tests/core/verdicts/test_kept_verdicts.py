"""What is said and drawn of tables of every design: verdicts, standings, papers; kept texts."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest
from prints import keep_print
from snapshots import assert_kept
from tables_compared import compared as table_compared
from tables_varied import TABLES

import podium
from podium import Comparisons, Results, decide
from podium.core.inference.comparing.evidence import demsar_value
from podium.core.verdicts import how_to_report
from podium.core.verdicts.findings import p_words
from podium.core.verdicts.methods import methods_text, references
from podium.core.verdicts.standing import (
    Standing,
    averaged,
    chip,
    compared,
    gap_text,
    scored,
    standing,
)
from podium.core.verdicts.verdict import next_sentence, order_or_lead, probability, verdict
from podium.core.words.phrases import plain
from podium.errors import PodiumError
from podium.showing.screens import standings, terminal
from podium.showing.screens.standings import Scale

pytestmark = pytest.mark.numbers

WIDTHS = (100, 80, 60)


def rows(made: Standing | None) -> Any:
    """The rows of a standing, each as one line."""
    if made is None:
        return None
    return [
        [row.name, row.badge.value, row.place, row.score, *asdict(row.behind).values(), row.strip]
        for row in made.rows
    ]


def drawn(c: Comparisons, made: Standing | None, width: int) -> dict[str, Any]:
    """The verdict and what is drawn below it."""
    found: dict[str, Any] = {
        "verdict": f"{plain(verdict(c, made))} {next_sentence(c, made)}",
        "test": terminal.tested(c),
        "within": terminal.within_margin(c),
        "rows": rows(made),
    }
    if made is not None:
        standings.say_standings(c, made, decide(c), width, every=width < 90)
    return {key: each for key, each in found.items() if each}


def told(c: Comparisons, made: Standing | None) -> dict[str, Any]:
    """What stands beside it."""
    found: dict[str, Any] = {
        "about": terminal.about(c),
        "cautions": [warns for _, warns in terminal.cautions(c)],  # whose words are other rooms'
        "columns": terminal.columns(c, True),
        "chips": "; ".join(chip(note) for note in c.warnings),
        "failed": terminal.failed(c),
    }
    if c.overall is not None:
        found["overall"] = terminal.overall(c, c.overall)
    if c.mean_ranks is not None:
        found["critical"] = [terminal.critical(v, demsar_value(c)) for v in (float("nan"), 1.25)]
    if c.extras.companion is not None:
        found["beside"] = terminal.companion_line(c, decide(c.extras.companion))
    if made is None:
        return found
    order, scale = decide(c), Scale.of(made.rows)
    standings.say_letters(order, c.algorithms)
    standings.say_own(c, c.algorithms)
    return found | {
        "counts": [made.decided, made.open, made.pairs, made.sure, made.lead, made.control],
        "settled": terminal.settled(made),
        "legend": terminal.legend(order, c),
        "order": [order_or_lead(c, order), terminal.order_in_lines(order, 24)],
        "heads": [terminal.standing_heads(c, made, room) for room in (30, 45)],
        "of": [scored(c, made), averaged(c, made), compared(c)],
        "gaps": [gap_text(c, row, "error") for row in made.rows[1:3]],
        "ticks": scale.ticks,
        "bars": [scale.bar(row) for row in made.rows],
    }


def of_data_sets(results: Results | None, c: Comparisons) -> tuple[Any, ...]:
    """The scores that strips are made of."""
    if results is None or c.blocks.kind != "dataset":
        return ()
    layout = podium.layout(results)
    return layout.values, layout.labels


def test_words_at_their_edges() -> None:
    chances = (0.0, 0.004, 0.005, 0.0051, 0.5, 0.994, 0.995, 0.999, 1.0)
    p = (0.0, 1e-9, 0.0004, 0.001, 0.0504, 0.04996, 0.2, 0.9996, 1.0, float("nan"))
    found = {
        "probabilities": [probability(each) for each in chances],
        "p": [p_words(each, 0.05) for each in p],
        "critical": [terminal.critical(1.25, other) for other in (1.25, 1.2505, 1.2508, 0.5)],
        "signs": [terminal.signs(podium.order(text), margin) for text in
                  ("a ≻ b", "a ≈ b ≿ c", "a ∥ b ≻ c", "a") for margin in ("", "0.1")],
        "more": [terminal.more_algorithms(names, lead)
                 for names in ("a", "abc") for lead in ("", "a")],
    }  # fmt: skip
    assert_kept("verdicts", "words", found)


@pytest.mark.parametrize("name", list(TABLES))
def test_what_is_said_of_tables_of_every_design(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found: dict[str, Any] = {}
    place, requests = list(TABLES).index(name), list(TABLES[name].requests)
    for number, request in enumerate(requests):
        results, c = table_compared(name, request)
        if isinstance(c, PodiumError):
            continue
        made = standing(c, *(of_data_sets(results, c) if not number else ()))
        of = found[request] = drawn(c, made, WIDTHS[(place + number) % 3])
        if not number:
            of |= told(c, made)
        screen = capsys.readouterr().out.split("\n")[1:-1]
        keep_print(f"screen of {name}: {request}", "\n".join(screen))
        if number < 2 or c.control or request in ("friedman", "nemenyi"):
            of["drawn"] = screen
        asked = number == place % len(requests) and not place % 3
        if not (asked or (c.relevance and place < 20 and not place % 2)):
            continue
        order = None if c.decision.places is None else decide(c)
        of["paper"] = how_to_report(c, order)
        if results is not None and (place % 6 == 3 or (c.relevance and place < 20)):
            *parts, software = methods_text(results, c, order)
            assert software.startswith("Scores were ")
            of["methods"] = parts
            of["references"] = [text[:30] for text in references(results, c)]
    assert_kept("verdicts", "verdicts", found, case=name, relative=1e-6)
