"""What `podium run` says at its end: how it went, the scores on one screen, and what is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from podium.core.base.formatting import (
    aligned,
    cells,
    columns,
    listed,
    natural,
    screen,
    shortened,
    wrapped,
)
from podium.core.base.progress import duration
from podium.core.results.weights import CODES
from podium.core.words.phrases import counted, is_are, times, was_were
from podium.core.words.saying import say as in_words
from podium.showing.terminal.saying import say

if TYPE_CHECKING:
    from podium.core.results.results import Results
    from podium.running.execution.runner import Outcome


# -- words --------------------------------------------------------------------------------------
# What is said when a study has run, on the command line as in Python.


MOST_REASONS = 10  # different failures that are shown
STATES = ("ChangedState", "KeptState")  # names of warnings that say what to do


def failure_lines(failures: pd.DataFrame, *, looks: bool) -> list[str]:
    """How many runs failed, and the reasons, each once, with a hint where there is one.

    `looks`: of a study that may stop.
    """
    if failures.empty:
        return []
    again = f"{'it is' if len(failures) == 1 else 'they are'} tried again by the next call"
    if looks:
        again = "those that a look has used stay missing, all others are tried again"
    lines = [f"{counted(len(failures), 'run')} failed; {again}."]
    reasons = list(
        failures.groupby(["dataset", "algorithm", "exception", "message"], observed=True)
    )
    reasons.sort(key=lambda reason: [natural(str(part)) for part in reason[0]])
    for (dataset, algorithm, kind, message), rows in reasons[:MOST_REASONS]:
        first = message.splitlines()[0] if message else ""
        lines.append(f"  {algorithm} on {dataset}: {kind}: {first} ({times(len(rows))})")
    if len(reasons) > MOST_REASONS:
        lines.append(f"  and {len(reasons) - MOST_REASONS} more kinds of failure")
    text = " ".join(failures["message"])
    if "could not convert string to float" in text or "contains NaN" in text:
        lines.append("  With preprocess = true an algorithm takes nominal and missing attributes.")
    return lines


def changed_code_line(name: str, files: Sequence[str], done: int) -> str:
    """What has changed of an algorithm's code, and what follows."""
    them = "it is" if done == 1 else "they are"
    was = "was" if done == 1 else "were"
    return (
        f"{listed(files, 5)} changed since {counted(done, 'run')} of '{name}' {was} made: {them} "
        "run again."
    )


class ChangedData(NamedTuple):
    """Runs that were made with a data set as it was, and its rows then and now, where known."""

    runs: int
    rows: int | None
    rows_now: int | None


def changed_data_line(changed: Mapping[str, ChangedData]) -> str:
    """Which data sets are not what they were, and what follows."""
    done = sum(each.runs for each in changed.values())
    runs = f"since {counted(done, 'run')} {was_were(done)} made"
    again = f"{'it is' if done == 1 else 'they are'} run again."
    if len(changed) > 1:
        names = listed([f"'{name}'" for name in changed], 5)
        return f"The data sets {names} changed {runs} with them: {again}"
    ((name, (_, before, now)),) = changed.items()
    rows = f" ({before} rows, now {now})" if before and now and before != now else ""
    return f"The data set '{name}' changed{rows} {runs} with it: {again}"


def changed_measure_line(name: str, done: int) -> str:
    """That a measure computes something else, and what follows."""
    again = f"{'it is' if done == 1 else 'they are'} run again."
    return (
        f"The measure '{name}' changed since {counted(done, 'run')} {was_were(done)} made: {again}"
    )


def changed_weights_line(lacking: Sequence[str], done: int) -> str:
    """That runs learned by weights, or from other rows, and what follows."""
    return (
        f"{listed([*lacking], 5)} {'takes' if len(lacking) == 1 else 'take'} no weights, so all "
        f"algorithms learn from the same rows, drawn in proportion to them: {counted(done, 'run')} "
        f"made otherwise {is_are(done)} run again."
    )


def unknown_code_line(name: str, done: int) -> str:
    """That runs count though nobody noted their code."""
    was = "was" if done == 1 else "were"
    return (
        f"{counted(done, 'run')} of '{name}' {was} made by a version of Podium that did not look "
        "at its code: done, as the code is now. When it changes, they are run again."
    )


def unread_code_line(name: str) -> str:
    """That a change would go unnoticed."""
    return (
        f"The code of '{name}' cannot be read, so that a change of it goes unnoticed: put it into "
        "a file that is imported."
    )


def state_lines(warned: pd.DataFrame) -> list[str]:
    """Which algorithms changed what others rely on, or keep something between runs."""
    message = warned[warned["category"].isin(STATES)]
    groups = message.groupby(["algorithm", "message"], observed=True)["count"].sum()
    return [f"{a}: {text} ({times(n)})." for (a, text), n in list(groups.items())[:MOST_REASONS]]


# -- outcomes -----------------------------------------------------------------------------------


MOST_ROWS = 20  # algorithms that are listed
WIDEST_NAME = 24
BEST = "*"


