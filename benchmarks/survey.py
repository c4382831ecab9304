"""Speed of the survey models against named peers, and how the cost grows with the survey.

    python benchmarks/survey.py

1. 21 data sets x 6 algorithms x 250 samples, 5 % of the scores missing: REML and Tukey intervals
   of both survey models; against lme4 and multcomp where Rscript has them, and statsmodels where
   that is installed.
2. 100 data sets x 50 algorithms x 30 samples, 5 % missing: 1225 pairs.
3. Cost against size, fit and adjustment apart.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from podium.core.inference.layouts import Layout, Nested, Origin
from podium.core.inference.numbers.nested import random_survey
from podium.core.questions.measures import Measure
from podium.core.samplings import parse
from podium.core.verdicts.verbs import compare

SCORE = Measure("score", higher_is_better=True)
TARGETS = {"survey-fixed": "datasets", "survey-random": "dataset-population"}
LME4 = """
suppressMessages({library(lme4); library(multcomp)})
d <- read.csv("survey.csv"); for (v in c("ds", "b", "alg")) d[[v]] <- factor(d[[v]])
timed <- function(f) { m <- NULL; fit <- sum(system.time(m <- f())[1:2])
  tukey <- sum(system.time(confint(glht(m, %s)))[1:2]); cat(fit, tukey, "") }
"""
MODELS = {
    "survey-fixed": (
        'mcp(alg = "Tukey", interaction_average = TRUE)',
        "timed(function() lmer(p ~ alg * ds + (1 | ds:b), d))",
    ),
    "survey-random": (
        'mcp(alg = "Tukey")',
        "timed(function() lmer(p ~ alg + (1 | ds) + (1 | ds:alg) + (1 | ds:b), d))",
    ),
}


def seconds(call: Callable[[], object], repeats: int = 3) -> float:
    """The fastest of some calls."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def layout(
    datasets: int, algorithms: int, samples: int, procedure: str = "survey-random"
) -> Layout:
    """Scores with effects of data sets, samples and both with algorithms; 5 % are missing."""
    rng = np.random.default_rng(1)
    within = np.repeat(np.arange(datasets), samples)
    cells = rng.normal(size=(datasets, 1)) + 0.5 * rng.normal(size=(datasets, algorithms))
    values = cells[within] + 0.5 * rng.normal(size=(len(within), 1))
    values = values + rng.normal(size=values.shape) + 0.2 * np.arange(algorithms) / algorithms
    gone = rng.random(values.shape) < 0.05
    gone[::samples] = False
    return Layout(
        np.where(gone, np.nan, values),
        tuple(f"a{i}" for i in range(algorithms)),
        "nested",
        TARGETS[procedure],
        SCORE,
        origin=Origin(sampling=parse("bootstrap")),
        nested=Nested(within=within, datasets=tuple(f"d{j}" for j in range(datasets))),
    )


def peers() -> None:
    for procedure in MODELS:
        made = layout(21, 6, 250, procedure)
        ours = seconds(lambda: compare(made, procedure))  # noqa: B023
        print(f"{procedure}, 21 x 6 x 250, 5 % missing, with Tukey intervals: {ours:.3f} s")
        print(f"  lme4 and multcomp: {_lme4(made, procedure, ours)}")
        if procedure == "survey-random":
            print(f"  statsmodels: {_statsmodels(made, ours)}")
    print(f"largest memory so far: {_megabytes():.0f} MB")


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _long(made: Layout) -> np.ndarray:
    assert made.nested.within is not None
    row, k = np.nonzero(np.isfinite(made.values))
    return np.column_stack([made.nested.within[row], row, k, made.values[row, k]])


def _lme4(made: Layout, procedure: str, ours: float) -> str:
    if shutil.which("Rscript") is None:
        return "Rscript is not installed"
    fit, tukey = lme4_seconds(made, procedure)
    return f"fit {fit:.2f} s, intervals {tukey:.2f} s: {(fit + tukey) / ours:.0f} x"


def lme4_seconds(made: Layout, procedure: str) -> tuple[float, float]:
    """Seconds of the processor that fit and Tukey intervals take in R."""
    contrasts, call = MODELS[procedure]
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(Path(folder) / "survey.csv", _long(made), "%.17g", ",", header="ds,b,alg,p",
                   comments="")  # fmt: skip
        script = Path(folder) / "survey.R"
        script.write_text(LME4 % contrasts + call, encoding="utf-8")
        run = subprocess.run(
            ["Rscript", str(script)], capture_output=True, text=True, cwd=folder, check=False
        )
    if run.returncode:
        raise SystemExit(run.stderr.strip().splitlines()[-1])
    fit, tukey = map(float, run.stdout.split())
    return fit, tukey


def _statsmodels(made: Layout, ours: float) -> str:
    try:
        import pandas as pd
        import statsmodels.formula.api as smf
    except ImportError:
        return "not installed"
    frame = pd.DataFrame(_long(made), columns=["ds", "b", "alg", "p"])
    parts = {"alg": "0 + C(alg)", "b": "0 + C(b)"}
    start = time.perf_counter()
    smf.mixedlm("p ~ C(alg)", frame, groups=frame["ds"], vc_formula=parts).fit()
    theirs = time.perf_counter() - start
    return f"fit alone {theirs:.1f} s: {theirs / ours:.0f} x"


def sizes() -> None:
    print("data sets  algorithms  samples   fit (s)  with Tukey (s)")
    for datasets, algorithms, samples in (
        (10, 5, 10), (21, 6, 250), (21, 6, 1000), (100, 6, 250), (100, 20, 30), (100, 50, 30),
    ):  # fmt: skip
        made = layout(datasets, algorithms, samples)
        assert made.nested.within is not None
        repeats = 3 if datasets * algorithms < 2000 else 1
        fit = seconds(lambda: random_survey(made.values, made.nested.within), repeats)  # type: ignore[arg-type]  # noqa: B023
        whole = seconds(lambda: compare(made, "survey-random"), repeats)  # noqa: B023
        print(f"{datasets:9}  {algorithms:10}  {samples:7}  {fit:8.3f}  {whole:14.3f}")
    print(f"largest memory: {_megabytes():.0f} MB")


if __name__ == "__main__":
    peers()
    sizes()
