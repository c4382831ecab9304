"""Samplings as values: the grammar both ways, errors as text, sizes against distributions."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, poisson

from podium import samplings
from podium.core.samplings import KINDS, PLUS, Sampling, complete, parse
from podium.errors import DesignError, UnknownName

repeatably = settings(derandomize=True, deadline=None)

SPELLED = {
    "bootstrap:250": samplings.bootstrap(250),
    "bootstrap:250+stratified": samplings.bootstrap(250, stratified=True),
    "bootstrap:250+grouped": samplings.bootstrap(250, grouped=True),
    "bootstrap-2n:100": samplings.bootstrap_2n(100),
    "bootstrap-cv:250x5": samplings.bootstrap_cv(250, 5),
    "competition:50": samplings.competition(50),
    "simulation:1000": samplings.simulation(1000),
    "cv:10": samplings.cv(10),
    "cv:10+stratified+grouped": samplings.cv(10, stratified=True, grouped=True),
    "repeated-cv:3x10": samplings.repeated_cv(3, 10),
    "5x2cv": samplings.five_by_two_cv(),
    "5x2cv+stratified": samplings.five_by_two_cv(stratified=True),
    "subsampling:30x0.9": samplings.subsampling(0.9),
    "subsampling:7x0.25+stratified": samplings.subsampling(0.25, 7, stratified=True),
    "holdout:0.67": samplings.holdout(0.67),
    "loo": samplings.loo(),
    "bootstrap:250+stratified+independent": samplings.bootstrap(
        250, stratified=True, independent=True
    ),
    "bootstrap-632:250": samplings.bootstrap_632(250),
    "bootstrap-632plus:250": samplings.bootstrap_632(250, plus=True),
    "bootstrap-whole:250": samplings.bootstrap_whole(250),
    "bayesian-bootstrap:250": samplings.bayesian_bootstrap(250),
    "parametric-bootstrap:250x2000": samplings.parametric_bootstrap(250),
    "training-sets:8x64": samplings.training_sets(8, 64),
    "moving-block:250x10": samplings.moving_block(250, 10),
    "moving-block:250x10x3": samplings.moving_block(250, 10, gap=3),
    "rolling-origin:20x1": samplings.rolling_origin(20),
    "rolling-origin:20x4x2": samplings.rolling_origin(20, 4, 2),
    "items": Sampling("items"),
    "splitter": Sampling("splitter"),
}


@st.composite
def any_samplings(draw):
    """A sampling that a table may have, with any of its numbers."""
    name = draw(st.sampled_from([n for n in KINDS if n != "splitter"]))
    kind = KINDS[name]
    numbers = {
        "samples": st.integers(1, 10**9),
        "folds": st.integers(kind.grammar.least_folds, 10**6),
        "share": st.integers(1, 9_999).map(lambda k: k / 10_000),
        "rows": st.integers(1, 10**6),
        "gap": st.integers(0, 10**6),
    }
    known = [f for f in kind.grammar.fields if draw(st.booleans())]
    values = {f: draw(numbers[f]) for f in known}
    both = kind.block == "fold"
    chosen = draw(
        st.lists(st.sampled_from(kind.grammar.options or ("",)), max_size=2 if both else 1)
    )
    chosen += (
        ["independent"] if "independent" in kind.grammar.options and draw(st.booleans()) else []
    )
    return Sampling(name, **values, **{o: o in chosen for o in PLUS})


# --- the grammar ---


@pytest.mark.parametrize(("text", "sampling"), SPELLED.items())
def test_the_functions_and_the_texts_mean_the_same_sampling(text, sampling):
    assert parse(text) == sampling
    assert str(sampling) == text


@repeatably
@given(any_samplings())
def test_a_sampling_is_read_back_from_its_text(sampling):
    assert parse(str(sampling)) == sampling


@pytest.mark.parametrize(
    ("sampling", "text"),
    [
        (Sampling("subsampling", 30), "subsampling:30x?"),
        (Sampling("subsampling", share=0.9), "subsampling:0.9"),
        (Sampling("rolling-origin", rows=1), "rolling-origin:?x1"),
        (Sampling("rolling-origin", 9), "rolling-origin:9"),
        (Sampling("training-sets", 8), "training-sets:8"),
        (Sampling("parametric-bootstrap", rows=100), "parametric-bootstrap:?x100"),
        (Sampling("repeated-cv", folds=10, stratified=True), "repeated-cv:?x10+stratified"),
        (Sampling("moving-block", gap=3), "moving-block:?x?x3"),
    ],
)
def test_numbers_that_a_table_does_not_tell_are_left_open(sampling, text):
    assert str(sampling) == text
    assert parse(text) == sampling


@pytest.mark.parametrize("share", [1 / 3, 2 / 3, 0.1 + 0.2, 1e-5, 0.9999999999999])
@pytest.mark.parametrize("name", ["holdout", "subsampling"])
def test_a_share_is_read_back_to_the_last_digit(name, share):
    sampling = Sampling(name, 30 if name == "subsampling" else None, share=share)
    assert parse(str(sampling)) == sampling


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (" bootstrap:250 ", "bootstrap:250"),
        ("Bootstrap:250+Stratified", "bootstrap:250+stratified"),
        ("bootstrap : 250", "bootstrap:250"),
        ("cv:10 + stratified", "cv:10+stratified"),
        ("cv:10+grouped+stratified", "cv:10+stratified+grouped"),
        ("cv:10+stratified+stratified", "cv:10+stratified"),
        ("holdout:.5", "holdout:0.5"),
        ("cv:010", "cv:10"),
    ],
)
def test_blanks_case_and_order_of_options_do_not_matter(written, meant):
    assert str(parse(written)) == meant


def test_a_sampling_is_its_own_parse():
    sampling = samplings.cv(3)
    assert parse(sampling) is sampling


@pytest.mark.parametrize("name", KINDS)
def test_every_name_may_stand_without_its_numbers(name):
    assert parse(name) == Sampling(name)


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_every_example_in_an_error_can_be_run_or_read(name, kind):
    assert parse(kind.example).name == name
    assert str(complete(parse(kind.example))) == kind.example


KNOWN = (
    "Known: bootstrap, bootstrap-2n, bootstrap-cv, bootstrap-632, bootstrap-632plus, "
    "bootstrap-whole, bayesian-bootstrap, parametric-bootstrap, competition, cv, repeated-cv, "
    "5x2cv, nested-cv, loo, splitter, seeds, runs, moving-block, rolling-origin, subsampling, "
    "holdout, simulation, training-sets, items, preferences."
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("boostrap:10", f"'boostrap' is not a sampling. Did you mean 'bootstrap'? {KNOWN}"),
        ("", f"'' is not a sampling. {KNOWN}"),
    ],
)
def test_an_unknown_name_is_answered_by_the_closest_known_one(text, message):
    with pytest.raises(UnknownName) as error:
        parse(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "bootstrap:",
            "The sampling 'bootstrap:' cannot be read: behind the colon stands a number of "
            "samples. An example: bootstrap:250.",
        ),
        (
            "cv:10x10",
            "The sampling 'cv:10x10' cannot be read: behind the colon stands a number of folds. "
            "An example: cv:10.",
        ),
        (
            "subsampling:0.9x30",
            "The sampling 'subsampling:0.9x30' cannot be read: behind the colon stands a number "
            "of samples x a share. An example: subsampling:30x0.9.",
        ),
        (
            "5x2cv:5",
            "The sampling '5x2cv:5' cannot be read: nothing may stand behind the colon. "
            "An example: 5x2cv.",
        ),
        ("bootstrap:-1", "The sampling 'bootstrap:-1' cannot be read. An example: bootstrap:250."),
        ("holdout:5e-1", "The sampling 'holdout:5e-1' cannot be read. An example: holdout:0.67."),
        ("cv:1_0", "The sampling 'cv:1_0' cannot be read. An example: cv:10."),
        (
            "cv:5+halves:3+halves:4",
            "The sampling 'cv:5+halves:3+halves:4' cannot be read: behind halves stands one number "
            "of halvings. An example: repeated-cv:5x5+halves:10.",
        ),
        ("cv:٣", "The sampling 'cv:٣' cannot be read. An example: cv:10."),
        (
            "bootstrap:0",
            "The sampling 'bootstrap' is wrong: samples must be a whole number of at least 1, "
            "not 0. An example: bootstrap:250.",
        ),
        (
            "cv:1",
            "The sampling 'cv' is wrong: folds must be a whole number of at least 2, not 1. "
            "An example: cv:10.",
        ),
        (
            "holdout:1",
            "The sampling 'holdout' is wrong: the training share must lie between 0 and 1, "
            "not 1.0. An example: holdout:0.67.",
        ),
        (
            "cv:10+strat",
            "In 'cv:10+strat': 'strat' is not an option. Did you mean 'stratified'? "
            "Known: stratified, grouped, independent, paired.",
        ),
        (
            "cv:10+halves:1",
            "The sampling 'cv' is wrong: halves must be a whole number of at least 2, not 1. "
            "An example: repeated-cv:5x5+halves:10.",
        ),
        ("loo+stratified", "The sampling 'loo' cannot be stratified."),
        ("cv:10+independent", "The sampling 'cv' cannot be independent."),
        (
            "moving-block:9x1x?",
            "The sampling 'moving-block:9x1x?' cannot be read: behind the colon stands a number "
            "of samples x a number of rows x a gap, the last may be left out. An example: "
            "moving-block:250x10.",
        ),
        ("bootstrap:5?", "An example: bootstrap:250."),
        (
            "rolling-origin:9x1x0x1",
            "The sampling 'rolling-origin:9x1x0x1' cannot be read: behind the colon stands a "
            "number of samples x a number of rows x a gap, the last two may be left out. "
            "An example: rolling-origin:20x1.",
        ),
        (
            "training-sets:8x0",
            "The sampling 'training-sets' is wrong: rows must be a whole number of at least 1, "
            "not 0. An example: training-sets:8x64.",
        ),
        ("bootstrap-cv:9x5+grouped", "The sampling 'bootstrap-cv' cannot be grouped."),
        (
            "bootstrap:9+stratified+grouped",
            "The sampling 'bootstrap' can be stratified or grouped, not both.",
        ),
        (250, "A sampling is a text such as 'bootstrap:250', not 250; 250 folds are 'cv:250'."),
        (None, "A sampling is a text such as 'bootstrap:250', not None."),
    ],
)
def test_a_wrong_sampling_is_refused_in_words(text, message):
    with pytest.raises(DesignError) as error:
        parse(text)
    assert str(error.value).endswith(message)


@repeatably
@given(st.text(max_size=20) | st.from_regex(r"[a-z0-9-]+:[0-9x.+-]+(\+[a-z]+)?", fullmatch=True))
def test_any_text_is_a_sampling_or_a_design_error(text):
    try:
        sampling = parse(text)
    except DesignError:
        return
    assert parse(str(sampling)) == sampling


@pytest.mark.parametrize("samples", [2.0, True, "10", 0])
def test_a_number_of_samples_is_a_whole_number(samples):
    with pytest.raises(DesignError, match="samples must be a whole number of at least 1"):
        samplings.bootstrap(samples)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("cv", {"samples": 5, "folds": 10}),
        ("bootstrap", {"samples": 5, "share": 0.5}),
        ("loo", {"folds": 3}),
        ("bootstrap", {"rows": 3}),
        ("training-sets", {"rows": 3, "gap": 1}),
    ],
)
def test_a_number_that_the_name_does_not_have_is_refused(name, numbers):
    """Otherwise two unequal samplings would draw the same."""
    with pytest.raises(DesignError, match=f"The sampling '{name}' is wrong: it has no "):
        Sampling(name, **numbers)


def test_an_unknown_name_makes_no_sampling():
    with pytest.raises(UnknownName, match="'jackknife' is not a sampling"):
        Sampling("jackknife")


# --- completing ---


def test_subsampling_without_a_number_means_dietterichs_thirty_splits():
    assert complete(parse("subsampling:0.9")) == samplings.subsampling(0.9, 30)


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("rolling-origin:20", "rolling-origin:20x1"),
        ("parametric-bootstrap:20", "parametric-bootstrap:20x2000"),
        ("moving-block:20x5", "moving-block:20x5"),
    ],
)
def test_what_may_be_left_out_has_a_default(text, full):
    assert str(complete(parse(text))) == full


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cv", "The sampling 'cv' does not say how many folds to draw. An example: cv:10."),
        (
            "bootstrap+stratified",
            "The sampling 'bootstrap+stratified' does not say how many samples to draw. "
            "An example: bootstrap:250.",
        ),
        (
            "holdout",
            "The sampling 'holdout' does not say its training share. An example: holdout:0.67.",
        ),
        (
            "training-sets:8",
            "The sampling 'training-sets:8' does not say how many rows to draw. An example: "
            "training-sets:8x64.",
        ),
        (
            "repeated-cv:?x5",
            "The sampling 'repeated-cv:?x5' does not say how many samples to draw. An example: "
            "repeated-cv:10x10.",
        ),
    ],
)
def test_a_sampling_to_be_run_must_say_its_numbers(text, message):
    with pytest.raises(DesignError) as error:
        complete(parse(text))
    assert str(error.value) == message


# --- what a sampling knows ---


@pytest.mark.parametrize(
    ("text", "replicate", "count", "folds"),
    [
        ("bootstrap:250", "resample", 250, None),
        ("bootstrap-2n:250", "resample", 250, None),
        ("bootstrap-cv:250x5", "resample", 250, None),
        ("competition:250", "resample", 250, None),
        ("simulation:250", "simulation", 250, None),
        ("cv:10", "fold", 10, 10),
        ("cv", "fold", None, None),
        ("repeated-cv:3x10", "fold", 30, 10),
        ("repeated-cv", "fold", None, None),
        ("5x2cv", "fold", 10, 2),
        ("subsampling:30x0.9", "resample", 30, None),
        ("holdout:0.5", "split", 1, None),
        ("loo", "fold", None, None),
        ("items", "item", None, None),
        ("bootstrap-632plus:9", "resample", 9, None),
        ("bootstrap-whole:9", "resample", 9, None),
        ("bayesian-bootstrap:9", "resample", 9, None),
        ("parametric-bootstrap:9", "resample", 9, None),
        ("moving-block:9x5", "resample", 9, None),
        ("rolling-origin:9x5", "origin", 9, None),
        ("training-sets:9x5", "training-set", 9, None),
        ("splitter", "fold", None, None),
    ],
)
def test_every_sampling_knows_its_kind_of_replicate_and_its_number(text, replicate, count, folds):
    sampling = parse(text)
    assert sampling.replicate == replicate
    assert sampling.count == count
    assert sampling.folds_per_repeat == folds


@repeatably
@given(any_samplings(), st.integers(1, 10**6))
def test_the_identity_does_not_depend_on_the_number_of_samples(sampling, samples):
    if "samples" in sampling.kind.grammar.fields and sampling.samples != samples:
        same = sampling.with_count(samples).identity == sampling.identity
        # the test set of training sets is what they leave over
        assert same == (sampling.name != "training-sets")


@repeatably
@given(any_samplings(), any_samplings())
def test_the_identity_depends_on_everything_else(one, other):
    without_number = [s if s.kind.counted else replace(s, samples=None) for s in (one, other)]
    assert (one.identity == other.identity) == (without_number[0] == without_number[1])


def test_the_detail_tells_samples_from_a_file_from_those_drawn_here():
    drawn = samplings.bootstrap(10)
    read = replace(drawn, detail="@0123456789ab")
    assert read.identity != drawn.identity
    assert read != drawn
    assert str(read) == str(drawn)


@pytest.mark.parametrize(
    ("text", "repeats", "folds"), [("repeated-cv:4x3", 4, 3), ("5x2cv", 5, 2), ("cv:7", 1, 7)]
)
def test_samples_are_numbered_repeat_by_repeat(text, repeats, folds):
    sampling = parse(text)
    expected = list(itertools.product(range(1, repeats + 1), range(1, folds + 1)))
    found = [sampling.repeat_and_fold(k) for k in range(1, repeats * folds + 1)]
    assert found == expected
    assert sampling.count == len(expected)
    assert sampling.kind.sizes.repeats(sampling) == repeats


@pytest.mark.parametrize("text", ["bootstrap:9", "bootstrap-cv:9x5", "holdout:0.5", "loo", "cv"])
def test_samples_that_are_no_numbered_folds_have_no_place_in_a_repeat(text):
    assert parse(text).repeat_and_fold(3) is None


# --- sizes and shares ---


@pytest.mark.parametrize("n", [2, 10, 150, 2000])
def test_bootstrap_sizes_are_those_of_the_binomial_distribution(n):
    out_of_bag = n * binom.pmf(0, n, 1 / n)
    assert samplings.bootstrap(9).sizes(n) == pytest.approx((n, out_of_bag), abs=1e-5)
    assert samplings.bootstrap_2n(9).sizes(n - 1, 1) == samplings.bootstrap(9).sizes(n)


def test_bootstrap_share_is_the_poisson_limit_of_0_632():
    for sampling in (samplings.bootstrap(9), samplings.bootstrap_2n(9), samplings.competition(9)):
        assert sampling.train_share == pytest.approx(poisson.sf(0, 1))
        assert sampling.train_share == pytest.approx(0.632, abs=5e-4)


@pytest.mark.parametrize("folds", [2, 5, 10])
def test_bootstrap_cv_learns_from_the_rows_with_a_copy_outside_the_fold(folds):
    sampling = samplings.bootstrap_cv(9, folds)
    assert sampling.train_share == pytest.approx(poisson.sf(0, 1 - 1 / folds))
    assert sampling.sizes(100) == (pytest.approx(100 - 100 / folds), None)


@pytest.mark.parametrize(
    ("text", "share", "sizes"),
    [
        ("cv:10", 0.9, (108, 12)),
        ("repeated-cv:5x4", 0.75, (90, 30)),
        ("5x2cv", 0.5, (60, 60)),
        ("loo", 1.0, (119, 1)),
        ("nested-cv:3x10", 0.9, (108, 12)),
        ("subsampling:30x0.8", 0.8, (96, 24)),
        ("holdout:0.75", 0.75, (90, 30)),
        ("competition:9", poisson.sf(0, 1), (120, 40)),
        ("simulation:9", 1.0, (120, 40)),
        ("bootstrap-whole:9", poisson.sf(0, 1), (120, 120)),
        ("bootstrap-632:9", poisson.sf(0, 1), (120, 120 * (1 - 1 / 120) ** 120)),
        ("bayesian-bootstrap:9", 1.0, (120, 40)),
    ],
)
def test_shares_and_sizes_of_120_rows_and_a_test_sample_of_40(text, share, sizes):
    assert parse(text).train_share == pytest.approx(share)
    assert parse(text).sizes(120, 40) == pytest.approx(sizes)


@pytest.mark.parametrize("text", ["items", "splitter", "cv", "subsampling"])
def test_what_is_not_known_has_no_share(text):
    assert parse(text).train_share is None
    assert parse(text).sizes(100) == (100, None)


def test_a_nested_cross_validation_fits_every_fold_within_every_fold():
    assert parse("nested-cv:3x10").count == 3 * 10 * 10
    assert parse("nested-cv").count is None
    assert parse("nested-cv:3x10").least_rows(0) == 20


def test_with_count_changes_the_number_and_nothing_else():
    assert samplings.repeated_cv(2, 10, stratified=True).with_count(7) == samplings.repeated_cv(
        7, 10, stratified=True
    )


@pytest.mark.parametrize(
    ("text", "test", "sizes", "least"),
    [
        ("parametric-bootstrap:9x500", 0, (120, 500), 2),
        ("rolling-origin:9x5", 0, (75, 5), 47),  # the first of nine origins learns least
        ("rolling-origin:9x5x3", 0, (72, 5), 50),
        ("training-sets:5x20", 0, (20, 20), 101),
        ("training-sets:5x20", 40, (20, 40), 100),
        ("bayesian-bootstrap:9", 0, (120, 120), 2),
        ("cv:10", 0, (108, 12), 10),
    ],
)
def test_sizes_of_120_rows_and_the_fewest_rows_that_do(text, test, sizes, least):
    assert parse(text).sizes(120, test) == sizes
    assert parse(text).least_rows(test) == least


def test_only_what_tests_learned_rows_is_optimistic():
    found = {n for n in KINDS if Sampling(n).optimistic}
    assert found == {"bootstrap-whole", "bayesian-bootstrap"}
