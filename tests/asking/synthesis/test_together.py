"""Studies taken together: what is read, what is refused, and numbers against formulas."""

from __future__ import annotations

import json
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import podium
from podium import PodiumError
from podium.asking.synthesis.plots import meta_page
from podium.asking.synthesis.pooled_pairs import three_level
from podium.asking.synthesis.random_effects import pooled
from podium.cli.main import status_of
from podium.errors import InferenceError, ResultsError
from podium.showing.plots import PLOTS
from podium.testing import check_plot

NAMES = ("lda", "svm", "knn")
NESTED = (-0.0030633876, 0.0182035565, 0.0003719140, 0.0073983810)  # of metafor


def reported(k=12, seed=0, tau=0.02) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    se = rng.uniform(0.01, 0.05, k)
    y = rng.normal(0.03, np.hypot(se, tau))
    table = {"study": [f"s{i}" for i in range(k)], "first": "svm", "second": "lda"}
    return pd.DataFrame({**table, "estimate": y, "se": se})


def covariances(studies=6, seed=1) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(studies):
        root = rng.normal(0, 0.01, (3, 5))
        truth = np.array([0.8, 0.83, 0.79]) + rng.normal(0, 0.02, 3)
        made.append((truth, root @ root.T + 1e-5 * np.eye(3)))
    return made


def arms(prefix="cov_") -> pd.DataFrame:
    rows = [
        {"study": f"s{i}", "algorithm": name, "mean": m[j]}
        | {f"{prefix}{other}": c[j, k] for k, other in enumerate(NAMES)}
        for i, (m, c) in enumerate(covariances())
        for j, name in enumerate(NAMES)
    ]
    return pd.DataFrame(rows)


def contrasts() -> pd.DataFrame:
    """The same studies by their differences."""
    rows = [
        (f"s{i}", NAMES[a], NAMES[b], m[a] - m[b], np.sqrt(c[a, a] + c[b, b] - 2 * c[a, b]))
        for i, (m, c) in enumerate(covariances())
        for a, b in ((1, 0), (0, 2), (1, 2))
    ]
    return pd.DataFrame(rows, columns=["study", "first", "second", "estimate", "se"])


def scores(datasets=15, seed=0, start=0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.6, 0.9, datasets)[:, None]
    values = level + np.array([0.0, 0.03, -0.01]) + rng.normal(0, 0.02, (datasets, 3))
    table = pd.DataFrame(values, columns=list(NAMES))
    table.insert(0, "dataset", [f"d{start + i}" for i in range(datasets)])
    return table


# -- numbers --------------------------------------------------------------------------------------


def test_a_table_of_differences_is_pooled_pair_by_pair():
    table = reported()
    found = podium.meta(table, measure="accuracy")
    wanted = pooled(table["estimate"].to_numpy(), table["se"].to_numpy() ** 2)
    (row,) = found.to_dict()["pairs"]
    for name in ("estimate", "lower", "upper", "p", "tau2", "i2", "q"):
        assert row[name] == pytest.approx(getattr(wanted, name))
    assert row["prediction"] == pytest.approx(wanted.prediction)
    assert (row["first"], row["second"], row["studies"]) == ("svm", "lda", 12)
    assert found.studies["weight"].sum() == pytest.approx(1)
    assert 0 < row["egger_p"] < 1
    assert found.target == "study-population"


def test_a_turned_pair_counts_with_the_other_sign():
    table = reported()
    turned = table.copy()
    turned.loc[3, ["first", "second", "estimate"]] = ["lda", "svm", -table["estimate"][3]]
    pd.testing.assert_frame_equal(podium.meta(table).pairs, podium.meta(turned).pairs)


def test_studies_that_say_the_very_same_keep_their_own_errors():
    found = podium.meta(reported().assign(estimate=0.1), measure="accuracy").pairs.iloc[0]
    error = (reported()["se"].to_numpy() ** -2).sum() ** -0.5
    ends = [0.1 - stats.norm.isf(0.025) * error, 0.1 + stats.norm.isf(0.025) * error]
    assert [found.error, found.lower, found.upper] == pytest.approx([error, *ends])
    assert found.prediction[0] < found.lower  # a new study has an error of its own


