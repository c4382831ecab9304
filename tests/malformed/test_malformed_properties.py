"""Whatever stands in a study or data file: a study, or one of Podium's own errors."""

import datetime
import tempfile
from pathlib import Path

import pytest
from corpus_case import FILE_STUDY, FLOWERS, STUDY, changed
from corpus_data import SOUND_INDICES
from hypothesis import given
from hypothesis import strategies as st
from thoroughness import examples

from podium import PodiumError, load_study
from podium.running.design.studyfile import ALGORITHM, DATASET, TABLE, TEXT, TRUTH, WHOLE
from podium.running.design.studyfile import STUDY as STUDY_KEYS
from podium.running.design.studyfile import TEXTS as LIST_OF_TEXTS

FULL_STUDY = """\
name = "full"
seed = 1
population = "all"
sampling = "bootstrap:5"
measures = ["error", "auc"]
keep = ["predictions"]
trust = []

[[datasets]]
name = "flowers"
source = "file:flowers.csv"
target = "class"
test = "flowers.csv"
ignore = ["colour"]

[[datasets]]
name = "twonorm"
source = "builtin:twonorm"
n = 50
seed = 3
[datasets.parameters]
d = 3

[[algorithms]]
name = "tree"
estimator = "sklearn.tree.DecisionTreeClassifier"
parameters = { max_depth = 2 }
preprocess = true

[[algorithms]]
name = "bagging"
estimator = "sklearn.ensemble.BaggingClassifier"
[algorithms.parameters.estimator]
estimator = "sklearn.svm.SVC"
parameters = { C = 2.0 }
"""


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def loads_or_explains(folder, study, **files):
    """Load a study; nothing but one of Podium's errors, with a text of its own, may come out."""
    (folder / "flowers.csv").write_text(FLOWERS)
    for name, content in {"study.toml": study, **files}.items():
        path = folder / name.replace("_csv", ".csv")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    said = explanation(folder / "study.toml")
    assert said is None or said.strip()
    assert not said or "Traceback (most recent call last)" not in said


def explanation(path):
    """What Podium says against a study, None where it has no objection."""
    try:
        repr(load_study(path))
    except PodiumError as error:
        return str(error) if error.exit_status == 2 else ""
    return None


# -- study files -----------------------------------------------------------------------------------


@examples(300, quick=75)
@given(content=st.binary(max_size=300))
def test_bytes_as_a_study(folder, content):
    loads_or_explains(folder, content)


TOML_CHARACTERS = "[]{}=\"'\\#.,:_-+ \n\r\t\0abcexnu019é\u2028\ufeff"


@examples(300, quick=75)
@given(
    text=st.text(TOML_CHARACTERS, max_size=12),
    at=st.integers(0, len(FULL_STUDY)),
    length=st.integers(0, 12),
)
def test_a_study_with_a_few_characters_replaced(folder, text, at, length):
    loads_or_explains(folder, FULL_STUDY[:at] + text + FULL_STUDY[at + length :])


LINES = FULL_STUDY.splitlines(keepends=True)
NUMBERS = st.integers(0, len(LINES) - 1)
EDITS = st.tuples(st.sampled_from(["delete", "duplicate", "swap", "cut"]), NUMBERS, NUMBERS)


