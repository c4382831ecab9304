"""Claims about new samples from one training set: the corrected t test and the halves test."""

from __future__ import annotations

import numpy as np
import pytest
from layouts_made import made, noise
from scipy import stats

from podium import compare
from podium.asking.planning.detection import detectable_pairs
from podium.core.inference.bricks import estimates as est
from podium.core.inference.comparing.legality import advise_design
from podium.core.inference.layouts import Halvings
from podium.core.questions.measures import KNOWN
from podium.core.samplings import parse
from podium.core.words.saying import say
from podium.errors import IllegalProcedure, InferenceError

DIFFERENCES = np.array([0.3, -0.1, 0.4, 0.2, 0.0, 0.5, 0.1, 0.3, -0.2, 0.6])


def pair(how: str, block: str = "fold", differences: np.ndarray = DIFFERENCES):
    scores = np.column_stack([differences, np.zeros(len(differences))])
    return made(scores, block=block, target="population", how=how, measure="accuracy")


@pytest.mark.parametrize(
    ("how", "block", "ratio", "df"),
    [
        ("cv:10", "fold", 1 / 9, 9),  # one round: r
        ("cv:5", "fold", 1 / 4, 9),
        ("repeated-cv:2x5", "fold", 2 / 4, 9),  # test sets overlap: 2 r
        ("repeated-cv:1x10", "fold", 1 / 9, 9),
        ("repeated-cv:2x4", "fold", 2 / 3, 9),
        ("repeated-cv:2x6", "fold", 2 / 5, 5),  # more than 0.8: n / n_test - 1
        ("subsampling:10x0.8", "resample", 2 / 4, 9),
        ("subsampling:10x0.75", "resample", 2 / 3, 9),
        ("subsampling:10x0.875", "resample", 2 / 7, 7),
        ("bootstrap:10", "resample", 2 / (np.e - 1), 9),
        ("5x2cv", "fold", 3, 5),
        ("repeated-cv:5x2", "fold", 3, 5),
    ],
)
def test_the_corrected_t_by_hand(how: str, block: str, ratio: float, df: int) -> None:
    layout = pair("5x2cv" if how == "repeated-cv:5x2" else how, block)
    row = compare(layout, "corrected-t").table.iloc[0]
    se = np.sqrt(DIFFERENCES.var(ddof=1) * (1 / 10 + ratio))
    t = DIFFERENCES.mean() / se
    assert row["statistic"] == pytest.approx(t, rel=1e-12)
    assert row["p"] == pytest.approx(2 * stats.t.sf(t, df), rel=1e-9)
    assert row["upper"] == pytest.approx(DIFFERENCES.mean() + stats.t.isf(0.025, df) * se, rel=1e-9)


def test_nine_tenths_of_a_hundred_splits_have_nine_df() -> None:
    layout = pair("repeated-cv:10x10", differences=np.resize(DIFFERENCES, 100))
    assert est.overlap(layout) == (pytest.approx(2 / 9), 9)
    assert est.overlap(pair("subsampling:100x0.9", "resample")) == (pytest.approx(2 / 9), 9)


def test_fewer_rows_to_learn_from_are_a_larger_ratio() -> None:
    layout = made(noise(10, 2), block="fold", how="repeated-cv:2x5", rows=100, size=40)
    assert est.overlap(layout) == (pytest.approx(2 * 20 / 40), np.inf)


def test_nadeau_and_bengio_by_name() -> None:
    row = compare(pair("repeated-cv:2x5"), "corrected-t-nb").table.iloc[0]
    t = DIFFERENCES.mean() / np.sqrt(DIFFERENCES.var(ddof=1) * (1 / 10 + 1 / 4))
    assert row["statistic"] == pytest.approx(t, rel=1e-12)
    assert row["p"] == pytest.approx(2 * stats.t.sf(t, 9), rel=1e-9)


def test_the_corrected_t_has_no_global_test_of_its_own() -> None:
    c = compare(made(noise(10, 3), block="fold"), "corrected-t")
    assert c.overall is not None
    assert c.overall.test == "largest statistic"
    assert c.overall.p == pytest.approx(c.table["p_adjusted"].min())


@pytest.mark.parametrize(
    ("how", "block", "most"),
    [
        ("cv:10", "fold", 11),
        ("repeated-cv:2x5", "fold", 18),
        ("bootstrap:10", "resample", 18),
        ("5x2cv", "fold", 20),
    ],
)
def test_the_corrected_t_says_what_it_assumes(how: str, block: str, most: int) -> None:
    notes = {n.code: say(n) for n in compare(pair(how, block), "corrected-t").warnings}
    assert f"up to {most} % differed significantly" in notes["overlap"]
    assert "--halves 10" in notes["overlap"]
    assert ("finds hardly any difference" in notes["overlap"]) == (how == "5x2cv")


