"""Replications: cells, what is shown and written, batches that are kept, the command."""

from __future__ import annotations

import math
import re
import sqlite3

import click
import numpy as np
import pytest
from scipy import stats

from podium.cli.main import status_of
from podium.core.base.registry import Registry
from podium.errors import DesignError, StoreError, UnknownName
from podium_lab.__main__ import group
from podium_lab.calibration.batches import in_batches
from podium_lab.commands import stoppable
from podium_lab.papers.replication import (
    Asked,
    Cell,
    Finding,
    Item,
    Replication,
    named,
    papers,
    replicate,
    share_error,
)


def ended(words: list[str]) -> int:
    return status_of(words, group, "python -m podium_lab")


def test_a_difference_is_judged_beyond_rounding_and_in_standard_errors():
    cell = Cell("t", "r", "c", theirs=0.5, ours=0.5205, standard_error=0.01, rounding=0.0005)
    assert cell.difference == pytest.approx(0.0205)
    assert cell.z == pytest.approx(2, abs=1e-6)
    assert cell.within
    assert not Cell("t", "r", "c", 0.5, 0.46, 0.01).within


@pytest.mark.parametrize(
    ("ours", "z"), [(2.1349, 0), (2.135, 0), (2.1351, math.inf), (2.12, -math.inf)]
)
def test_without_chance_only_rounding_is_allowed(ours, z):
    cell = Cell("t", "r", "c", theirs=2.13, ours=ours, rounding=0.005)
    assert cell.z == z
    assert cell.within == (z == 0)


def test_the_error_of_two_shares_is_that_of_simulated_ones():
    rng = np.random.default_rng(1)
    differences = rng.binomial(5000, 0.3, 20_000) / 5000 - rng.binomial(200, 0.3, 20_000) / 200
    assert share_error(0.3, 5000, 0.3, 200) == pytest.approx(differences.std(), rel=0.02)
    assert share_error(1, 5000, 1, 5000) == 0
    pooled = math.sqrt(0.515 * 0.485 * 2 / 5000)
    assert share_error(0.5, 5000, 0.53, 5000) == pytest.approx(pooled, rel=1e-3)


@pytest.mark.parametrize("hits", [1, 2, 5])
def test_few_replications_beside_many_are_judged_as_by_an_exact_test(hits):
    """The pooled variance would have 1 of 20 beside 0 of 5000 sixteen standard errors apart."""
    z = hits / 20 / share_error(0, 5000, hits / 20, 20)
    exact = stats.fisher_exact([[hits, 20 - hits], [0, 5000]])[1]
    assert 2 * stats.norm.sf(z) == pytest.approx(exact, rel=0.9)
    assert (z > 3.5) == (exact < 2 * stats.norm.sf(3.5))


def replication(**changes):
    cells = [
        Cell("table1", "a|b", "<x>", 0.5, 0.52, 0.01),
        Cell("table1", "c", "y", 0.5, 0.9, 0.01, note="a misprint"),
    ]
    return Replication("paper", "table1", cells, ["no intercept"], 100, 7, seconds=1.25, **changes)


def test_a_replication_prints_shows_and_writes_itself(tmp_path):
    made = replication()
    assert repr(made).splitlines() == [
        "paper, table1, 100 replications, seed 7: 1 of 2 cells within 3.5 standard errors (1.2 s)",
        "table   row  column  theirs  ours  standard_error  difference   z  within  note",
        "table1  a|b  <x>        0.5  0.52            0.01        0.02   2  yes",
        "table1  c    y          0.5   0.9            0.01         0.4  40  NO      a misprint",
        "Note: no intercept",
    ]
    assert "&lt;x&gt;" in made._repr_html_()
    assert "| table1 | a\\|b | \\<x> |" in made.to_markdown(tmp_path / "x.md")
    assert made.to_csv(tmp_path / "x.csv").splitlines()[0] == ",".join(made.table.columns)
    assert (tmp_path / "x.csv").read_text() == made.to_csv()


def test_what_is_empty_everywhere_is_not_shown():
    made = Replication("paper", "t", [Cell("t", "r", "c", 1.0, 1.0)])
    assert list(made.shown().columns) == [
        "table",
        "row",
        "column",
        "theirs",
        "ours",
        "difference",
        "within",
    ]
    assert made.heading == "paper, t: 1 of 1 cells within rounding (0.0 s)"
    assert "prints nothing to compare" in Replication("paper", "t", []).heading


def test_a_run_in_a_hurry_says_which_deviations_it_cannot_see():
    cells = [Cell("t", "r", "c", 2.0, 2.1, 0.1, 0.05), Cell("t", "r", "d", 0.5, 0.5, 0.2)]
    item = Item("an item", lambda request: Replication("paper", "t", cells), whole="1 of 2")
    quick, whole = (item.replicated(Asked(quick=quick)).heading for quick in (True, False))
    # 3.5 standard errors and the rounding: 0.4 of 2, and 0.7 of 0.5
    assert "in a hurry: the whole run meets 1 of 2; a deviation" in quick
    assert "a deviation below 20% of their number goes unnoticed in every cell" in quick
    assert "one below 140% in some" in quick
    assert "hurry" not in whole
    found = [Finding("t", "r", "c", math.nan, 0.04, se, holds=True) for se in (0.01, 0.02)]
    said = Replication("paper", "t", found, quick=True).heading
    assert "2 of 2 findings hold; in a hurry: what is within 0.07 of" in said


# -- batches ----------------------------------------------------------------------------------


def work(seed, batch):
    return np.random.default_rng([seed, batch]).normal(size=3)


class Killed(Exception):
    pass


