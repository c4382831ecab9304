"""Files from the network, kept in a cache folder: fetched once, and there without a network.

The folder is the environment variable PODIUM_CACHE, else `podium` in OPENML_CACHE_DIRECTORY or in
XDG_CACHE_HOME, else ~/.cache/podium.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import os
import re
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from podium.errors import DesignError

TIMEOUT = 60.0  # seconds that a server may be silent
ATTEMPTS = 3  # at answers that break off or say that the server is busy
PAUSE = 0.5  # seconds before the second attempt, doubled before the next

T = TypeVar("T")


class Refused(Exception):
    """The server answered that it will not give what was asked for."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(status)
        self.status, self.body = status, body


class _Busy(Exception):
    """Worth another attempt; the text says what happened."""


def fetched(url: str, parse: Callable[[bytes], T], what: str) -> T:
    """What `parse` makes of the content of `url`, from the cache where it is.

    `parse` raises DesignError for content that is broken: a broken file of the cache is fetched
    again, a broken answer is not kept. A server that refuses raises Refused.
    """
    _check_address(url, what)
    path = cached(url)
    if path.is_file():
        with contextlib.suppress(OSError, DesignError):
            return parse(path.read_bytes())
    content = _downloaded(url, what)
    made = parse(content)
    with contextlib.suppress(OSError):  # a cache that cannot be written costs only time
        _keep(path, content)
    return made


def cache_folder() -> Path:
    """The folder in which downloads are kept."""
    if own := os.environ.get("PODIUM_CACHE"):
        return Path(own)
    for variable in ("OPENML_CACHE_DIRECTORY", "XDG_CACHE_HOME"):
        if shared := os.environ.get(variable):
            return Path(shared) / "podium"
    return Path.home() / ".cache" / "podium"


def cached(url: str) -> Path:
    """Where the content of an address is kept; the digest tells alike names apart."""
    parts = urlsplit(url)
    words = [re.sub(r"[^\w.-]|^\.+", "_", w)[:80] for w in (parts.netloc, *parts.path.split("/"))]
    *folders, name = [w for w in words if w]
    digest = hashlib.sha256(url.encode()).hexdigest()[:8]
    return cache_folder().joinpath(*folders, f"{digest}-{name}")


def _keep(path: Path, content: bytes) -> None:
    """Write a file all at once: nobody ever sees a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _check_address(url: str, what: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.netloc)
    except ValueError:
        good = False
    if not good:  # a file: address would read this machine
        raise DesignError(f"{what}: '{url}' is no address that begins with http:// or https://.")


def _downloaded(url: str, what: str) -> bytes:
    said = ""
    for attempt in range(ATTEMPTS):
        time.sleep(PAUSE * 2 ** (attempt - 1) if attempt else 0)
        try:
            return _answer(url, what)
        except _Busy as busy:
            said = str(busy)
    raise DesignError(f"{what}: {said} Try again later.")


def _answer(url: str, what: str) -> bytes:
    host = urlsplit(url).netloc
    try:
        request = urllib.request.Request(url, headers={"User-Agent": "podium"})
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            content: bytes = answer.read()
            return content
    except urllib.error.HTTPError as error:
        if error.code == 429 or error.code >= 500:
            raise _Busy(f"'{host}' answers with the status {error.code}.") from None
        raise Refused(error.code, _body(error)) from None
    except (http.client.IncompleteRead, ConnectionResetError):
        raise _Busy(f"the answer of '{host}' broke off.") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _unreachable(host, error, what) from None


def _body(error: urllib.error.HTTPError) -> bytes:
    """What a refusal says, as far as it came."""
    try:
        return error.read()
    except (OSError, http.client.HTTPException):
        return b""


def _unreachable(host: str, error: Exception, what: str) -> DesignError:
    reason = getattr(error, "reason", error)
    if isinstance(reason, TimeoutError):
        return DesignError(
            f"{what}: '{host}' did not answer within {TIMEOUT:g} seconds. Try again later."
        )
    why = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return DesignError(
        f"{what}: '{host}' cannot be reached ({why}), and the cache '{cache_folder()}' does not "
        "hold what is needed. Connect to the network once, or copy the cache of a machine that is."
    )
