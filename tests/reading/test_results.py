"""Results: what the tables of a store say, in which order, and what they hide (nothing)."""

import csv

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import podium
from podium import Measure, Store
from podium.core.base.tables import FAILURES, RUNS, SCORES, SUMMARY, WARNINGS
from podium.errors import ResultsError
from podium.reading.store import Record, Warned
from podium.running.execution.runner import execute
from podium.testing.files import ERROR, begun, failed, key, record

SCRIPT = "<script>alert('x')</script>"


def data(name, n=30, seed=0):
    rng = np.random.default_rng([seed, n])
    X = rng.normal(size=(n, 2))
    return podium.dataset(name, X, (X[:, 0] + rng.normal(size=n) > 0).astype(int))


ZEBRA, APE = data("zebra"), data("ape", 20)
ALGORITHMS = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}


def study(datasets=(ZEBRA, APE), algorithms=ALGORITHMS, sampling="bootstrap:3", **options):
    return podium.Study(list(datasets), algorithms, sampling=sampling, **options)


ANYTHING = Measure("error", False, spec="of any size")


def names(samples=4, algorithms=("a",)):
    """Changes to the small study of `begun`: so many samples, these algorithms."""
    return {"samples": {"d": samples}, "algorithms": dict.fromkeys(algorithms, "1")}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    path = tmp_path_factory.mktemp("results") / "s.db"
    return podium.run(study(measures=["log-loss", "error"]), path, quiet=True, jobs=0)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "s.db"


@pytest.fixture
def store(path):
    with begun(Store(path, create=True)) as opened:
        yield opened


# --- tables and their order ---


def test_tables_have_their_columns(results):
    assert list(results.scores.columns) == list(SCORES.columns)
    assert list(results.runs.columns) == list(RUNS.columns)
    assert list(results.failures.columns) == list(FAILURES.columns)
    assert list(results.warnings.columns) == list(WARNINGS.columns)
    assert list(results.summary().columns) == list(SUMMARY.columns)


@pytest.mark.parametrize("table", [SCORES, RUNS])
def test_a_table_s_key_identifies_its_rows(table, results):
    assert not getattr(results, table.name).duplicated(list(table.key)).any()


def test_everything_stands_in_the_order_of_the_study(results):
    assert results.datasets == ["zebra", "ape"]
    assert results.algorithms == ["tree", "bayes"]
    assert list(results.measures) == ["log-loss", "error"]
    runs = [tuple(r) for r in results.runs[["dataset", "sample", "algorithm"]].to_numpy()]
    assert runs == [(d, s, a) for d in ("zebra", "ape") for s in (1, 2, 3) for a in ALGORITHMS]
    rows = [tuple(r) for r in results.scores.drop(columns="value").to_numpy()]
    assert rows == [(d, a, s, m) for d, s, a in runs for m in ("log-loss", "error")]
    table = results.summary()[["dataset", "measure", "algorithm"]]
    assert [tuple(r) for r in table.to_numpy()] == [
        (d, m, a) for d in ("zebra", "ape") for m in ("log-loss", "error") for a in ALGORITHMS
    ]


def test_the_order_is_that_of_the_study_that_was_run_last(path):
    podium.run(study(), path, quiet=True, jobs=0)
    turned = study([APE, ZEBRA], dict(reversed(ALGORITHMS.items())))
    results = podium.run(turned, path, quiet=True, jobs=0)
    assert (results.datasets, results.algorithms) == (["ape", "zebra"], ["bayes", "tree"])
    assert list(results.scores["dataset"].unique()) == ["ape", "zebra"]
    assert list(results.scores["algorithm"][:2]) == ["bayes", "tree"]


def test_failures_and_warnings_stand_in_the_order_of_the_study_s_runs(store):
    def one(sample, algorithm, failure=None):
        name = f"{algorithm}{sample:015d}".encode()
        warned = (Warned("UserWarning", algorithm, 1),)
        return Record(name, "d", algorithm, sample, failure=failure, warnings=warned)

    why = failed(1).failure
    begun(store, **names(2, ["late"]))
    store.append([one(s, "late", why) for s in (1, 2)])
    begun(store, **names(2, ["early", "late"]))
    store.append([one(s, "early", why) for s in (1, 2)])
    results = podium.read(store.path)
    for table in (results.failures, results.warnings):
        rows = [tuple(r) for r in table[["sample", "algorithm"]].to_numpy()]
        assert rows == [(1, "early"), (1, "late"), (2, "early"), (2, "late")]


