"""Whether a board holds what was written: its chain, its rules, and every file of a submission."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from podium.boards.board import BOARD, LEDGER, NEW, RENEWED, SUBMISSIONS, SUBMITTED
from podium.boards.ledger import Entry, Ledger, digest, read_ledger


@dataclass(frozen=True)
class Checked:
    """What came of checking: what was changed, and folders that no line of the ledger knows."""

    path: Path
    lines: int
    head: str
    changed: tuple[str, ...]
    unknown: tuple[str, ...]


def check_board(path: str | Path) -> Checked:
    """Compare everything with the ledger, and the ledger with its own hashes."""
    folder = Path(path)
    ledger = read_ledger(folder / LEDGER)
    changed = [*_broken(ledger), *_changed(folder, ledger)]
    known = {str(kept["folder"]) for kept in _kept(ledger)}
    there = folder / SUBMISSIONS
    names = sorted(each.name for each in there.iterdir()) if there.is_dir() else []
    unknown = [] if ledger.broken else [f"{SUBMISSIONS}/{n}" for n in names if n not in known]
    return Checked(folder, len(ledger.entries), ledger.head, tuple(changed), tuple(unknown))


def _broken(ledger: Ledger) -> Iterator[str]:
    if ledger.broken is not None:
        yield f"{LEDGER}, line {ledger.broken.line}: {ledger.broken.reason}"


def _kept(ledger: Ledger) -> list[Entry]:
    return [*ledger.of(SUBMITTED), *(entry["kept"] for entry in ledger.of(RENEWED))]


def _changed(folder: Path, ledger: Ledger) -> Iterator[str]:
    """The files that are not as they were when their line was written."""
    expected: dict[str, str] = {}
    for entry in ledger.of(NEW, RENEWED):
        expected |= entry["files"]
        expected |= {BOARD: entry["rules"]} if entry["event"] == NEW else {}
    for kept in _kept(ledger):
        at = f"{SUBMISSIONS}/{kept['folder']}"
        expected |= {f"{at}/scores.csv": kept["scores"], f"{at}/reading.json": kept["reading"]}
        expected |= {f"{at}/files/{name}": mark for name, mark in kept["files"].items()}
    yield from _differing(folder, expected)


def _differing(folder: Path, expected: Mapping[str, str]) -> Iterator[str]:
    for name, mark in expected.items():
        try:
            content = (folder / name).read_bytes()
        except OSError:
            yield f"{name}: it cannot be read, or is gone"
            continue
        if digest(content) != mark:
            yield f"{name}: it was changed after it was written"
