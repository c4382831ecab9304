"""A judge's scores with people's beside them, as one layout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.base.rooms import required
from podium.core.inference.comparing.arranging import suited
from podium.core.inference.layouts import Layout
from podium.core.results.results import Results
from podium.core.words.facts import CAUTION, Note

DRAWN = "labels-drawn"


# -- items to be labelled --------------------------------------------------------------------------


# -- layouts --------------------------------------------------------------------------------------
# A judge's scores with people's beside them, as one layout.


def judged_layout(results: Any, judge: str | None, human: str | None) -> Layout:
    """The layout of a judge's scores with people's beside them."""
    return judged(results, judge, human, dict.fromkeys(("measure", "dataset", "target", "scale")))


def judged(
    results: Any, judge: str | None, human: str | None, chosen: Mapping[str, str | None]
) -> Layout:
    """The judge's scores with people's beside them."""
    if judge is None or human is None:
        raise InferenceError(
            "A judge is corrected by people: say both columns, as in --judge score --human human "
            "(judge='score', human='human')."
        )
    if chosen["measure"] is not None or isinstance(results, Layout):
        raise InferenceError("The measure is what people say: leave the measure out.")
    result: Results = results
    if not isinstance(results, Results):
        result = required("judged_results")(results, judge, human)
    rest = {name: value for name, value in chosen.items() if name != "measure"}
    of_judge, measure = suited(result, None, measure=judge, **rest), result.measure(human)
    if len(result.datasets) > 1 and chosen["dataset"] is None:
        raise InferenceError(
            "A judge is corrected on the items of one data set: say which, as in --dataset "
            f"{result.datasets[0]} (dataset='{result.datasets[0]}')."
        )
    of_people = _human_scores(result, judge, human, of_judge)
    notes = of_judge.notes
    if not any(note.code == DRAWN for note in (*result.notes, *notes)):
        labels = int((~np.isnan(of_people)).any(axis=1).sum())
        notes = (*notes, Note("labels-taken-as-random", CAUTION, labels=labels))
    return replace(
        of_judge,
        measure=measure,
        notes=notes,
        items=replace(of_judge.items, human=measure.sign * of_people),
    )


def _human_scores(results: Results, judge: str, human: str, made: Layout) -> np.ndarray:
    """People's scores in the cells of the judge's; NaN where nobody labelled."""
    if made.origin.dataset:
        results = results.filter(dataset=made.origin.dataset)
    samples = np.sort(results.values(judge)["sample"].unique())
    table = results.values(human).pivot(index="sample", columns="algorithm", values="value")
    return np.asarray(table.reindex(index=samples, columns=list(made.algorithms)), dtype=float)
