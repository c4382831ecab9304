"""Speed of posteriors, preferences and judges against named peers, as ratios within one run.

    python benchmarks/readings.py

1. The signed rank posterior of 100 data sets, 50,000 draws, against baycomp (at least 4 times).
2. The hierarchical posterior of 20 data sets with 100 samples each against a sampler of the same
   model, numpyro's NUTS with 2 x 6000 draws (at least 50 times).
3. The judge's correction of one pair, 400 items and 15 labels, against evalstats (at least 1000
   times).
4. Bradley-Terry with Davidson's ties and errors by blocks, 10^5 battles of 20 models (at most 50
   ms), against arena-rank; and reading and comparing such a file.

Peers that are not installed are left out, and said: pip install baycomp evalstats arena-rank
numpyro. All times are processor seconds of this process.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import podium
from podium.core.inference.numbers import chances as posteriors
from podium.core.inference.numbers.judge_correction import corrected
from podium.core.inference.procedures.battle_fits import paired_strengths


def seconds(call: Callable[[], object], repeats: int = 5) -> float:
    """The fastest of some calls."""
    call()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def told(what: str, ours: float, theirs: float | None, peer: str) -> None:
    """A line of the result."""
    known = f"{peer} {theirs:.4g} s: {theirs / ours:.0f} times" if theirs else f"{peer} is missing"
    print(f"{what}: {1000 * ours:.3g} ms; {known}", flush=True)


def peer(name: str) -> Any:
    """The package, or None where it cannot be had."""
    try:
        return importlib.import_module(name)
    except Exception:  # whatever a package does when it is loaded
        return None


def signed_rank() -> None:
    """100 data sets."""
    rng = np.random.default_rng(0)
    z = rng.normal(0.02, 0.05, 100)
    ours = seconds(lambda: posteriors.signed_rank(z, 0.01), 3)
    theirs = None
    if (baycomp := peer("baycomp")) is not None:
        theirs = seconds(
            lambda: baycomp.SignedRankTest.probs(z, np.zeros(100), rope=0.01, nsamples=50_000), 1
        )
    told("signed rank, 100 data sets", ours, theirs, "baycomp")


def hierarchical() -> None:
    """20 data sets of ten times ten folds."""
    rng = np.random.default_rng(0)
    common = rng.normal(0.012, 0.016, (20, 1))
    x = common + 0.02 * (np.sqrt(0.1) * rng.normal(size=(20, 1)))
    x = x + 0.02 * np.sqrt(0.9) * rng.normal(size=(20, 100))
    ours = seconds(lambda: posteriors.hierarchical(list(x), 0.01, 0.1), 2)
    theirs = _nuts(x) if peer("numpyro") is not None else None
    told("hierarchical, 20 data sets x 100", ours, theirs, "numpyro")


def _nuts(x: np.ndarray) -> float:
    """One run of the sampler, compilation included, as everyone has it who runs it once."""
    import jax
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist

    q, n = x.shape
    size = float(x.std(axis=1).mean())
    mean, square = jnp.array(x.mean(axis=1) / size), jnp.array(x.var(axis=1) / size**2)
    rho = 0.1

    def model() -> None:
        mu = numpyro.sample("mu", dist.Uniform(-5.0, 5.0))
        spread = numpyro.sample("spread", dist.Uniform(0.0, 20.0))
        shape = numpyro.sample("shape", dist.Uniform(1.0, 2.0))
        rate = numpyro.sample("rate", dist.Uniform(0.01, 0.1))
        df = numpyro.sample("df", dist.Gamma(shape, rate))
        with numpyro.plate("sets", q):
            z = numpyro.sample("z", dist.StudentT(df + 1.0))
            sigma = numpyro.sample("sigma", dist.Uniform(0.01, 10.0))
        delta = mu + spread * z
        # the normal likelihood of equally correlated samples, by their mean and variance
        within = n * square / (1 - rho) + n * (mean - delta) ** 2 / (1 + (n - 1) * rho)
        numpyro.factor("samples", (-n * jnp.log(sigma) - within / (2 * sigma**2)).sum())

    start = time.process_time()
    sampler = numpyro.infer.MCMC(
        numpyro.infer.NUTS(model), num_warmup=1000, num_samples=6000, num_chains=2,
        chain_method="sequential", progress_bar=False,
    )  # fmt: skip
    sampler.run(jax.random.PRNGKey(0))
    np.asarray(sampler.get_samples()["mu"])
    return time.process_time() - start


def judge() -> None:
    """One pair."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=400)
    f = 0.8 * y + 0.6 * rng.normal(size=400)
    human = np.where(np.arange(400) < 15, y, np.nan)
    ours = seconds(lambda: [corrected(human, f) for _ in range(100)], 5) / 100
    theirs = _evalstats(y, f) if peer("evalstats") is not None else None
    told("judge, 400 items, 15 labels", ours, theirs, "evalstats")


