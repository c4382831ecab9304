"""The samplings by name: what all samplings of one name have in common."""

from __future__ import annotations

import math
from dataclasses import dataclass

from podium.registry import Registry

OPTIONS = ("stratified", "grouped", "independent")


@dataclass(frozen=True)
class Kind:
    """What all samplings of one name have in common."""

    fields: tuple[str, ...]  # what stands behind the colon, in order; joined by "x"
    replicate: str  # resample | simulation | fold | item | split | origin | training-set
    example: str
    options: tuple[str, ...] = ()
    needs_test_sample: bool = False
    share: float | None = None  # of distinct rows learned from, where the name alone tells
    rows: int | None = None  # what the field `rows` means where it is left out
    optimistic: bool = False  # rows are learned from and tested on, unless there is a test sample
    in_time: bool = False  # the order of the rows matters
    counted: bool = False  # a sample depends on how many there are

    @property
    def required(self) -> int:
        """How many numbers a study must say behind the colon; those it may leave out are last."""
        optional = ("gap",) if self.rows is None else ("rows", "gap")
        return sum(f not in optional for f in self.fields)


B, RESAMPLE, OWN = ("samples",), "resample", ("independent",)
IN_BAG = 1 - math.exp(-1)  # the share of rows in a bootstrap sample
KINDS: Registry[Kind] = Registry("sampling")
for _name, _kind in {
    "bootstrap": Kind(B, RESAMPLE, "bootstrap:250", OPTIONS, share=IN_BAG),
    "bootstrap-2n": Kind(
        B, RESAMPLE, "bootstrap-2n:250", ("stratified", *OWN), needs_test_sample=True, share=IN_BAG
    ),
    "bootstrap-cv": Kind(("samples", "folds"), RESAMPLE, "bootstrap-cv:250x5", OWN),
    "bootstrap-632": Kind(B, RESAMPLE, "bootstrap-632:250", OPTIONS, share=IN_BAG),
    "bootstrap-632plus": Kind(B, RESAMPLE, "bootstrap-632plus:250", OPTIONS, share=IN_BAG),
    "bootstrap-whole": Kind(
        B, RESAMPLE, "bootstrap-whole:250", OPTIONS, share=IN_BAG, optimistic=True
    ),
    "bayesian-bootstrap": Kind(
        B, RESAMPLE, "bayesian-bootstrap:250", OWN, share=1.0, optimistic=True
    ),
    "parametric-bootstrap": Kind(
        ("samples", "rows"), RESAMPLE, "parametric-bootstrap:250x2000", OWN, rows=2000
    ),
    "competition": Kind(
        B, RESAMPLE, "competition:250", OPTIONS, needs_test_sample=True, share=IN_BAG
    ),
    "simulation": Kind(B, "simulation", "simulation:250", OWN, share=1.0),
    "training-sets": Kind(
        ("samples", "rows"), "training-set", "training-sets:8x64", ("stratified",), counted=True
    ),
    "cv": Kind(("folds",), "fold", "cv:10", OPTIONS[:2]),
    "repeated-cv": Kind(("samples", "folds"), "fold", "repeated-cv:10x10", OPTIONS[:2]),
    "5x2cv": Kind((), "fold", "5x2cv", OPTIONS[:2]),
    "subsampling": Kind(("samples", "share"), RESAMPLE, "subsampling:30x0.9", OPTIONS),
    "holdout": Kind(("share",), "split", "holdout:0.67", OPTIONS[:2]),
    "loo": Kind((), "fold", "loo", share=1.0),
    "moving-block": Kind(
        ("samples", "rows", "gap"), RESAMPLE, "moving-block:250x10", OWN, in_time=True
    ),
    "rolling-origin": Kind(
        ("samples", "rows", "gap"), "origin", "rolling-origin:20x1", rows=1, in_time=True
    ),
    "items": Kind((), "item", "items"),
    "splitter": Kind((), "fold", "splitter"),
}.items():
    KINDS.add(_name, _kind)
