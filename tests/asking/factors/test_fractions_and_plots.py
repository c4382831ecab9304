"""Combinations to run, pictures and sections of effects."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium
from podium.asking.factors.plots import factors_view
from podium.cli.main import status_of
from podium.errors import DesignError, InferenceError
from podium.showing.plots import PLOTS
from podium.showing.reports.document import readable
from podium.testing import check_plot

interaction_data = PLOTS["interaction"].data

SCORES = {
    "dataset": list("abcdef"),
    "rf": [0.71, 0.64, 0.80, 0.58, 0.75, 0.69],
    "rf+pca": [0.74, 0.66, 0.84, 0.60, 0.79, 0.71],
    "rf+aug": [0.72, 0.63, 0.81, 0.59, 0.74, 0.70],
    "rf+pca+aug": [0.79, 0.70, 0.88, 0.66, 0.82, 0.77],
}


# the fewest words of the shortest length: minimum aberration (Fries and Hunter 1980)
LEAST = {
    8: {4: (4, 1), 5: (3, 2), 6: (3, 4), 7: (3, 7)},
    16: {5: (5, 1), 6: (4, 3), 7: (4, 7), 8: (4, 14), 9: (3, 4), 10: (3, 8), 11: (3, 12)},
    32: {6: (6, 1), 7: (4, 1), 8: (4, 3), 9: (4, 6), 10: (4, 10), 11: (4, 25)},
    64: {7: (7, 1), 8: (5, 2), 9: (4, 1), 10: (4, 2), 11: (4, 4)},
    128: {8: (8, 1), 9: (6, 3), 10: (5, 3), 11: (5, 6)},
}


@pytest.mark.parametrize(
    ("factors", "runs", "resolution", "words"),
    [(3, 4, 3, 1), (3, 8, 0, 0), (2, 4, 0, 0)]
    + [(k, runs, *of) for runs, several in LEAST.items() for k, of in several.items()],
)
def test_fractions_have_the_resolution_that_they_say(
    factors: int, runs: int, resolution: int, words: int
) -> None:
    """By multiplying columns: the shortest products of factors that are constant."""
    made = podium.factors.fraction(factors, runs)
    assert made.resolution == resolution
    signs = 2 * made.table.to_numpy() - 1
    assert len(np.unique(signs, axis=0)) == runs
    constant = [
        size for size in range(1, min(factors, 8) + 1)
        for chosen in combinations(range(factors), size)
        if abs(signs[:, chosen].prod(axis=1).sum()) == runs
    ]  # fmt: skip
    assert min(constant, default=0) == resolution
    assert constant.count(resolution) == words
    assert (signs.sum(axis=0) == 0).all()
    assert (signs == 1).all(axis=1).any()


def test_without_runs_the_fewest_that_clear_main_effects() -> None:
    assert len(podium.factors.fraction(4).table) == 8
    assert len(podium.factors.fraction("a,b,c").table) == 8
    assert podium.factors.fraction("a,b,c").resolution == 0


@pytest.mark.parametrize(("factors", "runs"), [(1, None), (12, None), ("a,a", None)])
def test_plans_that_are_refused(factors: object, runs: int | None) -> None:
    with pytest.raises(InferenceError, match="2 to 11 factors"):
        podium.factors.fraction(factors, runs)  # type: ignore[arg-type]


def test_the_command_plans_factors(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["plan", "--factors", "4", "--runs", "8"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("8 of 16 combinations, resolution IV")
    assert "A x B is mixed up with C x D." in " ".join(shown.split())
    assert status_of(["plan", "--factors", "5", "--runs", "6"]) == 2
    assert "5 factors are run in 8, 16 or 32 combinations, not in 6" in capsys.readouterr().err
    assert status_of(["plan", "--runs", "8"]) == 2


def test_pictures_of_effects_keep_the_laws() -> None:
    made = podium.factors.effects(SCORES, "+", measure="accuracy")
    for name in ("effects", "interaction"):
        check_plot(PLOTS[name], made)


def test_an_interaction_draws_means_of_both_factors() -> None:
    made = podium.factors.effects(SCORES, "+", measure="accuracy")
    ((f, g, means, width),) = interaction_data(made).panels
    assert (f, g) == ("pca", "aug")
    frame = pd.DataFrame(SCORES)
    assert means.loc["yes", "yes"] == pytest.approx(frame["rf+pca+aug"].mean())
    row = made.of("interaction").iloc[0]
    assert width == pytest.approx((row["upper"] - row["lower"]) / 2)


def test_the_lines_of_an_interaction_are_named_at_their_ends_and_nothing_covers_them() -> None:
    made = podium.factors.effects(SCORES, "+", measure="accuracy")
    ax = podium.plots.interaction(made)
    (panel,) = (each for each in ax.child_axes if each.lines)
    assert panel.get_legend() is None
    last = max(x for line in panel.lines for x in line.get_xdata())
    assert {text.get_text() for text in panel.texts} == {"aug no", "aug yes"}
    assert all(text.xy[0] == last for text in panel.texts)
    assert all(text.get_position()[0] > 0 for text in panel.texts)  # points to the right of it
    ax.get_figure().canvas.draw()
    whole = ax.get_figure().bbox
    title = ax.title.get_window_extent()
    assert whole.x0 <= title.x0 < title.x1 <= whole.x1  # no word is cut


@pytest.mark.parametrize(
    ("level", "shown"), [(14, "aug LLLLLLLLLLLLLL"), (15, "aug LLLLL…LLLLLLLL")]
)
def test_names_of_lines_have_up_to_18_letters(level: int, shown: str) -> None:
    rows = [
        (f"d{b}", "xy"[i], ["no", level * "L"][j], 0.7 + 0.01 * i * j + 0.001 * (b * (i + j) % 5))
        for b in range(6) for i in (0, 1) for j in (0, 1)
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["dataset", "pca", "aug", "accuracy"])
    made = podium.factors.effects(table, "pca,aug", measure="accuracy")
    ax = podium.plots.interaction(made)
    (panel,) = (each for each in ax.child_axes if each.lines)
    assert {text.get_text() for text in panel.texts} == {"aug no", shown}


@pytest.mark.long
def test_the_page_has_a_section_on_factors(tmp_path: Path) -> None:
    path, page = tmp_path / "scores.csv", tmp_path / "page.html"
    pd.DataFrame(SCORES).to_csv(path, index=False)
    asked = ["report", str(path), "-m", "accuracy", "--factors", "+", "-o", str(page)]
    assert status_of(asked) == 0
    text = page.read_text(encoding="utf-8")
    assert "pca has the largest effect: it raises accuracy by 0.050" in text
    assert "averaged over the other factors" in text


def test_a_study_declares_factors(tmp_path: Path) -> None:
    from sklearn.datasets import load_iris
    from sklearn.tree import DecisionTreeClassifier

    levels = {
        f"{depth}{criterion}": {"depth": depth, "criterion": criterion}
        for depth in (1, 3)
        for criterion in ("gini", "entropy")
    }
    algorithms = {
        name: DecisionTreeClassifier(max_depth=of["depth"], criterion=str(of["criterion"]))
        for name, of in levels.items()
    }
    data = podium.dataset("iris", *load_iris(return_X_y=True))
    known = {"sampling": "subsampling:6x0.7", "measures": ["error"], "seed": 1}
    study = podium.Study(data, algorithms, factors=levels, **known)
    results = podium.run(study, tmp_path / "s.db", quiet=True)
    made = podium.factors.effects(results, "study")
    assert made.factors.names == ("depth", "criterion")
    assert repr(made).startswith("depth has the largest effect: 3 lowers error below 1 by 0.3")
    lacking = {**levels, "1gini": {"depth": 1}}
    with pytest.raises(DesignError, match="'1gini' has no level of the factor 'criterion'"):
        podium.Study(data, algorithms, factors=lacking, **known)
    with pytest.raises(DesignError, match="has no factors, and others have"):
        podium.Study(data, algorithms, factors={"1gini": levels["1gini"]}, **known)


def test_the_axis_of_a_page_holds_the_largest_effect_whole():
    """Most effects are near 0, and the one that matters is not cut off."""
    rng = np.random.default_rng(8)
    names = ["_".join(cell) for cell in product("ab", "uv", "xy")]
    scores = {"dataset": [f"d{i}" for i in range(12)]}
    scores |= {n: 0.7 + 0.05 * (n[0] == "b") + rng.normal(0, 0.005, 12) for n in names}
    made = podium.factors.effects(scores, "A,B,C", measure="accuracy")
    axis = factors_view(made).axis
    assert axis.high >= made.table["upper"].max()
    assert axis.low <= made.of("main")["lower"].min()


def test_a_page_never_says_that_an_adjusted_p_value_is_0_or_a_share_above_the_whole():
    frame = pd.DataFrame({"p": [3e-6], "p_adjusted": [3e-5], "share": [1.009]})
    shown = readable("", frame).shown
    assert shown.iloc[0].tolist() == ["<0.001", "<0.001", "100 %"]
