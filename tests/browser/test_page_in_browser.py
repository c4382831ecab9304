"""A page as a reader uses it: every control by mouse or keyboard, and what the budget allows."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from pages_made import HOSTILE

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
    made.page.mouse.move(area["x"] + 0.2 * area["width"], area["y"] + 2)
    made.page.mouse.down()
    made.page.mouse.move(area["x"] + 0.4 * area["width"], area["y"] + 0.2 * area["height"], steps=4)
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
