"""`podium run`, `demo`, `indices`: run what is missing of a study, and write down its samples."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.core.base.errors import DEMO, DesignError, require_extra
from podium.core.base.formatting import screen, wrapped
from podium.core.base.progress import Silent, run_progress
from podium.core.base.rooms import required
from podium.core.base.writing import make_folder, write_text
from podium.showing.terminal.options import command, declared, given_options, refuse, shared
from podium.showing.terminal.saying import INTERRUPTED, say, say_error
from podium.showing.terminal.writing import check_writable

if TYPE_CHECKING:
    from podium.core.results.results import Results
    from podium.running.design.study import Study
    from podium.running.sequential.verbs import Rule


WHERE = (  # a study is run, and under which limits
    declared("store", "Where scores are kept [STUDY.db beside the study]."),
    declared("jobs"),
    click.option("--cluster", metavar="ADDRESS", help="A Dask cluster: tcp://... or FILE.json."),
    click.option("--time-limit", metavar="TIME", help="What one run may take: 90s, 10m, 2h."),
    click.option("--memory-limit", metavar="SIZE", help="What one run may hold: 500MB, 4GB."),
)


def running(decorated: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of whoever runs a study."""
    for option in reversed(WHERE):
        decorated = option(decorated)
    return decorated


@command("run")
@click.argument("study", type=click.Path(path_type=Path))
@running
@click.option("--shard", metavar="I/N", help="Part I of N only, in a store of its own.")
@click.option(
    "--until",
    metavar="decided|best",
    help="Stop early: when every comparison is significant or equivalent, or the best is known.",
)
@shared(
    measure="With --until: the measure that decides.",
    alpha="With --until: error level over all looks and comparisons [0.05].",
    relevance="With --until decided: smaller differences are equivalent [0].",
    spending="With --until: how alpha is spent over the looks, obf or power2 [obf].",
    looks="With --until: number of looks [20].",
    open="With --until decided: no fixed number of samples.",
)
@click.option(
    "--test",
    help="With --until decided, data sets: ranks, hull or t [ranks; hull with --relevance].",
)
@click.option(
    "--halves",
    type=click.IntRange(2),
    metavar="M",
    help="M random halvings beside the samples, for claims about new samples; 10 are usual.",
)
@declared("watch", "Show the study in a browser of this machine while it runs.")
@shared("trust")
@shared("quiet")
def run(
    study: Path,
    store: Path | None,
    watch: bool,
    trust: tuple[str, ...],
    quiet: bool,
    **options: Any,
) -> int:
    """Run what is missing of STUDY, a TOML file; always resumable.

    Stop with Ctrl-C and call again to go on. Only what is new in the study is run; failed
    runs are tried once more. A run that
    ends its process, or exceeds a limit, is a failed run; all others go on.
    """
    from podium.running.design.studyfile import load_study
    from podium.running.execution.runner import parse_shard

    requests = {name: options.pop(name) for name in ("until", *OF_RULE)}
    rule = _rule(requests)
    loaded = load_study(study, trust=trust)
    if options["halves"] is not None:
        loaded = loaded.with_halves(options["halves"])
    path = store or study.with_suffix(".db")
    if options["shard"] is not None:
        options["shard"] = parse_shard(options["shard"])
        path = store or options["shard"].path(path)
    if not quiet:
        say(repr(loaded)[1:-1] + (f"; shard {options['shard']}" if options["shard"] else ""))
    jobs, again = options.pop("jobs"), again_by(study, store, options | requests, trust)
    options.pop("halves")
    if not watch:
        return run_study(loaded, path, jobs, quiet, again, rule, **options)

    with required("watch a study")(path, say):
        return run_study(loaded, path, jobs, quiet, again, rule, **options)


OF_RULE = ("relevance", "alpha", "measure", "spending", "looks", "open", "test")


def _rule(options: dict[str, Any]) -> Rule | None:
    """When to stop; None where nothing is said of it."""
    from podium.running.sequential.verbs import until_best, until_decided

    if options["until"] is None:
        refuse(options, OF_RULE, "is for a study that may stop: add --until decided")
        return None
    if options["until"] not in ("decided", "best"):
        raise DesignError(f"--until takes 'decided' or 'best', not '{options['until']}'.")
    if options["until"] == "decided":
        return until_decided(**given_options(options, OF_RULE))
    refuse(options, ("relevance", "open", "test"), "is for --until decided: use that")
    return until_best(**given_options(options, OF_RULE))


