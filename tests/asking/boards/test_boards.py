"""Boards: what is submitted, refused, ranked, asked and renewed."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from submitted import answers, first_file, submission

from podium import Store, boards
from podium.asking.boards.questions import level_left, level_of, sign_p
from podium.asking.boards.standings import rank_courses, ranking, reigns
from podium.cli.main import status_of
from podium.core.questions.measures import KNOWN
from podium.core.samplings import bootstrap
from podium.errors import DesignError, ResultsError, StoreError
from podium.reading.store import Record


@pytest.fixture
def board(tmp_path: Path) -> boards.Board:
    return boards.new(first_file(tmp_path), tmp_path / "board", measure="accuracy")


@pytest.fixture
def sealed(tmp_path: Path) -> boards.Board:
    first = first_file(tmp_path, 400)
    return boards.new(first, tmp_path / "sealed", measure="accuracy", kind="sealed", seed=1)


# -- adding ---------------------------------------------------------------------------------------


def test_the_algorithms_of_the_first_file_are_submissions(board: boards.Board) -> None:
    assert board.names == ["owl", "fox", "bat"]
    assert board.scores["owl"] == pytest.approx(answers(0.6).mean())
    shown = [entry["shown"]["rank"] for entry in board.submissions]
    assert sorted(shown) == [1, 2, 3]


def test_a_submission_is_kept_as_it_came_with_its_reading(board, tmp_path: Path) -> None:
    path = submission(tmp_path, answers(1.0))
    added = boards.add(board, path, name="cat")
    (entry,) = [e for e in added.board.submissions if e["name"] == "cat"]
    kept = board.folder / "submissions" / entry["folder"]
    line = added.board.ledger.entries.index(entry) + 1
    assert entry["folder"].startswith(f"{line:04d}-")  # its line in the ledger
    assert (kept / "files/new.csv").read_bytes() == path.read_bytes()
    assert json.loads((kept / "reading.json").read_text())["sampling"] == "items"
    assert added.board.scores["cat"] == pytest.approx(answers(1.0).mean())


def test_a_submission_that_lacks_items_or_has_others_is_refused_with_the_list(board, tmp_path):
    path = submission(tmp_path, answers(1.0)[:-2])
    path.write_text(path.read_text() + "z1,1\n")
    with pytest.raises(
        ResultsError, match=r"'cat' lacks 2 items \(q198, q199\) and has 1 item \(z1\)"
    ):
        boards.add(board, path, name="cat")
    assert boards.load(board.folder).names == board.names
    assert status_of(["board", "add", str(board.folder), str(path), "--as", "cat"]) == 2


def test_another_version_of_items_is_refused_by_digest(tmp_path: Path) -> None:
    def table(marks, name):
        rows = [f"q{i},{name},{i % 2},{mark}" for i, mark in enumerate(marks)]
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join(["item,model,correct,digest", *rows]) + "\n")
        return path

    marks = [f"h{i}" for i in range(30)]
    board = boards.new(table(marks, "m1"), tmp_path / "b", measure="correct")
    boards.add(board, table(marks, "m2"))
    with pytest.raises(ResultsError, match=r"1 items come from another version \(q7\)"):
        boards.add(board, table([*marks[:7], "other", *marks[8:]], "m3"))


def stored(path: Path, name: str, seed: int = 1, content: str = "1") -> Path:
    """A results file of one algorithm on five data sets, two bootstrap samples each."""
    error, drawn = KNOWN["error"], bootstrap(2)
    datasets = {f"d{i}": content for i in range(5)}
    study = {"name": "small", "seed": seed, "population": "", "sampling": asdict(drawn),
             "sampling_identity": drawn.identity, "keep": [], "measures": ["error"],
             "datasets": datasets, "samples": dict.fromkeys(datasets, 2),
             "algorithms": {name: "1"}, "file": ""}  # fmt: skip
    facts = {"task": "classification", "classes": ["a", "b"], "n": 10}
    with Store(path, create=True) as store:
        store.begin(study, datasets={d: (mark, facts) for d, mark in datasets.items()},
                    algorithms={name: ("1", {})}, measures=[error], environment={})  # fmt: skip
        store.append(
            Record(f"{name}{d}{i}".encode()[-16:].ljust(16), d, name, i,
                   {"error": len(name) / 40 + i / 100}, 0.1, 0.1, 1.0)
            for d in datasets for i in (1, 2)
        )  # fmt: skip
    return path


def test_samples_of_another_seed_or_data_are_another_version(tmp_path: Path) -> None:
    board = boards.new(stored(tmp_path / "a.db", "svm"), tmp_path / "b")
    assert boards.add(board, stored(tmp_path / "b.db", "knn1")).names == ("knn1",)
    for name, changed in (("c", {"seed": 2}), ("d", {"content": "2"})):
        with pytest.raises(ResultsError, match="10 samples come from another version"):
            boards.add(board, stored(tmp_path / f"{name}.db", name, **changed))


def test_a_failed_submission_is_a_row(board, tmp_path: Path) -> None:
    path = tmp_path / "failed.csv"
    rows = [f"q{i},m,failed" for i in range(200)]
    path.write_text("\n".join(["item,model,accuracy", *rows]) + "\n")
    added = boards.add(board, path, name="broken")
    made = ranking(added.board)
    assert made.unranked == ["broken"]
    assert made.rows[0].name == "owl"


def test_failed_items_count_as_worst(board, tmp_path: Path) -> None:
    path = tmp_path / "some.csv"
    rows = [f"q{i},m,{'failed' if i < 50 else 1}" for i in range(200)]
    path.write_text("\n".join(["item,model,accuracy", *rows]) + "\n")
    added = boards.add(board, path, name="some")
    assert added.board.scores["some"] == 0.75
    assert added.board.failed("some") == 50


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: [line.split(",")[0] + "," for line in lines], "'cat' lacks 200 items"),
        (lambda lines: [*lines, lines[3]], "Some items have 2 answers and others 1"),
        (lambda lines: [*lines[:-1], "q199,inf"], "row 200: 'inf' is no finite number"),
    ],
)
def test_odd_scores_of_items_are_refused_and_leave_nothing(board, tmp_path, change, says) -> None:
    path = submission(tmp_path, answers(1.0))
    head, *lines = path.read_text().splitlines()
    path.write_text("\n".join([head, *change(lines)]) + "\n")
    before = sorted(board.folder.rglob("*"))
    with pytest.raises(ResultsError, match=says):
        boards.add(board, path, name="cat")
    assert sorted(board.folder.rglob("*")) == before


def test_options_of_sealed_boards_need_one_and_pages_a_folder_of_their_own(board, capsys) -> None:
    line = ["board", "new", str(first_file(board.folder.parent)), "-o", str(board.folder / "b")]
    assert status_of([*line, "--measure", "accuracy", "--share", "0.3"]) == 2
    assert "--share is of sealed boards" in capsys.readouterr().err
    assert status_of(["board", "build", str(board.folder), "-o", str(board.folder)]) == 2
    assert "is the board" in capsys.readouterr().err


def test_a_name_is_taken_once_and_a_folder_too(board, tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="already"):
        boards.add(board, submission(tmp_path, answers(1.0)), name="owl")
    with pytest.raises(ResultsError, match="exists"):
        boards.new(first_file(tmp_path), board.folder, measure="accuracy")


def test_scores_that_are_no_right_or_wrong_answers_are_refused(board, tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="0 or 1"):
        boards.add(board, submission(tmp_path, answers(1.0) * 0.5), name="half")


def test_a_file_of_several_adds_all_of_them(board, tmp_path: Path) -> None:
    path = first_file(tmp_path)
    path.write_text(path.read_text().replace("owl,fox,bat", "a,b,c"))
    assert boards.add(board, path).names == ("a", "b", "c")
    with pytest.raises(ResultsError, match="3 algorithms"):
        boards.add(board, path, name="one")


# -- checking -------------------------------------------------------------------------------------


def test_check_finds_what_was_changed(board, capsys) -> None:
    folder = board.folder
    assert status_of(["store", "check", str(folder)]) == 0
    for name in ("board.toml", "units-1.csv", "ledger.jsonl"):
        path = folder / name
        text = path.read_text()
        path.write_text(text.replace("accuracy", "accuracx", 1).replace("q7", "q8", 1)
                        .replace("fox", "fax", 1))  # fmt: skip
        assert status_of(["store", "check", str(folder)]) == 1
        assert name in capsys.readouterr().err
        with pytest.raises(StoreError):
            boards.load(folder)
        path.write_text(text)
    scores = next((folder / "submissions").rglob("scores.csv"))
    text = scores.read_text()
    scores.write_text(text.replace("owl,items0,q1,1", "owl,items0,q1,0") + " ")
    assert status_of(["check", str(folder)]) == 1
    with pytest.raises(StoreError, match="changed"):
        _ = boards.load(folder).values
    scores.write_text(text)
    (folder / "submissions/0099-orphan").mkdir()
    capsys.readouterr()
    assert status_of(["store", "check", str(folder)]) == 0
    assert "0099-orphan" in capsys.readouterr().out


# -- ranks and history ----------------------------------------------------------------------------


def test_ranks_are_those_of_an_analysis_of_the_same_scores(board, tmp_path: Path) -> None:
    import podium

    made = ranking(board)
    plain = podium.compare(podium.read(first_file(tmp_path), measure="accuracy"))
    assert made.comparisons.table.drop(columns=[]).equals(plain.table)
    assert {row.name: row.place for row in made.rows} == plain.decision.places


def test_history_tells_who_was_first_when(board, tmp_path: Path) -> None:
    now = boards.add(board, submission(tmp_path, answers(2.0)), name="cat").board
    now = boards.add(now, submission(tmp_path, answers(0.1)), name="cow").board
    first = max(board.names, key=lambda name: board.scores[name])
    assert [(r.name, r.number) for r in reigns(now)] == [(first, 3), ("cat", 4)]
    courses = rank_courses(now)
    assert courses[first] == [1, 2, 2]
    assert courses["cat"] == [1, 1]
    assert [len(course) for course in courses.values()] == [3, 3, 3, 2, 1]  # three of one file


# -- the sealed part ------------------------------------------------------------------------------


def test_levels_add_up_over_every_history() -> None:
    # 2^(q-1) histories before the q-th question
    total = sum(2 ** (q - 1) * level_of(q, 0.05) for q in range(1, 1000))
    assert total == pytest.approx(0.05 - level_left(999, 0.05))
    assert level_of(3, 0.05) == 0.05 / 12 / 4


def test_the_sign_test_is_exact() -> None:
    from itertools import product

    for wins in range(8):
        d = np.array([1] * wins + [-1] * (7 - wins) + [0, 0])
        tail = sum(sum(s) >= wins for s in product((0, 1), repeat=7)) / 2**7
        assert sign_p(d) == pytest.approx(tail)


def test_a_sealed_board_of_samples_needs_several_data_sets(tmp_path: Path) -> None:
    for datasets in (1, 2):
        rows = [(f"d{d}", s, name, 0.1 + 0.01 * s) for d in range(datasets)
                for s in range(1, 200) for name in ("owl", "fox")]  # fmt: skip
        table = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
        file = tmp_path / f"of{datasets}.csv"
        table.to_csv(file, index=False)
        ask = {"measure": "error", "kind": "sealed", "sampling": "bootstrap", "seed": 1}
        with pytest.raises(DesignError) as raised:
            boards.new(file, tmp_path / f"board{datasets}", **ask)
        assert ("samples of one data set share its rows" in str(raised.value)) == (datasets == 1)


def test_parts_are_drawn_by_lot_and_signed(sealed) -> None:
    assert sealed.of_part(sealed=True).sum() == 200
    assert len(sealed.lot) == 12
    again = boards.load(sealed.folder)
    assert again.units.equals(sealed.units)
    path = sealed.folder / "lot-1.csv"
    path.write_text(path.read_text().replace("q7,", "q8,"))
    with pytest.raises(StoreError):
        boards.load(sealed.folder)


def test_the_sealed_part_answers_only_where_the_public_part_suggests_it(sealed, tmp_path) -> None:
    worse = boards.add(sealed, submission(tmp_path, answers(-2.0, 400)), name="low")
    assert worse.answers == {}
    better = boards.add(sealed, submission(tmp_path, answers(2.5, 400)), name="cat")
    assert better.answers == {"cat": "yes"}
    assert better.board.best == "cat"
    assert better.board.budget.asked == 1
    (asked,) = better.board.ledger.of("question")
    assert {*asked} & {"p", "gain", "score"} == set()
    assert asked["level"] == level_of(1, 0.05)


def test_what_is_luck_on_the_public_part_is_answered_no(sealed, tmp_path) -> None:
    values = answers(0.6, 400)
    public = [int(unit[1:]) for unit in sealed.units["unit"][sealed.of_part(sealed=False)]]
    values[public] = 1  # tuned to what the board shows
    added = boards.add(sealed, submission(tmp_path, values), name="tuned")
    assert added.board.scores["tuned"] == 1
    assert added.answers == {"tuned": "no"}
    assert added.board.best == "owl"


def test_a_submitter_may_wait_and_is_asked_once(sealed, tmp_path) -> None:
    waits = boards.add(sealed, submission(tmp_path, answers(2.5, 400)), name="cat", ask=False)
    assert waits.answers == {}
    assert boards.ask(sealed, "cat").answers == {"cat": "yes"}
    with pytest.raises(ResultsError, match="already"):
        boards.ask(sealed, "cat")
    with pytest.raises(ResultsError, match="not better"):
        boards.ask(sealed, "fox")


def test_questions_are_rationed_and_a_renewal_starts_afresh(tmp_path: Path) -> None:
    board = boards.new(first_file(tmp_path, 400), tmp_path / "b", measure="accuracy",
                       kind="sealed", questions=1, seed=1)  # fmt: skip
    board = boards.add(board, submission(tmp_path, answers(2.5, 400)), name="cat").board
    assert board.budget.is_spent
    more = boards.add(board, submission(tmp_path, answers(6.0, 400)), name="dog")
    assert more.answers == {}
    with pytest.raises(ResultsError, match="podium board renew"):
        boards.ask(board, "dog")
    with pytest.raises(ResultsError, match="need scores of 'cat'"):
        boards.renew(board, first_file(tmp_path, 300, start=1000))
    again = submission(tmp_path, answers(2.5, 300), "again", start=0)
    with pytest.raises(ResultsError, match="300 items are not new"):
        boards.renew(board, again)
    fresh = submission(tmp_path, answers(2.5, 300), "fresh", start=1000)
    board = boards.renew(board, fresh)
    assert (board.of_part(sealed=False).sum(), board.of_part(sealed=True).sum()) == (400, 300)
    assert board.budget.asked == 0
    values = np.concatenate([answers(9.0, 400), answers(9.0, 300)])
    path = submission(tmp_path, values, "both")
    old, new = path.read_text().splitlines()[:401], enumerate(values[400:], 1000)
    path.write_text("\n".join([*old, *(f"q{i},{v}" for i, v in new)]) + "\n")
    added = boards.add(board, path, name="ape")
    assert added.answers == {"ape": "yes"}
    assert status_of(["store", "check", str(board.folder)]) == 0


def test_bounded_scores_are_betted_on(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    hard = rng.random(600)
    rows = [f"q{i},{h / 2:.4f}" for i, h in enumerate(hard)]
    path = tmp_path / "f1.csv"
    path.write_text("\n".join(["item,old", *rows]) + "\n")
    board = boards.new(path, tmp_path / "b", measure="F1", higher_is_better=True, kind="sealed",
                       sampling="items", bounds=(0, 1), seed=1)  # fmt: skip
    assert not board.rules.binary
    luck = np.clip(hard / 2 + rng.normal(0, 0.02, 600), 0, 1)
    same = boards.add(board, submission(tmp_path, luck.round(4), measure="F1"), name="same")
    assert same.answers.get("same", "no") == "no"
    better = np.clip(hard / 2 + 0.2, 0, 1)
    assert boards.add(
        board, submission(tmp_path, better.round(4), measure="F1"), name="up"
    ).answers == {"up": "yes"}


def test_a_board_of_what_has_no_bounds_is_not_sealed(tmp_path: Path) -> None:
    path = tmp_path / "loss.csv"
    path.write_text("item,old\n" + "".join(f"q{i},{i / 7:.3f}\n" for i in range(40)))
    with pytest.raises(DesignError, match="--bounds"):
        boards.new(path, tmp_path / "b", measure="loss", higher_is_better=False, kind="sealed",
                   sampling="items")  # fmt: skip


def test_the_ladder_shows_only_what_climbs(tmp_path: Path) -> None:
    board = boards.new(first_file(tmp_path), tmp_path / "b", measure="accuracy", ladder=True)
    same = answers(0.6)
    same[:1] = 1 - same[:1]
    added = boards.add(board, submission(tmp_path, same), name="same").board
    assert "same" not in added.ranked()
    added = boards.add(added, submission(tmp_path, answers(2.5)), name="cat").board
    assert "cat" in added.ranked()
    assert ranking(added).unranked == ["same"]


def test_data_sets_are_units_too(tmp_path: Path) -> None:
    def table(name, less=()):
        rng = np.random.default_rng(len(name))
        rows = [f"d{i},{0.5 + rng.random() / 3:.3f}" for i in range(12) if i not in less]
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join([f"dataset,{name}", *rows]) + "\n")
        return path

    board = boards.new(table("svm"), tmp_path / "b", measure="accuracy")
    boards.add(board, table("knn1"))
    with pytest.raises(ResultsError, match=r"lacks 2 data sets \(d3, d4\)"):
        boards.add(board, table("tree", less=(3, 4)))
    made = ranking(boards.load(board.folder))
    assert made.comparisons.decision.decides == "ranks"


@pytest.mark.parametrize(("wins", "losses", "answer"), [(5, 0, "no"), (6, 0, "yes"), (9, 2, "no"),
                                                        (10, 2, "yes")])  # fmt: skip
def test_right_and_wrong_answers_are_asked_about_by_the_exact_sign_test(
    wins, losses, answer, sealed, tmp_path
) -> None:
    """At 0.05 / 2: 1/32 and 1/64; and 67/2048 and 79/4096, the tails of fair coins."""
    units = sealed.units["unit"].str[1:].astype(int).to_numpy()
    hidden = units[sealed.of_part(sealed=True)]
    values = answers(0.6, 400)
    values[units[sealed.of_part(sealed=False)]] = 1  # better on what is public
    right, wrong = hidden[values[hidden] == 1], hidden[values[hidden] == 0]
    values[wrong[:wins]], values[right[:losses]] = 1, 0
    added = boards.add(sealed, submission(tmp_path, values), name="new")
    assert added.answers == {"new": answer}
