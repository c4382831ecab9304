"""The command line: one file per command, or per few alike; the only place that prints.

`main` is the entry point. Commands are loaded when called, so that `podium --help` is fast.
"""

import _signal as signal  # type: ignore[import-not-found] # signal itself takes long to load
import contextlib

# Ctrl-C while all this is being loaded ends the process at once, without a traceback
with contextlib.suppress(ValueError):  # not in the main thread: somebody uses this as a library
    _interactive = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if _interactive:
        signal.signal(signal.SIGINT, signal.SIG_DFL)

from podium.cli.main import main
from podium.core.base.rooms import PLAN, READ, RUN, Capability, Command

with contextlib.suppress(ValueError):
    if _interactive:
        signal.signal(signal.SIGINT, signal.default_int_handler)

CAPABILITY = Capability(
    __name__,
    needs=("inference", "store", "reading", "terminal", "design"),
    commands=(
        Command(
            "commands:read",
            "Show how a file is read: roles, first rows, what is open.",
            READ,
            10,
        ),
        Command(
            "commands:importing",
            "Convert other tools' files to one table of scores.",
            READ,
            20,
            called="import",
        ),
        Command(
            "",
            "List the formats, tests, data sets and plots that Podium knows.",
            READ,
            30,
            called="list",
        ),
        Command(
            "commands:formats",
            "List the formats of scores that are read.",
            READ,
            31,
            called="list formats",
            also=("formats",),
        ),
        Command(
            "commands:tests",
            "List the tests, where each is valid and its error control.",
            READ,
            32,
            called="list tests",
            formerly=("procedures",),
        ),
        Command(
            "commands:data",
            "List the data sets, samplings, algorithms and measures for studies.",
            READ,
            33,
            called="list data",
            formerly=("builtins",),
        ),
        Command(
            "commands:check",
            "Check that a results file holds what was written.",
            RUN,
            62,
            called="store check",
            formerly=("check",),
        ),
        Command(
            "commands:frame",
            "Draw data sets at random from a catalogue.",
            PLAN,
            12,
            called="plan frame",
            formerly=("frame",),
        ),
        Command(
            "laboratory:calibrate",
            "Simulate a test's false positive rate and power.",
            READ,
            90,
            moved="python -m podium_lab calibrate",
        ),
        Command(
            "laboratory:replicate",
            "Recompute the tables of a paper.",
            READ,
            91,
            moved="python -m podium_lab replicate",
        ),
    ),
)

__all__ = ["main"]
