"""Tables of predictions: what is read as what, and what ends in a sentence."""

import json

import numpy as np
import pandas as pd
import pytest

import podium
from podium import PodiumError
from podium.core.words.saying import say

RNG = np.random.default_rng(5)
N = 60
Y = RNG.integers(0, 2, N)
P = {m: np.clip(Y * g + RNG.uniform(0, 0.6, N), 0.01, 0.99) for m, g in (("a", 0.4), ("b", 0.2))}
WIDE = pd.DataFrame({"id": [f"i{k}" for k in range(N)], "y_true": Y, **P})
WORDS = np.where(Y, "dog", "cat")
LABELS = WIDE.assign(y_true=WORDS, a=np.where(P["a"] > 0.5, "dog", "cat"), b=WORDS[::-1])


def auc(y, p):
    less = (p[None, :] < p[:, None]) + 0.5 * (p[None, :] == p[:, None])
    return less[y == 1][:, y == 0].mean()


def test_the_truth_never_becomes_an_algorithm():
    found = podium.compare(WIDE, measure="auc")
    assert found.algorithms == ("a", "b")
    assert found.means == pytest.approx({m: auc(Y, p) for m, p in P.items()}, abs=1e-12)
    assert (found.procedure, found.target, found.blocks.count) == ("influence-t", "test-set", N)


@pytest.mark.parametrize(
    "name", ["target", "label", "truth", "gold", "actual", "class", "reference", "y", "Y_True"]
)
def test_a_truth_of_another_name_is_known_by_what_stands_beside_it(name):
    frame = WIDE.rename(columns={"y_true": name})
    assert podium.read(frame, measure="auc").algorithms == ["a", "b"]


def test_a_column_of_truth_may_be_said():
    frame = WIDE.rename(columns={"y_true": "outcome"}).assign(age=40)
    columns = {"truth": "outcome", "prediction": ["a", "b"]}
    assert podium.read(frame, measure="auc", columns=columns).algorithms == ["a", "b"]


def test_files_frames_and_long_tables_give_the_same(tmp_path):
    told = podium.compare(WIDE, measure="auc").table
    long = WIDE.melt(["id", "y_true"], var_name="model", value_name="y_pred")
    WIDE.to_csv(tmp_path / "wide.csv", index=False)
    long.to_csv(tmp_path / "long.csv", index=False)
    for m in ("a", "b"):
        one = WIDE[["id", "y_true", m]].rename(columns={m: "y_pred"})
        one.sample(frac=1, random_state=1).to_csv(tmp_path / f"{m}.csv", index=False)
    both = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for source in (tmp_path / "wide.csv", long, tmp_path / "long.csv", both):
        found = podium.compare(podium.read(source, measure="auc"))
        pd.testing.assert_frame_equal(found.table, told, atol=1e-12, rtol=0)


def test_what_predictions_are_follows_from_their_values():
    numbers = pd.DataFrame({"y_true": RNG.normal(size=N), "m": RNG.normal(size=N)})
    scores = WIDE.assign(a=4 * P["a"] - 2, b=4 * P["b"] - 2)
    for frame, measure in (
        (WIDE, "brier"),
        (LABELS, "accuracy"),
        (numbers, "rmse"),
        (scores, "auc"),
    ):
        assert list(podium.read(frame).measures) == [measure]


def test_means_of_losses_take_the_road_of_items():
    found = podium.compare(LABELS)
    assert (found.measure, found.procedure) == ("accuracy", "mcnemar-score")
    assert found.means["a"] == pytest.approx((LABELS["a"] == WORDS).mean())
    brier = podium.compare(WIDE, measure="brier")
    assert brier.means["a"] == pytest.approx(np.mean((P["a"] - Y) ** 2))
    assert brier.procedure == "max-modulus"


def test_results_can_be_compared_by_another_measure():
    results = podium.read(WIDE)
    for measure in ("auc", "log-loss", "f1@0.4", "balanced-accuracy"):
        direct = podium.compare(podium.read(WIDE, measure=measure))
        pd.testing.assert_frame_equal(podium.compare(results, measure=measure).table, direct.table)


