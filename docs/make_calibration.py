"""Measure the error rates of every procedure: the shipped table and docs/calibration.md.

    python docs/make_calibration.py [--fresh] [procedure ...]

Every procedure is simulated in every scenario that it is legal for: two algorithms (type I error),
five equal ones (family-wise error) and, where it claims strong control, five of which 2 + 2 + 1
are equal. In the scenarios of surveys the procedures that are made for them are, all of them under
all three, some with other adjustments, too, and with the coverage of their intervals. Procedures
that are legal nowhere are shown where people use them. Rows that are in the table already are kept,
so that the script can be stopped and go on; --fresh measures anew. Rows with another number of
replications than the script asks for are measured again.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads would only wait

import csv
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

import podium
from podium.core.inference.bricks.nulls import quadratic
from podium.core.inference.comparing.known import PROCEDURES, Rate
from podium.core.inference.procedures.procedure import STRONG, Control, Procedure
from podium.core.questions.targets import ITEM
from podium_lab.calibration.calibrate import PARTIAL, measured
from podium_lab.calibration.judging import ProcedureJudge, Setting, Simulation, suits
from podium_lab.calibration.scenario import Scenario
from podium_lab.calibration.scenarios import APART, SCENARIOS

TABLE = Path(podium.__file__).parent / "core" / "inference" / "calibration.csv"
PAGE = Path(__file__).parent / "calibration.md"
SEED, ALPHA = 0, 0.05
REPLICATIONS, FEWER, FEW, FEWEST = 2000, 1000, 500, 200  # fewer where a replication is slow
MANY = 4000  # of two algorithms in a study that may stop
FEWER_TREES = 300  # where trees are grown
LARGEST, SMALLEST = 0.065, 0.025  # what a rate may be at nominal 0.05
GROUPS = "".join(map(str, PARTIAL))
# whose nulls unequal variances fulfil
BEAR_UNEQUAL = ("hull", "flip", "paired-t", "max-modulus", "wilcoxon", "pratt", "sign",
                "sign-flip", "games-howell", "median-bootstrap")  # fmt: skip
OF_SURVEYS = ("friedman", "nemenyi", "iman-davenport", "quade", "aligned-ranks", "wilcoxon", "sign",
              "paired-t", "mixed-tukey", "skillings-mack", "survey-random",
              "survey-fixed", "hull", "rank-t", "flip")  # fmt: skip
OF_TABLES = ("hull", "flip", "paired-t", "mixed-tukey")
# whose intervals are judged, and with which adjustment if its own has none
INTERVALS = {
    "paired-t": "sidak",
    "mixed-tukey": "",
    "survey-random": "",
    "survey-fixed": "",
    "hull": "",
    "sequential-t": "",
    "sequential-hull": "",
}
VARIANTS = {
    "paired-t": ("shaffer", "bergmann-hommel"),
    "friedman": ("shaffer", "bergmann-hommel"),
    "mixed-tukey": ("bergmann-hommel",),
    "survey-random": ("bergmann-hommel",),
    "survey-fixed": ("bergmann-hommel",),
}
# in docs/designs.md, docs/readings.md, docs/stopping.md
ELSEWHERE = ("seeds-t", "conditions-t", "cv-clt", "sequential-ranks")
OF_FEW = ("hull", "rank-t", "flip")
OF_ITEMS = ("mcnemar-score", "mcnemar-mid-p", "mcnemar", "max-modulus", "paired-t", "cluster-t")
SMALL_AND_LARGE = ("groups-1nn-50", "groups-1nn-500", "groups-ridge-50", "groups-ridge-500")
OF_VARIANTS = ("survey-normal", "survey-unequal", "survey-nested", "survey-these")
# whose nulls ask for equal means only
OF_MEANS = ("hull", "flip", "paired-t", "max-modulus", "mixed-tukey", "mixed-dunnett",
            "aligned-tukey", "corrected-t")  # fmt: skip
LEARNERS = ("10", "20", "30", "40")
PROBLEMS = tuple(n.removesuffix("-items") for n in SCENARIOS if n.endswith("-items"))
DAMAGED = tuple(problem for problem in PROBLEMS if problem.startswith("damaged-"))
SEVERAL = "-100-"  # the rows with which five fitted algorithms are drawn
# whose differences depend more on rows that are learned from than on those tested on
BY_TRAINING = ("groups-shrunk-", "groups-stump-")
OUT_OF_BAG = ("nested-population", "nested-fresh", "tree-population", "tree-fresh")
USED = {  # by people, though the design does not allow it
    "kfold-t": ("folds", *(f"learners-folds-{rate}" for rate in LEARNERS),
                *(f"{problem}-folds" for problem in DAMAGED)),
    "resampled-t": tuple(f"learners-splits-{rate}" for rate in LEARNERS),
    "proportions": tuple(f"learners-items-{rate}" for rate in LEARNERS),
    "mcnemar": tuple(f"{problem}-items" for problem in DAMAGED),
    "pooled-proportions": tuple(f"{problem}-items" for problem in DAMAGED),
    "paired-t": OUT_OF_BAG,
    "permutation": OUT_OF_BAG,
}  # fmt: skip


class Wanted(NamedTuple):
    """A row of the table before it is measured."""

    procedure: str
    adjust: str
    scenario: str
    blocks: int
    algorithms: int
    groups: str
    kind: str


@cache
def wanted() -> tuple[Wanted, ...]:
    return tuple(_wanted())


def _wanted() -> Iterator[Wanted]:
    for name, procedure in PROCEDURES.items():
        for where, scenario in SCENARIOS.items():
            if name in OF_FEW and (scenario.block == ITEM or where.startswith("tree-")):
                continue  # legal, but made for tens of blocks, not for a thousand items
            flips = bool(procedure.judge.joint) and not procedure.needs.binary
            if flips and not where.startswith(("table-", "survey-")):
                continue  # thousands of flips in every replication
            if name == "cluster-t" and "cluster" not in where:
                continue  # elsewhere it is paired-t
            if suits(procedure, scenario) or where in USED.get(name, ()):
                of = next(
                    (f for start, f in OWN_WAY.items() if where.startswith(start)), _of_blocks
                )
                yield from of(name, procedure, where, scenario)


def _of_table(name: str, procedure: Procedure, where: str, scenario: Scenario) -> Iterator[Wanted]:
    """Equal means of unlike shapes: of tests of means, and of the models that were used before."""
    if "gaps" in where and not procedure.needs.gaps:
        return  # of ten blocks with gaps hardly one is whole
    for size in scenario.sizes if name in OF_TABLES else ():
        if size >= procedure.needs.least:
            yield Wanted(name, "", where, size, 5, "", "error")


def _of_blocks(name: str, procedure: Procedure, where: str, scenario: Scenario) -> Iterator[Wanted]:
    for size in sorted(size for size in set(scenario.sizes) if size >= procedure.needs.least):
        yield Wanted(name, "", where, size, 2, "", "error")
        if scenario.most < 5 or (scenario.fitted and SEVERAL not in where):
            continue
        yield Wanted(name, "", where, size, 5, "", "error")
        strongly = procedure.controls.kind in (Control.STRONG, Control.APPROXIMATE)
        if strongly and scenario.moves and not procedure.needs.control:
            yield Wanted(name, "", where, size, 5, GROUPS, "error")
            if procedure.needs.stops and name in INTERVALS:  # at the look where a pair ended
                yield Wanted(name, INTERVALS[name], where, size, 5, GROUPS, "missed")


def _of_survey(name: str, procedure: Procedure, where: str, scenario: Scenario) -> Iterator[Wanted]:
    if name not in OF_SURVEYS:
        return
    for size in (size for size in scenario.sizes if size >= procedure.needs.least):
        for algorithms, groups in ((2, ""), (5, ""), (5, GROUPS)):
            yield Wanted(name, "", where, size, algorithms, groups, "error")
        for variant in _variants(name, where):
            yield Wanted(name, variant, where, size, 5, "", "error")
            yield Wanted(name, variant, where, size, 5, GROUPS, "error")
        if name in INTERVALS:
            yield Wanted(name, INTERVALS[name], where, size, 5, GROUPS, "missed")


def _of_items(name: str, procedure: Procedure, where: str, scenario: Scenario) -> Iterator[Wanted]:
    """Rare differences, and clusters: of the tests that people use there."""
    if name in OF_ITEMS:
        yield from _of_blocks(name, procedure, where, scenario)


def _of_groups(name: str, procedure: Procedure, where: str, scenario: Scenario) -> Iterator[Wanted]:
    """Fitted algorithms: all of them at 100 rows, two at fewer and at more."""
    if SEVERAL in where or where.startswith(SMALL_AND_LARGE):
        yield from _of_blocks(name, procedure, where, scenario)


OWN_WAY = {  # of scenarios, by how they begin
    "survey-": _of_survey,
    "table-": _of_table,
    "items-": _of_items,
    "groups-": _of_groups,
}


def _variants(name: str, where: str) -> Iterator[str]:
    if INTERVALS.get(name):
        yield INTERVALS[name]
    yield from VARIANTS.get(name, ()) if where in OF_VARIANTS else ()


def simulation(row: Wanted) -> Simulation:
    procedure = PROCEDURES[row.procedure]
    # closed testing draws a null for every subset: fewer draws of each
    few = _is_small(row) and procedure.needs.unpaired and procedure.adjust == "closed"
    drawn = bool(procedure.judge.joint) and procedure.needs.binary and row.algorithms > 2
    effects = tuple(APART * float(group) for group in row.groups)
    return Simulation(
        Setting(SCENARIOS[row.scenario], row.blocks, row.algorithms, effects, SEED),
        ProcedureJudge(
            procedure,
            ALPHA,
            null="permutation:999" if few else "permutation:499" if drawn else None,
            adjust=row.adjust or None,
            intervals=row.kind == "missed",
        ),
    )


def _is_small(row: Wanted) -> bool:
    """Whether its null is drawn, as there are few blocks."""
    return row.blocks < 30 and not PROCEDURES[row.procedure].nulls.default


def replications(row: Wanted) -> int:
    if row.procedure.endswith("-bootstrap") and row.blocks >= 1000:
        return FEWEST
    if PROCEDURES[row.procedure].needs.stops:
        return MANY if row.algorithms == 2 else FEWER
    if PROCEDURES[row.procedure].judge.joint and not PROCEDURES[row.procedure].needs.binary:
        return FEW  # thousands of flips in each of them
    if row.scenario.startswith(("damaged-", "tree-", "groups-tree-")):
        return FEWER_TREES
    if SCENARIOS[row.scenario].fitted:
        return FEWER
    slow = _is_small(row) or PROCEDURES[row.procedure].needs.unpaired
    return FEWER if slow or row.scenario.startswith("survey-") else REPLICATIONS


def bricks(row: Wanted) -> tuple[object, ...]:
    """What a row's number depends on: procedures that differ in words only have the same."""
    procedure = PROCEDURES[row.procedure]
    plain = replace(
        procedure,
        name="",
        title="",
        hypothesis="",
        null="",
        controls=STRONG,
        references=(),
        words="",
        overall=procedure.overall if procedure.adjust == "closed" else quadratic,
        reports=replace(procedure.reports, marked=""),
    )
    return plain, replications(row), *row[1:]


