"""A server beside a run: a process of its own, which ends when its run does, however that ends."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ENDING = 30.0  # seconds to write the last page


@contextlib.contextmanager
def watching(store: Path, say: Callable[[str], None]) -> Iterator[None]:
    """Show the study of a store in a browser meanwhile; at the end its page is left."""
    line = [sys.executable, "-m", "podium", "board", "serve", str(store), "--while-open"]
    with subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as server:  # of its own session, so that Ctrl-C is for the run
        assert server.stdin is not None
        assert server.stdout is not None
        say(server.stdout.readline().rstrip("\n"))
        try:
            yield
        finally:
            server.stdin.close()
            try:
                last = server.stdout.read()
                server.wait(ENDING)
            except subprocess.TimeoutExpired:
                server.kill()
                last = ""
            if last.strip():
                say(last.strip())
