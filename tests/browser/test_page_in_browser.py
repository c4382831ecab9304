"""A page as a reader uses it: every control by mouse or keyboard, and what the budget allows."""

import re

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from pages_made import HOSTILE

import podium

pytestmark = pytest.mark.browser
NARROW = {"viewport": {"width": 390, "height": 800}}
NUMBER = re.compile(r"\d+\.?\d*")
TIP = ' data-tip=" "'
WORDS = "document.body.innerText.split(/\\s+/).filter(w => /\\p{L}.*\\p{L}/u.test(w)).length"


def height(made):
    return made.page.evaluate("document.documentElement.scrollHeight")


def over(made):
    return made.page.evaluate("document.documentElement.scrollWidth - innerWidth")


def test_the_script_draws_what_python_wrote(open_page, five, large):
    for path in (five, large):
        plain, drawn = (open_page(path, java_script_enabled=script) for script in (False, True))
        assert plain.text("#headline") == drawn.text("#headline")
        first, second = (
            re.findall(r"<[^>]+>|[^<]+", made.page.inner_html(".board tbody").replace(TIP, ""))
            for made in (plain, drawn)
        )
        assert [NUMBER.sub("", part) for part in first] == [NUMBER.sub("", p) for p in second]
        for one, other in zip(first, second, strict=True):
            reach = (
                0.11 if one.startswith("<") else 0
            )  # texts are the same, places but for rounding
            numbers = ([float(n) for n in NUMBER.findall(part)] for part in (one, other))
            assert next(numbers) == pytest.approx(next(numbers), abs=reach)


def test_first_opened_it_is_short(open_page, five, large):
    made = open_page(five)
    assert height(made) <= 1200
    assert made.page.evaluate(WORDS) <= 320
    assert height(open_page(large)) <= 2200
    for path in (five, large):
        narrow = open_page(path, **NARROW)
        assert height(narrow) <= 2600
        assert over(narrow) <= 0


def test_a_measure_and_a_test_change_the_answer_and_the_address(open_page, five):
    made = open_page(five)
    before = made.names
    made.page.click("#controls button:has-text('seconds')")
    assert "seconds" in made.text("#headline")
    assert made.names != before
    assert "measure=seconds" in made.address
    again = open_page(five, "#" + made.page.evaluate("location.hash.slice(1)"))
    assert again.text("#headline") == made.text("#headline")
    made.page.click("#controls button:has-text('error')")
    made.page.click("#controls button:has-text('paired-t')")
    assert "test=paired-t" in made.address
    assert "lowest error" in made.text("#headline")


def test_another_reference_and_hidden_rows_change_the_claim(open_page, five):
    made = open_page(five)
    made.page.select_option("#c-ref", label="knn")
    assert "beat knn" in made.text("#headline")
    assert "ref=knn" in made.address
    assert made.text("th.interval").startswith("Difference from knn")
    made.page.select_option("#c-ref", label="the best")
    first = made.names[0]
    made.page.click("#c-hide")
    made.page.locator("#controls .menu input").first.uncheck()
    assert first not in made.names
    assert first not in made.text("#headline")
    assert f"hide={first}" in made.address
    made.page.keyboard.press("Escape")
    assert made.page.locator("#controls .menu input").count() == 0


def test_headings_sort_and_rows_open_by_mouse_and_keys(open_page, five):
    made = open_page(five)
    made.page.click("th.name button")
    assert made.names == sorted(made.names)
    made.page.click("th.name button")
    assert made.names == sorted(made.names, reverse=True)
    assert made.page.get_attribute("th.name", "aria-sort") == "descending"
    made.page.keyboard.press("Escape")
    made.page.focus(".board tbody tr[data-name]")
    made.page.keyboard.press("j")
    made.page.keyboard.press("Enter")
    assert "Significantly" in made.text("tr.open")
    assert "row=" in made.address
    made.page.keyboard.press("Enter")
    assert made.page.locator("tr.open").count() == 0


def test_tips_tell_numbers_and_names(open_page, five):
    made = open_page(five)
    made.page.hover(".board tbody tr[data-name]:nth-of-type(4) td.interval")
    tip = made.text("#tip")
    assert "compared with" in tip
    assert "p " in tip
    made.page.hover(".board tbody tr[data-name] td.strip")
    assert "rank" in made.text("#tip")


def test_tables_are_copied_as_they_are_shown(open_page, five):
    made = open_page(five)
    for kind in ("markdown", "latex", "csv", "png"):
        if not made.page.locator(f"#t-{kind}").count():
            made.page.click("#t-copy")
        made.page.click(f"#t-{kind}")
    for _ in range(50):  # the policy allows no text to be waited for as code
        if len(made.copied) == 4:
            break
        made.page.wait_for_timeout(100)
    markdown, latex, csv, png = made.copied
    assert markdown.startswith("| Rank | Algorithm | Mean rank |")
    assert "\\toprule" in latex
    assert HOSTILE in csv
    assert len(csv.strip().split("\n")) == 6
    assert png > 10_000


