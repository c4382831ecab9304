"""What names of runs say: algorithm, seed and perhaps the data set.

`CartPole_ppo_seed0` and `CartPole-v1__ppo__1__1700000000` are runs of ppo on CartPole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from podium.base.errors import ResultsError

_SEED = re.compile(r"(?:seed|run|s|rs)?[-=:]?(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Run:
    """Of which algorithm, data set and seed a curve is."""

    algorithm: str
    seed: str
    dataset: str = ""


def runs_of(names: Sequence[str], what: str) -> list[Run]:
    """What the names of runs say: the last number is the seed, what they share the data set.

    >>> runs_of(["Cart_ppo_seed0", "Cart_ppo_seed1", "Cart_sac_seed0"], "Runs")[0]
    Run(algorithm='ppo', seed='0', dataset='Cart')
    """
    if all(name.count("__") == 3 for name in names):  # CleanRL: environment, algorithm, seed, time
        parts = [name.split("__") for name in names]
        return [Run(algorithm, seed, dataset) for dataset, algorithm, seed, _ in parts]
    words, result = zip(*(_less_seed(name) for name in names), strict=True)
    if len({len(w) for w in words}) > 1 or len(words[0]) < 2:
        return [Run("_".join(w), seed) for w, seed in zip(words, result, strict=True)]
    varying = [i for i in range(len(words[0])) if len({w[i] for w in words}) > 1]
    if len(varying) > 1 and len({tuple(w) for w in words}) > max(
        len({w[i] for w in words}) for i in varying
    ):
        raise ResultsError(
            f"{what}: the names of runs differ in {len(varying)} places besides the seed "
            f"('{names[0]}'), so which is the algorithm is not known. Give the runs of one data "
            "set, or name them DATASET__ALGORITHM__SEED__TIME."
        )
    kept = varying or [len(words[0]) - 1]
    shared = [i for i in range(len(words[0])) if i not in kept]
    return [
        Run("_".join(w[i] for i in kept), seed, "_".join(w[i] for i in shared))
        for w, seed in zip(words, result, strict=True)
    ]


def _less_seed(name: str) -> tuple[list[str], str]:
    """The words of a name without its last number, and this number."""
    words = [word for word in re.split(r"[_/ ]+", name) if word]
    for i in range(len(words) - 1, 0, -1):
        if seed := _SEED.fullmatch(words[i]):
            before = words[i - 1] if words[i - 1].lower() in ("seed", "run") and i > 1 else ""
            return words[: i - bool(before)] + words[i + 1 :], seed[1]
    return words, "1"