def test_verdicts_follow_the_direction():
    table = reported(tau=0.0)
    verdicts = {
        better: podium.meta(table, higher_is_better=better).pairs["verdict"][0]
        for better in (True, False, None)
    }
    assert verdicts == {True: "better", False: "worse", None: "higher"}


@pytest.mark.parametrize("network", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_verdict_limits_and_adjusted_p_are_one_answer(network, seed):
    rng = np.random.default_rng(seed)
    rows = [
        (f"s{i}", NAMES[a], NAMES[b], m[a] - m[b], 0.01 * (1 + i % 3))
        for i, m in enumerate(rng.normal([0.8, 0.83, 0.81], 0.01 * (1 + seed), (6, 3)))
        for a, b in ((1, 0), (0, 2), (1, 2))
    ]
    table = pd.DataFrame(rows, columns=["study", "first", "second", "estimate", "se"])
    if not network:
        table = table.drop(index=[2, 5, 8, 11, 14])  # svm and knn: in one study only
    pairs = podium.meta(table, network=network, measure="accuracy").pairs
    excluded = (pairs["lower"] > 0) | (pairs["upper"] < 0)
    assert excluded.tolist() == (pairs["verdict"] != "undecided").tolist()
    assert excluded.tolist() == (pairs["p_adjusted"] <= 0.05).tolist()
    # a pair that cannot be pooled is one of the three all the same
    assert pairs["p_adjusted"].to_numpy() == pytest.approx(1 - (1 - pairs["p"].to_numpy()) ** 3)


def test_means_with_covariances_and_their_differences_are_one_network():
    one = podium.meta(arms(), network=True, measure="accuracy")
    two = podium.meta(contrasts(), network=True, measure="accuracy")
    plain = podium.meta(arms(prefix=""), network=True, measure="accuracy")
    for other in (two, plain):
        assert other.network["tau2"] == pytest.approx(one.network["tau2"], rel=1e-5)
        for first, second in (("svm", "lda"), ("knn", "svm")):
            a, b = (_pair(m, first, second) for m in (one, other))
            assert a == pytest.approx(b, rel=1e-6)


def _pair(found, first, second):
    table = found.pairs.set_index(["first", "second"])
    if (first, second) in table.index:
        row = table.loc[(first, second)]
        return row["estimate"], row["error"]
    row = table.loc[(second, first)]
    return -row["estimate"], row["error"]


def test_a_network_knows_algorithms_that_no_study_compared():
    table = contrasts()
    ab, bc = table["first"].eq("svm") & table["second"].eq("lda"), table["second"].eq("knn")
    bc &= table["first"].eq("svm")
    early = table["study"].isin(["s0", "s1", "s2"])
    found = podium.meta(table[(ab & early) | (bc & ~early)], network=True, measure="accuracy")
    estimate, error = _pair(found, "lda", "knn")
    parts = [_pair(found, *p) for p in (("svm", "knn"), ("svm", "lda"))]
    assert estimate == pytest.approx(parts[0][0] - parts[1][0])
    assert error == pytest.approx(np.hypot(parts[0][1], parts[1][1]))
    assert found.network["inconsistency"]["df"] == 0
    assert found.splits["indirect"].isna().all()  # no pair is known in two ways
    row = found.pairs.iloc[0]
    level = 1 - 0.95 ** (1 / 3)  # three pairs
    reach = stats.t.isf(level / 2, found.network["df"]) * row["error"]
    assert row["upper"] == pytest.approx(row["estimate"] + reach)


def test_direct_and_indirect_make_up_the_network():
    triangle = contrasts()[lambda t: t.index % 3 == t["study"].str[1:].astype(int) % 3]
    found = podium.meta(triangle, network=True, measure="accuracy")
    direct = found.splits.set_index(["first", "second"])
    for row in direct.itertuples():
        others = [r for r in direct.itertuples() if r.Index != row.Index]
        signed = [(r.Index, r.direct) for r in others]
        assert row.indirect == pytest.approx(_through(row.Index, signed))
    assert found.network["inconsistency"]["df"] == 1


def _through(pair, others):
    """A difference by way of the third algorithm."""
    values = dict(others) | {p[::-1]: -d for p, d in others}
    (third,) = {name for p, _ in others for name in p} - {*pair}
    return values[pair[0], third] + values[third, pair[1]]


def test_p_scores_are_mean_probabilities():
    found = podium.meta(arms(), network=True, measure="accuracy")
    scores = found.scores.set_index("algorithm")["score"]
    assert scores.mean() == pytest.approx(0.5)
    z = [d / e for d, e in (_pair(found, "svm", other) for other in ("lda", "knn"))]
    assert scores["svm"] == pytest.approx(stats.norm.cdf(z).mean())
    turned = podium.meta(arms(), network=True, measure="error").scores.set_index("algorithm")
    assert turned["score"]["svm"] == pytest.approx(1 - scores["svm"])


def test_scores_of_several_studies_keep_their_covariance():
    tables = {f"study{i}": scores(seed=i, start=100 * i) for i in range(4)}
    results = {name: podium.read(t, measure="accuracy") for name, t in tables.items()}
    found = podium.meta(results)
    differences = [t["lda"] - t["svm"] for t in tables.values()]
    y = np.array([d.mean() for d in differences])
    v = np.array([d.var(ddof=1) / len(d) for d in differences])
    assert _pair(found, "lda", "svm") == pytest.approx((pooled(y, v).estimate, pooled(y, v).error))
    whole = podium.meta(results, network=True)
    assert whole.network["df"] == 6
    assert whole.higher_is_better is True


def test_one_table_of_scores_by_study():
    tables = [scores(seed=i, start=100 * i).assign(lab=f"lab{i}") for i in range(3)]
    found = podium.meta(pd.concat(tables), by="lab", measure="accuracy")
    apart = podium.meta(
        {f"lab{i}": podium.read(t.drop(columns="lab"), measure="accuracy")
         for i, t in enumerate(tables)}
    )  # fmt: skip
    pd.testing.assert_frame_equal(found.pairs, apart.pairs)
    assert found.names == ("lab0", "lab1", "lab2")


def test_sd_and_n_or_a_correlation():
    rows = [(f"s{i}", a, m, 0.05, 25, 0.8) for i, (ms, _) in enumerate(covariances())
            for a, m in zip(NAMES, ms, strict=True)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["study", "algorithm", "mean", "sd", "n", "correlation"])
    alike = podium.meta(table).studies["error"]
    apart = podium.meta(table.drop(columns="correlation"))
    assert alike.to_numpy() == pytest.approx(np.sqrt(2 * 0.01**2 * 0.2))
    assert apart.studies["error"].to_numpy() == pytest.approx(np.sqrt(2 * 0.01**2))
    assert "arms-independent" in [n.code for n in apart.notes]


# -- studies that share data sets, or tell of several ---------------------------------------------


def test_shared_data_sets_are_crossed_with_studies_as_in_r():
    # metafor 3.8: rma.mv(y, v, random = list(~1|study, ~1|dataset, ~1|id))
    row = podium.meta(by_data_set()).pairs.iloc[0]
    assert row["estimate"] == pytest.approx(-0.0088038985, rel=1e-6)
    assert row["error"] == pytest.approx(0.0316442697, rel=1e-6)
    found = [row["tau2"], row["tau2_dataset"], row["tau2_rest"]]
    assert found == pytest.approx([0.0020822635, 0.0067811474, 0.0003874843], rel=1e-5)
    assert (row["studies"], row["datasets"], row["df"]) == (6, 11, 5)
    # the share of studies in all variance, with the typical error of Higgins and Thompson (2002)
    w = 1 / by_data_set()["variance"].to_numpy()
    typical = (len(w) - 1) * w.sum() / (w.sum() ** 2 - (w**2).sum())
    assert row["i2"] == pytest.approx(row["tau2"] / (sum(found) + typical))


def test_differences_without_errors_of_their_own_are_a_mixed_model():
    # lme4 1.1: lmer(y ~ 1 + (1|study) + (1|dataset))
    table = by_data_set()
    found = three_level(
        table["estimate"].to_numpy(), np.zeros(30), table["study"], table["dataset"]
    )
    assert found.mean == pytest.approx(-0.0079592884, rel=1e-5)
    assert found.error == pytest.approx(0.0318226655, rel=1e-5)
    assert [found.study, found.dataset, found.rest] == pytest.approx(
        [0.002102895, 0.006850207, 0.001101877], rel=1e-4
    )


def test_a_list_of_one_table_is_that_table():
    table = by_data_set()
    assert podium.meta([table]).pairs.equals(podium.meta(table).pairs)


def test_data_sets_within_studies_are_three_levels():
    # metafor 3.8: rma.mv(y, v, random = ~1|study/dataset)
    row = podium.meta(by_data_set(own=True)).pairs.iloc[0]
    assert row["estimate"] == pytest.approx(NESTED[0], rel=1e-6)
    assert row["error"] == pytest.approx(NESTED[1], rel=1e-6)
    assert [row["tau2"], row["tau2_dataset"]] == pytest.approx(NESTED[2:], rel=1e-5)
    assert row["tau2_rest"] == 0


def test_stores_of_shared_data_sets_are_taken_by_study_and_data_set():
    found = podium.meta(shared_names())
    assert found.pairs["datasets"].gt(1).all()
    assert "studies-share-data" in [note.code for note in found.notes]
    assert "by study and data set" in repr(found)
    for row in found.pairs.itertuples():
        tables = [scores(seed=i) for i in range(2)]
        d = np.concatenate([t[row.first] - t[row.second] for t in tables])
        names = np.repeat(["study0", "study1"], 15), [*tables[0]["dataset"]] * 2
        wanted = three_level(d, np.zeros(30), *map(list, names))
        assert (row.estimate, row.error) == pytest.approx((wanted.mean, wanted.error))
    turned = {
        name: r.filter(algorithm=list(r.algorithms)[::-1]) for name, r in shared_names().items()
    }
    assert podium.meta(turned).pairs["error"].tolist() == pytest.approx(
        found.pairs["error"].tolist()
    )


# -- what is refused ------------------------------------------------------------------------------


def shared_names():
    return {f"study{i}": podium.read(scores(seed=i), measure="accuracy") for i in range(2)}


def by_data_set(own=False):
    """Six studies of five data sets each, of eleven; with `own`, of data sets of their own."""
    rng = np.random.default_rng(5)
    studies = [f"s{i}" for i in range(6) for _ in range(5)]
    data = [f"d{(3 * i + j) % 11}" for i in range(6) for j in range(5)]
    of = dict(zip(dict.fromkeys(studies), rng.normal(0, 0.05, 6), strict=True))
    luck = dict(zip(dict.fromkeys(data), rng.normal(0, 0.08, 11), strict=True))
    both = list(zip(studies, data, strict=True))
    y = np.round([0.02 + of[s] + luck[d] + rng.normal(0, 0.04) for s, d in both], 4)
    v = np.round(rng.uniform(0.0003, 0.001, 30), 6)
    names = [f"{s}{d}" for s, d in both] if own else data
    found = {"study": studies, "dataset": names, "estimate": y, "variance": v}
    return pd.DataFrame(found).assign(first="svm", second="lda")


def changed(column, value, row=0):
    table = reported(4)
    table.loc[row, column] = value
    return table


REFUSED = [
    (lambda: podium.meta(shared_names(), network=True), "share d0, d1, d2.*without --network"),
    (lambda: podium.meta(shared_names(), method="dl"), "by reml: leave the method out"),
    (lambda: podium.meta(by_data_set(own=True), network=True), "reports several data sets"),
    (lambda: podium.meta(reported(1)), "needs 2 studies, and there is 1"),
    (lambda: podium.meta(changed("se", 0.0)), "'s0' needs an estimate and a standard error above"),
    (lambda: podium.meta(changed("se", -0.1)), "standard error below 0"),
    (lambda: podium.meta(changed("se", -0.1).rename(columns={"se": "vi"})), "variance below 0"),
    (lambda: podium.meta(reported().assign(var=0.5)), "'se' and 'var' give different errors"),
    (lambda: podium.meta(reported().rename(columns={"estimate": "estimat"})), "mean 'estimat'"),
    (lambda: podium.meta(reported().drop(columns="se").assign(lower=0, upper=1)), "/ 3.92"),
    (lambda: podium.meta(changed("estimate", np.nan)), "'s0' needs an estimate"),
    (lambda: podium.meta(changed("study", "s1")), "two estimates of svm less lda.*'s1'"),
    (lambda: podium.meta(changed("first", "lda")), "row 1: a pair needs two algorithms"),
    (lambda: podium.meta(changed("first", "knn", 1)[:2]), "--network"),
    (lambda: podium.meta(reported(), method="remml"), "Did you mean 'reml'"),
    (lambda: podium.meta(arms(), network=True, method="eb"), "Known: reml, dl"),
    (lambda: podium.meta(reported(), alpha=2), "alpha must lie"),
    (lambda: podium.meta(contrasts()[1:], network=True), "'s0' reports some differences"),
    (lambda: podium.meta(scores()), "--by COLUMN"),
    (lambda: podium.meta(reported().drop(columns="se")), "needs the columns study, first"),
    (lambda: podium.meta(reported(), by="lab"), "'lab' is not a column"),
    (lambda: podium.meta(podium.read(scores(), measure="accuracy")), "needs 2 studies"),
    (lambda: podium.meta(arms().assign(cov_lda=0.5)), "not the same both ways"),
    (lambda: podium.meta(arms()[["study", "algorithm", "mean"]]), "add sd and n, se"),
    (lambda: podium.meta(reported().assign(dataset="iris")), "share iris"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "told"), REFUSED, ids=[told[:20] for _, told in REFUSED])
def test_what_cannot_be_is_refused_in_a_sentence(asked, told):
    with pytest.raises(PodiumError, match=told) as refused:
        asked()
    assert isinstance(refused.value, (InferenceError, ResultsError, ValueError))
    assert "\n" not in str(refused.value)


def test_differences_that_do_not_add_up_are_refused():
    table = contrasts()
    table.loc[0, "estimate"] += 0.2
    with pytest.raises(InferenceError, match="should equal"):
        podium.meta(table, network=True)


def test_fewer_blocks_than_algorithms_make_no_network():
    few = {f"s{i}": podium.read(scores(2, i, 10 * i), measure="accuracy") for i in range(3)}
    with pytest.raises(InferenceError, match="fewer rows than algorithms"):
        podium.meta(few, network=True)
    assert "study-few-blocks" in [n.code for n in podium.meta(few).notes]


# -- the command ----------------------------------------------------------------------------------


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reported().to_csv("studies.csv", index=False)
    monkeypatch.setenv("COLUMNS", "80")
    asked = ["meta", "studies.csv", "-m", "accuracy", "--json", "m.json", "--csv", "pairs.csv"]
    assert status_of([*asked, "--forest", "f.png", "--funnel", "n.svg"]) == 0
    said = capsys.readouterr().out
    assert "The result of a new study would be between" in " ".join(said.split()[:45])
    assert max(map(len, said.splitlines())) <= 80  # tables; prose is wrapped to the screen
    assert "target: study-population" in said
    found = json.loads((tmp_path / "m.json").read_text())
    assert {"estimate", "lower", "upper", "tau2", "prediction"} <= found["pairs"][0].keys()
    assert found["target"] == "study-population"
    assert {"p", "p_adjusted", "new_lower"} <= {*pd.read_csv("pairs.csv")}
    assert (tmp_path / "f.png").stat().st_size > 5000
    assert (tmp_path / "n.svg").read_text().count("<svg") == 1
    assert status_of(["meta", "studies.csv", "--pair", "svm", "--forest", "f.png"]) == 2
    assert status_of(["meta", "studies.csv", "--pair", "svm,nb", "--forest", "f.png"]) == 2
    assert "'svm and nb' is not a pair" in capsys.readouterr().err


def test_records_in_json_are_a_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = reported()
    told = podium.meta(table).pairs
    table.to_json("a.jsonl", orient="records", lines=True)
    table.to_json("a.json", orient="records")
    for given in ("a.jsonl", "a.json", table.to_dict("records")):
        found = podium.meta(given).pairs
        assert found["estimate"].tolist() == pytest.approx(told["estimate"].tolist(), rel=1e-8)


def test_files_of_scores_are_a_study_each(tmp_path, capsys):
    paths = [tmp_path / f"lab{i}.csv" for i in range(3)]
    for i, path in enumerate(paths):
        scores(seed=i, start=50 * i).to_csv(path, index=False)
    words = ["meta", *map(str, paths), "-m", "accuracy", "--network", "--json", "-"]
    assert status_of(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["study"] for row in found["studies"]} == {"lab0", "lab1", "lab2"}
    assert found["network"]["scores"][0]["algorithm"] == "svm"


def test_stores_of_the_same_data_are_refused_whatever_their_names(tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], 20)
    x = rng.normal(0, 1, (40, 2)) + (y == "b")[:, None]
    algorithms = {"bayes": GaussianNB(), "dummy": DummyClassifier()}

    def store(name, data):
        made = podium.Study(
            data, algorithms, sampling="bootstrap:12", measures=["error"], name=name
        )
        podium.run(made, tmp_path / f"{name}.db", quiet=True, jobs=0)
        return tmp_path / f"{name}.db"

    one, same = (store(n, podium.dataset("d", x, y)) for n in ("one", "same"))
    other = store("other", podium.dataset("e", x + rng.normal(0, 0.5, x.shape), y))
    with pytest.raises(InferenceError, match="'one' and 'same' share d: both"):
        podium.meta([one, same])
    with pytest.raises(InferenceError, match="share the content "):
        podium.meta([one, store("renamed", podium.dataset("f", x, y))])
    found = podium.meta([one, other], by="study")  # which stores are anyway
    assert found.names == ("one", "other")
    assert found.pairs["verdict"].isin(["better", "undecided", "worse"]).all()


