"""Which procedure may be used for which design and target: the table of the design, in full."""

from __future__ import annotations

from dataclasses import replace

import pytest
from layouts_made import crossed, made, noise, with_halvings
from told import told

from podium import Layout, compare
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.inference.comparing.legality import advise, advise_design, alternatives, is_legal
from podium.core.questions.measures import parse as measure_of
from podium.core.questions.targets import BLOCKS, TARGETS
from podium.core.samplings import parse as sampling
from podium.core.words.saying import say
from podium.errors import InferenceError

FRIEDMAN = {
    "friedman", "nemenyi", "nemenyi-control", "iman-davenport", "quade", "aligned-ranks",
    "normal-scores", "permutation", "permutation-max",
}  # fmt: skip
PAIRS = {"wilcoxon", "pratt", "sign", "sign-flip", "paired-t", "max-modulus"}
MIXED = {"mixed-tukey", "mixed-dunnett", "aligned-tukey"}
FUNCTIONALS = {"median-bootstrap", "quantile-bootstrap"}
BLOCK_TESTS = {"ranks", "hull", "rank-t", "flip"}
PLAIN = (
    FRIEDMAN
    | PAIRS
    | MIXED
    | FUNCTIONALS
    | BLOCK_TESTS
    | {"paired-scale", "bradley-terry", "plackett-luce"}
)
COUNTS = {"mcnemar", "mcnemar-score", "mcnemar-mid-p", "cochran", "pooled-proportions", "cluster-t"}
CORRECTED = {"corrected-t", "corrected-t-nb"}
HALVES = {"5x2cv-t", "5x2cv-f"}
OWN = {"kruskal-wallis", "one-way-permutation", "steel-dwass", "games-howell", "anova-tukey"} | {
    "medians"
}
CROSSED = {"delve-quasi-f", "crossed-t"}
SERIES = {"diebold-mariano", "diebold-mariano-fixed"}
CONDITIONAL = [
    "bootstrap-whole", "bootstrap-632", "bootstrap-632plus", "bayesian-bootstrap",
    "parametric-bootstrap", "moving-block",
]  # fmt: skip

LEGAL = {
    ("resample", "bootstrap", "sample"): PLAIN,
    ("resample", "bootstrap", "population"): CORRECTED,
    ("resample", "subsampling:0.8", "sample"): PLAIN,
    ("resample", "subsampling:0.8", "population"): CORRECTED,
    ("resample", "competition", "sample"): PLAIN,
    ("resample", "competition", "test-set"): PLAIN,
    ("repetition", "repeated-cv:10x10", "sample"): PLAIN,
    ("simulation", "simulation", "population"): PLAIN,
    ("fold", "cv:10", "population"): CORRECTED,
    ("fold", "repeated-cv:10x10", "population"): CORRECTED,
    ("fold", "5x2cv", "population"): CORRECTED | HALVES,
    ("item", "items", "test-set"): PLAIN | COUNTS,
    ("dataset", "bootstrap", "dataset-population"): PLAIN - {"paired-scale"} | {"skillings-mack"},
    ("nested", "bootstrap", "datasets"): {"survey-fixed"},
    ("nested", "bootstrap", "dataset-population"): {"survey-random"},
    **{("resample", how, "sample"): PLAIN for how in CONDITIONAL},
    ("independent-resample", "bootstrap+independent", "sample"): OWN,
    ("independent-resample", "competition+independent", "sample"): OWN,
    ("independent-resample", "competition+independent", "test-set"): OWN,
    ("independent-simulation", "simulation+independent", "population"): OWN,
    ("training-set", "training-sets:8x64", "test-set"): PLAIN,
    ("crossed", "training-sets:8x64", "population"): CROSSED,
    ("origin", "rolling-origin:10x2", "population"): SERIES,
    ("training-run", "seeds+paired", "sample"): PLAIN,
    ("independent-training-run", "seeds", "sample"): OWN,
    ("timed-run", "runs+paired", "sample"): PLAIN,
    ("independent-timed-run", "runs", "sample"): OWN,
    ("held-out", "cv:10", "fold-models"): {"cv-clt"},
    ("seed-item", "seeds+paired", "sample"): {"seeds-t"},
    ("condition-item", "items", "new-conditions"): {"conditions-t"},
    ("independent-seed-item", "seeds", "sample"): {"seeds-t"},
}
DESIGNS = [
    ("resample", "bootstrap"), ("resample", "subsampling:0.8"), ("resample", "competition"),
    ("repetition", "repeated-cv:10x10"), ("simulation", "simulation"), ("fold", "cv:10"),
    ("fold", "repeated-cv:10x10"), ("fold", "5x2cv"), ("fold", "loo"), ("item", "items"),
    ("dataset", "bootstrap"), ("nested", "bootstrap"), *(("resample", how) for how in CONDITIONAL),
    ("independent-resample", "bootstrap+independent"),
    ("independent-resample", "competition+independent"),
    ("independent-simulation", "simulation+independent"), ("training-set", "training-sets:8x64"),
    ("crossed", "training-sets:8x64"), ("origin", "rolling-origin:10x2"),
    ("training-run", "seeds+paired"), ("independent-training-run", "seeds"),
    ("timed-run", "runs+paired"), ("independent-timed-run", "runs"),
    ("held-out", "cv:10"), ("seed-item", "seeds+paired"), ("independent-seed-item", "seeds"),
    ("condition-item", "items"),
]  # fmt: skip


