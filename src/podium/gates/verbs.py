"""The gate of continuous integration: is the new one worse?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from podium.gates.gates import Gate
from podium.gates.judging import judged
from podium.gates.sides import read_sides
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.gathering import checked_step
from podium.samplings import Sampling


def gate(
    old: Any,
    new: Any,
    *,
    margin: float | str | None = None,
    measure: str | None = None,
    algorithm: str | None = None,
    sampling: str | Sampling | None = None,
    higher_is_better: bool | None = None,
    columns: str | Mapping[str, str | Iterable[str]] | None = None,
    step: str | int | None = None,
    procedure: str | None = None,
    alpha: float = 0.05,
    gaps: str | None = None,
) -> Gate:
    """Whether the new one is worse than the old one, on every benchmark that both have.

    Items (samples, folds, data sets) that both name are paired; runs, seeds and timings are not.
    Without a margin only a loss can be shown; with one also that there is none as large as that.
    `status` of what comes back is 0 (not worse, or nothing shown), 3 (worse) or 4 (undecided).

    Parameters
    ----------
    old, new : each a file or folder of any format that `read` knows, a list of them, a frame; or
        the scores themselves: by item (`{"q1": 1, "q2": 0}`), lists of them by benchmark
        (`{"sort": [0.31, 0.33]}`), or one list.
    margin : the loss that still counts as not worse: in the measure's unit, or `"5%"` of the old
        mean.
    measure : what the scores are, or which of several measures.
    algorithm : the one that is meant, where a source has scores of several.
    sampling, higher_is_better, columns, step : as for `read`.
    procedure : a name from `podium list tests`; without one the design decides.
    alpha : the level of either claim, over all benchmarks.
    gaps : pairs (what both have), or worst (a missing score counts as the worst).

    >>> right = {f"q{i}": 1.0 for i in range(100)}
    >>> gate(right, right | {f"q{i}": 0.0 for i in range(9)}, measure="accuracy").verdict
    'worse'
    """
    options = replace(
        Options.checked(sampling, measure, higher_is_better, columns), step=checked_step(step)
    )
    sides = read_sides(old, new, options, algorithm)
    chosen = measure if measure in sides.results.measures else None
    return judged(sides, margin=margin, measure=chosen, procedure=procedure, alpha=alpha, gaps=gaps)
