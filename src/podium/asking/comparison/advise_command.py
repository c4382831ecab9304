"""`podium advise`: which question a design answers, what a file supports and what it lacks."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.core.base.errors import PodiumError
from podium.core.base.formatting import screen, wrapped
from podium.core.base.rooms import offered
from podium.showing.terminal.options import (
    EXCLUDING,
    command,
    excluding,
    files,
    reading,
    refuse,
    shared,
)
from podium.showing.terminal.saying import say

if TYPE_CHECKING:
    from podium.core.results.results import Results


@command("advise")
@files
@shared("target")
@reading
@excluding
@shared("trust", "factors")
def advise(file: Path | list[Path], trust: tuple[str, ...], **options: Any) -> int:
    """Which question FILE answers, with which test, what it lacks, and what that would take.

    FILE is a study file before it is run, a results file, or a table of scores.
    """
    if isinstance(file, Path) and file.suffix == ".toml":
        return _of_study(file, trust, options)
    if (reports := _studies(file)) is not None:
        _say_lines([reports])
        return 0
    return _of_scores(file, options)


def _of_study(file: Path, trust: tuple[str, ...], options: dict[str, Any]) -> int:
    import podium

    refuse(options, EXCLUDING, "is for scores: leave the data set out of the study")
    of_scores = ("step", "where", "recipe")
    refuse(options, (*of_scores, "factors"), "is for scores")
    rest = {k: v for k, v in options.items() if k not in (*EXCLUDING, *of_scores, "factors")}
    _say_lines(str(podium.advise(file, trust=trust, **rest)).splitlines())
    return 0


def _of_scores(file: Path | list[Path], options: dict[str, Any]) -> int:
    import podium
    from podium.asking.comparison.question import find_question
    from podium.asking.comparison.request import Request
    from podium.asking.comparison.usual_question import choose_measure
    from podium.asking.comparison.words import FURTHER, checkup, lines

    request = Request.from_asked(file, options)
    question = find_question(request)
    wanted = {"factors": options["factors"], "fronts": options["measure"]}.get(question.name)
    case = question.read(request)
    results, measure = case.results, case.request["measure"] or choose_measure(case)
    known = checkup(results, measure)
    if known.supported or options["target"]:
        chosen = {"target": options["target"], "measure": measure}
        _say_lines([*str(podium.advise(results, **chosen)).splitlines(), ""])
    _say_lines(lines(known))
    _say_lines([FURTHER[question.name].format(wanted)] if wanted else _further(results))
    return 0 if known.supported else 1


def _further(results: Results) -> list[str]:
    """Questions that these results may also answer."""
    from podium.asking.comparison.words import FURTHER

    outcomes = []
    for room, text in FURTHER.items():
        hint = offered(f"{room}_hint")
        if hint is not None and (wording := hint(results)):
            outcomes.append(text.format(wording))
    return outcomes


def _say_lines(lines: Iterable[str]) -> None:

    for line in lines:
        say(wrapped(line, screen(), "  "))


def _studies(file: Path | list[Path]) -> str | None:
    """What is said of a table of what studies report, which are no scores; None of others."""
    from podium.asking.comparison.words import studies_line
    from podium.reading.formats.record import Source

    is_of_studies = offered("is_of_studies")
    if is_of_studies is None or not isinstance(file, Path) or not file.is_file():
        return None
    try:
        columns = Source(file).columns
    except PodiumError:  # who reads it says what is wrong
        return None
    return studies_line(str(file)) if columns and is_of_studies(columns) else None