def test_probabilities_of_every_class_are_read():
    p = RNG.dirichlet([1, 1, 1], N)
    y = np.array(["x", "y", "z"])[[RNG.choice(3, p=q) for q in p]]
    frame = pd.DataFrame(
        {"id": range(N), "label": y, **{f"m:{c}": p[:, i] for i, c in enumerate("xyz")}}
    )
    found = podium.read(frame, measure="log-loss")
    told = -np.log(p[np.arange(N), ["xyz".index(c) for c in y]]).mean()
    assert found.algorithms == ["m"]
    assert found.scores["value"].mean() == pytest.approx(told)


def test_rows_are_chosen_by_where():
    frame = WIDE.assign(split=np.where(np.arange(N) < 40, "test", "train"))
    found = podium.read(frame, measure="auc", where="split=test")
    assert found.scores["value"].iloc[0] == pytest.approx(auc(Y[:40], P["a"][:40]))


BAD = {
    "nan": (WIDE.assign(a=WIDE["a"].where(WIDE.index != 7)), "auc", "item 'i7': no value"),
    "one class": (WIDE.assign(y_true=1), "auc", "of class '1'"),
    "twice": (WIDE.assign(id=WIDE["id"].replace("i4", "i3")), "auc", "two rows of item 'i3'"),
    "beyond 1": (WIDE.assign(a=2 * WIDE["a"], b=2 * WIDE["b"]), "brier", "is no probability"),
    "labels": (LABELS.assign(a=1), "accuracy", "where the truth has 'cat', 'dog'"),
    "auc of labels": (LABELS, "auc", "holds labels. Ask for balanced-accuracy"),
    "rmse of labels": (LABELS, "rmse", "is a measure of numbers"),
    "ece": (WIDE, "ece", "use brier or log-loss"),
    "best f1": (WIDE, "best-f1", "choose one on other data"),
    "unknown": (WIDE, "acuracy", "Did you mean"),
    "an age": (WIDE.assign(age=RNG.integers(20, 80, N)), "auc", "prediction=a;b"),
    "sure": (
        WIDE.assign(a=WIDE["a"].where(WIDE.index != 3, 1.0 - Y[3])),
        "log-loss",
        "item 'i3'; 1 in all",
    ),
    "sampling": (WIDE, None, "leave --sampling out"),
}


@pytest.mark.parametrize("case", list(BAD))
def test_bad_input_ends_in_a_sentence_with_a_way_out(case):
    frame, measure, told = BAD[case]
    with pytest.raises(PodiumError) as error:
        podium.compare(
            podium.read(frame, measure=measure, sampling="cv:5" if measure is None else None)
        )
    assert told in str(error.value)
    assert str(error.value).endswith(".")


def test_a_folder_is_the_files_in_it(tmp_path):
    (tmp_path / "runs").mkdir()
    for name, wrong in {"svm": 3, "knn": 7}.items():
        rows = [f"{i},{i % 2},{(i % 2) ^ (i < wrong)}" for i in range(20)]
        (tmp_path / "runs" / f"{name}.csv").write_text("\n".join(["id,label,pred", *rows]) + "\n")
    read = podium.read(tmp_path / "runs").wide("accuracy")
    assert read[["svm", "knn"]].mean().to_dict() == pytest.approx({"svm": 0.85, "knn": 0.65})
    listed = podium.read([*(tmp_path / "runs").iterdir()]).wide("accuracy")
    assert read.equals(listed[read.columns])


def test_files_with_other_items_are_refused(tmp_path):
    for m, ids in (("a", WIDE["id"]), ("b", WIDE["id"].replace("i3", "zz"))):
        frame = pd.DataFrame({"id": ids, "y_true": Y, "y_pred": P[m]})
        frame.to_csv(tmp_path / f"{m}.csv", index=False)
    with pytest.raises(PodiumError, match="item 'i3' is not in all files"):
        podium.read([tmp_path / "a.csv", tmp_path / "b.csv"], measure="auc")
    long = WIDE.melt(["id", "y_true"], var_name="model", value_name="y_pred")
    with pytest.raises(PodiumError, match="'b' has no prediction of item 'i59'"):
        podium.read(long.iloc[:-1], measure="auc")
    long.loc[3, "y_true"] = 1 - long.loc[3, "y_true"]
    with pytest.raises(PodiumError, match="truth of item 'i3' differs"):
        podium.read(long, measure="auc")


