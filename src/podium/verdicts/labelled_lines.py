"""Lines behind a label in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from podium.cli.main import say

LABEL = 11  # columns of a label


def say_label(label: str, texts: Sequence[str], width: int, warned: int = 0) -> None:
    """Texts below each other behind a label; the first so many are warnings."""
    from podium.base.formatting import wrapped
    from podium.verdicts.standings import coloured

    for i, text in enumerate(texts):
        for j, line in enumerate(wrapped(text, width - LABEL).split("\n")):
            shown = coloured(line, warns=True) if i < warned else line
            _say_labelled_line(label if not i and not j else "", shown)


def _say_labelled_line(label: str, text: str) -> None:
    from podium.verdicts.standings import coloured

    say(f"{coloured(f'{label:<{LABEL}}', bold=True) if label else ' ' * LABEL}{text}")
