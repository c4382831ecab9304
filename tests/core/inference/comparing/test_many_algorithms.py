"""So many algorithms that their pairs cannot be computed: refused before it is tried."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import podium
from podium.cli.main import group as main
from podium.core.inference.bricks import contrasts
from podium.core.inference.comparing.decision import Decision


def wide(algorithms, datasets=3):
    rng = np.random.default_rng(1)
    names = [f"a{i}" for i in range(algorithms)]
    frame = pd.DataFrame(rng.random((datasets, algorithms)).round(3), columns=names)
    frame.insert(0, "dataset", [f"d{i}" for i in range(datasets)])
    return frame


@pytest.mark.parametrize("options", [{}, {"control": "a1"}, {"pairs": [("a1", "a2")]}])
def test_too_many_are_refused_with_the_likely_cause(options):
    results = podium.read(wide(1_200), measure="accuracy")
    with pytest.raises(podium.PodiumError, match=r"719,400 pairs.*algorithms in rows.*across=item"):
        podium.compare(results, **options)


def test_no_array_of_all_pairs_is_made_before_the_refusal(monkeypatch):
    monkeypatch.setattr(contrasts, "combinations", lambda *_: pytest.fail("pairs were made"))
    with pytest.raises(podium.PodiumError, match="449,985,000 pairs"):
        contrasts.all_pairs(30_000)


COMMANDS = [["analyze"], ["stability"], ["plan"], ["plot", "bench"],
            ["plot", "intervals"], ["doctor"]]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_says_so(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wide(1_200).to_csv("scores.csv", index=False)
    output = ["-o", "out.png"] if command[0] == "plot" else []
    asked = [*command, "scores.csv", "-m", "accuracy", *output]
    answer = CliRunner().invoke(main, asked)
    text = " ".join(str(answer.exception or answer.output).split())
    assert "Podium compares up to 1,000 algorithms" in text
    assert [path.name for path in tmp_path.iterdir()] == ["scores.csv"]


def test_a_page_says_so(tmp_path):
    page = tmp_path / "page.html"
    podium.report(podium.read(wide(1_200), measure="accuracy"), page)
    assert "Podium compares up to 1,000 algorithms" in page.read_text(encoding="utf-8")


def test_what_is_advised_works_to_the_letter():
    frame = wide(1_200)
    frame.columns = ["dataset", *(f"q{i}" for i in range(1_200))]
    for across, blocks in (("item", "item"), ("dataset", "dataset")):
        columns = f"algorithm=dataset,across={across}"
        results = podium.read(frame, measure="accuracy", columns=columns)
        comparisons = podium.compare(results)
        assert comparisons.algorithms == ("d0", "d1", "d2")
        assert (comparisons.blocks.kind, comparisons.blocks.count) == (blocks, 1_200)


def test_pairs_are_rows_of_one_and_minus_one():
    assert contrasts.matrix([(0, 2), (1, 0)], 3).tolist() == [[1, 0, -1], [-1, 1, 0]]
    assert contrasts.matrix([], 3).shape == (0, 3)


def test_tests_of_all_pairs_together_are_refused_where_their_contrasts_fill_the_memory():
    results = podium.read(wide(600), measure="accuracy")
    with pytest.raises(podium.PodiumError, match="179,700 pairs of 600 algorithms are too many"):
        podium.compare(results, "paired-t")
    assert len(podium.compare(results, "paired-t", control="a0").table) == 599


def test_many_resamples_of_many_pairs_are_refused_with_a_number_that_is_taken():
    results = podium.read(wide(220, 12), measure="accuracy")
    with pytest.raises(podium.PodiumError, match=r"use --orders 166 \(orders=166\)"):
        podium.stability(results)


def test_three_of_whom_two_are_not_apart():
    rng = np.random.default_rng(5)
    k = 6
    ahead = rng.normal(size=(k, k))
    ahead -= ahead.T
    beats = ahead > 0.8
    names = tuple("abcdef")
    decision = Decision("means", names, beats, ahead, None, None, names, 9, 15, 0, 0)
    expected = [
        (names[i], names[j], names[m])
        for i in range(k) for j in range(k) for m in range(k)
        if beats[i, j] and beats[j, m] and not beats[i, m] and not beats[m, i]
    ]  # fmt: skip
    assert expected
    assert list(decision.intransitive) == [t for t in expected if t[0] != t[2]]


def test_reading_takes_time_in_proportion_to_the_columns(monkeypatch):
    """Facts are found by column, not by pair of columns: 30,000 ended in nothing."""
    eyed = []
    plain = pd.DataFrame.melt
    monkeypatch.setattr(pd.DataFrame, "melt", lambda *a, **k: eyed.append(1) or plain(*a, **k))
    monkeypatch.setattr(
        np, "column_stack", lambda parts: eyed.append(1) or np.stack([*parts], axis=1)
    )
    for columns in ({"columns": "algorithm=dataset,across=item"}, {}):
        podium.read(wide(300), measure="accuracy", **columns)
    assert len(eyed) < 20
