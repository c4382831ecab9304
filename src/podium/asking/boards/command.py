"""`podium board`: make a board, add to it, show it, renew it."""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.core.base.errors import ResultsError
from podium.core.base.formatting import columns, printable, screen, wrapped
from podium.showing.terminal.options import (
    PATH,
    READING,
    bounds_of,
    command,
    declared,
    files,
    given_options,
    reading,
    shared,
)
from podium.showing.terminal.saying import say, say_error

if TYPE_CHECKING:
    from podium.asking.boards.board import Board
    from podium.asking.boards.standings import Ranking

BOARD = click.argument("board", type=PATH)
MOST = 40  # rows on the screen


@command("new")
@files
@declared("output", "The folder of the board.", required=True)
@click.option("--name", help="The name of the board [that of the folder].")
@click.option("--sealed", is_flag=True, help="Seal a part of the items, drawn by lot.")
@click.option("--share", type=float, help="With --sealed: the share that is sealed [0.5].")
@click.option(
    "--questions",
    type=int,
    help="With --sealed: the most questions that it answers [10].",
)
@click.option("--ladder", is_flag=True, help="Show a public score only where it beats the best.")
@declared("score_bounds", "Between which scores lie [as the measure says].")
@shared(alpha="Error level of comparisons and of all answers together [0.05].")
@declared("seed", "With --sealed: seed of the lot [drawn, so that nobody can guess it].")
@reading
def new(file: Any, output: Path, name: str | None, sealed: bool, **options: Any) -> int:
    """Make a board of FILE; the algorithms in it are the first submissions.

    A submission must have the same items or data sets. A sealed board shows scores of one part of
    them; the other part answers, yes or no, whether a new best is better.
    """
    from podium.asking.boards.contents import OPEN, SEALED
    from podium.asking.boards.verbs import new as made

    given = [key for key in ("share", "questions", "seed") if options[key] is not None]
    if given and not sealed:
        raise click.UsageError(f"--{given[0]} is of sealed boards: add --sealed, or leave it out.")
    options["sealed"] = options.pop("share")
    options["bounds"] = bounds_of(options["bounds"])
    options = {key: value for key, value in options.items() if value is not None}
    board = made(file, output, name=name, kind=SEALED if sealed else OPEN, **options)
    _say_board(board)
    say(f"Add a submission: podium board add {shlex.quote(str(output))} FILE --as NAME")
    return 0


@command("add")
@BOARD
@click.argument("file", type=PATH, nargs=-1)
@click.option("--as", "name", metavar="NAME", help="The name of the submission [as in the file].")
@click.option(
    "--ask/--wait", default=True, help="Sealed boards: ask about a new best, or later [ask]."
)
@reading
def add(board: Path, file: tuple[Path, ...], name: str | None, ask: bool, **options: Any) -> int:
    """Add FILE to BOARD under the name NAME.

    A submission that lacks items or data sets, has others, or comes from another version of them
    is refused; failed scores count as the worst. Without FILE the sealed part is asked about a
    submission that waited.
    """
    from podium.asking.boards.standings import added_line, answer_line
    from podium.asking.boards.verbs import add as added
    from podium.asking.boards.verbs import ask as asked

    if file:
        source = file[0] if len(file) == 1 else list(file)
        made = added(board, source, name=name, ask=ask, **given_options(options, READING))
        entries = {entry["name"]: entry for entry in made.board.submissions}
        for each in made.names:
            say(wrapped(added_line(made.board, entries[each]), screen(), "  "))
    elif name is None:
        raise ResultsError("What is added? Give a FILE, or the name of a submission that waits.")
    else:
        made = asked(board, name)
    for each, answer in made.answers.items():
        say(wrapped(answer_line(made.board, each, answer), screen(), "  "))
    return 0


@command("show")
@BOARD
@declared("every", "Every row, however many there are.")
@shared("json")
def show(board: Path, every: bool, json: Path | None) -> int:
    """Show BOARD: ranks, scores, who was first when, and what it can resolve."""
    from podium.asking.boards.board import load
    from podium.asking.boards.standings import board_facts, ranking
    from podium.showing.terminal.writing import show as shown

    made = ranking(load(board))
    content = board_facts(made) if json is not None else {}
    shown(content, json, lambda: _say_ranking(made, every))
    return 0


