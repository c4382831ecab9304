"""The survey of Eugster et al. (2008) anew, cell by cell, from where the CSV and the store stand.

    python papers/continue_survey.py DIR --store survey.db --minutes 10

DIR holds the 21 data sets (see papers/eugster2008/README.md). A cell is a data set and an algorithm
on 50 bootstrap samples; cells that cost little come first. `papers/eugster2008/survey.csv` has a
line for every cell: the printed mean error and ours, both standard deviations (theirs of the raw
scores in DIR/results; of naive Bayes there are none, and ours stands for it), their z, how many
samples are done. The README beside it gets the counts, the cells that lack samples, and those that
differ, each with its cause from `causes.csv`. Naive Bayes and rpart learn from rows with missing
values, too, as in the paper; the others from complete rows. Neighbours and networks get numbers as
they are, levels as whole numbers (`preprocess = "eugster2008"`) and as indicators ("unscaled").
Finished cells are not run again; a store keeps the samples of the others.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd

import podium
from podium.core.base.writing import write_text
from podium.core.samplings import bootstrap
from podium_lab.papers import eugster2008_data as paper
from podium_lab.papers.eugster2008_data import SAMPLES
from podium_lab.papers.eugster2008_runs import WITH_GAPS, survey_algorithms, survey_datasets

FOLDER = Path(__file__).parent / "eugster2008"
KEPT, CAUSES, README = (FOLDER / name for name in ("survey.csv", "causes.csv", "README.md"))
MARKS = "<!-- survey -->", "<!-- end of survey -->"
BOUND = 3.5  # standard errors within which a cell agrees
OPEN = "not looked into"
WANTED, STEP = 50, 10  # samples of a cell, and of a step
CHEAP = ("lda", "nb", "rpart", "knn", "nnet", "svm")  # first to last
COLUMNS = ["letter", "dataset", "algorithm", "theirs", "theirs_sd", "ours", "sd", "standard_error",
           "z", "samples", "failed", "finished"]  # fmt: skip


def kept(path: Path) -> dict[tuple[str, str], dict[str, object]]:
    """The cells so far."""
    if not path.exists():
        return {}
    rows = pd.read_csv(path).to_dict("records")
    return {(str(r["letter"]), str(r["algorithm"])): r for r in rows}


def cell(
    letter: str,
    data: podium.Dataset,
    algorithm: podium.Algorithm,
    samples: int,
    store: Path,
    raw: dict[tuple[str, str], tuple[float, int]],
) -> dict[str, object]:
    """A line: so many samples of one algorithm on one data set."""
    study = podium.Study(
        [data], [algorithm], sampling=bootstrap(samples), measures=["error"], seed=2008,
        name="eugster2008-survey",
    )  # fmt: skip
    results = podium.run(study, store, jobs=1, quiet=True)
    scores = results.values("error")["value"].dropna().to_numpy(float)
    theirs = float(paper.cell_means().loc[letter, algorithm.name])
    ours = float(scores.mean()) if len(scores) else np.nan
    sd = float(scores.std(ddof=1)) if len(scores) > 1 else np.nan
    error = paper.standard_error(scores, raw.get((letter, algorithm.name)))
    theirs_sd = raw.get((letter, algorithm.name), (sd, SAMPLES))[0]
    z = (ours - theirs) / error if error > 0 else np.nan
    numbers = [round(float(v), 6) for v in (theirs, theirs_sd, ours, sd, error, z)]
    failed = int((results.runs["status"] == "failed").sum())
    row = [letter, data.name, algorithm.name, *numbers, samples, failed, samples >= WANTED]
    return dict(zip(COLUMNS, row, strict=True))


def told(table: pd.DataFrame, causes: pd.DataFrame, cells_in_all: int) -> str:
    """Counts, unfinished cells and the cells that differ, as Markdown."""
    done = table[table["finished"]]
    agree = done[done["z"].abs() <= BOUND]
    by_name = ", ".join(
        f"{name} {(agree['algorithm'] == name).sum()} of {(done['algorithm'] == name).sum()}"
        for name in CHEAP
    )
    begun = {(r.letter, r.algorithm): r.samples for r in table.itertuples() if not r.finished}
    known = set(zip(done["letter"], done["algorithm"], strict=True))
    letters = sorted(table["letter"].unique())
    open_cells = [(x, a) for a in CHEAP for x in letters if (x, a) not in known]
    lines = [
        f"{len(done)} of {cells_in_all} cells have their {WANTED} samples, and {len(agree)} of "
        f"them agree (at most {BOUND} standard errors): {by_name}."
    ]
    if open_cells:
        named = ", ".join(f"{a} on {x} ({begun.get((x, a), 0)})" for x, a in open_cells)
        lines.append(f"**Unfinished**, with the samples that each has: {named}.")
    why = {(r.letter, r.algorithm): r.cause for r in causes.itertuples()}
    lines += ["", "| data set | algorithm | theirs (sd) | ours (sd) | z | cause |",
              "|---|---|---:|---:|---:|---|"]  # fmt: skip
    for r in done[done["z"].abs() > BOUND].itertuples():
        both = f"{r.theirs:.4f} ({r.theirs_sd:.3f}) | {r.ours:.4f} ({r.sd:.3f})"
        cause = why.get((r.letter, r.algorithm), OPEN)
        lines.append(f"| {r.dataset} | {r.algorithm} | {both} | {r.z:.1f} | {cause} |")
    return "\n".join(lines)


def retell() -> None:
    """The README's part between its two marks, anew."""
    before, _, rest = README.read_text(encoding="utf-8").partition(MARKS[0])
    _, _, after = rest.partition(MARKS[1])
    text = told(pd.read_csv(KEPT), pd.read_csv(CAUSES), len(paper.datasets_table()) * len(CHEAP))
    write_text(f"{before}{MARKS[0]}\n\n{text}\n\n{MARKS[1]}{after}", README)


