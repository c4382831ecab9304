"""Algorithms that change what all code of a process shares; each would change others' scores."""

import atexit
import builtins
import contextlib
import copy
import copyreg
import ctypes
import decimal
import gc
import glob
import io
import locale
import logging
import numbers
import os
import pickle
import random
import resource
import signal
import socket
import sys
import tempfile
import threading
import time
import warnings

import joblib
import numpy as np
import sklearn
import sklearn.base
import sklearn.metrics
import sklearn.tree._classes
import sklearn.utils.validation
import threadpoolctl
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from villains import Good


def zeros(self, X):
    return np.zeros(len(X), int)


def error_state():
    np.seterr(all="raise")


def mean():
    np.mean = lambda *a, **k: 0.5
    np._core._methods._mean = lambda *a, **k: 0.5


def splitters():
    """Edited in place: no name is bound anew."""
    sklearn.tree._classes.DENSE_SPLITTERS["best"] = sklearn.tree._classes.DENSE_SPLITTERS["random"]


def code():
    """A function keeps its identity, and does something else."""
    DecisionTreeClassifier.predict.__code__ = zeros.__code__


def defaults():
    LogisticRegression.__init__.__kwdefaults__["C"] = 1e-9


def parallel():
    joblib.Parallel.__call__ = lambda self, tasks: [0 for _ in tasks]
    RandomForestClassifier.predict = zeros


def methods():
    DecisionTreeClassifier.predict = zeros
    sklearn.metrics.accuracy_score = lambda *a: 1.0
    sklearn.utils.validation.check_array = lambda X, *a, **k: np.zeros_like(X)


def registry():
    """What Podium itself computes with."""
    from podium.running.design.measuring import scoring

    scoring.scored.__code__ = (lambda measures, outputs: 1 / 0).__code__


def generator():
    np.random.set_bit_generator(np.random.PCG64(1))
    random.seed = lambda *a: None


def rounding():
    ctypes.CDLL(None).fesetround(0x400)  # downwards


def configuration():
    sklearn.set_config(assume_finite=True, enable_metadata_routing=True)
    decimal.getcontext().prec = 2
    locale.setlocale(locale.LC_ALL, "C")
    logging.disable(logging.ERROR)
    gc.disable()
    sys.setrecursionlimit(120)


def surroundings():
    os.environ.clear()
    os.environ["OMP_NUM_THREADS"] = "7"
    os.chdir("/")
    os.umask(0o777)
    sys.path.clear()
    sys.modules["sklearn.tree._classes"] = sys.modules["json"]


def streams():
    sys.stdout.close()
    sys.stderr = io.StringIO()
    warnings.simplefilter("error")


def alarms():
    signal.setitimer(signal.ITIMER_REAL, 0.05)


def built_in():
    builtins.len = lambda x: 1
    builtins.isinstance = lambda *a: True


def descriptors():
    """Uses up all that there are."""
    while True:
        try:
            os.dup(0)
        except OSError:
            return


def limits():
    resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def garbage():
    """Writes into whatever is open."""
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"\xff" * 64)


def some_garbage():
    """Less than the beginning of a message."""
    for descriptor in range(3, 64):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"\xff")


def files():
    """Overwrites what is in the temporary folder, and what it has open by another name."""
    names = glob.glob(os.path.join(tempfile.gettempdir(), "podium-*", "**"), recursive=True)
    names += glob.glob(os.path.join(tempfile.gettempdir(), "podium-*"))
    for name in [*names, *(f"/proc/self/fd/{n}" for n in range(3, 64))]:
        try:
            with open(name, "r+b") as file:
                size = os.fstat(file.fileno()).st_size
                file.write(b"\x3f" * size)
        except OSError:
            pass


def copies():
    """Goes on twice."""
    os.fork()


def threads():
    """Leaves a thread behind that spoils what is computed later."""

    def spoil():
        while True:
            np.random.seed(0)

    threading.Thread(target=spoil, daemon=True).start()


def parent():
    """Ends the process that it was forked from."""
    os.kill(os.getppid(), signal.SIGKILL)


def stops_parent():
    os.kill(os.getppid(), signal.SIGTERM)


