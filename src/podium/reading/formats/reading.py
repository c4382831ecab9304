"""Reading results: which format a source has, and what it holds."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import PodiumError, ResultsError, UnknownLayout
from podium.core.base.options import takes
from podium.core.base.tables import ANSWERS
from podium.core.questions.measures import Measure
from podium.core.results.measure_names import PERCENT
from podium.core.results.results import BLOCKS, DESCRIBED, RECOGNISED, Results
from podium.core.results.results import named as by_column
from podium.core.samplings import parse as parse_sampling
from podium.core.words.facts import REMARK, Note
from podium.core.words.listening import tell_first
from podium.reading.cells.binary import decode_bytes
from podium.reading.cells.columns import FAILED, Tabular
from podium.reading.cells.vocabulary import Options, role_of, said_rows
from podium.reading.formats.gathering import CURVES, checked_step, folds, named, shown
from podium.reading.formats.opening import database
from podium.reading.formats.record import EVERY, FORMATS, Format, LongTable, Source
from podium.reading.formats.tables import long_sheet, read_rows, read_table
from podium.reading.loading.descriptors import Described
from podium.reading.loading.sources import Loaded, is_archive, load
from podium.reading.store.store_file import APPLICATION_ID
from podium.reading.tables.from_sheets import results_from

CLUSTERED = ("clusters-recognised", "choice-blocks")  # notes that tell of clusters


@takes("reading")
def read(source: Any, *, format: str | Format | None = None, **options: Any) -> Results:
    """The results of a store, or of scores that somebody else made.

    Parameters
    ----------
    source : a store, a file, a folder, a frame, or scores themselves
        A CSV (also gzipped), Parquet or JSON file, long or wide; a frame (pandas, polars, pyarrow);
        a search of scikit-learn or its `cv_results_`; a mapping from algorithms to their scores;
        files and folders of other tools (`podium list formats`), one or several in a list.
    format : str | Format | None
        A format or its name, where the content of the source leaves that open.

    Returns
    -------
    Results
        Long tables of `.scores` and `.runs`; `.wide(measure)` has one column per algorithm.

    Examples
    --------
    >>> print(read({"svm": [0.9, 0.8], "knn": [0.7, 0.9]}, measure="acc").wide("acc"))
      dataset  sample  svm  knn
    0    data       1  0.9  0.7
    1    data       2  0.8  0.9

    `columns` says what is what, as `{"algorithm": "method", "ignore": ["a", "b"]}` or
    `"algorithm=method,ignore=a;b"`: the columns of `scores`, repeat, fold, item, cluster, block (of
    a wide table) and ignore; `across` says what the columns are where rows are algorithms.
    """
    recipe = options.pop("recipe")
    if recipe is not None:
        from podium.reading.recipes.known import format_from
        from podium.reading.recipes.recipe import ANY, Recipe, recipe_file

        recipe = recipe if isinstance(recipe, Recipe) else recipe_file(Path(recipe))
        format = recipe.format or format_from(recipe)
        format = None if format == ANY else format
        options |= {k: v for k, v in recipe.options.items() if options.get(k) in (None, ())}
    step, rows = checked_step(options.pop("step")), said_rows(options.pop("where"))
    text = replace(Options.checked(**options), step=step, where=rows)
    source = decode_bytes(source) if isinstance(source, pd.DataFrame) else source
    alone = isinstance(source, (list, tuple)) and len(source) == 1 and _is_path(source[0])
    looked_at = Source(source[0] if alone else source, text.columns, text.measure)
    record = FORMATS[format] if isinstance(format, str) else format or format_of(looked_at)
    refuse_too_many(looked_at)
    if record is None:
        refuse_folder(looked_at)
    results = _results(_read(record, looked_at, text), looked_at)
    if isinstance(results, Results) and looked_at.paths:
        tell_reading(results)
        return _described(results, looked_at.paths)
    return results


def _described(results: Results, paths: tuple[Path, ...]) -> Results:
    """With the columns that may say something of data sets, for who asks for characteristics."""
    read_as = results.read_as
    columns = tuple(column for column, _ in read_as.unused)
    names = dict(read_as.roles).get("dataset", ())
    if len(results.datasets) < 2 or len(names) != 1 or not columns:
        return results
    described = Described(paths, names[0], columns)
    return replace(results, design={**results.design, DESCRIBED: described})


def tell_reading(results: Results) -> None:
    """Tell who listens how a source was read; a store says itself what it is."""
    told = any(note.code == RECOGNISED for note in results.notes)
    if told or results.read_as.roles or results.read_as.across:
        tell_first([reading_note(results)])


def reading_note(results: Results) -> Note:
    """The note that says how a source was read."""
    told = (note for note in results.notes if note.code == RECOGNISED)
    return next(told, None) or _note(results, "", {})


def _read(record: Format | None, looked_at: Source, options: Options) -> Results:
    if record is not None and record.name == "store":
        if not _is_foreign(looked_at):
            _check_rows_of_tool(record, options)
            return _finished(read_by(record, looked_at, options), record, options)
        record = None
    if record is None or (record.general or record.name in GENERAL):
        return read_any(record, looked_at, options)
    if record.loads is not None:
        return _inferred(record, record.loads(looked_at), looked_at, options)
    try:
        _check_rows_of_tool(record, options)
        results = _finished(read_by(record, looked_at, options), record, options)
        if not isinstance(results, Results):
            return results  # which is refused elsewhere
        alone = len(results.algorithms) == 1 and bool(looked_at.paths) and not options.columns
        if alone and record.name not in OWN and _names_several(looked_at, options):
            return read_any(None, looked_at, options)
        return results
    except ResultsError as error:
        if looked_at.paths and CURVES in str(error):
            from podium.reading.inferring.asking import Question

            files, words = [str(path) for path in looked_at.paths], ["--step", "last"]
            with suppress(ResultsError):
                last = _finished(
                    read_by(record, looked_at, replace(options, step="last")), record, options
                )
                if len(last.measures) > 1 and not options.measure:  # asked at once
                    words += ["--measure", next(iter(last.measures))]
            command = shlex.join(["podium", "analyze", *files, *words])
            raise Question(f"{error} Best guess: `{command}`.", words, files) from None
        full = {"algorithm", "value"} <= {*options.columns}
        asks = not record.by_recipe and any(sign in str(error) for sign in (AGAIN, ROLES))
        if not looked_at.paths or not (full or asks) or record.name in OWN:
            raise
        return _otherwise(record, looked_at, options, error)


def _inferred(record: Format, loaded: Loaded, source: Source, options: Options) -> Results:
    """The results in the record set that a format has made of a source."""
    options = _said_of(loaded.frame, options)
    results = read_any(record, replace(source, sets=(loaded,)), options)
    first = _note(results, record.title, {})
    return replace(results, notes=(first, *loaded.notes, *results.notes))


def is_of_own_reader(record: Format, source: Source) -> bool:
    """Whether a source is read by what is known of its format, and no roles are inferred."""
    if record.name == "store":
        return not _is_foreign(source)
    return not (record.general or record.name in GENERAL)


def _said_of(frame: pd.DataFrame, options: Options) -> Options:
    """What the caller says, of a tool's columns: `model` is `params.model`, folds are of a CV."""
    names = [str(c) for c in frame.columns]
    ends = {
        n: [c for c in names if c.endswith(f".{n}")] for n in (c.rpartition(".")[2] for c in names)
    }
    whole = {n: own[0] for n, own in ends.items() if len(own) == 1 and n not in names}

    def full(column: str) -> str:
        return "+".join(whole.get(part, part) for part in column.split("+"))

    said = {role: [full(c) for c in columns] for role, columns in options.columns.items()}
    blocks = {role: c for c in names if (role := role_of(c)) in ("fold", "repeat")}
    blocks |= {
        role: said[role][0] for role in ("fold", "repeat") if said.get(role, [""])[0] in names
    }
    design = folds(frame[[*blocks.values()]].set_axis([*blocks], axis=1))
    return replace(options, columns=said, sampling=options.sampling or design)


