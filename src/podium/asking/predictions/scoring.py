"""From predictions and a measure to results: scores of items, or linearised ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from podium.asking.predictions import influence as inf
from podium.asking.predictions.influence import Influence
from podium.asking.predictions.measures import in_words, refuse_unknown, rule_named, with_default
from podium.asking.predictions.predicted import (
    LABELS,
    NUMBERS,
    PROBABILITIES,
    RANKING,
    SCORES,
    Asked,
    Predictions,
    Rule,
    areas_at_a_glance,
)
from podium.core.base.errors import InferenceError, ResultsError
from podium.core.base.tables import FAILURES, RUNS, WARNINGS
from podium.core.base.tables import SCORES as SCORES_TABLE
from podium.core.questions.measures import Measure
from podium.core.results.linearised import Linearised, Predicted
from podium.core.results.results import RECOGNISED, ReadAs, Results
from podium.core.results.results import named as by_role
from podium.core.samplings import ITEMS, Sampling
from podium.core.samplings import parse as parse_sampling
from podium.core.words.facts import CAUTION, REMARK, Note
from podium.reading.cells.columns import Coded
from podium.reading.cells.vocabulary import Options
from podium.reading.tables.from_sheets import results_from
from podium.reading.tables.sheets import sheet

THREADS = 4
MANY_TIED = 0.2  # of a model's scores
FEW_POSITIVES = 20  # below which average precision is biased upward
LONG_TAILED = 30  # kurtosis of influence values, from which own intervals of squares are too short
FEW_CALIBRATED = 200  # items, for calibration


def results_of(predictions: Predictions, measure: str | None) -> Results:
    """The results of predictions by a measure, or by the usual one of their kind."""
    message = measure is None
    measure = measure or with_default(predictions.kind, len(predictions.classes))
    results = _results(requested(predictions, measure))
    note = Note("measure-taken", REMARK, measure=measure, kind=predictions.kind)
    return replace(results, notes=(*results.notes, *([note] if message else [])))


@dataclass(frozen=True, eq=False)
class OfItems:
    """Predictions of one test set, of which results can be made by any measure."""

    predictions: Predictions

    def measured(self, results: Results, measure: str) -> Results:
        """Results of the same predictions and algorithms by another measure."""
        return _measured(self.predictions, results, measure)

    def beside(
        self, other: OfItems, models: Mapping[str, tuple[str, str]], measure: str
    ) -> Results:
        """The results of one's own model and of one of another file, by their new names."""
        (own, (mine, _)), (new, (theirs, _)) = models.items()
        there = _same_items(self.predictions, other.predictions, models)
        outputs = {
            own: self.predictions.outputs[mine],
            new: other.predictions.outputs[theirs][there],
        }
        return _results(requested(replace(self.predictions, outputs=outputs), measure))


def _same_items(
    a: Predictions, b: Predictions, models: Mapping[str, tuple[str, str]]
) -> np.ndarray:
    """The rows of the second that hold the items of the first, of which the same is true."""
    shown = " and ".join(what for _, what in models.values())
    if a.kind != b.kind or a.classes != b.classes:
        raise ResultsError(
            f"{shown}: one holds {a.kind} of {len(a.classes)} classes, the other {b.kind} of "
            f"{len(b.classes)}. Give predictions of one kind for one test set."
        )
    rows = np.arange(b.n)
    if a.items is not None and b.items is not None and a.n == b.n:
        rows = pd.Index(b.items.astype(str)).get_indexer(pd.Index(a.items.astype(str)))
    if a.n != b.n or (a.items is None) != (b.items is None) or (rows < 0).any():
        raise ResultsError(
            f"{shown} hold {a.n} and {b.n} items, and not the same ones. Models are compared on "
            "the same items: give the same ids in both files."
        )
    if not np.array_equal(a.truth, b.truth[rows]):
        raise ResultsError(
            f"{shown}: the truth differs between the files. Give predictions of one test set."
        )
    return np.asarray(rows)


