"""The site of a board: pages, static files that any host can serve, and a small server of one's
own.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from podium.asking.boards.board import LEDGER, Board, Entry, is_board, load
from podium.asking.boards.contents import ASKED, WITHDRAWN
from podium.asking.boards.standings import Ranking, board_facts, ranking, shown_rows, updated_line
from podium.core.base.errors import PodiumError, ResultsError
from podium.core.base.formatting import number, printable, short
from podium.core.base.writing import make_folder, write_text
from podium.reading.formats.stores import is_store
from podium.reading.store import is_blank
from podium.running.studies.watching import Watched, watched

# -- pages of boards and of studies that run ------------------------------------------------------
# Whole files of HTML, guarded by a policy.


def rendered(
    template: str, title: str, script: str = "", *, live: bool = False, **content: Any
) -> str:
    """A page that runs its own script alone; a live one may ask the server that it came from."""
    from markupsafe import Markup

    code = read_file(script) if script else ""
    return str(
        _template(template).render(
            title=printable(title),
            policy=Markup(_policy(code, live)),
            style=Markup(read_file("board.css")),
            script=Markup(code),
            **content,
        )
    )


def _policy(code: str, live: bool) -> str:
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    scripts = f"script-src 'sha256-{digest}'; " if code else ""
    asks = "connect-src 'self'; " if live else ""
    return (
        f"default-src 'none'; {scripts}{asks}style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'"
    )


@cache
def read_file(name: str) -> str:
    """A file of this room."""
    return files("podium.asking.boards").joinpath(name).read_text(encoding="utf-8")


@cache
def _template(name: str) -> Any:
    """A template that escapes every text and fails on a name that it is not given."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("podium.asking.boards"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["printable"] = printable
    return templates.get_template(name)


# -- the site of a board --------------------------------------------------------------------------
# Static files, which any web host can serve.


CHARTED = 8  # submissions whose ranks are drawn
WIDTH, HEIGHT, NAMES = 720, 260, 160  # of the chart, and of the names beside it
LONGEST = 24  # letters of a name there
SHOWN = 10  # of a rank that is drawn
INDEX, HISTORY, DATA, SCHEMA, BADGE = (
    "index.html",
    "history.html",
    "board.json",
    "board.schema.json",
    "badge.svg",
)


def build(board: Board | str | Path, folder: str | Path) -> list[Path]:
    """Write the site of a board.

    Parameters
    ----------
    board : Board | str | Path
        The board or its folder.
    folder : str | Path
        Where the files go.

    Returns
    -------
    list of Path
        index.html, history.html, board.json with its schema, and badge.svg.

    Examples
    --------
    >>> import tempfile, pathlib, podium
    >>> here = pathlib.Path(tempfile.mkdtemp())
    >>> rows = "".join(f"q{i},{i % 2},{int(i % 3 > 0)}\\n" for i in range(60))
    >>> _ = (here / "items.csv").write_text("item,owl,fox\\n" + rows)
    >>> board = podium.boards.new(here / "items.csv", here / "board", measure="accuracy")
    >>> [path.name for path in podium.boards.build(board, here / "site")][0]
    'index.html'
    """
    made = ranking(board if isinstance(board, Board) else load(board))
    make_folder(folder)
    paths = []
    for name, text in site_files(made).items():
        write_text(text, Path(folder) / name)
        paths.append(Path(folder) / name)
    return paths


def site_files(made: Ranking) -> dict[str, str]:
    """The files of a site by name."""
    facts = board_facts(made)
    return {
        INDEX: _index(made, facts),
        HISTORY: rendered(
            "history.html",
            f"{facts['name']}: history",
            facts=facts,
            entries=[_messages(made.board, entry) for entry in made.board.ledger.entries],
        ),
        DATA: json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False) + "\n",
        SCHEMA: read_file(SCHEMA),
        BADGE: badge(made, facts),
    }


