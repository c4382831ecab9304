"""Dask as a backend: batches are futures, the driver's store takes what they return."""

from __future__ import annotations

import contextlib
import logging
import time
import uuid
from asyncio import CancelledError
from collections import Counter, deque
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any

from podium.core.base.errors import DesignError, ExecutionError, require
from podium.reading.store import Failure, Record
from podium.running.design.study import Run
from podium.running.execution.machine import Limits, failed, versions
from podium.running.execution.remote import Message
from podium.running.execution.shared import Shared

CONNECT_SECONDS = 10
WORKERS_SECONDS = 60  # how long the first worker may take to come
LOST_SECONDS = 10  # without a scheduler until the driver gives up
LOOK_SECONDS = 1.0
MOST_LOSSES = 2  # of a batch with all copies of the data, until its runs are suspects
_GO_ON = "What is done is kept; run again to go on."


def _distributed() -> Any:
    return require("distributed", extra="cluster", purpose="Running on a cluster")


class Cluster:
    """A Dask cluster. The study travels once; only batches and records are sent after that.

    Dask runs the batches of a worker that dies again elsewhere. Where that happens to one batch
    again and again, its runs are suspects: each is tried with nothing else on the cluster, and is
    a failure if its workers die even then.
    """

    seconds = 2.0  # a batch and its records pass through the scheduler
    guess = inf  # a batch that takes long is not given back: the first has one run

    def __init__(self, client: Any, shared: Shared, limits: Limits, fresh: bool = False) -> None:
        self._client, self._shared, self._limits, self._fresh = client, shared, limits, fresh
        self._call = uuid.uuid4().hex
        self._versions = versions()
        self._futures: dict[Any, list[Run]] = {}
        self._found: list[Record] = []
        self._suspects: deque[Run] = deque()
        self._losses: Counter[bytes] = Counter()  # by the first run of a batch
        self._counted, self._threads = 0.0, 1
        self._content = self._scattered()

    def _scattered(self) -> Any:
        """The shared file, copied to all workers; those that come later fetch it from these."""
        with _translated(self._client):
            shared = [self._shared.content]
            [content] = self._client.scatter(shared, broadcast=True, hash=False)
        return content

    @property
    def workers(self) -> int:
        """How many runs are executed at a time; workers come and go."""
        if time.monotonic() - self._counted > LOOK_SECONDS:
            with contextlib.suppress(Exception):  # who is gone for good is noticed elsewhere
                self._threads = max(sum(self._client.nthreads().values()), 1)
            self._counted = time.monotonic()
        return self._threads

    @property
    def ahead(self) -> int:
        """Two for each thread: the next batch is there when one is finished. None in a trial."""
        return 0 if self._suspects else 2 * self.workers + 1

    @property
    def waiting(self) -> int:
        """How many batches were submitted and not yet returned."""
        return len(self._futures) + len(self._suspects)

    def submit(self, runs: list[Run]) -> None:
        """Take a batch to be executed."""
        study = self._shared.groups, self._shared.modules
        message = Message(self._call, runs, *study, self._limits, self._versions, self._fresh)
        key = f"podium-{uuid.uuid4().hex}"
        with _translated(self._client):
            future = self._client.submit(_task(), self._content, _dumped(message), key=key)
        self._futures[future] = runs

    def finished(self) -> list[Record]:
        """Wait until at least one batch is finished, and return what is."""
        while self.waiting and not self._found:
            if not self._futures:
                self.submit([self._suspects[0]])
            ended = self._ended()
            self._gather([f for f in ended if f.status == "finished"])
            for future in ended:
                if future in self._futures and future.status not in ("pending", "finished"):
                    self._mend(future, self._futures.pop(future))
        result, self._found = self._found, []
        return result

    def _ended(self) -> list[Any]:
        """The futures that are no longer pending, after a while."""
        distributed = _distributed()
        with _translated(self._client), self._client.as_current():
            try:
                distributed.wait(
                    list(self._futures), timeout=LOOK_SECONDS, return_when="FIRST_COMPLETED"
                )
            except distributed.TimeoutError:
                _check_alive(self._client)
            except distributed.CancelledError:
                pass
        return [f for f in self._futures if f.status != "pending"]

    def _gather(self, futures: list[Any]) -> None:
        """Take the records of finished batches, unless the workers that hold them are gone."""
        distributed = _distributed()
        with _translated(self._client):
            try:
                gathered = self._client.gather(futures)
            except (distributed.CancelledError, CancelledError, distributed.KilledWorker):
                return  # Dask makes them again, or their futures tell why it cannot
        for future, records in zip(futures, gathered, strict=True):
            self._found += records
            self._acquit(self._futures.pop(future))

    def _mend(self, future: Any, runs: list[Run]) -> None:
        """Do what can be done about a batch that has no records."""
        if future.status != "error":
            self._lost(runs)
        elif isinstance(error := future.exception(), _distributed().KilledWorker):
            self._suspect(runs)
        else:
            raise _refusal(error)

    def _lost(self, runs: list[Run]) -> None:
        """Submit a batch again, but not for ever; Dask drops it when no worker has the data."""
        _check_alive(self._client)
        if self._content.status != "finished":
            _await_workers(self._client)
            self._content = self._scattered()
        self._losses[runs[0].key] += 1
        if self._losses[runs[0].key] % MOST_LOSSES:
            self.submit(runs)
        else:
            self._suspect(runs)

    def _suspect(self, runs: list[Run]) -> None:
        """Try the runs of a batch one by one, or blame the one that was on trial."""
        if not self._is_on_trial(runs):
            self._suspects.extend(runs)
            return
        self._acquit(runs)
        message = "The Dask workers that executed the run died, one after the other."
        failure = Failure("WorkerDied", message, f"WorkerDied: {message}\n")
        self._found.append(failed(runs[0], failure))

    def _is_on_trial(self, runs: list[Run]) -> bool:
        return bool(self._suspects) and runs == [self._suspects[0]]

    def _acquit(self, runs: list[Run]) -> None:
        if self._is_on_trial(runs):
            self._suspects.popleft()

    def cancel(self) -> list[Record]:
        """Stop the workers' processes, and return what is finished already."""
        futures, self._futures = self._futures, {}
        self._suspects.clear()
        with contextlib.suppress(Exception):  # whatever is wrong with the cluster: we are going
            self._client.cancel([f for f in futures if f.status == "pending"], force=True)
            done = [f for f in futures if f.status == "finished"]
            for records in self._client.gather(done, errors="skip"):
                self._found += records
        outcome, self._found = self._found, []
        return outcome

    def close(self) -> None:
        """Have the workers forget the study."""
        self.cancel()
        with contextlib.suppress(Exception):
            self._content.release()
        with contextlib.suppress(Exception):
            self._client.run(_forgetting(), self._call, on_error="ignore", wait=True)


