"""All that comes out of studies taken together, over varied inputs, is what was kept.

Kept numbers tell that something changed; that they are right, the other tests of this room tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from outcomes import outcome
from snapshots import RELATIVE, assert_kept

import podium
from podium.asking.synthesis.plots import meta_page
from podium.asking.synthesis.random_effects import network
from podium.asking.synthesis.reported_studies import studies_in
from podium.showing.drawing.records import PLOTS

pytestmark = pytest.mark.numbers

ROUGHLY = 1e-5  # of variances that an optimiser finds
TABLE = ["study", "first", "second", "estimate", "se"]
NAMES = ("svm", "lda", "knn", "tree")
THREE = ((0, 1), (1, 2), (2, 0))
PAIRS = [(NAMES[a], NAMES[b]) for a, b in THREE]


def differences(k=5, pairs=(("svm", "lda"),), seed=0, centre=0.03, tau=0.02) -> pd.DataFrame:
    """Differences of pairs in studies, with errors of a size."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"s{i}", *pair, centre * (1 - j) + rng.normal(0, tau), 0.01 + 0.004 * ((i + j) % 5))
        for i in range(k)
        for j, pair in enumerate(pairs)
    ]
    return pd.DataFrame(rows, columns=TABLE)


def three(k=4, centre=0.06, seed=0) -> pd.DataFrame:
    """Three algorithms, whose differences add up in every study."""
    rng = np.random.default_rng(seed)
    levels = rng.normal([centre, 0.0, -0.01], 0.01, (k, 3))
    rows = [
        (f"s{i}", NAMES[a], NAMES[b], of[a] - of[b], 0.01 + 0.004 * (i % 3))
        for i, of in enumerate(levels)
        for a, b in THREE
    ]
    return pd.DataFrame(rows, columns=TABLE)


def biased(k=12) -> pd.DataFrame:
    """Small studies show more."""
    rng = np.random.default_rng(3)
    se = np.linspace(0.01, 0.1, k)
    table = differences(k).assign(se=se)
    return table.assign(estimate=0.01 + 2.5 * se + rng.normal(0, 0.004, k))


def means(names=NAMES[:3], studies=3, seed=1) -> pd.DataFrame:
    """Means of arms, with sd and n."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"s{i}", name, 0.8 + 0.03 * j + rng.normal(0, 0.015), 0.04 + 0.01 * i, 16 + 4 * j)
        for i in range(studies)
        for j, name in enumerate(names)
    ]
    return pd.DataFrame(rows, columns=["study", "algorithm", "mean", "sd", "n"])


def covaried(studies=6, seed=2, names=NAMES[:3]) -> pd.DataFrame:
    """Means of arms whose errors vary together, not all arms in every study."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(studies):
        root = rng.normal(0, 0.012, (3, 5))
        cov = root @ root.T + 2e-5 * np.eye(3)
        luck = rng.normal(0, 0.02, 3)
        arms = [0, 1, 2] if i % 2 else [i % 3, (i + 1) % 3]
        rows += [
            {"study": f"s{i}", "algorithm": names[a], "mean": 0.8 + 0.03 * a + luck[a]}
            | {f"cov_{names[b]}": cov[a, b] for b in range(3)}
            for a in arms
        ]
    return pd.DataFrame(rows)


def triangle(gap=0.0, each=3, se=0.01) -> pd.DataFrame:
    """Three sets of two algorithms; with a gap they disagree."""
    rng = np.random.default_rng(4)
    of = {("svm", "lda"): 0.03, ("lda", "knn"): -0.02, ("svm", "knn"): 0.01 + gap}
    rows = [
        (f"{a}{b}{i}", a, b, d + rng.normal(0, se), se * (1 + i))
        for (a, b), d in of.items()
        for i in range(each)
    ]
    return pd.DataFrame(rows, columns=TABLE)


def chain(each=1) -> pd.DataFrame:
    """Algorithms that hang together by one way alone."""
    rows = [(f"{a}{i}", a, b, 0.02 + 0.03 * i, 0.01 + 0.005 * i)
            for a, b in pairwise(NAMES) for i in range(each)]  # fmt: skip
    return pd.DataFrame(rows, columns=TABLE)


def by_dataset(studies=4, datasets=3, of=7, seed=6, own=False, pairs=1) -> pd.DataFrame:
    """Differences by study and data set; data sets are shared, or each study's own."""
    rng = np.random.default_rng(seed)
    luck = rng.normal(0, 0.05, of)
    rows = []
    for i in range(studies):
        study = rng.normal(0.02, 0.03)
        for j in range(datasets):
            d = (2 * i + j) % of
            name = f"s{i}d{j}" if own else f"d{d}"
            value = round(study + luck[d] + rng.normal(0, 0.02), 5)
            rows.append((f"s{i}", name, "svm", "lda", value, 0.01 + 0.002 * j))
            if pairs > 1:
                rows.append((f"s{i}", name, "knn", "svm", round(0.01 - value, 5), 0.02))
    return pd.DataFrame(rows, columns=["study", "dataset", *TABLE[1:]])


