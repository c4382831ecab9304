"""The items of a test set: how hard, how telling, solved by nobody or by all; model twins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.inference.layouts.layouts import Layout
from podium.inference.numbers import tails
from podium.items.item_response import (
    LEAST_MODELS,
    TwoParameters,
    disagreement,
    item_rest_correlation,
    two_parameters,
)
from podium.questions.targets import ITEM
from podium.words.facts import REMARK, Note
from podium.words.notes.of_boards import items_heading
from podium.words.presentation import Presented

TWINS = 0.25  # of the disagreement that chance gives, below which two models are near duplicates
LEVEL = 0.05  # for all items together
LEAST_APART = 5  # items that two should differ on, for that to tell anything


@dataclass(frozen=True, eq=False, repr=False)
class ItemDescription(Presented):
    """Items and models as their answers show them; a description, no test.

    `items` has for every item the share of models that solve it and how solving it goes with
    solving the others (`item_rest`), and from 50 models on the two-parameter logistic model's
    difficulty and discrimination. `twins` are pairs of models that differ on far fewer items than
    chance would make them. `model` is the fitted model, where there is one.
    """

    items: pd.DataFrame
    twins: pd.DataFrame
    abilities: pd.DataFrame  # of models; no rows without a model
    model: TwoParameters | None
    notes: tuple[Note, ...] = ()

    @property
    def unsolved(self) -> list[str]:
        """Items that no model solves."""
        return list(self.items["item"][self.items["solved"] == 0])

    @property
    def solved(self) -> list[str]:
        """Items that every model solves."""
        return list(self.items["item"][self.items["solved"] == 1])

    @property
    def against(self) -> list[str]:
        """Items that weaker models solve rather than stronger ones, by more than chance gives."""
        r, m = (self.items[name].to_numpy(float) for name in ("item_rest", "models"))
        t = r * np.sqrt(np.maximum(m - 2, 0) / np.maximum(1 - r**2, 1e-12))
        known = (m > 3) & ~np.isnan(r)
        p = np.where(known, tails.t_sf(np.where(known, -t, 0.0), np.maximum(m - 2, 1)), 1.0)
        return list(self.items["item"][p < LEVEL / max(len(p), 1)])

    def _said(self) -> list[str]:
        return [items_heading(self)]

    def _tables(self) -> Mapping[str, pd.DataFrame]:
        return {"Items": self.items, "Near duplicates": self.twins}

    def _facts(self) -> dict[str, Any]:
        return {
            "items": self.items,
            "unsolved": self.unsolved,
            "solved": self.solved,
            "against": self.against,
            "twins": self.twins,
            "abilities": self.abilities,
            "log_likelihood": None if self.model is None else self.model.log_likelihood,
            "warnings": list(self.notes),
        }


def describe_items(
    layout: Layout, names: list[str] | None = None, response_model: bool | None = None
) -> ItemDescription:
    """The items of a layout of right and wrong answers; of other scores only their means.

    `response_model` asks for the two-parameter model, which is refused below 50 models; without it
    the model is there where it can be.
    """
    if layout.block != ITEM:
        raise InferenceError(
            f"Items are described where blocks are items, and these are {layout.block_text}: say "
            "--sampling items (sampling='items')."
        )
    scores = layout.sign * layout.values.T  # models x items
    binary = layout.is_binary
    right = layout.values.T + (0 if layout.measure.higher_is_better else 1) if binary else scores
    labels = names or [str(i + 1) for i in range(len(layout.values))]
    items = pd.DataFrame(
        {
            "item": labels,
            "models": (~np.isnan(scores)).sum(axis=0),
            "solved" if binary else "mean": np.nanmean(right, axis=0),
            "item_rest": item_rest_correlation(right),
        }
    )
    if not binary:
        items.insert(3, "solved", np.nan)
    model, notes = _fitted(right, binary, response_model)
    abilities = pd.DataFrame(columns=["algorithm", "ability", "error"])
    if model is not None:
        items = items.assign(difficulty=model.difficulty, discrimination=model.discrimination)
        items.loc[items["solved"].isin((0, 1)), ["difficulty", "discrimination"]] = np.nan
        abilities = pd.DataFrame(
            {"algorithm": layout.algorithms, "ability": model.ability, "error": model.ability_error}
        )
    twins = _twins(right, layout.algorithms) if binary else _twins(right[:0], ())
    return ItemDescription(items, twins, abilities, model, (*layout.notes, *notes))


def _fitted(
    right: np.ndarray, binary: bool, request: bool | None
) -> tuple[TwoParameters | None, list[Note]]:
    """The model where there are models enough, and why it is not there."""
    models = len(right)
    if request is False:
        return None, []
    if not binary or models < LEAST_MODELS:
        why = (
            f"of at least {LEAST_MODELS} models, and there are {models}: with fewer, how telling "
            "an item is cannot be known"
            if binary
            else "of right and wrong answers, and these are other scores"
        )
        if request:
            raise InferenceError(f"The two-parameter logistic model is {why}.")
        return None, [Note("no-item-model", REMARK, models=models, least=LEAST_MODELS,
                           binary=binary)]  # fmt: skip
    return two_parameters(right), []


def _twins(right: np.ndarray, algorithms: tuple[str, ...]) -> pd.DataFrame:
    """Pairs that differ far less than chance would have it, the closest first."""
    columns = ["first", "second", "differ", "by_chance"]
    if len(algorithms) < 2:
        return pd.DataFrame(columns=columns)
    apart, chance = disagreement(right)
    i, j = np.triu_indices(len(algorithms), 1)
    items = right.shape[1]
    close = (apart < TWINS * chance) & (chance * items >= LEAST_APART)
    kept = close[i, j]
    names = np.array(algorithms, dtype=object)
    result = pd.DataFrame(
        {
            "first": names[i[kept]],
            "second": names[j[kept]],
            "differ": apart[i, j][kept],
            "by_chance": chance[i, j][kept],
        }
    )
    return result.sort_values("differ", kind="stable", ignore_index=True)
