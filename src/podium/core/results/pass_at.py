"""What single runs say: pass@k and pass^k, fits that algorithms spent, slopes by the training size.

Of n answers of which c are right, 1 - C(n-c, k) / C(n, k) is the share of all choices of k that
hold a right one, and C(c, k) / C(n, k) the share of those that hold nothing else. Both are unbiased
(Chen et al. 2021; Yao et al. 2024); 1 - (1 - c/n)^k is too small and (c/n)^k too large.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.formatting import read_digits
from podium.core.base.tables import ANSWERS
from podium.core.questions.measures import Measure
from podium.core.results.results import Results

_NAME = re.compile(r"pass\s*([@^])\s*(\d+|k)")
KEYS = ["dataset", "algorithm", "sample"]


@dataclass(frozen=True)
class PassRate:
    """The chance that one of k answers is right (pass@k) or, `every`, that all are (pass^k)."""

    k: int
    every: bool

    @property
    def name(self) -> str:
        """As people write it."""
        return f"pass{'^' if self.every else '@'}{self.k}"

    @property
    def words(self) -> str:
        """What it is, as a noun phrase."""
        if self.k == 1:
            return "the chance of a right answer"
        if self.every:
            return f"the chance that {self.k} answers are all right"
        return f"the chance of a right answer among {self.k}"

    def of(self, right: np.ndarray, answers: np.ndarray) -> np.ndarray:
        """Of so many right ones of so many answers to each item.

        >>> PassRate(2, False).of(np.array([0, 3, 9]), np.array([10, 10, 10])).round(4).tolist()
        [0.0, 0.5333, 1.0]
        >>> PassRate(2, True).of(np.array([1, 3, 10]), np.array([10, 10, 10])).round(4).tolist()
        [0.0, 0.0667, 1.0]
        """
        chosen = right if self.every else answers - right
        log = _log_binomial(np.maximum(chosen, self.k), self.k) - _log_binomial(answers, self.k)
        share = np.where(chosen >= self.k, np.exp(log), 0.0)
        return np.asarray(share if self.every else 1 - share)


def pass_rate(measure: str | None) -> PassRate | None:
    """The rate that a name promises; None of another measure.

    >>> pass_rate("pass@5"), pass_rate("pass^4"), pass_rate("accuracy")
    (PassRate(k=5, every=False), PassRate(k=4, every=True), None)
    """
    match = _NAME.fullmatch((measure or "").strip().lower())
    if match is None:
        return None
    return PassRate(0 if match[2] == "k" else read_digits(match[2]), match[1] == "^")


def _log_binomial(n: np.ndarray, k: int) -> np.ndarray:
    from scipy import special  # slow to load, and for pass@k only

    return np.asarray(-np.log(n + 1) - special.betaln(n - k + 1, k + 1))


@dataclass(frozen=True, eq=False)
class RightAnswers:
    """How many answers of every algorithm to every item there are and are right; by rows."""

    table: pd.DataFrame  # the scores that they are of
    right: np.ndarray
    answers: np.ndarray  # 0 where there is none

    @classmethod
    def of(cls, results: Results) -> RightAnswers:
        """Of the one measure whose single answers are right or wrong."""
        name = _right_or_wrong(results)
        table, mean, n = _counted(results, name)
        share = mean if results.measure(name).higher_is_better else 1 - mean
        n = np.where(np.isnan(mean), 0.0, n)
        return cls(table, np.rint(np.nan_to_num(share) * n), n)

    def rates(self, of: PassRate) -> np.ndarray:
        """Of every row; NaN where there is no answer."""
        there = self.answers > 0
        rates = np.full(len(there), np.nan)
        rates[there] = of.of(self.right[there], self.answers[there])
        return rates

    def check(self, of: PassRate) -> None:
        """Refuse a k that some item has too few answers for."""
        if of.k < 1:
            sign = of.name[:-1]
            raise ResultsError(f"How many answers? Say {sign}1 or more, as in {sign}4.")
        there = self.answers > 0
        few = there & (self.answers < of.k)
        if few.any():
            row, least = self.table[few].iloc[0], int(self.answers[there].min())
            most = f"ask for {replace(of, k=least).name}, or give" if least > 1 else "give"
            items = self.table.loc[few, "sample"].nunique()
            others = f" (and {items - 1} more items are short of answers)" if items > 1 else ""
            raise ResultsError(
                f"{of.name} needs {of.k} answers to every item; '{row['algorithm']}' has "
                f"{int(self.answers[few][0])} to item {row['sample']}{others}: {most} more answers."
            )


def passed(results: Results, of: PassRate) -> Results:
    """The results with the rate of every item as their measure."""
    counted = RightAnswers.of(results)
    counted.check(of)
    one = pd.Categorical([of.name] * len(counted.table), categories=[of.name])
    columns = {"measure": one, "value": counted.rates(of)}
    scores = counted.table.assign(**columns)[[*KEYS, "measure", "value"]]
    measure = Measure(of.name, True, (0.0, 1.0), "share", spec=of.name, words=of.words)
    return replace(results, scores=scores, measures={of.name: measure}, answers=ANSWERS.empty())


def _counted(results: Results, name: str) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """The scores of a measure with their variances, as numbers, and how many answers each has."""
    counts = results.answers[results.answers["measure"] == name]
    table = results.values(name).merge(counts, how="left", on=KEYS)
    return table, table["value"].to_numpy(float), table["count"].fillna(1.0).to_numpy(float)


def _right_or_wrong(results: Results) -> str:
    """The one measure whose single answers are right or wrong."""
    binary = [name for name in results.measures if _is_binary(results, name)]
    if len(binary) != 1:
        _refuse(binary)
    return binary[0]


def check_answers(values: np.ndarray) -> None:
    """Refuse scores of which none can be right or wrong, before anything is asked of them."""
    if not np.isin(values, (0.0, 1.0)).any():
        _refuse([])


def _refuse(binary: list[str]) -> NoReturn:
    what = f"{len(binary)} measures ({', '.join(binary)})" if binary else "no measure"
    way = "one file for each" if binary else "a row per answer with 0 or 1"
    raise ResultsError(
        f"pass@k and pass^k are of answers that are right or wrong, and {what} of these results "
        f"are such: give {way}."
    )


def _is_binary(results: Results, name: str) -> bool:
    """Whether single answers are all 0 or 1: their variance is then n/(n-1) m (1-m)."""
    table, m, n = _counted(results, name)
    there = ~np.isnan(m)
    m, n, variance = m[there], n[there], table["variance"].fillna(0.0).to_numpy(float)[there]
    right = np.rint(m * n)
    whole = (np.abs(m * n - right) < 1e-6 * n) & (m >= 0) & (m <= 1)
    expected = m * (1 - m) * n / np.maximum(n - 1, 1)
    return bool(whole.all() and (np.abs(variance - expected) < 1e-6).all())


# -- fits -----------------------------------------------------------------------------------------
# What single fits of a run said, and how many fits each algorithm spent.


SPENT = ["algorithm", "role", "runs", "fits", "per_run"]


def _notes(results: Results) -> list[tuple[str, str, int, dict[str, object]]]:
    rows = results.fits.drop_duplicates(KEYS, keep="last")
    return [
        (str(r.dataset), str(r.algorithm), int(r.sample), json.loads(r.note))
        for r in rows.itertuples()
    ]


def fits_spent(results: Results) -> pd.DataFrame:
    """Of every algorithm its role, its finished runs, and all fits behind them, with tuning."""
    roles = results.design.get("roles", {})
    done = results.runs[results.runs["status"] == "done"]
    runs = done["algorithm"].astype(str).value_counts()
    noted = pd.DataFrame(
        [(a, int(str(note["spent"]))) for _, a, _, note in _notes(results)],
        columns=["algorithm", "spent"],
    )
    by = noted.groupby("algorithm")["spent"].agg(["sum", "size"])
    rows = []
    for name in results.algorithms:
        count = int(runs.get(name, 0))
        message = (
            (int(by.at[name, "sum"]), int(by.at[name, "size"])) if name in by.index else (0, 0)
        )
        fits = message[0] + max(count - message[1], 0)  # a run that notes nothing is one fit
        rows.append((name, roles.get(name, ""), count, fits, fits / count if count else np.nan))
    return pd.DataFrame(rows, columns=SPENT)


def fit_scores(results: Results, measure: str) -> pd.DataFrame:
    """The scores of single fits: dataset, algorithm, sample, fit, value."""
    rows = [
        (d, a, s, i, float(value))
        for d, a, s, note in _notes(results)
        for i, value in enumerate(dict(note["scores"]).get(measure, ()), 1)  # type: ignore[call-overload]
    ]
    return pd.DataFrame(rows, columns=[*KEYS, "fit", "value"])


# -- how scores move with the training size -------------------------------------------------------
# A slope of every sample and algorithm.


LEAST = 2  # sizes


def training_sizes(results: Results) -> set[float]:
    """The sizes that data sets were learned from at, where a study asked for several."""
    return {float(facts["size"]) for facts in results.facts.values() if "size" in facts}


def size_slopes(results: Results, measure: str) -> pd.DataFrame:
    """The change of the score with every doubling of the size: dataset, algorithm, sample, value.

    The sizes of a data set share their samples, so that slopes are of single samples; a sample
    that lacks a size of an algorithm is left out for it.
    """
    known = {d: (f["of"], float(f["size"])) for d, f in results.facts.items() if "size" in f}
    if len({size for _, size in known.values()}) < LEAST:
        raise ResultsError(
            "Whether a difference moves with the training size needs several sizes of every data "
            "set: run a study with sizes = [50, 100, 200], say."
        )
    table = results.values(measure)
    table = table[table["dataset"].isin(known)]
    full, size = zip(*(known[d] for d in table["dataset"]), strict=True)
    table = table.assign(
        dataset=list(full), size=np.log2(size), algorithm=table["algorithm"].astype(str)
    )
    parts = [_slopes(of, str(name)) for name, of in table.groupby("dataset", sort=False)]
    return pd.concat(parts, ignore_index=True)


def _slopes(table: pd.DataFrame, dataset: str) -> pd.DataFrame:
    wide = table.pivot_table(index=["algorithm", "sample"], columns="size", values="value").dropna()
    sizes = wide.columns.to_numpy(float)
    if len(sizes) < LEAST:
        raise ResultsError(f"'{dataset}' has one training size, and a slope needs several.")
    centred = sizes - sizes.mean()
    slopes = wide.to_numpy() @ centred / (centred @ centred)
    return wide.index.to_frame(index=False).assign(dataset=dataset, value=slopes)
