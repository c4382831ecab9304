"""Columns of bytes, and names of thousands of digits: read as text, or refused in one sentence."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest

import podium
from podium.cli.main import status_of
from podium.errors import PodiumError

LONG = "9" * 20_000
NAMES = [f"d{i}" for i in range(12)]


def table(**columns: object) -> pd.DataFrame:
    scores = np.random.default_rng(0).random((12, 2))
    return pd.DataFrame({"dataset": NAMES, "svm": scores[:, 0], "lda": scores[:, 1], **columns})


def invalid(i: int) -> bytes:
    return bytes([255, 254, 65 + i])


@pytest.mark.parametrize("kind", ["parquet", "feather", "frame", "pyarrow", "category"])
def test_names_of_data_sets_may_be_bytes(tmp_path, kind):
    """As text where they are UTF-8; else escapes keep them apart."""
    pytest.importorskip("pyarrow")
    for make, expected in (
        (lambda i: NAMES[i].encode(), NAMES[0]),
        (invalid, "\\xff\\xfeA"),
    ):
        frame = table(dataset=[make(i) for i in range(12)])
        source = tmp_path / f"scores.{kind}"
        if kind == "parquet":
            frame.to_parquet(source)
        elif kind == "feather":
            frame.to_feather(source)
        elif kind == "pyarrow":
            import pyarrow

            source = pyarrow.Table.from_pandas(frame)
        else:
            source = frame.astype({"dataset": "category"}) if kind == "category" else frame
        results = podium.read(source, measure="accuracy")
        assert len(results.datasets) == 12
        assert results.datasets[0] == expected


def test_a_column_of_bytes_beside_scores_is_asked_about(tmp_path):
    pytest.importorskip("pyarrow")
    frame = table(blob=[invalid(i) for i in range(12)])
    frame.to_parquet(tmp_path / "scores.parquet")
    with pytest.raises(PodiumError, match="ignore=blob"):
        podium.read(tmp_path / "scores.parquet", measure="accuracy")
    columns = "dataset=dataset,ignore=blob"
    results = podium.read(tmp_path / "scores.parquet", measure="accuracy", columns=columns)
    assert results.algorithms == ["svm", "lda"]
    with closing(sqlite3.connect(tmp_path / "scores.db")) as connection:
        frame.to_sql("scores", connection, index=False)
    results = podium.read(tmp_path / "scores.db", measure="accuracy", columns=columns)
    assert results.algorithms == ["svm", "lda"]


@pytest.mark.parametrize("where", ["svm", "lda", "dataset"])
def test_a_header_of_thousands_of_digits_is_a_name(tmp_path, where):
    path = tmp_path / "scores.csv"
    table().rename(columns={where: LONG}).to_csv(path, index=False)
    assert status_of(["analyze", str(path), "-m", "accuracy"]) in (0, 2)


def test_columns_and_keys_of_thousands_of_digits(tmp_path):
    """Many of them, folders of samples, and numbers inside texts."""
    frames = [
        pd.DataFrame({f"{LONG}{i}": [0.1, 0.2, 0.3] for i in range(4)}),
        table().rename(columns={"svm": f"split{LONG}_test_score", "lda": "split0_test_score"}),
        table().rename(columns={"svm": f"pass@{LONG}"}),
        table(fold=[f"Fold{LONG}.Rep{i}" for i in range(12)]),
        table(params=[{}] * 12).rename(columns={"svm": f"split{LONG}_test_score"}),
    ]
    for place, frame in enumerate(frames):
        path = tmp_path / f"{place}.csv"
        frame.to_csv(path, index=False)
        assert status_of(["analyze", str(path), "-m", "accuracy"]) in (0, 2), place
    keys = f'"s{LONG}": 1, "s0": 0, "s1": 1'
    text = f'{{"a": {{{keys}}}, "b": {{{keys}}}}}'
    (tmp_path / "keys.json").write_text(text)
    assert status_of(["analyze", str(tmp_path / "keys.json"), "-m", "accuracy"]) in (0, 2)
    html = f"<table><tr><th>dataset<th colspan={LONG}>svm</tr><tr><td>a<td>0.1</tr></table>"
    (tmp_path / "page.html").write_text(html)
    assert status_of(["analyze", str(tmp_path / "page.html"), "-m", "accuracy"]) in (0, 2)


@pytest.mark.parametrize(
    "options",
    [
        ["--sampling", f"repeated-cv:5x5+halves:{LONG}"],
        ["--sampling", f"bootstrap:{LONG}"],
        ["--procedure", "permutation", "--null", f"permutation:{LONG}"],
        ["--measure", f"pass@{LONG}"],
    ],
    ids=["halves", "samples", "draws", "pass"],
)
def test_options_of_thousands_of_digits_are_refused(tmp_path, options, capsys):
    table().to_csv(tmp_path / "scores.csv", index=False)
    assert status_of(["analyze", str(tmp_path / "scores.csv"), "-m", "accuracy", *options]) == 2
    message = capsys.readouterr().err
    assert message.startswith("podium: ")
    assert len(message) < 3000


def test_a_message_cuts_a_word_of_thousands_of_letters(tmp_path, capsys):
    table(svm=[LONG] * 12).to_csv(tmp_path / "scores.csv", index=False)
    assert status_of(["analyze", str(tmp_path / "scores.csv"), "-m", "accuracy"]) == 2
    message = capsys.readouterr().err
    assert "row 1: '99999" in message
    assert len(message) < 400
