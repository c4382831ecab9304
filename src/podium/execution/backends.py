"""Where batches of runs are executed: in this process, or in several on this machine."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Protocol

from podium.design.study import Run
from podium.errors import DesignError, ExecutionError
from podium.execution.run import Plan, execute_batch
from podium.store import Record

_LIBRARIES = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR")
_ONE_THREAD = {f"{library}_NUM_THREADS": "1" for library in _LIBRARIES}
_plan: Plan | None = None  # of a worker process, set once when it starts


class Backend(Protocol):
    """A place to execute batches."""

    workers: int

    def submit(self, runs: list[Run]) -> None:
        """Take a batch to be executed."""

    @property
    def waiting(self) -> int:
        """How many batches were submitted and not yet returned."""

    def finished(self) -> list[list[Record]]:
        """Wait until at least one batch is finished, and return what is."""

    def cancel(self) -> list[list[Record]]:
        """Stop at once, and return what is finished already."""


class Serial:
    """This process, one batch after the other."""

    workers = 1

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._batches: list[list[Run]] = []

    def submit(self, runs: list[Run]) -> None:
        """Take a batch to be executed."""
        self._batches.append(runs)

    @property
    def waiting(self) -> int:
        """How many batches were submitted and not yet returned."""
        return len(self._batches)

    def finished(self) -> list[list[Record]]:
        """Execute the next batch."""
        return [execute_batch(self._plan, self._batches.pop(0))]

    def cancel(self) -> list[list[Record]]:
        """Nothing is ever half finished here."""
        return []


class Processes:
    """Several processes on this machine (loky)."""

    def __init__(self, plan: Plan, workers: int) -> None:
        import cloudpickle
        from loky import ProcessPoolExecutor

        self.workers = workers
        # algorithms may be lambdas or classes of a notebook: only cloudpickle carries those.
        # This is a message between processes of one run; nothing pickled is ever stored
        message = cloudpickle.dumps(plan)
        self._pool = ProcessPoolExecutor(
            workers,
            initializer=_start_worker,
            initargs=(message, os.getpid()),
            env=_ONE_THREAD,
            timeout=None,
        )
        self._futures: set[Future[list[Record]]] = set()

    def submit(self, runs: list[Run]) -> None:
        """Take a batch to be executed."""
        with _worker_death():
            self._futures.add(self._pool.submit(_work, runs))

    @property
    def waiting(self) -> int:
        """How many batches were submitted and not yet returned."""
        return len(self._futures)

    def finished(self) -> list[list[Record]]:
        """Wait until at least one batch is finished, and return what is."""
        done, self._futures = wait(self._futures, return_when=FIRST_COMPLETED)
        with _worker_death():
            return [f.result() for f in done]

    def cancel(self) -> list[list[Record]]:
        """Kill the workers, and return what is finished already."""
        done = [f for f in self._futures if f.done() and not f.cancelled() and not f.exception()]
        self._futures = set()
        self._pool.shutdown(wait=True, kill_workers=True)
        return [f.result() for f in done]

    def close(self) -> None:
        """End the workers."""
        self._pool.shutdown(wait=True, kill_workers=True)


@contextlib.contextmanager
def _worker_death() -> Iterator[None]:
    from loky.process_executor import BrokenProcessPool

    try:
        yield
    except BrokenProcessPool as error:
        raise ExecutionError(
            "A worker process died: it was killed, crashed or ran out of memory. What is done is "
            "kept; run again to go on, with fewer jobs if memory was short."
        ) from error


def _start_worker(message: bytes, driver: int) -> None:
    """Prepare a worker: Ctrl-C is the driver's business, BLAS has one thread, the plan is there."""
    import cloudpickle
    from threadpoolctl import threadpool_limits

    global _plan
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(driver,), daemon=True).start()
    _plan = cloudpickle.loads(message)
    threadpool_limits(1)


def _end_with(driver: int) -> None:
    """End this worker when its driver is gone; a killed driver cannot say so itself.

    The driver tells its number: it may be gone before the worker can ask who its parent is.
    """
    while os.getppid() == driver:
        time.sleep(1)
    os._exit(1)


def _work(runs: list[Run]) -> list[Record]:
    assert _plan is not None
    return execute_batch(_plan, runs)


def count_workers(jobs: int) -> int:
    """The number of processes that `jobs` means; -1 is one per core."""
    from loky import cpu_count

    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs == 0 or jobs < -1:
        raise DesignError(f"jobs is a number of processes, or -1 for one per core, not {jobs!r}.")
    return int(cpu_count()) if jobs == -1 else jobs


@contextlib.contextmanager
def backend(plan: Plan, workers: int) -> Iterator[Backend]:
    """The place for so many workers; it is closed at the end."""
    if workers == 1:
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):
            yield Serial(plan)
        return
    pool = Processes(plan, workers)
    try:
        yield pool
    finally:
        pool.close()
