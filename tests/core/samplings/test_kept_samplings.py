"""Samplings of every kind, written in many ways: all that they tell is what was kept."""

from __future__ import annotations

from dataclasses import asdict, fields, is_dataclass

import pytest
from outcomes import outcome
from snapshots import assert_kept

from podium.core.samplings import KINDS, Drawn, complete, drawn_in_words, halvings, parse

TEXTS = [
    "cv:10", "cv:2", "cv:5+stratified", "cv:5+grouped", "cv", "cv:10+halves", "cv:10+halves:4",
    "repeated-cv:10x10", "repeated-cv:3x5+stratified", "repeated-cv:55x2", "repeated-cv",
    "5x2cv", "5x2cv+stratified", "nested-cv:3x5", "nested-cv", "loo",
    "bootstrap:25", "bootstrap", "bootstrap:25+independent", "bootstrap:9+halves:2",
    "bootstrap-2n:9", "bootstrap-cv:5x10", "bootstrap-632:9", "bootstrap-632plus:9",
    "bootstrap-whole:9", "bayesian-bootstrap:9", "parametric-bootstrap:9", "competition:9",
    "competition", "subsampling:30x0.9", "subsampling:0.9", "subsampling:5x0.6667+stratified",
    "subsampling:5x0.5+grouped", "holdout:0.7", "holdout:0.7+stratified", "simulation:20",
    "simulation", "simulation:20+independent", "training-sets:8x64", "training-sets",
    "items", "choices", "seeds:10", "seeds:10x0.8", "seeds", "seeds+paired", "seeds:5+paired",
    "runs:9", "runs", "runs+paired", "moving-block:9x7", "moving-block:9x7x2",
    "rolling-origin:20x2", "rolling-origin:20x2x3", "rolling-origin:20", "rolling-origin",
]  # fmt: skip
WRONG = [
    "", "cv:", "cv:0", "cv:1", "cv:x", "cv:2.5", "cv:-3", "cv:10x2", "cv:10+odd", "10", "1", "2",
    "cv:10+independent", "bootstrap:0", "bootstrap:0.5", "subsampling", "subsampling:1.5",
    "subsampling:0x0.5", "subsampling:30x0", "subsampling:30x1", "holdout:2", "loo:5", "5x2cv:3",
    "repeated-cv:10", "repeated-cv:1x10", "training-sets:8", "training-sets:1x64", "items:5",
    "seeds:10x1", "moving-block:9", "moving-block:9x0", "rolling-origin:20x0", "bootstap:25",
    "cv:10+halves:0", "seeds+halves", "cv:10+stratified+grouped", "simulation:20+stratified",
    5, 1, 0, -2, True, None, 2.5, "runs+independent", "bootstrap:25+independent+paired",
    "parametric-bootstrap", "nested-cv:3",
]  # fmt: skip


def told(text):
    s = parse(text)
    return {
        "written": str(s),
        "fields": {k: v for k, v in asdict(s).items() if v not in (None, False, "", 0)},
        "kind": [s.kind.name, s.replicate, s.block, s.optimistic],
        "counts": [s.folds_per_repeat, s.is_one_round, s.count, s.identity, s.train_share],
        "places": [s.repeat_and_fold(n) for n in (1, 2, 5, 6, 10, 11, 25)],
        "sizes": [outcome(s.sizes, n, test) for n, test in ((10, 0), (100, 0), (101, 40), (7, 3))],
        "least": [s.least_rows(0), s.least_rows(40)],
        "more": [outcome(lambda n=n: str(s.with_count(n))) for n in (1, 4, 30)],
        "complete": outcome(lambda: str(complete(s))),
        "halves": [halvings.suits(s), outcome(halvings.check, s), outcome(halvings.identity, s)],
        "words": [
            drawn_in_words(Drawn(s, count, several=several, shared=shared, rows=rows),
                           lambda *names: f" [{', '.join(map(str, names))}]")
            for count, several, shared, rows in (
                (1, False, True, None), (9, True, True, 120), (25, True, False, 120),
                (2, False, True, 33),
            )
        ],
    }  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_what_a_sampling_tells_is_kept(text):
    assert_kept("samplings", "samplings", outcome(told, text), text)


def test_what_is_no_sampling_is_refused_as_it_was():
    assert_kept("samplings", "refusals", {str(text): outcome(parse, text) for text in WRONG})


def plain_record(of):
    """The fields of a record that say something and are no functions."""
    values = {f.name: getattr(of, f.name) for f in fields(of)}
    said = {n: plain_record(v) if is_dataclass(v) else v for n, v in values.items()}
    return {n: v for n, v in said.items() if not callable(v) and v not in (None, "", False, ())}


def test_kinds_and_halvings_are_kept():
    kinds = {name: plain_record(kind) for name, kind in KINDS.items()}
    halves = {
        "samples": [[*halvings.samples(n)] for n in (1, 2, 3)],
        "places": [halvings.place(-n) for n in (1, 2, 5, 6, 10, 11, 20)],
        "spelled": [halvings.spelled(n) for n in (0, 1, 2)],
        "taken": [outcome(halvings.taken, options, "cv:10") for options in
                  (["halves"], ["halves:3", "stratified"], ["stratified"], ["halves:x"], [])],
    }  # fmt: skip
    assert_kept("samplings", "kinds", {"kinds": kinds, "halves": halves})