def test_an_interrupted_run_goes_on_and_finds_the_same(tmp_path):
    store, made = tmp_path / "x.db", []

    def fragile(seed, batch):
        made.append(batch)
        if len(made) == 4:
            raise Killed
        return work(seed, batch)

    with pytest.raises(Killed):
        in_batches(fragile, 6, key="k", seed=1, store=store)
    told = []
    found = in_batches(
        fragile, 6, key="k", seed=1, store=store, progress=lambda *now: told.append(now)
    )
    assert made == [0, 1, 2, 3, 3, 4, 5]
    assert told == [(4, 6), (5, 6), (6, 6)]
    assert (found == in_batches(work, 6, key="k", seed=1)).all()
    assert (in_batches(fragile, 2, key="k", seed=2, store=store) == [work(2, 0), work(2, 1)]).all()


def test_jobs_change_nothing():
    assert (
        in_batches(work, 5, key="k", seed=3, jobs=2) == in_batches(work, 5, key="k", seed=3)
    ).all()


def test_files_that_keep_no_batches_are_refused(tmp_path):
    text, other = tmp_path / "a.txt", tmp_path / "b.db"
    text.write_text("these are words and no database" * 10)
    with sqlite3.connect(other) as file:
        file.execute("create table runs (key text)")
    for store, message in (
        (text, "cannot keep batches: file is not a database"),
        (other, "holds something else"),
        (tmp_path / "no" / "c.db", "unable to open"),
    ):
        with pytest.raises(StoreError, match=message):
            in_batches(work, 1, key="k", seed=1, store=store)


@pytest.mark.parametrize("found", ["no numbers", '["a"]', "[[1, 2], [3]]"])
def test_batches_that_were_spoiled_are_no_traceback(tmp_path, found):
    store = tmp_path / "x.db"
    in_batches(work, 1, key="k", seed=1, store=store)
    with sqlite3.connect(store) as file:
        file.execute("update batches set found = ?", [found])
    with pytest.raises(StoreError, match=r"cannot keep batches: .* Name another file\."):
        in_batches(work, 1, key="k", seed=1, store=store)


def test_impossible_seeds_and_jobs_are_refused():
    with pytest.raises(DesignError, match="seed is -1"):
        in_batches(work, 1, key="k", seed=-1)
    with pytest.raises(DesignError, match="0 jobs"):
        in_batches(work, 1, key="k", seed=1, jobs=0)


# -- names and the command --------------------------------------------------------------------


def test_every_item_has_a_title_and_unknown_ones_a_neighbour():
    assert all(item.title for items in papers().values() for item in items.values())
    with pytest.raises(UnknownName, match="Did you mean 'hothorn2005'"):
        replicate("hothorn2004", "table1")
    with pytest.raises(UnknownName, match="'tabel1' is not an item of hothorn2005"):
        replicate("hothorn2005", "tabel1")


def test_names_of_items_are_uniform_and_found_as_the_paper_writes_them():
    for items in papers().values():
        assert all(re.fullmatch(r"[a-zA-Z0-9.-]+", name) for name in items)
        assert len({name.lower() for name in items}) == len(items)
    items = papers()["eugster2008"]
    asked = ("Table 1", "table1", "Section 3.2", "Appendix A.2", "FIGURE 10")
    found = ["table1", "table1", "section3.2", "appendixA.2", "figure10"]
    assert [named(name, items) for name in asked] == found
    assert replicate("feelders1995", "Table 4").item == "table4"


def test_who_stops_is_told_that_it_goes_on(capsys, tmp_path):
    store = tmp_path / "x.db"
    with pytest.raises(KeyboardInterrupt), stoppable(None):
        raise KeyboardInterrupt
    store.write_text("")
    with pytest.raises(click.exceptions.Exit) as stopped, stoppable(store):
        raise KeyboardInterrupt
    assert stopped.value.exit_code == 130
    assert "kept in" in capsys.readouterr().err


def test_the_command_lists_replicates_and_resumes(capsys, tmp_path):
    assert ended(["replicate"]) == 0
    assert re.search(r"hothorn2005 +table1 +Power", capsys.readouterr().out)
    store, csv = tmp_path / "x.db", tmp_path / "x.csv"
    line = ["replicate", "hothorn2005", "table1", "--quick", "--store", str(store)]
    assert ended([*line, "--csv", str(csv)]) == 0
    first = capsys.readouterr().out
    assert first.startswith("hothorn2005, table1, 500 replications, seed 0: no cell is off")
    assert ended([*line, "--csv", "-"]) == 0  # all batches are there
    assert capsys.readouterr().out == csv.read_text()
    assert ended(["replicate", "hothorn2006"]) == 2
    assert "Did you mean 'hothorn2005'" in capsys.readouterr().err


def test_a_whole_paper_has_no_item_twice_and_says_what_it_leaves_out(capsys, monkeypatch):
    def made(name):
        return lambda asked: Replication("mine", name, [Cell(name, "r", "c", 1.0, 1.0)])

    def lacking(asked):
        raise DesignError("It needs data.")

    items = Registry("item of mine")
    items.add("table1", Item("one", made("table1")))
    items.add("table2", Item("two", lacking))
    items.add("tables", Item("both", made("tables"), repeats=True))
    papers()  # its modules add theirs when they are first imported
    monkeypatch.setattr("podium_lab.papers.replication.PAPERS", {"mine": items})
    assert ended(["replicate", "mine", "--csv", "-"]) == 0
    out, err = capsys.readouterr()
    assert [line.split(",")[0] for line in out.splitlines()] == ["table", "table1"]
    assert err == "podium: table2 is left out: It needs data.\n"
    assert ended(["replicate", "mine", "tables"]) == 0
