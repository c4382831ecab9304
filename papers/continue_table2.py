"""Table 2 of Hothorn et al. (2005), replication by replication, from where the CSV stands.

    python papers/continue_table2.py --minutes 10       # processor minutes; stop and go on at will

`papers/hothorn2005/table2.csv` has a line for every cell: printed power, how many of so many
replications rejected, their share, its standard error and z. Batches are counted from 0 with seed
0, so that whoever goes on continues the same simulation, and the file is all that must be kept. A
cell is finished with the paper's 5000 replications; `finished` says so. With a C compiler a
replication takes a fifth of a second, without one a second; the numbers are the same.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from compiled_fits import CompiledFits, compiler

from podium_lab.calibration import tree_or_discriminant
from podium_lab.papers.hothorn2005 import REPLICATIONS, rejections
from podium_lab.papers.replication import compared_shares, printed

KEPT = Path(__file__).parent / "hothorn2005" / "table2.csv"
SEED, SIZE = 0, 5  # replications of a batch, as of `podium replicate hothorn2005 table2`
SAVED = 5.0  # seconds of processor time, after which the file is written


def so_far() -> tuple[np.ndarray, int]:
    """How many rejected in every cell, and the number of batches behind it."""
    shape = printed("hothorn2005_table2").shape
    if not KEPT.exists():
        return np.zeros(shape, int), 0
    table = pd.read_csv(KEPT)
    return table["rejected"].to_numpy(int).reshape(shape), int(
        table["replications"].iloc[0]
    ) // SIZE


def written(rejected: np.ndarray, batches: int) -> None:
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
    table.to_csv(KEPT, index=False)


def main() -> None:
    """Go on for so many minutes of processor time."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--minutes", type=float, default=10.0)
    end = time.process_time() + 60 * asked.parse_args().minutes
    fitted = CompiledFits if compiler() else tree_or_discriminant.Fits
    differences = partial(tree_or_discriminant.differences, fitted=fitted)
    rejected, batches = so_far()
    saved = time.process_time()
    while batches * SIZE < REPLICATIONS and time.process_time() < end:
        rejected = rejected + rejections(differences, SIZE, SEED, batches)
        batches += 1
        if time.process_time() > saved + SAVED:
            written(rejected, batches)
            saved = time.process_time()
    written(rejected, batches)
    print(f"{batches * SIZE} of {REPLICATIONS} replications; the cells are in '{KEPT}'.")


if __name__ == "__main__":
    main()
