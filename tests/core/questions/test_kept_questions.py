"""What may be asked: blocks, targets, claims, measures, options and plans are what was kept."""

from __future__ import annotations

from dataclasses import fields

import pytest
from outcomes import outcome
from snapshots import assert_kept

from podium.core.base.options import OPTIONS
from podium.core.questions.aims import TARGETS
from podium.core.questions.measures import KNOWN, base_of, parse, written
from podium.core.questions.options import AnalysisPlan, Version, binding, planned_value
from podium.core.questions.targets import BLOCKS, claim, defaults, note_codes, said_of


def record(of):
    """The fields of a record that say something and are no functions."""
    values = {f.name: getattr(of, f.name) for f in fields(of)}
    said = {name: plainly(value) for name, value in values.items() if not callable(value)}
    return {name: value for name, value in said.items() if value not in (None, "", False, [], {})}


def plainly(value):
    if hasattr(value, "__dataclass_fields__"):
        return record(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        several = [plainly(each) for each in value]
        return sorted(several, key=repr) if isinstance(value, (set, frozenset)) else several
    if hasattr(value, "items"):
        return {str(key): plainly(each) for key, each in value.items()}
    return value if value is None or isinstance(value, (str, int, float, bool)) else str(value)


@pytest.mark.parametrize("name", sorted(BLOCKS))
def test_blocks_and_what_they_allow_are_kept(name):
    block = BLOCKS[name]
    asked = {}
    for target in TARGETS:
        asked[target] = {
            "claim": plainly(claim(name, target)),
            "said": outcome(lambda target=target: plainly(said_of(name, target))),
            "defaults": [plainly(each) for each in defaults(name, target)],
            "notes": note_codes(name, target),
        }
    some = {target: of for target, of in asked.items() if of["defaults"] or of["notes"]}
    assert_kept("questions", "blocks", {"block": record(block), "asked": some}, name)


def test_targets_measures_and_options_are_kept():
    names = ["accuracy", "error", "auc", "rmse", "logloss", "f1", "log-loss", "acc", "odd",
             "quantile:0.9",
             "squared:median", "absolute:quantile:0.95", "squared:odd", "accuracy:median",
             "absolute:quantile:2", "squared:root-mean", "absolute:supremum",
             "fit-time"]  # fmt: skip
    told = {
        "targets": {name: record(target) for name, target in TARGETS.items()},
        "known": {name: plainly(measure) for name, measure in KNOWN.items()},
        "parsed": {name: outcome(lambda name=name: plainly(parse(name))) for name in names},
        "base": [base_of(name) for name in names],
        "written": [written(name) for name in names],
        "options": {name: [o.help, plainly(o.default), o.in_plan] for name, o in OPTIONS.items()},
    }
    assert_kept("questions", "records", told)


CHECKED = {
    "alpha": [0.05, 0, 1, 1e-9, -0.1, 2, "x", None, True, float("nan")],
    "relevance": [0, 0.1, -0.1, float("inf"), "x", float("nan"), True],
    "gaps": ["pairs", "complete", "worst", "odd", None, 3],
    "seed": [0, 1, -1, 1.5, "x", 2**32, 2**64, None, True],
    "looks": [1, 0, 20, 2.5, "x", 1000],
    "spending": ["obf", "power2", "odd"],
    "alternative": ["two-sided", "greater", "less", "more"],
}


def test_what_options_refuse_is_kept():
    told = {
        name: {repr(value): outcome(OPTIONS[name].check, value) for value in values}
        for name, values in CHECKED.items() if name in OPTIONS and OPTIONS[name].check
    }  # fmt: skip
    assert_kept("questions", "checks", told)


PLANS = {
    "bare": AnalysisPlan(measure="error"),
    "full": AnalysisPlan(measure="auc", target="population", procedure="hull", alpha=0.01,
                         relevance=0.02, control="svm", gaps="complete"),
    "pairs": AnalysisPlan(measure="auc", pairs=(("svm", "lda"), ("nb", "lda"))),
    "groups": AnalysisPlan(measure="auc", subgroups={"small": ("iris", "zoo"), "big": ("mnist",)}),
    "stopping": AnalysisPlan(measure="auc", sequential={"goal": "order", "looks": 20}),
}  # fmt: skip


def test_plans_are_kept():
    told = {}
    for name, plan in PLANS.items():
        versions = [Version(plan, {"seed": seed}, str(seed), done)
                    for seed, done in ((1, 0), (2, 0), (2, 7))]  # fmt: skip
        again = AnalysisPlan.of(plan.to_dict() | {"unknown": 1})
        assert again == plan
        told[name] = {
            "options": plan.options(),
            "kept": plan.to_dict(),
            "prints": [version.fingerprint for version in versions],
            "binding": binding(versions).time,
            "said": {k: planned_value(v) for k, v in plan.to_dict().items() if v is not None},
        }
    assert_kept("questions", "plans", told)
