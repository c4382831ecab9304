"""The first screen of a page in a notebook: the same headline and table, without a script."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from podium.inference.comparing.comparisons import Comparisons
from podium.reports.board import board
from podium.reports.hero import hero
from podium.reports.markup import Html, element
from podium.reports.page import read_own


def notebook_hero(c: Comparisons) -> str:
    """What a notebook shows of comparisons before all else; empty where there is no table."""
    view = board(c)
    view = replace(view, key=view.key[:1])  # nothing is clicked there
    if not view.rows:
        return ""
    style = Html(f"<style>.podium-hero {{ {_scoped()} }}</style>")
    return element("div", hero(view), style, class_="podium-hero")


@cache
def _scoped() -> str:
    """The style of pages, for what stands inside one element alone."""
    css = re.sub(r":root\b", "&", read_own("page.css"))
    css = css.partition("@media print")[0]  # how a notebook is printed is its own affair
    return re.sub(r"(?m)^body \{", "& {", css)
