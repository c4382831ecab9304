"""Measure the error rates of every procedure and write docs/calibration.csv and calibration.md.

    python docs/make_calibration.py [replications] [procedure ...]

Every procedure is simulated in every scenario that it is legal for: two algorithms (type I error),
five equal ones (family-wise error) and, where it claims strong control, five of which 2 + 2 + 1
are equal. In the scenarios of surveys the procedures that are made for them are, all of them under
all three, some with other adjustments, too, and with the coverage of their intervals. Rows that
are in the CSV already are kept, so that the script can be stopped and go on.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads would only wait

import csv
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from podium.calibration.calibrate import PARTIAL, Calibration, calibrate, suits
from podium.calibration.scenarios import SCENARIOS, Scenario
from podium.inference.overall import quadratic
from podium.inference.procedures import PROCEDURES, Procedure

HERE = Path(__file__).parent
TABLE, PAGE = HERE / "calibration.csv", HERE / "calibration.md"
Cell = tuple[str, str, int, int, str]  # procedure, scenario, blocks, algorithms, groups
HEADER = ["procedure", "scenario", "blocks", "algorithms", "groups", "replications", "rejections"]
SEED, ALPHA = 0, 0.05
LARGEST, SMALLEST = 0.065, 0.025  # what a rate may be at nominal 0.05
GROUPS, COVERAGE = "".join(map(str, PARTIAL)), "coverage"
KINDS = ((2, ""), (5, ""), (5, GROUPS), (5, COVERAGE))
# whose nulls unequal variances fulfil
BEAR_UNEQUAL = ("paired-t", "max-modulus", "wilcoxon", "pratt", "sign", "sign-flip", "games-howell",
                "median-bootstrap")  # fmt: skip
OF_SURVEYS = ("friedman", "nemenyi", "iman-davenport", "quade", "aligned-ranks", "wilcoxon", "sign",
              "paired-t", "mixed-tukey", "skillings-mack", "survey-random",
              "survey-fixed")  # fmt: skip
WITH_INTERVALS = ("paired-t", "mixed-tukey", "survey-random", "survey-fixed")
VARIANTS = {
    "paired-t": ("holm", "shaffer", "bergmann-hommel"),
    "friedman": ("shaffer", "bergmann-hommel"),
    "mixed-tukey": ("bergmann-hommel",),
    "survey-random": ("bergmann-hommel",),
    "survey-fixed": ("bergmann-hommel",),
}
OF_VARIANTS = ("survey-normal", "survey-unequal", "survey-nested", "survey-these")


def cells() -> Iterator[Cell]:
    for name, procedure in PROCEDURES.items():
        for where, scenario in SCENARIOS.items():
            if suits(procedure, scenario):
                of = _of_survey if where.startswith("survey-") else _of_blocks
                yield from of(name, procedure, where, scenario)


def _of_blocks(name: str, procedure: Procedure, where: str, scenario: Scenario) -> Iterator[Cell]:
    for size in sorted(set(scenario.sizes)):
        yield name, where, size, 2, ""
        yield name, where, size, 5, ""
        if "strongly" in procedure.controls and scenario.moves and not procedure.control:
            yield name, where, size, 5, GROUPS


def _of_survey(name: str, procedure: Procedure, where: str, scenario: Scenario) -> Iterator[Cell]:
    if name not in OF_SURVEYS:
        return
    for size in scenario.sizes:
        for algorithms, groups in KINDS[:3]:
            yield name, where, size, algorithms, groups
        if name in WITH_INTERVALS:
            yield name, where, size, 5, COVERAGE
        for variant in VARIANTS.get(name, ()) if where in OF_VARIANTS else ():
            for algorithms, groups in KINDS[1:3]:
                yield f"{name} ({variant})", where, size, algorithms, groups


def parts(cell: Cell) -> tuple[Procedure, str | None]:
    """The procedure of a cell, and its adjustment where that is not the procedure's own."""
    name, _, variant = cell[0].partition(" (")
    return PROCEDURES[name], variant.removesuffix(")") or None


def measured(cell: Cell, replications: int) -> Calibration:
    (procedure, adjust), (_, where, size, algorithms, groups) = parts(cell), cell
    # closed testing draws a null for every subset: fewer draws of each
    null = "permutation:999" if procedure.unpaired and procedure.adjust == "closed" else None
    small = size < 30 and not procedure.default_null  # these nulls are drawn
    slow = small or procedure.unpaired or where.startswith("survey-")
    return calibrate(
        procedure,
        where,
        blocks=size,
        algorithms=algorithms,
        groups=PARTIAL if groups else (),
        replications=min(replications, 1000) if slow else replications,
        alpha=ALPHA,
        seed=SEED,
        intervals=groups == COVERAGE,
        adjust=adjust,
        null=null if small else None,
    )


