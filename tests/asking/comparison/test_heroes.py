"""First screens by kind: battles, judges, posteriors, missing runs, studies, surveys."""

import html
import json
import re

import numpy as np
import pandas as pd
import pytest

import podium
from podium.asking.comparison.analysis import FirstShares
from podium.asking.comparison.pages import page_of, survey_page
from podium.asking.comparison.record import biases
from podium.asking.comparison.words import redrawn
from podium.cli.main import status_of
from podium.showing.reports.page import data_of, render

NAMES = ["svm", "knn", "tree", "lda"]


def battles(count=400):
    draw = np.random.default_rng(5)
    rows = []
    for _ in range(count):
        a, b = draw.choice(4, 2, replace=False)
        won = "model_a" if draw.random() < 1 / (1 + 2.0 ** (a - b)) else "model_b"
        rows.append((NAMES[a], NAMES[b], won))
    return podium.read(pd.DataFrame(rows, columns=["model_a", "model_b", "winner"]))


def judged():
    draw = np.random.default_rng(7)
    rows = []
    for i in range(120):
        for k, name in enumerate(NAMES[:3]):
            human = int(draw.random() < 0.8 - 0.2 * k)
            flat = 0.45 if name == "tree" else 0.0
            judge = int(draw.random() < min(0.2 + 0.6 * human + flat, 1))
            rows.append((i, name, judge, human if i % 2 else None))
    table = pd.DataFrame(rows, columns=["item", "model", "judge", "human"])
    long = table.melt(["item", "model"], var_name="measure").dropna()
    return podium.read(long, sampling="items", higher_is_better=True)


def scores(gaps=()):
    draw = np.random.default_rng(3)
    table = pd.DataFrame(
        {name: 0.2 + 0.03 * i + draw.normal(0, 0.02, 12) for i, name in enumerate(NAMES)}
    )
    table.insert(0, "dataset", [f"d{i}" for i in range(12)])
    for row, name in gaps:
        table.loc[row, name] = np.nan
    return podium.read(table, measure="error")


def test_a_judge_stands_beside_people_with_its_bias():
    results = judged()
    c = podium.compare(results, judge="judge", human="human")
    found = {bias.algorithm: bias for bias in biases(c)}
    wide = {m: results.values(m).pivot(index="sample", columns="algorithm", values="value")
            for m in ("judge", "human")}  # fmt: skip
    both = (wide["judge"] - wide["human"]).dropna()
    for name, bias in found.items():
        assert bias.bias == pytest.approx(both[name].mean())
        assert bias.judge == pytest.approx(wide["judge"][name].mean())
        assert bias.lower < bias.bias < bias.upper
    assert found["tree"].is_biased
    (view,) = page_of(results.filter(measure="human"), [c]).views
    assert ("tree", True) in view.headline[-2:]
    row = next(row for row in view.rows if row.name == "tree")
    assert row.cells["interval"]["ghost"] == found["tree"].judge
    assert row.cells["bias"][3] == "tone-bad"


def test_a_posterior_has_probabilities_that_add_up():
    results = scores()
    c = podium.compare(results, posterior=True, rope=0.01)
    view = page_of(results, [c]).views[0]
    assert sum(row.cells["best"] for row in view.rows) == pytest.approx(1, abs=1e-6)
    for row in view.rows[1:]:
        assert sum(row.cells["split"]) == pytest.approx(1)
    assert "".join(text for text, _ in view.headline) == "svm is best (probability >0.99)."


@pytest.mark.parametrize("sampling", ["bootstrap", "datasets"])
def test_a_region_that_moves_has_the_chances_that_the_analysis_would_have(sampling):
    if sampling == "datasets":
        results, close = scores(), 0.03  # fewer draws of the same weights
    else:
        draw = np.random.default_rng(8)
        wide = {n: (0.2 + 0.01 * k + draw.normal(0, 0.02, 25)) for k, n in enumerate(NAMES)}
        results, close = podium.read(wide, sampling=sampling, measure="error"), 1e-3
    c = podium.compare(results, posterior=True, rope=0.004)
    live = page_of(results, [c]).views[0].live
    assert live["ropes"][live["rope"]] == 0.004
    assert live["rope_chances"][live["rope"]] == live["chances"]
    for at in (0, 3, len(live["ropes"]) - 1):
        again = podium.compare(results, posterior=True, rope=live["ropes"][at])
        wanted = again.table[["win", "same", "lose"]].to_numpy()
        np.testing.assert_allclose(live["rope_chances"][at], wanted, atol=close)


def test_a_posterior_that_cannot_be_asked_again_has_no_slider():
    draw = np.random.default_rng(9)
    rows = [(d, n, s, draw.normal(0.2, 0.05)) for d in "abcde" for n in NAMES[:2] for s in range(5)]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "error"])
    results = podium.read(table, sampling="bootstrap")
    c = podium.compare(results, posterior=True)
    assert c.procedure == "bayes-hierarchical"
    assert "ropes" not in page_of(results, [c]).views[0].live


