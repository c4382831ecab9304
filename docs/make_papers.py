"""docs/papers.md: every item of the five papers, with the command that shows it or a reason.

    python docs/make_papers.py           # runs what is quick, then writes the page
    python docs/make_papers.py --write   # writes the page only

`papers_items.txt` has a line for every item. Commands are run in a folder that has the files of
docs/gallery and a few small ones that are made here; lines of study files are put into a small
study, which is checked and not run. Commands that need data files (DIR) or minutes are only looked
up: their item must exist. One that fails is named, and the page is not written.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import shutil
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from podium.core.base.writing import write_text

DOCS = Path(__file__).parent
ITEMS, PAGE = DOCS / "papers_items.txt", DOCS / "papers.md"
COUNTS = {
    "hothorn2005": 64, "feelders1995": 25, "dietterich1998": 38, "eugster2008": 63,
    "boulesteix2013": 38,
}  # fmt: skip
SLOW = ("table2", "real", "power", "points", "correlation", "replications", "figure3", "monks3",
        "survey", "boston", "ionosphere", "breastcancer", "qq", "splits", "variants")  # fmt: skip
LAB = ["python", "-m", "podium_lab"]
HEAD = """# The papers, item by item

What the five papers describe, {count} items in all, each with the command that shows it, the line
of a [study file](study-file.md) that asks for it, or a reason. `python docs/make_papers.py` runs
the quick ones. Commands are those of a folder that holds the files of docs/gallery and small tables
of one's own; `DIR` is a folder with data files that are not ours to ship. What came out of
replications, printed beside ours with the cause of every difference, is in
[papers](../papers/README.md).

*Where* is a section, with an equation in brackets, a table or a figure of the paper; of
dietterich1998 it is the part by its subject.

| paper | item | where | command or reason |
|---|---|---|---|
"""


@dataclass(frozen=True)
class Entry:
    """An item of a paper, where it is described, and how it is shown."""

    paper: str
    item: str
    where: str
    shown: str

    @property
    def kind(self) -> str:
        """'podium', 'lab', 'study' or 'reason'."""
        for kind, start in (("podium", "podium "), ("lab", "python -m podium_lab "),
                            ("study", "study: "), ("reason", "reason: ")):  # fmt: skip
            if self.shown.startswith(start):
                return kind
        return ""

    @property
    def words(self) -> list[str]:
        """A command's words."""
        return shlex.split(self.shown)

    @property
    def row(self) -> str:
        """A line of the page."""
        text = self.shown.partition(": ")[2] if self.kind in ("study", "reason") else self.shown
        code = text if self.kind == "reason" else f"`{text}`"
        shown = f"study file: {code}" if self.kind == "study" else code
        return f"| {self.paper} | {self.item} | {self.where} | {shown} |"


def entries() -> list[Entry]:
    """All items, in the order of the file."""
    found, paper = [], ""
    for line in ITEMS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            paper = line.strip("[]")
        elif line and not line.startswith("#"):
            item, where, shown = (part.strip() for part in line.split(" | "))
            found.append(Entry(paper, item, where, shown))
    return found


def page() -> str:
    """The page."""
    made = entries()
    return HEAD.format(count=len(made)) + "\n".join(entry.row for entry in made) + "\n"


# -- trying them -------------------------------------------------------------------------------

STUDY = """name = "tried"
seed = 1
sampling = "bootstrap:5"
measures = ["error"]

[[datasets]]
name = "data"
source = "builtin:twonorm"
n = 120

[[algorithms]]
name = "first"
estimator = "lda"

[[algorithms]]
name = "second"
estimator = "knn"
"""
DATA = """[[datasets]]
name = "{name}"
source = "builtin:twonorm"
n = {n}
seed = {seed}

"""
TESTED = 'source = "file:learn.csv"\ntest = "test.csv"\ntarget = "class"'
REGRESSION = ('source = "builtin:twonorm"', 'source = "builtin:friedman1"')
WHERE = {  # lines that replace one of the study above, or stand below one
    "sampling": 'sampling = "bootstrap:5"', "measures": 'measures = ["error"]',
    "estimator": 'estimator = "knn"', "fits": "seed = 1", "population": "seed = 1",
    "n_test": "n = 120", "fresh_test": "n = 120", "preprocess": 'estimator = "knn"',
}  # fmt: skip
BELOW = ("fits", "population", "n_test", "fresh_test", "preprocess")


