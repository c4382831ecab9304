"""`podium gate`: exit statuses, what is paired, and what is refused."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import podium
from podium import PodiumError
from podium.asking.gates.gates import Margin
from podium.cli.main import main


def ran(capsys, *args):
    with pytest.raises(SystemExit) as end:
        main(["gate", *map(str, args)])
    return end.value.code, capsys.readouterr()


def right(share, items=200, first=0):
    """So many right answers, by item."""
    return {f"q{i}": float(i - first >= (1 - share) * items) for i in range(first, first + items)}


def write_items(path, scores, head="item,accuracy", order=1):
    rows = list(scores.items())[::order]
    path.write_text(f"{head}\n" + "".join(f"{item},{score:g}\n" for item, score in rows))
    return path


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """Lines that no terminal breaks."""
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def old(tmp_path):
    return write_items(tmp_path / "before.csv", right(0.9))


# -- the four statuses ----------------------------------------------------------------------------


def test_worse_is_3_with_the_verdict_first(old, tmp_path, capsys):
    new = write_items(tmp_path / "after.csv", right(0.8), order=-1)
    for more in ((), ("--margin", 0.01)):
        status, said = ran(capsys, old, new, *more)
        assert status == 3
        assert said.out.startswith("Worse: accuracy 0.80, before 0.90 (-0.10); a loss is shown (p")


def test_not_worse_by_the_margin_is_0(old, tmp_path, capsys):
    new = write_items(tmp_path / "after.csv", right(0.895))
    status, said = ran(capsys, old, new, "--margin", 0.05)
    assert status == 0
    assert said.out.startswith(
        "Not worse: accuracy 0.8950, before 0.9000 (-0.0050); a loss of 0.05"
    )


def test_nothing_shown_is_0_and_says_so(old, tmp_path, capsys):
    new = write_items(tmp_path / "after.csv", right(0.895))
    status, said = ran(capsys, old, new)
    assert status == 0
    assert said.out.startswith("Not shown to be worse:")
    assert said.out.splitlines()[1].startswith("Inconclusive. Add --margin")


def test_undecided_is_4(old, tmp_path, capsys):
    new = write_items(tmp_path / "after.csv", right(0.895))
    status, said = ran(capsys, old, new, "--margin", 0.001)
    assert status == 4
    assert said.out.startswith("Inconclusive:")


def test_as_good_is_not_said_of_what_lacks_the_hard_items(capsys, tmp_path):
    """More than one item in twenty is missing: the side that they favour has no verdict."""
    scores = right(0.9)
    old = write_items(tmp_path / "before.csv", scores)
    new = write_items(tmp_path / "after.csv", {q: v for q, v in scores.items() if q > "q12"})
    status, said = ran(capsys, old, new, "--margin", 0.05)
    assert status == 4
    assert "No verdict for new over old: the one ahead lacks more than 5 %" in said.out
    status, said = ran(capsys, new, old, "--margin", 0.05)
    assert status == 0
    assert "No verdict for old over new" in said.out  # of a loss


@pytest.mark.parametrize("margin", ["x", "0", "-1", "nan", "inf", "5%%", "", "1e999"])
def test_a_wrong_margin_is_2(old, margin, capsys):
    status, said = ran(capsys, old, old, f"--margin={margin}")
    assert status == 2
    assert "A margin is a number above 0" in said.err
    assert said.out == ""


# -- numbers --------------------------------------------------------------------------------------


def test_the_numbers_are_those_of_a_comparison():
    """Items are paired by name, whatever their order, and judged as `compare` judges them."""
    rng = np.random.default_rng(7)
    before, after = ({f"q{i}": v for i, v in enumerate(rng.normal(m, 1, 60))} for m in (5, 4.8))
    found = podium.gate(
        before, dict(reversed(after.items())), measure="rmse", margin=0.7
    ).table.iloc[0]
    frame = pd.DataFrame(
        [(i, s, v) for s, of in (("old", before), ("new", after)) for i, v in of.items()],
        columns=["item", "algorithm", "rmse"],
    )
    results = podium.read(frame, sampling="items")
    pairs = [("new", "old")]
    margin = podium.compare(results, pairs=pairs, non_inferiority=0.7).table.iloc[0]
    loss = podium.compare(results, pairs=pairs, alternative="greater").table.iloc[0]
    expected = (margin["p"], loss["p"], loss["lower"], margin["upper"])
    assert tuple(found[["p_margin", "p_worse", "lower", "upper"]]) == pytest.approx(expected)
    assert found["difference"] == pytest.approx(np.mean([*after.values()]) - found["old"])


def test_a_share_of_times_is_a_test_of_the_ratio():
    """Welch's t of new - 1.05 old, whose old mean is estimated: Welch (1938)."""
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(2)
    before, after = rng.normal(1, 0.1, 12), rng.normal(1.02, 0.1, 9)
    found = podium.gate(before, after, measure="time", sampling="runs", margin="5%")
    p = stats.ttest_ind(after, 1.05 * before, equal_var=False, alternative="less").pvalue
    assert found.table["p_margin"][0] == pytest.approx(p, rel=1e-9)
    assert found.table["margin"][0] == pytest.approx(0.05 * before.mean())
    higher = podium.gate(before, after, measure="accuracy_x", higher_is_better=True,
                         sampling="seeds", margin="5%")  # fmt: skip
    p = stats.ttest_ind(after, 0.95 * before, equal_var=False, alternative="greater").pvalue
    assert higher.table["p_margin"][0] == pytest.approx(p, rel=1e-9)


