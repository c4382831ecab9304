"""Strengths from choices, against BradleyTerry2, glm, PlackettLuce and closed forms."""

import numpy as np
import pytest
from tables_varied import battles

import podium
from podium.core.inference.numbers.preferences import rankings, strengths
from podium.core.inference.procedures.battle_fits import paired_strengths
from podium.errors import InferenceError

NAMES = ["a", "b", "c"]


def choices(**counts):
    """`ab=3`: a beat b three times; `tie_ab=2`: two ties."""
    made = []
    for name, count in counts.items():
        tie, i, j = name.startswith("tie"), *(NAMES.index(x) for x in name[-2:])
        pair = (min(i, j), max(i, j))
        made += [(pair, pair if tie else (i,))] * count
    return made


def test_two_algorithms_have_the_logit_of_their_wins():
    found = strengths(choices(ab=30, ba=10), NAMES[:2])
    assert found.values[0] - found.values[1] == pytest.approx(np.log(3))
    # independent battles: the sandwich is 1 / (n p q), with n / (n - 1)
    row = np.array([1.0, -1.0])
    expected = 1 / (40 * 0.75 * 0.25) * 40 / 39
    assert row @ found.covariance @ row == pytest.approx(expected)


def test_davidson_ties_of_two():
    """nu = ties / sqrt(wins of both), in closed form."""
    found = strengths(choices(ab=20, ba=5, tie_ab=10), NAMES[:2])
    assert found.values[0] - found.values[1] == pytest.approx(np.log(4))
    assert found.effects["tie of 2"][0] == pytest.approx(np.log(10 / np.sqrt(100)))


def test_three_algorithms_fit_their_wins():
    """At the maximum every algorithm has the expected number of wins."""
    found = strengths(choices(ab=8, ba=4, bc=9, cb=3, ac=7, ca=5), NAMES)
    p = np.exp(found.values)
    expected_a = 12 * p[0] / (p[0] + p[1]) + 12 * p[0] / (p[0] + p[2])
    assert expected_a == pytest.approx(8 + 7)


def test_being_shown_first_is_an_effect():
    first = np.repeat([0, 1], 40)
    outcome = np.tile(np.repeat([1, -1], [30, 10]), 2)
    found = paired_strengths(first, 1 - first, outcome, NAMES[:2], ordered=True)
    assert found.values == pytest.approx([0, 0], abs=1e-9)
    assert found.effects["position"][0] == pytest.approx(np.log(3))


def test_battles_of_one_block_are_one_piece_of_evidence():
    """Every battle ten times over in its block: no more is known than from one of each."""
    one = choices(ab=8, ba=4, bc=9, cb=3, ac=7, ca=5)
    alone = strengths(one, NAMES)
    block = np.repeat(np.arange(len(one)), 10)
    tenfold = strengths([c for c in one for _ in range(10)], NAMES, block)
    assert tenfold.values == pytest.approx(alone.values)
    assert tenfold.covariance == pytest.approx(alone.covariance)
    assert tenfold.df == len(one) - 1


def test_rankings_are_choices_one_after_the_other():
    scores = np.array([[3.0, 2.0, 1.0], [1.0, np.nan, 2.0], [2.0, 2.0, 1.0]])
    made, rows = rankings(scores)
    assert made == [((0, 1, 2), (0,)), ((1, 2), (1,)), ((0, 2), (2,)), ((0, 1, 2), (0, 1))]
    assert rows.tolist() == [0, 0, 1, 2]


def test_plackett_luce_of_two_is_bradley_terry():
    scores = np.array([[1.0, 0.0]] * 30 + [[0.0, 1.0]] * 10)
    made, rows = rankings(scores)
    found = strengths(made, NAMES[:2], rows)
    assert found.values[0] - found.values[1] == pytest.approx(np.log(3))


