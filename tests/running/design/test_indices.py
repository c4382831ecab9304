"""Samples as a table of row numbers: out through a file and back without a change."""

import numpy as np
import pytest
from sklearn.model_selection import KFold, ShuffleSplit

from podium import PodiumError, dataset, process, samplings
from podium.core.base.tables import INDICES
from podium.errors import DesignError, UnknownName
from podium.running.design.samples.sampler import (
    Sampler,
    SplitterSplits,
    indices_table,
    read_indices,
    splitter_sampling,
)

HEADER = "sampling,dataset,rows,sample,split,part,row\n"


def made(name="d", n=20, n_test=6):
    X, y = np.arange(2.0 * (n + n_test)).reshape(-1, 2), np.arange(n + n_test) % 2
    return dataset(name, X[:n], y[:n], test=(X[n:], y[n:]), groups=np.arange(n) // 2)


def exported(path, datasets, sampler):
    table = indices_table(tuple(datasets), sampler, sampler.sampling)
    if path.suffix == ".parquet":
        table.to_parquet(path, index=False)
    else:
        table.to_csv(path, index=False)
    return table


def assert_same(data, sampler, splits):
    """The samples that were read are those that were drawn, in order and with their copies."""
    read = splits(data, 99)
    assert len(read) == sampler.count(data)
    for number, draw in enumerate(read, 1):
        drawn = sampler.sample(data, number)[1]
        assert len(draw.splits) == len(drawn.splits)
        for mine, its in zip(drawn.splits, draw.splits, strict=True):
            np.testing.assert_array_equal(its.train, mine.train)
            np.testing.assert_array_equal(its.test, mine.test)


@pytest.fixture
def written(tmp_path):
    def write(*rows):
        path = tmp_path / "samples.csv"
        path.write_text(HEADER + "".join(f"{r}\n" for r in rows))
        return path

    return write


@pytest.mark.parametrize("name", ["samples.csv", "samples.csv.gz", "samples.parquet"])
@pytest.mark.parametrize(
    "text",
    [
        "bootstrap:12",
        "bootstrap:3+stratified",
        "bootstrap-2n:3",
        "bootstrap-cv:3x4",
        "competition:3",
        "cv:10+grouped",
        "repeated-cv:2x3",
        "5x2cv",
        "subsampling:3x0.7",
        "holdout:0.5",
        "loo",
    ],
)
def test_samples_written_to_a_file_are_read_back_unchanged(tmp_path, name, text):
    sampler = Sampler(samplings.parse(text), 1)
    datasets = [made("one"), made("two", n=24)]
    exported(tmp_path / name, datasets, sampler)
    sampling, splits = read_indices(tmp_path / name)
    assert str(sampling) == text
    assert sampling.replicate == sampler.sampling.replicate
    for data in datasets:
        assert_same(data, sampler, splits)


@pytest.mark.parametrize(
    "names",
    [
        ["a,b"],
        ['quo"te'],
        ["ü ≈ x"],
        ["True"],
        ["7", "007"],
        ["1", "2.50"],
        ["1e5"],
        ["NA"],
        ["?"],
    ],
    ids=str,
)
def test_a_data_set_of_any_name_finds_its_samples_again(tmp_path, names):
    sampler = Sampler(samplings.bootstrap(3), 1)
    datasets = [made(n) for n in names]
    exported(tmp_path / "samples.csv", datasets, sampler)
    _, splits = read_indices(tmp_path / "samples.csv")
    for data in datasets:
        assert_same(data, sampler, splits)


def test_twin_data_sets_get_the_samples_of_their_own_name(tmp_path):
    twins = [made("a"), made("b")]
    drawn = Sampler(samplings.cv(4), 1)
    exported(tmp_path / "samples.csv", twins, Sampler(samplings.cv(4), 1))
    sampling, splits = read_indices(tmp_path / "samples.csv")
    shared = Sampler(sampling, 1, splits)
    for data in twins:
        alone = Sampler(sampling, 1, splits).sample(data, 1)[1].splits[0].test
        np.testing.assert_array_equal(shared.sample(data, 1)[1].splits[0].test, alone)
    assert drawn.count(twins[0]) == shared.count(twins[0])


@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
@pytest.mark.parametrize("splitter", [KFold(4), ShuffleSplit(4, test_size=0.3, random_state=1)])
def test_the_samples_of_a_splitter_stay_what_they_were(tmp_path, splitter):
    sampler = Sampler(splitter_sampling(splitter), 1, SplitterSplits(splitter))
    exported(tmp_path / "samples.csv", [made()], sampler)
    sampling, splits = read_indices(tmp_path / "samples.csv")
    assert_same(made(), sampler, splits)
    assert sampling.replicate == sampler.sampling.replicate
    assert sampling.train_share == sampler.sampling.train_share


def test_the_table_has_its_columns_and_numbers_rows_from_zero():
    table = indices_table((made(n=4, n_test=2),), Sampler(samplings.loo(), 1), samplings.loo())
    assert list(table) == list(INDICES.columns)
    assert set(table["sampling"]) == {"loo"}
    assert set(table["rows"]) == {6}
    assert sorted(set(table["sample"])) == [1, 2, 3, 4]
    tested = table[table["part"] == "test"]
    assert dict(zip(tested["sample"], tested["row"], strict=True)) == {1: 0, 2: 1, 3: 2, 4: 3}


def test_the_identity_follows_from_the_rows_and_differs_from_drawing(tmp_path):
    identities = {samplings.bootstrap(3).identity}
    for k, seed in enumerate((1, 1, 2)):
        exported(tmp_path / f"{k}.csv", [made()], Sampler(samplings.bootstrap(3), seed))
        identities.add(read_indices(tmp_path / f"{k}.csv")[0].identity)
    assert len(identities) == 3


def test_samples_stand_in_the_order_of_their_numbers(written):
    path = written(
        "holdout:0.5,d,26,2,1,train,5",
        "holdout:0.5,d,26,2,1,test,6",
        "holdout:0.5,d,26,1,1,test,8",
        "holdout:0.5,d,26,1,1,train,7",
    )
    first, second = read_indices(path)[1](made(), 1)
    assert (first.splits[0].train.tolist(), first.splits[0].test.tolist()) == ([7], [8])
    assert (second.splits[0].train.tolist(), second.splits[0].test.tolist()) == ([5], [6])


# --- refusals ---


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            ["cv:2,d,26,1,1,train,0", "loo,d,26,1,1,test,1"],
            "The file of indices '{path}' mixes 2 samplings.",
        ),
        (
            ["cv:2,d,26,1,1,trian,0"],
            "The file of indices '{path}': part must be train or test.",
        ),
        (
            ["cv:2,d,26,1,1,train,x"],
            "The file of indices '{path}', column 'row' holds 'x', which is no whole number.",
        ),
        (
            ["cv:2,d,26,1,1,train,0.5"],
            "The file of indices '{path}', column 'row' holds 0.5, which is no whole number.",
        ),
    ],
)
def test_a_file_that_holds_no_samples_is_refused_in_words(written, rows, message):
    path = written(*rows)
    with pytest.raises(PodiumError) as error:
        read_indices(path)
    assert str(error.value) == message.format(path=path)


