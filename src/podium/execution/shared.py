"""The folder that workers read: the plan, and data sets as files that all map into memory."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import IO

import numpy as np
import pandas as pd

from podium.base.errors import ExecutionError
from podium.design.data.datasets import Dataset
from podium.design.data.processes import Process
from podium.execution.run import FolderGone, Plan
from podium.store.locks import locked

PREFIX, PLAN, MODULES, LOCK = "podium-data-", "plan", "modules", "lock"
A_DAY = 86_400.0
_claims: dict[Path, IO[str]] = {}  # the locks on folders of this process
# their modules have no threads of their own: a process that has loaded them can be forked
FORKED = {"numpy", "scipy", "pandas", "sklearn", "joblib", "threadpoolctl", "cloudpickle"}


@dataclass(frozen=True)
class InMemory:
    """Data sets of this process."""

    datasets: dict[str, Dataset | Process]

    def get(self, name: str) -> Dataset | Process:
        """The data set of this name."""
        return self.datasets[name]


@dataclass(frozen=True)
class Mapped:
    """Data sets in a folder; each is opened once per process. Processes travel as they are."""

    root: Path
    folders: dict[str, str]
    fingerprints: dict[str, str]
    processes: dict[str, Process]
    _open: dict[str, Dataset] = field(default_factory=dict, compare=False)

    def get(self, name: str) -> Dataset | Process:
        """The data set of this name."""
        if name in self.processes:
            return self.processes[name]
        if name not in self._open:
            data = replace(self._loaded(name), name=name)
            data.__dict__["fingerprint"] = self.fingerprints[name]  # no need to read all of it
            self._open[name] = data
        return self._open[name]

    def _loaded(self, name: str) -> Dataset:
        try:
            return load(self.root / self.folders[name])
        except FileNotFoundError:
            raise FolderGone from None


def mapped(datasets: Iterable[Dataset | Process], folder: Path) -> Mapped:
    """Write data sets into a folder, those with the same content once; return what reads them."""
    folders, processes, prints = {}, {}, {}
    written: dict[tuple[int, ...], str] = {}
    for number, data in enumerate(datasets):
        if isinstance(data, Process):
            processes[data.name] = data
            continue
        content = tuple(id(getattr(data, f.name)) for f in fields(Dataset) if f.name != "name")
        if content not in written:
            written[content] = str(number)
            save(data, folder / str(number))
        folders[data.name], prints[data.name] = written[content], data.fingerprint
    return Mapped(folder, folders, prints, processes)


def share(plan: Plan, folder: Path) -> None:
    """Write a plan and its data into a folder, for the workers that read it there."""
    assert isinstance(plan.data, InMemory)
    try:
        data = mapped(plan.data.datasets.values(), folder)
        (folder / PLAN).write_bytes(_message(replace(plan, data=data)))
    except OSError as error:
        raise _unwritable(folder, error) from None
    preload(folder)


def preload(folder: Path) -> None:
    """Note which modules a keeper with this folder is to load before it is asked for workers."""
    try:
        (folder / MODULES).write_text(json.dumps(_loaded()))
    except OSError as error:
        raise _unwritable(folder, error) from None


def _unwritable(folder: Path, error: OSError) -> ExecutionError:
    return ExecutionError(
        f"The data sets cannot be written to the folder '{folder.parent}' for other processes "
        f"({error.strerror or error}): make room there, or name another folder by TMPDIR."
    )


def restore(plan: Plan, folder: Path) -> None:
    """Write a folder again of which somebody, a cleaner of old files perhaps, has removed parts."""
    shutil.rmtree(folder, ignore_errors=True)  # who reads it has it open
    with contextlib.suppress(OSError):  # `share` says what is wrong
        folder.mkdir(parents=True)
        claim(folder)
    share(plan, folder)


def _message(plan: Plan) -> bytes:
    import cloudpickle

    # algorithms may be lambdas or classes of a notebook: only cloudpickle carries those. This is
    # a message between processes of one call, gone with its folder; no store has anything pickled
    try:
        return cloudpickle.dumps(plan)
    except Exception as error:  # a user's own class may raise anything
        raise ExecutionError(
            f"The study cannot be sent to other processes: {type(error).__name__}: {error}. "
            "From Python, jobs=1 without limits runs it in this one."
        ) from error


def _loaded() -> list[str]:
    """The modules that workers will need, too, as far as they are safe to load before forking."""
    return sorted(m for m in list(sys.modules) if m.partition(".")[0] in FORKED)


def shared_plan(folder: Path) -> Plan:
    """The plan in a folder, wherever the folder has been carried to."""
    import cloudpickle

    plan: Plan = cloudpickle.loads((folder / PLAN).read_bytes())
    return replace(plan, data=replace(plan.data, root=folder))  # type: ignore[type-var]


def packed(folder: Path) -> dict[str, bytes]:
    """The files of a folder by their paths in it, to be carried to another machine."""
    files = (f for f in sorted(folder.rglob("*")) if f.is_file())
    return {f.relative_to(folder).as_posix(): f.read_bytes() for f in files}


def unpack(files: Mapping[str, bytes], folder: Path) -> None:
    """Write what `packed` has read."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def save(data: Dataset, folder: Path) -> None:
    """Write a data set as plain arrays (never pickled) and a page of facts."""
    folder.mkdir()
    facts = {
        "name": data.name,
        "task": data.task,
        "classes": data.classes,
        "n_test": data.n_test,
        "origin": data.origin,
        "fingerprint": data.fingerprint,
    }
    arrays = {"y": data.y} | ({} if data.groups is None else {"groups": data.groups})
    if isinstance(data.X, np.ndarray):
        arrays["X"] = data.X
    else:
        nominal = [c for c in data.X.columns if isinstance(data.X[c].dtype, pd.CategoricalDtype)]
        facts["columns"] = list(data.X.columns)
        facts["levels"] = {c: list(data.X[c].cat.categories) for c in nominal}
        arrays["X"] = data.X.drop(columns=nominal).to_numpy(dtype=float)
        codes = [data.X[c].cat.codes.to_numpy(np.int32) for c in nominal]
        arrays["codes"] = np.array(codes, dtype=np.int32).reshape(len(codes), len(data.y))
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)
    (folder / "facts.json").write_text(json.dumps(facts), encoding="utf-8")


