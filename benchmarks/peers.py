"""Podium beside other tools, on tables whose truth is known: false alarms and what is found.

    python benchmarks/peers.py --python PEERS/bin/python --rscript Rscript [-n 300] [--page FILE]

Every table is drawn here, handed to all tools as they are commonly used, and judged here. The tools
run in interpreters of their own (`peers_in_python.py`: autorank, scikit-posthocs, evalstats;
`peers_in_r.R`: friedman.test with pairwise.wilcox.test, lme4 with emmeans); one that is missing is
left out, and the page says so. Without `--python` and `--rscript` Podium stands alone.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import podium

HERE = Path(__file__).parent
BEGIN, END = "<!-- measured -->", "<!-- /measured -->"  # on pages
# which tools ask whether ranks differ: where they do and means do not, that is no false positive
OF_RANKS = ("Podium", "scikit-posthocs (Nemenyi)", "R: Friedman, Wilcoxon with Holm")
IN_BRACKETS = "In brackets: the tool compares ranks, and these do differ there."
PYTHON = ("autorank", "scikit-posthocs", "evalstats")
Tables = np.ndarray  # replications x blocks x algorithms, larger is better


@dataclass(frozen=True)
class Case:
    """Tables of one kind, how Podium is told of them, and which algorithm is truly better."""

    text: str
    draw: Callable[[np.random.Generator, int], Tables]
    sampling: str | None  # None: blocks are data sets
    better: int | None = None  # all others are equal
    clusters: np.ndarray | None = None
    other_ranks: bool = False  # means are equal, and ranks are not


def data_sets(gain: float = 0.0, spread: float = 1.0, blocks: int = 20) -> Callable[..., Tables]:
    """Five algorithms: hard and easy data sets, normal noise; the last one may differ."""

    def draw(rng: np.random.Generator, n: int) -> Tables:
        scores = rng.normal(0, 3, (n, blocks, 1)) + rng.normal(0, 1, (n, blocks, 5))
        scores[..., 4] += gain + np.sqrt(spread**2 - 1) * rng.normal(0, 1, (n, blocks))
        return scores

    return draw


def seldom_fails(rng: np.random.Generator, n: int) -> Tables:
    """Five algorithms of equal means: the last is a little better, but breaks down in a tenth."""
    scores = rng.normal(0, 3, (n, 40, 1)) + rng.normal(0, 0.5, (n, 40, 5))
    scores[..., 4] += np.where(rng.random((n, 40)) < 0.1, -2.7, 0.3)
    return scores


def cross_validated(gain: float = 0.0) -> Callable[..., Tables]:
    """Three learners that see one attribute each of 100 rows, alike by symmetry; 10 x 10 folds."""

    def draw(rng: np.random.Generator, n: int) -> Tables:
        return np.stack([_cross_validated(rng, gain) for _ in range(n)])

    return draw


def _cross_validated(rng: np.random.Generator, gain: float, rows: int = 100) -> np.ndarray:
    x = rng.normal(0, 1, (rows, 3))
    y = x @ [1.0, 1.0, 1.0 + gain] + rng.normal(0, 1, rows)
    order = np.concatenate([rng.permutation(rows).reshape(10, -1) for _ in range(10)])
    return np.array([_negative_errors(x, y, test) for test in order])


def _negative_errors(x: np.ndarray, y: np.ndarray, test: np.ndarray) -> np.ndarray:
    train = np.setdiff1d(np.arange(len(y)), test)
    mean = x[train].mean(axis=0)
    centred = x[train] - mean
    slope = centred.T @ (y[train] - y[train].mean()) / np.square(centred).sum(axis=0)
    said = y[train].mean() + (x[test] - mean) * slope
    return -np.square(y[test][:, None] - said).mean(axis=0)


def answers(gain: float = 0.0, clusters: np.ndarray | None = None) -> Callable[..., Tables]:
    """Four models answer 200 questions, right or wrong; a model may know a document or not."""

    def draw(rng: np.random.Generator, n: int) -> Tables:
        logit = 0.8 + rng.normal(0, 1.5, (n, 200, 1)) + np.array([0, 0, 0, gain])
        if clusters is not None:
            known = rng.normal(0, 1.2, (n, clusters.max() + 1, 4))
            logit = logit + known[:, clusters]
        return (rng.random((n, 200, 4)) < 1 / (1 + np.exp(-logit))).astype(float)

    return draw


# documents of unequal size: a few long ones, many short ones
DOCUMENTS = np.repeat(np.arange(20), [40, 30, 20, 15, 15, *[6] * 10, *[4] * 5])
CASES = {
    "data sets": Case("5 algorithms on 20 data sets, all equal", data_sets(), None),
    "data sets, one better": Case(
        "the same, one better by a standard deviation", data_sets(1.0), None, better=4
    ),
    "unequal spread": Case(
        "5 algorithms on 20 data sets, equal means, one with five times the noise",
        data_sets(spread=5.0), None,
    ),
    "rare failures": Case(
        "5 algorithms on 40 data sets, equal means, one breaks down on a tenth",
        seldom_fails, None, other_ranks=True,
    ),
    "repeated cross-validation": Case(
        "3 learners, alike by symmetry, 10 x 10 folds of 100 rows",
        cross_validated(), "repeated-cv:10x10",
    ),
    "questions": Case("4 models answer 200 questions, equally well", answers(), "items"),
    "questions, one better": Case(
        "the same, one better (78 % against 64 %)", answers(1.0), "items", better=3
    ),
    "questions in documents": Case(
        "4 models, 200 questions in 20 documents of unequal size, equally well",
        answers(clusters=DOCUMENTS), "items", clusters=DOCUMENTS,
    ),
}  # fmt: skip


# -- what each tool decides: replications x algorithms x algorithms --------------------------------


def by_podium(case: Case, tables: Tables) -> np.ndarray:
    return np.array([_decided(case, table) for table in tables])


def _decided(case: Case, table: np.ndarray) -> np.ndarray:
    names = [f"a{j}" for j in range(table.shape[1])]
    frame = _frame(case, table, names)
    results = podium.read(frame, sampling=case.sampling, measure="score", higher_is_better=True)
    found = np.zeros((len(names),) * 2, bool)
    for row in podium.compare(results).table.itertuples():
        i, j = names.index(row.first), names.index(row.second)
        found[i, j] = found[j, i] = row.verdict in ("better", "worse")
    return found


def _frame(case: Case, table: np.ndarray, names: list[str]) -> object:
    import pandas as pd

    blocks, k = table.shape
    rows = np.repeat(np.arange(blocks), k)
    columns = {"algorithm": np.tile(names, blocks), "value": table.ravel()}
    if case.sampling is None:
        columns["dataset"] = [f"d{i}" for i in rows]
    elif case.sampling == "items":
        columns["item"] = rows
    else:
        columns |= {"repeat": rows // 10 + 1, "fold": rows % 10 + 1}
    if case.clusters is not None:
        columns["cluster"] = case.clusters[rows]
    return pd.DataFrame(columns)


Decided = dict[str, dict[str, np.ndarray]]  # by tool and case


def by_others(commands: list[list[str]], tables: dict[str, Tables]) -> tuple[Decided, dict]:
    """What the tools of other interpreters decide, all of them at work at once; their versions."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        handed_over(tables, folder)
        files = [folder / f"decided{i}.json" for i in range(len(commands))]
        at_work = [
            subprocess.Popen([*command, str(folder), str(file)], stdout=subprocess.DEVNULL)
            for command, file in zip(commands, files, strict=True)
        ]
        assert all(one.wait() == 0 for one in at_work), "a tool failed"
        said = [json.loads(file.read_text()) for file in files]
    versions = {name: v for one in said for name, v in one.pop("versions").items()}
    decided = {
        tool: {case: np.array(found, bool) for case, found in cases.items()}
        for one in said
        for tool, cases in one.items()
    }
    return decided, versions