def _names_several(source: Source, options: Options) -> bool:
    """Whether a column that is called like algorithms names several of them."""
    from podium.reading.inferring.asking import candidates
    from podium.reading.inferring.column_facts import column

    for inferred, loaded in candidates(source, options):
        names = [] if inferred.refusal else inferred.recipe.roles.get("algorithm", [])
        own = [c for c in names if c in loaded.frame.columns]
        if any(column(c, loaded.frame[c]).is_contender for c in own):
            return True
    return False


def _is_foreign(source: Source) -> bool:
    """Whether a SQLite file holds tables of others."""
    if not source.tables:
        return False
    with database(source.paths[0]) as connection:
        mark = connection.execute("PRAGMA application_id").fetchone()[0]
    return int(mark) != APPLICATION_ID


def _check_rows_of_tool(record: Format, options: Options) -> None:
    """Refuse a choice of rows where a reader in code would not see it."""
    if options.where and not record.chooses_rows:
        raise ResultsError(
            f"Rows of {record.title or record.name} are not chosen by --where. Leave it out, or "
            "write a table by podium import."
        )


ROLES = "--columns algorithm="  # and where it asks what is compared
AGAIN = "has two scores of"  # what readers of tools say of rows that nothing tells apart
OWN = ("store", "podium-scores")  # what Podium wrote itself is not guessed at


