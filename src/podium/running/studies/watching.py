"""A study that runs, as it may be watched: progress, failures, and of results what is no peeking.

With a stopping plan these are its looks, boundaries and what is decided; without one, and before
all runs are done, evidence that may be looked at any time. Never a p-value of a part of the runs.
"""

from __future__ import annotations

import os
import platform
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from podium.core.base.errors import PodiumError
from podium.core.base.formatting import aligned
from podium.core.base.progress import duration
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.numbers.boundaries import StoppingPlan, planned_looks
from podium.core.questions.measures import TIMES
from podium.core.results.results import Results
from podium.core.samplings import renamed
from podium.core.verdicts.standing import standing
from podium.core.verdicts.verbs import compare
from podium.core.verdicts.verdict import verdict
from podium.core.words.phrases import plain
from podium.core.words.saying import noted
from podium.reading.formats.stores import read_store
from podium.reading.store import is_blank
from podium.running.sequential.verbs import check_blocks
from podium.running.sequential.words import looks_shown, pairs_shown, runs_shown
from podium.running.studies.outcome import failure_lines

WAITING, RUNNING, STOPPED, COMPLETE = "waiting", "running", "stopped", "complete"
RECENT = 200  # runs by which the speed is known
LOOKS = 20
OF_PLAN = ("stopped", "raced", "look-by-hand")  # notes
_WRITER = re.compile(r"process (\d+) on (.*) since ")
Columns = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Seen:
    """What may be seen of the results: lines, and tables below their titles."""

    lines: tuple[str, ...]
    tables: Mapping[str, Columns]


@dataclass(frozen=True)
class Watched:
    """A study as it is now."""

    name: str
    state: str
    total: int
    done: int
    failed: int
    rate: float  # runs in a second
    failures: tuple[str, ...]
    seen: Seen

    @property
    def missing(self) -> int:
        """Runs that were not made yet."""
        return self.total - self.done - self.failed

    @property
    def left(self) -> float:
        """Seconds that the other runs take, as fast as the last ones were made; NaN if unknown."""
        return self.missing / self.rate if self.rate > 0 else float("nan")

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.state == COMPLETE

    def lines(self) -> list[str]:
        """Progress in words."""
        texts = [f"{self.done} of {self.total} runs done, {self.failed} failed."]
        if self.state == RUNNING and self.rate > 0:
            texts.append(f"{self.rate:.3g} runs per second; {_left(self.left)} left.")
        words = {
            WAITING: "The study has not begun.",
            RUNNING: "Running.",
            STOPPED: "Not running: podium run goes on where it stopped.",
            COMPLETE: "Complete.",
        }
        return [words[self.state], *texts]


def _left(seconds: float) -> str:
    return f"about {duration(seconds)}" if seconds == seconds else "an unknown time"


def watched(path: str | Path) -> Watched:
    """What a store tells of its study now; it is only read."""
    nothing = Seen(("No result yet.",), {})
    if not Path(path).exists() or is_blank(path):
        return Watched(Path(path).stem, WAITING, 0, 0, 0, 0.0, (), nothing)
    written = is_written(path)  # before it is read: who ends meanwhile has not stopped halfway
    try:
        results = read_store(path)
    except PodiumError:  # it was just made
        return Watched(Path(path).stem, WAITING, 0, 0, 0, 0.0, (), nothing)
    states = results.runs["status"].value_counts()
    done, failed = (int(states.get(name, 0)) for name in ("done", "failed"))
    state = RUNNING if written else STOPPED
    seen, over = _seen(results)
    if state == STOPPED and (over or done + failed == len(results.runs)):
        state = COMPLETE
    return Watched(
        results.name,
        state,
        len(results.runs),
        done,
        failed,
        _rate(results, state),
        tuple(failure_lines(results.failures, looks=results.stopping is not None)),
        seen,
    )


def is_written(path: str | Path) -> bool:
    """Whether a driver runs the study of a store, as far as the file beside the store tells."""
    writer = Path(path).with_name(f"{Path(path).name}-writer")
    try:
        who = _WRITER.match(writer.read_text(encoding="utf-8"))
    except OSError:
        return False
    if who is None or who[2] != platform.node():
        return True  # on another machine: nobody can tell here
    try:
        os.kill(int(who[1]), 0)
    except ProcessLookupError:  # it was killed, and the file stayed
        return False
    except OSError:
        return True
    return True