def test_benchmarks_are_judged_at_one_level_and_one_decides():
    rng = np.random.default_rng(4)
    before = {name: rng.normal(1, 0.05, 20) for name in "abcd"}
    after = {n: rng.normal(1.2 if n == "c" else 1, 0.05, 20) for n in "abcde"}
    found = podium.gate(before, after, measure="time", sampling="runs", margin="10%")
    table = found.table.set_index("benchmark")
    for p in ("p_worse", "p_margin"):
        np.testing.assert_allclose(
            table[f"{p}_adjusted"], 1 - (1 - table[p].to_numpy()) ** 4, atol=1e-12
        )
    assert list(table["verdict"]) == ["not worse", "not worse", "worse", "not worse"]
    assert (found.verdict, found.status, found.is_worse) == ("worse", 3, True)
    assert repr(found).startswith("Worse on 1 of 4 benchmarks: c.")
    assert "Only in the new one, not compared: e." in repr(found)


def test_what_never_differs_is_shown_by_many_items_alone():
    """A loss of m needs differing items in a share m: n show none with the chance (1 - m)^n."""
    for items, verdict in ((50, "undecided"), (400, "not worse")):
        scores = {f"q{i}": (i % 7) / 7 for i in range(items)}
        found = podium.gate(scores, scores, measure="f1", margin=0.01)
        assert found.verdict == verdict
        assert found.table["p_margin"][0] == pytest.approx(0.99**items)
        assert podium.gate(scores, scores, measure="f1").status == 0


def test_a_constant_loss_is_no_success():
    found = podium.gate([1.0, 1.0, 1.0], [2.0, 2.0, 2.0], measure="time", sampling="runs")
    assert (found.verdict, found.status) == ("undecided", 4)


def test_a_loss_within_the_margin_is_not_worse_and_told():
    found = podium.gate(right(0.9, 4000), right(0.89, 4000), measure="accuracy", margin=0.05)
    assert found.verdict == "not worse"
    assert "There is a significant loss, below the margin." in repr(found)


def test_margins_are_read_as_they_are_written():
    assert Margin.read(" 5 % ") == Margin(0.05, True)
    assert Margin.read("1e-3") == Margin(0.001)
    assert Margin(0.1, True).in_units(-3) == pytest.approx(0.3)
    with pytest.raises(PodiumError, match="not 'True'"):
        Margin.read(True)
    with pytest.raises(PodiumError, match="must be above 0"):
        podium.gate([-1.0, -2.0], [-1.0, -2.5], measure="time_x", higher_is_better=False,
                    sampling="runs", margin="5%")  # fmt: skip


# -- what is paired -------------------------------------------------------------------------------


def test_items_of_one_file_alone_are_counted_and_left_out(old, tmp_path, capsys):
    some = {item: score for item, score in right(0.9).items() if item not in ("q150", "q151")}
    new = write_items(tmp_path / "after.csv", some | {"more": 1.0})
    status, said = ran(capsys, old, new, "--json", "-")
    assert status == 0
    (row,) = json.loads(said.out)["benchmarks"]
    assert (row["blocks"], row["only_old"], row["only_new"]) == (198, 2, 1)
    assert row["old"] == row["new"] == pytest.approx(178 / 198)
    status, said = ran(capsys, old, new)
    assert "2 scores in the old one alone and 1 score in the new one alone" in said.out
    status, said = ran(capsys, old, new, "--gaps", "worst", "--json", "-")
    (row,) = json.loads(said.out)["benchmarks"]
    assert (row["blocks"], row["old"], row["new"]) == (200, 0.9, pytest.approx(0.89))


def test_the_model_may_be_called_alike_or_otherwise(tmp_path):
    before = write_items(tmp_path / "a.csv", right(0.9), "item,accuracy")
    frames = [pd.read_csv(before) for _ in range(2)]
    for names in (("m", "m"), ("m-1", "m-2")):
        sides = [f.assign(model=name) for f, name in zip(frames, names, strict=True)]
        found = podium.gate(*sides)
        assert tuple(found.algorithms.values()) == names
        assert found.table["blocks"][0] == 200
    wide = [f.rename(columns={"accuracy": name}) for f, name in zip(frames, "xy", strict=True)]
    assert podium.gate(*wide, measure="accuracy").algorithms == {"old": "x", "new": "y"}


