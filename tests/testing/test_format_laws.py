"""Every registered format keeps the laws; broken ones are noticed, law by law."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import count
from typing import Any

import pandas as pd
import pytest

from podium import Measure
from podium.errors import ResultsError
from podium.reading.cells.vocabulary import Options
from podium.reading.formats import FORMATS, Format, LongTable, Source, text_sample
from podium.testing import check_format

MAGIC = "%SCORES"


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_keeps_the_laws(name: str) -> None:
    check_format(FORMATS[name])


# --- a format of somebody else ---


def rows(source: Source) -> list[list[str]]:
    lines = source.paths[0].read_text().splitlines()
    if len(lines) < 2 or lines[-1] != "%END":
        raise ResultsError(f"'{source.paths[0]}' is cut off.")
    return [line.split() for line in lines[1:-1]]


def read(source: Source, options: Options) -> LongTable:
    frame = pd.DataFrame(rows(source), columns=["algorithm", "item", "value"])
    return LongTable(
        frame,
        "The file",
        sampling="items",
        measures={"gain": Measure("gain", True)},
        measure="gain",
    )


GOOD = Format(
    "own",
    "scores in a format of our own",
    recognises=lambda source: source.text.startswith(MAGIC),
    read=read,
    samples=[
        text_sample("a.own", f"{MAGIC}\nx 1 0.5\ny 1 0.7\nx 2 0.5\ny 2 0.9\n%END\n", ("y", "x"))
    ],
)


def test_a_format_of_ones_own_keeps_the_laws() -> None:
    check_format(GOOD)


def written(source: Source, options: Options) -> LongTable:
    source.paths[0].with_suffix(".cache").write_text("")
    return read(source, options)


def unpickled(source: Source, options: Options) -> LongTable:
    pickle.loads(pickle.dumps(1))
    return read(source, options)


CALLS = count()  # an address may come again


def random(source: Source, options: Options) -> LongTable:
    found = read(source, options)
    return replace(found, name=str(next(CALLS)))


def inverted(source: Source, options: Options) -> LongTable:
    return replace(read(source, options), measures={"gain": Measure("gain", False)})


def careless(source: Source, options: Options) -> LongTable:
    try:
        return read(source, options)
    except ResultsError:
        raise IndexError("list index out of range") from None


def endless(source: Source, options: Options) -> LongTable:
    try:
        return read(source, options)
    except ResultsError:
        raise ResultsError("no full stop") from None


def raises(source: Source) -> bool:
    return bool(source.given.startswith(MAGIC))


def always(source: Source) -> bool:
    return True


def truthy(source: Source) -> Any:
    return source.text.startswith(MAGIC) or source.text


@pytest.mark.parametrize(
    ("law", "change"),
    [
        (1, {"words": " "}),
        (1, {"samples": ()}),
        (2, {"recognises": lambda source: False}),
        (3, {"recognises": always}),
        (3, {"recognises": raises}),
        (3, {"recognises": truthy}),
        (4, {"read": inverted}),
        (4, {"read": lambda source, options: None}),
        (5, {"read": random}),
        (6, {"read": written}),
        (6, {"read": unpickled}),
        (7, {"read": careless}),
        (7, {"read": endless}),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else "-".join(value),
)
def test_a_broken_law_is_noticed(law: int, change: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match=f"Law {law} of formats is broken"):
        check_format(replace(GOOD, **change))


def test_two_formats_that_recognise_the_same_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**FORMATS, "other": replace(GOOD, name="other")}
    monkeypatch.setattr("podium.testing.files.FORMATS", known)
    with pytest.raises(AssertionError, match=r"Law 2 .* recognised by \['other'\], too"):
        check_format(GOOD)
