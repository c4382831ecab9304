"""Figures of a page: text that stays text, names of their own, ink in the page's colour."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import podium
from podium.base.errors import InferenceError
from podium.drawing.canvas import INK, ON_FILL
from podium.plots import PLOTS
from podium.plots.of_pairs.matrices import draw_matrix, matrix_data
from podium.reports.figures import Picture, drawn, pictured, tall


def scribble(ax):
    ax.plot([0, 1], [0, 1], color=INK)
    ax.scatter(np.arange(5), np.arange(5), color="#d55e00", clip_on=True)
    ax.text(0.5, 0.5, "black $x ≻ #1a1a1a", parse_math=False)


@pytest.fixture(scope="module")
def svg():
    return drawn(scribble, 3, 2, name="one")


def test_it_is_one_element_without_prolog_and_metadata(svg):
    assert svg.startswith("<svg ")
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    assert "metadata" not in svg
    assert "DOCTYPE" not in svg


def test_the_same_name_gives_the_same_bytes(svg):
    assert drawn(scribble, 3, 2, name="one") == svg


def test_ids_differ_between_figures_and_every_reference_has_its_target(svg):
    other = drawn(scribble, 3, 2, name="two")
    ids = re.findall(r' id="([^"]+)"', svg)
    used = re.findall(r'(?:url\(#|href="#)([^)"]+)', svg)
    assert used
    assert set(used) == set(ids)
    assert len(ids) == len(set(ids))
    assert not set(ids) & set(re.findall(r' id="([^"]+)"', other))


def test_ink_is_the_current_colour_and_text_stays_as_it_is(svg):
    styles = " ".join(re.findall(r' style="([^"]*)"', svg))
    assert INK not in styles
    assert "#000000" not in styles
    assert "currentColor" in styles
    assert "#d55e00" in styles
    assert 'fill="currentColor"' in svg.split(">")[0]  # text without a fill is black by default
    texts = [t.text for t in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert "black $x ≻ #1a1a1a" in texts


def test_white_is_the_paper_of_the_page_and_ink_on_light_colours_stays_dark():
    scores = {"a": [0.1, 0.2, 0.3], "b": [0.3, 0.1, 0.4], "c": [0.5, 0.6, 0.7]}
    table = pd.DataFrame({"dataset": ["x", "y", "z"], **scores})
    compared = podium.compare(podium.read(table, measure="error"))
    data = matrix_data(compared)
    svg = drawn(lambda ax: draw_matrix(data, ax), 4, 4, name="matrix")
    texts = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    inside = [t.get("style") for t in texts if t.text in set(data.cells["text"])]
    assert len(inside) == 6
    assert all(f"fill: {ON_FILL}" in style for style in inside)
    assert "var(--paper, #ffffff)" in svg
    assert "#ffffff" not in svg.replace("var(--paper, #ffffff)", "")


def test_the_background_is_transparent(svg):
    assert "#ffffff" not in svg.lower()


def test_a_figure_that_cannot_be_drawn_becomes_a_sentence(monkeypatch):
    def refuse(what):
        raise InferenceError("Nothing to draw.")

    monkeypatch.setattr(PLOTS, "_entries", {"b": replace(PLOTS["boxes"], data=refuse)})
    assert pictured([Picture("b", None)]) == (
        [], ["There is no figure 'Box plots': Nothing to draw."]
    )  # fmt: skip


def test_heights_have_limits():
    assert tall(1) == 2.6 < tall(20) < tall(1000) == 14.0