def _evalstats(y: np.ndarray, f: np.ndarray) -> float | None:
    """Its paired t test with labels."""
    tests = peer("evalstats.tests")
    if tests is None:
        return None
    rng = np.random.default_rng(1)
    other = rng.normal(size=400)  # the second system, of which the judge sees as much
    label = np.arange(400) < 15
    first, second = np.where(label, y + other, np.nan), np.where(label, other, np.nan)
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):  # it reports
        warnings.simplefilter("ignore")
        return seconds(
            lambda: tests.ttest(f + other, other, first, second, paired=True, print_result=False), 1
        )


def preferences() -> None:
    """10^5 battles of 20 models about 5000 questions."""
    rng = np.random.default_rng(0)
    k, n = 20, 100_000
    strength = np.linspace(1, -1, k)
    a = rng.integers(0, k, n)
    b = (a + rng.integers(1, k, n)) % k
    won = rng.random(n) < 1 / (1 + np.exp(strength[b] - strength[a]))
    outcome = np.where(rng.random(n) < 0.15, 0, np.where(won, 1, -1))
    blocks = rng.integers(0, 5000, n)
    names = [f"m{i}" for i in range(k)]

    def ours() -> object:
        return paired_strengths(a, b, outcome, names, blocks).covariance

    print(f"Bradley-Terry alone, 10^5 battles of 20: {1000 * seconds(ours):.3g} ms")
    frame = pd.DataFrame(
        {
            "model_a": np.array(names)[a],
            "model_b": np.array(names)[b],
            "winner": np.array(["model_b", "tie", "model_a"])[outcome + 1],
            "question": blocks,
        }
    )

    def from_frame() -> object:
        one, two = (pd.Index(names).get_indexer(frame[c]) for c in ("model_a", "model_b"))
        way = frame["winner"].map({"model_a": 1, "tie": 0, "model_b": -1}).to_numpy()
        return paired_strengths(one, two, way, names, frame["question"].to_numpy()).covariance

    took = seconds(from_frame)
    told("the same from a frame", took, _arena(frame), "arena-rank")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "battles.csv"
        frame.to_csv(path, index=False)
        read = seconds(lambda: podium.read(path), 2)
        results = podium.read(path)
        compare = seconds(lambda: podium.compare(results), 2)
    print(f"reading that file: {read:.2f} s; comparing: {compare:.2f} s")


def _arena(frame: pd.DataFrame) -> float | None:
    """Its fit with intervals from the frame, after a first call that compiles."""
    if peer("arena_rank") is None:
        return None
    try:
        from arena_rank.models.bradley_terry import BradleyTerry
        from arena_rank.utils.data_utils import PairDataset

        def fit() -> object:
            data = PairDataset.from_pandas(frame)
            return BradleyTerry(n_competitors=20).compute_ratings_and_cis(data)

        return seconds(fit, 1)
    except Exception as error:  # another release
        print(f"(arena-rank: {error!s:.100})")
        return None


if __name__ == "__main__":
    signed_rank()
    judge()
    preferences()
    hierarchical()
