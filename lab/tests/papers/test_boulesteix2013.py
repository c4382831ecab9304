"""Table 1, Figure 2 and a study of the shape of Figure 3 of boulesteix2013."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy import stats

import podium
from podium_lab.papers import boulesteix2013, boulesteix2013_study
from podium_lab.papers.boulesteix2013_study import Expression, figure3, implied_sd, twins
from podium_lab.papers.replication import Asked, printed, replicate

# -- Table 1 ------------------------------------------------------------------------------------


def test_every_p_value_of_table_1_follows_from_its_statistic():
    made = replicate("boulesteix2013", "table1")
    assert len(made.cells) == 15
    assert made.table["within"].all()


def test_one_rank_less_is_needed_where_two_tie_on_a_data_set():
    line = printed("boulesteix2013_table1").loc[boulesteix2013.TIED]
    p = [
        boulesteix2013.one_sided(
            boulesteix2013.over_datasets(
                boulesteix2013.with_rank_sum(int(line["W"]), ranks), "a", "b"
            ),
            "wilcoxon",
            "corrected",
        )
        for ranks in (49, 50)
    ]
    assert p[0] == pytest.approx(line["W p"], abs=5e-6)
    assert p[1] != pytest.approx(line["W p"], abs=1e-3)


def test_made_differences_have_the_printed_statistics():
    for _, line in printed("boulesteix2013_table1").iterrows():
        apart = boulesteix2013.with_t(line["t"], line["difference"])
        assert stats.ttest_1samp(apart, 0).statistic == pytest.approx(line["t"])
        assert apart.mean() == pytest.approx(line["difference"])
        assert apart.std(ddof=1) == pytest.approx(implied_sd(line))
        signed = boulesteix2013.with_rank_sum(int(line["W"]), 50)
        assert stats.rankdata(abs(signed))[signed > 0].sum() == line["W"]


@pytest.mark.parametrize("column", ["t p", "W p"])
def test_holm_leaves_the_same_four_significant(column):
    p = np.sort(printed("boulesteix2013_table1")[column])
    adjusted = np.maximum.accumulate(p * np.arange(6, 0, -1))
    assert (adjusted <= 0.05).sum() == (p <= 0.05).sum() == 4


# -- Figure 2 -------------------------------------------------------------------------------------


def test_the_paper_s_formula_is_the_central_one_of_a_plan():
    made = replicate("boulesteix2013", "figure2")
    for cell in made.cells:
        sd = float(cell.column.removeprefix("sigma = "))
        value = float(cell.row.split("= ")[1])
        if cell.table == "left: J":
            plan = podium.plan(difference=value, sd=sd, power=0.8, **boulesteix2013.FORMULA)
            assert plan.datasets == cell.theirs
        else:
            plan = podium.plan(
                difference=0.05, sd=sd, datasets=int(value), **boulesteix2013.FORMULA
            )
            assert plan.power == pytest.approx(cell.theirs, abs=1e-9)


def test_exact_numbers_and_powers_are_those_of_r():
    # power.t.test(n = 5, delta = 0.05, sd = s, type = "one.sample", alternative = "one.sided")
    found = {(c.row, c.column): c for c in replicate("boulesteix2013", "figure2").cells}
    powers = [found["J = 5", f"sigma = {sd:g}"].ours for sd in boulesteix2013.SDS]
    assert powers == pytest.approx([0.9162799, 0.5797374, 0.3433741, 0.2389952], abs=1e-6)
    # ceiling(power.t.test(delta = 0.02, sd = 0.1, power = 0.8, ...)$n), and 0.08, 0.075
    assert found["Delta = 0.02", "sigma = 0.1"].ours == 156
    assert found["Delta = 0.08", "sigma = 0.075"].ours == 7
    assert all(c.theirs >= c.ours for key, c in found.items() if key[0][0] == "D")


def test_both_panels_have_a_curve_for_each_sd():
    for name, draw in replicate("boulesteix2013", "figure2").figures.items():
        ax = draw(Figure().subplots())
        assert len(ax.lines) == 4, name
        assert ax.get_legend().get_texts()[0].get_text() == "sd 0.03"


# -- Figure 3 on simulated data -------------------------------------------------------------------


def test_genes_are_correlated_in_blocks_and_shifted_between_classes():
    shift = np.zeros(60)
    shift[7] = 1.5
    process = Expression(4000, 0.4, np.arange(60) // 20, 0.6, shift)
    data = process.dataset("x", np.random.default_rng(1))
    x, ones = data.X, data.y == 1
    assert ones.mean() == pytest.approx(0.4, abs=0.03)
    apart = x[ones].mean(axis=0) - x[~ones].mean(axis=0)
    assert apart == pytest.approx(shift, abs=0.12)
    correlation = np.corrcoef(x[~ones].T)
    assert correlation[:20, :20][np.triu_indices(20, 1)].mean() == pytest.approx(0.6, abs=0.03)
    assert correlation[:20, 20:40].mean() == pytest.approx(0, abs=0.05)


@pytest.fixture
def small(monkeypatch):
    """Data sets of few genes, though more than 500."""
    monkeypatch.setattr(boulesteix2013_study, "GENES", (510, 560))
    monkeypatch.setattr(boulesteix2013_study, "ROWS", (40, 50))


def test_twins_have_one_distribution_and_the_first_do_not_depend_on_the_count(small):
    few, many = twins(2, 5), twins(3, 5)
    assert [a.fingerprint for a, _ in few] == [a.fingerprint for a, _ in many[:2]]
    for first, again in many:
        assert (first.n, first.p) == (again.n, again.p)
        assert not np.allclose(first.X, again.X)
    assert len({first.p for first, _ in many}) > 1


def test_the_study_is_resumed_compared_and_drawn(small, tmp_path):
    store, told = tmp_path / "x.db", []
    asked = Asked(store=store, progress=lambda *now: told.append(now))
    figure3(asked, datasets=3, splits=1)
    assert told[-1] == (24, 24)
    made = figure3(asked, datasets=3, splits=2)
    assert told[-1] == (48, 48)
    assert min(done for done, total in told if total == 48) > 24  # half of it was there
    errors = podium.read(store).filter(dataset=["set1", "set2", "set3"])
    means = errors.values("error").groupby(["dataset", "algorithm"], observed=True)["value"].mean()
    apart = (means.xs("DLDA-10", level=1) - means.xs("DLDA-500", level=1)).to_numpy()
    found = {(c.row, c.column): c.ours for c in made.cells}
    assert found[boulesteix2013.TIED, "difference"] == pytest.approx(apart.mean())
    assert found[boulesteix2013.TIED, "sd"] == pytest.approx(apart.std(ddof=1))
    assert len(made.cells) == 12
    assert "cannot be had" in made.remarks[0]
    for draw in made.figures.values():
        assert draw(Figure().subplots()).has_data()
