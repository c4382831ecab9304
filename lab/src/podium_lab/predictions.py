"""How often equal models are told apart by measures of predictions, under nulls of many kinds.

    python -m podium_lab.rates --only predictions

Two models (or five, all pairs at once) are drawn alike: heavy-tailed scores, scores of few values,
four unequal classes, Laplace errors, clusters of unequal size.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from podium.asking.predictions.influence import Influence, quantile, ratio
from podium.asking.predictions.predicted import LABELS, NUMBERS, PROBABILITIES, SCORES, Predictions
from podium.asking.predictions.scoring import linearised, requested
from podium.core.inference.bricks.linearised import only_values, own_limits
from podium.core.inference.comparing.compare import compare, p_adjusted
from podium.core.inference.comparing.request import chosen_procedure
from podium.core.inference.layouts import Items, Layout, Origin
from podium.core.inference.procedures.procedure import Options
from podium.core.questions.measures import Measure
from podium.core.questions.targets import ITEM, TEST_SET
from podium.core.results.linearised import Linearised
from podium.core.samplings import parse
from podium.errors import PodiumError
from podium_lab import further_nulls as nulls
from podium_lab.further_nulls import MODELS, Draw

Noise = Callable[[int], np.ndarray]


def _scores(y: np.ndarray, models: int, noise: Noise) -> dict[str, np.ndarray]:
    common = noise(len(y))
    return {f"m{k}": y * 1.2 + 0.7 * common + 0.7 * noise(len(y)) for k in range(models)}


def heavy(rng: np.random.Generator, n: int, models: int = 2) -> pd.DataFrame:
    """Scores with t3 errors; one item in ten is positive."""
    y = (rng.random(n) < 0.1).astype(int)
    return pd.DataFrame({"y_true": y, **_scores(y, models, lambda m: rng.standard_t(3, m))})


def heavy_of_five(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """The same of five models."""
    return heavy(rng, n, 5)


def coarse(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Scores of five values, so that most are tied."""
    y = (rng.random(n) < 0.25).astype(int)
    result = _scores(y, 2, lambda m: rng.normal(size=m))
    return pd.DataFrame(
        {"y_true": y, **{m: np.clip(np.round(s), -2, 2) for m, s in result.items()}}
    )


