"""What must not happen: code run from data, another driver's folder deleted, endless deaths."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import podium

STUDY = """
name = "small"
sampling = "bootstrap:3"
[[datasets]]
name = "d"
source = "builtin:twonorm"
n = 40
[[algorithms]]
name = "bayes"
estimator = "sklearn.naive_bayes.GaussianNB"
"""
HOME = str(Path(podium.__file__).parent.parent)


def command(*words: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `podium` as its script does, where the working folder is no place for modules."""
    script = f"import sys; sys.path[0] = {HOME!r}; from podium.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", script, *words], cwd=cwd, capture_output=True, text=True
    )


# --- code from data ---


def test_modules_in_the_working_folder_are_not_run(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY)
    for name in ("json", "pickle", "numpy", "podium", "sklearn", "click", "socket"):
        (tmp_path / f"{name}.py").write_text("open('made-by-a-module', 'w')\n")
    for start in (None, [sys.executable, "-m", "podium"]):
        if start is None:
            ended = command("run", "study.toml", "--jobs", "2", cwd=tmp_path)
        else:
            (tmp_path / "podium.py").unlink()  # `-m podium` is this file, as Python has it
            words = [*start, "run", "study.toml", "--jobs", "2", "--store", "m.db"]
            ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
        assert (ended.returncode, ended.stderr.count("Traceback")) == (0, 0), ended.stderr
        assert not (tmp_path / "made-by-a-module").exists()
