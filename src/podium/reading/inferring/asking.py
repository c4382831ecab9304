"""Reading by inferred roles, or one question: all that is open, with a whole command."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import PodiumError, ResultsError
from podium.core.results.measure_names import is_resource
from podium.core.results.results import Results
from podium.reading.cells.vocabulary import Options, role_of, said_rows
from podium.reading.formats.gathering import named, shown
from podium.reading.formats.record import FORMATS, LongTable, Source
from podium.reading.formats.tables import PLACES
from podium.reading.inferring.column_facts import column as column_of
from podium.reading.inferring.headers import tell_of_others
from podium.reading.inferring.inference import infer
from podium.reading.inferring.scored_tables import BETWEEN, GAMES, SCORES, Inferred
from podium.reading.loading.sources import Loaded, load
from podium.reading.recipes.applying import applied
from podium.reading.recipes.deriving import texts
from podium.reading.recipes.recipe import Recipe

MOST_SETS = 12  # record sets of a source that are looked at
MOST_ROWS = 300_000  # rows of a table whose roles are inferred: a large one is read by names

SIDES = ("model_a", "model_b")
Finish = Callable[[LongTable, Options], Results]
Attempt = Callable[[Options], Results]  # reads without asking


class Question(ResultsError):
    """What must be answered first; `words` are the options of the best guess."""

    def __init__(self, message: str, words: list[str], files: list[str]) -> None:
        super().__init__(message)
        self.words, self.files = words, files


def candidates(source: Source, options: Options) -> list[tuple[Inferred, Loaded]]:
    """The readings of a source's record sets, the likeliest first."""
    if not source.sets and _is_large(source):
        return []
    try:
        sets = list(source.sets) or load(source)
    except (PodiumError, RecursionError):
        return []
    stem = named(source)
    made = []
    for each in sets[:MOST_SETS]:
        if len(each.frame) > MOST_ROWS or len(each.frame.columns) < 2:
            continue
        if {*PLACES[:2]} <= {*each.frame.columns}:  # halvings, which have a reader of their own
            continue
        columns = {c for v in options.columns.values() for part in v for c in part.split("+")}
        if not columns <= {*each.frame.columns} | {"dataset", "sample"}:
            continue
        inferred = infer(each, options, stem)
        if not inferred.refusal and (place := _elsewhere(inferred, each, sets)) is not None:
            inferred.refusal = (
                f"scores stand at several places ('{each.path}' and '{place}') that differ in "
                "layout; write them in one"
            )
        made.append((inferred, each))
    return sorted(made, key=lambda m: (bool(m[0].refusal), -m[0].score, len(m[0].open)))


def _is_large(source: Source) -> bool:
    """Whether a text has far more lines than roles are inferred of, by the length of the first."""
    lines = source.text.splitlines()[1:-1] if len(source.paths) == 1 else []
    size = source.paths[0].stat().st_size if lines and source.paths[0].is_file() else 0
    plain = "\0" not in source.text and source.text[:1] not in ("{", "[")
    return plain and size > 2 * MOST_ROWS * max(map(len, lines), default=1)


def _elsewhere(inferred: Inferred, loaded: Loaded, sets: list[Loaded]) -> str | None:
    """Another place that holds scores of the same name, which this reading would leave out."""
    columns = [*inferred.recipe.roles.get("value", []), *inferred.recipe.across.get("columns", [])]
    names = {loaded.paths.get(c, c).rpartition(".")[2] for c in columns}
    if not loaded.path or inferred.battles:
        return None
    for other in sets:
        place = re.sub(r"(\[\]|\{\})+$", "", other.path)
        below = [p for p in other.paths.values() if p.startswith(place) and p != other.path]
        own = {p.rpartition(".")[2] for p in below or other.paths.values()}  # all of a sheet's
        if other.path == loaded.path or not names & own:
            continue
        if loaded.path.startswith(other.path) and _are_above(other, loaded):
            continue  # summaries of what stands below them
        return other.path
    return None


def _are_above(other: Loaded, loaded: Loaded) -> bool:
    """Whether the rows of a record set above have rows below them."""
    if not other.path or other.path == "[]":
        return True
    above = next((c for c, p in other.paths.items() if p == other.path), None)
    below = next((c for c, p in loaded.paths.items() if p == other.path), None)
    if above is None or below is None:
        return False
    return bool({*texts(other.frame[above])} & {*texts(loaded.frame[below])})


def read_inferred(
    inferred: Inferred, loaded: Loaded, source: Source, options: Options, finish: Finish
) -> Results:
    """The results by an inferred reading."""
    if inferred.battles:
        return finish(_battles(inferred, loaded, options), options)
    less = replace(options, columns={}, where={})
    recipe = replace(_with_direction(inferred, options), where={**inferred.recipe.where})
    frame = loaded.frame
    for column, values in options.where.items():
        if column not in frame.columns:
            raise ResultsError(f"{shown(source)} has no column '{column}'.")
        recipe = replace(recipe, where={**recipe.where, column: values})
    table = applied(recipe, loaded, source, less)
    return finish(table, table.options or less)


