"""Which column of a table of predictions is what: the truth, the items, and what models say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.reading.cells.vocabulary import Said, is_word, plain, role_of

GLANCE = 1000  # rows that mostly tell whether cells are labels
NEARLY = 0.02  # how far rounded probabilities are from a sum of 1
# names that leave no doubt, and names that content has to confirm
_SURE = (
    "ytrue ytest truelabel truelabels groundtruth goldlabel goldstandard trueclass actualclass "
    "ylabel"
)
_MAYBE = "truth target label labels gold actual reference class y true observed relevance"
_PREDICTED = (
    "ypred pred prediction predictions predicted predictedlabel predictedclass predlabel yhat "
    "fitted"
)
_PROBABLE = (
    "yprob yproba yscore prob proba probability probabilities predictproba predprob score "
    "confidence"
)
SURE, MAYBE = frozenset(_SURE.split()), frozenset(_MAYBE.split())
PREDICTED, PROBABLE = frozenset(_PREDICTED.split()), frozenset(_PROBABLE.split())
GENERIC = PREDICTED | PROBABLE  # names of a column, not of a model
BESIDE = ("item", "cluster", "stratum", "weight", "query")  # what may be known of an item
POSITIVE = "positive"  # what --columns calls the class that probabilities are of
MANY_ROWS = 2  # from here on a column that counts them is no prediction
FILES = frozenset(["file", "filename", "path", "image", "uuid", "url"])  # that name an item
QUERIES = frozenset(["query", "queryid", "qid"])
WEIGHTS = frozenset(["weight", "weights", "sampleweight", "surveyweight"])
CLUSTERS = frozenset(["patient", "speaker", "user", "author", "session"])
ABOUT = ("dataset", "sample", "repeat", "fold", "seed", "measure", "condition", "halving", "side")
_HEAD = re.compile(
    r"^(y?_?(?:pred(?:icted|iction)?s?|hat|prob(?:a|ability)?|score)|p)[_:. -]+(.+)$", re.IGNORECASE
)
SEPARATORS = (":", "|", "/", "=", "__", ".", "_", "-", " ")


@dataclass(frozen=True)
class Columns:
    """The columns of a table of predictions, by role."""

    truth: str
    models: dict[str, str]  # name of a model -> its column
    by_class: dict[str, dict[str, str]] = field(default_factory=dict)  # model -> class -> column
    item: str | None = None
    model: str | None = None  # of a long table: the column that names the model
    cluster: str | None = None
    stratum: str | None = None
    weight: str | None = None
    query: str | None = None
    ignored: tuple[str, ...] = ()
    chosen: bool = False  # the caller says which columns are predictions
    positive: str | None = None  # the class that probabilities are of, where the caller says it


def truth_of(columns: Sequence[str], text: Said) -> str | None:
    """The column of the truth, by what the caller says or by its name."""
    if "truth" in text:
        return text["truth"][0]
    columns = [c for c in columns if c not in text.get("ignore", ())]
    result = [c for c in columns if plain(c) in SURE] or [c for c in columns if plain(c) in MAYBE]
    return result[0] if result else None


def is_sure(columns: Sequence[str], text: Said) -> bool:
    """Whether names alone tell that the table holds predictions."""
    words = {plain(c) for c in columns}
    both = words & (SURE | MAYBE) and words & PREDICTED
    return "truth" in text or bool(words & SURE) or bool(both)


def found_columns(
    frame: pd.DataFrame, text: Said, what: str, *, wants_scores: bool, queries: bool
) -> Columns:
    """The roles of all columns; `wants_scores` where a measure reads no labels."""
    names = [str(c) for c in frame.columns]
    for role, request in text.items():
        for name in request:
            if name not in names and role not in ("sheet", POSITIVE):
                raise ResultsError(
                    f"{what} has no column '{name}': name one of {', '.join(names[:10])}."
                )
    truth = truth_of(names, text)
    if truth is None:
        raise ResultsError(
            f"{what} does not say which column is the truth: add --columns truth=COLUMN "
            "(columns={'truth': 'COLUMN'})."
        )
    rest = [c for c in names if c != truth and c not in text.get("ignore", ())]
    query = _one(rest, text, "query", QUERIES) if queries else None
    item = _item(frame, [c for c in rest if c != query], text)
    model = _algorithm(rest, text)
    cluster = _cluster(frame, rest, text)
    weight = _one(rest, text, "weight", WEIGHTS)
    stratum = _one(rest, text, "stratum", frozenset(["stratum"]))
    roles = (query, item, model, cluster, weight, stratum)
    free = [c for c in rest if c not in roles and not _is_about_rows(c)]
    classes = sorted(frame[truth].dropna().astype(str).str.strip().unique()[:200])
    by_class = {} if "prediction" in text else _columns_by_class(free, classes)
    if _are_numbered_models(frame, by_class):
        by_class = {}
    if "prediction" not in text:
        _check_all_classes(frame, [c for c in free if c not in _used(by_class)], classes, what)
    if by_class:
        used = _used(by_class)
        models: dict[str, str] = {}
    else:
        models = _models(free, text, wants_scores)
        used = {*models.values()}
    if not used:
        raise ResultsError(
            f"{what} has the truth ('{truth}') but no column of predictions: add one per model."
        )
    gone = [c for c in names if c != truth and c not in roles and c not in used]
    return Columns(
        truth,
        models,
        by_class,
        item,
        model,
        cluster,
        stratum,
        weight,
        query,
        tuple(gone),
        "prediction" in text,
        text[POSITIVE][0] if POSITIVE in text else None,
    )


def _is_about_rows(column: str) -> bool:
    """Whether a name tells something about rows; 'b' is rather a model than a bootstrap sample."""
    return role_of(column) in ABOUT and len(column) > 1


def _one(columns: Sequence[str], text: Said, role: str, words: frozenset[str]) -> str | None:
    if role in text:
        return text[role][0]
    return next((c for c in columns if plain(c) in words), None)


def names_rows(column: str) -> bool:
    """Whether a name is of items, or of what they belong to: patients, splits, weights."""
    word = plain(column)
    return (
        role_of(column) in ("item", "cluster", *ABOUT)
        or word.endswith("id")
        or word in FILES | QUERIES | WEIGHTS | {"stratum", "split"}
        or is_word(column, CLUSTERS)
    )


def item_column(frame: pd.DataFrame, text: Said) -> str | None:
    """The column that names items, if there is one."""
    return _item(frame, [str(c) for c in frame.columns], text)


def _item(frame: pd.DataFrame, columns: Sequence[str], text: Said) -> str | None:
    if "item" in text:
        return text["item"][0]
    results = [c for c in columns if role_of(c) == "item" or c == "#1"]
    ids = [c for c in columns if plain(c).endswith("id") or plain(c) in FILES]
    results += [c for c in ids if c not in results and frame[c].is_unique]  # sample_id
    results = results or [c for c in columns[:1] if _counts_rows(frame[c])]
    return results[0] if results else None


def _counts_rows(cells: pd.Series) -> bool:
    """Whether a column numbers its rows from 0 or 1 on, whatever it is called."""
    numbers = pd.to_numeric(cells, errors="coerce").to_numpy(float)
    first = numbers[0] if len(numbers) > MANY_ROWS else np.nan
    return bool(first in (0, 1) and (numbers == first + np.arange(len(numbers))).all())


def _algorithm(columns: Sequence[str], text: Said) -> str | None:
    """The column that names models: of a long table, which has one column of predictions."""
    if "algorithm" in text:
        return text["algorithm"][0]
    results = [c for c in columns if role_of(c) == "algorithm"]
    return results[0] if results and any(map(_is_generic, columns)) else None


def _is_generic(column: str) -> bool:
    """Whether a name is of predictions and of no model: `y_pred`, or `y_pred:cat` of a class."""
    heads = (column.rpartition(sign)[0] for sign in SEPARATORS)
    return plain(column) in GENERIC or any(plain(head) in PREDICTED for head in heads if head)


def _cluster(frame: pd.DataFrame, columns: Sequence[str], text: Said) -> str | None:
    if "cluster" in text:
        return text["cluster"][0]
    for c in columns:
        if (role_of(c) == "cluster" or is_word(c, CLUSTERS)) and 1 < frame[c].nunique() < len(
            frame
        ):
            return c
    return None


def _are_numbered_models(frame: pd.DataFrame, by_class: Mapping[str, Mapping[str, str]]) -> bool:
    """Whether `run_0` and `run_1` beside classes 0 and 1 are models: most do not sum up to 1."""
    numbered = all(name.isdecimal() for each in by_class.values() for name in each)
    if not by_class or not numbered or any(":" in c for c in _used(by_class)):
        return False
    for each in by_class.values():
        cells = [pd.to_numeric(frame[c].head(GLANCE), errors="coerce") for c in each.values()]
        if (abs(np.sum(cells, axis=0) - 1) < NEARLY).mean() > 1 / 2:
            return False
    return True


def _used(by_class: Mapping[str, Mapping[str, str]]) -> set[str]:
    return {c for each in by_class.values() for c in each.values()}


def _check_all_classes(
    frame: pd.DataFrame, columns: Sequence[str], classes: Sequence[str], what: str
) -> None:
    """Refuse a model with probabilities of some classes only, two of them at least."""
    for model, each in _parted(columns, classes).items():
        lacking = [c for c in classes if c not in each]
        if len(classes) < 3 or len(each) < 2 or not lacking:
            continue
        cells = [pd.to_numeric(frame[c].head(GLANCE), errors="coerce") for c in each.values()]
        if all(v.between(0, 1).all() and (v % 1 > 0).any() for v in cells):
            name, column = next(iter(each.items()))
            raise ResultsError(
                f"{what}: '{model}' has probabilities of {len(each)} of the {len(classes)} "
                f"classes. Add a column '{column[: -len(name)]}{lacking[0]}', or leave the model "
                f"out: --columns 'ignore={';'.join(each.values())}'."
            )


def _parted(columns: Sequence[str], classes: Sequence[str]) -> dict[str, dict[str, str]]:
    """Columns that end in the name of a class, by what stands before it."""
    results: dict[str, dict[str, str]] = {}
    for column in columns:
        for sign in SEPARATORS:
            model, there, name = column.rpartition(sign)
            if there and model and name.strip() in classes:
                results.setdefault(model.strip(), {})[name.strip()] = column
                break
    return results


def _columns_by_class(columns: Sequence[str], classes: Sequence[str]) -> dict[str, dict[str, str]]:
    """Models that have one column of every class: `svm:cat`, `svm:dog`."""
    if len(classes) < 2:
        return {}
    results = _parted(columns, classes)
    whole = {model: each for model, each in results.items() if len(each) == len(classes)}
    return _with_absent(whole, columns)


def _with_absent(
    models: dict[str, dict[str, str]], columns: Sequence[str]
) -> dict[str, dict[str, str]]:
    """With the columns of classes that no item is of, where every model has the same."""
    others = {}
    for model, each in models.items():
        name, column = next(iter(each.items()))
        head = column[: len(column) - len(name)]
        others[model] = {c[len(head) :]: c for c in columns if c.startswith(head)}
    names = [sorted(each) for each in others.values()]
    return others if all(each == names[0] for each in names) else models


def _models(columns: Sequence[str], text: Said, wants_scores: bool) -> dict[str, str]:
    """Columns of predictions by the name of their model."""
    if "prediction" in text:
        return {c: c for c in text["prediction"]}
    heads = {c: m for c in columns if (m := _HEAD.match(c)) and plain(m[1]) != "p"}
    labels = {m[2]: c for c, m in heads.items() if "pred" in m[1].lower() or "hat" in m[1].lower()}
    scores = {m[2]: c for c, m in heads.items() if m[2] not in labels or labels[m[2]] != c}
    if labels and scores:
        return scores if wants_scores else labels
    if heads:
        return labels or scores
    alone = [[c for c in columns if plain(c) in words] for words in (PREDICTED, PROBABLE)]
    chosen = alone[1] or alone[0] if wants_scores else alone[0] or alone[1]
    return {chosen[0]: chosen[0]} if chosen else {c: c for c in columns}
