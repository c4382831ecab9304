"""What workers read: one file without a name, with the plan and the data sets that all map.

As it has no name, nobody can overwrite or remove it, and nothing is left when a driver is killed.
Every part has a digest, which is compared where the part is loaded.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import mmap
import os
import pickletools
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, BinaryIO, cast

import numpy as np
import pandas as pd

from podium.core.base.errors import ExecutionError
from podium.core.samplings.sampling import KINDS, Kind
from podium.running.design.data.datasets import Dataset
from podium.running.design.data.processes import Process
from podium.running.design.learners.algorithms import Algorithm
from podium.running.design.samples.drawing import DRAWINGS, Drawing
from podium.running.execution.run import Plan

PLAN, GROUP = "plan", "algorithms"  # names of parts; of the latter followed by the group's number
ALIGNED = 64  # bytes, as numpy has its arrays
_LENGTH = 8  # bytes at the end of the file that say how long its index is
# their modules have no threads of their own: a process that has loaded them can be forked
FORKED = {"numpy", "scipy", "pandas", "sklearn", "joblib", "threadpoolctl", "cloudpickle"}
_HARMLESS = FORKED | {"podium", "builtins", "__main__"} | set(sys.stdlib_module_names)


@dataclass(frozen=True)
class InMemory:
    """Data sets of this process."""

    datasets: Mapping[str, Dataset | Process]

    def get(self, name: str) -> Dataset | Process:
        """The data set of this name."""
        return self.datasets[name]


class Content:
    """A file that is mapped into memory, read-only, and has no name; its parts are checked."""

    def __init__(self, descriptor: int) -> None:
        self._map = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        length = int.from_bytes(self._map[-_LENGTH:], "little")
        self._index = json.loads(self._map[-_LENGTH - length : -_LENGTH])

    def part(self, name: str) -> memoryview:
        """The bytes of a part, if they are what was written."""
        start, size, digest = self._index[name]
        content = memoryview(self._map)[start : start + size]
        if hashlib.blake2b(content, digest_size=16).hexdigest() != digest:
            raise ExecutionError(f"The shared copy of '{name}' is not what was written: run again.")
        return content

    def array(self, name: str) -> np.ndarray:
        """An array that is a view of the map."""
        content = self.part(name)
        header = io.BytesIO(content[:65_536])
        version = np.lib.format.read_magic(header)
        read = {(1, 0): np.lib.format.read_array_header_1_0}
        shape, by_column, kind = read.get(version, np.lib.format.read_array_header_2_0)(header)
        flat = np.frombuffer(content, kind, offset=header.tell())
        return flat.reshape(shape, order="F" if by_column else "C")

    def __contains__(self, name: str) -> bool:
        return name in self._index


@dataclass(frozen=True)
class Mapped:
    """Data sets of a file; each is loaded once per process. Processes travel as they are."""

    places: dict[str, str]
    fingerprints: dict[str, str]
    processes: dict[str, Process]
    content: Content | None = None
    _open: dict[str, Dataset] = field(default_factory=dict, compare=False)

    def get(self, name: str) -> Dataset | Process:
        """The data set of this name."""
        if name in self.processes:
            return self.processes[name]
        if name not in self._open:
            assert self.content is not None
            data = replace(load(self.content, self.places[name]), name=name)
            data.__dict__["fingerprint"] = self.fingerprints[name]  # no need to read all of it
            self._open[name] = data
        return self._open[name]


@dataclass(frozen=True)
class Shared:
    """The file of a call, open for reading alone, and what its workers should have loaded.

    Algorithms whose code comes from the same modules are one group, and have workers of their own:
    what a module does when it is imported is done to those alone that need it.
    """

    file: BinaryIO
    groups: dict[str, int]
    modules: list[str]

    @cached_property
    def content(self) -> bytes:
        """All of it, to be carried to another machine."""
        return os.pread(self.file.fileno(), os.fstat(self.file.fileno()).st_size, 0)


@contextlib.contextmanager
def share(plan: Plan) -> Iterator[Shared]:
    """A file with a plan and its data, for the workers that get its descriptor."""
    assert isinstance(plan.data, InMemory)
    groups, messages = _grouped(plan.algorithms)
    with _nameless() as (written, read):
        try:
            parts = _Parts(written)
            data = mapped(plan.data.datasets, parts)
            bare = replace(plan, data=data, algorithms={})
            parts.add(PLAN, _message((bare, _own_sampling(plan))))
            for number, message in enumerate(messages):
                parts.add(f"{GROUP}{number}", message)
            parts.close()
        except OSError as error:
            raise _unwritable(error) from None
        written.close()
        yield Shared(read, groups, loaded_modules())


@contextlib.contextmanager
def share_again(content: bytes, groups: dict[str, int], modules: list[str]) -> Iterator[Shared]:
    """The file of a call on another machine."""
    with _nameless() as (written, read):
        try:
            written.write(content)
            written.close()
        except OSError as error:
            raise _unwritable(error) from None
        yield Shared(read, groups, modules)


@contextlib.contextmanager
def _nameless() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """A new file, open for writing and for reading, whose name is gone again."""
    with contextlib.ExitStack() as files:
        try:
            descriptor, name = tempfile.mkstemp(prefix="podium-")
            written = files.enter_context(open(descriptor, "wb"))
            read = files.enter_context(open(name, "rb"))
            os.unlink(name)
            os.fchmod(descriptor, 0o400)
        except OSError as error:
            raise _unwritable(error) from None
        yield written, read


def _unwritable(error: OSError) -> ExecutionError:
    return ExecutionError(
        f"The data sets cannot be written to the folder '{tempfile.gettempdir()}' for other "
        f"processes ({error.strerror or error}): make room there, or name another folder by TMPDIR."
    )


class _Parts:
    """Writes parts of a file, each with its digest, and says at the end where they are."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._index = file, dict[str, tuple[int, int, str]]()

    def add(self, name: str, part: bytes | np.ndarray) -> None:
        """Write a part."""
        start = self._file.tell()
        self._file.write(bytes(-start % ALIGNED))
        start += -start % ALIGNED
        self._digest = hashlib.blake2b(digest_size=16)
        if isinstance(part, np.ndarray):
            np.save(cast(Any, self), part, allow_pickle=False)
        else:
            self.write(part)
        self._index[name] = (start, self._file.tell() - start, self._digest.hexdigest())

    def write(self, content: bytes) -> None:
        """Write some bytes of a part."""
        self._digest.update(content)
        self._file.write(content)

    def close(self) -> None:
        """Write where everything is."""
        index = json.dumps(self._index).encode()
        self._file.write(index + len(index).to_bytes(_LENGTH, "little"))
        self._file.flush()