# -- pictures -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["forest", "funnel"])
def test_pictures_hold_the_laws(name):
    check_plot(PLOTS[name], podium.meta(arms(), network=True), first="svm", second="knn")
    plt.close("all")


def test_the_numbers_of_a_forest():
    found = podium.meta(reported(), measure="accuracy")
    data = podium.asking.synthesis.plots.forest_data(found)
    table = reported()
    assert data.table["upper"].to_numpy() == pytest.approx(
        (table["estimate"] + stats.norm.isf(0.025) * table["se"]).to_numpy()
    )
    assert data.prediction == found.pairs["prediction"][0]


def test_studies_together_are_a_forest():
    rows = [(f"s{i}", "svm", "lda", 0.02 + 0.01 * (i % 3), 0.01 + 0.002 * i) for i in range(6)]
    table = pd.DataFrame(rows, columns=["study", "first", "second", "estimate", "se"])
    result = podium.meta(table, higher_is_better=True)
    page = meta_page(result)
    (view,) = page.views
    assert len(view.rows) == 7
    average = view.rows[-1].cells["interval"]
    pair = result.pairs.iloc[0]
    assert (average["v"], average["lo"]) == (pair["estimate"], pair["lower"])
    assert (average["tlo"], average["thi"]) == tuple(pair["prediction"])
    exact = podium.meta(
        table.assign(se=table["se"] / 10), higher_is_better=True
    )  # two digits of limits
    pair = exact.pairs.iloc[0]
    assert f"{pair['lower']:.4f} to {pair['upper']:.4f}" in meta_page(exact).views[0].headline[1][0]


