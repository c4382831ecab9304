"""The report page in a real browser: what a reader sees, does and takes away."""

from __future__ import annotations

import io
import itertools
import struct
import xml.etree.ElementTree as ElementTree

import numpy as np
import pandas as pd
import pytest
from opened_pages import CONTRAST, opened
from pages_made import ALGORITHMS, HOSTILE, MEASURES, ODD, awkward, pairs
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import podium
from podium.answers.sections import findings
from podium.reports.analysis import analysed
from podium.reports.charts import charts
from podium.reports.document import Part, Section, Table
from podium.reports.render import page as rendered

pytestmark = pytest.mark.browser

SUMMARY = '.table[data-title="Summary"]'
FOUR, MANY = '.table[data-title="Pairs of 4"]', '.table[data-title="Pairs of 50"]'


def opacities(made, chart):
    query = f"[data-chart={chart}] .mark-symbol path"
    read = "dots => dots.map(d => +(d.getAttribute('opacity') ?? 1))"
    return made.page.locator(query).evaluate_all(read)


def column(made, table, place):
    return made.texts(f"{table} tbody td:nth-child({place})")


# -- charts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("chart", "start", "end"), [
    ("podium", (0.1, 0.6), (0.4, 0.75)),
    ("dots", (0.2, 0.1), (0.3, 0.6)),
    ("density", (0.6, 0.2), (0.65, 0.8)),
    ("differences", (0.6, 0.2), (0.65, 0.8)),
])  # fmt: skip
def test_a_brush_chooses_samples_in_every_chart(open_page, chart, start, end):
    made = open_page()
    made.choose("[data-switch=dataset]", "monks")
    assert set(opacities(made, "dots")) == {0.85}
    made.drag(chart, start, end)
    said = made.texts(".listed .count")[0]
    count = int(said.split()[0])
    assert said == f"{count} of 20 samples chosen"
    assert 0 < count < 20
    made.page.mouse.wheel(0, 240)  # the pointer is over what was brushed
    made.settle()
    assert made.texts(".listed .count") == [said]
    for other in ("podium", "dots", "differences"):
        marked = [o for o in opacities(made, other) if o == 0.85]
        assert len(marked) == count * len(ALGORITHMS)
        assert len(opacities(made, other)) == 20 * len(ALGORITHMS)
    chosen = pd.read_csv(io.BytesIO(made.saved("[data-act=chosen]")))
    assert chosen["sample"].nunique() == count
    assert set(chosen["algorithm"]) == set(ALGORITHMS)
    made.page.click("[data-act=clear]")
    made.settle()
    assert set(opacities(made, "dots")) == {0.85}
    assert made.texts(".listed .count") == ["No sample chosen"]


def test_chosen_samples_are_told_apart_by_their_test_parts(browser, tmp_path):
    y = np.repeat(["a", "b"], 30)
    x = np.random.default_rng(0).normal(0, 1, (60, 2)) + (y == "b")[:, None]
    study = podium.Study(
        [podium.dataset("one", x, y)], {"bayes": GaussianNB(), "tree": DecisionTreeClassifier()},
        sampling="bootstrap:25", measures=["error"], seed=1, keep=["predictions"])  # fmt: skip
    podium.run(study, tmp_path / "kept.db", jobs=1, quiet=True)
    results = podium.read(tmp_path / "kept.db")
    path = tmp_path / "page.html"
    linked = charts(results)
    path.write_text(
        rendered("Page", [Section("Scores", "scores", (Part(items=(linked,)),))]), encoding="utf-8"
    )
    made = opened(browser, path)
    assert made.texts(".apart summary") == ["Why these samples? Choose some, not all."]
    made.drag("dots", (0.55, 0.1), (0.9, 0.5))
    made.page.click(".apart summary")
    (said,) = made.texts(".listed .count")
    count = int(said.split()[0])
    head = made.texts(".apart th")
    assert head == ["mean", f"{count} chosen", f"{25 - count} others", "difference in sd"]
    chosen = {int(s) - 1 for s in made.texts(".listed .names")[0].split(", ")}
    facts = {f["label"]: np.array(f["values"]) for f in linked.data["facts"]["0"]["numbers"]}
    inside = np.isin(np.arange(25), list(chosen))
    for label, mean, others, gap in zip(*[iter(made.texts(".apart td"))] * 4, strict=True):
        values = facts[label]
        assert float(mean) == pytest.approx(values[inside].mean(), rel=0.01)
        assert float(others) == pytest.approx(values[~inside].mean(), rel=0.01)
        apart = (values[inside].mean() - values[~inside].mean()) / values.std()
        assert float(gap) == pytest.approx(apart, abs=0.06)
    assert made.texts(".apart li")[0].startswith("row ")
    made.page.click("[data-act=clear]")
    assert made.texts(".apart summary") == ["Why these samples? Choose some, not all."]
    assert made.complaints == []


