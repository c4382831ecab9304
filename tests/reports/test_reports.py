"""Reports: one page of HTML that needs nothing from outside and escapes every text."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import podium
from podium.reports.render import page, write_report
from podium.reports.sections import Section, sections

HOSTILE = "<script>alert('x')</script> & \"co\""


class Outline(HTMLParser):
    """The tags of a page, which must be closed in order, and the text of its cells."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.cells = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag != "meta":
            self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data


class Warns(GaussianNB):
    def fit(self, X, y):
        import warnings

        warnings.warn(HOSTILE, stacklevel=1)
        return super().fit(X, y)


class Fails(GaussianNB):
    def fit(self, X, y):
        raise ValueError(HOSTILE)


def results(path, algorithms, **options):
    rng = np.random.default_rng(0)
    data = podium.dataset(HOSTILE, rng.normal(size=(12, 2)), np.tile([HOSTILE, "b"], 6))
    given = podium.Study(data, algorithms, sampling="cv:2+stratified", **options)
    return podium.run(given, path, quiet=True)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    return results(
        tmp_path_factory.mktemp("report") / "r.db",
        {HOSTILE: GaussianNB(), "warns": Warns(), "fails": Fails()},
        name=HOSTILE,
        population=HOSTILE,
        measures=["error", "log-loss"],
    )


@pytest.fixture(scope="module")
def text(hostile, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(hostile, path)
    return path.read_text(encoding="utf-8")


def test_every_text_is_escaped(text):
    assert "<script" not in text
    assert text.count("&lt;script&gt;") > 5  # title, heading, population, names, messages
    assert "&amp; &quot;co&quot;" in text


def test_the_page_is_well_formed(text):
    outline = Outline(text)
    assert outline.open == []
    assert "script" not in outline.tags
    assert HOSTILE in outline.cells


def test_nothing_comes_from_outside(text):
    assert re.findall(r"""(?:src|href|url|@import)\s*[=(]""", text) == []
    assert "http://" not in text
    assert "https://" not in text
    assert "default-src 'none'" in text


def test_the_tables_hold_the_summary(text, hostile):
    cells = Outline(text).cells
    summary = hostile.summary()
    assert [v for v in summary["mean"].dropna() if f"{v:.4g}" not in cells] == []
    for caption in ("Data sets", "error (lower is better)", "log-loss (lower is better)"):
        assert f"<caption>{caption}</caption>" in text


def test_failures_and_warnings_are_listed(text):
    assert "<caption>Failures</caption>" in text
    assert "<caption>Warnings, the most frequent ones</caption>" in text
    cells = Outline(text).cells
    assert "ValueError" in cells
    assert "nan" not in [c.lower() for c in cells]


def test_a_study_without_problems_says_so(tmp_path):
    found = results(tmp_path / "r.db", {"tree": DecisionTreeClassifier()})
    titles = {s.title: s for s in sections(found)}
    assert titles["Failures and warnings"].paragraphs == ("No run failed and no algorithm warned.",)
    assert "2 are done" in titles["Design"].paragraphs[0]


def test_a_section_without_tables():
    assert "<h2>a &lt; b</h2>" in page("t", [Section("a < b", ("text",))])


def test_several_data_sets_are_judged_together_before_each_of_them(tmp_path):
    rng = np.random.default_rng(0)
    rows = [(d, s, a, 0.1 * (a == "b") + rng.normal(0.5, 0.01))
            for d in ("x", "y", "z") for s in range(1, 9) for a in "ab"]  # fmt: skip
    table = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
    podium.report(podium.read(table, sampling="bootstrap+independent"), tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    places = [page.index(f"What may be said {w}") for w in ("over all data sets", "on x", "on z")]
    assert places == sorted(places)
    assert "every algorithm has its own samples" in page