def _with_direction(inferred: Inferred, options: Options) -> Recipe:
    """The recipe with the direction that the caller says."""
    measure = dict(inferred.recipe.measure)
    if options.higher_is_better is not None and "name" in measure:
        measure["higher_is_better"] = options.higher_is_better
    return replace(inferred.recipe, measure=measure)


def _battles(inferred: Inferred, loaded: Loaded, options: Options) -> LongTable:
    """Battles under other names of columns, read as those of an arena."""
    assert inferred.battles is not None
    first, second, winner = inferred.battles
    names = {first: "model_a", second: "model_b"}
    games = winner.split(GAMES)
    rest = [c for c in loaded.frame.columns if c not in names]
    taken = [
        c for c in rest if c in ("model_a", "model_b", "winner", *games, *winner.split(BETWEEN))
    ]
    bare = loaded.frame.drop(columns=taken).rename(columns=names)
    won = [_winners(loaded.frame, game, (first, second)) for game in games]
    frame = pd.concat([bare.assign(winner=each) for each in won], ignore_index=True)
    frame = frame[frame["winner"].astype(str).str.lower() != "error"]
    table = FORMATS["battles"].read(Source(frame), replace(options, columns={}, where={}))
    assert isinstance(table, LongTable)
    return table


def _winners(frame: pd.DataFrame, winner: str, sides: tuple[str, str]) -> Any:
    """Who won: as a column says it, by two scores, or always the first."""
    if not winner:
        return "model_a"
    if BETWEEN in winner:
        first, second = (pd.to_numeric(frame[c], errors="coerce") for c in winner.split(BETWEEN))
        return np.select([first > second, first < second], ["model_a", "model_b"], "tie")
    columns = {side.lower(): model for side, model in zip(sides, SIDES, strict=True)}
    told = {**SCORES, **columns}  # `model_2` may be the column, or the side
    return frame[winner].map(lambda cell: told.get(str(cell).strip().lower(), cell))


def ask(
    source: Source,
    options: Options,
    guesses: list[tuple[Inferred, Loaded]],
    attempt: Attempt,
    because: str = "",
) -> ResultsError:
    """The question, with the first guess that can be read; the reason alone where none can."""
    refusals = [inferred.refusal for inferred, _ in guesses if inferred.refusal]
    for inferred, loaded in guesses:
        if inferred.refusal:
            continue
        words = guess_words(inferred, options)
        if not words or not _works(source, words, attempt, inferred):
            continue
        opens = "; ".join(o.text for o in inferred.open)
        if directions := _directions(source, inferred, options, attempt):
            text = f"{shown(source)} leaves open {opens}. Say {' or '.join(directions)}."
            return Question(text, directions[-1:], [str(p) for p in source.paths])
        files = [str(p) for p in source.paths]
        command = shlex.join(["podium", "analyze", *files, *words])
        other = _other_ways(source, inferred, options, attempt)
        opens = opens or "what its columns are"
        text = f"{shown(source)} leaves open {opens}."
        text += f" Best guess: `{command}`{other}."
        text += f" Otherwise: {because}" if _is_about(because, loaded) else ""
        return Question(text, words, files)
    if because:
        return ResultsError(because)
    why = refusals[0] if refusals else "it holds no scores that can be compared"
    return ResultsError(f"{shown(source)}: {why}.")


_SAID = re.compile(r"--columns ('[^']*'|[^\s;)]+)")
_UNNAMED = re.compile(r"'(#\d+)'")


def _is_about(because: str, loaded: Loaded) -> bool:
    """Whether what another reader says is about these rows: by the columns of its proposals.

    Of rows within a document, which others do not see, it says something only by a proposal.
    """
    pairs = [p for said in _SAID.findall(because) for p in said.strip("'.,").split(",")]
    parts = [p.partition("=") for p in pairs if not p.startswith(("sheet=", "across="))]
    named = {c for _, _, columns in parts for c in re.split(r"[+;]", columns.strip(".,"))}
    named |= {*_UNNAMED.findall(because)}
    seen = " --" in because or (bool(because) and loaded.path in ("", "[]"))
    return seen and named <= {*map(str, loaded.frame.columns), "COLUMN", "dataset"}


def _directions(
    source: Source, inferred: Inferred, options: Options, attempt: Attempt
) -> list[str]:
    """Both directions, where nothing else is open: which of them is right nobody can guess."""
    if [o.either for o in inferred.open] != [True] or options != Options() or inferred.judged:
        return []
    both = ["--higher-is-better", "--lower-is-better"]
    return both if all(_works(source, [way], attempt, inferred) for way in both) else []


