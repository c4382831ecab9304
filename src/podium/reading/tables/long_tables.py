"""Long tables: a row for every score, and a column that names the algorithm."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError, UnknownLayout
from podium.core.questions.measures import Measure
from podium.core.results.measure_names import is_time
from podium.core.words.facts import CAUTION, DETAIL, Note
from podium.reading.cells.columns import Coded, Tabular, count, free, groups, is_apart, is_constant
from podium.reading.cells.vocabulary import (
    BLOCKS,
    CONDITION,
    OF_BLOCKS,
    SEVERAL_STUDIES,
    STATISTICS,
    Options,
    Said,
    candidates,
    is_id,
    is_size,
    known_measure,
    plain,
    role_of,
)
from podium.reading.tables.roles import Roles, long_roles, refuse_two
from podium.reading.tables.sheets import (
    Sheet,
    about_rows,
    columns_of,
    design_notes,
    designed,
    less_summary_rows,
    sheet,
)

ERRORS = ("error", "loss", "err", "risk", "cost", "regret")  # how a column of losses ends
MANY_ITEMS = 20  # from here on what tells scores apart may be the items of a test set
METRIC_ERROR = "metricerror"  # TabArena's: of every metric an error, lower is better


def said_table(table: Tabular, text: Said) -> Tabular:
    """The table with the columns that the caller joins; an error where one is not there."""
    for role, names in text.items():
        for column in names:
            if role != "sheet":
                table = table.joined(column)
                table.check_column(column)
    return replace(table, said=text)


def long_sheet(table: Tabular, options: Options) -> Sheet:
    """The sheet in a table with one row per score."""
    table = said_table(table, options.columns)
    table, notes = less_summary_rows(table, options.columns)
    table = _less_parents(table, options.columns)
    roles = long_roles(table, options)
    table = table.joined(roles.called.get(CONDITION, ""))
    if "algorithm" not in roles.called:
        raise ResultsError(
            f"{table.what} has no column that can name the algorithms. Add one, called algorithm."
        )
    scores = _scores(table, roles, options)
    roles, numbered = _told_apart(table, roles, list(scores), options)
    rows, called = about_rows(table, roles.called, options.sampling)
    rows |= numbered
    of_rows, measures = _measured(table, called, list(scores), options, rows)
    rows |= of_rows
    made = sheet(
        table.what,
        columns_of([table.numbers(c) for c in scores]),
        "measure",
        list(scores.values()),
        rows,
        table.row,
        name=table.name,
        called=called,
        measures=measures,
        said=options.columns,
        percent=table.in_percent(scores),
        design=designed(table, called, options.sampling),
        failed=_failed(table, roles.called["algorithm"], list(scores)),
    )
    used = {*roles.called.values(), *scores, *options.columns.get("ignore", ())}
    notes += table.notes_on(scores) + _numbering(numbered, rows)
    notes += design_notes(made) + _unused(table, used, options.measure is not None)
    notes += (*_confounded(table, roles.called["algorithm"], used),)
    return replace(made, notes=notes)


def _failed(table: Tabular, column: str, scores: Sequence[str]) -> dict[tuple[int, str], str]:
    """The words for runs that gave no score, by row and algorithm."""
    words = {row: word for score in scores for row, word in table.failed(score).items()}
    names = dict(zip(table.row.tolist(), table.texts(column), strict=True)) if words else {}
    return {(row, names[row]): word for row, word in words.items()}


def _less_parents(table: Tabular, text: Said) -> Tabular:
    """Without rows that have no score and lack a label, as the parents of MLflow's runs."""
    columns = free(table.columns, {"ignore": text.get("ignore", [])})
    scores = [c for c in columns if _is_score(c) and table.is_numeric(c)]
    labels = [c for c in columns if role_of(c) in ("dataset", *BLOCKS)]
    if not scores or not labels:
        return table
    empty = np.all([np.isnan(table.parsed(c).values) for c in scores], axis=0)
    if not empty.any():
        return table
    cells = table.frame[labels].astype(object)
    lacking = (cells.isna() | (cells == "")).any(axis=1).to_numpy()
    return table.less_rows(empty & lacking)


def _is_score(column: str) -> bool:
    return role_of(column) == "value" or (
        role_of(column) is None and known_measure(column) is not None
    )


def _numbering(numbered: Mapping[str, Coded], rows: Mapping[str, Coded]) -> tuple[Note, ...]:
    if not numbered:
        return ()
    return (Note("rows-numbered", CAUTION, rows=len(rows["sample"].names)),)


