"""No table is read with status 0 in another order than the one that it was made from."""

import re
import shlex
import warnings
from functools import reduce
from itertools import pairwise

import pytest
from headers_made import ALGORITHMS, made

import podium
from podium import PodiumError

PROPOSED = re.compile(r"\(in Python: (columns|measure)=('[^']*')\)")
COMMAND = re.compile(r"`podium analyze ([^`]*)`")
ASKED = ("--columns", "--measure", "--sampling")
DEPTH = 4  # questions in a row


def found(table, path, **said):
    """What is read of a table: its algorithms, the best first, and its measure."""
    path.write_text(table.text, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = podium.read(path, **said)
    name = next((m for m in results.measures if table.measure in m), next(iter(results.measures)))
    values = results.values(name)
    means = values.groupby(["algorithm", "dataset"], observed=True)["value"].mean()
    means = means.groupby("algorithm", observed=True).mean().dropna()
    assert results.measures[name].higher_is_better == table.higher or table.measure not in name
    return list(means.sort_values(ascending=not table.higher).index.astype(str))


def joined(said, pair):
    """What is said with one more proposal followed."""
    return {**said, pair[0]: eval(pair[1])}


def endings(table, path, said, depth=DEPTH):
    """All orders that come of following the proposals of errors to the letter."""
    try:
        yield said, found(table, path, **said)
    except PodiumError as error:
        message = str(error)
        assert "is not a column" not in message or depth != DEPTH, message
        if depth:
            for command in COMMAND.findall(message):
                words = shlex.split(command)
                pairs = [(w[2:], repr(v)) for w, v in pairwise(words) if w in ASKED]
                yield from endings(table, path, reduce(joined, pairs, said), depth - 1)
            for pair in PROPOSED.findall(message):
                if "COLUMN" not in pair[1]:
                    yield from endings(table, path, joined(said, pair), depth - 1)


def check(seeds, tmp_path, most=10**6):
    """Read at once, or asked: then proposals, of the first tables, lead to the truth."""
    read = asked = lost = 0
    for seed in seeds:
        table = made(seed)
        path = tmp_path / f"scores{table.suffix}"
        try:
            order = found(table, path, **table.said)
        except PodiumError:
            if asked == most:
                continue
            asked += 1
            ends = list(endings(table, path, table.said))
            lost += not any(order == table.order for _, order in ends)
        else:
            read += 1
            assert order == table.order, (seed, order, table.order, table.text[:600])
    return read, asked, lost


def test_a_short_fuzz_of_headers(tmp_path):
    read, asked, lost = check(range(30), tmp_path, most=3)
    assert (read >= 10, asked, lost) == (True, 3, 0)


def test_questions_that_once_led_nowhere(tmp_path):
    """An index called like algorithms, `db` beside `who`, means first, `where` with single rows."""
    assert check((117, 134, 135, 144, 233, 849), tmp_path)[2] == 0


@pytest.mark.long
def test_a_long_fuzz_of_headers(tmp_path):
    read, asked, lost = check(range(60, 4000), tmp_path)
    assert read >= 1000
    assert lost <= asked / 50


def test_the_truth_of_the_fuzz_has_an_order():
    assert {*made(1).order} == {*ALGORITHMS}


def test_a_column_score_beside_runs_holds_scores_whatever_the_measure(tmp_path):
    """A measure that predictions may have says nothing of a table of data sets and folds."""
    assert check((358, 570, 1634, 2674), tmp_path) == (4, 0, 0)
