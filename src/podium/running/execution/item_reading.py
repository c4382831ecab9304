"""Reading results: stores, tables that somebody else made, and items of kept predictions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.base.rooms import required
from podium.core.questions.targets import FOLD
from podium.core.results.results import Results
from podium.core.samplings import ITEMS
from podium.reading.formats import read
from podium.reading.formats.stores import is_store, read_store
from podium.reading.tables.sheets import has_items

__all__ = ["is_store", "read", "read_items"]


def read_items(
    store: str | Path, *, measure: str = "error", dataset: str | None = None, sample: int | None = 1
) -> Results:
    """One loss per test item of the models fitted to one sample, from kept predictions.

    Items are rows of the data set; they are evidence about these fitted models on new items.

    Parameters
    ----------
    store : str | Path
        Of a study with `keep = ["predictions"]`.
    measure : str
        A loss per item, or another measure of predictions such as auc or f1 (of one sample).
    dataset : str | None
        Which, where there are several.
    sample : int | None
        Which sample's models; None for all training sets or training runs on their one test set
        (`sampling="training-sets:RxN"`, `"seeds:R"`), evidence about new ones and new items, or for
        all folds of one cross-validation, whose held-out items are evidence about its models.

    Returns
    -------
    Results

    Examples
    --------
    >>> import podium
    >>> import pathlib, tempfile
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = podium.dataset("tiny", [[0.1], [0.2], [0.8], [0.9]] * 5, ["a", "a", "b", "b"] * 5)
    >>> facts = {"sampling": "holdout:0.5", "measures": ["error"], "keep": ["predictions"]}
    >>> store = pathlib.Path(tempfile.mkdtemp()) / "tiny.db"
    >>> results = podium.run(podium.Study(data, {"nb": GaussianNB()}, **facts), store, quiet=True)
    >>> len(podium.read_items(store).scores)
    10
    """
    if not isinstance(store, (str, Path)):
        raise ResultsError(
            "Items are read from a store that keeps predictions: give its path, not "
            f"{type(store).__name__}."
        )
    kept = read_store(store)
    drawn = kept.sampling
    aside = kept.registered and {**kept.registered, "aside": f"{ITEMS.name} of {measure}"}
    if drawn is not None and drawn.optimistic:
        raise ResultsError(
            f"The samples of this store ('{drawn}') are tested on rows that were learned from: "
            "these items say nothing about new ones. Run a bootstrap, holdout or cross-validation."
        )
    if not _is_loss(measure):
        if sample is None:
            raise ResultsError(
                f"'{measure}' is no mean over items, so that items of several fits do not add up: "
                "say one sample, as in --sample 1 (sample=1)."
            )
        results: Results = required("results_of_kept")(store, measure, dataset, sample)
        return replace(results, name=f"{Path(store).stem}, sample {sample}", registered=aside)
    if sample is not None:
        result = read(
            _losses(store, measure, dataset, sample), sampling=ITEMS.name, measure=measure
        )
        return replace(result, name=f"{Path(store).stem}, sample {sample}", registered=aside)
    if drawn is None or not has_items(drawn):
        raise ResultsError(
            f"The samples of this store were drawn by '{drawn}': their items cannot be "
            "compared. That needs one test set for all (training-sets:RxN, seeds:R), or items that "
            "are tested once (cv:K)."
        )
    samples, column = range(1, (drawn.count or 0) + 1), FOLD if drawn.folds else "sample"
    tables = [_losses(store, measure, dataset, s).assign(**{column: s}) for s in samples]
    every = read(pd.concat(tables, ignore_index=True), sampling=drawn, measure=measure)
    return replace(every, registered=aside)


def _is_loss(measure: str) -> bool:
    """Whether it is a mean of losses per item; other measures are made of whole predictions."""
    from podium.running.execution.predictions import is_loss

    return is_loss(measure)


def _losses(store: str | Path, measure: str, dataset: str | None, sample: int) -> pd.DataFrame:
    # losses bring scikit-learn, which who reads a table need not wait for
    from podium.running.execution.predictions import item_losses

    return item_losses(store, measure, dataset, sample)
