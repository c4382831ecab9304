"""Opening files of others: bounded, read-only, and nothing in them is executed.

JSON (whole, by line, or as far as a beginning goes), archives, SQLite databases, arrays.
Whatever is wrong with a file ends in one sentence of a ResultsError that names it.
"""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import MissingPackage, ResultsError, require
from podium.core.base.places import place_within
from podium.core.base.writing import unzipped
from podium.reading.cells.binary import decode_bytes
from podium.reading.store.store_file import first_bytes

MEMBERS = 200_000  # files of an archive that are listed
EXPANDED = 2 * 1024**3  # bytes that a file or all that is read of an archive may have unpacked
ZSTANDARD = 93  # the method of zip files that Python reads from 3.14 on
SQLITE = b"SQLite format 3\0"  # how such files begin
_DECODER = json.JSONDecoder()
_BLANK = " \t\r\n"


# -- JSON -------------------------------------------------------------------------------------


def begun(text: str) -> Any:
    """The value that a JSON text begins with, as far as the text goes; None where it is none.

    >>> begun('{"a": 1, "b": [{"c": "x"}, {"d": "cut o')
    {'a': 1, 'b': [{'c': 'x'}, {'d': None}]}
    """
    try:
        return _begun(text, _next(text, 0))[0]
    except RecursionError:
        return {"": None}  # who reads the whole file says what is wrong


def _next(text: str, place: int) -> int:
    while place < len(text) and text[place] in _BLANK:
        place += 1
    return place


def _begun(text: str, place: int) -> tuple[Any, int]:
    """The value at a place, and the place behind it; the end of the text where it is cut."""
    try:
        return _DECODER.raw_decode(text, place)
    except ValueError:
        opening = text[place : place + 1]
    if opening == "{":
        return _begun_object(text, place + 1)
    return _begun_list(text, place + 1) if opening == "[" else (None, len(text))


def _begun_object(text: str, place: int) -> tuple[dict[str, Any], int]:
    results: dict[str, Any] = {}
    while (place := _next(text, place)) < len(text) and text[place] == '"':
        key, place = _begun(text, place)
        place = _next(text, place)
        if not isinstance(key, str) or text[place : place + 1] not in (":", ""):
            break
        results[key], place = _begun(text, _next(text, place + 1))
        place = _next(text, place)
        place += text[place : place + 1] == ","
    return results, len(text)


def _begun_list(text: str, place: int) -> tuple[list[Any], int]:
    results: list[Any] = []
    while (place := _next(text, place)) < len(text) and text[place] not in "]}:,":
        value, place = _begun(text, place)
        results.append(value)
        place = _next(text, place)
        place += text[place : place + 1] == ","
    return results, len(text)


def whole(path: Path) -> Any:
    """The value in a JSON file."""
    return parsed(content(path), f"'{path}'")


def parsed(raw: bytes, what: str) -> Any:
    """The value in a JSON text."""
    try:
        return json.loads(raw.decode("utf-8-sig"))
    except RecursionError:
        raise ResultsError(f"{what} is nested too deeply to be read.") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ResultsError(
            f"{what} is no whole JSON file ({error}). It seems to be cut off: write it again."
        ) from None
    except ValueError:  # Python reads no whole number of more than 4300 digits
        raise ResultsError(
            f"{what} holds a whole number of thousands of digits, which is no score. Correct it."
        ) from None


def by_line(path: Path) -> Iterator[Any]:
    """The values in a file that has one JSON value per line."""
    for number, line in enumerate(io.BytesIO(content(path)), 1):
        if line.strip():
            yield parsed(line, f"'{path}', line {number},")


def content(path: Path) -> bytes:
    """The bytes of a file, unpacked where it is gzipped."""
    try:
        with path.open("rb") as file:
            raw = file.read(EXPANDED + 1)
        if raw[:2] == b"\x1f\x8b":
            raw = unzipped(raw)
    except (OSError, EOFError, zlib.error) as error:
        raise ResultsError(f"'{path}' cannot be read: {error}.") from None
    if len(raw) > EXPANDED:
        raise ResultsError(f"'{path}' has more than {EXPANDED >> 30} GB; give a part of it.")
    return raw


# -- archives ---------------------------------------------------------------------------------


