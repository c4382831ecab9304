"""The options that several commands share, each declared once, and what they are read into."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from podium.cli.completion import offers_of

if TYPE_CHECKING:
    from podium.reading.results import Results

Command = TypeVar("Command", bound=Callable[..., Any])
PATH = click.Path(path_type=Path)
READING = ("sampling", "measure", "columns", "higher_is_better", "step", "where", "recipe")
EXCLUDING = ("exclude", "reason")
CHOOSING = ("target", "dataset", "scale")  # which layout is compared
BAYES = ("posterior", "rope", "rho")
JUDGED = ("judge", "human")
TESTING = (
    "procedure",
    "null",
    "adjust",
    "alternative",
    "alpha",
    "relevance",
    "non_inferiority",
    "equivalence",
    "control",
    "gaps",
    "force",
    "weights",
    "covariates",
    *BAYES,
    *JUDGED,
)  # how
COMPARING = ("measure", *CHOOSING, *TESTING)  # all that `podium.compare` takes
EMPTY = ("", "NA", "NaN", "nan")  # a cell that says nothing about a data set


class _Option(NamedTuple):
    """How an option is declared: what `click.option` takes."""

    names: tuple[str, ...]
    facts: dict[str, Any]


def _option(*names: str, **facts: Any) -> _Option:
    return _Option(names, facts)


OPTIONS = {
    # what a file holds
    "sampling": _option(
        "--sampling",
        help="How the samples were drawn, where the file does not say: bootstrap, cv:10, items ...",
    ),
    "measure": _option(
        "--measure", "-m", help="What the scores are, or which of several measures."
    ),
    "columns": _option(
        "--columns", help="What is what, as in 'algorithm=method,value=acc,ignore=n'."
    ),
    "higher_is_better": _option(
        "--higher-is-better/--lower-is-better", default=None, help="The direction of the measure."
    ),
    "step": _option(
        "--step", help="Of curves: which score counts: last, best, mean or a number of steps."
    ),
    "where": _option(
        "--where",
        multiple=True,
        metavar="COLUMN=VALUE",
        help="Only rows with this value, as in split=test; may be repeated.",
    ),
    "recipe": _option(
        "--recipe",
        type=PATH,
        help="A TOML file that says what the columns are, as `podium read FILE -o` writes it.",
    ),
    "exclude": _option(
        "--exclude", help="Leave out these data sets, with commas between; say the --reason."
    ),
    "reason": _option("--reason", help="Why they are left out; it stands in the result."),
    # what is compared
    "target": _option(
        "--target",
        help="What the claim is about: sample, test-set, population, datasets or "
        "dataset-population [the honest one for the design].",
    ),
    "dataset": _option("--dataset", "-d", help="Only this data set of several."),
    "scale": _option(
        "--scale",
        help="Of data sets: raw, ranks, best, baseline:NAME, ratio:NAME or normalised [raw].",
    ),
    # how
    "procedure": _option(
        "--procedure", "-p", help="A name from `podium procedures` [chosen by the design]."
    ),
    "null": _option(
        "--null",
        help="asymptotic, normal, permutation:N, exact, bootstrap:N; for counts also corrected, "
        "mid-p [the procedure's].",
    ),
    "adjust": _option(
        "--adjust", help="holm, single-step, closed, bonferroni ... [the procedure's]."
    ),
    "alternative": _option(
        "--alternative",
        help="two-sided, less or greater: the sign of first - second that is looked for "
        "[two-sided].",
    ),
    "alpha": _option("--alpha", type=float, help="The error level [0.05]."),
    "relevance": _option("--relevance", type=float, help="The least difference that matters [0]."),
    "non_inferiority": _option(
        "--non-inferiority",
        type=float,
        metavar="M",
        help="Show that the first of a pair, or all beside --control, is not worse by M or more.",
    ),
    "equivalence": _option(
        "--equivalence", type=float, metavar="M", help="Show that two differ by no more than M."
    ),
    "control": _option("--control", help="Compare every algorithm with this one only."),
    "gaps": _option(
        "--gaps",
        "--missing",
        "gaps",
        help="Missing scores: pairs compares each pair on the blocks that both have, complete "
        "leaves out blocks that lack a score, worst fills in the worst of the block [pairs].",
    ),
    "json": _option(
        "--json", type=PATH, help="Write all as JSON; - for the screen, and nothing else."
    ),
    "trust": _option(
        "--trust",
        metavar="PACKAGE",
        multiple=True,
        help="A package beside scikit-learn that the study may run code of; may be repeated.",
    ),
    "posterior": _option(
        "--bayes",
        "posterior",
        is_flag=True,
        default=None,
        help="How likely one is better than another, the best, and its rank, by a posterior.",
    ),
    "rope": _option(
        "--rope",
        type=float,
        metavar="D",
        help="With --bayes: two that differ by no more than D are practically the same [0].",
    ),
    "weights": _option(
        "--weights",
        help="Of data sets for survey-fixed, as in iris=2,glass=1, or a table [all alike].",
    ),
    "covariates": _option(
        "--covariates",
        metavar="NAMES",
        help="Of battles: what strengths are to be free of beside position, as in judge,length; "
        "none leaves position out.",
    ),
    "rho": _option(
        "--rho",
        type=float,
        metavar="R",
        help="With --bayes: the correlation of samples that share rows [by the sampling].",
    ),
    "judge": _option(
        "--judge", metavar="COLUMN", help="The column of a judge's scores, of all items."
    ),
    "human": _option(
        "--human",
        metavar="COLUMN",
        help="With --judge: the column of people's scores, empty where nobody gave one.",
    ),
    "force": _option("--force", is_flag=True, help="Compute what is not legal, and mark it."),
}


def shared(*names: str, **words: str) -> Callable[[Command], Command]:
    """Give a command some of these options, with help of its own where `words` say it."""
    every = (*names, *(name for name in words if name not in names))

    def decorated(command: Command) -> Command:
        for name in reversed(every):
            option = OPTIONS[name]
            told = {"help": words.get(name, option.facts["help"])}
            facts = {**option.facts, **told, **offers_of(name)}
            command = click.option(*option.names, **facts)(command)
        return command

    return decorated


reading = shared(*READING)
excluding = shared(*EXCLUDING)


def files(command: Command) -> Command:
    """Give a command the argument FILE: one or several files and folders."""
    return click.argument("file", type=PATH, nargs=-1, required=True, callback=_alone)(command)


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
        raise InferenceError(f"--{name.replace('_', '-')} {why}, or leave it out.")


def read_weights(given: str | None) -> str | dict[str, float] | None:
    """Weights of data sets as they were said, or from a table with the columns dataset, weight."""
    path = Path(given) if given is not None else None
    if path is None or not path.is_file():
        return given
    from podium.reading.files.tabular import tabular

    table = tabular(path)
    for column in ("dataset", "weight"):
        table.check_column(column)
    named = table.texts("dataset").tolist()
    return dict(zip(named, table.numbers("weight").tolist(), strict=True))


def read_columns(path: Path, *columns: str) -> Any:
    """A table about data sets, as a frame: names as text, numbers as numbers."""
    from podium.base.errors import ResultsError
    from podium.reading.files.tabular import tabular

    table = tabular(path)
    for column in columns:
        if column not in table.columns:
            raise ResultsError(f"The table '{path}' has no column '{column}'.")
    named = ("dataset", "group")
    numbers = {c: table.numbers(c) for c in table.columns if c not in named and table.is_numeric(c)}
    frame = table.frame.assign(**numbers)
    return frame.mask(frame.isin(EMPTY))