def study_with(line: str) -> str:
    """The small study with a line of another one."""
    key = line.partition(" ")[0]
    at, text = WHERE[key], STUDY
    if "absolute" in line:
        text = text.replace(*REGRESSION).replace('estimator = "lda"', 'estimator = "mean"')
    if "simulation" in line or key in ("n_test", "fresh_test"):
        text = text.replace('sampling = "bootstrap:5"', 'sampling = "simulation:5"')
        at = 'sampling = "simulation:5"' if key == "sampling" else at
    if any(f'"{name}' in line for name in ("competition", "bootstrap-2n", "training-sets")):
        text = text.replace('source = "builtin:twonorm"\nn = 120', TESTED)
    if "log-loss" in line:
        text = text.replace('estimator = "knn"', 'estimator = "logistic"')
    return text.replace(at, f"{at}\n{line}" if key in BELOW else line, 1)


def prepare(folder: Path) -> None:
    """The files that commands name."""
    prepare_tables(folder)
    prepare_stores(folder)


def prepare_tables(folder: Path) -> None:
    """Those that need no run."""
    for path in (DOCS / "gallery").iterdir():
        if path.suffix in (".csv", ".toml"):
            shutil.copy(path, folder)
    shutil.copy(DOCS.parent / "examples" / "clustering.toml", folder)
    shutil.copy(DOCS.parent / "papers" / "eugster2008" / "monks3.toml", folder / "six.toml")
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(120, 2)).round(3)
    tables = {
        "two.csv": ("sample,svm,tree", rng.normal(0.2, 0.03, (30, 2))),
        "folds.csv": ("fold,svm,tree", rng.normal(0.2, 0.03, (10, 2))),
        "answers.csv": ("item,owl,fox,hare", rng.integers(0, 2, (60, 3))),
        "alone.csv": ("item,owl", rng.integers(0, 2, (60, 1))),
        "losses.csv": ("item,ols,two,four,six", rng.gamma(0.5, [4, 3, 2, 2], (106, 4)).round(4)),
        "learn.csv": ("x,y,class", np.column_stack([noise[:60], np.arange(60) % 2])),
        "test.csv": ("x,y,class", np.column_stack([noise[60:], np.arange(60) % 2])),
    }
    for name, (head, values) in tables.items():
        numbered = "class" not in head
        lines = [",".join(map(str, row)) for row in values]
        rows = [f"{i},{line}" for i, line in enumerate(lines, 1)] if numbered else lines
        write_text("\n".join([head, *rows]) + "\n", folder / name)
    halves = rng.normal(0.2, 0.03, (5, 2, 2)).round(4)
    rows = [
        f"{r + 1},{f + 1},{a},{b}" for r, two in enumerate(halves) for f, (a, b) in enumerate(two)
    ]
    write_text("\n".join(["repeat,fold,svm,tree", *rows]) + "\n", folder / "halves.csv")
    write_text("svm > tree > knn\ntree > svm > knn\n", folder / "orders.txt")
    alone = STUDY.rpartition("[[algorithms]]")[0].replace("bootstrap:5", "cv:10")
    write_text(alone, folder / "one.toml")
    plan = '\n[analysis]\nmeasure = "error"\nalpha = 0.05\nrelevance = 0.01\n'
    write_text(STUDY + plan, folder / "registered.toml")
    rows = [f"set{i},builtin:twonorm,{90 + 20 * i}" for i in range(5)]
    write_text("\n".join(["name,source,n", *rows]) + "\n", folder / "catalogue.csv")
    lines = (folder / "survey.csv").read_text(encoding="utf-8").splitlines()[1:]
    names = dict.fromkeys(line.partition(",")[0] for line in lines)
    rows = [f"{name},{'large' if i % 2 else 'small'}" for i, name in enumerate(names)]
    write_text("\n".join(["dataset,group", *rows]) + "\n", folder / "groups.csv")


