"""The options that say what a file of scores holds, shared by the commands that read one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from podium.results.results import Results

Command = TypeVar("Command", bound=Callable[..., Any])
PATH = click.Path(path_type=Path)
READING = ("sampling", "measure", "columns", "higher_is_better")
EXCLUDING = ("exclude", "reason")
EMPTY = ("", "NA", "NaN", "nan")  # a cell that says nothing about a data set
OPTIONS = {
    "sampling": click.option(
        "--sampling",
        help="How the samples were drawn, where the file does not say: bootstrap, cv:10, items ...",
    ),
    "measure": click.option(
        "--measure", "-m", help="What the scores are, or which of several measures."
    ),
    "columns": click.option(
        "--columns", help="What is what, as in 'algorithm=method,value=acc,ignore=n'."
    ),
    "higher_is_better": click.option(
        "--higher-is-better/--lower-is-better", default=None, help="The direction of the measure."
    ),
    "exclude": click.option(
        "--exclude", help="Leave out these data sets, with commas between; say the --reason."
    ),
    "reason": click.option("--reason", help="Why they are left out; it stands in the result."),
}


def reading_options(*names: str) -> Callable[[Command], Command]:
    """Give a command some of these options."""

    def decorated(command: Command) -> Command:
        for name in reversed(names):
            command = OPTIONS[name](command)
        return command

    return decorated


reading = reading_options(*READING)
excluding = reading_options(*EXCLUDING)


def read_results(file: Path, options: Mapping[str, Any]) -> Results:
    """What the file holds, less the data sets that are left out."""
    from podium import api

    return less_excluded(api.read(file, **said(options, READING)), options)


def less_excluded(results: Results, options: Mapping[str, Any]) -> Results:
    """The results without the data sets of --exclude, which keep the --reason in mind."""
    from podium.results.dataset_facts import exclude_datasets

    if not options["exclude"]:
        refuse(options, ["reason"], "is for data sets that are left out: say which by --exclude")
        return results
    names = [name.strip() for name in options["exclude"].split(",")]
    return exclude_datasets(results, names, options["reason"] or "")


def said(options: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Those of these options that were given."""
    return {name: options[name] for name in names if options.get(name) is not None}


def refuse(options: Mapping[str, Any], names: Sequence[str], why: str) -> None:
    """Refuse options that do not apply, rather than ignore them."""
    from podium.errors import InferenceError

    for name in said(options, names):
        raise InferenceError(f"--{name.replace('_', '-')} {why}, or leave it out.")


def read_columns(path: Path, *columns: str) -> Any:
    """A table about data sets, as a frame: names as text, numbers as numbers."""
    from podium.errors import ResultsError
    from podium.results.tabular import tabular

    table = tabular(path)
    for column in columns:
        if column not in table.columns:
            raise ResultsError(f"The table '{path}' has no column '{column}'.")
    named = ("dataset", "group")
    numbers = {c: table.numbers(c) for c in table.columns if c not in named and table.is_numeric(c)}
    frame = table.frame.assign(**numbers)
    return frame.mask(frame.isin(EMPTY))
