"""Files: one writer that replaces them as a whole, packed ones, and where things are kept.

What is written goes to a temporary file beside the target, is brought to the disk and takes the
target's place in one step. Files that belong together take their places when all of them are
written. Ctrl-C, a polite end or a full disk remove the temporary files; a kill may leave them,
under names that begin with a dot, which no command reads.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO, NamedTuple

from podium.core.base.errors import ExecutionError, PodiumError

PIECE = 1 << 20  # of a long text, so that it is not held twice
# a stream of this process, which must not be replaced though it may go into a file
_STREAM = re.compile(r"/(?:dev|proc/self|proc/thread-self)/fd/(\d+)")
_STREAMS = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
MOST_LINKS = 40


def check_writable(path: str | Path) -> None:
    """Refuse, before long work begins, a file whose folder is not there or takes no file."""
    with _refusing(path):
        target = _target(path)
        if isinstance(target, Path):
            _check(target)


def make_folder(path: str | Path) -> None:
    """Make a folder, and those that it lies in."""
    with _refusing(path):
        Path(path).mkdir(parents=True, exist_ok=True)


def check_folder(path: str | Path) -> None:
    """Refuse, before long work begins, a folder that cannot be made or takes no file."""
    with _refusing(path):
        there = next(p for p in (Path(path), *Path(path).absolute().parents) if p.exists())
        if not there.is_dir():
            raise OSError(None, f"'{there}' is no folder")
        if not os.access(there, os.W_OK | os.X_OK):
            raise OSError(None, f"the folder '{there}' takes no new file, permission denied")


@contextlib.contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """A new folder beside `path`, whose place it takes when all has been written into it.

    After an error nothing of it is left; what the error says is about the place that it was for.
    """
    target = Path(path)
    make_folder(target.absolute().parent)
    fresh = target.absolute().parent / f".podium-{os.urandom(6).hex()}.part"
    try:
        with _refusing(path):
            fresh.mkdir()
        yield fresh
        with _refusing(path):
            os.replace(fresh, target)
    except PodiumError as error:
        error.args = (str(error).replace(str(fresh), str(target)), *error.args[1:])
        raise
    finally:
        remove_folder(fresh)


def remove_folder(path: str | Path) -> None:
    """Remove a folder that one has made oneself, with all that is in it."""
    shutil.rmtree(path, ignore_errors=True)


def write_text(text: str, path: str | Path) -> None:
    """Write a text as UTF-8; what is no letter becomes a question mark."""
    with replacing(path) as file:
        for start in range(0, len(text), PIECE):
            file.write(text[start : start + PIECE].encode("utf-8", "replace"))


def append_lines(lines: Sequence[str], path: str | Path) -> None:
    """Add whole lines to the end of a file, all or none, and bring them to the disk.

    What a kill has left of a line that was never finished is cut off first.
    """
    with _refusing(path):
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            whole = Path(path).read_bytes().rfind(b"\n") + 1
            if whole < os.fstat(handle).st_size:
                os.ftruncate(handle, whole)
            left = "".join(f"{line}\n" for line in lines).encode()
            try:
                while left:  # a full disk takes a part
                    left = left[os.write(handle, left) :]
                os.fsync(handle)
            except OSError:
                with contextlib.suppress(OSError):
                    os.ftruncate(handle, whole)
                raise
        finally:
            os.close(handle)


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """A stream into what becomes the file `path` when all of it has been written.

    Mode and owner stay, a link stays a link. Devices, pipes and streams are written to directly.
    """
    with _refusing(path):
        target = _target(path)
        if isinstance(target, int):
            with contextlib.suppress(AttributeError, ValueError):  # none, or closed
                (sys.stderr if target == 2 else sys.stdout).flush()
            with _closing(os.fdopen(os.dup(target), "wb")) as file:
                yield file
        elif target.exists() and not target.is_file() and not target.is_dir():
            with _closing(target.open("wb")) as file:
                yield file
        else:
            _check(target)
            with _streamed(target) as file:
                yield file


class _Written(NamedTuple):
    """A file that is complete, and whose place it is to take."""

    fresh: Path
    target: Path


_WAITING: ContextVar[list[_Written] | None] = ContextVar("waiting", default=None)


@contextlib.contextmanager
def write_together() -> Iterator[None]:
    """Let the files that are written inside take their places together, at the end.

    After an error none of them does. What is inside another one waits for the end of that.
    """
    if _WAITING.get() is not None:
        yield
        return
    waiting: list[_Written] = []
    token = _WAITING.set(waiting)
    try:
        yield
        for written in waiting:
            with _refusing(written.target):
                _keep_rights(written.target, written.fresh)
        for written in waiting:
            with _refusing(written.target):
                os.replace(written.fresh, written.target)
    finally:
        _WAITING.reset(token)
        for written in waiting:
            with contextlib.suppress(OSError):
                written.fresh.unlink()


@contextlib.contextmanager
def new_file(path: str | Path, companions: Sequence[str] = ()) -> Iterator[Path]:
    """A new path beside `path`, whose place it takes when a file has been made there.

    `companions` are endings of further files that may stand beside it, and that go with it.
    """
    target = Path(path)
    fresh = target.parent / f".podium-{os.urandom(6).hex()}.part"
    waiting, left = _WAITING.get(), ["", *companions]
    try:
        yield fresh
        if waiting is None:
            _keep_rights(target, fresh)
            os.replace(fresh, target)
        else:
            waiting.append(_Written(fresh, target))
            left.remove("")
    finally:
        for ending in left:
            with contextlib.suppress(OSError):
                Path(f"{fresh}{ending}").unlink()


@contextlib.contextmanager
def _streamed(target: Path) -> Iterator[BinaryIO]:
    with new_file(target) as fresh, _closing(fresh.open("xb")) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextlib.contextmanager
def _closing(file: BinaryIO) -> Iterator[BinaryIO]:
    """The file, closed whatever happens; an error of closing does not hide an earlier one."""
    try:
        yield file
    except BaseException:
        with contextlib.suppress(OSError):
            file.close()
        raise
    file.close()


def _keep_rights(before: Path, fresh: Path) -> None:
    """Give a new file the owner and mode of the one whose place it takes."""
    with contextlib.suppress(FileNotFoundError):
        old = before.stat()
        if hasattr(os, "chown"):
            with contextlib.suppress(OSError):  # only some may give files away
                os.chown(fresh, old.st_uid, old.st_gid)
        os.chmod(fresh, stat.S_IMODE(old.st_mode))


def _target(path: str | Path) -> Path | int:
    """The file that links lead to, or the number of a stream of this process."""
    place = os.fspath(path)
    for _ in range(MOST_LINKS):
        whole = os.path.abspath(place)
        if whole in _STREAMS:
            return _STREAMS[whole]
        if match := _STREAM.fullmatch(whole):
            return int(match[1])
        if not os.path.islink(place):
            return Path(place)
        place = os.path.join(os.path.dirname(place), os.readlink(place))
    raise OSError(None, "it is a link that leads to itself")


def _check(target: Path) -> None:
    folder = target.parent
    if target.is_dir():
        raise OSError(None, "it is a folder")
    if not folder.is_dir():
        raise OSError(None, f"there is no folder '{folder}'")
    if target.exists() and not os.access(target, os.W_OK):
        raise OSError(None, "permission denied")
    ordinary = not target.exists() or target.is_file()
    if ordinary and not os.access(folder, os.W_OK | os.X_OK):
        raise OSError(None, f"the folder '{folder}' takes no new file, permission denied")


@contextlib.contextmanager
def _refusing(path: str | Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise ExecutionError(f"'{path}' cannot be written: {reason}.") from None


# -- packed files ---------------------------------------------------------------------------------
# Small ones may hold more than memory does, so that what they become is bounded.


LEAST_BOUND, MOST_TIMES = 100_000_000, 100  # bytes that any file may become; or times its size
_MAGIC = b"\x1f\x8b"
_GZIP = 31  # zlib's number for gzip's own header


def unzipped(raw: bytes) -> bytes:
    """The content of a gzipped file; an OSError where it is a flood, an EOFError where cut off."""
    if raw and not raw.startswith(_MAGIC):
        raise OSError(f"Not a gzipped file ({raw[:2]!r})")
    bound = max(LEAST_BOUND, MOST_TIMES * len(raw))
    parts: list[bytes] = []
    while raw.strip(b"\0"):  # a file may be several, one behind the other, and filled up by zeros
        stream = zlib.decompressobj(_GZIP)
        parts.append(stream.decompress(raw, bound - sum(map(len, parts)) + 1))
        if sum(map(len, parts)) > bound:
            raise OSError(f"unpacked it has more than {bound // 1_000_000} MB; unpack it yourself")
        if not stream.eof:
            raise EOFError("the packed file is cut off")
        raw = stream.unused_data
    return b"".join(parts)


# -- caching --------------------------------------------------------------------------------------
# Where things are kept that can be made or fetched again.


def cache_folder() -> Path:
    """PODIUM_CACHE, else `podium` where caches are kept on this machine."""
    if own := os.environ.get("PODIUM_CACHE"):
        return Path(own)
    for variable in ("OPENML_CACHE_DIRECTORY", "XDG_CACHE_HOME"):
        if shared := os.environ.get(variable):
            return Path(shared) / "podium"
    return Path.home() / ".cache" / "podium"
