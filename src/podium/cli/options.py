"""Declared options as those of commands, and what they are read into."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from podium.base.options import OPTIONS, Option, chosen, part_of
from podium.cli.completion import offers_of
from podium.cli.helping import HelpedOption
from podium.questions import options as _declared  # noqa: F401 # which declares them

if TYPE_CHECKING:
    from podium.reading.results import Results

Command = TypeVar("Command", bound=Callable[..., Any])
PATH = click.Path(path_type=Path)
READING, EXCLUDING = part_of("reading"), part_of("excluding")
CHOOSING = ("target", "dataset", "scale")  # which layout is compared
BAYES, JUDGED, MARGINS = part_of("bayes"), part_of("judged"), part_of("margins")
TESTING = tuple(
    name for name in part_of("line", "testing", "comparing") if OPTIONS[name].on_line
)  # how
COMPARING = ("measure", *CHOOSING, *TESTING)  # all that `podium.compare` takes
FILES = (
    "report",
    "json",
    "csv",
    "latex",
    "markdown",
    "output",
    "store",
)  # options that name a file to write
EMPTY = ("", "NA", "NaN", "nan")  # a cell that says nothing about a data set


def shared(*names: str, **words: str) -> Callable[[Command], Command]:
    """Give a command some of the declared options, with help of its own where `words` say it."""
    every = chosen((*names, *words))

    def decorated(verb: Command) -> Command:
        for option in reversed(every):
            verb = option_of(option, words.get(option.name, option.help))(verb)
        return verb

    return decorated


def declared(name: str, words: str = "", **more: Any) -> Callable[[Command], Command]:
    """A declared option with what one command has otherwise, as `required=True`."""
    return option_of(OPTIONS[name], words or OPTIONS[name].help, **more)


def option_of(option: Option, words: str, **more: Any) -> Callable[[Command], Command]:
    """What click makes of a declared option."""
    path = {"type": PATH} if option.name in FILES else {}
    facts = {**path, **option.line, "help": words, **offers_of(option.name), **more}
    return click.option(
        *option.on_line, cls=HelpedOption, section=option.section, rare=option.rare, **facts
    )


reading = shared(*READING)
excluding = shared(*EXCLUDING)


def files(decorated: Command) -> Command:
    """Give a command the argument FILE: one or several files and folders."""
    return click.argument("file", type=PATH, nargs=-1, required=True, callback=_alone)(decorated)


def _alone(_context: click.Context, _of: click.Parameter, paths: tuple[Path, ...]) -> Any:
    """One file as it is, several as a list."""
    return paths[0] if len(paths) == 1 else list(paths)


def read_results(file: Path | list[Path], options: Mapping[str, Any]) -> Results:
    """What the files hold, less the data sets that are left out."""
    import podium

    return less_excluded(podium.read(file, **said(options, READING)), options)


def with_strata(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with the column of strata among what is said of columns."""
    if options["strata"] is None:
        return dict(options)
    said_so = [options["columns"], f"stratum={options['strata']}"]
    return {**options, "columns": ",".join(part for part in said_so if part)}


def less_excluded(results: Results, options: Mapping[str, Any]) -> Results:
    """The results without the data sets of --exclude, which keep the --reason in mind."""
    from podium.reading.dataset_facts import exclude_datasets

    if not options["exclude"]:
        refuse(options, ["reason"], "is for data sets that are left out: say which by --exclude")
        return results
    names = [name.strip() for name in options["exclude"].split(",")]
    return exclude_datasets(results, names, options["reason"] or "")


def said(options: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Those of these options that were given."""
    return {name: options[name] for name in names if options.get(name) not in (None, ())}


def refuse(options: Mapping[str, Any], names: Sequence[str], why: str) -> None:
    """Refuse options that do not apply, rather than ignore them."""
    from podium.base.errors import InferenceError

    for name in said(options, names):
        flag = OPTIONS[name].on_line[0] if name in OPTIONS else f"--{name.replace('_', '-')}"
        raise InferenceError(f"{flag} {why}, or leave it out.")


def read_weights(given: str | None) -> str | dict[str, float] | None:
    """Weights of data sets as they were said, or from a table with the columns dataset, weight."""
    path = Path(given) if given is not None else None
    if path is None or not path.is_file():
        return given
    from podium.reading.files.tabular import tabular

    table = tabular(path)
    for column in ("dataset", "weight"):
        table.check_column(column)
    names = table.texts("dataset").tolist()
    return dict(zip(names, table.numbers("weight").tolist(), strict=True))


def read_columns(path: Path, *columns: str) -> Any:
    """A table about data sets, as a frame: names as text, numbers as numbers."""
    from podium.base.errors import ResultsError
    from podium.reading.files.tabular import tabular

    table = tabular(path)
    for column in columns:
        if column not in table.columns:
            raise ResultsError(f"The table '{path}' has no column '{column}'.")
    texts = ("dataset", "group")
    numbers = {c: table.numbers(c) for c in table.columns if c not in texts and table.is_numeric(c)}
    frame = table.frame.assign(**numbers)
    return frame.mask(frame.isin(EMPTY))


def bounds_of(text: str | None) -> tuple[float, float] | None:
    """Two numbers as they were said."""
    from podium.base.errors import DesignError

    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise DesignError(f"--bounds are two numbers, as in 0,100, not '{text}'.") from None
    return low, high