def handed_over(tables: dict[str, Tables], folder: Path) -> None:
    """Write all tables as CSV without heads, one file per case, replications below each other."""
    for name, drawn in tables.items():
        flat = drawn.reshape(-1, drawn.shape[2])
        np.savetxt(folder / f"{name}.csv", flat, delimiter=",", fmt="%.9g")
    shapes = {name: list(drawn.shape) for name, drawn in tables.items()}
    (folder / "shapes.json").write_text(json.dumps(shapes))


# -- judged ----------------------------------------------------------------------------------------


def false_alarm(case: Case, decided: np.ndarray) -> float:
    """How often at least one pair of equal algorithms is called different."""
    equal = [j for j in range(decided.shape[1]) if j != case.better]
    return float(decided[:, equal][:, :, equal].any(axis=(1, 2)).mean())


def found(case: Case, decided: np.ndarray) -> float:
    """The share of true differences that are found."""
    others = [j for j in range(decided.shape[1]) if j != case.better]
    return float(decided[:, case.better, others].mean())


def row(case: Case, decided: dict[str, np.ndarray]) -> dict[str, str]:
    told = {}
    for tool, matrices in decided.items():
        told[tool] = f"{100 * false_alarm(case, matrices):.0f} %"
        if case.other_ranks and tool in OF_RANKS:
            told[tool] = f"({told[tool]})"
        if case.better is not None:
            told[tool] += f", finds {100 * found(case, matrices):.0f} %"
    return told