def test_one_of_several_algorithms_is_said(tmp_path, capsys):
    rows = [(i, m, v) for m, share in (("a", 0.9), ("b", 0.5)) for i, v in right(share).items()]
    both = tmp_path / "both.csv"
    pd.DataFrame(rows, columns=["item", "model", "accuracy"]).to_csv(both, index=False)
    new = write_items(tmp_path / "after.csv", right(0.5))
    status, said = ran(capsys, both, new)
    assert status == 2
    assert "2 algorithms (a, b). Say which one is meant: --algorithm a" in said.err
    assert ran(capsys, both, new, "--algorithm", "a")[0] == 3
    assert ran(capsys, both, new, "--algorithm", "b")[0] == 0
    status, said = ran(capsys, both, new, "--algorithm", "c")
    assert status == 2
    assert "'c'" in said.err
    wide = pd.DataFrame({"item": list("uvwx"), "a": [1, 1, 0, 1], "b": [0, 0, 0, 1]})
    found = podium.gate(wide, wide, measure="accuracy", algorithm="b")
    assert found.table["new"][0] == 0.25


def test_clusters_count(tmp_path):
    frame = pd.DataFrame({"question": range(60), "topic": [i % 6 for i in range(60)]})
    rng = np.random.default_rng(5)
    luck = np.repeat(rng.normal(0, 0.3, 6), 10)[np.argsort(np.arange(60) % 6, kind="stable")]
    sides = [frame.assign(score=rng.normal(0.5, 0.1, 60) + k * luck) for k in (0, 1)]
    found = podium.gate(*sides, measure="f1_x", higher_is_better=True)
    assert "clusters" in {note.code for note in found.notes}


def test_one_value_per_data_set_makes_data_sets_the_blocks():
    rng = np.random.default_rng(6)
    frame = pd.DataFrame(
        {"dataset": [f"d{i}" for i in range(15)], "acc": rng.uniform(0.6, 0.9, 15)}
    )
    worse = frame.assign(acc=frame["acc"] - rng.uniform(0.01, 0.05, 15))
    found = podium.gate(frame, worse, margin=0.001)
    assert (found.verdict, len(found.table), found.table["blocks"][0]) == ("worse", 1, 15)
    assert repr(found).startswith("Worse: acc on 15 benchmarks")
    assert podium.gate(frame, frame.assign(acc=frame["acc"] + 0.001 * rng.uniform(size=15)),
                       margin=0.01).status == 0  # fmt: skip


def test_seeds_are_not_paired_and_folds_are(tmp_path, capsys):
    rng = np.random.default_rng(8)
    for side in ("old", "new"):
        rows = "".join(f"{i},{v:.4f}\n" for i, v in enumerate(rng.normal(0.8, 0.01, 10)))
        (tmp_path / f"seed_{side}.csv").write_text("seed,acc\n" + rows)
        (tmp_path / f"fold_{side}.csv").write_text("fold,acc\n" + rows)
    status, said = ran(capsys, tmp_path / "seed_old.csv", tmp_path / "seed_new.csv", "--json", "-")
    assert status == 0
    assert json.loads(said.out)["benchmarks"][0]["procedure"] == "games-howell"
    folds = (tmp_path / "fold_old.csv", tmp_path / "fold_new.csv")
    status, said = ran(capsys, *folds)
    assert status == 2
    assert "--sampling" in said.err
    status, said = ran(capsys, *folds, "--sampling", "cv:10", "--json", "-")
    assert status == 0
    assert json.loads(said.out)["benchmarks"][0]["procedure"] == "corrected-t"


def test_a_decimal_comma_in_one_file_is_read_right(tmp_path):
    (tmp_path / "a.csv").write_text("item;f1\n" + "".join(f"q{i};0,{i}5\n" for i in range(9)))
    (tmp_path / "b.csv").write_text("item,f1\n" + "".join(f"q{i},0.{i}5\n" for i in range(9)))
    row = podium.gate(tmp_path / "a.csv", tmp_path / "b.csv").table.iloc[0]
    assert row["old"] == row["new"] == pytest.approx(np.mean([0.05 + i / 10 for i in range(9)]))


def test_files_in_one_folder_are_benchmarks(tmp_path):
    for side, share in (("old", 0.9), ("new", 0.6)):
        (tmp_path / side).mkdir()
        write_items(tmp_path / side / "easy.csv", right(0.9))
        write_items(tmp_path / side / "hard.csv", right(share))
    found = podium.gate(tmp_path / "old", tmp_path / "new")
    table = found.table.set_index("benchmark")
    assert dict(table["verdict"]) == {"easy": "not shown to be worse", "hard": "worse"}