def test_limits_of_a_forest_have_the_level_of_its_heading():
    table = reported()
    for alpha, head in ((0.05, "(95 % CI)"), (0.2, "(80 % CI)")):
        result = podium.meta(table, measure="accuracy", alpha=alpha)
        (view,) = meta_page(result).views
        assert view.columns[-1].head.endswith(head)
        reach = stats.norm.isf(alpha / 2)
        for row, (_, one) in zip(view.rows, table.iterrows(), strict=False):
            cell = row.cells["interval"]
            ends = one["estimate"] - reach * one["se"], one["estimate"] + reach * one["se"]
            assert (cell["lo"], cell["hi"]) == pytest.approx(ends)
        weights = [row.cells["weight"][1] for row in view.rows[:-1]]
        assert sum(weights) == pytest.approx(1)
        assert view.rows[0].cells["weight"][0] == f"{100 * weights[0]:.0f} %"


def test_studies_without_a_name_are_numbered():
    one, two = (podium.read(scores(seed=s), measure="accuracy") for s in (1, 2))
    assert [*podium.meta([one, two]).names] == ["study 1", "study 2"]
    assert [*podium.meta([replace(one, name="Oslo"), two]).names] == ["Oslo", "study 2"]


# -- where notes begin -----------------------------------------------------------------------------


