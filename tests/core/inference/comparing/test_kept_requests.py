"""What is legal for which design, what is refused in which words, and queues: kept answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from layouts_made import HOW, crossed, made, nested, noise, with_halvings
from snapshots import assert_kept
from summaries import of_layout, summary
from tables_varied import right, scores, wide

import podium
from podium import Layout, Measure, compare
from podium.core.inference.bricks.estimates import overlap
from podium.core.inference.bricks.estimates import test_train_ratio as train_ratio
from podium.core.inference.comparing.known import POSTERIORS, PROCEDURES
from podium.core.inference.comparing.legality import alternatives, check
from podium.core.inference.comparing.single import alone, item_scores
from podium.core.inference.layouts import Origin
from podium.core.questions.targets import CLAIMS
from podium.core.samplings import parse
from podium.errors import PodiumError

pytestmark = pytest.mark.numbers

BY_ITEM = ("crossed", "seed-item", "independent-seed-item", "condition-item", "held-out")
SAMPLINGS = (
    "cv:10", "cv:2", "loo", "repeated-cv:3x5", "5x2cv", "bootstrap", "bootstrap-2n", "bootstrap-cv",
    "subsampling:0.9", "subsampling:0.5", "holdout:0.7", "simulation", "nested-cv:4x4",
    "training-sets:5x64", "rolling-origin:20x2", "rolling-origin:20x3x4", "seeds", "runs", "items",
    "bootstrap+independent", "repeated-cv:2x10",
)  # fmt: skip


def failing(_of: Any, *given: Any, **more: Any) -> Any:
    """What a function gives, or how it refuses."""
    try:
        return _of(*given, **more)
    except PodiumError as error:
        return error


def of_design(block: str, target: str) -> Layout | None:
    """A layout of three algorithms."""
    values = noise(10, 3, 2)
    if block in BY_ITEM:
        return crossed(
            np.stack([values, noise(10, 3, 3), noise(10, 3, 4)]), block=block, target=target
        )
    if block == "nested":
        return nested(np.stack([values, noise(10, 3, 3)]), target=target)
    return made(values, block=block, target=target) if block in HOW else None


def test_what_is_legal_for_every_claim() -> None:
    found = {}
    for block, target in sorted(CLAIMS):
        layout = of_design(block, target)
        if layout is None:
            continue
        names = alternatives(layout)
        c = failing(compare, layout)
        found[f"{block} {target}"] = [
            " ".join(names),
            " ".join(alternatives(layout, POSTERIORS)),
            str(c) if isinstance(c, Exception) else [c.procedure, c.statement],
            [str(failing(check, PROCEDURES[name], layout, False))[:90]
             for name in ("friedman", "corrected-t", "games-howell", "mcnemar", "halves", "race")
             if name not in names],
        ]  # fmt: skip
    assert_kept("inference", "legal", found)


def test_ratios_of_samplings() -> None:
    found = {}
    for name in SAMPLINGS:
        sampling = failing(parse, name)
        if isinstance(sampling, Exception):
            found[name] = sampling
            continue
        for size, rows in ((None, None), (0.5, 200), (40, 200)):
            layout = made(noise(10, 2), block="fold", how="cv:10")
            layout = replace(layout, origin=Origin(sampling=sampling, size=size, rows=rows))
            found[f"{name} {size}"] = [failing(train_ratio, layout), failing(overlap, layout)]
    assert_kept("inference", "requests", found, case="ratios")


WRONG: dict[str, dict[str, Any]] = {
    "alternative": {"alternative": "more"},
    "alpha": {"alpha": 1.0},
    "alpha of 0": {"alpha": 0},
    "relevance": {"relevance": float("nan")},
    "relevance beyond": {"relevance": 3.0},
    "less relevance": {"relevance": -0.1},
    "null": {"null": "best"},
    "draws": {"null": "permutation:5"},
    "own null": {"procedure": "hull", "null": "exact"},
    "no such null": {"procedure": "paired-t", "null": "mid-p"},
    "adjust": {"adjust": "tukey-kramer"},
    "joint": {"procedure": "flip", "adjust": "holm"},
    "related": {"procedure": "wilcoxon", "adjust": "shaffer"},
    "related control": {"procedure": "friedman", "adjust": "bergmann", "control": "a"},
    "closed one-sided": {"procedure": "permutation", "alternative": "less"},
    "closed t": {"procedure": "hull", "adjust": "closed"},
    "control": {"control": "z"},
    "control and pairs": {"control": "a", "pairs": [("a", "b")]},
    "pairs": {"pairs": [("a", "b"), ("b", "a")]},
    "pairs of one": {"pairs": ["ab"]},
    "contrasts": {"contrasts": {"x": {"a": 1, "b": -1}}, "control": "a"},
    "contrasts of ranks": {"procedure": "sign", "contrasts": {"x": {"a": 1, "b": -1}}},
    "rho": {"posterior": True, "rho": 0.5},
    "wrong rho": {"posterior": "correlated-t", "rho": 1.5},
    "posterior": {"posterior": "best"},
    "posterior null": {"posterior": True, "null": "exact"},
    "both": {"posterior": True, "procedure": "hull"},
    "rope": {"rope": 0.1},
    "gaps": {"gaps": "some"},
    "weights": {"weights": {"d0": 2}},
    "weights of survey": {"procedure": "survey-fixed", "weights": {"z": 2}},
    "covariates": {"covariates": "length"},
    "margins": {"equivalence": 0.1, "non_inferiority": 0.1},
    "no margin": {"equivalence": 0},
    "margin of all": {"non_inferiority": 0.1},
    "judge": {"judge": "a", "human": "b"},
    "procedure": {"procedure": "friedmann"},
    "estimate": {"estimate": "block-sums:best"},
    "estimate of hull": {"procedure": "hull", "estimate": "means"},
    "beyond its range": {"relevance": 1.0},
    "options": {"alhpa": 0.1},
    "scale": {"scale": "ranks"},
    "target": {"target": "world"},
}  # fmt: skip


def test_requests_are_refused_in_kept_words() -> None:
    layout = made(noise(9, 3, 5), measure="accuracy")
    found: dict[str, Any] = {}
    for name, options in WRONG.items():
        try:
            result: Any = compare(layout, **options).procedure
        except (PodiumError, TypeError) as error:
            result = error
        found[name] = result
    empty = np.where(np.arange(3) == 1, np.nan, noise(9, 3, 5))
    layouts = {
        "infinite": made(np.where(np.eye(9, 3) == 1, np.inf, 1.0)),
        "huge": made(noise(9, 3) * 1e200),
        "tiny": made(noise(9, 3) * 1e-200),
        "nothing": made(np.full((4, 2), np.nan)),
        "no score of one": made(empty),
        "one row": made(noise(1, 2)),
        "ordered gaps": made(np.where(np.eye(9, 2) == 1, np.nan, noise(9, 2)), block="origin"),
        "own samples": made(
            np.where(np.eye(9, 2)[::-1] == 0, np.nan, noise(9, 2)), block="independent-resample"
        ),
        "own gaps": made(
            np.where(np.eye(9, 2) == 1, np.nan, noise(9, 2)), block="independent-resample"
        ),
    }
    for name, each in layouts.items():
        for gaps in (None, "worst", "pairs"):
            c = failing(compare, each, gaps=gaps)
            found[f"{name} {gaps}"] = str(c) if isinstance(c, Exception) else c.procedure
    signed = made(noise(9, 2).clip(-1, 1), measure=Measure("mcc", True, (-1.0, 1.0)))
    for margin in (0.5, 1.9, 2.0, 3.0):
        c = failing(compare, signed, relevance=margin)
        found[f"margin {margin:g}"] = str(c) if isinstance(c, Exception) else c.procedure
    gaps_of_three = made(np.where(np.eye(9, 3) == 1, np.nan, noise(9, 3)))
    found["pairs that cannot"] = str(failing(compare, gaps_of_three, "friedman", gaps="pairs"))
    assert_kept("inference", "requests", found, case="refused")


@pytest.mark.parametrize("rope", [0.0, 0.2])
def test_posteriors_of_two_and_three(rope: float) -> None:
    found = {}
    for k in (2, 3):
        folds = made(noise(10, k, 6), block="fold", how="cv:10", measure=Measure("loss"))
        layouts = {
            "samples": (made(noise(9, k, 7)), "bayes-t"),
            "folds": (folds, "bayes-correlated-t"),
            "signs": (made(np.round(noise(5, k, 8)), block="dataset"), "bayes-sign"),
            "alike": (made(noise(5, 1, 8) + np.zeros((1, k))), "bayes-t"),
            "own": (made(noise(9, k, 8), block="independent-resample"), "bayes-welch"),
        }
        for name, (layout, procedure) in layouts.items():
            for options in ({}, {"control": "b"} if k == 3 else {"alpha": 0.2}):
                c = compare(layout, procedure, relevance=rope, **options)
                found[f"{name} {k} {' '.join(options)}"] = [
                    summary(c),
                    None if c.extras.chances is None else c.extras.chances(0.1),
                ]
        found[f"rho {k}"] = summary(compare(folds, "bayes-correlated-t", rho=0.3, relevance=rope))
    assert_kept("inference", "posteriors", found, case=f"rope {rope:g}", relative=1e-6)


def test_halvings_and_one_algorithm() -> None:
    items: dict[str, Any] = {"block": "item", "measure": "accuracy"}
    layout = with_halvings(made(noise(10, 2, 9), block="fold", how="cv:10"))
    layouts = {
        "halvings": layout,
        "items": made(right(30, 1, 3), block="item", measure="accuracy"),
        "all right": made(np.ones((9, 1)), block="item", measure="accuracy"),
        "scored items": made(noise(12, 1, 3), block="item"),
        "clusters": made(right(30, 1, 3), **items, clusters=np.arange(30) // 4),
        "one cluster": made(right(9, 1, 3), **items, clusters=np.zeros(9)),
        "right clusters": made(np.ones((9, 1)), **items, clusters=np.arange(9) // 2),
        "folds": made(noise(10, 1, 9), block="fold", how="cv:10"),
        "series": made(noise(20, 1, 9), block="origin"),
        "short series": made(noise(2, 1, 9), block="origin"),
        "held out": crossed(np.stack([noise(6, 1, s) for s in range(3)]), block="held-out"),
        "seeds": crossed(np.stack([noise(6, 1, s) for s in range(3)]), block="seed-item"),
        "sets": crossed(np.stack([noise(6, 1, s) for s in range(3)])),
        "conditions": crossed(np.stack([noise(6, 1, s) for s in range(3)]), block="condition-item"),
        "one sample": made(noise(1, 1)),
        "shares": made(np.clip(noise(9, 1) / 9, 0, 1), measure="accuracy"),
        "judged": made(right(40, 1, 5), block="item", measure="accuracy",
                       human=np.where(np.arange(40)[:, None] < 20, right(40, 1, 6), np.nan)),
    }  # fmt: skip
    found = {}
    for name, each in layouts.items():
        own = item_scores(each, 0.1, alone=True)
        one = alone(each.only([0]), 0.2)
        found[name] = [
            None if own is None else own.to_numpy()[:, 1:-1].tolist(),
            [one.interval.lower, one.interval.upper, one.interval.method] if one.interval else None,
            one.means,
        ]
    found["compared"] = [summary(failing(compare, layout, "halves")), of_layout(layout)]
    assert_kept("inference", "requests", found, case="alone", relative=1e-7)


QUEUES: dict[str, dict[str, Any]] = {
    "looks": {"looks": 4},
    "margin": {"looks": 3, "relevance": 0.3},
    "open": {"open": True},
    "clusters": {"looks": 4, "cluster": "topic"},
}


@pytest.mark.parametrize("name", list(QUEUES))
def test_queues(name: str) -> None:
    items = pd.DataFrame({"item": [f"q{i:02d}" for i in range(60)], "topic": np.arange(60) // 3})
    queue = podium.queue(items, ["knn", "lda", "svm"], seed=3, **QUEUES[name])
    answers = wide(right(60, 3, 11, 0.25), "item").assign(item=queue["item"])
    found = {}
    for done in (4, 31, 60):
        frame = answers[:done].melt("item", var_name="model", value_name="accuracy")
        results = failing(podium.sequential.read_queued, frame, queue)
        if isinstance(results, Exception):
            found[str(done)] = results
            continue
        layout = podium.layout(results)
        found[str(done)] = [summary(podium.compare(results), whole=done == 60), of_layout(layout)]
    assert_kept("inference", "queues", found, case=name, relative=1e-6)


def test_stopped_studies_of_data_sets() -> None:
    frame = wide(scores(6, 2, 33)).melt("dataset", var_name="algorithm", value_name="error")
    found = failing(podium.read, frame.assign(sample=1), sampling="bootstrap")
    assert_kept("inference", "requests", of_layout(podium.layout(found)), case="data sets")