def test_what_a_study_is_travels_with_its_results(path):
    results = podium.run(study(name="zoo", population="animals"), path, quiet=True, jobs=0)
    assert (results.name, results.population) == ("zoo", "animals")
    assert results.sampling == podium.samplings.bootstrap(3)
    assert results.facts["ape"].pop("characteristics")["n"] == APE.n
    assert results.facts["ape"] == APE.facts
    assert results.measures["error"] == Measure("error", False, (0, 1), "share", "error")
    assert results.provenance[0]["packages"]["podium"] == podium.__version__


def test_bounds_of_measures_come_back(path):
    own = podium.measure("bias", lambda y, p: p - y, higher_is_better=True, unit="x")
    bounded = podium.measure("b", lambda y, p: p, higher_is_better=False, bounds=(-1, np.inf))
    read = podium.run(study(measures=[own, bounded]), path, quiet=True, jobs=0).measures
    assert read["bias"] == own.measure
    assert read["b"] == bounded.measure


# --- what is missing, failed and superseded ---


def test_missing_runs_are_rows(store):
    store.append([record(2, error=0.5), failed(3)])
    results = podium.read(store.path)
    assert list(results.runs["status"]) == ["missing", "done", "failed", "missing"]
    assert results.missing().to_numpy().tolist() == [
        ["d", "a", 1, "missing"],
        ["d", "a", 3, "failed"],
        ["d", "a", 4, "missing"],
    ]
    row = results.summary().iloc[0]
    assert (row["samples"], row["failures"], row["missing"], row["mean"]) == (1, 1, 2, 0.5)


def test_an_algorithm_that_always_fails_has_a_row_in_the_summary(path):
    always = {"fails": DummyClassifier(strategy="constant", constant=9), **ALGORITHMS}
    results = podium.run(study([APE], always), path, quiet=True, jobs=0)
    row = results.summary().set_index("algorithm").loc["fails"]
    assert (row["samples"], row["failures"], row["missing"]) == (0, 3, 0)
    assert np.isnan(row["mean"])
    assert list(results.wide("error").columns) == ["dataset", "sample", *always]
    assert results.wide("error")["fails"].isna().all()
    assert list(results.failures["exception"]) == ["ValueError"] * 3


def test_a_study_that_was_begun_only_is_all_missing(store):
    results = podium.read(store.path)
    assert (results.runs["status"] == "missing").all()
    assert len(results.runs) == 4
    assert len(results.scores) == len(results.failures) == len(results.warnings) == 0
    assert list(results.summary()["missing"]) == [4]
    assert "0 done, 0 failed, 4 missing" in repr(results)
    assert results.wide("error").shape[1] == 3


def test_a_failure_is_forgotten_when_the_run_succeeds(store):
    store.append([failed(1), failed(1)])
    store.append([record(1, error=0.25)])
    results = podium.read(store.path)
    assert results.runs["status"].iloc[0] == "done"
    assert len(results.failures) == 0
    assert list(results.scores["value"]) == [0.25]


def test_warnings_are_those_of_the_record_that_counts(store):
    for message in ("old", "new"):
        warned = (Warned("UserWarning", message, 2), Warned("sample", "note", 1))
        store.append([Record(key(1), "d", "a", 1, {"error": 0.5}, warnings=warned)])
    results = podium.read(store.path)
    assert list(results.warnings["message"]) == ["new", "note"]
    assert results.runs["warnings"].iloc[0] == 3


def test_a_changed_parameter_supersedes(path):
    podium.run(study(), path, quiet=True, jobs=0)
    changed = ALGORITHMS | {"tree": DecisionTreeClassifier(max_depth=1)}
    results = podium.run(study(algorithms=changed), path, quiet=True, jobs=0)
    fresh = podium.run(study(algorithms=changed), path.with_name("fresh.db"), quiet=True, jobs=0)
    pd.testing.assert_frame_equal(results.scores, fresh.scores)
    assert len(results.runs) == 12


