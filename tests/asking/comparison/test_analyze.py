"""analyze, advise, procedures and calibrate: what the screen shows, what is written, and errors."""

import gzip
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from rich.cells import cell_len
from sklearn.dummy import DummyClassifier

import podium as package
from podium.asking.planning.power import power
from podium.cli.main import group, status_of
from podium.core.inference.bricks.adjustments import ADJUSTMENTS
from podium.core.inference.comparing.known import OF_OTHER_SCORES, POSTERIORS, PROCEDURES

ODD = ["<script>x</script>", "模型一号", 'say "k=5"', "[a] & b_c%", "x" * 70, "\x1b[31mred"]
STUDY = """\
name = "tiny"
sampling = "cv:3"
datasets = [{ name = "iris", source = "sklearn:iris" }]
algorithms = [
  { name = "bayes", estimator = "sklearn.naive_bayes.GaussianNB" },
  { name = "tree", estimator = "sklearn.tree.DecisionTreeClassifier" },
]
"""


def scores(names, blocks=12, step=0.05):
    """Accuracies of which each algorithm's is a step above the one before, with block effects."""
    rng = np.random.default_rng(1)
    values = 0.5 + step * np.arange(len(names)) + rng.normal(0, 0.1, (blocks, 1))
    frame = pd.DataFrame(values + rng.normal(0, 0.02, (blocks, len(names))), columns=names)
    return frame.round(6)


