"""A command in a process of its own that need not import anything: a fork of this one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable

import matplotlib.pyplot  # noqa: F401 - else each fork would load what commands load when called
import scipy.stats  # noqa: F401
import sklearn.model_selection
import sklearn.naive_bayes  # noqa: F401

from podium.cli.main import main


def forked(*words: object, prepare: Callable[[], None]) -> subprocess.CompletedProcess[str]:
    """`podium WORDS` in a fork that has called `prepare`: how it ended, and what it wrote."""
    pipes = [os.pipe(), os.pipe()]
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        _command([str(word) for word in words], [end for _, end in pipes], prepare)
    for _, end in pipes:
        os.close(end)
    texts = [open(start, encoding="utf-8").read() for start, _ in pipes]  # noqa: SIM115
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return subprocess.CompletedProcess(words, code, *texts)


def _command(words: list[str], ends: list[int], prepare: Callable[[], None]) -> None:
    """What the fork does: it never returns."""
    code = 70
    try:
        for number, end in enumerate(ends, 1):
            os.dup2(end, number)
        sys.stdout, sys.stderr = (open(n, "w", encoding="utf-8") for n in (1, 2))  # noqa: SIM115
        signal.signal(signal.SIGINT, signal.default_int_handler)
        prepare()
        main(words)
        code = 0
    except SystemExit as end_of_command:
        code = end_of_command.code if isinstance(end_of_command.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)