def test_a_changed_parameter_is_missing_until_it_is_run(path):
    podium.run(study(), path, quiet=True, jobs=0)
    changed = study(algorithms=ALGORITHMS | {"tree": DecisionTreeClassifier(max_depth=1)})
    begin_only(changed, path)
    results = podium.read(path)
    gone = results.missing()
    assert set(gone["algorithm"]) == {"tree"}
    assert len(gone) == 6
    assert set(results.scores["algorithm"]) == {"bayes"}


def begin_only(study, path):
    """Begin a study, and stop before anything is run."""

    class Stops:
        def start(self, total, done):
            raise KeyboardInterrupt

        def stop(self):
            pass

    with pytest.raises(KeyboardInterrupt):
        execute(study, path, progress=Stops())


def test_a_measure_added_later_is_missing_until_it_is_scored(path):
    podium.run(study([APE]), path, quiet=True, jobs=0)
    begin_only(study([APE], measures=["error", "log-loss"]), path)
    table = podium.read(path).summary().set_index(["measure", "algorithm"])
    assert list(table.loc["error", "samples"]) == [3, 3]
    assert list(table.loc["error", "missing"]) == [0, 0]
    assert list(table.loc["log-loss", "samples"]) == [0, 0]
    assert list(table.loc["log-loss", "missing"]) == [3, 3]


def test_predictions_that_are_wanted_and_not_yet_kept_make_a_run_missing(path):
    podium.run(study([APE]), path, quiet=True, jobs=0)
    begin_only(study([APE], keep=["predictions"]), path)
    results = podium.read(path)
    assert (results.runs["status"] == "missing").all()
    assert len(results.scores) == 6
    assert list(results.summary()["missing"]) == [0, 0]
    kept = podium.run(study([APE], keep=["predictions"]), path, quiet=True, jobs=0)
    assert (kept.runs["status"] == "done").all()


def test_an_old_failure_does_not_make_a_run_failed(store):
    """It failed, then was done; since then the study asks for one measure more."""
    store.append([failed(1)])
    store.append([record(1, error=0.5)])
    begun(store, (ERROR, Measure("auc", True, spec="auc")))
    results = podium.read(store.path)
    assert results.runs["status"].iloc[0] == "missing"
    assert len(results.failures) == 0
    assert results.runs["fit_time"].iloc[0] == 0.5


def test_every_run_is_accounted_for_in_the_summary(store):
    """Samples, undefined scores, failures and missing runs add up to the study's samples."""
    begun(store, **names(6))
    store.append([record(1, error=0.5), record(2, error=np.nan), failed(3), record(4)])
    row = podium.read(store.path).summary().iloc[0]
    undefined = 1
    assert row["samples"] + undefined + row["failures"] + row["missing"] == 6


def test_a_failure_of_a_measure_added_later_is_visible(path):
    """The first run was done without probabilities; the second one needs them and fails."""
    hard = {"hard": BrokenProbabilities()}
    podium.run(study([APE], hard), path, quiet=True, jobs=0)
    results = podium.run(
        study([APE], hard, measures=["error", "log-loss"]), path, quiet=True, jobs=0
    )
    assert len(results.failures) == 3
    assert set(results.failures["message"]) == {"no probabilities"}
    assert (results.runs["status"] == "failed").all()
    row = results.summary().set_index("measure").loc["log-loss"]
    assert (row["samples"], row["failures"]) == (0, 3)
    assert list(results.values("error")["value"].notna()) == [True] * 3  # these are still there


class BrokenProbabilities:
    """The majority, and nothing but."""

    def fit(self, X, y):
        self.most = np.bincount(y).argmax()
        return self

    def predict(self, X):
        return np.full(len(X), self.most)

    def predict_proba(self, X):
        raise ValueError("no probabilities")


def test_fewer_samples_later_show_fewer(path):
    more = podium.run(study(sampling="bootstrap:5"), path, quiet=True, jobs=0)
    fewer = podium.run(study(sampling="bootstrap:2"), path, quiet=True, jobs=0)
    assert len(fewer.runs) == 8
    assert str(fewer.sampling) == "bootstrap:2"
    kept = more.scores[more.scores["sample"] <= 2].reset_index(drop=True)
    pd.testing.assert_frame_equal(fewer.scores, kept)
    again = podium.run(study(sampling="bootstrap:5"), path, quiet=True, jobs=0)
    pd.testing.assert_frame_equal(again.scores, more.scores)


