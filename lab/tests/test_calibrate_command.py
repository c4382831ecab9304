"""calibrate: rates on the screen and in files, power curves, own generators, going on."""

from __future__ import annotations

import importlib
import json
import re
import sys
from pathlib import Path

import pandas as pd
import pytest

from podium.cli import main
from podium_lab.__main__ import group


@pytest.fixture
def podium(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            main(list(arguments), of=group, called="python -m podium_lab")
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return run


def test_a_row_per_scenario_and_size(podium):
    status, out, _ = podium("calibrate", "paired-t", "-n", "50", "--blocks", "50", "-j", "1")
    rates = [float(x) for x in re.findall(r" 50 +error +(0\.\d{3})  0\.\d{3} to 0\.\d{3}", out)]
    assert status == 0
    assert len(rates) > 5
    assert max(rates[:3]) < 0.2  # nominal 0.05, 50 replications


def test_what_is_asked_wrongly_is_one_sentence(podium):
    for asked in (
        "kfold-t",
        "5x2cv-t --scenario halves --blocks 7",
        "paired-t --scenario x",
        "paired-t --seed -1",
        "paired-t --scenario normal --effects much",
        "paired-t --scenario normal --groups ab",
        "paired-t --scenario nowhere:draw",
        "paired-t --scenario :draw",
        "paired-t --scenario normal --blocks 0",
        "paired-t --scenario normal --groups 0012 -k 3",
    ):
        status, out, err = podium("calibrate", *asked.split(), "-n", "10", "-j", "1")
        assert (status, out, err.count("\n")) == (2, "", 1)


def test_a_power_curve_rises_and_is_the_same_on_two_workers(podium):
    asked = ["calibrate", "paired-t", "wilcoxon", "--scenario", "normal", "--blocks", "20"]
    asked += ["--effects", "0,0.5,1", "-n", "150", "--csv"]
    assert podium(*asked, "one.csv", "-j", "1")[0] == 0
    assert podium(*asked, "two.csv", "-j", "2")[0] == 0
    assert Path("one.csv").read_text() == Path("two.csv").read_text()
    table = pd.read_csv("one.csv")
    power = table[table["kind"] == "power"].groupby("procedure")["rate"]
    assert power.is_monotonic_increasing.all()
    assert set(table["kind"]) == {"error", "power"}


def test_a_store_lets_it_go_on(podium):
    asked = ["calibrate", "paired-t", "--scenario", "normal", "-j", "1", "--store", "kept.db"]
    assert podium(*asked, "-n", "150", "--json", "few.json")[0] == 0
    assert podium(*asked, "-n", "300", "--json", "more.json")[0] == 0
    assert podium(*asked[:-2], "-n", "300", "--json", "fresh.json")[0] == 0
    assert json.loads(Path("more.json").read_text()) == json.loads(Path("fresh.json").read_text())
    Path("kept.db").write_text("no store")
    status, _, err = podium(*asked, "-n", "10")
    assert (status, err.count("\n")) == (2, 1)


def test_a_generator_of_one_s_own(podium):
    Path("mine.py").write_text("def draw(rng, blocks, k):\n    return rng.random((blocks, k))\n")
    status, out, _ = podium("calibrate", "sign", "--scenario", "mine:draw", "-n", "40", "-j", "1")
    assert status == 0
    assert "mine:draw" in out


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return rng.random((blocks, k + 1))", "drew scores of shape (50, 3), not (50, 2)"),
        ("return rng.random((blocks - 1, k))", "drew scores of shape (49, 2), not (50, 2)"),
        ("return rng.random(blocks)", "drew scores of shape (50,), not (50, 2)"),
        ("return [['a'] * k] * blocks", "cannot draw 50 blocks x 2 algorithms: ValueError"),
        ("raise OSError('no disk')", "cannot draw 50 blocks x 2 algorithms: OSError: no disk"),
        ("return rng.random((blocks, k)) * float('nan')", "no score"),
    ],
)
def test_a_generator_that_fails_is_one_sentence(podium, monkeypatch, body, said):
    monkeypatch.delitem(sys.modules, "bad", raising=False)
    importlib.invalidate_caches()
    Path("bad.py").write_text(f"def draw(rng, blocks, k):\n    {body}\n")
    status, out, err = podium("calibrate", "paired-t", "--scenario", "bad:draw", "-n", "10", "-j1")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err
