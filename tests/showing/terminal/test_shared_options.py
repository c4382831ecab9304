"""Options that commands share: any of them can be had without the others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from podium.errors import PodiumError
from podium.showing.terminal.options import (
    excluding,
    files,
    read_results,
    reading,
    shared,
    with_strata,
)

SCORES = "dataset,a,b\none,0.1,0.2\ntwo,0.3,0.2\nthree,0.2,0.4\n"


def make_command(*options: Any) -> click.Command:
    """A command of somebody else that counts the data sets of a file."""

    def count(file: Path, **given: Any) -> None:
        click.echo(len(read_results(file, given).datasets))

    for option in (files, *options):
        count = option(count)
    return click.command("count")(count)


@pytest.fixture
def path(tmp_path: Path) -> str:
    path = tmp_path / "scores.csv"
    path.write_text(SCORES, encoding="utf-8")
    return str(path)


def run(command: click.Command, *words: str) -> str:
    result = CliRunner().invoke(command, [*words, "-m", "error"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output.strip()


def test_a_command_may_read_without_leaving_data_sets_out(path: str) -> None:
    assert run(make_command(reading), path) == "3"


def test_with_both_data_sets_are_left_out(path: str) -> None:
    both = make_command(reading, excluding)
    assert run(both, path) == "3"
    assert run(both, path, "--exclude", "one, two", "--reason", "broken") == "1"
    with pytest.raises(PodiumError, match="--reason is for data sets that are left out"):
        run(both, path, "--reason", "broken")


def test_a_command_without_reasons_is_told_that_one_is_lacking(path: str) -> None:
    with pytest.raises(PodiumError, match="for a reason, in words; none is given for one"):
        run(make_command(reading, shared("exclude")), path, "--exclude", "one")


def test_strata_are_for_commands_that_offer_them() -> None:
    assert with_strata({"columns": None}) == {"columns": None}
    assert with_strata({"strata": "topic"})["columns"] == "stratum=topic"