@pytest.mark.parametrize("kind", ["lines of rows", "rows", "columns", "lines of long rows"])
def test_json_files_hold_predictions_too(tmp_path, kind):
    long = WIDE.melt(["id", "y_true"], var_name="model", value_name="y_pred")
    path = tmp_path / "predictions.json"
    frame = long if "long" in kind else WIDE
    if kind == "columns":
        path.write_text(json.dumps(WIDE.to_dict("list")))
    else:
        frame.to_json(path, orient="records", lines=kind.startswith("lines"), double_precision=15)
    found = podium.compare(podium.read(path, measure="auc"))
    told = podium.compare(WIDE, measure="auc").table
    pd.testing.assert_frame_equal(found.table, told, atol=1e-12, rtol=0)


def test_a_long_table_has_probabilities_of_every_class():
    p = np.column_stack([1 - P["a"], P["a"]])
    rows = [
        pd.DataFrame({"id": WIDE["id"], "model": m, "y_true": WORDS, "y_pred:cat": q[:, 0],
                      "y_pred:dog": q[:, 1]})
        for m, q in (("a", p), ("b", p[:, ::-1]))
    ]  # fmt: skip
    found = podium.compare(pd.concat(rows), measure="auc")
    assert found.means == pytest.approx({"a": auc(Y, P["a"]), "b": 1 - auc(Y, P["a"])}, abs=1e-12)


def test_classes_whose_names_tell_nothing_are_asked_about_where_numbers_contradict():
    frame = WIDE.assign(y_true=np.where(Y, "apple", "pear"))
    with pytest.raises(PodiumError, match=r"--columns 'positive=apple'"):
        podium.read(frame)
    said = podium.compare(podium.read(frame, measure="brier", columns="positive=apple"))
    assert said.means == pytest.approx(podium.compare(WIDE, measure="brier").means)
    with pytest.raises(PodiumError, match="no class 'plum'"):
        podium.read(frame, columns="positive=plum")
    other = podium.read(WIDE.assign(y_true=np.where(Y, "pear", "apple")), measure="brier")
    assert podium.compare(other).means == pytest.approx(said.means)


def test_models_that_are_worse_than_chance_may_speak_for_the_other_class():
    found = podium.compare(podium.read(WIDE.assign(a=1 - P["a"], b=1 - P["b"]), measure="auc"))
    assert "wrong-side" in [note.code for note in found.warnings]
    assert "wrong-side" not in [n.code for n in podium.compare(WIDE, measure="auc").warnings]


def test_a_measure_of_the_other_class_reads_the_same_probabilities():
    labels = WIDE.assign(**{m: (p >= 0.5).astype(int) for m, p in P.items()})
    for measure in ("f1:0", "recall:0"):
        told = podium.compare(labels, measure=measure).means
        assert podium.compare(WIDE, measure=measure).means == pytest.approx(told)
    both = [podium.compare(WIDE, measure=m).means for m in ("auc", "auc:0")]
    assert both[0] == pytest.approx(both[1])
    cut = podium.compare(WIDE, measure="recall:0@0.7").means
    mine = {m: ((1 - p >= 0.7) & (Y == 0)).sum() / (Y == 0).sum() for m, p in P.items()}
    assert cut == pytest.approx(mine)


def test_an_area_of_one_of_several_classes_is_that_of_its_column():
    q = RNG.dirichlet([1, 1, 1], N)
    truth = RNG.integers(0, 3, N)
    columns = {f"m:{c}": q[:, i] for i, c in enumerate("xyz")}
    frame = pd.DataFrame({"y_true": np.array(list("xyz"))[truth], **columns})
    found = podium.verdicts.score_interval(podium.read(frame, measure="auc:y"))
    assert found.means["m"] == pytest.approx(auc((truth == 1).astype(int), q[:, 1]))


TEXTS = pd.DataFrame(
    {
        "id": range(30),
        "reference": [f"word {i} of many" for i in range(30)],
        "a": [f"word {i} of many" for i in range(30)],
        "b": [f"word {i // 2} of many" for i in range(30)],
    }
)


def test_references_are_texts_where_the_measure_is_of_texts():
    assert podium.read(TEXTS, measure="wer").algorithms == ["a", "b"]
    with pytest.raises(PodiumError, match="Add -m wer"):
        podium.read(TEXTS)