def _measured(predictions: Predictions, results: Results, measure: str) -> Results:
    chosen = replace(predictions, outputs={m: predictions.outputs[m] for m in results.algorithms})
    return replace(
        _results(requested(chosen, measure)), name=results.name, population=results.population
    )


def requested(predictions: Predictions, measure: str) -> Asked:
    """The measure of these predictions, checked against what they are."""
    result = rule_named(measure)
    if result is None:
        refuse_unknown(measure)
    assert result is not None
    rule = result.rule
    reads = (RANKING,) if predictions.queries is not None else (predictions.kind,)
    if not {*reads} & {*rule.kinds}:
        raise _misfit(predictions, measure, rule)
    made = result.of(predictions)
    _check_threshold(made)
    _check_classes(made)
    return made


def _misfit(p: Predictions, measure: str, rule: Rule) -> InferenceError:
    """That a measure reads other predictions than there are, and which one does."""
    instead = {
        LABELS: "balanced-accuracy or accuracy",
        NUMBERS: "rmse, mae or r2",
        PROBABILITIES: "brier, log-loss or auc",
        SCORES: "auc or average-precision",
    }
    has = "a column of queries" if p.queries is not None else p.kind
    ranks = " Add --columns query=COLUMN." if rule.kinds == (RANKING,) else ""
    return InferenceError(
        f"'{measure}' is a measure of {in_words(rule)}, and {p.what} holds {has}.{ranks} Ask for "
        f"{instead.get(p.kind, 'another measure')}."
    )


def _check_threshold(a: Asked) -> None:
    """Refuse a threshold where nothing is cut by it."""
    p = a.predictions
    if a.threshold is None or LABELS not in a.rule.kinds:
        return
    less = f"Leave '@{a.threshold:g}' out"
    if p.kind == LABELS:
        raise InferenceError(
            f"'{a.typed}': {p.what} holds labels, which no threshold changes. {less}, or give "
            "probabilities."
        )
    if len(p.classes) > 2 and a.of_class is None:
        raise InferenceError(
            f"'{a.typed}': a threshold is of one class, and there are {len(p.classes)}. {less}, or "
            f"say which class, as in f1:{p.classes[0]}@{a.threshold:g}."
        )


def _check_classes(a: Asked) -> None:
    """Refuse a measure of classes where these are not there."""
    p, rule = a.predictions, a.rule
    if not p.classes or not (rule.least or rule.two):
        return
    there = int((p.counts > 0).sum())
    if there < 2:
        only = p.classes[int(np.argmax(p.counts))]
        instead = "accuracy" if LABELS in rule.kinds else "brier"
        raise InferenceError(
            f"All items of {p.what} are of class '{only}', and {rule.name} compares classes: add "
            f"items of the other one, or ask for {instead}."
        )
    if rule.two and len(p.classes) > 2 and a.of_class is None:
        whole = {"f1": "macro-f1", "recall": "balanced-accuracy"}.get(rule.name, "macro-f1")
        raise InferenceError(
            f"'{a.typed}' is of one class, and there are {len(p.classes)}: ask for {whole}, or say "
            f"which class, as in {rule.name}:{p.classes[0]}."
        )
    if rule.whole and a.of_class is None and (p.counts == 0).any():
        gone = p.classes[int(np.argmin(p.counts))]
        raise InferenceError(
            f"The class '{gone}' is predicted, but no item of {p.what} is of it, so that "
            f"{rule.name} has no value: add such items, or ask for accuracy or mcc."
        )


def _results(a: Asked) -> Results:
    p = a.predictions
    is_mean = a.rule.losses is not None and p.weights is None
    results = _of_losses(a) if is_mean else _of_influence(a)
    notes = [note for note in results.notes if note.code != RECOGNISED]
    known = replace(results.predictions, of_items=OfItems(p))
    read_as = ReadAs(
        by_role({role: [column] for role, column in p.called.items()}),
        across=("algorithm", *p.columns),
        unused=tuple((column, "no prediction") for column in p.ignored),
    )
    return replace(
        results,
        notes=(_recognised(a, read_as), *notes, *_taken(a)),
        predictions=known,
        design={**results.design, "read_as": read_as},
    )


