"""Running studies, what is done with their stores, and the plans and code that stores keep."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from podium.core.base.errors import (
    RUN,
    DesignError,
    IllegalProcedure,
    PodiumError,
    UnknownName,
    require,
    require_extra,
)
from podium.core.base.options import takes
from podium.core.base.progress import run_progress
from podium.core.base.writing import check_writable, replacing
from podium.core.inference.comparing.arranging import suited
from podium.core.inference.comparing.compare import compare
from podium.core.inference.comparing.known import procedure_named
from podium.core.inference.procedures.procedure import Options
from podium.core.questions.options import AnalysisPlan
from podium.core.results.results import Results
from podium.core.results.weights import ROWS
from podium.reading.formats import read
from podium.reading.formats.stores import read_store
from podium.reading.store import Store, is_blank
from podium.reading.store.merge import merge as merge_stores
from podium.reading.store.store import registration
from podium.running.design.learners.algorithms import Algorithm
from podium.running.design.learners.own_code import UNREADABLE
from podium.running.design.measuring.scoring import Computed
from podium.running.design.samples.sampler import indices_table
from podium.running.design.study import Study
from podium.running.design.studyfile import load_study
from podium.running.execution.predictions import rescore
from podium.running.execution.runner import Outcome, execute, stored_measures
from podium.running.sequential.verbs import Rule, planned_rule
from podium.running.sequential.verbs import until as until_of
from podium.running.studies.outcome import (
    ChangedData,
    changed_code_line,
    changed_data_line,
    changed_measure_line,
    changed_weights_line,
    failure_lines,
    state_lines,
    unknown_code_line,
    unread_code_line,
)

# -- kept plans -----------------------------------------------------------------------------------
# The plan of a study that is about to be registered or run, as its store keeps it.


REHEARSED = 4  # algorithms, and data sets, of a rehearsal


def registered(study: Study, path: str | Path) -> dict[str, Any] | None:
    """What a store is to keep of the plans of a study; None where there is none."""
    if study.analysis is not None and study.analysis.procedure is not None:
        _check_procedure(study.analysis.procedure)
    if study.analysis is not None:
        _check_possible(study, study.analysis)
    if (rule := planned_rule(study)) is not None:
        rule.plan(study)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return registration(path, study.definition, study.analysis, now)


def _check_procedure(name: str) -> None:
    try:
        procedure_named(name)
    except PodiumError as error:
        raise UnknownName(f"[analysis], procedure: {error}") from None


def _check_possible(study: Study, plan: AnalysisPlan) -> None:
    """Refuse a target or a procedure that the design does not allow: rehearsed with random scores.

    Whatever else goes wrong in a rehearsal is no reason to refuse a plan.
    """
    request = plan.target is not None or plan.procedure is not None
    halved = plan.procedure is not None and procedure_named(plan.procedure).needs.halves
    if not request or halved or plan.sequential is not None:
        return
    try:
        results = read(_rehearsal(study), sampling=str(study.sampling), higher_is_better=True)
        made = suited(results, plan.procedure, target=plan.target)
        compare(made, Options.said(procedure=plan.procedure))
    except IllegalProcedure as error:
        raise DesignError(f"[analysis] cannot be carried out: {error.refusal}") from None
    except PodiumError:
        return


def _rehearsal(study: Study) -> pd.DataFrame:
    """A table of the study's shape, with some of its data sets and algorithms."""
    samples = dict(list(study.definition["samples"].items())[:REHEARSED])
    algorithms = list(study.definition["algorithms"])[:REHEARSED]
    rows = [(d, a, i) for d, n in samples.items() for a in algorithms for i in range(1, n + 1)]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample"])
    return frame.assign(score=np.random.default_rng(0).random(len(frame)))


# -- kept code ------------------------------------------------------------------------------------
# The code of algorithms, as a store knows it and as it is now.


