"""Files of many kinds with known truth: read rightly, or asked about with a command that is right.

What a question proposes is followed to the letter. Nothing may be read wrongly, and what holds no
scores that can be compared is refused.
"""

import json

import numpy as np
import pandas as pd
import pytest

from podium import PodiumError, read
from podium.reading.inferring.asking import Question, options_of

RNG = np.random.default_rng(7)
LEVELS = {"birch": 0.9, "cedar": 0.8, "maple": 0.7}
REFUSED = "refused"


def level(name):
    return round(LEVELS[name] + float(RNG.normal(0, 0.01)), 4)


def followed(paths):
    """The results, at once or after the first question; why they are refused else."""
    source = paths if len(paths) > 1 else paths[0]
    try:
        return read(source)
    except Question as question:
        if "--judge" in question.words:
            return question
        told = options_of(question.words)
        return read(
            source,
            sampling=told.sampling,
            measure=told.measure,
            higher_is_better=told.higher_is_better,
            columns=told.columns,
            step=told.step,
            where=told.where,
        )
    except PodiumError as error:
        return str(error)


def means(results):
    table = results.values(next(iter(results.measures)))
    found = table.groupby("algorithm", observed=True)["value"].mean()
    return {str(k): float(v) for k, v in found.items()}


def rows(**levels):
    index = pd.MultiIndex.from_product(levels.values(), names=levels)
    return index.to_frame(index=False)


def table(**levels):
    frame = rows(model=list(LEVELS), **levels)
    return frame.assign(accuracy=[level(m) for m in frame["model"]])


def truth(frame, value="accuracy", by="model"):
    found = frame.groupby(by)[value].mean()
    return {str(k): float(v) for k, v in found.items()}


def same(found, expected):
    """Whether all means agree; names may have a part more."""
    if len(found) != len(expected):
        return False
    for name, mean in expected.items():
        alike = [k for k in found if k == name or name in k.replace(" / ", " ").split()]
        alike = alike or [k for k in found if name in k]
        if len(alike) != 1 or found[alike[0]] != pytest.approx(mean, rel=1e-6, nan_ok=True):
            return False
    return True


def csv(frame, **more):
    return frame.to_csv(index=False, **more)


SETS = [f"set{i}" for i in range(8)]
CASES = {}


def case(make):
    CASES[make.__name__] = make
    return make


@case
def experiments_two_levels_down():
    frame = table(seed=range(6))
    records = [
        {"config": {"model": r.model, "seed": r.seed}, "metrics": {"accuracy": r.accuracy}}
        for r in frame.itertuples()
    ]
    return {"x.json": json.dumps({"meta": {"v": 1}, "experiments": records})}, truth(frame)


@case
def a_state_of_runs_that_ran_out_of_memory():
    frame = table(dataset=SETS).assign(state="finished")
    gone = (frame["model"] == "birch") & frame["dataset"].isin(SETS[:2])
    frame.loc[gone, "state"] = "OOM"
    frame.loc[gone, "accuracy"] = 0.99
    return {"x.csv": csv(frame)}, truth(frame[~gone])


@case
def exit_codes_beside_times():
    frame = table(dataset=SETS).rename(columns={"accuracy": "seconds"}).assign(exit_code=0)
    gone = (frame["model"] == "maple") & (frame["dataset"] == "set1")
    frame.loc[gone, ["seconds", "exit_code"]] = [0.001, 137]
    return {"x.csv": csv(frame)}, truth(frame[~gone], "seconds")


@case
def development_and_test_rows():
    frame = table(dataset=SETS, subset=["dev", "test"])
    frame.loc[frame["subset"] == "dev", "accuracy"] += 0.05
    return {"x.csv": csv(frame)}, truth(frame[frame["subset"] == "test"])


@case
def a_number_for_no_score():
    frame = table(question_id=range(30)).rename(columns={"accuracy": "rating"})
    frame["rating"] = np.round(frame["rating"] * 10).astype(int)
    gone = frame.index % 7 == 3
    frame.loc[gone, "rating"] = -999
    return {"x.csv": csv(frame)}, truth(frame[~gone], "rating")


@case
def remarks_above_the_header():
    frame = table(dataset=SETS)
    return {"x.csv": "# made by a script\n# on a machine\n\n" + csv(frame)}, truth(frame)


