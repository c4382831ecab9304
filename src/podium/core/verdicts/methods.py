"""What a paper says about a study: its methods, its references, its findings.

`methods_text` and `references` number their citations alike, in the order of first mention. Words
for samplings are in `design_words.py`, for procedures in `analysis_words.py`, findings in
`findings.py`.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator

import pandas as pd

from podium.core.base.errors import version_of
from podium.core.base.formatting import number, printable
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.orders.order import Order
from podium.core.questions.measures import KNOWN, TIMES, Measure
from podium.core.questions.targets import BLOCKS, DATASET
from podium.core.results.dataset_facts import exclusions
from podium.core.results.results import Results
from podium.core.samplings import ITEMS, Drawn, drawn_in_words
from podium.core.verdicts.findings import (
    about_words,
    adjustment_words,
    alternative_words,
    how_to_report,
    hypothesis_words,
    note_words,
    null_words,
    pairs_words,
    posterior_words,
    procedure_words,
)
from podium.core.words.phrases import joined, sentence, spelled, was_were
from podium.core.words.references import Citations

__all__ = ["how_to_report", "methods_text", "references"]

ANALYSIS = ("podium", "numpy", "scipy", "pandas")  # the packages that the analysis depends on
MOST_NAMES = 12  # of algorithms, data sets or packages


def methods_text(
    results: Results, comparisons: Comparisons, order: Order | None = None
) -> tuple[str, ...]:
    """Paragraphs for the methods section of a paper: design, analysis, software."""
    return _written(results, comparisons, order)[0]


def references(results: Results, comparisons: Comparisons) -> tuple[str, ...]:
    """The references that `methods_text` cites, in full and in its numbering."""
    return _written(results, comparisons, None)[1].listed


def _written(
    results: Results, c: Comparisons, order: Order | None
) -> tuple[tuple[str, ...], Citations]:
    cite = Citations()
    parts = (
        _design(results, c, cite),
        _analysis(results, c, order, cite),
        _software(results),
    )
    return tuple(" ".join(sentence(text) for text in part if text) for part in parts), cite


# -- the design ---------------------------------------------------------------------------------


def _design(results: Results, c: Comparisons, cite: Citations) -> Iterator[str]:
    names = _datasets(results, c)
    k = len(c.algorithms)
    verb = "was studied" if k == 1 else "were compared"
    where = spelled(len(names), "data set")
    yield f"{spelled(k, 'algorithm')} ({joined(c.algorithms, MOST_NAMES)}) {verb} on {where}" + (
        f" ({joined(names, MOST_NAMES)})" if len(names) <= MOST_NAMES else ""
    )
    if results.population:
        yield f"the area of application was: {results.population.rstrip('.')}"
    yield from _sampling(results, c, names, cite)
    yield f"performance was measured by {measured(_measure(results, c))}"
    if results.seed is not None:
        yield f"the seed of the random numbers was {results.seed}"
    yield from _failures(results, c, names)


def _datasets(results: Results, c: Comparisons) -> list[str]:
    """The data sets that the comparisons are of."""
    many = BLOCKS[c.blocks.kind].sets
    return results.datasets if many or not c.dataset else [c.dataset]


def _measure(results: Results, c: Comparisons) -> Measure:
    """The measure; on another scale, or of deviations, results do not know it."""
    if c.measure in results.measures or c.measure in TIMES:
        return results.measure(c.measure)
    return KNOWN.get(c.measure) or Measure(c.measure, c.higher_is_better)


def _sampling(results: Results, c: Comparisons, names: list[str], cite: Citations) -> Iterator[str]:
    runs = results.runs[results.runs["dataset"].isin(names)]
    count = int(runs["sample"].nunique())
    if results.sampling is None:
        each = spelled(count, "score")
        yield (
            f"every algorithm had {each} per data set; how the samples were drawn was not recorded"
        )
        return
    several = len(names) > 1
    facts = {} if several else results.facts.get(names[0], {})
    rows, test, shared = facts.get("n"), facts.get("n_test", 0), len(c.algorithms) > 1
    yield drawn_words(Drawn(results.sampling, count, rows, test, several, shared), cite)
    yield from _fewer(runs)
    if "size" in facts:
        yield f"the algorithms learned from a part of each sample only ({number(facts['size'])})"


def _fewer(runs: pd.DataFrame) -> Iterator[str]:
    """How many samples there are, where that differs between data sets."""
    there = runs[runs["status"] != "missing"]
    counts = there.groupby("dataset", observed=True)["sample"].nunique()
    if len(counts) > 1 and counts.min() < counts.max():
        yield f"between {counts.min()} and {counts.max()} of them have scores, by data set"


def _failures(results: Results, c: Comparisons, names: list[str]) -> Iterator[str]:
    runs = results.runs
    mine = runs[runs["dataset"].isin(names) & runs["algorithm"].isin(c.algorithms)]
    failed, missing = (int((mine["status"] == status).sum()) for status in ("failed", "missing"))
    if failed:
        yield f"of {len(mine)} runs, {failed} failed"
    if missing and not BLOCKS[c.blocks.kind].partial:
        gone = "missing" if results.stopping is None else "not needed"
        yield f"of {len(mine)} runs, {missing} {was_were(missing)} {gone}"


def drawn_words(drawn: Drawn, cite: Citations) -> str:
    """How the samples were drawn, as sentences."""
    return " ".join(
        [sentence(drawn_in_words(drawn, cite)), *(sentence(o) for o in _options(drawn))]
    )


def _options(drawn: Drawn) -> list[str]:
    s = drawn.sampling
    texts = []
    if s.stratified:
        texts.append("sampling was stratified by class")
    if s.grouped:
        texts.append("observations of one group were kept together")
    if s.halves:
        times = spelled(s.halves, "time")
        texts.append(
            f"beside these samples, the observations were halved at random {times}, with a "
            "fivefold cross-validation inside each half"
        )
    if s.gap:
        between = spelled(s.gap, "observation")
        texts.append(f"{between} between those learned from and those tested on were left out")
    if s.independent:
        texts.append("samples were drawn independently for every algorithm")
    elif s.kind is not ITEMS and drawn.shared and not BLOCKS[s.kind.block].partial:
        texts.append("all algorithms were trained and tested on the same samples")
    return texts


def measured(measure: Measure) -> str:
    """What was measured, and which values are better."""
    known = measure.name in KNOWN and KNOWN[measure.name] == measure  # not a user's own
    words = KNOWN[measure.name].words if known else ""
    return f"{words or _quoted(measure.name)} ({measure.direction} values are better)"


def _quoted(name: str) -> str:
    return f"'{printable(name)}'"


# -- the analysis -------------------------------------------------------------------------------


def _analysis(
    results: Results, c: Comparisons, order: Order | None, cite: Citations
) -> Iterator[str]:
    yield _blocks(c, cite)
    yield from _missing(results, c)
    if len(c.algorithms) > 1:
        yield from _tests(c, cite)
        yield from _decisions(c, order)
    else:
        yield f"a {number(100 * (1 - c.alpha))} % interval of the expected score was computed"
    if c.is_forced:
        yield "this procedure is not valid for the design and controls no error rate"
    yield about_words(c)


def _blocks(c: Comparisons, cite: Citations) -> str:
    # Demšar advises ranks and signs of data sets, not tests of means
    used = c.judged.procedure if c.judged else None
    ranks = used is not None and (used.quantity.ranks or used.quantity.few_sums)
    sources = (*(["Demšar (2006)"] if ranks else []), "boulesteix2013")
    source = cite(*sources) if c.blocks.kind == DATASET else ""
    most = "up to " if BLOCKS[c.blocks.kind].unpaired else ""
    return f"the units of the analysis were {most}{c.blocks.count} {c.blocks.text}{source}"


def _tests(c: Comparisons, cite: Citations) -> Iterator[str]:
    method = c.judged
    assert method is not None
    yield f"{pairs_words(c)} by {procedure_words(method, cite)}"
    if c.is_race:
        yield (
            f"an algorithm was dropped where another one was better at the one-sided level "
            f"{number(c.alpha)} / {len(c.algorithms) - 1} over all looks"
        )
        return
    if c.has_posterior:
        yield posterior_words(c)
        return
    if c.alternative == "two-sided":
        yield (
            f"the null hypothesis was that {hypothesis_words(c, method)}, the alternative "
            f"{alternative_words(c)} (two-sided tests)"
        )
    else:
        yield f"the tests were one-sided, with the alternative {alternative_words(c)}"
    paired = not BLOCKS[c.blocks.kind].unpaired
    yield f"p-values were computed {null_words(method, paired, cite)}"
    yield adjustment_words(c, method, cite)
    if c.alternative == "two-sided" and c.relevance > 0:
        yield (
            f"two algorithms were called equivalent where their difference was shown to be less "
            f"than {number(c.relevance)} by two one-sided tests{cite('Schuirmann (1987)')}, "
            f"each at {number(100 * c.alpha)} %, which is a {number(100 - 200 * c.alpha)} % "
            "interval within the margin"
        )


def _decisions(c: Comparisons, order: Order | None) -> Iterator[str]:
    if c.has_posterior or c.is_race:
        return
    adjusted = "adjusted " if c.is_adjusted else ""
    yield f"{adjusted}p-values up to {number(c.alpha)} were called significant"
    if not c.table[["lower", "upper"]].isna().all(axis=None):
        kind = "" if c.alternative == "two-sided" else "one-sided "
        kind += "simultaneous " if c.is_adjusted else ""
        yield f"confidence intervals are {kind}{number(100 * (1 - c.alpha))} % intervals"
    if order is not None and c.relevance >= 0:
        yield (
            "an algorithm was placed before another where it was significantly better; where "
            "neither was, nothing is claimed about their equality"
        )


def _missing(results: Results, c: Comparisons) -> Iterator[str]:
    """What was averaged, left out or filled in."""
    yield from (words for note in c.warnings if (words := note_words(note)))
    gone = exclusions(results)
    for reason in dict.fromkeys(gone.values()):
        names = [name for name, why in gone.items() if why == reason]
        verb = was_were(len(names))
        what = "data set" if len(names) == 1 else "data sets"
        yield f"the {what} {joined(names, MOST_NAMES)} {verb} left out after the fact ({reason})"


# -- software -----------------------------------------------------------------------------------


def _software(results: Results) -> Iterator[str]:
    made = {_versions(e.get("python", ""), e.get("packages", {})) for e in results.provenance}
    if made:
        several = " (sessions differed)" if len(made) > 1 else ""
        yield f"scores were computed with {'; or with '.join(sorted(made))}{several}"
    here = {name: text for name in ANALYSIS if (text := version_of(name))}
    yield f"scores were analysed with {_versions(platform.python_version(), here)}"


def _versions(python: str, packages: dict[str, str]) -> str:
    texts = [f"{'Podium' if name == 'podium' else name} {v}" for name, v in packages.items()]
    return joined([*([f"Python {python}"] if python else []), *texts], MOST_NAMES)
