"""The sections of a page: what they say, in which order, also where there is little to say."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from tables_built import by_hand, errors, surveyed

import podium
from podium.answers.sections import sections
from podium.planning.power import EXTRA
from podium.reports import figures
from podium.reports.document import Charts, Figure, Table

THREE = {"a": 0.1, "b": 0.2, "c": 0.201}
ORDER = ["findings", "design", "scores", "tests", "order", "planning", "methods", "provenance",
         "failures"]  # fmt: skip


@pytest.fixture
def quick(monkeypatch):
    """Pages whose figures are computed but not drawn."""
    monkeypatch.setattr(figures, "drawn", lambda draw, width, height, name: "<svg></svg>")


@pytest.fixture(scope="module")
def one():
    return sections(errors(THREE, samples=12))


@pytest.fixture(scope="module")
def several():
    return sections(surveyed(THREE, datasets=3))


def named(made, name):
    return next(s for s in made if s.name == name)


def texts(section):
    return " ".join(t for part in section.parts for t in (part.title, part.lead, *part.paragraphs))


def items(made, kind):
    return [i for s in made for part in s.parts for i in part.items if isinstance(i, kind)]


def test_sections_come_in_the_order_of_reading(one, several):
    assert [s.name for s in one] == ORDER
    assert [s.name for s in several] == [*ORDER[:5], "surveys", *ORDER[5:]]


def test_every_figure_is_drawn_and_has_a_name_of_its_own(one, several):
    for made in (one, several):
        assert "There is no figure" not in " ".join(texts(s) for s in made)
        svgs = [figure.svg for figure in items(made, Figure)]
        assert len(svgs) > 5
        assert len(set(svgs)) == len(svgs)


def test_tables_and_what_is_shown_of_them_have_the_same_rows(one):
    for table in items(one, Table):
        assert table.shown is None or len(table.shown) == len(table.frame)
    pairs = next(t for t in items(one, Table) if t.caption.startswith("Pairs by error"))
    assert list(pairs.frame["first"]) == list(pairs.shown["first"])
    assert pairs.latex.startswith(r"\begin{table}")


def test_alternatives_are_marked_and_not_to_choose_from(one):
    tests = named(one, "tests")
    assert len(tests.parts) == 5  # four procedures, and what they agree on
    assert [("Sensitivity analysis" in texts_) for texts_ in map(joined, tests.parts)] == [
        False, True, True, True, False,
    ]  # fmt: skip
    assert "Do not pick" in joined(tests.parts[-1])
    assert tests.parts[-1].items[0].frame["kind"].iloc[0] == "chosen"


def joined(part):
    return " ".join(part.paragraphs)


def test_resamples_never_say_more_about_the_population(one):
    assert "never say more about the population" in texts(named(one, "planning"))


def test_data_sets_are_counted_for_the_open_pairs(several):
    part = named(several, "planning").parts[0]
    table = part.items[0].frame
    assert len(table) >= 1
    row = table.iloc[0]
    plan = podium.plan(
        difference=row["difference"], sd=row["sd of differences"], power=0.8, comparisons=3
    )
    assert row["needed for this difference"] == plan.datasets + EXTRA  # as its test is no plain t
    assert "Rough numbers" in joined(part)


def test_several_data_sets_are_judged_together_before_each_of_them(several):
    assert "over all data sets" in named(several, "findings").parts[0].title
    parts = named(several, "surveys").parts
    assert [part.choice.dataset for part in parts] == ["", "d1", "d2", "d3"]
    assert "consensus" in joined(parts[0])


def test_charts_are_there_once(one):
    assert len(items(one, Charts)) == 1


def test_methods_are_cited(one):
    parts = named(one, "methods").parts
    assert "[1" in joined(parts[0])
    assert len(parts[2].items[0].frame) >= 2


def test_a_page_with_two_measures_says_when_each_is_shown(quick):
    made = sections(two_measures())
    assert [p.choice.measure for p in named(made, "findings").parts] == ["error", "brier"]
    assert {p.choice.measure for p in named(made, "tests").parts} == {"error", "brier"}


def two_measures(samples=8):
    rng = np.random.default_rng(0)
    rows = [(s, a, m, rng.random()) for s in range(1, samples + 1) for a in "ab"
            for m in ("error", "brier")]  # fmt: skip
    table = pd.DataFrame(rows, columns=["sample", "algorithm", "measure", "value"])
    return podium.read(table, sampling="bootstrap")


def test_every_section_that_speaks_of_one_measure_speaks_of_the_other(quick):
    made = sections(two_measures())
    for name in ("findings", "tests", "order", "planning", "methods"):
        choices = {p.choice.measure for p in named(made, name).parts}
        assert choices == {"error", "brier"}
    assert "This was computed for error only." in texts(named(made, "order"))


def test_missing_runs_are_counted_in_the_summary(quick):
    table = pd.DataFrame({"sample": range(1, 9), "a": np.linspace(0.1, 0.3, 8),
                          "b": [0.2, np.nan, *np.linspace(0.2, 0.5, 6)]})  # fmt: skip
    made = sections(podium.read(table, sampling="bootstrap", measure="error"))
    summary = next(t for t in items(made, Table) if t.caption.startswith("Scores by error"))
    assert summary.frame["missing"].tolist() == [0, 1]
    assert summary.shown.columns[0] == "data set"


def test_samples_are_called_what_they_are(quick):
    table = pd.DataFrame({"item": range(1, 13), "a": [0, 1, 1] * 4, "b": [1, 0, 0] * 4})
    made = sections(podium.read(table, sampling="items", measure="accuracy"))
    assert "all algorithms see the same items." in texts(named(made, "design"))
    assert "Would other items change the order?" in texts(named(made, "order"))
    assert "One pair is open: a and b." in texts(named(made, "order"))
    assert "items" in items(made, Table)[0].shown
    assert "A single item has one of very few scores" in texts(named(made, "scores"))
    assert "Box plots" not in [figure.title for figure in items(made, Figure)]
    assert items(made, Charts) == []


def test_residuals_are_shown_where_the_mixed_model_is_the_analysis(quick):
    results = errors(THREE, samples=12)
    shown = sections(results, [podium.compare(results, "mixed-tukey")])
    title = "Residuals of the mixed model"
    assert [f.title for f in items(shown, Figure)].count(title) == 1
    residuals = next(f for f in items(shown, Figure) if f.title == title).data["residual"]
    assert abs(residuals.sum()) < 1e-9
    other = sections(results, [podium.compare(results, "paired-t")])
    assert title not in [f.title for f in items(other, Figure)]


def test_differences_are_shown_over_five_data_sets_and_more(quick, several):
    title = "Differences over data sets"
    assert title not in [f.title for f in items(several, Figure)]
    assert title in [f.title for f in items(sections(surveyed(THREE)), Figure)]


# -- little to say --------------------------------------------------------------------------------


class Fails(GaussianNB):
    def fit(self, X, y):
        raise ValueError("no")


def test_one_sample_cannot_be_judged_and_says_so():
    made = sections(by_hand([0.1], [0.2]))
    assert "cannot be said" in texts(named(made, "findings"))
    assert "at least 2 blocks" in texts(named(made, "findings"))


def test_a_table_that_does_not_say_its_sampling_says_what_is_lacking(quick):
    table = pd.DataFrame({"sample": [1, 2, 3], "a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.5]})
    made = sections(podium.read(table, measure="error"))
    assert "--sampling" in texts(named(made, "findings"))


def test_scores_that_are_all_the_same_make_a_page():
    made = sections(by_hand([0.1] * 5, [0.1] * 5))
    assert "It is open which of a and b is better." in texts(named(made, "findings"))


def test_nothing_done_and_all_failed_make_a_page(tmp_path):
    rng = np.random.default_rng(0)
    data = podium.dataset("d", rng.normal(size=(12, 2)), np.tile(["a", "b"], 6))
    study = podium.Study(data, {"x": Fails(), "y": Fails()}, sampling="cv:3+stratified")
    results = podium.run(study, tmp_path / "s.db", quiet=True, jobs=0)
    made = sections(results)
    assert "cannot be said" in texts(named(made, "findings"))
    assert [n.code for n in named(made, "findings").parts[0].notes] == ["failures"]
    assert "6 runs failed." in texts(named(made, "failures"))


def test_one_algorithm_has_an_interval_and_no_order(tmp_path):
    results = errors({"only": 0.2}, samples=8)
    podium.report(results, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "There is one algorithm, only, and nothing to compare it with." in page
    assert "What may be said on iris, by error" in page
    assert "alone was asked for" not in page
    assert "There is no order of several algorithms." in page


def test_odd_names_stay_text():
    names = {"<b>&$x$": 0.1, "é" * 80: 0.3, "q\"uo'te, and": 0.5}
    made = sections(errors(names, samples=6))
    assert "<b>&$x$ is better than each of the other 2" in texts(named(made, "findings"))


def test_what_was_forced_says_nothing_and_shows_no_order_on_top(quick):
    results = errors({"a": 0.1, "b": 0.3}, samples=10, sampling="cv:10")
    forced = podium.compare(results, "kfold-t", force=True)
    part = named(sections(results, [forced]), "findings").parts[0]
    assert part.title == "Nothing may be said on iris, by error"
    assert part.lead == ""
    assert "significantly" not in joined(part)
    assert part.notes[0].code == "forced"


# -- the face -----------------------------------------------------------------------------------


def test_a_wrong_option_is_refused_and_not_written_into_a_page(tmp_path):
    with pytest.raises(podium.PodiumError, match="nemenyyi"):
        podium.report(errors(THREE), tmp_path / "page.html", procedure="nemenyyi")
    assert not (tmp_path / "page.html").exists()


def test_options_are_those_of_compare_and_progress_is_told(quick, tmp_path):
    told = []
    podium.report(
        surveyed(THREE),
        tmp_path / "page.html",
        dataset="d2",
        procedure="nemenyi",
        progress=lambda done, total: told.append((done, total)),
    )
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "What may be said on d2, by error" in page
    assert "nemenyi was asked for." in page
    assert told[-1][0] == told[-1][1]
