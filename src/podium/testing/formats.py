"""The laws of a file format, as a suite that any record can be held against."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

import pandas as pd

from podium.base.errors import PodiumError
from podium.base.tables import FAILURES, RUNS, SCORES, WARNINGS
from podium.reading.formats import FORMATS, Format, Sample, Source, read
from podium.reading.results import Results

SHARES = (0.0, 0.3, 0.7, 0.95)  # of a file that are left when it is cut
MOST_CUT = 6  # files of a sample that are cut
LONGEST = 600  # characters of an error
TABLES = (SCORES, RUNS, FAILURES, WARNINGS)


def check_format(record: Format) -> None:
    """Hold a format against its laws; the first one that it breaks raises AssertionError.

    The laws:

    1. It says in words what it is, and has a sample.
    2. Its samples are recognised by it and by no other format; other formats' general ones aside.
    3. Whatever it is asked about, it answers, and it recognises nothing that is empty.
    4. Reading a sample gives valid results, of the algorithms that the sample has, in their order.
    5. Reading twice gives the same.
    6. Nothing is written, changed or unpickled.
    7. A sample that is empty or cut ends in one sentence of a PodiumError, or is a smaller one.
    """
    _law(1, bool(record.name and record.words.strip()), "it has no name or no words")
    _law(1, bool(record.samples), "it has no sample")
    for law in LAWS:
        for sample in record.samples:
            law(record, sample)


def its_sample_is_recognised_by_it_alone(record: Format, sample: Sample) -> None:
    """Law 2; a general format counts only where no other does."""
    with _made(sample) as source:
        request = sample.options.get("measure")
        _law(2, _answer(record, source, request), "it does not recognise its own sample")
        others = [f for f in FORMATS.values() if f.name != record.name]
        rivals = [f for f in others if record.general or not f.general]
        also = [f.name for f in rivals if _answer(f, source, request)]
        _law(2, not also, f"its sample is recognised by {also}, too")


def it_answers_whatever_it_is_asked(record: Format, sample: Sample) -> None:
    """Law 3: nothing is no sample, and what is strange makes no trouble."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "empty").write_bytes(b"")
        (folder / "odd").write_bytes(bytes(range(256)) * 64)
        (folder / "none").mkdir()
        for nothing in (None, (), "", folder / "missing", folder / "none", folder / "empty"):
            _law(3, not _answer(record, nothing), f"it recognises {nothing!r}")
        for odd in (3, {}, object(), [object()], [folder / "odd", folder / "none"], folder / "odd"):
            _answer(record, odd)


def reading_gives_valid_results(record: Format, sample: Sample) -> None:
    """Law 4: the tables are whole, and the best algorithm is the best one."""
    with _made(sample) as source:
        results = read(source, format=record, **sample.options)
    _check_valid(results)
    _law(4, bool(results.measures), "its results have no measure")
    measure = results.measure(next(iter(results.measures)))
    means = results.values(measure.name).groupby("algorithm", observed=True)["value"].mean()
    order = list(means.sort_values(ascending=not measure.higher_is_better).index)
    _law(4, order == list(sample.order), f"the order is {order}, not {list(sample.order)}")


def reading_twice_gives_the_same(record: Format, sample: Sample) -> None:
    """Law 5: reading is deterministic."""
    with _made(sample) as source:
        first, second = (read(source, format=record, **sample.options) for _ in range(2))
    for table in TABLES:
        same = getattr(first, table.name).equals(getattr(second, table.name))
        _law(5, same, f"the {table.name} differ when it is read again")
    facts = [(r.name, str(r.sampling), dict(r.measures), r.facts, r.notes) for r in (first, second)]
    _law(5, facts[0] == facts[1], "what is known differs when it is read again")


def reading_leaves_no_trace(record: Format, sample: Sample) -> None:
    """Law 6: files and objects are as they were, and no pickle is opened, whatever it holds."""
    with tempfile.TemporaryDirectory() as name, _without_pickles():
        folder = Path(name)
        source = sample.make(folder)
        before = _content(folder), repr(source)
        _answer(record, source)
        read(source, format=record, **sample.options)
        _law(6, (_content(folder), repr(source)) == before, "its source is not as it was")