@pytest.mark.parametrize(
    ("frame", "measure", "way"),
    [
        (WIDE, "wer", "compares texts, and the truth is numbers"),
        (WIDE, "brier:0", "Leave ':0' out"),
        (LABELS, "f1@0.3", "Leave '@0.3' out"),
        (WIDE, "p95", "p95"),
    ],
)
def test_measures_that_make_no_sense_here_are_refused(frame, measure, way):
    with pytest.raises(PodiumError, match=way):
        podium.read(frame, measure=measure)


def test_rankings_are_known_by_their_measure():
    rows = [(q, d, d % 3, -d, d) for q in range(20) for d in range(6)]
    frame = pd.DataFrame(rows, columns=["query", "doc", "relevance", "bm25", "dense"])
    assert podium.read(frame, measure="ndcg@3").algorithms == ["bm25", "dense"]


def test_a_model_that_lacks_predictions_is_left_out_as_the_error_says():
    frame = WIDE.assign(c=P["a"] ** 2)
    frame.loc[3, "b"] = np.nan
    with pytest.raises(PodiumError, match="--columns ignore=b"):
        podium.read(frame, measure="auc")
    assert podium.read(frame, measure="auc", columns="ignore=b").algorithms == ["a", "c"]


RIGHT = {m: (np.where(RNG.random(N) < g, Y, 1 - Y)) for m, g in (("a", 0.9), ("b", 0.8))}


@pytest.mark.parametrize("name", ["label", "truth", "target", "class"])
@pytest.mark.parametrize("signs", [(0, 1), (-1, 1), (False, True), (1, 2)])
def test_numbers_that_are_labels_are_no_scores(name, signs):
    labels = {m: np.array(signs)[v] for m, v in {name: Y, **RIGHT}.items()}
    given = podium.read(pd.DataFrame(labels), measure="accuracy", sampling="items")
    found = podium.compare(given)
    assert found.means == pytest.approx({m: (v == Y).mean() for m, v in RIGHT.items()})


def test_whether_0_and_1_are_labels_is_asked_where_nothing_tells_it():
    unlike = pd.DataFrame({"id": range(N), "label": Y, "a": 1 - Y, "b": RNG.integers(0, 2, N)})
    with pytest.raises(PodiumError, match="labels, or do they say who was right") as refused:
        podium.read(unlike, measure="accuracy", sampling="items")
    assert "--columns ignore=label --sampling items" in str(refused.value)
    scores = podium.read(unlike, measure="accuracy", sampling="items", columns="ignore=label")
    assert scores.algorithms == ["a", "b"]
    truth = podium.read(unlike, measure="accuracy", columns="truth=label")
    assert podium.compare(truth).means["a"] == 0
    assert podium.compare(unlike, measure="mcc").means["a"] == pytest.approx(-1)


def test_digits_are_labels_where_the_measure_is_of_labels():
    y = np.arange(200) % 10
    frame = pd.DataFrame(
        {"image": [f"{i}.png" for i in range(200)], "label": y, "a": y, "b": 9 - y}
    )
    assert podium.compare(frame, measure="accuracy").means == {"a": 1.0, "b": 0.0}


def test_a_column_that_names_or_counts_items_is_no_model():
    names = {"utt": range(N), "nr": range(1, N + 1), "sample_id": [f"s{i}" for i in range(N)]}
    for name, cells in names.items():
        frame = WIDE.drop(columns="id")
        frame.insert(0, name, cells)
        assert podium.read(frame, measure="auc").algorithms == ["a", "b"]
    texts = {"level": [3, 1] * 30, "reference": ["the cat sat"] * N, "a": ["a cat"] * N}
    with pytest.raises(PodiumError, match="--columns ignore=level"):
        podium.read(pd.DataFrame(texts), measure="wer")


def test_a_class_that_no_item_is_of_keeps_its_column():
    chances = {f"{m}:{c}": p for m in "ab" for c, p in (("x", 0.5), ("y", 0.3), ("z", 0.2))}
    frame = pd.DataFrame({"y_true": ["x", "y"] * 10, **chances})
    assert podium.compare(frame, measure="accuracy").means == {"a": 0.5, "b": 0.5}
    with pytest.raises(PodiumError, match="class 'z' is predicted"):
        podium.read(frame, measure="macro-f1")