@pytest.mark.parametrize(
    ("name", "how", "liberal"),
    [
        ("corrected-t-nb", "repeated-cv:2x5", True),
        ("corrected-t-nb", "cv:10", False),  # where it is corrected-t
        ("5x2cv-f", "5x2cv", True),
        ("5x2cv-t", "5x2cv", True),
    ],
)
def test_tests_that_reject_too_often_say_how_often(name: str, how: str, liberal: bool) -> None:
    notes = {n.code: say(n) for n in compare(pair(how), name).warnings}
    assert ("liberal" in notes) == liberal
    if liberal:
        assert "% of ridge regressions" in notes["liberal"]


# -- halves ---------------------------------------------------------------------------------------

RNG = np.random.default_rng(7)
MEANS = np.array([0.6, 0.0, -0.1])
BLOCKS = RNG.normal(0.3, 0.3, (25, 3)) + MEANS
INSIDE = RNG.normal(0, 0.3, (10, 2, 3)) + MEANS


def halved(blocks=BLOCKS, inside=INSIDE, how="repeated-cv:5x5", measure="auc", rows=200, **facts):
    sign = 1 if measure == "auc" else -1
    halvings = Halvings(sign * np.array(inside, float), **facts)
    more = {"halvings": halvings, "rows": rows}
    return made(blocks, block="fold", target="population", how=how, measure=measure, **more)


def by_formula(d: np.ndarray, halves: np.ndarray, r: float = 1 / 4) -> tuple[float, float]:
    v = ((halves[:, 0] - halves[:, 1]) ** 2).sum() / (4 * len(halves))
    return d.mean(), max(v, d.var(ddof=1) * (1 / len(d) + r))


def test_the_halves_test_by_its_formula() -> None:
    table = compare(halved(), "halves").table
    pairs = [(0, 1), (0, 2), (1, 2)]
    alpha = 1 - 0.95 ** (1 / 3)
    p = []
    for (a, b), row in zip(pairs, table.itertuples(), strict=True):
        mean, v = by_formula(BLOCKS[:, a] - BLOCKS[:, b], INSIDE[:, :, a] - INSIDE[:, :, b])
        reach = stats.t.isf(alpha / 2, 9) * np.sqrt(v)
        p.append(2 * stats.t.sf(abs(mean) / np.sqrt(v), 9))
        assert row.estimate == pytest.approx(mean)
        assert row.statistic == pytest.approx(mean / np.sqrt(v))
        assert row.p == pytest.approx(p[-1])
        assert (row.lower, row.upper) == pytest.approx((mean - reach, mean + reach))
    np.testing.assert_allclose(table["p_adjusted"], 1 - (1 - np.array(p)) ** 3)


def test_halves_by_hand() -> None:
    """Two halvings with gaps 0.2 and 0.4: v = (0.04 + 0.16) / 8 = 0.025; t = 0.5 / 0.158."""
    inside = np.zeros((2, 2, 2))
    inside[:, 0, 0] = [0.5, 0.7]
    inside[:, 1, 0] = [0.3, 0.3]
    blocks = np.column_stack([[0.49, 0.51] * 5, np.zeros(10)])
    row = compare(halved(blocks, inside, how="cv:10"), "halves").table.iloc[0]
    assert row["statistic"] == pytest.approx(0.5 / np.sqrt(0.025))
    assert row["p"] == pytest.approx(2 * stats.t.sf(0.5 / np.sqrt(0.025), 1))


def test_the_larger_variance_counts_and_is_told() -> None:
    blocks = BLOCKS[:, :2] * 4
    note = next(n for n in compare(halved(blocks, INSIDE[:, :, :2]), "halves").warnings
                if n.code == "halves")  # fmt: skip
    assert (note.guarded, note.pairs) == (1, 1)
    assert "where that is larger" in say(note)
    row = compare(halved(blocks, INSIDE[:, :, :2]), "halves").table.iloc[0]
    d = blocks[:, 0] - blocks[:, 1]
    assert row["statistic"] == pytest.approx(d.mean() / np.sqrt(d.var(ddof=1) * (1 / 25 + 1 / 4)))


def test_more_halvings_have_no_more_than_nine_df() -> None:
    inside = np.concatenate([INSIDE, INSIDE])
    assert compare(halved(inside=inside), "halves").table.equals(compare(halved(), "halves").table)


def test_the_conservative_variant_has_twice_the_variance() -> None:
    quiet = np.zeros((25, 2)) + [0.5, 0.0] + np.linspace(0, 1e-3, 25)[:, None] * [1, 0]
    one, two = (compare(halved(quiet, INSIDE[:, :, :2]), n).table["statistic"].iloc[0]
                for n in ("halves", "halves-conservative"))  # fmt: skip
    assert one / two == pytest.approx(np.sqrt(2))


def codes(layout) -> dict[str, str]:
    return {n.code: say(n) for n in compare(layout, "halves").warnings}


def test_halvings_are_the_default_where_they_are() -> None:
    assert compare(halved()).procedure == "halves"
    assert compare(halved(BLOCKS[:10], how="5x2cv")).procedure == "halves"
    with pytest.raises(IllegalProcedure, match="--halves 10 adds them"):
        compare(made(noise(10, 2), block="fold"), "halves")


