"""Battles with prompts and judges: new ones of both are asked about, unless just these are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium

MODELS = np.array(list("abc"))


def judged(seed=0, n=400, prompts=25, judges=6, taste=0.5, ahead=0.0, ties=False) -> pd.DataFrame:
    """Battles of three models whose prompts and judges have tastes of their own."""
    rng = np.random.default_rng(seed)
    prompt, judge = rng.integers(0, prompts, n), rng.integers(0, judges, n)
    first = rng.integers(0, 3, n)
    second = (first + rng.integers(1, 3, n)) % 3
    liked = taste * (rng.normal(size=(prompts, 3))[prompt] + rng.normal(size=(judges, 3))[judge])
    liked[:, 0] += ahead
    d = liked[np.arange(n), first] - liked[np.arange(n), second] + rng.logistic(size=n)
    winner = np.where(d > 0, "model_a", "model_b")
    return pd.DataFrame({
        "model_a": MODELS[first],
        "model_b": MODELS[second],
        "winner": np.where(np.abs(d) < 0.3, "tie", winner) if ties else winner,
        "prompt": [f"p{i}" for i in prompt],
        "judge": [f"j{i}" for i in judge],
    })  # fmt: skip


def by_hand(frame: pd.DataFrame, level: float) -> pd.DataFrame:
    """The three ways by dense algebra, strengths less their mean."""
    a, b = (pd.Index(MODELS).get_indexer(frame[c]) for c in ("model_a", "model_b"))
    x = np.eye(3)[a] - np.eye(3)[b]
    y = (frame["winner"] == "model_a").to_numpy(float)
    theta, ones = np.zeros(3), np.ones((3, 3)) / 3
    for _ in range(30):
        mu = 1 / (1 + np.exp(-x @ theta))
        w = mu * (1 - mu)
        theta = theta + np.linalg.solve((x * w[:, None]).T @ x + ones, x.T @ (y - mu))
    bread, scores = np.linalg.inv((x * w[:, None]).T @ x + ones), x * (y - mu)[:, None]

    def sandwich(labels):
        sums = pd.DataFrame(scores).groupby(labels).sum().to_numpy()
        return bread @ (sums.T @ sums) @ bread * len(sums) / (len(sums) - 1), len(sums)

    (of_prompts, p), (of_judges, q) = (sandwich(frame[c].to_numpy()) for c in ("prompt", "judge"))
    usual = np.trace((x * w[:, None]).T @ x) / (3 * q)
    own = []
    for name in frame["judge"].unique():
        mine = (frame["judge"] == name).to_numpy()
        information = (x[mine] * w[mine, None]).T @ x[mine] + 0.001 * usual * np.eye(3)
        own.append(theta + np.linalg.solve(information, scores[mine].sum(axis=0)))
    rows = []
    for i, j in ((0, 1), (0, 2), (1, 2)):
        c = np.eye(3)[i] - np.eye(3)[j]
        vp, vj, d = c @ of_prompts @ c, c @ of_judges @ c, np.array(own) @ c
        both = (vp + vj) ** 2 / (vp**2 / (p - 1) + vj**2 / (q - 1))
        ways = [
            (c @ theta, np.sqrt(vp), p - 1),
            (d.mean(), d.std(ddof=1) / np.sqrt(q), q - 1),
            (c @ theta, np.sqrt(vp + vj), both),
        ]
        ends = [(m - f * s, m + f * s) for m, s, df in ways for f in [stats.t.isf(level / 2, df)]]
        p_value = max(2 * stats.t.sf(abs(m) / s, df) for m, s, df in ways)
        apart = ways[0][0] * ways[1][0] < 0
        rows.append((c @ theta, min(e[0] for e in ends), max(e[1] for e in ends),
                     1.0 if apart else p_value))  # fmt: skip
    return pd.DataFrame(rows, columns=["estimate", "lower", "upper", "p"])


def in_order(found) -> pd.DataFrame:
    """The pairs a-b, a-c, b-c."""
    rows = {}
    for row in found.table.itertuples():
        turn = -1 if row.first > row.second else 1
        ends = sorted((turn * row.lower, turn * row.upper))
        rows[min(row.first, row.second), max(row.first, row.second)] = (
            turn * row.estimate, *ends, row.p)  # fmt: skip
    return pd.DataFrame([rows[key] for key in sorted(rows)], columns=["estimate", "lower", "upper",
                                                                      "p"])  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_the_most_careful_of_three_ways_counts(seed):
    frame = judged(seed, judges=3 + seed, ahead=0.3 * seed)
    found = podium.compare(podium.read(frame), covariates="none")
    expected = by_hand(frame, 1 - 0.95 ** (1 / 3))
    assert in_order(found).to_numpy() == pytest.approx(expected.to_numpy(), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("prompts", [True, False])
def test_verdict_limits_and_adjusted_p_are_one_answer(seed, prompts):
    frame = judged(seed, judges=8, taste=0.2, ahead=0.4 * (seed % 4), ties=bool(seed % 2))
    found = podium.compare(podium.read(frame if prompts else frame.drop(columns="prompt"))).table
    excluded = (found["lower"] > 0) | (found["upper"] < 0)
    assert excluded.tolist() == (found["verdict"] != "undecided").tolist()
    assert excluded.tolist() == (found["p_adjusted"] <= 0.05).tolist()


def test_new_judges_are_the_default_and_these_must_be_asked_for():
    frame = judged(judges=3, ahead=1.0)
    new, these = (podium.compare(podium.read(frame, **o)) for o in ({}, {"columns":
                  "cluster=prompt"}))  # fmt: skip
    assert {"new-judges", "few-judges"} <= {note.code for note in new.warnings}
    assert "judges that are drawn as these were" in new.statement
    assert not {"new-judges", "few-judges"} & {note.code for note in these.warnings}
    assert "judged by these very judges (" in these.statement
    assert all(name in these.statement for name in ("j0", "j1", "j2"))
    width = [(t["upper"] - t["lower"]).to_numpy() for t in (new.table, these.table)]
    assert (width[0] > width[1]).all()
    assert podium.read(frame, columns="cluster=judge+prompt") is not None
    both = podium.compare(podium.read(frame, columns="cluster=judge+prompt"))
    pd.testing.assert_frame_equal(both.table, new.table)


def test_judges_with_effects_of_their_own_are_just_these():
    found = podium.compare(podium.read(judged(judges=3)), covariates="judge")
    assert "judged by these very judges (" in found.statement
    assert "new-judges" not in {note.code for note in found.warnings}
    (note,) = (n for n in found.warnings if n.code == "choices")
    assert note.blocks == 25  # prompts


def test_one_judge_is_judged_by_prompt():
    frame = judged(judges=1)
    found = podium.compare(podium.read(frame))
    assert "judged by this very judge (j0)" in found.statement
    without = podium.compare(podium.read(frame.drop(columns="judge")))
    pd.testing.assert_frame_equal(found.table, without.table)


def test_names_of_models_and_judges_change_nothing():
    frame = judged(2, ahead=0.5)
    plain = in_order(podium.compare(podium.read(frame)))
    turned = frame.assign(judge=frame["judge"].map(lambda name: f"z{9 - int(name[1:])}"))
    turned = turned.sample(frac=1, random_state=0)
    again = in_order(podium.compare(podium.read(turned)))
    assert again.to_numpy() == pytest.approx(plain.to_numpy(), abs=1e-9)
    other = frame.replace({"a": "c", "c": "a"})
    moved = in_order(podium.compare(podium.read(other)))  # a-b is then c-b
    assert moved.loc[2, "estimate"] == pytest.approx(-plain.loc[0, "estimate"])
    assert moved.loc[2, "lower"] == pytest.approx(-plain.loc[0, "upper"])


def test_errors_hold_where_judges_differ():
    """Two equal models, four judges with tastes: by prompt alone a third would be told apart."""
    rejected = np.zeros(2)
    for seed in range(30):
        frame = judged(seed, n=600, judges=4, prompts=30, taste=0.5)
        for i, columns in enumerate((None, "cluster=prompt")):
            table = podium.compare(podium.read(frame, columns=columns)).table
            rejected[i] += (table["verdict"] != "undecided").any()
    new, by_prompt = rejected / 30
    assert new <= 0.1
    assert by_prompt >= 0.15


def test_many_judges_with_a_battle_each_are_counted():
    frame = judged(n=300, judges=250)
    found = podium.compare(podium.read(frame))
    assert found.table["p"].between(0, 1).all()
