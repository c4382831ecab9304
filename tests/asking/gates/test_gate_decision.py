"""One decision on several measures: R's values, the rule, exit statuses, and what is refused."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium import PodiumError
from podium.asking.fronts.trades import fieller
from podium.asking.gates.verbs import read_goals
from podium.cli.main import status_of

REFERENCE = json.loads(
    (Path(__file__).parents[2] / "reference/factors_and_trade.json").read_text("utf-8")
)["trade"]


def model(name: str) -> pd.DataFrame:
    right = [int(sign) for sign in REFERENCE["accuracy"][name]]
    items = [f"q{i}" for i in range(len(right))]
    return pd.DataFrame({"item": items, "accuracy": right, "cost": REFERENCE["cost"][name]})


def decision(old: str = "old", new: str = "new", **options: Any) -> Any:
    known = {"margin": {"accuracy": 0.1}, "improve": "cost", **options}
    return podium.gate(model(old), model(new), **known)


def test_parts_are_rs_t_tests_and_the_largest_p_counts() -> None:
    made = decision(procedure="paired-t", margin={"accuracy": 0.05})
    accuracy, cost = made.parts
    assert accuracy.difference == pytest.approx(REFERENCE["accuracy_difference"])
    assert accuracy.limit == pytest.approx(REFERENCE["accuracy_lower_95_one_sided"])
    assert accuracy.p == pytest.approx(REFERENCE["p_noninferior_margin_0.05"])
    assert cost.difference == pytest.approx(REFERENCE["cost_difference"])
    assert cost.p == pytest.approx(REFERENCE["p_cheaper"], rel=1e-5)
    ratio, _, upper = cost.ratio
    assert ratio == pytest.approx(REFERENCE["cost_ratio"])
    assert upper == pytest.approx(REFERENCE["cost_ratio_upper_95_one_sided_fieller"], abs=2e-5)
    both = np.array([model(name)["cost"] for name in ("new", "old")])
    closed = fieller(*both.mean(axis=1), np.cov(both) / both.shape[1], 0.1, both.shape[1] - 1)
    assert cost.ratio[1:] == pytest.approx(closed, rel=1e-8)  # R's root is coarse
    assert made.p == pytest.approx(REFERENCE["p_iut"])
    assert (made.verdict, made.status) == ("not yet", 4)
    assert repr(made).startswith(
        "Not yet: cost falls by 84.5 % (83.7 to 85.2), but a loss of 0.05 in accuracy is not ruled "
        "out (at worst 0.094); 518 items would (80 % power), if there is none."
    )


def test_ship() -> None:
    made = decision()
    assert (made.verdict, made.status) == ("ship", 0)
    assert repr(made).startswith(
        "Ship: accuracy is not worse by 0.1 or more, and cost falls by 84.5 % (83.6 to 85.2)."
    )
    facts = made.to_dict()["decision"]
    assert facts["rule"] == "intersection-union"
    assert [part["role"] for part in facts["parts"]] == ["keep", "improve"]
    assert facts["p"] == max(part["p"] for part in facts["parts"])


def test_no_where_a_loss_is_shown() -> None:
    made = decision(new="mini", margin={"accuracy": 0.02})
    assert (made.verdict, made.status) == ("no", 3)
    assert repr(made).startswith("No: accuracy is worse: it falls by 0.150")
    dear = decision(old="new", new="old")
    assert repr(dear).startswith("No: cost is worse: it rises by 544 %")


def test_limits_agree_with_what_is_shown() -> None:
    """Whichever test: a part is shown iff its limit lies within the margin, or beyond 0 or 1."""
    for procedure, margin in product((None, "paired-t"), (0.05, 0.1)):
        new = "new" if margin > 0.07 else "mini"
        made = decision(new=new, procedure=procedure, margin={"accuracy": margin})
        accuracy, cost = made.parts
        assert accuracy.shown == (accuracy.limit > -margin)
        assert cost.shown == (cost.limit < 0) == (cost.ratio[2] < 1)


def test_nothing_is_ever_passed_because_nothing_was_shown() -> None:
    """Ten items of equal models: no significant loss, and yet not shipped."""
    rng = np.random.default_rng(1)
    old = pd.DataFrame(
        {"item": range(10), "score": rng.normal(size=10), "cost": 1 + rng.random(10)}
    )
    new = old.assign(score=rng.normal(size=10), cost=old["cost"] / 2 + rng.random(10) / 100)
    made = podium.gate(old, new, margin={"score=higher": 0.3}, improve="cost")
    assert made.verdict == "not yet"
    assert [part.measure for part in made.blocks] == ["score"]


def test_one_of_any_is_enough_and_pays_for_the_choice() -> None:
    frames = [model(name).assign(tokens=100.0 + i) for i, name in enumerate(("old", "new"))]
    both = podium.gate(*frames, margin={"accuracy": 0.1}, improve="cost,tokens")
    assert both.verdict != "ship"
    either = podium.gate(*frames, margin={"accuracy": 0.1}, improve="any:cost,tokens")
    assert either.verdict == "ship"
    cost = next(part for part in either.parts if part.measure == "cost")
    kept = either.kept[0].p
    assert either.p == pytest.approx(max(kept, 2 * cost.p))


def test_constants_are_known() -> None:
    old, new = model("old").assign(price=5.0), model("new").assign(price=4.0)
    made = podium.gate(old, new, margin={"accuracy": 0.1}, improve="price")
    assert made.parts[1].p == 0
    assert made.verdict == "ship"
    turned = podium.gate(new, old, margin={"accuracy": 0.1}, improve="price")
    assert turned.verdict == "no"
    within = podium.gate(new, old, margin={"accuracy": 0.1, "price": "30%"})
    assert within.verdict == "ship"


def test_other_measures_are_named_as_not_guarded() -> None:
    made = decision(improve=None)
    assert [note.measures for note in made.notes if note.code == "not-guarded"] == [("cost",)]


def test_long_tables_with_a_column_of_measures_and_several_benchmarks() -> None:
    sides = []
    for name in ("old", "new"):
        long = model(name).melt("item", var_name="metric", value_name="value")
        sides.append(pd.concat([long.assign(task=t) for t in ("a", "b")]))
    made = podium.gate(*sides, margin={"accuracy": 0.1}, improve="cost")
    assert [(part.measure, part.benchmark) for part in made.parts] == [
        (m, t) for m in ("accuracy", "cost") for t in "ab"
    ]
    alone = decision()
    for part, own in zip(made.parts, (alone.parts[0],) * 2 + (alone.parts[1],) * 2, strict=True):
        assert part.p == pytest.approx(own.p)  # one claim: no level is shared out


def test_the_command_exits_with_the_decision(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = {}
    for name in ("old", "new", "mini"):
        paths[name] = str(tmp_path / f"{name}.csv")
        model(name).to_csv(paths[name], index=False)
    asked = ["gate", paths["old"], paths["new"], "--improve", "cost", "--margin"]
    assert status_of([*asked, "accuracy=0.1"]) == 0
    assert capsys.readouterr().out.startswith(
        "Ship: accuracy is not worse by 0.1 or more, and cost"
    )
    assert status_of([*asked, "accuracy=0.05", "--json", "-"]) == 4
    assert json.loads(capsys.readouterr().out)["decision"]["blocks"] == ["accuracy"]
    worse = ["gate", paths["old"], paths["mini"], "--margin", "accuracy=0.01", "--improve", "cost"]
    assert status_of(worse) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin": None}, "What may not get worse while cost improves"),
        ({"margin": {"accuracy": 0}}, "A margin is a number above 0"),
        ({"margin": "accuracy=0"}, "use --improve accuracy instead"),
        ({"margin": {"accuracy": 0.1, "cost": 0.1}}, "'cost' has a margin and shall improve"),
        ({"improve": "latency"}, "'latency' is not a measure"),
        ({"margin": 0.1}, "Of which measure is the margin 0.1"),
        ({"improve": "cost,cost"}, "named twice"),
        ({"margin": ["accuracy=0.1", "accuracy=0.2"]}, "two margins of 'accuracy'"),
    ],
)
def test_what_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PodiumError, match=message):
        decision(**options)


def test_a_measure_of_no_known_direction_says_how_to_say_it() -> None:
    frames = [model(name).rename(columns={"cost": "depth"}) for name in ("old", "new")]
    with pytest.raises(PodiumError, match=r"--improve depth=lower, or --margin depth=lower=0\.1"):
        podium.gate(*frames, margin={"accuracy": 0.1}, improve="depth")
    made = podium.gate(*frames, margin={"accuracy": 0.1}, improve="depth=lower")
    assert made.verdict == "ship"
    assert made.parts[1].ratio is None  # nothing that is spent: no ratio


def test_margins_as_they_were_stay_as_they_were() -> None:
    plain = read_goals("5%", None, None)
    assert plain is not None
    assert plain.relative  # type: ignore[union-attr]
    assert read_goals(None, None, "accuracy") is None


def test_skewed_costs_are_cautioned() -> None:
    rng = np.random.default_rng(3)
    old = model("old").assign(cost=np.exp(rng.normal(0, 1, 120)))
    new = model("new").assign(cost=np.exp(rng.normal(-2, 1.8, 120)))
    made = podium.gate(old, new, margin={"accuracy": 0.1}, improve="cost")
    assert "spread-costs" in [note.code for note in made.notes]
    assert {part.procedure for part in made.parts if part.measure == "cost"} == {"hull"}


def predicted(tmp_path: Path, gains: dict[str, float], positives: int = 60) -> list[Path]:
    """Predictions of one model in each file, the items in another order."""
    rng = np.random.default_rng(6)
    y = np.repeat([1, 0], [positives, 120 - positives])
    paths = []
    for name, gain in gains.items():
        p = np.clip(y * gain + rng.uniform(0, 0.6, 120), 0.01, 0.99)
        frame = pd.DataFrame({"id": [f"i{k}" for k in range(120)], "y_true": y, "y_pred": p})
        paths.append(tmp_path / f"{name}.csv")
        frame.sample(frac=1, random_state=len(paths)).to_csv(paths[-1], index=False)
    return paths


def test_predictions_of_two_files_are_measured_on_the_same_items(tmp_path: Path) -> None:
    old, new = predicted(tmp_path, {"old": 0.2, "new": 0.4})
    made = podium.gate(old, new, margin={"brier": 0.05}, improve="auc")
    both = podium.compare(podium.read([new, old], measure="auc"), alternative="greater")
    assert made.verdict == "ship"
    assert made.parts[1].p == pytest.approx(both.table["p"].iloc[0], rel=1e-9)
    assert made.parts[1].procedure == "influence-t"
    assert podium.gate(new, old, measure="mcc").status == 3
    few = predicted(tmp_path, {"first": 0.2, "second": 0.21}, positives=3)
    assert podium.gate(*few, measure="auc", margin=0.5).status == 4  # values only


def test_predictions_of_other_items_or_truths_are_refused(tmp_path: Path) -> None:
    old, new = predicted(tmp_path, {"old": 0.2, "new": 0.4})
    frame = pd.read_csv(new)
    frame.head(100).to_csv(new, index=False)
    with pytest.raises(PodiumError, match="hold 120 and 100 items"):
        podium.gate(old, new, measure="auc")
    frame.assign(y_true=1 - frame["y_true"]).to_csv(new, index=False)
    with pytest.raises(PodiumError, match="the truth differs"):
        podium.gate(old, new, measure="auc")


def spent(**changes: float) -> list[pd.DataFrame]:
    """An old and a new version; what is spent changes by a factor, with noise of its own."""
    rng = np.random.default_rng(5)
    items = [f"q{i}" for i in range(80)]
    old = pd.DataFrame({"item": items, "accuracy": (rng.random(80) < 0.9).astype(int)})
    new = old.copy()
    for name, factor in changes.items():
        base = rng.gamma(4, 1, 80)
        old[name] = base * rng.gamma(20, 0.05, 80)
        new[name] = factor * base * rng.gamma(20, 0.05, 80)
    return [old, new]


def test_none_of_any_is_not_yet_and_says_which() -> None:
    """Each alone is shown at 5 %, none at 2.5 %: verdict, limits and sentence agree."""
    made = podium.gate(*spent(cost=0.93, tokens=0.938), margin={"accuracy": 0.1},
                       improve="any:cost,tokens")  # fmt: skip
    parts = made.parts[1:]
    assert all(0.025 < part.p < 0.05 and not part.shown and part.ratio[2] > 1 for part in parts)
    assert made.p == pytest.approx(2 * min(part.p for part in parts))
    assert made.verdict == "not yet"
    assert [part.measure for part in made.blocks] == ["cost", "tokens"]
    assert "that one of cost and tokens improves is not shown (cost falls by" in repr(made)
    assert "Of cost and tokens one is enough, so each is judged at 2.5 %" in repr(made)


def test_a_group_stands_beside_other_claims() -> None:
    """One of a group is enough for the group alone; whoever is no member must improve itself."""
    frames = spent(cost=0.5, tokens=1.0, latency=1.0)
    margin = {"accuracy": 0.1}
    assert podium.gate(*frames, margin=margin, improve="any:cost,tokens").verdict == "ship"
    beside = podium.gate(*frames, margin=margin, improve=["any:cost,tokens", "latency"])
    assert beside.verdict == "not yet"
    assert [part.measure for part in beside.blocks] == ["latency"]
    every = podium.gate(*frames, margin=margin, improve="all:cost,tokens")
    assert [part.measure for part in every.blocks] == ["tokens"]


def test_a_measure_that_gets_worse_leaves_the_others_of_its_group() -> None:
    frames = spent(cost=1.0, tokens=2.0)
    assert podium.gate(*frames, margin={"accuracy": 0.1}, improve="any:cost,tokens").status == 4
    worse = spent(cost=2.0, tokens=2.0)
    assert podium.gate(*worse, margin={"accuracy": 0.1}, improve="any:cost,tokens").status == 3


def test_a_measure_of_a_group_improves_on_all_benchmarks_or_not_at_all() -> None:
    sides = []
    for name, side in zip(("a", "b"), (spent(cost=0.5, tokens=0.9), spent(cost=1.0, tokens=1.0)),
                          strict=True):  # fmt: skip
        sides.append([x.melt("item", var_name="metric").assign(task=name) for x in side])
    old, new = (pd.concat(each) for each in zip(*sides, strict=True))
    made = podium.gate(old, new, margin={"accuracy": 0.1}, improve="any:cost,tokens")
    assert made.verdict == "not yet"
    assert {(part.measure, part.benchmark) for part in made.parts if part.shown} >= {("cost", "a")}


@pytest.mark.parametrize(
    ("improve", "message"),
    [("any:", "names nothing that shall improve"),
     ("cost,any:tokens", "say each group by itself"),
     (["any:cost,tokens", "cost"], "'cost' is named twice")],
)  # fmt: skip
def test_groups_that_are_none(improve: Any, message: str) -> None:
    with pytest.raises(PodiumError, match=message):
        podium.gate(*spent(cost=1.0, tokens=1.0), margin={"accuracy": 0.1}, improve=improve)


def test_a_margin_that_allows_anything_is_refused() -> None:
    """Five, where five points of a hundred are meant; or twice what is there to lose."""
    for margin in (5, "200%"):
        with pytest.raises(PodiumError, match=r"allows any difference.*such as 0\.05"):
            decision(margin={"accuracy": margin})
    with pytest.raises(PodiumError, match="allows any difference"):
        podium.compare(pd.DataFrame({"item": range(9), "a": [1, 0, 1] * 3, "b": [1, 1, 0] * 3}),
                       measure="accuracy", relevance=1)  # fmt: skip


def test_a_new_one_with_few_of_the_items_has_no_ratio_limits() -> None:
    old, new = spent(cost=0.5)
    made = podium.gate(old, new.head(7), margin={"accuracy": 0.1}, improve="cost")
    assert made.verdict == "not yet"
    assert np.isnan(made.parts[1].ratio[2])
    assert "nor is a gain in cost shown" in repr(made)


def test_a_cost_that_falls_to_nothing_and_a_measure_of_one_file_alone() -> None:
    free = model("new").assign(cost=0.0)
    made = podium.gate(model("old"), free, margin={"accuracy": 0.1}, improve="cost")
    assert repr(made).startswith("Ship: accuracy is not worse by 0.1 or more, and cost falls to 0.")
    with pytest.raises(PodiumError, match="has no 'cost', and the other one has"):
        podium.gate(model("old"), free.drop(columns="cost"), margin={"accuracy": 0.1},
                    improve="cost")  # fmt: skip
