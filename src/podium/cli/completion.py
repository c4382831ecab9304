"""What a shell offers behind Tab: names of procedures, plots, and columns of the file."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class

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
    from podium.inference.comparing.known import PROCEDURES

    return PROCEDURES


def _plots(_: click.Context) -> Iterable[str]:
    return list(import_module("podium.plots").__all__)


def _samplings(_: click.Context) -> Iterable[str]:
    from podium.samplings import KINDS

    return [kind.example.partition(":")[0] for kind in KINDS.values()]


def _targets(_: click.Context) -> Iterable[str]:
    from podium.questions.targets import TARGETS

    return TARGETS


def _adjustments(_: click.Context) -> Iterable[str]:
    from podium.inference.bricks.adjustments import ADJUSTMENTS

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
    from podium.questions.measures import KNOWN

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


# -- bash -----------------------------------------------------------------------------------------

BREAKS = "=:"  # where bash cuts a word in two, and puts in the last part only


class Bash(BashComplete):
    """Completion of words such as `ignore=col`, which bash hands over in pieces."""

    source_template = BashComplete.source_template.replace(
        "    return 0\n",
        "    [[ ${COMPREPLY[0]} == *[=:] ]] && compopt -o nospace\n    return 0\n",
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words as they were typed, and the begun one."""
        words, begun = super().get_completion_args()
        whole = joined_words([*words, begun])
        return whole[:-1], whole[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """What stands behind the last break, as bash keeps what stands before it."""
        cut = max((item.value.rfind(sign) for sign in BREAKS), default=-1) + 1
        typed = cut and cut < len(item.value)  # not of `ignore=`, where nothing follows yet
        return f"{item.type},{item.value[cut:] if typed else item.value}"


def joined_words(words: list[str]) -> list[str]:
    """Words that bash cut at = and :, in one piece again.

    >>> joined_words(["analyze", "--columns", "ignore", "=", "co"])
    ['analyze', '--columns', 'ignore=co']
    """
    whole: list[str] = []
    glued = False
    for word in words:
        sign = bool(word) and set(word) <= set(BREAKS)
        if whole and (sign or glued):
            whole[-1] += word
        else:
            whole.append(word)
        glued = sign
    return whole


def complete_in_bash() -> None:
    """Let click complete so."""
    add_completion_class(Bash)
