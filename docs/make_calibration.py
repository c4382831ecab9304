"""Measure the error rates of every procedure and write docs/calibration.csv and calibration.md.

    python docs/make_calibration.py [replications] [procedure ...]

Every procedure is simulated in every scenario that it is legal for: two algorithms (type I error),
five equal ones (family-wise error) and, where it claims strong control, five of which 2 + 2 + 1
are equal. Rows that are in the CSV already are kept, so that the script can be stopped and go on.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from podium.calibration.calibrate import PARTIAL, Calibration, calibrate, suits
from podium.calibration.scenarios import SCENARIOS
from podium.inference.procedures import EQUAL_MEANS, PROCEDURES, SYMMETRIC

HERE = Path(__file__).parent
TABLE, PAGE = HERE / "calibration.csv", HERE / "calibration.md"
Cell = tuple[str, str, int, int, str]
HEADER = ["procedure", "scenario", "blocks", "algorithms", "groups", "replications", "rejections"]
SEED, ALPHA = 0, 0.05
LARGEST, SMALLEST = 0.065, 0.025  # what a rate may be at nominal 0.05
BEAR_UNEQUAL = (EQUAL_MEANS, SYMMETRIC)  # nulls that unequal variances fulfil


def cells() -> Iterator[Cell]:
    for name, procedure in PROCEDURES.items():
        for where, scenario in SCENARIOS.items():
            if not suits(procedure, scenario):
                continue
            for size in sorted(set(scenario.sizes)):
                yield name, where, size, 2, ""
                yield name, where, size, 5, ""
                if "strongly" in procedure.controls and scenario.moves and not procedure.control:
                    yield name, where, size, 5, "".join(map(str, PARTIAL))


def measured(cell: Cell, replications: int) -> Calibration:
    name, where, size, algorithms, groups = cell
    return calibrate(
        name,
        where,
        blocks=size,
        algorithms=algorithms,
        groups=tuple(map(int, groups)),
        replications=replications,
        alpha=ALPHA,
        seed=SEED,
    )


def known() -> dict[Cell, tuple[int, int]]:
    if not TABLE.exists():
        return {}
    with TABLE.open(encoding="utf-8") as file:
        return {
            (r["procedure"], r["scenario"], int(r["blocks"]), int(r["algorithms"]), r["groups"]): (
                int(r["replications"]),
                int(r["rejections"]),
            )
            for r in csv.DictReader(file)
        }


def append(cell: Cell, found: Calibration) -> None:
    new = not TABLE.exists()
    with TABLE.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if new:
            writer.writerow(HEADER)
        writer.writerow([*cell, found.replications, found.rejections])


def main(replications: int, only: list[str]) -> None:
    done = known()
    todo = [c for c in cells() if c not in done and (not only or c[0] in only)]
    with ProcessPoolExecutor() as pool:
        for place, (cell, found) in enumerate(
            zip(todo, pool.map(measured, todo, [replications] * len(todo)), strict=True), 1
        ):
            append(cell, found)
            print(f"{place}/{len(todo)} {cell}: {found.rate:.4f}", flush=True)
    PAGE.write_text(page(known()), encoding="utf-8")


def page(table: dict[Cell, tuple[int, int]]) -> str:
    lines = [
        "# Measured error rates",
        "",
        "How often each procedure rejects at least one true hypothesis at nominal level 0.05. Made",
        "by `python docs/make_calibration.py`, seed 0; a rate of 2000 replications has a standard",
        "error of about 0.005. Two algorithms: type I error. Five: family-wise error, all equal or",
        "(2 + 2 + 1) equal in groups. Rates above 0.065 are **bold**, below 0.025 *italic*.",
        "Single-step adjustments judge two true pairs in the groups as if there were ten, so they",
        "are conservative there by construction. † marks a scenario that the procedure's null does",
        "not cover: unequal variances are then a difference that it may find. – was not measured.",
        "",
        "Scenarios: " + "; ".join(f"*{n}*: {s.text}" for n, s in SCENARIOS.items()) + ".",
        "",
    ]
    wanted = set(cells())
    for name, procedure in PROCEDURES.items():
        rows = {c: v for c, v in table.items() if c[0] == name and c in wanted}
        if rows:
            lines += [f"## {name}", "", f"{procedure.title}. Holds under: {procedure.null}.", ""]
            lines += ["| scenario | blocks | 2 | 5 | 5 (2 + 2 + 1) |", "|---|---|---|---|---|"]
            lines += [row(name, *key, table) for key in dict.fromkeys(c[1:3] for c in rows)] + [""]
    return "\n".join(lines)


def row(name: str, where: str, size: int, table: dict[Cell, tuple[int, int]]) -> str:
    groups = "".join(map(str, PARTIAL))
    shown = [rate(table.get((name, where, size, k, g))) for k, g in ((2, ""), (5, ""), (5, groups))]
    covered = where != "unequal" or PROCEDURES[name].null in BEAR_UNEQUAL
    return f"| {where}{'' if covered else ' †'} | {size} | {' | '.join(shown)} |"


def rate(counts: tuple[int, int] | None) -> str:
    if counts is None:
        return "–"
    value = counts[1] / counts[0]
    text = f"{value:.3f}"
    return f"**{text}**" if value > LARGEST else f"*{text}*" if value < SMALLEST else text


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, sys.argv[2:])