def test_a_sample_is_chosen_by_keyboard_and_kept_over_measures(open_page):
    made = open_page()
    made.choose("[data-switch=dataset]", "monks")
    made.page.select_option("[data-act=add]", index=5)
    made.choose("[data-switch=measure]", MEASURES[1])
    assert made.texts(".listed .names") == ["5"]
    assert opacities(made, "dots").count(0.85) == len(ALGORITHMS)
    made.choose("[data-switch=dataset]", ODD)  # other samples
    assert made.texts(".listed .count") == ["No sample chosen"]


def test_pointing_at_a_dot_shows_all_scores_of_its_sample(open_page):
    made = open_page()
    made.choose("[data-switch=dataset]", "monks")
    dot = made.page.locator("[data-chart=dots] .mark-symbol path").first
    dot.scroll_into_view_if_needed()
    box = dot.bounding_box()
    made.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    made.settle()
    assert made.texts(".tip strong")[0].startswith("Sample ")
    assert set(made.texts(".tip td:first-child")) == set(ALGORITHMS)
    areas = "dots => new Set(dots.map(d => d.getBoundingClientRect().width > 9)).size"
    assert made.page.locator("[data-chart=podium] .mark-symbol path").evaluate_all(areas) == 2
    made.page.mouse.move(1, 1)
    assert made.page.locator(".tip").is_hidden()


def test_algorithms_are_filtered_in_charts_and_tables(open_page):
    made = open_page()
    made.choose("[data-switch=dataset]", "monks")
    before = made.page.locator("[data-chart=dots] svg").bounding_box()["height"]
    made.page.get_by_label(HOSTILE, exact=True).uncheck()
    made.settle()
    assert len(opacities(made, "dots")) == len(opacities(made, "podium")) == 60
    assert made.page.locator("[data-chart=dots] svg").bounding_box()["height"] < before
    assert HOSTILE not in column(made, FOUR, 1) + column(made, FOUR, 2)
    assert len(column(made, FOUR, 1)) == 3
    made.page.click("[data-tick=none]")
    made.settle()
    assert opacities(made, "dots") == []
    assert column(made, FOUR, 1) == []
    made.page.click("[data-tick=all]")
    assert len(column(made, FOUR, 1)) == 6


def test_switches_change_charts_and_parts(open_page):
    made = open_page()
    assert made.texts("h3") == ["By test"]
    titles = "[data-chart=dots] .role-title-text text"
    assert made.texts(titles) == ["error (lower is better)"]
    assert len(opacities(made, "dots")) == 2 * len(ALGORITHMS)  # means on data sets
    made.choose("[data-switch=procedure]", "mixed")
    assert made.texts("h3") == ["By model"]
    made.choose("[data-switch=procedure]", "wilcoxon")
    made.choose("[data-switch=measure]", MEASURES[1])
    assert made.texts("h3") == ["Of loss"]  # the only procedure for this measure
    assert made.page.locator("[data-switch=procedure]").input_value() == "mixed"
    assert made.texts(titles) == [f"{MEASURES[1]} (lower is better)"]
    made.choose("[data-switch=dataset]", ODD)
    assert made.texts("h3") == ["Of loss", "On one"]


def test_rows_of_tables_are_those_of_the_chosen_data_set(open_page):
    made = open_page()
    rows = len(MEASURES) * len(ALGORITHMS)
    assert len(column(made, SUMMARY, 1)) == 2 * rows
    made.choose("[data-switch=dataset]", ODD)
    assert set(column(made, SUMMARY, 1)) == {ODD}
    assert len(column(made, SUMMARY, 1)) == rows
    made.choose("[data-switch=dataset]", "")
    assert len(column(made, SUMMARY, 1)) == 2 * rows


def test_charts_that_would_mislead_give_way_to_a_sentence(open_page):
    made = open_page()
    density = made.page.locator("[data-chart=density] .drawn")
    assert density.is_hidden()
    assert made.texts(".why") == ["There is no chart of densities, as there are only 2 data sets."]
    assert "data set by data set" in made.texts("[data-chart=differences] figcaption")[0]
    made.choose("[data-switch=dataset]", "monks")  # 20 samples
    assert density.is_visible()
    assert density.locator("svg").bounding_box()["width"] > 500
    assert made.texts(".why") == []
    assert "sample by sample" in made.texts("[data-chart=differences] figcaption")[0]


