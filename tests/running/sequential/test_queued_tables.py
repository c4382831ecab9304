"""Queues: the order of items is drawn and signed, and looks go from its top."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

import podium
from podium import PodiumError
from podium.asking.queues.queues import _ordered
from podium.cli.main import status_of
from podium.core.inference.numbers.boundaries import StoppingPlan, planned_looks
from podium.core.inference.procedures.stopping import traced

NAMES = ("gpt", "claude")


def items(n=200):
    return pd.DataFrame(
        {"item": [f"q{i:03d}" for i in range(n)], "topic": [i // 10 for i in range(n)]}
    )


def answers(queue, n, chances=(0.95, 0.5), seed=0, kind="accuracy"):
    rng = np.random.default_rng(seed)
    rows = [
        (item, name, int(rng.random() < chance))
        for item in queue["item"][:n]
        for name, chance in zip(NAMES, chances, strict=True)
    ]
    return pd.DataFrame(rows, columns=["item", "model", kind]).sample(frac=1, random_state=1)


def test_the_order_depends_on_the_seed_and_not_on_rows():
    table = items()
    first = podium.queue(table, NAMES, seed=3)
    again = podium.queue(table.sample(frac=1, random_state=5), NAMES, seed=3)
    assert first.equals(again)
    assert first["item"].tolist() != podium.queue(table, NAMES, seed=4)["item"].tolist()
    assert sorted(first["item"]) == sorted(table["item"])
    assert first["place"].tolist() == list(range(1, 201))


def test_every_order_is_equally_likely():
    """Of three items there are six; 1200 seeds draw each about 200 times."""
    known = dict(zip("abc", "abc", strict=True))
    drawn = ["".join(_ordered(known, {"seed": seed})) for seed in range(1200)]
    counts = pd.Series(drawn).value_counts()
    assert len(counts) == 6
    assert ((counts - 200) ** 2 / 200).sum() < 20.5  # chi-square, 5 df, 0.1 %


def test_clusters_stay_whole():
    queue = podium.queue(items(), NAMES, cluster="topic", open=True)
    assert (queue["topic"].astype(int).diff().fillna(1) != 0).sum() == 20
    found = podium.compare(podium.sequential.read_queued(answers(queue, 147), queue))
    assert found.blocks.noun == "clusters"
    assert found.extras.sequential.budget == 20
    assert found.extras.sequential.used == {"gpt": 14, "claude": 14}  # the fifteenth is not whole


def test_right_and_wrong_answers_are_judged_by_the_exact_e_process():
    queue = podium.queue(items(), NAMES, open=True)
    table = answers(queue, 120)
    found = podium.compare(podium.sequential.read_queued(table, queue))
    wide = table.pivot(index="item", columns="model", values="accuracy").reindex(queue["item"])
    ended = found.extras.sequential.courses[0].ended
    d = (wide["gpt"] - wide["claude"]).to_numpy()[:ended]
    from scipy.special import betaln

    a, b = (d == 1).sum(), (d == -1).sum()
    log_e = (a + b) * np.log(2) + betaln(a + 0.5, b + 0.5) - betaln(0.5, 0.5)
    assert found.procedure == "anytime"
    assert found.table["p"].item() == pytest.approx(np.exp(-log_e))
    assert found.table["verdict"].item() == "better"
    assert {note.code for note in found.warnings} >= {"bets", "stopped"}


@pytest.mark.parametrize(("bounds", "kind"), [((0.0, 2.0), "bounded"), (None, "t")])
def test_other_scores_are_bets_within_declared_bounds_or_on_t(bounds, kind):
    queue = podium.queue(items(), NAMES, open=True, bounds=bounds)
    table = answers(queue, 150, kind="points")
    table["points"] += np.random.default_rng(1).random(len(table)) / 2
    found = podium.compare(podium.sequential.read_queued(table, queue, higher_is_better=True))
    assert next(n.kind for n in found.warnings if n.code == "bets") == kind
    low, high = found.table[["lower", "upper"]].iloc[0]
    assert low < 0.45 < high


def test_scores_beyond_declared_bounds_are_refused():
    queue = podium.queue(items(), NAMES, open=True, bounds=(0.0, 0.9))
    with pytest.raises(PodiumError, match=r"beyond the bounds 0 to 0\.9"):
        podium.sequential.read_queued(
            answers(queue, 50, kind="points"), queue, higher_is_better=True
        )


def test_a_budget_has_looks_at_its_parts():
    queue = podium.queue(items(), NAMES, looks=4)
    found = podium.compare(podium.sequential.read_queued(answers(queue, 120), queue))
    assert found.procedure == "sequential-t"
    assert found.extras.sequential.looks == (50, 100, 150, 200)
    assert found.extras.sequential.stopped_at in (50, 100)
    assert found.extras.sequential.over


def test_only_the_finished_beginning_is_looked_at():
    queue = podium.queue(items(), NAMES, open=True)
    table = answers(queue, 100)
    gone = table[~((table["item"] == queue["item"][30]) & (table["model"] == "gpt"))]
    found = podium.compare(podium.sequential.read_queued(gone, queue))
    assert found.extras.sequential.looks[found.extras.sequential.taken - 1] <= 30
    told = next(note for note in found.warnings if note.code == "queue-gap")
    assert (told.item, told.place, told.algorithm, told.beyond) == (
        queue["item"][30],
        31,
        "gpt",
        69,
    )


def test_answers_may_be_written_into_the_queue():
    queue = podium.queue(items(), NAMES, open=True)
    table = answers(queue, 80)
    wide = table.pivot(index="item", columns="model", values="accuracy").reset_index()
    own = podium.sequential.read_queued(queue.merge(wide, how="left"), measure="accuracy")
    other = podium.sequential.read_queued(table, queue)
    assert (
        podium.compare(own).to_dict()["sequential"] == podium.compare(other).to_dict()["sequential"]
    )


def changed(queue, how):
    made = queue.copy()
    if how == "alpha":
        plan = json.loads(made.loc[0, "plan"])
        made.loc[0, "plan"] = json.dumps(plan | {"alpha": 0.2})
    elif how == "order":
        made["item"] = made["item"].tolist()[::-1]
    elif how == "cut":
        made = made.head(150)
    elif how == "plan":
        made["plan"] = "mine"
    else:
        made = made.drop(columns="place")
    return made


@pytest.mark.parametrize("how", ["alpha", "order", "cut", "plan", "place"])
def test_a_queue_that_was_changed_is_refused(how):
    queue = podium.queue(items(), NAMES)
    with pytest.raises(PodiumError, match="podium plan queue"):
        podium.sequential.read_queued(answers(queue, 60), changed(queue, how))


def test_others_than_planned_are_refused():
    queue = podium.queue(items(), NAMES)
    table = answers(queue, 60)
    with pytest.raises(PodiumError, match="'llama' was not named"):
        podium.sequential.read_queued(table.replace({"claude": "llama"}), queue)
    with pytest.raises(PodiumError, match="was not queued: 'new'"):
        podium.sequential.read_queued(table.replace({queue["item"][3]: "new"}), queue)
    with pytest.raises(PodiumError, match="order of a file"):
        podium.sequential.read_queued(table)
    results = podium.sequential.read_queued(table, queue)
    with pytest.raises(PodiumError, match="stopped by a plan"):
        podium.compare(results, "mcnemar-score")
    for wrong in ({"algorithms": ["gpt"]}, {"bounds": (1.0, 0.0)}, {"alpha": 2.0}, {"looks": 0}):
        with pytest.raises(PodiumError):
            podium.queue(items(), **{"algorithms": NAMES} | wrong)


def test_a_planned_algorithm_without_answers_is_waited_for():
    queue = podium.queue(items(), [*NAMES, "llama"])
    found = podium.compare(podium.sequential.read_queued(answers(queue, 120), queue))
    assert found.extras.sequential.taken == 0
    assert len(found.table) == 3


def test_from_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    items().to_csv("items.csv", index=False)
    asked = ["queue", "items.csv", "--algorithms", "gpt,claude", "-o", "queue.csv", "--open"]
    assert status_of(asked) == 0
    assert status_of(asked) == 2  # drawn once
    assert "a queue is drawn once" in capsys.readouterr().err
    answers(pd.read_csv("queue.csv"), 120).to_csv("answers.csv", index=False)
    assert status_of(["analyze", "answers.csv", "--queue", "queue.csv", "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)["sequential"]
    assert told["open"] is True
    assert told["courses"][0]["decided"] is True
    assert status_of(["analyze", "answers.csv", "--sampling", "items", "--open"]) == 2
    assert "podium plan queue ITEMS.csv" in capsys.readouterr().err


def test_looking_at_every_item_costs_no_level():
    """e-McNemar, its running maximum over all looks, where nobody is better."""
    looks = planned_looks(300, 1, open=True)
    plan = StoppingPlan(("a", "b"), "accuracy", 300, looks, open=True, bounds=(0, 1), binary=True)
    rng, done = np.random.default_rng(2), np.ones((300, 2), bool)
    wrong = [traced((rng.random((300, 2)) < 0.7) * 1.0, done, plan).decided[0] for _ in range(200)]
    assert np.mean(wrong) < 0.05


@pytest.mark.parametrize(("names", "told"), [([], "none"), (["a"], "a"), (["a", "a"], "a, a")])
def test_a_queue_needs_two_names(names, told):
    with pytest.raises(podium.PodiumError, match=f"names of their own, not {told}: name all"):
        podium.queue(items(60), names, open=True)


def test_a_list_of_items_may_be_a_file_of_one_column(tmp_path):
    names = [f"q{i}" for i in range(20)]
    (tmp_path / "items.csv").write_text("\n".join(["item", *names]) + "\n")
    of_file = podium.queue(tmp_path / "items.csv", ["a", "b"], open=True)
    assert sorted(of_file["item"]) == sorted(names)
    assert of_file["item"].tolist() == podium.queue(names, ["a", "b"], open=True)["item"].tolist()


def test_a_queue_that_was_evaluated_to_its_end_has_no_gap():
    queue = podium.queue(items(60), NAMES, open=True)
    whole = podium.sequential.read_queued(answers(queue, 60), queue)
    assert "queue-gap" not in [note.code for note in whole.notes]
    less = answers(queue, 60)
    less = less[(less["item"] != queue["item"][3]) | (less["model"] != NAMES[0])]
    (gap,) = [n for n in podium.sequential.read_queued(less, queue).notes if n.code == "queue-gap"]
    assert (gap.place, gap.beyond, gap.algorithm) == (4, 56, NAMES[0])


@pytest.mark.parametrize("relevance", [0.0, 0.3])
def test_evidence_of_bets_is_the_logarithm_of_one_over_p(relevance):
    queue = podium.queue(items(200), NAMES, open=True, relevance=relevance)
    chances = (0.95, 0.5) if not relevance else (0.9, 0.9)
    found = podium.compare(podium.sequential.read_queued(answers(queue, 200, chances), queue))
    (course,) = found.extras.sequential.courses
    row = found.table.iloc[0]
    p = row["p_equivalence"] if relevance else row["p"]
    assert course.decided
    assert abs(course.evidence[-1]) == pytest.approx(-np.log10(p))
    assert (course.evidence[-1] < 0) == (relevance > 0), "below 0 it speaks for two that are alike"


def test_a_queue_is_of_one_test_set():
    queue = podium.queue(items(), NAMES, open=True)
    table = answers(queue, 40)
    one = podium.sequential.read_queued(table.assign(dataset="a"), queue)
    assert podium.compare(one).extras.sequential.taken > 0
    halves = table.assign(dataset=np.where(np.arange(len(table)) % 2, "a", "b"))
    for several in (pd.concat([table.assign(dataset="a"), table.assign(dataset="b")]), halves):
        with pytest.raises(PodiumError, match="has 2 data sets; a queue is of the items of one"):
            podium.sequential.read_queued(several, queue)


def test_the_measure_that_decides_is_named_where_there_are_several():
    column = np.arange(40.0)[:, None]
    study = podium.Study(
        podium.dataset("d", column, np.arange(40) % 2), {"a": GaussianNB(), "b": GaussianNB()},
        sampling="bootstrap:9", measures=["auc", "error"], seed=1,
    )  # fmt: skip
    with pytest.raises(PodiumError, match=r"2 measures \(auc, error\).* as in --measure auc "):
        podium.sequential.until_best().plan(study)
