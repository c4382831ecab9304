"""Which tables hold predictions: by the names of their columns, and by what stands in them."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from podium.asking.predictions.columns import (
    BESIDE,
    PREDICTED,
    PROBABLE,
    QUERIES,
    SURE,
    found_columns,
    is_sure,
    names_rows,
    truth_of,
)
from podium.asking.predictions.kinds import Cells, is_number, is_prose
from podium.asking.predictions.measures import rule_named as measure_named
from podium.asking.predictions.predicted import LABELS, RANKING, TEXTS, Rule
from podium.core.base.errors import ResultsError
from podium.reading.cells.vocabulary import Said, plain, role_of
from podium.reading.formats.gathering import shown
from podium.reading.formats.opening import are_arrays, array_names, begun
from podium.reading.formats.record import Source

TRUTHS = SURE | {"true", "truth", "target", "gold", "actual"}  # before the name of a label
MOST_FILES = 200  # of which one may be the truth of the others
HEAD_ROWS = 400  # that are looked at
JUDGED = ("correct", "iscorrect", "correctness", "isright", "passed")
ALIKE = 0.3  # correlation of numbers with the truth that they predict
# names of a truth that are none of an algorithm, as 'reference' may be
NO_ALGORITHM = frozenset(["truth", "label", "labels", "target", "class", "gold", "actual"])


def truth_apart(source: Source) -> Path | None:
    """The one of several files that holds the truth alone, where the others have none."""
    if not 2 <= len(source.paths) <= MOST_FILES:
        return None
    columns = [_names(part) for part in source.parts]
    holders = [at for at, names in enumerate(columns) if truth_of(names, source.said) is not None]
    if "truth" in source.said:
        holders = [at for at, names in enumerate(columns) if source.said["truth"][0] in names]
    if len(holders) != 1:
        return None
    (at,) = holders
    truth = truth_of(columns[at], source.said)
    others = [name for i, names in enumerate(columns) if i != at for name in names]
    more = [c for c in columns[at] if c != truth and not _tells_rows(c, source.said)]
    shared = {*columns[at]} & {*others}
    return None if [c for c in more if c not in shared] else source.paths[at]


def _names(source: Source) -> tuple[str, ...]:
    """The columns of a file of any make."""
    if source.paths and are_arrays(source.head):
        return tuple(array_names(source.paths[0]))
    records = _records(source)
    return source.columns if records is None else tuple(map(str, records.columns))


def _tells_rows(column: str, text: Said) -> bool:
    """Whether a column names rows, or what they belong to."""
    has_rows = any(column in text.get(role, ()) for role in BESIDE)
    return has_rows or names_rows(column)


OF_RUNS = ("dataset", "sample", "repeat", "fold", "seed")  # roles of what scores are of


def recognises(source: Source) -> bool:
    """Whether columns, and what they hold, are predictions beside the truth."""
    source = source.listed
    parts = source.parts if len(source.paths) > 1 else (source,)
    if truth_apart(source) is not None or lack_truth(parts):
        return True
    return bool(parts) and (all(map(_is_table, parts)) or several_truths(parts[0]) != ())


def lack_truth(parts: Sequence[Source]) -> bool:
    """Whether files hold predictions by name (`y_pred`) and nothing else, not even the truth."""
    for part in parts:
        columns = list(_names(part)) if part.paths else []
        of_runs = any(role_of(c) in OF_RUNS for c in columns)  # `score` is then a score of each
        columns = [c for c in columns if not _tells_rows(c, part.said)]
        free = [c for c in columns if role_of(c) != "algorithm"]
        words = PREDICTED | PROBABLE if _reads_no_mean(part) and not of_runs else PREDICTED
        if not free or not all(plain(c) in words for c in free) or part.said.keys() - {"item"}:
            return False
    return True


def _rule(source: Source) -> Rule | None:
    """What the measure that is asked for reads; None where it is none, or misspelt."""
    try:
        result = measure_named(source.measure) if source.measure else None
    except ResultsError:  # whoever reads says what is wrong with it
        return None
    return None if result is None else result.rule


def _reads_no_mean(source: Source) -> bool:
    """Whether the measure is of predictions and of nothing else, as an AUC is."""
    rule = _rule(source)
    return rule is not None and rule.influence is not None


def several_truths(source: Source) -> tuple[str, ...]:
    """Columns of the truth of several labels of an item: `true_a`, `true_b` beside `svm_a` ..."""
    columns = _names(source)
    parts = [c.rpartition("_") for c in columns]
    truths = [(c, part[2]) for c, part in zip(columns, parts, strict=True)
              if plain(part[0]) in TRUTHS]  # fmt: skip
    if len(truths) < 2 or truth_of(columns, source.said) is not None:
        return ()
    ends = [part[2] for part in parts]
    return tuple(c for c, end in truths) if all(ends.count(e) > 1 for _, e in truths) else ()


def _is_table(source: Source) -> bool:
    if source.paths and are_arrays(source.head):
        return truth_of(array_names(source.paths[0]), source.said) is not None
    records = _records(source)
    columns = source.columns if records is None else tuple(map(str, records.columns))
    if any(plain(c) in JUDGED for c in columns) and not source.said:
        return False  # who compared them with the truth has said whether they are right
    if "block" in source.said or truth_of(columns, source.said) is None or len(columns) < 2:
        return False
    if is_sure(columns, source.said) or _is_asked_for(columns, source):
        return True
    if any(role_of(c) == "dataset" for c in columns) or "x" in map(plain, columns):
        return False  # y may be an algorithm beside x
    return _reading(source, records) is not False


def _reading(source: Source, records: pd.DataFrame | None) -> bool | None:
    """Whether content confirms that a table holds predictions; None where it must be asked."""
    head = _head(source) if records is None else records
    return False if head is None else _holds_predictions(head, source)


def check_meant(source: Source) -> None:
    """Ask whether 0 and 1 beside a truth are labels, or tell who was right."""
    if source.paths and are_arrays(source.head):
        return
    records = _records(source)
    columns = source.columns if records is None else tuple(map(str, records.columns))
    if is_sure(columns, source.said) or _is_asked_for(columns, source):
        return
    truth = truth_of(columns, source.said)
    if _reading(source, records) is None:
        raise ResultsError(
            f"{shown(source)}: are the columns beside '{truth}' labels, or do they say who was "
            f"right? If labels, add --columns truth={truth}; if scores, add --columns "
            f"ignore={truth} --sampling items."
        )


def _is_asked_for(columns: Sequence[str], source: Source) -> bool:
    """Whether the measure is one of texts, or of rankings, and the columns that it needs are there.

    'reference' and 'relevance' are names of a truth for these alone.
    """
    rule = _rule(source)
    if rule is None or source.measure in columns:
        return False
    queries = "query" in source.said or any(plain(c) in QUERIES for c in columns)
    return rule.kinds == (TEXTS,) or (rule.kinds == (RANKING,) and queries)


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


def _holds_predictions(head: pd.DataFrame, source: Source) -> bool | None:
    """Whether columns beside a truth of a common name hold labels, probabilities or numbers of it.

    Scores of items, too, may stand beside a column called 'label' or 'target'; None: it is asked.
    """
    head.columns = [str(c).strip() for c in head.columns]
    try:
        columns = found_columns(head, source.said, "", wants_scores=False, queries=False)
        head = _filled(head, [columns.truth, *columns.models.values()])
        truth = Cells(head[columns.truth], columns.truth, "", None)
        models = [Cells(head[c], c, "", None) for c in columns.models.values()]
    except ResultsError:
        return False
    if columns.by_class:
        return True
    classes = truth.kinds
    if not models or len(classes) < 2:
        return False
    rule = _rule(source)
    if truth.texts is not None and is_prose(truth):
        return all(cells.texts is not None for cells in models)
    if truth.numbers is not None and is_number(truth, truth.numbers, ()):
        alike = [_is_alike(truth.numbers, cells.numbers) for cells in models]
        return all(c.numbers is not None for c in models) and (
            2 * sum(alike) >= len(alike) or (rule is not None and rule.influence is not None)
        )
    if len(head) < 2 * len(classes):
        return False  # a row per class holds scores of classes
    are_labels = all(cells.are_among(classes) for cells in models)
    if truth.texts is None and len(classes) > 2:  # whole numbers of items may be anything
        return are_labels and rule is not None and LABELS in rule.kinds
    if are_labels and truth.numbers is not None and {*classes} == {"0", "1"}:
        if rule is not None and rule.influence is not None:
            return True
        return _are_labels(columns.truth, truth.numbers, models)
    if are_labels:
        return True
    values = [cells.numbers for cells in models if cells.numbers is not None]
    shares = [v.min() >= 0 and v.max() <= 1 for v in values]
    between = any((v % 1 > 0).any() for v in values)
    return len(classes) == 2 and len(values) == len(models) and all(shares) and between


def _filled(head: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """The rows that lack nothing, where these are most: whoever reads asks for the others."""
    whole = head.dropna(subset=columns)
    return whole if 2 * len(whole) > len(head) else head


def _are_labels(name: str, y: np.ndarray, models: Sequence[Cells]) -> bool | None:
    """Whether 0 and 1 are labels of a truth that no algorithm is called: as most agree with it."""
    if plain(name) not in NO_ALGORITHM:
        return False
    alike = [_is_alike(y, cells.numbers) for cells in models]
    return True if 2 * sum(alike) >= len(alike) else None


def _is_alike(y: np.ndarray, p: np.ndarray | None) -> bool:
    if p is None or not np.ptp(p) or not np.ptp(y):
        return False
    return bool(np.corrcoef(y, p)[0, 1] > ALIKE)
