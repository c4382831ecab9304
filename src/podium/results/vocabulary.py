"""What people call things: words for columns and measures, translated at the door.

Words are compared without case, `_`, `-` and blanks; the names of measures, algorithms and data
sets themselves stay as they are written.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from podium.errors import DesignError, ResultsError
from podium.measures import KNOWN, Measure
from podium.measures import parse as parse_measure
from podium.registry import unknown
from podium.samplings import Sampling
from podium.samplings import parse as parse_sampling

Said = dict[str, list[str]]  # role -> columns

_WORDS = {
    "algorithm": "algorithm method model classifier regressor learner estimator alg algo system "
    "algorithmname methodname modelname learnerid",
    "dataset": "dataset data problem task ds datasetname datasetid taskname taskid",
    "sample": "sample b replicate split iteration iter run runid boot bootstrap resample "
    "trainingset trainset",
    "seed": "seed randomseed trainingseed trainseed initseed randomstate",
    "repeat": "repeat rep repetition",
    "fold": "fold foldid",
    "item": "item itemid id example exampleid instance instanceid question questionid prompt "
    "promptid",
    "measure": "measure metric metricname criterion",
    "value": "value score perf performance result testscore",
    "cluster": "cluster group document doc docid",
}
_ROLE = {word: role for role, words in _WORDS.items() for word in words.split()}
BLOCKS = ("sample", "repeat", "fold", "item", "seed")  # what tells the scores of one data set apart
ABOUT_ROWS = ("dataset", "measure", "cluster", *BLOCKS)
KEYS = (*_WORDS, "block", "ignore")  # what `columns` may say
SIZES = ("n", "ntrain", "ntest", "noob", "nobs", "nrows", "nsamples", "time", "seconds", "runtime")


def plain(text: str) -> str:
    """A word without case, `_`, `-` and blanks."""
    return re.sub(r"[\s_-]+", "", text).lower()


def role_of(column: str) -> str | None:
    """What a column called so holds, None where its name does not say.

    >>> role_of("Method"), role_of("task_id"), role_of("svm")
    ('algorithm', 'dataset', None)
    """
    return _ROLE.get(plain(column))


def candidates(columns: Iterable[str], role: str) -> list[str]:
    """The columns named by a role."""
    return [c for c in columns if role_of(c) == role]


def is_columns(keys: Iterable[object]) -> bool:
    """Whether the keys of a mapping are the columns of a table: no algorithm is called dataset."""
    return any(role_of(f"{key}") in ABOUT_ROWS for key in {*keys} - {"b"})


# -- measures -------------------------------------------------------------------------------

_SPELLINGS = {
    "error": "err errorrate misclassification misclassificationrate mmce zerooneloss ce",
    "accuracy": "acc accuracyscore correct correctness",
    "squared": "mse meansquarederror squarederror",
    "absolute": "mae meanabsoluteerror absoluteerror",
    "rmse": "rootmeansquarederror",
    "log-loss": "logloss crossentropy nll",
    "brier": "brierscore brierscoreloss",
    "auc": "rocauc auroc rocaucscore",
    "fit-time": "fittime trainingtime traintime",
    "predict-time": "predicttime predictiontime inferencetime",
    "time": "runtime elapsed duration seconds walltime",
    "peak-memory": "peakmemory memory",
}
_KNOWN = {plain(known): known for known in KNOWN}
_KNOWN |= {word: known for known, words in _SPELLINGS.items() for word in words.split()}

# Measures that Podium does not compute, but whose direction is no question.
_HIGHER = "f1 f1score fmeasure f1macro f1micro f1weighted precision recall sensitivity specificity \
balancedaccuracy bacc averageprecision prauc jaccard iou dice ndcg mrr mcc matthewscorrcoef kappa \
cohenkappa spearman pearson kendall r2 r2score rsquared explainedvariance bleu rouge loglikelihood"
_LOWER = "loss risk perplexity mape meanabsolutepercentageerror smape mase crps wer fpr fnr ece \
medianabsoluteerror maxerror rmsle hingeloss"
_OTHER = dict.fromkeys(_HIGHER.split(), True) | dict.fromkeys(_LOWER.split(), False)


def known_measure(name: str) -> Measure | None:
    """The measure that people mean by a name, under this very name; None where nobody can know.

    >>> known_measure("Acc")
    Measure(name='Acc', higher_is_better=True, bounds=(0, 1), unit='share', spec='accuracy')
    >>> known_measure("neg_mean_squared_error").direction
    'higher'
    """
    found = _meant(plain(name)) or _parsed(name)
    return replace(found, name=name) if found else None


def _meant(word: str) -> Measure | None:
    if word in _KNOWN:
        return KNOWN[_KNOWN[word]]
    if word in _OTHER:
        return Measure(word, _OTHER[word], spec=word)
    if word.startswith("neg"):  # scikit-learn turns every loss so that larger is better
        loss = _meant(word.removeprefix("neg"))
        return None if loss is None or loss.higher_is_better else _negative(loss)
    stem = re.sub(r"^(test|classif\.|regr\.)", "", word)  # scikit-learn's and mlr3's
    return _meant(stem) if stem != word else None


def _negative(loss: Measure) -> Measure:
    low, high = loss.bounds
    return replace(loss, higher_is_better=True, bounds=(-high, -low), spec=f"neg-{loss.spec}")


def _parsed(name: str) -> Measure | None:
    try:
        return parse_measure(name)
    except DesignError:
        return None


def same_measure(first: str, second: str) -> bool:
    """Whether two names mean one measure: `acc` and `Accuracy` do."""
    a, b = known_measure(first), known_measure(second)
    return plain(first) == plain(second) or (a is not None and b is not None and a.spec == b.spec)


# -- what the caller says -------------------------------------------------------------------


@dataclass(frozen=True)
class Options:
    """What a caller says of a source, checked; what is left out the source must tell itself."""

    sampling: Sampling | None = None
    measure: str | None = None
    higher_is_better: bool | None = None
    columns: Said = field(default_factory=dict)

    @classmethod
    def checked(
        cls,
        sampling: Any = None,
        measure: Any = None,
        higher_is_better: Any = None,
        columns: Any = None,
    ) -> Options:
        """The options in the words of a caller, or an error that names the wrong one."""
        if higher_is_better is not None and not isinstance(higher_is_better, (bool, np.bool_)):
            raise ResultsError(
                f"higher_is_better is True, False or None, not {higher_is_better!r}."
            )
        if measure is not None and (not isinstance(measure, str) or not measure.strip()):
            raise ResultsError(f"A measure is named by a text such as 'error', not {measure!r}.")
        design = None if sampling is None else parse_sampling(sampling)
        higher = None if higher_is_better is None else bool(higher_is_better)
        return cls(design, measure, higher, said_columns(columns))

    @property
    def paired(self) -> bool:
        """Whether the algorithms have the same samples."""
        return self.sampling is None or not self.sampling.independent


def said_columns(columns: str | Mapping[str, str | Iterable[str]] | None) -> Said:
    """The columns by role, from a mapping or from `algorithm=method,ignore=a;b`."""
    if isinstance(columns, str):
        columns = _read(columns)
    if not isinstance(columns or {}, Mapping):
        raise ResultsError(
            "columns is a mapping such as {'algorithm': 'method', 'ignore': ['a', 'b']} or a text "
            f"such as 'algorithm=method,ignore=a;b', not {columns!r}."
        )
    said = {r: [n] if isinstance(n, str) else [*n] for r, n in (columns or {}).items()}
    for role, names in said.items():
        if role not in KEYS:
            raise ResultsError("In columns: " + unknown("role of a column", role, KEYS))
        if len(names) > 1 and role not in ("value", "ignore", "block"):
            raise ResultsError(f"In columns: '{role}' is one column, not {len(names)}.")
    return said


def _read(text: str) -> Said:
    said: Said = {}
    for part in text.split(","):
        role, _, names = (p.strip() for p in part.partition("="))
        if not names:
            raise ResultsError(
                f"In columns: '{part}' cannot be read; write role=column, as in "
                "'algorithm=method,value=acc,ignore=a;b'."
            )
        said.setdefault(role.lower(), []).extend(n.strip() for n in names.split(";"))
    return said


def way_out(**roles: str | Iterable[str]) -> str:
    """How to say what columns are, on the command line and in Python."""
    lists = {r: [n] if isinstance(n, str) else list(n) for r, n in roles.items()}
    text = ",".join(f"{role}={';'.join(names)}" for role, names in lists.items())
    return f"--columns {shlex.quote(text)} (in Python: columns={text!r})"
