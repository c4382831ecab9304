"""The public verbs; besides `cli` the only module that may import everything."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from podium.comparisons import COLUMNS, Comparisons
from podium.design.indices import indices_table
from podium.design.losses import Computed
from podium.design.study import Study
from podium.design.studyfile import load_study
from podium.errors import DesignError, ExecutionError, InferenceError, ResultsError
from podium.execution.itemize import item_losses
from podium.execution.rescore import rescore
from podium.execution.runner import execute
from podium.inference.advice import Advice, advise_design
from podium.inference.advice import advise as advise_layout
from podium.inference.compare import compare as compare_layout
from podium.inference.layouts import BLOCKS, Layout, layout
from podium.inference.procedures import Procedure
from podium.inference.requests import legal_for as chosen_legal
from podium.inference.scales import scaled
from podium.inference.single import alone as intervals
from podium.inference.statements import statement
from podium.measures import parse as parse_measure
from podium.optional import require
from podium.orders.decide import decide_comparisons
from podium.orders.notation import parse_order
from podium.orders.order import Order
from podium.orders.statistics import Ordered
from podium.orders.statistics import order_by as ordered
from podium.planning.pilot import PilotPlan, by_cluster, counted_blocks, plan_pilot, replicates
from podium.planning.plan import Plan
from podium.planning.plan import plan as make_plan
from podium.planning.simulated import check_simulating, simulate_pilot
from podium.reports.render import write_report
from podium.results.characteristics import characteristics
from podium.results.foreign import read_table
from podium.results.readers import read_store
from podium.results.results import Results
from podium.samplings import Sampling
from podium.samplings import parse as parse_sampling
from podium.stability.bootstrap import stability
from podium.stability.left_out import LeftOut
from podium.stability.left_out import left_out as order_left_out
from podium.stability.result import Stability
from podium.store.merge import merge as merge_stores
from podium.store.store import HEAD
from podium.surveys.characteristics import Explained
from podium.surveys.characteristics import explained as of_characteristics
from podium.surveys.exclusions import exclusion_notes, exclusions
from podium.surveys.grouping import listed_groups
from podium.surveys.subgroups import Subgroups
from podium.surveys.subgroups import subgroups as of_subgroups

if TYPE_CHECKING:
    from podium.execution.runner import Progress


def run(
    study: Study | str | Path,
    store: str | Path,
    *,
    jobs: int = 1,
    cluster: Any = None,
    time_limit: float | str | None = None,
    memory_limit: float | str | None = None,
    shard: tuple[int, int] | str | None = None,
    quiet: bool = False,
) -> Results:
    """Run what `store` lacks of a study (or study file) and return its results.

    Stopping and calling again is the normal way to go on; so are new algorithms, data sets and
    samples. Failed runs are rows of `results.failures`, and are tried again by the next call.
    Ctrl-C keeps what is done and raises KeyboardInterrupt.

    Parameters
    ----------
    study : a `Study`, or the path of a study file.
    store : the file that keeps the scores; made where there is none.
    jobs : the number of processes, -1 for one per core. Scores do not depend on it. One job
        without limits is this very process: a run that crashes takes it down.
    cluster : a Dask cluster instead: its address, the path of a scheduler file, or a client.
    time_limit : seconds that one run may take, or '10m', '2h'.
    memory_limit : what the process of one run may hold, such as '4GB'.
    shard : (3, 16) or '3/16' runs the third of sixteen parts; `merge` joins their stores.
    quiet : no progress bar.
    """
    study = _loaded(study)
    outcome = execute(
        study,
        store,
        jobs=jobs,
        cluster=cluster,
        time_limit=time_limit,
        memory_limit=memory_limit,
        shard=shard,
        progress=None if quiet else _progress(),
    )
    if outcome.interrupted:
        raise KeyboardInterrupt(
            f"Stopped; {outcome.total - outcome.missing} of {outcome.total} runs are done and kept."
        )
    return read_store(store)


def _loaded(study: Study | str | Path) -> Study:
    if isinstance(study, Study):
        return study
    if not isinstance(study, (str, Path)):
        raise DesignError(f"Give a study or the path of a study file, not {study!r:.80}.")
    return load_study(study)


def _progress() -> Progress:
    from podium.cli.progress import progress

    return progress()


def read(
    source: Any,
    *,
    sampling: str | Sampling | None = None,
    measure: str | None = None,
    higher_is_better: bool | None = None,
    columns: str | Mapping[str, str] | None = None,
) -> Results:
    """The results of a store, or of a table of scores that somebody else made.

    Parameters
    ----------
    source : a store; a CSV or Parquet file, long or wide; a frame (pandas, polars, pyarrow);
        scikit-learn's `cv_results_`; a mapping from algorithms to their scores.
    sampling : how the samples were drawn, where the table does not carry it: `cv:10`,
        `bootstrap`, `items` ... It decides which inference is legal.
    measure, higher_is_better : what the scores are, where their name does not tell.
    columns : what is what, such as `{"algorithm": "method", "value": "acc", "ignore": "n"}`.
    """
    if isinstance(source, (str, Path)) and is_store(Path(source)):
        results = read_store(source)
        _check_said_of_store(results, sampling, higher_is_better, columns)
        return results
    return read_table(
        source,
        sampling=sampling,
        measure=measure,
        higher_is_better=higher_is_better,
        columns=columns,
    )


def items(
    store: str | Path, *, measure: str = "error", dataset: str | None = None, sample: int | None = 1
) -> Results:
    """One loss per test item of the models fitted to one sample, from kept predictions.

    Items are rows of the data set; they are evidence about these fitted models on new items. With
    `sample=None`, of all training sets on their one test set (`sampling="training-sets:RxN"`):
    evidence about the algorithms on new training sets and new items.
    """
    drawn = read_store(store).sampling
    if drawn is not None and drawn.optimistic:
        raise ResultsError(
            f"The samples of this store ('{drawn}') are tested on rows that were learned from: "
            "these items say nothing about new ones. Run a bootstrap, holdout or cross-validation."
        )
    if sample is None:
        return _crossed_items(store, measure, dataset)
    table = item_losses(store, measure, dataset, sample)
    found = read_table(table, sampling="items", measure=measure)
    return replace(found, name=f"{Path(store).stem}, sample {sample}")


def _crossed_items(store: str | Path, measure: str, dataset: str | None) -> Results:
    known = read_store(store)
    drawn = known.sampling
    if drawn is None or drawn.replicate != "training-set":
        raise ResultsError(
            f"The samples of this store were drawn by '{drawn}': items of several training sets "
            "are compared where all are tested on one test set, by training-sets:RxN."
        )
    tables = [
        item_losses(store, measure, dataset, sample).assign(sample=sample)
        for sample in range(1, (drawn.count or 0) + 1)
    ]
    return read_table(pd.concat(tables, ignore_index=True), sampling=drawn, measure=measure)


def _check_said_of_store(
    results: Results, sampling: str | Sampling | None, higher_is_better: object, columns: object
) -> None:
    """A store says all of this itself: refuse what is said again, rather than ignore it."""
    for name, value in (("columns", columns), ("higher_is_better", higher_is_better)):
        if value is not None:
            raise ResultsError(f"{name} is for tables; a store knows its own. Leave it out.")
    own = results.sampling
    if sampling is not None and own is not None and parse_sampling(sampling).name != own.name:
        raise ResultsError(
            f"The samples of this store were drawn by '{own}', not by '{sampling}'. Leave the "
            "sampling out."
        )


def is_store(path: Path) -> bool:
    """Whether a file is a store, or another SQLite database."""
    try:
        with path.open("rb") as file:
            return file.read(len(HEAD)) == HEAD
    except OSError:
        return False  # the reader of tables says what is wrong with it


def compare(
    results: Any,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    scale: str | None = None,
    **options: Any,
) -> Comparisons:
    """Evidence about pairs of algorithms: who is better, by how much, and how sure.

    Parameters
    ----------
    results : `Results`, a `Layout`, or anything that `read` takes and that carries its sampling.
    procedure : a name from `podium procedures`; without one the design decides.
    measure, dataset : which, where there are several. Several data sets are blocks, their samples
        averaged.
    target : what the claim is about: sample, population, test-set, dataset-population; by default
        the honest one for the design.
    scale : what data sets are compared by: raw, ranks, best, baseline:NAME, ratio:NAME, normalised.
    null, adjust : other bricks, such as `null="permutation:9999"`, `adjust="holm"`.
    control, pairs : compare with one algorithm only, or these pairs only.
    contrasts : a user's own, such as `{"new": {"svm": 1, "lda": -0.5, "nb": -0.5}}`, or a matrix
        with one column per algorithm.
    estimate : another estimate for the procedure: means, mixed, block-sums or, of other scores,
        block-sums:ranks, block-sums:normal-scores ...; or a function of a layout.
    alternative : two-sided, less or greater: the sign of first - second, in the measure's unit.
    alpha, relevance : the level, and the least difference that matters. A negative relevance with
        a one-sided alternative asks for non-inferiority.
    missing : complete (leave out blocks with gaps) or worst (fill gaps with the worst value).
    force : compute what is not legal for the design, and mark it.
    """
    chosen = {"measure": measure, "dataset": dataset, "target": target, "scale": scale}
    made = _layout(results, procedure, missing=options.get("missing"), **chosen)
    if not isinstance(options.get("contrasts", {}), (Mapping, type(None))):
        rows = enumerate(np.atleast_2d(options["contrasts"]).tolist(), 1)
        options["contrasts"] = {f"contrast {i}": row for i, row in rows}
    return compare_layout(made, procedure, **options)


def _layout(results: Any, procedure: str | Procedure | None = None, **chosen: str | None) -> Layout:
    """The layout of results, or of anything that `read` takes; a layout stays as it is.

    Samples within data sets stay apart for procedures that are made for them.
    """
    missing = chosen.pop("missing", None)
    if isinstance(results, Layout):
        if said := [name for name, value in chosen.items() if value is not None]:
            raise InferenceError(f"A layout has its own {', '.join(said)}: make another layout.")
        return results
    found = results if isinstance(results, Results) else read(results, measure=chosen["measure"])
    scale = chosen.pop("scale", None) or "raw"
    nested = [t for block, t in chosen_legal(procedure) if block == "nested"]
    if nested:
        chosen["target"] = chosen["target"] or nested[0]
    asked: dict[str, Any] = {name: value for name, value in chosen.items() if value}
    made = layout(found, nested=bool(nested), **asked)
    if missing == "worst" and scale != "raw":
        made = made.filled()  # before a scale leaves out what has gaps
    return scaled(replace(made, notes=(*exclusion_notes(found), *made.notes)), scale)


def stability_of(
    results: Any,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    **options: Any,
) -> Stability:
    """What comes of the order when the blocks are drawn anew: ranks, places, pairs, orders.

    Blocks must be independent for the target: resamples, repetitions, simulated samples, items,
    data sets; not folds.

    Parameters
    ----------
    resamples, orders, seed : how many resamples are ranked, and how many also decided.
    same_null : decide by the same drawn or exact null, instead of the asymptotic one.
    progress : is told `(done, total)`.
    options : further ones are those of `compare`.
    """
    made = _layout(results, procedure, measure=measure, dataset=dataset, target=target)
    return stability(made, procedure, **options)


def left_out(
    results: Any,
    procedure: str | Procedure | None = None,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    **options: Any,
) -> LeftOut:
    """The order with each algorithm and, where blocks are data sets, each of them left out in turn.

    Options are those of `compare`.
    """
    made = _layout(results, procedure, measure=measure, dataset=dataset, target=target)
    return order_left_out(made, procedure, **options)


def subgroups(
    results: Any,
    groups: Any,
    *,
    measure: str | None = None,
    scale: str | None = None,
    **options: Any,
) -> Subgroups:
    """Differences within subgroups of data sets, and whether they differ between subgroups.

    Parameters
    ----------
    groups : `{"small": ["iris", ...], "large": [...]}`, or a table with the columns dataset and
        group.
    declared_before : True, or in words, where the subgroups were chosen before the scores were
        seen; otherwise the result says that it is exploratory.
    options : procedure, test (welch, anova, permutation), control, pairs, alternative, alpha ...
    """
    made = _layout(results, measure=measure, scale=scale)
    if isinstance(groups, pd.DataFrame):
        gone = exclusions(results) if isinstance(results, Results) else ()
        groups = listed_groups(groups, without=gone)
    return of_subgroups(made, groups, **options)


def explained(
    results: Any,
    by: Any = None,
    *,
    measure: str | None = None,
    scale: str | None = None,
    **options: Any,
) -> Explained:
    """Differences between algorithms modelled by characteristics of the data sets.

    Parameters
    ----------
    by : a frame indexed by data set; without it, the characteristics that the results carry.
    columns : which of them.
    options : control, pairs, logs, alpha.
    """
    made = _layout(results, measure=measure, scale=scale)
    if by is None:
        by = characteristics(results if isinstance(results, Results) else read(results))
    return of_characteristics(made, by, **options)


def order_by(
    results: Any,
    statistic: Any = "mean",
    *,
    measure: str | None = None,
    dataset: str | None = None,
    **options: Any,
) -> Ordered:
    """The order by a statistic of the scores, which describes them and tests nothing.

    Parameters
    ----------
    statistic : mean, median, minimum, maximum, worst:12, quantile:0.95 ... of the scores in the
        measure's own sign, or a function of blocks x algorithms.
    epsilon : algorithms whose statistics differ by no more are alike.
    intervals : a level such as 0.95: alike are those whose bootstrap intervals overlap.
    """
    made = _layout(results, measure=measure, dataset=dataset).complete()
    better = made.measure.higher_is_better
    scores = made.sign * made.values
    found = ordered(scores, made.algorithms, statistic, higher_is_better=better, **options)
    return replace(found, notes=(*made.notes, *found.notes))


def alone(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    target: str | None = None,
    alpha: float = 0.05,
) -> Comparisons:
    """Comparisons without a pair: one algorithm has an interval of its expected score."""
    made = _layout(results, measure=measure, dataset=dataset, target=target)
    found = intervals(made, alpha).iloc[0]
    return Comparisons(
        table=pd.DataFrame(columns=COLUMNS),
        algorithms=made.algorithms,
        means=made.means(),
        measure=made.measure.name,
        higher_is_better=made.measure.higher_is_better,
        procedure="alone",
        title=f"{found['method']} interval of one algorithm",
        blocks={
            "kind": made.block,
            "text": BLOCKS[made.block],
            "count": int(found["blocks"]),
            "sampling": str(made.sampling) if made.sampling else None,
        },
        target=made.target,
        statement=statement(made, f"none; an expected {made.measure.name} is estimated"),
        overall=None,
        alpha=alpha,
        warnings=made.notes,
        details={"lower": found["lower"], "upper": found["upper"], "method": found["method"]},
    )


def advise(
    source: Any, *, target: str | None = None, measure: str | None = None, **reading: Any
) -> Advice:
    """Which question a design answers: of a study (or its file), of results or of a table."""
    if isinstance(source, (str, Path)) and str(source).endswith(".toml"):
        source = load_study(source)
    if isinstance(source, Study):
        return _advise_study(source, measure, {"target": target, **reading})
    found = source if isinstance(source, Results) else read(source, measure=measure, **reading)
    made = advise_layout(layout(found, measure=measure, target=target or ""))
    gone = [f"{name}, left out after the fact ({why})" for name, why in exclusions(found).items()]
    return replace(made, cannot=(*made.cannot, *gone))


def _advise_study(study: Study, measure: str | None, said: Mapping[str, object]) -> Advice:
    """The advice for a study that has not been run; it says itself how samples are drawn."""
    for name, value in said.items():
        if value is not None:
            raise DesignError(
                f"A study is advised as it is: leave out {name}, or change the study."
            )
    rows = getattr(study.datasets[0], "n", None) if len(study.datasets) == 1 else None
    chosen = parse_measure(measure) if measure else study.measures[0].measure
    return advise_design(len(study.algorithms), len(study.datasets), study.sampling, chosen, rows)


def decide(
    comparisons: Comparisons, *, alpha: float | None = None, relevance: float | None = None
) -> Order:
    """The order that comparisons allow; alpha and relevance are theirs unless changed."""
    return decide_comparisons(comparisons, alpha, relevance)


def order(text: str) -> Order:
    """The order that a text such as `svm ≈ rpart < nnet` writes (or `svm ~ rpart < nnet`)."""
    return parse_order(text)


def report(
    results: Results,
    path: str | Path,
    *,
    comparisons: Comparisons | Sequence[Comparisons] | None = None,
) -> None:
    """Write results and comparisons as one self-contained page.

    Without comparisons, each data set's first measure is compared by the procedure that the
    design calls for, as far as it can be; where none can, the data sets are the blocks.
    """
    if comparisons is None:
        comparisons = _default_comparisons(results)
    every = [comparisons] if isinstance(comparisons, Comparisons) else list(comparisons)
    try:
        write_report(results, path, [(c, decide(c)) for c in every])
    except OSError as error:
        raise ExecutionError(f"'{path}' cannot be written: {error.strerror or error}.") from None


def _default_comparisons(results: Results) -> list[Comparisons]:
    measure = next(iter(results.measures), None)
    found = []
    for dataset in results.datasets:
        with contextlib.suppress(InferenceError):  # one algorithm, one sample, nothing done yet
            found.append(compare(results, measure=measure, dataset=dataset))
    if not found and len(results.datasets) > 1:
        with contextlib.suppress(InferenceError):
            found.append(compare(results, measure=measure))
    return found


def plan(
    pilot: Any = None,
    *,
    difference: float | None = None,
    sd: float | None = None,
    power: float | None = None,
    datasets: int | None = None,
    items: int | None = None,
    **options: Any,
) -> Plan | PilotPlan:
    """How many data sets (or items) show a difference; or which power, or which difference.

    Parameters
    ----------
    pilot : results (or what `read` takes) from which variances are learned, instead of `sd`.
    difference : between two algorithms' means that shall be found.
    sd : of the difference between data sets (or items).
    power, datasets, items : the power that is wanted (0.8), or the number of blocks that there is.
    alpha, alternative, comparisons, formula : the level; two-sided, greater or less; the number of
        pairs that share alpha; noncentral, or boulesteix2013's central.
    measure, dataset, by, most : of a pilot: which scores; plan for the pair with the worst or the
        median sd; the largest number of data sets that can be had.
    procedure, replications, seed : of a pilot: simulate the power of another test than paired t.
    """
    if items is not None and datasets is not None:
        raise InferenceError("A plan counts data sets or items, not both.")
    blocks = items if datasets is None else datasets
    said = {"difference": difference, "target": power, "blocks": blocks, **options}
    if pilot is None:
        if sd is None:
            raise InferenceError("A plan needs the sd of the difference, or a pilot that shows it.")
        return make_plan(sd=sd, block="dataset" if items is None else "item", **said)
    if sd is not None:
        raise InferenceError("A pilot shows its own sd: leave sd out.")
    reading: dict[str, Any] = {k: said.pop(k) for k in ("measure", "dataset") if k in said}
    found = pilot if isinstance(pilot, Results) else read(pilot, measure=reading.get("measure"))
    made = _layout(found, **reading)
    said["blocks"] = counted_blocks(made, datasets=datasets, items=items)
    return _planned(found, by_cluster(made), said)


def _planned(results: Results, made: Layout, said: dict[str, Any]) -> PilotPlan:
    names = ("procedure", "replications", "seed", "progress")
    simulating = {k: said.pop(k) for k in names if said.get(k) is not None}
    check_simulating(simulating, said)
    several = made.block == "dataset" and made.measure.name in results.measures
    cells = replicates(results, made.measure.name, made.sign) if several else None
    found = plan_pilot(made, cells, **said)
    if not simulating:
        return found
    said = {k: said[k] for k in ("difference", "target", "blocks")}
    return simulate_pilot(made, found, **said, **simulating)


def merge(into: str | Path, *sources: str | Path) -> Results:
    """Append to the store `into` what other stores of the same study have and it lacks."""
    merge_stores(into, sources)
    return read_store(into)


def score(store: str | Path, measures: str | Computed | Sequence[str | Computed]) -> Results:
    """Score the kept predictions of a store by further measures, without refitting."""
    rescore(store, [measures] if isinstance(measures, (str, Computed)) else list(measures))
    return read_store(store)


def write_indices(study: Study | str | Path, path: str | Path) -> None:
    """Write the row numbers of all samples of a study as CSV (also .gz) or Parquet.

    A study with `sampling="indices:FILE"` runs on exactly these samples.
    """
    study = _loaded(study)
    table = indices_table(study.datasets, study.sampler, study.sampling)
    try:
        if str(path).endswith((".parquet", ".pq")):
            require("pyarrow", extra="parquet", purpose="Writing Parquet files")
            table.to_parquet(path, index=False)
        else:
            table.to_csv(path, index=False)
    except OSError as error:
        raise ExecutionError(f"'{path}' cannot be written: {error.strerror or error}.") from None