def again_by(
    study: Path, store: Path | None, options: dict[str, Any], trust: tuple[str, ...]
) -> str:
    """The command that goes on."""
    text = {"store": store} | options
    flag = {name for name, value in text.items() if value is True}
    words = [
        f"--{k.replace('_', '-')}" + (f" {v}" if k not in flag else "")
        for k, v in text.items()
        if v is not None
    ]
    words += [f"--trust {package}" for package in trust]
    return " ".join([f"podium run {study}", *words])


def run_study(
    study: Study,
    path: Path,
    jobs: int,
    quiet: bool,
    again: str,
    rule: Rule | None = None,
    **options: Any,
) -> int:
    """Run a study and say what came of it; returns the exit status."""
    from podium.reading.formats.stores import read_store
    from podium.running.execution.runner import execute
    from podium.running.sequential.verbs import until
    from podium.running.studies.outcome import failure_lines, say_outcome, state_lines
    from podium.running.studies.verbs import registered, with_kept_code

    study, lines = with_kept_code(study, path)
    for line in lines:
        say_error(line)
    message = Silent() if quiet else run_progress()
    stop = until(study, rule, path, options.get("shard"))
    plans = registered(study, path)
    if plans is not None and not quiet:
        say(f"Registered: {plans['versions'][-1]['fingerprint']}.")
    options |= {"until": stop, "registered": plans}
    outcome = execute(study, path, jobs=jobs, progress=message, **options)
    if outcome.interrupted:
        say_error(
            f"Stopped. {outcome.total - outcome.missing} of {outcome.total} runs are done and kept "
            f"in '{path}'. Go on with: {again}"
        )
        return INTERRUPTED
    results = read_store(path)
    if not quiet:
        say_outcome(outcome, results, path)
        if results.stopping is not None:
            _say_stopped(results)
    if outcome.ran:
        for line in state_lines(results.warnings):
            say_error(line)
    if outcome.failed:
        for line in failure_lines(results.failures, looks=results.stopping is not None):
            say_error(line)
    return 1 if outcome.failed else 0


def _say_stopped(results: Results) -> None:
    """What was planned, where it stopped, and how much that saved."""
    from podium.core.orders.decide import decide
    from podium.core.verdicts.verbs import compare
    from podium.core.words.saying import noted
    from podium.running.sequential.words import saved

    comparisons = compare(results)
    assert comparisons.extras.sequential is not None
    say("")
    for note in comparisons.warnings:
        if note.code in ("stopped", "raced", "no-relevance"):
            say(wrapped(noted(note), screen(), "  "))
    say(saved(comparisons.extras.sequential, comparisons.blocks.noun))
    if comparisons.extras.sequential.goal == "order":
        say(f"Order: {decide(comparisons)}")


# -- `podium demo` --------------------------------------------------------------------------------


@command("demo")
@click.option(
    "--folder",
    default="demo",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Where everything goes.",
)
@declared("jobs")
@shared("quiet")
def demo(folder: Path, jobs: int, quiet: bool) -> int:
    """Run a small embedded study end to end and write a report."""
    import podium
    from podium.reading.formats.stores import read_store

    require_extra(DEMO)  # before anything runs
    from podium.running.design.studyfile import load_study

    make_folder(folder)
    study = folder / "demo.toml"
    if not study.exists():
        text = files("podium.cli").joinpath("studies/demo.toml").read_text(encoding="utf-8")
        write_text(text, study)
    store = folder / "demo.db"
    status = run_study(
        load_study(study), store, jobs, quiet, again=f"podium demo --folder {folder}"
    )
    if status in (0, 1):
        report = folder / "report.html"
        podium.report(read_store(store), report)
        if not quiet:
            say(f"The study is in '{study}', the report in '{report}'.")
    return status


# -- `podium store indices` -----------------------------------------------------------------------


@command("indices")
@click.argument("study", type=click.Path(path_type=Path))
@declared("output", "A CSV (also .gz) or Parquet file.", required=True)
@shared("trust")
def indices(study: Path, output: Path, trust: tuple[str, ...]) -> int:
    """Write the row numbers of all samples of STUDY, to publish them as the benchmark.

    A study with sampling = "indices:FILE" runs on exactly these samples.
    """
    from podium.running.studies.verbs import write_indices

    check_writable(output)
    write_indices(study, output, trust=trust)
    say(f"The samples are in '{output}'. Use them with: sampling = \"indices:{output.name}\"")
    return 0