def test_plackett_luce_has_the_likeliest_strengths():
    rng = np.random.default_rng(0)
    scores = rng.gumbel(size=(200, 3)) + np.array([1.0, 0.5, 0.0])
    made, rows = rankings(scores)
    found = strengths(made, NAMES, rows)

    def log_likelihood(s):
        return sum(s[c[0]] - np.log(np.exp(s[list(r)]).sum()) for r, c in made)

    best = log_likelihood(found.values)
    for move in rng.normal(0, 0.05, (20, 3)):
        assert log_likelihood(found.values + move) < best


def test_battles_are_choices_among_two():
    rng = np.random.default_rng(1)
    first = rng.integers(0, 3, 300)
    second = (first + rng.integers(1, 3, 300)) % 3
    outcome = rng.integers(-1, 2, 300)
    blocks = rng.integers(0, 40, 300)
    sets = zip(first.tolist(), second.tolist(), outcome.tolist(), strict=True)
    made = [((i, j), {1: (i,), 0: (i, j), -1: (j,)}[w]) for i, j, w in sets]
    for by in (None, blocks):
        two, any_number = (
            paired_strengths(first, second, outcome, NAMES, by),
            strengths(made, NAMES, by),
        )
        assert two.values == pytest.approx(any_number.values)
        assert two.covariance == pytest.approx(any_number.covariance)
        assert two.effects["ties"] == pytest.approx(any_number.effects["tie of 2"])


def test_what_has_no_finite_strength_is_refused():
    with pytest.raises(InferenceError, match="never lost, or never won"):
        strengths(choices(ab=3, ac=4, bc=2, cb=1), NAMES)
    with pytest.raises(InferenceError, match="compared with nobody"):
        strengths(choices(ab=3, ba=2), NAMES)
    with pytest.raises(InferenceError, match="one cluster"):
        strengths(choices(ab=3, ba=2), NAMES[:2], np.zeros(5))
    four = [((0, 1), (0,)), ((0, 1), (1,)), ((2, 3), (2,)), ((2, 3), (3,))]
    with pytest.raises(InferenceError, match="Nobody compared"):
        strengths(four, [*NAMES, "d"])


def test_errors_of_blocks_hold_where_those_of_battles_do_not():
    """Equal algorithms whose wins of one block go together: t of blocks, not of battles."""
    rng = np.random.default_rng(2)
    rejected = {"blocks": 0, "battles": 0}
    block = np.repeat(np.arange(30), 10)
    for _ in range(200):
        chance = rng.beta(0.5, 0.5, 30)[block]
        outcome = np.where(rng.random(300) < chance, 1, -1)
        zeros = np.zeros(300, dtype=int)
        for name, of in (("blocks", block), ("battles", None)):
            found = paired_strengths(zeros, zeros + 1, outcome, NAMES[:2], of)
            row = np.array([1.0, -1.0])
            t = row @ found.values / np.sqrt(row @ found.covariance @ row)
            rejected[name] += abs(t) > 2.045
    assert rejected["blocks"] <= 20
    assert rejected["battles"] > 60


@pytest.mark.parametrize("options", [{}, {"covariates": "length"}, {"covariates": "none"}])
def test_models_that_are_left_out_take_their_battles_with_them(options):
    """Position, lengths and prompts count as if the table had the others' battles only."""
    frame = battles(200, 3, 12, judges=3, prompts=15).drop(columns=["style_a", "style_b"])
    names = ["knn", "lda"]
    of_two = frame["model_a"].isin(names) & frame["model_b"].isin(names)
    frame.loc[of_two, "judge"] = "j0"  # all others judged no battle of these two
    found = podium.compare(podium.read(frame).filter(algorithm=names), **options)
    alone = podium.compare(podium.read(frame[of_two].drop(columns="judge")), **options)
    numbers = ["estimate", "lower", "upper", "statistic", "p"]
    turned = found.best_first(alone.algorithms)
    assert turned.table[numbers].to_numpy() == pytest.approx(alone.table[numbers].to_numpy())
    assert found.blocks.count == alone.blocks.count == of_two.sum()
    assert dict(found.means) == pytest.approx(dict(alone.means))
