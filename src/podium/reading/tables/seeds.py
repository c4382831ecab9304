"""Training seeds in tables: those within splits are averaged, each algorithm's own are numbered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import ResultsError
from podium.reading.cells.columns import Coded
from podium.reading.tables.sheets import Sheet

CELL = ("dataset", "algorithm", "measure", "repeat", "sample")


def own_runs(sheet: Sheet) -> Sheet:
    """The sheet with every algorithm's runs numbered for themselves; items stay what they are."""
    runs = sheet.about["repeat"]
    cells = [sheet.about[role].codes for role in ("dataset", "algorithm")]
    number = pd.Series(runs.codes).groupby(cells).rank(method="dense").to_numpy(np.int64) - 1
    names = [str(i + 1) for i in range(int(number.max(initial=0)) + 1)]
    return replace(sheet, about=sheet.about | {"repeat": Coded(number, names)})


def over_seeds(sheet: Sheet) -> tuple[Sheet, dict[str, dict[str, Any]]]:
    """The sheet with the mean over the seeds of every split, and how seeds vary, by data set.

    The fact `seeds` has the least and the largest number of seeds of a split, and the variance
    between seeds of one split, by measure and algorithm.
    """
    if "seed" not in sheet.about:
        return sheet, {}
    frame = pd.DataFrame({r: sheet.about[r].codes for r in CELL if r in sheet.about})
    cell = frame.columns.tolist()
    _check_once(sheet, frame.assign(seed=sheet.about["seed"].codes))
    frame = frame.assign(value=sheet.values, row=sheet.row)
    groups = frame.groupby(cell, sort=False)
    result = groups.agg(value=("value", "mean"), row=("row", "first")).reset_index()
    about = {r: Coded(result[r].to_numpy(np.int64), sheet.about[r].names) for r in cell}
    averaged = replace(
        sheet, values=result["value"].to_numpy(float), row=result["row"].to_numpy(), about=about
    )
    return averaged, _within(sheet, groups["value"].agg(["count", "var"]).reset_index())


def _check_once(sheet: Sheet, place: pd.DataFrame) -> None:
    again = place.duplicated().to_numpy()
    if again.any():
        row = sheet.row[int(np.argmax(again))]
        raise ResultsError(
            f"{sheet.what}, row {row}: this split, seed and algorithm have a score already. Leave "
            "one out."
        )


def _within(sheet: Sheet, cells: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """How many seeds splits have, and the pooled variance between them."""
    cells = cells[cells["count"] > 0]
    cells = cells.assign(free=cells["count"] - 1)
    cells = cells.assign(squares=cells["var"].fillna(0.0) * cells["free"])
    names = {r: sheet.about[r].names for r in ("dataset", "measure", "algorithm")}
    facts: dict[str, dict[str, Any]] = {}
    for code, of_set in cells.groupby("dataset"):
        sums = of_set.groupby(["measure", "algorithm"])[["squares", "free"]].sum()
        variances: dict[str, dict[str, float]] = {}
        for (m, a), row in sums[sums["free"] > 0].iterrows():
            of_measure = variances.setdefault(names["measure"][m], {})
            of_measure[names["algorithm"][a]] = float(row["squares"] / row["free"])
        facts[names["dataset"][code]] = {
            "seeds": {
                "least": int(of_set["count"].min()),
                "most": int(of_set["count"].max()),
                "within": variances,
            }
        }
    return facts