def test_right_and_wrong_have_no_charts_of_items(browser, tmp_path):
    right = pd.DataFrame({"item": range(8), "a": [0, 1] * 4, "b": [1] * 8})
    made = charts(podium.read(right, sampling="items", measure="accuracy"))
    page = opened(browser, saved_page(tmp_path, made))
    assert len(page.texts(".why")) == 3
    assert "as the scores have only 2 different values" in page.texts(".why")[0]
    assert "all of them are 0 or 1" in page.texts(".why")[1]
    assert [page.page.locator(f"[data-chart={c}] .drawn").is_visible()
            for c in ("podium", "places", "dots", "density", "differences")] == [
        False] * 5  # fmt: skip
    assert page.texts(".listed .count") == ["No item chosen"]
    assert page.complaints == []


def test_scores_that_are_all_equal_have_no_axis(browser, tmp_path):
    same = pd.DataFrame({"sample": range(3), "a": 0.5, "b": 0.5})
    made = charts(podium.read(same, sampling="bootstrap", measure="accuracy"))
    page = opened(browser, saved_page(tmp_path, made))
    assert page.texts(".why")[1] == "There is no chart of scores, as all of them are 0.5."
    assert page.page.locator(".drawn:visible, .hint:visible").count() == 0


def saved_page(folder, *items):
    text = rendered("t", [Section("s", "s", (Part(items=items),))])
    (folder / "page.html").write_text(text, encoding="utf-8", newline="\n")
    return folder / "page.html"


def test_differences_follow_the_reference(open_page):
    made = open_page()
    made.choose("[data-act=reference]", "2")
    title = "[data-chart=differences] .role-title-text text"
    assert made.texts(title) == ["Difference of error (lower is better) to tree"]


def test_a_short_order_stays_on_one_line_of_a_phone(browser, tmp_path):
    orders = ["model-a ≈ model-b ≿ model-c", "a"]
    frame = pd.DataFrame({"order": orders, **dict.fromkeys("bcdefg", "x" * 9)})
    path = saved_page(tmp_path, Table("Orders", frame))
    phone = {"width": 375, "height": 700}
    page = opened(browser, path, viewport=phone, java_script_enabled=False).page
    assert page.locator("tbody tr").first.bounding_box()["height"] < 40  # two lines have 52


def test_a_long_name_without_spaces_is_broken_and_hides_no_numbers(browser, tmp_path):
    frame = pd.DataFrame({"first": ["x" * 90], "second": ["y" * 90], "estimate": [0.5]})
    path = saved_page(tmp_path, Table("Pairs", frame))
    page = opened(browser, path, java_script_enabled=False)
    assert page.page.evaluate("(box => box.scrollWidth <= box.clientWidth)"
                              "(document.querySelector('.scroll'))")  # fmt: skip


# -- tables ---------------------------------------------------------------------------------


def test_tables_are_sorted_by_value_with_mouse_and_keyboard(open_page):
    made = open_page()
    frame = pairs(ALGORITHMS).frame
    head = made.page.locator(f"{FOUR} th:nth-child(3) button")
    head.click()
    by_estimate = [f"{v:.3g}" for v in frame["estimate"].sort_values()]
    assert column(made, FOUR, 3) == by_estimate
    made.page.keyboard.press("Enter")
    assert column(made, FOUR, 3) == by_estimate[::-1]
    assert made.page.locator(f"{FOUR} [aria-sort=descending]").inner_text().startswith("estimate")
    made.page.keyboard.press("Tab")
    made.page.keyboard.press("Enter")
    assert column(made, FOUR, 1) == frame.sort_values("p")["first"].tolist()
    assert made.page.locator(f"{FOUR} [aria-sort]").count() == 1


def test_long_tables_come_in_pages_and_are_filtered(open_page):
    made = open_page()
    assert len(column(made, MANY, 1)) == 50
    assert made.texts(f"{MANY} .count") == ["Rows 1–50 of 1225"]
    made.page.click(f"{MANY} [aria-label='Next rows']")
    assert made.texts(f"{MANY} .count") == ["Rows 51–100 of 1225"]
    made.page.fill(f"{MANY} input", "A50")
    assert made.texts(f"{MANY} .count") == ["49 rows (of 1225 in all)"]
    assert set(column(made, MANY, 2)) == {"a50"}


# -- files ----------------------------------------------------------------------------------