def a_damaged_sample_is_one_sentence(record: Format, sample: Sample) -> None:
    """Law 7: whatever is missing, there is no traceback."""
    for share, alone, source in _damaged(sample):
        try:
            results = read(source, format=record, **sample.options)
        except PodiumError as error:
            text = str(error)
            _law(7, _is_sentence(text), f"what is said of a damaged sample is no sentence: {text}")
        except Exception as error:
            _law(7, False, f"cut to {share:.0%} it ends in {type(error).__name__}: {error}")
        else:
            _law(7, share > 0 or not alone, "an empty sample is read as if it held something")
            _check_valid(results)


LAWS: tuple[Callable[[Format, Sample], None], ...] = (
    its_sample_is_recognised_by_it_alone,
    it_answers_whatever_it_is_asked,
    reading_gives_valid_results,
    reading_twice_gives_the_same,
    reading_leaves_no_trace,
    a_damaged_sample_is_one_sentence,
)


# -- samples --------------------------------------------------------------------------------------


class _made:  # noqa: N801 - reads as a sentence behind `with`
    """A sample in a folder that lasts as long as it is looked at."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        self.folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Any:
        return self.sample.make(Path(self.folder.name))

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()


def _damaged(sample: Sample) -> Iterator[tuple[float, bool, Any]]:
    """How much is left of what, whether that is all there is, and the source."""
    with _made(sample) as source:
        if isinstance(source, Mapping):
            yield 0.0, True, {}
        elif isinstance(source, pd.DataFrame):
            yield 0.0, True, source.head(0)
    with tempfile.TemporaryDirectory() as name:
        sample.make(Path(name))
        files = [path.relative_to(name) for path in sorted(Path(name).rglob("*")) if path.is_file()]
    for file in files[:: 1 + len(files) // MOST_CUT]:  # folders of many files that are alike
        for share in SHARES:
            with tempfile.TemporaryDirectory() as name:
                source = sample.make(Path(name))
                whole = (Path(name) / file).read_bytes()
                (Path(name) / file).write_bytes(whole[: int(share * len(whole))])
                yield share, len(files) == 1, source


def _content(folder: Path) -> dict[Path, tuple[bytes, int]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


# -- answers --------------------------------------------------------------------------------------


def _answer(record: Format, given: Any, measure: str | None = None) -> bool:
    try:
        answer = record.recognises(Source(given, measure=measure))
    except Exception as error:
        _law(3, False, f"asked about {given!r:.80} it ends in {type(error).__name__}: {error}")
        raise
    _law(3, isinstance(answer, bool), f"asked about {given!r:.80} it says {answer!r:.80}")
    return bool(answer)


def _check_valid(results: Results) -> None:
    _law(4, isinstance(results, Results), f"it gives {type(results).__name__}, not results")
    for table in TABLES:
        frame = getattr(results, table.name)
        columns = list(frame.columns)
        _law(4, columns == list(table.columns), f"its {table.name} have the columns {columns}")
        once = not frame.duplicated(list(table.key)).any()
        _law(4, once, f"two rows of its {table.name} have one key")
    known = set(results.scores["measure"]) <= set(results.measures)
    _law(4, known, "scores have measures of which nothing is known")
    _law(4, bool(repr(results) and results.to_json()), "its results cannot be shown")


def _is_sentence(text: str) -> bool:
    return bool(text) and "\n" not in text and text.endswith(".") and len(text) <= LONGEST


def _without_pickles() -> Any:
    def refused(*_: object, **__: object) -> NoReturn:
        raise AssertionError("Law 6 of formats is broken: it unpickles.")

    return mock.patch.multiple(pickle, load=refused, loads=refused, Unpickler=refused)


def _law(number: int, holds: bool, broken: str) -> None:
    if not holds:
        raise AssertionError(f"Law {number} of formats is broken: {broken}.")
