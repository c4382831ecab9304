"""What papers are told: right words, right grammar, no number that is not in the evidence."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from layouts_made import crossed, made, nested, noise, of_seeds, with_halvings

import podium
from podium import Comparisons, compare
from podium import decide as decide_comparisons
from podium.core.inference.bricks.adjustments import ADJUSTMENTS
from podium.core.inference.bricks.nulls import NAMES
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.samplings import KINDS, Drawn, Sampling
from podium.core.samplings import parse as sampling
from podium.core.verdicts import how_to_report
from podium.core.verdicts.findings import NULLS, p_words
from podium.core.verdicts.methods import drawn_words, measured, methods_text, references
from podium.core.words.references import REFERENCES, Citations

NAMES_OF = ("svm", "rpart", "nnet", "lda", "knn")
BAD = re.compile(r"\b[Nn]a[Nn]\b|\bNone\b|  |\(\)|\[\]|\.\.(?!\.)| ,| \.(?!632)|accept")


def table(k: int = 3, samples: int = 20, datasets: int = 1, sd: float = 0.01) -> pd.DataFrame:
    """Errors of which the first two algorithms have the same mean, the others larger ones."""
    rng = np.random.default_rng(0)
    rows = [
        (f"d{d}", name, s, 0.2 + 0.02 * max(j - 1, 0) + luck + rng.normal(0, sd))
        for d in range(1, datasets + 1)
        for s, luck in enumerate(rng.normal(0, 0.02, samples), 1)
        for j, name in enumerate(NAMES_OF[:k])
    ]
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "error"])


def texts(results, comparisons) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    order = decide_comparisons(comparisons)
    return (
        methods_text(results, comparisons, order),
        references(results, comparisons),
        how_to_report(comparisons, order),
    )


def of(frame, how=None, procedure=None, **options):
    results = podium.read(frame, sampling=how)
    return texts(results, podium.compare(results, procedure, **options))


def check(methods: tuple[str, ...], listed: tuple[str, ...], findings: str) -> None:
    for text in (*methods, findings):
        assert text[0].isupper() or text[0].isdigit()
        assert text.endswith(".")
        assert not BAD.search(text), BAD.search(text)
    groups = re.findall(r"\[(\d+(?:, \d+)*)\]", " ".join(methods))
    cited = [int(n) for group in groups for n in group.split(", ")]
    assert list(dict.fromkeys(cited)) == list(range(1, len(listed) + 1))
    assert [text.split("]")[0] for text in listed] == [f"[{i}" for i in range(1, len(listed) + 1)]


def numbers(text: str) -> list[str]:
    """The numbers of a text, less those that are part of a name."""
    return re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)", text)


def is_rounded(text: str, value: float) -> bool:
    """Whether a text is what a number rounds to, with as many decimals as the text has."""
    return abs(float(text) - value) <= 0.5000001 * 10.0 ** -len(text.partition(".")[2])


def known(c: Comparisons) -> list[float]:
    """All that a findings paragraph may draw its numbers from."""
    columns = [n for n in c.table if c.table[n].dtype == float]
    values = c.table[columns].to_numpy(float).ravel().tolist()
    if c.overall is not None:
        df = c.overall.df if isinstance(c.overall.df, tuple) else (c.overall.df,)
        values += [c.overall.statistic, c.overall.p, *(d for d in df if d is not None)]
    values += map(
        float, numbers(str(c.method.to_dict()["estimates of"]))
    )  # such as 90 % worst value
    more = [0.001, 0.999, c.alpha, c.relevance, 100 * (1 - c.alpha), float(len(c.table))]
    return [abs(v) for v in (*values, *more) if np.isfinite(v)]


# -- every procedure -----------------------------------------------------------------------------

DESIGNS = [
    (name, *pair)
    for name, procedure in PROCEDURES.items()
    for pair in sorted(procedure.legal)
    if not procedure.needs.stops  # these need a plan: podium.testing has it
]


def layout_for(name: str, block: str, target: str, k: int = 3):
    scores = noise(max(12, PROCEDURES[name].needs.least), k)
    if PROCEDURES[name].needs.binary:
        scores = (scores > 0.5).astype(float)
    if block == "nested":
        return nested(noise(15, k).reshape(5, 3, k), target=target)
    if block == "crossed":
        return crossed(noise(24, k).reshape(6, 4, k), target=target)
    if block == "held-out":
        return crossed(noise(24, k).reshape(6, 4, k), target=target, block=block)
    if block.endswith("-item"):
        return of_seeds(noise(24, k).reshape(6, 4, k), target=target, block=block)
    how = "competition" if target == "test-set" and block.endswith("resample") else ""
    how = "5x2cv" if PROCEDURES[name].needs.samplings else how
    how += "+independent" * (bool(how) and block.startswith("independent"))
    scores = scores[:10] if how == "5x2cv" else scores
    layout = made(scores, block=block, target=target, how=how, dataset="d1")
    return with_halvings(layout) if PROCEDURES[name].needs.halves else layout


def results_for(layout):
    """Results whose design is that of the layout."""
    rows = [(a, i) for i in range(1, 11) for a in layout.algorithms]
    frame = pd.DataFrame(rows, columns=["algorithm", "sample"]).assign(dataset="d1")
    frame["squared"] = np.arange(len(frame)) / 10
    if layout.block in ("dataset", "nested"):
        frame = pd.concat([frame, frame.assign(dataset="d2")])
    how = re.sub(":[^+]*", "", str(layout.origin.sampling)).replace("repeated-cv", "cv")
    return podium.read(frame, sampling=how)


@pytest.mark.parametrize(("name", "block", "target"), DESIGNS)
def test_every_legal_design_gives_clean_texts_from_its_own_numbers(name, block, target) -> None:
    layout = layout_for(name, block, target)
    control = "a" if PROCEDURES[name].needs.control else None
    null = {"": "permutation:99", "bootstrap:1999": "bootstrap:99"}.get(
        PROCEDURES[name].nulls.default
    )
    c = compare(layout, name, control=control, null=null)
    methods, listed, findings = texts(results_for(layout), c)
    check(methods, listed, findings)
    assert "not valid" not in findings
    told = findings.partition("conclusions are about")[0]  # what follows are words of the design
    evidence = known(c)
    for text in numbers(told):
        assert any(is_rounded(text, value) for value in evidence), text


def test_every_procedure_adjustment_null_sampling_and_measure_has_its_words() -> None:
    assert all(procedure.words for procedure in PROCEDURES.values())
    assert {a.name for a in ADJUSTMENTS.values() if not a.words} == {"none"}
    assert all(kind.claims.methods for kind in KINDS.values())
    assert all(measure.words for measure in podium.core.questions.measures.KNOWN.values())
    assert set(NULLS) == set(NAMES)


def test_every_procedure_has_its_references_in_full() -> None:
    for name, procedure in PROCEDURES.items():
        known = [cited.key in REFERENCES for cited in procedure.references if cited.key]
        assert known, name
        assert all(known), name
    for adjustment in ADJUSTMENTS.values():
        assert adjustment.source in REFERENCES or adjustment.name == "none"


def test_references_are_whole_and_differ() -> None:
    assert len(set(REFERENCES.values())) == len(REFERENCES)
    for key, text in REFERENCES.items():
        year = re.search(r"\d{4}", key)
        assert f"({year.group() if year else ''}). " in text
        assert text.endswith(".")
        assert text[:3].casefold() == key[:3].casefold()  # the same first author


# -- samplings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("count", [1, 30])
def test_every_sampling_has_a_sentence_with_and_without_sizes(name, count) -> None:
    bare = Drawn(Sampling(name), count)
    full = Drawn(sampling(KINDS[name].example), count, 300, 100)
    for drawn in (bare, full):
        text = drawn_words(drawn, Citations())
        assert text[0].isupper()
        assert text.endswith(".")
        assert not BAD.search(text)


def test_a_bootstrap_says_its_training_and_test_sizes() -> None:
    text = drawn_words(Drawn(sampling("bootstrap:250+stratified"), 250, 432), Citations())
    assert text == (
        "From the training set of 432 observations, 250 bootstrap samples were drawn with "
        "replacement [1, 2]; the algorithms were trained on each of them (432 observations, on "
        "average 63.2 % of them distinct) and tested on the observations outside it (about 159). "
        "Sampling was stratified by class. All algorithms were trained and tested on the same "
        "samples."
    )


def test_a_cross_validation_says_how_many_rows_it_learns_from() -> None:
    text = drawn_words(Drawn(sampling("repeated-cv:10x5"), 50, 200), Citations())
    assert "ten repetitions of 5-fold cross-validation [1]" in text
    assert "trained on 160 observations and tested on the rest" in text


def test_a_users_own_measure_of_a_known_name_is_not_called_by_that_name() -> None:
    own = podium.Measure("error", True)
    assert measured(own) == "'error' (higher values are better)"
    assert measured(podium.core.questions.measures.KNOWN["auc"]).startswith(
        "the area under the ROC curve"
    )


# -- what is claimed -------------------------------------------------------------------------------


def test_undecided_pairs_are_not_called_equal_and_equivalence_needs_a_margin() -> None:
    *_, plain = of(table(), "bootstrap", "mixed-tukey")
    assert "which does not show that there is none" in plain
    assert "equivalent" not in plain
    methods, listed, wide = of(table(), "bootstrap", "mixed-tukey", relevance=0.015)
    assert "svm and rpart were equivalent within ±0.015" in wide or (
        "rpart and svm were equivalent within ±0.015" in wide
    )
    assert "two one-sided tests" in methods[1]
    assert any("Schuirmann" in text for text in listed)
    assert "better than nnet by more than 0.015" in wide or "difference of more than 0.015" in wide


def test_a_test_of_no_difference_is_rejected_or_not_and_never_accepted() -> None:
    *_, found = of(table(), "bootstrap", "mixed-tukey")
    assert re.search(r"was rejected \(F\(2, 38\) = \d+(\.\d+)?, p < 0\.001\)", found)
    *_, none = of(
        table().assign(error=noise(20, 3, seed=5)[:, ::-1].ravel() * 0 + 0.5), "bootstrap"
    )
    assert "was rejected" not in none


def test_what_is_forced_is_no_evidence_and_claims_nothing() -> None:
    methods, listed, findings = of(table(samples=10), "cv:10", "kfold-t", force=True)
    check(methods, listed, findings)
    assert findings.startswith("These tests are not valid for this design and are no evidence: ")
    assert "controls no error rate" in methods[1]
    assert "which controls" not in methods[1]
    assert "No conclusion may be drawn about" in findings
    assert "conclusions are about" not in methods[1] + findings


def test_a_control_names_it_and_makes_no_order() -> None:
    methods, listed, findings = of(table(4), "bootstrap", "mixed-dunnett", control="rpart")
    check(methods, listed, findings)
    assert "The three other algorithms were compared with rpart, the control, by" in methods[1]
    assert "order of the algorithms" not in findings
    assert "nnet was significantly worse than rpart" in findings


@pytest.mark.parametrize(
    ("alternative", "relevance", "words"),
    [
        ("less", 0.0, "that the error of svm is smaller than that of rpart"),
        ("greater", 0.02, "that the error of svm is larger than that of rpart by more than 0.02"),
        ("less", -0.02, "is larger than that of rpart by less than 0.02, or not larger at all"),
    ],
)
def test_one_sided_alternatives_are_said_in_words(alternative, relevance, words) -> None:
    options = {"alternative": alternative, "relevance": relevance}
    methods, listed, findings = of(table(2), "bootstrap", "paired-t", **options)
    check(methods, listed, findings)
    assert words in methods[1]
    if relevance < 0:
        assert "svm was not inferior to rpart by 0.02 or more" in findings
    elif relevance > 0:
        assert "no significant difference of more than 0.02 in the direction" in findings.lower()


def test_pairs_that_are_left_open_have_their_intervals_unless_there_are_very_many() -> None:
    *_, few = of(table(2), "bootstrap", "paired-t")
    assert re.search(r"found between \w+ and \w+ \(difference in mean error .* 95 % interval", few)
    wild = table(5, sd=5.0).rename(columns={"error": "loss"})
    *_, many = of(wild, "bootstrap", "paired-t")
    assert re.search(r"was found in ten pairs \(smallest adjusted p = ", many)


def test_pairs_without_variation_have_no_p_value_and_are_told() -> None:
    frame = table(3)
    frame.loc[frame["algorithm"] == "rpart", "error"] = (
        frame.loc[frame["algorithm"] == "svm", "error"].to_numpy() + 0.1
    )
    methods, listed, findings = of(frame, "bootstrap", "paired-t")
    check(methods, listed, findings)
    assert "between svm and rpart (difference in mean error −0.1" in findings
    assert "this test cannot judge it" in findings


def test_one_pair_has_its_statistic_and_needs_no_adjustment() -> None:
    methods, _, findings = of(table(2, samples=10), "5x2cv", "5x2cv-f")
    assert "A single comparison needed no adjustment" in methods[1]
    assert "adjusted" not in findings
    assert "Two algorithms (svm and rpart) were compared on one data set (d1)." in methods[0]


def test_contrasts_have_no_order_and_are_called_contrasts() -> None:
    results = podium.read(table(), sampling="bootstrap")
    own = {"new": {"svm": 0.5, "rpart": 0.5, "nnet": -1}, "old": {"svm": 1, "rpart": -1}}
    c = podium.compare(results, "paired-t", contrasts=own)
    findings = how_to_report(c)
    check(methods_text(results, c), references(results, c), findings)
    assert "the contrast 'new' differed significantly from zero" in findings
    assert re.search(
        r"was found of 'old' from zero \(difference in mean error .*interval", findings
    )


@pytest.mark.parametrize(
    ("options", "words", "alternative"),
    [
        ({"relevance": 0.05}, "the contrast 'old' was within ±0.05 of zero", "a difference of"),
        ({"relevance": -0.05, "alternative": "less"}, "was not worse than zero by 0.05 or more",
         "that the contrast of the error is smaller than 0.05"),
        ({"relevance": -0.05, "alternative": "greater"}, "was not better than zero by 0.05 or more",
         "that the contrast of the error is larger than -0.05"),
    ],
)  # fmt: skip
def test_a_contrast_within_a_margin_does_not_differ_from_zero(options, words, alternative) -> None:
    results = podium.read(table(), sampling="bootstrap")
    c = podium.compare(results, "paired-t", contrasts={"old": {"svm": 1, "rpart": -1}}, **options)
    findings = how_to_report(c)
    assert words in findings
    assert "differed significantly" not in findings
    assert alternative in methods_text(results, c)[1]


def test_non_superiority_that_is_not_shown_is_called_so() -> None:
    options = {"alternative": "greater", "relevance": -1e-6}  # larger errors are not better
    *_, findings = of(table(2), "bootstrap", "paired-t", **options)
    assert "Non-superiority was not shown between svm and rpart" in findings


def test_samples_that_differ_in_number_between_data_sets_are_told() -> None:
    frame = table(datasets=10, samples=4)
    frame = frame[(frame["dataset"] != "d2") | (frame["sample"] < 3)]
    methods, *_ = of(frame, "bootstrap", "paired-t")
    assert "Between 2 and 4 of them have scores, by data set." in methods[0]


def test_one_algorithm_has_an_interval() -> None:
    results = podium.read(table(1), sampling="bootstrap")
    c = podium.verdicts.score_interval(results)
    check(methods_text(results, c), references(results, c), how_to_report(c))
    assert re.search(r"The mean error of svm was 0\.\d+ \(95 % interval", how_to_report(c))


def test_own_bricks_are_not_sold_as_the_named_procedure() -> None:
    methods, listed, _ = of(table(), "bootstrap", "paired-t", estimate="mixed")
    assert "a procedure made for this study (paired-t of mixed)" in methods[1]
    assert "if the estimate suits the scores" in methods[1]
    assert len(listed) == 3  # two of the bootstrap, one of the adjustment


def test_what_was_left_out_is_told_in_both_texts() -> None:
    results = podium.read(table(datasets=8, samples=4), sampling="bootstrap")
    results = podium.reading.exclude_datasets(results, ["d3"], "too easy")
    methods, listed, findings = texts(results, podium.compare(results, "wilcoxon"))
    check(methods, listed, findings)
    assert "The data set d3 was left out after the fact (too easy)." in methods[1]
    assert "too easy" in findings
    assert "7 data sets are few" in findings
    gaps = of(table().iloc[1:], "bootstrap", "paired-t")
    for text in (gaps[0][1], gaps[2]):
        assert "1 of 20 rows lacked a score and was left out." in text


def test_unadjusted_pairs_are_told_so() -> None:
    methods, _, findings = of(table(), "bootstrap", "paired-t", adjust="none")
    assert "so that the family-wise error rate was not controlled" in methods[1]
    assert "3 pairs and no adjustment: if none differed" in findings
    assert "with probability 0.14." in findings
    assert "simultaneous" not in findings
    assert "adjusted p" not in findings.replace("not adjusted p", "")
    assert "Adjusted p-values up to" not in methods[1]


def test_many_names_become_numbers() -> None:
    frame = table(2, samples=1, datasets=30)
    methods, *_ = of(frame, None, "wilcoxon")
    assert methods[0].startswith("Two algorithms (svm and rpart) were compared on 30 data sets. ")
    assert "how the samples were drawn was not recorded" in methods[0]


def test_names_stay_as_they_are_written() -> None:
    odd = {"svm": "<b>", "rpart": "a  b", "nnet": "[1] x\ny"}
    results = podium.read(table().replace({"algorithm": odd}), sampling="bootstrap")
    methods, _, findings = texts(results, podium.compare(results, "mixed-tukey"))
    assert "(<b>, a  b and [1] x\\ny)" in methods[0]
    assert "\n" not in " ".join(methods) + findings


def test_a_study_that_was_run_tells_its_rows_seed_and_software(tmp_path) -> None:
    from sklearn.dummy import DummyClassifier
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 2))
    data = podium.dataset("blobs", x, np.where(x[:, 0] > 0, "a", "b"))
    algorithms = [
        podium.algorithm("tree", DecisionTreeClassifier()),
        podium.algorithm("none", DummyClassifier()),
    ]
    study = podium.Study([data], algorithms, sampling="bootstrap:12", measures=["error"], seed=7)
    results = podium.run(study, tmp_path / "s.db", jobs=0)
    c = podium.compare(results, "paired-t")
    methods = methods_text(results, c, podium.decide(c))
    assert "the training set of 60 observations, 12 bootstrap samples" in methods[0]
    assert "The seed of the random numbers was 7." in methods[0]
    assert re.search(r"computed with Python 3\.\d+\.\d+, Podium \S+, .*scikit-learn \d", methods[2])
    check(methods, references(results, c), how_to_report(c, podium.decide(c)))


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0, "p < 0.001"),
        (0.0009999, "p < 0.001"),
        (0.05, "p = 0.050"),
        (0.0500001, "p = 0.0500001"),
        (0.0499999, "p = 0.050"),
        (0.99999, "p > 0.999"),
        (1.0, "p = 1.000"),
    ],
)
def test_p_values_never_round_to_the_other_side_of_alpha(p, text) -> None:
    assert p_words(p, 0.05) == text


def test_one_algorithm_and_one_run_are_singular() -> None:
    alone = drawn_words(Drawn(sampling("cv:5"), 5, shared=False), Citations())
    assert "in which the algorithm was trained" in alone
    frame = table(k=2, samples=6).drop(index=0)
    assert "Of 12 runs, 1 was missing." in of(frame, "bootstrap")[0][0]


def test_all_pairs_of_four_algorithms_are_written_out() -> None:
    rng = np.random.default_rng(0)
    means = {"a": 0.1, "b": 0.3, "c": 0.5, "d": 0.7}
    scores = {name: mean + rng.normal(0, 0.01, 20) for name, mean in means.items()}
    frame = pd.DataFrame({"sample": range(20), **scores})
    results = podium.read(frame, sampling="bootstrap", measure="error")
    said = texts(results, podium.compare(results))[2]
    assert "c was significantly better than d" in said
    assert "more pair" not in said


# -- studies as they were run ----------------------------------------------------------------------


def test_populations_parts_of_samples_and_failures_are_told() -> None:
    frame = table(2, 10)
    frame["status"] = "ok"
    frame.loc[[3, 5, 8], "status"] = "failed"
    frame.loc[[3, 5, 8], "error"] = np.nan
    read = podium.read(frame, sampling="bootstrap")
    facts = {name: {"size": 80} for name in read.datasets}
    results = replace(read, population="small nominal problems.", facts=facts)
    design = methods_text(results, podium.compare(results))[0]
    assert "The area of application was: small nominal problems." in design
    assert "The algorithms learned from a part of each sample only (80)." in design
    assert "Of 20 runs, 3 failed." in design


def test_how_samples_were_drawn_besides_is_told() -> None:
    def drawn(how: str, shared: bool = True) -> str:
        return drawn_words(Drawn(sampling(how), 10, 200, shared=shared), Citations())

    same = "All algorithms were trained and tested on the same samples."
    assert same in drawn("cv:10")
    assert same not in drawn("cv:10", shared=False)
    assert same not in drawn("bootstrap:10+independent")
    assert drawn("bootstrap:10+independent").endswith(
        "Samples were drawn independently for every algorithm."
    )
    assert "the observations were halved at random ten times, with a" in drawn(
        "bootstrap:10+halves:10"
    )
    assert "Sampling was stratified by class." in drawn("cv:10+stratified")
    assert "Observations of one group were kept together." in drawn("cv:10+grouped")
    gap = "observations between those learned from and those tested on were left out."
    assert f"Three {gap}" in drawn("rolling-origin:10x5x3")
    assert gap not in drawn("rolling-origin:10x5")


def test_more_than_six_differences_become_a_number() -> None:
    """Five algorithms have ten pairs: six are written out, four are counted."""
    results = podium.read(
        table(5, datasets=1, sd=0.0001).assign(
            error=lambda t: t["error"] + 0.05 * t["algorithm"].map(NAMES_OF.index)
        ),
        sampling="bootstrap",
    )
    c = podium.compare(results, "mixed-tukey")
    assert c.decision.significant == 10
    found = how_to_report(c, decide_comparisons(c))
    assert found.count("was significantly better than") == 6
    assert "; that four more pairs were decided." in found
    four = podium.compare(results.filter(algorithm=list(NAMES_OF[:4])), "mixed-tukey")
    whole = how_to_report(four, decide_comparisons(four))
    assert (whole.count("was significantly better than"), "more pair" in whole) == (6, False)


def test_chosen_pairs_are_counted() -> None:
    results = podium.read(table(4), sampling="bootstrap")
    c = podium.compare(results, "paired-t", pairs=[("svm", "lda"), ("svm", "nnet")])
    assert "Two chosen pairs of algorithms were compared by" in methods_text(results, c)[1]
    one = podium.compare(results, "paired-t", pairs=[("svm", "lda")])
    assert "One chosen pair of algorithms was compared by" in methods_text(results, one)[1]


@pytest.mark.parametrize(
    ("levels", "signs"),
    [
        ((0.2, 0.2, 0.3), "(≻: significantly better; ≈: not significantly different)"),
        ((0.2, 0.25, 0.3), "(≻: significantly better)"),
        ((0.2, 0.2, 0.2), "(≈: not significantly different)"),
    ],
)
def test_the_signs_of_an_order_are_explained_and_no_others(levels, signs) -> None:
    cells = np.array(levels) + 0.01 * (noise(20, 3) - noise(20, 3).mean(axis=0))
    frame = pd.DataFrame(cells, columns=["svm", "lda", "knn"]).assign(sample=range(1, 21))
    c = podium.compare(podium.read(frame, sampling="bootstrap", measure="error"), "mixed-tukey")
    assert signs in how_to_report(c, decide_comparisons(c))
