"""The command line: one file per command, or per few alike; the only place that prints.

`main` is the entry point. Commands are loaded when called, so that `podium --help` is fast.
"""

from podium.cli.main import main

__all__ = ["main"]
