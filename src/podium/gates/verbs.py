"""The gate of continuous integration: is the new one worse?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from podium.base import rooms
from podium.base.errors import ResultsError
from podium.base.faces import takes
from podium.gates.deciding import Goals, decided, read_goals
from podium.gates.decisions import Decision
from podium.gates.gates import Gate
from podium.gates.judging import judged
from podium.gates.sides import read_sides
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import checked_step


@takes("reading", "alpha", "gaps", but={"gaps": None})
def gate(
    old: Any,
    new: Any,
    *,
    margin: float | str | Sequence[str] | Mapping[str, float | str] | None = None,
    improve: str | Sequence[str] | None = None,
    algorithm: str | None = None,
    procedure: str | None = None,
    ledger: str | Path | None = None,
    **options: Any,
) -> Gate | Decision:
    """Whether the new one is worse than the old one, on every benchmark that both have.

    Items (samples, folds, data sets) that both name are paired; runs, seeds and timings are not.
    Without a margin only a loss can be shown; with one also that there is none as large as that.

    Parameters
    ----------
    old, new : a file or folder of any format that `read` knows, a list of them, a frame, or scores
        Scores by item (`{"q1": 1, "q2": 0}`), lists of them by benchmark (`{"sort": [0.31,
        0.33]}`), or one list.
    margin : float | str | None
        The loss that still counts as not worse: in the measure's unit, or `"5%"` of the old mean.
        Of several measures by name: `{"accuracy": 0.01, "latency": "5%"}`.
    improve : str | sequence of str | None
        Measures that must be better, beside those with margins; `"any:cost,tokens"` where one of
        them is enough. The direction of one that nobody knows stands behind it: `"depth=lower"`.
    algorithm : str | None
        The one that is meant, where a source has scores of several.
    procedure : str | None
        A name from `podium list tests`; without one the design decides.
    ledger : str | Path | None
        A file that counts questions: half of the items, drawn by lot, are sealed and answer only
        where the others pass, so that hundreds of tries against one test set err in alpha at most.

    Returns
    -------
    Gate, or a Decision on several measures
        `.verdict`, and `.status`: 0 (not worse, or nothing shown), 3 (worse) or 4 (undecided); of
        several measures 0 (ship), 3 (no) or 4 (not yet).

    Examples
    --------
    >>> right = {f"q{i}": 1.0 for i in range(100)}
    >>> gate(right, right | {f"q{i}": 0.0 for i in range(9)}, measure="accuracy").verdict
    'worse'
    """
    alpha, gaps, step = (options.pop(name) for name in ("alpha", "gaps", "step"))
    for name in ("where", "recipe"):  # of one file; here two are read side by side
        if options.pop(name):
            raise ResultsError(
                f"A gate takes no --{name}: write both tables first, by podium import FILE "
                f"--{name} ... -o OLD.csv, and give these."
            )
    measure = options["measure"]
    goals = read_goals(margin, improve, measure)
    reading = replace(Options.checked(**options), step=checked_step(step))
    if isinstance(goals, Goals):
        if ledger is not None:
            raise ResultsError(
                "--ledger is for one measure: choose it by --measure, and leave --improve out."
            )
        return decided(old, new, reading, goals, algorithm=algorithm, procedure=procedure,
                       alpha=alpha, gaps=gaps)  # fmt: skip
    sides = read_sides(old, new, reading, algorithm)
    chosen = measure if measure in sides.results.measures else None
    requests: dict[str, Any] = {"margin": goals, "measure": chosen, "procedure": procedure}
    if ledger is not None:
        gated = rooms.required("gate with a ledger")
        with_it: Gate = gated(sides, Path(ledger), alpha=alpha, gaps=gaps, **requests)
        return with_it
    made = judged(sides, alpha=alpha, gaps=gaps, **requests)
    before = rooms.offered("earlier questions of a gate")
    note = None if before is None else before(sides)
    return made if note is None else replace(made, notes=(*made.notes, note))
