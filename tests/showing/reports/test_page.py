"""Pages: one file that answers without a script, escapes names, and says what the analysis says."""

import base64
import hashlib
import json
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pages_made import ALGORITHMS, HOSTILE, ODD, awkward, many

import podium
from podium.asking.comparison.pages import page_of
from podium.showing.reports.board import board
from podium.showing.reports.document import SECTIONS, Content, Page, View, axis_of, section
from podium.showing.reports.hero import CELLS, element, gradient
from podium.showing.reports.page import data_of, render

STYLES = sorted(path for path in Path(podium.__file__).parent.rglob("*.[cj]s*")
                if path.suffix in (".css", ".js"))  # fmt: skip


class Texts(HTMLParser):
    """What is read of a page, without style, data and script."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.read: list[str] = []
        self.skipping = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.skipping = tag in ("style", "script")

    def handle_endtag(self, tag):
        self.skipping = False

    def handle_data(self, data):
        if not self.skipping:
            self.read.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.read).split())


@pytest.fixture(scope="module")
def results():
    return awkward()


@pytest.fixture(scope="module")
def text(results):
    return podium.report(results).text


def test_it_answers_without_a_script(results, text):
    c = podium.compare(results, measure="error")
    page = Texts(text)
    assert "ranks best in error" in page.text
    for name in ALGORITHMS:
        assert name in page.text
    low, high = c.places["lda"]
    assert (f"{low}–{high}" if low < high else str(low)) in page.text


def test_names_are_texts_and_only_its_own_script_runs(text):
    page = Texts(text)
    scripts = [attributes for tag, attributes in page.tags if tag == "script"]
    assert [a.get("type") for a in scripts] == ["application/json", None]
    assert not any(tag == "img" for tag, _ in page.tags)
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    code = text.rsplit("<script>", 1)[1].split("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    policy = next(a["content"] for t, a in page.tags if a.get("http-equiv"))
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert not re.search(r"https?://(?!www\.w3\.org)", text)


def test_its_data_hold_the_names_as_they_are(text):
    data = re.search(r'id="data">(.*?)</script>', text, re.S).group(1)
    made = json.loads(data)
    assert made["schema"] == "podium-page/1"
    assert made["names"][1] == HOSTILE
    assert ODD in made["blocks"]
    assert set(made["values"]) == {"error", "seconds"}


def test_sections_are_closed_lines_with_findings_and_content(text):
    lines = re.findall(r"<details id=\"(\w+)\"><summary><b>(.*?)</b> <span>(.*?)</span>", text)
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
    assert len(lines) >= 6
    for name, title, finding in lines:
        assert title
        assert unescape(finding)
        assert data["sections"][name], name


def test_every_view_is_one_analysis(results):
    page = page_of(results)
    for view in page.views:
        at = view.at
        c = podium.compare(results, at["test"], measure=at["measure"])
        assert view.headline == board(c).headline
        beats = sum(abs(row[6]) == 1 for row in view.live["pairs"])
        assert beats == c.decision.significant
        leading = [row.name for row in view.rows if row.leads]
        assert leading == [name for name in c.decision.rows if name in c.lead]
    assert [v.at["measure"] for v in page.views].count("seconds") == 1


def test_differences_of_the_table_are_those_of_the_comparisons(results):
    c = podium.compare(results, measure="error")
    view = board(c)
    first = view.rows[0].name
    t = c.table.set_index(["first", "second"])
    for row in view.rows[1:]:
        pair = (
            t.loc[(first, row.name)] if (first, row.name) in t.index else t.loc[(row.name, first)]
        )
        cell = row.cells["interval"]
        assert abs(cell["v"]) == pytest.approx(abs(pair["estimate"]))
        worse = (row.name, first) in t.index and pair["verdict"] == "worse"
        worse = worse or ((first, row.name) in t.index and pair["verdict"] == "better")
        assert (cell["lo"] > 0) == worse


def test_very_many_methods_have_a_board_an_overview_and_a_bounded_page():
    text = podium.report(many()).text
    assert len(text) < 500_000
    assert text.count('<tr class="leads"') + text.count('<tr tabindex="0"') == 25
    assert 'id="overview"' in text
    assert "Show all 78" in text
    small = podium.report(many(5, 30)).text
    assert len(small) < 150_000


def test_a_section_without_content_is_not_there(results):
    try:
        section("nothing", "Nothing", place=1)(lambda analysis: None)
        section("something", "Something", place=2)(lambda analysis: Content("It is there."))
        made = [each.name for each in page_of(results).sections]
    finally:
        for name in ("nothing", "something"):
            SECTIONS._entries.pop(name, None)
    assert "something" in made
    assert "nothing" not in made


def test_one_algorithm_alone_has_words_and_no_table():
    scores = podium.read({"svm": [0.1, 0.2, 0.3, 0.2]}, sampling="runs", measure="error")
    text = podium.report(scores).text
    assert "mean error" in text
    assert "<table" not in text


def test_nothing_to_compare_is_told():
    one = podium.read({"a": [0.1], "b": [0.2]}, sampling="runs", measure="error")
    assert "are compared from 2 scores" in Texts(podium.report(one).text).text


# -- parts ----------------------------------------------------------------------------------------


def test_elements_escape_whatever_they_are_given():
    made = element("p", "<b>", title='"x" & y', hidden=False, data_row=1)
    assert made == '<p title="&quot;x&quot; &amp; y" data-row="1">&lt;b&gt;</p>'


def test_a_strip_joins_equal_neighbours():
    assert gradient("88.0") == (
        "linear-gradient(90deg,var(--s8) 0% 50%,var(--sx) 50% 75%,var(--s0) 75% 100%)"
    )


@pytest.mark.parametrize("kind", CELLS)
def test_every_kind_of_cell_is_drawn(kind):
    values = {
        "rank": "1–2", "text": ("slower", "tone-bad"), "number": ("0.2", 0.2),
        "estimate": ("0.1", "(0.0 to 0.2)", 0.1), "strip": "012", "share": 0.25,
        "interval": {"v": 1.0, "lo": 0.5, "hi": 1.5, "ghost": 0.7, "tlo": 0.1, "thi": 1.9},
        "split": (0.2, 0.5, 0.3), "runs": "dfm", "dots": ((0.1, 0.2), (0.3,)),
    }  # fmt: skip
    made = str(element("td", CELLS[kind](values[kind], axis_of([0.0, 2.0]))))
    assert made.startswith("<td>")
    assert len(made) > 10


def test_a_page_of_plain_views_needs_no_analysis():
    page = Page("t", "2 studies", (View((("svm", True), (" beats lda.", False))),))
    assert data_of(page)["views"][0]["headline"] == [["svm", True], [" beats lda.", False]]
    assert "<b>svm</b> beats lda." in render(page)


@pytest.mark.parametrize("name", [path.name for path in STYLES])
def test_nothing_moves_by_itself(name):
    """Readers who asked for less motion get what all get."""
    text = next(path for path in STYLES if path.name == name).read_text("utf-8")
    assert not re.findall(r"transition|animation|@keyframes|scroll-behavior|smooth", text)
