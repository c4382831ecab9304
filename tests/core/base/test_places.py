"""Names from elsewhere become paths within a folder, or are refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from podium.core.base.places import name_in_folder, place_within
from podium.errors import ResultsError, StoreError


@pytest.mark.parametrize(
    "name",
    [
        *("/etc/passwd", "..", "../x", "a/../../x", "a/..", ".", "", "\0", "a\0b", "./."),
        *("C:\\x", "\\\\host\\share\\x", "a\\..\\..\\x", "..\\x", "//etc/passwd"),
        *(3, None, True, ["a"], {"a": 1}, b"a"),
    ],
)
def test_a_name_that_leads_out_is_refused_in_a_sentence(tmp_path: Path, name) -> None:
    with pytest.raises(StoreError) as raised:
        place_within(tmp_path, name, error=StoreError)
    assert "rename it, or leave it out." in str(raised.value)


@pytest.mark.parametrize("name", ["a", "a/b.csv", ".bashrc", "a b", "..x", "x..", "ä/ö", "a:b c"])
def test_other_names_are_joined_as_they_are(tmp_path: Path, name: str) -> None:
    assert place_within(tmp_path, name) == tmp_path / name


def test_links_are_followed_before_it_is_decided(tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()
    (folder / "away").symlink_to(outside)
    (folder / "file").symlink_to(outside / "not there yet")
    (folder / "inside").symlink_to(folder / "x")
    (folder / "circle").symlink_to(folder / "circle")
    for name in ("away", "away/x", "file"):
        with pytest.raises(ResultsError, match="points outside the folder"):
            place_within(folder, name)
    assert place_within(folder, "inside") == folder / "inside"
    assert place_within(folder, "x", "y") == folder / "x" / "y"
    place_within(folder, "circle")  # who opens it says what is wrong


def test_a_folder_that_is_a_link_itself_is_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert place_within(tmp_path / "link", "x") == tmp_path / "link" / "x"


def test_the_name_of_a_folder_is_known_from_inside_too(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "runs" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "runs" / "deep")
    assert [name_in_folder(each) for each in (".", "..", "../../runs/", "./x.csv")] == [
        *("deep", "runs", "runs", "x.csv")
    ]
    assert name_in_folder(os.sep) == "files"