# -- means of losses: the road of all item scores ------------------------------------------------


def _of_losses(a: Asked) -> Results:
    assert a.rule.losses is not None
    p = a.predictions
    by_model = {m: a.rule.losses(a, output) for m, output in p.outputs.items()}
    names = np.arange(1, p.n + 1) if p.items is None else p.items
    more: dict[str, np.ndarray] = {}
    if a.rule.kinds == (RANKING,):
        assert p.queries is not None
        names = np.unique(p.queries)
        there = ~np.isnan(np.column_stack(list(by_model.values()))).any(axis=1)
        if not there.any():
            raise InferenceError(
                f"No query of {p.what} has a relevant item: '{a.typed}' needs one."
            )
        names, by_model = names[there], {m: v[there] for m, v in by_model.items()}
    else:
        more = {
            role: labels
            for role, labels in (("cluster", p.clusters), ("stratum", p.strata))
            if labels is not None
        }
    rows = {"sample": _numbered(names)} | {role: _coded(each) for role, each in more.items()}
    clusters = [
        Note("clusters-read", REMARK, column=p.called.get(role, role), clusters=len(coded.names))
        for role, coded in rows.items()
        if role == "cluster"
    ]
    made = sheet(
        p.what,
        np.column_stack(list(by_model.values())),
        "algorithm",
        list(by_model),
        {**rows, "measure": Coded(np.zeros(len(names), np.int64), [a.typed])},
        name=p.name,
        called={"item": p.called.get("item", "item"), **{role: role for role in more}},
        measures={a.typed: a.measure},
        notes=tuple(clusters),
        rows_counted=False,
    )
    return results_from(made, Options(measure=a.typed, sampling=Sampling(ITEMS.name)))


def _numbered(names: np.ndarray) -> Coded:
    """Items, each of which is there once: numbers in their order, other names as they come."""
    texts = list(map(str.strip, map(str, names.tolist())))
    numbers = pd.to_numeric(pd.Series(names), errors="coerce").to_numpy(float)
    if np.isnan(numbers).any() or len(np.unique(numbers)) < len(numbers):
        return Coded(np.arange(len(texts)), texts)
    order = np.argsort(numbers, kind="stable")
    codes = np.empty(len(order), np.int64)
    codes[order] = np.arange(len(order))
    return Coded(codes, [texts[i] for i in order.tolist()])


def _coded(labels: np.ndarray) -> Coded:
    codes, names = pd.factorize(labels)
    return Coded(codes, [str(name) for name in names])


# -- other measures: linearised ------------------------------------------------------------------


def _of_influence(a: Asked) -> Results:
    values, made = linearised(a)
    return linearised_results(a.predictions.name, values, a.measure, made)


def linearised(a: Asked) -> tuple[dict[str, float], Linearised]:
    """The value of every model, and what each item adds to it."""
    p = a.predictions
    # sorting releases Python's lock, so that models are looked at side by side
    with ThreadPoolExecutor(THREADS) as pool:
        result = dict(
            zip(p.models, pool.map(partial(_influence, a), p.outputs.values()), strict=True)
        )
    _check_values(a, result)
    rarest = _rarest(a) if a.rule.least else None
    made = Linearised(
        np.asfortranarray(np.transpose([each.scores for each in result.values()])),
        p.models,
        clusters=p.clusters,
        strata=p.strata,
        rarest=rarest,
        least=a.rule.least,
        notes=tuple(_cautions(a, result, rarest)),
    )
    return {m: each.value for m, each in result.items()}, made


