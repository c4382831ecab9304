"""The server: for this machine, for reading, and of a running study only what may be seen."""

from __future__ import annotations

import http.client
import os
import platform
import socket
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from submitted import answers, first_file, submission

import podium
from podium import Store, boards
from podium.asking.boards.site import Server, leave_page, study_page
from podium.errors import ResultsError
from podium.reading.formats.stores import read_store
from podium.running.sequential import until_decided
from podium.running.studies import watching
from podium.running.studies.watching import _pairs, _seen, open_plan, watched

STUDY = """\
name = "<i>small</i>"
seed = 1
sampling = "{sampling}"
measures = ["error"]
datasets = [{{ name = "monks3", source = "builtin:monks3", target = "class" }}]
[[algorithms]]
name = "stump"
estimator = "sklearn.tree.DecisionTreeClassifier"
parameters = {{ max_depth = 1 }}
preprocess = true
[[algorithms]]
name = "<b>tree</b>"
estimator = "sklearn.tree.DecisionTreeClassifier"
preprocess = true
"""


@pytest.fixture
def asked():
    """Starts a server, and gives what asks it."""
    servers: list[Server] = []

    def start(path: Path):
        server = Server(path)
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()

        def ask(path="/", method="GET", **headers):
            connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
            connection.putrequest(method, path, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            connection.endheaders()
            answer = connection.getresponse()
            body = answer.read().decode()
            connection.close()
            return answer.status, body, dict(answer.getheaders())

        return server, ask

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def board(tmp_path_factory) -> boards.Board:
    here = tmp_path_factory.mktemp("served")
    return boards.new(first_file(here), here / "board", measure="accuracy")


def test_a_board_is_served_and_changes_are_seen(board, asked, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("podium.asking.boards.site.LEAST", 0.0)
    monkeypatch.setattr("podium.asking.boards.site.SHARE", 0)
    _, ask = asked(board.folder)
    status, text, headers = ask()
    assert status == 200
    assert "owl" in text
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert ask(If_None_Match=headers["ETag"])[0] == 304
    assert ask("/board.json")[0] == 200
    boards.add(board, submission(tmp_path, answers(3.0)), name="cat")
    assert "cat" in ask()[1]


def test_the_server_listens_on_this_machine_alone(board, asked) -> None:
    server, _ = asked(board.folder)
    assert server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "localhost:1", "[::1]:80", ""])
def test_other_hosts_are_refused(board, asked, host) -> None:
    _, ask = asked(board.folder)
    status, text, _ = ask(Host=host)
    assert status == 403
    assert "owl" not in text


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "FOO"])
def test_other_methods_are_refused(board, asked, method) -> None:
    _, ask = asked(board.folder)
    assert ask(method=method)[0] == 405


@pytest.mark.parametrize("path", [
    "/../board.toml", "/board.toml", "/ledger.jsonl", "/%2e%2e/etc/passwd", "//etc/passwd",
    "/submissions/", "/..%2fboard.toml", "/index.html/", "/\\..\\board.toml",
])  # fmt: skip
def test_paths_outside_are_not_there(board, asked, path) -> None:
    _, ask = asked(board.folder)
    assert ask(path)[0] == 404


def test_a_head_has_no_body_and_rubbish_does_no_harm(board, asked) -> None:
    server, ask = asked(board.folder)
    status, body, headers = ask(method="HEAD")
    assert (status, body) == (200, "")
    assert int(headers["Content-Length"]) > 1000
    with socket.create_connection(("127.0.0.1", server.server_port)) as raw:
        raw.sendall(b"\x00\xff" * 100 + b"\r\n\r\n")
        raw.recv(1000)
    assert ask()[0] == 200