def load(folder: Path) -> Dataset:
    """A data set whose arrays are read-only memory maps."""
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    X = _array(folder, "X")
    if "columns" in facts:
        X = _frame(X, _array(folder, "codes"), facts["columns"], facts["levels"])
    groups = _array(folder, "groups") if (folder / "groups.npy").exists() else None
    data = Dataset(
        facts["name"],
        X,
        _array(folder, "y"),
        facts["task"],
        tuple(facts["classes"]),
        facts["n_test"],
        groups,
        facts["origin"],
    )
    data.__dict__["fingerprint"] = facts["fingerprint"]  # known: no need to read all of it
    return data


def _array(folder: Path, name: str) -> np.ndarray:
    mapped_array = np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
    return np.asarray(mapped_array)  # a plain view of the map: memmap's own indexing is slow


def _frame(
    numbers: np.ndarray, codes: np.ndarray, columns: list[str], levels: dict[str, list[str]]
) -> pd.DataFrame:
    plain = iter(range(numbers.shape[1]))
    nominal = iter(codes)
    content = {
        c: pd.Categorical.from_codes(next(nominal), categories=levels[c])
        if c in levels
        else numbers[:, next(plain)]
        for c in columns
    }
    return pd.DataFrame(content)


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is removed at the end; those of drivers that were killed are removed first."""
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
    claim(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if handle := _claims.pop(folder, None):
            handle.close()


def claim(folder: Path) -> None:
    """Lock a folder, as long as this process lives, against those who tidy up."""
    fresh = folder / f"{LOCK}.new"
    handle = locked(fresh)
    assert handle is not None
    handle.write(_kernel())
    handle.flush()
    fresh.rename(folder / LOCK)  # nobody ever sees it without its lock
    if before := _claims.pop(folder, None):
        before.close()
    _claims[folder] = handle


def _sweep() -> None:
    """Remove the folders of the dead: those whose lock can be had, whoever and wherever they were.

    The number of a process says nothing to another container or machine that shares the disk.
    """
    for left in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # somebody else's, or gone meanwhile
            if not (left / LOCK).exists():
                # just being made; or killed in that moment, or made before there were locks
                if time.time() - left.stat().st_mtime > A_DAY:
                    shutil.rmtree(left, ignore_errors=True)
            elif handle := locked(left / LOCK):
                with handle:
                    # a network disk may not tell one machine of the other's locks
                    own = handle.read() == _kernel()
                    if own or time.time() - left.stat().st_mtime > 30 * A_DAY:
                        shutil.rmtree(left, ignore_errors=True)


@functools.cache
def _kernel() -> str:
    """What all processes have in common that see each other's locks, whatever the disk."""
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return platform.node()
