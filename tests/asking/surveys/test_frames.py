"""A frame of data sets: criteria, a seeded draw, the flow, roles and stages."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium
from podium import PodiumError
from podium.asking.comparison import sections  # noqa: F401  (its sections are registered)
from podium.asking.comparison.analysis import Analysis, Evidence
from podium.asking.surveys.podium_plots import way as flow
from podium.cli.main import status_of
from podium.core.results.pass_at import size_slopes
from podium.errors import DesignError, InferenceError, ResultsError
from podium.running.design.frames import Criterion
from podium.running.design.learners.algorithms import fits_spent as spent_by
from podium.showing.plots import PLOTS
from podium.showing.reports.document import SECTIONS
from podium.testing import check_plot

TABLE = pd.DataFrame(
    {
        "name": [f"d{i}" for i in range(8)],
        "n": [50, 100, 200, 400, 800, 1600, 3200, np.nan],
        "classes": [2, 2, 3, 2, 2, 5, 2, 2],
        "area": ["food", "food", "law", "law", "food", "law", "food", "law"],
    }
)


# -- the draw -------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", [["n >= 100", "classes = 2"], "n >= 100 and classes = 2"])
def test_criteria_take_away_one_after_the_other(where):
    found = podium.design.frame(TABLE, where=where, draw=3, seed=4)
    assert found.lost == {"n >= 100": 2, "classes = 2": 2}  # what is not known is not eligible
    assert (found.there, found.eligible, len(found.drawn)) == (8, 4, 3)
    assert set(found.drawn) <= {"d1", "d3", "d4", "d6"}
    states = found.table.set_index("name")["state"]
    assert states["d0"] == states["d7"] == "n >= 100"
    assert (states == "drawn").sum() == 3
    assert (states == "not drawn").sum() == 1


def test_the_draw_follows_the_seed_and_no_order_of_rows():
    first = podium.design.frame(TABLE, draw=4, seed=1).drawn
    assert podium.design.frame(TABLE.iloc[::-1], draw=4, seed=1).drawn == first
    assert podium.design.frame(TABLE, draw=6, seed=1).drawn[:4] == first
    others = {podium.design.frame(TABLE, draw=4, seed=s).drawn for s in range(2, 8)}
    assert len(others) > 3


def test_every_data_set_is_drawn_as_often_as_others():
    draws = [podium.design.frame(TABLE, draw=2, seed=s).drawn for s in range(600)]
    counts = pd.Series([name for names in draws for name in names]).value_counts()
    assert ((counts - 150) ** 2 / 150).sum() < 24.3  # chi-square with 7 df, 0.001


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("n > 100", [200, 400, 800, 1600, 3200]),
        ("n <= 100", [50, 100]),
        ("n != 100", [50, 200, 400, 800, 1600, 3200]),
        ("area = law", [200, 400, 1600]),
        ("area in law, food", [50, 100, 200, 400, 800, 1600, 3200]),
    ],
)
def test_what_a_criterion_holds_for(text, wanted):
    criterion = Criterion.of(text)
    known = TABLE[TABLE["n"].notna()]
    assert known["n"][criterion.holds(known[criterion.column])].tolist() == wanted


REFUSED = [
    ({"where": "n 500"}, "A criterion is written as"),
    ({"where": "area > law"}, "compares with a text"),
    ({"where": "clases = 2"}, "Did you mean 'classes'"),
    ({"draw": 9}, "9 data sets cannot be drawn: 8 of"),
    ({"draw": 0}, "'draw' of a frame is a whole number from 1"),
    ({"where": "n > 9999"}, "No data set of 'a table' meets all criteria"),
    ({"draw": 2, "development": 2}, "leave none to claim from"),
]


@pytest.mark.parametrize(("asked", "told"), REFUSED, ids=[told[:18] for _, told in REFUSED])
def test_a_wrong_frame_is_refused(asked, told):
    with pytest.raises(DesignError, match=told):
        podium.design.frame(TABLE, **asked)


def test_what_openml_lists_is_a_catalogue(tmp_path):
    quality = [{"name": "NumberOfInstances", "value": "150.0"},
               {"name": "NumberOfFeatures", "value": "5.0"},
               {"name": "MajorityClassPercentage", "value": "40"}]  # fmt: skip
    listed = {"data": {"dataset": [{"did": 61, "name": "iris", "quality": quality}]}}
    (tmp_path / "list.json").write_text(json.dumps(listed))
    found = podium.design.frame("list.json", where=["n >= 100", "p = 4"], folder=tmp_path)
    assert found.entries() == [{"name": "iris-61", "source": "openml:61"}]
    assert found.table["majority_share"].tolist() == [0.4]
    suite = {"study": {"tasks": {"task_id": [3, 59]}}}
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    assert podium.design.frame("suite.json", folder=tmp_path).there == 2
    (tmp_path / "odd.json").write_text("[1]")
    with pytest.raises(DesignError, match="lists no data sets as OpenML does"):
        podium.design.frame("odd.json", folder=tmp_path)


def test_characteristics_that_a_catalogue_lacks_are_computed(tmp_path):
    table = pd.DataFrame({"name": ["iris", "wine"], "source": ["sklearn:iris", "sklearn:wine"]})
    found = podium.design.frame(table, where="n > 160")
    assert found.drawn == ("wine",)
    assert found.table["n"].tolist() == [150, 178]
    with pytest.raises(DesignError, match="no column 'source'"):
        podium.design.frame(TABLE).entries()


# -- in a study -----------------------------------------------------------------------------------

STUDY = """
name = "framed"
seed = 2
sampling = "bootstrap:4"
measures = ["error"]
fits = 3
[frame]
catalogue = "catalogue.csv"
where = ["n >= 40"]
draw = 4
development = 1
[[algorithms]]
name = "near"
estimator = "knn"
role = "ours"
[[algorithms]]
name = "forest"
estimator = "sklearn.ensemble.RandomForestClassifier"
parameters = { n_estimators = 2 }
role = "competitor"
"""


@pytest.fixture(scope="module")
def framed(tmp_path_factory) -> Path:
    """A folder with a catalogue, its data, and the store of a study of four of them."""
    folder = tmp_path_factory.mktemp("framed")
    rng = np.random.default_rng(0)
    rows = []
    for i in range(6):
        y = np.repeat(["a", "b"], 25)
        x = rng.normal(0, 1, (50, 2)) + (0.4 + 0.2 * i) * (y == "b")[:, None]
        pd.DataFrame(x, columns=["u", "v"]).assign(y=y).to_csv(folder / f"d{i}.csv", index=False)
        rows.append((f"d{i}", f"file:d{i}.csv", "y", 50 if i else 30))
    table = pd.DataFrame(rows, columns=["name", "source", "target", "n"])
    table.to_csv(folder / "catalogue.csv", index=False)
    (folder / "framed.toml").write_text(STUDY)
    podium.run(folder / "framed.toml", folder / "framed.db", quiet=True, jobs=0)
    return folder


def test_a_study_draws_its_data_sets_and_its_store_tells_the_flow(framed):
    results = podium.read(framed / "framed.db")
    frame = results.design["frame"]
    assert (frame["there"], frame["eligible"], len(frame["drawn"])) == (6, 5, 4)
    assert results.datasets == frame["drawn"]
    steps = flow(results).set_index("step")["datasets"].to_dict()
    assert steps == {
        "catalogue": 6, "not eligible": 1, "eligible": 5, "not drawn": 1, "drawn": 4,
        "development": 1, "analysed": 3,
    }  # fmt: skip
    gone = podium.reading.exclude_datasets(results, results.datasets[-1], "broken labels")
    table = flow(gone)
    assert table.iloc[-2].tolist() == ["left out", 1, "broken labels"]
    assert table["datasets"].iloc[-1] == 2


def test_the_flow_can_be_drawn(framed):
    check_plot(PLOTS["flow"], podium.read(framed / "framed.db"))


def test_claims_rest_on_confirmation_data_sets(framed):
    results = podium.read(framed / "framed.db")
    (aside,) = results.design["development"]
    found = podium.compare(results, "paired-t")
    assert found.blocks.count == 3
    assert "development-left-out" in [note.code for note in found.warnings]
    whole = podium.compare(replace(results, design={}), "paired-t")
    assert whole.blocks.count == 4
    alone = podium.compare(results, dataset=aside)
    assert "development-only" in [note.code for note in alone.warnings]


def test_fits_are_counted_and_disclosed(framed):
    results = podium.read(framed / "framed.db")
    spent = podium.reading.fits_spent(results).set_index("algorithm")
    assert spent.loc["forest", "per_run"] == 3  # fits of the study; trees are parts of one
    assert spent.loc["near", "per_run"] == 3 * 11  # ten folds and the last one
    assert spent["fits"].tolist() == [4 * 4 * 33, 4 * 4 * 3]
    assert not len(results.warnings)
    assert not results.runs["warnings"].any()
    found = podium.compare(results)
    evidence = (Evidence(found, podium.decide(found)),)
    page = SECTIONS["neutral"].made(Analysis(results, evidence, {}))
    text, table = page.content.blocks
    told = " ".join(text.paragraphs)
    assert "our own: near; competitors: forest" in told
    assert "Ours was tuned more: 33 fits for a run against 3" in told
    assert "drawn by lot from 5 eligible ones of 6" in told
    assert len(table.frame) == len(results.algorithms)


def test_searches_are_counted():
    from sklearn.linear_model import LassoCV, LinearRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    x, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2
    grid = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3, 5]}, cv=4)
    assert spent_by(make_pipeline(StandardScaler(), grid).fit(x, y)) == 13
    assert spent_by(LinearRegression().fit(x, y)) == 1
    assert spent_by(LassoCV(alphas=[0.1, 1.0], cv=3).fit(x, y * 1.0)) == 7


def test_frame_roles_and_stages_are_part_of_a_plan(framed, tmp_path):
    plan = STUDY.replace("[frame]", "[analysis]\nalpha = 0.1\n[frame]")
    path = framed / "planned.toml"
    path.write_text(plan)
    first = podium.register(path, tmp_path / "p.db")
    assert first.version.study["roles"] == {"near": "ours", "forest": "competitor"}
    path.write_text(plan.replace('role = "ours"', 'role = "baseline"'))
    assert podium.register(path, tmp_path / "q.db").fingerprint != first.fingerprint
    path.write_text(plan)
    podium.run(path, tmp_path / "p.db", quiet=True, jobs=0)
    path.write_text(plan.replace('role = "ours"', 'role = "baseline"'))
    podium.run(path, tmp_path / "p.db", quiet=True, jobs=0)
    about = podium.compare(podium.read(tmp_path / "p.db")).extras.registered
    assert about.deviations["about"].tolist() == ["roles"]


WRONG = [
    ('role = "ours"', 'role = "mine"', "line 15: 'mine' is not a role"),
    ('[frame]\ncatalogue = "catalogue.csv"', "[frame]", "a frame needs 'catalogue'"),
    ('where = ["n >= 40"]', 'where = ["m >= 40"]', "line 7: 'm' is not a column"),
    ("[[algorithms]]", '[[datasets]]\nname = "d"\nsource = "file:d1.csv"\n[[algorithms]]',
     "either ..datasets.. or a .frame."),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "told"), WRONG, ids=[w[2][:18] for w in WRONG])
def test_a_wrong_study_is_refused_with_its_line(framed, old, new, told):
    path = framed / "wrong.toml"
    path.write_text(STUDY.replace(old, new, 1))
    with pytest.raises(DesignError, match=told):
        podium.load_study(path)


def test_the_command(framed, capsys):
    asked = ["frame", str(framed / "catalogue.csv"), "--where", "n >= 40", "-n", "2", "--json", "-"]
    assert status_of(asked) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["there"], found["eligible"], len(found["drawn"])) == (6, 5, 2)
    assert status_of(["plan", "frame", str(framed / "nothing.csv")]) == 2


# -- checks before claims -------------------------------------------------------------------------


def test_internal_randomness_has_a_share(framed, capsys):
    results = podium.read(framed / "framed.db")
    found = podium.robustness.randomness(results)
    assert set(found.table["algorithm"]) == {"near", "forest"}
    means = results.values("error").groupby(["dataset", "algorithm"], observed=True)["value"].mean()
    table = found.table.set_index(["dataset", "algorithm"])["mean"]
    assert table.to_dict() == pytest.approx(means.to_dict())
    assert status_of(["stability", str(framed / "framed.db"), "--fits"]) == 0
    assert "algorithm's own randomness" in " ".join(capsys.readouterr().out.split())
    with pytest.raises(InferenceError, match="run a study with fits = 5"):
        podium.robustness.randomness(podium.read({"a": [1, 2], "b": [2, 3]}, sampling="simulation",
                                      measure="score", higher_is_better=True))  # fmt: skip


def of_sizes(steep=0.0) -> podium.Results:
    """Scores of two algorithms at three sizes, whose difference moves by `steep` a doubling."""
    rng = np.random.default_rng(2)
    rows = [
        (f"d@{size}", s, name, 0.3 - 0.03 * k + (name == "b") * steep * k + rng.normal(0, 0.01))
        for k, size in enumerate((20, 40, 80))
        for s in range(1, 13)
        for name in "ab"
    ]
    table = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
    found = podium.read(table, sampling="bootstrap", measure="error")
    facts = {f"d@{size}": {"of": "d", "size": size} for size in (20, 40, 80)}
    return replace(found, facts=facts)


def test_slopes_are_of_least_squares():
    results = of_sizes()
    table = size_slopes(results, "error")
    own = results.values("error").query("algorithm == 'a' and sample == 3")
    wanted = np.polyfit(np.log2([20, 40, 80]), own["value"], 1)[0]
    found = table.query("algorithm == 'a' and sample == 3")["value"].item()
    assert found == pytest.approx(wanted)


def test_whether_a_difference_moves_with_the_size():
    still, moving = podium.surveys.size_trend(of_sizes()), podium.surveys.size_trend(of_sizes(0.02))
    assert still.table["verdict"].tolist() == ["undecided"]
    assert moving.table["verdict"].tolist() == ["better"]  # the error of a falls faster
    assert moving.table["estimate"].item() == pytest.approx(-0.02, abs=0.005)
    with pytest.raises(ResultsError, match="several sizes of every data set"):
        podium.surveys.size_trend(replace(of_sizes(), facts={}))


def halves(wild: float) -> podium.Results:
    rng = np.random.default_rng(1)
    rows = [(s + 1, *rng.binomial(150, 0.2 + wild * (s // 2 % 2), 2) / 150) for s in range(10)]
    table = pd.DataFrame(rows, columns=["sample", "a", "b"])
    return podium.read(table, sampling="5x2cv", measure="error")


def test_rates_are_looked_at_before_a_test_of_ten_halves():
    """dietterich1998, section 5: it is advisable to check the measured rates."""
    for results, code in ((halves(0.0), "rates-checked"), (halves(0.3), "rates-vary")):
        for procedure in ("5x2cv-t", "5x2cv-f"):
            found = podium.compare(results, procedure)
            assert code in [note.code for note in found.warnings]


def test_a_wrong_request_is_one_sentence(framed):
    for words in (["survey", "--sizes"], ["stability", "--joint", "pareto"]):
        assert status_of([words[0], str(framed / "framed.db"), *words[1:]]) == 2
    assert issubclass(InferenceError, PodiumError)