def test_the_same_in_any_order_of_rows():
    rng = np.random.default_rng(9)
    frame = pd.DataFrame({"item": range(40), "f1": rng.uniform(0, 1, 40)})
    other = frame.assign(f1=(frame["f1"] - 0.01).clip(0, 1))
    first = podium.gate(frame, other, margin=0.05)
    again = podium.gate(frame.sample(frac=1, random_state=1), other[::-1], margin=0.05)
    pd.testing.assert_frame_equal(first.table, again.table)


# -- formats --------------------------------------------------------------------------------------


def write_lm_eval(folder, tasks):
    """What lm_eval writes with --log_samples, of one model."""
    folder.mkdir()
    date = "2026-01-02T03-04-05.678"
    told = {
        "results": {task: {"acc,none": 0.5} for task in tasks},
        "configs": {task: {"metric_list": [{"metric": "acc"}]} for task in tasks},
        "higher_is_better": {task: {"acc": True} for task in tasks},
        "lm_eval_version": "0.4.9",
        "model_name": "org/model",
    }
    (folder / f"results_{date}.json").write_text(json.dumps(told))
    for task, scores in tasks.items():
        lines = [
            {"doc_id": n, "doc": {"q": item}, "doc_hash": f"hash of {item}", "resps": [["x"]]}
            | {"filtered_resps": ["x"], "filter": "none", "metrics": ["acc"], "acc": score}
            for n, (item, score) in enumerate(scores.items())
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"samples_{task}_{date}.jsonl").write_text(text)
    return folder


def test_documents_of_lm_eval_are_paired_by_their_hash(tmp_path, capsys):
    before = write_lm_eval(tmp_path / "old", {"quiz": right(0.9), "maths": right(0.5)})
    shuffled = dict(reversed(right(0.9).items()))
    after = write_lm_eval(tmp_path / "new", {"quiz": shuffled, "maths": right(0.3, 190)})
    status, said = ran(capsys, before, after, "--margin", 0.02, "--json", "-")
    assert status == 3
    found = json.loads(said.out)
    rows = {row["benchmark"]: row for row in found["benchmarks"]}
    assert (rows["quiz"]["verdict"], rows["quiz"]["difference"]) == ("not worse", 0)
    assert (rows["maths"]["verdict"], rows["maths"]["only_old"]) == ("worse", 10)
    assert found["old"] == {"source": str(before), "algorithm": "org/model"}


def write_times(path, times, tool):
    if tool == "pytest":
        entries = [
            {"name": n, "group": None, "stats": {"rounds": len(t), "data": list(t)}}
            for n, t in times.items()
        ]
        content = {"machine_info": {"node": "x"}, "benchmarks": entries, "version": "5.1"}
    elif tool == "hyperfine":
        found = [
            {"command": n, "mean": float(np.mean(t)), "times": list(t)} for n, t in times.items()
        ]
        content = {"results": found}
    else:
        found = [
            {"name": n, "run_name": n, "run_type": "iteration", "repetition_index": i}
            | {"iterations": 1, "real_time": v * 1e3, "cpu_time": v * 1e3, "time_unit": "ms"}
            for n, t in times.items()
            for i, v in enumerate(t)
        ]
        content = {"context": {"num_cpus": 2}, "benchmarks": found}
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize("tool", ["pytest", "hyperfine", "google"])
def test_timings_are_compared_benchmark_by_benchmark(tool, tmp_path, capsys):
    rng = np.random.default_rng(10)
    before = {"sort": rng.normal(1, 0.03, 20), "scan": rng.normal(2, 0.06, 20)}
    same = {"sort": rng.normal(1, 0.03, 25), "scan": rng.normal(2, 0.06, 20)}
    slow = same | {"scan": rng.normal(2.4, 0.06, 20)}
    files = [
        write_times(tmp_path / f"{n}.json", t, tool)
        for n, t in (("old", before), ("same", same), ("slow", slow))
    ]
    assert ran(capsys, files[0], files[1], "--margin", "5%")[0] == 0
    status, said = ran(capsys, files[0], files[2], "--margin", "5%")
    assert status == 3
    assert said.out.startswith("Worse on 1 of 2 benchmarks: scan.")
    assert ran(capsys, files[0], files[2])[0] == 3


def test_one_command_of_another_name_is_the_same_benchmark(tmp_path, capsys):
    files = [
        write_times(tmp_path / f"{n}.json", {f"./{n}": [1.0, 1.1, 0.9, 1.05]}, "hyperfine")
        for n in ("old", "new")
    ]
    status, said = ran(capsys, *files)
    assert status == 0
    assert "called ./old in the old and ./new in the new" in said.out


def test_json_lines_are_read(tmp_path):
    for side, share in (("old", 0.9), ("new", 0.7)):
        lines = [{"model": "m", "id": i, "scores": {"acc": v}} for i, v in right(share).items()]
        (tmp_path / f"{side}.jsonl").write_text("".join(json.dumps(r) + "\n" for r in lines))
    found = podium.gate(tmp_path / "old.jsonl", tmp_path / "new.jsonl", sampling="items")
    assert found.status == 3


