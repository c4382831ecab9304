"""docs/defaults.md: what the defaults decide, beside those that were the defaults before.

    python docs/make_defaults.py SURVEY SAMPLES

SURVEY is the long table of eugster2008's 21 data sets (ds, b, alg, p), SAMPLES the wide one of
MONK-3, both from the raw results of R's package benchmark 0.3-6. Simulated tables need no file;
their rates are kept in build/defaults.sqlite, so that the script can be stopped and go on.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # small matrices: threads would only wait

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pandas as pd

import podium
import podium_lab
from podium.core.inference.comparing.known import published

HERE = Path(__file__).parent
STORE = HERE.parent / "build" / "defaults.sqlite"
TABLES = ("table-mild", "table-skewed", "table-wild", "table-gaps")
SIZES, SEED = (10, 30, 100), 0
EFFECT = 1.0  # by which one of five is better, in the unit in which they vary by 0.5 to 2
PROCEDURES = {"paired-t": 1000, "mixed-tukey": 300, "hull": 1000, "flip": 300}  # replications
LOST = ("Sonar", "nnet")
HEAD = """\
# The defaults, beside those before

What `podium analyze` does without an option was chosen by the [measured error
rates](calibration.md). This page, made by `python docs/make_defaults.py`, shows what the present
defaults find where the former ones were used: pair by pair on two published results, and as rates
on simulated tables.

| blocks | before | now |
|---|---|---|
| data sets | `paired-t` | [`ranks`](procedures.md) decide, means tell by how much; `hull` by name, and where a margin is asked for |
| resamples, simulations | `paired-t` | [`hull`](procedures.md) |
| the same, with gaps | `mixed-tukey` on all pairs | each pair on its common blocks; a verdict must survive its own gaps |
| repeated cv, random splits, bootstrap, for new samples | `corrected-t-nb` (ratio r) | `corrected-t` (ratio 2r); where Podium runs the fits, `halves` |
| five twofold cross-validations | `5x2cv-f` | `corrected-t` |
| right and wrong answers | `mcnemar` with a t interval | `mcnemar-score` with Tango's limits, `cluster-t` where items come in clusters |
| clusters of items | cluster sums | CR2 with Satterthwaite's degrees of freedom |
| forecasts | `diebold-mariano` | `diebold-mariano-fixed` |

"""  # noqa: E501
SURVEY = """\
## Twenty-one data sets

The errors of six algorithms on 21 data sets (eugster2008's survey: raw results of R's package
benchmark 0.3-6, averaged over up to 250 bootstrap samples). Adjusted p-values and verdicts about
*first*; – is undecided.
"""
GAP = """\
With one cell missing (nnet on Sonar) the pooled mixed model that was taken there decides
{before} of 15 pairs, and `ranks`, each pair on its common data sets, {now}. The pooled model
rejects true hypotheses where variances are unequal (below); it takes one variance for all pairs.
"""
SAMPLES = """\
## One data set, for new samples

