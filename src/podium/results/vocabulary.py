"""What people call things: words for columns and measures, translated at the door.

Words are compared without case, `_`, `-` and blanks; the names of measures, algorithms and data
sets themselves stay as they are written.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from podium.errors import DesignError, ResultsError
from podium.measures import KNOWN, Measure
from podium.measures import parse as parse_measure
from podium.registry import unknown

Said = dict[str, list[str]]  # role -> columns

_WORDS = {
    "algorithm": "algorithm method model classifier regressor learner estimator alg algo system "
    "framework",
    "dataset": "dataset data problem task ds",
    "sample": "sample b replicate split seed iteration iter run boot bootstrap resample",
    "repeat": "repeat rep repetition",
    "fold": "fold",
    "measure": "measure metric criterion",
    "value": "value score perf performance result testscore",
    "item": "item id example instance question",
    "cluster": "cluster group document doc",
}
_ROLE = {word: role for role, words in _WORDS.items() for word in words.split()}
BLOCKS = ("sample", "repeat", "fold", "item")  # what tells the scores of one data set apart
KEYS = (*_WORDS, "block", "ignore")  # what `columns` may say
PERHAPS_A_SCORE = "p"  # eugster2008 writes it; elsewhere it is a p-value or a number of features
SIZES = ("n", "ntrain", "ntest", "noob", "nobs", "nrows", "nsamples", "ninstances")


def plain(text: str) -> str:
    """A word without case, `_`, `-` and blanks."""
    return re.sub(r"[\s_-]+", "", text).lower()


def role_of(column: str) -> str | None:
    """What a column called so holds, None where its name does not say."""
    return _ROLE.get(plain(column)) or _indirect_role_of(column)


def _indirect_role_of(column: str) -> str | None:
    """The role behind names such as `model_name` and `task_id`."""
    stem = re.sub(r"(name|id)$", "", plain(column))
    return _ROLE.get(stem) if len(stem) > 1 and stem != plain(column) else None


def candidates(columns: Iterable[str], role: str) -> list[str]:
    """The columns named by a role; `model_name` only where no column is called `model`."""
    columns = list(columns)
    direct = [c for c in columns if _ROLE.get(plain(c)) == role]
    return direct or [c for c in columns if _indirect_role_of(c) == role]


# -- measures -------------------------------------------------------------------------------

_SPELLINGS = {
    "error": "err errorrate misclassification misclassificationrate misclassificationerror mmce "
    "zerooneloss classif.ce",
    "accuracy": "acc accuracyscore classificationaccuracy correct correctness",
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
_KNOWN = {w: known for known, words in _SPELLINGS.items() for w in [plain(known), *words.split()]}

# Measures that Podium does not compute, but whose direction is no question.
_OTHERS: dict[tuple[bool, float, float], str] = {
    (True, 0, 1): "f1,f1score,fmeasure,fscore f1macro f1micro f1weighted precision specificity,tnr "
    "recall,sensitivity,tpr balancedaccuracy,bacc,balacc,bac averageprecision,prauc,auprc "
    "jaccard,iou dice ndcg mrr exactmatch",
    (True, -1, 1): "mcc,matthewscorrcoef,matthews kappa,cohenkappa spearman pearson kendall",
    (True, -math.inf, 1): "r2,r2score,rsquared,rsq explainedvariance",
    (True, -math.inf, math.inf): "bleu rouge loglikelihood",
    (False, 0, math.inf): "loss risk perplexity mape,meanabsolutepercentageerror smape mase crps "
    "medianabsoluteerror,medae maxerror rmsle,rootmeansquaredlogerror hingeloss wer",
    (False, 0, 1): "fpr fnr ece",
}
_OTHER = {
    word: Measure(words[0], higher, (low, high), spec=words[0])
    for (higher, low, high), text in _OTHERS.items()
    for words in (group.split(",") for group in text.split())
    for word in words
}


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
    if word in _KNOWN or word in _OTHER:
        return KNOWN[_KNOWN[word]] if word in _KNOWN else _OTHER[word]
    if word.startswith("neg"):  # scikit-learn turns every loss so that larger is better
        return _negative(_meant(word.removeprefix("neg")))
    for prefix in ("test", "classif.", "regr."):  # scikit-learn's and mlr3's
        if word.startswith(prefix):
            return _meant(word.removeprefix(prefix))
    return None


def _negative(measure: Measure | None) -> Measure | None:
    if measure is None or measure.higher_is_better:
        return None
    low, high = measure.bounds
    return replace(measure, higher_is_better=True, bounds=(-high, -low), spec=f"neg-{measure.spec}")


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


def said_columns(columns: str | Mapping[str, str | Iterable[str]] | None) -> Said:
    """The columns by role, from a mapping or from `algorithm=method,ignore=a;b`.

    Double quotes keep `,` and `;` inside a name: `ignore="svm, linear"`.
    """
    if columns is None:
        return {}
    pairs = _read(columns) if isinstance(columns, str) else _listed(columns)
    said: Said = {}
    for role, names in pairs:
        if role not in KEYS:
            raise ResultsError("In columns: " + unknown("role of a column", role, KEYS))
        said.setdefault(role, []).extend(names)
    _check_said(said)
    return said


def _read(text: str) -> list[tuple[str, list[str]]]:
    parts = [part.partition("=") for part in _split(text, ",")]
    for role, equals, names in parts:
        if not equals or not names.strip():
            raise ResultsError(
                f"In columns: '{role}{equals}{names}' cannot be read; write role=column, as in "
                "'algorithm=method,value=acc,ignore=a;b'."
            )
    return [
        (role.strip().lower(), [n.strip().strip('"') for n in _split(names, ";")])
        for role, _, names in parts
    ]


def _split(text: str, separator: str) -> list[str]:
    outside_quotes = r'(?=(?:[^"]*"[^"]*")*[^"]*$)'
    return re.split(separator + outside_quotes, text)


def _listed(columns: Mapping[str, str | Iterable[str]]) -> list[tuple[str, list[str]]]:
    if not isinstance(columns, Mapping):
        raise ResultsError(
            "columns is a mapping such as {'algorithm': 'method', 'ignore': ['a', 'b']} or a text "
            f"such as 'algorithm=method,ignore=a;b', not {columns!r}."
        )
    return [
        (str(role), [n.strip() for n in ([names] if isinstance(names, str) else map(str, names))])
        for role, names in columns.items()
    ]


def _check_said(said: Said) -> None:
    claimed: dict[str, str] = {}
    for role, names in said.items():
        if len(names) > 1 and role not in ("value", "ignore", "block"):
            raise ResultsError(f"In columns: '{role}' is one column, not {len(names)}.")
        for name in names:
            if name in claimed:
                raise ResultsError(
                    f"In columns: '{name}' cannot be both '{claimed[name]}' and '{role}'."
                )
            claimed[name] = role


def way_out(**roles: str | Iterable[str]) -> str:
    """How to say what columns are, on the command line and in Python."""
    lists = {r: [n] if isinstance(n, str) else list(n) for r, n in roles.items()}
    text = ",".join(f"{r}={';'.join(_quoted(n) for n in names)}" for r, names in lists.items())
    shell = f"'{text}'" if re.search(r"[\s;\"<>|&$()*?#!]", text) else text
    return f"--columns {shell} (in Python: columns={text!r})"


def _quoted(name: str) -> str:
    return f'"{name}"' if re.search(r"[,;=]", name) else name
