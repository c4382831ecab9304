"""survey: what it reads, passes on and refuses."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import podium
from podium.asking.surveys.screen import bias
from podium.asking.surveys.verbs import EqualBias, equal_bias
from podium.cli.main import status_of
from podium.running.design.data.sources import from_source


@pytest.fixture
def survey(capsys, monkeypatch, tmp_path):
    """Survey ten data sets with five samples each; the status, output and error."""
    rng = np.random.default_rng(1)
    rows = [
        (f"d{d}", s, a, 0.2 + 0.1 * place + rng.normal(0, 0.02))
        for d in range(10)
        for s in range(1, 6)
        for place, a in enumerate("ab")
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
    frame.to_csv(tmp_path / "scores.csv", index=False)
    frame[frame["sample"] == 1].drop(columns="sample").to_csv(tmp_path / "single.csv", index=False)
    lines = [f"d{d};{1 + d % 2}" for d in range(10)]
    (tmp_path / "groups.csv").write_text("\n".join(["dataset;group", *lines]))
    lines = [f"d{d},{10 + d * d},{'xy'[d % 2]}" for d in range(10)]
    (tmp_path / "about.csv").write_text("\n".join(["dataset,n,kind", *lines]))
    monkeypatch.chdir(tmp_path)

    def command(text, file="scores.csv"):
        status = status_of(["survey", file, "--sampling", "bootstrap", *text.split()])
        said = capsys.readouterr()
        return status, said.out, said.err

    return command


def test_groups_are_read_with_semicolons_and_numbers_for_names(survey):
    found = json.loads(survey("--groups groups.csv -p sign --json -")[1])
    assert found["groups"] == {
        k: [f"d{d}" for d in range(10) if d % 2 == i] for i, k in enumerate("12")
    }
    assert found["procedure"] == "sign"


def test_characteristics_are_numbers_or_categories(survey):
    found = json.loads(survey("--by n,kind --table about.csv --json -")[1])
    assert [row["term"] for row in found["coefficients"]] == ["n", "kind = y"]


@pytest.mark.parametrize("text", ["", "--groups groups.csv", "--by n --table about.csv"])
def test_what_was_left_out_is_said(survey, text):
    status, out, _ = survey(f"--exclude d1 --reason odd {text}")
    assert status == 0
    assert "Left out after the fact (odd): d1." in out


def test_the_screen_has_the_verdict_first_and_everything_is_asked_for(survey):
    out = survey("")[1]
    lines = out.splitlines()
    count = len(pd.read_csv("scores.csv")["dataset"].unique())
    assert str(count) in lines[0]
    assert " data sets" in lines[0]
    assert len(lines) <= 31  # the last says how the table was read
    labels = [line.split()[0] for line in lines if line[:1].strip()]
    known = ["Agree", "Holds", "Caveats", "More"]
    assert [name for name in labels if name in known] == known
    assert "Note (" not in out
    whole = survey("--all")[1]
    assert "Number of data sets on which a pair was decided so" in whole
    assert "Note (multiplicity)" in whole


def test_gaps_can_be_filled_with_the_worst(survey):
    frame = pd.read_csv("scores.csv")
    frame[(frame["algorithm"] == "a") | (frame["dataset"] != "d1")].to_csv("gaps.csv", index=False)
    assert "could not be analysed" in survey("", "gaps.csv")[1]
    assert "could not be analysed" not in survey("--gaps worst", "gaps.csv")[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("--groups groups.csv --by n", "--by and --groups are two questions"),
        ("--groups groups.csv --target sample", "--target is for the order on every data set"),
        ("--groups groups.csv --relevance 0.1", "--relevance is for the order on every"),
        ("--groups groups.csv --family foo", "--family is for the order on every"),
        ("--by n --table about.csv -p sign", "'sign' is not a model by characteristics"),
        ("--scale ranks", "--scale is for subgroups"),
        ("--declared before", "--declared is for subgroups"),
        ("--table about.csv", "--table has characteristics: say which by --by"),
        ("--reason odd", "--reason is for data sets that are left out"),
        ("--family foo", "'foo' is not a family"),
        ("--groups nowhere.csv", "There is no file 'nowhere.csv'"),
        ("--groups about.csv", "The table 'about.csv' has no column 'group'"),
    ],
)
def test_what_does_not_apply_is_refused(survey, text, message):
    status, out, err = survey(text)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_one_score_per_data_set_has_no_order_on_each(survey):
    status, _, err = survey("", "single.csv")
    assert status == 2
    assert "compare over the data sets" in err


def test_one_group_is_told_what_to_do_with_the_table(survey, tmp_path):
    groups = "\n".join(["dataset,group", *(f"d{d},all" for d in range(10))])
    (tmp_path / "one.csv").write_text(groups)
    status, out, err = survey("--groups one.csv")
    assert (status, out) == (2, "")
    assert err == (
        "podium: Subgroups are at least two, and there is only 'all': put some of the data sets "
        "into another group.\n"
    )
    (tmp_path / "one.csv").write_text(
        groups.replace("d0,all", "d0,some").replace("d1,all", "d1,some")
    )
    assert survey("--groups one.csv")[0] == 0


def test_one_data_set_is_too_few(survey, tmp_path):
    (tmp_path / "few.csv").write_text("dataset,n\nd0,10\n")
    status, _, err = survey("--by n --table few.csv")
    assert status == 2
    assert "podium: 1 data set is too few for 2 coefficients" in err


def test_whether_equal_bias_can_be_checked_is_said(survey, tmp_path):
    assert "cannot be checked: there is one training size" in " ".join(survey("")[1].split())
    assert json.loads(survey("--json -")[1])["equal_bias"]["checked"] is False
    sets = [from_source(f"d{i}", "builtin:twonorm", n=90, seed=i) for i in range(6)]
    study = podium.Study(
        sets, [podium.algorithm(name, name) for name in ("lda", "majority")],
        sampling="subsampling:4x0.8", measures=["error"], seed=1, sizes=[24, 64],
    )  # fmt: skip
    results = podium.run(study, tmp_path / "sizes.db", quiet=True, jobs=1)
    found = equal_bias(results)
    assert (found.checked, found.pairs) == (True, 1)
    assert found.moving == (("lda", "majority"),)
    assert "1 difference of 1 moved with the training size (lda - majority)" in bias(found)
    assert "nothing speaks against" in bias(EqualBias(checked=True, pairs=3))


def sized_results(slopes: tuple[float, float], ahead: float) -> podium.Results:
    """Eight data sets of two sizes: the error of b is `ahead` larger at the larger one."""
    rng = np.random.default_rng(3)
    rows = [
        (f"d{i} [{size}]", sample, name, 0.3 + ahead * (name == "b") + level + rng.normal(0, 0.001))
        for i in range(8)
        for sample in (1, 2, 3)
        for name, slope in zip("ab", slopes, strict=True)
        for size, level in ((20, slope), (80, 0.0))
    ]
    table = pd.DataFrame(rows, columns=["dataset", "sample", "algorithm", "error"])
    made = podium.read(table, sampling="subsampling:3x0.8", measure="error")
    facts = {d: {"of": d.split()[0], "size": int(d.split("[")[1][:-1])} for d in made.datasets}
    return replace(made, facts=facts)


@pytest.mark.parametrize(
    ("slopes", "ahead", "code", "severity"),
    [
        ((0.05, 0.0), 0.02, "unequal-bias", "DETAIL"),  # a is ahead, and gains
        ((0.0, 0.05), 0.02, "unequal-bias", "CAUTION"),  # b is behind, and gains
        ((0.05, 0.0), 0.0, "unequal-bias", "CAUTION"),  # none is ahead yet
        ((0.05, 0.05), 0.02, "equal-bias", "DETAIL"),
    ],
)
def test_training_sizes_are_looked_at_beside_a_claim(slopes, ahead, code, severity):
    found = podium.compare(sized_results(slopes, ahead))
    assert found.blocks.count == 8  # of 16: each data set once, at its largest size
    assert found.means["b"] == pytest.approx(0.3 + ahead, abs=0.002)
    note = found.warnings[-1]
    assert (note.code, note.severity.name) == (code, severity)
    assert "largest-size" in {each.code for each in found.warnings}
    assert "from 80 rows" in repr(found)


def test_plans_and_pages_take_the_largest_size_too():
    results = sized_results((0.0, 0.05), 0.02)
    largest = results.filter(dataset=[f"d{i} [80]" for i in range(8)])
    one, other = (podium.plan(pilot=r, difference=0.01).pairs for r in (results, largest))
    pd.testing.assert_frame_equal(one, other)
    assert "With more rows to learn from b gains on a" in podium.report(results).text


def test_one_training_size_cannot_show_equal_bias():
    results = sized_results((0.0, 0.0), 0.02).filter(dataset=[f"d{i} [80]" for i in range(8)])
    assert podium.compare(results).warnings[-1].code == "equal-bias-unknown"
    unknown = podium.read(results.scores.drop(columns="sample", errors="ignore").groupby(
        ["dataset", "algorithm", "measure"], observed=True, as_index=False)["value"].mean(),
        measure="error")  # fmt: skip
    assert "equal-bias-unknown" not in {n.code for n in podium.compare(unknown).warnings}


# -- more data sets than rows ----------------------------------------------------------------------


def ordered(orders: dict[str, int], samples: int = 12) -> pd.DataFrame:
    """Errors of samples, by which algorithms come in these orders, each on so many data sets."""
    rng = np.random.default_rng(4)
    kinds = [order for order, count in orders.items() for _ in range(count)]
    return pd.DataFrame(
        [
            (f"d{d:02d}", s, name, 0.1 + 0.05 * order.index(name) + rng.normal(0, 0.002))
            for d, order in enumerate(kinds)
            for s in range(1, samples + 1)
            for name in sorted(order)
        ],
        columns=["dataset", "sample", "algorithm", "error"],
    )


def screen_of(table: pd.DataFrame, tmp_path, capsys, monkeypatch) -> str:
    monkeypatch.setenv("COLUMNS", "100")
    table.to_csv(tmp_path / "t.csv", index=False)
    asked = ["survey", str(tmp_path / "t.csv"), "-m", "error", "--sampling", "bootstrap"]
    assert status_of([*asked, "-p", "paired-t"]) == 0
    return capsys.readouterr().out


def test_of_many_data_sets_algorithms_have_a_row_each(tmp_path, capsys, monkeypatch):
    out = screen_of(ordered({"abc": 8, "bac": 3}), tmp_path, capsys, monkeypatch)
    head, won = out.partition("won–lost by row")[::2]
    places = {
        line.split()[0]: line.split()[1:]
        for line in head.splitlines()
        if re.match("  [abc] ", line)
    }
    # first on 8 and 3 of 11; mean ranks (8 + 3 * 2) / 11 and (8 * 2 + 3) / 11
    assert places == {"a": ["8", "8", "1.27"], "b": ["3", "3", "1.73"], "c": ["0", "0", "3"]}
    assert "best mean on (of 11)" in head
    against = {
        line.split()[0]: line.split()[1:] for line in won.splitlines() if re.match("  [abc] ", line)
    }
    assert against == {
        "a": ["·", "8–3", "11–0"],
        "b": ["3–8", "·", "11–0"],
        "c": ["0–11", "0–11", "·"],
    }
    # up to ten data sets have a row each: of three pairs all are decided
    few = screen_of(ordered({"abc": 8, "bac": 2}), tmp_path, capsys, monkeypatch)
    assert "alone in front on" not in few
    assert len(re.findall(r"^  d0\d +[ab] ≻ [ab] ≻ c  +3 of 3$", few, re.MULTILINE)) == 10


@pytest.mark.parametrize(
    ("count", "listed", "more"), [(15, 15, None), (16, 15, "1 more algorithm")]
)
def test_of_many_algorithms_fifteen_are_listed(count, listed, more, tmp_path, capsys, monkeypatch):
    names = "abcdefghijklmnopqr"[:count]
    out = screen_of(ordered({names: 11}, samples=3), tmp_path, capsys, monkeypatch)
    assert len(re.findall(r"^  [a-r]  ", out, re.MULTILINE)) == listed
    found = re.search(r"\.\.\. and (.*)$", out, re.MULTILINE)
    assert (found and found[1]) == more
    assert "won–lost" not in out  # up to eight


def test_one_order_of_all_is_told_as_such(tmp_path, capsys, monkeypatch):
    out = screen_of(ordered({"abc": 2}), tmp_path, capsys, monkeypatch)
    assert out.startswith("All 2 data sets have one order: a ≻ b ≻ c.")
