"""Results and comparisons as a page."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from html import escape
from pathlib import Path
from typing import Any

from podium.asking.comparison.analysis import Question
from podium.core.base.errors import InferenceError
from podium.core.base.options import takes
from podium.core.base.rooms import offered
from podium.core.base.writing import check_writable, write_text
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.procedures.procedure import Options, Procedure
from podium.core.results.planned_and_done import as_registered
from podium.core.results.results import Results
from podium.core.verdicts.verbs import compare_registered, score_interval
from podium.reading.formats import read


@dataclass(frozen=True, repr=False)
class Page:
    """A page that was made; a notebook shows it as it is."""

    text: str
    path: Path | None = None

    def __repr__(self) -> str:
        where = f" in '{self.path}'" if self.path else ""
        return f"<Page{where}, {len(self.text) / 1e6:.1f} MB>"

    def _repr_html_(self) -> str:
        held = f'<iframe srcdoc="{escape(self.text)}" width="100%" height="700"></iframe>'
        return f"<p>{escape(repr(self)[1:-1])}</p>{held}"


@takes(
    "choosing", "null", "adjust", "control", "alternative", "alpha", "relevance", "gaps", "force",
    "progress", only_given=True,
)  # fmt: skip
def report(
    results: Any,
    path: str | Path | None = None,
    *,
    comparisons: Comparisons | Sequence[Comparisons] | None = None,
    procedure: str | Procedure | None = None,
    **options: Any,
) -> Page:
    """Write results and what may be said of them as one self-contained page.

    Parameters
    ----------
    results : Results, or anything that `read` takes and that carries its sampling
    path : str | Path | None
        Where the page goes; without one it is only returned, and shows itself in a notebook.
    comparisons : Comparisons, or several
        What the page is about before all else. Without them the design decides how every measure is
        compared: over all data sets where there are several, then on each of them. What cannot be
        compared is said in the page.
    procedure : str | Procedure | None
        A name from `podium list tests`, for all measures; without one the design decides.

    Returns
    -------
    Page
        `.text` is its HTML.

    Examples
    --------
    >>> import podium
    >>> scores = {"svm": [0.1, 0.2, 0.3, 0.2], "lda": [0.3, 0.5, 0.4, 0.4]}
    >>> results = podium.read(scores, sampling="runs", measure="error")
    >>> podium.report(results).text.startswith("<!doctype html>")
    True
    """
    measure, dataset, target, scale, progress = (
        options.pop(name, None) for name in ("measure", "dataset", "target", "scale", "progress")
    )
    if path is not None:
        check_writable(path)
    from podium.asking.comparison.pages import page_of
    from podium.showing.reports.page import render

    results = results if isinstance(results, Results) else read(results, measure=measure)
    if dataset is not None:
        results = results.filter(dataset=dataset)
    texts = {**options, "procedure": procedure, "force": options.get("force") or None}
    question = Question(measure, target, scale, Options.said(**texts))
    if results.registered is not None and len(results.algorithms) > 1:
        requests = {**texts, "measure": measure, "target": target, "scale": scale}
        comparisons, results, question = _registered(results, comparisons, question, requests)
    if comparisons is None:
        comparisons = _requests(results, question)
        timed = offered("with_timings")
        if timed is not None and question == Question(question.measure):
            results = timed(results)
    every = [comparisons] if isinstance(comparisons, Comparisons) else list(comparisons)
    with _one_thread():
        made = page_of(results, every, question, progress=progress)
    page = Page(render(made), None if path is None else Path(path))
    _keep(page)
    return page


def _one_thread() -> AbstractContextManager[Any]:
    """BLAS with one thread, as commands have it, unless the environment says how many.

    Matrices are small: threads only wait for each other.
    """
    if any(f"{library}_NUM_THREADS" in os.environ for library in ("OPENBLAS", "MKL", "BLIS")):
        return nullcontext()
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1, user_api="blas")


def _keep(page: Page) -> None:
    if page.path is not None:
        write_text(page.text, page.path)  # the script's hash holds for these very bytes


def _registered(
    results: Results,
    comparisons: Comparisons | Sequence[Comparisons] | None,
    question: Question,
    options: Mapping[str, object],
) -> tuple[Comparisons | Sequence[Comparisons], Results, Question]:
    """What was planned, or is asked instead; the results that it is about; and as a question."""
    if comparisons is not None:
        return comparisons, results, question
    first = compare_registered(results, {k: v for k, v in options.items() if v is not None})
    about = first.extras.registered
    if about is None or about.exploratory:
        return first, results, question
    plan = about.version.plan
    known = {k: v for k, v in plan.options().items() if k in {f.name for f in fields(Options)}}
    planned = Question(plan.measure, plan.target, None, Options(**known))
    return first, as_registered(results), planned


def _requests(results: Results, question: Question) -> list[Comparisons]:
    """What was asked for, so that it is refused where it is wrong; one algorithm by itself."""
    if len(results.algorithms) == 1:
        return _alone(results)
    if question == Question(question.measure):
        if question.measure is not None:
            results.values(question.measure)  # refused where there is none of that name
        return []
    return [question.compared(results, question.measure or next(iter(results.measures), None))]


def _alone(results: Results) -> list[Comparisons]:
    try:
        return [score_interval(results, measure=name) for name in results.measures]
    except InferenceError:  # one sample, or none: the page says what cannot be said
        return []
