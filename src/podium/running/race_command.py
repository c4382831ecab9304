"""`podium race`: run a study until the best is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from podium.cli.main import say
from podium.cli.options import said, shared
from podium.running.command import again_by, run_study, running


@click.command("race")
@click.argument("study", type=click.Path(path_type=Path))
@running
@shared(alpha="The chance to lose the best [0.05].", measure="The measure that decides.")
@click.option("--spending", help="How alpha is spent, obf or power2 [obf].")
@click.option("--looks", type=int, help="How often is looked [20].")
@shared("trust")
@click.option("--quiet", "-q", is_flag=True, help="No progress, no summary.")
def race(
    study: Path, store: Path | None, trust: tuple[str, ...], quiet: bool, **options: Any
) -> int:
    """Run STUDY and drop algorithms that are worse, until the best is known.

    With 95 % confidence the best is among those that are left; nothing is claimed about the order
    of the others. The number of samples of the study is the budget; resumable as `podium run` is.
    """
    from podium.design.studyfile import load_study
    from podium.sequential.verbs import raced

    asked = {name: options.pop(name) for name in ("alpha", "measure", "spending", "looks")}
    path, jobs = store or study.with_suffix(".db"), options.pop("jobs")
    loaded = load_study(study, trust=trust)
    if not quiet:
        say(repr(loaded)[1:-1])
    again = again_by(study, store, options | asked, "race", trust)
    return run_study(loaded, path, jobs, quiet, again, raced(**said(asked, list(asked))), **options)
