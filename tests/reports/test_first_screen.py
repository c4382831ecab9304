"""The first screen: what it shows is what sections below say, in the order of the page."""

import re

import numpy as np
import pandas as pd
import pytest
from tables_built import errors, surveyed

import podium
from podium.answers import sections as sections_module
from podium.answers.section_scores import exploration
from podium.answers.sections import sections
from podium.inference.procedures.options import Options
from podium.reports import figures
from podium.reports.analysis import Question, analysed
from podium.reports.document import Section, Table
from podium.reports.render import page


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Figures are computed but not drawn."""
    monkeypatch.setattr(figures, "drawn", lambda draw, width, height, name: "<svg></svg>")


def findings(results, *given):
    """The parts of the first section alone."""
    return list(sections_module.findings(analysed(results, *given)))


def section_of(parts):
    return Section("What was found", "findings", tuple(parts))


def many(k=30, blocks=25):
    rng = np.random.default_rng(0)
    values = 0.2 + rng.random((blocks, 1)) * 0.2 + np.linspace(0, 0.3, k)
    frame = pd.DataFrame(
        values + rng.normal(0, 0.02, (blocks, k)), columns=[f"m{i}" for i in range(k)]
    )
    frame.insert(0, "dataset", [f"d{i}" for i in range(blocks)])
    return podium.read(frame, measure="error")


def test_the_standings_are_those_of_the_comparisons_with_three_answers():
    (part,) = findings(surveyed({"a": 0.1, "b": 0.2, "c": 0.201}, datasets=8))
    found = part.answer
    hero = found.hero
    assert hero.rows[0].name == "a"
    assert (hero.cut, hero.rows[0].badge) == (1, "best")
    assert hero.cells == 8
    assert sum(len(re.findall("M", path)) for _, path in hero.rows[0].strip) == 8
    assert [card.section for card in found.cards] == ["order", "tests", "planning"]
    assert found.cards[0].question == "Would other data sets change it?"
    assert re.search(r"a has the best mean in 1?\d\d %", found.cards[0].answer)
    assert found.verdict[0] == ("a", True)


def test_chips_are_short_and_open_to_the_notes():
    (part,) = findings(errors({"a": 0.1, "b": 0.105, "c": 0.2}, samples=12))
    chips = {chip.words: chip for chip in part.answer.chips}
    assert chips["this sample only"].warns
    assert all(1 <= len(words.split()) <= 4 for words in chips)
    told = page("t", [section_of([part])])
    assert told.count('<details class="chip') == len(chips)


def test_of_very_many_the_lead_and_three_more_are_listed_beside_a_picture_of_all():
    (part,) = findings(many())
    hero = part.answer.hero
    assert len(hero.rows) == hero.cut + 3
    assert hero.overview.lead_dots.count("M") == hero.cut
    assert (hero.overview.lead_dots + hero.overview.other_dots).count("M") == 30
    assert "the last is m29" in hero.rest
    assert part.lead == ""  # no chain of thirty names


def test_a_scale_is_no_second_measure_and_its_findings_are_shown():
    question = Question(measure="error", scale="ranks", options=Options(procedure="hull"))
    made = sections(many(4), question=question)
    (part,) = next(s for s in made if s.name == "findings").parts
    assert part.choice.measure == "error"
    assert "rank of error" in part.answer.hero.heads["score"]
    assert {p.choice.measure for s in made for p in s.parts} <= {"", "error"}
    assert 'data-switch="measure"' not in page("t", made[:1])


def test_comparisons_on_a_scale_that_are_given_are_no_second_measure_either():
    results = many(4)
    c = podium.compare(results, scale="ranks")
    (part,) = findings(results, [c], Question(scale="ranks"))
    assert part.choice.measure == "error"


@pytest.mark.parametrize(("k", "shape"), [(4, (25, 5)), (13, (25 * 13, 3))])
def test_one_score_per_data_set_is_a_table_without_spreads(k, shape):
    scores = many(k).scores
    gone = podium.read(scores[scores.index != 3], measure="error")  # a gap is an empty cell
    parts = exploration(analysed(gone))
    table = next(i for p in parts for i in p.items if isinstance(i, Table))
    assert table.frame.shape == shape
    names = ["m0", "m1", "m2", "m3"] if k == 4 else ["algorithm", "error"]
    assert list(table.frame) == ["dataset", *names]
    assert table.frame.isna().to_numpy().sum() == 1


def test_items_are_no_runs():
    right = pd.DataFrame({"item": range(40), "a": [0, 1] * 20, "b": [1, 1, 0, 1] * 10})
    made = podium.read(right, sampling="items", measure="accuracy")
    text = " ".join(t for p in sections_module.design(analysed(made)) for t in p.paragraphs)
    assert "Every algorithm has a score of each of 40 items." in text
    assert "80 runs" not in text


def test_items_are_drawn_anew_by_the_null_of_their_own_test():
    rng = np.random.default_rng(0)
    right = pd.DataFrame((rng.random((60, 3)) < [0.9, 0.85, 0.4]).astype(int), columns=list("abc"))
    right.insert(0, "item", range(60))
    (part,) = findings(podium.read(right, sampling="items", measure="accuracy"))
    assert "When the 60 items are redrawn, " in part.answer.cards[0].answer


def test_what_was_forced_has_no_standings():
    folds = errors({"a": 0.1, "b": 0.2}, sampling="cv:30")
    (part,) = findings(folds, [podium.compare(folds, "paired-t", force=True)])
    answer = part.answer
    assert answer.hero is None
    assert "No conclusion" in answer.verdict[0][0]


def test_names_are_escaped_and_the_table_has_heads_for_screen_readers():
    parts = findings(errors({"<b>x": 0.1, "y": 0.2, "z": 0.3}, samples=10))
    made = page("t", [section_of(parts)])
    hero = made.split('<div class="hero">')[1].split("</table>")[0]
    assert "&lt;b&gt;x" in hero
    assert "<b>x" not in hero
    assert hero.count('scope="row"') == 3
    assert hero.count('role="columnheader"') == hero.count('<th scope="col"')


def test_choices_have_a_table_of_outcomes_and_a_number_that_would_settle_them():
    rng = np.random.default_rng(1)
    chosen = np.where(rng.random(60) < 0.6, "model_a", "model_b")
    battles = pd.DataFrame({"model_a": "x", "model_b": "y", "winner": [*chosen[:-1], "tie"]})
    found = analysed(podium.read(battles))
    (part,) = sections_module.findings(found)
    assert re.match(r"About [\d,]+ battles \(now 60\) would", part.answer.cards[2].answer)
    parts = list(exploration(found))
    assert sum(len(p.paragraphs) for p in parts) == 1  # why nothing is drawn, once
    (table,) = (i for p in parts for i in p.items)
    assert list(table.frame) == ["algorithm", "samples", "won", "tied", "lost", "mean"]
    won = int((chosen[:-1] == "model_a").sum())
    assert table.frame.iloc[0, 1:5].tolist() == [60, won, 1, 59 - won]


def test_where_only_single_data_sets_have_a_winner_they_stand_side_by_side():
    rng = np.random.default_rng(2)
    means = {"one": [0.1, 0.2, 0.3], "two": [0.3, 0.2, 0.1]}
    rows = [(data, name, sample, mean + rng.normal(0, 0.01))
            for data, every in means.items()
            for name, mean in zip("abc", every, strict=True) for sample in range(12)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "error"])
    (part,) = findings(podium.read(table, sampling="bootstrap"))
    hero = part.answer.hero
    assert hero.panels == (("one", "one · 3 of 3 decided"), ("two", "two · 3 of 3 decided"))
    places = {row.name: [panel.place for panel in row.panels] for row in hero.rows}
    assert places == {"a": ["1", "3"], "b": ["2", "2"], "c": ["3", "1"]}
    told = page("t", [section_of([part])])
    assert told.count('class="panel ahead"') == 2
    assert 'class="strip"' not in told