def test_a_dropped_algorithm_is_gone_and_comes_back(path):
    whole = podium.run(study(), path, quiet=True, jobs=0)
    results = podium.run(study([APE], {"tree": ALGORITHMS["tree"]}), path, quiet=True, jobs=0)
    assert (results.datasets, results.algorithms, len(results.scores)) == (["ape"], ["tree"], 3)
    pd.testing.assert_frame_equal(
        podium.run(study(), path, quiet=True, jobs=0).scores, whole.scores
    )


def first_definition(y, p):
    return y != p


def second_definition(y, p):
    return 10 + (y != p)


def test_the_study_s_definition_of_a_measure_counts_also_when_it_comes_back(path):
    def run(function):
        own = podium.measure("own", function, higher_is_better=False)
        return (
            podium.run(study(measures=[own]), path, quiet=True, jobs=0).scores["value"].to_numpy()
        )

    first, second = run(first_definition), run(second_definition)
    assert (second >= 10).all()
    assert (first <= 1).all()
    np.testing.assert_array_equal(run(first_definition), first)


# --- filters ---


def test_filters_keep_order_and_all_tables(results):
    part = results.filter(dataset="ape", algorithm=["bayes", "tree"], measure="error")
    assert (part.datasets, part.algorithms, list(part.measures)) == (
        ["ape"],
        ["tree", "bayes"],
        ["error"],
    )
    assert len(part.scores) == len(part.runs) == 6
    expected = results.scores.query("dataset == 'ape' and measure == 'error'")
    np.testing.assert_array_equal(part.scores["value"], expected["value"])
    assert len(results.scores) == 24  # results are values: a filter makes new ones
    assert len(part.summary()) == 2


def test_filters_narrow_failures_and_warnings(store):
    store.append([failed(1)])
    results = podium.read(store.path)
    assert len(results.filter(algorithm="a", dataset=["d"]).failures) == 1
    assert len(results.filter(measure="error").failures) == 1


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (
            {"dataset": "aep"},
            "'aep' is not a dataset. Did you mean 'ape'? Known: zebra, ape.",
        ),
        (
            {"algorithm": ["tree", "bayse"]},
            "'bayse' is not an algorithm. Did you mean 'bayes'? Known: tree, bayes.",
        ),
        ({"measure": "auc"}, "'auc' is not a measure. Known: log-loss, error."),
        ({"measure": []}, "A filter keeps at least one measure, not none."),
    ],
)
def test_a_filter_names_what_it_does_not_know(wanted, message, results):
    with pytest.raises(ResultsError) as caught:
        results.filter(**wanted)
    assert str(caught.value) == message


# --- values, wide tables and times ---


def test_values_are_the_scores_of_one_measure(results):
    table = results.values("error")
    assert list(table.columns) == ["dataset", "algorithm", "sample", "value"]
    expected = results.scores[results.scores["measure"] == "error"]["value"]
    np.testing.assert_array_equal(table["value"], expected)


def test_an_unknown_measure_is_named(results):
    with pytest.raises(ResultsError) as caught:
        results.values("eror")
    assert str(caught.value) == (
        "'eror' is not a measure of these results. Did you mean 'error'? "
        "Known: log-loss, error, fit-time, predict-time, time."
    )


def test_wide_has_a_row_for_every_sample_and_a_column_for_every_algorithm(results):
    wide = results.wide("error")
    assert list(wide.columns) == ["dataset", "sample", "tree", "bayes"]
    assert list(zip(wide["dataset"], wide["sample"], strict=True)) == [
        (d, s) for d in ("zebra", "ape") for s in (1, 2, 3)
    ]
    for row in wide.itertuples():
        for algorithm in ALGORITHMS:
            cell = results.scores.query(
                f"dataset == '{row.dataset}' and sample == {row.sample} "
                f"and algorithm == '{algorithm}' and measure == 'error'"
            )
            assert getattr(row, algorithm) == cell["value"].item()


def test_wide_has_no_rows_that_the_study_has_not(path):
    results = podium.run(study(sampling="loo"), path, quiet=True, jobs=0)
    wide = results.wide("error")
    assert wide.groupby("dataset", observed=True).size().to_dict() == {"zebra": 30, "ape": 20}
    assert wide.notna().all(axis=None)


