"""What a light installation can do, and what it says of the rest: which extra brings it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import podium
from podium.core.base.errors import BRINGS, CALLED, DISTRIBUTION

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
# runs commands where no package of an extra can be imported, and tells what each said
LIGHT = """
import contextlib, io, json, sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named '{{name}}'", name=name)
sys.meta_path.insert(0, Missing())
from podium.cli.main import status_of
told = []
for line in {commands!r}:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = status_of(line.split())
    told.append((status, said.getvalue()))
import podium
try:
    podium.Study
except podium.PodiumError as error:
    told.append((1, f"{{error}}\\n"))
print(json.dumps(told))
"""
STUDY = """sampling = "cv:3"
[[datasets]]
name = "monks3"
source = "builtin:monks3"
[[algorithms]]
name = "tree"
estimator = "sklearn.tree.DecisionTreeClassifier"
"""
TABLE = "--measure error --sampling bootstrap"


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=~!\[ ]", one)[0] for one in requirements}


def test_extras_bring_what_is_said_and_nothing_else_brings_it():
    for extra, modules in BRINGS.items():
        brought = names(EXTRAS[extra]) | (names(EXTRAS["plots"]) if extra == "report" else set())
        packages = {CALLED.get(module, module) for module in modules} - {"dask"}
        assert packages <= brought
        assert not packages & names(PROJECT["dependencies"])
    (everything,) = EXTRAS["all"]
    assert set(everything.partition("[")[2].rstrip("]").split(",")) == set(BRINGS)


def test_the_distribution_is_called_as_messages_say():
    assert PROJECT["name"] == DISTRIBUTION
    assert podium.__version__


NAMES = "urn:oasis:names:tc:opendocument:xmlns"
CONTENT = (
    "<office:document-content "
    + " ".join(f'xmlns:{kind}="{NAMES}:{kind}:1.0"' for kind in ("office", "table", "text"))
    + '><office:body><office:spreadsheet><table:table table:name="S">{}'
    + "</table:table></office:spreadsheet></office:body></office:document-content>"
)


def open_document(path: Path) -> None:
    """A spreadsheet of OpenDocument: a table of two algorithms on seven data sets."""
    rows = [["dataset", "a", "b"], *[[f"d{i}", i / 10, 0.95] for i in range(1, 8)]]
    body = "".join(f"<table:table-row>{''.join(map(_cell, row))}</table:table-row>" for row in rows)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", CONTENT.format(body))
        archive.writestr("META-INF/manifest.xml", f'<m:m xmlns:m="{NAMES}:manifest:1.0"/>')


def _cell(value: object) -> str:
    kind = "float" if isinstance(value, float) else "string"
    said = f' office:value-type="{kind}"' + f' office:value="{value}"' * (kind == "float")
    return f"<table:table-cell{said}><text:p>{value}</text:p></table:table-cell>"


def test_other_spreadsheets_are_read(tmp_path):
    open_document(tmp_path / "scores.ods")
    wide = podium.read(tmp_path / "scores.ods", measure="error").wide("error")
    assert wide["a"].tolist() == [i / 10 for i in range(1, 8)]
    assert wide["b"].tolist() == [0.95] * 7
    (tmp_path / "broken.xls").write_bytes(b"\xd0\xcf\x11\xe0" + bytes(600))
    with pytest.raises(podium.PodiumError, match=r"broken.xls' cannot be read as a spreadsheet"):
        podium.read(tmp_path / "broken.xls", measure="error")


def test_a_light_installation_analyses_and_says_what_the_rest_needs(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "s.csv").write_text("sample,a,b\n1,0.1,0.2\n2,0.2,0.3\n3,0.1,0.4\n4,0.1,0.3\n")
    open_document(tmp_path / "s.ods")
    expected = {
        f"analyze s.csv {TABLE}": "a has the lowest error",
        "plan --difference 0.05 --sd 0.1": "34",
        f"advise s.csv {TABLE}": "Recommended: hull",
        "run study.toml": "run",
        "demo": "run,report",
        f"report s.csv {TABLE} -o r.html": "The page is in",
        f"plot boxes s.csv {TABLE} -o p.png": "plots",
        "analyze s.ods --measure error": "excel",
    }
    asked = {**expected, "podium.Study": "run"}
    missing = {module for modules in BRINGS.values() for module in modules}
    script = LIGHT.format(missing=missing, commands=list(expected))
    run = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True,
                         text=True, check=True)  # fmt: skip
    for (status, said), (line, part) in zip(json.loads(run.stdout), asked.items(), strict=True):
        if line.startswith(("analyze s.csv", "plan", "advise", "report")):
            assert (status, part in said) == (0, True), said
        else:
            assert status != 0, line
            assert said.count("\n") == 1, said
            assert said.endswith(f"is not installed: pip install '{DISTRIBUTION}[{part}]'.\n")
    assert {p.name for p in tmp_path.iterdir()} == {"study.toml", "s.csv", "s.ods", "r.html"}
