"""Measures of columns that are no means, and measures of one's own.

The name says what is made of which columns; a row per item and model, or of quantiles a column per
model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.asking.predictions import influence as inf
from podium.asking.predictions.influence import Influence, by_differences
from podium.asking.predictions.measures import ECE, RULES, SPELLED, TUNED, spelled_rule
from podium.asking.predictions.predicted import LABELS, NUMBERS, PROBABILITIES, Asked, Rule
from podium.asking.predictions.scoring import linearised_results
from podium.core.base.errors import InferenceError, ResultsError
from podium.core.questions.measures import INFINITY, Measure
from podium.core.results.linearised import Linearised
from podium.core.results.measure_names import known_measure, plain
from podium.core.results.results import RECOGNISED, ReadAs, Results
from podium.core.results.results import named as by_role
from podium.core.samplings import ITEMS
from podium.core.words.facts import CAUTION, REMARK, Note
from podium.reading.cells.vocabulary import Options, role_of, way_out
from podium.reading.files.tabular import tabular
from podium.reading.formats.gathering import named, refuse_step, shown
from podium.reading.formats.record import FORMATS, Format, Source, text_sample

_QUANTILE = re.compile(r"(?:(?P<column>.+):p(?P<q>\d+(?:\.\d+)?)|p(?P<r>\d+(?:\.\d+)?):(?P<of>.+))")
TASKS = frozenset(["task", "taskid", "problem", "problemid"])  # data sets elsewhere
REPEATED = ("sample", "repeat", "seed")
LEAST_BEYOND, FEW_BEYOND = 2.5, 10  # items beyond a quantile: for limits at all, and for good ones


@dataclass(frozen=True)
class Made:
    """What a name makes of columns: a ratio of two, or a quantile of one."""

    name: str
    columns: tuple[str, ...]
    q: float | None = None

    def of(self, parts: list[np.ndarray]) -> Influence:
        """Value and influence from the columns' values."""
        return inf.ratio(*parts) if self.q is None else inf.quantile(parts[0], self.q)


def made_of(measure: str | None) -> Made | None:
    """What a name makes of columns; None where it is another measure.

    >>> made_of("errors/words"), made_of("latency:p95").q, made_of("auc")
    (Made(name='errors/words', columns=('errors', 'words'), q=None), 0.95, None)
    """
    text = (measure or "").strip()
    if (match := _QUANTILE.fullmatch(text)) is not None:
        q = float(match["q"] or match["r"]) / 100
        return Made(text, (match["column"] or match["of"],), q) if 0 < q < 1 else None
    above, sign, below = text.partition("/")
    return Made(text, (above.strip(), below.strip())) if sign and above and below else None


def _recognises(source: Source) -> bool:
    made = made_of(source.measure)
    if made is None or made.name in source.columns or len(source.paths) > 1:
        return False
    items = _item(source.columns) is not None or "item" in source.said
    named_models = any(role_of(c) == "algorithm" for c in source.columns)
    long = {*made.columns} <= {*source.columns} and (named_models or "algorithm" in source.said)
    return items and (long or (made.q is not None and not named_models))


def _read(source: Source, options: Options) -> Results:
    refuse_step(options)
    what, request = shown(source), made_of(options.measure)
    assert request is not None
    if options.sampling is not None and options.sampling.name != ITEMS.name:
        raise ResultsError(
            f"'{request.name}' is of items: leave --sampling {options.sampling} out."
        )
    frame = tabular(source.given if not source.paths else source.paths[0]).frame
    for column, chosen in options.where.items():
        if column not in frame.columns:
            raise ResultsError(f"{what} has no column '{column}' to choose rows by.")
        frame = frame[frame[column].astype(str).isin(chosen)]
    cells, clusters, roles = _cells(frame, request, options, what)
    by_name = {model: request.of(parts) for model, parts in cells.items()}
    count = len(next(iter(cells.values()))[0])
    measure = _measure(request, options, what)
    made = Linearised(
        np.column_stack([each.scores for each in by_name.values()]),
        tuple(by_name),
        clusters=clusters,
        notes=tuple(_cautions(request, count)),
    )
    values = {model: each.value for model, each in by_name.items()}
    results = linearised_results(named(source) or "items", values, measure, made)
    read_as = ReadAs(by_role(roles))
    note = Note(
        RECOGNISED,
        REMARK,
        title=request.name,
        algorithms=len(values),
        algorithm="model",
        datasets=tuple(results.datasets),
        dataset="",
        samples=(count, count),
        sample="item",
        failed=0,
        measures=((measure.name, measure.higher_is_better),),
        read_as=read_as,
    )
    design = {**results.design, "read_as": read_as}
    return replace(results, notes=(note, *results.notes), design=design)


