"""Tables 1 and 2 of hothorn2005: closed forms against plain loops, R and what was printed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.tree import DecisionTreeClassifier

from podium.running.design.families.trees import stopping_alphas
from podium_lab.calibration import compiled_fits, equal_processes, tree_or_discriminant
from podium_lab.calibration.equal_processes import BETAS, drawn_sums, moments, quadratic
from podium_lab.calibration.rpart import Counter, leaves
from podium_lab.calibration.tree_or_discriminant import (
    PRINTED_SD,
    Draws,
    Fits,
    Plane,
    class_moments,
    counted,
    discriminant,
    fold_counts,
    honest,
    misclassified,
    resampled,
    unused,
)
from podium_lab.papers import hothorn2005
from podium_lab.papers.replication import (
    Asked,
    Cell,
    Replication,
    compared_shares,
    least_noticed,
    printed,
)


@pytest.fixture
def rng():
    return np.random.default_rng(1)


# -- Table 1 ----------------------------------------------------------------------------------


def plain(x, y, learning, test):
    """The linear model's mean squared error less the quadratic one's, rows given by number."""
    designs = [x[:, None], np.column_stack([x, x**2])]
    fits = [np.linalg.lstsq(d[learning], y[learning], rcond=None)[0] for d in designs]
    first, second = (
        np.mean((y[test] - d[test] @ c) ** 2) for d, c in zip(designs, fits, strict=True)
    )
    return first - second


def rows_of(counts):
    return np.repeat(np.arange(len(counts)), counts.astype(int))


def test_polynomials_in_beta2_are_the_plain_loop_on_the_same_draws(rng):
    n, samples = 30, 4
    x, e = rng.uniform(0, 5, 2 * n), rng.standard_normal(2 * n)
    rows, folds = moments(x, e), fold_counts(rng, samples, 5, n)
    merged = fold_counts(rng, samples, 1, 2 * n)[:, 0]
    found = np.stack(equal_processes.resampled(rows[:n], rows[n:], folds, merged))
    kept = honest(folds)
    for beta2 in (0.0, 0.06, 0.16):
        y = 2 * x + beta2 * x**2 + e
        ours = found @ [1, beta2, beta2**2]
        for b in range(samples):
            counts = folds[b].sum(axis=0)
            own, rest = rows_of(counts), np.arange(n, 2 * n)
            cv = [
                plain(x, y, rows_of(counts - folds[b, k]), rows_of(kept[b, k]))
                for k in range(5)
                if kept[b, k].any()
            ]
            theirs = [
                plain(x, y, own, rest),
                plain(x, y, own, rows_of(unused(counts))),
                plain(x, y, rows_of(merged[b]), rows_of(unused(merged[b]))),
                np.mean(cv),
            ]
            assert ours[:, b] == pytest.approx(theirs, abs=1e-10)


def test_sums_drawn_at_once_have_the_moments_of_the_process(rng):
    n = 20
    sums = drawn_sums(rng, 50_000, n)
    powers = n * 5.0 ** np.arange(2, 5) / np.arange(3, 6)  # E x^k = 5^k / (k + 1)
    assert sums.mean(axis=0) == pytest.approx([0, 0, *powers], rel=0.005, abs=1)
    assert np.cov(sums[:, :2].T) == pytest.approx(
        np.array([powers[[0, 1]], powers[[1, 2]]]), rel=0.02
    )


def test_the_quadratic_model_costs_a_parameter_and_pays_from_0_029_on(rng):
    """Expected differences: -1/n at 0, and beta2^2 times what a line leaves of x^2."""
    n = 150
    true = np.array([0, 0, 25 / 3, 125 / 4, 125])  # the process's own moments: no test error
    constant, linear, square = quadratic(drawn_sums(rng, 40_000, n), true).mean(axis=0)
    assert constant == pytest.approx(-1 / n, rel=0.06)  # and terms in 1/n^2
    assert linear == pytest.approx(0, abs=0.002)
    assert square == pytest.approx(125 - (125 / 4) ** 2 / (25 / 3), rel=0.01)
    power = printed("hothorn2005_table1")["simulation m=2000"].to_numpy()
    even = np.sqrt(-constant / square)
    assert even == pytest.approx(0.0292, abs=0.001)
    assert ((power > 0.5) == (even < BETAS)).all()


def test_statistic_2_rejects_as_written(rng):
    d = rng.normal(0.1, 1, (50, 1, 20))
    t = np.sqrt(50) * d.mean(axis=0) / d.std(axis=0, ddof=1)
    assert (hothorn2005.rejected(np.moveaxis(d, 0, 1)) == (t > 1.6449)).all()
    assert not hothorn2005.rejected(np.zeros((250, 9))).any()


def test_draws_of_folds_add_up_and_honest_ones_are_in_no_other_fold(rng):
    folds = fold_counts(rng, 400, 5, 150)
    assert (folds.sum(axis=2) == 30).all()
    assert unused(folds.sum(axis=1)).mean() == pytest.approx((1 - 1 / 150) ** 150, abs=0.004)
    kept, others = honest(folds), folds.sum(axis=1, keepdims=True) - folds
    assert (kept == np.where(others > 0, 0, folds)).all()
    assert kept.sum() > 0


def test_a_hundred_replications_agree_with_table_1():
    found = hothorn2005.table1(Asked(seed=3), replications=100)
    assert found.replications == 100
    assert len(found.cells) == 54
    assert found.table["within"].all()


@pytest.mark.long
def test_five_thousand_replications_agree_with_table_1():
    assert hothorn2005.table1(Asked(seed=1)).table["within"].all()


# -- Table 2: trees ---------------------------------------------------------------------------


def example():
    """120 rows of two attributes, two classes and numbers of draws, without a generator."""
    i = np.arange(120)
    a, b = i * 37 % 121 / 121, i * 53 % 127 / 127
    y = ((i % 9 == 0) != ((a > 0.55) & (b > 0.3) | (a < 0.2))).astype(int)
    return np.stack([a, b], axis=1), y, i * 7 % 4


def said(found, tree, x):
    """What one tree says, by looking every row up in every box."""
    own = found.tree == tree
    inside = ((x[:, None] >= found.low[own]) & (x[:, None] < found.high[own])).all(axis=2)
    assert (inside.sum(axis=1) == 1).all()
    return found.said[own][inside.argmax(axis=1)]


def test_the_tree_is_the_one_of_r():
    # R 4.1.19 of rpart: d <- data.frame(a, b, y = factor(y)); f <- rpart(y ~ ., d[rep(1:120, w), ])
    # paste(as.integer(predict(f, d, type = "class")) - 1, collapse = "")
    predicted = (
        "1010001100100100111110010110101011011010001100100101101110010110"
        "10101101101000110010010100111001011010101101101100110010"
    )
    x, y, counts = example()
    found = leaves(x[None], y[None], counts[None])
    assert "".join(map(str, said(found, 0, x))) == predicted
    cuts = np.unique(found.low[np.isfinite(found.low)])
    assert cuts == pytest.approx(
        [0.2024793388, 0.2716535433, 0.3031496063, 0.5, 0.5991735537, 0.7047244094, 0.8307086614]
    )


def test_the_tree_that_chose_its_own_size_is_the_one_of_r():
    # xval <- (seq_along(rows) * 7) % 10 + 1; f <- rpart(y ~ ., d[rows, ], control =
    # rpart.control(xval = xval)); prune(f, f$cptable[which.min(f$cptable[, "xerror"]), "CP"]):
    # 87, 62, 40, 32 and 32 errors, so that of the last two trees the smaller one is taken
    pruned = (
        "1010001100100100111110010110101001001010001100100100101110010110"
        "10101100101000110010010110111001011010101100101100110010"
    )
    x, y, _ = example()
    i = np.arange(120)
    y = ((i % 7 == 0) != (y == 1)).astype(int)
    rows = np.repeat(i, i * 11 % 4)
    fold = (np.arange(len(rows)) + 1) * 7 % 10
    inner = np.stack([np.bincount(rows[fold == f], minlength=120) for f in range(10)])
    counts = np.bincount(rows, minlength=120)
    found = leaves(x[None], y[None], counts[None], inner[None])
    assert "".join(map(str, said(found, 0, x))) == pruned
    whole = leaves(x[None], y[None], counts[None])
    assert len(whole.said) > len(found.said)


def test_trees_are_scikit_learns_pruned_by_weakest_links(rng):
    plane, counts = Plane(rng, 1, 200), fold_counts(rng, 12, 1, 200)[:, 0].astype(int)
    x, y = plane.at(30)[0].astype(np.float32).astype(float), plane.y[0]
    found = leaves(x[None], y[None], counts)
    for b, drawn in enumerate(counts):
        rows = rows_of(drawn)
        grown = DecisionTreeClassifier(min_samples_split=20, min_samples_leaf=7, random_state=0)
        tree = grown.fit(x[rows], y[rows]).tree_
        shares = tree.value[:, 0, :]
        risk = np.round(tree.n_node_samples * (1 - shares.max(axis=1)))
        alphas = stopping_alphas(tree.children_left, tree.children_right, risk)
        ends, price = np.zeros(len(risk), int), 0.01 * risk[0]
        for node in np.flatnonzero(tree.children_left >= 0):
            for child in (tree.children_left[node], tree.children_right[node]):
                ends[child] = ends[node] if alphas[node] <= price else child
        theirs = shares[ends[tree.apply(x.astype(np.float32))]].argmax(axis=1)
        assert (said(found, b, x) == theirs).all()


@pytest.mark.parametrize(
    ("y", "counts"),
    [
        (np.zeros(30, int), np.ones(30, int)),  # one class
        (np.arange(30) % 2, np.ones(30, int)),  # nothing to gain
        (np.arange(30) // 15, np.repeat([1, 0], [10, 20])),  # too few rows
    ],
)
def test_what_cannot_be_split_is_one_leaf(y, counts):
    x = np.zeros((30, 2))
    found = leaves(x[None], y[None], counts[None])
    assert len(found.tree) == 1
    assert found.said[0] == int(counts @ y * 2 > counts.sum())


def test_trees_of_samples_of_their_own_are_those_of_each_sample_alone(rng):
    plane = Plane(rng, 5, 60)
    x, ones = plane.at(20), np.ones((5, 60), int)
    together = leaves(x, plane.y, ones)
    for b in range(5):
        alone = leaves(x[[b]], plane.y[[b]], ones[[b]])
        assert (said(together, b, x[b]) == said(alone, 0, x[b])).all()


def test_sets_of_bits_count_the_rows_of_boxes(rng):
    plane = Plane(rng, 1, 130)
    x, y = plane.at(50)[0], plane.y[0]
    found = leaves(x[None], y[None], fold_counts(rng, 6, 1, 130)[:, 0].astype(int))
    test = Plane(rng, 1, 77)
    u, v = test.at(50)[0], test.y[0]
    sizes = np.bitwise_count(Counter.of(u, v).wrong(found)).sum(axis=1)
    for b in range(6):
        assert sizes[found.tree == b].sum() == (said(found, b, u) != v).sum()


# -- Table 2: discriminants and both ----------------------------------------------------------


def test_the_discriminant_is_the_one_of_r_and_of_scikit_learn():
    # MASS: p <- predict(lda(y ~ a + b, d[rep(1:120, w), ]), d)$posterior; log(p[, 2] / p[, 1])
    x, y, counts = example()
    rule = discriminant(counts @ class_moments(x, y))
    scores = rule[0] + x @ rule[1:]
    assert scores[[0, 49, 99]] == pytest.approx(
        [-0.794095483280, -0.245950951771, -0.290996291079], abs=1e-9
    )
    rows = rows_of(counts)
    theirs = LinearDiscriminantAnalysis().fit(x[rows], y[rows]).decision_function(x)
    assert scores == pytest.approx(theirs * 178 / 180, abs=1e-9)  # it divides by n, not n - 2


def test_differences_are_the_plain_loop_on_the_same_draws(rng):
    n, samples = 60, 3
    plane = Plane(rng, 1, 2 * n)
    x, y = plane.at(40)[0], plane.y[0]
    draws = Draws.drawn(rng, samples, n)
    folds, (merged, _) = counted(draws.folds, n), draws.learned[1]
    kept, test = honest(folds), np.arange(n, 2 * n)

    def plain(counts, rows):
        learning = rows_of(counts)
        groups = [x[learning[y[learning] == k]] for k in (0, 1)]
        within = sum(np.cov(g.T) * (len(g) - 1) for g in groups) / (len(learning) - 2)
        (low, high), sizes = (g.mean(axis=0) for g in groups), [len(g) for g in groups]
        score = (x - (low + high) / 2) @ np.linalg.solve(within, high - low)
        lda = score + np.log(sizes[1] / sizes[0]) > 0
        drawn = np.bincount(learning, minlength=2 * n)
        tree = said(leaves(x[None], y[None], drawn[None]), 0, x)
        return np.mean(tree[rows] != y[rows]) - np.mean(lda[rows] != y[rows])

    ours = np.stack(resampled(x, y, draws))
    for b in range(samples):
        counts = folds[b].sum(axis=0)
        cv = [plain(counts - folds[b, k], rows_of(kept[b, k])) for k in range(5)]
        theirs = [
            plain(counts, test),
            plain(counts, rows_of(unused(counts))),
            plain(merged[b], rows_of(unused(merged[b]))),
            np.mean(cv),
        ]
        assert ours[:, b] == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("chosen", [False, True])
def test_the_compiled_twin_makes_the_same_differences(chosen):
    if compiled_fits.compiler() is None:
        pytest.skip("no C compiler")
    assert compiled_fits.fastest() is compiled_fits.CompiledFits
    ours, theirs = (
        tree_or_discriminant.differences(np.random.default_rng(5), 12, chosen=chosen, fitted=fitted)
        for fitted in (Fits, compiled_fits.CompiledFits)
    )
    assert np.unique(ours).size > 100
    assert (ours == theirs).all()
    plane = Plane(np.random.default_rng(6), 1, 200)
    x, y = plane.at(30)[0], plane.y[0]
    counts = fold_counts(np.random.default_rng(7), 30, 1, 200)[:, 0]
    boxes = [
        sorted(zip(f.tree, *f.low.T, *f.high.T, f.said, strict=True))
        for f in (fits.to_draws(x, y, counts).found for fits in (Fits, compiled_fits.CompiledFits))
    ]
    assert boxes[0] == boxes[1]


def test_the_process_has_the_printed_means_and_covariance(rng):
    plane = Plane(rng, 1, 100_000, PRINTED_SD)
    x, y = plane.at(30)[0], plane.y[0]
    assert x[y == 0].mean(axis=0) == pytest.approx([0, 0], abs=0.01)
    assert x[y == 1].mean(axis=0) == pytest.approx([np.sqrt(3) / 4, 0.75], abs=0.01)
    assert np.cov(x[y == 0].T) == pytest.approx(0.2 * np.eye(2), abs=0.01)


def test_at_90_degrees_the_discriminant_nears_the_bayes_error(rng):
    """The classes are two normals at distance 1."""
    fresh, test = Plane(rng, 20, 500), Plane(rng, 1, 4000)
    fits = Fits.to_samples(fresh.at(90), fresh.y)
    x, y = test.at(90)[0], test.y[0]
    assert misclassified(fits.rule, x, y).mean() == pytest.approx(0.02275, abs=0.005)  # pnorm(-2)
    assert fits.on_test(x, y).mean() > 0


def test_cells_are_compared_row_by_row():
    theirs = printed("hothorn2005_table2")
    cells = compared_shares("table2", theirs, 5000, theirs.to_numpy(), 100, 0.0005)
    assert [c.theirs for c in cells] == theirs.to_numpy().ravel().tolist()
    assert (cells[-1].row, cells[-1].column, cells[-1].z) == ("90", "CV", 0)


def test_a_quick_run_says_what_it_could_not_have_noticed():
    """20 replications without a cell that is off are no agreement of 54 cells."""
    cells = [Cell("t", "a", "b", p, p, 0.1, 0.0005) for p in (0.0, 0.5)]
    few, all_ = (
        Replication("p", "t", cells, replications=n, seed=0, printed_replications=5000)
        for n in (20, 5000)
    )
    assert "no cell is off" in few.heading
    assert "cells within" not in few.heading
    assert "2 of 2 cells within 3.5 standard errors" in all_.heading
    least = [least_noticed(cell, 5000, 20) for cell in cells]
    assert f"below {min(least):.2g} goes unnoticed in every cell, one below {max(least):.2g}" in (
        few.heading
    )
    for cell, off in zip(cells, least, strict=True):
        made = [
            compared_shares("t", pd.DataFrame([[cell.theirs]]), 5000, np.array([[s]]), 20, 0.0005)
            for s in (cell.theirs + off, cell.theirs + off - 1 / 20)
        ]
        assert [one[0].within for one in made] == [False, True]
    assert least_noticed(cells[1], 5000, 2) == np.inf
