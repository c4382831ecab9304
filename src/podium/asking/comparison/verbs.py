"""`podium.analyze` and `podium.report`: the answer to a request, and its page."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from podium.asking.comparison.analysis import PageRequest
from podium.asking.comparison.answer import Answer
from podium.asking.comparison.question import LAST, Question, ask, list_questions, read_case
from podium.asking.comparison.request import OWN, Case, Request
from podium.core.base.errors import InferenceError
from podium.core.base.options import takes
from podium.core.base.progress import Progress
from podium.core.base.writing import check_writable, write_text
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.procedures.procedure import Procedure
from podium.core.results.results import Results
from podium.core.verdicts.verbs import score_interval
from podium.reading.formats import read
from podium.showing.reports import document


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
    results : an answer of `podium.analyze`, Results, or anything that `read` takes and that
        carries its sampling
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
    progress = options.pop("progress", None)
    if path is not None:
        check_writable(path)
    from podium.asking.comparison.pages import page_of, page_of_answer

    asked = {**options, "procedure": procedure} if procedure is not None else options
    if isinstance(results, Answer):
        if asked or comparisons is not None:
            odd = min(asked, default="comparisons")
            raise InferenceError(
                f"An answer has its own question: leave {odd} out, or ask podium.analyze by it."
            )
        answer = results
        return _render(lambda: page_of_answer(answer, progress), path)
    if not isinstance(results, Results):
        results = read(results, measure=options.get("measure"))
    if comparisons is None:
        request = Request.from_options(results, asked)
        return report_request(request, path, progress)
    if options.get("dataset") is not None:
        results = results.filter(dataset=options["dataset"])
    every = [comparisons] if isinstance(comparisons, Comparisons) else list(comparisons)
    settings = PageRequest.from_options(asked)
    return _render(lambda: page_of(results, every, settings, progress=progress), path)


def report_request(
    request: Request, path: str | Path | None, progress: Progress | None = None
) -> Page:
    """The page of the answer to a request; where there is none, the page says why."""
    from podium.asking.comparison.pages import page_of, page_of_answer

    question, case = read_case(request)
    answer = _find_answer(question, case)
    if answer is not None:
        return _render(lambda: page_of_answer(answer, progress), path)
    results, measure = case.results, case.request["measure"]
    if measure is not None:
        results.values(measure)  # refused where there is none of that name
    settings = PageRequest.from_options(case.request.comparing)
    alone = _compare_alone(results) if len(results.algorithms) == 1 else []
    return _render(lambda: page_of(results, alone, settings, progress=progress), path)


def _find_answer(question: Question, case: Case) -> Answer | None:
    """The answer that a page shows first; None where it shows measures side by side.

    What was asked for by name is refused where it is wrong.
    """
    results, request = case.results, case.request
    if question.place == LAST:
        if len(results.algorithms) == 1:
            return None
        planned = results.registered is not None or results.stopping is not None
        if not planned and not request["measure"] and not request["judge"]:
            request = request.but(measure=next(iter(results.measures), None))
    case = replace(case, request=request)
    try:
        return question.answer(case)
    except InferenceError:
        if {*request.comparing} <= {"measure", "force"}:
            return None
        raise


def _render(make: Callable[[], document.Page], path: str | Path | None) -> Page:
    from podium.showing.reports.page import render

    with _one_thread():
        text = render(make())
    page = Page(text, None if path is None else Path(path))
    if page.path is not None:
        write_text(page.text, page.path)  # the script's hash holds for these very bytes
    return page


def _one_thread() -> AbstractContextManager[Any]:
    """BLAS with one thread, as commands have it, unless the environment says how many.

    Matrices are small: threads only wait for each other.
    """
    if any(f"{library}_NUM_THREADS" in os.environ for library in ("OPENBLAS", "MKL", "BLIS")):
        return nullcontext()
    from threadpoolctl import threadpool_limits

    return threadpool_limits(limits=1, user_api="blas")


def _compare_alone(results: Results) -> list[Comparisons]:
    """Every measure of a single algorithm with its limits."""
    try:
        return [score_interval(results, measure=name) for name in results.measures]
    except InferenceError:  # one sample, or none: the page says what cannot be said
        return []


list_questions()  # declares the options of their own


@takes(
    "reading", "excluding", "choosing", "testing", "comparing", "open", "factors", "margin", OWN,
    only_given=True,
)  # fmt: skip
def analyze(
    source: Any,
    *,
    procedure: str | Procedure | None = None,
    strata: str | None = None,
    sample: int | str | None = None,
    queue: str | Path | None = None,
    **options: Any,
) -> Answer:
    """Who is better, by how much, how sure: the answer that `podium analyze` shows.

    Parameters
    ----------
    source : a path, several paths, a frame, or results
    procedure : str | Procedure | None
        A name from `podium list tests`; without one the design decides.
    strata : str | None
        Of items: scores by this column, too.
    sample : int | str | None
        Of the items of a store: of which sample, or "all".
    queue : str | Path | None
        The order in which items were evaluated.

    Returns
    -------
    Answer
        It prints as the terminal does; `.to_dict()` is what `--json` writes.

    Examples
    --------
    >>> import podium
    >>> scores = {"svm": [0.1, 0.2, 0.3, 0.2], "lda": [0.3, 0.5, 0.4, 0.4]}
    >>> answer = podium.analyze(scores, sampling="runs", measure="error")
    >>> answer.lines()[0].strip()
    'svm has the lowest error.'
    """
    items = {"procedure": procedure, "strata": strata, "queue": queue, "sample": sample}
    said = {name: value for name, value in {**options, **items}.items() if value is not None}
    return ask(Request.from_options(as_source(source), said))


def as_source(given: Any) -> Any:
    """Texts as paths, as a command has them."""
    if isinstance(given, str):
        return Path(given)
    if isinstance(given, (list, tuple)) and all(isinstance(one, (str, Path)) for one in given):
        return [Path(one) for one in given]
    return given
