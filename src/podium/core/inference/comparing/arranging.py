"""From results to a layout: which blocks answer the question.

The only place that knows whether large is good: from here on, larger is better.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.base.options import takes
from podium.core.base.registry import unknown
from podium.core.inference.bricks.scales import RAW, scaled
from podium.core.inference.comparing.known import procedure_named
from podium.core.inference.comparing.single import run_order_notes
from podium.core.inference.layouts import (
    AnswersPerItem,
    Choices,
    Crossed,
    Halvings,
    Items,
    Layout,
    Nested,
    Origin,
    averaged,
)
from podium.core.inference.procedures import conditions
from podium.core.inference.procedures import crossed as seeds
from podium.core.inference.procedures.procedure import Procedure
from podium.core.inference.procedures.stopping import stopped_layout
from podium.core.questions.measures import TIMES, Measure
from podium.core.questions.options import WORST
from podium.core.questions.targets import (
    BLOCKS,
    CONDITION_ITEM,
    DATASET,
    DATASETS,
    FOLD,
    FOLD_MODELS,
    HELD_OUT,
    INDEPENDENT_SEED_ITEM,
    ITEM,
    NESTED,
    POPULATION,
    REPETITION,
    RESAMPLE,
    SAMPLE,
    SEED_ITEM,
    SIMULATION,
    SPLIT,
    TARGETS,
    TRAINING_SET,
)
from podium.core.results.dataset_facts import confirming, exclusion_notes, positive_notes, run_notes
from podium.core.results.measure_names import likeliest
from podium.core.results.pass_at import pass_rate, passed
from podium.core.results.results import Results
from podium.core.samplings import Sampling, renamed
from podium.core.words.facts import DETAIL, REMARK, Note

CELL = ["dataset", "algorithm"]
PER_SAMPLE = (RESAMPLE, FOLD, SIMULATION, REPETITION)


@takes("measure", "dataset", "target")
def layout(
    results: Results, *, nested: bool = False, failed: bool = True, **options: Any
) -> Layout:
    """The layout of one measure: of one data set's samples, or of data sets where there are many.

    Several samples per data set are averaged within it, over the samples that every algorithm has.

    Parameters
    ----------
    results : Results
    nested : bool
        Samples within data sets stay apart, which statements about just these data sets need.
    failed : bool
        Failed runs count as the worst of their block; otherwise they are gaps.

    Returns
    -------
    Layout
        Blocks x algorithms, larger is better.

    Examples
    --------
    >>> import podium
    >>> scores = {"svm": [0.1, 0.2, 0.3], "lda": [0.3, 0.5, 0.4]}
    >>> podium.layout(podium.read(scores, sampling="runs", measure="error")).algorithms
    ('svm', 'lda')
    """
    measure, dataset, target = (options[name] for name in ("measure", "dataset", "target"))
    target = target or ""
    if target and target not in TARGETS:
        raise InferenceError(unknown("target", target, TARGETS))
    if results.stopping is not None:
        return stopped_layout(results, measure, target, dataset)
    results = confirming(results if dataset is None else results.filter(dataset=dataset))
    results = _at_largest(results)
    results, measure = _with_measure(results, measure)
    metrics = _metrics(results) if measure is None else ()
    chosen = _measure(results, measure) if not metrics else _of_several(metrics)
    if not metrics and chosen.name in results.predictions.linearised:
        return _linearised(results, chosen, target)
    table = _turned(results, dict.fromkeys(metrics) or [chosen.name])
    results = _measured(results, table)
    table, marks = _with_failed(results, table) if failed else (table, None)
    if np.isinf(table["value"].to_numpy(float)).any():
        raise InferenceError(
            f"The measure '{chosen.name}' has infinite scores, which no mean or test can use; "
            "remove them or choose another measure."
        )
    many = len(results.datasets) > 1
    if nested and not many:
        raise InferenceError(
            "Samples within data sets need several data sets, and there is one: leave out nested, "
            "or name another procedure."
        )
    apart = _nested if nested or target == DATASETS else _by_dataset
    arranged = (apart if many else _by_sample)(results, table, chosen, target)
    arranged = replace(
        arranged,
        metrics=metrics,
        failed=None if marks is None else _failed_cells(results, arranged, marks),
        origin=replace(arranged.origin, runs=len(results.runs), failed=_failed(results)),
    )
    left_out = exclusion_notes(results) if many else ()
    notes = (*results.notes, *run_notes(results), *positive_notes(results, chosen), *left_out)
    arranged = replace(arranged, notes=(*notes, *arranged.notes))
    # of a series no block may go: its neighbours would seem to follow each other
    return arranged if BLOCKS[arranged.block].in_time else arranged.met().begun()


def _with_measure(results: Results, measure: str | None) -> tuple[Results, str | None]:
    """The results with a measure that is made of what they hold: answers, or predictions."""
    if measure is None or measure in results.measures or measure in TIMES:
        return results, measure
    if (rate := pass_rate(measure)) is not None:
        return results if rate.name in results.measures else passed(results, rate), rate.name
    if results.predictions.of_items is not None:
        return results.predictions.of_items.measured(results, measure), measure
    return results, measure


def _linearised(results: Results, measure: Measure, target: str) -> Layout:
    """The linearised scores of a measure that is no mean of items."""
    influence = results.predictions.linearised[measure.name]
    values = measure.sign * influence.only(results.algorithms)
    return Layout(
        values,
        tuple(results.algorithms),
        ITEM,
        target or BLOCKS[ITEM].target,
        measure,
        notes=(*results.notes, *influence.notes),
        origin=Origin(
            sampling=results.sampling, dataset=results.datasets[0], population=results.population
        ),
        items=Items(clusters=influence.clusters, strata=influence.strata, linearised=influence),
    )


def _metrics(results: Results) -> tuple[str, ...]:
    """The measure of every data set, where each has one of its own and not all the same."""
    each = results.scores.groupby("dataset", observed=True)["measure"].unique()
    if len(results.measures) < 2 or len(results.datasets) < 2 or (each.map(len) != 1).any():
        return ()
    return tuple(str(each[name][0]) for name in results.datasets if name in each.index)


def _of_several(metrics: tuple[str, ...]) -> Measure:
    """What stands for several measures, turned so that larger is better."""
    return Measure(" and ".join(dict.fromkeys(metrics)), higher_is_better=True)


def _turned(results: Results, names: Iterable[str]) -> pd.DataFrame:
    """The scores of measures, larger is better."""
    parts = [(results.values(name), results.measure(name).sign) for name in names]
    return pd.concat([t.assign(value=t["value"] * sign) for t, sign in parts])


def _with_failed(results: Results, given: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """The scores with those of failed runs, each the worst of its block, and which these are.

    Where every algorithm has samples of its own, as seeds, the block is the data set.
    """
    runs = results.runs.loc[results.runs["status"] == "failed", [*CELL, "sample"]]
    if not len(runs):
        return given, None
    own = results.sampling is not None and results.sampling.independent
    block = ["dataset"] if own else ["dataset", "sample"]
    worst = given.groupby(block, observed=True)["value"].min().rename("value")
    table = given.dropna(subset="value")  # tables have a row without a score where a run failed
    known = pd.MultiIndex.from_frame(
        table[[*CELL, "sample"]].astype({"dataset": str, "algorithm": str})
    )
    runs = runs.astype({"dataset": str, "algorithm": str})
    runs = runs[~pd.MultiIndex.from_frame(runs).isin(known)].drop_duplicates()
    marks = runs.join(worst, on=block).dropna(subset="value")
    if not len(marks):
        return given, None
    rest = (
        {c: table[c].iloc[0] for c in table.columns if c not in marks.columns} if len(table) else {}
    )
    return pd.concat([table, marks.assign(**rest)[list(table.columns)]], ignore_index=True), marks


def _failed_cells(results: Results, made: Layout, marks: pd.DataFrame) -> np.ndarray | None:
    """Which cells of a layout have nothing but failed runs."""
    if made.block == DATASET:
        done = results.scores.dropna(subset="value").groupby(CELL, observed=True).size()
        rows, names = list(made.labels), marks["dataset"].astype(str)
    elif made.block in PER_SAMPLE and len(made.values) == results.runs["sample"].nunique():
        done = pd.Series(dtype=int)
        rows, names = np.sort(results.runs["sample"].unique()).tolist(), marks["sample"]
    else:
        return None
    cells = np.zeros(made.values.shape, dtype=bool)
    there = {(str(d), str(a)) for d, a in done.index}
    for row, algorithm in zip(names, marks["algorithm"].astype(str), strict=True):
        if (str(row), algorithm) not in there and row in rows:
            cells[rows.index(row), made.algorithms.index(algorithm)] = True
    return cells


def _failed(results: Results) -> tuple[tuple[str, int], ...]:
    """The algorithms with failed runs, and how many."""
    by = results.runs.loc[results.runs["status"] == "failed", "algorithm"].value_counts()
    return tuple((str(name), int(count)) for name, count in by[by > 0].items())


def _measured(results: Results, table: pd.DataFrame) -> Results:
    """The results less the data sets that were scored, but not by this measure."""
    others = {*results.scores["dataset"].unique()} - {*table["dataset"].unique()}
    kept = [name for name in results.datasets if name not in others]
    return results.filter(dataset=kept) if others and kept else results


def _at_largest(results: Results) -> Results:
    """Every data set at the largest of its training sizes, which are no sample of data sets.

    Sizes of one data set alone are refused: which of them is asked about cannot be known.
    """
    by_base: dict[str, list[str]] = {}
    for name in results.datasets:
        by_base.setdefault(results.facts.get(name, {}).get("of", name), []).append(name)
    sizes = next((names for names in by_base.values() if len(names) > 1), None)
    if sizes is None:
        return results
    if len(by_base) == 1:
        raise InferenceError(
            f"'{sizes[0]}' and '{sizes[1]}' are training sizes of one data set, not two data sets: "
            f"compare one size at a time, as in --dataset '{sizes[0]}' (dataset=), or look at "
            "podium.learning_curve."
        )
    kept = [max(names, key=partial(_size, results)) for names in by_base.values()]
    note = Note("largest-size", REMARK, most=max(map(len, by_base.values())))
    largest = results.filter(dataset=kept)
    return replace(largest, notes=(*largest.notes, note))


def _size(results: Results, dataset: str) -> float:
    return float(results.facts.get(dataset, {}).get("size", np.inf))


def _origin(results: Results) -> Origin:
    """Of several data sets: their training size, too, where all have the same."""
    sizes = {results.facts.get(name, {}).get("size") for name in results.datasets}
    size = sizes.pop() if len(sizes) == 1 else None
    return Origin(sampling=results.sampling, population=results.population, size=size)


def _measure(results: Results, name: str | None) -> Measure:
    known = list(results.measures)
    if name is not None:
        if name not in known and name not in TIMES:
            kept = results.predictions.store
            way = " Its predictions are kept: add --sampling items." if kept else ""
            raise InferenceError(unknown("measure of these results", name, known) + way)
        return results.measure(name)
    if len(known) != 1:
        first = likeliest(results.measures) if known else "error"
        raise InferenceError(
            f"The results have {len(known)} measures ({', '.join(known)}): say which one, "
            f"as in --measure {shlex.quote(first)} (measure=)."
        )
    return results.measure(known[0])


def _cells(table: pd.DataFrame, algorithms: list[str]) -> pd.DataFrame:
    wide = table.pivot(index="sample", columns="algorithm", values="value")
    return wide.reindex(columns=algorithms).sort_index()


def _blocks(results: Results, table: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Samples x algorithms of all data sets, and the number of each sample's data set."""
    dataset = pd.Index(results.datasets).get_indexer(table["dataset"])
    algorithm = pd.Index(results.algorithms).get_indexer(table["algorithm"])
    sample = table["sample"].to_numpy(np.int64)
    first = int(sample.min(initial=0))
    span = int(sample.max(initial=0)) - first + 1
    block, place = np.unique(dataset * span + (sample - first), return_inverse=True)
    values = np.full((len(block), len(results.algorithms)), np.nan)
    values[place, algorithm] = table["value"].to_numpy(float)
    return values, block // span