def _cautions(made: Made, items: int) -> list[Note]:
    if made.q is None or items * min(made.q, 1 - made.q) >= FEW_BEYOND:
        return []
    return [Note("few-beyond-quantile", CAUTION, measure=made.name, items=items)]


def _measure(made: Made, options: Options, what: str) -> Measure:
    """With its direction: that of the name, or of what stands above the line."""
    known = known_measure(made.columns[0])
    higher = options.higher_is_better
    if higher is None and known is None:
        raise ResultsError(
            f"Is more of '{made.name}' better? Add --lower-is-better or --higher-is-better."
        )
    better = known.higher_is_better if higher is None and known is not None else bool(higher)
    unit = known.unit if known is not None and made.q is not None else ""
    return Measure(made.name, better, (-INFINITY, INFINITY), unit, spec=made.name)


def _cells(
    frame: pd.DataFrame, made: Made, options: Options, what: str
) -> tuple[dict[str, list[np.ndarray]], np.ndarray | None, dict[str, list[str]]]:
    """The columns' values by model, items in one order; clusters; columns by role."""
    texts = {role: names[0] for role, names in options.columns.items()}
    names = [str(c) for c in frame.columns]
    item = texts.get("item") or str(_item(names))
    model = texts.get("algorithm") or next((c for c in names if role_of(c) == "algorithm"), None)
    cluster = texts.get("cluster")
    if model is None:
        gone = {item, cluster, *options.columns.get("ignore", ())}
        wide = {c: frame[c] for c in names if c not in gone}
        table = pd.DataFrame({c: _numbers(x, c, what) for c, x in wide.items()})
        tables, order, roles = {made.columns[0]: table}, frame[item], {"item": [item]}
    else:
        key = [item, model]
        frame = _summed(frame, key, made)
        if frame.duplicated(key).any():
            again = frame[frame.duplicated(key)].iloc[0]
            raise ResultsError(
                f"{what} has two rows of '{again[model]}' for item '{again[item]}': keep one."
            )
        tables = {
            c: frame.assign(**{c: _numbers(frame[c], c, what)}).pivot(
                index=item, columns=model, values=c
            )[list(dict.fromkeys(frame[model]))]
            for c in made.columns
        }
        order = pd.Series(next(iter(tables.values())).index)
        roles = {"item": [item], "algorithm": [model], "value": list(made.columns)}
    _check(tables, made, what, len(order), model or "")
    clusters = _clusters(frame, cluster, item, order, what)
    models = next(iter(tables.values())).columns
    cells = {str(m): [tables[c][m].to_numpy(float) for c in made.columns] for m in models}
    return cells, clusters, roles


def _item(columns: Sequence[str]) -> str | None:
    """The column that names items; where none does, one of tasks."""
    items = [c for c in columns if role_of(c) == "item"]
    return next(iter([*items, *(c for c in columns if plain(c) in TASKS)]), None)


