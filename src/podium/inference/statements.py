"""What a result is a statement about, in words."""

from __future__ import annotations

from podium.inference.layouts import Layout
from podium.samplings import Sampling

ABOUT = {
    "sample": "This is a statement about this learning sample{of}, conditional on it: about "
    "further resamples of it, not about new samples from the process behind it",
    "test-set": "This is a statement about these fitted models{of} and new items like those of "
    "the test set, not about the algorithms on other learning samples",
    "population": "This is a statement about new learning samples from the process behind the "
    "data{of}",
    "datasets": "This is a statement about just these data sets",
    "dataset-population": "This is a statement about the population of data sets that these "
    "represent{area}",
}

_BOTH = "This is a statement about this learning sample{of} and this test set, conditional on both"
ON_TEST_SET = {
    "resample": _BOTH,
    "independent-resample": _BOTH,
    "training-set": "This is a statement about new training sets from the process behind the "
    "data{of}, tested on this very test set",
}
GENERATED = (
    "This is a statement about the generator that was fitted to this learning sample{of}, and "
    "about the process behind the data as far as the generator is like it"
)
SERIES = "This is a statement about the process behind the series{of}, if it goes on as it did"


def statement(layout: Layout, hypothesis: str) -> str:
    """The hypothesis, what it is conditional on, and the training size actually used."""
    of = f" ('{layout.dataset}')" if layout.dataset else ""
    area = f" ({layout.population})" if layout.population else ""
    about = ABOUT[layout.target].format(of=of, area=area)
    competing = layout.sampling is not None and layout.sampling.name == "competition"
    if layout.target == "test-set" or (competing and layout.target == "sample"):
        about = ON_TEST_SET.get(layout.block, ABOUT["test-set"]).format(of=of, area=area)
    if layout.sampling is not None and layout.sampling.name == "parametric-bootstrap":
        about = GENERATED.format(of=of)
    if layout.block == "origin":
        about = SERIES.format(of=of)
    if area and "{area}" not in ABOUT[layout.target]:
        about += f"; area of application: {layout.population}"
    size = (
        training_size(layout.sampling, layout.rows, layout.size) if layout.block != "item" else ""
    )
    return f"Hypothesis: {hypothesis}. {about}{size}."


def training_size(sampling: Sampling | None, rows: int | None, size: float | None = None) -> str:
    """How many rows the algorithms learned from, where the sampling or the size tells."""
    if size is not None:
        rest = f"{100 * size:g} % of the rows of each sample" if size < 1 else f"{size:g} rows"
        return f", for algorithms that learn from {rest}"
    if sampling is not None and sampling.replicate == "training-set":
        return f", for algorithms that learn from {sampling.rows} rows" if sampling.rows else ""
    share = sampling.train_share if sampling else None
    if sampling is None or share is None or sampling.name in ("simulation", "items"):
        return ""
    if sampling.replicate == "resample" and sampling.share is None:
        words = f"{share:.3f} n distinct rows"
    else:
        words = "n/2 rows" if share == 0.5 else f"{share:.3g} n rows"
    count = f" (about {round(share * rows)} of {rows})" if rows else ""
    return f", for algorithms that learn from {words}{count}"
