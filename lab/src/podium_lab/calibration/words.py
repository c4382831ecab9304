"""What is said of measured rates: of procedures that were simulated, and of replications."""

from __future__ import annotations

import math
from collections.abc import Iterable

KINDS = {
    "error": "a true hypothesis was rejected",
    "power": "share of the true differences that were found",
    "coverage": "all simultaneous intervals held the true differences",
}


def kind_words(kind: str) -> str:
    """What is counted; a kind of somebody else's is its name."""
    return f"{kind}: {KINDS[kind]}" if kind in KINDS else kind


def rates_heading(alpha: float, seed: int) -> str:
    """Above a table of measured rates."""
    return f"Measured rates at level {alpha:g}, seed {seed}, with 95 % intervals"


def forced(procedure: str, scenarios: Iterable[str]) -> str:
    """That a procedure was measured where `analyze` would refuse it."""
    return f"{procedure} is not legal in {', '.join(scenarios)}: measured by force"


def replication_heading(
    item: str, replications: int, seed: int | None, judged: str, seconds: float
) -> str:
    """One line: what was replicated, how, and how much of it agrees."""
    simulated = f", {replications} replications, seed {seed}" if replications else ""
    return f"{item}{simulated}: {judged} ({seconds:.1f} s)"


def noticed(within: int, cells: int, least: float, most: float) -> str:
    """How many cells are off, and what so few replications cannot tell."""
    off = f"{cells - within} of {cells} cells are off" if within < cells else "no cell is off"
    if math.isinf(least):
        return f"{off}, but so few replications show no deviation at all"
    far = "any" if math.isinf(most) else f"one below {most:.2g}"
    return (
        f"{off}, but with so few replications a deviation below {least:.2g} goes unnoticed in "
        f"every cell, {far} in some"
    )


def unseen(least: float, most: float) -> str:
    """What a run in a hurry cannot tell, in shares of the printed numbers."""
    return (
        f"a deviation below {least:.0%} of their number goes unnoticed in every cell, one below "
        f"{most:.0%} in some"
    )


def near(distance: float) -> str:
    """What findings in words, judged in a hurry, cannot tell."""
    return f"what is within {distance:.2g} of a finding's bound is not told from it"


def in_a_hurry(whole: str, limits: str) -> str:
    """What is known of the whole run, and what this one cannot see."""
    known = [f"the whole run meets {whole}"] if whole else []
    said = [*known, *([limits] if limits else [])]
    return f"; in a hurry: {'; '.join(said)}" if said else ""


def measured(numbers: int, judged: str) -> str:
    """That there is nothing to agree with, beside what there is."""
    text = f"{numbers} numbers measured, of which the paper prints none"
    return f"{judged}; {text}" if judged else text


def agreement(within: int, cells: int, *, findings: bool, exact: bool, errors: float) -> str:
    """How many printed numbers, or findings in words, are met."""
    if not cells:
        return "0 of 0 cells: the paper prints nothing to compare"
    if findings:
        return f"{within} of {cells} findings hold"
    how = "rounding" if exact else f"{errors} standard errors"
    return f"{within} of {cells} cells within {how}"