def test_wide_shows_samples_in_which_everything_failed(store):
    begun(store, **names(3, ["a", "b"]))
    store.append([failed(1), record(2, error=0.5)])
    wide = podium.read(store.path).wide("error")
    assert list(wide["sample"]) == [1, 2, 3]
    assert wide["a"].isna().tolist() == [True, False, True]
    assert wide["b"].isna().all()


def test_wide_shows_an_undefined_score_as_missing(store):
    store.append([record(s, error=v) for s, v in enumerate([np.nan, 1.0, np.nan, 0.0], 1)])
    np.testing.assert_array_equal(
        podium.read(store.path).wide("error")["a"], [np.nan, 1, np.nan, 0]
    )


def test_times_can_be_read_like_measures(store):
    store.append([record(1, error=0.5, fit_time=2.0), failed(2), record(3, error=0.5)])
    results = podium.read(store.path)
    for measure, expected in (
        ("fit-time", [2.0, 0.5]),
        ("predict-time", [0.25, 0.25]),
        ("time", [2.25, 0.75]),
    ):
        table = results.values(measure)
        assert list(table["sample"]) == [1, 3]  # of runs that were done
        assert list(table["value"]) == expected
        assert results.measure(measure).unit == "s"
        assert list(results.wide(measure)["a"].dropna()) == expected


def test_times_that_were_asked_for_are_in_the_summary(path):
    results = podium.run(study([APE], measures=["error", "fit-time"]), path, quiet=True, jobs=0)
    table = results.summary().set_index(["measure", "algorithm"])
    times = results.values("fit-time")
    for algorithm in ALGORITHMS:
        mine = times[times["algorithm"] == algorithm]["value"]
        row = table.loc[("fit-time", algorithm)]
        assert row["samples"] == 3
        np.testing.assert_allclose(row["mean"], mine.mean(), rtol=1e-12)


@pytest.mark.parametrize("measures", [["time"], ["fit-time", "predict-time"]])
def test_a_study_of_times_only_can_be_shown(measures, path):
    results = podium.run(study([APE], measures=measures), path, quiet=True, jobs=0)
    assert (results.runs["status"] == "done").all()
    assert "6 done" in repr(results)
    assert list(results.summary()["measure"].unique()) == measures


def test_results_can_be_filtered_by_a_time(path):
    results = podium.run(study([APE], measures=["error", "time"]), path, quiet=True, jobs=0)
    assert list(results.filter(measure="time").summary()["samples"]) == [3, 3]


def test_moments_are_in_utc_and_missing_where_nothing_was_run(store):
    store.append([record(1, error=0.5)])
    finished = podium.read(store.path).runs["finished"]
    assert finished.iloc[0] == pd.Timestamp(1e9 + 1, unit="s", tz="UTC")
    assert finished.isna().tolist() == [False, True, True, True]


# --- summary ---


def test_the_summary_against_numpy(store):
    rng = np.random.default_rng(5)
    values = {a: rng.normal(size=50) * 10.0 ** rng.integers(-3, 3) for a in ("b", "a", "c")}
    values["c"][:7] = np.nan
    begun(store, (ANYTHING,), **names(50, values))
    for algorithm, column in values.items():
        store.append(
            Record(f"{algorithm}{s}".encode(), "d", algorithm, s, {"error": v})
            for s, v in enumerate(column, 1)
        )
    table = podium.read(store.path).summary().set_index("algorithm")
    assert list(table.index) == ["b", "a", "c"]
    for algorithm, column in values.items():
        known, row = column[~np.isnan(column)], table.loc[algorithm]
        assert row["samples"] == len(known)
        np.testing.assert_allclose(row["mean"], known.mean(), rtol=1e-12)
        np.testing.assert_allclose(row["sd"], known.std(ddof=1), rtol=1e-12)
        assert row["median"] == np.median(known)
        assert row["maximum"] == known.max()


def test_one_sample_has_no_standard_deviation(store):
    store.append([record(1, error=0.5)])
    row = podium.read(store.path).summary().iloc[0]
    assert (row["samples"], row["mean"], row["median"]) == (1, 0.5, 0.5)
    assert np.isnan(row["sd"])