def _otherwise(
    record: Format, source: Source, options: Options, error: ResultsError, trying: bool = False
) -> Results:
    """By the roles that the caller says, or a question, where the reader of a tool gives up."""
    from podium.reading.inferring.asking import ask, candidates, read_inferred

    guesses = [g for g in candidates(source, options) if not g[0].refusal]
    full = {"algorithm", "value"} <= {*options.columns} or ROLES in str(error)
    if guesses and full and not guesses[0][0].open and not guesses[0][0].judged:
        return read_inferred(*guesses[0], source, options, from_long)
    if trying:
        raise error

    def attempt(message: Options) -> Results:
        try:
            return _finished(read_by(record, source, message), record, message)
        except ResultsError as again:
            return _otherwise(record, source, message, again, trying=True)

    raise ask(source, options, guesses, attempt, str(error)) from None


GENERAL = ("json", "several-tables", "document", "long-table", "wide-table")


def _finished(result: Results | LongTable, record: Format | None, options: Options) -> Results:
    if not isinstance(result, LongTable):
        return result
    made = from_long(result, result.options or options)
    title = result.title or (record.title if record else "")
    notes = [recognised(title, result, made)] if title else []
    return replace(made, notes=(*notes, *made.notes))


def read_any(
    record: Format | None, source: Source, options: Options, trying: bool = False
) -> Results:
    """The results in files that no tool is known by.

    The inferred reading is read where content tells more than names of columns do: which rows
    count, or the roles. If it leaves something open, all of that is asked at once, unless it is
    about roles that the caller says. Otherwise names are enough; where the reading by them
    contradicts the inferred one that is asked, and where it fails the inferred one is read.
    """
    from podium.reading.inferring.asking import (
        Question,
        ask,
        candidates,
        is_beyond,
        is_enough,
        is_other,
        read_inferred,
    )

    def question(some: list[Any], because: str = "") -> ResultsError:
        if trying:
            return ResultsError(because or "It leaves something open.")
        return ask(source, options, some, lambda o: read_any(record, source, o, True), because)

    if options.where and source.paths and len(options.columns.get("value", ())) > 1:
        return _rows_by_name(source, options)  # whose scores the caller names
    given = source.given if not source.sets else None
    is_frame = isinstance(given, pd.DataFrame) and _has_labels(given)
    guesses = candidates(source, options) if source.paths or source.sets or is_frame else []
    sound = [g for g in guesses if not g[0].refusal]
    if is_frame and not any(guess.traps for guess, _ in sound):  # roles are left to its names
        guesses, sound = [], []  # a frame is read as it stands
    best = sound[0] if sound else None
    settled = best is not None and not best[0].open and not best[0].judged
    rows = bool(options.where) or (best is not None and bool(best[0].traps))
    roles = best is not None and best[0].by_content
    if best is not None and settled and (rows or roles or best[0].tells_more):
        return read_inferred(*best, source, options, from_long)
    if rows:
        asked = question(guesses)
        if options.where and not isinstance(asked, Question):
            with suppress(ResultsError):  # such as those of one algorithm alone
                return _rows_by_name(source, options)
        raise asked
    try:
        # of what nobody recognises the reader of tables says what is wrong
        result = read_by(record, source, options) if record else read_table(source, options)
        results = _finished(result, record, options)
        lacking = options.sampling is None and not is_enough(results)
        if best is not None and settled and lacking:
            return read_inferred(*best, source, options, from_long)
        twice = lacking and len(results.measures) > 1 and not options.measure  # asked in turn
        other = best is not None and (roles or twice or is_other(results, *best, options.measure))
        if other and not options.columns:
            asked = question(guesses)
            if roles or trying or isinstance(asked, Question):
                raise asked
        return results  # also where nothing else can be read
    except ResultsError as error:
        if isinstance(error, Question):
            raise
        if best is not None and settled:
            named = {"algorithm", "dataset", "item"} & {*options.columns}
            packed = len(source.paths) == 1 and is_archive(source.paths[0])  # is read so alone
            if named or packed or ((options.columns or best[1].path) and is_beyond(*best)):
                return read_inferred(*best, source, options, from_long)
            said = options.columns or options.sampling or options.measure
            if not said and isinstance(error, UnknownLayout):
                with suppress(ResultsError):
                    return read_inferred(*best, source, options, from_long)
        final = [g for g in guesses if g[0].is_final and not options.columns]
        asks = " --" in str(error)  # for roles; of rows within a document it knows nothing
        if best is None and final and (asks or final[0][1].path):
            raise ResultsError(f"{shown(source)}: {final[0][0].refusal}.") from None
        raise question(sound, str(error)) from None