def _check_values(a: Asked, by_model: dict[str, Influence]) -> None:
    """Refuse a measure that has no value, with the reason."""
    p = a.predictions
    odd = next((m for m, each in by_model.items() if not np.isfinite(each.value)), None)
    if odd is None:
        return
    if p.truth.dtype.kind == "f" and not np.ptp(p.truth):
        why = f"the truth is {p.truth[0]:g} for all items. Ask for rmse or mae"
    elif not p.classes and p.outputs[odd].dtype.kind == "f" and not np.ptp(p.outputs[odd]):
        column = p.columns[p.models.index(odd)] if len(p.columns) == len(p.models) else odd
        way = f"Ask for rmse or mae, or leave it out: --columns ignore={column}"
        why = f"it predicts the same for all items. {way}"
    else:
        why = "for these items it is not defined. Ask for another measure"
    raise InferenceError(f"'{a.typed}' of '{odd}' has no value: {why}.")


def _influence(a: Asked, output: np.ndarray) -> Influence:
    if a.rule.influence is None:
        assert a.rule.losses is not None
        return inf.mean_of(a.rule.losses(a, output), a.w)
    return a.rule.influence(a, output)


def _rarest(a: Asked) -> int:
    """The items, or the clusters, that hold the rarest class that the measure speaks of."""
    p = a.predictions
    of_one = len(p.classes) > 2 and (a.rule.two or a.of_class is not None)
    sides = [p.truth == c for c in range(len(p.classes)) if p.counts[c]]
    if of_one:
        sides = [a.is_positive, ~a.is_positive]
    if p.clusters is None:
        return min(int(side.sum()) for side in sides)
    return min(len(np.unique(p.clusters[side])) for side in sides)


def linearised_results(
    name: str, values: dict[str, float], measure: Measure, made: Linearised
) -> Results:
    """Results with the value of each model as its one score."""
    k = len(values)
    about = {
        "dataset": pd.Categorical.from_codes(np.zeros(k, int), categories=[name]),
        "algorithm": pd.Categorical.from_codes(np.arange(k), categories=list(values)),
        "sample": np.ones(k, np.int64),
    }
    one = pd.Categorical.from_codes(np.zeros(k, int), categories=[measure.name])
    scores = pd.DataFrame({**about, "measure": one, "value": list(values.values())})
    runs = {
        "status": pd.Categorical(["done"] * k, categories=["missing", "failed", "done"]),
        "fit_time": np.full(k, np.nan),
        "predict_time": np.full(k, np.nan),
        "warnings": np.zeros(k, np.int64),
        "finished": pd.DatetimeIndex(np.full(k, "NaT", "datetime64[ns]"), tz="UTC"),
        "session": np.zeros(k, np.int64),
    }
    none = {name: about[name][:0] for name in ("dataset", "algorithm")}
    return Results(
        SCORES_TABLE.shaped(scores),
        RUNS.shaped(pd.DataFrame({**about, **runs})),
        FAILURES.empty().assign(**none),
        WARNINGS.empty().assign(**none),
        parse_sampling(ITEMS.name),
        {measure.name: measure},
        name=name,
        predictions=Predicted(linearised={measure.name: made}),
    )


# -- what must be said ---------------------------------------------------------------------------


def _recognised(a: Asked, read_as: ReadAs) -> Note:
    p = a.predictions
    classes = [(c, int(n)) for c, n in zip(p.classes, p.counts, strict=True)] if p.classes else []
    return Note(
        RECOGNISED,
        REMARK,
        title="predictions",
        algorithms=len(p.outputs),
        datasets=(p.name,),
        samples=(p.n, p.n),
        failed=0,
        measures=((a.typed, a.rule.higher),),
        read_as=read_as,
        truth=p.called.get("truth", "truth"),
        kind=p.kind,
        items=p.n,
        classes=tuple(classes[:50]),
        positive=p.classes[p.positive] if len(p.classes) == 2 or a.of_class else "",
        queries=0 if p.queries is None else len(np.unique(p.queries)),
        labels_from=_labels_from(a),
        clusters=0 if p.clusters is None else len(np.unique(p.clusters)),
        cluster=p.called.get("cluster", "cluster"),
        weight="" if p.weights is None else p.called.get("weight", "weight"),
    )