def bricks(cell: Cell) -> tuple[object, ...]:
    """What a cell's number depends on: procedures that differ in words only have the same."""
    procedure, adjust = parts(cell)
    plain = replace(
        procedure, name="", title="", hypothesis="", null="", controls="", reference="",
        overall=procedure.overall if procedure.adjust == "closed" else quadratic,
    )  # fmt: skip
    return plain, adjust, *cell[1:]


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


def append(cell: Cell, replications: int, rejections: int) -> None:
    new = not TABLE.exists()
    with TABLE.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        if new:
            writer.writerow(HEADER)
        writer.writerow([*cell, replications, rejections])


def main(replications: int, only: list[str]) -> None:
    done = known()
    wanted = list(cells())
    asked = [c for c in wanted if c not in done and (not only or parts(c)[0].name in only)]
    alike = {bricks(c): done[c] for c in wanted if c in done}
    todo = list({bricks(c): c for c in reversed(asked) if bricks(c) not in alike}.values())[::-1]
    with ProcessPoolExecutor() as pool:
        found = pool.map(measured, todo, [replications] * len(todo))
        for place, (cell, one) in enumerate(zip(todo, found, strict=True), 1):
            alike[bricks(cell)] = one.replications, one.rejections
            append(cell, *alike[bricks(cell)])
            print(f"{place}/{len(todo)} {cell}: {one.rate:.4f}", flush=True)
    for cell in asked:
        if cell not in todo:
            append(cell, *alike[bricks(cell)])
    PAGE.write_text(page(known()), encoding="utf-8")


def page(table: dict[Cell, tuple[int, int]]) -> str:
    lines = [
        "# Measured error rates",
        "",
        "How often each procedure rejects at least one true hypothesis at nominal level 0.05. Made",
        "by `python docs/make_calibration.py`, seed 0; a rate of 2000 replications has a standard",
        "error of about 0.005 (of 1000, as in the scenarios of surveys, 0.007). Two",
        "algorithms: type I error. Five: family-wise error, all equal or (2 + 2 + 1) equal in",
        "groups. Coverage: how often all intervals of five algorithms in such groups hold the true",
        "differences. Rates above 0.065 are **bold**, below 0.025 *italic*, and coverage alike.",
        "Single-step adjustments judge two true pairs in the groups as if there were ten, so they",
        "are conservative there by construction. † marks a scenario that the procedure's null does",
        "not cover: unequal variances are then a difference that it may find. – was not measured.",
        "Blocks of survey scenarios are counted in data sets. A name in brackets is an adjustment",
        "other than the procedure's own. Closed tests of 20 independent samples drew 999",
        "permutations instead of 9999.",
        "",
        "Scenarios: " + "; ".join(f"*{n}*: {s.text}" for n, s in SCENARIOS.items()) + ".",
        "",
    ]
    wanted = list(cells())
    for name, procedure in PROCEDURES.items():
        rows = [c for c in wanted if c in table and parts(c)[0].name == name]
        if rows:
            lines += [f"## {name}", "", f"{procedure.title}. Holds under: {procedure.null}.", ""]
            lines += [*heads(name), *dict.fromkeys(row(c, table) for c in rows), ""]
    return "\n".join(lines)


def heads(name: str) -> tuple[str, str]:
    more = name in WITH_INTERVALS
    head = "| scenario | blocks | 2 | 5 | 5 (2 + 2 + 1) |" + " coverage |" * more
    return head, "|---|---|---|---|---|" + "---|" * more


def row(cell: Cell, table: dict[Cell, tuple[int, int]]) -> str:
    (procedure, adjust), (_, where, size, _, _) = parts(cell), cell
    kinds = KINDS if procedure.name in WITH_INTERVALS else KINDS[:3]
    shown = [rate(table.get((*cell[:3], *kind)), kind[1] == COVERAGE) for kind in kinds]
    covered = not SCENARIOS[where].unequal or procedure.name in BEAR_UNEQUAL
    variant = f" ({adjust})" if adjust else ""
    return f"| {where}{variant}{'' if covered else ' †'} | {size} | {' | '.join(shown)} |"


def rate(counts: tuple[int, int] | None, coverage: bool = False) -> str:
    if counts is None:
        return "–"
    value = counts[1] / counts[0]
    text = f"{1 - value if coverage else value:.3f}"
    return f"**{text}**" if value > LARGEST else f"*{text}*" if value < SMALLEST else text


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000, sys.argv[2:])