def _rows_by_name(source: Source, options: Options) -> Results:
    """The rows that the caller chose, read by the names of their columns."""
    given = source.given
    frame = given if isinstance(given, pd.DataFrame) else (source.sets or load(source))[0].frame
    for column in options.where:
        Tabular(frame, shown(source)).check_column(column)
    texts = {column: frame[column].astype(str) for column in options.where}
    chosen = [texts[column].isin(values) for column, values in options.where.items()]
    kept = frame[np.logical_and.reduce(chosen)]
    alike = [column for column, values in options.where.items() if len(values) == 1]
    table = Tabular(kept.drop(columns=alike), shown(source), named(source))
    results = read_rows(table, replace(options, where={}))
    read_as = replace(results.read_as, where=by_column(options.where))
    return replace(results, design={**results.design, "read_as": read_as})


LOOKED_AT = 2000  # rows of a frame whose columns are always looked at
FEW_LABELS = 50


def _has_labels(frame: pd.DataFrame) -> bool:
    """Whether a frame may hold more than names and scores: parts of the data, or what failed."""
    texts = [c for c in range(frame.shape[1]) if frame.dtypes.iloc[c].kind not in "fiub"]
    few = [c for c in texts if frame.iloc[:LOOKED_AT, c].astype(str).nunique() <= FEW_LABELS]
    if not frame.columns.is_unique:
        return False  # which is refused
    return len(frame) <= LOOKED_AT or len(few) > 1


