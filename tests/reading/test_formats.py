"""The registry of formats: who is asked, what plugins bring, and what a reader may leave to say."""

import gzip
from dataclasses import replace

import pandas as pd
import pytest
from told import told

import podium
from podium import Measure, Note
from podium.errors import ResultsError, UnknownName
from podium.reading.formats import FORMATS, Format, LongTable, Source, record, text_sample

TEXT = "dataset,method,acc\na,x,0.5\na,y,0.7\nb,x,0.6\nb,y,0.9\n"
FRAME = pd.DataFrame(
    {"model": ["x", "y"] * 3, "item": [1, 1, 2, 2, 3, 3], "value": [1.0, 2, 1, 3, 2, 4]}
)
GAINS = FRAME.assign(measure="gain")


def own(name="own", **changes):
    """A format of files that begin with %OWN."""
    options = {
        "recognises": lambda source: source.text.startswith("%OWN"),
        "read": lambda source, options: LongTable(
            GAINS,
            "The file",
            name="file",
            sampling="items",
            measures={"gain": Measure("gain", True)},
            notes=[Note("own-format", models=2)],
        ),
        "samples": [text_sample("a.own", "%OWN", ("y", "x"))],
    }
    return Format(name, "our own", **(options | changes))


class Plugin:
    """An entry point."""

    def __init__(self, found, name="theirs"):
        self.found, self.name, self.value = found, name, "their.package:FORMAT"

    def load(self):
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


@pytest.fixture
def plugged(monkeypatch):
    """The registry as a fresh process has it, with these plugins and the built-in formats."""

    def registry(*plugins):
        fresh = record.Formats()
        for name in ("store", "long-table", "wide-table", "mapping", "cv-results"):
            fresh.add(FORMATS[name])
        monkeypatch.setattr(record, "entry_points", lambda group: plugins)
        monkeypatch.setattr("podium.reading.formats.reading.FORMATS", fresh)
        return fresh

    return registry


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "scores.txt"
    path.write_text("%OWN,a,b\n1,2,3\n")
    return path


# --- recognising ---


def recognised(given, **said):
    return [f.name for f in FORMATS.recognising(Source(given, said))]


def test_what_there_is_is_recognised_by_content_not_by_name(tmp_path):
    made = {
        "long": TEXT.encode(),
        "long.gz": gzip.compress(TEXT.encode()),
        "long.db": b"\xef\xbb\xbf" + TEXT.replace(",", "\t").encode(),
        "wide.csv": b"dataset;x;y\na;0,1;0,2\n",
        "store.csv": b"SQLite format 3\0" + bytes(100),
    }
    for name, content in made.items():
        (tmp_path / name).write_bytes(content)
    found = {name: recognised(str(tmp_path / name)) for name in made}
    expected = ["long-table"] * 3 + ["wide-table", "store"]
    assert found == {name: [e] for name, e in zip(made, expected, strict=True)}


def test_what_the_caller_says_of_columns_counts(tmp_path):
    (tmp_path / "s.csv").write_text(TEXT)
    assert recognised(tmp_path / "s.csv", block=["dataset"]) == ["wide-table"]
    assert recognised(FRAME.rename(columns={"model": "who"}), algorithm=["who"]) == ["long-table"]


def test_frames_of_all_makes_and_parquet_files_are_recognised(tmp_path):
    polars, arrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    FRAME.to_parquet(tmp_path / "s.parquet")
    indexed = FRAME.set_index(["model", "item"])
    lazy = polars.from_pandas(FRAME).lazy()
    for frame in (FRAME, indexed, lazy, lazy.collect(), arrow.Table.from_pandas(FRAME)):
        assert recognised(frame) == ["long-table"]
    assert recognised(tmp_path / "s.parquet") == ["long-table"]
    assert recognised(FRAME.to_dict("list")) == ["long-table"]


@pytest.mark.parametrize("given", [None, 3, "", [], ["a.csv", "b.csv"], "missing.csv", object()])
def test_what_is_nothing_is_not_recognised(given):
    assert recognised(given) == []