_DEFINED = "SELECT definition FROM algorithms WHERE name = ? AND fingerprint = ?"
_DONE = """SELECT count(DISTINCT key) FROM runs JOIN algorithms ON algorithms.id = runs.algorithm
           WHERE name = ? AND fingerprint = ? AND failed = 0"""


def with_kept_code(study: Study, path: str | Path) -> tuple[Study, list[str]]:
    """The study with its algorithms as the store names them, and what changed since its runs.

    That is said of code, data, measures and the way to learn. Stores of earlier versions know
    nothing of code. Their runs count as done, and the code of now is noted as theirs: when it
    changes, they are run again.
    """
    coded = [a for a in study.algorithms if a.code]
    lines = [unread_code_line(a.name) for a in coded if UNREADABLE in a.code.values()]
    if is_blank(path):
        return study, lines
    uncoded = []
    with Store(path, readonly=True) as store:
        sessions = store.definitions()[::-1]
        lines += _list_changes(store, sessions, study)
        for a in coded:
            last = next((s for s in sessions if a.name in s["algorithms"]), None)
            if last is None or last["algorithms"][a.name] == a.fingerprint:
                continue
            kept = last["algorithms"][a.name]
            before = _code_before(store, a, last, kept)
            done = int(store.rows(_DONE, (a.name, kept))[0][0])
            if before is None:
                continue  # the algorithm itself is another one
            if before == a.code or before == {}:
                uncoded.append(a.name)
            if before == {} and done:
                lines.append(unknown_code_line(a.name, done))
            if before not in ({}, a.code) and done:
                files = [f for f in before.keys() | a.code if before.get(f) != a.code.get(f)]
                lines.append(changed_code_line(a.name, sorted(files), done))
    return (study.uncoded(uncoded) if uncoded else study), lines


_DONE_WITH = """SELECT count(DISTINCT key) FROM runs JOIN datasets ON datasets.id = runs.dataset
                WHERE name = ? AND fingerprint = ? AND failed = 0"""
_ROWS = "SELECT facts FROM datasets WHERE name = ? AND fingerprint = ?"


def _list_changes(
    store: Store, sessions: Sequence[Mapping[str, Any]], study: Study
) -> Iterator[str]:
    """What runs of the store are run again for, beside code; the last session comes first."""
    changed: dict[str, ChangedData] = {}
    for data in study.datasets:
        last = next((s for s in sessions if data.name in s["datasets"]), None)
        if last is None or last["datasets"][data.name] == data.fingerprint:
            continue
        before = (data.name, last["datasets"][data.name])
        done = int(store.rows(_DONE_WITH, before)[0][0])
        again = int(store.rows(_DONE_WITH, (data.name, data.fingerprint))[0][0])
        if done > again:
            facts = json.loads(store.rows(_ROWS, before)[0][0])
            changed[data.name] = ChangedData(done, facts.get("n"), data.facts.get("n"))
    if changed:
        yield changed_data_line(changed)
    if not sessions:
        return
    done = int(store.rows("SELECT count(DISTINCT key) FROM runs WHERE failed = 0")[0][0])
    specs = sessions[0].get("specs", {})
    for m in stored_measures(study):
        if done and specs.get(m.name, m.spec) != m.spec:
            yield changed_measure_line(m.name, done)
    if study.learns_by_rows and sessions[0].get("weights", {}).get("by") != ROWS:
        kept = [(a.name, sessions[0]["algorithms"].get(a.name, "")) for a in study.algorithms]
        if done := sum(int(store.rows(_DONE, each)[0][0]) for each in kept):
            yield changed_weights_line(study.without_weights, done)


def _code_before(
    store: Store, a: Algorithm, session: Mapping[str, Any], kept: str
) -> Mapping[str, str] | None:
    """The code of the same algorithm: none ({}) where it was not noted, None where it differs."""
    rows = store.rows(_DEFINED, (a.name, kept))
    defined = json.loads(rows[0][0]) if rows else {}
    now = json.loads(json.dumps(a.definition))
    if {k: v for k, v in defined.items() if k != "code"} != {
        k: v for k, v in now.items() if k != "code"
    }:
        return None
    code: Mapping[str, str] = defined.get("code") or session.get("code", {}).get(a.name, {})
    return code


