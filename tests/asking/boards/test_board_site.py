"""The site of a board: static, whole, and harmless whatever submissions are called."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.dom.minidom import parseString

import jsonschema
import pandas as pd
import pytest
from submitted import answers, first_file, submission

from podium import boards
from podium.asking.boards.gating import Items, _first_line
from podium.asking.boards.site import _cells, _chart, site_files
from podium.asking.boards.standings import ranking
from podium.cli.main import status_of
from podium.errors import InferenceError

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "../../etc/passwd",
    "a\nb\x1b[31mred",
    "{{ 7 * 7 }}",
    "=1+1",
    "‮evil",
    "]]>--><svg/onload=alert(1)>",
    "%2e%2e%2f&amp;?q=1#x",
    "nul\x01and\u2028more",
    "é" * 200,
]


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict]] = []

    def handle_starttag(self, tag, attrs) -> None:
        self.seen.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    here = tmp_path_factory.mktemp("hostile")
    board = boards.new(first_file(here), here / "board", name="<b>B</b>", measure="accuracy")
    for i, name in enumerate(HOSTILE):
        boards.add(board, submission(here, answers(i / 2)), name=name)
    assert status_of(["board", "build", str(here / "board"), "-o", str(here / "site")]) == 0
    return here


def test_hostile_names_are_text(folder: Path) -> None:
    for page in ("index.html", "history.html"):
        text = (folder / "site" / page).read_text()
        tags = Tags()
        tags.feed(text)
        names = [tag for tag, _ in tags.seen]
        assert names.count("script") == (page == "index.html")
        assert {"img", "b", "iframe"} & {*names} == set()
        assert not any(key.startswith("on") for _, attrs in tags.seen for key in attrs)
        assert "\x1b" not in text
        assert "‮" not in text
        assert "{{ 7 * 7 }}" in text
    badge = (folder / "site/badge.svg").read_text()
    parseString(badge.encode())
    assert "<b>" not in badge
    kept = [p for p in (folder / "board").rglob("*") if p.is_file()]
    assert all(p.resolve().is_relative_to(folder) for p in kept)


def test_a_name_that_nobody_can_list_is_refused(folder: Path, capsys) -> None:
    file = str(submission(folder, answers(0.5)))
    words = ["board", "add", str(folder / "board"), file, "--as", "x" * 20_000]
    assert status_of(words) == 2
    said = capsys.readouterr().err
    assert "20000 letters" in said
    assert len(said) < 400


def test_where_nothing_is_settled_all_could_be_best(tmp_path: Path) -> None:
    rows = [[f"q{i}", *(str(int((i + 3 * c) % 5 > 1)) for c in range(3))] for i in range(100)]
    lines = [",".join(row) for row in (["item", "owl", "fox", "bat"], *rows)]
    (tmp_path / "alike.csv").write_text("\n".join(lines) + "\n")
    board = boards.new(tmp_path / "alike.csv", tmp_path / "board", measure="accuracy")
    files = site_files(ranking(board))
    listed = json.loads(files["board.json"])["submissions"]
    assert all(row["could_be_best"] for row in listed)
    assert f"{len(listed)} could be best" in files["badge.svg"]


def test_names_of_a_chart_stand_within_it() -> None:
    """Ten that share a rank are written below each other, as far as there is room."""
    names = [f"m{i}" for i in range(10)]
    facts = {"rank_history": {name: [1, 1 + i // 5] for i, name in enumerate(names)},
             "submissions": [{"name": name} for name in names]}  # fmt: skip
    chart = _chart(facts)
    assert all(0 < line["y"] < chart["height"] for line in chart["lines"])
    assert all(0 <= float(xy.split(",")[1]) <= chart["height"] for line in chart["lines"]
               for xy in line["points"].split())  # fmt: skip
    assert [line["start"] for line in chart["lines"]] == [[10, 20]] * len(chart["lines"])


def test_a_page_asks_for_nothing_and_runs_its_own_script_alone(folder: Path) -> None:
    text = (folder / "site/index.html").read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "connect-src" not in policy
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)


def test_the_json_follows_its_schema(folder: Path, tmp_path: Path) -> None:
    site = folder / "site"
    schema = json.loads((site / "board.schema.json").read_text())
    jsonschema.validate(json.loads((site / "board.json").read_text()), schema)
    first = first_file(tmp_path, 400)
    sealed = boards.new(first, tmp_path / "s", measure="accuracy", kind="sealed", seed=1)
    boards.add(sealed, submission(tmp_path, answers(2.5, 400)), name="cat")
    for board in (sealed, boards.load(sealed.folder)):
        jsonschema.validate(json.loads(site_files(ranking(board))["board.json"]), schema)


def test_nothing_of_the_sealed_part_is_on_the_site(tmp_path: Path) -> None:
    """Two boards that differ in sealed scores alone, with the same answers, have the same site."""
    first = first_file(tmp_path, 400)
    sites = []
    for turn in (0, 1):
        board = boards.new(first, tmp_path / f"s{turn}" / "board", measure="accuracy",
                           kind="sealed", seed=1)  # fmt: skip
        values = answers(-0.5, 400)
        sealed = [int(u[1:]) for u in board.units["unit"][board.of_part(sealed=True)]]
        values[sealed] = turn
        board = boards.add(board, submission(tmp_path, values), name="cat").board
        texts = site_files(ranking(board))
        plain = {name: re.sub(r"[0-9a-f]{16,64}|\d{4}-\d\d-\d\d[T ][\d:+]+", "", text)
                 for name, text in texts.items()}  # fmt: skip
        sites.append(plain)
    assert sites[0] == sites[1]


def test_a_board_without_two_scores_has_a_site(tmp_path: Path) -> None:
    path = submission(tmp_path, answers(1.0))
    path.write_text(path.read_text().replace("accuracy", "owl"))
    board = boards.new(path, tmp_path / "b", measure="accuracy")
    text = site_files(ranking(board))["index.html"]
    assert "owl is the only submission with a score." in text


def test_show_says_ranks_and_what_the_board_resolves(folder: Path, capsys) -> None:
    assert status_of(["board", "show", str(folder / "board")]) == 0
    shown = capsys.readouterr().out
    assert f"{3 + len(HOSTILE)} submissions have seen these items" in shown
    assert "\x1b" not in shown
    assert re.search(r"With 200 items this board finds a difference of 0\.\d+", shown)
    assert status_of(["board", "show", str(folder / "board"), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["schema"] == "podium-board/1"


def test_shared_ranks_are_sorted_by_their_ends() -> None:
    def value(first: int, last: int) -> float:
        row = {"rank": (first, last), "lower": None, "upper": None, "group": None, "failed": 0}
        texts = ["", "", "", "", ""]
        cells = _cells(row | {"score": 1.0, "difference": 0.0}, texts, (0, 1))
        return float(next(cells)["value"])

    ranks = [(1, 2), (1, 3), (2, 2), (2, 30)]
    assert sorted(ranks, key=lambda rank: value(*rank)) == ranks


def test_too_few_items_for_a_ledger_are_refused_with_the_number_that_is_needed() -> None:
    names = [f"q{i}" for i in range(39)]
    items = Items(pd.DataFrame(index=names), pd.Series(names, index=names), 1.0, True)
    with pytest.raises(InferenceError, match=r"39 items .* --ledger needs 40"):
        _first_line(items, 0.05)