def _index(made: Ranking, facts: Mapping[str, Any]) -> str:
    texts = shown_rows(made)
    heads = list(texts)
    columns = [{"name": head, "number": i in (0, 2, 3)} for i, head in enumerate(heads)]
    interval = f"{100 * (1 - facts['alpha']):g} % CI"
    more = ((interval, False), ("group", True), ("failed", True))
    columns[4:4] = [{"name": name, "number": number} for name, number in more]
    scale = _scale(facts["submissions"])
    every = [
        list(_cells(row, [texts[h][i] for h in heads], scale))
        for i, row in enumerate(facts["submissions"])
    ]
    shown = [
        c
        for c in range(len(columns))
        if any(cells[c]["text"] or cells[c]["bar"] for cells in every)
    ]
    rows = [
        {"best": row["could_be_best"], "cells": [cells[c] for c in shown]}
        for row, cells in zip(facts["submissions"], every, strict=True)
    ]
    chart = _chart(facts)
    return rendered(
        "board.html",
        facts["name"],
        "board.js",
        facts=facts,
        columns=[columns[c] for c in shown],
        rows=rows,
        chart=chart,
    )


def _cell(text: str, value: float | None = None, bar: Any = None) -> dict[str, Any]:
    return {"text": text, "value": value, "bar": bar}


def _cells(
    row: Mapping[str, Any], texts: Sequence[str], scale: tuple[float, float]
) -> Iterator[dict[str, Any]]:
    rank, name, score, difference, added = texts
    yield _cell(rank, None if row["rank"] is None else row["rank"][0] + row["rank"][1] / 1e6)
    yield _cell(name)
    yield _cell(score, row["score"])
    yield _cell(difference, row["difference"])
    yield _cell("", row["difference"], _bar(row, scale))
    yield _cell("" if row["group"] is None else str(row["group"]), row["group"])
    yield _cell(str(row["failed"]) if row["failed"] else "", row["failed"])
    yield _cell(added)


def _scale(rows: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    ends = [row[end] for row in rows for end in ("lower", "upper") if row[end] is not None]
    return min([0.0, *ends]), max([0.0, *ends])


def _bar(row: Mapping[str, Any], scale: tuple[float, float]) -> tuple[float, float, float] | None:
    """Start, width and middle of an interval in percent."""
    low, high = scale
    if row["lower"] is None or row["upper"] is None or high <= low:
        return None
    start, end, at = (98 * (row[k] - low) / (high - low) for k in ("lower", "upper", "difference"))
    return round(start, 2), round(max(end - start, 0.5), 2), round(at, 2)


def _messages(board: Board, entry: Entry) -> dict[str, Any]:
    """What the public may know of a line."""
    shown = ""
    if entry["event"] == ASKED:
        shown = f"{entry['answer']}, at level {number(entry['level'], 2)}"
    elif entry["event"] == WITHDRAWN:
        shown = entry["because"]
    elif (facts := entry.get("shown")) and facts["score"] is not None:
        score = number(facts["score"], 4)
        shown = f"{board.rules.measure.name} {score}, rank {facts['rank']} of {facts['of']}"
    return {
        "number": entry["number"],
        "time": entry["time"],
        "event": entry["event"],
        "name": printable(str(entry.get("name", ""))),
        "shown": printable(shown),
        "hash": entry["hash"][:16],
    }


# -- pictures -------------------------------------------------------------------------------------


def _chart(facts: Mapping[str, Any]) -> dict[str, Any] | None:
    """The ranks over time of those that stand first today."""
    courses = facts["rank_history"]
    total = max((len(course) for course in courses.values()), default=0)
    if total < 2:
        return None
    first = [row["name"] for row in facts["submissions"] if row["name"] in courses][:CHARTED]
    lowest = min(max(max(courses[name]) for name in first), max(SHOWN, CHARTED))
    step, down = (WIDTH - NAMES - 20) / (total - 1), (HEIGHT - 40) / max(lowest - 1, 1)
    lines, taken = [], set[int]()
    for name in first:
        course = [min(rank, lowest) for rank in courses[name]]
        start = total - len(course)
        at = [(10 + step * (start + i), 20 + down * (rank - 1)) for i, rank in enumerate(course)]
        place = course[-1]
        while place in taken:  # names below each other
            place += 1
        taken.add(place)
        lines.append({
            "name": name,
            "label": printable(short(name, LONGEST)),
            "points": " ".join(f"{x:.1f},{y:.1f}" for x, y in at),
            "start": [round(place, 1) for place in at[0]],
            "x": WIDTH - NAMES,
            "y": round(24 + down * (place - 1) if place <= lowest else HEIGHT - 8, 1),
        })  # fmt: skip
    return {"width": WIDTH, "height": HEIGHT, "lines": lines}


def badge(made: Ranking, facts: Mapping[str, Any]) -> str:
    """A small picture: the board, and who is best."""
    left = printable(short(facts["name"], 30))
    rows = [row for row in facts["submissions"] if row["score"] is not None]
    lead = [row["name"] for row in rows if row["could_be_best"]]
    if made.board.is_sealed and made.board.best:
        right = short(made.board.best, 30)
    elif len(lead) == 1:
        right = f"{short(lead[0], 30)} {number(rows[0]['score'], 3)}"
    else:
        right = f"{len(lead)} could be best" if lead else "no score yet"
    right = printable(right)
    a, b = (10 + 7 * len(text) for text in (left, right))
    texts = [(a / 2, left), (a + b / 2, right)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{a + b}" height="20" role="img" '
        f'aria-label="{escape(left)}: {escape(right)}"><rect width="{a}" height="20" '
        f'fill="#444c56"/><rect x="{a}" width="{b}" height="20" fill="#0b57d0"/>'
        '<g fill="#fff" font-family="Verdana,sans-serif" font-size="11" text-anchor="middle">'
        + "".join(f'<text x="{x:g}" y="14">{escape(text)}</text>' for x, text in texts)
        + "</g></svg>\n"
    )


# -- A small server for one's own browser ---------------------------------------------------------
# It only reads, and only this machine may ask it.
#
# Pages are made when somebody asks, at most so often that making them takes a few hundredths of
# the time; meanwhile everybody gets the one that was made last.


LOOPBACK = "127.0.0.1"
SHARE = 50  # times as long as making a page takes, it is shown
LEAST, MOST = 2.0, 10.0  # seconds that a page is shown
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml; charset=utf-8",
}
Files = Mapping[str, str]


