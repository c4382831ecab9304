"""What OpenML sends: files kept in a cache folder, and ARFF, read strictly.

Nothing is guessed: a row with too few values, a nominal value that was not declared or a text
among numbers is an error that names the place. `%` begins a comment where a line begins with it.
"""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np
import pandas as pd

from podium.core.base.errors import DesignError
from podium.core.base.formatting import read_digits
from podium.core.base.writing import cache_folder

MOST_CELLS = 2**28  # of a sparse file made dense: two gigabytes
NUMERIC = ("numeric", "real", "integer")
DATE = "yyyy-MM-dd'T'HH:mm:ss"  # a date that names no format
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
# a fingerprint must not depend on the way of reading; from 3.1 pandas is exact by itself
OLD_PANDAS = tuple(int(v) for v in pd.__version__.split(".")[:2]) < (3, 1)
EXACT: dict[str, Any] = {"float_precision": "round_trip"} if OLD_PANDAS else {}
QUOTED = r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\""""
_DATA = re.compile(r"^[ \t]*@data\b[^\n]*\n?", re.IGNORECASE | re.MULTILINE)
_ATTRIBUTE = re.compile(rf"@attribute\s+({QUOTED}|[^\s{{]+)\s*(.*)", re.IGNORECASE)
_VALUE = re.compile(rf"\s*({QUOTED}|[^,]*?)\s*,")  # a comma follows the last value, too
_ENTRY = re.compile(rf"\s*(\d+)\s+({QUOTED}|[^,]*?)\s*,")
_DATE_PART = re.compile(r"'([^']*)'|([A-Za-z])\2*|.")
_DATE_CODES = {
    "yyyy": "%Y",
    "yy": "%y",
    "y": "%Y",
    "MM": "%m",
    "MMM": "%b",
    "dd": "%d",
    "HH": "%H",
    "mm": "%M",
    "ss": "%S",
    "SSS": "%f",
    "Z": "%z",
}


@dataclass(frozen=True)
class Attribute:
    """A column as its declaration has it: numeric, nominal with its values, string or date."""

    name: str
    kind: str
    values: tuple[str, ...] = ()
    format: str = ""


def read_arff(text: str, what: str) -> pd.DataFrame:
    """The table in an ARFF text.

    Numbers are floats, dates seconds since 1970, nominal values categories in their declared
    order, strings texts. An unquoted `?` is missing.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    mark = _DATA.search(text)
    if mark is None:
        raise DesignError(f"{what} has no line '@data': it is no ARFF, or cut off.")
    attributes = _attributes(text[: mark.start()], what)
    rows = [
        line
        for line in text[mark.end() :].split("\n")
        if (bare := line.strip()) and not bare.startswith("%")
    ]
    if rows and rows[0].lstrip().startswith("{"):
        columns = _sparse(attributes, rows, what)
    else:
        columns = _dense(attributes, rows, what)
    return pd.DataFrame(dict(zip([a.name for a in attributes], columns, strict=True)))


# -- the declarations -------------------------------------------------------------------------


def _attributes(header: str, what: str) -> list[Attribute]:
    results = []
    for line in header.split("\n"):
        line = line.strip()
        if line.lower().startswith("@attribute"):
            results.append(_attribute(line, what))
        elif line and not line.startswith("%") and not line.lower().startswith("@relation"):
            raise DesignError(f"{what}: the line {line!r:.60} is no declaration of an attribute.")
    if not results:
        raise DesignError(f"{what} declares no attributes.")
    name, times = Counter(a.name for a in results).most_common(1)[0]
    if times > 1:
        raise DesignError(f"{what} declares the attribute '{name}' twice.")
    return results


def _attribute(line: str, what: str) -> Attribute:
    match = _ATTRIBUTE.fullmatch(line)
    if match is None:
        raise DesignError(f"{what}: {line!r:.60} does not say what the attribute is called.")
    name, declared = _unquoted(match[1]), match[2].strip()
    if declared.startswith("{"):
        return Attribute(name, "nominal", _levels(declared, f"{what}: attribute '{name}'"))
    kind, _, rest = declared.partition(" ")
    if kind.lower() in NUMERIC:
        return Attribute(name, "numeric")
    if kind.lower() == "string":
        return Attribute(name, "string")
    if kind.lower() == "date":
        pattern = _unquoted(rest.strip()) if rest.strip() else DATE
        return Attribute(name, "date", format=_date_format(pattern, f"{what}: attribute '{name}'"))
    raise DesignError(
        f"{what}: attribute '{name}' is of the kind {declared!r:.40}. Known: numeric, real, "
        "integer, string, date and nominal values in braces."
    )


