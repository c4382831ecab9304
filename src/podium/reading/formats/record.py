"""What a file format is: one record of how it is recognised and read; `FORMATS` holds them all.

A format of your own is one record. `FORMATS.add(record)` makes it known to this process, the entry
point group `podium.formats` (a record, or several in a list) to everyone who installs your package;
`podium.testing.check_format` holds it against its laws.
"""

from __future__ import annotations

import codecs
import os
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd

from podium.core.base.formatting import natural
from podium.core.base.registry import Registry
from podium.core.questions.measures import Measure
from podium.core.results.results import ReadAs, Results
from podium.core.samplings import Sampling
from podium.core.words.facts import Note
from podium.reading.cells.vocabulary import Options, Said
from podium.reading.files.tabular import (
    GZIPPED,
    PARQUET,
    frame_columns,
    parquet_columns,
    text_columns,
)
from podium.reading.formats.opening import SQLITE, begun, table_names
from podium.reading.store.store_file import first_bytes

GROUP = "podium.formats"  # of entry points
HEAD = 64 * 1024  # bytes of a file that are looked at
MOST = 1000  # files of a folder that are looked at
EVERY = 100_000  # files of a folder that are read


# -- what is read -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Source:
    """What a caller hands over, looked at without reading it: bounded, and nothing is executed.

    It is a path (of a file or folder), several of them, a frame, a mapping, or an object of another
    library.
    """

    given: Any
    said: Said = field(default_factory=dict)  # by the caller, of its columns
    measure: str | None = None  # that the caller asks for
    sets: tuple[Any, ...] = ()  # record sets (`Loaded`) that a format has made of it

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """The paths that are given; none where the source is in memory."""
        given = self.given if isinstance(self.given, (list, tuple)) else [self.given]
        message = all(isinstance(g, (str, Path)) and g != "" for g in given)
        return tuple(map(Path, given)) if message else ()

    @cached_property
    def head(self) -> bytes:
        """How the first file begins, unpacked where it is gzipped; nothing where there is none."""
        return _unpacked(beginning(self.paths[0])) if self.paths else b""

    @cached_property
    def text(self) -> str:
        """How the first file begins, where it is text in UTF-8."""
        try:
            text = codecs.getincrementaldecoder("utf-8-sig")().decode(self.head)
        except UnicodeDecodeError:
            return ""
        return "" if "\0" in text else text

    @cached_property
    def shape(self) -> Any:
        """What the first file holds as JSON, as far as its beginning goes; None if it is other."""
        result = begun(self.text) if self.text.lstrip()[:1] in ("{", "[") else None
        return result if result and result != [None] else None

    @cached_property
    def tables(self) -> set[str]:
        """The tables of the first file, where it is a SQLite database."""
        return table_names(self.paths[0]) if self.head[:16] == SQLITE else set()

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The files that are given and those in folders that are, in order, hidden ones aside."""
        below = islice((file for path in self.paths for file in _files(path)), EVERY + 1)
        once = {os.path.realpath(file): file for file in reversed(list(below))}
        return tuple(reversed(once.values()))  # a file that is given twice is one

    @cached_property
    def parts(self) -> tuple[Source, ...]:
        """The files, each as a source of its own; at most `MOST`."""
        if len(self.paths) == 1 and self.files == self.paths:
            return (self,)
        return tuple(Source(file, self.said, self.measure) for file in self.files[:MOST])

    @cached_property
    def listed(self) -> Source:
        """The source with the files of its one folder in place of that, where there are several."""
        if len(self.paths) != 1 or self.files == self.paths or not 1 < len(self.files) <= MOST:
            return self
        return Source(list(self.files), self.said, self.measure)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of columns (or the keys), where the source is a table (or a mapping)."""
        if isinstance(self.given, Mapping):
            return tuple(map(str, self.given))
        if not self.paths:
            return frame_columns(self.given)
        if self.shape is not None:
            return ()
        return (
            parquet_columns(self.paths[0]) if self.head[:4] == PARQUET else text_columns(self.text)
        )


def beginning(path: Path) -> bytes:
    """The first bytes of a file; none where it cannot be read."""
    try:
        if not path.is_file():  # to open a pipe may wait for ever
            return b""
        return first_bytes(path, HEAD)
    except OSError:
        return b""


def _unpacked(head: bytes) -> bytes:
    try:
        return zlib.decompressobj(31).decompress(head, HEAD) if head[:2] == GZIPPED else head
    except zlib.error:
        return b""


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        return iter([path])
    result = islice(_below(path), EVERY + 1)
    return iter(sorted(result, key=lambda file: [natural(part) for part in file.parts]))


