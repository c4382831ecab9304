"""Notes: what a reader of many data sets' orders must know besides the numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from podium.facts import Note
from podium.formatting import listed
from podium.inference.comparisons import Comparisons
from podium.results.dataset_facts import exclusion_notes
from podium.results.results import Results
from podium.wording.notes import say

COUNTED = ("sphericity",)  # whose texts hold no names, in which digits tell one from another


def notes(
    results: Results, found: Mapping[str, Comparisons], refused: Mapping[str, str]
) -> Iterator[Note]:
    """All that is worth saying about the orders of many data sets."""
    yield from exclusion_notes(results)
    if refused:
        verb = "is" if len(refused) == 1 else "are"
        yield Note(
            "not-analysed",
            text=f"{len(refused)} of {len(found) + len(refused)} data sets could not be analysed and "
            f"{verb} in no summary: {listed(list(refused), len(refused))}.",
        )
    yield from _about_multiplicity(found)
    yield from _about_procedures(found)
    yield from _about_pairs(found)
    yield Note(
        "agreement",
        text="Kendall's W ranks the mean scores of each data set, however uncertain they are; the "
        "distances are between decided orders. The test that belongs to W is friedman over the "
        "data sets as blocks.",
    )
    yield from _of_each(found)


def _about_multiplicity(found: Mapping[str, Comparisons]) -> Iterator[Note]:
    """What is not adjusted for, and what is to be expected of it."""
    one, many = next(iter(found.values())), len(found)
    pairs, adjust = len(one.table), str(one.details.get("adjustment", ""))
    head = f"Nothing is adjusted across the {many} data sets: "
    if adjust == "bh":
        rest = "within each a share of the claims may be false, and so it is of all of them."
    elif adjust == "none" and pairs > 1:
        most = one.alpha * many * pairs
        rest = (
            f"nor within them, so that up to alpha x data sets x pairs = {most:.3g} false claims "
            "are to be expected."
        )
    else:
        rest = (
            f"up to alpha x data sets = {one.alpha:g} x {many} = {one.alpha * many:.3g} data sets "
            "with a false claim are to be expected, where the procedure holds its level."
        )
    yield Note("multiplicity", text=head + rest)


def _about_procedures(found: Mapping[str, Comparisons]) -> Iterator[Note]:
    used: dict[tuple[str, str], list[str]] = {}
    for name, one in found.items():
        bricks = one.procedure, str(one.details.get("null", ""))
        used.setdefault(bricks, []).append(name)
    if len(used) > 1:
        each = [f"{p} ({null}) on {listed(names, 5)}" for (p, null), names in used.items()]
        yield Note(
            "procedures-differ",
            text=f"Not all data sets were analysed alike: {'; '.join(each)}. Name a procedure and a "
            "null to do so.",
        )


def _about_pairs(found: Mapping[str, Comparisons]) -> Iterator[Note]:
    one = next(iter(found.values()))
    k = len(one.algorithms)
    if len(one.table) < k * (k - 1) // 2:
        yield Note(
            "uncompared",
            text="Not all pairs were compared; those that were not add nothing to distances and have no "
            "vote in the consensus.",
        )


def _of_each(found: Mapping[str, Comparisons]) -> Iterator[Note]:
    """The notes of single data sets: once where the text is the same but for its numbers."""
    about: dict[tuple[str, str], dict[str, str]] = {}
    for name, one in found.items():
        for note in one.warnings:
            counted = note.code in COUNTED
            kind = re.sub(r"\d[\d.]*", "#", say(note)) if counted else say(note)
            about.setdefault((note.code, kind), {})[name] = say(note)
    for (code, _), texts in about.items():
        first, text = next(iter(texts.items()))
        where = "" if len(texts) == len(found) else f"On {listed(list(texts), 5)}: "
        other = f" (The numbers are those of '{first}'.)" * (len(set(texts.values())) > 1)
        yield Note(code, text=where + text + other)
