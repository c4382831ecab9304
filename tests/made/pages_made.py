"""Sections to render: a study whose names try to be markup, and a large survey."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

import podium
from podium.reading.results import Results
from podium.reports.charts import charts
from podium.reports.document import Choice, Figure, Part, Section, Table, readable
from podium.words.facts import Note

HOSTILE = "<script>alert(1)</script>"
ODD = "</script>\"'&<img src=x onerror=alert(2)>"
ALGORITHMS = ["svm", HOSTILE, "tree", "knn"]
MEASURES = ["error", "<b>loss</b>"]
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100" width="300" height="100">'
    '<path d="M10 90L290 10" stroke="currentColor"/>'
    '<path d="M0 0L9 9" style="stroke: var(--paper, #ffffff)"/></svg>'
)


def results() -> Results:
    """Two data sets, 20 samples and two measures; the first algorithm is the best by both."""
    rng = np.random.default_rng(1)
    rows = [
        (d, a, s, 0.1 + 0.05 * k + rng.normal(0, 0.02), 10 + k + rng.normal(0, 0.5))
        for d in ("monks", ODD)
        for k, a in enumerate(ALGORITHMS)
        for s in range(1, 21)
    ]
    table = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", *MEASURES])
    long = table.melt(["dataset", "algorithm", "sample"], var_name="measure")
    return podium.read(long, sampling="bootstrap", higher_is_better=False)


def pairs(algorithms: list[str]) -> Table:
    """A table of all pairs with numbers whose texts sort otherwise than their values."""
    rng = np.random.default_rng(2)
    rows = list(itertools.combinations(algorithms, 2))
    frame = pd.DataFrame(rows, columns=["first", "second"])
    frame["estimate"] = rng.normal(0, 1, len(rows)) * 10.0 ** rng.integers(-4, 3, len(rows))
    frame["p"] = rng.random(len(rows)) ** 4
    shown = frame.assign(
        estimate=[f"{v:.3g}" for v in frame["estimate"]],
        p=["<0.001" if v < 0.001 else f"{v:.3f}" for v in frame["p"]],
    )
    return Table(f"Pairs of {len(algorithms)}", frame, shown)


def awkward() -> tuple[str, list[Section]]:
    """A page with everything on it, under names that try to be markup."""
    found = results()
    many = pairs([f"a{i}" for i in range(1, 51)])
    said = (
        Part(title="By test", lead=f"svm < {HOSTILE}", notes=(Note("a-code", text=ODD),),
             items=(pairs(ALGORITHMS),), choice=Choice("error", "wilcoxon")),
        Part(title="By model", items=(pairs(ALGORITHMS[:3]),), choice=Choice("error", "mixed")),
        Part(title="Of loss", paragraphs=(ODD,), choice=Choice(MEASURES[1], "mixed")),
        Part(title="On one", paragraphs=(ODD,), choice=Choice(dataset=ODD)),
    )  # fmt: skip
    figure = Figure(f"A line {HOSTILE}", ODD, SVG, many.frame, {"line.tikz": r"\draw;"})
    return f"Study of {ODD}", [
        Section("What may be said", "said", said),
        Section(f"Scores {HOSTILE}", "scores", (Part(items=(charts(found),)),)),
        Section("More", "more", (Part(items=(many, figure, Table("None", pd.DataFrame()))),)),
        Section("Sums", "sums", (Part(items=(readable("Summary", found.summary()),)),)),
    ]


def survey() -> tuple[str, list[Section]]:
    """100 data sets, 50 algorithms and 5 samples, with all pairs on every data set."""
    rng = np.random.default_rng(3)
    datasets, algorithms = (["".join(p) for p in itertools.product(x, "0123456789")][:n]
                            for x, n in (("abcdefghij", 100), ("vwxyz", 50)))  # fmt: skip
    index = pd.MultiIndex.from_product(
        [datasets, algorithms, range(1, 6)], names=["dataset", "algorithm", "sample"]
    )
    scores = pd.DataFrame({"error": rng.random(len(index))}, index).reset_index()
    found = podium.read(scores, sampling="bootstrap")
    table = pairs(algorithms)
    every = tuple(Part(items=(table,), choice=Choice("error", "mixed", d)) for d in datasets)
    summary = Part(items=(Table("Summary", found.summary()), table))
    return "Survey", [
        Section("Scores", "scores", (Part(items=(charts(found),)), summary)),
        Section("On each data set", "each", every),
    ]
