"""Somebody else's sampling, measure, procedures, plot, format and section: one record each.

Each is registered once and then driven through everything: run, analyze, advise, plot, report, help
and the text for papers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from registries_kept import kept
from scipy import special
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

import podium
from podium import Layout, Measure, Note, samplings
from podium.cli.main import group
from podium.core.inference.bricks.estimates import means
from podium.core.inference.bricks.nulls import quadratic
from podium.core.inference.comparing.evidence import Posterior
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.comparing.request import Request
from podium.core.inference.procedures.procedure import (
    INDEPENDENT,
    STRONG,
    Bayes,
    Cited,
    DefaultNull,
    Needs,
    Procedure,
)
from podium.core.questions import measures
from podium.core.questions.targets import RESAMPLE
from podium.core.samplings import KINDS, Kind, Sizes
from podium.core.words.facts import CAUTION
from podium.core.words.saying import say
from podium.errors import ResultsError
from podium.reading.formats import FORMATS, Format, LongTable, text_sample
from podium.running.design.measuring.outputs import PREDICTED, Output, score
from podium.running.design.samples.drawing import Draw, Split, Wanted, draws
from podium.showing.drawing.canvas import entitle, names_on
from podium.showing.drawing.records import Plot
from podium.showing.drawing.shown_scores import scores_of
from podium.showing.plots import PLOTS
from podium.showing.reports.document import Content, section
from podium.testing import (
    check_format,
    check_measure,
    check_plot,
    check_procedure,
    check_sampling,
)

ROWS = np.arange(60.0)
DATA = podium.dataset("made", ROWS[:, None] % 17, ROWS % 17 + ROWS / 7, task="regression")
ALGORITHMS = {"linear": LinearRegression(), "tree": DecisionTreeRegressor(max_depth=1)}

# -- the records ----------------------------------------------------------------------------------

THIRDS = Kind("thirds", "train on a random third", RESAMPLE, "thirds:20", sizes=Sizes(share=1 / 3))


def draw_thirds(wanted: Wanted) -> Draw:
    order = wanted.rng.permutation(wanted.data.n)
    third = wanted.data.n // 3
    return Draw((Split(order[:third], order[third:]),))


TARDINESS = Measure("tardiness", False, (0, np.inf), "days", spec="tardiness")


def tardiness(output: Output) -> float:
    return float(np.maximum(output.y - output.get(PREDICTED), 0).mean())


def sharper(layout: Layout, request: Request) -> Posterior:
    """A toy posterior: normal around the mean difference."""
    e = means(layout)
    at = request.contrasts @ e.values
    spread = np.sqrt(((request.contrasts @ e.covariance) * request.contrasts).sum(axis=1))
    rope, z = request.relevance, special.ndtri(1 - request.alpha / 2)
    safe = np.where(spread > 0, spread, 1.0)
    win = np.where(spread > 0, special.ndtr((at - rope) / safe), np.where(at > rope, 1.0, 0.0))
    lose = np.where(spread > 0, special.ndtr((-at - rope) / safe), np.where(-at > rope, 1.0, 0.0))
    win, lose = np.where(at == 0, 0.5, win), np.where(at == 0, 0.5, lose)
    same = np.clip(1 - win - lose, 0.0, 1.0)
    return Posterior(at, at - z * spread, at + z * spread, win, same, lose)


def own(name: str, **more: object) -> Procedure:
    return Procedure(
        name,
        f"the {name} test",
        means,
        quadratic,
        "holm",
        "two algorithms have equal means",
        "equal means",
        STRONG,
        (Cited("Somebody (2031). A test. Journal of Tests 1, 1-2."),),
        INDEPENDENT,
        **more,  # type: ignore[arg-type]
        nulls=DefaultNull(default="asymptotic"),
        needs=Needs(margins=True),
    )


PLAIN, TOY = own("plain"), own("toy-posterior", bayes=Bayes(sharper))


def spans_data(results: podium.Results, *, measure: str | None = None) -> tuple[pd.DataFrame, str]:
    """The least and the largest score of each algorithm."""
    scores = scores_of(results, measure)
    return scores.table.agg(["min", "max"]).T, scores.label


def draw_spans(data: tuple[pd.DataFrame, str], ax):  # type: ignore[no-untyped-def]
    table, label = data
    for place, name in enumerate(table.index):
        ax.plot(table.loc[name], [place, place])
    names_on(ax.yaxis, range(len(table)), list(table.index))
    entitle(ax, x=label)
    return ax


SPANS = Plot("spans", podium.Results, "spans of the scores", spans_data, draw_spans)


def read_quiz(source, options) -> LongTable:  # type: ignore[no-untyped-def]
    try:
        found = json.loads(source.paths[0].read_text(encoding="utf-8"))
    except ValueError:
        raise ResultsError(f"'{source.paths[0]}' is no whole JSON file.") from None
    rows = [(m, i, v) for m, right in found["quiz"].items() for i, v in enumerate(right)]
    frame = pd.DataFrame(rows, columns=["model", "item", "value"])
    return LongTable(frame, "The quiz", sampling="items", measure="accuracy")


RIGHT = {"x": [1, 1, 0, 1] * 10, "y": [0, 1, 0, 0] * 10}
QUIZ = Format(
    "quiz",
    "right and wrong answers of a quiz",
    recognises=lambda source: source.text.startswith('{"quiz"'),
    read=read_quiz,
    samples=[text_sample("a.json", json.dumps({"quiz": RIGHT}), ("x", "y"))],
)


@pytest.fixture
def extended() -> Iterator[None]:
    """All of them registered, and gone after the test."""
    with kept():
        _register()
        yield


def _register() -> None:
    draws(samplings.register(THIRDS))(draw_thirds)
    measures.KNOWN.add(TARDINESS.name, TARDINESS)
    score(TARDINESS.name, PREDICTED, ("regression",))(tardiness)
    for procedure in (PLAIN, TOY):
        PROCEDURES.add(procedure.name, procedure)
    PLOTS.add(SPANS.name, SPANS)
    FORMATS.add(QUIZ)

    @section("aside", "An aside", place=35)
    def aside(analysis):  # type: ignore[no-untyped-def]
        return Content(f"{len(analysis.results.runs)} runs, told aside.")


@pytest.fixture
def store(extended: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study that is drawn by the foreign sampling and scored by a foreign measure."""
    monkeypatch.chdir(tmp_path)
    study = podium.Study(DATA, ALGORITHMS, sampling="thirds:20", measures=["tardiness"], seed=1)
    podium.run(study, "own.db", quiet=True, jobs=0)
    return tmp_path / "own.db"


