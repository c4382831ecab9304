"""Tables 2 to 5 of feelders1995: printed numbers, R, plain formulas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

from podium.errors import DesignError
from podium_lab.papers import feelders1995
from podium_lab.papers.replication import printed, replicate


def cells(replication):
    return {(c.table, c.row, c.column): c for c in replication.cells}


# -- Table 3 ----------------------------------------------------------------------------------


def test_made_items_have_exactly_the_printed_moments():
    given = printed("feelders1995_table2").to_numpy(float)
    values = feelders1995.with_moments(106, given[:, 0], given[:, 1:])
    assert values.mean(axis=0) == pytest.approx(given[:, 0], abs=1e-15)
    assert np.cov(values.T) == pytest.approx(given[:, 1:], abs=1e-16)


def test_table_3_with_the_right_quantile_is_wider_and_decides_alike():
    found = cells(replicate("feelders1995", "table3"))
    # mvtnorm: qmvt(0.9, tail = "both.tails", df = 105, corr = diag(6))
    assert found["table3", "|M|", "6, 105 df"].ours == pytest.approx(2.4127, abs=2e-4)
    assert found["table3", "f1 - f2", "lower"].ours == pytest.approx(2.9e-4, abs=5e-6)
    assert found["table3", "f1 - f2", "upper"].ours == pytest.approx(5.5e-3, abs=5e-5)
    decisions = [c for key, c in found.items() if key[2] == "significant"]
    assert [c.ours for c in decisions] == [1, 1, 1, 0, 0, 0]
    assert all(c.within for c in decisions)


def test_with_the_printed_quantile_two_limits_of_table_3_are_not_met():
    found = [c for c in replicate("feelders1995", "table3").cells if c.table == "with 2.135"]
    out = {(c.row, c.column): c for c in found if not c.within}
    assert len(found) == 12
    assert set(out) == {("f1 - f4", "lower"), ("f3 - f4", "upper")}
    assert all(c.note for c in out.values())
    assert out["f3 - f4", "upper"].ours == pytest.approx(6.1e-4, abs=5e-6)


def test_the_printed_quantile_is_one_sided():
    """P(max of six normals < 2.135 s) = 0.9, s the root of an independent chi-square / 105."""
    scale = stats.chi(105, scale=105**-0.5)

    def below(q, share):
        return integrate.quad(lambda s: share(q * s) ** 6 * scale.pdf(s), 0.5, 1.6)[0]

    assert below(2.135, stats.norm.cdf) == pytest.approx(0.9, abs=0.003)
    both = below(2.135, lambda x: 2 * stats.norm.cdf(x) - 1)
    assert 1 - both == pytest.approx(0.19, abs=0.005)


# -- Tables 4 and 5 -----------------------------------------------------------------------------


def test_table_4_is_that_of_r():
    # mcnemar.test(matrix(c(61, 32, 23, 268), 2))
    found = cells(replicate("feelders1995", "table4"))
    assert found["table4", "McNemar", "X²"].ours == pytest.approx(1.163636364, abs=1e-8)
    assert found["table4", "McNemar", "p"].ours == pytest.approx(0.2807126653, abs=1e-8)
    assert all(c.within for c in found.values())


def test_table_5_is_met_in_every_cell():
    made = replicate("feelders1995", "table5")
    found = cells(made)
    assert made.table["within"].all()
    assert found["table5", "Z", "10 pairs"].ours == pytest.approx(stats.norm.isf(0.0025), abs=1e-9)
    significant = {row for (_, row, column), c in found.items() if column[0] == "s" and c.ours}
    assert significant == {"f1 - f3", "f2 - f3", "f3 - f4", "f3 - f5"}


def test_made_classifications_have_the_printed_totals():
    correct = printed("feelders1995_totals")["correct"].to_numpy()
    y = feelders1995.with_totals(correct, 384, 0.0205)
    assert y.sum(axis=0).tolist() == correct.tolist()
    assert set(np.unique(y)) == {0.0, 1.0}
    # the mean over pairs of (wrong by just one of them) / n^2
    pairs = [(y[:, i] != y[:, j]).sum() for i in range(5) for j in range(i)]
    assert feelders1995.pooled_sd(y) ** 2 == pytest.approx(np.mean(pairs) / 384**2)


# -- Table 2 ------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    """A file of the form of Boston Housing."""
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(506, 13)), columns=[f"x{j}" for j in range(13)])
    frame["target"] = 5 + 45 * rng.beta(2, 3, 506)
    frame.to_csv(tmp_path / "BostonHousing.csv", index=False)
    return tmp_path


def test_table_2_computes_means_and_s_of_the_last_rows(folder, monkeypatch, tmp_path):
    monkeypatch.setattr(feelders1995, "FEW_SPLITS", 3)
    store = tmp_path / "splits.db"
    made = replicate("feelders1995", "table2", quick=True, data=folder, store=store)
    found = cells(made)
    frame = pd.read_csv(folder / "BostonHousing.csv")
    x = np.column_stack([np.ones(506), frame.iloc[:, :13]])
    y = frame["target"].to_numpy()
    y = 0.1 + 0.8 * (y - y.min()) / np.ptp(y)
    squared = (y - x @ np.linalg.lstsq(x[:400], y[:400], rcond=None)[0])[400:] ** 2
    ours = [found["last 106 rows", "f1", name].ours for name in ("mean", "f1", "sd / mean")]
    assert ours == pytest.approx(
        [squared.mean(), squared.var(ddof=1), squared.std(ddof=1) / squared.mean()], rel=1e-6
    )
    assert found["random splits", "f1", "mean"].standard_error > 0
    assert len(made.cells) == 29
    again = replicate("feelders1995", "table2", quick=True, data=folder, store=store)
    assert [c.ours for c in again.cells] == [c.ours for c in made.cells]


def test_table_2_says_which_file_it_needs(folder, tmp_path):
    for data in (None, tmp_path / "nowhere"):
        with pytest.raises(
            DesignError, match=r"--data DIR \(data=DIR\) with BostonHousing.csv in it: .* 506 rows"
        ):
            replicate("feelders1995", "table2", data=data)
    path = folder / "BostonHousing.csv"
    pd.read_csv(path).head(20).to_csv(path, index=False)
    with pytest.raises(DesignError, match="has 20 rows and 14 columns; Table 2 needs 506"):
        replicate("feelders1995", "table2", data=folder)


def test_table_2_refuses_files_that_are_no_table_of_numbers(folder):
    path = folder / "BostonHousing.csv"
    frame = pd.read_csv(path)
    for damaged, said in (
        (b"", "is empty"),
        (b"\x8f\x00\xff", "is not a text file"),
        (frame.assign(target="dear").to_csv(index=False).encode(), "no numbers"),
        (frame.mask(frame == frame.max()).to_csv(index=False).encode(), "no numbers, or none"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(DesignError, match=said):
            replicate("feelders1995", "table2", data=folder)
