"""Every face follows from its record, and `showing/plots/__init__.pyi` shows what there is."""

from __future__ import annotations

import ast
import inspect
import os
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from results_made import six
from snapshots import WRITE

import podium
from podium import Results, plots
from podium.showing.drawing.canvas import entitle, names_on
from podium.showing.drawing.records import Plot
from podium.showing.drawing.shown_scores import scores_of
from podium.showing.plots import PLOTS
from podium.testing import check_plot

STUB = Path(plots.__file__).with_suffix(".pyi")
FUNCTIONS = {"critical_difference_tikz": plots.critical_difference_tikz, "styles": plots.styles}


def shown(name: str, signature: inspect.Signature, doc: str) -> str:
    """A function as a stub shows it: defaults that are no plain values are `...`."""
    parts: list[str] = []
    star = False
    for one in signature.parameters.values():
        if one.kind is one.VAR_POSITIONAL or (one.kind is one.KEYWORD_ONLY and not star):
            star = True
            if one.kind is one.KEYWORD_ONLY:
                parts.append("*")
        mark = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        plain = isinstance(one.default, (str, int, float, tuple, type(None)))
        default = "" if one.default is one.empty else f" = {one.default!r}" if plain else " = ..."
        parts.append(f"{mark}{one.name}: {one.annotation}{default}")
    words = inspect.cleandoc(doc).replace("\n", "\n    ")
    words += "\n    " * ("\n" in words)
    raw = "r" * ("\\" in words)
    head = f"def {name}({', '.join(parts)}) -> {signature.return_annotation}:"
    return f'{head}\n    {raw}"""{words}"""\n'


def faces() -> Iterator[str]:
    for name in plots.__all__:
        made: Any = getattr(plots, name)
        yield shown(name, inspect.signature(made), made.__doc__)


def test_type_checkers_and_editors_see_every_face_as_it_is() -> None:
    kept = STUB.read_text(encoding="utf-8")
    if os.environ.get(WRITE) == "write":
        kept = "\n".join([kept[: kept.index("\ndef ")], *faces()])
        STUB.write_text(kept, encoding="utf-8")
    stub = [node for node in ast.parse(kept).body if isinstance(node, ast.FunctionDef)]
    assert [node.name for node in stub] == plots.__all__
    for node, text in zip(stub, faces(), strict=True):
        wanted = ast.parse(text).body[0]
        way_out = f"{node.name} has changed: run this with {WRITE}=write, then ruff format."
        assert ast.get_docstring(node) == ast.get_docstring(wanted), way_out  # type: ignore[arg-type]
        assert ast.unparse(node.args) == ast.unparse(wanted.args), way_out  # type: ignore[attr-defined]
        assert ast.unparse(node.returns) == ast.unparse(wanted.returns), way_out  # type: ignore[attr-defined,arg-type]


@pytest.mark.parametrize("name", PLOTS)
def test_a_face_is_a_function_with_the_parameters_of_its_data_and_axes(name: str) -> None:
    record, face = PLOTS[name], getattr(plots, name)
    assert (face.__name__, face.__qualname__, face.__module__) == (
        name, name, record.data.__module__)  # fmt: skip
    assert face.__doc__
    assert pickle.loads(pickle.dumps(face)) is face
    own, every = (inspect.signature(f).parameters for f in (record.data, face))
    assert {n: p for n, p in every.items() if n != "ax"} == own
    assert ("ax" in every) is not record.whole_figure
    if not record.whole_figure:
        assert every["ax"].kind is inspect.Parameter.KEYWORD_ONLY
    assert record.data.__name__ == f"{name}_data"
    assert record.text


def test_options_that_are_told_of_are_parameters() -> None:
    for record in PLOTS.values():
        told = {*record.options}
        assert told <= set(inspect.signature(record.data).parameters), record.name


def test_what_there_is_not_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'boxxes'"):
        _ = plots.boxxes  # type: ignore[attr-defined]
    assert set(plots.__all__) <= set(dir(plots))


# -- a plot of somebody else ----------------------------------------------------------------------


@dataclass(frozen=True)
class Reaches:
    table: pd.DataFrame
    label: str


def reaches_data(results, *, measure=None, dataset=None, wide=False, least=0.0):
    """The reaches of the scores."""
    scores = scores_of(results, measure, dataset)
    return Reaches(scores.table.agg(["min", "max"]).T, scores.label)


def draw_reaches(data, ax):
    for place, (name, style) in enumerate(plots.styles(list(data.table.index)).items()):
        ax.plot(data.table.loc[name], [place, place], color=style.colour, marker=style.marker)
    names_on(ax.yaxis, range(len(data.table)), list(data.table.index))
    entitle(ax, x=data.label)
    return ax


@pytest.fixture
def reaches() -> Iterator[Plot]:
    yield PLOTS.add(
        "reaches", Plot("reaches", Results, "reaches of scores", reaches_data, draw_reaches)
    )
    PLOTS._entries.pop("reaches")


@pytest.mark.usefixtures("reaches")
def test_a_plot_of_somebody_else_has_a_face_that_keeps_the_laws() -> None:
    assert plots.reaches.__doc__ == "The reaches of the scores."  # type: ignore[attr-defined]
    check_plot(podium.plots.reaches, six(), measure="error")  # type: ignore[attr-defined]
    panels = plots.trellis(six(), plots.reaches)  # type: ignore[attr-defined]
    assert len(panels.axes) == 1
    plt.close("all")


def test_a_record_can_be_held_against_the_laws_itself(reaches: Plot) -> None:
    check_plot(reaches, six())


@pytest.mark.usefixtures("reaches")
def test_a_plot_of_somebody_else_has_a_command(tmp_path, monkeypatch, capsys) -> None:
    from podium.cli.main import main

    monkeypatch.chdir(tmp_path)
    Path("s.csv").write_text("sample,a,b\n1,0.1,0.2\n2,0.3,0.1\n", encoding="utf-8")

    def run(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            main(["plot", *args])
        return int(stopped.value.code or 0), *capsys.readouterr()

    asked = ("reaches", "s.csv", "--sampling", "bootstrap", "-m", "error", "-o", "p.svg")
    status, out, err = run(*asked, "--wide", "--least", "0.5")
    assert (status, out.splitlines()[0], err) == (0, "The picture is in 'p.svg'.", "")
    assert run(*asked, "--least", "x")[0] == 2
    assert run(*asked, "--alpha", "0.1")[2] == (
        "podium: The plot 'reaches' does not depend on --alpha: leave it out.\n"
    )
    assert "reaches of scores" in run("--help")[1]
    told = run("reaches", "--help")[1]
    assert "--wide / --no-wide" in told
    assert "--least FLOAT" in told