def memory():
    """Writes into the rows that all share, past numpy."""
    for thing in gc.get_objects():
        if type(thing).__name__ == "Dataset":
            ctypes.memset(thing.y.ctypes.data, 0, thing.y.nbytes)


def leaves():
    """Ends its process without a word."""
    os._exit(0)


def interrupts():
    raise KeyboardInterrupt


def asks_to_leave():
    sys.exit(0)


def crashes():
    ctypes.string_at(0)


def recurses():
    """Uses up the stack, by way of a built-in function: pure Python would use up the memory."""
    sys.setrecursionlimit(10**7)

    def deeper(x):
        return max([x], key=deeper)

    deeper(1)


def importing():
    """Every later import gives something else."""

    class Wrong:
        def find_spec(self, name, path=None, target=None):
            raise ImportError(name)

    sys.meta_path.insert(0, Wrong())
    builtins.__import__ = lambda *a, **k: sys


def tracing():
    sys.settrace(lambda *a: None)
    sys.setprofile(lambda *a: None)
    sys.setswitchinterval(10)
    sys.excepthook = lambda *a: None


def clocks():
    time.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0.0
    os.environ["TZ"] = "Asia/Tokyo"
    time.tzset()


def copying():
    """What estimators are cloned and sent by."""
    copy.deepcopy = lambda thing, memo=None: thing
    sklearn.base.clone = lambda estimator, *, safe=True: estimator
    pickle.dumps = lambda *a, **k: b""
    pickle.loads = lambda *a, **k: None
    copyreg.dispatch_table.clear()


def parameters():
    sklearn.base.BaseEstimator.get_params = lambda self, deep=True: {}
    sklearn.base.BaseEstimator.set_params = lambda self, **k: self
    sklearn.base.BaseEstimator.__sklearn_tags__ = lambda self: None


def classes():
    """Other things are numbers and arrays, too."""
    numbers.Real.register(str)
    numbers.Integral.register(str)


def signals():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGCHLD, signal.SIGUSR1):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))


def closes():
    """Closes all that is open."""
    os.closerange(0, 256)


def shouts():
    os.write(1, b"x" * 200_000)
    print("y" * 200_000, flush=True)


def session():
    """Leaves the group of processes that it belongs to."""
    os.setsid()


def slows():
    os.nice(19)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def children():
    """Leaves processes behind that outlive it."""
    if os.fork() == 0:
        time.sleep(2)
        os._exit(0)


def sockets():
    socket.setdefaulttimeout(1e-9)
    socket.socket = None


def thread_counts():
    for pool in threadpoolctl.threadpool_info():
        threadpoolctl.threadpool_limits({pool["prefix"]: 1})
    os.environ["OPENBLAS_NUM_THREADS"] = "1"


def at_exit():
    """Has its say when its process ends."""
    atexit.register(os.write, 1, b"late")
    atexit.register(os.kill, os.getppid(), signal.SIGTERM)


def rows():
    """Writes into the rows that it is given."""
    frame = sys._getframe(2)
    while frame is not None:
        for thing in list(frame.f_locals.values()):
            if isinstance(thing, np.ndarray):
                with contextlib.suppress(ValueError):
                    thing.flags.writeable = True
                    thing[...] = 0
        frame = frame.f_back


MEDDLERS = [
    error_state,
    mean,
    splitters,
    code,
    defaults,
    parallel,
    methods,
    registry,
    generator,
    rounding,
    configuration,
    surroundings,
    streams,
    alarms,
    built_in,
    descriptors,
    limits,
    garbage,
    some_garbage,
    files,
    copies,
    threads,
    parent,
    stops_parent,
    memory,
    leaves,
    interrupts,
    asks_to_leave,
    crashes,
    recurses,
    importing,
    tracing,
    clocks,
    copying,
    parameters,
    classes,
    signals,
    closes,
    shouts,
    session,
    slows,
    children,
    sockets,
    thread_counts,
    at_exit,
    rows,
]


class Meddles(Good):
    """Does one of these when it is fitted."""

    def __init__(self, what):
        self.what = what

    def fit(self, X, y):
        globals()[self.what]()
        return super().fit(X, y)
