"""The gallery: every plot is in it, and its pictures are what its code draws."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import make_gallery
import pytest

from podium import plots

PICTURES = sorted(make_gallery.FOLDER.glob("*.svg"))


def words(picture: Path) -> list[str]:
    """All texts of a picture; they hardly depend on the version of matplotlib, as paths do."""
    found = ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")
    return sorted("".join(text.itertext()) for text in found)


def test_every_plot_is_in_the_gallery_once():
    assert sorted(make_gallery.EXAMPLES) == plots.__all__
    for name, example in make_gallery.EXAMPLES.items():
        assert f"plots.{name}(" in example.code


def test_the_page_is_what_the_script_writes():
    assert make_gallery.PAGE.read_text(encoding="utf-8") == make_gallery.page()


def test_every_picture_is_on_the_page_and_all_are_small():
    shown = re.findall(r"\((gallery/\w+\.svg)\)", make_gallery.page())
    assert sorted(shown) == [f"gallery/{picture.name}" for picture in PICTURES]
    assert sum(picture.stat().st_size for picture in PICTURES) < 2e6


def test_pictures_have_words_and_no_date():
    for picture in PICTURES:
        text = picture.read_text(encoding="utf-8")
        assert "<dc:date>" not in text
        assert "http-equiv" not in text
        assert words(picture), picture.name


@pytest.mark.parametrize("name", ["bench", "intervals", "survey", "times"])
def test_a_picture_shows_what_its_code_draws(name, tmp_path):
    make_gallery.draw(make_gallery.EXAMPLES[name], tmp_path / "drawn.svg")
    assert words(tmp_path / "drawn.svg") == words(make_gallery.FOLDER / f"{name}.svg")


def test_drawn_twice_a_picture_is_the_same(tmp_path):
    example = make_gallery.EXAMPLES["dots"]
    drawn = [tmp_path / f"{i}.svg" for i in range(2)]
    for target in drawn:
        make_gallery.draw(example, target)
    assert drawn[0].read_bytes() == drawn[1].read_bytes()


def test_the_text_for_latex_is_what_its_code_makes(tmp_path):
    example = make_gallery.EXAMPLES["critical_difference_tikz"]
    made = make_gallery.draw(example, tmp_path / "none.svg")
    kept = make_gallery.FOLDER / "critical_difference_tikz.tex"
    assert made["tikz"].strip() == kept.read_text(encoding="utf-8").strip()
    assert not (tmp_path / "none.svg").exists()
