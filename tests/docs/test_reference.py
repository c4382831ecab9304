"""The pages made from the registry are up to date, and what others say of it is true."""

from __future__ import annotations

import re

import make_formats
import make_reference
import numpy as np
import pytest

from podium import Layout
from podium.core.inference.comparing.known import PROCEDURES, procedure_named
from podium.core.inference.comparing.legality import default_procedure, is_legal
from podium.core.inference.layouts import Halvings, Items, Origin
from podium.core.questions.measures import parse
from podium.core.questions.targets import BLOCKS
from podium.core.samplings import parse as parse_sampling

WHICH = (make_reference.HERE / "which-test.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", make_reference.PAGES)
def test_a_page_is_what_the_script_writes(name):
    """But for measured rates, which follow the shipped table: `make site` writes them anew."""
    kept = (make_reference.HERE / f"{name}.md").read_text(encoding="utf-8")
    assert without_rates(kept) == without_rates(make_reference.PAGES[name]())


def without_rates(text: str) -> str:
    return re.sub(r"- Measured: .*\n", "", text)


def test_every_procedure_and_every_command_has_a_section():
    for page, names in (("procedures", PROCEDURES), ("commands", make_reference.COMMANDS)):
        text = (make_reference.HERE / f"{page}.md").read_text(encoding="utf-8")
        assert [n for n in names if not re.search(rf"\n## (podium )?{n}\n", text)] == []


def rows(title: str) -> list[list[str]]:
    """The cells of the table below a heading of which-test.md."""
    section = WHICH.split(f"## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def design(row: list[str]) -> Layout:
    """The layout that a row describes; several algorithms unless it says two."""
    block, *sampling = quoted(row[1])
    number = 2 if row[0].startswith("two ") else 4
    binary = parse("accuracy" if block == "item" else "error")
    drawn = parse_sampling(sampling[0]) if sampling else None
    names = tuple("abcd"[:number])
    # items are right or wrong unless other scores are said; signs are turned where lower is better
    unit = (0.5 if "other scores" in row[0] else 1.0) if block == "item" else -0.1
    values = np.arange(6 * number).reshape(6, number) % 2 * unit
    inside = Halvings(np.zeros((2, 2, number))) if drawn and drawn.halves else None
    return Layout(
        values,
        names,
        block,
        quoted(row[2])[0],
        binary,
        halvings=inside,
        origin=Origin(sampling=drawn),
        items=Items(clusters=np.arange(6) // 2 if "clusters" in row[0] else None),
    )


@pytest.mark.parametrize("row", rows("By design"), ids=lambda row: row[0])
def test_what_the_table_recommends_is_legal_and_the_default(row):
    layout = design(row)
    assert default_procedure(layout).procedure == quoted(row[3])[0]
    for name in quoted(row[3]) + quoted(row[4]):
        assert is_legal(procedure_named(name), layout), name


# what the leaves of the tree stand for in the table: block, sampling, target
LEAVES = {
    "items: mcnemar-score": ("item", "test-set"),
    "items: cluster-t": ("item", "test-set"),
    "items: max-modulus": ("item", "test-set"),
    "preferences: bradley-terry": ("choice", "test-set"),
    "runs, seeds: games-howell": ("independent-timed-run", "sample"),
    "runs+paired, seeds+paired: hull": ("training-run", "sample"),
    "bootstrap, subsampling: hull": ("resample", "sample"),
    "cv, repeated-cv, bootstrap: corrected-t": ("fold", "population"),
    "repeated-cv+halves: halves": ("fold", "population"),
    "simulation: hull": ("simulation", "population"),
    "ranks": ("dataset", "dataset-population"),
    "survey-fixed": ("nested", "datasets"),
}


def test_the_tree_says_what_the_table_says():
    tree = WHICH.split("## A small decision tree\n")[1].split("```")[1]
    leaves = re.findall(r" \.{2,} (.+)$", tree, re.MULTILINE)
    assert sorted(leaves) == sorted(LEAVES)
    for leaf, design_of in LEAVES.items():
        procedure = re.findall(r"[\w-]+", leaf.rpartition(": ")[2].partition(" (")[0] or leaf)
        told = [
            row for row in rows("By design") if (quoted(row[1])[0], quoted(row[2])[0]) == design_of
        ]
        defaults = {quoted(row[3])[0] for row in told}
        first = procedure[0] if "(" not in leaf else "hull"
        assert first in defaults, leaf


def test_the_table_has_every_block_with_its_default_target_and_every_target():
    named = {(quoted(row[1])[0], quoted(row[2])[0]) for row in rows("By design")}
    tested = BLOCKS.keys() - {"split", "nested-fold", "study"}  # the others have no test
    assert {(name, BLOCKS[name].target) for name in tested} <= named
    of_studies = {"study-population"}  # by `podium meta`, not by a procedure
    assert {target for _, target in named} == set(make_reference.TARGETS) - of_studies


def test_what_is_legal_nowhere_is_named():
    for name in [n for n, p in PROCEDURES.items() if p.reports.marked]:
        assert f"`{name}`" in WHICH.split("## By what is asked")[0]


def test_what_is_asked_goes_with_what_is_named():
    named = {row[0]: quoted(row[1]) for row in rows("By what is asked")}
    assert all(set(names) - {"--control NAME"} <= set(PROCEDURES) for names in named.values())
    facts = {"differences": "margins", "missing": "gaps", "items": "clusters", "one ": "control"}
    for start, fact in facts.items():
        (names,) = [names for asked, names in named.items() if asked.startswith(start)]
        assert all(getattr(PROCEDURES[n].needs, fact) for n in names if n in PROCEDURES), start


def test_the_page_of_formats_is_what_their_samples_give():
    kept = (make_formats.HERE / "formats.md").read_text(encoding="utf-8")
    assert kept == make_formats.page()
