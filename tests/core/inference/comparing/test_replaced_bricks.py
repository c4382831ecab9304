"""Whatever brick of a procedure is replaced, nothing is told that was true of the old one only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from layouts_made import made, noise

from podium import Comparisons, Layout
from podium.core.inference.bricks.adjustments import ADJUSTMENTS
from podium.core.inference.bricks.estimates import Estimates, Scores, block_sums
from podium.core.inference.bricks.nulls import NAMES, asymptotic
from podium.core.inference.bricks.quantities import MEAN_RANK, Quantity, find_quantity, gives
from podium.core.inference.bricks.scales import SCORES
from podium.core.inference.comparing.compare import compare, told_method
from podium.core.inference.comparing.comparisons import Method
from podium.core.inference.comparing.known import OF_OTHER_SCORES, POSTERIORS, PROCEDURES
from podium.core.inference.comparing.request import Request, made_request, with_estimate
from podium.core.inference.procedures.procedure import (
    INDEPENDENT,
    NO_REFERENCE,
    OWN_BRICKS,
    UNPAIRED,
    DefaultNull,
    Options,
    Procedure,
    derive,
)
from podium.core.inference.procedures.rank_tests import FRIEDMAN, WILCOXON
from podium.core.verdicts.findings import procedure_words
from podium.core.verdicts.standing import difference_text, standing
from podium.core.verdicts.verdict import next_sentence, verdict
from podium.core.words.phrases import plain
from podium.core.words.references import Citations
from podium.errors import InferenceError
from podium.showing.screens.terminal import columns, standing_heads
from podium.testing import check_procedure
from podium.testing.laws import with_the_best

TESTS = {**PROCEDURES, **OF_OTHER_SCORES}
ALL = {**TESTS, **POSTERIORS}
ESTIMATES = ["means", "mixed", "block-sums", *(f"block-sums:{name}" for name in SCORES)]

# -- what is asked of a named procedure -----------------------------------------------------------
# What a text may say only where the brick is the one that it is about.

Holds = Callable[[Request], bool]


def _adjusted_by(*names: str) -> Holds:
    return lambda request: request.adjust.name in names or len(request.labels) < 2


def _null_is(*names: str) -> Holds:
    return lambda request: request.null.name in names


def _has_all_pairs(request: Request) -> bool:
    return len(request.pairs) == request.algorithms * (request.algorithms - 1) // 2


def _has_control(request: Request) -> bool:
    second = {j for _, j in request.pairs}
    return len(second) == 1 and len(request.pairs) == request.algorithms - 1


ONLY_OF: dict[str, Holds] = {
    "studentized range|Steel|Dwass|Games|Kramer|Tukey and": _adjusted_by("studentized-range"),
    "maximum modulus|Hochberg, Tamhane": _adjusted_by("max-modulus"),
    "closed testing|Marcus": _adjusted_by("closed"),
    "stepping down": _adjusted_by("step-down"),
    "Dunn's": _adjusted_by("bonferroni"),
    "bootstrap intervals|variance intervals": _adjusted_by("bonferroni", "single-step"),
    "one critical value|largest difference": _adjusted_by("single-step"),
    "Nemenyi": _adjusted_by("single-step"),
    "Šidák \\(1967\\)": _adjusted_by("sidak"),
    "Holm \\(1979\\)": _adjusted_by("holm"),
    "Nemenyi-McDonald|Tukey contrasts|with all pairs|, all pairs": _has_all_pairs,
    "Dunnett|against a control|Wilcox-Miller": _has_control,
    "of each pair": lambda request: request.weights is None,
    "permutation|sign-flip|random signs": _null_is("permutation", "exact", "asymptotic", "normal"),
    "mid-p": _null_is("mid-p"),
    "bootstrap interval": _null_is("bootstrap"),
    "Satterthwaite's degrees": lambda request: request.null.name != "normal",
}


def list_requests(procedure: Procedure, layout: Layout) -> Iterator[Request]:
    """All that may be asked with other bricks; what is refused is refused in a sentence."""
    names = layout.algorithms
    pairs: list[dict[str, Any]] = [
        {},
        {"control": names[0]},
        {"pairs": [names[:2], names[1:3]]},
        {"contrasts": {"new": [1, 1, -1, -1]}},
    ]
    for adjust, null, which in product((None, *ADJUSTMENTS), (None, *NAMES), pairs):
        options = Options(procedure, adjust=adjust, null=null, **which)
        try:
            yield made_request(layout, procedure, options)
        except InferenceError as error:
            told = str(error)
            assert told.endswith((".", "?")), told


def texts_of(method: Method) -> dict[str, str]:
    details = method.to_dict()
    told = ("holds under", "reference") + ("controls",) * method.is_own_adjustment
    return {
        "title": method.procedure.title,
        "paper": procedure_words(method, Citations()),
        **{name: details[name] for name in told},
    }


@pytest.mark.parametrize("name", TESTS)
def test_no_text_speaks_of_a_brick_that_is_another_one(name: str) -> None:
    procedure, layout = TESTS[name], made(noise(12, 4))
    asked = list(list_requests(procedure, layout))
    assert asked
    for request in asked:
        method = told_method(Method(procedure, request.null, request.adjust), request)
        for where, text in texts_of(method).items():
            for said, may_be_said in ONLY_OF.items():
                found = re.search(said, text)
                bricks = f"{request.null}, {request.adjust.name}"
                assert not found or may_be_said(request), f"{where}: {text} ({bricks})"


@pytest.mark.parametrize("name", TESTS)
def test_measured_rates_are_told_of_what_was_measured(name: str) -> None:
    procedure, layout = TESTS[name], made(noise(12, 4))
    usual = made_request(layout, procedure, Options(procedure, control=_control(procedure)))
    own = {usual.null.name, "permutation", "exact", "asymptotic"}
    own = own if not procedure.nulls.default else {usual.null.name, procedure.nulls.of_one}
    for request in list_requests(procedure, layout):
        texts = texts_of(told_method(Method(procedure, request.null, request.adjust), request))
        if request.null.name not in own:
            assert "%" not in texts["holds under"] + texts.get("controls", ""), texts


def _control(procedure: Procedure) -> str | None:
    return "a" if procedure.needs.control else None


def test_with_its_own_bricks_a_procedure_has_its_own_words() -> None:
    layout = made(noise(12, 4))
    for name, procedure in TESTS.items():
        request = made_request(layout, procedure, Options(procedure, control=_control(procedure)))
        told = told_method(Method(procedure, request.null, request.adjust), request)
        assert told.procedure == procedure, name


# -- an estimate that is asked for ----------------------------------------------------------------


def share_of_firsts(values: np.ndarray) -> np.ndarray:
    first = values == values.max(axis=1, keepdims=True)
    return first / first.sum(axis=1, keepdims=True)


def shares(layout: Layout) -> Estimates:
    return block_sums(layout, scores=share_of_firsts)


def middles(layout: Layout) -> Estimates:
    """The middle of least and most, in the measure's unit."""
    at = (layout.values.min(axis=0) + layout.values.max(axis=0)) / 2
    k = len(at)
    return Estimates(at, (np.eye(k) - 1 / k) / len(layout.values), in_units=True)


