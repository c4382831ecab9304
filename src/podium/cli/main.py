"""The entry point: finds the command, and turns errors into one message and an exit status."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
import warnings
from types import FrameType
from typing import Any

import click

import podium
from podium.base import rooms
from podium.base.errors import MissingPackage, PodiumError

INTERRUPTED = 130  # what shells expect of a program that Ctrl-C ended


class _Commands(click.Group):
    """The commands of all rooms, imported when they are called."""

    def list_commands(self, context: click.Context) -> list[str]:
        return [name for name, (_, command) in rooms.commands().items() if not command.hidden]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in rooms.commands():
            return None
        room, command = rooms.commands()[name]
        loaded: click.Command = room.load(command.at)
        return loaded

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from podium.base.registry import did_you_mean

        if args and args[0] not in rooms.commands():
            close = did_you_mean(args[0], rooms.commands())
            context.fail(f"There is no command '{args[0]}'.{close}")
        return super().resolve_command(context, args)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            known = rooms.commands()
            formatter.write_dl(
                [(name, known[name][1].does) for name in self.list_commands(context)]
            )


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(podium.__version__, prog_name="podium")
def group() -> None:
    """Design, run and analyse benchmark experiments."""


def main(
    args: list[str] | None = None, *, of: click.Group | None = None, called: str | None = None
) -> None:
    """Run a command; exit with 0 done, 1 a run failed, 2 the request was wrong, 130 interrupted."""
    try:
        sys.exit(_status(_prepared(args), of, called))
    except KeyboardInterrupt:  # in the moments before and after
        os._exit(INTERRUPTED)


def _prepared(args: list[str] | None) -> list[str] | None:
    """The arguments, when signals and streams are as they should be."""
    if "_PODIUM_COMPLETE" in os.environ:
        from podium.cli.completion import complete_in_bash

        complete_in_bash()
    for library in (
        "OPENBLAS",
        "MKL",
        "BLIS",
    ):  # small matrices: threads only wait
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    if not sys.warnoptions:  # lines of code are no message to users; python -W shows them
        warnings.simplefilter("ignore")
    gc.set_threshold(100_000, 20, 100)  # imports make many objects, and hardly one is garbage
    signal.signal(signal.SIGTERM, _interrupt)  # batch systems end jobs politely first
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed, as daemons do
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without ≈ shows ? instead
    return args


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _status(
    args: list[str] | None, of: click.Group | None = None, called: str | None = None
) -> int:
    try:
        return int((of or group).main(args, prog_name=called, standalone_mode=False) or 0)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as shown:
        say(shown.format_message())
        return 2
    except click.ClickException as error:
        say_error(error.format_message())
        return 2
    except PodiumError as error:
        say_error(str(error))
        return error.exit_status
    except (KeyboardInterrupt, click.Abort):
        say_error("Stopped.")
        return INTERRUPTED
    except OSError as error:
        where = f": '{error.filename}'" if error.filename else ""
        say_error(f"{error.strerror or error}{where}.")
        return 1
    except ModuleNotFoundError as error:
        from podium.base.optional import told_missing

        told = told_missing(error)
        if not isinstance(told, MissingPackage):
            raise
        say_error(str(told))
        return told.exit_status
    except MemoryError:
        say_error("There is not enough memory for this.")
        return 1


def say_error(message: str) -> None:
    """Print one message to standard error, in one line that leaves the terminal as it is."""
    from podium.base.formatting import printable

    say(f"podium: {printable(message)}", err=True)


SIGNS = {"≈": "~", "≲": "<~", "∥": "||", "χ²": "chi2", "−": "-", "–": "-", "…": "~", "š": "s",
         "─": "-", "●": "o", "│": "|", "┼": "+", "▌": "*", "·": "."}  # fmt: skip


def _signs(text: Any, stream: Any) -> Any:
    """The text, with signs of ASCII where the stream is told to have no others."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        str(text).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        for sign, plain in SIGNS.items():
            text = str(text).replace(sign, plain)
    return text


def say(text: Any = "", *, err: bool = False) -> None:
    """Print to standard output, or error; to nobody where its reader has gone, as in `| head`."""
    try:
        click.echo(_signs(text, sys.stderr if err else sys.stdout), err=err)
    except BrokenPipeError:
        stream = sys.stderr if err else sys.stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