def test_files_of_tables_hold_every_digit(open_page):
    made = open_page()
    table = pairs([f"a{i}" for i in range(1, 51)]).frame
    read = pd.read_csv(io.BytesIO(made.saved(f"{MANY} [data-file=csv]")))
    pd.testing.assert_frame_equal(read, table, rtol=0, atol=0)
    small = made.saved(f"{FOUR} [data-file=tex]").decode()
    assert r"\textless{}script\textgreater{}alert(1)" in small
    assert small.count(r"\\") == 7
    read = pd.read_csv(io.BytesIO(made.saved(f"{FOUR} [data-file=csv]")))
    assert read["first"].tolist() == pairs(ALGORITHMS).frame["first"].tolist()


@pytest.mark.parametrize(("box", "width"), [("figure.figure", 600), ("[data-chart=podium]", 1200)])
def test_pictures_are_saved_as_svg_and_png(open_page, box, width):
    made = open_page()
    root = ElementTree.fromstring(made.saved(f"{box} [data-file=svg]"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert b"var(" not in made.saved(f"{box} [data-file=svg]")  # other programs know no variables
    png = made.saved(f"{box} [data-file=png]")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", png[16:24])
    assert width <= wide <= 2 * width
    assert wide / 8 < high < wide
    assert len(png) > 1000
    data = pd.read_csv(io.BytesIO(made.saved(f"{box} [data-file=csv]")))
    assert len(data) in (1225, 2 * len(ALGORITHMS))


def test_figures_give_their_other_files(open_page):
    assert open_page().saved("[data-file='line.tikz']") == rb"\draw;"


# -- colours, paper, phones, no scripts -----------------------------------------------------


def background(made):
    return made.page.evaluate("getComputedStyle(document.body).backgroundColor")


def axis(made):
    query = "[data-chart=podium] .role-axis-label text"
    return made.page.locator(query).first.get_attribute("fill")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_and_the_button(open_page, scheme):
    made = open_page(color_scheme=scheme)
    papers = {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 24, 26)"}
    inks = {"light": "#1a1a1a", "dark": "#e6e6e6"}
    other = {"light": "dark", "dark": "light"}[scheme]
    assert (background(made), axis(made)) == (papers[scheme], inks[scheme])
    made.page.click("button.theme")
    made.settle()
    assert (background(made), axis(made)) == (papers[other], inks[other])
    made.page.emulate_media(media="print")
    assert background(made) == papers["light"]


def test_paper_has_what_is_chosen_says_so_and_has_no_controls(open_page):
    made = open_page()
    assert made.page.locator(".chosen-here").is_hidden()
    assert made.page.locator(".hint").is_visible()
    made.choose("[data-switch=procedure]", "mixed")
    made.page.emulate_media(media="print")
    made.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert made.texts("h3") == ["By model"]
    assert made.texts(".chosen-here")[0].endswith(
        "Data set: all data sets together; Procedure: mixed. The page itself has the others."
    )
    assert made.texts(f"{MANY} .count") == ["Rows 1–50 of 1225"]  # too many to print
    assert made.page.locator(".hint").is_hidden()  # nobody drags over dots on paper
    assert made.page.locator("section:visible").count() == 4
    assert made.page.locator("button[data-file]:visible, aside:visible").count() == 0
    assert made.page.pdf()[:5] == b"%PDF-"  # with it the events of printing
    assert len(column(made, MANY, 1)) == 50  # as before


def test_a_phone_scrolls_only_downwards(open_page):
    made = open_page(viewport={"width": 375, "height": 700})
    assert made.page.evaluate("document.documentElement.scrollWidth") == 375
    assert made.page.locator("[data-chart=podium] svg").bounding_box()["width"] <= 375
    assert made.page.get_by_label("Measure").is_hidden()  # until it is asked for
    made.page.click("summary")
    assert made.page.get_by_label("Measure").is_visible()


def test_all_is_read_without_scripts(open_page):
    made = open_page(java_script_enabled=False)
    assert len(column(made, MANY, 1)) == 1225
    assert made.page.locator("h3:visible").count() == 4
    assert made.page.locator("figure.figure svg").is_visible()
    assert "need scripts" in made.texts("noscript")[0]
    assert made.page.locator("button:visible").count() == 0


def test_keys_lead_to_the_content_and_headings_are_in_order(open_page):
    made = open_page()
    made.page.keyboard.press("Tab")
    assert made.page.evaluate("document.activeElement.className") == "skip"
    made.page.keyboard.press("Enter")
    assert made.page.evaluate("document.activeElement.id") == "content"
    levels = made.page.locator("h1, h2, h3").evaluate_all("all => all.map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    bare = "all => all.filter(e => !e.labels?.length && !e.getAttribute('aria-label')).length"
    assert made.page.locator("select, input").evaluate_all(bare) == 0
    assert made.page.locator("html").get_attribute("lang") == "en"


# -- safety ---------------------------------------------------------------------------------


def test_names_stay_text_everywhere(open_page):
    made = open_page()
    title, _ = awkward()
    assert made.page.title() == title
    assert made.page.locator("h1").inner_text() == title
    assert HOSTILE in column(made, FOUR, 1)
    assert made.texts(".badge") == ["a-code"]
    assert ODD in made.page.locator("[data-switch=dataset] option").all_text_contents()
    assert any(
        t.startswith("<script>") for t in made.texts("[data-chart=dots] .role-axis-label text")
    )
    assert made.page.locator("main img, main b, td script, h1 script").count() == 0


@pytest.mark.parametrize(("kind", "act"), [
    ("script-src-elem", "e => { e.tag = document.createElement('script'); e.tag.text = 'e=1' }"),
    ("img-src", "e => { e.tag = new Image(); e.tag.src = 'https://example.org/x.png' }"),
    ("script-src", "e => setTimeout(() => { try { eval('1') } catch (error) {} })"),
])  # fmt: skip
def test_nothing_else_runs_and_nothing_comes_from_outside(browser, awkward_page, kind, act):
    made = opened(browser, awkward_page)
    found = made.page.evaluate(f"""() => new Promise((done) => {{
        addEventListener('securitypolicyviolation', (v) => done(v.effectiveDirective));
        const e = {{}};
        ({act})(e);
        if (e.tag) document.body.append(e.tag);
        setTimeout(() => done('nothing'), 2000);
    }})""")
    made.page.context.close()
    assert found == kind
    assert [u for u in made.requests if not u.startswith(("file:", "data:"))] in (
        [], ["https://example.org/x.png"])  # fmt: skip


def test_a_large_survey_is_small_and_opens_quickly(browser, survey_page):
    assert survey_page.stat().st_size < 20e6
    made = opened(browser, survey_page)
    ready = made.page.evaluate("performance.getEntriesByName('charts ready')[0].startTime")
    assert ready < 5000
    made.choose("[data-switch=dataset]", "j9")
    made.page.wait_for_selector("#each .part:not(.off) .bar")
    assert made.texts("#each .part:not(.off) .count") == ["Rows 1–50 of 1225"]
    assert made.page.locator("#each .part:not(.off)").count() == 1
    made.page.context.close()
    assert made.complaints == []


# -- the first screen -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def answered_page(tmp_path_factory):
    """The first section of a page of thirty algorithms with long names."""
    rng = np.random.default_rng(0)
    values = 0.2 + rng.random((20, 1)) * 0.2 + np.linspace(0, 0.3, 30)
    names = [f"A-LONG-NAME-{i} (tuned + ensemble)" for i in range(30)]
    frame = pd.DataFrame(values + rng.normal(0, 0.02, (20, 30)), columns=names)
    frame.insert(0, "dataset", [f"d{i}" for i in range(20)])
    parts = tuple(findings(analysed(podium.read(frame, measure="error"))))
    path = tmp_path_factory.mktemp("answer") / "page.html"
    text = rendered("t", [Section("What was found", "findings", parts)])
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 1600)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_verdict_and_the_standings_are_seen_first(
    browser, answered_page, width, height, scheme
):
    shape = {"width": width, "height": height}
    page = browser.new_page(viewport=shape, color_scheme=scheme)
    page.goto(answered_page.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == width
    verdict = page.locator(".verdict").bounding_box()
    assert verdict["y"] + verdict["height"] < height / 3
    assert page.locator(".hero tbody tr").nth(1).bounding_box()["y"] < height
    hero = "(box => box.scrollWidth <= box.clientWidth)(document.querySelector('.hero'))"
    assert page.evaluate(hero)
    for seen in (".verdict", ".verdict b", ".meta", ".state span", ".chip summary", ".limits"):
        assert page.locator(seen).first.evaluate(CONTRAST) >= 4.5, seen


def test_cautions_open_by_keyboard_and_paper_has_the_standings(browser, answered_page):
    page = browser.new_page()
    page.goto(answered_page.as_uri())
    chip = page.locator(".chip").first
    chip.locator("summary").focus()
    page.keyboard.press("Enter")
    assert chip.locator("p").is_visible()
    page.emulate_media(media="print")
    assert page.locator(".hero table").is_visible()
    assert page.locator(".verdict").is_visible()
