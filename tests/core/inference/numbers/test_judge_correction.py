"""A judge corrected by people: two-phase regression, as lm and predict give it in R."""

import numpy as np
import pytest
from layouts_made import made as laid_out

from podium.core.inference.numbers.judge_correction import corrected, corrected_means, unlike
from podium.core.inference.procedures.judged import own_score
from podium.errors import InferenceError


def drawn(items, labels, seed):
    return np.sort(np.random.default_rng(seed).choice(items, labels, replace=False))


def made(n=30, m=200, bias=0.2, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.normal(0.3, 1, m)
    judge = truth + bias + rng.normal(0, 0.5, m)
    human = np.full(m, np.nan)
    human[drawn(m, n, seed)] = truth[drawn(m, n, seed)]
    return human, judge, truth


def test_it_is_the_prediction_of_a_regression():
    human, judge, _ = made()
    there = ~np.isnan(human)
    x = np.column_stack([np.ones(there.sum()), judge[there]])
    beta, rss, *_ = np.linalg.lstsq(x, human[there], rcond=None)
    found = corrected(human, judge)
    at = np.array([1.0, judge.mean()])
    assert found.estimate == pytest.approx(at @ beta)
    noise = rss[0] / (there.sum() - 2)
    variance = noise * at @ np.linalg.inv(x.T @ x) @ at + beta[1] ** 2 * judge.var(ddof=1) / 200
    assert found.error == pytest.approx(np.sqrt(variance))
    assert found.df == 28
    assert found.correlation == pytest.approx(np.corrcoef(judge[there], human[there])[0, 1])
    assert found.worth > 60  # thirty labels and a judge of correlation 0.9


def test_a_judge_who_never_varies_adds_nothing():
    human, judge, _ = made()
    found = corrected(human, np.ones_like(judge))
    there = ~np.isnan(human)
    assert found.estimate == pytest.approx(human[there].mean())
    assert found.error == pytest.approx(human[there].std(ddof=1) / np.sqrt(30))
    assert found.worth == pytest.approx(30)
    human[there] = 0.5  # and nothing is to be added where all labels are alike
    alike = corrected(human, judge)
    assert (alike.error, alike.worth, alike.slope, alike.correlation) == (0, 30, 0, 0)


def test_too_few_labels_and_too_many_are_refused():
    human, judge, truth = made(14)
    with pytest.raises(InferenceError, match="at least 15"):
        corrected(human, judge)
    with pytest.raises(InferenceError, match="every item"):
        corrected(truth, judge)


def test_one_slope_for_all_keeps_differences_consistent():
    rng = np.random.default_rng(1)
    truth = rng.normal(0, 1, (200, 3)) + np.array([0.0, 0.2, 0.5])
    judge = truth + rng.normal(0, 0.4, (200, 3))
    human = np.full((200, 3), np.nan)
    chosen = drawn(200, 40, 3)
    human[chosen] = truth[chosen]
    found = corrected_means(human, judge)
    assert 0.5 < found.slope < 1.2
    assert found.covariance == pytest.approx(found.covariance.T)
    apart = corrected_means(human + 5, judge)
    assert apart.values - found.values == pytest.approx(np.full(3, 5.0))
    assert apart.covariance == pytest.approx(found.covariance)
    human[chosen[0], 1] = np.nan
    with pytest.raises(InferenceError, match="some algorithms only"):
        corrected_means(human, judge)


def test_labels_that_were_chosen_show():
    human, judge, truth = made(60)
    assert unlike(human, judge) > 0.01
    best = np.argsort(judge)[-60:]
    chosen = np.full(200, np.nan)
    chosen[best] = truth[best]
    assert unlike(chosen, judge) < 1e-6


def test_size_with_few_labels():
    rng = np.random.default_rng(4)
    from scipy import stats

    rejected = 0
    for _ in range(1000):
        truth = rng.normal(0, 1, 300)
        judge = truth + 0.3 + rng.normal(0, 0.6, 300)
        human = np.full(300, np.nan)
        human[:15] = truth[:15]
        found = corrected(human, judge)
        rejected += abs(found.estimate / found.error) > stats.t.isf(0.025, found.df)
    assert 0.03 < rejected / 1000 < 0.075


@pytest.mark.parametrize("binary", [False, True])
def test_one_model_has_the_error_of_its_clusters(binary):
    """Labels and judge vary by cluster: clusters of one item each are items, larger ones count."""
    rng = np.random.default_rng(3)
    shift = np.repeat(rng.normal(0, 0.3, 60), 4)
    judge = rng.normal(0.5, 0.2, 240) + shift
    human = judge + rng.normal(0, 0.1, 240)
    if binary:
        judge, human = ((x > 0.5).astype(float) for x in (judge, human))
    human[rng.random(240) < 0.4] = np.nan

    def score(clusters) -> tuple:
        layout = laid_out(judge[:, None], block="item", measure="accuracy", clusters=clusters,
                      human=human[:, None])  # fmt: skip
        return own_score(layout, 0.05)

    plain, single, whole = (score(c) for c in (None, np.arange(240), np.repeat(np.arange(60), 4)))
    assert single[:2] == pytest.approx(plain[:2], rel=0.02)
    assert whole[0] == pytest.approx(plain[0])
    assert whole[1] > 1.3 * plain[1]
    there = ~np.isnan(human)
    slope = corrected(human, judge).slope
    parts = []
    for x, use in ((human - slope * judge, there), (slope * judge, there | True)):
        centred = (x - x[use].mean())[use]
        sums = [centred[np.repeat(np.arange(60), 4)[use] == c].sum() for c in range(60)]
        parts.append(np.square(sums).sum() / use.sum() ** 2)
    assert whole[1] == pytest.approx(np.sqrt(sum(parts)), rel=0.05)  # but for the bias reduction