def _summed(frame: pd.DataFrame, key: list[str], made: Made) -> pd.DataFrame:
    """Several attempts at an item as one row: a ratio of sums is that of their sums."""
    again = [c for c in map(str, frame.columns) if role_of(c) in REPEATED]
    if made.q is not None or not again or frame.duplicated([*key, *again]).any():
        return frame
    numbers = {c: pd.to_numeric(frame[c], errors="coerce") for c in made.columns}
    if any(values.isna().any() for values in numbers.values()):  # whose cell is named later
        return frame
    rows = frame.assign(**numbers).groupby(key, sort=False, as_index=False)
    others = [c for c in frame.columns if c not in (*key, *made.columns)]
    return rows.agg({**dict.fromkeys(made.columns, "sum"), **dict.fromkeys(others, "first")})


def _check(tables: dict[Any, pd.DataFrame], made: Made, what: str, items: int, column: str) -> None:
    for table in tables.values():
        if table.isna().any(axis=None):
            model = table.columns[table.isna().any()][0]
            raise ResultsError(
                f"{what}: '{model}' lacks a value of an item. '{made.name}' needs all items of "
                "every model: add them, or remove these items."
            )
    below = [] if made.q is not None else [tables[made.columns[1]]]
    for table in below:
        if not (table.sum() > 0).all():
            model = table.columns[~(table.sum() > 0)][0]
            others = ";".join(str(m) for m in table.columns[table.sum() > 0])
            way = f"Leave it out: --where '{column}={others}'" if others else "Ask for another one"
            raise ResultsError(
                f"{what}: '{made.columns[1]}' of '{model}' sums to {table[model].sum():g}, so that "
                f"'{made.name}' has no value. {way}."
            )
    if made.q is not None and items * min(made.q, 1 - made.q) < LEAST_BEYOND:
        need = int(np.ceil(LEAST_BEYOND / min(made.q, 1 - made.q)))
        raise ResultsError(
            f"{what}: {items} items are too few for '{made.name}'; give {need} or more, or ask "
            "for the median (p50)."
        )


def _numbers(cells: pd.Series, column: str, what: str) -> pd.Series:
    result = pd.to_numeric(cells, errors="coerce")
    odd = result.isna() & cells.notna() & (cells.astype(str).str.strip() != "")
    if odd.any():
        raise ResultsError(
            f"{what}, column '{column}': '{cells[odd].iloc[0]}' is no number. Correct it, or leave "
            f"the column out: {way_out({}, ignore=column)}."
        )
    return result


def _clusters(
    frame: pd.DataFrame, cluster: str | None, item: str, order: pd.Series, what: str
) -> np.ndarray | None:
    if cluster is None:
        return None
    if cluster not in frame.columns:
        raise ResultsError(f"{what} has no column '{cluster}'.")
    of_item = frame.drop_duplicates(item).set_index(item)[cluster]
    return np.asarray(of_item.reindex(order).astype(str).to_numpy(object))


SAMPLE = """\
id,model,errors,words
1,a,1,9
1,b,2,9
2,a,0,12
2,b,1,12
3,a,1,7
3,b,3,7
"""
FORMATS.add(
    Format(
        "ratio-of-columns",
        "rows of items and models with two columns whose sums make a rate (-m errors/words), or "
        "one whose quantile is asked for (-m latency:p95)",
        recognises=_recognises,
        read=_read,
        samples=[
            text_sample(
                "rates.csv",
                SAMPLE,
                ("a", "b"),
                measure="errors/words",
                higher_is_better=False,
            )
        ],
        extensions=["csv", "parquet"],
        chooses_rows=True,
    )
)


# -- measures of one's own ------------------------------------------------------------------------
# A function of weighted items.


OWN: set[str] = set()  # names of measures that were added
MARKS = ",=/@:"  # have a meaning in what stands behind -m
MOST_ITEMS = 20_000  # of which influence is found by differences, two values each
Function = Callable[[np.ndarray, np.ndarray, np.ndarray], float]


