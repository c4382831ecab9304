"""Every command on a tiny study: what it prints, what it writes and its exit status."""

import gzip
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium as package
from podium import Store
from podium.cli.main import status_of
from podium.core.base.rooms import commands, former_names, other_names
from podium.reading.store import Warned
from podium.running.studies.outcome import say_means
from podium.showing.terminal.saying import INTERRUPTED
from podium.testing.files import begun, failed, record

STUDY = """\
name = "tiny"
sampling = "cv:3"
keep = ["predictions"]

[[datasets]]
name = "iris"
source = "sklearn:iris"

[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"

[[algorithms]]
name = "tree"
estimator = "sklearn.tree.DecisionTreeClassifier"
parameters = { max_depth = 2 }
"""
FAILING = """\
sampling = "cv:3"

[[datasets]]
name = "iris"
source = "sklearn:iris"

[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"

[[algorithms]]
name = "narrow"
estimator = "sklearn.feature_selection.RFE"
parameters = { estimator = { estimator = "sklearn.neighbors.KNeighborsClassifier" } }
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished")
    (folder / "tiny.toml").write_text(STUDY)
    assert status_of(["run", str(folder / "tiny.toml"), "--jobs", "1", "--quiet"]) == 0
    return folder


@pytest.fixture
def folder(finished, tmp_path, monkeypatch):
    """A folder of its own with the study and its finished store."""
    monkeypatch.chdir(tmp_path)
    for file in ("tiny.toml", "tiny.db"):
        shutil.copy(finished / file, file)
    return tmp_path


@pytest.fixture
def podium(capsys, monkeypatch):
    """Run a command; returns its exit status, standard output and standard error."""
    monkeypatch.setattr(
        "podium.core.base.progress.SECONDS_BETWEEN_LINES", inf
    )  # however slow it is here

    def command(*arguments):
        status = status_of(list(arguments))
        said = capsys.readouterr()
        return status, said.out, said.err

    return command


# -- help --------------------------------------------------------------------------------------


def test_help_lists_every_command(podium):
    status, out, err = podium("--help")
    assert (status, err) == (0, "")
    listed = [name for name, (_, known) in commands().items() if known.listed]
    assert len(listed) > 15
    assert [name for name in listed if f"\n  {name} " not in out] == []


@pytest.mark.parametrize("command", commands())
def test_every_command_has_help(command, podium):
    status, out, err = podium(*command.split(), "--help")
    moved = commands()[command][1].moved
    assert (status, err) == (0, f"podium: `podium {command}` is now `{moved}`.\n" if moved else "")
    assert out.startswith("Usage: ")
    assert podium(*command.split(), "-h")[1] == out
    assert podium("help", *command.split())[1] == out


@pytest.mark.parametrize("former", sorted(former_names()))
def test_a_former_name_works_and_says_where_it_went(former, podium):
    instead = other_names()[former]
    words = [word for word in instead if not word.startswith("-")][:2]
    words = words if " ".join(words) in commands() else words[:1]
    status, out, err = podium(former, "--help")
    assert (status, err) == (0, f"podium: `podium {former}` is now `podium {' '.join(instead)}`.\n")
    assert out == podium(*words, "--help")[1]
    assert f"\n  {former} " not in podium("--help")[1]


def test_a_short_form_says_nothing_of_itself(podium):
    assert podium("formats") == podium("list", "formats")


def test_a_family_of_commands_lists_them(podium):
    status, out, err = podium("store", "--help")
    assert (status, err) == (0, "")
    assert all(f"\n  store {each} " in out for each in ("merge", "check", "score", "summary"))
    assert podium("store", "mergee")[2] == (
        "podium: There is no command 'store mergee'. Did you mean 'store merge'?\n"
    )
    assert "podium survey items" in podium("survey", "--help")[1]


def test_without_a_command_the_help_is_shown_in_lines(podium):
    status, out, err = podium()
    assert (status, err) == (2, "")
    assert out == podium("--help")[1]
    assert "\\n" not in out


@pytest.mark.parametrize("command", ["calibrate", "replicate"])
def test_a_command_of_the_laboratory_says_where_that_lives(command, podium, monkeypatch):
    assert f"\n  {command} " not in podium("--help")[1]
    monkeypatch.setitem(sys.modules, "podium_lab", None)  # as where it is not installed
    for module in [name for name in sys.modules if name.startswith("podium_lab.")]:
        monkeypatch.delitem(sys.modules, module)
    status, out, err = podium(command)
    assert (status, out) == (2, "")
    assert err == (
        f"podium: `podium {command}` is now `python -m podium_lab {command}`.\n"
        f"podium: `podium {command}` is a command of the laboratory, which is a package of its "
        "own: in a checkout of Podium's repository, pip install ./lab.\n"
    )


def test_version(podium):
    assert podium("--version") == (0, f"podium, version {package.__version__}\n", "")


# -- run ---------------------------------------------------------------------------------------


def test_run_says_the_study_the_store_and_the_summary(folder, podium):
    status, out, err = podium("run", "tiny.toml", "--store", "new.db", "--jobs", "1")
    assert (status, err) == (0, "")
    assert out.startswith("Study tiny: 1 data set x 2 algorithms, cv:3, error, seed 1: 6 runs\n")
    assert "6 runs in " in out
    assert "Scores are in 'new.db'." in out
    assert "\n  mean error, lower is better\n" in out
    assert "  Next   podium analyze new.db " in out
    assert len(package.read("new.db").scores) == 6


def test_the_store_lies_beside_the_study_unless_told_otherwise(folder, podium):
    (folder / "inner").mkdir()
    shutil.copy("tiny.toml", "inner/other.toml")
    assert podium("run", "inner/other.toml", "-j", "1", "-q") == (0, "", "")
    assert (folder / "inner" / "other.db").exists()


def test_running_again_has_nothing_to_do(folder, podium):
    before = package.read("tiny.db")
    status, out, _ = podium("run", "tiny.toml", "--jobs", "1")
    assert status == 0
    assert "Nothing to run; 6 were done before." in out
    pd.testing.assert_frame_equal(package.read("tiny.db").runs, before.runs)


def test_an_extended_study_runs_what_is_new(folder, podium):
    (folder / "tiny.toml").write_text(
        STUDY + '[[algorithms]]\nname = "knn"\nestimator = "sklearn.neighbors.KNeighborsClassifier"'
    )
    status, out, _ = podium("run", "tiny.toml", "--jobs", "1")
    assert status == 0
    assert "3 runs in " in out
    assert "6 were done before" in out


def test_quiet_prints_nothing_on_success(folder, podium):
    assert podium("run", "tiny.toml", "--jobs", "1", "--quiet") == (0, "", "")


def test_a_failed_run_gives_status_1_and_its_reason(folder, podium):
    (folder / "failing.toml").write_text(FAILING)
    status, out, err = podium("run", "failing.toml", "--jobs", "1", "--quiet")
    assert (status, out) == (1, "")
    assert err.startswith("podium: 3 runs failed; they are tried again by the next call.\n")
    assert "narrow on iris: ValueError: " in err
    assert "(3 times)" in err
    assert "Traceback" not in err
    status, out, _ = podium("status", "failing.db", "--failures")
    assert status == 0
    assert "6 runs, 3 done, 3 failed, 0 missing." in out
    assert out.count("Traceback (most recent call last)") == 3


def test_ctrl_c_gives_status_130(folder, podium, monkeypatch):
    import podium.running.design.studyfile as studyfile

    monkeypatch.setattr(studyfile, "load_study", _interrupt)
    status, out, err = podium("run", "tiny.toml")
    assert (status, out, err.strip()) == (INTERRUPTED, "", "podium: Stopped.")


def _interrupt(path, **options):
    raise KeyboardInterrupt


# -- status, summary ---------------------------------------------------------------------------


def test_status_counts_runs(folder, podium):
    status, out, err = podium("status", "tiny.db")
    assert (status, err) == (0, "")
    assert out.startswith("Study 'tiny', cv:3: 6 runs, 6 done, 0 failed, 0 missing.\n")
    assert "left" not in out


def test_status_of_a_shard_without_runs(folder, podium):
    podium("run", "tiny.toml", "--shard", "9/9", "--quiet")
    said = "Study 'tiny', cv:3: 0 runs, 0 done, 0 failed, 0 missing.\n"
    assert podium("status", "tiny-9of9.db") == (0, said, "")


def test_status_shows_what_algorithms_have_said_and_leaves_the_terminal_as_it_is(tmp_path, podium):
    said = (Warned("UserWarning", "", 2), Warned("Loud", "\x1b[31mred\nmore", 1))
    with begun(Store(tmp_path / "s.db", create=True)) as store:
        store.append([replace(record(1, error=0.5), warnings=said), failed(2, "\x1b[2J")])
    status, out, _ = podium("status", str(tmp_path / "s.db"), "--failures")
    assert status == 0
    assert "2 x UserWarning from a, e.g. \n" in out
    assert "1 x Loud from a, e.g. \\x1b[31mred\n" in out
    assert "ValueError: \\x1b[2J\n" in out
    assert "\x1b" not in out


def test_summary_marks_the_best_mean(folder, podium):
    status, out, err = podium("store", "summary", "tiny.db")
    assert (status, err) == (0, "")
    means = package.read("tiny.db").summary().set_index("algorithm")["mean"]
    best = next(line for line in out.splitlines() if line.endswith(" *"))
    assert best.split()[0] == means.idxmin()
    assert f"{means.min():.4g}" in best


def many(path: Path, *, lost: bool) -> str:
    """A store of 20 algorithms on 30 data sets, one sample each; some runs may be lost."""
    algorithms, datasets = ([f"{x}{i}" for i in range(1, n + 1)] for x, n in (("a", 20), ("d", 30)))
    named = {"datasets": dict.fromkeys(datasets, "1"), "algorithms": dict.fromkeys(algorithms, "1")}
    made = [
        replace(
            record(1, algorithm=a, error=(i + j) / 60, fit_time=float(i)),
            key=f"{a:>8}{d:>8}".encode(),
            dataset=d,
        )
        for i, a in enumerate(algorithms)
        for j, d in enumerate(datasets)
    ]
    if lost:
        why = failed(1, "boom").failure
        made = [replace(r, scores={}, failure=why) if r.algorithm == "a7" else r for r in made[3:]]
    with begun(Store(path, create=True), samples=dict.fromkeys(datasets, 1), **named) as store:
        store.append(made)
    return str(path)


def test_status_and_summary_of_many_pairs_fit_on_a_screen(tmp_path, podium):
    path = many(tmp_path / "many.db", lost=True)
    status, out, _ = podium("status", path)
    assert status == 0
    assert len(out.splitlines()) <= 30
    assert "600 runs, 567 done, 30 failed, 3 missing." in out
    rows = [line.split() for line in out.splitlines()]
    assert ["a7", "0", "30", "0", "6.25"] in rows
    assert ["a1", "27", "0", "3", "0.25"] in rows
    assert "33 of 600 pairs lack runs" in out
    assert len(podium("status", path, "--all")[1].splitlines()) > 600
    status, out, _ = podium("store", "summary", path)
    assert status == 0
    assert len(out.splitlines()) <= 30
    assert "30 runs failed: a7 30." in out
    assert "3 runs missing: a1 3." in out
    assert f"podium store summary {path} --all" in out
    assert len(podium("store", "summary", path, "--all")[1].splitlines()) > 600


def test_status_of_many_pairs_that_are_done_lists_the_slowest(tmp_path, podium):
    out = podium("status", many(tmp_path / "many.db", lost=False))[1]
    rows = out.splitlines()
    assert "slowest first" in out
    assert rows[3].split() == ["a20", "30", "0", "0", "19.2"]
    assert "... and 8 more algorithms" in out
    assert "lack" not in out


def test_summary_exports_every_score(folder, podium):
    status, out, _ = podium(
        "store", "summary", "tiny.db", "--csv", "s.csv", "--parquet", "s.parquet"
    )
    assert status == 0
    assert "6 scores are in 's.csv'." in out
    scores = package.read("tiny.db").scores["value"]
    assert list(pd.read_csv("s.csv")["value"]) == list(scores)
    assert list(pd.read_parquet("s.parquet")["value"]) == list(scores)


def test_summary_of_an_unknown_measure(folder, podium):
    status, out, err = podium("store", "summary", "tiny.db", "--measure", "eror")
    assert (status, out) == (2, "")
    assert "Did you mean 'error'?" in err


# -- merge, score, indices, builtins -----------------------------------------------------------


def test_merge_joins_stores_of_one_study(folder, podium):
    assert podium("store", "merge", "tiny.db", "tiny.db", "--output", "all.db")[0] == 0
    status, out, err = podium("store", "merge", "all.db", "tiny.db")
    assert (status, err) == (0, "")
    assert out == "0 records were added to 'all.db': 6 done, 0 failed, 0 missing.\n"


def test_merge_refuses_another_study_and_a_single_store(folder, podium):
    (folder / "other.toml").write_text(STUDY.replace("cv:3", "cv:2").replace("tiny", "other"))
    assert podium("run", "other.toml", "--jobs", "1", "--quiet")[0] == 0
    before = (folder / "tiny.db").read_bytes()
    status, out, err = podium("store", "merge", "tiny.db", "other.db")
    assert (status, out) == (2, "")
    assert "other" in err
    assert (folder / "tiny.db").read_bytes() == before
    assert podium("store", "merge", "tiny.db")[0] == 2


def test_score_adds_a_measure_without_refitting(folder, podium):
    status, out, err = podium(
        "store", "score", "tiny.db", "--measure", "log-loss", "-m", "sklearn:f1_macro"
    )
    assert (status, err) == (0, "")
    assert out.startswith("6 runs were scored by log-loss, sklearn:f1_macro.\n")
    assert set(package.read("tiny.db").measures) == {"error", "log-loss", "sklearn:f1_macro"}


def test_score_of_a_time_is_refused(folder, podium):
    status, out, err = podium("store", "score", "tiny.db", "--measure", "fit-time")
    assert (status, out) == (2, "")
    assert "'fit-time'" in err


def test_indices_can_be_run_again(folder, podium):
    status, out, err = podium("store", "indices", "tiny.toml", "--output", "rows.csv.gz")
    assert (status, err) == (0, "")
    assert 'sampling = "indices:rows.csv.gz"' in out
    header = gzip.decompress((folder / "rows.csv.gz").read_bytes()).split(b"\n")[0]
    assert header.startswith(b"sampling,dataset,rows,sample")
    (folder / "again.toml").write_text(STUDY.replace("cv:3", "indices:rows.csv.gz"))
    assert podium("run", "again.toml", "--jobs", "1", "--quiet") == (0, "", "")
    scores = [package.read(f).scores["value"] for f in ("again.db", "tiny.db")]
    bayes = slice(0, 3)  # the tree's random_state follows from the run's key
    assert list(scores[0][bayes]) == list(scores[1][bayes])


def test_builtins_lists_what_a_study_can_name(podium):
    status, out, err = podium("list", "data")
    assert (status, err) == (0, "")
    for name in ("builtin:monks3", "sklearn:iris", "bootstrap:250", "log-loss", "indices:FILE"):
        assert name in out


# -- wrong requests ----------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["status", "store summary", "store merge", "store score"])
@pytest.mark.parametrize("file", ["absent.db", "tiny.toml", "."])
def test_a_file_that_is_no_store(command, file, folder, podium):
    before = ["tiny.db"] if command == "store merge" else []
    after = ["--measure", "error"] if command == "store score" else []
    status, out, err = podium(*command.split(), *before, file, *after)
    assert (status, out) == (2, "")
    assert err.startswith("podium: ")
    assert f"'{file}'" in err
    assert err.count("\n") == 1


def test_an_unknown_command(podium):
    status, out, err = podium("statsu", "x.db")
    assert (status, out) == (2, "")
    assert err == "podium: There is no command 'statsu'. Did you mean 'status'?\n"


def test_an_unwritable_output_gives_one_message(folder, podium):
    for arguments in (
        ["store", "summary", "tiny.db", "--csv", "absent/s.csv"],
        ["store", "indices", "tiny.toml", "--output", "absent/rows.csv"],
    ):
        status, _, err = podium(*arguments)
        assert status in (1, 2)
        assert "absent" in err
        assert err.count("\n") == 1


# -- where nobody listens ----------------------------------------------------------------------


def called(arguments, shell):
    """A command in a shell line that stands for it as `$PODIUM`; its status and what it said."""
    podium = f"{sys.executable} -m podium {arguments}"
    done = subprocess.run(
        ["bash", "-c", shell], env=os.environ | {"PODIUM": podium}, capture_output=True, text=True
    )
    return done.returncode, done.stderr


def test_a_reader_who_leaves_early_costs_nothing(folder):
    # the pipe is closed before the first word
    assert called("store summary tiny.db --csv all.csv", "$PODIUM > >(exec >&-) 2>&1") == (0, "")
    assert len(pd.read_csv("all.csv")) == 6
    assert called("store summary absent.db", "exec 2> >(exec <&-); sleep 0.2; $PODIUM")[0] == 2


def test_closed_streams_do_not_keep_a_study_from_running(folder):
    assert called("run tiny.toml --store new.db -j 1", "$PODIUM <&- >&- 2>&-") == (0, "")
    assert len(package.read("new.db").scores) == 6


def test_a_full_disk_under_the_screen_is_one_sentence(folder):
    status, err = called("store summary tiny.db", "$PODIUM > /dev/full")
    assert (status, err) == (1, "podium: No space left on device.\n")


def test_a_temporary_folder_without_room_is_named(folder, podium, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("podium.running.execution.shared.np.save", full)
    status, _, err = podium("run", "tiny.toml", "--store", "new.db", "-j", "2", "-q")
    assert (status, err.count("\n")) == (1, 1)
    assert f"'{tempfile.gettempdir()}' for other processes (No space left on device)" in err
    assert "TMPDIR" in err


# -- the demo ----------------------------------------------------------------------------------


def test_the_demo_writes_study_store_and_report(tmp_path, podium, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "demo.toml").write_text(STUDY)  # a study that is there is used
    status, out, err = podium("demo", "--jobs", "1")
    assert (status, err) == (0, "")
    assert "demo/report.html" in out
    assert (tmp_path / "demo" / "report.html").read_text().startswith("<!doctype html>")
    assert podium("demo", "--jobs", "1", "--quiet") == (0, "", "")


def test_the_embedded_study_is_sound():
    from importlib.resources import files

    from podium import load_study

    study = load_study(str(files("podium.cli").joinpath("studies/demo.toml")))
    assert len(study) == 12 * 4 * 10


def test_many_runs_end_in_a_table_of_at_most_a_screen(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    rng = np.random.default_rng(1)
    names = [f"algorithm {i}" for i in range(30)]
    cells = [(f"d{i}", name, 1, "error", rng.random()) for i in range(20) for name in names]
    frame = pd.DataFrame(cells, columns=["dataset", "algorithm", "sample", "measure", "value"])
    results = package.read(frame, sampling="bootstrap")
    say_means(results, Path("s.db"))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 26
    assert max(map(len, lines)) <= 80
    assert lines[0] == "  mean error, lower is better"
    ranks = frame.pivot(index="dataset", columns="algorithm", values="value").rank(axis=1).mean()
    assert lines[2].split("  ")[1] == ranks.idxmin()
    assert lines[2].split()[-2] == f"{ranks.min():.2f}*"
    assert "  ... and 10 more algorithms" in lines
    say_means(results.filter(dataset=["d0", "d1"], algorithm=names[:3]), Path("s.db"))
    table = capsys.readouterr().out.splitlines()[1:5]
    assert table[0].split() == ["d0", "d1"]
    for d, text in enumerate(table[1].split()[-2:]):
        assert float(text.rstrip("*")) == pytest.approx(cells[30 * d][-1], abs=0.001)


# -- report ------------------------------------------------------------------------------------


def test_report_writes_one_page_with_the_order_and_the_scores(podium, folder):
    assert podium("report", "tiny.db", "-o", "page.html") == (
        0,
        "The page is in 'page.html'.\n",
        "",
    )
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "<h1" in page
    assert "iris" in page
    assert "corrected resampled t test" in page


def test_report_of_a_place_that_cannot_be_written_is_one_sentence(podium, folder):
    status, _, err = podium("report", "tiny.db", "-o", "no/such/folder.html")
    assert (status, err.count("\n")) == (1, 1)
    assert "cannot be written" in err


def test_a_measure_that_a_study_lacks_is_no_question_about_it(podium, folder):
    status, out, err = podium("advise", "tiny.toml", "-m", "eror")
    assert (status, out) == (2, "")
    assert "'eror' is not a measure of the study" in err
    assert "Did you mean 'error'? Known: error" in err
    assert podium("advise", "tiny.toml", "-m", "auc")[0] == 2
    assert podium("advise", "tiny.toml", "-m", "Error")[1] == podium("advise", "tiny.toml")[1]


@pytest.mark.parametrize(
    "words",
    [
        ["report", "-o", "page.html"],
        ["stability", "--orders", "5"],
        ["plot", "boxes", "-o", "b.png"],
    ],
)
def test_a_question_proposes_options_for_the_command_that_was_typed(
    words, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    rows = np.random.default_rng(1).normal(5, 1, (8, 3))
    table = pd.DataFrame(rows, columns=["a", "b", "c"], index=[f"d{i}" for i in range(8)])
    table.to_csv("t.csv", index_label="dataset")
    typed = [*words, "t.csv"]
    assert status_of(typed) == 2
    proposed = shlex.split(capsys.readouterr().err.partition("Best guess: `")[2].partition("`")[0])
    assert proposed[1 : len(typed) + 1] == typed
    assert status_of(proposed[1:]) == 0


def test_a_question_about_several_measures_proposes_them_all(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    runs = {
        model: {
            f"task{t}": [
                {"passed": bool(rng.random() < 0.6), "cost_usd": round(rng.gamma(2, 0.01), 4)}
                for _ in range(2)
            ]
            for t in range(20)
        }
        for model in ("x", "y", "z")
    }
    Path("runs.json").write_text(json.dumps({"version": "1", "results": runs}))
    typed = ["analyze", "runs.json", "-m", "passed,cost_usd", "--alpha", "0.1"]
    assert status_of(typed) == 2
    proposed = shlex.split(capsys.readouterr().err.partition("Best guess: `")[2].partition("`")[0])
    assert proposed[1 : len(typed) + 1] == typed
    assert status_of(proposed[1:]) == 0
    assert "front of passed and cost_usd" in " ".join(capsys.readouterr().out.split())
    assert status_of(["analyze", "runs.json", "-m", "passed,foo", *proposed[len(typed) + 1 :]]) == 2
    assert "'foo' is not a measure" in capsys.readouterr().err