@command("build")
@BOARD
@declared("output", "The folder of the site.", required=True)
def build(board: Path, output: Path) -> int:
    """Write BOARD as static pages: index.html, history.html, board.json and badge.svg.

    They need no network and no server, and hold nothing of sealed items but the answers.
    """
    from podium.asking.boards.site import build as built

    if output.resolve() == board.resolve():
        raise click.UsageError(f"'{output}' is the board: name another folder for its pages.")
    paths = built(board, output)
    say(f"'{paths[0]}' and {len(paths) - 1} more files were written.")
    return 0


@command("serve")
@click.argument("store", metavar="STORE|BOARD", type=PATH)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port [a free one].")
@declared("output", "Of a study: the page that is left at the end [STORE.html].")
@click.option("--while-open", is_flag=True, hidden=True)
def serve(store: Path, port: int, output: Path | None, while_open: bool) -> int:
    """Show a running study, or a board, in a browser of this machine; stop with Ctrl-C.

    Of a study that runs only what may be seen is shown: progress, failures, and the looks of its
    stopping plan or anytime-valid intervals. Nothing can be changed from the browser.
    """
    from podium.asking.boards.board import is_board
    from podium.asking.boards.site import leave_page
    from podium.asking.boards.site import serve as served

    until = _until_closed if while_open else _wait
    with suppress(KeyboardInterrupt):
        served(store, port, lambda url: say(f"Watch at {url}"), until)
    if not is_board(store) and store.exists():
        page = output or store.with_name(f"{store.name}.html")
        leave_page(store, page)
        say(f"The page is in '{page}'.")
    return 0


def _wait() -> None:
    import threading

    threading.Event().wait()


def _until_closed() -> None:
    """Until the process that started this one ends, however it ends."""
    import sys

    sys.stdin.read()


@command("renew")
@BOARD
@files
@declared("seed", "Seed of the order of the new items [drawn].")
@reading
def renew(board: Path, file: Any, **options: Any) -> int:
    """Start afresh: the items of FILE are sealed, those that were sealed become public.

    FILE has the scores of the best so far on the new items. Questions count from 1 again.
    """
    from podium.asking.boards.standings import kind_lines
    from podium.asking.boards.verbs import renew as renewed

    made = renewed(board, file, **given_options(options, ("seed", *READING)))
    for line in kind_lines(made):
        say(line)
    return 0


@command("withdraw")
@BOARD
@click.argument("name")
@click.option("--because", default="", metavar="TEXT", help="Why; it stands in the ledger.")
def withdraw(board: Path, name: str, because: str) -> int:
    """Withdraw the submission NAME from BOARD: it is ranked no more, and stays in the ledger.

    Nothing is erased: its files, its scores and the questions that it led to stay as they are.
    """
    from podium.asking.boards.standings import headline, ranking
    from podium.asking.boards.verbs import withdraw as withdrawn

    made = withdrawn(board, name, because=because)
    say(f"{printable(name)} was withdrawn.")
    say(wrapped(headline(ranking(made)), screen(), "  "))
    return 0


# -- the screen -----------------------------------------------------------------------------------


def _say_board(board: Board) -> None:
    from podium.asking.boards.standings import kind_lines, units_text

    count = f"{units_text(board)}, {len(board.names)} submissions"
    say(f"Board '{printable(board.rules.name)}' by {board.rules.measure.name}: {count}.")
    for line in kind_lines(board):
        say(wrapped(line, screen(), "  "))


def _say_ranking(made: Ranking, every: bool) -> None:
    from podium.asking.boards.standings import headline, resolution_lines, shown_rows

    say(wrapped(headline(made), screen(), "  ") + "\n")
    table = shown_rows(made)
    most = len(made.board.names) if every else MOST
    say(
        columns({head: cells[:most] for head, cells in table.items()}, left=["submission", "added"])
    )
    if len(made.board.names) > most:
        say(f"... and {len(made.board.names) - most} more: --all shows them")
    say()
    _say_board(made.board)
    for line in resolution_lines(made):
        say(wrapped(line, screen(), "  "))


def say_checked(path: Path) -> int:
    """Say whether a board is as it was written; 1 where it is not."""
    from podium.asking.boards.board import check_board

    checked = check_board(path)
    for line in checked.changed:
        say_error(f"'{printable(str(path))}', {printable(line)}.")
    for name in checked.unknown:
        say(f"{printable(name)}: no line of the ledger knows it (adding was interrupted).")
    if checked.changed:
        return 1
    say(f"'{path}': {checked.lines} lines, all as written. Last hash: {checked.head[:16]}")
    return 0