class Shown:
    """Files that are made anew where what they tell of has changed, and not too often."""

    def __init__(self, made: Callable[[], Files], changes: Callable[[], object]) -> None:
        self._made, self._changes = made, changes
        self._lock = threading.Lock()
        self._files: dict[str, tuple[bytes, str]] = {}
        self._seen: object = None
        self._next = 0.0

    def file(self, name: str) -> tuple[bytes, str] | None:
        """The content of a file and its mark; None where there is no such file."""
        if not self._files:
            with self._lock:
                self._refresh()
        elif self._lock.acquire(blocking=False):  # others are answered meanwhile
            try:
                self._refresh()
            finally:
                self._lock.release()
        return self._files.get(name)

    def _refresh(self) -> None:
        if self._files and time.monotonic() < self._next:
            return
        now, start = self._changes(), time.thread_time()
        if now != self._seen or not self._files:
            try:
                texts = {name: text.encode() for name, text in self._made().items()}
                self._files = {name: (text, _mark(text)) for name, text in texts.items()}
                self._seen = now
            except PodiumError:
                if not self._files:  # else what was shown last stays
                    raise
        spent = time.thread_time() - start  # of the processor: others may use it, too
        self._next = time.monotonic() + min(max(LEAST, SHARE * spent), MOST)


def _mark(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:16]}"'


def shown(path: Path) -> Shown:
    """What is shown of a board, or of the store of a study that may be yet to begin."""
    if is_board(path):
        return Shown(lambda: site_files(ranking(load(path))), lambda: _state(path / LEDGER))
    if path.is_dir() or (path.is_file() and not is_blank(path) and not is_store(path)):
        raise ResultsError(f"'{path}' is neither a board nor a results file.")

    def changes() -> object:
        files = [path, *(path.with_name(f"{path.name}-{end}") for end in ("wal", "writer"))]
        running = files[-1].exists()  # its driver may be gone, or runs get slower
        return [_state(file) for file in files], int(time.monotonic() / 5) if running else 0

    return Shown(lambda: {INDEX: study_page(watched(path), live=True)}, changes)


def _state(path: Path) -> object:
    try:
        result = path.stat()
    except OSError:
        return None
    return result.st_mtime_ns, result.st_size