def test_stores_pair_where_their_seeds_agree(tmp_path):
    from sklearn.datasets import load_iris
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB

    data = podium.dataset("iris", *load_iris(return_X_y=True))
    stores = {}
    for name, model, seed in (
        ("old", GaussianNB(), 1),
        ("new", DummyClassifier(), 1),
        ("other", DummyClassifier(), 2),
    ):
        study = podium.Study(data, {"model": model}, sampling="bootstrap:12", measures=["error"],
                             seed=seed)  # fmt: skip
        stores[name] = tmp_path / f"{name}.db"
        podium.run(study, stores[name], quiet=True, jobs=1)
    found = podium.gate(stores["old"], stores["new"], margin=0.02)
    assert (found.verdict, found.table["blocks"][0]) == ("worse", 12)
    with pytest.raises(PodiumError, match=r"with other seeds \(1, 2\)"):
        podium.gate(stores["old"], stores["other"])


# -- outputs --------------------------------------------------------------------------------------


def test_markdown_and_json_on_the_screen_stand_alone(old, tmp_path, capsys):
    new = write_items(tmp_path / "after.csv", right(0.8))
    status, said = ran(capsys, old, new, "--json", "-", "--markdown", tmp_path / "summary.md")
    assert status == 3
    found = json.loads(said.out)
    assert (found["verdict"], found["status"], found["margin"]) == ("worse", 3, None)
    assert found["benchmarks"][0]["p_margin"] is None
    text = (tmp_path / "summary.md").read_text()
    assert text.startswith("Worse: accuracy")
    assert "| benchmark | n | old | new |" in text
    status, said = ran(capsys, old, new, "--markdown", "-")
    assert (status, said.out) == (3, text)


def test_the_public_record_prints_and_exports(old, tmp_path):
    found = podium.gate(old, old, margin=0.05)
    assert isinstance(found, podium.gates.Gate)
    assert math.isclose(found.table["p_worse"][0], 0.5)
    assert found.to_dict()["text"] == repr(found).splitlines()[0]
    assert "<table" in found._repr_html_()


# -- wrong input ----------------------------------------------------------------------------------


def test_rows_are_chosen_in_both_files(old, tmp_path):
    new = write_items(tmp_path / "after.csv", right(0.8), order=-1)

    def with_training(file):
        frame = pd.read_csv(file)
        dev = frame.assign(part="dev", accuracy=1 - frame["accuracy"])
        path = tmp_path / f"all-{file.name}"
        pd.concat([dev, frame.assign(part="end")]).to_csv(path, index=False)
        return path

    expected = podium.gate(old, new, margin=0.1)
    both = [with_training(file) for file in (old, new)]
    found = podium.gate(*both, margin=0.1, where="part=end")
    pd.testing.assert_frame_equal(found.table, expected.table)
    assert dict(found.sources) == {"old": str(both[0]), "new": str(both[1])}


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("item,acc\na,1\nb,0\n", "item,acc\nx,1\ny,0\n", "No item is in both"),
        ("dataset,acc\na,0.9\n", "dataset,acc\na,0.8\n", "have one score each"),
        ("time,n\n1.1,3\n1.2,3\n", "time,n\n1.3,3\n1.4,3\n", "nothing says what its rows are"),
        ("name,time\na,1\nb,2\n", "name,time\na,1\nb,2\n", "--columns dataset=name"),
        ("nr,time\n5,1\n6,2\n", "nr,time\n5,1\n6,2\n", "--sampling"),
        ("item,acc\na,1\nb,0\n", "item,acc\na,1\nb,zero\n", "'zero'"),
        ("item,acc\na,1\nb,0\n", "", "after"),
        ("dataset,acc\na,1\nb,0\n", "dataset,acc\nc,1\nd,0\n", "No benchmark"),
        ('{"acc": 0.9}', '{"acc": 0.8}', "one record (acc)"),
        ("item,acc\na,1\nb,0\n", '{"results": [{"command": "x", "mean": 1, "times": [1, 2]}]}',
         "of different formats"),
    ],
)  # fmt: skip
def test_wrong_input_is_2_in_one_sentence(before, after, says, tmp_path, capsys):
    (tmp_path / "before").write_text(before)
    (tmp_path / "after").write_text(after)
    status, said = ran(capsys, tmp_path / "before", tmp_path / "after")
    assert (status, said.out) == (2, "")
    assert says in said.err
    assert said.err.count("\n") == 1


def test_what_is_not_there_is_2(old, tmp_path, capsys):
    for given in ((tmp_path / "nothing.csv", old), (old, tmp_path / "nothing.csv")):
        status, said = ran(capsys, *given)
        assert status == 2
        assert "There is no file" in said.err
    (tmp_path / "empty").mkdir()
    assert "is an empty folder" in ran(capsys, old, tmp_path / "empty")[1].err


