"""What a page carries besides its text: data, its one script, and the policy that guards both."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

SCRIPTS = ("downloads.js", "tables.js", "charts.js", "report.js")  # in this order, as one script
LONG = 20_000  # letters of data from which they are compressed


def data(content: Any, kind: str) -> str:
    """An element with data for the script; nothing in it can end the element or run.

    Long data are gzip in base64, which every browser of the last years unpacks by itself.
    """
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    packed = len(text) > LONG
    if packed:
        # without a time, so that the same results make the same page
        text = base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()
    mark = ' data-packed="gzip"' if packed else ""
    inside = text.replace("<", "\\u003c")
    return f'<script type="application/json" class="{escape(kind)}"{mark}>{inside}</script>\n'


def script(charts: bool) -> str:
    """The page's script; with the one that draws charts where there are any."""
    own = "\n".join(_read(name) for name in SCRIPTS)
    body = f'(function () {{\n"use strict";\n{own}\n}})();\n'
    text = f"(function(){{{_vega()}}})();\n{body}" if charts else body
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def style() -> str:
    """The page's style sheet."""
    return _read("report.css")


def policy(text: str) -> str:
    """The content security policy: this very script runs, and nothing comes from outside."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


@cache
def _vega() -> str:
    """Vega, Vega-Lite and their embedding in one text, about 0.9 MB; it takes seconds to make."""
    import vl_convert

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")


@cache
def _read(name: str) -> str:
    return files("podium.reports").joinpath(name).read_text(encoding="utf-8")
