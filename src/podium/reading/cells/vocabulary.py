"""What people call things: words for columns and measures, translated at the door.

Words are compared without case, `_`, `-` and blanks; the names of measures, algorithms and data
sets themselves stay as they are written.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from podium.core.base.errors import ResultsError
from podium.core.base.registry import unknown
from podium.core.results.measure_names import known_measure, plain, same_measure
from podium.core.samplings import Sampling
from podium.core.samplings import parse as parse_sampling
from podium.reading.cells.words import last_part

__all__ = [
    "ABOUT_ROWS",
    "BLOCKS",
    "CONDITION",
    "CONDITIONS",
    "CONDITION_PARTS",
    "KEYS",
    "OF_BLOCKS",
    "OF_ITEMS",
    "STATISTICS",
    "Options",
    "Said",
    "candidates",
    "is_columns",
    "is_id",
    "is_size",
    "is_summary",
    "is_word",
    "known_measure",
    "plain",
    "role_of",
    "said_columns",
    "said_rows",
    "same_measure",
    "summaries",
    "way_out",
]

Said = dict[str, list[str]]  # role -> columns

_WORDS = {
    "algorithm": "algorithm method model classifier regressor learner estimator alg algo system "
    "framework generator scheme flow solver workflow wflow technique approach pipeline clf agent "
    "policy command predictor detector",
    "dataset": "dataset data problem task ds db database series game env environment corpus "
    "benchmark",
    "sample": "sample samp b replicate split iteration iter run boot bootstrap resample execution "
    "trainingset trainset trial attempt epoch",
    "seed": "seed randomseed trainingseed trainseed initseed randomstate",
    "repeat": "repeat rep repetition",
    "fold": "fold cvfold outerfold testfold kfold",
    "item": "item id example instance question prompt qid query request utterance utt",
    "measure": "measure metric criterion function evalmetric scorer",
    "value": "value score perf performance result testscore estimate metricvalue metricerror",
    "cluster": "cluster group document doc topic subject category passage repository repo",
    "stratum": "stratum",
    "condition": "condition",
    "halving": "halving",
    "side": "side half",
}
_ROLE = {word: role for role, words in _WORDS.items() for word in words.split()}
_BEFORE = re.compile(r"^(?:key[_ .]|params?[./]|tags?[./]|config[./]|idx[_ .]|\.)", re.IGNORECASE)
_BEHIND = re.compile(r"(.{2,}?)(?:name|id|idx|index|number|nr|no)$")
BLOCKS = ("sample", "repeat", "fold", "item", "seed")  # what tells the scores of one data set apart
ABOUT_ROWS = ("dataset", "measure", "cluster", *BLOCKS)
CONDITION = "condition"
CONDITION_PARTS = ("first condition", "second condition")  # where every item has both, crossed
OF_BLOCKS = ("cluster", "stratum")  # that blocks are in, and that tell no scores apart
# what items are tried under, where it is crossed with them
CONDITIONS = (
    *("condition", "prompt", "template", "prompttemplate", "paraphrase", "phrasing", "wording"),
    *("judge", "grader", "rater", "annotator", "evaluator"),
)
OF_ITEMS = ("topic", "subject", "category", "passage", "repository", "repo")  # clusters of items
PREDICTED = ("truth", "prediction", "weight", "query", "positive")  # of tables of predictions
KEYS = (*_WORDS, "block", "ignore", "sheet", "across", *PREDICTED)  # what `columns` may say
SIZES = (
    *("n", "ntrain", "ntest", "noob", "nobs", "time", "seconds", "runtime"),
    *("instances", "features", "attributes", "classes", "rows", "columns", "variables"),
)
_COUNTS = re.compile(
    r"(n|num|no|nr|number|numberof|count|#)(rows?|samples?|instances?|examples?|features?|attributes?"
    r"|columns?|cols?|classes|labels|targets|vars?|variables?|categor(y|ies)|missing\w*|items?)"
)
# what describes many scores and is no single one
_STATISTICS = (
    "mean average avg median std sd stddev stdev var min max minimum maximum total sum sem stderr "
    "user system"
)
STATISTICS = frozenset(_STATISTICS.split())
# what to do with a table of means and standard deviations
SEVERAL_STUDIES = "compare rows of several studies (study, algorithm, mean, sd, n) by `podium meta`"
_SUMMARY = re.compile(
    r"(mean|average|avg|overall|total|friedman|final)\.?(rank(s|ing)?|score|accuracy|acc|error|std"
    r"|stddev|sd|±.*)?|rank(s|ing)?(mean|avg|average|sum)?|(#|no\.?|num(ber)?(of)?)?(wins?|best"
    r"|top1)|w/[td]/l|wtl|wdl|wins?/(ties?|draws?)/loss(es)?|win/loss|wintieloss|median|sd"
    r"|std\.?(dev\.?)?|sum(ofranks)?|geo(metric)?mean|pvalues?"
)

_OF_MANY = (
    "mean means average averages avg ave median overall total sum std sd stddev stdev deviation "
    "variance rank ranks ranking wins geomean gmean summary min max minimum maximum worst "
    "mittelwert mittel durchschnitt gesamt rang moyenne médiane moy media mediana promedio média "
    "medie gemiddelde среднее 平均 平均值 均值"
)
_BESIDE_IT = (
    "macro micro weighted grand arithmetic harmonic geometric geo global relative normalized of "
    "over all the across per by in dev standard score scores accuracy acc error errors rate data "
    "dataset datasets set sets task tasks fold folds run runs seed seeds n"
)
_SUMMARISING, _FILLING = frozenset(_OF_MANY.split()), frozenset(_BESIDE_IT.split())


def is_size(column: str) -> bool:
    """Whether a column tells how large or how long something is: no score, and no algorithm.

    >>> is_size("n_features"), is_size("num.classes"), is_size("nnet")
    (True, True, False)
    """
    word = plain(column).replace(".", "")
    return word in SIZES or bool(_COUNTS.fullmatch(word))


def role_of(column: str) -> str | None:
    """What a column called so holds, None where its name does not say.

    >>> role_of("Method"), role_of("Key_Dataset"), role_of("learner.id"), role_of("svm")
    ('algorithm', 'dataset', 'algorithm', None)
    """
    return next((_ROLE[word] for word in _words(column) if word in _ROLE), None)


def is_word(column: str, words: Iterable[str]) -> bool:
    """Whether a column is called by one of these words, less what people add to them."""
    return any(word in words for word in _words(column))


@lru_cache(maxsize=2**16)
def _words(column: str) -> tuple[str, ...]:
    """The word of a column, and the same less what stands behind it: `taskid` and `task`."""
    words: list[str] = []
    for name in dict.fromkeys((column.strip(), last_part(column.strip()))):
        word = plain(_BEFORE.sub("", name)).replace(".", "")
        match = _BEHIND.fullmatch(word)
        words += [word, match[1]] if match else [word]
    return tuple(words)


def is_id(column: str) -> bool:
    """Whether a name says that the column holds numbers that stand for something."""
    return re.search(r"(^|[_ .-])(id|ids|uuid|hash|nr|index|idx)$|[a-z]Id$", column) is not None


def is_summary(label: str) -> bool:
    """Whether a row or column called so summarises others.

    >>> is_summary("Avg. Rank"), is_summary("W/T/L"), is_summary("Mean over 10 tasks")
    (True, True, True)
    >>> is_summary("meander"), is_summary("mean-shift")
    (False, False)
    """
    words = {w for w in re.split(r"[\W_]+", label.lower()) if w and not w.isdecimal()}
    message = bool(words & _SUMMARISING) and words <= _SUMMARISING | _FILLING
    return message or _SUMMARY.fullmatch(plain(label).strip(":.")) is not None


_SUMS, _HIGHEST, _LOWEST = ("sum", "total"), ("max", "maximum"), ("min", "minimum")


# `Mean HNS` below all others; `Mean Teacher` is a name
_AT_END = re.compile(r"(?i:mean|median|average|avg\.?|overall) [A-Z]{2,}$")


def summaries(labels: Sequence[str] | np.ndarray, columns: Iterable[np.ndarray]) -> list[str]:
    """The labels of rows that summarise the others, by their names, unless numbers forbid it.

    A benchmark may be called `sum`: what is smaller than one of the others is no sum of them.

    >>> summaries(["dot", "sum", "sort"], [np.array([5.0, 3.0, 50.0])])
    []
    >>> summaries(["dot", "sum", "sort"], [np.array([5.0, 55.0, 50.0])])
    ['sum']
    """
    names = list(dict.fromkeys(map(str, labels)))
    called = [i for i, name in enumerate(names) if not name.isdecimal() and is_summary(name)]
    if {"macro avg", "weighted avg"} & {*names}:  # a report of classes, of which accuracy is none
        called += [i for i, name in enumerate(names) if known_measure(name) and i not in called]
    last = len(names)
    while last > 2 and (last - 1 in called or _AT_END.match(names[last - 1])):
        last -= 1
        called += [last] if last not in called else []
    if not called or len(called) == len(names):
        return [names[i] for i in called]
    places = {name: i for i, name in enumerate(names)}
    codes = np.array([places[str(label)] for label in labels])
    means = [_by_code(codes, len(names), values) for values in columns]
    rest = np.setdiff1d(np.arange(len(names)), called)
    means = [m for m in means if len(np.unique(m[rest][np.isfinite(m[rest])])) > 1]
    return [
        names[i]
        for i in called
        if 2 * sum(_is_impossible(names[i], m[i], m[rest]) for m in means) <= len(means)
    ]


def _by_code(codes: np.ndarray, size: int, values: np.ndarray) -> np.ndarray:
    here = np.isfinite(values)
    counts = np.bincount(codes[here], minlength=size)
    sums = np.bincount(codes[here], values[here], minlength=size)
    return np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0)


def _is_impossible(label: str, own: float, others: np.ndarray) -> bool:
    """Whether a number cannot be what its label says of the others."""
    word, others = plain(label).strip(".:"), others[np.isfinite(others)]
    if len(others) < 2 or not np.isfinite(own):
        return False
    low, high = float(others.min()), float(others.max())
    near = 0.02 * (high - low)
    if word in _SUMS:
        return low >= 0 and own < high - near and abs(own - others.mean()) > near
    if word in _HIGHEST:
        return abs(own - high) > near
    return word in _LOWEST and abs(own - low) > near


def candidates(columns: Iterable[str], role: str) -> list[str]:
    """The columns named by a role."""
    return [c for c in columns if role_of(c) == role]


def is_columns(keys: Iterable[object]) -> bool:
    """Whether the keys of a mapping are the columns of a table: no algorithm is called dataset."""
    return any(role_of(f"{key}") in ABOUT_ROWS for key in {*keys} - {"b"})


# -- what the caller says -------------------------------------------------------------------


@dataclass(frozen=True)
class Options:
    """What a caller says of a source, checked; what is left out the source must tell itself."""

    sampling: Sampling | None = None
    measure: str | None = None
    higher_is_better: bool | None = None
    columns: Said = field(default_factory=dict)
    step: str | None = None  # which score of a curve counts
    where: Said = field(default_factory=dict)  # column -> values of the rows that count

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
    texts = {r: [n] if isinstance(n, str) else [*n] for r, n in (columns or {}).items()}
    for role, names in texts.items():
        if role not in KEYS:
            raise ResultsError("In columns: " + unknown("role of a column", role, KEYS))
        if len(names) > 1 and role not in ("value", "ignore", "block", "prediction"):
            raise ResultsError(f"In columns: '{role}' is one column, not {len(names)}.")
    return texts


def said_rows(where: str | Iterable[str] | Mapping[str, Any] | None) -> Said:
    """The rows that count, from `split=test` (values with `;`), several of them, or a mapping.

    >>> said_rows(["split=test", "year=2023;2024"])
    {'split': ['test'], 'year': ['2023', '2024']}
    """
    if where is None:
        return {}
    if isinstance(where, Mapping):
        each = {str(k): v if isinstance(v, (list, tuple)) else [v] for k, v in where.items()}
        return {k: [str(v) for v in values] for k, values in each.items()}
    rows: Said = {}
    for part in [where] if isinstance(where, str) else where:
        column, sign, values = str(part).partition("=")
        if not sign or not column.strip():
            raise ResultsError(f"where: '{part}' cannot be read; write column=value.")
        rows.setdefault(column.strip(), []).extend(v.strip() for v in values.split(";"))
    return rows


def _read(text: str) -> Said:
    texts: Said = {}
    for part in text.split(","):
        role, _, names = (p.strip() for p in part.partition("="))
        if not names:
            raise ResultsError(
                f"In columns: '{part}' cannot be read; write role=column, as in "
                "'algorithm=method,value=acc,ignore=a;b'."
            )
        texts.setdefault(role.lower(), []).extend(n.strip() for n in names.split(";"))
    return texts


def way_out(wording: Said | None = None, /, **roles: str | Iterable[str]) -> str:
    """How to say what columns are, besides what was said: on the command line and in Python.

    A column that gets a role has no other one any more.
    """
    lists = {r: [n] if isinstance(n, str) else list(n) for r, n in roles.items()}
    labels = {name for names in lists.values() for name in names}
    kept = {r: [n for n in names if n not in labels] for r, names in (wording or {}).items()}
    lists |= {"ignore": [*kept.pop("ignore"), *lists.get("ignore", [])]} if "ignore" in kept else {}
    messages = {r: names for r, names in {**kept, **lists}.items() if names}
    text = ",".join(f"{role}={';'.join(names)}" for role, names in messages.items())
    return f"--columns {shlex.quote(text)} (in Python: columns={text!r})"