def _by_dataset(results: Results, table: pd.DataFrame, measure: Measure, target: str) -> Layout:
    values, within = _blocks(results, table)
    count = len(results.datasets)
    own = results.sampling is None or results.sampling.independent
    shared = _shared(values, within, count)
    # who has none of them in common is compared by all that each has
    kept = shared | own | ~np.isin(within, within[shared])
    samples = np.bincount(within[kept])
    dropped = int((~kept).sum())
    notes: tuple[Note, ...] = ()
    if not shared[kept].all() and not (results.sampling and results.sampling.independent):
        notes += (_uneven(results, values[kept], within[kept]),)
    if samples.max(initial=0) > 1:
        there = samples[samples > 0]
        notes += (Note("averaged", DETAIL, most=int(there.max()), least=int(there.min())),)
    if dropped:
        notes += (Note("incomplete-samples", samples=dropped),)
    return Layout(
        averaged(values[kept], within[kept], count),
        tuple(results.algorithms),
        DATASET,
        target or BLOCKS[DATASET].target,
        measure,
        notes=notes,
        labels=tuple(results.datasets),
        origin=_origin(results),
    )


def _uneven(results: Results, values: np.ndarray, within: np.ndarray) -> Note:
    """What is said of samples that only some algorithms have: each is averaged over its own."""
    here = np.isfinite(values)
    partial = here.any(axis=1) & ~here.all(axis=1)
    sets = len(np.unique(within[partial]))
    return Note(
        "uneven-samples", samples=int(partial.sum()), datasets=sets, of=len(results.datasets)
    )