def _dumped(message: Message) -> bytes:
    import cloudpickle

    content: bytes = cloudpickle.dumps(message)
    return content


def _task() -> Callable[[bytes, bytes], list[Record]]:
    """What a Dask worker is to do. An inner function travels by value: only workers need Podium."""

    def work(content: bytes, message: bytes) -> list[Record]:
        import cloudpickle

        from podium.running.execution.remote import execute_message

        return execute_message(content, cloudpickle.loads(message))

    return work


def _forgetting() -> Callable[[str], None]:
    def forget(call: str) -> None:
        from podium.running.execution.remote import forget

        forget(call)

    return forget


def _refusal(error: BaseException) -> ExecutionError:
    """Why a batch could not even be tried."""
    if isinstance(error, ExecutionError):
        return ExecutionError(f"{error} {_GO_ON}")
    if isinstance(error, ModuleNotFoundError) and "podium" in str(error):
        return ExecutionError(
            "A Dask worker has no Podium: install the driver's version where the workers run. "
            f"{_GO_ON}"
        )
    return ExecutionError(f"A Dask worker failed: {type(error).__name__}: {error}. {_GO_ON}")


# -- connecting -----------------------------------------------------------------------------------


@contextlib.contextmanager
def connected(where: Any, shared: Shared, limits: Limits, fresh: bool = False) -> Iterator[Cluster]:
    """The cluster at an address, behind a scheduler file, or of a client (which stays open)."""
    with contextlib.ExitStack() as stack:
        client = where if hasattr(where, "submit") else stack.enter_context(_client(where))
        if client.asynchronous:
            raise DesignError("This Dask client is asynchronous: give one that is not.")
        _await_workers(client)
        cluster = Cluster(client, shared, limits, fresh)
        stack.callback(cluster.close)
        yield cluster


