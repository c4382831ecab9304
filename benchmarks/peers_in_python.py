"""What autorank, scikit-posthocs and evalstats decide about the tables of `peers.py`.

    python benchmarks/peers_in_python.py TOOL FOLDER FILE      (in an environment of their own)

Each is called as its own documentation shows first, at the level of 5 %.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

LEVEL = 0.05
warnings.simplefilter("ignore")


def autorank_default(frame: pd.DataFrame) -> np.ndarray:
    """autorank chooses its test by itself; a pair is decided where its groups keep it apart."""
    from autorank import autorank
    from autorank._util import get_sorted_rank_groups

    result = autorank(frame, alpha=LEVEL, verbose=False)
    k = frame.shape[1]
    decided = np.zeros((k, k), bool)
    if result.pvalue >= LEVEL:
        return decided
    _, names, groups = get_sorted_rank_groups(result, False)
    place = [list(frame.columns).index(name) for name in names]
    for i in range(k):
        for j in range(i + 1, k):
            together = any(first <= i and j <= last for first, last in groups)
            decided[place[i], place[j]] = decided[place[j], place[i]] = not together
    return decided


def posthocs_nemenyi(frame: pd.DataFrame) -> np.ndarray:
    """Nemenyi's test after Friedman's ranks."""
    import scikit_posthocs

    return scikit_posthocs.posthoc_nemenyi_friedman(frame).to_numpy() <= LEVEL


def evalstats_default(frame: pd.DataFrame) -> np.ndarray:
    """Each row is an item; pairs by `compare`, with everything left to evalstats."""
    import evalstats

    k = frame.shape[1]
    long = frame.rename_axis("item").reset_index().melt("item", var_name="model")
    long = long.rename(columns={"value": "score"})
    result = evalstats.compare(evalstats.load_from(long, metric_cols="score"), factors="model")
    decided = np.zeros((k, k), bool)
    names = list(frame.columns)
    for pair in result.to_dict()["pairwise"]:
        i, j = names.index(pair["a"]), names.index(pair["b"])
        decided[i, j] = decided[j, i] = pair["significant"]
    return decided


TOOLS: dict[str, tuple[str, Callable[[pd.DataFrame], np.ndarray]]] = {
    "autorank": ("autorank", autorank_default),
    "scikit-posthocs": ("scikit-posthocs (Nemenyi)", posthocs_nemenyi),
    "evalstats": ("evalstats", evalstats_default),
}


def main(tool: str, folder: Path, target: Path) -> None:
    called, decide = TOOLS[tool]
    shapes = json.loads((folder / "shapes.json").read_text())
    found = {}
    for case, shape in shapes.items():
        flat = np.loadtxt(folder / f"{case}.csv", delimiter=",")
        names = [f"a{j}" for j in range(shape[2])]
        tables = [pd.DataFrame(t, columns=names) for t in flat.reshape(shape)]
        found[case] = [decide(table).astype(int).tolist() for table in tables]
    target.write_text(json.dumps({"versions": {tool: version(tool)}, called: found}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