def test_what_is_no_store_is_not_served(tmp_path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    for path in (tmp_path, tmp_path / "x.csv"):
        with pytest.raises(ResultsError, match="neither a board nor a results file"):
            Server(path)


# -- a study that runs ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def half(tmp_path_factory) -> Path:
    """A store of 60 samples of a study that has 3000 of them by now."""
    here = tmp_path_factory.mktemp("half")
    (here / "study.toml").write_text(STUDY.format(sampling="bootstrap:60"))
    store = here / "study.db"
    assert watched(store).state == "waiting"
    podium.run(here / "study.toml", store, quiet=True, jobs=1)
    assert watched(store).state == "complete"
    with Store(store) as opened:
        study = dict(opened.definitions()[-1])
        more = {**study, "sampling": {**study["sampling"], "samples": 3000}}
        opened.note({**more, "samples": {"monks3": 3000}}, {})
    return store


def test_who_runs_a_study_is_known_also_after_a_kill(half: Path) -> None:
    beside = half.with_name("study.db-writer")
    beside.write_text(f"process {os.getpid()} on {platform.node()} since 2026")
    assert watched(half).state == "running"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    beside.write_text(f"process {gone.pid} on {platform.node()} since 2026")
    found = watched(half)
    beside.unlink()
    assert found.state == watched(half).state == "stopped"
    assert (found.done, found.total) == (120, 6000)
    assert "podium run goes on" in found.lines()[0]


def test_a_run_that_ends_while_it_is_read_has_not_stopped_halfway(half: Path, monkeypatch) -> None:
    beside = half.with_name(f"{half.name}-writer")
    beside.write_text(f"process {os.getpid()} on {platform.node()} since now")

    def read_and_end(path):
        results = read_store(path)
        beside.unlink()
        return results

    monkeypatch.setattr(watching, "read_store", read_and_end)
    assert watched(half).state == "running"
    monkeypatch.undo()
    assert watched(half).state == "stopped"


def test_a_half_finished_study_shows_anytime_valid_intervals_and_no_p_value(half: Path) -> None:
    seen = watched(half).seen
    assert seen.lines[0].startswith("Anytime-valid intervals after ")
    (table,) = seen.tables.values()
    assert [*table] == ["first", "second", "difference", "95 % CI", "first is"]
    page = study_page(watched(half), live=True)
    assert not any(word in page for word in ("p =", "p &lt;", "p_adjusted", "significant"))
    assert "<b>tree</b>" not in page
    assert "<i>small" not in page


def test_the_intervals_are_those_of_the_open_plan(half: Path) -> None:
    results = read_store(half)
    found = podium.compare(replace(results, stopping=open_plan(results).to_dict()))
    assert found.procedure == "anytime"
    assert watched(half).seen.tables["Comparisons so far"] == _pairs(found)
    row = found.table.iloc[0]
    assert row["lower"] < row["estimate"] < row["upper"]


def test_a_page_is_left_that_asks_nobody(half: Path, tmp_path: Path) -> None:
    leave_page(half, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert "<script" not in text
    assert "connect-src" not in text


def test_a_plan_shows_its_looks_and_folds_show_nothing_before_the_end(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY.format(sampling="bootstrap:60"))
    podium.run(tmp_path / "study.toml", tmp_path / "planned.db", quiet=True, jobs=1,
               until=until_decided(looks=2))  # fmt: skip
    found = watched(tmp_path / "planned.db")
    assert found.state == "complete"
    assert [*found.seen.tables] == ["Looks and boundaries", "Comparisons at the last look"]
    folds = podium.read({"a": [0.1, 0.2, 0.3, 0.2], "b": [0.2, 0.4, 0.3, 0.3]},
                        measure="error", sampling="cv:4")  # fmt: skip
    last = folds.runs["sample"] < 4
    seen, over = _seen(replace(folds, runs=folds.runs.assign(
        status=folds.runs["status"].where(last, "missing"))))  # fmt: skip
    assert not over
    assert seen.tables == {}
    assert np.all([len(line) > 10 for line in seen.lines])


def test_the_server_answers_many_requests_without_making_pages_anew(half, asked) -> None:
    server, ask = asked(half)
    made = []
    inner = server.shown._made
    server.shown._made = lambda: made.append(1) or inner()
    start = time.monotonic()
    for _ in range(200):
        assert ask()[0] == 200
    assert len(made) <= 2 + (time.monotonic() - start) / 1.0