@contextlib.contextmanager
def _client(where: Any) -> Iterator[Any]:
    distributed, text = _distributed(), _phrases(where)
    # Made in two steps, so that a client that cannot connect is closed too: left to the garbage
    # collector, it may stop its loop while another one starts, and Dask waits for itself.
    client = distributed.Client.__new__(distributed.Client)
    with _quiet():
        try:
            _connect(client, where, timeout=CONNECT_SECONDS, set_as_default=False, **text)
            yield client
        finally:
            with contextlib.suppress(Exception):
                client.close(timeout=LOOK_SECONDS)


def _connect(client: Any, where: Any, **options: Any) -> None:
    try:
        client.__init__(**options)
    except (OSError, ValueError, _distributed().TimeoutError) as error:
        raise ExecutionError(
            f"No Dask scheduler answers at '{where}'. Start one with 'dask scheduler', or "
            "check the address."
        ) from error


def _phrases(where: Any) -> dict[str, Any]:
    """An address is given as such; a cluster has one; all else is a scheduler file."""
    where = getattr(where, "scheduler_address", where)
    if not isinstance(where, (str, Path)):
        raise DesignError(
            f"A cluster is an address such as 'tcp://host:8786', the path of a scheduler file or a "
            f"Dask client, not {where!r:.80}."
        )
    if isinstance(where, str) and not where.endswith(".json"):
        return {"address": where}
    if not Path(where).is_file():
        raise DesignError(
            f"There is no scheduler file '{where}'. 'dask scheduler --scheduler-file {where}' "
            "writes it."
        )
    return {"scheduler_file": str(where)}


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Dask logs whole tracebacks when a connection ends; what matters is an error of ours."""
    known = [n for n in logging.root.manager.loggerDict if n.startswith("distributed")]
    loud = [log for log in map(logging.getLogger, known) if not log.disabled]
    for log in loud:
        log.disabled = True
    try:
        yield
    finally:
        for log in loud:
            log.disabled = False


def _await_workers(client: Any) -> None:
    with _translated(client):
        try:
            client.wait_for_workers(1, timeout=WORKERS_SECONDS)
        except _distributed().TimeoutError:
            _check_alive(client)
            raise ExecutionError(
                f"The Dask cluster has had no worker for {WORKERS_SECONDS} s. Start some with "
                f"'dask worker ADDRESS --nthreads 1'. {_GO_ON}"
            ) from None


def _check_alive(client: Any) -> None:
    """Wait for a scheduler that is out of sight, and give up after a while."""
    deadline = time.monotonic() + LOST_SECONDS
    while client.status != "running":
        if client.status == "closed" or time.monotonic() > deadline:
            raise ExecutionError(f"The Dask scheduler is gone. {_GO_ON}")
        time.sleep(0.1)


@contextlib.contextmanager
def _translated(client: Any) -> Iterator[None]:
    """Errors of the connection as a sentence."""
    try:
        yield
    except (OSError, _distributed().TimeoutError) as error:
        _check_alive(client)
        raise ExecutionError(
            f"The Dask cluster does not answer ({type(error).__name__}: {error}). {_GO_ON}"
        ) from error
    except RuntimeError as error:
        if isinstance(error, ExecutionError) or client.status == "running":
            raise
        raise ExecutionError(f"The Dask scheduler is gone. {_GO_ON}") from error
