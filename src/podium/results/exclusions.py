"""Data sets that were left out after the fact: kept in mind, with the reason.

To choose data sets by the results that they gave biases every claim (boulesteix2013, section 2). So
what is left out stays among the facts of the results, and every layout of data sets says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from podium.errors import ResultsError
from podium.facts import Note
from podium.formatting import listed
from podium.registry import unknown
from podium.results.results import Results

KEY = "excluded"  # among the facts of a data set: why it was left out


def excluded(results: Results, names: str | Sequence[str], reason: str) -> Results:
    """The results without some data sets, and with the reason why."""
    gone = [names] if isinstance(names, str) else list(names)
    if not isinstance(reason, str) or not reason.strip():
        raise ResultsError(
            f"Data sets are left out for a reason, in words; none is given for {listed(gone)}."
        )
    for name in gone:
        if name not in results.datasets:
            raise ResultsError(unknown("data set of these results", name, results.datasets))
    kept = [name for name in results.datasets if name not in gone]
    if not kept:
        raise ResultsError("No data set would be left; leave out fewer.")
    why = {name: {**results.facts.get(name, {}), KEY: reason.strip()} for name in gone}
    return replace(results.filter(dataset=kept), facts={**results.facts, **why})


def exclusions(results: Results) -> dict[str, str]:
    """Every data set that was left out, and why."""
    here = set(results.datasets)
    return {
        name: str(facts[KEY])
        for name, facts in results.facts.items()
        if KEY in facts and name not in here
    }


def exclusion_notes(results: Results) -> tuple[Note, ...]:
    """One note for every reason for which data sets were left out."""
    gone = exclusions(results)
    return tuple(
        Note(
            "excluded",
            text=f"Left out after the fact ({reason}): "
            f"{listed([name for name, why in gone.items() if why == reason], len(gone))}. Claims "
            "hold for data sets that would have been kept; a choice that looked at scores biases "
            "them.",
        )
        for reason in dict.fromkeys(gone.values())
    )
