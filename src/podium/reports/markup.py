"""HTML by construction: elements whose texts and attributes are always escaped."""

from __future__ import annotations

from html import escape
from typing import Any

VOID = {"br", "hr", "img", "input", "meta"}
DRAWN = {"path", "line", "circle"}  # of SVG, where what is not closed holds what follows


class Html(str):
    """Markup that is done; nothing else is written without escaping."""

    __slots__ = ()


def element(tag: str, /, *children: Any, **attributes: Any) -> Html:
    """An element; `class_` is class, `data_row` is data-row; None leaves an attribute out.

    >>> element("b", "a < b", class_="name", data_row=2)
    '<b class="name" data-row="2">a &lt; b</b>'
    """
    text = "".join(
        f" {name.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{escape(str(value))}"')
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in VOID:
        return Html(f"<{tag}{text}>")
    if tag in DRAWN:
        return Html(f"<{tag}{text}/>")
    return Html(f"<{tag}{text}>{fragment(*children)}</{tag}>")


def fragment(*children: Any) -> Html:
    """Children one after the other: markup as it is, texts escaped, sequences in their order."""
    return Html("".join(map(_child, children)))


def _child(child: Any) -> str:
    if isinstance(child, Html):
        return child
    if child is None:
        return ""
    if isinstance(child, (list, tuple)):
        return fragment(*child)
    return escape(str(child), quote=False)