def test_the_ways_out_that_are_named_work(tmp_path, capsys):
    rows = "".join(f"{n},{t}\n" for n in "ab" for t in (1.0, 1.1, 1.2))
    for side in ("old", "new"):
        (tmp_path / side).write_text("name,time\n" + rows)
        (tmp_path / f"{side}_plain").write_text("time,n\n1.1,3\n1.2,3\n1.3,3\n")
    named = [tmp_path / "old", tmp_path / "new", "--columns", "dataset=name"]
    status, said = ran(capsys, *named)
    assert status == 2
    assert "--sampling" in said.err
    assert ran(capsys, *named, "--sampling", "runs")[0] == 0
    (tmp_path / "numbered").write_text("nr,acc\n5,1\n6,0\n7,1\n")
    numbered = [tmp_path / "numbered", tmp_path / "numbered", "--sampling", "items"]
    status, said = ran(capsys, *numbered)
    assert status == 2
    assert "--columns item=nr" in said.err
    assert ran(capsys, *numbered, "--columns", "item=nr")[0] == 0
    plain = [tmp_path / "old_plain", tmp_path / "new_plain", "--sampling", "runs"]
    assert ran(capsys, *plain)[0] == 0
    for side in ("old", "new"):
        (tmp_path / f"{side}_one").write_text("host,time\nbox,1.1\nbox,1.2\nbox,1.3\n")
    one = [tmp_path / "old_one", tmp_path / "new_one", "--sampling", "runs"]
    assert ran(capsys, *one)[0] == 0, "a column of one text tells no benchmarks apart"


def test_items_that_are_numbered_alone_are_not_paired(tmp_path, capsys):
    """A table that numbers its items says nothing beside another file."""
    before = write_lm_eval(tmp_path / "old", {"quiz": right(0.9)})
    with pytest.raises(SystemExit):
        main(["import", str(before), "-o", str(tmp_path / "a.csv")])
    head, columns, *rows = (tmp_path / "a.csv").read_text().splitlines()
    assert columns == "dataset,algorithm,item,measure,value"
    parts = [row.split(",") for row in rows]
    numbered = [f"{d},{a},{i},{m},{v}" for i, (d, a, _, m, v) in enumerate(parts, 1)]
    text = "\n".join([head, columns.replace("item", "sample"), *numbered, ""])
    (tmp_path / "b.csv").write_text(text)
    capsys.readouterr()
    status, said = ran(capsys, tmp_path / "a.csv", tmp_path / "b.csv")
    assert status == 2
    assert "numbers its items and does not name them" in said.err


def test_what_was_imported_keeps_its_items(tmp_path, capsys):
    old = write_items(tmp_path / "old.csv", right(0.9), "question_id,accuracy")
    new = write_items(tmp_path / "new.csv", right(0.7), "question_id,accuracy", order=-1)
    plain = ran(capsys, old, new)[0]
    for path in (old, new):
        rows = path.read_text().splitlines()
        path.write_text("\n".join([f"model,{rows[0]}", *(f"m,{row}" for row in rows[1:])]))
        with pytest.raises(SystemExit):
            main(["import", str(path), "-o", str(tmp_path / f"{path.stem}_scores.csv")])
    status, said = ran(capsys, tmp_path / "old_scores.csv", tmp_path / "new_scores.csv")
    assert (plain, status) == (3, 3)
    assert "compared by items" in said.out


def test_one_column_is_a_list_of_runs(tmp_path, capsys):
    for name, plus in (("old", 0.0), ("new", 0.5)):
        rows = "".join(f"{1 + plus + i / 100}\n" for i in range(8))
        (tmp_path / f"{name}.csv").write_text(f"time\n{rows}")
    files = tmp_path / "old.csv", tmp_path / "new.csv"
    assert ran(capsys, *files, "--sampling", "runs")[0] == 3
    status, said = ran(capsys, *files)
    assert status == 2
    assert "--sampling runs" in said.err


def test_one_run_beside_several_is_refused_by_its_name(tmp_path, capsys):
    for name, times in (("old", [0.3, 0.31, 0.3]), ("new", [0.3])):
        text = json.dumps({"results": [{"command": "sort", "mean": 0.3, "times": times}]})
        (tmp_path / f"{name}.json").write_text(text)
    status, said = ran(capsys, tmp_path / "old.json", tmp_path / "new.json")
    assert status == 2
    assert "new.json' has one score of each" in said.err
    assert "Time every command several times" in said.err


def test_items_under_several_prompts_are_judged_for_just_these(tmp_path):
    rng = np.random.default_rng(4)
    for side, chance in (("old", 0.8), ("new", 0.6)):
        rows = [(f"q{i}", p, int(rng.random() < chance)) for i in range(60) for p in ("p1", "p2")]
        frame = pd.DataFrame(rows, columns=["item", "prompt", "accuracy"]).assign(model="m")
        frame.to_csv(tmp_path / f"{side}.csv", index=False)
    found = podium.gate(tmp_path / "old.csv", tmp_path / "new.csv", margin=0.02)
    assert found.status == 3
    codes = [note.code for note in found.notes]
    assert "these-conditions" in codes
    assert "few-conditions" not in codes  # whose way out a gate does not have