def design(block: str, how: str, target: str) -> Layout:
    return made(noise(10, 2), block=block, how=how, target=target)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("block", "how"), DESIGNS)
def test_the_table_of_targets(block: str, how: str, target: str) -> None:
    layout = design(block, how, target)
    expected = LEGAL.get((block, how, target), set())
    assert set(alternatives(layout)) == expected
    for name in PROCEDURES:
        if name in expected:
            continue
        assert not is_legal(PROCEDURES[name], layout)
        with pytest.raises(InferenceError) as caught:
            compare(layout, name, control="a" if PROCEDURES[name].needs.control else None)
        text = str(caught.value)
        assert (
            f"'{name}' is not valid for {BLOCKS[block].text} ('{layout.origin.sampling}')" in text
        )
        assert f"the target '{target}'" in text
        assert "--force (force=True)" in text
        legal = ", ".join(alternatives(layout))
        assert (f"Valid here: {legal}." if expected else "No test is valid here.") in text


def test_every_procedure_is_legal_somewhere_or_says_why_not() -> None:
    somewhere = set().union(*LEGAL.values())
    for name, procedure in PROCEDURES.items():
        known = name in somewhere or procedure.needs.halves or procedure.needs.stops
        assert known == (not procedure.reports.marked), name


def test_halvings_make_the_halves_test_legal() -> None:
    for block, how in (("fold", "cv:10"), ("resample", "bootstrap")):
        bare = design(block, how, "population")
        more = set(alternatives(with_halvings(bare))) - set(alternatives(bare))
        assert more == {"halves", "halves-conservative"}
    of_sample = with_halvings(design("resample", "bootstrap", "sample"))
    assert "halves" not in alternatives(of_sample)


