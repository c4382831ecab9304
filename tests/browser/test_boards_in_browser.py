"""Boards and studies that run, in a real browser: watched, searched, sorted from the keyboard."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from podium import boards
from podium.running.studies.watching import is_written

pytestmark = pytest.mark.browser

PATIENCE = 600.0  # seconds, of a machine that has much else to do

STUDY = """\
name = "<img src=x onerror=alert(1)>"
seed = 1
sampling = "bootstrap:600"
measures = ["error"]
datasets = [{ name = "monks3", source = "builtin:monks3", target = "class" }]
[[algorithms]]
name = "stump"
estimator = "sklearn.tree.DecisionTreeClassifier"
parameters = { max_depth = 1 }
preprocess = true
[[algorithms]]
name = "<script>alert(2)</script>"
estimator = "sklearn.ensemble.RandomForestClassifier"
parameters = { n_estimators = 15 }
preprocess = true
[[algorithms]]
name = "forest"
estimator = "sklearn.ensemble.RandomForestClassifier"
parameters = { n_estimators = 20 }
preprocess = true
"""


def podium_process(folder: Path, *words: str) -> subprocess.Popen[str]:
    line = [sys.executable, "-m", "podium", *words]
    return subprocess.Popen(
        line, cwd=folder, stdout=subprocess.PIPE, text=True, start_new_session=True
    )


@pytest.fixture
def followed(browser, tmp_path):
    """A page of a study that has not begun, and what goes wrong in it."""
    (tmp_path / "study.toml").write_text(STUDY)
    server = podium_process(tmp_path, "board", "serve", "study.db")
    url = server.stdout.readline().split()[-1]
    page = browser.new_context().new_page()
    complaints: list[str] = []
    asked: list[str] = []
    page.on("console", lambda m: complaints.append(m.text))
    page.on("pageerror", lambda e: complaints.append(str(e)))
    page.on("dialog", lambda d: (complaints.append(d.message), d.dismiss()))
    page.on("request", lambda r: asked.append(r.url))
    page.goto(url)
    yield page
    page.context.close()
    server.send_signal(signal.SIGTERM)
    server.communicate(timeout=PATIENCE)
    left = (tmp_path / "study.db.html").read_text()
    assert "Complete." in left
    assert "<script" not in left
    assert complaints == []
    assert {*asked} == {url}


def started_again(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A run after a kill; workers that are about to end may still keep others from the store."""
    for _ in range(20):
        driver = podium_process(folder, *words)
        while driver.poll() is None and not is_written(folder / "study.db"):
            time.sleep(0.1)
        if driver.poll() != 2:
            return driver
    raise AssertionError("the store stays locked")


def state(page) -> str:
    return page.locator(".state").get_attribute("data-state")


def until(page, wanted: str) -> None:
    page.wait_for_selector(f'.state[data-state="{wanted}"]', timeout=1000 * PATIENCE)


def test_a_study_is_followed_from_the_first_run_to_the_decision(followed, tmp_path) -> None:
    words = ("run", "study.toml", "-j", "1", "-q", "--until", "decided", "--looks", "3",
             "--relevance", "0.02")  # fmt: skip
    assert state(followed) == "waiting"
    driver = podium_process(tmp_path, *words)
    until(followed, "running")
    made = followed.locator("progress")
    end = time.monotonic() + PATIENCE
    while int(made.get_attribute("value")) < 60 and time.monotonic() < end:
        followed.wait_for_timeout(100)
    assert int(made.get_attribute("value")) >= 60
    assert "runs per second" in followed.locator("main").inner_text()
    os.killpg(driver.pid, signal.SIGKILL)  # its workers go with it
    driver.wait()
    until(followed, "stopped")
    text = followed.locator("main").inner_text()
    assert "podium run goes on" in text
    assert "Looks and boundaries" in text
    assert not re.search(r"\bp [=<]", text)
    driver = started_again(tmp_path, *words)
    until(followed, "complete")
    assert driver.wait(timeout=PATIENCE) == 0
    decided = followed.locator("main").inner_text()
    assert "forest" in followed.locator(".seen").first.inner_text()  # the headline
    pairs = followed.locator("table").last.locator("tbody tr")
    assert pairs.count() == 3
    assert all("yes" in row.split("\t") for row in pairs.all_inner_texts()), decided
    assert followed.locator("main img, main script").count() == 0


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """78 submissions."""
    here = tmp_path_factory.mktemp("site")
    rng = np.random.default_rng(1)
    hard = rng.normal(size=300)
    names = [f"model {i}" for i in range(76)] + ["<b>bold</b>", "zebra & co"]
    columns = [(rng.random(300) < 1 / (1 + np.exp(-hard - i / 40))).astype(int)
               for i in range(78)]  # fmt: skip
    head = ",".join(["item", *names])
    rows = [",".join([f"q{i}", *(str(c[i]) for c in columns)]) for i in range(300)]
    (here / "items.csv").write_text("\n".join([head, *rows]) + "\n")
    board = boards.new(here / "items.csv", here / "board", measure="accuracy")
    boards.build(board, here / "site")
    return here / "site/index.html"


def test_78_rows_open_at_once_and_are_searched_and_sorted_by_keys(browser, site) -> None:
    page = browser.new_context().new_page()
    complaints: list[str] = []
    page.on("console", lambda m: complaints.append(m.text))
    page.on("pageerror", lambda e: complaints.append(str(e)))
    start = time.monotonic()
    page.goto(site.as_uri())
    page.wait_for_selector("html[data-board=ready]", state="attached")
    assert time.monotonic() - start < 1.0
    rows = page.locator("table.sortable tbody tr")
    assert rows.count() == 78
    page.keyboard.press("/")
    page.keyboard.type("zebra")
    assert page.locator("table.sortable tbody tr >> visible=true").count() == 1
    assert page.locator(".count").inner_text() == "1 of 78"
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.press("Tab")  # the first head
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    names = page.locator("table.sortable tbody th").all_inner_texts()
    assert names[0] == "<b>bold</b>"
    assert names[1:4] == ["model 0", "model 1", "model 2"]
    page.keyboard.press("Enter")
    assert page.locator("table.sortable tbody th").first.inner_text() == "zebra & co"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    texts = page.locator("table.sortable tbody td:nth-child(3)").all_inner_texts()
    scores = [float(text) for text in texts]
    assert scores == sorted(scores)
    assert complaints == []
    page.context.close()
