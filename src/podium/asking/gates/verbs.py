"""The gate of continuous integration: from two sources to a decision."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from podium.asking.gates.decisions import ALL, ANY, IMPROVE, KEEP, Decision, Part
from podium.asking.gates.gates import (
    Candidate,
    Candidates,
    Gate,
    Margin,
    named_candidates,
    others,
    together,
)
from podium.asking.gates.judging import judged
from podium.asking.gates.sides import Sides, chosen_rows, read_sides
from podium.core.base import rooms
from podium.core.base.errors import InferenceError, ResultsError
from podium.core.base.options import takes
from podium.core.base.registry import unknown
from podium.core.inference.numbers import tails
from podium.core.results.measure_names import asked_measures, known_measure
from podium.core.words.facts import Note
from podium.reading.cells.vocabulary import Options, role_of
from podium.reading.formats import read
from podium.reading.formats.gathering import checked_step, shown
from podium.reading.formats.record import Source

# -- deciding -------------------------------------------------------------------------------------
# From two sources and what is asked of their measures to a decision.


POWER = 0.8


@dataclass(frozen=True)
class Goals:
    """What is asked: margins of what must be kept, and what shall improve.

    `improve` has a group for every claim: of several measures in a group one is enough.
    """

    margins: Mapping[str, Margin]
    improve: tuple[tuple[str, ...], ...]

    @property
    def measures(self) -> list[tuple[str, tuple[str, ...]]]:
        """All measures that are asked about, each with the group of which one is enough."""
        kept: list[tuple[str, tuple[str, ...]]] = [(name, ()) for name in self.margins]
        return kept + [(name, group if len(group) > 1 else ()) for group in self.improve
                       for name in group]  # fmt: skip


def read_goals(margin: Any, improve: Any, measure: str | None) -> Goals | Margin | None:
    """What a caller says; a margin of no name is of the one measure, as ever."""
    margins, plain = _margins(margin)
    groups = _improve(improve)
    names = [name for group in groups for name in group]
    if plain is not None and (margins or names):
        if measure is None or measure in margins:
            raise InferenceError(
                f"Of which measure is the margin {plain}? Say it with its name, as in --margin "
                f"accuracy={plain} (margin={{'accuracy': {plain!r}}})."
            )
        margins[measure], plain = Margin.read(plain), None
    if names and not margins:
        raise InferenceError(
            f"What may not get worse while {names[0]} improves? Say it with a margin, as in "
            f"--margin accuracy=0.01 --improve {names[0]}."
        )
    if not margins:
        return None if plain is None else Margin.read(plain)
    if both := [name for name in names if name in margins]:
        raise InferenceError(
            f"'{both[0]}' has a margin and shall improve: whatever improves is kept, so leave its "
            "margin out."
        )
    return Goals(margins, groups)


def _margins(text: Any) -> tuple[dict[str, Margin], Any]:
    if text is None:
        return {}, None
    if isinstance(text, Mapping):
        return {str(name): Margin.read(value) for name, value in text.items()}, None
    parts = [text] if isinstance(text, (str, int, float)) else list(text)
    parts = [p for part in parts for p in (part.split(",") if isinstance(part, str) else [part])]
    by_name: dict[str, Margin] = {}
    plain: list[Any] = []
    for part in parts:
        name, sign, value = str(part).rpartition("=")
        if not sign:
            plain.append(part)
        elif name.strip() in by_name:
            raise InferenceError(f"There are two margins of '{name.strip()}'; say one.")
        elif value.strip().rstrip("%").strip("0.") == "" and value.strip():
            raise InferenceError(
                f"A margin of 0 in {name.strip()} asks that it gets better: use --improve "
                f"{name.strip()} instead."
            )
        else:
            by_name[name.strip()] = Margin.read(value)
    if len(plain) > 1:
        raise InferenceError("Several margins need names, as in --margin accuracy=0.01.")
    return by_name, plain[0] if plain else None


def _improve(wording: Any) -> tuple[tuple[str, ...], ...]:
    """What shall improve: every measure by itself, or one of a group (`any:cost,tokens`)."""
    parts: Iterable[str] = [wording] if isinstance(wording, str) else (wording or ())
    groups: list[tuple[str, ...]] = []
    for part in parts:
        start, sign, rest = part.partition(":")
        kind = start.strip().lower() if sign else ""
        text = rest if kind in (ALL, ANY) else part
        names = tuple(name.strip() for name in text.split(",") if name.strip())
        if not names:
            raise InferenceError(
                f"'{part}' names nothing that shall improve: name a measure, as in --improve cost."
            )
        if inner := [n for n in names if n.lower().startswith((f"{ANY}:", f"{ALL}:"))]:
            raise InferenceError(
                f"'{inner[0]}' stands inside '{part}': say each group by itself, as in --improve "
                "any:cost,tokens --improve latency."
            )
        groups += [names] if kind == ANY else [(name,) for name in names]
    names = tuple(name for group in groups for name in group)
    if twice := [name for name in names if names.count(name) > 1]:
        raise InferenceError(f"'{twice[0]}' is named twice; name each measure once.")
    return tuple(groups)


def decided(
    old: Any,
    new: Any,
    reading: Options,
    goals: Goals,
    *,
    algorithm: str | tuple[str | None, str | None] | None = None,
    procedure: str | None = None,
    alpha: float = 0.05,
    gaps: str | None = None,
) -> Decision:
    """Every measure read and judged by itself, and the one decision."""
    judgements: list[tuple[Mapping[str, Any], Gate, Margin | None, tuple[str, ...], bool]] = []
    notes: dict[str, Note] = {}
    sides: Sides | None = None
    others: set[str] = set()
    for name, group in goals.measures:
        sides = _sides(old, new, reading, name, algorithm)
        others |= _shared_measures(old, new, sides)
        margin = goals.margins.get(name)
        judgement = judged(
            sides,
            margin=margin,
            measure=asked_measures(name)[0].name,
            procedure=procedure,
            alpha=alpha / max(len(group), 1),
            gaps=gaps,
            together=True,
        )
        group = tuple(asked_measures(one)[0].name for one in group)
        judgements += [
            (row, judgement, margin, group, _is_constant(sides, row["measure"], row["benchmark"]))
            for row in judgement.table.to_dict("records")
        ]
        for note in judgement.notes:
            notes.setdefault(note.code, note)
    assert sides is not None
    left = tuple(sorted(others - {asked_measures(name)[0].name for name, _ in goals.measures}))
    guarded = [Note("not-guarded", measures=left)] if left else []
    worse = alpha / len(judgements)  # that something got worse is another claim, of any part
    parts = tuple(_part(*each, worse) for each in judgements)
    return Decision(parts, alpha, sides.sources, sides.algorithms, (*notes.values(), *guarded))


def _sides(
    old: Any,
    new: Any,
    reading: Options,
    name: str,
    algorithm: str | tuple[str | None, str | None] | None,
) -> Sides:
    """Both sources, read for one measure."""
    (request,) = asked_measures(name)
    higher, column = request.higher_is_better, request.name in Source(old).columns
    if higher is None and column and known_measure(request.name) is None:
        raise ResultsError(
            f"Whether higher or lower values of '{request.name}' are better is not known. Say it "
            f"behind the name: --improve {request.name}=lower, or --margin {request.name}=lower=0.1"
            " (or =higher)."
        )
    options = replace(reading, measure=request.name, higher_is_better=higher)
    lacks = [each for each in (old, new) if not _may_have(each, request.name)]
    if len(lacks) == 1:
        there = Source(lacks[0])
        raise ResultsError(
            f"{shown(there)} has no '{request.name}', and the other one has: add it, or leave "
            f"'{request.name}' out of --margin and --improve."
        )
    sides = read_sides(old, new, options, algorithm)
    if request.name not in sides.results.measures:
        raise ResultsError(
            unknown("measure of both files", request.name, [*sides.results.measures])
        )
    return sides


def _may_have(given: Any, measure: str) -> bool:
    """Whether a table may have a measure: columns of scores with names of their own tell it."""
    columns = Source(given).columns
    measures = [c for c in columns if known_measure(c) is not None]
    return not measures or measure in columns or any(role_of(c) == "measure" for c in columns)


def _shared_measures(old: Any, new: Any, sides: Sides) -> set[str]:
    """All measures that both hold: those that were read, and columns that are called like one."""
    shared = {*Source(old).columns} & {*Source(new).columns}
    names = {name for name in shared if known_measure(name) is not None}
    return {*sides.results.measures} | names


def _is_constant(sides: Sides, measure: str, benchmark: str) -> bool:
    """Whether nothing of both varies, as of a list price: then it is known, and not estimated."""
    result = sides.results.measures[measure]
    if math.isfinite(result.bounds[1]) or measure in sides.results.predictions.linearised:
        return False
    scores = sides.results.values(measure)
    own = scores[scores["dataset"] == benchmark] if benchmark else scores
    return bool((own.groupby("algorithm", observed=True)["value"].nunique() == 1).all())


def _part(
    row: Mapping[str, Any],
    gate: Gate,
    margin: Margin | None,
    group: tuple[str, ...],
    is_known: bool,
    worse: float,
) -> Part:
    """A row of a gate as a part, judged at the gate's level; a loss is shown at the level worse."""
    role = IMPROVE if margin is None else KEEP
    p, p_worse = row["p_better"] if margin is None else row["p_margin"], row["p_worse"]
    if is_known:
        gain = (1 if gate.higher_is_better else -1) * (row["new"] - row["old"])
        p, p_worse = float(gain + (row["margin"] if margin else 0.0) <= 0), float(gain >= 0)
    ratio = gate.ratios.get(row["benchmark"]) if role == IMPROVE else None
    return Part(
        measure=row["measure"],
        role=role,
        benchmark="" if gate.joint or len(gate.table) == 1 else row["benchmark"],
        higher_is_better=gate.higher_is_better,
        blocks=row["blocks"],
        noun=gate.block,
        old=row["old"],
        new=row["new"],
        difference=row["difference"],
        limits=(row["lower"], row["upper"]),
        margin=None if margin is None else row["margin"],
        margin_text="" if margin is None else margin.text,
        ratio=ratio,
        p=1.0 if math.isnan(p) else p,
        p_worse=p_worse,
        procedure=row["procedure"],
        shown=bool(p <= gate.alpha),
        is_worse=bool(p_worse <= worse),
        needed=_needed(row, gate.higher_is_better, margin is not None, gate.alpha),
        any_of=group,
    )


