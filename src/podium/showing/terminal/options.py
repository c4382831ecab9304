"""Declared options as those of commands: what `--help` shows, and what a shell offers behind
Tab."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from podium.core.base import rooms
from podium.core.base.errors import DesignError, InferenceError, ResultsError
from podium.core.base.formatting import screen, wrapped
from podium.core.base.options import OPTIONS, OUTPUT, SECTIONS, Option, chosen, part_of
from podium.core.questions import options as _declared  # noqa: F401 # which declares them
from podium.core.words.listening import listening
from podium.showing.terminal.saying import READING_SAID, READINGS, say

if TYPE_CHECKING:
    from podium.core.results.results import Results


# -- helping --------------------------------------------------------------------------------------
# What `--help` shows: options in sections, rare ones by `--help-all`, commands in groups.


MANY = 15  # options from which they stand in sections
FEW = 4  # as many rare ones are shown with the others


class HelpedOption(click.Option):
    """An option that knows its section of the help, and whether it is rare.

    What one of the section Output names is written; only one that is `in_place` may name a file
    that the command reads.
    """

    def __init__(
        self,
        *words: Any,
        section: str = "",
        rare: bool = False,
        in_place: bool = False,
        **facts: Any,
    ) -> None:
        super().__init__(*words, **facts)
        self.section, self.rare, self.in_place = section, rare, in_place


class HelpedCommand(click.Command):
    """A command whose help fits a screen, that says how files were read, and writes over none."""

    def invoke(self, context: click.Context) -> Any:
        """Do what is asked, unless two files that it names are one, and say what was read."""
        self._check_files(context)
        with listening() as readings:
            context.meta[READINGS] = readings
            status = super().invoke(context)
        if readings and READING_SAID not in context.meta:
            from podium.core.words.saying import say as in_words

            for note in readings:
                say(wrapped(in_words(note), screen(), "  "))
        return status

    def _check_files(self, context: click.Context) -> None:
        taken = {
            path: "is what is read"
            for one in self.params
            if isinstance(one, click.Argument)
            for path in _files_of(context.params.get(one.name or ""))
        }
        for one in self.params:
            if getattr(one, "section", "") != OUTPUT or getattr(one, "in_place", False):
                continue
            for path in _files_of(context.params.get(one.name or "")):
                if path in taken:
                    raise click.UsageError(
                        f"{one.opts[0]} would write over '{context.params[str(one.name)]}', which "
                        f"{taken[path]}: name another file."
                    )
                taken[path] = f"{one.opts[0]} writes"

    def _rare(self) -> list[click.Parameter]:
        rare = [one for one in self.params if getattr(one, "rare", False)]
        return rare if len(rare) >= FEW else []

    def get_params(self, context: click.Context) -> list[click.Parameter]:
        """Also `--help-all`, where something is left out without it."""
        every = super().get_params(context)
        if not self._rare():
            return every
        whole = click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help=f"Show {len(self._rare())} more options.",
        )
        return [*every, whole]

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Options in sections where they are many."""
        hidden = [] if context.meta.get("podium.help_all") else self._rare()
        shown = [one for one in self.get_params(context) if one not in hidden]
        rows: dict[str, list[tuple[str, str]]] = {}
        for one in shown:
            row = one.get_help_record(context) if isinstance(one, click.Option) else None
            if row is not None:
                section = getattr(one, "section", "") if len(self.params) > MANY else ""
                rows.setdefault(section or "Options", []).append(row)
        for section in (*SECTIONS, "Options"):
            if section in rows:
                with formatter.section(section):
                    formatter.write_dl(rows[section])

    def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Commands whose name begins with that of this one."""
        super().format_epilog(context, formatter)
        begun = f"{context.info_name} "
        more = {n: one.does for n, (_, one) in rooms.commands().items() if n.startswith(begun)}
        if more:
            with formatter.section("See also"):
                formatter.write_dl([(f"podium {name}", does) for name, does in more.items()])


def _files_of(value: Any) -> list[str]:
    """The real paths of the files that a parameter names; of pipes and devices none."""
    paths = [one for one in (value if isinstance(value, tuple) else (value,)) if one is not None]
    paths = [one for one in paths if isinstance(one, Path) and str(one) != "-"]
    return [os.path.realpath(one) for one in paths if one.is_file() or not one.exists()]


def _show_all(context: click.Context, _: click.Parameter, whole: bool) -> None:
    if whole and not context.resilient_parsing:
        context.meta["podium.help_all"] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


command = partial(click.command, cls=HelpedCommand)
option = partial(click.option, cls=HelpedOption)  # of one command alone


# -- what a shell offers behind Tab ---------------------------------------------------------------
# Names of procedures, plots, and columns of the file.


Offers = Callable[[click.Context, click.Parameter, str], list[str]]
Names = Callable[[click.Context], Iterable[str]]
ROLES = ("algorithm", "dataset", "sample", "value", "measure", "repeat", "fold", "seed", "item",
         "cluster", "block", "ignore")  # fmt: skip

TEXTS = (".csv", ".tsv", ".txt")
LOOKED_AT = 2000  # rows in which algorithms are looked for


def offering(names: Names) -> Offers:
    """Those of the names that begin so; nothing where they cannot be had: Tab never complains."""

    def offered(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
        try:
            return [name for name in names(context) if name.startswith(begun)]
        except Exception:  # a file that is no table, or half written
            return []

    return offered


def _procedures(_: click.Context) -> Iterable[str]:
    from podium.core.inference.comparing.known import PROCEDURES

    return PROCEDURES


def _plots(_: click.Context) -> Iterable[str]:
    return list(import_module("podium.showing.plots").__all__)


def _samplings(_: click.Context) -> Iterable[str]:
    from podium.core.samplings import KINDS

    return [kind.example.partition(":")[0] for kind in KINDS.values()]


def _targets(_: click.Context) -> Iterable[str]:
    from podium.core.questions.targets import TARGETS

    return TARGETS


def _adjustments(_: click.Context) -> Iterable[str]:
    from podium.core.inference.bricks.adjustments import ADJUSTMENTS

    return ADJUSTMENTS


def _file_of(context: click.Context) -> Path:
    """The file that is said; behind an option that lacks its value nothing is told apart yet."""
    text = context.params.get("file")
    given = [*(text if isinstance(text, (list, tuple)) else [text]), *context.args]
    return next(path for path in (Path(one) for one in given if one) if path.is_file())


def columns_of(context: click.Context) -> list[str]:
    """The columns of the table that the command is about, as its first line names them."""
    from podium.reading.files.tabular import frame_columns, parquet_columns, tabular, text_columns

    path = _file_of(context)
    if path.suffix in (".parquet", ".pq"):
        return list(parquet_columns(path))
    if path.suffix in TEXTS:
        with path.open(encoding="utf-8", errors="replace") as file:
            return list(text_columns(file.readline()))
    return list(frame_columns(tabular(path).frame))


def _algorithms(context: click.Context) -> Iterable[str]:
    """The algorithms: of a long table what its column of them holds, else its columns."""
    from podium.reading.cells.vocabulary import role_of
    from podium.reading.files.tabular import SEPARATORS

    columns = columns_of(context)
    place = next((i for i, name in enumerate(columns) if role_of(name) == "algorithm"), None)
    path = _file_of(context)
    if place is None or path.suffix not in TEXTS:
        return columns
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        head = file.readline()
        rows = csv.reader(file, delimiter=max(SEPARATORS, key=head.count))
        return dict.fromkeys(row[place] for row in islice(rows, LOOKED_AT) if len(row) > place)


def _measures(context: click.Context) -> Iterable[str]:
    from podium.core.questions.measures import KNOWN

    try:
        return dict.fromkeys([*columns_of(context), *KNOWN])
    except Exception:  # a store, or no file yet
        return KNOWN


def _said_columns(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """`role=column`, behind what is there already."""
    before, comma, last = begun.rpartition(",")
    role, sign, column = last.partition("=")
    if not sign:
        return [f"{before}{comma}{one}=" for one in ROLES if one.startswith(last)]
    listed, semicolon, column = column.rpartition(";")
    result = offering(columns_of)(context, _, column)
    return [f"{before}{comma}{role}={listed}{semicolon}{one}" for one in result]


def _fixed(*names: str) -> Offers:
    return offering(lambda _: names)


PLOTS = offering(_plots)
OFFERS: dict[str, Offers] = {  # by the option that several commands share
    "procedure": offering(_procedures),
    "sampling": offering(_samplings),
    "target": offering(_targets),
    "adjust": offering(_adjustments),
    "measure": offering(_measures),
    "columns": _said_columns,
    "control": offering(_algorithms),
    "judge": offering(columns_of),
    "human": offering(columns_of),
    "null": _fixed("asymptotic", "normal", "permutation:9999", "exact", "bootstrap:9999"),
    "alternative": _fixed("two-sided", "less", "greater"),
    "gaps": _fixed("pairs", "complete", "worst"),
    "scale": _fixed("raw", "ranks", "best", "baseline:", "ratio:", "normalised"),
    "step": _fixed("last", "best", "mean"),
}


def offers_of(option: str) -> dict[str, Any]:
    """What `click.option` takes for it; nothing where a shell has nothing to offer."""
    return {"shell_complete": OFFERS[option]} if option in OFFERS else {}


# -- options --------------------------------------------------------------------------------------
# Declared options as those of commands, and what they are read into.


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


written = partial(click.option, cls=HelpedOption, section=OUTPUT)  # an option of one command
reading = shared(*READING)
excluding = shared(*EXCLUDING)


def files(decorated: Command) -> Command:
    """Give a command the argument FILE: one or several files and folders."""
    return click.argument("file", type=PATH, nargs=-1, required=True, callback=alone)(decorated)


def alone(_context: click.Context, _of: click.Parameter, paths: tuple[Path, ...]) -> Any:
    """One file as it is, several as a list."""
    return paths[0] if len(paths) == 1 else list(paths)


def read_results(source: Any, options: Mapping[str, Any]) -> Results:
    """What files or a frame hold, less the data sets that are left out; results as they are."""
    import podium
    from podium.core.results.results import Results

    if isinstance(source, Results):
        others = [name for name in READING if name != "measure"]
        refuse(options, others, "is for what is read, and these are results")
        return less_excluded(source, options)
    return less_excluded(podium.read(source, **given_options(options, READING)), options)


def with_strata(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with the column of strata among what is said of columns."""
    if options.get("strata") is None:
        return dict(options)
    said_so = [options.get("columns"), f"stratum={options['strata']}"]
    return {**options, "columns": ",".join(part for part in said_so if part)}


def less_excluded(results: Results, options: Mapping[str, Any]) -> Results:
    """The results without the data sets of --exclude, which keep the --reason in mind."""
    from podium.core.results.dataset_facts import exclude_datasets

    exclude = options.get("exclude")  # which a command need not offer
    if not exclude:
        refuse(options, ["reason"], "is for data sets that are left out: say which by --exclude")
        return results
    names = [name.strip() for name in exclude.split(",")]
    return exclude_datasets(results, names, options.get("reason") or "")


def given_options(options: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Those of these options that were given."""
    return {name: options[name] for name in names if options.get(name) not in (None, ())}


def refuse(options: Mapping[str, Any], names: Sequence[str], why: str) -> None:
    """Refuse options that do not apply, rather than ignore them."""

    for name in given_options(options, names):
        flag = OPTIONS[name].on_line[0] if name in OPTIONS else f"--{name.replace('_', '-')}"
        raise InferenceError(f"{flag} {why}{', or' if ': ' in why else ':'} leave it out.")


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

    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise DesignError(f"--bounds are two numbers, as in 0,100, not '{text}'.") from None
    return low, high