@examples(300, quick=75)
@given(edits=st.lists(EDITS, min_size=1, max_size=4))
def test_a_study_with_its_lines_in_disorder(folder, edits):
    lines = list(LINES)
    for edit, i, j in edits:
        i, j = i % len(lines), j % len(lines)
        if edit == "delete" and len(lines) > 1:
            del lines[i]
        elif edit == "duplicate":
            lines.insert(j, lines[i])
        elif edit == "swap":
            lines[i], lines[j] = lines[j], lines[i]
        else:
            lines[i] = lines[i][: len(lines[i]) // 2] + "\n"
    loads_or_explains(folder, "".join(lines))


TEXTS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        [
            *("error", "auc", "squared", "log-loss", "error:quantile:0.5", "sklearn:r2"),
            *("cv:2", "loo", "5x2cv", "simulation:3", "competition:2", "cv:2+grouped", "items"),
            *("holdout:0.5", "bootstrap-cv:2x2", "indices:flowers.csv"),
            *(
                "builtin:monks3",
                "builtin:twonorm",
                "builtin:friedman1",
                "builtin:monks3-competition",
            ),
            *("sklearn:iris", "sklearn:diabetes", "file:flowers.csv", "file:", "flowers.csv"),
            *("class", "colour", "length", "classification", "regression", "predictions", "iris"),
            *("sklearn.svm.SVC", "sklearn.svm", "sklearn.neighbors.KDTree", "podium.Store"),
            *("sklearn.cluster.KMeans", "sklearn.preprocessing.OneHotEncoder", "os.system"),
        ]
    ),
)
INTEGERS = st.one_of(st.integers(-3, 200), st.sampled_from([2**31, -(2**63), 10**30, 10**4200]))
PLAIN = st.one_of(
    TEXTS,
    INTEGERS,
    st.booleans(),
    st.floats(),
    st.sampled_from([datetime.date(2025, 1, 1), datetime.time(1, 2)]),
)
NAMES = st.one_of(
    st.sampled_from(["d", "n", "sd", "seed", "name", "draw", "problem", "simulate", "self"]),
    st.sampled_from(["estimator", "parameters", "C", "kernel", "max_depth", "random_state"]),
    st.text(max_size=4),
)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=4,
)
FITTING = {  # values of the type that a key asks for, so that some get beyond the check of types
    TEXT: TEXTS,
    WHOLE: INTEGERS,
    TRUTH: st.booleans(),
    TABLE: st.dictionaries(NAMES, VALUES, max_size=2),
    LIST_OF_TEXTS: st.lists(TEXTS, max_size=2),
}
PLACES = {
    **STUDY_KEYS,
    **{f"datasets.{k}": kind for k, kind in DATASET.items()},
    **{f"algorithms.{k}": kind for k, kind in ALGORITHM.items()},
}
CHANGES = st.sampled_from(list(PLACES)).flatmap(
    lambda place: st.tuples(st.just(place), FITTING.get(PLACES[place], VALUES) | VALUES)
)
SOURCES = st.sampled_from(
    [
        {"source": "sklearn:iris"},
        {"source": "builtin:monks3"},
        {"source": "builtin:monks3-competition"},
        {"source": "builtin:twonorm", "n": 40},
        {"source": "file:flowers.csv", "target": "class"},
    ]
)
SAMPLINGS = st.sampled_from(["cv:2", "simulation:2", "competition:2", "cv:2+grouped"])


@examples(600, quick=150)
@given(
    source=SOURCES,
    sampling=SAMPLINGS,
    changes=st.lists(CHANGES, min_size=1, max_size=3),
)
def test_a_study_with_values_of_any_type(folder, source, sampling, changes):
    tables = {
        "": {"sampling": sampling},
        "datasets": {"name": "d", **source},
        "algorithms": {"name": "a", "estimator": "sklearn.svm.SVC", "preprocess": True},
    }
    for place, value in changes:
        table, _, key = place.rpartition(".")
        tables[table][key] = value
    text = "".join(
        (f"[[{name}]]\n" if name else "") + "".join(f"{k} = {toml(v)}\n" for k, v in table.items())
        for name, table in tables.items()
        if name not in tables[""]
    )
    loads_or_explains(folder, text)