def _rate(results: Results, state: str) -> float:
    """Runs in a second, by those that were made last."""
    times = results.runs["finished"].dropna().sort_values().tail(RECENT)
    if state != RUNNING or len(times) < 2:
        return 0.0
    seconds = (times.iloc[-1] - times.iloc[0]).total_seconds()
    since = time.time() - times.iloc[0].timestamp()
    return float((len(times) - 1) / max(seconds, since if since < 2 * seconds else seconds, 1e-3))


# -- what may be seen -----------------------------------------------------------------------------


def _seen(results: Results) -> tuple[Seen, bool]:
    """What may be seen of results, and whether a plan came to its end."""
    try:
        if results.stopping is not None:
            return _by_plan(results)
        whole = bool((results.runs["status"] != "missing").all())
        return (_whole(results) if whole else _anytime(results)), whole
    except PodiumError as error:
        return Seen((str(error),), {}), False


def _by_plan(results: Results) -> tuple[Seen, bool]:
    """The looks that were taken, the boundaries, and what is decided."""
    comparisons = compare(results)
    facts = comparisons.extras.sequential
    assert facts is not None
    noun = comparisons.blocks.noun
    tables: dict[str, Columns] = {"Looks and boundaries": looks_shown(facts, noun)}
    if comparisons.is_race:
        tables["What was run"] = runs_shown(facts, noun)
    elif facts.courses:
        tables["Comparisons at the last look"] = pairs_shown(facts, noun)
    lines = [noted(note) for note in comparisons.warnings if note.code in OF_PLAN]
    if facts.over:
        lines.insert(0, _headline(comparisons))
    elif not facts.taken:
        lines.append(f"The first look is at {facts.looks[0]} {noun}.")
    return Seen(tuple(lines), tables), facts.over


def _whole(results: Results) -> Seen:
    comparisons = compare(results)
    return Seen((_headline(comparisons),), {"Comparisons": _pairs(comparisons)})


def _headline(comparisons: Comparisons) -> str:
    return plain(verdict(comparisons, standing(comparisons)))


def _anytime(results: Results) -> Seen:
    """Evidence of the open plan, which holds at any time."""
    sampling = renamed(results.sampling) if results.sampling is not None else None
    if sampling is None:
        return Seen(("Results are shown when all runs are done.",), {})
    check_blocks(len(results.algorithms), len(results.datasets), sampling)
    plan = open_plan(results)
    comparisons = compare(replace(results, stopping=plan.to_dict()))
    facts = comparisons.extras.sequential
    assert facts is not None
    noun = comparisons.blocks.noun
    if not facts.taken:
        return Seen(
            (f"Results are shown from {plan.looks[0]} {noun} on that all algorithms have.",), {}
        )
    line = (
        f"Anytime-valid intervals after {facts.stopped_at} of {plan.budget} {noun}: they hold "
        "however often one looks, and are wider than those of the finished study."
    )
    return Seen((line,), {"Comparisons so far": _pairs(comparisons)})


def open_plan(results: Results) -> StoppingPlan:
    """The plan without a budget by which a study that has none may be looked at."""
    few = len(results.datasets) > 1
    measure = next(name for name in results.measures if name not in TIMES)
    folds = None if results.sampling is None else results.sampling.folds_per_repeat
    samples = int(results.runs["sample"].max()) // (folds or 1)
    budget = len(results.datasets) if few else samples
    looks = planned_looks(budget, LOOKS, few, open=True)
    return StoppingPlan(
        tuple(results.algorithms), measure, budget, looks, open=True, few=few, bounds=None
    )


def _pairs(comparisons: Comparisons) -> dict[str, list[str]]:
    """Estimates with limits and verdicts, as texts; no p-value."""
    table = comparisons.table
    widths = (table["upper"] - table["lower"]).to_numpy(float)
    finite = widths[np.isfinite(widths) & (widths > 0)]
    unit = float(finite.min()) / 4 if len(finite) else 1.0
    texts = {c: aligned(table[c].tolist(), unit, 2) for c in ("estimate", "lower", "upper")}
    limits = [
        f"{low} to {high}" if known else ""
        for low, high, known in zip(
            texts["lower"], texts["upper"], np.isfinite(widths).tolist(), strict=True
        )
    ]
    words = {"undecided": "inconclusive", "withheld": "inconclusive"}
    return {
        "first": [str(name) for name in table["first"]],
        "second": [str(name) for name in table["second"]],
        "difference": texts["estimate"],
        f"{100 * (1 - comparisons.alpha):g} % CI": limits,
        "first is": [words.get(v, v) for v in table["verdict"]],
    }