def test_measures_of_another_study_s_column_do_not_mix(store):
    begun(store, (ERROR, Measure("auc", True, spec="auc")), **names(2, ["a", "b"]))
    store.append([record(1, error=0.1, auc=0.9), record(2, error=0.3, auc=0.7)])
    table = podium.read(store.path).summary().set_index(["measure", "algorithm"])["mean"]
    np.testing.assert_allclose(table[("error", "a")], 0.2)
    np.testing.assert_allclose(table[("auc", "a")], 0.8)
    assert np.isnan(table[("error", "b")])


# --- export ---

ODD = [0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308, np.inf, -np.inf, np.nan, -0.1]


@pytest.fixture
def odd_results(store):
    begun(store, (ANYTHING,), **names(len(ODD)))
    store.append([record(s, error=v) for s, v in enumerate(ODD, 1)])
    return podium.read(store.path)


def test_csv_can_be_read_back_exactly(odd_results, tmp_path):
    odd_results.to_csv(tmp_path / "s.csv")
    with (tmp_path / "s.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == list(SCORES.columns)
    assert [row[2] for row in rows] == [str(s) for s in range(1, len(ODD) + 1)]
    np.testing.assert_array_equal([float(row[4] or "nan") for row in rows], ODD)
    plain = (tmp_path / "s.csv").read_text().splitlines()
    assert plain[0] == "dataset,algorithm,sample,measure,value"
    assert plain[1] == "d,a,1,error,0.30000000000000004"


def test_parquet_can_be_read_back_exactly(odd_results, tmp_path):
    odd_results.to_parquet(tmp_path / "s.parquet")
    read = pd.read_parquet(tmp_path / "s.parquet")
    np.testing.assert_array_equal(
        read["value"].to_numpy().view(np.int64),
        odd_results.scores["value"].to_numpy().view(np.int64),
    )
    pd.testing.assert_frame_equal(read, odd_results.to_pandas())


def test_to_pandas_has_plain_text_columns(results):
    frame = results.to_pandas()
    assert not any(isinstance(t, pd.CategoricalDtype) for t in frame.dtypes)
    assert frame.to_numpy().tolist() == results.scores.to_numpy().tolist()


def test_odd_names_survive_csv(path, tmp_path):
    odd = 'a, "b"; ' + SCRIPT
    results = podium.run(study([data(odd)], {odd: GaussianNB()}), path, quiet=True, jobs=0)
    results.to_csv(tmp_path / "s.csv")
    read = pd.read_csv(tmp_path / "s.csv")
    assert set(read["dataset"]) == set(read["algorithm"]) == {odd}


@pytest.mark.parametrize(
    ("sampling", "expected"),
    [
        ("repeated-cv:2x3", [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3)]),
        ("cv:3", [(1, 1), (1, 2), (1, 3)]),
    ],
)
def test_folds_are_columns_of_the_export(sampling, expected, path):
    results = podium.run(study([APE], {"b": GaussianNB()}, sampling), path, quiet=True, jobs=0)
    frame = results.to_pandas()
    assert list(frame.columns) == [
        "dataset",
        "algorithm",
        "sample",
        "repeat",
        "fold",
        "measure",
        "value",
    ]
    assert list(zip(frame["repeat"], frame["fold"], strict=True)) == expected


def test_nothing_to_export_is_a_header(store, tmp_path):
    podium.read(store.path).to_csv(tmp_path / "s.csv")
    assert (tmp_path / "s.csv").read_text() == "dataset,algorithm,sample,measure,value\n"


# --- what people see ---


def test_the_text_of_results(store):
    store.append([record(1, error=0.25), record(2, error=0.75), failed(3)])
    assert repr(podium.read(store.path)) == (
        "Results of 'conformance': data sets: 1, algorithms: 1, bootstrap:4; "
        "runs: 2 done, 1 failed, 1 missing.\n"
        "Scores:\n"
        "dataset  algorithm  measure  samples  mean     sd  median  maximum  failures  missing\n"
        "d        a          error          2   0.5  0.354     0.5     0.75         1        1"
    )


def test_html_escapes_every_name(path):
    odd = study([data(SCRIPT)], {SCRIPT: GaussianNB()}, name=SCRIPT)
    html = podium.run(odd, path, quiet=True, jobs=0)._repr_html_()
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 3
    assert html.count("<tr") == 2


def test_results_are_read_only_values(results):
    with pytest.raises(AttributeError):
        results.name = "other"