class Firsts:
    estimand, unit = "share of firsts", "share"

    def __call__(self, layout: Layout) -> Estimates:
        return shares(layout)


class Worst:
    """Of a unit of its own, of which smaller is better."""

    quantity = Quantity("spread", "spread", amount=True, higher=False)

    def __call__(self, layout: Layout) -> Estimates:
        return block_sums(layout, scores=share_of_firsts)


OWN: dict[str, Any] = {
    "mean of shares": shares,
    "mean of middles": middles,
    "own estimate": lambda layout: shares(layout),
    "share of firsts": Firsts(),
    "spread": Worst(),
    "mean of share_of_firsts": partial(block_sums, scores=share_of_firsts),
    "net gain": Scores(share_of_firsts, estimand="net gain", unit="gain"),
    "mean rank": Scores(SCORES["ranks"]),
    "median": gives(Quantity("median"))(partial(middles)),
}
SCORED = ("squared", "log-likelihood")  # lower is better, and higher


def table(measure: str) -> Layout:
    """Scores of which those of `a` are the best in every block, b's and c's mixed."""
    layout = made(noise(14, 3) + np.array([0.0, 0.0, 0.4]), block="dataset", measure=measure)
    return with_the_best(layout)


def said_of(c: Comparisons) -> str:
    """All that a reader sees of what the numbers are."""
    ranking = standing(c)
    assert ranking is not None
    parts = [plain(verdict(c, ranking)), next_sentence(c, ranking), c.statement, c.title]
    parts += [columns(c, intervals=True), standing_heads(c, ranking, 200), difference_text(c)]
    assert c.judged is not None
    parts += [procedure_words(c.judged, Citations()), *map(str, c.method.to_dict().values())]
    return " | ".join(parts)