def _shared(values: np.ndarray, within: np.ndarray, count: int) -> np.ndarray:
    """The samples that every algorithm has; one without any score here is a gap, no obstacle."""
    here = np.isfinite(values)
    present = np.zeros((count, values.shape[1]), dtype=bool)
    np.logical_or.at(present, within, here)
    return np.asarray((here | ~present[within]).all(axis=1))


def _nested(results: Results, table: pd.DataFrame, measure: Measure, target: str) -> Layout:
    """The samples of all data sets, gaps included."""
    if results.sampling is not None and results.sampling.independent:
        raise InferenceError(
            "Where every algorithm has samples of its own, nothing pairs them within data sets: "
            "ask for the target 'dataset-population', which averages them."
        )
    values, within = _blocks(results, table)
    return Layout(
        values,
        tuple(results.algorithms),
        NESTED,
        target or BLOCKS[NESTED].target,
        measure,
        origin=_origin(results),
        nested=Nested(within=within, datasets=tuple(results.datasets)),
    )


def _refuse_unsaid(results: Results) -> NoReturn:
    """Ask how scores were made; one column of folds is likely one cross-validation."""
    folds, count = dict(results.read_as.roles).get("fold"), results.runs["sample"].nunique()
    if folds:
        raise InferenceError(
            f"Are the {count} folds ('{folds[0]}') those of one cross-validation? Then add "
            f"--sampling cv:{count} (in Python sampling='cv:{count}'). If not, other samplings are "
            "repeated-cv:10x10, 5x2cv, subsampling:0.9 and rolling-origin."
        )
    raise InferenceError(
        "How were these scores made? Add --sampling (in Python sampling=), for example cv:10, "
        "bootstrap, repeated-cv:10x10, 5x2cv, subsampling:0.9, simulation, rolling-origin, "
        "seeds, runs or items (bootstrap+independent if every algorithm has its own samples)."
    )