def scores(datasets=12, seed=0, start=0, spread=0.02, names=NAMES[:3]) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.6, 0.9, datasets)[:, None]
    steps = np.array([0.0, 0.03, -0.01, 0.02])[: len(names)]
    values = level + steps + rng.normal(0, spread, (datasets, len(names)))
    table = pd.DataFrame(np.round(values, 6), columns=list(names))
    table.insert(0, "dataset", [f"d{start + i}" for i in range(datasets)])
    return table


def studies_of_scores(count=3, measure="accuracy", share=False, **options):
    return {
        f"lab{i}": podium.read(scores(seed=i, start=0 if share else 50 * i, **options),
                               measure=measure)
        for i in range(count)
    }  # fmt: skip


def samples(sampling, seed=0, count=8, dataset="iris", names=NAMES[:2]):
    """Scores of samples of one data set."""
    rng = np.random.default_rng(seed)
    rows = [
        (dataset, i + 1, name, round(0.2 - 0.02 * j + rng.normal(0, 0.02), 6))
        for i in range(count)
        for j, name in enumerate(names)
    ]
    table = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
    return podium.read(table, measure="error", sampling=sampling)


def gappy():
    table = scores(12)
    table.loc[[1, 4], "svm"] = np.nan
    return podium.read(table, measure="accuracy")


def ten_times(table: pd.DataFrame) -> pd.DataFrame:
    """Data sets whose scales do not mix."""
    wild = table.copy()
    wild[wild.columns[1:]] = (10.0 ** (np.arange(len(wild)) % 7))[:, None] * wild.iloc[:, 1:]
    return wild


