"""Rates that grow: how often a rule claims what is not so, counted in batches and kept as data.

    python -m podium_lab.rates --until 2000      # goes on where the file ends

Every cell draws one study at a time under a null of its own and tells whether anything was claimed.
A batch has draws of its own, by its cell's name and number, so that counts can be resumed, and
repeated by anybody; `rates.csv` beside this file is what docs/make_rates.py shows.
"""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import numpy as np

from podium.core.base.writing import write_text

RATES = Path(__file__).with_name("rates.csv")
BATCH = 100
Cell = Callable[[np.random.Generator], bool | None]  # None: the study carries no test
Counts = dict[str, tuple[int, int, int]]  # name -> batches, studies, claims
HEAD = ("cell", "batches", "studies", "claims")


def read_rates(path: Path = RATES) -> Counts:
    """What was counted so far, by cell."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {
            row["cell"]: (int(row["batches"]), int(row["studies"]), int(row["claims"]))
            for row in csv.DictReader(file)
        }


def _write(counts: Counts, path: Path) -> None:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerows([HEAD, *((name, *each) for name, each in sorted(counts.items()))])
    write_text(text.getvalue(), path)


def drawn(name: str, batch: int) -> np.random.Generator:
    """The generator of a cell's batch."""
    return np.random.default_rng(int.from_bytes(sha256(f"{name} {batch}".encode()).digest()[:8]))


def grow(cells: Mapping[str, Cell], until: int, path: Path = RATES) -> Counts:
    """Count on, the cells with the fewest batches first, until each has so many studies."""
    counts = read_rates(path)
    wanted = -(-until // BATCH)
    for round_ in range(wanted):
        for name, cell in cells.items():
            batches, studies, claims = counts.get(name, (0, 0, 0))
            if batches > round_:
                continue
            rng = drawn(name, batches)
            each = [cell(rng) for _ in range(BATCH)]
            told = [bool(one) for one in each if one is not None]
            counts[name] = (batches + 1, studies + len(told), claims + sum(told))
            _write(counts, path)
    return counts


def all_cells() -> dict[str, Cell]:
    """The cells of all rules, by name."""
    from podium_lab import predictions
    from podium_lab.calibration import rules

    return {**predictions.cells(), **rules.cells()}


def main() -> None:
    """Count on."""
    arguments = argparse.ArgumentParser(prog="python -m podium_lab.rates")
    arguments.add_argument("--until", type=int, default=2000)
    arguments.add_argument("--only", default="", help="cells whose names begin so")
    arguments.add_argument("--into", type=Path, default=RATES, help="the file of counts")
    chosen = arguments.parse_args()
    cells = {n: cell for n, cell in all_cells().items() if n.startswith(chosen.only)}
    for name, (_, studies, claims) in grow(cells, chosen.until, chosen.into).items():
        print(f"{name}: {100 * claims / max(studies, 1):.1f} % of {studies}")


if __name__ == "__main__":
    main()
