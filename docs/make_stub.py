"""Write src/podium/__init__.pyi, which says to editors and type checkers what is public."""

from __future__ import annotations

from pathlib import Path

import podium
from podium.base import rooms

HEAD = '"""The public names, for editors and type checkers (docs/make_stub.py writes this)."""\n'


def stub() -> str:
    """The stub: every name from its home, exported."""
    folders = [f"from podium import {name} as {name}" for name in podium._FOLDERS]
    homes = [
        f"from {module} import {name} as {name}"
        for name, module in sorted(rooms.public().items(), key=lambda home: home[::-1])
    ]
    listed = "\n".join(f'    "{name}",' for name in podium.__all__)
    parts = [
        HEAD,
        *sorted(folders),
        *homes,
        "",
        "__version__: str",
        "",
        f"__all__ = [\n{listed}\n]",
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    Path(podium.__file__).with_suffix(".pyi").write_text(stub(), encoding="utf-8")