@pytest.mark.parametrize("measure", SCORED)
@pytest.mark.parametrize("estimand", OWN)
@pytest.mark.parametrize("name", ["friedman", "paired-t", "hull", "wilcoxon", "quade"])
def test_an_own_estimate_is_told_as_what_it_is(name: str, estimand: str, measure: str) -> None:
    estimate, layout = OWN[estimand], table(measure)
    pair = layout.only([0, 1]) if TESTS[name].pairwise else layout
    c = compare(pair, Options(name, estimate=estimate, null="asymptotic"))
    assert c.method.to_dict()["estimates of"] == estimand
    assert c.decision.rows[0] == "a"
    row, e = c.table.iloc[0], estimate(pair)
    own = (e.values[0] - e.values[1]) / e.blocks
    turned = c.sign if e.in_units or estimand in ("mean rank", "spread") else 1
    assert row["estimate"] == pytest.approx(turned * own)
    assert c.sign * row["estimate"] > 0
    text = said_of(c)
    assert estimand in text
    for false in ("rank sums", "Friedman", "Wilcoxon", "McNemar", "Hall", "signed rank", "%)"):
        assert false not in text, (false, text)
    if "rank" not in estimand:
        assert not re.search("rank(?!s best| 1)", text.replace("ranking", "")), text
    else:
        assert c.mean_ranks is not None
    if not estimand.startswith(("mean of middles", "median")):
        assert "equal means" not in text


@pytest.mark.parametrize("estimate", ESTIMATES)
@pytest.mark.parametrize("name", PROCEDURES)
def test_a_named_estimate_brings_its_own_facts(name: str, estimate: str) -> None:
    procedure = with_estimate(PROCEDURES[name], estimate)
    score = estimate.partition(":")[2]
    known = find_quantity(SCORES[score]) if score else find_quantity(procedure.estimate)
    assert procedure.quantity == known
    assert procedure.legal <= INDEPENDENT
    facts = (procedure.controls, procedure.references, procedure.reports.cautions)
    assert facts == (OWN_BRICKS, NO_REFERENCE, None)
    equal = "equal means" if known.is_mean and procedure.criterion is None else known.estimand
    assert equal in procedure.hypothesis
    assert procedure.judge.test is None
    assert not procedure.needs.binary


def test_what_is_asked_of_an_estimate_must_be_one() -> None:
    layout = table("squared")

    def bare(made: Layout) -> Any:
        return made.values.mean(axis=0)

    def short(made: Layout) -> Estimates:
        return Estimates(made.values.mean(axis=0)[:2], np.eye(2))

    class Asking:
        def __init__(self, needed: int) -> None:
            self.needed = needed

        def __call__(self, made: Layout) -> Estimates:
            return shares(made)

    for wrong, told in ((bare, "gives ndarray, and must give Estimates"), (short, r"of 3 alg"),
                        (Asking, "needs arguments"), (dict, "cannot be called")):  # fmt: skip
        with pytest.raises(InferenceError, match=told):
            compare(layout, Options("friedman", estimate=wrong))
    own = compare(layout, Options("friedman", estimate=Firsts, null="permutation:199"))  # a class
    assert own.quantity.estimand == "share of firsts"


def test_margins_are_in_the_measures_unit() -> None:
    with pytest.raises(InferenceError, match="knows no differences in the measure's unit"):
        compare(table("squared"), Options("paired-t", estimate=shares, relevance=0.1))
    c = compare(table("squared"), Options("paired-t", estimate=middles, relevance=0.1))
    assert c.table["lower"].notna().all()


