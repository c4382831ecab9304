"""Files that Podium writes: whole, or what they were before, whatever ends the command."""

from __future__ import annotations

import errno
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from forks import forked

import podium
from podium import Store
from podium.cli.main import group
from podium.core.base.writing import check_writable, replacing, write_text
from podium.errors import ExecutionError
from podium.testing.files import begun, failed

LIMIT = 600  # bytes: everything below is longer
STUDY = """\
sampling = "cv:5"
[[datasets]]
name = "iris"
source = "sklearn:iris"
[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"
[[algorithms]]
name = "other"
estimator = "sklearn.naive_bayes.BernoulliNB"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rng = np.random.default_rng(1)
    scores = pd.DataFrame(rng.random((40, 3)).round(4), columns=["svm", "lda", "tree"])
    scores.insert(0, "dataset", [f"data set {i}" for i in range(40)])
    scores.to_csv(tmp_path / "scores.csv", index=False)
    items = pd.DataFrame({"item": range(200), "judge": rng.integers(0, 2, 200)})
    items.to_csv(tmp_path / "items.csv", index=False)
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "old").write_text("what was there\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PODIUM_CACHE", str(tmp_path.parent / "cache"))
    return tmp_path


def ended(*args: object, way: str = "full", limit: int = LIMIT) -> subprocess.CompletedProcess[str]:
    """A command that meets its end when it has written `limit` bytes into a file."""

    def press(number: int) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        os.kill(os.getpid(), number)

    def prepare() -> None:
        way_out = {
            "full": signal.SIG_IGN,  # the system refuses to write more, as on a full disk
            "kill": signal.SIG_DFL,
            "term": lambda *_: press(signal.SIGTERM),
            "ctrl-c": lambda *_: press(signal.SIGINT),
        }[way]
        signal.signal(signal.SIGXFSZ, way_out)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return forked(*args, prepare=prepare)


COMMANDS = {
    "label": ("label", "items.csv", "--n", 20, "--human", "human"),
    "import": ("import", "scores.csv", "--measure", "accuracy", "-o", "old"),
    "queue": ("queue", "items.csv", "--algorithms", "a,b", "-o", "queue.csv"),
    "json": ("analyze", "scores.csv", "--measure", "accuracy", "--json", "old"),
    "markdown": ("analyze", "scores.csv", "--measure", "accuracy", "--methods", "old"),
    "latex": ("analyze", "scores.csv", "--measure", "accuracy", "--scores", "old"),
    "indices": ("indices", "study.toml", "-o", "old"),
}
HEAVY = {
    "report": ("report", "scores.csv", "--measure", "accuracy", "-o", "old"),
    "plot": ("plot", "dots", "scores.csv", "--measure", "accuracy", "-o", "old.svg"),
}


def kept(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize(
    ("command", "way"),
    [
        *((c, "kill") for c in (*COMMANDS, *HEAVY)),
        *((c, "full") for c in ("label", "json", "plot")),
    ],
)
def test_what_was_there_stays_when_a_command_is_cut_off(folder: Path, command: str, way: str):
    (folder / "old.svg").write_text("what was there\n")
    before = kept(folder)
    end = ended(*(COMMANDS | HEAVY)[command], way=way)
    after = kept(folder)
    stray = {name for name in after if name.startswith(".podium-")}
    assert {name: after[name] for name in after.keys() - stray} == before
    if way == "kill":
        assert end.returncode == -signal.SIGXFSZ, end.stderr
    else:
        assert end.returncode == 1, end.stderr
        assert end.stderr.endswith(" cannot be written: File too large.\n")
        assert not stray


@pytest.mark.parametrize("ending", ["pdf", "png", "svg", "eps", "jpg"])
def test_a_picture_that_does_not_fit_is_refused_in_a_sentence(folder: Path, ending: str):
    end = ended(*HEAVY["plot"][:-1], f"old.{ending}")
    assert end.returncode == 1
    assert end.stderr == f"podium: 'old.{ending}' cannot be written: File too large.\n"
    assert not (folder / f"old.{ending}").exists()


@pytest.mark.parametrize("ending", ["parquet", "csv.gz", "csv.zip", "csv.xz"])
def test_row_numbers_that_do_not_fit_are_refused_in_a_sentence(folder: Path, ending: str):
    end = ended("indices", "study.toml", "-o", f"rows.{ending}", limit=100)
    assert end.returncode == 1
    assert end.stderr.endswith(f"podium: 'rows.{ending}' cannot be written: File too large.\n")
    assert not [name for name in kept(folder) if name.startswith((".podium-", "rows"))]


SEVERAL = {  # commands, and the outputs of one call
    "analyze": (
        ("analyze", "scores.csv", "--measure", "accuracy"),
        ("--order", "--csv", "--methods", "--diagram"),
    ),
    "gate": (
        (
            "gate",
            "scores.csv",
            "--measure",
            "accuracy",
            "--control",
            "svm",
            "--margin",
            "accuracy=0.1",
        ),
        ("--comment", "--json"),
    ),
    "survey": (
        ("survey", "folds.csv", "--measure", "accuracy", "--sampling", "cv:4"),
        ("--json", "--report"),
    ),
    "meta": (("meta", "studies.csv"), ("--csv", "--json", "--funnel")),
    "frame": (("plan", "frame", "catalogue.csv", "-n", 20), ("--csv", "--json")),
}


@pytest.mark.parametrize("command", SEVERAL)
def test_outputs_of_one_call_are_all_new_or_all_old(folder: Path, command: str):
    """Whichever of them does not fit; with room for all of them all are new."""
    rng = np.random.default_rng(2)
    folds = [(d, i, a, rng.random()) for d in "uvw" for i in range(1, 5) for a in ("svm", "lda")]
    pd.DataFrame(folds, columns=["dataset", "fold", "algorithm", "accuracy"]).to_csv("folds.csv")
    studies = [(f"s{i}", "svm", "lda", rng.normal(), 1.0) for i in range(6)]
    columns = ["study", "first", "second", "estimate", "se"]
    pd.DataFrame(studies, columns=columns).to_csv("studies.csv", index=False)
    drawn = pd.DataFrame({"name": [f"data set {i}" for i in range(30)], "source": "sklearn:iris"})
    drawn.assign(n=range(30)).to_csv("catalogue.csv", index=False)
    words, outputs = SEVERAL[command]
    names = {option: f"new{option}.{'pdf' if option in ('--diagram', '--funnel') else 'txt'}"
             for option in outputs}  # fmt: skip
    for name in names.values():
        Path(name).write_text("old")
    asked = [each for option in outputs for each in (option, names[option])]
    done = ended(*words, *asked, limit=10**7)
    assert done.returncode in (0, 3, 4), done.stderr
    sizes = {option: Path(name).stat().st_size for option, name in names.items()}
    assert min(sizes.values()) > 10
    for name in names.values():
        Path(name).write_text("old")
    for limit in sorted({size - 1 for size in sizes.values() if size > 20}):
        end = ended(*words, *asked, limit=limit)
        assert end.returncode == 1
        assert " cannot be written: File too large." in end.stderr
        assert {Path(name).read_text() for name in names.values()} == {"old"}
        assert not [name for name in kept(folder) if name.startswith(".podium-")]


@pytest.mark.parametrize(("command", "way"), [("label", "term"), ("import", "ctrl-c")])
def test_a_polite_end_leaves_nothing_beside_the_old_file(folder: Path, command: str, way: str):
    before = kept(folder)
    end = ended(*COMMANDS[command], way=way)
    assert end.returncode == 130
    assert end.stderr.strip() == "podium: Stopped."
    assert kept(folder) == before


@pytest.mark.parametrize("way", ["kill", "full"])
def test_a_registration_that_is_cut_off_is_none(folder: Path, way: str):
    (folder / "study.toml").write_text(f'{STUDY}\n[analysis]\nmeasure = "error"\n')
    end = ended("register", "study.toml", way=way, limit=30_000)
    assert end.returncode == (-signal.SIGXFSZ if way == "kill" else 2), end.stderr
    assert "Traceback" not in end.stderr
    whole = ended("register", "study.toml", limit=resource.RLIM_INFINITY)
    assert whole.returncode == 0, whole.stderr


@pytest.mark.parametrize("limit", [5_000, 40_000])
def test_a_merge_onto_a_full_disk_leaves_no_store(tmp_path: Path, monkeypatch, limit: int):
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        with begun(Store(f"{number}.db", create=True)) as store:
            store.append([failed(10 * number + i, "x" * 3000) for i in range(9)])
    before = kept(tmp_path)
    end = ended("store", "merge", "1.db", "2.db", "-o", "all.db", limit=limit)
    assert end.returncode == 2, end.stderr
    assert "'all.db' cannot be written, and nothing was left of it" in end.stderr
    left = {n for n in kept(tmp_path) if not n.endswith(("-wal", "-shm"))}  # of what was read
    assert left == before.keys()
    whole = ended("store", "merge", "1.db", "2.db", "-o", "all.db", limit=resource.RLIM_INFINITY)
    assert whole.returncode == 0, whole.stderr
    assert {f.name for f in tmp_path.iterdir()} == {*before, "all.db"}
    with Store("all.db", readonly=True) as joined:
        assert joined.rows("SELECT count(*) FROM runs") == [(18,)]


# -- the writer -----------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(errno.ENOSPC, "No space left")])
def test_what_breaks_off_while_a_file_is_written_leaves_the_old_one(tmp_path: Path, error):
    path = tmp_path / "file"
    path.write_text("old")

    def write():
        with replacing(path) as file:
            file.write(b"half")
            raise error

    with pytest.raises((KeyboardInterrupt, ExecutionError)):
        write()
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("file", "old")]


def test_mode_and_links_stay(tmp_path: Path):
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "file", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(Path("real") / "file")
    write_text("new", link)
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    (tmp_path / "broken").symlink_to("real/later")
    write_text("new", tmp_path / "broken")
    assert (tmp_path / "real" / "later").read_text() == "new"
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(ExecutionError, match="a link that leads to itself"):
        write_text("new", tmp_path / "round")


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path):
    (tmp_path / "other").write_text("")
    write_text("new", tmp_path / "file")
    modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("other", "file")}
    assert len(modes) == 1


def test_a_long_text_comes_back_as_it_was(tmp_path: Path):
    text = "žluť ≈ 🙂\r\n" * 400_000
    write_text(text, tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == text.encode()
    write_text("a\ud800b", tmp_path / "file")
    assert (tmp_path / "file").read_text() == "a?b"


def test_a_long_name_is_no_obstacle(tmp_path: Path):
    write_text("new", tmp_path / ("n" * 255))
    with pytest.raises(ExecutionError, match="cannot be written: File name too long"):
        check_writable(tmp_path / ("n" * 256))


def test_pipes_and_devices_are_written_to(tmp_path: Path):
    write_text("gone", "/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with pytest.raises(ExecutionError, match="'/dev/full' cannot be written: No space left"):
        write_text("gone", "/dev/full")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    texts: list[str] = []
    reader = threading.Thread(target=lambda: texts.append(pipe.read_text()))
    reader.start()
    write_text("through", pipe)
    reader.join()
    assert texts == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("target", ["/dev/fd/1", "link"])
def test_a_stream_that_goes_into_a_file_is_not_replaced(folder: Path, target: str):
    (folder / "link").symlink_to("/dev/stdout")
    command = [sys.executable, "-m", "podium", "import", "scores.csv", "--measure", "accuracy"]
    with (folder / "out").open("w") as out:
        out.write("before\n")
        out.flush()
        subprocess.run([*command, "-o", target], stdout=out, check=True)
    lines = (folder / "out").read_text().splitlines()
    assert lines[0] == "before"
    assert lines[1].startswith("# podium scores: ")
    assert lines[-1] == f"120 scores are in '{target}'."
    assert sum(line.startswith("data set ") for line in lines) == 120


def test_what_may_not_be_written_is_told_before_the_work(tmp_path: Path):
    for path, reason in {
        tmp_path / "no" / "file": "there is no folder",
        tmp_path: "it is a folder",
    }.items():
        with pytest.raises(ExecutionError, match=f"cannot be written: {reason}"):
            check_writable(path)
        with pytest.raises(ExecutionError, match=f"cannot be written: {reason}"):
            podium.report("nothing.csv", path)
        with pytest.raises(ExecutionError, match=f"cannot be written: {reason}"):
            podium.running.write_indices("nothing.toml", path)
    (tmp_path / "file").write_text("")
    with pytest.raises(ExecutionError, match="is no folder"):
        podium.reading.export_openml("nothing.db", tmp_path / "file" / "sub")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to the superuser")
def test_a_protected_file_is_not_replaced(tmp_path: Path):
    (tmp_path / "file").write_text("old")
    (tmp_path / "file").chmod(0o444)
    with pytest.raises(ExecutionError, match="permission denied"):
        write_text("new", tmp_path / "file")
    assert (tmp_path / "file").read_text() == "old"
    (tmp_path / "file").chmod(0o644)
    tmp_path.chmod(0o555)
    with pytest.raises(ExecutionError, match="takes no new file"):
        write_text("new", tmp_path / "file")
    tmp_path.chmod(0o755)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (
            "analyze scores.csv -m accuracy --json scores.csv",
            "--json would write over 'scores.csv'",
        ),
        ("report scores.csv -m accuracy -o ./scores.csv", "which is what is read"),
        ("import scores.csv -m accuracy -o link.csv", "--output would write over 'link.csv'"),
        ("gate items.csv items.csv --comment items.csv", "--comment would write over"),
        ("analyze scores.csv -m accuracy --csv a --json a", "would write over 'a', which --json"),
        ("label items.csv --n 5 -o labelled.csv", "drawn before"),
    ],
)
def test_what_is_read_or_labelled_is_not_written_over(folder: Path, line: str, says: str) -> None:
    drawn = ["label", "items.csv", "--n", "5", "-o", "labelled.csv"]
    assert CliRunner().invoke(group, drawn).exit_code == 0
    (folder / "link.csv").symlink_to("scores.csv")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    answer = CliRunner().invoke(group, line.split())
    assert says in " ".join(f"{answer.output} {answer.exception}".split())
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
