"""A study is registered, run, and changed: each deviation is listed."""

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
from podium.asking.comparison.pages import analyse_answer
from podium.asking.registered.section import planned_subgroups
from podium.asking.robustness.multiverse import planned
from podium.cli.main import status_of
from podium.core.inference.procedures.procedure import Options
from podium.errors import DesignError, StoreError
from podium.running.design.studyfile import parse_study
from podium.showing.reports.document import SECTIONS

ANALYSIS = """
[analysis]
measure = "error"
alpha = 0.01
relevance = 0.05
"""
STUDY = """
name = "planned"
seed = 3
sampling = "bootstrap:{samples}"
measures = ["error", "fit-time"]
{analysis}
[[datasets]]
name = "easy"
source = "file:easy.csv"
target = "y"
[[datasets]]
name = "hard"
source = "file:hard.csv"
target = "y"
{more}
[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"
[[algorithms]]
name = "dummy"
estimator = "sklearn.dummy.DummyClassifier"
{extra}
"""
THIRD = '[[algorithms]]\nname = "stump"\nestimator = "sklearn.tree.DecisionTreeClassifier"\n'
BROKEN = (
    '[[algorithms]]\nname = "near"\nestimator = "sklearn.neighbors.KNeighborsClassifier"\n'
    "parameters = {n_neighbors = 500}\n"
)