def test_very_many_rows_are_searched_filtered_and_shown(open_page, large):
    made = open_page(large)
    assert len(made.names) == 25
    made.page.keyboard.press("/")
    made.page.keyboard.type("method03 tuned")
    assert made.names == ["Method03 (tuned)", "Method03 (tuned + ensemble)"]
    made.page.keyboard.press("Escape")
    made.page.select_option("#c-family", label="Method05")
    assert len(made.names) == 3
    made.page.select_option("#c-family", label="all")
    made.page.click("#more button")
    assert len(made.names) == 78
    made.page.click("#overview svg", position={"x": 5, "y": 20})
    assert made.page.locator("tr.open").count() == 1


def test_lines_are_drawn_when_they_are_opened(open_page, five):
    made = open_page(five)
    assert made.page.locator(".content > *").count() == 0
    lines = made.page.locator("summary")
    for i in range(lines.count()):
        lines.nth(i).click()
    made.page.wait_for_selector("details:last-of-type .content > *")  # drawn a moment later
    empty = made.page.eval_on_selector_all(
        "details",
        "all => all.filter(d => !d.querySelector('.content').textContent.trim()).map(d => d.id)",
    )
    assert empty == []
    assert over(made) <= 0
    assert "open=" in made.address


def test_what_is_brushed_in_one_picture_is_marked_in_the_other(open_page, five):
    made = open_page(five, "#open=scores")
    box = made.page.locator("svg.brushed").first
    box.scroll_into_view_if_needed()
    area = box.bounding_box()
    made.page.mouse.move(area["x"] + 0.5 * area["width"], area["y"] + 2)
    made.page.mouse.down()
    made.page.mouse.move(area["x"] + 0.7 * area["width"], area["y"] + 0.2 * area["height"], steps=4)
    made.page.mouse.up()
    picked = made.page.locator("svg.brushed >> nth=1").locator(".picked").count()
    assert 0 < picked < 12
    assert made.text("#scores .content p").startswith(f"{picked} of 12 selected")


def test_colours_switch_and_nobody_is_shut_out(open_page, five, large):
    for path, options in ((five, {}), (large, {"color_scheme": "dark"}), (five, NARROW)):
        made = open_page(path, **options)
        ground = "getComputedStyle(document.body).backgroundColor"
        before = made.page.evaluate(ground)
        found = Axe().run(made.page).response["violations"]
        grave = [v["id"] for v in found if v["impact"] in ("serious", "critical")]
        assert grave == [], [v["nodes"][0]["html"] for v in found]
        made.page.click("#t-theme")
        assert made.page.evaluate(ground) != before


def test_it_prints_to_two_pages(open_page, five):
    made = open_page(five)
    paper = made.page.pdf(format="A4")
    assert paper.count(b"/Type /Page\n") + paper.count(b"/Type /Page ") <= 2


@pytest.fixture(scope="module")
def posterior(tmp_path_factory):
    rng = np.random.default_rng(5)
    values = (
        rng.normal(0.2, 0.03, (14, 1)) + np.array([0, 0.004, 0.02]) + rng.normal(0, 0.01, (14, 3))
    )
    table = pd.DataFrame(values, columns=["a", "b", "c"]).assign(dataset=range(14))
    results = podium.read(table.assign(dataset=[f"d{i}" for i in range(14)]), measure="error")
    path = tmp_path_factory.mktemp("posterior") / "page.html"
    c = podium.compare(results, posterior=True, rope=0.01)
    podium.report(results, path, comparisons=c)
    return path


def test_a_region_moves_by_keys_and_the_address_keeps_it(open_page, posterior):
    made = open_page(posterior)
    before, shares = made.text("#sentence"), made.texts("td.split i")
    assert "(within ±0.01)" in before
    made.page.focus("#c-rope")
    for _ in range(3):
        made.page.keyboard.press("ArrowRight")
    moved = made.page.input_value("#c-rope")
    made.page.wait_for_function("location.hash.includes('rope=')")
    assert made.address == f"#rope={moved}"
    assert made.text("#sentence") != before
    assert made.texts("td.split i") != shares
    assert made.page.evaluate("document.activeElement.id") == "c-rope"
    again = open_page(posterior, made.address)
    assert again.text("#sentence") == made.text("#sentence")
    assert again.text("#controls output") in again.text("th.split")


@pytest.fixture(scope="module")
def front(tmp_path_factory):
    from podium.cli.main import status_of

    folder = tmp_path_factory.mktemp("front")
    rng = np.random.default_rng(6)
    rows = [
        (f"q{i}", m, int(rng.random() < p), round(c * rng.lognormal(0, 0.3), 4))
        for i in range(150)
        for m, p, c in (("large", 0.85, 5.0), ("mid", 0.8, 1.0), ("old", 0.5, 2.0))
    ]
    names = ["item", "model", "accuracy", "cost"]
    pd.DataFrame(rows, columns=names).to_csv(folder / "scores.csv", index=False)
    page = folder / "page.html"
    asked = ["report", str(folder / "scores.csv"), "-m", "accuracy,cost", "-o", str(page)]
    assert status_of(asked) == 0
    return page


