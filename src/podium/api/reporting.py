"""Results and comparisons as a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from podium.api.comparing import alone, compare
from podium.comparisons import Comparisons
from podium.errors import ExecutionError, InferenceError
from podium.progress import Progress
from podium.results.results import Results


def report(
    results: Results,
    path: str | Path,
    *,
    comparisons: Comparisons | Sequence[Comparisons] | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> None:
    """Write results and what may be said of them as one self-contained page.

    Parameters
    ----------
    comparisons : what the page is about before all else. Without them the design decides how every
        measure is compared: over all data sets where there are several, then on each of them. What
        cannot be compared is said in the page.
    progress : is told `(done, total)`.
    options : those of `compare`, for all measures; `measure` comes first, `dataset` alone is shown.
    """
    from podium.reports.render import page
    from podium.reports.sections import sections

    said = {name: value for name, value in options.items() if value is not None}
    if "dataset" in said:
        results = results.filter(dataset=said.pop("dataset"))
    if comparisons is None:
        comparisons = _asked(results, said)
    every = [comparisons] if isinstance(comparisons, Comparisons) else list(comparisons)
    made = sections(results, every, options=said, progress=progress)
    title = f"Benchmark study: {results.name}" if results.name else "Benchmark study"
    text = page(title, made)
    try:
        # the script's hash holds for these very bytes; what is no letter becomes a question mark
        Path(path).write_text(text, encoding="utf-8", errors="replace", newline="\n")
    except OSError as error:
        raise ExecutionError(f"'{path}' cannot be written: {error.strerror or error}.") from None


def _asked(results: Results, said: dict[str, Any]) -> list[Comparisons]:
    """What was asked for, so that it is refused where it is wrong; one algorithm by itself."""
    first = {"measure": next(iter(results.measures), None), **said}
    if len(results.algorithms) == 1:
        return _alone(results)
    return [compare(results, **first)] if said.keys() - {"measure"} else []


def _alone(results: Results) -> list[Comparisons]:
    try:
        return [alone(results, measure=name) for name in results.measures]
    except InferenceError:  # one sample, or none: the page says what cannot be said
        return []
