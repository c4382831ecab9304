"""Measures that tests add are taken out again."""

import pytest

from podium.asking.predictions import measures


@pytest.fixture(autouse=True)
def own_measures():
    known = dict(measures.RULES), dict(measures.SPELLED)
    yield
    for rules, before in zip((measures.RULES, measures.SPELLED), known, strict=True):
        rules.clear()
        rules.update(before)