250 bootstrap samples of MONK-3, six algorithms, target `population`. With the ratio r of test to
training rows the test [rejects too often](calibration.md#corrected-t-nb); with 2r, the default,
less is decided.
"""
RATES = """\
## Simulated tables

Error (some of five equal algorithms are told apart, from the [laboratory](calibration.md)) and
power (a share of the four pairs in which one is better by 1, where standard deviations go from 0.5
to 2), nominal level 0.05. `paired-t` and `mixed-tukey` were the defaults without and with gaps,
`hull` is it for means, `flip` is there by name from 30 blocks on. Ranks, which decide on data
sets, test another hypothesis (equal mean ranks) and have rates [of their
own](calibration.md#ranks). Below 30 blocks of skewed tables no test of means keeps its level: the
statement says so. The better algorithm is the one that varies most and is most skewed, so this is
where `hull` pays most for its level. In `table-gaps` 10 % of the scores are missing: before `hull`
calls an algorithm better it fills that algorithm's gaps with the worst difference seen, which costs
most of the power there. Power is of 1000 replications, of `mixed-tukey` and `flip` of 300.
"""


def survey(path: str) -> podium.Results:
    return podium.read(
        path,
        measure="error",
        sampling="bootstrap:250",
        columns={"dataset": "ds", "algorithm": "alg", "value": "p", "sample": "b"},
        higher_is_better=False,
    )


def without_a_cell(path: str) -> podium.Results:
    """The same averages per data set, but one algorithm has none on one data set."""
    scores = pd.read_csv(path).groupby(["ds", "alg"], as_index=False)["p"].mean()
    lost = (scores["ds"] == LOST[0]) & (scores["alg"] == LOST[1])
    roles = {"dataset": "ds", "algorithm": "alg", "value": "p"}
    return podium.read(scores[~lost], measure="error", columns=roles, higher_is_better=False)


def verdicts(results: podium.Results, procedures: tuple[str, ...], **options: str) -> list[str]:
    """A table of all pairs with the adjusted p-value and the verdict of each procedure."""
    found = [podium.compare(results, procedure=name, **options).table for name in procedures]
    pairs = found[0][["first", "second"]]
    assert all(table[["first", "second"]].equals(pairs) for table in found)
    lines = [
        f"| first | second | difference | {' | '.join(procedures)} |",
        "|---|---|---|" + "---|" * len(procedures),
    ]
    for place, row in enumerate(found[0].itertuples()):
        cells = [_cell(table.iloc[place]) for table in found]
        lines.append(f"| {row.first} | {row.second} | {row.estimate:.3f} | {' | '.join(cells)} |")
    return [*lines, ""]


def _cell(row: pd.Series) -> str:
    p = row["p_adjusted"]
    verdict = "–" if row["verdict"] == "undecided" else row["verdict"]
    return f"{'<0.001' if p < 0.001 else f'{p:.3f}'} {verdict}"


def decided(results: podium.Results, procedure: str, **options: str) -> int:
    table = podium.compare(results, procedure=procedure, **options).table
    return int(table["verdict"].isin(("better", "worse")).sum())


def rates() -> Iterator[str]:
    """Error and power of all that were and are defaults, on the same draws."""
    yield "| table | data sets | " + " | ".join(PROCEDURES) + " |"
    yield "|---|---|" + "---|" * len(PROCEDURES)
    for where, size in product(TABLES, SIZES):
        cells = [_rate(name, where, size) for name in PROCEDURES]
        yield f"| {where} | {size} | {' | '.join(cells)} |"
    yield ""


def _rate(name: str, where: str, size: int) -> str:
    """The error rate is the laboratory's; power is measured here."""
    known = [
        rate
        for rate in published()
        if (rate.procedure, rate.scenario, rate.blocks, rate.kind) == (name, where, size, "error")
    ]
    if not known:
        return "–"
    found = podium_lab.calibrate(
        name, where, blocks=size, algorithms=5, effects=EFFECT, replications=PROCEDURES[name],
        seed=SEED, jobs=-1, store=STORE,
    )  # fmt: skip
    return f"{known[0].hits / known[0].replications:.3f} / {found.power:.2f}"


def page(survey_file: str, samples_file: str) -> Iterator[str]:
    yield HEAD
    found = survey(survey_file)
    yield SURVEY
    yield from verdicts(found, ("paired-t", "hull", "ranks"))
    gap = without_a_cell(survey_file)
    before, now = decided(gap, "mixed-tukey"), decided(gap, "ranks")
    yield GAP.format(before=before, now=now)
    yield SAMPLES
    samples = podium.read(
        samples_file, measure="error", sampling="bootstrap:250", higher_is_better=False
    )
    yield from verdicts(samples, ("corrected-t-nb", "corrected-t"), target="population")
    yield RATES
    yield from rates()


def main(survey_file: str, samples_file: str) -> None:
    STORE.parent.mkdir(exist_ok=True)
    (HERE / "defaults.md").write_text("\n".join(page(survey_file, samples_file)), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