def _levels(declared: str, what: str) -> tuple[str, ...]:
    inner, brace, _ = declared[1:].rpartition("}")
    if not brace:
        raise DesignError(f"{what}: its values lack the closing brace.")
    raw = _VALUE.findall(inner + ",")
    _check_raw(raw, what)
    return tuple(dict.fromkeys(map(_unquoted, raw)))


def _date_format(pattern: str, what: str) -> str:
    """Java's letters for dates as those of strptime."""

    def part(match: re.Match[str]) -> str:
        if match[1] is not None or not match[0].isalpha():
            return (match[1] if match[1] is not None else match[0]).replace("%", "%%")
        if match[0] not in _DATE_CODES:
            raise DesignError(f"{what}: the date format '{pattern}' is not known. Ignore it.")
        return _DATE_CODES[match[0]]

    return _DATE_PART.sub(part, pattern)


def _unquoted(raw: str) -> str:
    if raw[:1] not in ("'", '"'):
        return raw
    if "\\" not in raw:
        return raw[1:-1]
    return re.sub(r"\\(.)", lambda m: ESCAPES.get(m[1], m[1]), raw[1:-1])


def _check_raw(raw: Sequence[str], what: str) -> None:
    """Refuse an empty value, and a quote that does not close or has something behind it."""
    for value in raw:
        if not value:
            raise DesignError(f"{what} has an empty value; a missing one is written '?'.")
        if value[0] in "'\"" and not re.fullmatch(QUOTED, value):
            raise DesignError(f"{what} has a quote that does not close: {value!r:.40}.")


# -- the rows ---------------------------------------------------------------------------------


def _dense(attributes: list[Attribute], rows: list[str], what: str) -> list[Any]:
    try:
        return _quick(attributes, "\n".join(rows))
    except (ValueError, OverflowError):
        pass  # something is odd: the thorough way finds out what, and where
    cells = [_VALUE.findall(row + ",") for row in rows]
    _check_lengths([len(c) for c in cells], len(attributes), what)
    columns = zip(*cells, strict=True) if cells else [()] * len(attributes)
    return [_column(a, c, what) for a, c in zip(attributes, columns, strict=True)]


def _check_lengths(lengths: list[int], expected: int, what: str) -> None:
    odd = np.flatnonzero(np.array(lengths, dtype=int) != expected)
    if len(odd):
        raise DesignError(
            f"{what}: row {odd[0] + 1} of the data has {lengths[odd[0]]} values; "
            f"{expected} attributes are declared."
        )


def _quick(attributes: list[Attribute], body: str) -> list[Any]:
    """The columns by pandas, with short names for quoted values; ValueError where all is not well.

    DesignError is one, too.
    """
    if not body or "\1" in body:
        raise ValueError
    quoted: dict[str, str] = {}
    body = re.sub(QUOTED, lambda m: quoted.setdefault(m[0], f"\1{len(quoted)}\1"), body)
    _check_lengths([row.count(",") + 1 for row in body.split("\n")], len(attributes), "")
    frame = pd.read_csv(
        io.StringIO(body),
        header=None,
        names=range(len(attributes)),
        index_col=False,
        dtype={j: float if a.kind == "numeric" else "category" for j, a in enumerate(attributes)},
        na_values=["?"],
        keep_default_na=False,
        skipinitialspace=True,
        quoting=csv.QUOTE_NONE,
        **EXACT,
    )
    meant = {short: _unquoted(raw) for raw, short in quoted.items()}
    return [
        frame[j].to_numpy() if a.kind == "numeric" else _by_category(a, frame[j], meant)
        for j, a in enumerate(attributes)
    ]


def _by_category(attribute: Attribute, column: pd.Series, meant: dict[str, str]) -> Any:
    names = [str(c).strip() for c in column.cat.categories]
    plain = [n for n in names if n not in meant]
    if any(not n or n == "?" or re.search("[\1'\"]", n) for n in plain):
        raise ValueError
    codes = column.cat.codes.to_numpy(np.int64)
    return _typed(attribute, codes, [*(meant.get(n, n) for n in names), None], "")


def _column(attribute: Attribute, raw: Sequence[str], what: str) -> Any:
    """A column from its values as they are written."""
    what = f"{what}: attribute '{attribute.name}'"
    codes, distinct = pd.factorize(np.array(raw, dtype=object))
    _check_raw(distinct, what)
    return _typed(attribute, codes, [None if r == "?" else _unquoted(r) for r in distinct], what)


