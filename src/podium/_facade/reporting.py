"""Results and comparisons as a page."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from podium._facade.comparing import compare, decide
from podium.comparisons import Comparisons
from podium.errors import ExecutionError, InferenceError
from podium.reports.render import write_report
from podium.results.results import Results


def report(
    results: Results,
    path: str | Path,
    *,
    comparisons: Comparisons | Sequence[Comparisons] | None = None,
) -> None:
    """Write results and comparisons as one self-contained page.

    Without comparisons, the first measure is compared by the procedure that the design calls for:
    over all data sets where there are several, then on each of them, as far as it can be.
    """
    if comparisons is None:
        comparisons = _default_comparisons(results)
    every = [comparisons] if isinstance(comparisons, Comparisons) else list(comparisons)
    try:
        write_report(results, path, [(c, decide(c)) for c in every])
    except OSError as error:
        raise ExecutionError(f"'{path}' cannot be written: {error.strerror or error}.") from None


def _default_comparisons(results: Results) -> list[Comparisons]:
    measure = next(iter(results.measures), None)
    several = [None] if len(results.datasets) > 1 else []
    found = []
    for dataset in (*several, *results.datasets):
        with contextlib.suppress(InferenceError):  # one algorithm, one sample, nothing done yet
            found.append(compare(results, measure=measure, dataset=dataset))
    return found