def wide(names, block="dataset", **options):
    frame = scores(names, **options)
    labels = (
        [f"d{i}" for i in range(len(frame))] if block == "dataset" else range(1, len(frame) + 1)
    )
    frame.insert(0, block, labels)
    return frame


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Small tables of many kinds, and a store."""
    folder = tmp_path_factory.mktemp("tables")
    abc = wide(["low", "mid", "high"])
    long = abc.melt("dataset", var_name="method", value_name="acc")
    written = {
        "wide.csv": abc,
        "long.csv": long,
        "odd.csv": wide(ODD),
        "many.csv": wide([f"algorithm number {i}" for i in range(20)], blocks=40, step=0.005),
        "cv.csv": wide(["low", "high"], block="fold", blocks=10),
        "boot.csv": wide(["low", "mid", "high"], block="b", blocks=30),
        "one.csv": wide(["only"], block="fold", blocks=10),
        "items.csv": (scores(["low", "high"], 80) > 0.5).astype(int),
        "several.csv": long.assign(loss=1 - long["acc"]),
        "missing.csv": abc.assign(mid=abc["mid"].where(abc.index > 1)),
    }
    for name, frame in written.items():
        frame.to_csv(folder / name, index=False)
    long.to_csv(folder / "long.tsv", sep="\t", index=False)
    abc.to_csv(folder / "semicolon.csv", sep=";", decimal=",", index=False)
    long.to_parquet(folder / "long.parquet")
    (folder / "wide.csv.gz").write_bytes(gzip.compress((folder / "wide.csv").read_bytes()))
    (folder / "junk.bin").write_bytes(bytes(range(256)))
    (folder / "empty.csv").write_text("")
    (folder / "text.txt").write_text("hello\nworld\n")
    (folder / "tiny.toml").write_text(STUDY)
    study = str(folder / "tiny.toml")
    assert status_of(["run", study, "--store", str(folder / "tiny.db"), "--quiet"]) == 0
    return folder


@pytest.fixture
def podium(capsys, monkeypatch, tables):
    """Run a command beside the tables; returns its exit status, standard output and error."""
    monkeypatch.chdir(tables)
    monkeypatch.setenv("COLUMNS", "100")

    def command(*arguments):
        status = status_of([*arguments])
        said = capsys.readouterr()
        return status, said.out, said.err

    return command


@pytest.fixture
def shown(podium):
    """What an analysis that must succeed prints."""

    def analyze(*arguments):
        status, out, err = podium("analyze", *arguments)
        assert (status, err) == (0, "")
        return out

    return analyze


def rows(out):
    """The rows of the table of pairs, each in its cells."""
    table = out.split("  first ")[1].split("\n\n")[0]
    return [re.split(r"  +", line.strip()) for line in table.splitlines()[1:]]


# -- the screen ----------------------------------------------------------------------------------


def test_one_look_tells_who_is_better_by_how_much_how_sure_and_about_what(shown):
    asked = ("wide.csv", "-m", "acc", "-p", "paired-t", "--adjust", "bonferroni")
    means = scores(["low", "mid", "high"]).mean()
    verdict, table, lines = shown(*asked).split("\n\n")
    first, *evidence = verdict.splitlines()
    assert first == "high is the most accurate; the full ranking is settled."
    assert " ".join(evidence).startswith("high beats mid, the runner-up, by 0.0")
    assert re.search(rf"1 +high +{means['high']:.4f} ", table)
    labels = [line.split()[0] for line in lines.splitlines() if line[0] != " "]
    assert labels == ["Holds", "Read", "Test", "Next"]  # nothing to care about
    assert " ".join(lines.split()).startswith(
        "Holds for data sets like these (12 data sets) Read as 3 algorithms (columns), 12 data "
        "sets ('dataset'); acc, higher is better. Test paired-t: "
    )
    assert "(Bonferroni); overall test: p < 0.001" in " ".join(lines.split())
    out = shown(*asked, "--pairs", "--why")
    order, legend = [part.strip() for part in out.split("\n\n")[2:4]]
    assert (order, legend) == ("high ≻ mid ≻ low", "Best first. ≻ significantly better.")
    assert [row[:2] for row in rows(out)] == [["high", "mid"], ["high", "low"], ["mid", "low"]]
    assert {row[-1] for row in rows(out)} == {"better"}
    assert float(rows(out)[0][2]) == pytest.approx(means["high"] - means["mid"], abs=0.001)
    assert "simultaneous 95 % CI" in out
    assert "a statement about the population of data sets" in " ".join(out.split())


def test_the_better_algorithm_comes_first_also_where_low_is_good(shown):
    asked = ("boot.csv", "-m", "error", "--sampling", "bootstrap", "-p", "paired-t")
    out = shown(*asked, "--pairs", "--why")
    assert "\n  low ≻ mid ≻ high\n" in out
    assert [row[:2] for row in rows(out)] == [["low", "mid"], ["low", "high"], ["mid", "high"]]
    assert all(row[2].startswith("-") for row in rows(out))
    assert "Note (conditional-on-sample)" in out


def test_only_signs_that_occur_are_explained_and_letters_settle_what_is_unclear(shown):
    out = shown("many.csv", "-m", "acc", "-p", "paired-t", "--pairs")
    assert "≿ better than some of those that follow" in out
    assert "Algorithms that share a letter are not significantly different." in out
    assert "≿" not in shown("wide.csv", "-m", "acc", "-p", "paired-t", "--pairs")


def test_pairs_are_listed_when_asked_for_and_csv_has_all(shown, tables):
    asked = ("many.csv", "-m", "acc", "-p", "paired-t")
    out = shown(*asked, "--csv", "pairs.csv")
    assert "  first " not in out
    assert "  first " not in shown("wide.csv", "-m", "acc")
    assert len(rows(shown(*asked, "--pairs"))) == 190
    assert len(pd.read_csv(tables / "pairs.csv")) == 190


def standings(out):
    """The rows of the drawn table: names and what stands before the gap."""
    table = re.split(r"    rank +algorithm ", out)[1].split("\n\n")[0].splitlines()[1:]
    return [line for line in table if not line.startswith(("  ··", "  .."))]


def test_of_very_many_algorithms_the_lead_and_the_next_are_listed(shown, monkeypatch, tables):
    wide([f"m{i}" for i in range(40)], blocks=30, step=0.0025).to_csv(
        tables / "forty.csv", index=False
    )
    asked = ("forty.csv", "-m", "acc", "-p", "paired-t")
    out = shown(*asked)
    assert "≈" not in out.split("\n\n")[1]  # no chain of forty names
    assert "; --all lists them." in out
    lead = [line for line in standings(out) if "▌" in line]
    assert len(standings(out)) == len(lead) + 3
    assert f"{len(lead)} of 40 could be best" in out.split("\n\n")[0]
    assert len(standings(shown(*asked, "--all"))) == 40
    for width in (60, 80):
        monkeypatch.setenv("COLUMNS", str(width))
        assert max(map(cell_len, standings(shown(*asked)))) <= width


def test_of_78_methods_the_headline_and_the_screen_stay_short(shown, monkeypatch, tables):
    names = [f"METHOD-{i} ({kind})" for i in range(39) for kind in ("default", "tuned + ensemble")]
    wide(names, blocks=20, step=0.002).to_csv(tables / "methods.csv", index=False)
    monkeypatch.setenv("COLUMNS", "80")
    asked = ("methods.csv", "-m", "acc", "-p", "paired-t", "--adjust", "bonferroni")
    out = shown(*asked)
    assert len(out.splitlines()[0]) <= 80
    assert max(map(cell_len, out.splitlines())) <= 80
    assert len(out.splitlines()) <= 45
    first = standings(out)[0]
    assert "(tuned + ensemble)" in first  # names get the room before limits do
    assert "●" in first


def test_a_terminal_without_utf8_gets_signs_that_it_has(tables):
    env = os.environ | {"PYTHONIOENCODING": "ascii", "COLUMNS": "80"}
    asked = ["many.csv", "-m", "acc", "-p", "paired-t", "--pairs"]
    ran = subprocess.run(
        [sys.executable, "-m", "podium", "analyze", *asked],
        cwd=tables, env=env, capture_output=True, check=True,
    )  # fmt: skip
    out = ran.stdout.decode("ascii")  # nothing else
    assert "?" not in out
    assert " ~ algorithm number" in out or '" ~ "algorithm' in out
    assert re.search(r"\* 1-?\d* .*o", out)


def test_the_next_step_is_how_many_blocks_would_settle_the_lead(shown, tables):
    wide(["a", "b", "c"], step=0.004).to_csv(tables / "close.csv", index=False)
    asked = ("close.csv", "-m", "acc", "-p", "paired-t")
    *_, last = " ".join(shown(*asked).split()).rpartition("Next ")
    found = re.match(r"About (\d+) data sets \(now 12\) would separate (\w) from (\w)", last)
    assert found
    assert int(found[1]) > 12
    frame, (first, second) = pd.read_csv(tables / "close.csv"), found.groups()[1:]
    gap = frame[first] - frame[second]
    assert power(gap.mean(), gap.std(), int(found[1]), alpha=0.05 / 3) == pytest.approx(
        0.8, abs=0.05
    )
    boot = ("boot.csv", "-m", "error", "--sampling", "bootstrap", "--target", "population")
    assert "Next New data would help" in " ".join(shown(*boot).split())


def test_of_a_store_with_several_measures_the_first_is_taken_and_said(shown, tmp_path):
    learners = {"a": DummyClassifier(), "b": DummyClassifier(strategy="uniform", random_state=1)}
    data = package.dataset("d", np.arange(60.0).reshape(30, 2), np.arange(30) % 2)
    study = package.Study(data, learners, sampling="cv:3", measures=["accuracy", "error"])
    store = str(tmp_path / "two.db")
    package.run(study, store, quiet=True)
    said = " ".join(shown(store).split())
    assert "accuracy, higher is better)" in said
    assert "This is about accuracy, the study's first measure; --measure names another" in said
    found = json.loads(shown(store, "--json", "-"))
    assert (found["measure"], found["warnings"][-1]["code"]) == ("accuracy", "first-measure")
    assert "first-measure" not in shown(store, "-m", "error", "--json", "-")


def test_equivalence_is_told_with_the_interval_that_shows_it(shown):
    asked = ("wide.csv", "-m", "acc", "--equivalence")
    said = " ".join(shown(*asked, "0.2").split())
    claim = (
        "Shown (3 of 3 comparisons): the first and the second differ by no more than 0.2 in acc: "
    )
    assert f"{claim}low and mid (−0.0" in said
    pair = json.loads(shown(*asked, "0.2", "--json", "-"))["pairs"][0]
    ends = [f"{pair[f'equivalence_{end}']:.3f}" for end in ("lower", "upper")]
    assert f"low and mid ({' to '.join(ends)}; 90 % CI)".replace("-", "−") in said
    without_limits = (*asked, "0.2", "-p", "paired-t", "--adjust", "holm")
    (pair, *_) = json.loads(shown(*without_limits, "--json", "-"))["pairs"]
    assert (pair["lower"], pair["p_equivalence"] < 0.001) == (None, True)
    assert f"{claim}low and mid (p < 0.001)" in " ".join(shown(*without_limits).split())


def test_gaps_are_drawn_to_the_best_and_held_by_their_limits(shown):
    out = shown("wide.csv", "-m", "acc", "-p", "paired-t")
    first, second, third = standings(out)
    assert [line.split()[0] for line in (first, second, third)] == ["▌", "2", "3"]
    assert first.rstrip().endswith("●")
    found = json.loads(shown("wide.csv", "-m", "acc", "-p", "paired-t", "--json", "-"))
    gap = found["means"]["high"] - found["means"]["low"]
    assert float(third.split("(")[0].split()[-1]) == pytest.approx(gap, abs=0.001)


def test_control_characters_do_not_reach_the_terminal_and_columns_stay_aligned(shown):
    out = shown("odd.csv", "-m", "acc", "-p", "paired-t", "--pairs")
    assert "\x1b" not in out
    lines = out.split("  first ")[1].splitlines()[1:16]
    ends = {cell_len(line[: line.rindex("  ")]) for line in lines}
    assert len(ends) == 1
    assert max(map(cell_len, lines)) <= 100


@pytest.mark.parametrize("width", [50, 100, 300])
def test_prose_is_wrapped_to_the_terminal_and_to_a_hundred_at_most(shown, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    out = shown("boot.csv", "-m", "error", "--sampling", "bootstrap", "--why")
    head, tail = out.split("\n\n")[0], out.split("\n\n")[-1]
    assert max(map(len, out.splitlines())) <= min(width, 100)
    assert head.startswith("low has the lowest error;")
    assert "Note (conditional-on-sample): Conditional on these training data" in " ".join(
        tail.split()
    )


def test_against_a_control_the_control_stays_second_and_the_rest_is_not_compared(shown):
    out = shown("wide.csv", "-m", "acc", "-p", "paired-t", "--control", "low", "--pairs")
    assert [row[:2] for row in rows(out)] == [["mid", "low"], ["high", "low"]]
    assert "∥ was not compared." in " ".join(out.split())


def test_one_sided_and_relevant_differences_are_said(shown):
    one_sided = ("--alternative", "greater", "--relevance", "0.01")
    out = shown("wide.csv", "-m", "acc", "-p", "paired-t", *one_sided, "--pairs")
    assert "simultaneous 95 % CI; alternative: greater than 0.01." in " ".join(out.split())
    assert rows(out)[0][:2] == ["low", "mid"]
    out = shown("wide.csv", "-m", "acc", "-p", "paired-t", "--relevance", "0.01", "--pairs")
    assert "differences up to 0.01 do not matter" in " ".join(out.split())


def test_one_algorithm_has_an_interval_and_no_pairs(shown, podium):
    out = shown("one.csv", "-m", "acc", "--sampling", "cv")
    assert re.search(r"only +0\.\d{4} +0\.\d+ to 0\.\d+", out)
    result = json.loads(shown("one.csv", "-m", "acc", "--sampling", "cv", "--json", "-"))
    low, high = result["details"]["lower"], result["details"]["upper"]
    assert low < result["means"]["only"] < high
    assert (result["pairs"], result["global"], result["order"]["text"]) == ([], None, "only")
    status, _, err = podium(
        "analyze", "one.csv", "-m", "acc", "--sampling", "cv", "-p", "corrected-t"
    )
    assert (status, "two algorithms" in err) == (2, True)


# -- what is written -----------------------------------------------------------------------------


def test_json_keeps_the_contract_and_is_all_that_is_printed(shown):
    def no_constants(name):
        raise AssertionError(name)

    text = shown("wide.csv", "-m", "acc", "-p", "nemenyi", "--json", "-")
    result = json.loads(text, parse_constant=no_constants)
    keys = {"measure", "blocks", "target", "statement", "global", "pairs", "order", "warnings"}
    assert keys <= result.keys()
    assert {"kind", "text", "count"} <= result["blocks"].keys()
    assert {"procedure", "statistic", "df", "p"} <= result["global"].keys()
    assert result["global"]["procedure"] == "nemenyi"
    assert {"text", "ascii", "groups", "axioms"} <= result["order"].keys()
    pairs = result["pairs"]
    assert [(p["first"], p["second"]) for p in pairs] == [
        ("low", "mid"),
        ("low", "high"),
        ("mid", "high"),
    ]
    means = scores(["low", "mid", "high"]).mean()
    for pair in pairs:
        assert pair["mean_difference"] == pytest.approx(
            means[pair["first"]] - means[pair["second"]]
        )
        # rank 1 is the best: of the less accurate first it is the larger one
        assert (pair["lower"], pair["statistic"] > 0, pair["estimate"] > 0) == (None, True, True)


@pytest.mark.parametrize(
    "file", ["long.csv", "wide.csv.gz", "long.tsv", "semicolon.csv", "long.parquet"]
)
def test_every_kind_of_file_gives_the_same_evidence(shown, file):
    asked = ("-m", "acc", "-p", "paired-t", "--json", "-")
    told, same = (json.loads(shown(f, *asked)) for f in ("wide.csv", file))
    assert (same["order"], same["statement"]) == (told["order"], told["statement"])
    pd.testing.assert_frame_equal(pd.DataFrame(same["pairs"]), pd.DataFrame(told["pairs"]))


def test_latex_and_markdown_stand_any_name(shown):
    asked = ("odd.csv", "-m", "acc", "-p", "paired-t", "--adjust", "bonferroni")
    latex = shown(*asked, "--latex", "-")
    bare = re.sub(r"\\text\w+\{\}|\\[&%$#_{}\\]", "", latex.split("\\midrule")[1])
    body = bare.split("\\bottomrule")[0]
    assert not re.search(r"[<>%#_^~\\\x1b]", body)
    assert body.count("{") == body.count("}")
    assert not re.search(r"^\s*[\[*]", body, re.MULTILINE)
    cells = {line.count("&") for line in body.strip().splitlines()}
    assert cells == {8}
    table = [row for row in shown(*asked, "--markdown", "-").splitlines() if row.startswith("|")]
    assert len(table) == 17
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in table} == {10}
    assert not any("<script" in row.replace("\\<script", "") for row in table)


def test_files_hold_what_the_screen_would_show(shown, tables):
    asked = ("wide.csv", "-m", "acc", "-p", "paired-t")
    for kind in ("json", "csv", "latex", "markdown"):
        shown(*asked, f"--{kind}", f"out.{kind}")
        written = (tables / f"out.{kind}").read_text(encoding="utf-8")
        screen = shown(*asked, f"--{kind}", "-")
        if kind == "json":
            assert json.loads(written) == json.loads(screen)
        else:
            assert written == screen
    assert "high ≻ mid ≻ low" in shown(*asked, "--pairs", "--report", "report.html")
    assert "<b>high</b> is the most accurate" in (tables / "report.html").read_text("utf-8")


def test_an_order_is_written_as_its_file_is_called(shown, podium, tables):
    written = {}
    for name in ("o.tex", "o.html", "o.csv", "o.txt"):
        shown("wide.csv", "-m", "acc", "-p", "paired-t", "--order", name)
        written[name] = (tables / name).read_text(encoding="utf-8")
    assert written["o.tex"] == "$\\text{high} \\succ \\text{mid} \\succ \\text{low}$\n"
    assert "high ≻ mid ≻ low" in written["o.html"]
    assert written["o.csv"] == (
        "name,first,second,sign\nacc,high,mid,≻\nacc,high,low,≻\nacc,mid,low,≻\n"
    )
    assert written["o.txt"] == "high ≻ mid ≻ low\n"
    status, out, _ = podium("consensus", "o.csv")
    assert (status, out.splitlines()[-1]) == (0, "  high ≻ mid ≻ low")


@pytest.mark.parametrize("kind", ["json", "csv", "latex", "markdown", "order", "report"])
def test_a_path_that_cannot_be_written_is_one_sentence(podium, kind):
    for path in ("nowhere/x", "."):
        status, _, err = podium("analyze", "wide.csv", "-m", "acc", f"--{kind}", path)
        assert status == 1
        assert re.fullmatch(rf"podium: '{re.escape(path)}' cannot be written: .*\.\n", err)


def test_what_is_forced_is_marked_wherever_it_goes(podium, shown):
    asked = ("cv.csv", "-m", "acc", "--sampling", "cv", "-p", "kfold-t")
    status, out, err = podium("analyze", *asked)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "corrected-t" in err
    assert "--force" in err
    for kind in ("latex", "markdown"):
        assert "NOT VALID" in shown(*asked, "--force", f"--{kind}", "-")
    assert "*** NOT VALID" in shown(*asked, "--force")
    codes = [w["code"] for w in json.loads(shown(*asked, "--force", "--json", "-"))["warnings"]]
    assert "forced" in codes


# -- designs -------------------------------------------------------------------------------------


def test_the_block_and_the_target_follow_the_design(shown):
    def design(*asked):
        result = json.loads(shown(*asked, "--json", "-"))
        return result["blocks"]["kind"], result["target"], result["procedure"]

    assert design("cv.csv", "-m", "acc", "--sampling", "cv") == (
        "fold",
        "population",
        "corrected-t",
    )
    assert design("items.csv", "--sampling", "items") == ("item", "test-set", "mcnemar-score")
    assert design("boot.csv", "-m", "acc", "--sampling", "bootstrap")[:2] == ("resample", "sample")
    assert design("tiny.db") == ("fold", "population", "corrected-t")


def test_missing_cells_are_noted(shown):
    asked = ("missing.csv", "-m", "acc", "-p", "paired-t")
    said = " ".join(shown(*asked).split())
    assert "2 of 12 rows lack a score (mid: 2) and were left out" in said
    worst = " ".join(shown(*asked, "--gaps", "worst").split())
    assert "Caveats 2 missing scores (mid: 2) were set to the worst of their row" in worst
    assert "Note (worst-case-values): 2 missing scores (mid: 2)" in " ".join(
        shown(*asked, "--gaps", "worst", "--why").split()
    )


# -- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("wide.csv", "--measure error"),
        ("several.csv", "2 measures .acc, loss."),
        ("cv.csv -m acc", "add --sampling cv:10"),
        ("wide.csv -m acc -p nemenji", "Did you mean 'nemenyi'"),
        ("wide.csv -m acc --target sampel", "Did you mean 'sample'"),
        ("wide.csv -m acc --control nobody", "'nobody'"),
        ("wide.csv -m acc --alternative up", "'up'"),
        ("wide.csv -m acc --null maybe", "'maybe'"),
        ("wide.csv -m acc --adjust hlom", "Did you mean 'holm'"),
        ("wide.csv -m acc --alpha 2", "alpha"),
        ("wide.csv -m acc --alpha x", "'x' is not a valid float"),
        ("wide.csv -m acc --relevance nan", "nan"),
        ("wide.csv -m acc -p friedman --relevance 0.1", "relevance"),
        ("wide.csv -m acc --gaps all", "'all'"),
        ("wide.csv -m acc --dataset d99", "'d99'"),
        ("wide.csv -m acc --columns value=low", "say both of them, or neither"),
        ("wide.csv -m acc --lower-is-better", "contradicts --lower-is-better"),
        ("wide.csv -m acc --sampling cv:10", "contradicts the sampling 'cv:10'"),
        ("cv.csv -m acc --sampling cv -p paired-t", "Valid here: corrected-t"),
        ("tiny.db -m auc", "'auc' is not a measure"),
        ("tiny.db --sampling bootstrap", "drawn by 'cv:3'"),
        ("tiny.db --columns value=x", "columns is for tables"),
        ("nothing.csv", "There is no file 'nothing.csv'"),
        (".", "have different columns"),
        ("empty.csv", "is empty"),
        ("junk.bin", "is not a text file; save the table as CSV"),
        ("text.txt", "has not two columns"),
        ("wide.csv --nonsense", "No such option"),
    ],
)
def test_a_wrong_request_is_one_sentence_and_status_two(podium, asked, message):
    status, out, err = podium("analyze", *asked.split())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert re.match(f"podium: .*{message}", err)


REQUESTS = {
    "-p": [*PROCEDURES, ""],
    "--null": ["asymptotic", "permutation:49", "exact", "permutation:0", "corrected"],
    "--adjust": [*ADJUSTMENTS],
    "--target": ["sample", "test-set", "population", "datasets", "dataset-population"],
    "--alternative": ["two-sided", "less", "greater"],
    "--relevance": ["0.01", "-0.01", "inf", "1e9"],
    "--alpha": ["0.5", "1e-9", "nan"],
    "--control": ["low", "?"],
}
FILES = ["wide.csv -m acc", "cv.csv -m acc --sampling cv", "items.csv --sampling items"]
FILES += ["missing.csv -m acc", "boot.csv -m acc --sampling bootstrap", "tiny.db"]


@pytest.mark.parametrize("seed", range(5))
def test_no_request_ends_in_a_traceback_or_a_silent_failure(podium, seed):
    chosen = random.Random(seed)
    for _ in range(20):
        asked = [*chosen.choice(FILES).split(), "--json", "-"]
        for option, values in REQUESTS.items():
            if chosen.random() < 0.3:
                asked += [option, chosen.choice(values)]
        asked += ["--force"] * (chosen.random() < 0.5)
        status, out, err = podium("analyze", *asked)
        assert status in (0, 2), asked
        assert (json.loads(out)["pairs"] != []) if status == 0 else out == "", asked
        assert err.count("\n") == (status == 2), asked


# -- the neighbours ------------------------------------------------------------------------------


def test_a_study_and_its_store_get_the_same_advice(podium):
    status, of_study, _ = podium("advise", "tiny.toml")
    of_store = podium("advise", "tiny.db")
    assert (status, of_store[0]) == (0, 0)
    assert of_store[1].startswith(of_study)
    assert "Recommended: corrected-t" in of_study
    status, out, _ = podium("advise", "wide.csv", "-m", "acc")
    assert (status, "Question 9 of nine" in out) == (0, True)
    assert max(map(len, (of_study + out).splitlines())) <= 100


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("tiny.toml --sampling bootstrap", "leave out sampling"),
        ("tiny.toml --target sample", "leave out target"),
        ("tiny.db -m auc", "'auc' is not a measure"),
        ("nothing.toml", "no study file"),
    ],
)
def test_advice_that_cannot_be_given_is_one_sentence(podium, asked, message):
    status, out, err = podium("advise", *asked.split())
    assert (status, out, err.count("\n"), message in err) == (2, "", 1, True)


def test_procedures_are_listed_and_each_tells_all_about_itself(podium):
    _, listed, _ = podium("list", "tests")
    assert [line.split()[0] for line in listed.splitlines() if line[:1].strip()][:-1] == [
        *PROCEDURES,
        *OF_OTHER_SCORES,
        *POSTERIORS,
    ]
    for name in ("5x2cv-f", "kfold-t"):
        status, out, _ = podium("list", "tests", name)
        assert status == 0
        assert PROCEDURES[name].title in out
        assert PROCEDURES[name].reference in out
    assert "nowhere" in out
    assert podium("list", "tests", "tukey")[0] == 2


def test_files_are_written_before_the_screen(podium, monkeypatch):
    def gone(text=""):
        raise BrokenPipeError

    monkeypatch.setattr("podium.asking.comparison.screen.say", gone)
    asked = ["wide.csv", "-m", "acc", "--order", "order.txt", "--report", "page.html"]
    with pytest.raises(BrokenPipeError):
        group.main(["analyze", *asked], standalone_mode=False)
    assert Path("order.txt").read_text(encoding="utf-8") == "high ≻ mid ≻ low\n"
    assert Path("page.html").stat().st_size > 1000


def test_an_estimate_keeps_its_digits_beside_a_wide_interval(podium, tmp_path):
    rows = [(1000.0, -1000.03), (-1000.0, 1000.0), (2000.0, -2000.0), (-2000.0, 2000.0)]
    lines = [f"{i},{a},{b}" for i, (a, b) in enumerate(rows, 1)]
    (tmp_path / "wild.csv").write_text("\n".join(["fold,a,b", *lines]))
    asked = ("--sampling", "cv:4", "-m", "gain", "--lower-is-better")
    _, out, _ = podium("analyze", str(tmp_path / "wild.csv"), *asked, "--pairs")
    assert re.search(r"^  b +a +-0\.0075 +-\d+ ", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([(0.1, 0.2, 0.4), (0.2, 0.1, 0.5)], "2 data sets are too few for 3 algorithms"),
        ([(0.1, 0.2, i / 10) for i in range(6)], "a difference never varies"),
    ],
)
def test_why_all_cannot_be_tested_at_once_is_said(podium, tmp_path, values, why):
    lines = [f"d{i},{a},{b},{c}" for i, (a, b, c) in enumerate(values)]
    (tmp_path / "t.csv").write_text("\n".join(["dataset,a,b,c", *lines]))
    asked = ("analyze", str(tmp_path / "t.csv"), "-m", "error", "-p", "paired-t")
    status, out, _ = podium(*asked, "--why")
    assert status == 0
    assert f"\nNo overall test: {why}.\n" in out
    assert f"; no overall test: {why}." in " ".join(podium(*asked)[1].split())


def test_a_sample_of_a_table_is_told_a_way_out_that_was_not_followed(podium):
    for sampling in (("--sampling", "items"), ()):
        status, _, err = podium("analyze", "items.csv", "-m", "error", *sampling, "--sample", "3")
        assert (status, err) == (
            2,
            "podium: --sample is for the items of a store: name a store instead of 'items.csv', "
            "or leave it out.\n",
        )
    assert "add --sampling items" in podium("analyze", "tiny.db", "--sample", "1")[2]
