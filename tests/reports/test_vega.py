"""The library of charts is bundled once, kept, and made anew where what was kept is broken."""

from __future__ import annotations

import gzip
from importlib.metadata import version

import pytest
import vl_convert

from podium.reports.vega import library


@pytest.fixture
def bundled(monkeypatch, tmp_path):
    """How often it was bundled; the text is short, as to bundle the real one takes seconds."""
    made: list[str] = []
    monkeypatch.setenv("PODIUM_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda code: made.append(code) or "é=1;")
    return made


def test_it_is_bundled_once_for_all_processes(bundled, tmp_path):
    first, second = library.__wrapped__(), library.__wrapped__()
    assert first == second
    assert len(bundled) == 1
    assert gzip.decompress(first.packed).decode() == first.text == "(function(){é=1;})();"
    (kept,) = (tmp_path / "kept").iterdir()
    assert kept.name == f"vega-{version('vl-convert-python')}.js.gz"


@pytest.mark.parametrize("broken", [b"", b"no gzip", gzip.compress(b"abc" * 99, mtime=0)[:-9]])
def test_what_is_broken_is_made_anew(bundled, tmp_path, broken):
    whole = library.__wrapped__()
    (kept,) = (tmp_path / "kept").iterdir()
    kept.write_bytes(broken)
    assert library.__wrapped__() == whole
    assert kept.read_bytes() == whole.packed
    assert len(bundled) == 2


def test_a_folder_that_cannot_be_written_costs_time_only(bundled, tmp_path):
    (tmp_path / "kept").write_text("a file, not a folder")
    assert library.__wrapped__() == library.__wrapped__()
    assert len(bundled) == 2