def draw(folder: Path) -> Path:
    rng = np.random.default_rng(0)
    for name, gap in (("easy", 2.0), ("hard", 0.4)):
        y = np.repeat(["a", "b"], 25)
        x = rng.normal(0, 1, (50, 2)) + gap * (y == "b")[:, None]
        pd.DataFrame(x, columns=["u", "v"]).assign(y=y).to_csv(folder / f"{name}.csv", index=False)
    return folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return draw(tmp_path)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of a study that was run as planned, for tests that only read it."""
    folder = draw(tmp_path_factory.mktemp("planned"))
    run(study(folder))
    return folder / "planned.db"


def study(folder: Path, samples=6, analysis=ANALYSIS, more="", extra="") -> Path:
    """The study file, with what is changed."""
    path = folder / "planned.toml"
    text = STUDY.format(samples=samples, analysis=analysis, more=more, extra=extra)
    path.write_text(text)
    return path


def run(path: Path):
    return podium.run(path, path.with_suffix(".db"), quiet=True, jobs=0)


def deviations(path: Path, **options) -> list[tuple[str, str, str]]:
    found = podium.compare(podium.read(path.with_suffix(".db")), **options)
    assert found.extras.registered is not None
    return [tuple(row) for row in found.extras.registered.deviations.to_numpy()]


# -- registering ----------------------------------------------------------------------------------


def test_registering_fixes_study_data_plan_and_time(folder, capsys):
    path = study(folder)
    assert status_of(["register", str(path), "--store", "s.db", "--json", "r.json"]) == 0
    said, kept = capsys.readouterr().out, json.loads(Path("r.json").read_text())
    assert kept["fingerprint"] in said
    assert kept["plan"]["alpha"] == 0.01
    assert kept["plan"]["gaps"] == "pairs"  # complete: also what was not said
    assert {"easy", "hard"} == kept["study"]["datasets"].keys()
    assert kept["study"]["samples"] == {"easy": 6, "hard": 6}
    assert kept["time"].endswith("+00:00")
    again = podium.register(path, "s.db")
    assert len(again.versions) == 1
    assert again.fingerprint == kept["fingerprint"]


def test_the_fingerprint_follows_data_and_plan(folder):
    first = podium.register(study(folder), "a.db").fingerprint
    assert podium.register(study(folder), "b.db").fingerprint == first
    changed = ANALYSIS.replace("0.05", "0.02")
    assert podium.register(study(folder, analysis=changed), "c.db").fingerprint != first
    (folder / "easy.csv").write_text((folder / "easy.csv").read_text() + "9,9,a\n")
    assert podium.register(study(folder), "d.db").fingerprint != first


def test_the_first_run_registers_and_prints_the_fingerprint(folder, capsys):
    path = study(folder)
    assert status_of(["run", str(path), "-j", "1"]) == 0
    fingerprint = podium.read("planned.db").registered["versions"][0]["fingerprint"]
    assert f"Registered: {fingerprint}" in capsys.readouterr().out


def test_a_plan_comes_before_the_first_score(folder):
    run(study(folder, analysis=""))
    for attempt in (lambda p: podium.register(p, "planned.db"), run):
        with pytest.raises(StoreError, match="a plan comes before the first score"):
            attempt(study(folder))
    with pytest.raises(DesignError, match=r"no plan to register: add a table \[analysis\]"):
        podium.register(study(folder, analysis=""), "other.db")


# -- what was planned, and what else is asked -----------------------------------------------------


def test_without_options_just_what_was_planned_is_done(folder, capsys):
    path = study(folder)
    run(path)
    assert status_of(["analyze", "planned.db", "--json", "p.json"]) == 0
    said, found = capsys.readouterr().out, json.loads(Path("p.json").read_text())
    assert "exploratory" not in said.lower()
    assert "exploratory" not in json.dumps(found).lower()
    assert (found["measure"], found["alpha"], found["relevance"]) == ("error", 0.01, 0.05)
    assert "The analysis follows the registered plan." in said
    assert found["planned_and_done"] == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--alpha 0.05", "alpha 0.05"),  # also where it is the usual one
        ("--measure fit-time", "measure fit-time"),
        ("--procedure wilcoxon", "procedure wilcoxon"),
        ("--control dummy", "control dummy"),
        ("--dataset easy --procedure paired-t", "dataset easy"),
        ("--gaps complete", "gaps complete"),
    ],
)
def test_whatever_else_is_asked_is_exploratory(finished, tmp_path, capsys, words, told):
    kept = tmp_path / "p.json"
    assert status_of(["analyze", str(finished), "--json", str(kept), *words.split()]) == 0
    said, found = capsys.readouterr().out, json.loads(kept.read_text())
    assert "EXPLORATORY" in said
    assert found["exploratory"] is True
    assert told in [row["done"] for row in found["planned_and_done"]]


def test_what_was_planned_may_be_said_again(folder):
    path = study(folder)
    run(path)
    assert deviations(path, alpha=0.01, relevance=0.05, measure="error") == []
    # what the plan leaves to the design, in words
    assert deviations(path, procedure="hull", target="dataset-population", adjust="holm") == []
    assert deviations(path, procedure="hull", alpha=0.05) != []


def test_the_usual_level_is_asked_for_where_it_is_said(finished):
    found = podium.compare(podium.read(finished), alpha=0.05, relevance=0.0)
    assert (found.alpha, found.relevance, found.extras.registered.exploratory) == (0.05, 0.0, True)


PAIRED = """
[analysis]
measure = "error"
gaps = "worst"
pairs = [["bayes", "near"], ["dummy", "stump"]]
subgroups = { one = ["easy", "more"], two = ["hard", "most"] }
"""


@pytest.mark.filterwarnings("ignore")
def test_planned_pairs_gaps_and_subgroups_go_together(folder, capsys):
    for name, rows in (("more", 600), ("most", 700)):
        table = pd.read_csv("hard.csv").sample(rows, replace=True, random_state=rows)
        table.to_csv(f"{name}.csv", index=False)
    data = "".join(
        f'[[datasets]]\nname = "{name}"\nsource = "file:{name}.csv"\ntarget = "y"\n'
        for name in ("more", "most")
    )
    path = study(folder, samples=3, analysis=PAIRED, more=data, extra=THIRD + BROKEN)
    results = run(path)  # near fails on easy and hard
    said = repr(podium.register(path, "planned.db"))
    assert "pairs bayes and near, dummy and stump; subgroups one (easy, more), two" in said
    found = podium.compare(results, pairs=[["bayes", "near"], ["dummy", "stump"]])
    assert not found.extras.registered.exploratory
    within = planned_subgroups(results, found)[1]
    assert [len(of) for of in within.groups.values()] == [2, 2]  # gaps are filled, as planned
    assert not any("no order" in str(note) for note in within.notes)
    asked = podium.compare(results, alpha=0.2, pairs=[["bayes", "near"]])
    assert planned_subgroups(results, asked)[1] is None  # it is beside the plan
    unplanned = replace(found, extras=replace(found.extras, registered=None))
    assert planned_subgroups(results, unplanned) == (unplanned, None)
    errors = results.to_pandas().query("measure == 'error'")
    each = errors.pivot_table("value", ["dataset", "sample"], "algorithm", observed=False)
    each["near"] = each["near"].fillna(each.max(axis=1))  # as bad as the worst of its sample
    means = each.groupby("dataset", observed=False).mean()
    first, second = within.within[within.within["first"] == "bayes"].to_dict("records")
    for row in (first, second):
        members = [*within.groups[row["group"]]]
        gap = means.loc[members, "bayes"] - means.loc[members, "near"]
        assert row["estimate"] == pytest.approx(gap.mean())
    assert status_of(["analyze", "planned.db"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line for line in lines if line.startswith("    1-")]
    assert sum(line.endswith("not compared") for line in rows) == 2


def test_exclusions_surveys_and_items_are_exploratory(folder, capsys):
    run(study(folder))
    asked = ["analyze", "planned.db", "--exclude", "hard", "--reason", "odd", "--json", "-"]
    assert status_of(asked) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["exploratory"] is True
    assert status_of(["survey", "planned.db", "-m", "error", "--json", "s.json"]) == 0
    assert "EXPLORATORY" in capsys.readouterr().out
    assert json.loads(Path("s.json").read_text())["exploratory"] is True


ASIDE = {
    "stability": lambda r: podium.stability(r, measure="error", resamples=100, orders=2),
    "left_out": lambda r: podium.left_out(r, measure="error"),
    "by_dataset": lambda r: podium.by_dataset(r, measure="error"),
    "multiverse": lambda r: podium.multiverse(r, measures=["error"], procedures=["paired-t"]),
    "plan_from_pilot": lambda r: podium.plan(pilot=r, measure="error"),
    "order_by": lambda r: podium.verdicts.order_by(r, measure="error"),
}


@pytest.mark.parametrize("verb", ASIDE)
def test_python_marks_whatever_is_beside_the_plan(finished, verb):
    results = podium.read(finished)
    fingerprint = results.registered["versions"][0]["fingerprint"]
    found = ASIDE[verb](results)
    assert repr(found).startswith("EXPLORATORY: the registered plan")
    assert fingerprint in found.to_markdown().splitlines()[0]
    assert found.to_dict()["exploratory"] is True
    free = ASIDE[verb](replace(results, registered=None))
    assert "exploratory" not in repr(free).lower()
    assert "exploratory" not in free.to_dict()


def test_plans_from_a_registered_pilot_are_exploratory(finished, tmp_path, capsys):
    kept = tmp_path / "p.json"
    assert status_of(["plan", str(finished), "-m", "error", "--json", str(kept)]) == 0
    assert capsys.readouterr().out.startswith("EXPLORATORY: the registered plan")
    assert json.loads(kept.read_text())["exploratory"] is True


@pytest.mark.parametrize(
    ("words", "planned"),
    [("intervals", True), ("intervals --alpha 0.1", False), ("bench", False), ("flow", True)],
)
def test_pictures_beside_the_plan_are_marked(finished, tmp_path, capsys, words, planned):
    name, *more = words.split()
    picture = tmp_path / "p.svg"
    assert status_of(["plot", name, str(finished), *more, "-o", str(picture)]) == 0
    said = capsys.readouterr().out
    assert ("EXPLORATORY" in said) is not planned
    assert ("EXPLORATORY" in picture.read_text()) is not planned


def test_pages_tell_what_was_planned(folder):
    results = run(study(folder))
    fingerprint = results.registered["versions"][0]["fingerprint"]
    for asked, told in (
        ({}, "suggest hypotheses only"),
        ({"procedure": "wilcoxon"}, "all of it is exploratory"),
        ({"alpha": 0.05}, "all of it is exploratory"),  # also where it is the usual one
    ):
        answer = podium.analyze(results, **asked)
        found = answer.comparisons
        page = SECTIONS["registered"].made(analyse_answer(answer))
        text, *tables = page.content.blocks
        said = " ".join(text.paragraphs)
        assert fingerprint in said
        assert told in said
        assert bool(tables) is found.extras.registered.exploratory


# -- changed in five ways, and more ---------------------------------------------------------------


def test_more_samples(folder):
    run(study(folder))
    path = study(folder, samples=9)
    run(path)
    assert deviations(path) == [
        ("samples", "6 of easy", "9 asked for, 9 done"),
        ("samples", "6 of hard", "9 asked for, 9 done"),
    ]
    planned = podium.compare(podium.read("planned.db"))
    assert not planned.extras.registered.exploratory
    first = study(folder, samples=6)
    same = podium.compare(podium.run(first, "six.db", quiet=True, jobs=0))
    assert planned.means == pytest.approx(same.means)  # by the planned samples


def test_another_data_set_and_another_content(folder):
    run(study(folder))
    pd.read_csv("easy.csv").to_csv("third.csv", index=False)
    path = study(folder, more='[[datasets]]\nname = "third"\nsource = "file:third.csv"\ntarget="y"')
    (folder / "hard.csv").write_text((folder / "hard.csv").read_text() + "0.5,0.5,a\n")
    run(path)
    found = deviations(path)
    assert [row[0] for row in found] == ["data sets", "data sets"]
    assert found[0][1].startswith("hard (")
    assert found[0][2].startswith("changed (")
    assert found[1] == ("data sets", "–", "third added")


def test_another_algorithm_and_one_that_is_gone(folder):
    run(study(folder, extra=THIRD))
    text = study(folder, extra=THIRD).read_text().replace('name = "stump"', 'name = "trunk"')
    path = folder / "planned.toml"
    path.write_text(text)
    run(path)
    assert deviations(path) == [
        ("algorithms", "stump", "removed"),
        ("algorithms", "–", "trunk added"),
    ]
    assert podium.compare(podium.read("planned.db")).algorithms == ("bayes", "dummy")


@pytest.mark.filterwarnings("ignore")
def test_failures(folder):
    path = study(folder, extra=BROKEN)
    run(path)
    results = podium.read("planned.db")
    about = podium.compare(results, control="bayes", gaps="worst").extras.registered
    failed = [row for row in about.deviations.to_numpy().tolist() if row[0] == "failures"]
    assert failed == [["failures", "none", f"6 of near on {d}"] for d in ("easy", "hard")]


def test_a_plan_changed_after_the_first_score_is_kept_beside_the_first(folder, capsys):
    run(study(folder))
    path = study(folder, analysis=ANALYSIS.replace("alpha = 0.01", "alpha = 0.1"))
    assert status_of(["register", str(path)]) == 0
    assert "came after 24 runs" in capsys.readouterr().out
    run(path)
    (row,) = deviations(path)
    assert row[0] == "plan"
    assert row[1].startswith("alpha 0.01 (")
    assert row[2].startswith("0.1 since ")
    found = podium.compare(podium.read("planned.db"))
    assert found.alpha == 0.01  # the plan that came first holds
    kept = found.to_dict()["registered"]["versions"]
    assert [v["plan"]["alpha"] for v in kept] == [0.01, 0.1]


@pytest.mark.filterwarnings("ignore")
def test_one_study_changed_in_every_way(folder):
    run(study(folder, extra=BROKEN))  # failures
    late = ANALYSIS.replace("alpha = 0.01", "alpha = 0.1")
    path = study(folder, samples=8, analysis=late, extra=BROKEN + THIRD)
    text = path.read_text().replace('name = "easy"', 'name = "simple"')
    path.write_text(text.replace('"fit-time"]', '"fit-time", "accuracy"]'))
    results = run(path)
    versions = results.registered["versions"]
    first = {**versions[0], "time": "2999-01-01T00:00:00+00:00"}  # scores are older
    kept = {**results.registered, "versions": [first, *versions[1:]]}
    results = replace(results, registered=kept)
    about = podium.compare(results, "paired-t", gaps="worst", control="bayes").extras.registered
    found = [tuple(row) for row in about.deviations.to_numpy()]
    assert found[:5] == [
        ("data sets", "easy", "removed"),
        ("data sets", "–", "simple added"),
        ("algorithms", "–", "stump added"),
        ("samples", "6 of hard", "8 asked for, 0 done"),
        ("failures", "none", "8 of near on simple"),
    ]
    rest = {(row[0], row[1].split(" (")[0]) for row in found[5:]}
    assert rest == {
        ("failures", "none"),
        ("measures", "error, fit-time"),
        ("time", "registered 2999-01-01T00:00:00+00:00"),
        ("plan", "alpha 0.01"),
        ("options", "procedure not said"),
        ("options", "gaps pairs"),
        ("options", "control not said"),
    }
    assert about.exploratory
    assert len(about.versions) == 2


def test_before_the_first_score_a_plan_may_change(folder):
    podium.register(study(folder), "planned.db")
    path = study(folder, analysis=ANALYSIS.replace("alpha = 0.01", "alpha = 0.1"))
    podium.register(path, "planned.db")
    run(path)
    assert deviations(path) == []
    assert podium.compare(podium.read("planned.db")).alpha == 0.1


def test_runs_that_are_missing(folder):
    path = study(folder)
    podium.register(path, "planned.db")
    podium.run(path, "planned.db", shard="1/2", quiet=True, jobs=0)
    found = deviations(path, procedure="paired-t", gaps="pairs")
    assert {row[0] for row in found} == {"samples", "options"}
    assert all("done of every algorithm" in row[2] for row in found if row[0] == "samples")


def test_shards_that_are_joined_keep_their_plan(folder):
    path = study(folder)
    for part in (1, 2):
        podium.run(path, f"{part}.db", shard=f"{part}/2", quiet=True, jobs=0)
    joined = podium.merge("whole.db", "1.db", "2.db")
    assert len(joined.registered["versions"]) == 1
    about = podium.compare(joined).extras.registered
    assert (len(about.deviations), about.exploratory) == (0, False)


def test_scores_older_than_the_plan_are_told(folder):
    path = study(folder, analysis="")
    podium.run(path, "old.db", shard="1/2", quiet=True, jobs=0)
    podium.run(study(folder), "new.db", shard="2/2", quiet=True, jobs=0)
    results = podium.merge("whole.db", "new.db", "old.db")
    kept = results.registered["versions"][0]
    late = {**kept, "time": "2999-01-01T00:00:00+00:00"}
    about = podium.compare(replace(results, registered={**results.registered, "versions": [late]}))
    assert "time" in about.extras.registered.deviations["about"].tolist()


# -- families, subgroups, stopping ----------------------------------------------------------------


def test_planned_subgroups_are_analysed_with_the_rest(folder, capsys):
    names = [f"d{i}" for i in range(6)]
    for i, name in enumerate(names):
        frame = pd.read_csv("easy.csv")
        (frame.assign(u=frame["u"] + i * (frame["y"] == "a"))).to_csv(f"{name}.csv", index=False)
    more = "".join(
        f'[[datasets]]\nname = "{n}"\nsource = "file:{n}.csv"\ntarget = "y"\n' for n in names
    )
    groups = "\n[analysis.subgroups]\nlow = ['d0', 'd1', 'd2']\nhigh = ['d3', 'd4', 'd5']\n"
    run(study(folder, samples=3, analysis=ANALYSIS + groups, more=more))
    assert status_of(["analyze", "planned.db", "--json", "p.json"]) == 0
    said, found = capsys.readouterr().out, json.loads(Path("p.json").read_text())
    assert "exploratory" not in (said + json.dumps(found)).lower()
    assert {row["group"] for row in found["subgroups"]["within"]} == {"low", "high"}
    results = podium.read("planned.db")
    answer = podium.analyze(results)
    planned = answer.comparisons
    blocks = SECTIONS["registered"].made(analyse_answer(answer)).content.blocks
    assert blocks[1].paragraphs[0] == "Planned subgroups"
    assert "low" in blocks[2].frame["group"].tolist()
    gone = {f"d{i}" for i in (3, 4, 5)}  # what is left is analysed, and the rest said
    left = results.filter(dataset=[d for d in results.datasets if d not in gone])
    _, found = planned_subgroups(left, planned)
    assert {g: len(of) for g, of in found.groups.items()} == {"low": 3, "high": 0}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("gaps", "finished", "unfinished"),
    [("", 4, 3), ('gaps = "worst"', 4, 4), ('gaps = "complete"', 3, 2)],
)
def test_planned_subgroups_treat_gaps_as_the_plan_says(folder, gaps, finished, unfinished):
    """Of four data sets each, one on which an algorithm failed, and one that was not run yet."""
    names = [f"d{i}" for i in range(8)]
    for name in names:
        rows = 50 if name in ("d0", "d4") else 200  # of 50 no 60 neighbours are found
        table = pd.read_csv("easy.csv").sample(rows, replace=True, random_state=1)
        table.to_csv(f"{name}.csv", index=False)
    data = [f'[[datasets]]\nname = "{n}"\nsource = "file:{n}.csv"\ntarget = "y"\n' for n in names]
    groups = f"\n[analysis.subgroups]\nlow = {names[:4]}\nhigh = {names[4:]}\n"
    near = BROKEN.replace("500", "60")
    plan = ANALYSIS + gaps + groups
    results = run(study(folder, samples=2, analysis=plan, more="".join(data), extra=near))
    assert {*results.failures["dataset"]} == {"easy", "hard", "d0", "d4"}
    later = results.scores["dataset"].isin(["d1", "d5"]) & (results.scores["algorithm"] == "dummy")
    status = results.runs["status"].where(~results.runs["dataset"].isin(["d1", "d5"]), "missing")
    fewer = replace(results, scores=results.scores[~later], runs=results.runs.assign(status=status))
    whole = podium.compare(results)
    beside = planned(results, Options())  # what a multiverse is held against
    assert beside is not None
    pd.testing.assert_frame_equal(beside.table, whole.table)
    for of, members in ((results, finished), (fewer, unfinished)):
        _, found = planned_subgroups(of, whole)
        assert {g: len(m) for g, m in found.groups.items()} == {"low": members, "high": members}


def test_a_planned_control_and_pairs(folder):
    run(study(folder, analysis=ANALYSIS + 'control = "dummy"\n', extra=THIRD))
    found = podium.compare(podium.read("planned.db"))
    assert set(found.table["second"]) == {"dummy"}
    asked = podium.compare(podium.read("planned.db"), pairs=[("bayes", "stump")])
    assert asked.extras.registered.exploratory
    assert len(asked.table) == 1


def test_a_sequential_plan_is_followed_by_the_first_run(folder):
    one = '[[datasets]]\nname = "hard"\nsource = "file:hard.csv"\ntarget = "y"\n'
    path = study(folder, samples=60, analysis=ANALYSIS + "sequential = { looks = 2 }\n")
    path.write_text(path.read_text().replace(one, ""))
    found = podium.compare(run(path))
    assert found.extras.sequential is not None
    assert (found.extras.sequential.alpha, found.extras.sequential.budget) == (0.01, 60)
    with pytest.raises(PodiumError, match=r"which fixes alpha at 0\.01: leave alpha out"):
        podium.compare(podium.read("planned.db"), alpha=0.05)  # though it is the usual one
    assert not found.extras.registered.exploratory


# -- what a plan may say --------------------------------------------------------------------------

WRONG = [
    ("alpha = 2", "line 9: 'alpha' lies between 0 and 1, not 2"),
    ("alhpa = 0.1", "line 9: .* has no key 'alhpa'. Did you mean 'alpha'"),
    ('measure = "auc"', "line 9: 'auc' is not a measure of this study"),
    ('target = "world"', "line 9: 'world' is not a target"),
    ('control = "svm"', "line 9: 'svm' is not an algorithm of this study"),
    ("pairs = ['bayes']", "line 9: 'pairs' is a list of pairs"),
    ("relevance = -1", "line 9: 'relevance' is a number from 0 on"),
    ('gaps = "some"', "line 9: 'some' is not a way to treat gaps"),
    ("subgroups = { a = ['x'] }", "line 9: 'x' is not a data set"),
    ("subgroups = { a = ['easy', 'hard'] }", "line 9: 'subgroups' are at least two"),
    ("sequential = { looks = 0 }", "'looks' of 'sequential' cannot be 0"),
    ("sequential = { peeks = 2 }", "'peeks' is not a key of 'sequential'"),
    ("control = 'bayes'\npairs = [['bayes', 'dummy']]", "either 'control' or 'pairs'"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "told"), WRONG, ids=[line[:18] for line, _ in WRONG])
def test_a_wrong_plan_is_refused_with_its_line(folder, line, told):
    text = STUDY.format(samples=3, analysis=f"\n\n[analysis]\n{line}", more="", extra="")
    with pytest.raises(DesignError, match=told):
        parse_study(text, folder=folder, origin="s.toml")


def test_the_primary_measure_is_said_where_there_are_several(folder):
    with pytest.raises(DesignError, match="needs 'measure', the primary one: one of error, fit"):
        podium.load_study(study(folder, analysis="[analysis]\nalpha = 0.1"))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('procedure = "hul"', "Did you mean 'hull'"),
        ('procedure = "mcnemar"', "cannot be carried out: 'mcnemar' is not valid for data sets"),
        ('target = "population"', "say nothing about it, only about 'dataset-population'"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused_before_anything_runs(folder, line, told):
    path = study(folder, analysis=f"{ANALYSIS}{line}\n")
    with pytest.raises(PodiumError, match=told):
        run(path)
    assert not Path("planned.db").exists()