def _below(path: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(path):  # links to folders may lead in circles
        folders[:] = sorted((name for name in folders if name[0] != "."), key=natural)
        shown = sorted((name for name in names if name[0] != "."), key=natural)
        result = (Path(folder) / name for name in shown)
        yield from (file for file in result if file.is_file())


@dataclass(frozen=True)
class LongTable:
    """What a reader may give instead of `Results`: a row per score, and what its format knows.

    Columns of `frame` are called as people call them: algorithm, value and, where they are there,
    dataset, measure, sample (or repeat and fold, or item) and cluster. What the format leaves no
    doubt about (the sampling, what its measures are) need not be said by the caller.
    """

    frame: pd.DataFrame
    what: str  # how an error calls the source
    name: str = ""
    sampling: str | Sampling | None = None
    measure: str | None = None  # which of several is meant, unless the caller says another
    measures: Mapping[str, Measure] = field(default_factory=dict)
    notes: Sequence[Note] = ()  # what was recognised
    called: Mapping[str, str] = field(default_factory=dict)  # nouns of its roles: model, item ...
    facts: Mapping[str, Any] = field(default_factory=dict)  # of its samples, beside their scores
    options: Options | None = None  # what the caller said, less what the reader has used
    title: str = ""  # of what was recognised, where it is another than the format's
    answers: pd.DataFrame | None = None  # that scores are means of: how many, their variance
    read_as: ReadAs | None = None  # roles of the source's columns, where they are known


# -- formats ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sample:
    """A small source that the laws of formats are tried on."""

    make: Callable[[Path], Any]  # writes it into an empty folder, or gives an object
    order: Sequence[str]  # its algorithms by the mean of its first measure, the best first
    options: Mapping[str, Any] = field(default_factory=dict)  # what `read` has to be told


def text_sample(file: str, text: str, order: Sequence[str], **options: Any) -> Sample:
    """The sample that is one text file."""

    def make(folder: Path) -> Path:
        (folder / file).write_text(text, encoding="utf-8")
        return folder / file

    return Sample(make, order, options)


@dataclass(frozen=True)
class Format:
    """A file format, or another form that scores come in.

    `recognises` looks at content (`Source.head`, `text`, `files`, `columns`), never at the
    extension alone. A `general` format (a CSV file may hold anything) counts where no other does.
    """

    name: str
    words: str  # what it is, for people
    recognises: Callable[[Source], bool]
    read: Callable[[Source, Options], Results | LongTable]
    samples: Sequence[Sample] = ()
    extensions: Sequence[str] = ()  # that such files usually have
    general: bool = False
    title: str = ""  # what is said to be recognised, as in "hyperfine timings"
    of_benchmarks: bool = False  # one file has benchmarks alone; what is compared is two files
    chooses_rows: bool = False  # its reader heeds `where`
    before: Sequence[str] = ()  # formats that lie beside its files, and count only without it
    by_recipe: bool = False  # what a recipe refuses is refused; it is not read in another way
    loads: Callable[[Source], Any] | None = (
        None  # its record set (`Loaded`), whose roles are inferred
    )
    place: float = 50  # formats are listed and asked by this number, and by name


class Formats(Mapping[str, Format]):
    """The formats of all rooms and other packages by name, loaded when first asked for."""

    def __init__(self) -> None:
        self._known: Registry[Format] = Registry("format", of_rooms="formats")
        self._plugged = False

    def add(self, record: Format) -> Format:
        """Make a format known, and return it."""
        return self._known.add(record.name, record)

    def recognising(self, source: Source) -> list[Format]:
        """The formats that a source may have; general ones only where there is no other."""
        results = [record for record in self.values() if _recognises(record, source)]
        results = [record for record in results if not record.general] or results
        beside = {name for record in results for name in record.before}
        return [record for record in results if record.name not in beside]

    def __getitem__(self, name: str) -> Format:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        every = self._all().values()
        return iter([r.name for r in sorted(every, key=lambda r: (r.place, r.name))])

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> Registry[Format]:
        if not self._plugged:
            self._plugged = True
            for plugin in entry_points(group=GROUP):
                self._plug_in(plugin)
        return self._known

    def _plug_in(self, plugin: EntryPoint) -> None:
        """Add what another package brings; where that fails, the rest still works."""
        try:
            result = plugin.load()
            for record in [result] if isinstance(result, Format) else result:
                self.add(record)
        except Exception as error:  # code of others may raise anything
            _warn(f"The file format '{plugin.name}' of '{plugin.value}' cannot be used", error)


def _recognises(record: Format, source: Source) -> bool:
    try:
        return bool(record.recognises(source))
    except Exception as error:  # code of others may raise anything
        _warn(f"The file format '{record.name}' cannot say whether it is this", error)
        return False


def _warn(what: str, error: Exception) -> None:
    warnings.warn(f"{what}: {type(error).__name__}: {error}.", stacklevel=4)


FORMATS = Formats()
