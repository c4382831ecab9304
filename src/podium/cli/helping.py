"""What `--help` shows: options in sections, rare ones by `--help-all`, commands in groups."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from podium.base import rooms
from podium.base.options import SECTIONS

MANY = 15  # options from which they stand in sections
FEW = 4  # as many rare ones are shown with the others


class HelpedOption(click.Option):
    """An option that knows its section of the help, and whether it is rare."""

    def __init__(self, *words: Any, section: str = "", rare: bool = False, **facts: Any) -> None:
        super().__init__(*words, **facts)
        self.section, self.rare = section, rare


class HelpedCommand(click.Command):
    """A command whose help fits a screen."""

    def _rare(self) -> list[click.Parameter]:
        rare = [one for one in self.params if getattr(one, "rare", False)]
        return rare if len(rare) >= FEW else []

    def get_params(self, context: click.Context) -> list[click.Parameter]:
        """Also `--help-all`, where something is left out without it."""
        every = super().get_params(context)
        if not self._rare():
            return every
        whole = click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help=f"Show {len(self._rare())} more options.",
        )
        return [*every, whole]

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Options in sections where they are many."""
        hidden = [] if context.meta.get("podium.help_all") else self._rare()
        shown = [one for one in self.get_params(context) if one not in hidden]
        rows: dict[str, list[tuple[str, str]]] = {}
        for one in shown:
            row = one.get_help_record(context) if isinstance(one, click.Option) else None
            if row is not None:
                section = getattr(one, "section", "") if len(self.params) > MANY else ""
                rows.setdefault(section or "Options", []).append(row)
        for section in (*SECTIONS, "Options"):
            if section in rows:
                with formatter.section(section):
                    formatter.write_dl(rows[section])

    def format_epilog(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Commands whose name begins with that of this one."""
        super().format_epilog(context, formatter)
        begun = f"{context.info_name} "
        more = {n: one.does for n, (_, one) in rooms.commands().items() if n.startswith(begun)}
        if more:
            with formatter.section("See also"):
                formatter.write_dl([(f"podium {name}", does) for name, does in more.items()])


def _show_all(context: click.Context, _: click.Parameter, whole: bool) -> None:
    if whole and not context.resilient_parsing:
        context.meta["podium.help_all"] = True
        click.echo(context.get_help(), color=context.color)
        context.exit()


command = partial(click.command, cls=HelpedCommand)
option = partial(click.option, cls=HelpedOption)  # of one command alone
