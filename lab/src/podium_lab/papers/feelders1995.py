"""Feelders & Verkooijen (1995), Tables 2 to 5: k predictors on one test sample.

The items of Tables 3 to 5 are made so that they have the printed moments; what Podium says of them
is then what it would have said of the authors' own. Table 2 is computed from Boston Housing.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import podium
from podium.core.base.progress import Progress
from podium.errors import DesignError
from podium.running.design.data.sources import read_table
from podium.showing.plots.of_pairs.matrices import intervals
from podium_lab.papers.replication import Asked, Cell, Item, Replication, paper, printed, run_into

ITEMS = paper("feelders1995")
PRINTED_QUANTILE = 2.135  # for 6 pairs and 105 df at 10 %
ALPHA = 0.1  # of Tables 2 and 3
LEARNING, TEST = 400, 106
LOW, HIGH = 0.1, 0.9  # the targets' range: usual for logistic units; the paper does not say
HIDDEN = {"f2": 2, "f3": 4, "f4": 6}
SPLITS, FEW_SPLITS = 200, 25
FILE = "BostonHousing.csv"
PAIRS = list(combinations(range(4), 2))
ENDS = ["lower", "upper"]


def items(values: np.ndarray, names: Sequence[str], measure: str) -> podium.Results:
    """Results of one test sample: items x predictors."""
    table = pd.DataFrame(values, columns=pd.Index(names))
    table.insert(0, "item", np.arange(1, len(values) + 1))
    return podium.read(table, sampling="items", measure=measure)


def half_unit(value: float, digits: int) -> float:
    """Half a unit of the last of so many significant digits."""
    return float(0.5 * 10.0 ** (math.floor(math.log10(abs(value))) + 1 - digits))


# -- Table 2: Boston Housing ------------------------------------------------------------------


def boston(data: Path | None) -> podium.Dataset:
    """Boston Housing, its target moved into the range of a logistic unit."""
    path = Path("") if data is None else data / FILE
    if not path.is_file():
        raise DesignError(
            f"Table 2 needs --data DIR (data=DIR) with {FILE} in it: StatLib's 506 rows in their "
            "order, the 13 attributes and a last column 'target' with the median values in 1000 "
            "dollars."
        )
    frame = read_table(path, "Table 2")
    if frame.shape != (LEARNING + TEST, 14) or "target" not in frame:
        raise DesignError(
            f"'{path}' has {frame.shape[0]} rows and {frame.shape[1]} columns; Table 2 needs 506 "
            "rows and 14 columns, one of them called 'target'."
        )
    if not all(map(pd.api.types.is_numeric_dtype, frame.dtypes)) or frame.isna().any(axis=None):
        raise DesignError(f"'{path}' has values that are no numbers, or none; Table 2 needs all.")
    y = frame.pop("target")
    return podium.dataset("boston", frame, LOW + (HIGH - LOW) * (y - y.min()) / (y.max() - y.min()))


def regressions() -> dict[str, Any]:
    """Least squares, and networks with 2, 4 and 6 hidden units as substitutes for theirs."""
    from sklearn.linear_model import LinearRegression
    from sklearn.neural_network import MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    def network(units: int) -> Any:
        fitted = MLPRegressor(
            hidden_layer_sizes=(units,),
            activation="logistic",
            solver="lbfgs",
            alpha=1e-3,
            max_iter=1000,
        )
        return make_pipeline(StandardScaler(), fitted)

    return {"f1": LinearRegression(), **{name: network(units) for name, units in HIDDEN.items()}}


def judged(
    data: podium.Dataset,
    sampling: Any,
    store: Path,
    seed: int,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[podium.Results]:
    """The squared errors of the test items, one table for each split."""
    study = podium.Study(
        data,
        regressions(),
        sampling=sampling,
        measures="squared",
        keep=["predictions"],
        seed=seed,
        name="boston",
    )
    run_into(study, store, jobs=jobs, progress=progress)
    samples = range(1, study.samples(data) + 1)
    return [podium.read_items(store, measure="squared", sample=sample) for sample in samples]


def moments(results: podium.Results) -> np.ndarray:
    """Predictors x (mean, row of S), as Table 2 is kept."""
    values = results.wide("squared")[results.algorithms].to_numpy(float)
    return np.column_stack([values.mean(axis=0), np.cov(values.T)])


def ratio(values: np.ndarray) -> float:
    """The standard deviation of the squared errors of f1 over their mean."""
    return math.sqrt(values[0, 1]) / float(values[0, 0])


def table2(request: Asked) -> Replication:
    """Means and S on the last 106 rows, as the text says, and on random splits of that size."""
    from sklearn.model_selection import PredefinedSplit

    frame = boston(request.data)
    splits = FEW_SPLITS if request.quick else SPLITS
    random = podium.samplings.subsampling(LEARNING / (LEARNING + TEST), splits)
    as_said = PredefinedSplit(np.repeat([-1, 0], [LEARNING, TEST]))
    with tempfile.TemporaryDirectory() as folder:
        (last,) = judged(frame, as_said, Path(folder) / "last.db", request.seed)
        kept = request.store or Path(folder) / "random.db"
        others = judged(frame, random, kept, request.seed, request.jobs, request.progress)
    result = np.stack([moments(one) for one in others])
    error = result.std(axis=0, ddof=1) * math.sqrt(1 + 1 / splits)
    cells = [
        *_table2_cells("last 106 rows", moments(last), np.zeros_like(error)),
        *_table2_cells("random splits", result.mean(axis=0), error),
    ]
    notes = _table2_notes(last, others)
    return Replication("feelders1995", "table2", cells, notes, splits, request.seed)


def _table2_cells(table: str, ours: np.ndarray, error: np.ndarray) -> list[Cell]:
    """Means, the upper half of S, and how much the squared errors of f1 vary, free of scale."""
    theirs = printed("feelders1995_table2")
    cells = [
        Cell(table, str(row), str(column), value, ours[i, j], error[i, j], half_unit(value, 3))
        for i, row in enumerate(theirs.index)
        for j, column in enumerate(theirs.columns)
        if j == 0 or j > i
        for value in [float(theirs.iloc[i, j])]
    ]
    if not error.any():
        text, result = ratio(theirs.to_numpy(float)), ratio(ours)
        note = "free of any linear scale of the target"
        cells.append(Cell(table, "f1", "sd / mean", text, result, rounding=0.005, note=note))
    return cells


def _table2_notes(last: podium.Results, others: Sequence[podium.Results]) -> list[str]:
    verdicts = np.array([_compared(one).table["verdict"] for one in others])
    linear = (verdicts[:, :3] == "worse").mean(axis=0)
    alike = (verdicts[:, 3:] == "undecided").all(axis=1).mean()
    result, theirs = np.stack([moments(o) for o in others]), printed("feelders1995_table2")
    below = (result < theirs.to_numpy(float)).mean(axis=0)
    ratios = [ratio(one) for one in result]
    return [
        "The first 400 rows cannot be the authors' learning sample: sd / mean of the squared "
        "errors of least squares on the 13 attributes is the same for every linear scale of the "
        "target, and is not theirs.",
        f"With {len(others)} random splits into 400 and 106 rows it has the quartiles "
        f"{np.quantile(ratios, 0.25):.2f} and {np.quantile(ratios, 0.75):.2f}; theirs is 2.03. The "
        "standard error of these cells is the standard deviation over splits, as theirs is one. "
        f"Means of f1 to f4 below the printed ones have {_shares(below[:, 0])} of the splits, "
        f"variances {_shares(np.diag(below[:, 1:]))}.",
        f"The target lies in [{LOW}, {HIGH}]: the paper does not say how it was scaled. Networks "
        "are scikit-learn's (logistic units, L-BFGS, alpha = 0.001, standardised attributes).",
        f"At 10 % least squares is worse than 2, 4, 6 hidden units in {_shares(linear)} of the "
        f"random splits; the networks are not told apart in {alike:.0%}.",
        f"On the last 106 rows the order, the best first, is {podium.decide(_compared(last))}.",
    ]


def _shares(values: np.ndarray) -> str:
    return ", ".join(f"{value:.0%}" for value in values)


def _compared(results: podium.Results) -> podium.Comparisons:
    return podium.compare(results, "max-modulus", alpha=ALPHA)


# -- Table 3: simultaneous intervals ------------------------------------------------------------


def with_moments(n: int, mean: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """A sample of n rows with exactly these moments."""
    x = np.random.default_rng(0).normal(size=(n, len(mean)))
    white = np.linalg.qr(x - x.mean(axis=0))[0] * math.sqrt(n - 1)
    return np.asarray(white @ np.linalg.cholesky(covariance).T + mean)


def table3(_: Asked) -> Replication:
    """Intervals of all differences, with the right and with the printed quantile."""
    theirs = printed("feelders1995_table3")
    given = printed("feelders1995_table2").to_numpy(float)
    made = items(with_moments(TEST, given[:, 0], given[:, 1:]), ["f1", *HIDDEN], "loss")
    compared = _compared(made)
    result = compared.table
    errors = np.array([_standard_error(given, pair) for pair in PAIRS])
    estimate, quantile = result["estimate"], float((result["upper"] - result["estimate"])[0])
    narrow = result.assign(
        lower=estimate - PRINTED_QUANTILE * errors, upper=estimate + PRINTED_QUANTILE * errors
    )
    units = np.vectorize(half_unit)(theirs[ENDS].to_numpy(), 2)
    loose = np.array([[1e-5 + _rounded_half(given, pair)] for pair in PAIRS])
    cells = [
        Cell("table3", "|M|", "6, 105 df", PRINTED_QUANTILE, quantile / errors[0], 0.0, 0.0005,
             "2.135 is the quantile of the one-sided studentized maximum"),
        *_intervals("table3", theirs, result, units, {}, "wider: with 2.4127"),
        *_decisions("table3", theirs, result),
        *_intervals("with 2.135", theirs, narrow, units + loose, MISPRINTS),
    ]  # fmt: skip
    return Replication(
        "feelders1995",
        "table3",
        cells,
        TABLE3_NOTES,
        figures={"table3": lambda ax: intervals(compared, ax=ax)},
    )


MISPRINTS = {
    ("f3 - f4", "upper"): "a misprint of 6.1e-4",
    ("f1 - f4", "lower"): "the printed interval is not centred at 6.38e-3 - 3.00e-3",
}
TABLE3_NOTES = (
    "The items are made: 106 rows with exactly the printed means and S.",
    "With 2.135 the family-wise error of six intervals is about 0.19 instead of 0.10. With the "
    "maximum modulus the intervals are wider, and every printed decision stands.",
    "Rounding of 'with 2.135' is that of the printed limits and of the means and S they come from.",
)


def _standard_error(given: np.ndarray, pair: tuple[int, int]) -> float:
    """Of a difference of two means (eq. 4), from means and S as Table 2 is kept."""
    i, j = pair
    return math.sqrt((given[i, i + 1] + given[j, j + 1] - 2 * given[i, j + 1]) / TEST)


def _rounded_half(given: np.ndarray, pair: tuple[int, int]) -> float:
    """How much the rounding of S may change half the width of an interval with 2.135."""
    i, j = pair
    unit = sum(half_unit(given[place], 3) for place in ((i, i + 1), (j, j + 1)))
    unit += 2 * half_unit(given[i, j + 1], 3)
    return PRINTED_QUANTILE * unit / (2 * TEST * _standard_error(given, pair))


def _intervals(
    table: str,
    theirs: pd.DataFrame,
    ours: pd.DataFrame,
    rounding: np.ndarray,
    notes: Mapping[tuple[str, str], str],
    note: str = "",
) -> list[Cell]:
    """Both limits of every pair; `rounding` is pairs x limits."""
    return [
        Cell(
            table,
            str(pair),
            end,
            float(line[end]),
            float(ours[end].iloc[row]),
            rounding=float(rounding[row, column]),
            note=notes.get((str(pair), end), note),
        )
        for row, (pair, line) in enumerate(theirs.iterrows())
        for column, end in enumerate(ENDS)
    ]


def _decisions(table: str, theirs: pd.DataFrame, ours: pd.DataFrame) -> list[Cell]:
    """Whether zero lies outside of every pair's interval: 1 or 0."""
    decided = (ours["verdict"] != "undecided").astype(float)
    pairs = zip(theirs.index, theirs["significant"], decided, strict=True)
    return [
        Cell(table, str(pair), "significant", float(text), result) for pair, text, result in pairs
    ]