def _unused(table: Tabular, used: set[str], measures: bool) -> tuple[Note, ...]:
    parts = {part for column in used for part in column.split("+")}
    left = [c for c in table.columns if c not in used | parts and c[0] != "#"]
    left = [c for c in left if not (measures and _is_score(c))]  # one is chosen, and said
    return (Note("unused-columns", DETAIL, columns=tuple(left)),) if left else ()


_SIZE = re.compile(
    r"(?:^|[\W_])(?:n|size|rows|samples|examples|shots|budget|epochs|trials)(?:$|[\W_])"
)


def _confounded(table: Tabular, algorithm: str, used: set[str]) -> Iterator[Note]:
    """A column of sizes or budgets of which every algorithm has its own value."""
    for column in table.columns:
        if column in used or not _SIZE.search(column.lower()) or not table.is_numeric(column):
            continue
        names = table.texts(algorithm)
        cells = pd.DataFrame({"name": names, "value": table.texts(column)}).drop_duplicates()
        several = cells["value"].nunique() > 1 and len(names) > len(cells)
        if several and not cells["name"].duplicated().any():
            values = tuple(cells.itertuples(index=False, name=None))
            yield Note("confounded", CAUTION, column=column, values=values)


# -- scores ---------------------------------------------------------------------------------


def _scores(table: Tabular, roles: Roles, options: Options) -> dict[str, str]:
    """The columns of scores with their measures' names, "" where the name says nothing."""
    text, measured = options.columns.get("value", []), "measure" in roles.called
    alone = len(text) == 1

    def is_vague(c: str) -> bool:
        unnamed = role_of(c) == "value" or options.measure is not None
        return alone and unnamed and known_measure(c) is None

    results = {c: "" if is_vague(c) else c for c in text}
    columns = [c for c in free(table.columns, options.columns) if c not in roles.called.values()]
    results = results or _score_columns(table, columns, measured, options.measure)
    if measured and len(results) > 1:
        refuse_two(table, "value", list(results))
    return results


def _score_columns(
    table: Tabular, columns: Sequence[str], measured: bool, measure: str | None
) -> dict[str, str]:
    """Those called value or alike, as asked for, as known measures; or the only one of numbers."""
    generic = [c for c in candidates(columns, "value") if table.is_numeric(c)]
    generic = generic or [c for c in candidates(columns, "value") if not table.is_text(c)]
    if len(generic) > 1:
        refuse_two(table, "value", generic)
    requests = [c for c in columns if measure is not None and plain(c) == plain(measure)]
    if requests and not measured:
        return {requests[0]: requests[0]}
    names = [c for c in columns if not role_of(c) and _is_named(table, c)]
    if measured:  # what a column says of the measure is not said of times
        names = [] if generic else [c for c in names if not is_time(c)]
        begun = [c for c in columns if not generic and re.match(r"(score|metric|value)[_.]", c)]
        names = [c for c in begun if table.is_numeric(c)] or names
    generic = [c for c in generic if not names or not _repeats(table, c, names)]
    others = _other_numbers(table, [c for c in columns if c not in names])
    if names and others and not generic and not measured and all(map(is_time, names)):
        return _beside_times(table, names, others, measure)
    if generic or names:
        return {c: "" if c in generic else c for c in columns if c in generic or c in names}
    if text := [c for c in columns if not role_of(c) and known_measure(c)]:
        return {text[0]: text[0]}  # where a cell is no number is said of that cell
    numeric = _other_numbers(table, columns)
    if len(numeric) != 1:
        _refuse_scores(table, numeric, columns)
    return {numeric[0]: numeric[0] if measure is None else ""}


def _other_numbers(table: Tabular, columns: Sequence[str]) -> list[str]:
    """The columns of numbers whose names do not say that they are no scores."""
    odd = [c for c in columns if role_of(c) or is_size(c) or c[0] == "#" or is_id(c)]
    return [c for c in columns if c not in odd and table.is_numeric(c)]


def _beside_times(
    table: Tabular, times: Sequence[str], others: Sequence[str], measure: str | None
) -> dict[str, str]:
    """Numbers beside times: those of the measure that is said, where one column has them."""
    if measure is not None and len(others) == 1 and not is_time(measure):
        return {others[0]: ""}
    ways = [f"--measure {times[0]} (in Python: measure='{times[0]}')"]
    ways += [table.way_out(value=column) for column in others]
    raise ResultsError(
        f"{table.what} has times ({', '.join(times)}) and other numbers ({', '.join(others)}), "
        f"whose names do not say what they measure. Say which are the scores: {' or '.join(ways)}."
    )


