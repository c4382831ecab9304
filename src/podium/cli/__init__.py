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

with contextlib.suppress(ValueError):
    if _interactive:
        signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["main"]
