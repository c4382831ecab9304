"""What single fits of a run said, and how many fits each algorithm spent."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from podium.reading.results import Results

SPENT = ["algorithm", "role", "runs", "fits", "per_run"]
KEYS = ["dataset", "algorithm", "sample"]


def _notes(results: Results) -> list[tuple[str, str, int, dict[str, object]]]:
    rows = results.fits.drop_duplicates(KEYS, keep="last")
    return [
        (str(r.dataset), str(r.algorithm), int(r.sample), json.loads(r.note))
        for r in rows.itertuples()
    ]


def fits_spent(results: Results) -> pd.DataFrame:
    """Of every algorithm its role, its finished runs, and all fits behind them, with tuning."""
    roles = results.design.get("roles", {})
    done = results.runs[results.runs["status"] == "done"]
    runs = done["algorithm"].astype(str).value_counts()
    noted = pd.DataFrame(
        [(a, int(str(note["spent"]))) for _, a, _, note in _notes(results)],
        columns=["algorithm", "spent"],
    )
    by = noted.groupby("algorithm")["spent"].agg(["sum", "size"])
    rows = []
    for name in results.algorithms:
        count = int(runs.get(name, 0))
        message = (
            (int(by.at[name, "sum"]), int(by.at[name, "size"])) if name in by.index else (0, 0)
        )
        fits = message[0] + max(count - message[1], 0)  # a run that notes nothing is one fit
        rows.append((name, roles.get(name, ""), count, fits, fits / count if count else np.nan))
    return pd.DataFrame(rows, columns=SPENT)


def fit_scores(results: Results, measure: str) -> pd.DataFrame:
    """The scores of single fits: dataset, algorithm, sample, fit, value."""
    rows = [
        (d, a, s, i, float(value))
        for d, a, s, note in _notes(results)
        for i, value in enumerate(dict(note["scores"]).get(measure, ()), 1)  # type: ignore[call-overload]
    ]
    return pd.DataFrame(rows, columns=[*KEYS, "fit", "value"])
