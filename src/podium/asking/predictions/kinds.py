"""What predictions are, by what stands in their cells: labels, probabilities, scores, numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.predictions.columns import GLANCE, Columns
from podium.asking.predictions.predicted import (
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
from podium.core.base.errors import ResultsError
from podium.reading.cells.columns import texts_in

MANY = 20  # values of a truth that is a number and no label
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

    def codes(self, classes: Sequence[str]) -> np.ndarray:
        """The place of every cell among the classes; -1 where it is none of them."""
        codes, values = pd.factorize(self.labels if self.numbers is None else self.numbers)
        names = values if self.numbers is None else [_label(v) for v in values]
        return np.asarray(pd.Index(classes).get_indexer(pd.Index(names, dtype=object))[codes])

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
        if not kinds and are_answers(y, numeric.values()):
            classes = ordered(list({*truth.kinds}.union(*(c.kinds for c in wordings.values()))))
            return _of_labels(
                truth, wordings, classes, about, _positive_class(columns, classes, what)
            )
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
        return _of_labels(truth, wordings, classes, about, _positive_class(columns, classes, what))
    if len(classes) <= 2 and len(numeric) == len(wordings):
        if not columns.chosen:
            _check_alike(numeric, columns, what, items)
        return _of_scores(truth, numeric, about, what, kinds, columns)
    if y is None and not numeric:
        beyond = set().union(*(cells.kinds for cells in wordings.values())) - set(classes)
        classes = [*classes, *ordered(list(beyond))]
        return _of_labels(truth, wordings, classes, about, _positive_class(columns, classes, what))
    raise _unclear(what, columns, classes, wordings)


def is_prose(truth: Cells) -> bool:
    """Whether a truth is many texts of several words, and no classes."""
    return len(truth.kinds) > MANY and sum(" " in t for t in truth.kinds) > len(truth.kinds) / 2


def _positive_class(columns: Columns, classes: Sequence[str], what: str) -> int | None:
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


EXACT = 0.3  # share of whole numbers that are met exactly, from which they are answers


def is_number(truth: Cells, y: np.ndarray, kinds: Sequence[str]) -> bool:
    """Whether the truth is a number: by the measure, or by how many values there are."""
    if set(kinds) and not set(kinds) & {NUMBERS, RANKING}:
        return False
    if set(kinds) <= {NUMBERS, RANKING} and kinds:
        return True
    distinct = len(np.unique(y))
    return distinct > MANY or (distinct > 2 and bool((y != np.round(y)).any()))


def are_answers(y: np.ndarray, predictions: Iterable[np.ndarray]) -> bool:
    """Whether whole numbers are answers to sums, right or wrong: many are met to the last digit."""
    met = [float(np.mean(y == p)) for p in predictions]
    return bool((y == np.round(y)).all()) and float(np.mean(met)) > EXACT


def _of_labels(
    truth: Cells,
    texts: Mapping[str, Cells],
    classes: Sequence[str],
    about: dict[str, Any],
    said: int | None,
) -> Predictions:
    return Predictions(
        LABELS,
        {m: cells.codes(classes) for m, cells in texts.items()},
        truth.codes(classes),
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
            f"no probability ({len(odd)} values lie outside 0 to 1). Give probabilities (divide "
            "percentages by 100), or ask for auc or average-precision, which need scores only."
        )
    chosen = _positive_class(columns, classes, what)
    positive = positive_class(classes) if chosen is None else chosen
    codes = truth.codes(classes)
    if chosen is None and not tells_positive(classes) and len(classes) == 2:
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
    chosen = _positive_class(columns, classes, what)
    positive = positive_class(classes) if chosen is None else chosen
    if len(classes) == 2:
        outputs = {m: p[:, positive] for m, p in outputs.items()}
    codes = truth.codes(classes)
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
