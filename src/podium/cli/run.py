"""`podium run`: run what is missing of a study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from podium.cli.main import INTERRUPTED, say, say_error
from podium.cli.options import shared

if TYPE_CHECKING:
    from podium.design.study import Study
    from podium.execution.runner import Outcome
    from podium.results.results import Results

MOST_REASONS = 10  # different failures that are shown


@click.command("run")
@click.argument("study", type=click.Path(path_type=Path))
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    help="Where scores are kept [STUDY.db beside the study].",
)
@click.option("--jobs", "-j", default=-1, show_default=True, help="Processes; -1 is one per core.")
@click.option("--cluster", metavar="ADDRESS", help="A Dask cluster: tcp://... or FILE.json.")
@click.option("--time-limit", metavar="TIME", help="What one run may take: 90s, 10m, 2h.")
@click.option("--memory-limit", metavar="SIZE", help="What one run may hold: 500MB, 4GB.")
@click.option("--shard", metavar="I/N", help="Part I of N only, in a store of its own.")
@shared("trust")
@click.option("--quiet", "-q", is_flag=True, help="No progress, no summary.")
def command(
    study: Path, store: Path | None, trust: tuple[str, ...], quiet: bool, **options: Any
) -> int:
    """Run what is missing of STUDY, a TOML file; always resumable.

    Stop with Ctrl-C and call again to go on. New algorithms, data sets or more samples in the
    study are run, what is done is not run again, and failed runs are tried once more. A run that
    ends its process, or exceeds a limit, is a failed run; all others go on.
    """
    from podium.design.studyfile import load_study
    from podium.execution.shards import parse_shard

    loaded = load_study(study, trust=trust)
    path = store or study.with_suffix(".db")
    if options["shard"] is not None:
        options["shard"] = parse_shard(options["shard"])
        path = store or options["shard"].path(path)
    if not quiet:
        say(repr(loaded)[1:-1] + (f"; shard {options['shard']}" if options["shard"] else ""))
    jobs, again = options.pop("jobs"), _again(study, store, trust, options)
    return run_study(loaded, path, jobs, quiet, again, **options)


def _again(study: Path, store: Path | None, trust: tuple[str, ...], options: dict[str, Any]) -> str:
    """The command that goes on."""
    said = {"store": store} | options
    words = [f"--{k.replace('_', '-')} {v}" for k, v in said.items() if v is not None]
    words += [f"--trust {package}" for package in trust]
    return " ".join([f"podium run {study}", *words])


def run_study(study: Study, path: Path, jobs: int, quiet: bool, again: str, **options: Any) -> int:
    """Run a study and say what came of it; returns the exit status."""
    from podium.execution.runner import execute
    from podium.progress import Silent, run_progress
    from podium.results.formats.stores import read_store

    told = Silent() if quiet else run_progress()
    outcome = execute(study, path, jobs=jobs, progress=told, isolated=True, **options)
    if outcome.interrupted:
        say_error(
            f"Stopped. {outcome.total - outcome.missing} of {outcome.total} runs are done and kept "
            f"in '{path}'. Go on with: {again}"
        )
        return INTERRUPTED
    if outcome.restored:
        say_error(
            "Somebody removed the temporary folder of this call; it was made again and nothing is "
            "lost. Name a folder that nobody tidies up by TMPDIR."
        )
    results = read_store(path)
    if not quiet:
        _say_outcome(outcome, results, path)
    if outcome.failed:
        _say_failures(results)
    return 1 if outcome.failed else 0


def _say_outcome(outcome: Outcome, results: Results, path: Path) -> None:
    from podium.cli.summary import say_summary
    from podium.progress import duration

    before = f"{outcome.done_before} were done before" if outcome.done_before else ""
    ran = f"{outcome.ran} runs in {duration(outcome.seconds)}" if outcome.ran else "Nothing to run"
    say(f"{'; '.join(filter(None, [ran, before]))}. Scores are in '{path}'.\n")
    say_summary(results)


def _say_failures(results: Results) -> None:
    """The reasons of failures, each once, with a hint where there is one."""
    failures = results.failures
    say_error(f"{len(failures)} runs failed; they are tried again by the next call.")
    reasons = failures.groupby(["dataset", "algorithm", "exception", "message"], observed=True)
    for (dataset, algorithm, kind, message), rows in list(reasons)[:MOST_REASONS]:
        first = message.splitlines()[0] if message else ""
        say_error(f"  {algorithm} on {dataset}: {kind}: {first} ({len(rows)} times)")
    if len(reasons) > MOST_REASONS:
        say_error(f"  and {len(reasons) - MOST_REASONS} more kinds of failure")
    text = " ".join(failures["message"])
    if "could not convert string to float" in text or "contains NaN" in text:
        say_error("  With preprocess = true an algorithm takes nominal and missing attributes.")