CASES = {
    "two studies": lambda: podium.meta(differences(2), measure="accuracy"),
    "three lower": lambda: podium.meta(differences(3), measure="error"),
    "no direction": lambda: podium.meta(differences(6, tau=0.0)),
    "below": lambda: podium.meta(differences(6, centre=-0.05, tau=0.0), alpha=0.2),
    "ml": lambda: podium.meta(differences(4, tau=0.05), method="ml", higher_is_better=True),
    "dl": lambda: podium.meta(differences(4, tau=0.05), method="dl", higher_is_better=False),
    "eb": lambda: podium.meta(differences(4, tau=0.05), method="eb", measure="auc"),
    "agreeing": lambda: podium.meta(differences(5, tau=0.0), measure="accuracy"),
    "rounded errors": lambda: podium.meta(
        differences(2).assign(var=lambda t: t["se"] ** 2 / 0.85), measure="accuracy"
    ),
    "zeros": lambda: podium.meta(differences(4).assign(estimate=0.0), measure="accuracy"),
    "biased": lambda: podium.meta(biased(), measure="accuracy"),
    "one size": lambda: podium.meta(differences(11).assign(se=0.02), measure="accuracy"),
    "ten studies": lambda: podium.meta(differences(10, tau=0.03), measure="accuracy", alpha=0.01),
    "three pairs": lambda: podium.meta(three(), measure="accuracy"),
    "alone": lambda: podium.meta(
        pd.concat([three(3), differences(1, [("tree", "svm"), ("tree", "lda"),
                   ("tree", "knn"), ("tree", "nb")], 9).assign(study="t")]), measure="accuracy"
    ),
    "far": lambda: podium.meta(
        differences(2, [(a, f"{b}{i}") for i in range(3) for a, b in PAIRS], tau=1e-5)
        .assign(estimate=lambda t: t["estimate"] + 0.2), measure="accuracy"
    ),
    "means": lambda: podium.meta(means(), measure="accuracy"),
    "means se": lambda: podium.meta(
        means(studies=2).drop(columns=["sd", "n"]).assign(se=0.01), measure="accuracy"
    ),
    "means correlated": lambda: podium.meta(means().assign(r=0.6), measure="accuracy"),
    "means of data": lambda: podium.meta(
        means().assign(data=lambda t: "x" + t["study"] + "; " + t["study"]), measure="accuracy"
    ),
    "unnamed pair": lambda: podium.meta(differences(3).drop(columns=["first", "second"])),
    "variance": lambda: podium.meta(
        differences(3).assign(vi=lambda t: t["se"] ** 2).drop(columns="se"), measure="accuracy"
    ),
    "by lab": lambda: podium.meta(
        pd.concat([scores(seed=i, start=50 * i).assign(lab=f"lab{i}") for i in range(3)]),
        by="lab", measure="accuracy",
    ),
    "scores": lambda: podium.meta(studies_of_scores()),
    "scores lower": lambda: podium.meta(studies_of_scores(measure="error")),
    "scores few": lambda: podium.meta(studies_of_scores(2, datasets=5)),
    "scores gaps": lambda: podium.meta([gappy(), *studies_of_scores(2).values()][::2]),
    "scores unmixable": lambda: podium.meta(
        {f"s{i}": podium.read(ten_times(scores(seed=i, start=50 * i)), measure="rmse")
         for i in range(2)}
    ),
    "scores one data set": lambda: podium.meta(
        {d: samples("bootstrap", i, dataset=d) for i, d in enumerate(["iris", "zoo", "glass"])}
    ),
    "scores repeated": lambda: podium.meta(
        {d: samples("subsampling:8x0.7", i, dataset=d) for i, d in enumerate(["iris", "zoo"])}
    ),
    "scores simulated": lambda: podium.meta(
        {d: samples("simulation", i, dataset=d) for i, d in enumerate(["iris", "zoo"])}
    ),
    "scores independent": lambda: podium.meta(
        {d: samples("simulation+independent", i, dataset=d) for i, d in enumerate(["iris", "zoo"])}
    ),
}  # fmt: skip
ROUGH = {
    "network": lambda: podium.meta(covaried(), network=True, measure="accuracy"),
    "network lower": lambda: podium.meta(covaried(), network=True, measure="error", alpha=0.2),
    "network undirected": lambda: podium.meta(covaried(), network=True),
    "network dl": lambda: podium.meta(covaried(7), network=True, measure="auc", method="dl"),
    "network means": lambda: podium.meta(means(NAMES, 3), network=True, measure="accuracy"),
    "network triangle": lambda: podium.meta(triangle(), network=True, measure="accuracy"),
    "network disagrees": lambda: podium.meta(triangle(0.2), network=True, measure="accuracy"),
    "network once": lambda: podium.meta(triangle(each=1), network=True, measure="accuracy"),
    "network once apart": lambda: podium.meta(
        triangle(0.2, each=1), network=True, measure="accuracy"
    ),
    "network chain": lambda: podium.meta(chain(), network=True, measure="accuracy"),
    "network chains": lambda: podium.meta(chain(2), network=True, higher_is_better=False),
    "network scores": lambda: podium.meta(studies_of_scores(2), network=True),
    "network eleven": lambda: podium.meta(
        differences(11, PAIRS[:1], tau=0.05), network=True, measure="accuracy"
    ),
    "levels": lambda: podium.meta(by_dataset(), measure="accuracy"),
    "levels apart": lambda: podium.meta(by_dataset(own=True, pairs=2), measure="error", alpha=0.1),
    "levels of variances": lambda: podium.meta(
        by_dataset(3).assign(vi=lambda t: t["se"] ** 2).drop(columns="se")
    ),
    "levels of some": lambda: podium.meta(
        pd.concat([by_dataset(own=True), differences(2).assign(study=["t", "u"])]),
        measure="accuracy",
    ),
    "levels of one": lambda: podium.meta(
        pd.concat([by_dataset(), by_dataset(1, 2).assign(study="t", first="nb", dataset="z")
                   .drop_duplicates(["first", "second"])]), measure="accuracy"
    ),
    "levels of scores": lambda: podium.meta(
        studies_of_scores(2, share=True, datasets=6, names=NAMES[:2])
    ),
    "levels of samples": lambda: podium.meta(
        {**{d: samples("bootstrap", i, dataset=d) for i, d in enumerate(["iris", "zoo"])},
         "again": samples("bootstrap", 7, dataset="iris")}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", [*CASES, *ROUGH])
def test_what_studies_say_together_is_kept(name):
    relative = ROUGHLY if name in ROUGH else RELATIVE
    value = outcome((CASES | ROUGH)[name])
    if len(value["facts"]["studies"]["study"]) > 9:
        del value["facts"]["studies"]  # of as many it is known from the others
    assert_kept("synthesis", "together", value, name, relative=relative)


@pytest.mark.parametrize("name", ["three lower", "below", "agreeing"])
def test_pages_of_studies_are_kept(name):
    page = meta_page(CASES[name]())
    views = {"facts": page.facts, "views": page.views[:1], "caveats": page.sections[-1]}
    assert_kept("synthesis", "pages", views, name)


@pytest.mark.parametrize("name", ["two studies", "biased", "no direction"])
def test_pictures_of_studies_are_kept(name):
    result = CASES[name]()
    data = {plot: PLOTS[plot].data(result) for plot in ("forest", "funnel")}
    assert_kept("synthesis", "pictures", data, name)


def changed(column, value, row=0, k=4):
    table = differences(k)
    table.loc[row, column] = value
    return table


def refused() -> Iterator[tuple]:
    yield "no pair of two", three(2).iloc[[0, 4]], {}
    yield "one", differences(1), {}
    yield "se 0", changed("se", 0.0), {}
    yield "se below", changed("se", -1.0), {}
    yield "no estimate", changed("estimate", np.nan), {}
    yield "twice", changed("study", "s1"), {}
    yield "itself", changed("first", "lda"), {}
    yield "empty", changed("first", ""), {}
    yield "half a pair", differences(3).drop(columns="second"), {}
    yield "alone", changed("first", "knn", 1)[:2], {}
    yield "network eb", covaried(), {"network": True, "method": "eb"}
    yield "apart", differences(4, [("a", "b"), ("c", "d")]).iloc[[0, 3]], {"network": True}
    yield "levels dl", by_dataset(), {"method": "dl"}
    yield "levels network", by_dataset(), {"network": True}
    yield "own network", by_dataset(own=True), {"network": True}
    yield "no data sets", differences(3).assign(dataset=["x;y", "y;z", "z"]), {}
    yield "one data set", differences(3).assign(dataset="iris"), {}
    yield "both errors", differences(3).assign(var=0.3), {}
    yield "errors apart", differences(3).assign(var=lambda t: t["se"] ** 2 / 0.75), {}
    yield "some pairs", three(3).iloc[[0, 1, 3, 4, 5, 6, 7, 8]], {"network": True}
    yield "sum", differences(3, PAIRS), {"network": True}
    yield "few n", means().assign(n=1), {}
    yield "no error", means().drop(columns=["sd", "n"]), {}
    yield "correlation", means().assign(r=1.0), {}
    yield "correlations", means().assign(r=lambda t: 0.1 * (t.index % 2)), {}
    yield "arm twice", pd.concat([means(), means()]), {}
    yield "one arm", means(NAMES[:1]), {}
    yield "asymmetric", covaried().assign(cov_svm=0.2), {}
    yield "scores", scores(), {"measure": "accuracy"}
    yield "columns", differences(3), {"columns": {"first": "x"}}
    yield "limits", differences(3).assign(lower=0, upper=1).drop(columns="se"), {}
    yield "misspelt", differences(3).rename(columns={"estimate": "estimat"}), {}
    yield "one row", {"a": podium.read(scores(1), measure="accuracy")}, {}
    yield "measures", {**studies_of_scores(1), "b": samples("bootstrap")}, {}
    yield "same names", [samples("bootstrap")] * 2, {}
    fixed = {"a": scores(start=50), "b": scores().assign(svm=0.7, lda=0.75, knn=0.8)}
    yield "constant", fixed, {"network": True, "measure": "accuracy"}
    yield "unreadable", {"good": scores(), "bad": scores().iloc[:, :1]}, {"measure": "accuracy"}
    yield "singular", studies_of_scores(3, datasets=2), {"network": True}


def test_what_studies_are_refused_is_kept():
    told = {name: outcome(podium.meta, given, **options) for name, given, options in refused()}
    assert_kept("synthesis", "refusals", told)


# -- laws that need no kept number ----------------------------------------------------------------


@pytest.mark.parametrize("method", ["reml", "dl"])
def test_a_network_of_two_algorithms_is_their_pair(method):
    table = differences(7, tau=0.04)
    pair, whole = (
        podium.meta(table, network=n, method=method).pairs.iloc[0] for n in (False, True)
    )
    assert whole["tau2"] == pytest.approx(pair["tau2"], rel=1e-5)
    assert whole["estimate"] == pytest.approx(pair["estimate"], rel=1e-6)
    assert whole["q"] == pytest.approx(pair["q"])


@pytest.mark.parametrize("method", ["reml", "dl"])
def test_the_order_of_algorithms_and_the_unit_change_no_network(method):
    table = covaried(8)
    studies = studies_in(podium.reading.files.tabular.tabular(table), None)
    arms = [study.arms for study in studies]
    one = network(arms, method)
    turned = network(arms[::-1], method)
    assert turned.tau2 == pytest.approx(one.tau2, rel=1e-5)
    assert turned.q == pytest.approx(one.q)
    assert turned.inconsistency == pytest.approx(one.inconsistency)
    assert turned.difference("svm", "knn") == pytest.approx(one.difference("svm", "knn"), rel=1e-5)