@case
def descriptions_beside_algorithms():
    frame = table(dataset=SETS).pivot(index="dataset", columns="model", values="accuracy")
    expected = {m: float(frame[m].mean()) for m in LEVELS}
    frame = frame.reset_index().assign(n_rows=range(100, 900, 100), minority_ratio=0.2)
    return {"accuracy.csv": csv(frame)}, expected


@case
def a_row_for_each_method_with_a_mean():
    frame = table(dataset=SETS).pivot(index="model", columns="dataset", values="accuracy")
    expected = {m: float(frame.loc[m].mean()) for m in LEVELS}
    frame = frame.assign(Mean=frame.mean(axis=1)).reset_index().rename(columns={"model": "Method"})
    return {"x.csv": csv(frame)}, expected


@case
def outcomes_in_words():
    frame = rows(model=list(LEVELS), task=[f"t{i}" for i in range(40)])
    right = RNG.random(len(frame)) < frame["model"].map(LEVELS)
    expected = truth(frame.assign(right=right.astype(float)), "right")
    frame = frame.assign(passed=np.where(right, "yes", "no"))
    return {"x.csv": csv(frame)}, expected


@case
def a_file_for_each_model_with_questions():
    files, expected = {}, {}
    for name in LEVELS:
        values = [level(name) for _ in range(20)]
        expected[name] = float(np.mean(values))
        lines = [
            {"question": f"What is {i}?", "answer": f"{name} thinks {i}", "faithfulness": v}
            for i, v in enumerate(values)
        ]
        files[f"{name}.jsonl"] = "\n".join(map(json.dumps, lines))
    return files, expected


@case
def only_summaries():
    frame = pd.DataFrame({"model": list(LEVELS), "mean": [1, 2, 3], "std": 1, "min": 0, "max": 4})
    return {"x.csv": csv(frame)}, REFUSED


@case
def a_board_of_one_number_each():
    frame = pd.DataFrame({"model": list(LEVELS), "win_rate": [50.5, 40.5, 30.5], "size": [7, 8, 9]})
    return {"x.csv": csv(frame)}, REFUSED


@case
def curves_of_steps():
    frame = table(seed=range(5), step=range(4))
    return {"x.csv": csv(frame)}, truth(frame[frame["step"] == 3])


@case
def a_parameter_that_is_a_number():
    frame = table(temperature=[0.1, 0.7], dataset=SETS)
    frame["accuracy"] += frame["temperature"] / 10
    frame["both"] = frame["model"] + " " + frame["temperature"].astype(str)
    expected = truth(frame, by="both")
    expected = {k.replace(" ", " / "): v for k, v in expected.items()}
    return {"x.csv": csv(frame.drop(columns="both"))}, expected


@case
def what_went_wrong_as_text():
    frame = table(dataset=SETS).assign(error="")
    gone = (frame["model"] == "cedar") & frame["dataset"].isin(SETS[:3])
    frame.loc[gone, "error"] = "RuntimeError: no convergence"
    frame.loc[gone, "accuracy"] = np.nan
    return {"x.csv": csv(frame)}, truth(frame[~gone])


@case
def semicolons_and_commas():
    frame = table(dataset=SETS).pivot(index="dataset", columns="model", values="accuracy")
    expected = {m: float(frame[m].mean()) for m in LEVELS}
    frame = frame.reset_index().rename(columns={"dataset": "Problem"})
    return {"accuracy.csv": csv(frame, sep=";", decimal=",")}, expected


@case
def choices_of_left_and_right():
    names = list(LEVELS)
    pairs = [(a, b) for a in names for b in names if a != b] * 20
    won = ["left" if LEVELS[a] > LEVELS[b] else "right" for a, b in pairs]
    frame = pd.DataFrame(pairs, columns=["left_model", "right_model"]).assign(choice=won)
    return {"x.csv": csv(frame)}, {"birch": 1.0, "cedar": 0.5, "maple": 0.0}


@case
def a_log_without_scores():
    frame = rows(host=["a", "b"], event=["start", "end"]).assign(at="2026-01-01T00:00:00")
    return {"x.csv": csv(frame)}, REFUSED


@case
def algorithms_above_data_sets_above_folds():
    value = {m: {s: [level(m) for _ in range(3)] for s in SETS} for m in LEVELS}
    expected = {m: float(np.mean(list(v.values()))) for m, v in value.items()}
    return {"accuracy.json": json.dumps(value)}, expected


@case
def columns_and_data_apart():
    frame = table(dataset=SETS)
    value = {"columns": list(frame), "data": frame.to_numpy().tolist()}
    return {"x.json": json.dumps(value)}, truth(frame)


