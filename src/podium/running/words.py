"""What is said when a study has run, on the command line as in Python."""

from __future__ import annotations

import pandas as pd

from podium.base.formatting import natural
from podium.words.phrases import counted, times

MOST_REASONS = 10  # different failures that are shown
STATES = ("ChangedState", "KeptState")  # names of warnings that say what to do
RESTORED = (
    "Somebody removed the temporary folder of this call; it was made again and nothing is lost. "
    "Name a folder that nobody tidies up by TMPDIR."
)


def failure_lines(failures: pd.DataFrame, *, looks: bool = False) -> list[str]:
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


def state_lines(warned: pd.DataFrame) -> list[str]:
    """Which algorithms changed what others rely on, or keep something between runs."""
    told = warned[warned["category"].isin(STATES)]
    groups = told.groupby(["algorithm", "message"], observed=True)["count"].sum()
    return [f"{a}: {text} ({times(n)})." for (a, text), n in list(groups.items())[:MOST_REASONS]]
