"""`podium meta`: several studies together."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from podium.core.base.errors import InferenceError
from podium.core.base.writing import write_text
from podium.showing.terminal.options import (
    PATH,
    READING,
    command,
    declared,
    files,
    given_options,
    reading,
    refuse,
    shared,
    written,
)
from podium.showing.terminal.saying import say
from podium.showing.terminal.writing import check_writable, write_csv, write_json, write_outputs

PICTURES = ("forest", "funnel")


@command("meta")
@files
@click.option("--by", help="The column that names the study [study].")
@click.option("--network", is_flag=True, help="All studies at once, with indirect comparisons.")
@click.option("--method", help="Of the variance between studies: reml, dl, ml, eb [reml].")
@reading
@shared("alpha", "why", "json")
@declared("csv", "Write the pairs as CSV; - for the screen.")
@written("--forest", type=PATH, help="Draw studies and their mean as a .pdf, .svg or .png.")
@written("--funnel", type=PATH, help="Draw whether small studies show more, likewise.")
@declared("report", "Write a page with the studies as a forest.")
@click.option("--pair", help="The pair that is drawn, as svm,lda [the first].")
def meta(file: Path | list[Path], json: Path | None, csv: Path | None, **options: Any) -> int:
    """What several studies say together.

    FILE is a table of what studies report (study, first, second, estimate, se; or study, algorithm,
    mean, sd, n; or study, algorithm, mean and a column of covariances for every algorithm), or
    several stores and tables of scores (or a folder of them), each a study. Every pair has random
    effects over the studies that compared it, the interval of what a new study would show, and tau;
    --network takes all studies at once.
    """
    from podium.asking.synthesis.verbs import meta as combined
    from podium.showing.screens.standings import say_presented

    check_writable(json, csv, options["report"], *(options[name] for name in PICTURES))
    if not any(options[name] for name in PICTURES):
        refuse(options, ["pair"], "is for a picture: add --forest or --funnel")
    pair = _pair(options["pair"])
    chosen = given_options(options, (*READING, "by", "method", "alpha", "network"))
    analysis = combined(file, **chosen)

    is_on_screen = write_outputs(
        *((options[name], partial(_draw, name, analysis, pair)) for name in PICTURES),
        (options["report"], partial(_write_page, analysis)),
        (csv, lambda path: write_csv(analysis.to_csv(), path)),
        (json, lambda path: write_json(analysis.to_dict(), path)),
    )
    for name in PICTURES:
        if options[name] is not None:
            say(f"The picture is in '{options[name]}'.", err=True)
    if options["report"] is not None:
        say(f"The page is in '{options['report']}'.", err=True)
    if not is_on_screen:
        say_presented(analysis, why=options["why"])
    return 0


def _pair(text: str | None) -> dict[str, str]:

    if text is None:
        return {}
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2 or not all(names):
        raise InferenceError(f"--pair names two algorithms, as svm,lda, not '{text}'.")
    return {"first": names[0], "second": names[1]}


def _write_page(result: Any, path: Path) -> None:
    from podium.asking.synthesis.plots import meta_page
    from podium.showing.reports.page import render

    write_text(render(meta_page(result)), path)


def _draw(name: str, result: Any, pair: dict[str, str], path: Path) -> None:
    from podium.asking.pictures.command import save
    from podium.showing.plots import PLOTS

    save(PLOTS[name].face(result, **pair), path)