def say_outcome(outcome: Outcome, results: Results, path: Path) -> None:
    """How many runs there were and failed, where scores are, their means, and what to type next."""
    from podium.showing.screens.standings import coloured

    before = f"{outcome.done_before} were done before" if outcome.done_before else ""
    ran = f"{outcome.ran} runs in {duration(outcome.seconds)}" if outcome.ran else "Nothing to run"
    failed = f"{outcome.failed} failed" if outcome.failed else ""
    text = "; ".join(filter(None, [ran, failed, before]))
    say(f"{coloured(text, bold=True)}. Scores are in '{path}'.\n")
    say_weights(results)
    say_means(results, path)
    _say_next(outcome, path)


def say_weights(results: Results) -> None:
    """How algorithms were given the weights of a sampling that has them."""
    for note in results.notes:
        if note.code in CODES:
            say(wrapped(in_words(note), screen(), "  ") + "\n")


def say_means(results: Results, path: Path) -> None:
    """The means of the first measure on at most a screen, and how to see more."""
    if not len(results.scores):
        return
    say_table_of_means(results)
    others = list(results.measures)[1:]
    if others or len(results.algorithms) > MOST_ROWS or len(results.datasets) > 1:
        also = f" and of {', '.join(others[:3])}{' ...' * (len(others) > 3)}" if others else ""
        say(f"  podium store summary {path} --all  sds, medians, failures{also}")


def say_table_of_means(results: Results) -> None:
    """The means of the first measure on at most a screen."""

    name = next(iter(results.measures))
    measure = results.measure(name)
    means = _means(results, name)
    say(f"  mean {name}, {measure.direction} is better")
    width = screen()
    lines = _cell_by_cell(means, width, higher=measure.higher_is_better)
    if lines is None:
        lines = _over_all(means, width, higher=measure.higher_is_better)
    for line in lines:
        say(line)
    say()
    say(f"  {BEST} the best; a difference of means alone is no evidence.")


def _means(results: Results, measure: str) -> pd.DataFrame:
    """Algorithms x data sets, as the study lists them."""
    table = results.scores[results.scores["measure"] == measure]
    cells = table.groupby(["algorithm", "dataset"], observed=True, sort=False)["value"].mean()
    return cells.unstack().reindex(index=results.algorithms, columns=results.datasets)


def _cell_by_cell(means: pd.DataFrame, width: int, *, higher: bool) -> list[str] | None:
    """Every mean: a column per data set or, where only that fits, a row; None where none does."""

    texts = {name: _marked(means[name].tolist(), higher=higher) for name in means.columns}
    algorithms = shortened([str(name) for name in means.index], WIDEST_NAME)
    datasets = shortened([str(name) for name in means.columns], WIDEST_NAME)
    upright = {"": [*algorithms.values()]} | {datasets[str(d)]: texts[d] for d in means.columns}
    across = {"": [*datasets.values()]} | {
        algorithms[str(a)]: [texts[d][i] for d in means.columns] for i, a in enumerate(means.index)
    }
    for table in (upright, across):
        lines = _lines(table)
        if len(lines) <= MOST_ROWS + 1 and max(map(_cells, lines)) <= width:
            return lines
    return None


def _marked(values: Sequence[float], *, higher: bool) -> list[str]:
    """Numbers, with a mark behind the best."""

    least = min((abs(v) for v in values if v and v == v), default=1.0)
    best = _best(values, higher=higher)
    texts = aligned(values, least, digits=3)
    return [t + (BEST if i in best else " ") for i, t in enumerate(texts)]


def _over_all(means: pd.DataFrame, width: int, *, higher: bool) -> list[str]:
    """Of many data sets: on how many each algorithm has the best mean, and its mean rank."""

    ranks = means.rank(ascending=not higher)
    wins = (ranks == ranks.min()).sum(axis=1)
    mean_rank = ranks.mean(axis=1)
    order = mean_rank.sort_values(kind="stable").index[:MOST_ROWS]
    table = {
        "": list(shortened([str(name) for name in order], max(width - 40, 12)).values()),
        f"best on (of {len(means.columns)})": [str(int(wins[name])) for name in order],
        "mean rank": _marked([float(mean_rank[name]) for name in order], higher=False),
        "data sets": [str(int(means.loc[name].notna().sum())) for name in order],
    }
    lines = _lines(table)
    if more := len(means) - len(order):
        lines.append(f"  ... and {more} more {'algorithm' if more == 1 else 'algorithms'}")
    return lines


def _best(values: Sequence[float], *, higher: bool) -> set[int]:
    known = [v for v in values if v == v]
    best = (max(known) if higher else min(known)) if known else None
    return {i for i, v in enumerate(values) if v == best}


def _lines(table: dict[str, list[str]]) -> list[str]:

    return columns(table, left=list(table)[:1], indent="  ").split("\n")


def _cells(text: str) -> int:

    return cells(text)


def _say_next(outcome: Outcome, path: Path) -> None:
    """The commands to type now."""
    from podium.showing.screens.standings import coloured

    steps = {
        f"podium analyze {path}": "who is better, and may we say so",
        f"podium report {path}": "the same as a page",
    }
    if outcome.failed:
        steps[f"podium status {path} --failures"] = "why runs failed"
    wide = max(map(len, steps))
    say()
    for i, (command, what) in enumerate(steps.items()):
        label = coloured("Next", bold=True) if not i else "    "
        say(
            f"  {label}   {coloured(f'{command:<{wide}}', lead=True)}   {coloured(what, soft=True)}"
        )