def test_arrays_are_predictions_where_one_is_the_truth(tmp_path):
    path = tmp_path / "predictions.npz"
    np.savez(path, y_true=Y, **P)
    assert podium.compare(podium.read(path, measure="auc")).means == pytest.approx(
        {m: auc(Y, p) for m, p in P.items()}, abs=1e-12
    )
    np.savez(path, y_test=Y, **{m: np.column_stack([1 - p, p]) for m, p in P.items()})
    assert podium.read(path, measure="auc").algorithms == ["a", "b"]
    np.savez(path, y_true=Y, a=P["a"][:-1])
    with pytest.raises(PodiumError, match="different lengths"):
        podium.read(path, measure="auc")


def _apart(folder, frame=WIDE):
    """The truth in a file of its own, and files of predictions without it, in another order."""
    mixed = frame.sample(frac=1, random_state=3)
    frame[["id", "y_true"]].to_csv(folder / "truth.csv", index=False)
    mixed.drop(columns="y_true").to_csv(folder / "both.csv", index=False)
    for m in ("a", "b"):
        one = mixed[["id", m]].rename(columns={m: "y_pred"})
        one.to_csv(folder / f"{m}.csv", index=False)
    long = mixed.drop(columns="y_true").melt("id", var_name="model", value_name="y_pred")
    long.to_csv(folder / "long.csv", index=False)
    return {name: folder / f"{name}.csv" for name in ("truth", "both", "a", "b", "long")}


def test_the_truth_may_stand_in_a_file_of_its_own(tmp_path):
    told = podium.compare(WIDE, measure="auc").table
    files = _apart(tmp_path)
    for names in (["truth", "a", "b"], ["a", "b", "truth"], ["both", "truth"], ["truth", "long"]):
        found = podium.compare(podium.read([files[n] for n in names], measure="auc"))
        assert found.algorithms == ("a", "b"), names
        pd.testing.assert_frame_equal(found.table, told, atol=1e-12, rtol=0)


def test_clusters_and_choices_of_rows_may_stand_beside_the_truth(tmp_path):
    files = _apart(tmp_path)
    truth = WIDE[["id", "y_true"]].assign(patient=[f"u{k // 4}" for k in range(N)], split="test")
    truth.loc[:3, "split"] = "train"
    truth.to_csv(files["truth"], index=False)
    read = podium.read([files["truth"], files["both"]], measure="auc", where={"split": "test"})
    made = read.predictions.linearised["auc"]
    assert len(made.values) == N - 4
    assert len({*made.clusters}) == N // 4 - 1
    plain = WIDE[["a", "b"]]  # without ids row by row
    plain.to_csv(tmp_path / "plain.csv", index=False)
    WIDE[["y_true"]].to_csv(tmp_path / "only.csv", index=False)
    rows = podium.read([tmp_path / "plain.csv", tmp_path / "only.csv"], measure="auc")
    assert podium.compare(rows).means == podium.compare(WIDE, measure="auc").means


@pytest.mark.parametrize(
    ("change", "message"),
    [(lambda t: t.iloc[1:], "Item 'i0' of .*both.csv' has no truth in .*truth.csv' .1 have none."),
     (lambda t: pd.concat([t, t.iloc[:1].assign(id="new")]), "no prediction of item 'new'"),
     (lambda t: pd.concat([t, t.iloc[:1]]), "two rows of item 'i0'")],
)  # fmt: skip
def test_items_of_a_truth_that_others_lack(tmp_path, change, message):
    files = _apart(tmp_path)
    change(WIDE[["id", "y_true"]]).to_csv(files["truth"], index=False)
    with pytest.raises(PodiumError, match=message):
        podium.read([files["truth"], files["both"]], measure="auc")


def test_predictions_without_any_truth_ask_for_it(tmp_path):
    files = _apart(tmp_path)
    for names in (["a"], ["a", "b"], ["long"]):
        with pytest.raises(PodiumError, match="no column holds their truth"):
            podium.read([files[n] for n in names])