def _by_sample(results: Results, table: pd.DataFrame, measure: Measure, target: str) -> Layout:
    sampling, dataset = results.sampling, results.datasets[0]
    if sampling is None and results.runs["sample"].nunique() < 2:
        raise InferenceError(
            "Each algorithm has one score, which no test can compare: give its scores by data set, "
            "fold, seed or item, or combine several studies that report mean, sd and n by "
            "`podium meta`."
        )
    if sampling is None:
        _refuse_unsaid(results)
    sampling = renamed(sampling)
    if sampling.replicate == SPLIT:
        raise InferenceError(
            f"One split ('{sampling}') has no replicates to judge differences by: analyse its "
            "items (sampling=items), or draw more splits."
        )
    samples = np.sort(results.runs["sample"].unique())
    facts = results.facts.get(dataset, {})
    block = sampling.block
    if block == SIMULATION and facts.get("fresh_test") is False:
        block = TRAINING_SET  # fresh training sets, all tested on one test sample
    clusters, sets, items = (_labels(facts, f) for f in ("clusters", "training_sets", "items"))
    arranged = Layout(
        _cells(table, results.algorithms).reindex(samples).to_numpy(float),
        tuple(results.algorithms),
        block if sets is None else BLOCKS[block].by_item,
        target,
        measure,
        halvings=_halvings(results, measure, facts.get("halvings", {})),
        origin=Origin(
            sampling=sampling,
            dataset=dataset,
            rows=_drawn_from(sampling, facts),
            size=facts.get("size"),
            population=results.population,
        ),
        items=Items(
            clusters=clusters,
            strata=_labels(facts, "strata"),
            answers=_answers(results, measure, samples),
        ),
        crossed=Crossed(
            training_sets=sets,
            items=items,
            factors={n: np.asarray(v) for n, v in facts.get("factors", {}).items()},
        ),
        choices=Choices(
            shown_first=_labels(facts, "shown_first"),
            covariates={n: np.asarray(v) for n, v in facts.get("covariates", {}).items()},
            judges=tuple(facts.get("judges", ())),
        ),
    )
    if "seeds" in facts:
        arranged = replace(
            arranged, notes=(*arranged.notes, seeds.split_note(arranged, facts["seeds"]))
        )
    if sampling.kind.in_order:
        arranged = replace(arranged, notes=(*arranged.notes, *run_order_notes(arranged)))
    if arranged.block in (SEED_ITEM, INDEPENDENT_SEED_ITEM):
        arranged = seeds.arranged(arranged)
    if arranged.block == CONDITION_ITEM:
        arranged = conditions.arranged(arranged)
    return _retargeted(arranged)