def test_a_source_looks_at_folders_and_several_files(tmp_path):
    for name in ("b.json", "a/c.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"[{name}")
    folder = Source(tmp_path)
    assert [f.relative_to(tmp_path).as_posix() for f in folder.files] == ["a/c.json", "b.json"]
    assert (folder.head, folder.text, folder.columns) == (b"", "", ())
    both = Source([tmp_path / "b.json", str(tmp_path / "a")])
    assert [f.name for f in both.files] == ["b.json", "c.json"]
    assert both.text == "[b.json"


def test_the_same_table_twice_is_refused(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(TEXT)
    with pytest.raises(ResultsError, match=r"'.*a.csv' and '.*b.csv' have scores of the same"):
        podium.read([tmp_path / "a.csv", tmp_path / "b.csv"])


def test_only_the_beginning_of_a_file_is_looked_at(tmp_path):
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"0" * 10_000_000))
    assert len(Source(path).head) == record.HEAD


def test_a_packed_store_is_none(tmp_path):
    path = tmp_path / "s.db.gz"
    path.write_bytes(gzip.compress(b"SQLite format 3\0" + bytes(100)))
    assert recognised(path) == []
    with pytest.raises(ResultsError, match="is not a text file;"):
        podium.read(path)


def test_a_file_of_one_very_long_line_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "s.json").write_text('{"a": "' + "x" * 200_000 + '"}')
    with pytest.raises(ResultsError, match=r"holds one record \(a\)"):
        podium.read(tmp_path / "s.json")


# --- the registry ---


def test_a_special_format_comes_before_general_ones(plugged, file):
    plugged().add(own())
    results = podium.read(file)
    assert results.algorithms == ["x", "y"]


def test_plugins_bring_one_format_or_several(plugged, file):
    formats = plugged(Plugin(own()), Plugin([own("second", recognises=lambda source: False)]))
    assert list(formats)[-2:] == ["own", "second"]
    assert podium.read(file).algorithms == ["x", "y"]


def test_a_broken_plugin_is_one_warning(plugged, file):
    formats = plugged(Plugin(ImportError("No module named 'x'")), Plugin(3), Plugin(own()))
    with pytest.warns(UserWarning, match="cannot be used") as caught:
        assert "own" in formats
    assert [str(w.message) for w in caught] == [
        "The file format 'theirs' of 'their.package:FORMAT' cannot be used: ImportError: No module "
        "named 'x'.",
        "The file format 'theirs' of 'their.package:FORMAT' cannot be used: TypeError: 'int' "
        "object is not iterable.",
    ]
    assert podium.read(file).algorithms == ["x", "y"]


def test_a_format_that_fails_to_recognise_is_one_warning(plugged, tmp_path):
    plugged().add(own(recognises=lambda source: source.nothing))
    (tmp_path / "s.csv").write_text(TEXT)
    with pytest.warns(UserWarning, match="'own' cannot say whether it is this: AttributeError"):
        assert podium.read(tmp_path / "s.csv").algorithms == ["x", "y"]


def test_who_may_be_two_asks_which(plugged, file):
    formats = plugged()
    formats.add(own())
    formats.add(own("other"))
    with pytest.raises(ResultsError, match=r"formats 'other', 'own'. Say which.*format='other'"):
        podium.read(file)
    assert podium.read(file, format="other").algorithms == ["x", "y"]


def test_a_format_is_known_by_its_name(tmp_path):
    with pytest.raises(
        UnknownName, match=r"'long table' is not a format. Did you mean 'long-table'"
    ):
        podium.read(FRAME, format="long table")
    with pytest.raises(ValueError, match="'store' is registered twice"):
        FORMATS.add(own("store"))


# --- what a reader brings ---


def test_what_the_format_says_need_not_be_said(plugged, file):
    plugged().add(own())
    results = podium.read(file)
    assert (str(results.sampling), results.name) == ("items", "file")
    assert results.measures == {"gain": Measure("gain", True)}
    assert told(results.notes) == [("own-format", "own format: models 2.")]
    assert "Note (own-format)" in repr(results)
    assert results.to_dict()["warnings"] == [
        {"code": "own-format", "text": "own format: models 2."}
    ]


def test_what_contradicts_the_format_is_refused(plugged, file):
    plugged().add(own())
    with pytest.raises(ResultsError, match="The file were drawn by 'items', not by 'cv:3'"):
        podium.read(file, sampling="cv:3")
    with pytest.raises(ResultsError, match="'gain' higher values are better, which contradicts"):
        podium.read(file, higher_is_better=False)
    with pytest.raises(ResultsError, match="'loss' is not a measure of the file"):
        podium.read(file, measure="loss")


def test_a_format_knows_its_measures_better_than_their_names(plugged, file):
    def read(source, options):
        frame = FRAME.assign(measure="accuracy")
        return LongTable(frame, "It", measures={"accuracy": Measure("accuracy", False)})

    plugged().add(replace(own(), read=read))
    assert not podium.read(file).measure("accuracy").higher_is_better
    assert not podium.read(file, measure="Accuracy").measure("Accuracy").higher_is_better


def test_a_mapping_whose_columns_differ_in_length_is_refused():
    with pytest.raises(ResultsError, match=r"The mapping is no table: .*same length"):
        podium.read({"dataset": ["a", "b"], "x": [1.0]}, measure="error")