def _needed(row: Mapping[str, Any], higher: bool, kept: bool, alpha: float) -> int | None:
    """Blocks that would show it with a power of 80 %: no loss within the margin, or this gain.

    The standard error is that of the limit; it falls with the square root of the blocks.
    """
    sign = 1 if higher else -1
    gain = sign * row["difference"]
    limit = sign * (row["lower"] if higher else row["upper"])
    size = row["margin"] if kept else gain
    if not math.isfinite(gain - limit) or gain <= limit or not size > 0:
        return None
    n = row["blocks"]
    error = (gain - limit) / float(tails.t_isf(alpha, n - 1))
    normal = float(tails.t_isf(alpha, np.inf) + tails.t_isf(1 - POWER, np.inf))
    return math.ceil(n * (normal * error / size) ** 2 - 1e-9)


# -- the gate of continuous integration -----------------------------------------------------------
# Is the new one worse?


@takes("reading", "control", "alpha", "gaps", but={"gaps": None})
def gate(
    old: Any,
    new: Any = None,
    *,
    margin: float | str | Sequence[str] | Mapping[str, float | str] | None = None,
    improve: str | Sequence[str] | None = None,
    algorithm: str | None = None,
    procedure: str | None = None,
    ledger: str | Path | None = None,
    **options: Any,
) -> Gate | Decision | Candidates:
    """Whether the new one is worse than the old one, on every benchmark that both have.

    Items (samples, folds, data sets) that both name are paired; runs, seeds and timings are not.
    Without a margin only a loss can be shown; with one also that there is none as large as that.

    Parameters
    ----------
    old, new : a file or folder of any format that `read` knows, a list of them, a frame, or scores
        Scores by item (`{"q1": 1, "q2": 0}`), lists of them by benchmark (`{"sort": [0.31,
        0.33]}`), or one list. Several new ones by their names (`{"mini": "mini.csv"}`) are
        candidates of which one may ship; a chance to be wrong is shared among them. Without a new
        one, all others in the old file are candidates, and `control` names the old version.
    margin : float | str | None
        The loss that still counts as not worse: in the measure's unit, or `"5%"` of the old mean.
        Of several measures by name: `{"accuracy": 0.01, "latency": "5%"}`.
    improve : str | sequence of str | None
        Measures that must be better, beside those with margins; `"any:cost,tokens"` where one of
        them is enough. The direction of one that nobody knows stands behind it: `"depth=lower"`.
    algorithm : str | None
        The one that is meant, where a source has scores of several.
    procedure : str | None
        A name from `podium list tests`; without one the design decides.
    ledger : str | Path | None
        A file that counts questions: half of the items, drawn by lot, are sealed and answer only
        where the others pass, so that hundreds of tries against one test set err in alpha at most.

    Returns
    -------
    Gate, a Decision on several measures, or Candidates
        `.verdict`, and `.status`: 0 (not worse, or nothing shown), 3 (worse) or 4 (undecided); of
        several measures 0 (ship), 3 (no) or 4 (not yet).

    Examples
    --------
    >>> right = {f"q{i}": 1.0 for i in range(100)}
    >>> gate(right, right | {f"q{i}": 0.0 for i in range(9)}, measure="accuracy").verdict
    'worse'
    """
    alpha, gaps, step, control = (options.pop(n) for n in ("alpha", "gaps", "step", "control"))
    rows = {name: options.pop(name) for name in ("where", "recipe")}
    if any(rows.values()):
        old, new, options["sampling"] = chosen_rows(old, new, {**options, **rows, "step": step})
        options["columns"] = step = None
    measure = options["measure"]
    goals = read_goals(margin, improve, measure)
    reading = replace(Options.checked(**options), step=checked_step(step))
    if (several := _candidates(old, new, control, algorithm, options)) is not None:
        return _of_candidates(
            old, several, reading, goals, ledger=ledger, procedure=procedure, alpha=alpha, gaps=gaps
        )
    if isinstance(goals, Goals):
        if ledger is not None:
            raise ResultsError(
                "--ledger is for one measure: choose it by --measure, and leave --improve out."
            )
        return decided(old, new, reading, goals, algorithm=algorithm, procedure=procedure,
                       alpha=alpha, gaps=gaps)  # fmt: skip
    sides = read_sides(old, new, reading, algorithm)
    chosen = measure if measure in sides.results.measures else None
    requests: dict[str, Any] = {"margin": goals, "measure": chosen, "procedure": procedure}
    if ledger is not None:
        gated = rooms.required("gate with a ledger")
        with_it: Gate = gated(sides, Path(ledger), alpha=alpha, gaps=gaps, **requests)
        return with_it
    judgement = judged(sides, alpha=alpha, gaps=gaps, **requests)
    before = rooms.offered("earlier questions of a gate")
    note = None if before is None else before(sides)
    return judgement if note is None else replace(judgement, notes=(*judgement.notes, note))


