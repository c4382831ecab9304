"""`podium survey` and `podium survey recommend`: orders by data set, groups, and whom to take
where.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.core.base.formatting import in_lines
from podium.core.base.progress import counting
from podium.core.base.rooms import required
from podium.core.base.writing import write_text
from podium.showing.terminal.options import (
    PATH,
    command,
    declared,
    excluding,
    files,
    given_options,
    read_columns,
    read_results,
    reading,
    refuse,
    shared,
)
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import (
    check_writable,
    say_lines,
    show,
    write_json,
    write_outputs,
)

if TYPE_CHECKING:
    from podium.asking.surveys.verbs import EqualBias


EACH = ("target", "relevance", "family", "gaps")  # of the order on every data set
NOT_OF_SIZES = ("groups", "declared", "by", "table", "scale")
ALL = ("measure", "alpha")


TABLE = click.option(
    "--table", type=PATH, help="A table with the column dataset and characteristics."
)


@command("survey")
@files
@reading
@excluding
@shared(
    "target",
    "alpha",
    "relevance",
    "gaps",
    procedure="The test on every data set or within subgroups; with --by bradley-terry is of wins.",
)
@declared("family", "Of the consensus [weak].")
@click.option("--groups", type=PATH, help="A table dataset, group: compare within subgroups.")
@click.option("--declared", help="In words, where and when the subgroups were declared before.")
@click.option("--by", help="Characteristics that explain differences, with commas between.")
@click.option("--sizes", is_flag=True, help="Whether differences move with the training size.")
@TABLE
@declared("every", "Every data set, every pair and all notes.")
@shared("report", "json", scale="Of subgroups and characteristics: raw, ranks, best ...")
def survey(file: Path | list[Path], json: Path | None, every: bool, **options: Any) -> int:
    """What FILE (a store or a table of many data sets) says data set by data set.

    The order on every data set, their consensus and agreement; with --groups the differences within
    subgroups of data sets; with --by how characteristics of data sets explain them; with --sizes
    (a study of several training sizes) whether differences move with the size.
    """
    from podium.asking.surveys.verbs import equal_bias

    check_writable(json, options["report"])
    _check(options)
    results = read_results(file, options)
    with counting() as progress:
        surveyed = _result(results, options, progress)
    content = surveyed.to_dict()
    plain = not (options["sizes"] or options["groups"] or options["by"])
    bias = equal_bias(results, options["measure"]) if plain else None
    if bias is not None:
        content["equal_bias"] = bias.to_dict()
    is_on_screen = write_outputs(
        (options["report"], partial(_write_page, surveyed)),
        (json, partial(write_json, content)),
    )
    if options["report"] is not None:
        say(f"The page is in '{options['report']}'.", err=True)
    if not is_on_screen:
        _say_found(surveyed, options, bias, every=every)
    return 0


def _write_page(result: Any, path: Path) -> None:
    write_text(required("page_text")(required("survey_page")(result)), path)


def _say_found(
    result: Any, options: dict[str, Any], bias: EqualBias | None, *, every: bool
) -> None:
    """Orders on a screen unless all is asked for; other questions have short answers."""
    from podium.asking.surveys.screen import say_survey

    if every or bias is None:
        say(_message(result, options))
    else:
        say_survey(result, bias)


def _message(result: Any, options: dict[str, Any]) -> str:
    from podium.core.words.notes.of_results import sizes_verdict

    first = f"{sizes_verdict(result.table)}\n" if options["sizes"] else ""
    return in_lines(first + repr(result))


def _check(options: dict[str, Any]) -> None:
    """Refuse what the question that is asked does not take."""
    if options["sizes"]:
        refuse(options, (*NOT_OF_SIZES, *EACH), "is no part of --sizes")
        return
    if options["groups"]:
        refuse(options, ["by"], "and --groups are two questions: ask one of them")
    else:
        refuse(options, ["declared"], "is for subgroups: name them by --groups")
    if options["groups"] or options["by"]:
        refuse(options, EACH, "is for the order on every data set: drop --groups and --by")
    else:
        refuse(options, ["scale"], "is for subgroups and characteristics: add --groups or --by")
    if not options["by"]:
        refuse(options, ["table"], "has characteristics: say which by --by")


def _result(results: Any, options: dict[str, Any], progress: Any) -> Any:
    from podium.asking.surveys.verbs import by_dataset, explain_differences, size_trend, subgroups

    chosen = given_options(options, ALL)
    if options["sizes"]:
        return size_trend(results, **chosen, **given_options(options, ["procedure"]))
    if options["groups"]:
        groups = read_columns(options["groups"], "dataset", "group")
        chosen |= given_options(options, ["scale", "procedure"])
        declared = options["declared"] or False
        return subgroups(results, groups, declared_before=declared, **chosen)
    if options["by"]:
        columns = [name.strip() for name in options["by"].split(",")]
        table = options["table"] and read_columns(options["table"], "dataset")
        by = None if table is None else table.set_index("dataset")
        chosen |= given_options(options, ["scale", "procedure"])
        return explain_differences(results, by, columns=columns, **chosen)
    chosen |= given_options(options, ("procedure", *EACH))
    return by_dataset(results, progress=progress, **chosen)


# -- recommend command ----------------------------------------------------------------------------
# `podium survey recommend`: which algorithm where, and what that is worth on other data sets.


@command("recommend")
@files
@reading
@excluding
@click.option("--by", help="Characteristics, with commas between [all].")
@TABLE
@click.option("--new", type=PATH, help="A table of new data sets: recommend an algorithm for each.")
@shared("alpha", "json", scale="raw, ranks, best ... [raw].")
def recommend(file: Path | list[Path], json: Path | None, **options: Any) -> int:
    """Which algorithm to take where, from the characteristics of many data sets of FILE.

    Data sets are cut into groups by characteristics, each with its best algorithm. Whether that
    beats always taking the overall best is judged on data sets left out one by one; if not, it says
    so, and recommends the overall best.
    """
    from podium.asking.surveys.verbs import recommend as recommended
    from podium.core.words.notes.of_surveys import taken_line

    check_writable(json)
    results = read_results(file, options)
    table = options["table"] and read_columns(options["table"], "dataset")
    new = options["new"] and read_columns(options["new"], "dataset")
    columns = options["by"] and [name.strip() for name in options["by"].split(",")]
    advice = recommended(
        results, table, columns=columns, **given_options(options, ("measure", "scale", "alpha"))
    )
    rows = [] if new is None else new.to_dict("records")
    known = {str(row["dataset"]): _numbers(row) for row in rows}
    taken = {name: advice.recommend(of) for name, of in known.items()}
    lines = [
        taken_line(name, one, advice.helps, advice.unknown(known[name]))
        for name, one in taken.items()
    ]
    content = advice.to_dict() | ({"new": taken} if taken else {})
    show(content, json, lambda: say_lines("\n".join([*lines, repr(advice)])))
    return 0


def _numbers(row: dict[str, Any]) -> dict[str, float]:
    """What of a row is a number; nothing is known of the rest."""
    numbers = {}
    for name, value in row.items():
        try:
            numbers[str(name)] = float(value)
        except (TypeError, ValueError):
            continue
    return numbers