def _labels_from(a: Asked) -> float | None:
    """The probability from which on a label is positive; 0: it is the most probable class."""
    p = a.predictions
    if p.kind != PROBABILITIES or LABELS not in a.rule.kinds:
        return None
    return 0.0 if len(p.classes) > 2 else (a.threshold or 0.5)


def _taken(a: Asked) -> Iterator[Note]:
    """How labels were made of probabilities."""
    p = a.predictions
    threshold = _labels_from(a)
    if threshold is not None:
        given = a.threshold is not None
        yield Note("threshold-taken", REMARK, threshold=threshold, said=given)
    if p.kind == LABELS and (p.counts == 0).any():
        beyond = [(m, int((p.counts[said] == 0).sum())) for m, said in p.outputs.items()]
        model, times = max(beyond, key=lambda each: each[1])
        label = p.classes[next(c for c in p.outputs[model] if not p.counts[c])] if times else ""
        if times:
            yield Note("label-beyond-truth", CAUTION, model=model, label=label, times=times)
    if p.weights is not None:
        yield Note("items-weighted", REMARK)
    yield from _wrong_side(p)


def _wrong_side(p: Predictions) -> Iterator[Note]:
    """Whether even the best model orders two classes clearly worse than chance would."""
    if p.kind not in (PROBABILITIES, SCORES) or len(p.classes) != 2:
        return
    areas = areas_at_a_glance(p.truth == p.speaks_for, p.outputs)
    there, others = p.counts[p.speaks_for], p.counts[1 - p.speaks_for]
    chance = np.sqrt((p.n + 1) / (12 * max(there * others, 1)))  # of an area, where all are alike
    if areas and max(areas) < 0.5 - 2 * chance:
        yield Note(
            "wrong-side",
            CAUTION,
            speaks_for=p.classes[p.speaks_for],
            other=p.classes[1 - p.speaks_for],
        )


def _cautions(a: Asked, results: dict[str, Influence], rarest: int | None) -> Iterator[Note]:
    p = a.predictions
    if rarest is not None and rarest < a.rule.least:
        need = int(np.ceil(a.rule.least * p.n / max(rarest, 1)))
        facts = {"rarest": rarest, "items": p.n, "least": a.rule.least, "need": need}
        yield Note(
            "few-of-a-class", CAUTION, measure=a.typed, clusters=p.clusters is not None, **facts
        )
    elif a.rule.name == "average-precision" and rarest is not None and rarest < FEW_POSITIVES:
        yield Note("biased-precision", CAUTION, positives=rarest, least=FEW_POSITIVES)
    elif a.rule.least and rarest is not None and rarest < FEW_POSITIVES:
        yield Note("rare-class", CAUTION, rarest=rarest, items=p.n, clusters=p.clusters is not None)
    worst = max(results, key=lambda model: results[model].tied)
    if results[worst].tied > MANY_TIED:
        yield Note("tied-predictions", REMARK, model=worst, share=results[worst].tied)
    if a.rule.name in ("rmse", "r2"):
        heavy = {m: _kurtosis(each.psi) for m, each in results.items()}
        worst = max(heavy, key=heavy.__getitem__)
        if heavy[worst] > LONG_TAILED:
            yield Note("long-tailed-errors", CAUTION, model=worst, measure=a.typed)
    if a.rule.name == "calibration" and p.n < FEW_CALIBRATED:
        yield Note("few-for-calibration", CAUTION, items=p.n, least=FEW_CALIBRATED)


def _kurtosis(psi: np.ndarray) -> float:
    """Of influence values, as their degrees of freedom have it."""
    from podium.core.inference.bricks.linearised import kurtosis_df  # loads scipy

    df = kurtosis_df(psi[:, None], np.ones((1, 1)), np.inf)[0]
    return float(1 + 2 * len(psi) / df)