def read_by(record: Format, source: Source, options: Options) -> Results | LongTable:
    """What a format reads; a file of a tool that is laid out otherwise ends in a sentence."""
    if record.loads is not None and not source.sets:
        return _inferred(record, record.loads(source), source, options)
    try:
        return record.read(source, options)
    except (TypeError, KeyError, AttributeError, ValueError, IndexError) as error:
        if isinstance(error, PodiumError) or not record.title or not source.paths:
            raise
        raise ResultsError(
            f"'{source.paths[0]}' looks like {record.title}, but something in it is laid out "
            f"otherwise ({type(error).__name__}: {error!s:.120}). Write it again by the tool, or "
            "give a table of scores."
        ) from error


def _is_path(given: Any) -> bool:
    return isinstance(given, (str, Path))


def format_of(source: Source) -> Format | None:
    """The format that a source has, by its content; None where nobody knows it."""
    _refuse_missing(source)
    formats = FORMATS.recognising(source)
    if len(formats) < 2:
        return formats[0] if formats else None
    names = [f"'{record.name}'" for record in formats]
    several = len(source.paths) > 1 or (source.paths and source.paths[0].is_dir())
    way = "Give the files of one of them" if several else "Say which"
    raise ResultsError(
        f"The source may have the formats {', '.join(names)}. {way}, or in Python: "
        f"podium.read(..., format={names[0]})."
    )


def _refuse_missing(source: Source) -> None:
    """Refuse a path where nothing is, before what is known of the other files is asked."""
    for path in source.paths:
        if not path.exists():
            raise ResultsError(f"There is no file '{path}'.")


def refuse_too_many(source: Source) -> None:
    """Refuse a folder of very many files."""
    if len(source.files) > EVERY:
        raise ResultsError(
            f"'{source.paths[0]}' has more than {EVERY} files in it; give a folder below it."
        )


def refuse_folder(source: Source) -> None:
    """Say of a folder, or of several files, that nothing in it is known."""
    for path in source.paths:
        if path.is_dir():
            held = "is an empty folder" if not source.files else "holds no scores that are known"
            raise ResultsError(
                f"'{path}' {held}: `podium formats` lists what is read. Give the folder or the "
                "files that a tool has written, or a table of scores."
            )
    if len(source.paths) > 1:
        raise ResultsError(
            f"'{source.paths[0]}' and the other {len(source.paths) - 1} are in no format that is "
            "known: `podium formats` lists them. Give tables of scores."
        )


def from_long(table: LongTable, options: Options) -> Results:
    """The results in what a reader has found; the caller says what is left open."""
    sampling = None if table.sampling is None else parse_sampling(table.sampling)
    if sampling and options.sampling and sampling.name != options.sampling.name:
        raise ResultsError(
            f"The samples of {table.what} were drawn by '{sampling}', not by '{options.sampling}'. "
            "Leave the sampling out."
        )
    own = {role: [role] for role in table.frame.columns} if table.options else options.columns
    options = replace(
        options,
        sampling=options.sampling or sampling,
        measure=options.measure or table.measure,
        columns=own,
    )
    if table.options:
        table = replace(table, frame=table.frame.assign(value=_numbers(table)))
        _check_rows(table, options)
    sheet = long_sheet(Tabular(table.frame, table.what, table.name), options)
    percent = (options.measure or "").endswith(PERCENT)  # the caller knows better
    own_measures = {} if percent else table.measures
    sheet = replace(sheet, measures={**sheet.measures, **own_measures})
    text = results_from(replace(sheet, rows_counted=table.options is None), options)
    if table.facts:
        known = {d: {**text.facts.get(d, {}), **table.facts} for d in text.datasets}
        text = replace(text, facts=known)
    if table.answers is not None:
        text = replace(text, answers=ANSWERS.shaped(table.answers))
    text = replace(text, design={**text.design, "read_as": table.read_as})
    texts = {"clusters-read"} if any(n.code in CLUSTERED for n in table.notes) else set()
    more = [n for n in text.notes if n.code not in texts and n not in table.notes]
    return _in_order(replace(text, notes=(*table.notes, *more)), own_measures)


