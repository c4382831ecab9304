"""One million scores: appended to a store in batches of 1000, and read back as Results.

Prints seconds, the peak memory of each step (measured in a process of its own) and the size of the
file. The claim is: stored in at most 20 s, read back in 5 s, under 500 MB.

    python benchmarks/million_scores.py
"""

from __future__ import annotations

import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DATASETS, ALGORITHMS, SAMPLES, MEASURES, BATCH = 20, 50, 250, 4, 1000


def write(path: str) -> None:
    from podium.core.questions.measures import parse
    from podium.reading.store import Record, Store

    measures = [parse(m) for m in ("error", "log-loss", "brier", "auc")]
    datasets = {f"data{d}": f"d{d}" for d in range(DATASETS)}
    algorithms = {f"algorithm{a}": f"a{a}" for a in range(ALGORITHMS)}
    definition = {
        "name": "million",
        "seed": 1,
        "population": "",
        "sampling": {"name": "bootstrap", "samples": SAMPLES},
        "sampling_identity": "bootstrap",
        "keep": [],
        "measures": [m.name for m in measures],
        "datasets": datasets,
        "algorithms": algorithms,
        "samples": dict.fromkeys(datasets, SAMPLES),
        "file": "",
    }
    runs = [(d, s, a) for d in datasets for s in range(1, SAMPLES + 1) for a in algorithms]
    start = time.perf_counter()
    with Store(path, create=True) as store:
        store.begin(
            definition,
            datasets={d: (f, {}) for d, f in datasets.items()},
            algorithms={a: (f, {}) for a, f in algorithms.items()},
            measures=measures,
            environment={},
        )
        for first in range(0, len(runs), BATCH):
            store.append(
                Record(
                    hashlib.sha256(repr(run).encode()).digest()[:16],
                    run[0],
                    run[2],
                    run[1],
                    {m.name: (first + i) / 7 for i, m in enumerate(measures)},
                    0.001,
                    0.001,
                    1.0,
                )
                for run in runs[first : first + BATCH]
            )
    _say("stored", start, len(runs) * MEASURES)


def read(path: str) -> None:
    from podium.reading.formats.stores import read_store

    start = time.perf_counter()
    results = read_store(path)
    _say("read", start, len(results.scores))


def _say(what: str, start: float, scores: int) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = time.perf_counter() - start
    print(
        json.dumps(
            {"step": what, "scores": scores, "seconds": round(seconds, 2), "MB": round(peak)}
        )
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.db"
        for step in ("write", "read"):
            subprocess.run([sys.executable, __file__, step, str(path)], check=True)
        print(json.dumps({"step": "file", "MB": round(path.stat().st_size / 2**20)}))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        {"write": write, "read": read}[sys.argv[1]](sys.argv[2])
    else:
        main()