# -- Tables 4 and 5: classification -----------------------------------------------------------


def table4(_: Asked) -> Replication:
    """McNemar's test of lda and a network on 384 items."""
    counts = printed("feelders1995_table4").to_numpy(int)
    wrong = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], counts.ravel(), axis=0)
    row = podium.compare(items(wrong, ["lda", "nn"], "error"), "mcnemar").table.iloc[0]
    cells = [
        Cell("table4", "lda", "wrong", 84, float(wrong[:, 0].sum())),
        Cell("table4", "nn", "wrong", 93, float(wrong[:, 1].sum())),
        Cell("table4", "McNemar", "X²", 1.1636, float(row["statistic"]) ** 2, rounding=5e-5),
        Cell("table4", "McNemar", "p", 0.28, float(row["p"]), rounding=0.005),
    ]
    return Replication("feelders1995", "table4", cells)


def with_totals(correct: np.ndarray, n: int, sd: float) -> np.ndarray:
    """Items x classifiers of 0 and 1 with these totals and nearly this pooled sd of a difference.

    Each classifier errs on a run of items; how far the runs are apart decides how much they
    overlap, and so the sd.
    """
    k, item = len(correct), np.arange(n)[:, None]
    tried = [
        ((item - np.floor(step * np.arange(k))) % n >= n - correct).astype(float)
        for step in np.arange(0, n / k, 0.05)
    ]
    return min(tried, key=lambda y: abs(pooled_sd(y) - sd))