def add_measure(
    name: str,
    function: Function,
    *,
    higher_is_better: bool,
    reads: str = PROBABILITIES,
    bounds: tuple[float, float] = (-INFINITY, INFINITY),
) -> None:
    """Make a measure of your own known: a number from truth, predictions and weights of items.

    What each item adds to it is found by small changes of the items' weights, so that it has
    intervals and tests like any other; `podium.testing.check_weighted` holds it against its laws.

    Parameters
    ----------
    name : str
        As in `measure="name"`.
    function : a function of truth, predictions and weights
        All of one length; weights are positive, and only their ratios matter. Truth is 1 or 0 for
        probabilities of two classes, else labels or numbers.
    higher_is_better : bool
    reads : str
        labels, probabilities (of two classes) or numbers.
    bounds : tuple[float, float]

    Examples
    --------
    >>> import numpy as np, podium
    >>> def sharp(y, p, w):
    ...     return np.average(np.abs(p - 0.5), weights=w)
    >>> podium.predictions.add_measure("sharpness", sharp, higher_is_better=True, bounds=(0, 0.5))
    >>> table = {"y_true": [0, 1, 0, 1], "a": [0.1, 0.9, 0.2, 0.6], "b": [0.4, 0.6, 0.5, 0.5]}
    >>> result = podium.compare(podium.read(table, measure="sharpness"))
    >>> {name: round(value, 3) for name, value in result.means.items()}
    {'a': 0.3, 'b': 0.05}
    """
    if reads not in (LABELS, PROBABILITIES, NUMBERS):
        raise InferenceError(f"reads is labels, probabilities or numbers, not {reads!r}.")
    if not callable(function):
        raise InferenceError("A measure is a function of truth, predictions and weights.")
    _check_name(name)

    def influence(request: Asked, output: np.ndarray) -> Influence:
        return _influence(function, request, output)

    two = reads == PROBABILITIES
    RULES[name] = Rule(name, (reads,), higher_is_better, bounds, influence=influence, two=two)
    SPELLED[plain(name)] = name
    OWN.add(name)


def _check_name(name: object) -> None:
    """Refuse a name that -m would not find, or by which it finds another measure."""
    if not isinstance(name, str) or not plain(name):
        raise InferenceError(f"A measure is named by a text, not {name!r}.")
    if marks := [mark for mark in MARKS if mark in name]:
        raise InferenceError(
            f"'{name}' cannot name a measure: behind -m a '{marks[0]}' has a meaning of its own. "
            f"Call it '{re.sub(f'[{MARKS}]+', '-', name).strip('-') or 'own'}'."
        )
    if plain(name).startswith(TUNED):
        raise InferenceError(
            f"A name that begins as '{name}' does is read as a threshold chosen on these items. "
            f"Call it 'own-{name}'."
        )
    if plain(name) in ECE:
        raise InferenceError(
            f"'{name}' is refused wherever it is asked for, because its intervals miss. Call yours "
            f"'own-{name}'."
        )
    known = spelled_rule(name)
    if known is not None and known.name not in OWN:
        raise InferenceError(
            f"'{name}' is the name of a measure that is there, {known.words}. Call yours "
            f"'own-{name}'."
        )


def _influence(function: Function, request: Asked, output: np.ndarray) -> Influence:
    p, n = request.predictions, request.predictions.n
    if n > MOST_ITEMS:
        raise InferenceError(
            f"The influence of {n} items on '{request.typed}' would take too long by differences: "
            f"give at most {MOST_ITEMS} items."
        )
    truth, text = request.y, output
    if p.kind == PROBABILITIES:
        truth, text = request.is_positive.astype(float), request.score(output)
    elif p.kind == LABELS:
        truth, text = (np.array(p.classes, object)[x] for x in (truth, output))

    def value_at(w: np.ndarray) -> float:
        return _value(function, request.typed, truth, text, w)

    return by_differences(value_at, n, request.w)


def _value(
    function: Function, name: str, truth: np.ndarray, values: np.ndarray, w: np.ndarray
) -> float:
    try:
        value = float(function(truth, values, w.copy()))
    except Exception as error:  # a user's own function may raise anything
        raise InferenceError(
            f"The measure '{name}' cannot be computed: {type(error).__name__}: {error}."
        ) from error
    if not np.isfinite(value):
        raise InferenceError(f"The measure '{name}' is {value} for these predictions.")
    return value
