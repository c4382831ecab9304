"""The studies of hothorn2005, section 5.3: their algorithms, comparisons and data."""

from __future__ import annotations

from dataclasses import replace

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

import podium
from podium.errors import DesignError
from podium.running.design.families.discriminants import Lda
from podium_lab.papers import hothorn2005_studies as studies
from podium_lab.papers.bundling import Bundling, StabilisedLda, logistic
from podium_lab.papers.hothorn2005_variants import variants
from podium_lab.papers.replication import Asked, Finding


def example():
    """60 rows of five attributes and two classes, without a generator."""
    i = np.arange(60)
    x = pd.DataFrame({"a": i * 37 % 61 / 61, "b": i * 53 % 67 / 67, "c": i * 29 % 71 / 71})
    x["d"], x["e"] = x["a"] + 0.3 * x["b"], x["c"] - 0.5 * x["a"] * x["b"]
    y = np.where((i * 17 % 19 > 9) != (x["a"] + x["b"] > 1), "u", "v")
    return x.to_numpy(), y


def test_slda_is_a_discriminant_of_principal_components_and_near_that_of_ipred():
    x, y = example()
    said = StabilisedLda().fit(x, y).predict(x)
    z = StandardScaler().fit_transform(x)
    kept = PCA(int((np.linalg.eigvalsh(np.corrcoef(x.T)) > 1).sum())).fit_transform(z)
    assert (said == Lda().fit(kept, y).predict(kept)).all()
    # ipred 0.9-14: predict(slda(y ~ ., data))$class == "v"; it takes singular vectors
    theirs = "110111101111010100101001010100101101011010110101111011110111"
    assert sum((a == "v") == (b == "1") for a, b in zip(said, theirs, strict=True)) == 58
    again = StabilisedLda("ipred slda").fit(x, y).predict(x)
    assert "".join("1" if a == "v" else "0" for a in again) == theirs


def test_logistic_regression_has_the_coefficients_of_scikit_learn():
    x, y = example()
    z = StandardScaler().fit_transform(x)
    codes = (y == "v").astype(int)
    ours = logistic(z, codes)
    theirs = LogisticRegression(C=1 / (1e-3 * 60), tol=1e-8, max_iter=1000).fit(z, codes)
    assert ours.slopes == pytest.approx(theirs.coef_[0], abs=0.02)  # its intercept has no ridge


def test_bundling_learns_what_a_stump_of_a_tree_cannot_and_depends_on_its_seed_alone():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(600, 8))
    y = np.where(x.sum(axis=1) + rng.normal(size=600) > 0, "p", "q")
    one = Bundling(15, random_state=3).fit(x[:200], y[:200])
    assert (one.predict(x[200:]) != y[200:]).mean() < 0.18  # Bayes: 0.11, bagged trees: 0.2
    again = Bundling(15, random_state=3).fit(x[:200], y[:200])
    assert (one.predict_proba(x) == again.predict_proba(x)).all()
    with pytest.raises(DesignError, match="Bundling learns two classes, and here are 1"):
        Bundling(2).fit(x[:5], ["p"] * 5)


def test_bundling_may_lack_helpers_stop_early_and_vote():
    x, y = example()
    bagged = Bundling(5, helpers=(), random_state=3).fit(x, y)
    assert {tree.n_features_in_ for _, tree in bagged.members_} == {5}
    small = Bundling(5, least=(20, 7), random_state=3).fit(x, y)
    assert all((tree.tree_.n_node_samples >= 7).all() for _, tree in small.members_)
    votes = Bundling(5, votes=True, random_state=3).fit(x, y).predict_proba(x)[:, 1]
    assert {round(5 * share, 9) for share in votes} <= {0, 1, 2, 3, 4, 5}


def test_variants_are_judged_on_the_same_samples_beside_what_is_shipped(tmp_path):
    x, y = example()
    for name in ("Ionosphere", "BreastCancer"):
        frame = pd.DataFrame(x, columns=list("abcde")).assign(target=y)
        if name == "BreastCancer":
            frame.loc[3, "b"] = np.nan
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    made = variants(Asked(quick=True, data=tmp_path), samples=2)
    assert {cell.table for cell in made.cells} == {
        "Ionosphere", "BreastCancer", "BreastCancer, complete rows"
    }  # fmt: skip
    own = {(c.row, c.column): c.ours for c in made.cells if c.table == "Ionosphere"}
    moved = own["bundling, votes", "error"] - own["bundling", "error"]
    assert own["bundling, votes", "moved by"] == pytest.approx(moved)
    assert own["svm less slda", "error"] == pytest.approx(
        own["svm", "error"] - own["slda", "error"]
    )
    with pytest.raises(DesignError, match="say --data DIR"):
        variants(Asked(quick=True))