def holds(row: Wanted) -> bool:
    """Whether the procedure's null covers the scenario."""
    scenario = SCENARIOS[row.scenario]
    if row.scenario in USED.get(row.procedure, ()):
        return False
    if scenario.fitted:
        double = row.procedure == "corrected-t" and not row.scenario.startswith(BY_TRAINING)
        return double or PROCEDURES[row.procedure].needs.halves
    if scenario.asymmetric:
        return row.procedure in OF_MEANS
    return not scenario.unequal or row.procedure in BEAR_UNEQUAL


def known() -> dict[Wanted, tuple[int, int]]:
    if not TABLE.exists():
        return {}
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if not line.startswith("#")]
    return {
        Wanted(
            r["procedure"],
            r["adjust"],
            r["scenario"],
            int(r["blocks"]),
            int(r["algorithms"]),
            r["groups"],
            r["kind"],
        ): (int(r["replications"]), int(r["hits"]))
        for r in csv.DictReader(lines)
    }


def write(found: dict[Wanted, tuple[int, int]]) -> None:
    """The table in the order of procedures and scenarios, whatever was measured first."""
    rows = [(row, found[row]) for row in wanted() if row in found]
    new = TABLE.with_suffix(".part")
    with new.open("w", encoding="utf-8", newline="") as file:
        file.write(f"# level {ALPHA}, seed {SEED}, measured until {date.today()}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Rate._fields)
        for row, counts in rows:
            target = SCENARIOS[row.scenario].target
            truth = "yes" if holds(row) else "no"
            writer.writerow([*row[:3], target, *row[3:], truth, *counts])
    new.replace(TABLE)


def counts(rows: list[Wanted], jobs: int = -1) -> list[tuple[int, int]]:
    """Replications and hits of rows that are judged by the same draws."""
    found = measured([simulation(row) for row in rows], replications(rows[0]), jobs=jobs).table
    found = found[found["kind"] == ("coverage" if rows[0].kind == "missed" else "error")]
    rates = 1 - found["rate"] if rows[0].kind == "missed" else found["rate"]
    pairs = zip(found["replications"], rates, strict=True)
    return [(int(number), round(rate * number)) for number, rate in pairs]


def main(asked: list[str]) -> None:
    fresh, only = "--fresh" in asked, [name for name in asked if not name.startswith("-")]
    rows = [row for row in wanted() if not only or row.procedure in only]
    kept = known().items()
    done = {row: found for row, found in kept if found[0] == replications(row)}
    if fresh:
        done = {row: found for row, found in done.items() if row not in rows}
    alike = {bricks(row): done[row] for row in wanted() if row in done}
    todo = list({bricks(row): row for row in rows if bricks(row) not in alike}.values())
    together: dict[tuple[object, ...], list[Wanted]] = {}
    for row in todo:
        together.setdefault((*row[2:], replications(row)), []).append(row)
    for place, group in enumerate(together.values(), 1):
        for row, found in zip(group, counts(group), strict=True):
            alike[bricks(row)] = found
        done |= {row: alike[bricks(row)] for row in rows if bricks(row) in alike}
        write(done)
        print(f"{place}/{len(together)} {' '.join(map(str, group[0][2:]))}", flush=True)
    done |= {row: alike[bricks(row)] for row in rows}
    write(done)
    PAGE.write_text(page(done), encoding="utf-8")


def page(table: dict[Wanted, tuple[int, int]]) -> str:
    lines = [
        "# Measured error rates",
        "",
        "How often each procedure rejects at least one true hypothesis at nominal level 0.05. Made",
        "by `python docs/make_calibration.py`, seed 0; a rate of 2000 replications has a standard",
        "error of about 0.005 (of 4000, as of two algorithms in studies that may stop, 0.003; of",
        "1000, as in the scenarios of surveys, 0.007; of 500, as of flips, 0.010; of 200, as of",
        "the bootstrap of 1000 items, 0.015; of 300, where trees are grown, 0.013). Two",
        "algorithms: type I error. Five: family-wise error, all equal or (2 + 2 + 1) equal in",
        "groups. Coverage: how often all intervals of five algorithms in such groups hold the true",
        "differences. Rates above 0.065 are **bold**, below 0.025 *italic*, and coverage alike.",
        "Single-step adjustments judge two true pairs in the groups as if there were ten, so they",
        "are conservative there by construction. † marks a scenario that the procedure's null does",
        "not cover: unequal variances are then a difference that it may find, and dependent blocks",
        "an illegal design. – was not measured.",
        "Blocks of survey scenarios are counted in data sets. A name in brackets is an adjustment",
        "other than the procedure's own. Closed tests of 20 independent samples drew 999",
        "permutations instead of 9999.",
        "",
        "The [scenarios](#scenarios) are at the end.",
        "",
    ]
    rows = [row for row in wanted() if row in table]
    for name, procedure in PROCEDURES.items():
        own = [row for row in rows if row.procedure == name]
        if not own and any(row.procedure == name for row in wanted()):
            lines += [f"## {name}", "", f"{procedure.title}. Not measured yet.", ""]
        if own:
            lines += [f"## {name}", "", f"{procedure.title}. Holds under: {procedure.null}.", ""]
            lines += [*heads(name), *dict.fromkeys(line(row, table) for row in own), ""]
    known = (f"- *{n}* (target {s.target}): {s.text}" for n, s in SCENARIOS.items())
    return "\n".join([*lines, "## Scenarios", "", *known, ""])


def heads(name: str) -> tuple[str, str]:
    more = name in INTERVALS
    head = "| scenario | blocks | 2 | 5 | 5 (2 + 2 + 1) |" + " coverage |" * more
    return head, "|---|---|---|---|---|" + "---|" * more


def line(row: Wanted, table: dict[Wanted, tuple[int, int]]) -> str:
    kinds = [(2, "", "error"), (5, "", "error"), (5, GROUPS, "error"), (5, GROUPS, "missed")]
    kinds = kinds if row.procedure in INTERVALS else kinds[:3]
    shown = [rate(table.get(Wanted(*row[:4], *kind)), kind[2] == "missed") for kind in kinds]
    variant = f" ({row.adjust})" if row.adjust else ""
    mark = "" if holds(row) else " †"
    return f"| {row.scenario}{variant}{mark} | {row.blocks} | {' | '.join(shown)} |"


def rate(counts: tuple[int, int] | None, coverage: bool = False) -> str:
    if counts is None:
        return "–"
    value = counts[1] / counts[0]
    text = f"{1 - value if coverage else value:.3f}"
    return f"**{text}**" if value > LARGEST else f"*{text}*" if value < SMALLEST else text


if __name__ == "__main__":
    main(sys.argv[1:])
