"""Data sets that were left out after the fact stay in mind."""

from __future__ import annotations

import pandas as pd
import pytest
from surveys_made import codes, survey

import podium
from podium import by_dataset
from podium.core.results.dataset_facts import exclusions
from podium.core.verdicts import score_interval as alone
from podium.errors import ResultsError
from podium.reading import exclude_datasets


def test_what_was_left_out_is_said_by_everything_that_follows():
    results = survey([(0, 0.03)] * 6, ("svm", "knn"))
    left = exclude_datasets(
        exclude_datasets(results, "d2", "labels are broken"), ["d5", "d6"], " too large "
    )
    assert left.datasets == ["d1", "d3", "d4"]
    assert results.datasets == [f"d{j}" for j in range(1, 7)]
    assert exclusions(left) == {
        "d2": "labels are broken",
        "d5": "too large",
        "d6": "too large",
    }
    text = repr(podium.compare(left))
    assert "Left out after the fact (labels are broken): d2. " in text
    assert "Left out after the fact (too large): d5, d6. " in text
    assert "excluded" in codes(by_dataset(left, "paired-t"))
    assert "excluded" in codes(podium.subgroups(left, {"x": ["d1", "d3"], "y": ["d4"]}))
    assert "excluded" in codes(podium.plan(pilot=left, difference=0.1))
    assert "d2, left out after the fact (labels are broken)" in podium.advise(left).cannot
    # the numbers are those without them
    plain = podium.compare(results.filter(dataset=["d1", "d3", "d4"]))
    assert podium.compare(left).table.equals(plain.table)
    assert exclusions(results) == {}
    assert podium.compare(results, scale="best").measure == "error, distance to the best"


def test_an_exclusion_needs_a_reason_and_leaves_something():
    results = survey([(0, 0.03)] * 2, ("svm", "knn"))
    with pytest.raises(ResultsError, match="for a reason, in words; none is given for d1"):
        exclude_datasets(results, "d1", " ")
    with pytest.raises(ResultsError, match="'d9' is not a data set of these results"):
        exclude_datasets(results, ["d9"], "why")
    with pytest.raises(ResultsError, match="No data set would be left"):
        exclude_datasets(results, ["d1", "d2"], "why")


def test_an_interval_and_a_page_say_what_was_left_out(tmp_path):
    one = exclude_datasets(survey([(0,)] * 4, ("svm",)), "d2", "labels are broken")
    assert "excluded" in {w.code for w in alone(one).warnings}
    # one score per data set: they are the blocks of the page's comparison
    frame = pd.DataFrame({"dataset": list("abcdef"), "svm": [0.1, 0.2, 0.3, 0.1, 0.2, 0.3]})
    results = podium.read(frame.assign(knn=[0.2, 0.4, 0.3, 0.3, 0.3, 0.5]), measure="error")
    podium.report(exclude_datasets(results, "c", "too odd"), tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Left out after the fact (too odd): c." in page
