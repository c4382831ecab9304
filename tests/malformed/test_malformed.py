"""Every malformed study and data file: exit status 2 and one message that names what is wrong."""

import os
import subprocess
import sys
import warnings

import corpus_algorithms
import corpus_data
import corpus_design
import corpus_toml
import pytest
from corpus_case import STUDY

from podium.cli.main import status_of

CASES = [
    *corpus_toml.CASES,
    *corpus_design.CASES,
    *corpus_algorithms.CASES,
    *corpus_data.CASES,
]
SILENT = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)
SPAWNED = [
    "an unknown key of a study",
    "a truncated gz",
    "a trusted module that fails",
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # where trusted modules of some cases lie
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return tmp_path


def test_there_are_more_than_a_hundred_cases_with_names_of_their_own():
    assert len({case.name for case in CASES}) == len(CASES) > 110


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_malformed_study_ends_with_status_2_and_one_message(case, folder, capsys):
    before = written(case, folder)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("default")
        status = status_of(["run", "study.toml", "--jobs", "1", *granted(case)])
    said = capsys.readouterr()
    assert status == 2
    assert said.out == ""
    assert [str(w.message) for w in warned if not issubclass(w.category, SILENT)] == []
    check_message(said.err, case)
    assert listed(folder) == before, "something was made"


@pytest.mark.parametrize("case", [c for c in CASES if c.name in SPAWNED], ids=str)
def test_a_malformed_study_in_a_process_of_its_own(case, folder):
    before = written(case, folder)
    ended = subprocess.run(
        [sys.executable, "-B", "-m", "podium", "run", "study.toml", *granted(case)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    check_message(ended.stderr, case)
    assert listed(folder) == before


def test_the_studies_that_the_cases_spoil_are_sound(folder, capsys):
    from corpus_case import FILE_STUDY, FLOWERS

    (folder / "study.toml").write_text(STUDY)
    (folder / "file.toml").write_text(FILE_STUDY)
    (folder / "flowers.csv").write_text(FLOWERS)
    for name in ("study.toml", "file.toml"):
        assert (
            status_of(["run", name, "--jobs", "1", "--quiet"]) == 0
        )  # slow machines tell progress
    assert capsys.readouterr().err == ""


def test_the_file_of_indices_that_the_cases_spoil_is_sound(folder, capsys):
    (folder / "study.toml").write_text(STUDY.replace("cv:2", "indices:rows.csv"))
    (folder / "rows.csv").write_text(corpus_data.SOUND_INDICES)
    assert status_of(["run", "study.toml", "--jobs", "1"]) == 0
    assert capsys.readouterr().err == ""


# -- requests that are wrong before a study is read ------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run"], ["STUDY"]),
        (["run", "absent.toml"], ["no study file", "'absent.toml'"]),
        (["run", "."], ["'.'", "folder"]),
        (["run", "sound.toml", "--jobs", "many"], ["many", "integer"]),
        (["run", "sound.toml", "--jobs", "-2"], ["jobs", "-2"]),
        (["run", "sound.toml", "--job", "2"], ["--job", "--jobs"]),
        (["run", "sound.toml", "more.toml"], ["more.toml"]),
        (["run", "sound.toml", "--store", "sound.toml"], ["'sound.toml'"]),
        (["run", "sound.toml", "--store", "absent/x.db"], ["absent/x.db"]),
        (["run", "sound.toml", "--store", "."], ["'.'"]),
        (["store", "indices", "absent.toml", "-o", "x.csv"], ["no study file", "'absent.toml'"]),
        (["rnu", "sound.toml"], ["'rnu'", "Did you mean 'run'?"]),
    ],
    ids=" ".join,
)
def test_a_wrong_request_ends_with_status_2_and_one_message(arguments, says, folder, capsys):
    (folder / "sound.toml").write_text(STUDY)
    before = listed(folder)
    status = status_of(arguments)
    said = capsys.readouterr()
    assert status == 2
    check_text(said.err, says)
    assert "Traceback" not in said.out
    assert listed(folder) == before


# -- helpers ---------------------------------------------------------------------------------------


def written(case, folder):
    """Write a case's files; returns what the folder then holds."""
    (folder / "study.toml").write_bytes(case.study)
    for name, content in case.files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    return listed(folder)


def granted(case):
    return [word for package in case.granted for word in ("--trust", package)]


def listed(folder):
    return {p.relative_to(folder): p.is_file() and p.read_bytes() for p in folder.rglob("*")}


def check_message(text, case):
    check_text(text, case.says)
    assert text.endswith((".\n", "?\n")), "a sentence"
    if case.line is not None:
        assert text.startswith(f"podium: study.toml, line {case.line}: ")


def check_text(text, says):
    assert text.startswith("podium: ")
    assert text.endswith("\n")
    message = text[:-1]
    assert message.count("podium: ") == 1
    assert [c for c in message if not c.isprintable()] == [], "one line of printable characters"
    assert "Traceback" not in message
    assert [part for part in says if part not in message] == []