# -- a record whose brick is replaced -------------------------------------------------------------


def distinct_makers() -> dict[str, Procedure]:
    """A procedure for every brick that makes numbers."""
    return {str(id(procedure.maker)): procedure for procedure in ALL.values()}


@pytest.mark.parametrize("name", ALL)
def test_a_replaced_record_forgets_what_was_said_of_its_brick(name: str) -> None:
    old = ALL[name]
    for other in distinct_makers().values():
        if old.maker is other.maker:
            continue
        new = replace(old, estimate=other.estimate, judge=other.judge, bayes=other.bayes)
        assert new.quantity == other.quantity
        assert new.title.startswith("own ")
        assert (new.words, new.controls, new.references) == ("", OWN_BRICKS, NO_REFERENCE)
        assert new.null != old.null
        assert new.legal <= INDEPENDENT | UNPAIRED
        assert new.reports.cautions is None
        assert (new.reports.rates, new.reports.conservative) == ((), False)
        assert not new.reports.companion
        assert "made for this study" in procedure_words(
            Method(new, asymptotic(), ADJUSTMENTS["holm"]), Citations()
        )


@pytest.mark.parametrize("name", TESTS)
def test_a_record_with_another_adjustment_or_null_keeps_only_what_holds(name: str) -> None:
    old = TESTS[name]
    request = made_request(made(noise(12, 4)), old, Options(old, control=_control(old)))
    for adjust in ADJUSTMENTS.values():
        if adjust.name == old.adjust:
            continue
        new = replace(old, adjust=adjust.name)
        assert new.controls == OWN_BRICKS
        asked = replace(request, adjust=adjust)
        for text in texts_of(told_method(Method(new, request.null, adjust), asked)).values():
            for said, may_be_said in ONLY_OF.items():
                assert not re.search(said, text) or may_be_said(asked), text
    other = "normal" if old.nulls.default == "asymptotic" else "asymptotic"
    new = replace(old, nulls=DefaultNull(default=other))
    assert "%" not in new.null + str(new.controls)


def test_what_is_said_anew_stays_and_what_is_derived_is_answered_for() -> None:
    estimate = Scores(share_of_firsts, estimand="share of firsts", unit="share")
    new = replace(FRIEDMAN, estimate=estimate, title="test of firsts", null="equal chances")
    assert (new.title, new.null, new.in_words) == ("test of firsts", "equal chances", new.title)
    again = replace(new, adjust="holm")
    assert (again.title, again.controls) == ("test of firsts", OWN_BRICKS)
    derived = derive(FRIEDMAN, estimate=estimate)
    assert (derived.null, derived.controls) == (FRIEDMAN.null, FRIEDMAN.controls)
    assert replace(WILCOXON, name="other") == derive(WILCOXON, name="other")


# -- the law --------------------------------------------------------------------------------------


def top_one(estimate: Any) -> Procedure:
    return replace(FRIEDMAN, name="top-one", title="test of firsts", estimate=estimate)


@pytest.mark.parametrize("estimate", ["mean of share_of_firsts", "share of firsts", "net gain"])
def test_a_right_record_keeps_the_laws(estimate: str) -> None:
    check_procedure(top_one(OWN[estimate]))


@pytest.mark.parametrize(
    ("quantity", "broken"),
    [
        (MEAN_RANK, "it says ranks, and gives other numbers"),
        (Quantity("mean"), "it says 'mean', and its estimate gives other numbers"),
        (Quantity("share", "share", higher=False), "a is the best, and its estimate is not"),
    ],
)
def test_facts_of_another_brick_break_the_law(quantity: Quantity, broken: str) -> None:
    sums = partial(block_sums, scores=share_of_firsts)
    wrong = top_one(gives(quantity)(sums))
    if quantity.higher is False:  # turned, it would be right: the best has the least
        wrong = top_one(gives(quantity)(lambda layout: _turned(sums(layout))))
    with pytest.raises(AssertionError, match=f"law 10: {broken}"):
        check_procedure(wrong)


def _turned(e: Estimates) -> Estimates:
    """Numbers of which smaller is better, in spite of the protocol."""
    return replace(e, values=-e.values)