def clustered(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Clusters of 1 to 19 items, in which models have effects of their own."""
    place = np.repeat(np.arange(n), rng.integers(1, 20, n))[:n]
    y = (rng.random(n) < 0.4).astype(int)
    effect = 0.8 * rng.normal(size=(place.max() + 1, 2))
    scores = {f"m{k}": y + effect[place, k] + rng.normal(size=n) for k in range(2)}
    return pd.DataFrame({"y_true": y, "cluster": [f"c{c}" for c in place], **scores})


def classes(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Labels of four classes, the rarest one in twelve; each model errs in about a quarter."""
    y = rng.choice(4, n, p=[0.5, 0.25, 1 / 6, 1 / 12])
    letters = np.array(list("abcd"))

    def said() -> np.ndarray:
        return np.where(rng.random(n) < 2 / 3, y, rng.choice(4, n, p=[0.4, 0.3, 0.2, 0.1]))

    return pd.DataFrame({"y_true": letters[y], "m0": letters[said()], "m1": letters[said()]})


def laplace(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Numbers with Laplace errors that the models share in part."""
    y, common = rng.gamma(2, 1, n), rng.laplace(size=n)
    models = {f"m{k}": y + 0.5 * common + 0.7 * rng.laplace(size=n) for k in range(2)}
    return pd.DataFrame({"y_true": y, **models})


def few(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Scores with Laplace errors; five items are positive, however many there are."""
    y = (np.arange(n) < 5).astype(int)
    return pd.DataFrame({"y_true": y, **_scores(y, 2, lambda m: rng.laplace(size=m))})


def few_labels(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Labels of which ten are positive; models find two thirds, and call one in twelve so."""
    y = (np.arange(n) < 10).astype(int)
    hard = rng.normal(size=n)

    def said() -> np.ndarray:
        seen = 0.7 * hard + 0.7 * rng.normal(size=n)
        return np.where(y == 1, seen > -0.43, seen > 1.38)

    letters = np.array(["no", "yes"])
    return pd.DataFrame({"y_true": letters[y], **{m: letters[said().astype(int)] for m in MODELS}})


def calibrated(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Probabilities of two models that are both right on average."""
    hard = rng.beta(2, 3, n)
    y = (rng.random(n) < hard).astype(int)
    return pd.DataFrame({"y_true": y, **{m: _blurred(hard, rng) for m in MODELS}})


def _blurred(hard: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """What is known of beta(2, 3) chances after four tries: calibrated by Bayes' formula."""
    return (2 + rng.binomial(4, hard)) / 9


CELLS: tuple[tuple[str, Draw, int], ...] = (
    ("auc", heavy, 100),
    ("auc", heavy, 400),
    ("auc", heavy_of_five, 400),
    ("average-precision", heavy, 400),
    ("auc", coarse, 80),
    ("auc", clustered, 150),
    ("macro-f1", classes, 150),
    ("macro-f1", classes, 600),
    ("mcc", classes, 150),
    ("rmse", laplace, 60),
    ("r2", laplace, 200),
    ("auc", few, 150),
    ("average-precision", few, 150),
    ("f1", few_labels, 150),
    ("balanced-accuracy", few_labels, 150),
    ("balanced-accuracy", classes, 600),
    ("correlation", laplace, 100),
    ("calibration", calibrated, 400),
    ("auc", nulls.rare, 2000),
    ("average-precision", nulls.rare, 2000),
    ("f1", nulls.rare_labels, 2000),
    ("mcc", nulls.rare_labels, 2000),
    ("auc", nulls.twins, 200),
    ("average-precision", nulls.twins, 200),
    ("f1", nulls.twin_labels, 400),
    ("f1", nulls.patients, 400),
    ("macro-f1", nulls.patients, 400),
    ("auc", nulls.gathered, 300),
    ("rmse", nulls.houses, 300),
    ("auc", nulls.surveyed, 300),
    ("f1", nulls.surveyed_labels, 300),
    ("rmse", nulls.fanned, 100),
    ("r2", nulls.fanned, 100),
)


def told_apart(measure: str, draw: Draw, n: int, rng: np.random.Generator) -> bool | None:
    """Whether some pair of equal models is told apart; None where a table carries no interval."""
    layout = _layout(measure, draw(rng, n))
    if layout is None or only_values(layout):
        return None
    p = _p(layout)
    return bool((p <= 0.05).any()) if not np.isnan(p).any() else None


def _p(layout: Layout) -> np.ndarray:
    options = Options()
    return p_adjusted(layout, chosen_procedure(layout, options)[0], options)[1]


def _layout(measure: str, frame: pd.DataFrame) -> Layout | None:
    """The linearised scores of a table by a measure; None where a class is missing."""
    models = [c for c in frame.columns if c.startswith("m")]
    truth = frame["y_true"].to_numpy()
    more: dict[str, Any] = {}
    if "cluster" in frame:
        more["clusters"] = frame["cluster"].to_numpy()
    if "weight" in frame:
        more["weights"] = frame["weight"].to_numpy() / frame["weight"].mean()
    if truth.dtype == float:
        held = Predictions(NUMBERS, {m: frame[m].to_numpy() for m in models}, truth, **more)
    else:
        classes, codes = np.unique(truth, return_inverse=True)
        is_label = frame[models[0]].dtype.kind not in "if"
        outputs = {m: frame[m].to_numpy() for m in models}
        if is_label:
            classes = np.unique([truth, *outputs.values()])
            codes, *each = (np.searchsorted(classes, v) for v in (truth, *outputs.values()))
            outputs = dict(zip(models, each, strict=True))
        kind = LABELS if is_label else PROBABILITIES if "calib" in measure else SCORES
        held = Predictions(kind, outputs, codes, tuple(map(str, classes)), **more)
    try:
        request = requested(held, measure)
        made = linearised(request)[1]
    except PodiumError:
        return None
    return _of_items(made, request.measure)


def _of_items(made: Linearised, measure: Measure) -> Layout:
    items = Items(clusters=made.clusters, linearised=made)
    values = measure.sign * made.values
    origin = Origin(sampling=parse("items"))
    return Layout(values, made.algorithms, ITEM, TEST_SET, measure, origin=origin, items=items)


def latencies_told_apart(n: int, rng: np.random.Generator) -> bool | None:
    """Whether the 95th percentiles of times of two equal models are told apart: gamma, shared."""
    hard = rng.gamma(2.0, 1.0, n)
    return _columns_told_apart([quantile(hard * rng.gamma(3.0, 1.0, n), 0.95) for _ in MODELS])


def stalls_told_apart(n: int, rng: np.random.Generator) -> bool | None:
    """The same of times with a Pareto tail, whose variance is infinite."""
    return _columns_told_apart([quantile(1 + rng.pareto(1.8, n), 0.95) for _ in MODELS])


def texts_told_apart(n: int, rng: np.random.Generator) -> bool | None:
    """Whether two equal models differ in word error rate, a ratio of sums."""
    wrong, words = nulls.recognised(rng, n)
    return _columns_told_apart([ratio(each, words) for each in wrong.T])


def _columns_told_apart(each: list[Influence]) -> bool | None:
    made = Linearised(np.column_stack([one.scores for one in each]), MODELS)
    p = _p(_of_items(made, Measure("latency:p95", higher_is_better=False)))
    return None if np.isnan(p).any() else bool(p[0] <= 0.05)


def misses_of_classes(measure: str, n: int, rng: np.random.Generator) -> bool | None:
    """Whether a model's own interval misses, of labels of four classes or of numbers.

    What the measure is for infinitely many items, it is of all cells weighted by their chances.
    """
    frame = (laplace if measure in ("rmse", "r2") else classes)(rng, n).drop(columns="m1")
    layout = _layout(measure, frame)
    if layout is None or only_values(layout):
        return None
    _, low, high, _ = own_limits(layout, 0.05)
    return None if math.isnan(low) else not low <= _whole(measure) <= high


@cache
def _whole(measure: str) -> float:
    if measure in ("rmse", "r2"):
        lost = 2 * (0.5**2 + 0.7**2)  # of two Laplace errors; the truth has a variance of 2
        return math.sqrt(lost) if measure == "rmse" else 1 - lost / 2
    letters = list("abcd")
    chances = {
        (a, b): p * (q / 3 + (a == b) * 2 / 3)
        for (a, p), (b, q) in product(
            zip(letters, (1 / 2, 1 / 4, 1 / 6, 1 / 12), strict=True),
            zip(letters, (0.4, 0.3, 0.2, 0.1), strict=True),
        )
    }
    truth, told = zip(*chances, strict=True)
    cells = pd.DataFrame({"y_true": truth, "m0": told, "weight": list(chances.values())})
    layout = _layout(measure, cells)
    assert layout is not None
    return float(layout.sign * layout.values.mean())


POSITIVES, GAIN, CUT = 0.1, 1.5, 1.0  # one item in ten; what its score has more; said to be one


def scored(rng: np.random.Generator, n: int, gains: tuple[float, ...]) -> pd.DataFrame:
    """Normal scores that the models share in part; one item in ten is positive."""
    y = (rng.random(n) < POSITIVES).astype(int)
    common = rng.normal(size=n)
    shared = math.sqrt(0.5) if len(gains) > 1 else 0.0
    noise = [shared * common + math.sqrt(1 - shared**2) * rng.normal(size=n) for _ in gains]
    return pd.DataFrame({"y_true": y, **{f"m{k}": g * y + noise[k] for k, g in enumerate(gains)}})


def said(frame: pd.DataFrame) -> pd.DataFrame:
    """Scores as labels: positive above the cut."""
    letters = np.array(["no", "yes"])
    return frame.apply(lambda c: letters[(c > (0 if c.name == "y_true" else CUT)).astype(int)])


def true_value(measure: str, gain: float) -> float:
    """Of normal scores that differ by so much between the classes, for infinitely many items."""
    if measure == "auc":
        return 0.5 * math.erfc(-gain / 2)
    if measure == "f1":
        found, called = special.ndtr(gain - CUT), special.ndtr(-CUT)
        total = POSITIVES * (1 + found) + (1 - POSITIVES) * called
        return float(2 * POSITIVES * found / total)
    score = np.linspace(-9, 12, 20_001)  # precision at a positive's score, averaged over positives
    found, called = special.ndtr(gain - score), special.ndtr(-score)
    precision = POSITIVES * found / (POSITIVES * found + (1 - POSITIVES) * called)
    density = np.exp(-((score - gain) ** 2) / 2) / math.sqrt(2 * math.pi)
    return float(np.trapezoid(precision * density, score))


def misses(measure: str, n: int, rng: np.random.Generator) -> bool | None:
    """Whether a model's own interval misses what it is for infinitely many items."""
    frame = scored(rng, n, (GAIN,))
    layout = _layout(measure, said(frame) if measure == "f1" else frame)
    if layout is None or only_values(layout):
        return None
    _, low, high, _ = own_limits(layout, 0.05)
    return None if math.isnan(low) else not low <= true_value(measure, GAIN) <= high


def misses_difference(measure: str, n: int, rng: np.random.Generator) -> bool | None:
    """Whether the interval of a true difference of two models misses it."""
    gains = GAIN, GAIN - 0.6
    frame = scored(rng, n, gains)
    layout = _layout(measure, said(frame) if measure == "f1" else frame)
    if layout is None or only_values(layout):
        return None
    row = compare(layout, Options()).table.iloc[0]
    true = true_value(measure, gains[0]) - true_value(measure, gains[1])
    return None if math.isnan(row["lower"]) else not row["lower"] <= true <= row["upper"]


def tuned_told_apart(n: int, rng: np.random.Generator) -> bool | None:
    """Whether labels cut where F1 is highest on these items beat an equal model's at the best cut.

    What `f1` of labels from a file cannot know: that the cut was chosen on the same items.
    """
    frame = scored(rng, n, (GAIN, GAIN))
    y, letters = frame["y_true"].to_numpy(), np.array(["no", "yes"])
    cuts = np.quantile(frame["m0"], np.linspace(0.5, 0.99, 50))
    called = frame["m0"].to_numpy()[:, None] > cuts
    best = int(
        np.argmax(2 * (called & (y == 1)[:, None]).sum(axis=0) / (called.sum(axis=0) + y.sum()))
    )
    grid = np.linspace(0.0, 3.0, 301)
    rate = special.ndtr(GAIN - grid), special.ndtr(-grid)
    f1 = 2 * POSITIVES * rate[0] / (POSITIVES * (1 + rate[0]) + (1 - POSITIVES) * rate[1])
    fixed = frame["m1"].to_numpy() > grid[int(np.argmax(f1))]
    columns = {"y_true": y, "m0": called[:, best], "m1": fixed}
    layout = _layout("f1", pd.DataFrame({m: letters[c.astype(int)] for m, c in columns.items()}))
    if layout is None or only_values(layout):
        return None
    p = _p(layout)
    return None if np.isnan(p).any() else bool(p[0] <= 0.05)


def cells() -> dict[str, Callable[[np.random.Generator], bool | None]]:
    """Every measure under every null, by name."""
    made: dict[str, Callable[[np.random.Generator], bool | None]] = {
        f"predictions/{measure}/{draw.__name__.replace('_', ' ')}/{n}": partial(
            told_apart, measure, draw, n
        )
        for measure, draw, n in CELLS
    }
    made |= {f"predictions/p95/gamma/{n}": partial(latencies_told_apart, n) for n in (60, 400)}
    made |= {f"predictions/p95/pareto/{n}": partial(stalls_told_apart, n) for n in (60, 400)}
    made |= {f"predictions/wer/texts/{n}": partial(texts_told_apart, n) for n in (50, 400)}
    for measure, n in product(("macro-f1", "mcc", "balanced-accuracy", "rmse", "r2"), (200, 1000)):
        name = f"predictions/{measure}/own of classes or numbers/{n}"
        made[name] = partial(misses_of_classes, measure, n)
    made |= {f"predictions/f1/tuned/{n}": partial(tuned_told_apart, n) for n in (200, 1000)}
    for measure, n in product(("auc", "average-precision", "f1"), (100, 400, 1000)):
        made[f"predictions/{measure}/own interval/{n}"] = partial(misses, measure, n)
        made[f"predictions/{measure}/true difference/{n}"] = partial(misses_difference, measure, n)
    return made
