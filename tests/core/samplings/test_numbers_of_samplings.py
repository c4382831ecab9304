"""Numbers that samplings tell: by enumeration, by definition, and for papers."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

from podium.core.samplings import Drawn, drawn_in_words, halvings, parse


@pytest.mark.parametrize(("n", "length", "gap"), [(6, 2, 0), (7, 3, 0), (8, 2, 1), (5, 5, 0)])
def test_rows_outside_moving_blocks_are_those_of_all_ways_to_draw_them(n, length, gap):
    """Künsch's blocks start anywhere, alike and independently; a gap around each is not tested."""
    starts, blocks = range(n - length + 1), -(-n // length)
    outside = [
        sum(all(not s - gap <= row < s + length + gap for s in drawn) for row in range(n))
        for drawn in product(starts, repeat=blocks)
    ]
    text = f"moving-block:9x{length}" + (f"x{gap}" if gap else "")
    assert parse(text).sizes(n, 0) == pytest.approx((n, sum(outside) / len(outside)))


def test_blocks_longer_than_the_series_leave_nothing_to_know():
    assert parse("moving-block:9x7").sizes(6, 0)[1] is None


def test_samples_of_halvings_are_numbered_downwards_by_half_and_fold():
    places = [halvings.place(-i) for i in range(1, 2 * halvings.EACH + 1)]
    assert halvings.EACH == 10
    assert places == list(product((1, 2), (1, 2), range(1, 6)))
    assert all(a < b for a, b in pairwise(places))


def test_training_sets_need_their_rows_and_one_to_test_on():
    assert parse("training-sets").least_rows(0) == 2
    assert parse("training-sets").least_rows(40) == 1
    assert parse("training-sets:8x64").least_rows(0) == 513
    assert parse("training-sets:8x64").least_rows(40) == 512


def test_papers_are_told_of_how_many_rows_samples_are():
    few = Drawn(parse("subsampling:5x0.6667"), 5, rows=120)
    assert few.source == "the training set of 120 observations"
    assert few.learned == "80 observations"
    assert few.tested == " (about 40)"
    many = Drawn(parse("subsampling:5x0.6667"), 5, several=True, shared=False)
    assert (many.source, many.tested) == ("each training set", "")
    assert many.learned == "66.7 % of the observations"
    assert many.algorithms == "the algorithm was"


def test_papers_are_told_the_share_of_distinct_rows_and_the_halves():
    """Of 120 draws with replacement 1 - (1 - 1/120)^120 are distinct; about 63.2 %."""

    def told(text: str, samples: int, rows: int | None) -> str:
        sampling = parse(text)
        return drawn_in_words(Drawn(sampling, samples, rows=rows), lambda *_: "")

    drawn = told("bootstrap:25", 25, 120)
    assert "25 bootstrap samples were drawn with replacement" in drawn
    assert "(120 observations, on average 63.2 % of them distinct)" in drawn
    assert "one half of the observations (60) and" in told("5x2cv", 10, 121)
    assert "one half of the observations and" in told("5x2cv", 10, None)
    assert told("rolling-origin:9x1", 9, None).endswith("tested on the next one")
    assert told("rolling-origin:9x5", 9, None).endswith("tested on the next 5")
