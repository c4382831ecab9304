"""OpenML, against a server on this machine that speaks as OpenML does; nothing is downloaded."""

import gzip
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from openml_made import (
    ARFF,
    SPARSE,
    StandIn,
    answer,
    failure,
    parquet,
    slow,
    split_rows,
    splits_arff,
    truncated,
)
from sklearn.naive_bayes import GaussianNB

import podium
from podium.cli.main import status_of
from podium.core.base.writing import cache_folder
from podium.errors import DesignError, MissingPackage
from podium.running.design.data import arff as download
from podium.running.design.data import openml
from podium.running.design.data.arff import cached, read_arff
from podium.running.design.data.sources import all_from_source, from_source, options_of
from podium.running.design.studyfile import parse_study

REGRESSION = """\
@relation r
@attribute x numeric
@attribute y numeric
@data
""" + "\n".join(f"{i / 7!r},{i % 4}" for i in range(30))


@pytest.fixture
def server(tmp_path, monkeypatch):
    standin = StandIn()
    monkeypatch.setenv("PODIUM_OPENML_SERVER", standin.url + "/")
    monkeypatch.setenv("PODIUM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(download, "PAUSE", 0.01)
    standin.put_data(61, row_id_attribute="id", ignore_attribute="who")
    standin.put_task(59, 61)
    yield standin
    standin.stop()


def refusal(source, **options):
    with pytest.raises(DesignError) as error:
        all_from_source("f", source, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


# --- data sets ---


def test_a_number_gives_the_data_less_what_openml_says_to_leave_out(server):
    data = from_source("f", "openml:61")
    assert list(data.X.columns) == ["sepal length", "colour", "when"]
    assert data.origin == "openml:61"
    assert data.classes == ("Iris-setosa", "Iris-versicolor")
    np.testing.assert_array_equal(data.y, np.arange(30) % 2)
    table = read_arff(ARFF, "F")
    np.testing.assert_array_equal(data.X["sepal length"], table["sepal length"])
    assert set(data.X["colour"].cat.categories) == {"red", "dark blue", "it's", "TRUE"}
    assert data.X["colour"].isna().sum() == 6


@pytest.mark.parametrize(
    "stated", [["who", "when"], "who,when", "who, when"], ids=["list", "text", "blanks"]
)
def test_attributes_to_ignore_come_in_several_spellings(server, stated):
    server.put_data(62, ignore_attribute=stated, row_id_attribute=[])
    assert list(from_source("f", "openml:62").X.columns) == ["sepal length", "colour", "id"]


def test_options_choose_the_target_and_further_columns_to_leave_out(server):
    data = from_source("f", "openml:61", target="id", ignore=("when", "who"), positive=None)
    assert (data.task, list(data.X.columns)) == ("regression", ["sepal length", "colour", "class"])
    np.testing.assert_array_equal(data.y, np.arange(30))
    grouped = from_source("f", "openml:61", group="who", positive="Iris-setosa")
    np.testing.assert_array_equal(grouped.groups, np.arange(30) % 3)
    assert grouped.classes[-1] == "Iris-setosa"


def test_a_numeric_target_is_a_quantity_however_few_values_it_has(server):
    server.put_data(63, REGRESSION, default_target_attribute="y")
    assert from_source("f", "openml:63").task == "regression"
    assert from_source("f", "openml:63", task="classification").classes == ("0", "1", "2", "3")


def test_sparse_data_become_a_full_table(server):
    server.put_data(64, SPARSE, default_target_attribute="y", format="Sparse_ARFF")
    data = from_source("f", "openml:64")
    np.testing.assert_array_equal(data.X, [[1.5, 0], [0, 2], [0, 0], [3, -1]])
    np.testing.assert_array_equal(data.y, [1, 0, 0, 1])


@pytest.fixture
def without_pyarrow(monkeypatch):
    def absent(*args, **options):
        raise MissingPackage("none")

    return lambda: monkeypatch.setattr(openml, "require", absent)


def keys(data):
    study = podium.Study(data, {"nb": GaussianNB()}, sampling="cv:3", seed=4)
    return [run.key for run in study]


@pytest.mark.parametrize("key", ["parquet_url", "minio_url"])
@pytest.mark.parametrize(
    "levels", [{}, {"colour": json.dumps(["red", "dark blue", "it's", "TRUE"])}]
)
def test_parquet_and_arff_are_the_same_data(server, without_pyarrow, key, levels):
    server.put_data(65)
    server.put_parquet(65, parquet(read_arff(ARFF, "F")), key, **levels)
    about = server.pages["/api/v1/json/data/65"]["data_set_description"]
    by_parquet, table = from_source("f", "openml:65"), openml._table("F", about)
    assert "/data/v1/download/65/flowers.arff" not in server.asked
    without_pyarrow()
    by_arff = from_source("f", "openml:65")
    assert "/data/v1/download/65/flowers.arff" in server.asked
    pd.testing.assert_frame_equal(table, openml._table("F", about))
    pd.testing.assert_frame_equal(by_parquet.X, by_arff.X)
    np.testing.assert_array_equal(by_parquet.y, by_arff.y)
    assert by_parquet.fingerprint == by_arff.fingerprint
    assert keys(by_parquet) == keys(by_arff)


def test_a_task_is_the_same_by_parquet_and_by_arff(server, without_pyarrow):
    server.put_data(65)
    server.put_parquet(65, parquet(read_arff(ARFF, "F")))
    server.put_task(66, 65)
    by_parquet = from_source("f", "openml:task/66")
    without_pyarrow()
    by_arff = from_source("f", "openml:task/66")
    assert by_parquet.fingerprint == by_arff.fingerprint
    assert by_parquet.facts == by_arff.facts


def test_a_damaged_parquet_file_is_no_obstacle(server):
    server.put_data(65)
    server.put_parquet(65, b"PAR1 and no more")
    assert from_source("f", "openml:65").n == 30
    assert not cached(f"{server.root}/dataset65/dataset_65.pq").exists()


def test_an_outdated_address_of_parquet_is_no_obstacle(server):
    server.put_data(66, minio_url=f"{server.root}/gone/dataset_66.pq")
    server.pages["/api/v1/json/data/features/66"] = {"data_features": {"feature": []}}
    assert from_source("f", "openml:66").n == 30


@pytest.mark.parametrize(
    ("number", "shape", "classes"),
    [(61, (150, 4), 3), (292, (85, 14), 2), (561, (209, 7), 0), (42585, (344, 6), 3)],
    ids=["iris", "australian", "cpu", "penguins"],
)
def test_openml_s_own_pages_are_understood(server, number, shape, classes):
    """Shipped by scikit-learn: descriptions as OpenML gives them, one of them deactivated."""
    folder = Path(sklearn.datasets.__file__).parent / f"tests/data/openml/id_{number}"
    page = json.loads(gzip.decompress((folder / f"api-v1-jd-{number}.json.gz").read_bytes()))
    content = gzip.decompress(next(folder.glob("data-v1-dl-*.arff.gz")).read_bytes())
    about = page["data_set_description"]
    about["url"] = f"{server.root}/data.arff"
    about["md5_checksum"] = hashlib.md5(content).hexdigest()  # some files are shortened
    server.pages |= {f"/api/v1/json/data/{number}": page, "/data.arff": content}
    data = from_source("d", f"openml:{number}+deactivated")
    assert (data.X.shape, len(data.classes)) == (shape, classes)


# --- tasks and suites ---


def samples_of(data):
    study = podium.Study(data, {"nb": GaussianNB()}, sampling="openml")
    return study, [study.sampler.sample(data, i + 1)[1].splits for i in range(study.samples(data))]


def test_a_task_brings_its_target_and_its_splits_exactly(server):
    rows = list(split_rows(30, repeats=2, folds=3, seed=5))
    server.put_task(60, 61, rows, target="class")
    study, samples = samples_of(from_source("f", "openml:task/60"))
    assert str(study.sampling) == "repeated-cv:2x3"
    for number, (split,) in enumerate(samples):
        place = divmod(number, 3)
        for part, found in (("TRAIN", split.train), ("TEST", split.test)):
            assert [r for t, r, *at in rows if (t, *at) == (part, *place)] == list(found)


@pytest.mark.parametrize(
    ("rows", "percentage", "sampling"),
    [
        (split_rows(30, folds=10), None, "cv:10"),
        (split_rows(30, repeats=5, folds=2), None, "5x2cv"),
        (split_rows(30, folds=30), None, "loo"),
        ([r for r in split_rows(30, folds=2, test_share=0.33) if r[3] == 0], "33", "holdout:0.67"),
        ([r for r in split_rows(30, folds=2, test_share=0.33) if r[3] == 0], None, "holdout:0.67"),
        ([r for r in split_rows(30, folds=2, test_share=0.33) if r[3] == 0], "38", "holdout:0.62"),
        ([r for r in split_rows(30, folds=2, test_share=0.33) if r[3] == 0], "39", "holdout:0.67"),
        ([r for r in split_rows(30, 4, 2, test_share=0.2) if r[3] == 0], None, "subsampling:4x0.8"),
        ([r for r in split_rows(30, folds=3) if r[0] == "TRAIN" or r[1] > 9], None, "splitter"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_splits_are_taken_for_what_they_are(server, rows, percentage, sampling):
    server.put_task(60, 61, rows, percentage=percentage)
    assert str(from_source("f", "openml:task/60").sampling) == sampling


def test_splits_are_part_of_what_a_task_is(server):
    server.put_task(60, 61)
    one, other = (from_source("f", f"openml:task/{t}") for t in (59, 60))
    again = from_source("g", "openml:task/59")
    assert one.fingerprint == again.fingerprint
    assert len({one.fingerprint, other.fingerprint, from_source("f", "openml:61").fingerprint}) == 3


def test_a_suite_is_all_of_its_tasks(server):
    server.put_data(63, REGRESSION, default_target_attribute="y")
    server.put_task(70, 63, target="y", kind="Supervised Regression")
    server.put_task(71, 61)
    server.put_suite(99, [59, 70, 71])
    names = ["s/flowers61-59", "s/flowers63", "s/flowers61-71"]  # two tasks of one data set
    found = all_from_source("s", "openml:suite/99")
    assert [d.name for d in found] == names
    assert [d.task for d in found] == ["classification", "regression", "classification"]
    assert [d.facts["openml_task"] for d in found] == [59, 70, 71]
    server.put_suite(98, [59])  # a list of one is no list
    assert [d.name for d in all_from_source("s", "openml:suite/98")] == ["s/flowers61"]


# --- the cache ---


def test_what_was_fetched_is_there_without_a_network(server):
    first = from_source("f", "openml:task/59")
    asked = list(server.asked)
    server.stop()
    assert from_source("f", "openml:task/59").fingerprint == first.fingerprint
    assert server.asked == asked
    server.stop = lambda: None


def test_what_downloads_is_loaded_for_downloads_only(server):
    from_source("f", "openml:61")
    script = (
        "import sys\nfrom podium.running.design.data.sources import from_source\n"
        "from_source('f', 'openml:61')\n"
        "print(sorted({'pooch', 'requests'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("damage", [b"", b"@relation r", b"{", ARFF[:900].encode()])
@pytest.mark.parametrize("page", ["/api/v1/json/data/61", "/data/v1/download/61/flowers.arff"])
def test_a_damaged_file_of_the_cache_is_fetched_again(server, page, damage):
    first = from_source("f", "openml:61")
    path = cached(server.root + page)
    good = path.read_bytes()
    path.write_bytes(damage)
    assert from_source("f", "openml:61").fingerprint == first.fingerprint
    assert path.read_bytes() == good
    assert [p.name for p in path.parent.iterdir()] == [path.name]  # nothing half written is left


def test_the_folder_of_the_cache_can_be_chosen(monkeypatch, tmp_path):
    for variable in ("PODIUM_CACHE", "OPENML_CACHE_DIRECTORY", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", "/h")
    assert str(cache_folder()) == "/h/.cache/podium"
    for variable, place in (("XDG_CACHE_HOME", "x"), ("OPENML_CACHE_DIRECTORY", "o")):
        monkeypatch.setenv(variable, f"/{place}")
        assert str(cache_folder()) == f"/{place}/podium"
    monkeypatch.setenv("PODIUM_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    inside = [cached(f"http://h/a/../../{x}") for x in ("b", "b?c", "../..", "")]
    assert len(set(inside)) == 4
    assert all(tmp_path in p.resolve().parents for p in inside)


def test_a_cache_that_cannot_be_written_is_done_without(server, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PODIUM_CACHE", str(tmp_path / "file"))
    assert from_source("f", "openml:61").n == from_source("f", "openml:61").n == 30
    assert server.asked.count("/api/v1/json/data/61") == 2


# --- what goes wrong ---


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"status": "deactivated"}, "has deactivated its data set 67 ('flowers67', version 1)"),
        ({"default_target_attribute": []}, "OpenML names no target of its data set 67. Say which"),
        ({"default_target_attribute": "clas"}, "no column 'clas' for its target. Did you mean"),
        ({"default_target_attribute": "id,who"}, "has 2 targets. Say which with target = ..."),
        ({"default_target_attribute": "colour"}, "'colour' is missing in 6 of 30 rows"),
        ({"md5_checksum": "0" * 32}, "does not have the checksum that its description states"),
        ({"url": "file:///etc/passwd"}, "is no address that begins with http:// or https://"),
        ({"url": ""}, "is no address that begins with http:// or https://"),
    ],
    ids=lambda v: next(iter(v)) if isinstance(v, dict) else "",
)
def test_a_description_that_will_not_do_is_one_sentence(server, more, words):
    server.put_data(67, **more)
    assert words in refusal("openml:67")


def test_deactivated_data_can_be_asked_for(server):
    server.put_data(67, status="deactivated")
    server.put_task(68, 67)
    assert from_source("f", "openml:67+deactivated").n == 30
    assert "deactivated" in refusal("openml:task/68")
    assert from_source("f", "openml:task/68+deactivated").n == 30


UNKNOWN = "Look the number up at openml.org"


@pytest.mark.parametrize(
    ("source", "page", "words"),
    [
        ("openml:404", None, "OpenML does not give data 404: Unknown dataset. " + UNKNOWN),
        (
            "openml:task/404",
            lambda h: answer(h, 404, failure(151, "Unknown task.")),
            "OpenML does not give task 404: Unknown task. ",
        ),
        (
            "openml:suite/404",
            lambda h: answer(h, 404, "<html>"),
            "OpenML does not give suite 404: it answers with the status 404. ",
        ),
        ("openml:404", lambda h: answer(h, 412, "{", length=99), "the status 412. " + UNKNOWN),
        ("openml:404", "<html>maintenance</html>", "gives no description of data 404"),
        ("openml:404", {"data": []}, "gives no description of data 404"),
        ("openml:404", lambda h: answer(h, 503, ""), "with the status 503. Try again later."),
        ("openml:404", truncated(ARFF), "broke off. Try again later."),
    ],
)
def test_an_answer_that_is_none_is_one_sentence(server, source, page, words):
    kind = source.removeprefix("openml:").replace("suite", "study").replace("404", "")
    if page is not None:
        server.pages[f"/api/v1/json/{kind or 'data/'}404"] = page
    assert words in refusal(source)
    busy = 3 if "Try again" in words else 1
    assert len(server.asked) == busy


def test_a_server_that_recovers_is_waited_for(server):
    pages = [truncated(ARFF), lambda h: answer(h, 500, ""), ARFF]
    server.pages["/data/v1/download/61/flowers.arff"] = lambda h: (
        page(h) if callable(page := pages.pop(0)) else answer(h, 200, page)
    )
    assert from_source("f", "openml:61").n == 30


def test_silence_is_not_waited_for_for_ever(server, monkeypatch):
    monkeypatch.setattr(download, "TIMEOUT", 0.2)
    server.pages["/api/v1/json/data/61"] = slow(1)
    assert "did not answer within 0.2 seconds. Try again later." in refusal("openml:61")


def test_without_a_network_the_way_out_is_named(server):
    server.stop()
    server.stop = lambda: None
    said = refusal("openml:61")
    assert "cannot be reached (Connection refused), and the cache" in said
    assert "Connect to the network once" in said


@pytest.mark.parametrize("address", ["ftp://x", "www.openml.org", "http://[", "http://a b"])
def test_an_address_that_is_none_is_said(monkeypatch, tmp_path, address):
    monkeypatch.setenv("PODIUM_OPENML_SERVER", address)
    monkeypatch.setenv("PODIUM_CACHE", str(tmp_path))
    said = refusal("openml:61")
    assert "begins with http:// or https://" in said or "cannot be reached" in said


def without(key, *path):
    def changed(task):
        inner = task["task"]
        for step in path:
            inner = inner[step]
        inner.pop(key)
        return task

    return changed


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: {"task": t["task"] | {"task_type": "Clustering"}}, "the type 'Clustering'"),
        (without("data_set_id", "input", 0, "data_set"), "names no data set or no splits"),
        (without("input"), "names no data set or no splits"),
    ],
)
def test_a_task_that_cannot_be_run_is_refused(server, change, words):
    page = "/api/v1/json/task/59"
    server.pages[page] = change(server.pages[page])
    assert words in refusal("openml:task/59")


@pytest.mark.parametrize(
    ("splits", "words"),
    [
        ([], "has no splits"),
        ([("TRAIN", 1, 0, 0), ("TEST", 30, 0, 0)], "fold 0, names row 30; rows are numbered"),
        ([("TRAIN", 1, 0, 0), ("TEST", 1, 0, 0)], "learns from row 1 and tests on it too"),
        ([("TRAIN", 1, 0, 0)], "lacks its train or test rows"),
        ([("TRAIN", 1, 0, 1), ("TEST", 2, 0, 1)], "repeats and folds from 0 without a break"),
        ([("TRAIN", 1.5, 0, 0), ("TEST", 2, 0, 0)], "column 'rowid' of its splits"),
    ],
)
def test_splits_that_do_not_fit_are_refused(server, splits, words):
    server.put_task(60, 61, splits)
    assert words in refusal("openml:task/60")


def test_a_learning_curve_and_a_table_of_something_else_are_refused(server):
    address = "/api_splits/get/59/Task_59_splits.arff"
    text = splits_arff(split_rows(30)).replace("@data", "@attribute sample numeric\n@data")
    head, _, rows = text.partition("@data\n")
    curve = [f"{r},{i % 2}" for i, r in enumerate(rows.split())]
    server.pages[address] = head + "@data\n" + "\n".join(curve)
    assert "is a learning curve" in refusal("openml:task/59")
    server.put_task(60, 61)
    server.pages[address.replace("59", "60")] = SPARSE
    assert "lacks the column 'type'" in refusal("openml:task/60")


@pytest.mark.parametrize("number", ["", "iris", "run/1", "-1", "6 1", "61+stratified"])
def test_a_source_that_names_nothing_shows_how_it_is_written(number):
    said = refusal(f"openml:{number}")
    assert "'openml:61' (a data set), 'openml:task/59' or 'openml:suite/99'" in said


def test_a_suite_is_not_one_data_set_and_options_go_with_their_source(server):
    server.put_suite(99, [59])
    with pytest.raises(DesignError, match="names 1 data sets; take one of its tasks"):
        from_source("f", "openml:suite/99")
    server.pages["/api/v1/json/study/97"] = {"study": {"id": "97", "tasks": []}}
    assert "suite 97 lists no tasks" in refusal("openml:suite/97")
    assert "'target' does not go with" in refusal("openml:task/59", target="class")
    assert options_of("openml:suite/99") == ()


def test_a_pair_of_targets_is_refused(server):
    said = refusal("openml:61", task="survival", target=["id", "class"])
    assert "data of OpenML have one column as target, not ['id', 'class']" in said


@pytest.mark.parametrize("which", ["task/59", "suite/99"])
def test_a_study_file_states_no_target_of_a_task(server, which):
    server.put_suite(99, [59])
    text = f"""sampling = "openml"
[[datasets]]
name = "f"
source = "openml:{which}"
target = "colour"
[[algorithms]]
name = "nb"
estimator = "majority"
"""
    with pytest.raises(DesignError, match=f"line 5.*'target' does not go with.*{which}"):
        parse_study(text)


# --- studies ---

STUDY = """\
sampling = "openml"
measures = ["error"]
keep = ["predictions"]
[[datasets]]
name = "suite"
source = "openml:suite/99"
[[datasets]]
name = "f"
source = "openml:task/59"
ignore = ["when"]
[[algorithms]]
name = "tree"
estimator = "sklearn.tree.DecisionTreeClassifier"
preprocess = true
"""


def test_tasks_that_are_sampled_differently_need_a_study_each(server):
    server.put_task(60, 61, split_rows(30, folds=3))
    tasks = [from_source(n, f"openml:task/{t}") for n, t in (("a", 59), ("b", 60))]
    with pytest.raises(DesignError, match="'a' is by 'cv:5', 'b' by 'cv:3'"):
        podium.Study(tasks, {"nb": GaussianNB()}, sampling="openml")
    plain = from_source("c", "openml:61")
    with pytest.raises(DesignError, match="Write its source as 'openml:task/NUMBER'"):
        podium.Study([tasks[0], plain], {"nb": GaussianNB()}, sampling="openml")


def test_tasks_can_be_sampled_otherwise_too(server):
    study = parse_study(STUDY.replace('"openml"', '"bootstrap:2"').replace("suite/99", "61"))
    assert [study.samples(d) for d in study.datasets] == [2, 2]


def test_a_study_of_a_suite_runs_and_runs_again_without_a_network(server, tmp_path, capsys):
    """The same scores by two processes online and by one offline."""
    server.put_task(71, 61)
    server.put_suite(99, [59, 71])
    study = tmp_path / "study.toml"
    study.write_text(STUDY)

    def run(store, jobs="1"):
        options = ["--store", str(tmp_path / store), "--quiet", "--jobs", jobs]
        return status_of(["run", str(study), *options])

    assert run("a.db", jobs="2") == 0
    server.stop()
    server.stop = lambda: None
    assert run("b.db") == 0
    tables = [podium.read(tmp_path / f"{n}.db") for n in "ab"]
    assert tables[0].datasets == ["suite/flowers61-59", "suite/flowers61-71", "f"]
    assert str(tables[0].sampling) == "cv:5"
    assert len(tables[0].scores) == 15
    pd.testing.assert_frame_equal(tables[0].scores, tables[1].scores)
    cache_folder().rename(tmp_path / "gone")
    assert run("c.db") == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "study.toml, line 6: Data set 'suite'" in said
    assert "cannot be reached" in said
