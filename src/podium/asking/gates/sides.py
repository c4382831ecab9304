"""Two sources as one, the old and the new: scores of the same items, folds or data sets.

Results number their samples, so both are joined before, while items still have names. Whatever
the algorithms are called, here they are `old` and `new`.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from pathlib import Path
from typing import Any

import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.registry import unknown
from podium.core.results.results import Results
from podium.core.samplings import ITEMS, RUNS, SEEDS, Sampling
from podium.core.samplings import parse as parse_sampling
from podium.core.words.facts import CAUTION, Note
from podium.reading.cells.columns import Tabular, free
from podium.reading.cells.vocabulary import (
    BLOCKS,
    Options,
    candidates,
    known_measure,
    plain,
    role_of,
    said_rows,
    way_out,
)
from podium.reading.files.tabular import tabular
from podium.reading.formats.exchange import EXCHANGE, long_frame
from podium.reading.formats.gathering import FILE, named, refuse_step, shown
from podium.reading.formats.reading import (
    format_of,
    from_long,
    read,
    read_by,
    recognised,
    refuse_folder,
    refuse_too_many,
    tell_reading,
)
from podium.reading.formats.record import Format, LongTable, Source
from podium.reading.formats.records import JSON, SEVERAL, one_table
from podium.reading.formats.tables import DOCUMENT, LONG, WIDE, read_rows
from podium.reading.loading.sources import is_archive, one_frame

# -- side -----------------------------------------------------------------------------------------
# One of two sources that are compared, the old or the new: its format, and whom it is about.


FILES = "files"  # attribute of a frame that was read of them
SIDES = OLD, NEW = "old", "new"


@dataclass(frozen=True)
class Side:
    """One of the two, looked at: which format it has, and what was said of it."""

    name: str
    source: Source
    record: Format | None
    options: Options
    algorithm: str | None  # that is meant, of several

    @property
    def paths(self) -> Sequence[Path]:
        """The files that its scores come from."""
        return self.source.paths or getattr(self.source.given, "attrs", {}).get(FILES, ())

    @property
    def shown(self) -> str:
        """How an error calls it."""
        return shown(self.source) if self.source.paths else f"the {self.name} table"

    @property
    def is_table(self) -> bool:
        """Whether it says nothing of itself but by its columns."""
        return self.record in (None, LONG, WIDE, DOCUMENT, JSON, SEVERAL)


def looked_at(name: str, given: Any, options: Options, algorithm: str | None) -> Side:
    """A source, with the format that it has."""
    alone = isinstance(given, (list, tuple)) and len(given) == 1
    given = given[0] if alone and isinstance(given[0], (str, Path)) else _as_frame(given)
    source = Source(given, options.columns)
    record = format_of(source) if source.paths else None
    refuse_too_many(source)
    if record is None:
        refuse_folder(source)
    return Side(name, source, record, options, algorithm)


def chosen_rows(
    old: Any, new: Any, reading: Mapping[str, Any]
) -> tuple[pd.DataFrame, Any, Sampling | None]:
    """Both sources as long tables of the rows that count, and how their samples were drawn.

    Which rows these are, a recipe says or values of columns; of several new ones all are read.
    """
    made, sampling = _long_rows(old, reading)
    if isinstance(new, Mapping) and all(isinstance(each, (str, Path)) for each in new.values()):
        return made, {name: _long_rows(each, reading)[0] for name, each in new.items()}, sampling
    return made, None if new is None else _long_rows(new, reading)[0], sampling


def _long_rows(given: Any, reading: Mapping[str, Any]) -> tuple[pd.DataFrame, Sampling | None]:
    try:
        results = read(given, **reading)
    except ResultsError:
        if reading.get("recipe"):
            raise
        return _raw_rows(given, reading), reading["sampling"]  # such as scores of no name
    frame = long_frame(results).drop(columns=["count", "variance"], errors="ignore")
    if results.sampling is None:
        frame = frame.drop(columns="sample", errors="ignore")
    frame.attrs[FILES] = Source(given).paths
    return frame, results.sampling


def _raw_rows(given: Any, reading: Mapping[str, Any]) -> pd.DataFrame:
    """The rows of a table that count, as they stand."""
    table = tabular(one_frame(given))
    for column, values in said_rows(reading["where"]).items():
        table.check_column(column)
        frame = table.frame[table.texts(column).isin(values).to_numpy()]
        frame = frame.drop(columns=column) if len(values) == 1 else frame
        table = replace(table, frame=frame.reset_index(drop=True), known={})
    table.frame.attrs[FILES] = Source(given).paths
    return table.frame


def _as_frame(given: Any) -> Any:
    """Scores by item, lists of them by benchmark, or one list, as a frame; others as they are."""
    if isinstance(given, Mapping) and given:
        if all(isinstance(v, Real) for v in given.values()):
            return pd.DataFrame({"item": list(map(str, given)), "value": list(given.values())})
        if all(_is_numbers(v) for v in given.values()):
            rows = [(str(name), value) for name, values in given.items() for value in values]
            return pd.DataFrame(rows, columns=["dataset", "value"])
    return pd.DataFrame({"value": list(given)}) if _is_numbers(given) else given


def _is_numbers(given: Any) -> bool:
    several = not isinstance(given, (str, Mapping, pd.DataFrame)) and hasattr(given, "__len__")
    return bool(several and len(given) and all(isinstance(v, Real) for v in given))


def chosen(names: Sequence[str], side: Side) -> str:
    """The one algorithm of a source, or the one of several that the caller means."""
    if len(names) == 1 and (side.algorithm is None or side.algorithm not in names):
        return names[0]
    if side.algorithm is None:
        listed = ", ".join(names[:6]) + ", ..." * (len(names) > 6)
        raise ResultsError(
            f"{side.shown} has the scores of {len(names)} algorithms ({listed}). Say which one is "
            f"meant: --algorithm {shlex.quote(names[0])} (in Python: algorithm={names[0]!r})."
        )
    if side.algorithm not in names:
        raise ResultsError(unknown(f"algorithm of {side.shown}", side.algorithm, names))
    return side.algorithm


def check_shared(items: Sequence[set[str]], sides: Sequence[Side]) -> None:
    """Refuse items of which none is in both."""
    if not items[0] & items[1]:
        examples = [repr(min(names)) for names in items]
        raise ResultsError(
            f"No item is in both {sides[0].shown} and {sides[1].shown} (such as {examples[0]} and "
            f"{examples[1]}), so nothing can be paired. Give scores of the same items."
        )


# -- sided tables ---------------------------------------------------------------------------------
# Two tables as one, below each other; a column says which rows are old, and which are new.


def of_tables(sides: Sequence[Side]) -> tuple[Results, list[str]]:
    """The results in both tables, and what the old and the new one are called there."""
    tables = [_table(side) for side in sides]
    options = sides[0].options
    refuse_step(options)
    pairs = [_with_side(t, side) for t, side in zip(tables, sides, strict=True)]
    tables, names = _values_alike([t for t, _ in pairs], sides), [name for _, name in pairs]
    columns = [c for c in tables[0].columns if c in tables[1].columns]
    odd = {c for t in tables for c in t.columns} - {*columns}
    _check_rows(columns, tables, sides)
    what = f"{sides[0].shown} followed by {sides[1].shown}"
    notes = [Note("columns-of-one", CAUTION, columns=tuple(sorted(odd)))] if odd else []
    frame = pd.concat([_pointed(t)[columns] for t in tables], ignore_index=True)
    joint = Tabular(frame, what, notes=(*tables[0].notes, *tables[1].notes))
    results = read_rows(joint, options)
    return replace(results, notes=(*results.notes, *notes)), names


def _table(side: Side) -> Tabular:
    if not side.source.paths:
        given = side.source.given
        single = isinstance(given, pd.DataFrame) and list(given.columns) == ["value"]
        return Tabular(given, side.shown) if single else replace(tabular(given), what=side.shown)
    paths = side.source.paths
    if len(paths) == 1 and is_archive(paths[0]):
        return Tabular(one_frame(paths[0]), side.shown, named(side.source))
    return replace(one_table(side.source), what=side.shown)


def _with_side(table: Tabular, side: Side) -> tuple[Tabular, str]:
    """The rows of the one algorithm that is meant, now called old or new, and its own name."""
    text = side.options.columns
    columns = text.get("algorithm") or candidates(free(table.columns, text), "algorithm")
    if len(columns) > 1:
        raise ResultsError(
            f"{side.shown} has {len(columns)} columns that may name the algorithm: "
            f"{', '.join(columns)}. Say which: {table.way_out(algorithm=columns[0])}."
        )
    if not columns:
        table, name = _with_value(table, side)
        return replace(table, frame=table.frame.assign(algorithm=side.name), known={}), name
    table = table.joined(columns[0])
    table.check_column(columns[0])
    texts = table.texts(columns[0])
    name = chosen(list(dict.fromkeys(texts)), side)
    frame = table.frame[(texts == name).to_numpy()]
    if "algorithm" not in text:  # the other table may call it otherwise
        frame, columns = frame.drop(columns=columns), ["algorithm"]
    return replace(table, frame=frame.assign(**{columns[0]: side.name}), known={}), name


def _with_value(table: Tabular, side: Side) -> tuple[Tabular, str]:
    """A table without a column of algorithms: one column of scores, or that of one algorithm."""
    options = side.options
    columns = free(table.columns, options.columns)
    if "value" in options.columns or any(_is_score(c, options) for c in columns):
        return table, ""
    heads = [c for c in columns if not role_of(c) and c[0] != "#" and table.is_numeric(c)]
    if side.algorithm in columns and side.algorithm not in heads:
        heads.append(str(side.algorithm))
    if not heads:
        return table, ""
    name = chosen(heads, side)
    table = replace(table, frame=table.frame.drop(columns=[h for h in heads if h != name]))
    return (_renamed(table, [name], "value") if len(heads) > 1 else table), name


def _is_score(column: str, options: Options) -> bool:
    request = options.measure is not None and plain(column) == plain(options.measure)
    return request or role_of(column) == "value" or known_measure(column) is not None


def _values_alike(tables: Sequence[Tabular], sides: Sequence[Side]) -> list[Tabular]:
    """The tables with one name for the column of scores, where algorithms headed them, or none."""
    options = sides[0].options
    scores = [[c for c in t.columns if _is_score(c, options)] for t in tables]
    if not any(scores):
        own = [
            [c for c in t.columns if c not in tables[1 - i].columns] for i, t in enumerate(tables)
        ]
        heads = [
            [c for c in columns if not role_of(c) and t.is_numeric(c)]
            for t, columns in _both(tables, own)
        ]
        scores = heads if [len(h) for h in heads] == [1, 1] else scores
        return [_renamed(t, h, "value") for t, h in _both(tables, scores)]
    results = list(tables)
    for i, side in enumerate(sides):
        if not side.source.paths and scores[i] == ["value"] and len(scores[1 - i]) == 1:
            results[i] = _renamed(tables[i], scores[i], scores[1 - i][0])  # numbers have no name
    return results


def _renamed(table: Tabular, columns: list[str], name: str) -> Tabular:
    return replace(table, frame=table.frame.rename(columns=dict.fromkeys(columns, name)), known={})


def _both(
    tables: Sequence[Tabular], columns: Sequence[list[str]]
) -> list[tuple[Tabular, list[str]]]:
    return list(zip(tables, columns, strict=True))


def _pointed(table: Tabular) -> pd.DataFrame:
    """The cells with decimal points, as the other table may have them."""
    if not table.decimal_comma:
        return table.frame
    texts = {c: table.texts(c) for c in table.columns if table.is_numeric(c)}
    commas = {c: t.str.replace(",", ".") for c, t in texts.items() if t.str.contains(",").any()}
    return table.frame.assign(**commas)


def _check_rows(columns: list[str], tables: Sequence[Tabular], sides: Sequence[Side]) -> None:
    """Refuse rows that nothing names, one score each, and items of which none is in both."""
    options = sides[0].options
    text = options.columns
    blocks = [c for c in columns if role_of(c) in BLOCKS and c not in text.get("ignore", ())]
    blocks += [c for role in BLOCKS for c in text.get(role, ())]
    sets = text.get("dataset") or candidates(columns, "dataset")
    if not blocks and not sets and all(len(t.frame) == 1 for t in tables):
        raise ResultsError(
            f"{sides[0].shown} and {sides[1].shown} have one score each, which no test can "
            "compare. Give a row per item, run, fold or data set."
        )
    if not blocks and not sets:
        _check_texts([c for c in columns if c not in text.get("ignore", ())], tables, sides)
    if not blocks and not sets and options.sampling is None:
        raise ResultsError(
            f"{sides[0].shown}: nothing says what its rows are. Name them in a column item (or "
            f"fold, seed, dataset), or use --sampling {RUNS.name} where they are timings, "
            f"--sampling {SEEDS.name} where they are training runs (in Python: sampling=)."
        )
    items = text.get("item") or candidates(columns, "item")
    if len(items) == 1 and items[0] in columns:
        check_shared([{*t.texts(items[0])} for t in tables], sides)


def _check_texts(columns: list[str], tables: Sequence[Tabular], sides: Sequence[Side]) -> None:
    """Refuse a column that may name benchmarks, which must not be mixed, or items."""
    options = sides[0].options
    paired = options.sampling is not None and options.paired
    for column in columns:
        labels = all(t.is_text(column) or (paired and t.is_whole(column)) for t in tables)
        if role_of(column) == "algorithm" or _is_score(column, options):
            continue
        if labels and any(t.texts(column).nunique() > 1 for t in tables):
            raise ResultsError(
                f"{sides[0].shown}: what is '{column}'? If it names the benchmarks: "
                f"{_way_out(sides[0], 'dataset', column)}; if the items: "
                f"{_way_out(sides[0], 'item', column)}; if nothing that matters: "
                f"{_way_out(sides[0], 'ignore', column)}."
            )


def _way_out(side: Side, role: str, column: str) -> str:
    return way_out(side.options.columns, **{role: column})


# -- two sources as one, the old and the new ------------------------------------------------------
# Scores of the same items, folds or data sets are paired.
#
# Results number their samples, so both are joined before, while items still have names. Whatever
# the algorithms are called, here they are `old` and `new`.


@dataclass(frozen=True)
class Sides:
    """The results of both, in which the algorithms are `old` and `new`."""

    results: Results
    sources: Mapping[str, str]  # what was given, by side
    algorithms: Mapping[str, str]  # what each is called there; empty where it has no name


def read_sides(
    old: Any, new: Any, options: Options, algorithm: str | tuple[str | None, str | None] | None
) -> Sides:
    """The scores of two sources as one; `algorithm` is the one that is meant, of several.

    Where the old and the new one are meant by different names, these are two.
    """
    meant = algorithm if isinstance(algorithm, tuple) else (algorithm, algorithm)
    both = zip(SIDES, (old, new), meant, strict=True)
    sides = [looked_at(name, given, options, own) for name, given, own in both]
    formats = [side.record.name if side.record else "" for side in sides]
    if all(side.is_table for side in sides):
        results, names = of_tables(sides)
    elif formats[0] != formats[1] and not _is_imported(sides):
        texts = [f"{s.shown} ({f or 'a table'})" for s, f in zip(sides, formats, strict=True)]
        raise ResultsError(
            f"{texts[0]} and {texts[1]} are of different formats, so their scores cannot be "
            "paired. Give two results of one tool, or two tables."
        )
    else:
        results, names = _of_tools(sides)
    if meant[0] == meant[1] and meant[0] is not None and meant[0] not in names:
        known = list(dict.fromkeys(filter(None, names)))
        raise ResultsError(unknown("algorithm of these files", meant[0], known))
    sources = {s.name: ", ".join(map(str, s.paths)) for s in sides}
    tell_reading(results)
    return Sides(results, sources, dict(zip(SIDES, names, strict=True)))


def _is_imported(sides: Sequence[Side]) -> bool:
    """Whether one of them was imported by Podium, and the other is of a tool, too."""
    return not any(side.is_table for side in sides) and any(s.record is EXCHANGE for s in sides)


# -- results of tools -----------------------------------------------------------------------------


def _of_tools(sides: Sequence[Side]) -> tuple[Results, list[str]]:
    results = [_long_table(side) for side in sides]
    if (joined := _of_predictions(results, sides)) is not None:
        return joined
    _check_seeds([f for f in results if isinstance(f, Results)], sides)
    tables = [
        f if isinstance(f, LongTable) else _of_results(f, side)
        for f, side in zip(results, sides, strict=True)
    ]
    names = [chosen(list(_texts(t, "algorithm")), s) for t, s in zip(tables, sides, strict=True)]
    frames = [
        t.frame[t.frame["algorithm"].astype(str) == name].assign(algorithm=side.name)
        for t, side, name in zip(tables, sides, names, strict=True)
    ]
    _check_alike(tables, frames, sides)
    frames, notes = _datasets_alike(frames, sides)
    record = next(s.record for s in sides if s.record is not EXCHANGE or s is sides[1])
    joint = replace(
        tables[0],
        frame=pd.concat(frames, ignore_index=True),
        what=f"{sides[0].shown} and {sides[1].shown}",
        name=named(sides[1].source),
        measures={**tables[1].measures, **tables[0].measures},
        notes=(*dict.fromkeys([*tables[0].notes, *tables[1].notes]), *notes),
    )
    made = from_long(joint, joint.options or sides[0].options)
    title = joint.title or (record.title if record else "")
    message = [recognised(title, joint, made)] if title else []
    return replace(made, notes=(*message, *made.notes)), names


def _of_predictions(
    results: Sequence[LongTable | Results], sides: Sequence[Side]
) -> tuple[Results, list[str]] | None:
    """Predictions of one test set by two models, measured together; None where there are none."""
    both = [r for r in results if isinstance(r, Results) and r.predictions.of_items is not None]
    if len(both) < 2:
        return None
    names = [chosen([*r.algorithms], side) for r, side in zip(both, sides, strict=True)]
    models = {s.name: (name, s.shown) for s, name in zip(sides, names, strict=True)}
    first, second = (r.predictions.of_items for r in both)
    assert first is not None
    made: Results = first.beside(second, models, next(iter(both[0].measures)))
    return replace(made, name=named(sides[1].source)), names


def _long_table(side: Side) -> LongTable | Results:
    """What the format reads; of benchmarks the file is what is compared."""
    assert side.record is not None
    options = side.options
    if side.record.of_benchmarks and "algorithm" not in options.columns:
        options = replace(options, columns={**options.columns, "algorithm": [FILE]})
    return read_by(side.record, side.source, options)


def _check_seeds(results: Sequence[Results], sides: Sequence[Side]) -> None:
    """Refuse stores whose samples of one number are not the same."""
    seeds = [result.seed for result in results]
    own = any(outcome.sampling is not None and outcome.sampling.independent for outcome in results)
    if len({*seeds}) > 1 and not own:
        raise ResultsError(
            f"{sides[0].shown} and {sides[1].shown} are of studies with other seeds ({seeds[0]}, "
            f"{seeds[1]}), so their samples are not the same. Run both with one seed."
        )


def _of_results(results: Results, side: Side) -> LongTable:
    """The scores of a store as a long table."""
    if results.stopping is not None:
        raise ResultsError(
            f"{side.shown} is of a study that stops by a plan, which a further comparison does not "
            "know of. Run the study without a plan, or compare inside it."
        )
    return LongTable(
        results.to_pandas(),
        side.shown,
        name=results.name,
        sampling=results.sampling,
        measures=results.measures,
        options=replace(side.options, columns={}, sampling=None),
    )


def _texts(table: LongTable, column: str) -> dict[str, None]:
    return dict.fromkeys(table.frame[column].astype(str))


def _check_alike(
    tables: Sequence[LongTable], frames: Sequence[pd.DataFrame], sides: Sequence[Side]
) -> None:
    """Refuse samples that were drawn otherwise, or whose labels do not name the same."""
    drawn = [None if t.sampling is None else parse_sampling(t.sampling) for t in tables]
    _refuse_once(drawn, frames, sides)
    if str(drawn[0]) != str(drawn[1]):
        raise ResultsError(
            f"The samples of {sides[0].shown} were drawn by '{drawn[0]}', those of "
            f"{sides[1].shown} by '{drawn[1]}'. Give results of one design."
        )
    if drawn[0] is not None and drawn[0].name == ITEMS.name:
        for table, side in zip(tables, sides, strict=True):
            if "item" not in table.frame.columns:
                raise ResultsError(
                    f"{side.shown} numbers its items and does not name them, so they cannot be "
                    "paired with those of another file. Give the files that it was made from."
                )
        check_shared([{*f["item"].astype(str)} for f in frames], sides)
    for name in tables[0].measures.keys() & tables[1].measures.keys():
        if len({t.measures[name].higher_is_better for t in tables}) > 1:
            raise ResultsError(
                f"Of {sides[0].shown} and {sides[1].shown} one says that higher values of '{name}' "
                "are better, and the other that lower ones are. Write both by one version."
            )


def _refuse_once(
    drawn: Sequence[Sampling | None], frames: Sequence[pd.DataFrame], sides: Sequence[Side]
) -> None:
    """Refuse one score of each benchmark where the other file has several."""
    for i, side in enumerate(sides):
        keys = [c for c in ("dataset", "measure") if c in frames[i].columns]
        once = not keys or not frames[i].duplicated(keys).any()
        if drawn[i] is None and drawn[1 - i] is not None and once:
            raise ResultsError(
                f"{side.shown} has one score of each benchmark, where {sides[1 - i].shown} has "
                f"several ({drawn[1 - i]}). Repeat its runs as often, and give these."
            )


def _datasets_alike(
    frames: Sequence[pd.DataFrame], sides: Sequence[Side]
) -> tuple[list[pd.DataFrame], list[Note]]:
    """Data sets that both have; two single benchmarks are the same, whatever they are called."""
    if any("dataset" not in frame.columns for frame in frames):
        return list(frames), []
    sets = [list(dict.fromkeys(frame["dataset"].astype(str))) for frame in frames]
    both = [name for name in sets[0] if name in sets[1]]
    record = sides[0].record
    after_files = record is not None and (record.of_benchmarks or record is EXCHANGE)
    after_files |= all([named(s.source)] == names for s, names in zip(sides, sets, strict=True))
    if not both and [len(names) for names in sets] == [1, 1] and after_files:
        note = Note("benchmarks-renamed", CAUTION, old=sets[0][0], new=sets[1][0])
        return [frame.assign(dataset=sets[1][0]) for frame in frames], [note]
    if not both:
        raise ResultsError(
            f"{sides[0].shown} and {sides[1].shown} have no benchmark in common (such as "
            f"'{sets[0][0]}' and '{sets[1][0]}'). Give results of the same benchmarks."
        )
    return list(frames), []