def study_page(study: Watched, *, live: bool) -> str:
    """A study as a page; a live one asks for itself again and again."""
    return rendered(
        "study.html",
        study.name,
        "study.js" if live else "",
        live=live,
        study=study,
        lines=study.lines(),
        now=updated_line(live),
        zip=zip,
    )


class Server(ThreadingHTTPServer):
    """Answers requests of this machine about one board or study."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, path: Path, port: int = 0) -> None:
        self.shown = shown(path)
        super().__init__((LOOPBACK, port), _Handler)
        self.hosts = {f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost")}

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://{LOOPBACK}:{self.server_port}/"

    def handle_error(self, request: Any, address: Any) -> None:
        """Say nothing of a browser that left."""


class _Handler(BaseHTTPRequestHandler):
    """One request: GET or HEAD of a file by name, by a host that is this machine."""

    server: Server
    protocol_version = "HTTP/1.1"
    timeout = 20  # seconds for a request
    disable_nagle_algorithm = True
    wbufsize = 1 << 16  # head and body of an answer leave at once

    def do_GET(self) -> None:
        """Send a file."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Send what a file would be sent with."""
        self._answer(body=False)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):  # every other method
            return lambda: self._refuse(405, "Only GET and HEAD.")
        raise AttributeError(name)

    def _answer(self, *, body: bool) -> None:
        if self.headers.get("Host", "").lower() not in self.server.hosts:
            return self._refuse(403, "Only this machine may ask.", body=body)
        name = unquote(urlsplit(self.path).path)[1:] or INDEX
        try:
            pair = self.server.shown.file(name)
        except PodiumError as error:
            return self._refuse(500, str(error), body=body)
        if pair is None:
            return self._refuse(404, "There is no such page.", body=body)
        content, mark = pair
        if self.headers.get("If-None-Match") == mark:
            return self._send(304, b"", "", mark, body=False)
        kind = TYPES.get(Path(name).suffix, "application/octet-stream")
        return self._send(200, content, kind, mark, body=body)

    def _refuse(self, status: int, reason: str, *, body: bool = True) -> None:
        self.close_connection = True  # what else was sent is not read
        self._send(status, f"{reason}\n".encode(), "text/plain; charset=utf-8", "", body=body)

    def _send(self, status: int, content: bytes, kind: str, mark: str, *, body: bool) -> None:
        self.send_response(status)
        headers = {"Content-Type": kind, "ETag": mark, "Allow": "GET, HEAD"}
        for name, value in headers.items():
            if value and (name != "Allow" or status == 405):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("X-Frame-Options", "DENY")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if body and content:
            self.wfile.write(content)

    def version_string(self) -> str:
        """Who answers."""
        return "podium"

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


def serve(path: Path, port: int, started: Callable[[str], None], until: Callable[[], None]) -> None:
    """Answer until `until` returns or is interrupted; the run of a study goes first."""
    with suppress(OSError, AttributeError):
        os.nice(10)
    try:
        server = Server(path, port)
    except OSError as error:
        raise ResultsError(
            f"Port {port} cannot be used ({error.strerror}). Choose another one, or leave --port "
            "out."
        ) from None
    thread = threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True)
    thread.start()
    started(server.url)
    try:
        until()
    finally:
        server.shutdown()
        server.server_close()


def leave_page(path: Path, to: Path) -> None:
    """Write what is known of a study as a page that asks nobody."""
    write_text(study_page(watched(path), live=False), to)


# -- A server beside a run ------------------------------------------------------------------------
# A process of its own, which ends when its run does, however that ends.


ENDING = 30.0  # seconds to write the last page


@contextlib.contextmanager
def watching(store: Path, say: Callable[[str], None]) -> Iterator[None]:
    """Show the study of a store in a browser meanwhile; at the end its page is left."""
    line = [sys.executable, "-m", "podium", "board", "serve", str(store), "--while-open"]
    with subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as server:  # of its own session, so that Ctrl-C is for the run
        assert server.stdin is not None
        assert server.stdout is not None
        say(server.stdout.readline().rstrip("\n"))
        try:
            yield
        finally:
            server.stdin.close()
            try:
                last = server.stdout.read()
                server.wait(ENDING)
            except subprocess.TimeoutExpired:
                server.kill()
                last = ""
            if last.strip():
                say(last.strip())