class Archive:
    """A zip file, of which at most `EXPANDED` bytes are unpacked, whatever it says of itself."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.left = EXPANDED
        try:
            self.file = zipfile.ZipFile(path)
        except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
            raise ResultsError(
                f"'{path}' is no whole zip file ({error}). It seems to be cut off."
            ) from None
        self.members = {info.filename: info for info in self.file.infolist()}
        if len(self.members) > MEMBERS:
            raise ResultsError(f"'{path}' has more than {MEMBERS} files in it; give a part of it.")

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def json(self, name: str) -> Any:
        """The value in a JSON file of the archive."""
        return parsed(self.content(name), f"'{name}' in '{self.path}'")

    def content(self, name: str) -> bytes:
        """The bytes of a file of the archive."""
        info = self.members[name]
        try:
            raw = self._unpacked(info)
        except MissingPackage:
            raise
        # what a damaged archive ends in depends on where it is damaged
        except Exception as error:
            raise ResultsError(
                f"'{name}' in '{self.path}' cannot be unpacked: {error!r:.120}. It seems to be cut."
            ) from None
        self.left -= len(raw)
        if self.left < 0:
            raise ResultsError(
                f"'{self.path}' holds more than {EXPANDED >> 30} GB unpacked, which is not read; "
                "give a part of it."
            )
        return raw

    def unpack(self, names: Iterable[str], folder: str | Path) -> None:
        """Write files of the archive into a folder, each within it, whatever it is called."""
        for name in names:
            place = place_within(folder, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(self.content(name))

    def _unpacked(self, info: zipfile.ZipInfo) -> bytes:
        try:
            with self.file.open(info) as member:
                return member.read(self.left + 1)
        except NotImplementedError:  # before Python 3.14, Zstandard
            if info.compress_type != ZSTANDARD:
                raise
            return _from_zstandard(self._packed(info), self.left + 1)

    def _packed(self, info: zipfile.ZipInfo) -> bytes:
        """The bytes of a member as they are in the file, behind its local header."""
        with self.path.open("rb") as file:
            file.seek(info.header_offset)
            header = file.read(30)
            skipped = int.from_bytes(header[26:28], "little")
            file.seek(skipped + int.from_bytes(header[28:30], "little"), io.SEEK_CUR)
            return file.read(info.compress_size)


def _from_zstandard(packed: bytes, most: int) -> bytes:
    """At most so many bytes; by either package that can, as the extras bring them."""
    try:
        arrow: Any = require("pyarrow", extra="parquet", purpose="Reading this file")
    except MissingPackage:
        package: Any = require(
            "zstandard", extra="inspect", purpose="Reading zip files that use Zstandard"
        )
        result = (
            package.ZstdDecompressor().stream_reader(packed, read_across_frames=True).read(most)
        )
        return bytes(result)
    stream = arrow.CompressedInputStream(arrow.BufferReader(packed), "zstd")
    return bytes(stream.read(most))


def are_arrays(head: bytes) -> bool:
    """Whether a file begins like an .npz file."""
    return head[:4] == b"PK\x03\x04" and b".npy" in head[:200]


def array_names(path: Path) -> list[str]:
    """The names of the arrays of an .npz file."""
    with Archive(path) as archive:
        return [name.removesuffix(".npy") for name in archive.members]


def arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of an .npz file; one that would have to be unpickled is refused."""
    with Archive(path) as archive:
        results = {}
        for name in archive.members:
            raw = io.BytesIO(archive.content(name))
            try:
                results[name.removesuffix(".npy")] = np.load(raw, allow_pickle=False)
            except (ValueError, EOFError, OSError) as error:
                raise ResultsError(
                    f"'{name}' in '{path}' is no plain array ({error}); save arrays of numbers."
                ) from None
    return results


# -- SQLite -----------------------------------------------------------------------------------


@contextlib.contextmanager
def database(path: Path) -> Iterator[sqlite3.Connection]:
    """A SQLite database (also gzipped), which cannot be written and runs no code of its own."""
    with contextlib.ExitStack() as stack:
        if first_bytes(path, len(SQLITE)) != SQLITE:  # gzipped
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            (folder / "unpacked.db").write_bytes(content(path))
            where = folder / "unpacked.db"
        else:
            where = path
        try:
            uri = f"{where.resolve().as_uri()}?mode=ro"
            connection = stack.enter_context(
                contextlib.closing(sqlite3.connect(uri, uri=True, timeout=5))
            )
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA query_only = ON")
            yield connection
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise ResultsError(f"'{path}' cannot be read as a SQLite database: {error}.") from None


MOST_CELLS = 20_000_000  # of the tables of a database


def sqlite_tables(path: Path) -> dict[str, pd.DataFrame]:
    """The tables of a SQLite database, by name."""
    made: dict[str, pd.DataFrame] = {}
    with database(path) as connection:
        for name in sorted(table_names(path)):
            called = '"' + name.replace('"', '""') + '"'
            outcome = connection.execute(f"SELECT * FROM {called} LIMIT {MOST_CELLS // 10}")
            heads = [str(column[0]) for column in outcome.description]
            made[name] = decode_bytes(pd.DataFrame(outcome.fetchall(), columns=heads))
    return made


def table_names(path: Path) -> set[str]:
    """The tables of a SQLite database; none where it is none."""
    try:
        with database(path) as connection:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return {str(name) for (name,) in rows}
    except (ResultsError, OSError):
        return set()
