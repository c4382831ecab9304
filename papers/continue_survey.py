"""The survey of Eugster et al. (2008) anew, cell by cell, from where the CSV and the store stand.

    python papers/continue_survey.py DIR --store survey.db --minutes 10

DIR holds the 21 data sets (see papers/eugster2008/README.md). A cell is a data set and an algorithm
on 50 bootstrap samples; cells that cost little come first. `papers/eugster2008/survey.csv` has a
line for every cell: the printed mean error, ours, their z, how many samples are done; those that
lack some are named with them. Naive Bayes and rpart learn from rows with missing values, too, as
in the paper; the others from complete rows. Neighbours and networks get numbers as they are, levels
as whole numbers (`preprocess = "eugster2008"`) and as indicators ("unscaled"). Finished cells are
not run again; a store keeps the samples of the others.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd

import podium
from podium.base.writing import write_text
from podium.samplings import bootstrap
from podium_lab.papers import eugster2008_data as paper
from podium_lab.papers.eugster2008_data import SAMPLES
from podium_lab.papers.eugster2008_runs import WITH_GAPS, survey_algorithms, survey_datasets

KEPT = Path(__file__).parent / "eugster2008" / "survey.csv"
WANTED, STEP = 50, 10  # samples of a cell, and of a step
CHEAP = ("lda", "nb", "rpart", "knn", "nnet", "svm")  # first to last
COLUMNS = ["letter", "dataset", "algorithm", "theirs", "ours", "standard_error", "z", "samples",
           "failed", "finished"]  # fmt: skip


def kept(path: Path) -> dict[tuple[str, str], dict[str, object]]:
    """The cells so far."""
    if not path.exists():
        return {}
    rows = pd.read_csv(path).to_dict("records")
    return {(str(r["letter"]), str(r["algorithm"])): r for r in rows}


def cell(letter: str, data: podium.Dataset, algorithm: podium.Algorithm, samples: int, store: Path):
    """A line: so many samples of one algorithm on one data set."""
    study = podium.Study(
        [data], [algorithm], sampling=bootstrap(samples), measures=["error"], seed=2008,
        name="eugster2008-survey",
    )  # fmt: skip
    results = podium.run(study, store, jobs=1, quiet=True)
    scores = results.values("error")["value"].dropna().to_numpy(float)
    theirs = float(paper.cell_means().loc[letter, algorithm.name])
    spread = scores.std(ddof=1) if len(scores) > 1 else np.nan
    error = spread * np.sqrt(1 / max(len(scores), 1) + 1 / SAMPLES)
    ours = float(scores.mean()) if len(scores) else np.nan
    z = (ours - theirs) / error if error > 0 else np.nan
    numbers = [round(float(v), 6) for v in (theirs, ours, error, z)]
    failed = int((results.runs["status"] == "failed").sum())
    done = samples >= WANTED
    return dict(zip(COLUMNS, [letter, data.name, algorithm.name, *numbers, samples, failed, done],
                    strict=True))  # fmt: skip


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
                cells[letter, name] = cell(letter, data, algorithms[name], samples, options.store)
                table = pd.DataFrame(list(cells.values()), columns=COLUMNS)
                table = table.sort_values(["letter", "algorithm"])
                write_text(table.to_csv(index=False), options.kept)
    done = sum(bool(one["finished"]) for one in cells.values())
    cells_in_all = len(datasets) * len(algorithms)
    print(f"{done} of {cells_in_all} cells have {WANTED} samples: '{options.kept}'.")


if __name__ == "__main__":
    main()