def test_a_file_without_rows_is_refused(written):
    path = written()
    with pytest.raises(DesignError, match=r"samples\.csv' holds no samples\.$"):
        read_indices(path)


def test_a_table_of_something_else_names_the_columns_it_lacks(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("dataset,rows\na,1\n")
    with pytest.raises(PodiumError) as error:
        read_indices(path)
    assert str(error.value) == (
        f"The file of indices '{path}' lacks the columns sampling, sample, split, part, row; "
        "it needs sampling, dataset, rows, sample, split, part, row."
    )


def test_an_unknown_sampling_in_a_file_is_answered_by_the_closest(written):
    with pytest.raises(UnknownName, match=r"'bootstap' is not a sampling\. Did you mean"):
        read_indices(written("bootstap:3,d,26,1,1,train,0"))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DesignError) as error:
        read_indices(tmp_path / "x.csv")
    assert str(error.value) == f"Sampling: there is no file '{tmp_path / 'x.csv'}'."


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["cv:2,e,26,1,1,train,0"], "'samples.csv' has no samples of the data set 'd'."),
        (
            ["cv:2,d,26,1,1,train,0"],
            "'samples.csv': sample 1 of 'd' lacks its train or test rows.",
        ),
        (
            ["cv:2,d,30,1,1,train,0", "cv:2,d,30,1,1,test,1"],
            "'samples.csv' numbers 30 rows of the data set 'd', which has 26: the data are not "
            "those the samples were drawn from.",
        ),
    ],
)
def test_samples_of_other_data_are_refused_in_words(written, rows, message):
    _, splits = read_indices(written(*rows))
    with pytest.raises(DesignError) as error:
        splits(made(), 1)
    assert str(error.value) == message


@pytest.mark.parametrize("row", [26, -1])
def test_a_row_beyond_the_data_is_named(written, row):
    """The number of rows is right here, so that is not what the complaint is about."""
    _, splits = read_indices(written(f"cv:2,d,26,1,1,train,{row}", "cv:2,d,26,1,1,test,1"))
    with pytest.raises(DesignError, match=f"'d' names row {row};"):
        splits(made(), 1)


def test_a_row_that_is_learned_and_tested_is_refused(written):
    _, splits = read_indices(written("cv:2,d,26,1,1,train,3", "cv:2,d,26,1,1,test,3"))
    with pytest.raises(DesignError, match="sample 1 of 'd' learns from row 3 and tests on it too"):
        splits(made(), 1)


def test_a_gap_in_the_numbers_of_the_samples_is_refused_and_not_closed(written):
    """A run of sample 2 would otherwise be what the file calls sample 3."""
    rows = [
        f"bootstrap:3,d,26,{k},1,{p},{r}" for k in (1, 3) for p, r in (("train", 0), ("test", 1))
    ]
    with pytest.raises(DesignError, match="lacks sample 2 of 'd'"):
        read_indices(written(*rows))[1](made(), 1)


def test_a_process_has_no_rows_to_export():
    with pytest.raises(DesignError) as error:
        indices_table((process("twonorm"),), Sampler(samplings.cv(2), 1), samplings.cv(2))
    assert str(error.value) == "Process 'twonorm' is simulated: it has no row numbers to export."