@pytest.mark.parametrize("side", ["old", "new"])
def test_what_missing_scores_leave_open_is_said_and_no_hole(side):
    right = (np.arange(40) % 3 > 0).astype(float)
    whole = pd.DataFrame({"item": [f"q{i}" for i in range(40)], "accuracy": right})
    sides = {"old": whole, "new": whole} | {side: whole.iloc[4:]}
    made = podium.gate(*sides.values(), measure="accuracy", sampling="items",
                       **({"margin": 0.2} if side == "new" else {}))  # fmt: skip
    text = repr(made)
    assert f"the {side} one lacks 4 scores that the other has" in text
    assert "p = –" not in text


# -- caveats ---------------------------------------------------------------------------------------


def test_missing_scores_are_told_once_and_the_rest_behind_why(old, tmp_path, capsys):
    some = right(0.9)
    for item in ("q150", "q160", "q170"):
        del some[item]
    new = write_items(tmp_path / "after.csv", some)
    _, said = ran(capsys, old, new, "--margin", 0.05, "--gaps", "worst")
    assert "\nCaveats    " in said.out
    assert "There are 3 scores in the old one alone; the new version's count as worst" in said.out
    assert said.out.count("worst") == 1
    assert "Note (" not in said.out
    assert "More       --why  all notes in full\n" in said.out
    _, said = ran(capsys, old, new, "--margin", 0.05, "--gaps", "worst", "--why")
    assert "Note (filled-new): Where the new one has no score it has the worst, 0" in said.out
    assert "Note (only-in-one): There are 3 scores" in said.out
    assert "Caveats" not in said.out


def test_runs_of_mlflow_are_compared_though_files_are_called_otherwise(tmp_path: Path) -> None:
    for name, scores in (("old", (0.80, 0.81, 0.79, 0.80)), ("new", (0.85, 0.86, 0.84, 0.87))):
        rows = [f"{name}{i},FINISHED,{s},svm,{i}" for i, s in enumerate(scores)]
        head = "run_id,status,metrics.acc,params.model,params.seed"
        (tmp_path / f"{name}.csv").write_text("\n".join([head, *rows]))
    found = podium.gate(tmp_path / "old.csv", tmp_path / "new.csv")
    (row,) = found.to_dict()["benchmarks"]
    assert row["new"] - row["old"] == pytest.approx(0.055)


def test_scores_without_a_name_are_of_the_measure_that_the_other_side_names():
    """Either side may be a mapping from items: it has no column that says what is measured."""
    before, after = right(0.9), right(0.8)
    tables = [pd.DataFrame({"item": [*s], "accuracy": [*s.values()]}) for s in (before, after)]
    wanted = podium.gate(*tables)
    for old, new in ((before, tables[1]), (tables[0], after)):
        found = podium.gate(old, new)
        pd.testing.assert_frame_equal(found.table, wanted.table)
        assert found.table["measure"].tolist() == ["accuracy"]
    (row,) = podium.gate(before, after, higher_is_better=True).to_dict()["benchmarks"]
    assert (row["old"], row["new"], row["verdict"]) == (
        pytest.approx(0.9),
        pytest.approx(0.8),
        "worse",
    )


def test_the_column_of_numbers_that_has_no_other_role_holds_the_scores():
    """Without a column of algorithms or a known measure; words and counters are none."""
    rng = np.random.default_rng(3)
    values = rng.normal([[0.5], [0.9]], 0.1, (2, 40))
    old, new = (
        pd.DataFrame(
            {"item": [f"q{i}" for i in range(40)], "#": range(40), "model v2": v, "remark": "x"}
        )
        for v in values
    )
    found = podium.gate(old, new, higher_is_better=False).table.iloc[0]
    assert (found["old"], found["new"]) == pytest.approx(tuple(values.mean(axis=1)))
    assert (found["measure"], found["verdict"]) == ("model v2", "worse")
    with pytest.raises(PodiumError, match=r"scores of 2 algorithms \(model v2, other\)"):
        podium.gate(old.assign(other=1.0), new.assign(other=1.0), higher_is_better=False)
    both = [t.assign(other=0.5) for t in (old, new)]
    named = podium.gate(*both, algorithm="model v2", higher_is_better=False).table.iloc[0]
    assert named["difference"] == pytest.approx(found["difference"])