def main() -> None:
    """Go on for so many minutes of processor time."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("data", type=Path)
    asked.add_argument("--store", type=Path, default=Path("survey.db"))
    asked.add_argument("--minutes", type=float, default=10.0)
    asked.add_argument("--kept", type=Path, default=KEPT)
    asked.add_argument("--only", nargs="*", default=CHEAP, choices=CHEAP, help="algorithms")
    asked.add_argument("--letters", default="", help="data sets, as in DJM [all]")
    asked.add_argument("--samples", type=int, default=WANTED, help="at most")
    options = asked.parse_args()
    end = time.process_time() + 60 * options.minutes
    cells, datasets = kept(options.kept), survey_datasets(options.data)
    raw = paper.spreads(options.data)
    whole = survey_datasets(options.data, complete=False)
    algorithms = {a.name: a for a in survey_algorithms()}
    chosen = [letter for letter in datasets if letter in (options.letters or letter)]
    order = sorted(chosen, key=lambda letter: datasets[letter].n * datasets[letter].p)
    for name in [n for n in CHEAP if n in options.only]:
        for letter in order:
            for samples in range(STEP, options.samples + 1, STEP):
                done = cells.get((letter, name), {}).get("samples", 0)
                if int(str(done)) >= samples or time.process_time() > end:
                    continue
                data = (whole if name in WITH_GAPS else datasets)[letter]
                cells[letter, name] = cell(
                    letter, data, algorithms[name], samples, options.store, raw
                )
                table = pd.DataFrame(list(cells.values()), columns=COLUMNS)
                table = table.sort_values(["letter", "algorithm"])
                write_text(table.to_csv(index=False), options.kept)
    if options.kept == KEPT:
        retell()
    done = sum(bool(one["finished"]) for one in cells.values())
    cells_in_all = len(datasets) * len(algorithms)
    print(f"{done} of {cells_in_all} cells have {WANTED} samples: '{options.kept}'.")


if __name__ == "__main__":
    main()
