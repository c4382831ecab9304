"""What `podium analyze` reads: tables and stores, a judge's and people's scores, queued items."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from podium.base.errors import ResultsError
from podium.base.rooms import offered, required
from podium.cli.options import (
    CHOOSING,
    READING,
    TESTING,
    less_excluded,
    read_results,
    refuse,
    said,
    with_strata,
)

if TYPE_CHECKING:
    from podium.reading.results import Results

MARGINS_OF = "is of several measures: name them, as in -m accuracy,cost"


def other_question(options: dict[str, Any]) -> str:
    """The room that answers what is asked beside comparisons of algorithms; empty: none."""
    if options.get("factors"):
        return "factors"
    return "fronts" if _are_several(options) and not options.get("weights") else ""


def _are_several(options: dict[str, Any]) -> bool:
    return "," in (options["measure"] or "")


def question_of(results: Results) -> str:
    """The room that answers what the results themselves ask: times of two versions."""
    return "timings" if "timings" in results.design else ""


def analysed_results(file: Path | list[Path], options: dict[str, Any]) -> Results:
    """What the file holds; times of two versions know how they changed, if no test was named."""
    results = _read_results(file, options)
    timed = offered("with_timings")
    others = [name for name in (*CHOOSING, *TESTING, "strata") if name not in ("alpha", "gaps")]
    if timed is None or other_question(options) or any(options.get(name) for name in others):
        return results
    return cast("Results", timed(results, **said(options, ("alpha",))))


def _read_results(file: Path | list[Path], options: dict[str, Any]) -> Results:
    """What the file holds, or the items of a store, less the data sets that are left out."""
    import podium
    from podium.execution.item_reading import is_store
    from podium.samplings import ITEMS

    if question := other_question(options):
        if question != "fronts":
            refuse(options, ["margin"], MARGINS_OF)
        return cast("Results", required(f"{question}_results")(file, options))
    if _are_several(options) and options.get("weights"):
        return cast("Results", required("utility_results")(file, options))
    refuse(options, ["margin"], MARGINS_OF)
    if options["queue"] or options["open"]:
        return _queued_results(file, options)
    options = with_strata(options)
    if options["judge"] and options["human"]:
        return _judged_results(file, options)
    if options["sampling"] != ITEMS.name or not isinstance(file, Path) or not is_store(file):
        of_store = isinstance(file, Path) and is_store(file)
        way = "add --sampling items" if of_store else f"name a store instead of '{file}'"
        refuse(options, ["sample"], f"is for the items of a store: {way}")
        return read_results(file, options)
    _taken(options, ["sampling", "measure", "sample"], "is not for the items of a store")
    measure, sample = options["measure"] or "error", _sample(options["sample"] or "1")
    results = podium.read_items(file, measure=measure, dataset=options["dataset"], sample=sample)
    return less_excluded(results, options)


def _taken(options: dict[str, Any], names: Sequence[str], why: str) -> dict[str, Any]:
    """Those of these options of reading that were given; others are refused, not ignored."""
    refuse(options, [name for name in (*READING, "sample") if name not in names], why)
    return said(options, names)


def first_measure(file: Path | list[Path], results: Results, options: dict[str, Any]) -> str | None:
    """The measure that counts where there are several and none was named.

    A study lists it first; of a table it is the one that is no cost, where all others are.
    """
    from podium.execution.item_reading import is_store
    from podium.reading.cells.measure_names import only_quality

    planned = results.registered is not None or results.stopping is not None
    if options["measure"] or options["judge"] or planned or len(results.measures) < 2:
        return None
    if isinstance(file, Path) and is_store(file):
        return next(iter(results.measures))
    return only_quality(results.measures)


def _judged_results(file: Path | list[Path], options: dict[str, Any]) -> Results:
    """The items of a table with two columns of scores, the judge's and people's."""
    from podium.judges.tables import read_judged

    refuse(options, ["measure", "sample"], "is what people say: it is the column of --human")
    chosen = said(options, [name for name in READING if name != "measure"])
    return less_excluded(read_judged(file, options["judge"], options["human"], **chosen), options)


def _queued_results(file: Path | list[Path], options: dict[str, Any]) -> Results:
    """Items in an order that was drawn, with the plan of their queue."""
    import podium
    from podium.execution.item_reading import is_store
    from podium.samplings import ITEMS

    if not isinstance(file, list) and is_store(file):
        raise ResultsError(
            "A queue is for one table of answers to items; a study that runs here stops by "
            "podium run --until decided."
        )
    if options["sampling"] not in (None, ITEMS.name):
        raise ResultsError(
            f"A queue is of items, not of '{options['sampling']}': leave --sampling out."
        )
    refuse(options, ["judge", "human", "dataset", "strata"], "is not for queued items")
    refuse(options, ["sample"], "is not for queued items: leave it out")
    request = said(options, [name for name in READING if name != "sampling"])
    results = podium.sequential.read_queued(file, options["queue"], **request)
    if options["open"] and results.stopping and not results.stopping["open"]:
        raise ResultsError(
            "This queue was drawn with a budget, and a plan does not change after a look: leave "
            "--open out."
        )
    return less_excluded(results, options)


def _sample(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdecimal():
        raise ResultsError(f"--sample is a number from 1 on, or all, not '{text}'.")
    return int(text)