@pytest.mark.parametrize(
    ("block", "how", "target", "name", "why"),
    [
        ("fold", "cv:10", "population", "paired-t", "folds share training rows"),
        ("fold", "cv:10", "population", "5x2cv-t", "it is defined for 5x2cv only"),
        ("fold", "cv:10", "population", "kfold-t", "its type I error is above nominal"),
        ("fold", "loo", "population", "corrected-t", "leave-one-out share all but one row"),
        ("resample", "bootstrap", "population", "wilcoxon", "independent only given that sample"),
        ("resample", "bootstrap", "test-set", "paired-t", "only a competition tests all samples"),
        ("resample", "bootstrap", "sample", "resampled-t", "random splits of one sample overlap"),
        ("resample", "bootstrap", "sample", "mcnemar", "made for items of one test set"),
        (
            "resample",
            "subsampling:.8",
            "sample",
            "corrected-t",
            "on these it answers the target "
            "'population' only: add --target population (target='population') to ask about that.",
        ),
        ("resample", "bootstrap", "sample", "corrected-t", "it answers the target 'population'"),
        ("resample", "bootstrap-whole", "sample", "corrected-t", "that were drawn otherwise."),
        ("simulation", "simulation", "sample", "paired-t", "the target is 'population'"),
        ("item", "items", "population", "paired-t", "say nothing about it, only about 'test-set'"),
        ("dataset", "bootstrap", "sample", "paired-t", "only about 'dataset-population'"),
        ("item", "items", "test-set", "corrected-t", "it is made for samples drawn from one"),
        ("resample", "bootstrap", "sample", "games-howell", "say so, as in bootstrap+independent"),
        (
            "independent-resample",
            "bootstrap+independent",
            "sample",
            "paired-t",
            "nothing pairs their scores. Valid here: kruskal-wallis",
        ),
        (
            "independent-resample",
            "bootstrap+independent",
            "population",
            "games-howell",
            "draw them for all algorithms together and use corrected-t",
        ),
        (
            "independent-simulation",
            "simulation+independent",
            "sample",
            "games-howell",
            "the target is 'population'",
        ),
        ("training-set", "training-sets:8x64", "population", "paired-t", "by delve-quasi-f"),
        ("crossed", "training-sets:8x64", "population", "paired-t", "share that item's"),
        ("origin", "rolling-origin:10x2", "population", "paired-t", "overlap in time"),
        ("resample", "bootstrap-632", "population", "corrected-t", "draw bootstrap, subsampling"),
        ("resample", "moving-block", "population", "corrected-t", "use diebold-mariano-fixed"),
    ],
)
def test_refusals_say_why(block: str, how: str, target: str, name: str, why: str) -> None:
    with pytest.raises(InferenceError) as caught:
        compare(design(block, how, target), name)
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("block", "how", "name"),
    [("fold", "cv:10", "kfold-t"), ("fold", "cv:10", "paired-t"), ("fold", "loo", "wilcoxon"),
     ("resample", "subsampling:0.8", "resampled-t")],
)  # fmt: skip
def test_force_computes_and_marks(block: str, how: str, name: str) -> None:
    c = compare(made(noise(10, 2), block=block, how=how), name, force=True)
    (mark,) = [say(w) for w in c.warnings if w.code == "forced"]
    assert mark.startswith("NOT VALID for this design and computed by force: ")
    assert c.table["p"].notna().all()


def test_what_cannot_be_computed_cannot_be_forced() -> None:
    with pytest.raises(InferenceError, match="does not say its share of training rows"):
        compare(made(noise(10, 2), block="item"), "corrected-t", force=True)


def test_force_marks_nothing_that_is_legal() -> None:
    c = compare(made(noise(10, 2)), "paired-t", force=True)
    assert "forced" not in [w.code for w in c.warnings]


@pytest.mark.parametrize(
    ("layout", "code"),
    [
        (made(noise(10, 2)), "conditional-on-sample"),
        (made(noise(10, 2), block="repetition"), "conditional-on-sample"),
        (made(noise(9, 2), block="dataset"), "few-data-sets"),
        (made(noise(10, 2), block="dataset"), None),
        (made(noise(10, 2), block="item"), None),
        (made(noise(10, 2), block="simulation"), None),
        (made(noise(10, 2), target="test-set", how="competition"), None),
        (made(noise(10, 2), block="training-set"), "conditional-on-test-set"),
        (made(noise(9, 2), block="dataset", how="bootstrap-whole"), "few-data-sets optimistic"),
        (made(noise(10, 2), how="bootstrap-whole"), "conditional-on-sample optimistic"),
        (made(noise(10, 2), how="bayesian-bootstrap"), "conditional-on-sample optimistic"),
        (made(noise(10, 2), how="bootstrap-632plus"), "conditional-on-sample apparent-error"),
        (made(noise(10, 2), how="moving-block"), "conditional-on-sample one-series"),
        (made(noise(10, 2), how="parametric-bootstrap"), "conditional-on-sample"),
    ],
)
def test_what_a_reader_must_know_of_a_design(layout: Layout, code: str | None) -> None:
    found = {w.code for w in compare(layout, "paired-t").warnings}
    known = {"few-data-sets", "optimistic", "apparent-error", "one-series"}
    known |= {"conditional-on-sample", "conditional-on-test-set"}
    assert found & known == set(code.split() if code else [])