def test_the_reading_tells_threshold_clusters_and_weights():
    frame = WIDE.assign(patient=[f"u{k // 4}" for k in range(N)], weight=1 + np.arange(N) % 3)
    read = podium.read(frame, measure="f1@0.4")
    text = say(read.notes[0])
    assert "(probabilities, positive from 0.4 on): 2 models, 60 items in 15 clusters" in text
    assert "('patient') with weights ('weight'), truth 'y_true'" in text
    assert "(probabilities): 2 models" in say(podium.read(frame, measure="auc").notes[0])


def _written(frame, path, text=None):
    path.write_text(text or frame.to_csv(index=False), "utf-8")
    return path


@pytest.mark.parametrize(
    ("frame", "measure"),
    [(WIDE, "auc"), (LABELS, "mcc"), (WIDE.assign(y_true=Y == 1), "brier"),
     (WIDE.assign(id=[f"{k:03d}" for k in range(N)]), "accuracy"),
     (WIDE.assign(y_true=np.linspace(0, 3, N)), "rmse")],
)  # fmt: skip
def test_long_files_are_read_as_short_ones_are(tmp_path, monkeypatch, frame, measure):
    path = _written(frame, tmp_path / "p.csv")
    short = podium.read(path, measure=measure)
    monkeypatch.setattr("podium.asking.predictions.format.LONG_FILE", 0)
    long = podium.read(path, measure=measure)
    pd.testing.assert_frame_equal(long.scores, short.scores)
    assert say(long.notes[0]) == say(short.notes[0])
    told, same = (podium.compare(each).table for each in (short, long))
    pd.testing.assert_frame_equal(told, same)


@pytest.mark.parametrize(
    "spoilt",
    [lambda t: t.replace("i3,", "i2,", 1), lambda t: t.replace("i3,0,", "i3,,", 1),
     lambda t: t.rstrip("\n") + ",1\n", lambda t: t.replace("i3,", "i3,0.1,", 1),
     lambda t: t.replace(",a,b", ",a,a", 1), lambda t: t.replace("i3,0,0.", "i3,0,x", 1),
     lambda t: t.replace("i3,0,0.", "i3,0,nan;", 1)],
)  # fmt: skip
def test_spoilt_long_files_end_as_short_ones_do(tmp_path, monkeypatch, spoilt):
    order = WIDE.assign(y_true=np.where(np.arange(N) == 3, 0, Y))
    text = order.to_csv(index=False)
    again = spoilt(text)
    assert again != text
    path = _written(None, tmp_path / "p.csv", again)
    said = []
    for least in (10**9, 0):
        monkeypatch.setattr("podium.asking.predictions.format.LONG_FILE", least)
        with pytest.raises(PodiumError) as error:
            podium.read(path, measure="auc")
        said.append(str(error.value))
    assert said[0] == said[1]


def _classes(lacking):
    """Probabilities of three classes by two models, less some columns."""
    rng = np.random.default_rng(2)
    truth = rng.choice(list("xyz"), N)
    columns = {}
    for m in "ab":
        p = rng.dirichlet([1, 1, 1], N)
        columns |= {f"{m}:{c}": p[:, k] for k, c in enumerate("xyz")}
    return pd.DataFrame({"id": WIDE["id"], "y_true": truth, **columns}).drop(columns=lacking)


@pytest.mark.parametrize(
    ("frame", "measure", "message", "columns"),
    [(WIDE.assign(a=np.where(np.arange(N) == 3, 1.2, WIDE["a"])), "brier",
      "column 'a', item 'i3': 1.2 lies outside 0 to 1 .1 of 60 values do.", "ignore=a"),
     (_classes(["b:z"]), "auc", "'b' has probabilities of 2 of the 3 classes. Add a column 'b:z'",
      "ignore=b:x;b:y"),
     (_classes(["a:z", "b:z"]), "auc", "'a' has probabilities of 2 of the 3", None),
     (WIDE.assign(y_true=np.linspace(0, 3, N), b="x"), "rmse",
      "'b' holds texts, such as 'x', where the truth is a number", "ignore=b"),
     (WIDE.assign(y_true=2.5), "r2", "has no value: the truth is 2.5 for all items", None),
     (WIDE.assign(y_true=np.linspace(0, 3, N), a=0.5), "correlation",
      "'correlation' of 'a' has no value: it predicts the same for all items", "ignore=a")],
)  # fmt: skip
def test_what_is_wrong_is_named_and_the_way_out_works(frame, measure, message, columns):
    with pytest.raises(PodiumError, match=message):
        podium.compare(frame, measure=measure)
    if columns is not None:
        assert len(podium.read(frame, measure=measure, columns=columns).algorithms) == 1


