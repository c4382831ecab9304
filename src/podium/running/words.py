"""What is said when a study has run, on the command line as in Python."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from podium.base.formatting import listed, natural
from podium.words.phrases import counted, times

MOST_REASONS = 10  # different failures that are shown
STATES = ("ChangedState", "KeptState")  # names of warnings that say what to do


def failure_lines(failures: pd.DataFrame, *, looks: bool) -> list[str]:
    """How many runs failed, and the reasons, each once, with a hint where there is one.

    `looks`: of a study that may stop.
    """
    if failures.empty:
        return []
    again = f"{'it is' if len(failures) == 1 else 'they are'} tried again by the next call"
    if looks:
        again = "those that a look has used stay missing, all others are tried again"
    lines = [f"{counted(len(failures), 'run')} failed; {again}."]
    reasons = list(
        failures.groupby(["dataset", "algorithm", "exception", "message"], observed=True)
    )
    reasons.sort(key=lambda reason: [natural(str(part)) for part in reason[0]])
    for (dataset, algorithm, kind, message), rows in reasons[:MOST_REASONS]:
        first = message.splitlines()[0] if message else ""
        lines.append(f"  {algorithm} on {dataset}: {kind}: {first} ({times(len(rows))})")
    if len(reasons) > MOST_REASONS:
        lines.append(f"  and {len(reasons) - MOST_REASONS} more kinds of failure")
    text = " ".join(failures["message"])
    if "could not convert string to float" in text or "contains NaN" in text:
        lines.append("  With preprocess = true an algorithm takes nominal and missing attributes.")
    return lines


def changed_code_line(name: str, files: Sequence[str], done: int) -> str:
    """What has changed of an algorithm's code, and what follows."""
    them = "it is" if done == 1 else "they are"
    was = "was" if done == 1 else "were"
    return (
        f"{listed(files, 5)} changed since {counted(done, 'run')} of '{name}' {was} made: {them} "
        "run again."
    )


def unknown_code_line(name: str, done: int) -> str:
    """That runs count though nobody noted their code."""
    was = "was" if done == 1 else "were"
    return (
        f"{counted(done, 'run')} of '{name}' {was} made by a version of Podium that did not look "
        "at its code: done, as the code is now. When it changes, they are run again."
    )


def unread_code_line(name: str) -> str:
    """That a change would go unnoticed."""
    return (
        f"The code of '{name}' cannot be read, so that a change of it goes unnoticed: put it into "
        "a file that is imported."
    )


def state_lines(warned: pd.DataFrame) -> list[str]:
    """Which algorithms changed what others rely on, or keep something between runs."""
    message = warned[warned["category"].isin(STATES)]
    groups = message.groupby(["algorithm", "message"], observed=True)["count"].sum()
    return [f"{a}: {text} ({times(n)})." for (a, text), n in list(groups.items())[:MOST_REASONS]]
