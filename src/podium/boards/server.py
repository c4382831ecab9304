"""A small server for one's own browser: it only reads, and only this machine may ask it.

Pages are made when somebody asks, at most so often that making them takes a few hundredths of
the time; meanwhile everybody gets the one that was made last.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from podium.base.errors import PodiumError, ResultsError
from podium.base.writing import write_text
from podium.boards.board import LEDGER, is_board, load
from podium.boards.pages import rendered
from podium.boards.ranking import ranking
from podium.boards.site import INDEX, site_files
from podium.boards.words import updated_line
from podium.reading.formats.stores import is_store
from podium.running.watching import Watched, watched
from podium.store import is_blank

LOOPBACK = "127.0.0.1"
SHARE = 25  # times as long as making a page takes, it is shown
LEAST, MOST = 1.0, 10.0  # seconds that a page is shown
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