def _halvings(results: Results, measure: Measure, facts: Mapping[str, Any]) -> Halvings | None:
    """Mean scores inside halves; one that lacks a fold is missing."""
    table = results.halvings
    table = table[table["measure"] == measure.name]
    if not len(table):
        return None
    places = ["halving", "side", "fold"]
    wide = table.pivot(index=places, columns="algorithm", values="value")
    wide = wide.reindex(columns=results.algorithms).sort_index()
    folds = wide.index.get_level_values("fold").nunique()
    values = measure.sign * wide.to_numpy(float).reshape(-1, 2, folds, len(results.algorithms))
    return Halvings(values.mean(axis=2), **facts)


def _answers(results: Results, measure: Measure, samples: np.ndarray) -> AnswersPerItem | None:
    """How many answers every score is the mean of, and how these vary."""
    table = results.answers[results.answers["measure"] == measure.name]
    if not len(table):
        return None

    def cells(column: str, none: float) -> np.ndarray:
        wide = table.pivot(index="sample", columns="algorithm", values=column)
        result = wide.reindex(index=samples, columns=results.algorithms).to_numpy(float)
        return np.where(np.isnan(result), none, result)

    return AnswersPerItem(cells("count", 0.0), cells("variance", np.nan))


def _drawn_from(sampling: Sampling, facts: Mapping[str, Any]) -> int | None:
    """The number of rows that samples are drawn from, where known."""
    merged = facts.get("n_test", 0) if sampling.kind.merges_test else 0
    return facts["n"] + merged if "n" in facts else None


def _labels(facts: Mapping[str, Any], name: str) -> np.ndarray | None:
    """What each sample belongs to, where it belongs to something."""
    return np.asarray(facts[name]) if name in facts else None


def _retargeted(made: Layout) -> Layout:
    """With its default target; folds about the sample at hand become whole repetitions."""
    if made.block == HELD_OUT and made.target != FOLD_MODELS:
        made = _fold_means(made)
    if made.block == FOLD and made.target == SAMPLE:
        return _repetitions(made)
    # who draws halvings asks about new samples
    usual = BLOCKS[made.block].target if made.halvings is None else POPULATION
    return replace(made, target=made.target or usual)


def _fold_means(made: Layout) -> Layout:
    """Held-out items averaged within their folds, over those that all algorithms have."""
    made = made.complete()
    fold, folds = pd.factorize(made.crossed.training_sets)
    values = averaged(made.values, fold, len(folds))
    return replace(
        made,
        values=values,
        block=FOLD,
        crossed=replace(made.crossed, training_sets=None, items=None),
    )


def _repetitions(made: Layout) -> Layout:
    folds = made.origin.sampling.folds_per_repeat if made.origin.sampling else None
    if not folds or len(made.values) % folds or len(made.values) // folds < 2:
        raise InferenceError(
            f"The folds of '{made.origin.sampling}' are dependent and one cross-validation has no "
            "replicate: for the target 'sample' repeat it (repeated-cv:10x10), or ask for the "
            "target 'population' with corrected-t."
        )
    # a repetition with a missing fold is a missing cell: its mean is not comparable
    values = made.values.reshape(-1, folds, made.values.shape[1]).mean(axis=1)
    note = Note("averaged", DETAIL, folds=folds, repetitions=len(values))
    return replace(made, values=values, block=REPETITION, notes=(*made.notes, note))


def suited(
    results: Results,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    scale: str | None = None,
    gaps: str | None = None,
) -> Layout:
    """The layout that a procedure is for; samples within data sets stay apart where they must."""
    legal = _known(procedure).legal if procedure is not None else ()
    nested = [t for block, t in legal if block == NESTED]
    wanted = target or (nested[0] if nested else "")
    made = layout(
        results,
        measure=measure,
        dataset=dataset,
        target=wanted,
        nested=bool(nested),
        failed=not gaps or gaps == WORST,
    )
    if gaps == WORST and (scale or RAW) != RAW:
        made = made.filled()  # before a scale leaves out what has gaps
    return scaled(made, scale or RAW)


def _known(procedure: str | Procedure) -> Procedure:
    return procedure if isinstance(procedure, Procedure) else procedure_named(procedure)
