"""Speed of inference against named peers, as ratios within one run.

    python benchmarks/inference.py [permutations]

1. Permutations of statistic (3) of hothorn2005 (250 blocks, 6 algorithms) against
   scipy.stats.permutation_test with a vectorised statistic.
2. The all-pairs rank test of 20 algorithms on 100 blocks, asymptotic.
3. hull on 100 blocks of 78 algorithms (3003 pairs, p-values and intervals; at most 20 ms are
   claimed) with and without gaps, and flip on 100 blocks of 50 algorithms (at most 2 s).
4. The random block model by REML with Tukey intervals, 250 blocks, 6 algorithms, balanced and
   with gaps; against statsmodels' MixedLM where that is installed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np
from scipy import stats

from podium.core.inference.comparing.evidence import tested
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.comparing.request import made_request
from podium.core.inference.layouts import Layout, Origin
from podium.core.inference.procedures.procedure import Options
from podium.core.questions.measures import Measure
from podium.core.samplings import parse
from podium.core.verdicts.verbs import compare

SCORE = Measure("score", higher_is_better=True)


def seconds(call: Callable[[], object], repeats: int = 5) -> float:
    """The fastest of some calls."""
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def layout(blocks: int, algorithms: int, gaps: float = 0.0) -> Layout:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(blocks, 1)) + rng.gamma(2.0, size=(blocks, algorithms))
    values[rng.random(values.shape) < gaps] = np.nan
    names = tuple(f"a{i}" for i in range(algorithms))
    return Layout(
        values, names, "resample", "sample", SCORE, origin=Origin(sampling=parse("bootstrap"))
    )


def statistic_3(*samples: np.ndarray, axis: int) -> np.ndarray:
    """Statistic (3) less its denominator, a monotone function of it: sums of squared means."""
    means = np.stack([s.mean(axis=axis) for s in samples])
    return ((means - means.mean(axis=0)) ** 2).sum(axis=0)


def permutations(count: int) -> None:
    made = layout(250, 6)
    null, one = f"permutation:{count}", [("a0", "a1")]  # the global test is of all algorithms
    ours = seconds(lambda: compare(made, "permutation", pairs=one, null=null), 5)
    print(f"{count} permutations of statistic (3): podium {ours:.3f} s")
    for words, batch in (("its default batch", None), ("batches of 1000, its fastest", 1000)):
        start = time.perf_counter()
        stats.permutation_test(
            tuple(made.values.T),
            statistic_3,
            permutation_type="samples",
            vectorized=True,
            n_resamples=count,
            batch=batch,
            alternative="greater",
            rng=np.random.default_rng(0),
        )
        theirs = time.perf_counter() - start
        print(f"  scipy, {words}: {theirs:.2f} s, {theirs / ours:.1f} x")


def ranks() -> None:
    made = layout(100, 20)
    ours = seconds(lambda: compare(made, "nemenyi"))
    print(f"all-pairs rank test, K = 20, B = 100: {1000 * ours:.1f} ms")


def judged(name: str, made: Layout) -> float:
    """The seconds that p-values and simultaneous intervals of all pairs take."""
    procedure = PROCEDURES[name]
    request = made_request(made, procedure, Options())

    def all_of_it() -> object:
        found = tested(made, procedure, request)
        return found.p, found.adjusted, found.limits

    return seconds(all_of_it, 10 if name == "hull" else 2)


def pairs() -> None:
    for words, gaps in (("balanced", 0.0), ("with gaps", 0.05)):
        ours = judged("hull", layout(100, 78, gaps))
        print(f"hull, B = 100, K = 78, {words}: {1000 * ours:.1f} ms (at most 20)")
    print(f"flip, B = 100, K = 50: {judged('flip', layout(100, 50)):.2f} s (at most 2)")


def mixed() -> None:
    for words, gaps in (("balanced", 0.0), ("with gaps", 0.05)):
        made = layout(250, 6, gaps)
        ours = seconds(lambda made=made: compare(made, "mixed-tukey"))  # type: ignore[misc]
        print(f"REML with Tukey intervals, B = 250, K = 6, {words}: {1000 * ours:.1f} ms", end="")
        print(_statsmodels(made, ours))


def _statsmodels(made: Layout, ours: float) -> str:
    try:
        import pandas as pd
        import statsmodels.formula.api as smf
    except ImportError:
        return " (statsmodels is not installed)"
    b, k = made.values.shape
    frame = pd.DataFrame(
        {"y": made.values.ravel(), "a": np.tile(np.arange(k), b), "b": np.repeat(np.arange(b), k)}
    ).dropna()
    start = time.perf_counter()
    smf.mixedlm("y ~ C(a)", frame, groups=frame["b"]).fit()
    theirs = time.perf_counter() - start
    return f", statsmodels (fit alone) {theirs:.2f} s: {theirs / ours:.0f} x"


if __name__ == "__main__":
    permutations(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
    ranks()
    pairs()
    mixed()