def page(
    decided: dict[str, dict[str, np.ndarray]], versions: dict[str, str], n: int, missing: list[str]
) -> str:
    tools = list(dict.fromkeys(tool for cases in decided.values() for tool in cases))
    lines = [f"| | {' | '.join(tools)} |", f"|---|{'--:|' * len(tools)}"]
    for name, by_tool in decided.items():
        told = row(CASES[name], by_tool)
        cells = " | ".join(told.get(tool, "–") for tool in tools)
        lines.append(f"| {CASES[name].text} | {cells} |")
    used = ", ".join(f"{name} {version}" for name, version in versions.items())
    gone = f" Not measured: {', '.join(missing)}." if missing else ""
    error = 100 * (0.05 * 0.95 / n) ** 0.5
    told = f"{n} tables each, so that a rate of 5 % has a standard error of {error:.1f}; {used}."
    return "\n".join([*lines, "", f"{told}{gone} {IN_BRACKETS}", ""])


def placed(page: str, table: str) -> str:
    """A page with the table between its two marks."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    assert end, "the page has no place for the table"
    return f"{before}{begin}\n\n{table}\n{end}{after}"


def main() -> None:
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--python", help="an interpreter with autorank, scikit-posthocs, evalstats")
    said.add_argument("--rscript", help="Rscript with lme4 and emmeans")
    said.add_argument("-n", type=int, default=300, help="tables of each kind")
    said.add_argument(
        "--page", type=Path, action="append", default=[], help="put the table there (repeatable)"
    )
    given = said.parse_args()
    rng = np.random.default_rng(1)
    tables = {name: case.draw(rng, given.n) for name, case in CASES.items()}
    decided = {name: {"Podium": by_podium(CASES[name], drawn)} for name, drawn in tables.items()}
    python = [[given.python, str(HERE / "peers_in_python.py"), tool] for tool in PYTHON]
    r = [[given.rscript, str(HERE / "peers_in_r.R"), tool] for tool in ("ranks", "means")]
    commands = [*(python if given.python else []), *(r if given.rscript else [])]
    others, versions = by_others(commands, tables)
    for tool, cases in others.items():
        for name, matrices in cases.items():
            decided[name][tool] = matrices
    missing = [*([] if given.python else PYTHON), *([] if given.rscript else ["R"])]
    versions = {"Podium": podium.__version__, **versions}
    text = page(decided, versions, given.n, missing)
    print(text)
    for path in given.page:
        path.write_text(placed(path.read_text(encoding="utf-8"), text), encoding="utf-8")


if __name__ == "__main__":
    main()
