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

from podium.base.capability import Capability, Command
from podium.cli.main import main

with contextlib.suppress(ValueError):
    if _interactive:
        signal.signal(signal.SIGINT, signal.default_int_handler)

CAPABILITY = Capability(
    __name__,
    needs=("store", "design", "reading", "inference"),
    commands=(
        Command(
            "frame:frame", "Draw data sets by lot from those of a catalogue that are eligible.", 20
        ),
        Command("lookup:advise", "Which question a design answers, and how.", 130),
        Command(
            "lookup:procedures",
            "What each named test tests, where it is legal and what it controls.",
            140,
        ),
        Command("read_command:read", "How a file is read: roles, first rows, what is open.", 265),
        Command(
            "importing:importing",
            "Other tools' files as one long table of scores.",
            270,
            called="import",
        ),
        Command("formats:formats", "List the formats of scores that are read.", 280),
        Command(
            "check:check", "Whether a store holds what was written, and what to run anew.", 290
        ),
        Command(
            "lookup:builtins", "List the data sets, samplings and measures that Podium knows.", 330
        ),
        Command("laboratory:calibrate", "How often a procedure errs.", 900, hidden=True),
        Command("laboratory:replicate", "A paper's tables recomputed.", 910, hidden=True),
    ),
)

__all__ = ["main"]
