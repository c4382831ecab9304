"""Reports: one page of HTML that needs nothing from outside and escapes every text."""

import base64
import gzip
import hashlib
import io
import json
import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

import podium
from podium.reports.charts import charts
from podium.reports.document import Choice, Figure, Part, Section, Table
from podium.reports.render import page
from podium.words.facts import Note

HOSTILE = "<script>alert('x')</script> & \"co\""
VOID = ("meta", "input", "br", "hr", "img")


class Outline(HTMLParser):
    """The elements of a page, which must be closed in order, the text of cells, and data."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.cells, self.data, self.code = [], [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.cells[-1] += data
        if self.open and self.open[-1] == "script":
            given = self.tags[-1][1]
            if given.get("type") == "application/json":
                text = data
                if "data-packed" in given:
                    text = gzip.decompress(base64.b64decode(data)).decode()
                self.data.append(json.loads(text))
            elif "type" not in given:
                self.code += data


class Fails(GaussianNB):
    def fit(self, X, y):
        raise ValueError(HOSTILE)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A whole report of a study in which every text tries to be markup."""
    folder = tmp_path_factory.mktemp("report")
    rng = np.random.default_rng(0)
    data = podium.dataset(HOSTILE, rng.normal(size=(12, 2)), np.tile([HOSTILE, "b"], 6))
    study = podium.Study(
        data,
        {HOSTILE: GaussianNB(), "smooth": GaussianNB(var_smoothing=0.5), "fails": Fails()},
        sampling="bootstrap:4",
        measures=["error"],
        name=HOSTILE,
        population=HOSTILE,
    )
    podium.report(podium.run(study, folder / "r.db", quiet=True, jobs=0), folder / "report.html")
    return (folder / "report.html").read_text(encoding="utf-8")


def rendered(*items, **options):
    return page("t", [Section("s", "s", (Part(items=items, **options),))])


def test_every_text_of_a_report_is_escaped(hostile):
    outline = Outline(hostile)
    assert outline.open == []
    assert "<script>alert" not in hostile
    assert hostile.count("&lt;script&gt;") > 5
    assert HOSTILE in outline.cells
    assert "nan" not in [c.lower() for c in outline.cells]
    assert not [t for t, given in outline.tags if any(name.startswith("on") for name in given)]


def test_only_the_script_of_the_page_may_run_and_nothing_comes_from_outside(hostile):
    outline = Outline(hostile)
    policy = next(g["content"] for t, g in outline.tags if t == "meta" and "http-equiv" in g)
    packed = re.search(r'class="vega" data-packed="gzip">([^<]*)<', hostile)[1]
    library = gzip.decompress(base64.b64decode(packed))  # the script unpacks and runs it
    digests = [base64.b64encode(hashlib.sha256(code).digest()).decode()
               for code in (outline.code.encode(), library)]  # fmt: skip
    assert f"script-src 'sha256-{digests[0]}' 'sha256-{digests[1]}';" in policy
    assert policy.startswith("default-src 'none';")
    assert "base-uri 'none'; form-action 'none'" in policy
    assert "unsafe-eval" not in policy
    links = [v for _, g in outline.tags for n, v in g.items() if n in ("src", "href", "xlink:href")]
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in links)
    assert "@import" not in hostile.split("</style>")[0]


def test_a_page_without_charts_has_no_library_of_charts():
    text = rendered(Table("x", pd.DataFrame({"a": [1]})))
    assert len(text) < 60_000
    assert 'class="vega"' not in text


def test_parts_have_all_they_say_in_order_and_notes_show_their_code():
    text = rendered(
        title="T <", lead="a ≻ b", paragraphs=("p & q",), notes=(Note("c", text="why <"),)
    )
    said = ["<h3>T &lt;</h3>", "a ≻ b</p>", "<p>p &amp; q</p>", '<code class="badge">c</code>',
            "why &lt;"]  # fmt: skip
    places = [text.index(s) for s in said]
    assert places == sorted(places)


def test_halves_of_characters_are_question_marks_in_the_file(tmp_path):
    text = page("a\ud800 <b>", [Section("s\udfff", "s", (Part(paragraphs=("p\ud800<",)),))])
    (tmp_path / "page.html").write_text(text, encoding="utf-8", errors="replace", newline="\n")
    written = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<title>a? &lt;b&gt;</title>" in written
    assert "<p>p?&lt;</p>" in written