@pytest.mark.parametrize("flaw", ["no gap", "no spread", "one gap is none", "rare class"])
def test_nothing_is_claimed_where_halves_cannot_tell(flaw: str) -> None:
    blocks, inside, facts = BLOCKS[:, :2].copy(), INSIDE[:, :, :2].copy(), {}
    if flaw == "no gap":
        inside[:, :, 0] = inside[:, :, 1] + 0.3
    elif flaw == "no spread":
        blocks[:, 0] = blocks[:, 1] + 0.3
    elif flaw == "one gap is none":
        inside[3, :, 0] = inside[3, :, 1]
    else:
        facts = {"rarest": 9}
    layout = halved(blocks, inside, **facts)
    c = compare(layout, "halves")
    row = c.table.iloc[0]
    assert row["verdict"] == "undecided"
    assert np.isnan([row["p"], row["p_adjusted"], row["lower"], row["upper"]]).all()
    code = "halves-rare-class" if facts else "halves-no-claim"
    assert "othing is claimed" in codes(layout)[code]
    assert "no-variation" not in codes(layout)
    assert '"p": null' in c.to_json()


def test_halves_that_err_equally_often_by_chance_do_not_silence_the_test() -> None:
    inside = INSIDE[:, :, :2].copy()
    inside[3, :, 0] = inside[3, :, 1]
    assert not np.isnan(compare(halved(BLOCKS[:, :2], inside, measure="error")).table["p"].iloc[0])
    counts = np.round(BLOCKS[:, :2], 1)  # of a measure that nobody knows
    assert not np.isnan(compare(halved(counts, inside)).table["p"].iloc[0])


@pytest.mark.parametrize(
    ("more", "code", "text"),
    [
        ({"rarest": 15}, "halves-rare-class", "fewer than 20"),
        ({"attributes": 81}, "halves-attributes", "81 attributes of 200 rows"),
        ({"distinct": 99}, "halves-distinct", "halves-conservative"),
        ({"grouped": True}, "halves-groups", "+grouped"),
        ({"rows": 60}, "halves-few-rows", "60 rows are few"),
        ({"inside": INSIDE[:4]}, "halves-few", "four halvings"),
        ({"inside": INSIDE - [2, 0, 0]}, "halves-far-off", "a and b, a and c"),
        ({"measure": "squared"}, "halves-heavy-tails", "absolute"),
    ],
)
def test_what_speaks_against_halves_is_told(more, code: str, text: str) -> None:
    assert text in codes(halved(**more))[code]
    assert code not in codes(halved(rarest=20, attributes=80, distinct=100))


def test_halvings_without_a_score_are_left_out() -> None:
    inside = INSIDE.copy()
    inside[[2, 5], 0, 1] = np.nan
    layout = halved(inside=inside)
    assert "2 of 10 halvings lack a score" in codes(layout)["halves-incomplete"]
    whole = compare(halved(inside=np.delete(INSIDE, [2, 5], axis=0)), "halves").table
    assert compare(layout, "halves").table.equals(whole)
    inside[1:, 0, 0] = np.nan
    with pytest.raises(InferenceError, match="two halvings with all scores; there is 1"):
        compare(halved(inside=inside), "halves")


def test_halves_take_margins_and_directions() -> None:
    d, v = by_formula(BLOCKS[:, 0] - BLOCKS[:, 1], INSIDE[:, :, 0] - INSIDE[:, :, 1])
    layout = halved(BLOCKS[:, :2], INSIDE[:, :, :2])
    greater = compare(layout, "halves", alternative="greater", relevance=0.1).table.iloc[0]
    assert greater["p"] == pytest.approx(stats.t.sf((d - 0.1) / np.sqrt(v), 9))
    assert greater["lower"] == pytest.approx(d - stats.t.isf(0.05, 9) * np.sqrt(v))
    less = compare(halved(-BLOCKS[:, :2], -INSIDE[:, :, :2], measure="brier"), "halves")
    assert less.table["statistic"].iloc[0] == pytest.approx(-d / np.sqrt(v))


def test_what_is_detectable_by_halves() -> None:
    found = detectable_pairs(halved(BLOCKS[:, :2], INSIDE[:, :, :2]))["detectable"].iloc[0]
    _, v = by_formula(BLOCKS[:, 0] - BLOCKS[:, 1], INSIDE[:, :, 0] - INSIDE[:, :, 1])
    limit = stats.t.isf(0.025, 9)
    shift = found / np.sqrt(v)
    assert stats.nct.sf(limit, 9, shift) + stats.nct.cdf(-limit, 9, shift) == pytest.approx(0.8)


def test_designs_are_advised_to_be_halved() -> None:
    found = [
        advise_design(2, 1, parse(how), KNOWN["error"], 100)
        for how in ("repeated-cv:5x5", "repeated-cv:5x5+halves:10", "simulation:10", "loo")
    ]
    assert [f.procedure for f in found] == ["corrected-t", "halves", "hull", ""]
    assert ["--halves 10" in str(f) for f in found] == [True, False, False, False]
