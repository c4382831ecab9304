"""What notebooks show: every value that a user gets shows itself, whatever its names are."""

from __future__ import annotations

import inspect
import math
import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import podium
import podium_lab
from podium import Results
from podium.asking.planning import PilotPlan, Plan
from podium.asking.surveys.by_dataset import by_dataset
from podium.core.inference.comparing.known import PROCEDURES
from podium.core.questions.measures import KNOWN
from podium_lab.calibration.calibrate import calibrate

BAD = "<script>x</script>"
ALGORITHMS = (BAD, "a & b", "lda")
VOID = {"br", "hr", "img", "input", "meta", "link"}


@cache
def results(datasets: int = 6, samples: int = 12, k: int = 3) -> Results:
    rng = np.random.default_rng(1)
    rows = [
        (f"<i>d{d}</i>", name, s, 0.2 + 0.05 * j + 0.01 * d + rng.normal(0, 0.02))
        for d in range(1, datasets + 1)
        for s in range(1, samples + 1)
        for j, name in enumerate(ALGORITHMS[:k])
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "error"])
    return podium.read(frame, sampling=f"bootstrap:{samples}")


@cache
def one() -> Results:
    return results(1, 12)


def data(name: str = BAD) -> podium.Dataset:
    x = np.arange(40.0).reshape(20, 2)
    return podium.dataset(name, x, ["a", "b"] * 10)


def study() -> podium.Study:
    algorithms = [podium.algorithm(name, DecisionTreeClassifier()) for name in ALGORITHMS]
    return podium.Study([data()], algorithms, sampling="bootstrap:3", measures=["error"])


def registered() -> Any:
    made = podium.Study([data()], study().algorithms, sampling="bootstrap:3", measures=["error"],
                        analysis={"measure": "error"})  # fmt: skip
    return podium.register(made, Path(tempfile.mkdtemp()) / "s.db")


STUDIES = pd.DataFrame(
    {
        "study": ["s1", "s2", "<b>"],
        "first": [ALGORITHMS[0]] * 3,
        "second": [ALGORITHMS[1]] * 3,
        "estimate": [0.1, 0.2, 0.15],
        "se": [0.05, 0.04, 0.06],
    }
)


def groups() -> dict[str, list[str]]:
    return {"small": results().datasets[:3], "<b>large": results().datasets[3:]}


def sizes(datasets: int = 6) -> pd.DataFrame:
    names = results(datasets).datasets
    return pd.DataFrame({"dataset": names, "<n>": np.arange(1.0, len(names) + 1)})


def answers() -> pd.DataFrame:
    rng = np.random.default_rng(2)
    rows = [(f"q{i}", f"<t{i % 3}>", name, float(rng.random() < 0.5 + 0.1 * j))
            for i in range(30) for j, name in enumerate(ALGORITHMS)]  # fmt: skip
    return pd.DataFrame(rows, columns=["item", "topic", "algorithm", "accuracy"])


def items() -> Results:
    return podium.read(answers(), columns={"stratum": "topic"})


def with_fits() -> Results:
    made = podium.Study([data()], study().algorithms, sampling="bootstrap:3", fits=2)
    return podium.run(made, quiet=True, jobs=0)


def several_measures() -> Results:
    frame = one().to_pandas().rename(columns={"value": "error"}).drop(columns="measure")
    return podium.read(frame.assign(loss=1 + frame["error"] ** 2), sampling="bootstrap:12")


CATALOGUE = pd.DataFrame(
    {"name": [BAD, "b"], "source": ["sklearn:iris", "sklearn:wine"], "n": [1, 2]}
)


def costs() -> list[pd.DataFrame]:
    """Answers of two versions, one of which costs less."""
    numbers = np.arange(60)
    items = [f"q{i}" for i in numbers]
    made = {"item": items, "accuracy": (numbers % 5 > 0).astype(int)}
    return [pd.DataFrame(made | {"cost": price + numbers % 7 / 10}) for price in (2.0, 1.0)]


def several_candidates() -> Any:
    old, new = costs()
    return podium.gate(old, {BAD: new, "dear": old}, margin="accuracy=0.1", improve="cost")