def test_cells_keep_their_numbers_and_files_all_digits():
    frame = pd.DataFrame({"n": [1 / 3, np.nan, 2.0], "m": [1, 2, 3], "t": ["x", None, "<"]})
    outline = Outline(rendered(Table("c", frame, latex="own")))
    assert outline.cells == ["n", "m", "t", "0.3333", "1", "x", "", "2", "", "2", "3", "<"]
    values = [g.get("data-value") for t, g in outline.tags if t == "td"]
    assert values == ["0.3333333333333333"] + [None] * 8  # others are said by their text
    files = outline.data[0]["files"]
    pd.testing.assert_frame_equal(pd.read_csv(io.StringIO(files["csv"])), frame, rtol=0, atol=0)
    assert files["tex"] == "own"


def test_texts_are_sorted_by_the_numbers_behind_them():
    frame = pd.DataFrame({"p": [0.0001, 0.02]})
    text = rendered(Table("c", frame, frame.assign(p=["<0.001", "0.020"])))
    assert '<td class="number" data-value="0.0001">&lt;0.001</td>' in text
    assert '<td class="number">0.020</td>' in text


def test_latex_is_escaped_and_numbers_stand_at_the_right():
    frame = pd.DataFrame({"a_b": ["x & y"], "n": [0.5]})
    tex = Outline(rendered(Table("50 %", frame))).data[0]["files"]["tex"]
    assert r"\begin{tabular}{lr}" in tex
    assert "a\\_b & n \\\\\n\\midrule\nx \\& y & 0.5 \\\\\n\\bottomrule" in tex
    assert r"\caption{50 \%}" in tex


def test_figures_stand_in_the_page_with_their_files():
    svg = '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>'
    text = rendered(Figure("F", "c", svg, pd.DataFrame({"a": [1]}), {"x.tikz": "</script>"}))
    assert svg in text
    assert Outline(text).data[0]["files"] == {"csv": "a\n1\n", "x.tikz": "</script>"}


def results(datasets=("d", HOSTILE)):
    rows = [(d, a, s, 0.1 * s + 0.01 * len(a)) for d in datasets
            for a in ("svm", HOSTILE) for s in range(1, 4)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "error"])
    return podium.read(table, sampling="bootstrap")


def test_rows_and_columns_know_their_algorithms():
    frame = pd.DataFrame({"first": ["svm", HOSTILE], "svm": [1, 2], "word": ["svm", "other"]})
    outline = Outline(rendered(charts(results()), Table("c", frame)))
    rows = [g.get("data-algorithms") for t, g in outline.tags if t in ("tr", "th")]
    assert rows == [None, None, "0", None, "0", "1"]  # heading with three columns, two rows


def test_switches_stand_where_there_is_a_choice():
    parts = (Part(choice=Choice("error", "t")), Part(choice=Choice("error", HOSTILE)))
    outline = Outline(page("t", [Section("s", "s", parts)]))
    switches = [g["data-switch"] for t, g in outline.tags if "data-switch" in g]
    assert switches == ["procedure"]
    marks = [g for t, g in outline.tags if g.get("class") == "part"]
    assert [g.get("data-procedure") for g in marks] == ["t", HOSTILE]
    assert [g.get("data-measure") for g in marks] == [None, None]  # one measure is always shown
    outline = Outline(rendered(charts(results())))
    options = [g["value"] for t, g in outline.tags if t == "option"]
    assert options == ["", "d", HOSTILE]


def test_a_long_page_keeps_rows_for_the_script_and_says_so():
    frame = pd.DataFrame({"a": np.arange(4000)})
    text = rendered(*(Table(f"c{i}", frame) for i in range(2)))
    assert text.count("The first 750 of 4000 rows") == 2
    outline = Outline(text)
    assert len(outline.cells) == 2 * 751
    assert outline.data[1]["rest"][0] == [["750"], [750.0], []]
    assert outline.data[1]["files"]["csv"].count("\n") == 4001
    assert "The first" not in rendered(Table("c", frame[:1500]))


def test_sections_are_linked_by_different_names():
    parts = [
        Section(t, n, ()) for t, n in (("A", "x y"), ("B", "x y"), ("C", "content"), ("D", "≈"))
    ]
    outline = Outline(page("t", parts))
    targets = [g["id"] for t, g in outline.tags if t == "section"]
    links = [g["href"][1:] for t, g in outline.tags if t == "a" and g.get("class") != "skip"]
    assert targets == links == ["x-y", "x-y-2", "content-3", "section"]
    ids = re.findall(r' id="([^"]+)"', page("t", parts))
    assert len(set(ids)) == len(ids)


def test_the_same_results_make_the_same_page():
    assert rendered(charts(results())) == rendered(charts(results()))
