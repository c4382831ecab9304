"""The options that say what a table holds, shared by the commands that read one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])
OPTIONS = (
    click.option(
        "--sampling",
        help="How the samples were drawn, where the file does not say: bootstrap, cv:10, items ...",
    ),
    click.option("--measure", "-m", help="What the scores are, or which of several measures."),
    click.option("--columns", help="What is what, as in 'algorithm=method,value=acc,ignore=n'."),
    click.option(
        "--higher-is-better/--lower-is-better", default=None, help="The direction of the measure."
    ),
)


def reading(command: Command) -> Command:
    """Give a command these options."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command