def test_statistic_3_as_printed_follows_from_the_form_that_is_permuted():
    rng = np.random.default_rng(2)
    wide = pd.DataFrame(rng.normal([0, 0.1, 0.3], 1, (40, 3)), columns=["a", "b", "c"])
    frame = wide.rename_axis("sample").reset_index()
    results = podium.read(frame, sampling="bootstrap:40", measure="loss")
    made = podium.compare(results, "permutation")
    assert studies.statistic_3(made, 40) == pytest.approx(studies._t_star(wide.to_numpy()))


def test_statistic_3_of_samples_that_are_not_paired_is_that_of_shuffled_columns():
    rng = np.random.default_rng(4)
    scores = rng.normal([0, 0.5, 1], 1, (2000, 3)) + 3 * rng.normal(size=(2000, 1))
    shuffled = np.mean([studies._t_star(rng.permuted(scores, axis=0)) for _ in range(50)])
    assert studies._unpaired(scores) == pytest.approx(shuffled, rel=0.01)
    assert studies._t_star(scores) > 5 * shuffled


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files in the form of the paper's data, with a nearly linear problem in them."""
    path, rng = tmp_path_factory.mktemp("data"), np.random.default_rng(3)
    x = pd.DataFrame(rng.normal(size=(90, 4)), columns=list("abcd"))
    height = x.sum(axis=1) + 0.3 * rng.normal(size=90)
    classes = np.where(height > 0, "good", "bad")
    x.assign(target=height).to_csv(path / "BostonHousing.csv", index=False)
    x.mask(rng.random(x.shape) < 0.02).assign(target=classes).to_csv(
        path / "BreastCancer.csv", index=False
    )
    x.assign(a="text", target=classes).to_csv(path / "Ionosphere.csv", index=False)
    return path


def test_a_study_is_run_once_compared_as_in_the_paper_and_drawn(folder, tmp_path):
    store, told = tmp_path / "boston.db", []
    asked = Asked(quick=True, data=folder, store=store)
    made = studies.boston(asked, samples=4)
    assert store.exists()
    assert (tmp_path / "boston-cv.db").exists()
    telling = replace(asked, progress=lambda *now: told.append(now))
    again = studies.boston(telling, samples=4)
    assert told == []  # nothing was left to run
    assert again.table.equals(made.table)
    assert {c.theirs for c in made.cells if not isinstance(c, Finding)} == {
        0.0018,
        0.0016,
        6707,
        8029,
    }
    assert {c.row for c in made.cells} >= {"1 % ≻ 5 %", "5 % ≻ 10 %", "all equal"}
    for draw in made.figures.values():
        assert draw(plt.figure().subplots()).get_xlabel()
    plt.close("all")


def test_what_the_paper_finds_is_judged_pair_by_pair(folder):
    made = studies.breastcancer(Asked(quick=True, data=folder), samples=5)
    assert all(isinstance(cell, Finding) for cell in made.cells)
    rows = [cell.row for cell in made.cells]
    assert rows[1:] == [
        "random forest ≻ slda",
        "random forest ≻ svm",
        "bundling ≻ slda",
        "bundling ≻ svm",
        "svm ≈ slda",
        "random forest ≈ bundling",
    ]
    assert not made.cells[1].within  # here the classes are parted by a plane
    assert "figure5-intervals" in made.figures


def test_data_that_are_not_there_or_no_numbers_are_refused(folder, tmp_path, monkeypatch):
    with pytest.raises(DesignError, match=r"no file .*BostonHousing\.csv"):
        studies.boston(Asked(quick=True, data=tmp_path))
    with pytest.raises(DesignError, match="attributes are numbers"):
        studies.ionosphere(Asked(quick=True, data=folder))
    (tmp_path / "BostonHousing.csv").write_text("a,target\n1,cheap\n2,dear\n")
    with pytest.raises(DesignError, match=r"attributes and target are numbers: .*cheap"):
        studies.boston(Asked(quick=True, data=tmp_path))

    def unreachable(*_, **__):
        raise DesignError("OpenML does not answer.")

    monkeypatch.setattr(studies, "from_source", unreachable)
    with pytest.raises(
        DesignError, match=r"Say --data DIR \(data=DIR\), a folder with BreastCancer\.csv"
    ):
        studies.breastcancer(Asked(quick=True))