# -- several candidates ---------------------------------------------------------------------------


def _candidates(
    old: Any, new: Any, control: str | None, algorithm: str | None, options: Mapping[str, Any]
) -> list[Candidate] | None:
    """Those that may replace the old one; None where there is one new source."""
    if control is None and new is None:
        raise ResultsError(
            "What is new? Give it as in podium gate OLD NEW. Where one file has all versions, name "
            "the old one: podium gate FILE --control OLD."
        )
    if control is None:
        return named_candidates(new, algorithm)
    if new is not None or algorithm is not None:
        raise ResultsError(
            "--control names the old version among all that are given: leave "
            f"{'--algorithm' if new is None else 'the second source'} out, or --control."
        )
    known = {name: value for name, value in options.items() if value not in (None, ())}
    return others(old, read(old, **known).algorithms, control)


def _of_candidates(
    old: Any,
    several: Sequence[Candidate],
    reading: Options,
    goals: Goals | Margin | None,
    *,
    ledger: Any,
    alpha: float,
    **judging: Any,
) -> Candidates:
    """Every candidate against the old one, at a share of the level."""
    if ledger is not None:
        raise ResultsError("--ledger is for one new version: ask about one candidate at a time.")
    if not isinstance(goals, Goals):
        given = "0.01" if goals is None else f"{goals}"
        raise InferenceError(
            "What may a candidate lose? Say it with the measure's name, as in --margin "
            f"accuracy={given}."
        )
    level = alpha / len(several)
    made = {
        each.name: decided(
            old, each.given, reading, goals, algorithm=each.algorithms, alpha=level, **judging
        )
        for each in several
    }
    return together(made, alpha)
