"""What a shell offers behind Tab."""

from __future__ import annotations

import pytest
from click.shell_completion import ShellComplete

from podium.cli.completion import Bash
from podium.cli.main import group

COLUMNS = "sample,lda,svm,tree"


def offered(line: str) -> list[str]:
    """What is offered for the last word of a line, which may be empty."""
    *before, begun = line.split(" ")
    found = ShellComplete(group, {}, "podium", "_PODIUM_COMPLETE").get_completions(before, begun)
    return [one.value for one in found]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("anal", ["analyze"]),
        ("plot bo", ["board", "boxes"]),
        ("procedures hul", ["hull"]),
        ("calibrate hull sign-", ["sign-flip"]),
        ("replicate feel", ["feelders1995"]),
        ("analyze s.csv --procedure corrected-t", ["corrected-t", "corrected-t-nb"]),
        ("analyze s.csv --adjust ho", ["holm", "hochberg", "hommel"]),
        ("analyze s.csv --target pop", ["population"]),
        ("analyze s.csv --sampling boot", None),
        ("analyze s.csv --gaps ", ["pairs", "complete", "worst"]),
        ("analyze s.csv --control ", ["sample", "lda", "svm", "tree"]),
        ("analyze long.csv --control ", ["svm", "lda"]),
        ("analyze s.csv --measure l", ["lda", "log-loss", "log-likelihood"]),
        ("analyze s.csv --columns ig", ["ignore="]),
        ("analyze s.csv --columns block=sample,ignore=t", ["block=sample,ignore=tree"]),
        ("analyze s.csv --columns ignore=lda;s", ["ignore=lda;sample", "ignore=lda;svm"]),
        ("plot boxes s.csv --measure err", ["error"]),
    ],
)
def test_names_are_offered(line, names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.csv").write_text(f"{COLUMNS}\n1,0.1,0.2,0.3\n")
    (tmp_path / "long.csv").write_text("dataset;model;acc\nx;svm;0,9\nx;lda;0,8\ny;svm;0,7\n")
    if names is None:
        assert {"bootstrap", "bootstrap-632"} <= set(offered(line))
    else:
        assert offered(line) == names


def test_bash_gets_the_part_of_a_word_that_it_asks_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.csv").write_text(f"{COLUMNS}\n1,0.1,0.2,0.3\n")
    bash = Bash(group, {}, "podium", "_PODIUM_COMPLETE")

    def told(*words):
        monkeypatch.setenv("COMP_WORDS", "\n".join(["podium", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        return bash.complete().splitlines()

    file = ("analyze", "s.csv", "--columns")
    assert told(*file, "ignore", "=", "s") == ["plain,sample", "plain,svm"]
    assert told(*file, "ignore", "=") == [f"plain,{name}" for name in COLUMNS.split(",")]
    assert told(*file, "ig") == ["plain,ignore="]
    assert told("plot", "bo") == ["plain,board", "plain,boxes"]


def test_what_cannot_be_read_is_no_complaint(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "no.db").write_bytes(b"\0\1\2")
    for file in ("gone.csv", "no.db"):
        assert offered(f"analyze {file} --control a") == []
        assert offered(f"analyze {file} --measure acc") == ["accuracy"]