@pytest.mark.parametrize(("blocks", "few"), [(9, True), (10, False)])
def test_the_error_of_a_study_is_doubted_below_ten_blocks(blocks, few):
    studies = {
        f"s{i}": podium.read(scores(blocks, i, 20 * i), measure="accuracy") for i in range(3)
    }
    notes = [note for note in podium.meta(studies).notes if note.code == "study-few-blocks"]
    assert [note.studies for note in notes] == [("s0", "s1", "s2")] * few


@pytest.mark.parametrize(("k", "rough"), [(29, True), (30, False)])
def test_what_a_new_study_would_show_is_rough_below_thirty_in_a_network(k, rough):
    rng = np.random.default_rng(2)
    rows = [
        (f"s{i}", name, 0.8 + 0.02 * j + rng.normal(0, 0.02), 0.01)
        for i in range(k)
        for j, name in enumerate(("svm", "lda"))
    ]
    table = pd.DataFrame(rows, columns=["study", "algorithm", "mean", "se"])
    notes = podium.meta(table, network=True, measure="accuracy").notes
    assert [n.studies for n in notes if n.code == "prediction-rough"] == [k] * rough
    alone = podium.meta(table, measure="accuracy").notes  # told by the plain t, not by tau
    assert "prediction-rough" not in [n.code for n in alone]


@pytest.mark.parametrize("k", [9, 10])
def test_whether_small_studies_differ_is_tested_from_ten_on(k):
    found = podium.meta(reported(k), measure="accuracy")
    assert ("bias-not-tested" in [n.code for n in found.notes]) == (k < 10)
    assert found.pairs["egger_p"].notna().all() == (k == 10)


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_limits_and_predictions_of_one_pair_are_at_alpha(alpha):
    """Of errors that say nothing beside how studies differ both are the plain t's."""
    table = reported(8, tau=0.2).assign(se=1e-4)
    row = podium.meta(table, measure="accuracy", alpha=alpha).pairs.iloc[0]
    y = table["estimate"].to_numpy()
    reach = stats.t.isf(alpha / 2, 7) * y.std(ddof=1)
    assert [row["lower"], row["upper"]] == pytest.approx(
        [y.mean() - reach / 8**0.5, y.mean() + reach / 8**0.5], rel=1e-3
    )
    assert row["prediction"] == pytest.approx(
        (y.mean() - reach * (9 / 8) ** 0.5, y.mean() + reach * (9 / 8) ** 0.5), rel=1e-3
    )
    assert row["i2"] == pytest.approx(1, abs=1e-4)