def test_leave_one_out_has_no_procedure_by_default() -> None:
    with pytest.raises(InferenceError, match=r"use repeated-cv:5x5\."):
        compare(made(noise(10, 2), block="fold", how="loo"))


@pytest.mark.parametrize(
    ("layout", "words"),
    [
        (made(noise(10, 2), dataset="iris", rows=100),
         ["this training set ('iris'), conditional on it",
          "0.632 n distinct rows (about 63 of 100)"]),
        (made(noise(10, 2), block="fold", rows=100),
         ["new training sets from the process", "learn from 0.9 n rows (about 90 of 100)"]),
        (made(noise(10, 2), block="fold", how="5x2cv"), ["learn from n/2 rows."]),
        (made(noise(10, 2), target="test-set", how="competition"),
         ["this training set and this test set, conditional on both"]),
        (made(noise(10, 2), block="item"), ["these fitted models and new items"]),
        (made(noise(10, 2), block="dataset", population="cell images"),
         ["the population of data sets that these represent (cell images)"]),
        (made(noise(10, 2), block="fold", population="cell images"),
         ["area of application: cell images"]),
        (made(noise(10, 2), block="training-set"),
         ["new training sets from the process", "this very test set", "learn from 64 rows."]),
        (made(noise(10, 2), block="origin"), ["the process behind the series, if it goes on"]),
        (made(noise(10, 2), block="independent-resample"), ["this training set, conditional"]),
        (made(noise(10, 2), block="independent-resample", how="competition+independent",
              target="test-set"), ["this training set and this test set"]),
        (crossed(noise(12, 2).reshape(3, 4, 2)), ["over new training sets and new items"]),
    ],
)  # fmt: skip
def test_statements_say_what_they_are_about(layout: Layout, words: list[str]) -> None:
    text = compare(layout).statement
    assert text.startswith("Hypothesis: two algorithms have equal ")
    assert text.endswith(".")
    for word in words:
        assert word in text


def test_notes_on_a_fitted_generator_do_not_contradict_its_statement() -> None:
    of_generator, of_sample = (
        compare(made(noise(10, 2), how=how), "paired-t")
        for how in ("parametric-bootstrap", "bootstrap")
    )
    said = dict(told(of_generator.warnings))["conditional-on-sample"]
    assert "as far as the generator is like it" in of_generator.statement
    assert said.startswith("Conditional on the generator that was fitted to this training set")
    more = "add --target population"
    assert more not in said
    assert more in dict(told(of_sample.warnings))["conditional-on-sample"]


@pytest.mark.parametrize(
    ("how", "block"),
    [
        ("bootstrap", "resample"),
        ("competition", "resample"),
        ("bayesian-bootstrap", "resample"),
        ("bootstrap-whole", "resample"),
        ("bootstrap-632", "resample"),
        ("moving-block", "resample"),
        ("bootstrap", "independent-resample"),
    ],
)
def test_the_way_to_new_data_that_a_note_names_is_one_that_works(how: str, block: str) -> None:
    layout = made(noise(10, 2), how=how, block=block)
    said = dict(told(compare(layout).warnings))["conditional-on-sample"]
    works = bool(alternatives(replace(layout, target="population")))
    assert ("add --target population" in said) == works
    assert ("which may favour an algorithm by chance" in said) == (how == "competition")


# -- advice ----------------------------------------------------------------------------------------


def test_samples_that_stand_for_no_population_test_nothing_about_new_samples() -> None:
    more, fewer = (advise(made(noise(20, 2), how=how)).can for how in ("bootstrap", "competition"))
    assert (len(more), len(fewer)) == (2, 1)
    assert "new samples" in more[1]
    assert more[0] == fewer[0]


@pytest.mark.parametrize(("measure", "test"), [("error", "mcnemar-score"), ("rmse", "max-modulus")])
def test_of_items_that_are_not_there_yet_the_measure_tells_the_test(
    measure: str, test: str
) -> None:
    split = advise_design(2, 1, sampling("holdout:0.7"), measure_of(measure), 60)
    assert (split.block, split.count, split.procedure) == ("item", 0, test)
