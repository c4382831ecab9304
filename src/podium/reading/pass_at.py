"""pass@k: how likely one of k answers to an item is right, from n of them.

Of n answers of which c are right, 1 - C(n-c, k) / C(n, k) is the share of all choices of k that
hold a right one, which is unbiased (Chen et al. 2021); 1 - (1 - c/n)^k is too small.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NoReturn

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.base.tables import ANSWERS
from podium.questions.measures import Measure
from podium.reading.results import Results

_NAME = re.compile(r"pass@(\d+)")


def asked_k(measure: str | None) -> int | None:
    """The k of a measure called pass@k; None of another.

    >>> asked_k("pass@5"), asked_k("accuracy")
    (5, None)
    """
    found = _NAME.fullmatch((measure or "").strip().lower())
    return int(found[1]) if found else None


def pass_at(right: np.ndarray, answers: np.ndarray, k: int) -> np.ndarray:
    """1 - C(n-c, k) / C(n, k) of c right ones of n answers.

    >>> pass_at(np.array([0, 3, 9]), np.array([10, 10, 10]), 2).round(4).tolist()
    [0.0, 0.5333, 1.0]
    """
    wrong = answers - right
    log = _log_binomial(np.maximum(wrong, k), k) - _log_binomial(answers, k)
    return np.asarray(1 - np.where(wrong >= k, np.exp(log), 0.0))


def _log_binomial(n: np.ndarray, k: int) -> np.ndarray:
    from scipy import special  # slow to load, and for pass@k only

    return np.asarray(-np.log(n + 1) - special.betaln(n - k + 1, k + 1))


def passed(results: Results, k: int) -> Results:
    """The results with pass@k of every item as their measure."""
    of = _right_or_wrong(results)
    table = results.values(of)
    counts = results.answers[results.answers["measure"] == of]
    found = table.merge(counts, how="left", on=["dataset", "algorithm", "sample"])
    n = found["count"].fillna(1.0).to_numpy()
    mean = found["value"].to_numpy(float)
    there = ~np.isnan(mean)
    _check(found[there], n[there], k)
    share = mean if results.measure(of).higher_is_better else 1 - mean
    value = np.full(len(mean), np.nan)
    value[there] = pass_at(np.rint(share * n)[there], n[there], k)
    name = f"pass@{k}"
    one = pd.Categorical([name] * len(table), categories=[name])
    columns = {"measure": one, "value": value}
    scores = table.assign(**columns)[["dataset", "algorithm", "sample", "measure", "value"]]
    measure = Measure(name, True, (0.0, 1.0), "share", spec=name, words=_words(k))
    return replace(results, scores=scores, measures={name: measure}, answers=ANSWERS.empty())


def _words(k: int) -> str:
    return "the chance of a right answer" + (f" among {k}" if k > 1 else "")


def _check(cells: pd.DataFrame, n: np.ndarray, k: int) -> None:
    if k < 1:
        raise ResultsError(f"pass@{k} is of no answer: say pass@1 or more.")
    if (few := n < k).any():
        row, least = cells[few].iloc[0], int(n.min())
        most = f"ask for pass@{least}, or give" if least > 1 else "give"
        raise ResultsError(
            f"pass@{k} needs {k} answers to every item; '{row['algorithm']}' has "
            f"{int(n[few][0])} to item {row['sample']}: {most} more answers."
        )


def _right_or_wrong(results: Results) -> str:
    """The one measure whose single answers are right or wrong."""
    found = [name for name in results.measures if _is_binary(results, name)]
    if len(found) != 1:
        _refuse(found)
    return found[0]


def check_answers(values: np.ndarray) -> None:
    """Refuse scores of which none can be right or wrong, before anything is asked of them."""
    if not np.isin(values, (0.0, 1.0)).any():
        _refuse([])


def _refuse(found: list[str]) -> NoReturn:
    what = f"{len(found)} measures ({', '.join(found)})" if found else "no measure"
    way = "one file for each" if found else "a row per answer with 0 or 1"
    raise ResultsError(
        f"pass@k is of answers that are right or wrong, and {what} of these results are such: "
        f"give {way}."
    )


def _is_binary(results: Results, name: str) -> bool:
    """Whether single answers are all 0 or 1: their variance is then n/(n-1) m (1-m)."""
    table = results.values(name)
    counts = results.answers[results.answers["measure"] == name]
    found = table.merge(counts, how="left", on=["dataset", "algorithm", "sample"])
    found = found[found["value"].notna()]
    m, n = found["value"].to_numpy(float), found["count"].fillna(1.0).to_numpy()
    variance = found["variance"].fillna(0.0).to_numpy()
    right = np.rint(m * n)
    whole = (np.abs(m * n - right) < 1e-6 * n) & (m >= 0) & (m <= 1)
    expected = m * (1 - m) * n / np.maximum(n - 1, 1)
    return bool(whole.all() and (np.abs(variance - expected) < 1e-6).all())