def test_missing_runs_have_every_treatment_as_a_view():
    results = scores(gaps=[(1, "tree"), (4, "tree"), (5, "lda")])
    page = page_of(results)
    treatments = [view.at.get("missing") for view in page.views]
    assert treatments == ["as analysed", "pairs", "complete", "worst"]
    states = {row.name: row.cells["runs"] for row in page.views[0].rows}
    assert states["tree"].count("m") == 2
    assert states["svm"] == "d" * 12
    whole = page.views[2]
    c = podium.compare(results, gaps="complete")
    assert whole.headline == page_of(results, [c]).views[0].headline


def test_every_data_set_has_its_row_and_groups_their_intervals():
    draw = np.random.default_rng(8)
    rows = [
        (f"d{d}", a, s, 0.2 + 0.05 * k * (d % 2) + draw.normal(0, 0.02))
        for d in range(6) for s in range(10) for k, a in enumerate(NAMES[:3])
    ]  # fmt: skip
    results = podium.read(pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "error"]),
                          sampling="bootstrap")  # fmt: skip
    each = survey_page(podium.by_dataset(results))
    assert [row.name for row in each.views[0].rows] == [f"d{d}" for d in range(6)]
    groups = {"even": ["d0", "d2", "d4"], "odd": ["d1", "d3", "d5"]}
    page = survey_page(podium.subgroups(results, groups))
    assert {row.name for row in page.views[0].rows} == set(groups)
    assert len(page.views) == len(page.controls[0].options)
    data = re.search(r'id="data">(.*?)</script>', render(page), re.S).group(1)
    assert json.loads(data) == json.loads(json.dumps(data_of(page)))


def test_bootstrap_samples_do_not_deny_that_two_could_be_best():
    wide = {"dataset": [*"abcdefgh"], "x": [0.8, 0.7, 0.9, 0.6, 0.8, 0.7, 0.9, 0.8]}
    shares = FirstShares({"x": 1.0, "y": 0.0}, 1000)
    near = podium.read(pd.DataFrame(wide | {"y": [0.7, 0.8] * 4}), measure="accuracy")
    far = podium.read(pd.DataFrame(wide | {"y": [0.1] * 8}), measure="accuracy")
    assert redrawn(podium.compare(near), shares).startswith("x is first in 1,000 of 1,000")
    assert redrawn(podium.compare(far), shares).startswith("No. x is first in 1,000 of 1,000")


ASKED = {
    "front": ("front.csv", ["-m", "accuracy,cost"]),
    "factors": ("factors.csv", ["--factors", "encoder,loss", "-m", "accuracy"]),
    "means": ("front.csv", ["-m", "accuracy"]),
    "level": ("front.csv", ["-m", "accuracy,cost", "--alpha", "0.2"]),
}


def _files(folder):
    rng = np.random.default_rng(4)
    right, spent = {"a": 0.8, "b": 0.7, "c": 0.5}, {"a": 3.0, "b": 1.0, "c": 2.0}
    rows = [
        (f"q{i}", m, int(rng.random() < right[m]), round(spent[m] * rng.lognormal(0, 0.3), 4))
        for i in range(120)
        for m in right
    ]
    pd.DataFrame(rows, columns=["item", "model", "accuracy", "cost"]).to_csv(
        folder / "front.csv", index=False
    )
    cells = [
        (f"d{d}", e, x, 0.8 + 0.03 * (e == "vit") * (1 + (x == "ce")) + rng.normal(0, 0.01))
        for d in range(15)
        for e in ("vit", "cnn")
        for x in ("ce", "mse")
    ]
    pd.DataFrame(cells, columns=["dataset", "encoder", "loss", "accuracy"]).to_csv(
        folder / "factors.csv", index=False
    )


@pytest.mark.parametrize("kind", ASKED)
def test_terminal_json_and_page_say_one_headline(kind, tmp_path, capsys):
    _files(tmp_path)
    name, asked = ASKED[kind]
    page, data = tmp_path / "page.html", tmp_path / "out.json"
    more = ["--report", str(page), "--json", str(data)]
    assert status_of(["analyze", str(tmp_path / name), *asked, *more]) == 0
    screen = " ".join(capsys.readouterr().out.split())
    text = page.read_text(encoding="utf-8")
    shown = re.sub(r"<[^>]*>", "", re.search(r"<h1[^>]*>(.*?)</h1>", text)[1])
    assert html.unescape(shown) == json.loads(data.read_text())["headline"]
    assert screen.startswith(html.unescape(shown))
    page.unlink()
    assert status_of(["report", str(tmp_path / name), *asked, "-o", str(page)]) == 0
    assert f">{re.search(r'<h1[^>]*>(.*?)</h1>', text)[1]}</h1>" in page.read_text("utf-8")