def _is_named(table: Tabular, column: str) -> bool:
    return (
        known_measure(column) is not None and not table.is_text(column) and _has_any(table, column)
    )


def _has_any(table: Tabular, column: str) -> bool:
    return not np.isnan(table.parsed(column).values).all() or bool(table.parsed(column).odd.any())


def _repeats(table: Tabular, column: str, texts: Iterable[str]) -> bool:
    """Whether a column repeats in every row the score of another one, not always the same."""
    values = table.parsed(column).values
    others = np.column_stack([table.parsed(c).values for c in texts])
    with np.errstate(invalid="ignore"):
        same = np.isclose(np.abs(others), np.abs(values[:, None]), rtol=1e-9, atol=0)
    return bool((same.any(axis=1) | np.isnan(values)).all())


def _refuse_scores(table: Tabular, numeric: Sequence[str], columns: Sequence[str]) -> None:
    if numeric and all(plain(c) in STATISTICS or known_measure(c) for c in numeric):
        raise ResultsError(
            f"{table.what} has summaries of many scores ({', '.join(numeric)}): give a row for "
            f"every run, fold, item or data set, or {SEVERAL_STUDIES}."
        )
    roles = {c: role_of(c) for c in table.columns if c not in columns or role_of(c)}
    names = [c for c in roles if is_apart(table, [c])] if len(roles) == 1 else []
    if names and len(numeric) > 1 and not any(map(known_measure, numeric)):
        of = [table.way_out(algorithm=names[0], across=role) for role in ("dataset", "sample")]
        raise ResultsError(
            f"{table.what} has a row for every '{names[0]}', and {len(numeric)} columns of numbers "
            f"({', '.join(numeric):.60}). If these are data sets: {of[0]}; if samples: {of[1]}."
        )
    likely = sorted(numeric, key=table.is_label)[:3]  # fractions first
    ways = [table.way_out(value=column) for column in likely or ["COLUMN"]]
    raise UnknownLayout(
        f"{table.what} names algorithms, and no column is called value or like a known "
        f"measure (numbers are in: {', '.join(numeric) or 'none'}). Say where the scores are: "
        f"{' or '.join(ways)}. If the algorithms are the columns, name the column of the rows: "
        "--columns block=COLUMN."
    )


# -- measures in a column -------------------------------------------------------------------


def _measured(
    table: Tabular,
    called: Mapping[str, str],
    scores: Sequence[str],
    options: Options,
    rows: Mapping[str, Coded],
) -> tuple[dict[str, Coded], dict[str, Measure]]:
    """The measure of each row, and what those are that the column of values turns round."""
    if "measure" not in called:
        return {}, {}
    codes, names = rows["measure"]
    results = {n: _turned(table, called["measure"], scores[0], n, options) for n in names}
    measures = {m.name: m for m in results.values() if m}
    labels = [m.name if (m := results[n]) else n for n in names]
    return {"measure": Coded(codes, labels)}, measures


def _turned(
    table: Tabular, metric: str, column: str, name: str, options: Options
) -> Measure | None:
    """The measure where the column of values says another direction than its own; None: its own."""
    known, own = known_measure(name), known_measure(column)
    words = plain(column)
    lower = words.endswith(ERRORS) or (own is not None and not own.higher_is_better)
    higher = not lower and own is not None and own.higher_is_better
    if known is None:
        turned = Measure(name, not lower, spec=name) if lower or higher else None
        return None if options.higher_is_better is not None else turned
    if not (lower and known.higher_is_better) and not (higher and not known.higher_is_better):
        return None
    if lower and (words == METRIC_ERROR or options.higher_is_better is False):
        bounds = (0.0, 1.0) if known.bounds == (0, 1) else (-np.inf, np.inf)
        return Measure(f"{name}_error", False, bounds, spec=f"{name}_error")
    if options.higher_is_better == known.higher_is_better:
        return known
    raise ResultsError(
        f"{table.what}: the column '{column}' beside '{metric}' = {name} leaves open which values "
        f"are better. Say --lower-is-better if it holds errors, --higher-is-better if it holds "
        f"{name} itself (in Python: higher_is_better=False or True)."
        if lower
        else f"{table.what}: the column '{column}', of which higher values are better, stands "
        f"beside '{metric}' = {name}, of which lower ones are. Say --lower-is-better if it holds "
        f"{name} (in Python: higher_is_better=False), else correct the table."
    )


# -- rows that nothing tells apart ----------------------------------------------------------