# -- verbs ----------------------------------------------------------------------------------------
# Running studies, and what is done with their stores.


@takes("trust")
def run(
    study: Study | str | Path,
    store: str | Path | None = None,
    *,
    jobs: int = 1,
    cluster: Any = None,
    time_limit: float | str | None = None,
    memory_limit: float | str | None = None,
    shard: tuple[int, int] | str | None = None,
    until: Rule | str | None = None,
    halves: int | None = None,
    quiet: bool = False,
    **options: Any,
) -> Results:
    """Run what `store` lacks of a study (or study file) and return its results.

    Stopping and calling again is the normal way to go on; so are new algorithms, data sets and
    samples. Failed runs are rows of `results.failures`, and are tried again by the next call;
    what the command line says of them, and of algorithms that change their process, is warned of.
    Ctrl-C keeps what is done and raises KeyboardInterrupt.

    Parameters
    ----------
    study : a `Study`, or the path of a study file.
    store : the file that keeps the scores; made where there is none. Without one nothing is kept
        but what is returned, and an interrupted study begins anew.
    jobs : the number of processes, -1 for one per core. Scores do not depend on it. 0 is this very
        process, for debuggers: what an algorithm changes of it, or that it crashes, hits all.
    cluster : a Dask cluster instead: its address, the path of a scheduler file, or a client.
    time_limit : seconds that one run may take, or '10m', '2h'.
    memory_limit : what the process of one run may hold, such as '4GB'.
    shard : (3, 16) or '3/16' runs the third of sixteen parts; `merge` joins their stores.
    until : "decided" or "best", or `until_decided(...)`, `until_best(...)` with options: stop as
        soon as the scores allow it. The rule is kept in the store, and followed by later calls.
    halves : so many random halvings beside the samples, with a cross-validation inside each half;
        ten are 100 small fits of every algorithm, by which `compare` judges claims about new
        samples. They can be added to a store at any time.
    quiet : no progress bar.

    Returns
    -------
    Results
        All that the store has of the study.

    Examples
    --------
    >>> import podium
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = podium.dataset("tiny", [[0.1], [0.2], [0.8], [0.9]] * 5, ["a", "a", "b", "b"] * 5)
    >>> study = podium.Study(data, {"nb": GaussianNB()}, sampling="cv:5", measures=["error"])
    >>> results = podium.run(study, quiet=True)
    >>> len(results.scores)
    5
    """
    require_extra(RUN)
    study = loaded(study, options["trust"])
    study = study if halves is None else study.with_halves(halves)
    with _kept(store) as kept:
        study, lines = with_kept_code(study, kept)
        for line in lines:
            warnings.warn(line, stacklevel=2)
        outcome = execute(
            study,
            kept,
            jobs=jobs,
            cluster=cluster,
            time_limit=time_limit,
            memory_limit=memory_limit,
            shard=shard,
            until=until_of(study, until, kept, shard),
            registered=registered(study, kept),
            progress=None if quiet else run_progress(),
        )
        if outcome.interrupted:
            done = f"{outcome.total - outcome.missing} of {outcome.total} runs are done"
            raise KeyboardInterrupt(f"Stopped; {done}{' and kept' if store else ''}.")
        results = read_store(kept)
    _warn(outcome, results)
    return results


def _warn(outcome: Outcome, results: Results) -> None:
    """What the command line says when a study has run."""
    for line in state_lines(results.warnings) if outcome.ran else ():
        warnings.warn(line, stacklevel=3)
    if outcome.ran and (results.runs["status"] == "failed").all():
        _warn_failed(results)
    elif outcome.failed:
        warnings.warn(
            "\n".join(failure_lines(results.failures, looks=results.stopping is not None)),
            stacklevel=3,
        )


@contextmanager
def _kept(store: str | Path | None) -> Iterator[str | Path]:
    """The store, or one that is gone when its results are read."""
    if store is not None:
        yield store
        return
    with TemporaryDirectory() as folder:
        yield Path(folder) / "study.db"