def _other_ways(source: Source, inferred: Inferred, options: Options, attempt: Attempt) -> str:
    """The commands for which a column is no part of the algorithm: averaged over, or data sets."""
    names = [o.without for o in inferred.open if o.without]
    if not names:
        return ""
    parts = [c for c in inferred.columns.get("algorithm", "").split("+") if c not in names]
    ignored = [*inferred.columns.get("ignore", "").split(";"), *names]
    others = {
        f"to average over {', '.join(names)} instead": ("ignore", ";".join(filter(None, ignored)))
    }
    if len(names) == 1 and not {"dataset", "item"} & {*inferred.columns, *inferred.recipe.roles}:
        others[f"if {names[0]} names the data sets"] = ("dataset", names[0])
    text = ""
    for when, (role, columns) in others.items():
        roles = {**inferred.columns, "algorithm": "+".join(parts), role: columns}
        words = guess_words(replace(inferred, columns=roles), options)
        if _works(source, words, attempt, inferred):
            command = shlex.join(["podium", "analyze", *map(str, source.paths), *words])
            text += f"; {when}: `{command}`"
    return text


def guess_words(inferred: Inferred, options: Options) -> list[str]:
    """The options that close what is open, beside those that were given."""
    words: list[str] = []
    if inferred.judged:
        both = ["--judge", inferred.judged[0], "--human", inferred.judged[1]]
        direction = [w for o in inferred.open for w in o.options if w.endswith("-is-better")]
        own = {r: inferred.columns.get(r, "") for r in ("algorithm", "item")}
        named = ",".join(f"{r}={c}" for r, c in own.items() if c and role_of(c) != r)
        return both + direction + (["--columns", named] if named else [])
    columns = {r: ";".join(c) for r, c in options.columns.items()} | inferred.columns
    if options.measure or any("--measure" in o.options for o in inferred.open):
        columns.pop("value", None)
    if columns:
        words += ["--columns", ",".join(f"{r}={c}" for r, c in columns.items())]
    closing = [w for o in inferred.open for w in o.options]
    if options.measure and "--measure" not in closing:
        words += ["--measure", options.measure]
    if options.higher_is_better is not None and not {"--higher-is-better", "--lower-is-better"} & {
        *closing
    }:
        words.append("--higher-is-better" if options.higher_is_better else "--lower-is-better")
    if options.sampling is not None:
        words += ["--sampling", str(options.sampling)]
    if options.step:
        words += ["--step", options.step]
    for column, values in options.where.items():
        words += ["--where", f"{column}={';'.join(values)}"]
    return words + closing


def options_of(words: list[str]) -> Options:
    """The options that a command of these words has."""
    given: dict[str, Any] = {}
    where: list[str] = []
    at = 0
    while at < len(words):
        if words[at] in ("--higher-is-better", "--lower-is-better"):
            given["higher_is_better"] = words[at] == "--higher-is-better"
            at += 1
            continue
        name, value = words[at].removeprefix("--"), words[at + 1]
        if name == "where":
            where.append(value)
        else:
            given[name] = value
        at += 2
    step = given.pop("step", None)
    made = Options.checked(
        given.get("sampling"),
        given.get("measure"),
        given.get("higher_is_better"),
        given.get("columns"),
    )
    return replace(made, step=step, where=said_rows(where))


def _works(source: Source, words: list[str], attempt: Attempt, inferred: Inferred) -> bool:
    """Whether the command that is proposed is read without a question."""
    if inferred.judged:
        return len(source.paths) == 1
    try:
        results = attempt(options_of(words))
    except (PodiumError, ValueError, KeyError, TypeError):
        return False
    return len(results.algorithms) > 1 and is_enough(results)


def is_enough(results: Results) -> bool:
    """Whether it is known how the scores were made, so that a test can be chosen."""
    several = len(results.datasets) > 1 or results.runs["sample"].nunique() < 2
    return several or results.sampling is not None


def is_beyond(inferred: Inferred, loaded: Loaded) -> bool:
    """Whether nothing is open, and it is a layout that the reader of plain tables does not know."""
    told = inferred.traps or inferred.by_content or inferred.tells_more
    layout = bool(told or inferred.recipe.across or loaded.path or loaded.files > 1)
    return layout and not inferred.open and not inferred.judged


def is_other(
    results: Results, inferred: Inferred, loaded: Loaded, measure: str | None = None
) -> bool:
    """Whether a reading compares other algorithms than the inferred one, or costs alone."""
    columns = inferred.recipe.roles.get("algorithm", [])
    heads = inferred.recipe.across.get("columns", [])
    if inferred.recipe.across.get("role") == "algorithm" and not inferred.recipe.without:
        left = [a for a in results.algorithms if a not in heads and a in loaded.frame.columns]
        columns_left = [column_of(a, loaded.frame[a]) for a in left]
        scored = [column_of(h, loaded.frame[h]) for h in heads]
        whole = bool(left) and all(c.is_whole for c in columns_left)
        return whole or tell_of_others(columns_left, scored)
    values = {*inferred.recipe.roles.get("value", ())}
    costs = measure is None and all(map(is_resource, results.measures.values()))
    if values and costs and not values & {*results.measures}:
        return True  # beside a score that readers by names do not know
    if inferred.recipe.across or not columns or inferred.battles:
        return False
    parts = [texts(loaded.frame[c]) for c in columns if c in loaded.frame.columns]
    if len(parts) != 1:
        return False
    return not {*results.algorithms} <= {*parts[0]}
