"""Table 2 of Hothorn et al. (2005), replication by replication, from where the CSV stands.

    python papers/continue_table2.py --minutes 10       # processor minutes; stop and go on at will

`papers/hothorn2005/table2.csv` has a line for every cell: printed power, how many of so many
replications rejected, their share, its standard error and z. Batches are counted from 0 with seed
0, so that whoever goes on continues the same simulation, and the file is all that must be kept. A
cell is finished with the paper's 5000 replications; `finished` says so. With a C compiler a
replication takes a second, without one ten; the numbers are the same. What came out is then written
into the README beside the file.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd

from podium.core.base.writing import write_text
from podium_lab.papers.hothorn2005 import REPLICATIONS, rejections, table2
from podium_lab.papers.replication import Replication, compared_shares, printed

README = Path(__file__).parent / "hothorn2005" / "README.md"
KEPT = Path(__file__).parent / "hothorn2005" / "table2.csv"
SEED, SIZE = 0, 5  # replications of a batch, as of `podium replicate hothorn2005 table2`
MARKS = "<!-- table2 -->", "<!-- end of table2 -->"
SAVED = 5.0  # seconds of processor time, after which the file is written


def so_far(kept: Path) -> tuple[np.ndarray, int]:
    """How many rejected in every cell, and the number of batches behind it."""
    shape = printed("hothorn2005_table2").shape
    if not kept.exists():
        return np.zeros(shape, int), 0
    table = pd.read_csv(kept)
    return table["rejected"].to_numpy(int).reshape(shape), int(
        table["replications"].iloc[0]
    ) // SIZE


def keep(kept: Path, rejected: np.ndarray, batches: int) -> None:
    """A line for every cell."""
    theirs, made = printed("hothorn2005_table2"), batches * SIZE
    cells = compared_shares("table2", theirs, REPLICATIONS, rejected / made, made, 0.0005)
    table = pd.DataFrame(
        {
            "gamma": [cell.row for cell in cells],
            "problem": [cell.column for cell in cells],
            "theirs": [cell.theirs for cell in cells],
            "rejected": rejected.ravel(),
            "replications": made,
            "ours": (rejected / made).ravel().round(4),
            "standard_error": [round(cell.standard_error, 4) for cell in cells],
            "agrees": [cell.within for cell in cells],
            "finished": made >= REPLICATIONS,
        }
    )
    write_text(table.to_csv(index=False), kept)


def expected(shares: np.ndarray) -> str:
    """Which cells would be off if the shares stayed what they are until all replications are made.

    Few replications notice little: that no cell is off does not mean that none will be.
    """
    theirs = printed("hothorn2005_table2")
    cells = compared_shares("table2", theirs, REPLICATIONS, shares, REPLICATIONS, 0.0005)
    off = [f"{c.column} at {c.row} (z = {c.z:.1f})" for c in cells if not c.within]
    if not off:
        return f"If these shares stayed, none of {len(cells)} cells would be off with all of them"
    count = f"{len(off)} of {len(cells)} cells"
    return f"If these shares stayed, {count} would be off with all of them: {', '.join(off)}"


def told(kept: Path) -> str:
    """How many cells agree, and the table as Markdown; cells that do not are bold."""
    table = pd.read_csv(kept)
    made = int(table["replications"].iloc[0])
    shares = table["ours"].to_numpy().reshape(printed("hothorn2005_table2").shape)
    compared = compared_shares(
        "table2", printed("hothorn2005_table2"), REPLICATIONS, shares, made, 0.0005
    )
    found = Replication(
        "hothorn2005", "table2", compared, replications=made, seed=SEED,
        printed_replications=REPLICATIONS,
    )  # fmt: skip
    head = (
        f"{found.heading.rpartition(' (')[0]}; the largest |z| is "
        f"{max(abs(cell.z) for cell in compared):.1f}"
    )
    if made < REPLICATIONS:
        head += (
            f". No cell is finished: the paper has {REPLICATIONS} replications. {expected(shares)}"
        )
    cells = [
        f"{r.theirs:.3f} / {r.ours:.3f}" if r.agrees else f"{r.theirs:.3f} / **{r.ours:.3f}**"
        for r in table.itertuples()
    ]
    wide = table.assign(cell=cells).pivot_table(
        index="gamma", columns="problem", values="cell", aggfunc="first", sort=False
    )
    rows = [
        f"| {at} | {' | '.join(row)} |" for at, row in zip(wide.index, wide.values, strict=True)
    ]
    names = f"| | {' | '.join(wide.columns)} |\n|---{'|---:' * len(wide.columns)}|"
    return "\n".join([f"{head}.", "", names, *rows])


def retell(kept: Path) -> None:
    """The README's part between its two marks, anew."""
    before, _, rest = README.read_text(encoding="utf-8").partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    write_text(f"{before}{MARKS[0]}\n\n{told(kept)}\n\n{MARKS[1]}{after}", README)


def main() -> None:
    """Go on for so many minutes of processor time."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--minutes", type=float, default=10.0)
    asked.add_argument("--kept", type=Path, default=KEPT)
    options = asked.parse_args()
    end, kept = time.process_time() + 60 * options.minutes, options.kept
    rejected, batches = so_far(kept)
    saved = time.process_time()
    while batches * SIZE < REPLICATIONS and time.process_time() < end:
        rejected = rejected + rejections(table2.differences, SIZE, SEED, batches)
        batches += 1
        if time.process_time() > saved + SAVED:
            keep(kept, rejected, batches)
            saved = time.process_time()
    keep(kept, rejected, batches)
    if kept == KEPT:
        retell(kept)
    print(f"{batches * SIZE} of {REPLICATIONS} replications; the cells are in '{kept}'.")


if __name__ == "__main__":
    main()
