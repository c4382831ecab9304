"""Two sources as one, the old and the new: scores of the same items, folds or data sets are paired.

Results number their samples, so both are joined before, while items still have names. Whatever
the algorithms are called, here they are `old` and `new`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from podium.base.errors import ResultsError
from podium.base.registry import unknown
from podium.gates.side import NEW, OLD, SIDES, Side, check_shared, chosen, looked_at
from podium.gates.sided_tables import of_tables
from podium.reading.cells.vocabulary import Options
from podium.reading.formats.exchange import EXCHANGE
from podium.reading.formats.gathering import FILE, named
from podium.reading.formats.reading import from_long, read_by, recognised
from podium.reading.formats.record import LongTable
from podium.reading.results import Results
from podium.samplings import ITEMS, Sampling
from podium.samplings import parse as parse_sampling
from podium.words.facts import CAUTION, Note


@dataclass(frozen=True)
class Sides:
    """The results of both, in which the algorithms are `old` and `new`."""

    results: Results
    sources: Mapping[str, str]  # what was given, by side
    algorithms: Mapping[str, str]  # what each is called there; empty where it has no name


def read_sides(old: Any, new: Any, options: Options, algorithm: str | None = None) -> Sides:
    """The scores of two sources as one; `algorithm` is the one that is meant, of several."""
    sides = [looked_at(name, given, options, algorithm) for name, given in ((OLD, old), (NEW, new))]
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
    if algorithm is not None and algorithm not in names:
        known = list(dict.fromkeys(filter(None, names)))
        raise ResultsError(unknown("algorithm of these files", algorithm, known))
    sources = {s.name: ", ".join(map(str, s.source.paths)) for s in sides}
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
    if not both and [len(of) for of in sets] == [1, 1] and after_files:
        note = Note("benchmarks-renamed", CAUTION, old=sets[0][0], new=sets[1][0])
        return [frame.assign(dataset=sets[1][0]) for frame in frames], [note]
    if not both:
        raise ResultsError(
            f"{sides[0].shown} and {sides[1].shown} have no benchmark in common (such as "
            f"'{sets[0][0]}' and '{sets[1][0]}'). Give results of the same benchmarks."
        )
    return list(frames), []
