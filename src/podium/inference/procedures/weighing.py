"""Weights of data sets, for means over just these that do not count them alike."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from podium.base.errors import InferenceError
from podium.base.registry import unknown
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.procedure import Procedure
from podium.words.facts import REMARK, Note


def read_weights(given: Mapping[str, float] | str | None) -> Mapping[str, float] | None:
    """Weights by name, also from a text such as `iris=2,glass=1`."""
    if given is None or isinstance(given, Mapping):
        return given
    weights: dict[str, float] = {}
    for part in str(given).split(","):
        name, equals, value = part.rpartition("=")
        try:
            weights[name.strip()] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise InferenceError(
                f"Weights of data sets are written as iris=2,glass=1, not '{given}'."
            )
    return weights


def weighed(layout: Layout, procedure: Procedure, weights: Mapping[str, Any] | None) -> Layout:
    """The layout with weights of its data sets; those that none is said of have 1."""
    if weights is None:
        return layout
    if not procedure.needs.weighs or not layout.nested.datasets:
        raise InferenceError(
            f"'{procedure.name}' counts blocks alike: weights of data sets are for survey-fixed "
            "(--target datasets --procedure survey-fixed), with several samples of every data set."
        )
    for name, value in weights.items():
        if name not in layout.nested.datasets:
            raise InferenceError(unknown("data set", str(name), layout.nested.datasets))
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or not (0 <= value < math.inf)
        ):
            raise InferenceError(f"The weight of '{name}' is a number from 0 on, not {value!r}.")
    values = np.array([float(weights.get(name, 1.0)) for name in layout.nested.datasets])
    if not values.any():
        raise InferenceError("Some data set needs a weight above 0.")
    shares = {
        name: float(w / values.sum())
        for name, w in zip(layout.nested.datasets, values, strict=True)
    }
    note = Note("weighed", REMARK, shares=tuple(shares.items()))
    return replace(
        layout, notes=(*layout.notes, note), nested=replace(layout.nested, weights=values)
    )
