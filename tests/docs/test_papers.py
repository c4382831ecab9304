"""The page of the papers: every item with a command that works, a line of a study or a reason."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import make_papers
import make_questions
import pytest

ENTRIES = make_papers.entries()


def test_the_page_has_a_line_for_every_item_of_every_paper() -> None:
    assert Counter(entry.paper for entry in ENTRIES) == make_papers.COUNTS
    assert sum(make_papers.COUNTS.values()) == 228
    assert make_papers.PAGE.read_text(encoding="utf-8") == make_papers.page()
    rows = [r for r in make_papers.page().splitlines() if re.match(r"\| \w+\d{4} ", r)]
    assert len(rows) == 228
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows)


def test_no_item_is_without_a_command_a_line_or_a_reason() -> None:
    assert [entry for entry in ENTRIES if make_papers.looked_up(entry)] == []
    for entry in ENTRIES:
        assert entry.item
        assert entry.where
    reasons = [entry for entry in ENTRIES if entry.kind == "reason"]
    assert len(reasons) < 10


def test_items_of_one_paper_have_names_of_their_own() -> None:
    twice = [k for k, n in Counter((e.paper, e.item) for e in ENTRIES).items() if n > 1]
    assert twice == []


@pytest.mark.parametrize("line", sorted({e.shown for e in ENTRIES if e.kind == "study"}))
def test_lines_of_study_files_are_understood(line: str, tmp_path: Path) -> None:
    from podium import load_study

    for name in ("learn.csv", "test.csv"):
        rows = [f"{i % 7},{i % 5},{i % 2}" for i in range(60)]
        (tmp_path / name).write_text("\n".join(["x,y,class", *rows]))
    study = tmp_path / "tried.toml"
    study.write_text(make_papers.study_with(line.removeprefix("study: ")))
    assert load_study(study).algorithms


def test_a_sample_of_the_commands_works(tmp_path: Path) -> None:
    make_papers.prepare_tables(tmp_path)
    every = {entry.shown: entry for entry in ENTRIES if entry.kind == "podium"}.values()
    sample = [
        e for e in every if ".db" not in e.shown and e.words[1] in ("analyze", "advise", "plan")
    ]
    wrong = {e.shown: why for e in sample[::6] if (why := make_papers.tried(e, tmp_path))}
    assert wrong == {}
    asked = make_papers.Entry(
        "", "", "", "podium analyze two.csv -m error --sampling bootstrap -p nobody"
    )
    assert "nobody" in make_papers.tried(asked, tmp_path)  # what fails is seen


@pytest.mark.long
def test_every_quick_command_works(tmp_path: Path) -> None:
    make_papers.prepare(tmp_path)
    every = {entry.shown: entry for entry in ENTRIES}.values()
    quick = [entry for entry in every if make_papers.is_quick(entry)]
    assert len(quick) > 150
    wrong = {e.shown: why for e in quick if (why := make_papers.tried(e, tmp_path))}
    assert wrong == {}


def test_the_nine_questions_are_drawn_from_the_records() -> None:
    assert make_questions.PAGE.read_text(encoding="utf-8") == make_questions.page()
    picture = make_questions.PICTURE.read_text(encoding="utf-8")
    assert all(f"question {number}" in picture for number in range(1, 10))
    assert make_questions.leaves(make_questions.TREE) == 9
    tried = {entry.shown for entry in ENTRIES}
    assert set(make_questions.COMMANDS.values()) <= tried
    assert "cv" in make_questions.samplings_of(8)
    assert "simulation" in make_questions.samplings_of(7)