def _typed(
    attribute: Attribute, codes: np.ndarray, distinct: Sequence[str | None], what: str
) -> Any:
    """The column with the value `distinct[code]` in each row, in the attribute's own type."""
    if attribute.kind == "nominal":
        position: dict[str | None, int] = {v: i for i, v in enumerate(attribute.values)}
        position[None] = -1
        for value in distinct:
            if value not in position:
                raise DesignError(f"{what} has the value '{value}', which it does not declare.")
        places = np.array([position[v] for v in distinct], dtype=np.int64)
        return pd.Categorical.from_codes(places[codes], categories=list(attribute.values))
    if attribute.kind == "string":
        return np.array(distinct, dtype=object)[codes]
    made: Callable[[str], float] = (
        _number if attribute.kind == "numeric" else lambda text: _moment(text, attribute.format)
    )
    return np.array([_made(made, v, what) for v in distinct], dtype=float)[codes]


def _made(make: Callable[[str], float], text: str | None, what: str) -> float:
    try:
        return np.nan if text is None else make(text)
    except ValueError:
        noun = "number" if make is _number else "date of its format"
        raise DesignError(f"{what} holds '{text}', which is no {noun}.") from None


def _number(text: str) -> float:
    if "_" in text:  # Python's own way of writing thousands
        raise ValueError
    return float(text)


def _moment(text: str, form: str) -> float:
    moment = datetime.strptime(text, form)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


# -- sparse rows ------------------------------------------------------------------------------


def _sparse(attributes: list[Attribute], rows: list[str], what: str) -> list[Any]:
    """Rows such as {0 5.1, 3 red}; what is left out is 0, or the first nominal value."""
    if len(rows) * len(attributes) > MOST_CELLS:
        raise DesignError(
            f"{what} is sparse, with {len(rows)} rows and {len(attributes)} attributes: too large "
            "to be used as a full table."
        )
    entries = [_entries(row, i, len(attributes), what) for i, row in enumerate(rows)]
    row_of = np.repeat(np.arange(len(rows)), [len(e) for e in entries])
    column_of = np.array([j for e in entries for j, _ in e], dtype=np.int64)
    raw = np.array([value for e in entries for _, value in e], dtype=object)
    order = np.argsort(column_of, kind="stable")
    bounds = np.searchsorted(column_of[order], np.arange(len(attributes) + 1))
    columns = []
    for j, a in enumerate(attributes):
        mine = order[bounds[j] : bounds[j + 1]]
        full = np.full(len(rows), _left_out(a, len(mine) < len(rows), what), dtype=object)
        full[row_of[mine]] = raw[mine]
        columns.append(_column(a, list(full), what))
    return columns


def _left_out(attribute: Attribute, some: bool, what: str) -> str:
    if attribute.kind == "nominal":
        return "'" + re.sub(r"(['\\])", r"\\\1", attribute.values[0]) + "'"
    if attribute.kind != "numeric" and some:
        raise DesignError(
            f"{what}: sparse rows leave out the {attribute.kind} '{attribute.name}', "
            "which has no 0."
        )
    return "0"


def _entries(row: str, i: int, p: int, what: str) -> list[tuple[int, str]]:
    """The pairs of position and value in a sparse row, none of them twice."""
    place = f"{what}: row {i + 1} of the data"
    row = row.strip()
    inner = row[1:-1].strip() + "," if row[0] == "{" and row[-1] == "}" and len(row) > 1 else "!"
    entries, end = [], 0
    while end < len(inner) and inner != ",":
        match = _ENTRY.match(inner, end)
        if match is None:
            raise DesignError(f"{place} is no list of positions and values in braces: {row!r:.40}.")
        entries.append((read_digits(match[1]), match[2]))
        end = match.end()
    positions = [j for j, _ in entries]
    if positions and max(positions) >= p:
        raise DesignError(f"{place} has position {max(positions)}; they go from 0 to {p - 1}.")
    if len(set(positions)) < len(positions):
        raise DesignError(f"{place} gives a position twice.")
    return entries


# -- download -------------------------------------------------------------------------------------
# Files from the network, kept in a cache folder: fetched once, and there without a network.
#
# The folder is the environment variable PODIUM_CACHE, else `podium` in OPENML_CACHE_DIRECTORY or
# in XDG_CACHE_HOME, else ~/.cache/podium. Pooch downloads and writes files all at once; what is
# in the cache is read without it. Attempts are counted here, as pooch would ask again after a
# refusal, too.


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
