"""The format of tables of predictions: how they are recognised, and a small sample."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.predictions.columns import QUERIES, found_columns, is_sure, truth_of
from podium.predictions.kinds import Cells, is_number, is_prose
from podium.predictions.measures import named
from podium.predictions.predicted import RANKING, TEXTS
from podium.predictions.scoring import results_of
from podium.predictions.tables import read_predictions
from podium.reading.cells.vocabulary import Options, plain, role_of
from podium.reading.formats.gathering import refuse_step
from podium.reading.formats.opening import begun
from podium.reading.formats.record import FORMATS, Format, Source, text_sample
from podium.reading.results import Results
from podium.samplings import ITEMS

HEAD_ROWS = 400  # that are looked at
ALIKE = 0.3  # correlation of numbers with the truth that they predict


def _recognises(source: Source) -> bool:
    """Whether columns, and what they hold, are predictions beside the truth."""
    parts = source.parts if len(source.paths) > 1 else (source,)
    return bool(parts) and all(map(_is_table, parts))


def _is_table(source: Source) -> bool:
    records = _records(source)
    columns = source.columns if records is None else tuple(map(str, records.columns))
    if "block" in source.said or truth_of(columns, source.said) is None or len(columns) < 2:
        return False
    if is_sure(columns, source.said) or _is_asked_for(columns, source):
        return True
    if any(role_of(c) == "dataset" for c in columns) or "x" in map(plain, columns):
        return False  # y may be an algorithm beside x
    head = _head(source) if records is None else records
    return head is not None and _holds_predictions(head, source)


def _is_asked_for(columns: Sequence[str], source: Source) -> bool:
    """Whether the measure is one of texts, or of rankings, and the columns that it needs are there.

    'reference' and 'relevance' are names of a truth for these alone.
    """
    rule = named(source.measure) if source.measure else None
    if rule is None or source.measure in columns:
        return False
    queries = "query" in source.said or any(plain(c) in QUERIES for c in columns)
    return rule.rule.kinds == (TEXTS,) or (rule.rule.kinds == (RANKING,) and queries)


def _records(source: Source) -> pd.DataFrame | None:
    """The first of the flat records in a JSON file, whole or by line; None where it has others."""
    if not source.paths or source.shape is None:
        return None
    records = source.shape
    if isinstance(records, dict) and not any(isinstance(v, (list, dict)) for v in records.values()):
        records = [begun(line) for line in source.text.splitlines()[: HEAD_ROWS + 1]]
    if isinstance(records, dict):  # of columns
        columns = records if all(isinstance(v, list) for v in records.values()) else {}
        rows = zip(*columns.values(), strict=False)  # the last column may be cut
        records = [dict(zip(columns, row, strict=True)) for row in rows]
    records = [r for r in records[:HEAD_ROWS] if isinstance(r, dict) and r]
    records = records[:-1] or records  # the last one may be cut
    nested = any(isinstance(cell, (list, dict)) for record in records for cell in record.values())
    return None if nested or not records else pd.DataFrame(records)


def _head(source: Source) -> pd.DataFrame | None:
    """The first rows of a table."""
    if isinstance(source.given, pd.DataFrame):
        return source.given.head(HEAD_ROWS).rename(columns=str)
    if isinstance(source.given, Mapping):
        return pd.DataFrame({str(k): list(v)[:HEAD_ROWS] for k, v in source.given.items()})
    lines = source.text.splitlines()[: HEAD_ROWS + 1]
    if not source.paths or len(lines) < 3:
        return None
    try:
        sign = csv.Sniffer().sniff("\n".join(lines[:20]), delimiters=",;\t|").delimiter
        return pd.read_csv(io.StringIO("\n".join(lines[:-1])), sep=sign, dtype=str)
    except (csv.Error, ValueError, UnicodeDecodeError):
        return None


def _holds_predictions(head: pd.DataFrame, source: Source) -> bool:
    """Whether columns beside a truth of a common name hold labels, probabilities or numbers of it.

    Scores of items, too, may stand beside a column called 'label' or 'target'.
    """
    head.columns = [str(c).strip() for c in head.columns]
    try:
        columns = found_columns(head, source.said, "", wants_scores=False, queries=False)
        truth = Cells(head[columns.truth], columns.truth, "", None)
        models = [Cells(head[c], c, "", None) for c in columns.models.values()]
    except ResultsError:
        return False
    if columns.by_class:
        return True
    classes = truth.kinds
    if not models or len(classes) < 2:
        return False
    rule = named(source.measure) if source.measure else None
    if truth.texts is not None and is_prose(truth):
        return all(cells.texts is not None for cells in models)
    if truth.numbers is not None and is_number(truth, truth.numbers, ()):
        alike = [_is_alike(truth.numbers, cells.numbers) for cells in models]
        return all(c.numbers is not None for c in models) and (
            2 * sum(alike) >= len(alike) or (rule is not None and rule.rule.influence is not None)
        )
    if len(head) < 2 * len(classes):
        return False  # a row per class holds scores of classes
    if truth.texts is None and len(classes) > 2:
        return False  # whole numbers of items may be anything
    if truth.texts is not None and all(cells.are_among(classes) for cells in models):
        return True
    values = [cells.numbers for cells in models if cells.numbers is not None]
    shares = [v.min() >= 0 and v.max() <= 1 for v in values]
    between = any((v % 1 > 0).any() for v in values)
    return len(classes) == 2 and len(values) == len(models) and all(shares) and between


def _is_alike(y: np.ndarray, p: np.ndarray | None) -> bool:
    if p is None or not np.ptp(p) or not np.ptp(y):
        return False
    return bool(np.corrcoef(y, p)[0, 1] > ALIKE)


def _read(source: Source, options: Options) -> Results:
    refuse_step(options)
    if options.sampling is not None and options.sampling.name != ITEMS.name:
        raise ResultsError(
            f"Predictions are of test items, not of '{options.sampling}': leave --sampling out."
        )
    if options.higher_is_better is not None:
        raise ResultsError(
            "Measures of predictions know which values are better: leave --higher-is-better and "
            "--lower-is-better out."
        )
    rule = named(options.measure) if options.measure else None
    predictions = read_predictions(source, options, rule.rule.kinds if rule else ())
    return results_of(predictions, options.measure)


SAMPLE = """\
id,y_true,svm,knn
1,1,0.9,0.6
2,0,0.2,0.7
3,1,0.8,0.4
4,0,0.3,0.5
5,1,0.7,0.9
6,0,0.1,0.2
"""
LONG = """\
id,model,y_true,y_pred
1,svm,cat,cat
1,knn,cat,dog
2,svm,dog,dog
2,knn,dog,dog
3,svm,cat,cat
3,knn,cat,dog
"""
FORMATS.add(
    Format(
        "predictions",
        "predictions of test items beside the truth (columns id, y_true, one per model), for any "
        "measure",
        recognises=_recognises,
        read=_read,
        samples=[
            text_sample("predictions.csv", SAMPLE, ("svm", "knn")),
            text_sample("predictions.csv", LONG, ("svm", "knn")),
        ],
        extensions=["csv", "parquet", "jsonl", "json"],
        title="predictions",
        chooses_rows=True,
    )
)
