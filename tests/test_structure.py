"""The structure: imports point down, public names are what they are, importing is light."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import podium

SOURCE = Path(podium.__file__).parent
# every folder and top-level module may import those below it (and itself)
BASE = {
    "errors",
    "registry",
    "optional",
    "tables",
    "samplings",
    "sampling_kinds",
    "measures",
    "comparisons",
    "facts",
    "formatting",
    "presentation",
    "progress",
    "wording",
}
BELOW = {
    **dict.fromkeys(BASE, BASE),
    "store": BASE,
    "design": BASE,
    "results": BASE | {"store"},
    "execution": BASE | {"store", "design"},
    "inference": BASE | {"results"},
    "orders": BASE,
    "calibration": BASE | {"results", "inference", "orders"},
    "studies": BASE | {"results", "inference", "orders", "wording"},
    "wording": BASE | {"results", "inference", "orders", "studies"},
    "plots": BASE | {"results", "inference", "orders", "studies"},
    "reports": BASE | {"results", "inference", "orders", "studies", "plots", "wording"},
    "testing": BASE | {"store", "results", "inference", "plots"},
}
ON_TOP = {"__init__", "__main__", "api", "cli", "papers"}  # papers use the public names
OPTIONAL = {"pyarrow", "polars", "dask", "distributed", "statsmodels"}
LATE = {"matplotlib", "altair", "vl_convert"}  # loaded when something is drawn


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def part(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """The names of podium's parts that a module imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("podium"):
            words = (node.module or "").split(".")
            yield from [words[1]] if len(words) > 1 else [a.name for a in node.names]
        elif isinstance(node, ast.Import):
            yield from [a.name.split(".")[1] for a in node.names if a.name.startswith("podium.")]


def modules_after(statement: str) -> set[str]:
    script = f"import sys, json\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in json.loads(run.stdout)}


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_point_down(path: Path) -> None:
    own = part(path)
    if own in ON_TOP:
        return
    assert own in BELOW, f"say in this test where '{own}' stands"
    assert set(imported(path)) - BELOW[own] - {own} == set()


def test_public_names_are_sorted_exist_and_are_all_that_is_public() -> None:
    assert sorted(podium.__all__) == podium.__all__ == dir(podium)
    for name in podium.__all__:
        assert getattr(podium, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = podium.nothing  # type: ignore[attr-defined]


def test_no_public_name_is_hidden_by_a_folder_of_the_same_name() -> None:
    files = {path.name.removesuffix(".py") for path in SOURCE.iterdir()}
    assert set(podium.__all__) & files == {"plots"}  # the folder itself is public
    faces = set(podium.plots.__all__)
    assert faces & {path.stem for path in (SOURCE / "plots").glob("*.py")} == {"styles"}


def test_the_plots_are_all_there() -> None:
    assert sorted(podium.plots.__all__) == podium.plots.__all__
    assert all(callable(getattr(podium.plots, name)) for name in podium.plots.__all__)


def test_importing_podium_loads_nothing_heavy() -> None:
    heavy = {"numpy", "pandas", "scipy", "sklearn", "joblib", "narwhals", "rich", "click"}
    assert modules_after("import podium") & (heavy | OPTIONAL | LATE) == set()


def test_help_loads_nothing_heavy() -> None:
    statement = "from podium.cli.main import _status\n_status(['--version'])"
    script = f"import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()):\n {statement}"
    loaded = modules_after(script.replace("\n_status", "\n _status"))
    assert loaded & ({"numpy", "pandas", "scipy", "sklearn"} | OPTIONAL | LATE) == set()


def test_running_and_analysing_need_no_optional_package() -> None:
    loaded = modules_after("import podium\nfor name in podium.__all__: getattr(podium, name)")
    assert (
        loaded & ((OPTIONAL | LATE) - {"pyarrow"}) == set()
    )  # pandas loads pyarrow where it is there


def calls(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def test_files_of_tests_have_names_of_their_own() -> None:
    """Tests are no package, so two files of one name hide each other."""
    names = [
        path.name for path in Path(__file__).parent.rglob("*.py") if path.name != "conftest.py"
    ]
    assert [name for name in set(names) if names.count(name) > 1] == []


def test_only_the_command_line_prints() -> None:
    talkative = [p for p in modules() if part(p) != "cli" and "print" in set(calls(p))]
    assert talkative == []


def test_nothing_is_pickled() -> None:
    """Messages between driver and workers aside, which no file keeps."""
    for path in modules():
        words = path.read_text(encoding="utf-8")
        if part(path) in ("store", "results", "design", "inference", "orders"):
            assert "import pickle" not in words
            assert "joblib.dump" not in words
            assert "cloudpickle" not in words


def test_optional_packages_are_imported_through_one_door() -> None:
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {n.split(".")[0] for n in names} & OPTIONAL, path