def _grouped(algorithms: Mapping[str, Algorithm]) -> tuple[dict[str, int], list[bytes]]:
    """The number of each algorithm's group, and the message that carries each group."""
    members: dict[frozenset[str], dict[str, Algorithm]] = {}
    for name, algorithm in algorithms.items():
        members.setdefault(_modules_of(_message(algorithm)), {})[name] = algorithm
    numbers = {name: number for number, group in enumerate(members.values()) for name in group}
    return numbers, [_message(group) for group in members.values()]


def _own_sampling(plan: Plan) -> tuple[Kind, Drawing] | None:
    """The records of a sampling that somebody has registered: workers do not know it."""
    name = plan.sampler.sampling.name
    drawing = DRAWINGS.get(name)
    if drawing is None or drawing.draw.__module__.partition(".")[0] == "podium":
        return None
    return KINDS[name], drawing


def _modules_of(message: bytes) -> frozenset[str]:
    """The modules that whoever reads a message imports, but for those that harm nobody."""
    texts = (text for _, text, _ in pickletools.genops(message) if isinstance(text, str))
    names = {part for text in texts for part in text.split(" ")}  # old ones: "module name"
    return frozenset(
        name for name in names if name in sys.modules and name.partition(".")[0] not in _HARMLESS
    )


def _message(content: Any) -> bytes:
    import cloudpickle

    # algorithms may be lambdas or classes of a notebook: only cloudpickle carries those. This is
    # a message between processes of one call, gone with its file; no store has anything pickled
    try:
        return cast(bytes, cloudpickle.dumps(content))
    except Exception as error:  # a user's own class may raise anything
        raise ExecutionError(
            f"The study cannot be sent to other processes: {type(error).__name__}: {error}. "
            "From Python, jobs=0 without limits runs it in this one."
        ) from error


def loaded_modules() -> list[str]:
    """The modules that workers will need, too, as far as they are safe to load before forking."""
    return sorted(m for m in list(sys.modules) if m.partition(".")[0] in FORKED)


def shared_plan(content: Content, group: int) -> Plan:
    """The plan in a file, with the algorithms of one group."""
    import cloudpickle

    plan, own = cast(
        tuple[Plan, tuple[Kind, Drawing] | None], cloudpickle.loads(content.part(PLAN))
    )
    if own is not None and own[0].name not in DRAWINGS:  # to read it may have registered it
        KINDS.add(own[0].name, own[0])
        DRAWINGS.add(own[0].name, own[1])
    algorithms = cloudpickle.loads(content.part(f"{GROUP}{group}"))
    data = replace(cast(Mapped, plan.data), content=content)
    return replace(plan, data=data, algorithms=algorithms)


# -- data sets ------------------------------------------------------------------------------------


def mapped(datasets: Mapping[str, Dataset | Process], parts: _Parts) -> Mapped:
    """Write data sets, those with the same content once; return what reads them."""
    places, processes, prints = {}, {}, {}
    written: dict[tuple[int, ...], str] = {}
    for number, data in enumerate(datasets.values()):
        if isinstance(data, Process):
            processes[data.name] = data
            continue
        content = tuple(id(getattr(data, f.name)) for f in fields(Dataset) if f.name != "name")
        if content not in written:
            written[content] = str(number)
            save(data, parts, str(number))
        places[data.name], prints[data.name] = written[content], data.fingerprint
    return Mapped(places, prints, processes)


def save(data: Dataset, parts: _Parts, place: str) -> None:
    """Write a data set as plain arrays (never pickled) and a page of facts."""
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
        parts.add(f"{place}/{name}", array)
    parts.add(f"{place}/facts", json.dumps(facts).encode())


def load(content: Content, place: str) -> Dataset:
    """A data set whose arrays are read-only views of a map."""
    facts = json.loads(bytes(content.part(f"{place}/facts")))
    X: np.ndarray | pd.DataFrame = content.array(f"{place}/X")
    if "columns" in facts:
        codes = content.array(f"{place}/codes")
        X = _frame(cast(np.ndarray, X), codes, facts["columns"], facts["levels"])
    groups = content.array(f"{place}/groups") if f"{place}/groups" in content else None
    data = Dataset(
        facts["name"],
        X,
        content.array(f"{place}/y"),
        facts["task"],
        tuple(facts["classes"]),
        facts["n_test"],
        groups,
        facts["origin"],
    )
    data.__dict__["fingerprint"] = facts["fingerprint"]  # known: no need to read all of it
    return data


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