def prepare_stores(folder: Path) -> None:
    """Stores of small studies, and a board whose entries are judged on stored samples."""
    more = "".join(DATA.format(name=f"data{i}", n=120 + 20 * i, seed=i) for i in range(2, 11))
    sizes = STUDY.replace("bootstrap:5", "subsampling:4x0.8")
    sizes = sizes.replace("seed = 1", "seed = 1\nsizes = [40, 80]", 1)
    sizes = sizes.replace("[[algorithms]]", f"{more}[[algorithms]]", 1)
    sets = STUDY.replace("[[algorithms]]", f"{more}[[algorithms]]", 1)
    told(["podium store indices made.toml -o samples.csv"], folder, STUDY)
    stored = STUDY.replace("bootstrap:5", "indices:samples.csv")
    late = stored.rpartition("[[algorithms]]")[0].replace("first", "late").replace("lda", "tree")
    told(["podium run made.toml --store first.db --quiet --jobs 1",
          "podium board new first.db -m error -o competition"], folder, stored)  # fmt: skip
    told(["podium run made.toml --store entry.db --quiet --jobs 1"], folder, late)
    for name, text in (("monks", STUDY), ("sizes", sizes), ("sets", sets)):
        told([f"podium run made.toml --store {name}.db --quiet --jobs 1"], folder, text)


def told(commands: list[str], folder: Path, study: str) -> None:
    """Run commands that need a study `made.toml`; each must work."""
    write_text(study, folder / "made.toml")
    for command in commands:
        status, said = ran(command.split(), folder)
        assert status == 0, said


def ran(words: list[str], folder: Path) -> tuple[int, str]:
    """The status of a command in a folder, and what it printed."""
    from podium.cli.main import main
    from podium_lab.__main__ import group

    before, out = Path.cwd(), io.StringIO()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            if words[:3] == LAB:
                main(words[3:], of=group, called=" ".join(LAB))
            main(words[1:])
    except SystemExit as end:
        return int(end.code or 0), out.getvalue()
    finally:
        os.chdir(before)
    return 0, out.getvalue()


@cache
def known_items() -> dict[str, list[str]]:
    """What can be replicated."""
    from podium_lab.papers.replication import papers

    return {paper: list(items) for paper, items in papers().items()}


def looked_up(entry: Entry) -> str:
    """What is wrong with an entry that is not run; empty: nothing."""
    words = entry.words
    if entry.kind == "lab" and words[3] == "replicate" and words[5] not in known_items()[words[4]]:
        return f"{words[4]} has no item '{words[5]}'"
    return "" if entry.kind else "neither a command, a line of a study nor a reason"


def is_quick(entry: Entry) -> bool:
    """Whether it is run here: no data files, no minutes."""
    if entry.kind == "lab":
        return "DIR" not in entry.words and not any(slow in entry.shown for slow in SLOW)
    return entry.kind in ("podium", "study")


def tried(entry: Entry, folder: Path) -> str:
    """What is wrong with a quick entry; empty: nothing."""
    if entry.kind == "study":
        write_text(study_with(entry.shown.removeprefix("study: ")), folder / "tried.toml")
        status, said = ran(["podium", "advise", "tried.toml"], folder)
    else:
        status, said = ran(entry.words, folder)
    return "" if status == 0 else (said.strip().splitlines() or [f"status {status}"])[-1]


def main() -> int:
    """Run what is quick, then write the page."""
    wrong: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        every = {entry.shown: entry for entry in entries()}
        wrong |= {shown: why for shown, entry in every.items() if (why := looked_up(entry))}
        if "--write" not in sys.argv:
            prepare(folder)
            quick = [entry for entry in every.values() if is_quick(entry)]
            wrong |= {e.shown: why for e in quick if (why := tried(e, folder))}
            print(f"{len(quick)} of {len(every)} commands and lines were tried.")
    for shown, why in wrong.items():
        print(f"{shown}\n    {why}")
    if not wrong:
        write_text(page(), PAGE)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