def _in_order(results: Results, measures: Mapping[str, Measure]) -> Results:
    """The results with their measures in the order that the source has them."""
    order = [name for name in measures if name in results.measures]
    order += [name for name in results.measures if name not in order]
    if order == list(results.measures):
        return results
    names = results.scores["measure"].cat.set_categories(order)
    scores = results.scores.assign(measure=names)
    scores = scores.sort_values(["dataset", "sample", "algorithm", "measure"], ignore_index=True)
    return replace(results, scores=scores, measures={n: results.measures[n] for n in order})


def _numbers(table: LongTable) -> pd.Series:
    """The scores as numbers, or an error that names what is none."""
    given = table.frame["value"]
    result = pd.to_numeric(given, errors="coerce").astype(float)
    failed = given.map(lambda cell: isinstance(cell, str) and cell in FAILED)
    odd = (result.isna() & given.notna() & ~failed) | np.isinf(result)
    if odd.any():
        row = table.frame[odd].iloc[0]
        about = [
            f"{table.called.get(k, k)} '{row[k]}'" for k in ("algorithm", "dataset") if k in row
        ]
        raise ResultsError(
            f"{table.what}: {row['value']!r:.60} is no finite number, where a score of "
            f"{', '.join(about)} is expected. Correct it in the file, or leave the file out."
        )
    return result.astype(object).where(~failed, given) if failed.any() else result


def _check_rows(table: LongTable, options: Options) -> None:
    """Refuse two scores in one place, and algorithms that share no block."""
    keys = [c for c in table.frame.columns if c not in ("value", "cluster")]
    again = table.frame.duplicated(keys)
    if again.any():
        row = table.frame[again].iloc[0]
        about = [f"{table.called.get(k, k)} '{row[k]}'" for k in keys if k != "measure"]
        raise ResultsError(
            f"{table.what} has two scores of {', '.join(about)}: {row['value']} is the second. "
            "Were two files of the same scores given? Leave one out."
        )
    blocks = [k for k in keys if k not in ("algorithm", "measure")]
    owners = table.frame.groupby(blocks)["algorithm"].nunique() if blocks else None
    several = table.frame["algorithm"].nunique() > 1
    if several and owners is not None and owners.max() == 1 and options.paired:
        nouns = [table.called.get(r, r) for r in ("sample", "algorithm")]
        raise ResultsError(
            f"{table.what}: no {nouns[0]} has scores of two {nouns[1]}s, so nothing can be "
            f"compared. Give the scores of every {nouns[1]} on the same data."
        )


def recognised(title: str, table: LongTable, results: Results) -> Note:
    """What was recognised, in numbers."""
    return _note(results, title, table.called)


def _results(results: Results, source: Source) -> Results:
    """With the note that says how a file was read, where it has none yet."""
    if (
        not isinstance(results, Results)  # a reader that gives something else is refused elsewhere
        or not source.paths
        or results.predictions.store
        or any(n.code == RECOGNISED for n in results.notes)
    ):
        return results
    if not results.read_as.roles and not results.read_as.across:
        return results  # a store, which says itself what it is
    return replace(results, notes=(_note(results, "", {}), *results.notes))


def _note(results: Results, title: str, called: Mapping[str, str]) -> Note:
    cells = results.runs.groupby(["dataset", "algorithm"], observed=True).size()
    block = next((r for r in BLOCKS if r in dict(results.read_as.roles)), "")
    return Note(
        RECOGNISED,
        REMARK,
        title=title,
        algorithms=len(results.algorithms),
        algorithm=called.get("algorithm", ""),
        datasets=tuple(results.datasets),
        dataset=called.get("dataset", ""),
        samples=(int(cells.min()), int(cells.max())),
        sample=called.get("sample", "" if title else block),
        measures=tuple((name, m.higher_is_better) for name, m in results.measures.items()),
        failed=int((results.runs["status"] == "failed").sum()),
        read_as=results.read_as,
    )