def _told_apart(
    table: Tabular, roles: Roles, scores: Sequence[str], options: Options
) -> tuple[Roles, dict[str, Coded]]:
    """Numbers for rows that repeat without one, where nothing contradicts it."""
    called = roles.called
    keys = [c for r, c in called.items() if r not in OF_BLOCKS]
    answers = "item" in called  # are averaged within their item
    if is_apart(table, keys) or answers or not options.paired:
        return roles, {}
    if "#1" in table.columns and "#1" not in keys and _explains(table, keys, "#1"):
        return replace(roles, called=called | {"sample": "#1"}), {}
    rest = {*called.values(), *scores, *options.columns.get("ignore", ())}
    results = [c for c in table.columns if c not in rest and _explains(table, keys, c)]
    if results:
        _refuse_unexplained(table, called, results)
    cells = groups(table, keys)
    sizes = np.bincount(cells)
    if any(b in called for b in BLOCKS) or len({*sizes.tolist()}) > 1:
        return roles, {}  # two scores in one place, which is refused there
    number = pd.Series(cells).groupby(cells).cumcount().to_numpy()
    return roles, {"sample": Coded(number, [str(i + 1) for i in range(int(sizes[0]))])}


def _explains(table: Tabular, keys: Sequence[str], column: str) -> bool:
    """Whether a column may say what rows differ in that agree otherwise."""
    if is_constant(table, column) or is_apart(table, [column]):
        return False
    cells, both = groups(table, keys), groups(table, [*keys, column])
    if count(both) == count(cells):
        return False
    apart = count(both) == len(table.frame)
    if table.is_label(column) and not known_measure(column):
        return apart or table.is_text(column)
    # of fractions only those that come again in every cell, as values of a parameter do
    return apart and count(table.codes(column)) == np.bincount(cells).max()


def _may_be_ignored(table: Tabular, called: Mapping[str, str]) -> bool:
    """Whether rows could be numbered instead: nothing numbers them, and all cells are as large."""
    sizes = np.bincount(groups(table, [c for r, c in called.items() if r != "cluster"]))
    return not any(b in called for b in BLOCKS) and len({*sizes.tolist()}) == 1


def _is_crossed(table: Tabular, algorithm: str, column: str) -> bool:
    """Whether most algorithms have rows of most values of a column."""
    if not all(part in table.columns for part in algorithm.split("+")):
        return True
    parts = algorithm.split("+")
    pairs = count(groups(table, [*parts, column]))
    return pairs >= 0.8 * count(groups(table, parts)) * count(table.codes(column))


def _refuse_unexplained(table: Tabular, called: Mapping[str, str], results: Sequence[str]) -> None:
    keys = [c for r, c in called.items() if r not in OF_BLOCKS]
    apart = [c for c in results if is_apart(table, [*keys, c])]
    texts = [c for c in results if table.is_text(c) and "dataset" not in called]
    first = next(iter([c for c in texts if c in apart] or texts or apart or results))
    ways = []
    crossed = _is_crossed(table, called["algorithm"], first)
    if not crossed and table.is_text(first):
        kinds = table.labels(first)
        most = kinds.names[int(np.bincount(kinds.codes).argmax())]
        way = shlex.quote(f"{first}={most}")
        ways.append(f"a kind of rows, of which one counts: --where {way}")
    if first in texts and crossed:
        ways.append(f"the data set: {table.way_out(dataset=first)}")
    if "dataset" in called and table.is_text(first):
        part = f"{called['dataset']}+{first}"
        ways.append(f"a part of the data set: {table.way_out(dataset=part)}")
    alone = [c for r, c in called.items() if r not in ("cluster", *BLOCKS)]
    if is_apart(table, [*alone, first]):
        ways.append(f"the sample: {table.way_out(sample=first)}")
    if is_apart(table, [*alone, first]) and count(table.codes(first)) >= MANY_ITEMS:
        ways.append(f"an item of one test set: {table.way_out(item=first)}")
    joined = f"{called['algorithm']}+{first}"
    ways.append(f"a part of the algorithm: {table.way_out(algorithm=joined)}")
    if _may_be_ignored(table, called):
        ways.append(f"nothing that matters: {table.way_out(ignore=results)}")
    if re.search(r"step|stop|epoch|iter", first, re.IGNORECASE) and not table.is_text(first):
        raise ResultsError(
            f"{table.what} has scores of several steps ('{first}') of each run: keep the rows of "
            "one of them in the table, such as the last, or one that was fixed beforehand."
        )
    raise ResultsError(
        f"{table.what} has several scores of one algorithm and row, which differ in "
        f"{', '.join(results)}. Say what '{first}' is: {'; or '.join(ways)}."
    )
