"""Items under several conditions: prompts or judges that are crossed with the items."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
from podium import PodiumError, layout
from podium.core.inference.procedures.conditions import crossing


def tried(items=40, conditions=6, seed=0, spread=0.3, name="prompt", models="ab"):
    """Scores of items under conditions that all differ from model to model."""
    rng = np.random.default_rng(seed)
    shape = (items, conditions, len(models))
    y = rng.normal(size=(items, 1, len(models))) + spread * rng.normal(size=(1, *shape[1:]))
    y = y + rng.normal(size=(items, 1, 1)) + 0.5 * rng.normal(size=shape)
    i, c, m = np.indices(shape).reshape(3, -1)
    return pd.DataFrame(
        {"item": i, name: [f"c{j}" for j in c], "model": np.array(list(models))[m], "score": y.flat}
    )


def read(frame, **options):
    return podium.read(frame, higher_is_better=True, **options)


def anova(frame):
    """Mean squares of the differences of two models, by the textbook."""
    wide = frame.pivot(index="item", columns=["model", frame.columns[1]], values="score")
    d = (wide["a"] - wide["b"]).to_numpy()
    n, p = d.shape
    m, a, b = d.mean(), d.mean(1), d.mean(0)
    rest = d - a[:, None] - b + m
    squares = (
        p * a.var(ddof=1),
        n * b.var(ddof=1),
        float((rest**2).sum()) / (n - 1) / (p - 1),
    )
    return m, squares, (n, p)


def test_the_variance_is_that_of_the_mean_squares():
    frame = tried()
    mean, (of_items, of_conditions, rest), (n, p) = anova(frame)
    found = crossing(layout(read(frame)))
    c = np.array([[1.0, -1.0]])
    assert float(found.means @ c[0]) == pytest.approx(mean)
    assert float((c @ found.covariance @ c.T)[0, 0]) == pytest.approx(
        (of_items + of_conditions - rest) / (n * p)
    )
    df = (of_items + of_conditions - rest) ** 2 / (
        of_items**2 / (n - 1) + of_conditions**2 / (p - 1) + rest**2 / (n - 1) / (p - 1)
    )
    assert found.df(c)[0] == pytest.approx(df)


def test_these_conditions_are_the_paired_test_of_item_means():
    frame = tried()
    _, (of_items, _, _), (n, p) = anova(frame)
    found = podium.compare(read(frame), target="test-set", procedure="paired-t").table.iloc[0]
    assert found["estimate"] / found["statistic"] == pytest.approx(np.sqrt(of_items / (n * p)))
    wide = podium.compare(read(frame)).table.iloc[0]
    assert wide["upper"] - wide["lower"] > found["upper"] - found["lower"]


def test_conditions_that_do_not_matter_add_nothing():
    frame = tried(spread=0.0, seed=4)
    _, (_, of_conditions, rest), _ = anova(frame)
    found = crossing(layout(read(frame)))
    added = np.array([1, -1]) @ found.of_conditions @ np.array([1, -1])
    assert added == pytest.approx(max(of_conditions - rest, 0) / 240, abs=1e-12)


def test_few_conditions_say_so_and_many_do_not():
    codes = {n.code for n in podium.compare(read(tried(conditions=3, name="judge"))).warnings}
    assert {"few-conditions", "condition-parts", "conditions-read"} <= codes
    codes = {n.code for n in podium.compare(read(tried(conditions=8))).warnings}
    assert "few-conditions" not in codes


def test_several_answers_are_averaged_within_item_and_condition():
    frame = tried()
    twice = pd.concat([frame, frame.assign(score=frame["score"] + 1)])
    once = podium.compare(read(frame)).table["lower"][0]
    assert podium.compare(read(twice)).table["lower"][0] == pytest.approx(once)


def test_a_prompt_of_every_item_is_no_condition():
    frame = tried(conditions=2)
    frame = frame[frame["prompt"] == "c0"].assign(
        prompt=lambda f: "text of " + f["item"].astype(str)
    )
    assert podium.compare(read(frame)).target == "test-set"


def test_clusters_of_items_count_under_conditions_too():
    frame = tried()
    frame["topic"] = "t" + (frame["item"] // 4).astype(str)
    found, plain = (podium.compare(read(f)) for f in (frame, frame.drop(columns="topic")))
    assert found.means == pytest.approx(plain.means)
    assert found.table["lower"][0] != plain.table["lower"][0]


def test_what_was_read_is_read_again():
    results = read(tried())
    again = podium.read(results.to_pandas(), measure="score", higher_is_better=True)
    assert podium.compare(again).table["p"][0] == podium.compare(results).table["p"][0]


def test_each_model_has_an_interval_of_its_own():
    found = podium.compare(read(tried()))
    own = found.extras.scores.iloc[0]
    assert own["lower"] < own["mean"] < own["upper"]
    assert own["standard_error"] > 0


def both(items=20, prompts=4, judges=3, seed=0, models="ab"):
    """Scores of items under prompts by judges, all of which matter, also together."""
    rng = np.random.default_rng(seed)
    shape = (prompts, judges, items, len(models))
    y = 0.3 * rng.normal(size=shape)
    for kept, spread in (((0,), 0.4), ((1,), 0.4), ((2,), 1.0), ((0, 2), 0.4), ((1, 2), 0.5),
                         ((0, 1), 0.3)):  # fmt: skip
        size = [n if axis in (*kept, 3) else 1 for axis, n in enumerate(shape)]
        y = y + spread * rng.normal(size=size)
    p, j, i, m = np.indices(shape).reshape(4, -1)
    return pd.DataFrame(
        {"item": i, "prompt": [f"p{n}" for n in p], "judge": [f"j{n}" for n in j],
         "model": np.array(list(models))[m], "score": y.flat}
    )  # fmt: skip


def three_ways(frame):
    """Mean squares of the differences of two models in three ways, by the textbook."""
    wide = frame.pivot(index=["item", "prompt", "judge"], columns="model", values="score")
    d = wide["a"] - wide["b"]
    n = [d.index.get_level_values(name).nunique() for name in d.index.names]
    mean, total = d.mean(), {(): 0.0}
    sums = {}
    for names in (("item",), ("prompt",), ("judge",), ("item", "prompt"), ("item", "judge"),
                  ("prompt", "judge"), ("item", "prompt", "judge")):  # fmt: skip
        by = d.groupby(list(names)).mean()
        total[names] = float(((by - mean) ** 2).sum()) * len(d) / len(by)
        inner = [part for part in sums if {*part} < {*names}]
        sums[names] = total[names] - sum(sums[part] for part in inner)
    sizes = dict(zip(d.index.names, n, strict=True))
    df = {names: np.prod([sizes[name] - 1 for name in names]) for names in sums}
    return mean, {names: sums[names] / df[names] for names in sums}, df, len(d)


def test_items_prompts_and_judges_are_the_three_way_analysis_of_variance():
    frame = both()
    mean, square, df, count = three_ways(frame)
    i, p, j, ip, ij, pj, ipj = square.values()
    found = crossing(layout(read(frame)))
    c = np.array([[1.0, -1.0]])
    variance = i + p + j - ip - ij - pj + ipj  # all parts are above 0 here
    assert float(found.means @ c[0]) == pytest.approx(mean)
    assert float((c @ found.covariance @ c.T)[0, 0]) == pytest.approx(variance / count)
    below = sum(square[names] ** 2 / df[names] for names in square)
    assert found.df(c)[0] == pytest.approx(variance**2 / below)


def test_items_prompts_and_judges_are_the_mixed_model():
    """lmer(y ~ 1 + (1|i) + (1|p) + (1|j) + (1|i:p) + (1|i:j) + (1|p:j)), REML, lme4 1.1."""
    i, p, j = np.indices((6, 4, 3)).reshape(3, -1)
    y = (i * 7 % 5) * 0.6 + (p * 3 % 4) * 0.5 + np.array([0.9, -0.4, 0.2])[j]
    y = y + ((i * p) % 3) * 0.5 + ((i * j * 2) % 5) * 0.3 + ((p + 2 * j) % 3) * 0.4
    y = y + ((i * 3 + p * 5 + j * 7 + i * p * j) % 4) * 0.15
    frame = pd.DataFrame({"item": i, "prompt": p, "judge": j, "model": "a", "score": y})
    zero = frame.assign(model="b", score=0.0)
    found = crossing(layout(read(pd.concat([frame, zero]))))
    c = np.array([1.0, -1.0])
    assert float(c @ found.means) == pytest.approx(3.17083333334, rel=1e-8)
    assert float(np.sqrt(c @ found.covariance @ c)) == pytest.approx(0.721834540628, rel=1e-4)


def test_all_right_is_not_certain_under_conditions_nor_in_clusters():
    frame = both(items=30)
    frame["correct"] = np.where(frame["model"] == "a", 1, frame["score"] > 0).astype(int)
    found = podium.compare(read(frame.drop(columns="score"))).extras.scores.set_index("algorithm")
    assert found.loc["a", ["lower", "upper", "method"]].tolist() == [
        pytest.approx(30 / (30 + 1.959964**2)), 1.0, "Wilson of items",
    ]  # fmt: skip
    one = frame[(frame["prompt"] == "p0") & (frame["judge"] == "j0")]
    grouped = one[["item", "model", "correct"]].assign(document=one["item"] // 3)
    found = podium.compare(read(grouped)).extras.scores.set_index("algorithm")
    assert found.loc["a", "lower"] == pytest.approx(10 / (10 + 1.959964**2))
    assert found.loc["a", "method"] == "Wilson of clusters"


def test_a_posterior_is_about_new_conditions_too():
    found = podium.compare(read(both()), posterior=True)
    tested = podium.compare(read(both()))
    row, test = found.table.iloc[0], tested.table.iloc[0]
    assert found.procedure == "bayes-conditions-t"
    assert min(row["win"], row["lose"]) == pytest.approx(test["p"] / 2)


def test_just_these_judges_are_an_average_over_them():
    frame = both()
    these = podium.compare(read(frame, columns="condition=prompt,ignore=judge"))
    mean = frame.groupby(["item", "prompt", "model"], as_index=False)["score"].mean()
    alone = podium.compare(read(mean))
    assert these.table["p"][0] == pytest.approx(alone.table["p"][0])
    new = podium.compare(read(frame))
    assert new.table["p"][0] > these.table["p"][0]
    (note,) = (n for n in new.warnings if n.code == "few-conditions")
    assert note.sizes == (("prompt", 4), ("judge", 3))
    just = podium.compare(read(frame), target="test-set")
    assert just.blocks.count == 20
    again = podium.read(read(frame).to_pandas(), measure="score", higher_is_better=True)
    assert podium.compare(again).table["p"][0] == new.table["p"][0]


def test_prompts_that_some_judge_never_saw_are_refused():
    frame = both()
    gone = frame[(frame["prompt"] != "p3") | (frame["judge"] != "j2")]
    with pytest.raises(PodiumError, match="'p3' does not with 'j2'"):
        podium.compare(read(gone))
    some = frame[(frame["item"] != 3) | (frame["judge"] != "j2")]
    assert podium.compare(read(some)).blocks.count == 19 * 12


def test_of_two_crossed_columns_one_must_be_said():
    frame = tried()
    frame["judge"] = np.where(np.arange(len(frame)) % 3 == 0, "x", "y")
    with pytest.raises(PodiumError, match="condition"):
        read(frame)
    assert podium.compare(read(frame, columns="condition=prompt,ignore=judge")).target == (
        "new-conditions"
    )


def test_one_condition_each_says_nothing_of_new_ones():
    frame = tried(conditions=2)
    one = frame[frame["prompt"] == "c0"].drop(columns="prompt")
    with pytest.raises(PodiumError, match="column of conditions"):
        podium.compare(read(one), target="new-conditions")