def test_a_front_has_a_picture_with_everybody_and_who_is_dominated(tmp_path, capsys):
    _files(tmp_path)
    page = tmp_path / "page.html"
    asked = ["report", str(tmp_path / "front.csv"), "-m", "accuracy,cost", "-o", str(page)]
    assert status_of(asked) == 0
    text = page.read_text(encoding="utf-8")
    assert text.count('class="mark leads"') == 2
    assert text.count('class="mark hollow"') == 1
    assert text.count('class="arrow"') == 1
    assert "dominated by b (p &lt; 0.001)" in text


HOUSE = re.compile(
    r"\b(blocks?|samples?|places?|choices?|leads?|legal|illegal|told|said|decided|undecided|open"
    r"|gaps?|care|learning sample)\b",
    re.IGNORECASE,
)
ALLOWED = re.compile(r"--\w+|\w+=\w+|\w+-\w+|random sample|bootstrap samples?")


def _page_texts(text):
    """What a reader sees, and what is told when a pointer rests on something."""
    body = re.search(r"<main>(.*?)</main>", text, re.S)[1]
    tips = [html.unescape(tip) for tip in re.findall(r'data-tip="([^"]*)"', body)]
    return [*html.unescape(re.sub(r"<[^>]+>", "\n", body)).splitlines(), *tips]


@pytest.mark.parametrize("kind", ["front", "factors", "battles", "judge", "posterior", "missing"])
def test_no_house_word_is_on_the_first_screen_of_a_page(kind, tmp_path, capsys):
    if kind in ("front", "factors"):
        _files(tmp_path)
        name, asked = ASKED[kind]
        page = tmp_path / "page.html"
        assert status_of(["report", str(tmp_path / name), *asked, "-o", str(page)]) == 0
        text = page.read_text(encoding="utf-8")
    elif kind == "judge":
        results = judged()
        c = podium.compare(results, judge="judge", human="human")
        text = podium.report(results.filter(measure="human"), comparisons=c).text
    elif kind == "posterior":
        results = scores()
        c = podium.compare(results, posterior=True, rope=0.01)
        text = podium.report(results, comparisons=c).text
    else:
        made = battles() if kind == "battles" else scores(gaps=[(1, "tree"), (4, "tree")])
        text = podium.report(made).text
    wrong = [line for line in _page_texts(text) if HOUSE.search(ALLOWED.sub("", line))]
    assert wrong == []


def test_what_is_settled_advertises_no_page_on_a_page():
    names = [f"d{i}" for i in range(20)]
    table = pd.DataFrame({"dataset": names, "svm": range(20), "knn": range(2, 22)})
    page = page_of(podium.read(table, measure="error"))
    answers = [card.answer for card in page.views[0].cards]
    assert "Everything is settled." in answers


def test_headlines_know_what_was_passed_and_counts_have_commas():
    draw = np.random.default_rng(4)
    rows = [
        (i, name, int(draw.random() < p))
        for i in range(1200)
        for name, p in (("big", 0.8), ("small", 0.5))
    ]
    table = pd.DataFrame(rows, columns=["item", "model", "passed"])
    made = podium.read(table, sampling="items", higher_is_better=True)
    first = page_of(made).views[0]
    assert "".join(text for text, _ in first.headline) == "big solves the most tasks."
    assert "in mean pass rate" in first.sentence
    assert "(1,200 items" in first.about


def test_a_margin_says_how_many_differ_by_more():
    first = page_of(scores(), [podium.compare(scores(), equivalence=0.02)]).views[0]
    assert re.search(r"\d of 6 comparisons (differ|differs) by more than 0\.02", first.sentence)
    assert first.key[0] == ("Bar", "beyond 0.02: a difference of more than 0.02.")


def test_judges_and_factors_have_one_number_of_decimals_in_a_column():
    view = page_of(judged(), [podium.compare(judged(), judge="judge", human="human")]).views[0]
    for key in ("people", "judge", "bias"):
        assert len({len(row.cells[key][0].partition(".")[2]) for row in view.rows}) == 1
    assert [c.head for c in view.columns[2:4]] == ["By people", "Judge alone"]


def test_few_of_the_rarest_class_is_said_on_the_first_screen():
    draw = np.random.default_rng(3)
    truth = np.r_[np.ones(12, int), np.zeros(288, int)]
    table = pd.DataFrame({"id": range(300), "label": truth})
    for name, skill in (("gbm", 2.0), ("rules", 1.0)):
        table[name] = 1 / (1 + np.exp(3 - skill * truth - draw.normal(0, 1, 300)))
    view = page_of(podium.read(table, measure="auc")).views[0]
    chip = next(each for each in view.chips if each.words == "few of the rarest class")
    assert chip.warns
    assert "12 items are of the rarest class (300 items in all)" in chip.text