def pooled_sd(y: np.ndarray) -> float:
    """The pooled standard error of a difference of two shares (section 3)."""
    (n, k), rows = y.shape, y.sum(axis=1)
    return math.sqrt(2 * (k * rows.sum() - (rows**2).sum()) / (n**2 * k * (k - 1)))


def table5(_: Asked) -> Replication:
    """Intervals of all differences of five classifiers' shares."""
    theirs = printed("feelders1995_table5")
    totals = printed("feelders1995_totals")["correct"]
    y = with_totals(totals.to_numpy(), 384, 0.0205)
    made = items(y, [str(name) for name in totals.index], "accuracy")
    result = podium.compare(made, "pooled-proportions").table
    half = float((result["upper"] - result["lower"]).iloc[0]) / 2
    cells = [
        Cell("table5", "sigma", "diff", 0.0205, pooled_sd(y), rounding=5e-5),
        Cell("table5", "Z", "10 pairs", 2.81, half / pooled_sd(y), rounding=0.005),
        Cell("table5", "intervals", "width", 0.116, 2 * half, rounding=0.001, note="twice 0.058"),
        *_intervals("table5", theirs, result, np.full((len(theirs), 2), 0.0015), {}),
        *_decisions("table5", theirs, result),
    ]
    notes = (
        "The items are made: 384 rows of 0 and 1 with the printed totals and pooled sd.",
        "The printed limits are made of two shares and half a width, each rounded to three "
        "decimals: up to 0.0015 is rounding.",
    )
    return Replication("feelders1995", "table5", cells, notes)


ITEMS.add("table2", Item("Means and S of four regressions; needs BostonHousing.csv", table2))
ITEMS.add("table3", Item("Simultaneous intervals by the maximum modulus", table3))
ITEMS.add("table4", Item("McNemar's test of two classifiers", table4))
ITEMS.add("table5", Item("Pooled intervals of five classifiers", table5))