MADE: dict[str, tuple[Callable[[], Any], bool]] = {  # how to make it, and whether it has bad names
    "Algorithm": (lambda: podium.algorithm(BAD, DecisionTreeClassifier()), True),
    "Dataset": (data, True),
    "Scenario": (lambda: podium_lab.scenario(BAD, lambda rng, n, k: rng.random((n, k))), True),
    "Replication": (lambda: podium_lab.replicate("feelders1995", "table4"), False),
    "Process": (lambda: podium.process("twonorm", n=20), False),
    "Study": (study, True),
    "Registration": (registered, False),
    "MetaAnalysis": (lambda: podium.meta(STUDIES, measure="accuracy"), True),
    "Gate": (
        lambda: podium.gate([1.0, 1.1, 0.9], [1.0, 1.2, 1.1], measure="time", sampling="runs"),
        False,
    ),
    "Decision": (lambda: podium.gate(*costs(), margin="accuracy=0.1", improve="cost"), False),
    "Candidates": (several_candidates, True),
    "Results": (results, True),
    "Layout": (lambda: podium.layout(results()), True),
    "Comparisons": (lambda: podium.compare(results()), True),
    "Answer": (lambda: podium.analyze(results()), True),
    "Page": (lambda: podium.report(one()), False),
    "Order": (lambda: podium.decide(podium.compare(results())), True),
    "Ordered": (lambda: podium.verdicts.order_by(one(), "median"), True),
    "Consensus": (lambda: podium.consensus([f'"{BAD}" < b', f'b < "{BAD}"']), True),
    "Stability": (lambda: podium.stability(one(), "paired-t", resamples=100, orders=100), True),
    "LeftOut": (lambda: podium.left_out(one(), "paired-t"), True),
    "Multiverse": (lambda: podium.multiverse(one()), True),
    "DatasetOrders": (lambda: by_dataset(results()), True),
    "Subgroups": (lambda: podium.subgroups(results(), groups()), True),
    "Explained": (lambda: podium.explain_differences(results(), sizes()), True),
    "Plan": (lambda: podium.plan(difference=0.05, sd=0.1, power=0.8), False),
    "SequentialPlan": (lambda: podium.planning.plan_sequential(difference=0.1, sd=0.2), False),
    "Rule": (lambda: podium.sequential.until_decided(relevance=0.1), False),
    "PilotPlan": (lambda: podium.plan(pilot=results(), difference=0.05), True),
    "LabelPlan": (
        lambda: podium.planning.plan_labels(difference=0.1, sd=0.5, correlation=0.8, items=400),
        False,
    ),
    "Strata": (lambda: podium.items.by_stratum(items()), True),
    "ItemDescription": (lambda: podium.items.describe_items(items()), False),
    "Frame": (lambda: podium.design.frame(CATALOGUE, draw=1), False),
    "Randomness": (lambda: podium.robustness.randomness(with_fits()), True),
    "Recommendation": (lambda: podium.recommend(results(8), sizes(8).set_index("dataset")), True),
    "JointStability": (
        lambda: podium.robustness.joint_stability(
            several_measures(), ["error", "loss"], resamples=20
        ),
        True,
    ),
    "TrueDifferences": (lambda: podium.surveys.true_differences(results(), groups()), True),
    "Advice": (lambda: podium.advise(one()), False),
    "Calibration": (lambda: calibrate("paired-t", "normal", replications=20), False),
    "Computed": (lambda: podium.measure(BAD, np.subtract, higher_is_better=False), True),
    "NullBrick": (lambda: podium.inference.permutation(999), False),
    "Procedure": (lambda: PROCEDURES["nemenyi"], False),
    "Sampling": (lambda: podium.samplings.bootstrap(250, stratified=True), False),
    "Measure": (lambda: podium.Measure(BAD, unit="<s>"), True),
}