def _warn_failed(results: Results) -> None:
    """Say that there is not one score, and why: whoever goes on would look for it in vain."""
    first = results.failures.iloc[0]
    warnings.warn(
        f"All {len(results.runs)} runs failed, the first ('{first['algorithm']}' on "
        f"'{first['dataset']}') with {first['exception']}: {first['message']:.200}. "
        "`results.failures` has all of them.",
        stacklevel=4,
    )


def loaded(study: Study | str | Path, trust: Sequence[str] = ()) -> Study:
    """The study, read where a path is given."""
    if isinstance(study, Study):
        return study
    if not isinstance(study, (str, Path)):
        raise DesignError(f"Give a study or the path of a study file, not {study!r:.80}.")
    return load_study(study, trust=trust)


def merge(into: str | Path, *sources: str | Path) -> Results:
    """Append to a store what other stores of the same study have and it lacks.

    Parameters
    ----------
    into : str | Path
        The store that grows; made where there is none.
    *sources : str | Path
        The others, which stay as they are.

    Returns
    -------
    Results
        Of the whole.

    Examples
    --------
    >>> import podium
    >>> import pathlib, tempfile
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = podium.dataset("tiny", [[0.1], [0.2], [0.8], [0.9]] * 5, ["a", "a", "b", "b"] * 5)
    >>> study = podium.Study(data, {"nb": GaussianNB()}, sampling="cv:5", measures=["error"])
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for i in (1, 2):
    ...     part = podium.run(study, folder / f"{i}.db", shard=(i, 2), quiet=True)
    >>> whole = podium.merge(folder / "all.db", folder / "1.db", folder / "2.db")
    >>> len(whole.scores)
    5
    """
    merge_stores(into, sources)
    return read_store(into)


def score(store: str | Path, measures: str | Computed | Sequence[str | Computed]) -> Results:
    """Score the kept predictions of a store by further measures, without refitting.

    Parameters
    ----------
    store : str | Path
        Of a study with `keep = ["predictions"]`.
    measures : names, or measures of one's own

    Returns
    -------
    Results
        With the further measures, which the store keeps.

    Examples
    --------
    >>> import podium
    >>> import pathlib, tempfile
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = podium.dataset("tiny", [[0.1], [0.2], [0.8], [0.9]] * 5, ["a", "a", "b", "b"] * 5)
    >>> facts = {"sampling": "cv:5", "measures": ["error"], "keep": ["predictions"]}
    >>> store = pathlib.Path(tempfile.mkdtemp()) / "tiny.db"
    >>> results = podium.run(podium.Study(data, {"nb": GaussianNB()}, **facts), store, quiet=True)
    >>> list(podium.score(store, "accuracy").measures)
    ['error', 'accuracy']
    """
    rescore(store, [measures] if isinstance(measures, (str, Computed)) else list(measures))
    return read_store(store)


_PACKED: dict[str, Any] = {  # the same table is the same file
    ".gz": {"method": "gzip", "mtime": 0},
    ".bz2": "bz2",
    ".xz": "xz",
    ".zst": "zstd",
    ".zip": "zip",
}


@takes("trust")
def write_indices(study: Study | str | Path, path: str | Path, **options: Any) -> None:
    """Write the row numbers of all samples of a study as CSV (also .gz) or Parquet.

    A study with `sampling="indices:FILE"` runs on exactly these samples.
    """
    check_writable(path)
    columnar = str(path).endswith((".parquet", ".pq"))
    if columnar:
        require("pyarrow", extra="parquet", purpose="Writing Parquet files")
    packed = _PACKED.get(Path(path).suffix)
    study = loaded(study, options["trust"])
    table = indices_table(study.datasets, study.sampler, study.sampling)
    with replacing(path) as file:
        if columnar:
            table.to_parquet(file, index=False)
        else:
            table.to_csv(file, index=False, lineterminator="\n", compression=packed)