def test_labels_that_no_item_has_are_told():
    frame = LABELS.assign(a=np.where(np.arange(N) < 3, "bird", LABELS["a"]))
    read = podium.read(frame)
    assert "(2 classes)" in say(read.notes[0])
    (note,) = [n for n in read.notes if n.code == "label-beyond-truth"]
    assert say(note).startswith("a says what no item is, such as bird (3 items)")
    assert "label-beyond-truth" not in {n.code for n in podium.read(LABELS).notes}


def test_decimal_commas_are_numbers(tmp_path):
    text = WIDE.to_csv(index=False, sep=";", decimal=",")
    path = _written(None, tmp_path / "p.csv", text)
    told = podium.compare(WIDE, measure="auc").means
    assert podium.compare(podium.read(path, measure="auc")).means == pytest.approx(told)


def test_models_with_numbers_are_no_classes() -> None:
    """`run_0` and `run_1` are models beside a truth of 0 and 1, unless they sum up to 1."""
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    runs = {f"run_{k}": (0.2 + 0.4 * y + 0.4 * rng.random(60)).round(3) for k in range(3)}
    for models in (["run_0", "run_1"], ["run_0", "run_1", "run_2"]):
        frame = pd.DataFrame({"id": range(60), "y_true": y, **{m: runs[m] for m in models}})
        assert podium.read(frame, measure="auc").algorithms == models
    whole = pd.DataFrame({"y_true": y, "svm_1": runs["run_0"], "svm_0": 1 - runs["run_0"],
                          "knn_1": runs["run_1"], "knn_0": 1 - runs["run_1"]})  # fmt: skip
    assert podium.read(whole, measure="auc").algorithms == ["svm", "knn"]


def test_tables_that_lack_something_say_what(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    y = rng.normal(50, 10, 40).round(2)
    gaps = pd.DataFrame({"id": range(40), "actual": y, "lin": y + 1.5, "gbm": y - 1.0})
    gaps.loc[4, "gbm"] = np.nan
    gaps.to_csv("gaps.csv", index=False)
    with pytest.raises(PodiumError, match=r"column 'gbm', item '4': no value"):
        podium.read("gaps.csv", measure="r2")
    for name in ("svm", "knn"):
        table = pd.DataFrame({"id": range(40), "y_score": rng.random(40).round(3)})
        table.to_csv(f"{name}.csv", index=False)
    with pytest.raises(PodiumError, match="no column holds their truth"):
        podium.read(["svm.csv", "knn.csv"], measure="auc")
    labels = pd.DataFrame({"id": range(40), "label": np.where(y > 50, "dog", "cat"),
                           "net": rng.random(40).round(3)})  # fmt: skip
    labels.to_csv("labels.csv", index=False)
    with pytest.raises(PodiumError, match=r"'1\.5' is no number between 0 and 1"):
        podium.read("labels.csv", measure="f1@1.5")


def test_several_labels_of_an_item_are_rows_of_a_cluster(tmp_path, monkeypatch) -> None:
    """The way out that the refusal names is read, with a cluster for every item."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    wide, rows = pd.DataFrame({"id": range(40)}), []
    for label in "abc":
        y = (rng.random(40) < 0.4).astype(int)
        shares = {"m1": 0.9, "m2": 0.7}
        said = {m: np.where(rng.random(40) < s, y, 1 - y) for m, s in shares.items()}
        wide = wide.assign(**{f"true_{label}": y, **{f"{m}_{label}": s for m, s in said.items()}})
        rows += [(i, label, y[i], said["m1"][i], said["m2"][i]) for i in range(40)]
    wide.to_csv("wide.csv", index=False)
    with pytest.raises(
        PodiumError, match=r"columns document .the item., stratum .the label., y_true"
    ):
        podium.read("wide.csv", measure="f1")
    long = pd.DataFrame(rows, columns=["document", "stratum", "y_true", "m1", "m2"])
    made = podium.compare(long, measure="f1")
    assert made.table["verdict"].tolist() == ["better"]
    assert {*made.means} == {"m1", "m2"}