def said(*words: str) -> str:
    result = CliRunner().invoke(group, list(words), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


# -- the laws -------------------------------------------------------------------------------------


def test_they_keep_the_laws(extended: None) -> None:
    check_sampling(THIRDS)
    check_measure(TARDINESS)
    check_procedure(PLAIN)
    check_procedure(TOY)
    check_format(QUIZ)
    scores = {"a": [1.0, 2.0, 3.0], "b": [2.0, 2.5, 4.0]}
    check_plot(SPANS, podium.read(scores, sampling="bootstrap", measure="error"))


@pytest.mark.parametrize("name", KINDS)
def test_our_samplings_keep_them(name: str) -> None:
    check_sampling(KINDS[name])


@pytest.mark.parametrize("name", measures.KNOWN)
def test_our_measures_keep_them(name: str) -> None:
    check_measure(measures.KNOWN[name])


@pytest.mark.parametrize("name", PROCEDURES)
def test_our_procedures_keep_them(name: str) -> None:
    check_procedure(PROCEDURES[name])


# -- one edit each --------------------------------------------------------------------------------


def test_a_sampling_and_a_measure_go_all_the_way(store: Path) -> None:
    text = said("analyze", str(store), "--json", "own.json", "--methods", "own.txt")
    assert "(20 resamples, thirds:20; tardiness, lower is better)" in text
    found = json.loads(Path("own.json").read_text(encoding="utf-8"))
    assert (found["measure"], found["blocks"]["sampling"]) == ("tardiness", "thirds:20")
    assert "0.333 n distinct rows (about 20 of 60)" in found["statement"]
    methods = Path("own.txt").read_text(encoding="utf-8")
    assert "was sampled 20 times by 'thirds'" in methods
    assert "'tardiness' (lower values are better)" in methods
    assert "this very sample" in said("advise", str(store))
    assert "thirds:20" in said("builtins")
    said("report", str(store), "-o", "own.html")
    page = Path("own.html").read_text(encoding="utf-8")
    assert "thirds:20" in page
    assert "40 runs, told aside." in page


@pytest.mark.parametrize("procedure", [PLAIN, TOY], ids=lambda p: p.name)
def test_a_procedure_goes_all_the_way(store: Path, procedure: Procedure) -> None:
    text = said(
        "analyze", str(store), "-p", procedure.name, "--methods", "p.txt", "--json", "p.json"
    )
    assert procedure.title in text
    assert "[1] Somebody (2031)." in Path("p.txt").read_text(encoding="utf-8")
    said("report", str(store), "-p", procedure.name, "-o", "p.html")
    assert procedure.title in Path("p.html").read_text(encoding="utf-8")
    assert procedure.title in said("procedures")
    assert "equal means" in said("procedures", procedure.name)
    said("plot", "intervals", str(store), "-p", procedure.name, "-o", "p.svg")


def test_a_posterior_decides_like_a_test(store: Path) -> None:
    results = podium.read(store)
    found, test = podium.compare(results, "toy-posterior"), podium.compare(results, "paired-t")
    assert podium.decide(found) == podium.decide(test)
    row = found.table.iloc[0]
    assert np.isclose(row["win"] + row["same"] + row["lose"], 1.0)
    assert np.isnan(row["p_adjusted"])
    assert row["verdict"] == test.table["verdict"].iloc[0]
    (pair,) = found.to_dict()["posterior"]["pairs"]
    assert set(pair) == {"first", "second", "win", "same", "lose"}
    wide = podium.compare(results, "toy-posterior", relevance=100.0)
    assert wide.table["verdict"].tolist() == ["equivalent"]


def test_a_plot_has_a_face_a_command_and_help(store: Path) -> None:
    assert podium.plots.spans.__doc__ == "The least and the largest score of each algorithm."
    said("plot", "spans", str(store), "-o", "spans.svg")
    assert "<svg" in Path("spans.svg").read_text(encoding="utf-8")
    assert "spans of the scores" in said("plot", "--help")


def test_a_format_is_read_by_every_command(extended: None, tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({"quiz": RIGHT}), encoding="utf-8")
    assert "x ≻ y" in said("analyze", str(path), "--pairs")
    assert "fitted models" in said("advise", str(path))


def test_a_note_without_words_is_told_by_its_facts() -> None:
    assert say(Note("too-sunny", CAUTION, hours=9)) == "too sunny: hours 9."
