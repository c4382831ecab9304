"""podium plot, and what analyze and summary write for papers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from podium.asking.pictures.command import _kept_as, _own_options, _parameters, plots_of_files
from podium.asking.pictures.command import plot as command
from podium.cli.main import main
from podium.showing.plots import __all__ as faces


@pytest.fixture
def podium(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    wide = pd.DataFrame({"sample": range(1, 31), "a $1": rng.normal(size=30), "b<c": 0.0})
    wide["b<c"] = wide["a $1"] + rng.normal(1, 0.5, 30)
    wide["d"] = wide["a $1"] + rng.normal(1, 0.5, 30)
    wide.to_csv("wide.csv", index=False)
    long = [
        (f"set{j}", a, s, rng.normal(i + (j > 2) * (i == 1), 0.3))
        for j in range(5) for i, a in enumerate("abc") for s in range(1, 13)
    ]  # fmt: skip
    pd.DataFrame(long, columns=["dataset", "algorithm", "sample", "score"]).to_csv(
        "many.csv", index=False
    )

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            main(list(arguments))
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return run


READ = ("--sampling", "bootstrap", "--higher-is-better")


def test_every_plot_that_a_file_can_show_has_a_name_on_the_command_line():
    elsewhere = {
        "forest",
        "funnel",
        "styles",
        "qq",
        "power_curve",
        "sample_size_curve",
    }
    assert set(faces) - set(plots_of_files()) == elsewhere | {"critical_difference_tikz"}
    assert set(plots_of_files()) <= set(faces)


def test_every_option_of_a_plot_can_be_said():
    taken, objects = {one.name for one in command.params}, {"order", "results"}
    for name, plot in plots_of_files().items():
        offered = {one.name for one in _own_options(plot, taken)} | taken | objects
        assert {_kept_as(plot, each) for each in _parameters(plot)} <= offered, name
    flags = {o.opts[0] for o in _own_options(plots_of_files()["trellis"], taken)}
    assert flags == {"--panels", "--across", "--shared"}


@pytest.mark.parametrize("name", ["boxes", "bench", "intervals", "hasse", "rank_stability"])
def test_a_picture_of_one_data_set(podium, name):
    assert podium("plot", name, "wide.csv", *READ, "-m", "score", "-o", "p.svg")[0] == 0
    assert "<svg" in Path("p.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["survey", "dendrogram", "trellis", "dataset_heat"])
def test_a_picture_of_many_data_sets(podium, name):
    assert podium("plot", name, "many.csv", *READ)[0] == 0
    assert Path(f"{name}.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    "asked",
    ["boxes --no-sort", "summary --level 0.8", "dots --jitter --seed 3", "histograms --bins 0,1,2",
     "histograms --bins 5 --no-lines", "trellis --shared y", "dataset_heat --no-ranks",
     "survey --limits 0,3", "survey_graph --levels 1", "profiles --no-ratio"],
)  # fmt: skip
def test_options_of_a_plot_are_its_own(podium, asked):
    name, *own = asked.split()
    drawn = []
    for options in ([], own):
        assert podium("plot", *options, name, "many.csv", *READ, "-o", "p.svg")[0] == 0
        drawn.append(Path("p.svg").read_bytes())
    assert (drawn[0] == drawn[1]) == (asked == "profiles --no-ratio")  # which is usual


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("boxes --level 0.8", "No such option"),
        ("summary --level x", "is not a valid float"),
        ("histograms --bins x,2", "'x,2' is not numbers with commas between"),
        ("summary --level 2", "The level of an interval is between 0 and 1"),
    ],
)
def test_options_of_other_plots_and_wrong_ones_are_refused(podium, asked, told):
    name, *own = asked.split()
    status, out, err = podium("plot", name, "many.csv", *READ, *own)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert told in err


def test_help_of_a_plot_has_its_words_and_options(podium):
    _, out, _ = podium("plot", "histograms", "--help")
    assert "A histogram of each algorithm's scores" in " ".join(out.split())
    assert "--bins LIST" in out
    assert "--seed" not in out
    assert "--bins" not in podium("plot", "--help")[1]


def test_characters_that_the_font_lacks_are_told_in_one_sentence(podium):
    Path("far.csv").write_text("sample,模型,b\n1,1,2\n2,1.5,2.1\n3,1.2,2.4\n", encoding="utf-8")
    asked = ("plot", "boxes", "far.csv", *READ, "-m", "score", "-o")
    _, _, said = podium(*asked, "p.png")
    assert said == "podium: The font of 'p.png' lacks 模, 型: an SVG file shows them.\n"
    assert podium(*asked, "p.svg")[2] == ""
    assert "模型" in Path("p.svg").read_text(encoding="utf-8")


def test_the_same_picture_is_the_same_file(podium):
    for path in ("one.pdf", "two.pdf", "one.svg", "two.svg"):
        podium("plot", "dots", "wide.csv", *READ, "-m", "score", "-o", path)
    assert Path("one.pdf").read_bytes() == Path("two.pdf").read_bytes()


@pytest.mark.parametrize(
    "asked",
    [
        "plot boxxes wide.csv",
        "plot boxes wide.csv -o p.docx",
        "plot boxes wide.csv --alpha 0.1 -m score",
        "plot survey wide.csv -m score",
        "plot boxes nowhere.csv",
        "plot boxes wide.csv -m score -o nowhere/p.pdf",
    ],
)
def test_a_wrong_request_is_one_sentence(podium, asked):
    status, out, err = podium(*asked.split(), *READ)
    assert status in (1, 2)
    assert (out, err.count("\n")) == ("", 1)


def test_analyze_writes_what_papers_need(podium):
    wanted = ["--scores", "s.tex", "--diagram", "d.tex", "--methods", "m.txt"]
    assert podium("analyze", "wide.csv", *READ, "-m", "score", *wanted)[0] == 0
    scores, diagram, methods = (Path(f).read_text("utf-8") for f in ("s.tex", "d.tex", "m.txt"))
    assert r"a \$1" in scores
    assert scores.count(r"\mathbf") >= 1
    assert diagram.count(r"\begin{tikzpicture}") == diagram.count(r"\end{tikzpicture}") == 1
    assert "were compared" in methods
    assert "[1] " in methods  # the list of references
    assert podium("analyze", "wide.csv", *READ, "-m", "score", "--diagram", "d.pdf")[0] == 0
    assert Path("d.pdf").read_bytes().startswith(b"%PDF")


def test_daggers_of_many_data_sets_come_from_each_by_itself(podium):
    asked = ("analyze", "many.csv", *READ, "--scores", "s.tex")
    assert podium(*asked)[0] == 0
    assert "each data set by itself" in Path("s.tex").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "width", "inches"), [("boxes", "3.3in", 3.3), ("hasse", "84mm", 3.307)]
)
def test_a_picture_for_a_column_is_as_wide_as_asked(podium, name, width, inches):
    from PIL import Image

    status, out, _ = podium("plot", name, "wide.csv", *READ, "--width", width, "-o", "column.png")
    assert (status, out.splitlines()[0]) == (0, "The picture is in 'column.png'.")
    with Image.open("column.png") as picture:
        assert picture.width / 600 == pytest.approx(inches, abs=0.03)


def test_a_picture_for_a_column_has_no_title_and_its_remarks_are_told(podium):
    asked = ("plot", "critical_difference", "wide.csv", *READ, "-o", "column.svg")
    _, plain, _ = podium(*asked)
    usual = Path("column.svg").read_text()
    _, out, _ = podium(*asked, "--width", "3.3in")
    assert "caption" not in plain
    assert "For its caption: Bars join" in out
    assert "alpha" in usual
    assert "alpha" not in Path("column.svg").read_text()


@pytest.mark.parametrize("width", ["1in", "wide", "3.3 furlongs", "-2in", "1e9in"])
def test_a_width_that_is_none_is_refused(podium, width):
    status, _, err = podium("plot", "boxes", "wide.csv", *READ, f"--width={width}")
    assert status == 2
    assert "--width is a length from 1.5in to 20in" in err


@pytest.mark.parametrize("name", ["critical_difference", "hasse"])
def test_of_very_many_the_leading_ones_are_drawn_and_the_rest_is_counted(podium, name):
    rng = np.random.default_rng(3)
    values = rng.normal(0, 0.05, (30, 40)) + np.linspace(0, 1, 40)
    table = pd.DataFrame(values, columns=[f"method{i:02d}" for i in range(40)])
    table.insert(0, "dataset", [f"d{i}" for i in range(30)])
    table.to_csv("forty.csv", index=False)
    asked = ("-m", "loss", "-o", "forty.svg")
    assert podium("plot", name, "forty.csv", *asked)[0] == 0
    text = Path("forty.svg").read_text()
    assert "The leading 25 of 40 are shown; 15 are left out." in text
    assert "method00" in text
    assert "method39" not in text