# -- by hand ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "worst"), [("accuracy", 0.0), ("rmse", 0.95)]
)  # the bound, or the worst that was seen
def test_what_the_new_one_lacks_counts_as_the_worst_there_is(measure, worst):
    before = {f"q{i:02d}": 0.05 + 0.9 * (i % 7) / 6 for i in range(40)}
    after = {q: 0.9 * v for q, v in list(before.items())[:37]}
    asked = {"measure": measure, "sampling": "items"}
    found = podium.gate(*_frames(before, after, measure), gaps="worst", **asked).table.iloc[0]
    new = np.r_[[*after.values()], np.full(3, worst)]
    difference = new - np.array([*before.values()])
    assert (found["blocks"], found["new"]) == (40, pytest.approx(new.mean()))
    assert found["difference"] == pytest.approx(difference.mean())
    assert (found["only_old"], found["only_new"]) == (3, 0)
    less = podium.gate(*_frames(before, after, measure), **asked).table.iloc[0]
    assert (less["blocks"], less["new"]) == (37, pytest.approx(np.mean([*after.values()])))
    turned = podium.gate(*_frames(after, before, measure), gaps="worst", **asked).table.iloc[0]
    assert (turned["blocks"], turned["only_new"]) == (37, 3)  # the old one gains nothing by gaps


def _frames(*scores_and_measure):
    *scores, measure = scores_and_measure
    return [pd.DataFrame({"item": [*s], measure: [*s.values()]}) for s in scores]


@pytest.mark.parametrize(
    ("text", "units"), [("5%", 0.025), ("0.02", 0.02), (0.5, 0.5), ("1e-3", 1e-3)]
)
def test_a_margin_in_percent_is_a_share_of_the_old_mean(text, units):
    rng = np.random.default_rng(1)
    frames = _frames(
        *({f"q{i}": v for i, v in enumerate(rng.normal(0, 0.1, 30) + 0.5)} for _ in "ab"), "rmse"
    )
    old = frames[0]["rmse"].mean()
    (margin,) = podium.gate(*frames, margin=text, sampling="items").table["margin"]
    assert margin == pytest.approx(units * old / 0.5 if text == "5%" else units)


def test_adjusted_p_values_are_sidaks_and_verdicts_follow_them():
    """Of three benchmarks: 1 - (1 - p)^3, and each at its level."""
    rng = np.random.default_rng(8)
    gains = {"a": 0.12, "b": 0.0, "c": 0.02}
    rows = [
        (name, side, i, 1.0 + 0.1 * rng.normal() + gain * (side == "new"))
        for name, gain in gains.items()
        for side in ("old", "new")
        for i in range(12)
    ]
    table = pd.DataFrame(rows, columns=["dataset", "side", "run", "time"])
    sides = [table[table["side"] == s].drop(columns="side") for s in ("old", "new")]
    for margin in (None, 0.1):
        found = podium.gate(*sides, sampling="runs", margin=margin).table
        for name in ("p_worse", "p_margin")[: 1 + (margin is not None)]:
            assert found[f"{name}_adjusted"].tolist() == pytest.approx(
                [*(1 - (1 - found[name]) ** 3)]
            )
        for row in found.itertuples():
            within = margin is not None and row.p_margin_adjusted <= 0.05
            worse = row.p_worse_adjusted <= 0.05
            rest = "not shown to be worse" if margin is None else "undecided"
            assert row.verdict == ("not worse" if within else "worse" if worse else rest)
            assert worse == (row.lower > 0)
        each = 1 - 0.95 ** (1 / 3)
        for row, name in zip(found.itertuples(), "abc", strict=True):
            old, new = (s.loc[s["dataset"] == name, "time"] for s in sides)
            welch = stats.ttest_ind(new, old, equal_var=False)
            ends = welch.confidence_interval(1 - 2 * each)
            assert (row.lower, row.upper) == pytest.approx((ends.low, ends.high))
            assert row.p_worse == pytest.approx(stats.t.sf(welch.statistic, welch.df))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"margin": [0.01, 0.02]}, "Several margins need names"),
        ({"gaps": "wurst"}, "Did you mean 'worst'"),
        ({"margin": {"accuracy": "1e999"}}, "A margin is a number above 0"),
        ({"margin": "accuracy=0.01,accuracy=0.02"}, "two margins of 'accuracy'"),
        ({"margin": "accuracy=0.0"}, "use --improve accuracy"),
    ],
)
def test_requests_that_make_no_sense_are_refused(options, says):
    with pytest.raises(PodiumError, match=says):
        podium.gate(*_frames(right(0.9), right(0.8), "accuracy"), **options)


@pytest.mark.parametrize("gaps", ["complete", "pairs"])
def test_two_sides_have_no_other_pairs_to_keep(gaps):
    """Of two, each pair on its common blocks is all on complete ones: that is the usual way."""
    before = {f"q{i:02d}": 0.05 * (i % 7) + 0.3 for i in range(30)}
    after = {q: v * 0.9 for q, v in list(before.items())[:28]}
    frames = _frames(before, after, "rmse")
    usual = podium.gate(*frames, sampling="items").table
    found = podium.gate(*frames, sampling="items", gaps=gaps).table
    assert found["blocks"].tolist() == usual["blocks"].tolist() == [28]
    assert found["p_worse"].tolist() == pytest.approx(usual["p_worse"].tolist())