def test_a_front_and_its_measures_are_views_of_one_page(open_page, front):
    made = open_page(front)
    assert "is dominated by mid" in made.text("#headline")
    assert len(made.texts(".plane .name")) == 3
    made.page.click("#c-measure-cost")
    assert made.page.is_hidden("#picture")
    assert "cheapest" in made.text("#headline")
    made.page.click("summary:has-text('All comparisons')")
    made.page.wait_for_selector("#comparisons table.pairs")
    made.page.click("#c-measure-Front")
    assert made.page.is_visible("#picture")
    made.page.wait_for_selector("#comparisons table.pairs")
    narrow = open_page(front, viewport={"width": 390, "height": 844})
    assert narrow.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_lies_in_the_middle_is_rounded_as_in_the_sentence(open_page, tmp_path):
    """Mean ranks of 8 data sets are eighths: 2.625 is 2.62 in Python."""
    ranks = np.array([[0, 1, 2, 3]] * 3 + [[0, 1, 3, 2]] * 5)
    table = pd.DataFrame(0.1 + 0.1 * ranks, columns=list("abcd"))
    results = podium.read(table.assign(dataset=[f"d{i}" for i in range(8)]), measure="error")
    podium.report(results, tmp_path / "page.html")
    static = open_page(tmp_path / "page.html", java_script_enabled=False).texts("td.difference")
    drawn = open_page(tmp_path / "page.html").texts("td.difference")
    assert drawn == static
    assert any(cell.startswith("2.62") for cell in drawn) or any("2.38" in cell for cell in drawn)


@pytest.fixture(scope="module")
def long_names(tmp_path_factory):
    rng = np.random.default_rng(8)
    names = [f"very_long_configuration_name_lr0.00{i}_bs128" for i in range(4)]
    values = rng.uniform(0.6, 0.9, (20, 1)) - 0.012 * np.arange(4) + rng.normal(0, 0.02, (20, 4))
    table = pd.DataFrame(values, columns=names)
    table.insert(0, "dataset", [f"data-{i}" for i in range(20)])
    path = tmp_path_factory.mktemp("long") / "page.html"
    podium.report(podium.read(table, measure="balanced_accuracy"), path)
    return path


@pytest.mark.parametrize("width", [1280, 1170, 1000, 770, 390])
def test_long_names_stay_inside_their_frames(open_page, long_names, width):
    made = open_page(long_names, viewport={"width": width, "height": 844})
    assert made.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wider = """[...document.querySelectorAll(".frame")].filter(frame =>
        [...frame.querySelectorAll("td, th")].some(cell => cell.getBoundingClientRect().right >
            frame.getBoundingClientRect().right + 1)).length"""
    assert made.page.evaluate(wider) == 0
    made.page.evaluate("document.querySelectorAll('details').forEach(line => { line.open = true })")
    made.page.wait_for_selector("#comparisons table.pairs")
    found = Axe().run(made.page).response["violations"]
    assert found == [], [(v["id"], v["nodes"][0]["html"]) for v in found]


def test_the_keyboard_goes_on_where_it_was(open_page, large):
    """What a key changes is drawn anew, and the focus is still there."""
    made = open_page(large)
    here = "(e => e.id || e.closest('[data-key]')?.dataset.key || e.textContent)"
    focused = f"{here}(document.activeElement)"
    made.page.focus(".board th[data-key=score] button")
    made.page.keyboard.press("Enter")
    assert made.page.evaluate(focused) == "score"
    assert made.page.get_attribute(".board th[data-key=score]", "aria-sort") == "ascending"
    made.page.focus("#more button")
    made.page.keyboard.press("Enter")
    assert len(made.names) == 78
    assert made.page.evaluate(focused).startswith("Show the first")
    made.page.focus("#c-hide")
    made.page.keyboard.press("Enter")
    made.page.keyboard.press("Tab")
    made.page.keyboard.press("Space")
    assert len(made.names) == 77
    assert made.page.evaluate(focused).startswith("c-hide-")
    made.page.keyboard.press("Escape")
    assert made.page.evaluate(focused) == "c-hide"
    assert made.page.locator(".menu > div").count() == 0


def test_the_answer_needs_no_script(open_page, five):
    made = open_page(five, java_script_enabled=False)
    assert made.text("#headline")
    assert len(made.texts(".board tbody tr[data-name]")) == 5
    made.page.click("summary >> nth=0")
    told = "getComputedStyle(document.querySelector('details[open] .content'), '::before').content"
    assert "does not run here" in made.page.evaluate(told)
