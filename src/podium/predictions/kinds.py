"""What predictions are, by their columns and by what stands in their cells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.predictions.predicted import (
    LABELS,
    NUMBERS,
    PROBABILITIES,
    RANKING,
    SCORES,
    TEXTS,
    Predictions,
    areas_at_a_glance,
    ordered,
    positive_class,
    tells_positive,
)
from podium.reading.cells.columns import texts_in
from podium.reading.cells.vocabulary import Said, is_word, plain, role_of

# -- columns --------------------------------------------------------------------------------------
# Which column of a table of predictions is what: the truth, the items, and what models say.


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
    named = [c for c in columns if plain(c).endswith("id") or plain(c) in FILES]
    results += [c for c in named if c not in results and frame[c].is_unique]  # sample_id
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


# -- kinds ----------------------------------------------------------------------------------------
# What predictions are, by what stands in their cells: labels, probabilities, scores, numbers.


MANY = 20  # values of a truth that is a number and no label
GLANCE = 1000  # rows that mostly tell whether cells are labels
COMMA = r"[+-]?\d+(?:,\d+)?(?:[eE][+-]?\d+)?"  # a number as it is written in much of Europe
EMPTY = frozenset(("", "na", "nan", "n/a", "none", "null", "?"))
TRUTHS = {"true": "1", "false": "0"}
CALLED = ("truth", "item", "model", "cluster", "stratum", "weight", "query")  # roles that are told
Items = np.ndarray | None  # their names
ROUNDING = 1e-3  # by which probabilities of all classes may miss 1


class Raw:
    """Cells by role, as they stand in one table: a row per item."""

    def __init__(
        self, truth: pd.Series, models: Mapping[str, Any], beside: Mapping[str, pd.Series]
    ) -> None:
        self.truth, self.models, self.beside = truth, models, beside

    @property
    def items(self) -> pd.Series | None:
        """The names of the items."""
        return self.beside.get("item")


class Cells:
    """A column without gaps, as numbers where all are, else as texts."""

    def __init__(
        self, given: pd.Series, column: str, what: str, items: Items, is_model: bool = False
    ) -> None:
        self.column = column
        self.texts: np.ndarray | None = None
        self.numbers: np.ndarray | None = None
        if pd.api.types.is_numeric_dtype(given):
            self.numbers = given.to_numpy(float, na_value=np.nan)
            empty = np.isnan(self.numbers)
        else:
            codes, kinds = texts_in(given)  # of millions of cells few are different
            text = pd.Series([kind.strip() for kind in kinds], dtype=object)
            low = text.str.lower()
            empty = low.isin(EMPTY).to_numpy(bool)[codes]
            spelled = text.where(~low.isin(TRUTHS), low.map(TRUTHS))
            values = pd.to_numeric(spelled, errors="coerce")
            if values.isna().any() and spelled.str.fullmatch(COMMA).all():
                values = pd.to_numeric(spelled.str.replace(",", "."), errors="coerce")
            if values.notna().all():
                self.numbers = values.to_numpy(float)[codes]
            else:
                self.texts = text.to_numpy(object)[codes]
        if empty.any():
            place, count = int(np.argmax(empty)), int(empty.sum())
            more = f" ({count} cells are empty)" if count > 1 else ""
            less = f", or leave the model out: --columns ignore={column}" if is_model else ""
            raise ResultsError(
                f"{what}, column '{column}', {_called(items, place)}: no value{more}. A measure of "
                f"predictions needs all items: fill it, or remove the item for all models{less}."
            )
        if self.numbers is not None and not np.isfinite(self.numbers).all():
            place = int(np.argmax(~np.isfinite(self.numbers)))
            raise ResultsError(
                f"{what}, column '{column}', {_called(items, place)}: {self.numbers[place]} is no "
                "finite number. Correct it, or remove the item for all models."
            )

    @cached_property
    def kinds(self) -> list[str]:
        """The different values as labels, in their natural order."""
        return ordered(list(dict.fromkeys(self.labels)))

    @cached_property
    def labels(self) -> np.ndarray:
        """Every cell as a label: 1.0 is 1."""
        if self.numbers is None:
            assert self.texts is not None
            return self.texts
        values, place = np.unique(self.numbers, return_inverse=True)
        return np.array([_label(v) for v in values], object)[place]

    def are_among(self, classes: Sequence[str]) -> bool:
        """Whether all cells are one of the classes."""
        known, few = set(classes), self.labels_of(slice(GLANCE))
        return few <= known and self.labels_of(slice(None)) <= known

    def labels_of(self, rows: slice) -> set[str]:
        """The labels that stand in some rows."""
        if self.numbers is None:
            assert self.texts is not None
            return set(self.texts[rows])
        return {_label(v) for v in np.unique(self.numbers[rows])}

    def strange(self, classes: Sequence[str]) -> str | None:
        """A cell that is none of the classes."""
        return next((t for t in map(str, self.labels[:GLANCE]) if t not in classes), None)


def _label(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def _called(items: Items, place: int) -> str:
    return f"row {place + 1}" if items is None else f"item '{items[place]}'"


def typed(raw: Raw, columns: Columns, what: str, kinds: Sequence[str]) -> Predictions:
    """The predictions in some cells; `kinds` are those that the measure asked for reads."""
    items = None if raw.items is None else raw.items.to_numpy()
    about: dict[str, Any] = {
        "items": items,
        "clusters": _labels_of(raw, "cluster", what, items),
        "strata": _labels_of(raw, "stratum", what, items),
        "queries": _labels_of(raw, "query", what, items),
        "weights": _weights(raw, what, items),
        "called": {r: c for r in CALLED if (c := getattr(columns, r))},
        "columns": tuple(columns.models.values())
        or tuple(c for each in columns.by_class.values() for c in each.values()),
    }
    truth = Cells(raw.truth, columns.truth, what, items)
    if columns.by_class:
        return _by_class(raw, truth, about, what, items, columns)
    several = len(raw.models) > 1 and columns.model is None
    wordings = {
        m: Cells(c, columns.models.get(m, m), what, items, several and m in columns.models)
        for m, c in raw.models.items()
    }
    if TEXTS in kinds:
        odd = [m for m, c in wordings.items() if c.numbers is not None]
        if odd and truth.numbers is None:
            column = columns.models.get(odd[0], odd[0])
            raise ResultsError(
                f"{what}: '{column}' holds numbers, where the truth has texts. If it is no "
                f"prediction, leave it out: --columns ignore={column}."
            )
        texts = {m: cells.labels for m, cells in wordings.items()}
        return Predictions(TEXTS, texts, truth.labels, **about)
    numeric = {m: c.numbers for m, c in wordings.items() if c.numbers is not None}
    y = truth.numbers
    if y is not None and len(numeric) == len(wordings) and is_number(truth, y, kinds):
        return Predictions(NUMBERS, numeric, y, **about)
    if y is not None and numeric and is_number(truth, y, kinds):
        odd_one = next(m for m in wordings if m not in numeric)
        column = columns.models.get(odd_one, odd_one)
        raise ResultsError(
            f"{what}: '{column}' holds texts, such as '{wordings[odd_one].labels[0]}', where the "
            f"truth is a number. Correct it, or leave it out: --columns ignore={column}."
        )
    if not kinds and is_prose(truth):
        raise ResultsError(
            f"{what} holds texts. By which measure? Add -m wer (words), cer (characters) or "
            "exact-match."
        )
    classes = truth.kinds
    if all(cells.are_among(classes) for cells in wordings.values()):
        return _of_labels(truth, wordings, classes, about, _said(columns, classes, what))
    if len(classes) <= 2 and len(numeric) == len(wordings):
        if not columns.chosen:
            _check_alike(numeric, columns, what, items)
        return _of_scores(truth, numeric, about, what, kinds, columns)
    if y is None and not numeric:
        beyond = set().union(*(cells.kinds for cells in wordings.values())) - set(classes)
        classes = [*classes, *ordered(list(beyond))]
        return _of_labels(truth, wordings, classes, about, _said(columns, classes, what))
    raise _unclear(what, columns, classes, wordings)


def is_prose(truth: Cells) -> bool:
    """Whether a truth is many texts of several words, and no classes."""
    return len(truth.kinds) > MANY and sum(" " in t for t in truth.kinds) > len(truth.kinds) / 2


def _said(columns: Columns, classes: Sequence[str], what: str) -> int | None:
    """The class that the caller says is the positive one."""
    if columns.positive is None:
        return None
    if columns.positive not in classes:
        raise ResultsError(
            f"{what} has no class '{columns.positive}': name one of {', '.join(classes[:8])}."
        )
    return [*classes].index(columns.positive)


def _check_alike(
    values: Mapping[str, np.ndarray], columns: Columns, what: str, items: Items
) -> None:
    """Refuse columns of which some are probabilities and some are not: an age is no model."""
    inside = [m for m, v in values.items() if v.min() >= 0 and v.max() <= 1]
    if inside and len(inside) < len(values):
        other = next(m for m in values if m not in inside)
        odd = np.flatnonzero((values[other] < 0) | (values[other] > 1))
        called = [columns.models.get(m, m) for m in values]
        raise ResultsError(
            f"{what}, column '{columns.models.get(other, other)}', {_called(items, int(odd[0]))}: "
            f"{values[other][odd[0]]:g} lies outside 0 to 1 ({len(odd)} of {len(values[other])} "
            f"values do), and '{inside[0]}' holds probabilities. If it is no model, add --columns "
            f"ignore={columns.models.get(other, other)}; if it scores, add -m auc --columns "
            f"'truth={columns.truth},prediction={';'.join(called)}'; else correct it."
        )


def is_number(truth: Cells, y: np.ndarray, kinds: Sequence[str]) -> bool:
    """Whether the truth is a number: by the measure, or by how many values there are."""
    if set(kinds) and not set(kinds) & {NUMBERS, RANKING}:
        return False
    if set(kinds) <= {NUMBERS, RANKING} and kinds:
        return True
    distinct = len(np.unique(y))
    return distinct > MANY or (distinct > 2 and bool((y != np.round(y)).any()))


def _of_labels(
    truth: Cells,
    texts: Mapping[str, Cells],
    classes: Sequence[str],
    about: dict[str, Any],
    said: int | None,
) -> Predictions:
    index = pd.Index(classes)
    return Predictions(
        LABELS,
        {m: index.get_indexer(cells.labels) for m, cells in texts.items()},
        index.get_indexer(truth.labels),
        tuple(classes),
        positive=positive_class(classes) if said is None else said,
        **about,
    )


def _of_scores(
    truth: Cells,
    values: Mapping[str, np.ndarray],
    about: dict[str, Any],
    what: str,
    kinds: Sequence[str],
    columns: Columns,
) -> Predictions:
    """Of two classes: probabilities of the positive one, or scores that grow with it."""
    classes = truth.kinds
    if len(classes) == 1 and classes[0] in ("0", "1"):
        classes = ["0", "1"]
    outside = {m: v for m, v in values.items() if v.min() < 0 or v.max() > 1}
    if outside and kinds and SCORES not in kinds:
        model, v = next(iter(outside.items()))
        odd = np.flatnonzero((v < 0) | (v > 1))
        raise ResultsError(
            f"{what}, column '{model}', {_called(about['items'], int(odd[0]))}: {v[odd[0]]:g} is "
            f"no probability ({len(odd)} values lie outside 0 to 1). Give probabilities, or ask "
            "for auc or average-precision, which need scores only."
        )
    said = _said(columns, classes, what)
    positive = positive_class(classes) if said is None else said
    codes = pd.Index(classes).get_indexer(truth.labels)
    if said is None and not tells_positive(classes) and len(classes) == 2:
        _check_side(codes == positive, values, classes, positive, what)
    return Predictions(
        SCORES if outside else PROBABILITIES,
        values,
        codes,
        tuple(classes),
        positive=positive,
        speaks_for=positive,
        **about,
    )


def _check_side(
    is_positive: np.ndarray,
    values: Mapping[str, np.ndarray],
    classes: Sequence[str],
    positive: int,
    what: str,
) -> None:
    """Ask which class numbers speak for, where neither names nor the order of items tell it."""
    areas = areas_at_a_glance(is_positive, values)
    if areas and np.mean(areas) < 0.5:
        other = classes[1 - positive]
        raise ResultsError(
            f"{what}: are the numbers those of '{classes[positive]}' or of '{other}'? They are "
            f"higher where '{other}' is true: add --columns 'positive={other}' (columns={{"
            f"'positive': '{other}'}})."
        )


def _by_class(
    raw: Raw, truth: Cells, about: dict[str, Any], what: str, items: Items, columns: Columns
) -> Predictions:
    """A probability of every class."""
    classes = ordered(list(next(iter(raw.models.values()))))
    strange = next((t for t in truth.kinds if t not in classes), None)
    if strange is not None:
        raise ResultsError(f"{what} has no column of probabilities of the class '{strange}'.")
    outputs = {}
    for model, each in raw.models.items():
        cells = [Cells(each[c], f"{model}:{c}", what, items) for c in classes]
        if any(c.numbers is None for c in cells):
            odd = next(c.column for c in cells if c.numbers is None)
            raise ResultsError(f"{what}, column '{odd}': a probability is a number from 0 to 1.")
        p = np.column_stack([c.numbers for c in cells if c.numbers is not None])
        wrong = (p < 0).any(axis=1) | (p > 1).any(axis=1) | (abs(p.sum(axis=1) - 1) > ROUNDING)
        if wrong.any():
            place = int(np.argmax(wrong))
            raise ResultsError(
                f"{what}: the probabilities of '{model}' for {_called(items, place)} are "
                f"{', '.join(f'{x:g}' for x in p[place][:5])}, whose sum is {p[place].sum():g}. "
                "Give probabilities from 0 to 1 whose sum is 1."
            )
        outputs[model] = p
    said = _said(columns, classes, what)
    positive = positive_class(classes) if said is None else said
    if len(classes) == 2:
        outputs = {m: p[:, positive] for m, p in outputs.items()}
    codes = pd.Index(classes).get_indexer(truth.labels)
    about |= {"positive": positive, "speaks_for": positive}
    return Predictions(PROBABILITIES, outputs, codes, tuple(classes), **about)


def _labels_of(raw: Raw, role: str, what: str, items: Items) -> np.ndarray | None:
    if role not in raw.beside:
        return None
    return Cells(raw.beside[role], str(raw.beside[role].name), what, items).labels


def _weights(raw: Raw, what: str, items: Items) -> np.ndarray | None:
    if "weight" not in raw.beside:
        return None
    cells = Cells(raw.beside["weight"], str(raw.beside["weight"].name), what, items)
    if cells.numbers is None or not (cells.numbers > 0).all():
        raise ResultsError(
            f"{what}, column '{cells.column}': a weight is a number above 0. Correct it, or leave "
            f"the column out: --columns ignore={cells.column}."
        )
    return np.asarray(cells.numbers / cells.numbers.mean())


def _unclear(
    what: str, columns: Columns, classes: Sequence[str], texts: Mapping[str, Cells]
) -> ResultsError:
    """What is wrong with predictions that are neither labels nor numbers of the truth."""
    some = ", ".join(f"'{c}'" for c in classes[:4])
    if all(c.numbers is not None for c in texts.values()) and len(classes) > 2:
        first = next(iter(texts))
        return ResultsError(
            f"{what}: the truth has {len(classes)} values ({some} ...) and '{first}' predicts "
            f"others, such as {texts[first].strange(classes)}. Add -m rmse if these are numbers. "
            "Otherwise give labels, or one column of probabilities per class, as in "
            f"'{first}:{classes[0]}'."
        )
    fits = [m for m, c in texts.items() if c.are_among(classes)]
    numeric = [m for m, c in texts.items() if c.numbers is not None]
    kept = fits or (numeric if len(classes) == 2 else [])
    model = next((m for m in texts if m not in kept), next(iter(texts)))
    way = (
        "choose the columns of predictions: --columns "
        f"'truth={columns.truth},prediction={';'.join(columns.models.get(m, m) for m in kept)}'"
        if kept
        else "add one column of probabilities per class"
    )
    return ResultsError(
        f"{what}: '{model}' says '{texts[model].strange(classes)}', where the truth has {some}. "
        f"Write the labels of the truth, or {way}."
    )
