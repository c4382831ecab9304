"""Which column of a table of predictions is what: the truth, the items, and what models say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

from podium.base.errors import ResultsError
from podium.reading.cells.vocabulary import Said, is_word, plain, role_of

# names that leave no doubt, and names that content has to confirm
_SURE = "ytrue truelabel truelabels groundtruth goldlabel goldstandard trueclass actualclass ylabel"
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
POSITIVE = "positive"  # what --columns calls the class that probabilities are of
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
    item = _item([c for c in rest if c != query], text)
    model = _algorithm(rest, text)
    cluster = _cluster(frame, rest, text)
    weight = _one(rest, text, "weight", WEIGHTS)
    stratum = text["stratum"][0] if "stratum" in text else None
    roles = (query, item, model, cluster, weight, stratum)
    free = [c for c in rest if c not in roles and not _is_about_rows(c)]
    classes = sorted(frame[truth].dropna().astype(str).str.strip().unique()[:200])
    by_class = {} if "prediction" in text else _by_class(free, classes)
    if by_class:
        used = {c for each in by_class.values() for c in each.values()}
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


def _item(columns: Sequence[str], text: Said) -> str | None:
    if "item" in text:
        return text["item"][0]
    results = [c for c in columns if role_of(c) == "item" or c == "#1"]
    return results[0] if results else None


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


def _by_class(columns: Sequence[str], classes: Sequence[str]) -> dict[str, dict[str, str]]:
    """Models that have one column of every class: `svm:cat`, `svm:dog`."""
    results: dict[str, dict[str, str]] = {}
    if len(classes) < 2:
        return {}
    for column in columns:
        for sign in SEPARATORS:
            model, there, name = column.rpartition(sign)
            if there and model and name.strip() in classes:
                results.setdefault(model.strip(), {})[name.strip()] = column
                break
    return {model: each for model, each in results.items() if len(each) == len(classes)}


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
