"""Files from the network, kept in a cache folder: fetched once, and there without a network.

The folder is the environment variable PODIUM_CACHE, else `podium` in OPENML_CACHE_DIRECTORY or in
XDG_CACHE_HOME, else ~/.cache/podium. Pooch downloads and writes files all at once; what is in the
cache is read without it. Attempts are counted here, as pooch would ask again after a refusal, too.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from podium.base.caching import cache_folder
from podium.base.errors import DesignError

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
    try:
        return parse(content)
    except DesignError:
        with contextlib.suppress(OSError):
            path.unlink()
        raise


def cached(url: str) -> Path:
    """Where the content of an address is kept; the digest tells alike names apart."""
    parts = urlsplit(url)
    words = [re.sub(r"[^\w.-]|^\.+", "_", w)[:80] for w in (parts.netloc, *parts.path.split("/"))]
    *folders, name = [w for w in words if w]
    digest = hashlib.sha256(url.encode()).hexdigest()[:8]
    return cache_folder().joinpath(*folders, f"{digest}-{name}")


def _check_address(url: str, what: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.netloc)
    except ValueError:
        good = False
    if not good:  # a file: address would read this machine
        raise DesignError(f"{what}: '{url}' is no address that begins with http:// or https://.")


def _downloaded(url: str, what: str) -> bytes:
    text = ""
    for attempt in range(ATTEMPTS):
        time.sleep(PAUSE * 2 ** (attempt - 1) if attempt else 0)
        try:
            return _answer(url, what)
        except _Busy as busy:
            text = str(busy)
    raise DesignError(f"{what}: {text} Try again later.")


def _answer(url: str, what: str) -> bytes:
    """The content of an address, which is now in the cache; what went wrong in our own words."""
    from requests import HTTPError, RequestException
    from requests.exceptions import ChunkedEncodingError

    host = urlsplit(url).netloc
    try:
        return _loaded(url)
    except HTTPError as error:
        response: Any = error.response
        status = response.status_code
        if status == 429 or status >= 500:
            raise _Busy(f"'{host}' answers with the status {status}.") from None
        raise Refused(status, _body(response)) from None
    except RequestException as error:
        broken = (ChunkedEncodingError, ConnectionResetError)
        if any(isinstance(cause, broken) for cause in _causes(error)):
            raise _Busy(f"the answer of '{host}' broke off.") from None
        raise _unreachable(host, error, what) from None


def _loaded(url: str) -> bytes:
    import pooch
    from requests import RequestException

    pooch.get_logger().setLevel("WARNING")  # it tells of every file
    downloader = pooch.HTTPDownloader(timeout=TIMEOUT, headers={"User-Agent": "podium"})
    path = cached(url)

    def loaded(folder: str | Path) -> bytes:
        file = pooch.retrieve(url, None, fname=path.name, path=folder, downloader=downloader)
        return Path(file).read_bytes()

    try:
        path.unlink(missing_ok=True)  # where it is there, it is damaged
        return loaded(path.parent)
    except RequestException:
        raise
    except OSError:  # a cache that cannot be written costs only time
        with tempfile.TemporaryDirectory() as folder:
            return loaded(folder)


def _body(response: Any) -> bytes:
    """What a refusal says, as far as it came."""
    try:
        content: bytes = response.content
        return content
    except OSError:
        return b""


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and those inside it: that of the system is wrapped several times."""
    inner: Any = error
    while isinstance(inner, BaseException):
        yield inner
        wrapped = (getattr(inner, "reason", None), *inner.args, inner.__cause__, inner.__context__)
        inner = next((e for e in wrapped if isinstance(e, BaseException)), None)


def _unreachable(host: str, error: Exception, what: str) -> DesignError:
    from requests import Timeout

    causes = list(_causes(error))
    if any(isinstance(cause, (Timeout, TimeoutError)) for cause in causes):
        return DesignError(
            f"{what}: '{host}' did not answer within {TIMEOUT:g} seconds. Try again later."
        )
    texts = [e.strerror for e in causes if isinstance(e, OSError) and e.strerror]
    why = texts[0] if texts else str(error) or type(error).__name__
    return DesignError(
        f"{what}: '{host}' cannot be reached ({why}), and the cache '{cache_folder()}' does not "
        "hold what is needed. Connect to the network once, or copy the cache of a machine that is."
    )
