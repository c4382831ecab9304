"""The entry point: finds the command, and turns errors into one message and an exit status."""

from __future__ import annotations

import gc
import importlib.util
import io
import os
import re
import shlex
import signal
import sys
import warnings
from types import FrameType
from typing import Any

import click

import podium
from podium.core.base import rooms
from podium.core.base.errors import MissingPackage, PodiumError
from podium.showing.terminal.saying import INTERRUPTED, say, say_error

WIDTH = 100  # of help, where the terminal has it
QUICK = {"-h", "--help", "--help-all", "help", "--version"}  # numpy itself is not needed there
BESIDE = ("numpy.f2py", "numpy.testing")


class Commands(click.Group):
    """The commands of all rooms, imported when they are called; or those that begin so."""

    def __init__(self, *words: Any, begun: str = "", **facts: Any) -> None:
        super().__init__(*words, **facts)
        self.begun = begun

    def list_commands(self, context: click.Context) -> list[str]:
        """Those that help shows."""
        if not self.begun:
            return [name for name, (_, one) in rooms.commands().items() if one.listed]
        begun = f"{self.begun} "
        return [n.removeprefix(begun) for n in rooms.commands() if n.startswith(begun)]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The code of a command."""
        whole = f"{self.begun} {name}".strip()
        if whole not in rooms.commands():
            return None
        room, one = rooms.commands()[whole]
        if not one.at:
            return Commands(whole, begun=whole, help=one.does)
        loaded: click.Command = room.load(one.at)
        return loaded

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Read `help COMMAND` as `COMMAND --help`, and other names as those that commands have."""
        if args and args[0] == "help":
            args = [*args[1:], "--help"]
        if not self.begun and args and args[0] in rooms.other_names():
            instead = rooms.other_names()[args[0]]
            if args[0] in rooms.former_names() and not context.resilient_parsing:
                say_error(f"`podium {args[0]}` is now `podium {' '.join(instead)}`.")
            args = [*instead, *args[1:]]
        return super().parse_args(context, args)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word, or the first two, name."""
        from podium.core.base.registry import did_you_mean

        two = " ".join(args[:2])
        if not self.begun and len(args) > 1 and two in rooms.commands():
            return two, self.get_command(context, two), args[2:]
        whole = f"{self.begun} {args[0]}".strip()
        if whole not in rooms.commands():
            close = did_you_mean(whole, rooms.commands())
            context.fail(f"There is no command '{whole}'.{close}")
        if (moved := rooms.commands()[whole][1].moved) and not context.resilient_parsing:
            say_error(f"`podium {whole}` is now `{moved}`.")
        return super().resolve_command(context, args)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands in groups, one line each."""
        known = rooms.commands()
        shown = [f"{self.begun} {name}".strip() for name in self.list_commands(context)]
        groups = dict.fromkeys(known[name][1].group for name in shown)
        for group in groups:
            rows = [(n, known[n][1].does) for n in shown if known[n][1].group == group]
            with formatter.section("Commands" if self.begun else group):
                formatter.write_dl(rows)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
    epilog="`podium help COMMAND` shows the options of a command.",
)
@click.version_option(podium.__version__, prog_name="podium")
def group() -> None:
    """Design, run and analyse benchmark experiments."""


def main(
    args: list[str] | None = None, *, of: click.Group | None = None, called: str | None = None
) -> None:
    """Run a command; exit with 0 done, 1 a run failed, 2 the request was wrong, 130 interrupted."""
    try:
        status = status_of(_prepared(args), of, called)
        if args is None:  # a process that ends frees all: looking for garbage takes a tenth of it
            gc.freeze()
        sys.exit(status)
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
    words = sys.argv[1:] if args is None else args
    if words and not QUICK.intersection(words):
        _load_when_used(*BESIDE)
    gc.set_threshold(100_000, 20, 100)  # imports make many objects, and hardly one is garbage
    signal.signal(signal.SIGTERM, _interrupt)  # batch systems end jobs politely first
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed, as daemons do
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without ≈ shows ? instead
    return args


def _load_when_used(*modules: str) -> None:
    """Put off what scipy loads with numpy's names and Podium never uses: a fifth of the start."""
    for name in modules:
        if name in sys.modules or (spec := importlib.util.find_spec(name)) is None:
            continue
        assert spec.loader is not None
        spec.loader = importlib.util.LazyLoader(spec.loader)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        package, _, part = name.rpartition(".")
        sys.modules[name] = module
        setattr(sys.modules[package], part, module)  # else numpy imports it when it is looked at


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def status_of(
    args: list[str] | None, of: click.Group | None = None, called: str | None = None
) -> int:
    """Run a command in this process, and say what is wrong; its exit status."""
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
        say_error(_as_typed(error, sys.argv[1:] if args is None else args))
        return error.exit_status
    except (KeyboardInterrupt, click.Abort):
        say_error("Stopped.")
        return INTERRUPTED
    except OSError as error:
        where = f": '{error.filename}'" if error.filename else ""
        say_error(f"{error.strerror or error}{where}.")
        return 1
    except ModuleNotFoundError as error:
        from podium.core.base.errors import told_missing

        import_error = told_missing(error)
        if not isinstance(import_error, MissingPackage):
            raise
        say_error(str(import_error))
        return import_error.exit_status
    except MemoryError:
        say_error("There is not enough memory for this.")
        return 1


def _as_typed(error: PodiumError, args: list[str]) -> str:
    """A message that proposes options proposes them for the command that was typed."""
    if not error.files:
        return str(error)
    message, typed = str(error), shlex.join(["podium", *args])
    analysis = shlex.join(["podium", "analyze", *error.files])
    again = [rf" {way}" for way in ("--higher-is-better", "--lower-is-better") if way in args]
    again += [" --measure [^ `]+"] * bool({"-m", "--measure"} & {*args})  # which may be several
    for option in again:
        message = re.sub(rf"(`{re.escape(analysis)} [^`]*?){option}(?=[ `])", r"\1", message)
    return message.replace(f"`{analysis} ", f"`{typed} ")
