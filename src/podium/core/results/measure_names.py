"""What people call measures: which is meant, which of its values are better, and its bounds.

A name may say more than the measure: `test/accuracy`, `predictive_accuracy` and `val_loss` end in
it. Words before it that turn or change its meaning (`1-auc`, `rank_accuracy`) leave it unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from podium.core.base.errors import DesignError, ResultsError
from podium.core.questions.measures import INFINITY, KNOWN, TIMES, Measure, base_of
from podium.core.questions.measures import parse as parse_measure

PERCENT = "%"  # the unit of a share that is written as a percentage


def plain(text: str) -> str:
    """A word without case, `_`, `-` and blanks."""
    return re.sub(r"[\s_-]+", "", text).lower()


_SPELLINGS = {
    "error": "err errorrate misclassification misclassificationrate mmce zerooneloss ce incorrect",
    "accuracy": "acc accuracyscore correct correctness",
    "squared": "mse meansquarederror squarederror",
    "absolute": "mae meanabsoluteerror absoluteerror",
    "rmse": "rootmeansquarederror",
    "log-loss": "logloss crossentropy nll",
    "brier": "brierscore brierscoreloss",
    "auc": "rocauc auroc rocaucscore aucroc",
    "fit-time": "fittime trainingtime traintime",
    "predict-time": "predicttime predictiontime inferencetime",
    "time": "runtime elapsed duration seconds walltime cputime",
    "peak-memory": "peakmemory memory",
}
_KNOWN = {plain(known): known for known in KNOWN}
_KNOWN |= {word: known for known, words in _SPELLINGS.items() for word in words.split()}

# Measures that Podium does not compute, but whose direction and bounds are no question.
_ANY, _SHARE, _CORRELATION = (-INFINITY, INFINITY), (0, 1), (-1, 1)
# what is spent; `tokens_per_second` is no count of tokens, and is known as a whole
_SPENT = (
    "cost costs price usd eur dollars tokens flops macs energy kwh joules co2 emissions retries "
    "p50 p90 p95 p99 ttft tpot"
)
_OTHERS: tuple[tuple[bool, tuple[float, float], str], ...] = (
    (True, _SHARE, "f1 f1score fmeasure f1macro f1micro f1weighted precision recall sensitivity "
     "specificity balancedaccuracy bacc averageprecision prauc auprc aucpr jaccard iou dice ndcg "
     "mrr map exactmatch hitrate hits pass successrate ssim top1 top5"),
    (True, _CORRELATION, "mcc matthewscorrcoef kappa cohenkappa kappastatistic spearman pearson "
     "kendall adjustedrandindex"),
    (True, (-INFINITY, 1), "r2 r² r^2 r2score rsquared rsq explainedvariance"),
    (True, _ANY, "bleu rouge loglikelihood reward psnr"),
    (True, (0, INFINITY), "throughput tokenspersecond tokenspersec tokspersec toks tok/s tokens/s "
     "qps rps fps itemspersecond samplespersecond requestspersecond"),
    (False, _SHARE, "fpr fnr ece failurerate"),
    (False, (0, INFINITY), "latency fid cer perplexity mape meanabsolutepercentageerror smape "
     "mase crps wer lpips rmsd medianabsoluteerror maxerror rmsle hingeloss"),
    (False, (0, INFINITY), _SPENT),
    (False, _ANY, "loss risk"),
)  # fmt: skip
_BEHIND_IT = (
    "per a task item call request query question answer run sample example used spent total mean "
    "avg average sum median max ms s sec in out input output prompt completion generated"
)
_BEHIND = frozenset(_BEHIND_IT.split())
_UNITS = {"usd": "USD", "eur": "EUR", "tokens": "tokens", "kwh": "kWh", "joules": "J"}
_OTHER = {
    word: Measure(word, higher, bounds, _UNITS.get(word, ""), spec=word)
    for higher, bounds, words in _OTHERS
    for word in words.split()
}
_HITS = (
    "f1 f1score fmeasure precision recall sensitivity specificity averageprecision prauc jaccard "
    "fpr fnr"
)
_OF_ONE_CLASS = frozenset(_HITS.split())
# before a measure these turn or change what it says
_BEFORE_IT = (
    "neg negative minus one inverse inv non not no std sd stddev stdev var variance se sem rank "
    "ranks ranking to until drop delta diff difference change gap regret n num number count win "
    "wins false"
)
_TURNING = frozenset(_BEFORE_IT.split())
_SHARES = re.compile(
    r"^(?:percent(?:age)?|pct)[\s_-]+|[\s_-]*(?:\(\s*%\s*\)|%|[\s_-](?:percent|pct))$"
)


_COMPLEMENT = re.compile(r"(?:^|\s)1\s*[-−_ ]\s*[a-zA-Z]")


def is_complement(name: str) -> bool:
    """Whether a name is 1 less a measure, and not a measure of what is called 1.

    >>> is_complement("1-auc"), is_complement("1 - F1"), is_complement("1.precision")
    (True, True, False)
    """
    return _COMPLEMENT.search(name) is not None


@lru_cache(maxsize=2**16)
def known_measure(name: str) -> Measure | None:
    """The measure that people mean by a name, under this very name; None where nobody can know.

    >>> known_measure("Acc")
    Measure(name='Acc', higher_is_better=True, bounds=(0, 1), unit='share', spec='accuracy')
    >>> known_measure("neg_mean_squared_error").direction
    'higher'
    >>> known_measure("test/predictive_accuracy").spec, known_measure("rank_accuracy")
    ('accuracy', None)
    """
    share = _SHARES.sub("", name.strip().lower())
    stem = re.split(r"[@^]", name, maxsplit=1)[0]  # recall@5, pass^4
    text = spelled_measure(plain(name)) or _parsed(name)
    if text is None and (of_k := spelled_measure(plain(stem))):
        text = replace(of_k, spec=plain(name))
    if text is None and share and share != name.strip().lower():
        whole = known_measure(share)
        return in_percent(replace(whole, name=name)) if whole and is_share(whole) else None
    text = text or _last_word(name) or _first_word(name)
    return replace(text, name=name) if text else None


# statistics of many rows: a table whose rows are averaged does not hold them
_STATISTIC = re.compile(
    r"(?:^|[\s_:+-])(?:median|(?:p|pct|percentile|quantile|q)[\s_:]*(?:0?\.\d+|\d+(?:\.\d+)?)(?:th)?"
    r"|percentile|quantile|max|min|maximum|minimum|worst|std|sd|stddev|iqr|mode)(?=$|[\s_:+-])",
    re.IGNORECASE,
)


def is_statistic(name: str) -> bool:
    """Whether a name promises a number that is computed from many rows.

    >>> [n for n in ("median", "p95-latency", "quantile:0.9", "max_error") if is_statistic(n)]
    ['median', 'p95-latency', 'quantile:0.9']
    """
    if _STATISTIC.fullmatch(name.strip()):
        return True  # though its direction is known, as of p95
    return _STATISTIC.search(name) is not None and spelled_measure(plain(name)) is None


ROUNDING = 1e-9  # a share of 1 may be computed as a little more
BEYOND = 0.03  # of the range: a smoothed or corrected score, which is said


def outside(values: np.ndarray, measure: Measure) -> np.ndarray:
    """Whether each is no score of the measure, also with what is rounded or corrected."""
    low, high = measure.bounds
    beyond = BEYOND * (high - low) if np.isfinite([low, high]).all() else ROUNDING
    return np.asarray((values < low - beyond) | (values > high + beyond))


def is_share(measure: Measure) -> bool:
    """Whether it has a largest value of 1, and so may be written in percent."""
    return measure.bounds[1] == 1


def is_of_one_class(measure: Measure) -> bool:
    """Whether it counts the hits of one of two classes, and so depends on which is positive."""
    words = [w for w in re.split(r"[\s_/.:-]+", measure.name.lower()) if w]
    ends = {"".join(words[at:]) for at in range(len(words))}
    return bool(_OF_ONE_CLASS & ends) and not {"macro", "micro", "weighted"} & {*words}


_RESOURCES = frozenset([*_SPENT.split(), "latency", "peak-memory", *TIMES])
# names that begin with these are of what is spent: tokens_used, cost_per_task, latency_mean
_OF_ALL = {"total", "e2e", "wall", "walltime", "elapsed", "overall"}  # times of a whole run
_FIRST = ("cost", "price", "usd", "eur", "tokens", "latency", "energy", "flops")


def is_resource(measure: Measure) -> bool:
    """Whether it is something that is spent: time, money, tokens, memory, energy.

    >>> [is_resource(known_measure(name)) for name in ("output_tokens", "latency_p95", "error")]
    [True, True, False]
    """
    return measure.spec in _RESOURCES


def only_quality(measures: Mapping[str, Measure]) -> str | None:
    """The one measure that is nothing spent, where all others are."""
    names = [name for name, measure in measures.items() if not is_resource(measure)]
    return names[0] if len(names) == 1 else None


def likeliest(measures: Mapping[str, Measure]) -> str:
    """The measure that somebody means most likely: a quality, else a time of all of it.

    >>> spent = {n: known_measure(n) for n in ("tokens", "ttft", "e2e_latency")}
    >>> likeliest(spent), likeliest({**spent, "accuracy": known_measure("accuracy")})
    ('e2e_latency', 'accuracy')
    """

    def place(name: str) -> tuple[bool, bool, bool]:
        of_all = {*re.split(r"[\s_/.:-]+", name.lower())} & _OF_ALL
        return is_resource(measures[name]), not is_time(name), not of_all

    return min(measures, key=place)


def is_time(name: str) -> bool:
    """Whether a name means a time."""
    known = known_measure(name)
    return known is not None and known.spec in TIMES


def in_percent(measure: Measure) -> Measure:
    """The measure with bounds in percent."""
    low, high = measure.bounds
    return replace(measure, bounds=(100 * low, 100 * high), unit=PERCENT)


def spelled_measure(word: str) -> Measure | None:
    """The measure that a plain word spells as a whole, not in a part of it."""
    if word in _KNOWN:
        return KNOWN[_KNOWN[word]]
    if word in _OTHER:
        return _OTHER[word]
    if word.startswith("neg"):  # scikit-learn turns every loss so that larger is better
        loss = spelled_measure(word.removeprefix("neg"))
        return None if loss is None or loss.higher_is_better else negative(loss)
    stem = re.sub(r"^(test|classif\.|regr\.)", "", word)  # scikit-learn's and mlr3's
    return spelled_measure(stem) if stem != word else None


def negative(loss: Measure) -> Measure:
    """The negative of a loss, as scikit-learn has it: larger is better."""
    low, high = loss.bounds
    return replace(loss, higher_is_better=True, bounds=(-high, -low), spec=f"neg-{loss.spec}")


def _parsed(name: str) -> Measure | None:
    if base_of(name) not in KNOWN:  # a table may have thousands of names: no look for similar ones
        return None
    try:
        return parse_measure(name)
    except DesignError:
        return None


def _last_word(name: str) -> Measure | None:
    """The measure that the longest end of a name means, where no word before it changes that."""
    words = [w for w in re.split(r"[\s_/.:-]+", name.lower()) if w]
    for at in range(1, len(words)):
        measure = spelled_measure("".join(words[at:]))
        if measure is None:
            continue
        if words[at - 1] == "neg" and not measure.higher_is_better:
            measure, at = negative(measure), at - 1
        before = [spelled_measure(word) for word in words[:at]]
        turned = any(b and b.higher_is_better != measure.higher_is_better for b in before)
        turned = turned or (words[at - 1] == "standard" and measure.spec == "error")
        turned = turned or bool(_TURNING & {*words[:at]}) or is_complement(name)
        return None if turned else measure
    return None


def _first_word(name: str) -> Measure | None:
    """What is spent, where the name begins with it: tokens_used, cost_per_task, n_tokens."""
    words = [w for w in re.split(r"[\s_/.:-]+", name.lower()) if w]
    if len(words) == 2 and words[0] in ("n", "num", "number") and words[1] == "tokens":
        return _OTHER["tokens"]
    known = len(words) > 1 and words[0] in _FIRST and {*words[1:]} <= _BEHIND
    return _OTHER[words[0]] if known else None


def same_measure(first: str, second: str) -> bool:
    """Whether two names mean one measure: `acc` and `Accuracy` do."""
    a, b = known_measure(first), known_measure(second)
    return plain(first) == plain(second) or (a is not None and b is not None and a.spec == b.spec)


# -- asked measures -------------------------------------------------------------------------------
# Measures that a caller names, several at once, each with its direction where nobody knows it.


DIRECTIONS = {"higher": True, "lower": False}


@dataclass(frozen=True)
class Asked:
    """A measure that is asked about; None leaves the direction to its name."""

    name: str
    higher_is_better: bool | None = None


def asked_measures(text: str | Sequence[str]) -> list[Asked]:
    """Measures with commas between; behind a = the direction of one that nobody knows.

    >>> asked_measures("accuracy, depth=lower")
    [Asked(name='accuracy', higher_is_better=None), Asked(name='depth', higher_is_better=False)]
    """
    parts = text.split(",") if isinstance(text, str) else list(text)
    results = []
    for part in (each.strip() for each in parts if each.strip()):
        name, sign, way = part.rpartition("=")
        if sign and way not in DIRECTIONS:
            raise ResultsError(
                f"In '{part}' the direction is higher or lower, not '{way}': say {name}=higher or "
                f"{name}=lower."
            )
        results.append(Asked(name, DIRECTIONS[way]) if sign else Asked(part))
    names = [each.name for each in results]
    if len({*names}) < len(names):
        raise ResultsError(f"A measure is named twice in '{','.join(names)}'; name each once.")
    return results