@examples(300, quick=75)
@given(
    parameters=st.dictionaries(NAMES, VALUES, max_size=3),
    estimator=st.sampled_from(
        [
            "sklearn.svm.SVC",
            "sklearn.ensemble.BaggingClassifier",
            "sklearn.ensemble.VotingClassifier",
            "sklearn.pipeline.Pipeline",
            "sklearn.model_selection.GridSearchCV",
            "sklearn.neighbors.KDTree",
            "sklearn.base.BaseEstimator",
            "sklearn.preprocessing.StandardScaler",
        ]
    ),
)
def test_parameters_of_any_name_and_type(folder, estimator, parameters):
    path = "sklearn.tree.DecisionTreeClassifier"
    text = STUDY.replace(path, estimator) + f"parameters = {toml(parameters)}\n"
    loads_or_explains(folder, text)


def toml(value):
    """A value as TOML spells it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float, datetime.date, datetime.time)):
        return str(value)
    if isinstance(value, str):
        return '"' + "".join(_escaped(c) for c in value) + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return "{" + ", ".join(f"{toml(k)} = {toml(v)}" for k, v in value.items()) + "}"


def _escaped(character):
    return character if character.isalnum() else f"\\U{ord(character):08x}"


# -- data files ------------------------------------------------------------------------------------

CELLS = st.one_of(
    st.sampled_from(
        ["", "1", "0", "-1.5", "inf", "nan", "1e400", "NA", "a", "b", "True", "9" * 30]
    ),
    st.sampled_from(['"', '"a', "'", "a b", "\0", "\r", "é", "2025-01-01", "1,5", "#", "\u2028"]),
    st.text(max_size=3),
)
HEADERS = st.lists(st.sampled_from(["x", "y", "class", "class ", "", "1", '"q"']), max_size=4)
OPTIONS = st.sampled_from(
    [
        "",
        'task = "regression"',
        'task = "classification"',
        "positive = 1",
        'group = "x"',
        'nominal = ["x"]',
        'ignore = ["x"]',
        'test = "flowers.csv"',
        'test = "data.csv"',
    ]
)
DATA_STUDY = changed(FILE_STUDY, {"file:flowers.csv": "file:data.csv"})


@examples(300, quick=75)
@given(content=st.one_of(st.binary(max_size=200), st.text(max_size=200)))
def test_anything_as_a_data_file(folder, content):
    loads_or_explains(folder, DATA_STUDY, data_csv=content)


@examples(600, quick=150)
@given(
    header=HEADERS,
    rows=st.lists(st.lists(CELLS, max_size=4), max_size=6),
    end=st.sampled_from(["\n", "\r\n", "\r", "\n\n"]),
    options=OPTIONS,
)
def test_a_table_of_any_cells(folder, header, rows, end, options):
    content = end.join(",".join(row) for row in [header, *rows])
    study = changed(DATA_STUDY, {'"class"\n': f'"class"\n{options}\n'})
    loads_or_explains(folder, study, data_csv=content)


@examples(300, quick=75)
@given(
    row=st.integers(0, 5),
    column=st.integers(0, 3),
    cell=CELLS,
    target=st.sampled_from(["class", "length", "colour"]),
    options=OPTIONS,
)
def test_a_table_with_one_cell_changed(folder, row, column, cell, target, options):
    lines = [line.split(",") for line in FLOWERS.splitlines()]
    lines[row][column] = cell
    content = "\n".join(map(",".join, lines))
    study = changed(DATA_STUDY, {'"class"\n': f'"{target}"\n{options}\n'})
    loads_or_explains(folder, study, data_csv=content)


@examples(200, quick=50)
@given(
    row=st.integers(0, 4),
    column=st.integers(0, 6),
    cell=st.one_of(CELLS, st.sampled_from(["loo", "cv", "items", "simulation:2", "1e30", "-1"])),
    samples=st.integers(1, 300),
)
def test_a_file_of_indices_with_one_cell_changed(folder, row, column, cell, samples):
    lines = [line.split(",") for line in SOUND_INDICES.splitlines()[: samples + 1]]
    lines[row % len(lines)][column] = cell
    content = "\n".join(map(",".join, lines))
    loads_or_explains(folder, STUDY.replace("cv:2", "indices:rows.csv"), rows_csv=content)
