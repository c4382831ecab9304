"""Pages of boards and of studies that run: whole files of HTML, guarded by a policy."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from podium.base.formatting import printable


def rendered(
    template: str, title: str, script: str = "", *, live: bool = False, **content: Any
) -> str:
    """A page that runs its own script alone; a live one may ask the server that it came from."""
    from markupsafe import Markup

    code = read_file(script) if script else ""
    return str(
        _template(template).render(
            title=printable(title),
            policy=Markup(_policy(code, live)),
            style=Markup(read_file("board.css")),
            script=Markup(code),
            **content,
        )
    )


def _policy(code: str, live: bool) -> str:
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    scripts = f"script-src 'sha256-{digest}'; " if code else ""
    asks = "connect-src 'self'; " if live else ""
    return (
        f"default-src 'none'; {scripts}{asks}style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'"
    )


@cache
def read_file(name: str) -> str:
    """A file of this room."""
    return files("podium.boards").joinpath(name).read_text(encoding="utf-8")


@cache
def _template(name: str) -> Any:
    """A template that escapes every text and fails on a name that it is not given."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("podium.boards"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["printable"] = printable
    return templates.get_template(name)