class Balance(HTMLParser):
    """Every tag that is opened is closed, in order; none but our own are there."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.said = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.add(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag

    def handle_data(self, text: str) -> None:
        self.said += text


def read_html(value: Any) -> Balance:
    html = value._repr_html_()
    page = Balance()
    page.feed(html)
    page.close()
    assert page.open == []
    assert not page.seen & {"script", "s", "object"}
    assert "<i>" not in html  # those of tables have a class
    return page


@pytest.mark.parametrize("name", MADE)
def test_every_value_shows_itself_and_its_names_stay_text(name: str) -> None:
    make, bad = MADE[name]
    value = make()
    assert type(value).__name__ == name
    page = read_html(value)
    assert page.said.strip()
    text = repr(value)
    assert "object at 0x" not in text
    if bad:
        assert BAD in page.said or "<i>d1</i>" in page.said
        if name not in ("Layout", "Study"):  # short ones count what they hold
            assert BAD in text or "<i>d1</i>" in text


def test_a_store_shows_where_it_is(tmp_path: Path) -> None:
    with podium.Store(tmp_path / "<b>.db", create=True) as store:
        assert repr(store) == f"<Store {tmp_path / '<b>.db'}>"
        assert "<b>.db" in read_html(store).said


def test_every_public_class_is_looked_at_here() -> None:
    classes = {n for n in podium.__all__ if inspect.isclass(getattr(podium, n))}
    known = set(MADE) | {"Store", "Note"}
    assert {n for n in classes if not issubclass(getattr(podium, n), Exception)} <= known
    for name in classes & (known - {"Note"}):  # facts, which others put into words
        assert hasattr(getattr(podium, name), "_repr_html_"), name


def returned() -> set[str]:
    """The names of classes that public functions say they return."""
    functions = [
        getattr(podium, n) for n in podium.__all__ if inspect.isfunction(getattr(podium, n))
    ]
    said = [str(inspect.signature(f).return_annotation) for f in functions]
    return {word for text in said for word in re.findall(r"\b[A-Z]\w+", text)}


def test_what_public_functions_return_is_looked_at_here() -> None:
    foreign = {"None", "DataFrame", "Path", "Pipeline"}  # which show themselves
    assert returned() - foreign <= set(MADE)


def test_comparisons_show_the_verdict_the_order_and_the_standings_drawn() -> None:
    c = podium.compare(one())
    page = read_html(c)
    assert page.said.startswith(f"{BAD} has the lowest error")
    assert str(podium.decide(c)) in page.said
    html = c._repr_html_()
    assert html.count('class="dot"') == 3
    assert html.count('class="bar"') == 2  # the limits of two
    assert "Pairs and notes" in page.said
    assert "<td" in html.partition("<details>")[2]
    values = np.random.default_rng(1).random((12, 40))
    many = pd.DataFrame(values, columns=[f"a{i}" for i in range(40)])
    many.insert(0, "dataset", [f"d{i}" for i in range(12)])
    shown = podium.compare(podium.read(many, measure="error"), "paired-t")._repr_html_()
    assert shown.count('class="dot"') == 25
    assert "Show all 40" in shown


def test_a_page_shows_itself_and_is_written_where_it_is_told_to(tmp_path) -> None:
    page = podium.report(one(), tmp_path / "r.html")
    assert page.text == (tmp_path / "r.html").read_text(encoding="utf-8")
    assert f"in '{tmp_path / 'r.html'}'" in repr(page)
    assert 'srcdoc="&lt;!doctype html&gt;' in page._repr_html_()
    frame = one().wide("error").drop(columns="sample").groupby("dataset", as_index=False).mean()
    with pytest.raises(podium.PodiumError):  # a frame is read; one data set has nothing to tell
        podium.report(frame.assign(dataset=3), measure="nonsense")


@pytest.mark.parametrize("measure", [*KNOWN.values()], ids=lambda m: m.name)
def test_every_measure_shows_itself(measure: podium.Measure) -> None:
    assert measure.name in read_html(measure).said


@pytest.mark.parametrize("name", PROCEDURES)
def test_every_procedure_shows_what_it_is_legal_for_in_a_short_line(name: str) -> None:
    procedure = PROCEDURES[name]
    assert repr(procedure) == f"<Procedure {name}: {procedure.title}>"
    said = read_html(procedure).said
    assert procedure.reference in said
    assert ("legal for: nothing" in said) == (not procedure.legal)


def test_a_layout_is_one_short_line_that_counts_what_is_missing() -> None:
    made = podium.layout(one())
    assert repr(made) == (
        "<Layout of error: 12 samples drawn from one training set x 3 algorithms, target sample>"
    )
    gaps = replace(made, values=np.where(np.eye(12, 3) == 1, np.nan, made.values))
    assert repr(gaps).endswith(", 3 scores missing>")
    assert read_html(gaps).said


def odd_results() -> dict[str, Results]:
    some = results(1, 2, 1)
    return {
        "one algorithm": some,
        "no score": Results(
            some.scores.iloc[:0], some.runs, some.failures, some.warnings, None, some.measures
        ),
        "nothing finite": Results(
            some.scores.assign(value=np.nan), some.runs, some.failures, some.warnings,
            some.sampling, some.measures, name="a\nb",
        ),
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["one algorithm", "no score", "nothing finite"])
def test_odd_results_show_themselves_too(kind: str) -> None:
    value = odd_results()[kind]
    assert "Results of" in repr(value)
    assert "Results of" in read_html(value).said


def test_long_names_are_shown_whole() -> None:
    names = {name: f"{i} with {'very ' * 20}long name" for i, name in enumerate(ALGORITHMS)}
    frame = (
        one().to_pandas().replace({"algorithm": names})[["dataset", "algorithm", "sample", "value"]]
    )
    long = podium.read(frame, sampling="bootstrap", measure="error")
    values = [
        long,
        podium.layout(long),
        podium.compare(long),
        podium.verdicts.order_by(long, "mean"),
    ]
    for value in values:
        for name in names.values():
            assert name in read_html(value).said


def test_odd_values_show_themselves_too() -> None:
    alone = podium.verdicts.score_interval(results(1, 12, 1))
    assert "interval" in read_html(alone).said
    assert read_html(podium.order("a")).said == "a"
    constant = one().scores.assign(value=0.5)
    same = podium.compare(podium.read(constant.astype({"algorithm": str, "dataset": str,
                          "measure": str}), sampling="bootstrap"), "paired-t")  # fmt: skip
    assert "undecided" in read_html(same).said
    own = podium.compare(one(), "paired-t", contrasts={BAD: {ALGORITHMS[1]: 1, "lda": -1}})
    assert BAD in read_html(own).said
    planned = Plan(0.1, 0.2, 5, math.nan, "power", 0.05, "two-sided", "t", "dataset")
    empty = PilotPlan(pd.DataFrame(), planned, "worst", pd.DataFrame())
    assert "power" in read_html(empty).said
    assert repr(empty)
