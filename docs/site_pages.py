"""Pages of the site that do not lie in docs/: a hook of mkdocs, which `make site` runs.

README.md becomes the start page, papers/ and CHANGELOG.md pages of their own, and every public name
gets an entry of the API from its docstring. Links between files of the project become links of the
site.
"""

from __future__ import annotations

import inspect
import operator
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from posixpath import normpath, relpath
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[1]
API: Mapping[str, tuple[str, Sequence[str]]] = {  # pages: title and names
    "running": (
        "Design and run",
        ("Study", "load_study", "dataset", "Dataset", "process", "from_openml", "algorithm",
         "Algorithm", "measure", "Measure", "Sampling", "run", "merge", "score", "register",
         "queue", "Store"),
    ),
    "comparing": (
        "Compare and decide",
        ("read", "read_items", "advise", "analyze", "compare", "Comparisons", "decide", "order",
         "Order", "consensus", "gate", "layout", "Layout", "report", "Note", "PodiumError",
         "errors"),
    ),
    "exploring": (
        "Many data sets, plans, several studies",
        ("by_dataset", "subgroups", "explain_differences", "recommend", "stability", "left_out",
         "multiverse", "plan", "meta"),
    ),
    "results": (
        "Results",
        ("Results",),
    ),
}  # fmt: skip
LAB = ("calibrate", "scenario", "table_scenario", "replicate")
LINK = re.compile(r"(\]\()([^)\s]+)(\))")


def pages() -> dict[Path, str]:
    """The files outside docs/ that become pages, and where."""
    papers = sorted((ROOT / "papers").glob("*/README.md"))
    return {
        ROOT / "README.md": "index.md",
        ROOT / "CHANGELOG.md": "changelog.md",
        ROOT / "CONTRIBUTING.md": "contributing.md",
        ROOT / "papers" / "README.md": "papers/index.md",
        **{path: f"papers/{path.parent.name}.md" for path in papers},
    }


def place(path: Path) -> str:
    """Where a file of the project is in the site, from its root."""
    inside = path.relative_to(ROOT).as_posix()
    return pages().get(path, inside.removeprefix("docs/"))


def relinked(text: str, source: Path) -> str:
    """A page with its links to files of the project as links of the site."""
    here = place(source)

    def link(found: re.Match[str]) -> str:
        said = urlsplit(found[2])
        if said.scheme or said.netloc or not said.path:
            return found[0]
        target = Path(normpath(source.parent / said.path))
        if not target.is_file():  # tests/docs/test_site.py says so
            return found[0]
        to = relpath(place(target), normpath(f"{here}/.."))
        return f"{found[1]}{to}{'#' + said.fragment if said.fragment else ''}{found[3]}"

    return LINK.sub(link, text)


def linked_files(text: str, source: Path) -> list[Path]:
    """The files of the project, no pages, that a page links to and that lie outside docs/."""
    paths = [urlsplit(found[2]).path for found in LINK.finditer(text)]
    found = [Path(normpath(source.parent / path)) for path in paths if path]
    known = pages()
    return [p for p in found if p.is_file() and p not in known and "docs" not in p.parts[-2:-1]
            and ROOT in p.parents and not p.is_relative_to(ROOT / "docs")]  # fmt: skip


def api_pages() -> dict[str, str]:
    """The pages of the API: each name is filled in from its docstring."""
    made = {
        f"api/{page}.md": f"# {title}\n\n" + "\n\n".join(map(_entry, names)) + "\n"
        for page, (title, names) in API.items()
    }
    lab = "# The laboratory\n\n" + "\n\n".join(f"::: podium_lab.{name}" for name in LAB) + "\n"
    return {**made, "api/rooms.md": _rooms(), "api/lab.md": lab, "api/plots.md": _plots()}


def _entry(name: str, home: str = "") -> str:
    """A name: a verb with declared options is asked, as these are added when Podium runs.

    `home` is where it is written, if that is not where users find it.
    """
    sys.path.insert(0, str(ROOT / "src"))
    import podium

    found = operator.attrgetter(name)(podium)
    if not hasattr(found, "options"):
        return f"::: {home or 'podium.' + name}"
    shown = f"{name}{inspect.signature(found)}".replace("'", "")
    return f"## {name}\n\n```python\n{shown}\n```\n\n```text\n{found.__doc__}\n```"


def _rooms() -> str:
    """What stands in rooms, as `podium.items.by_stratum`."""
    sys.path.insert(0, str(ROOT / "src"))
    from podium.core.base import rooms

    entries = []
    for one in rooms.capabilities():
        for name in (at.partition(":")[2] for at in one.inside):
            home = f"{one.room}.{name}" if one.called else ""  # the generator follows no such name
            entries.append(_entry(f"{one.face}.{name}", home))
    return "# In their rooms\n\n" + "\n\n".join(entries) + "\n"


def _plots() -> str:
    """Every plot with its picture; their faces are made when Podium runs, so they are asked."""
    sys.path.insert(0, str(ROOT / "src"))
    from podium import plots
    from podium.showing.drawing.records import PLOTS

    lines = ["# Plots", "", "All are in `podium.plots`; the [gallery](../gallery.md) has the code."]
    for name in plots.__all__:
        record = PLOTS.get(name)
        picture = ROOT / "docs" / "gallery" / f"{name}.svg"
        lines += ["", f"## {name}", ""]
        if record is not None:
            lines += [
                "```python",
                f"{name}{record.signature}",
                "```",
                "",
                record.face.__doc__ or "",
            ]
        if picture.is_file():
            lines += ["", f"![{name}](../gallery/{name}.svg)"]
    return "\n".join(lines) + "\n"


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that do not lie in docs/."""
    from mkdocs.structure.files import File

    for path, uri in pages().items():
        text = path.read_text(encoding="utf-8")
        files.append(File.generated(config, uri, content=relinked(text, path)))
        for file in linked_files(text, path):
            if files.get_file_from_path(place(file)) is None:
                files.append(File.generated(config, place(file), abs_src_path=str(file)))
    for uri, content in api_pages().items():
        files.append(File.generated(config, uri, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Turn links of pages in docs/; those of others are turned already."""
    source = ROOT / "docs" / page.file.src_uri
    return relinked(markdown, source) if source.is_file() else markdown