@case
def records_in_yaml():
    frame = table(dataset=SETS)
    lines = [
        f"- model: {r.model}\n  dataset: {r.dataset}\n  accuracy: {r.accuracy}"
        for r in frame.itertuples()
    ]
    return {"x.yml": "\n".join(lines)}, truth(frame)


@case
def runs_described_by_a_file_beside_them():
    files, expected = {}, {}
    for name in LEVELS:
        values = [level(name) for _ in range(15)]
        expected[name] = float(np.mean(values))
        results = [{"item": i, "accuracy": v} for i, v in enumerate(values)]
        files[f"run-{name}/results.json"] = json.dumps({"results": results})
        files[f"run-{name}/config.json"] = json.dumps({"model": name, "seed": 1})
    return files, expected


@case
def a_version_beside_the_name():
    frame = table(version=["1.0", "2.0"], dataset=SETS)
    frame["both"] = frame["model"] + " / " + frame["version"]
    return {"x.csv": csv(frame.drop(columns="both"))}, truth(frame, by="both")


@case
def judges_of_some_models():
    frame = table(question_id=range(20)).rename(columns={"accuracy": "rating"})
    frame["judge"] = np.where(frame["model"] == "maple", "small-judge", "large-judge")
    return {"x.csv": csv(frame)}, truth(frame[frame["model"] != "maple"], "rating")


@pytest.mark.parametrize("name", CASES)
def test_it_is_read_rightly_or_asked_about_or_refused(name, tmp_path):
    files, expected = CASES[name]()
    for file, text in files.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    nested = any("/" in file for file in files)
    result = followed([tmp_path] if nested else [tmp_path / file for file in files])
    if expected == REFUSED:
        assert isinstance(result, str), means(result)
        assert "`podium analyze" not in result
        return
    assert not isinstance(result, str), result
    assert same(means(result), expected), (means(result), expected)


def test_a_judge_beside_people_is_proposed_as_such(tmp_path):
    frame = table(question_id=range(40)).rename(columns={"accuracy": "judge_score"})
    frame["human"] = np.where(frame.index % 4 == 0, frame["judge_score"] - 0.1, np.nan)
    (tmp_path / "x.csv").write_text(csv(frame))
    question = followed([tmp_path / "x.csv"])
    assert isinstance(question, Question)
    assert question.words[:4] == ["--judge", "judge_score", "--human", "human"]


# -- nested JSON of random shape ------------------------------------------------------------------


def wrapped(frame, keys, rng):
    """A known table as nested JSON: levels are lists of records or mappings, in random order."""
    if not keys:
        records = frame.to_dict("records")
        return records[0] if len(records) == 1 else records
    key, *rest = keys
    groups = [(name, wrapped(g.drop(columns=key), rest, rng)) for name, g in frame.groupby(key)]
    if rng.random() < 0.5:
        return {str(name): inner for name, inner in groups}
    return [{key: name, "results": inner} for name, inner in groups]


@pytest.mark.parametrize("seed", range(24))
def test_nested_json_of_random_shape_is_read_rightly_or_asked_about(seed, tmp_path):
    rng = np.random.default_rng(seed)
    names = [("model", "dataset"), ("model", "dataset", "fold"), ("model", "seed")][seed % 3]
    levels = {"dataset": SETS[:6], "fold": [1, 2, 3], "seed": [1, 2, 3, 4, 5]}
    frame = table(**{n: levels[n] for n in names if n != "model"})
    keys = [str(k) for k in rng.permutation(names)[: int(rng.integers(1, len(names) + 1))]]
    value = wrapped(frame, keys, rng)
    value = {"meta": {"tool": "x"}, "out": value} if rng.random() < 0.5 else value
    (tmp_path / "x.json").write_text(json.dumps(value, default=int))
    try:
        result = followed([tmp_path / "x.json"])
    except PodiumError:
        return  # asked again
    if not isinstance(result, (str, Question)):
        assert same(means(result), truth(frame)), (keys, means(result), truth(frame))


def test_a_missing_file_among_others_is_named(tmp_path):
    scores = tmp_path / "scores.csv"
    scores.write_text(
        "dataset,model,split,acc\na,x,train,1\na,x,test,.5\na,y,train,1\na,y,test,.6\n"
    )
    with pytest.raises(PodiumError, match=r"^There is no file '.*nowhere\.csv'\.$"):
        read([str(tmp_path / "nowhere.csv"), str(scores)])
