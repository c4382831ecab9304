"""What all tests share: a quiet collector of garbage, no figures of others, and orders at will.

Ten thousand tests and a thousand modules are a heap that takes a third of a second to look through.
PODIUM_SHUFFLE=1 (or another number) runs files, and the tests within them, in an order of its own:
a test that passes only behind another one is found.
"""

import gc
import os
import random
import sys
from itertools import groupby

import pytest

collect_ignore = ["conftest.py"]  # it has no examples, and its name is also another's
gc.disable()  # until all tests are known


def pytest_collection_modifyitems(items):
    if seed := os.environ.get("PODIUM_SHUFFLE"):
        chance = random.Random(int(seed))
        files = [list(those) for _, those in groupby(items, key=lambda item: item.path)]
        chance.shuffle(files)
        for those in files:
            chance.shuffle(those)
        items[:] = [item for those in files for item in those]


def pytest_collection_finish():
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


@pytest.fixture(autouse=True)
def no_figures_of_others():
    """Figures that an earlier test left open are closed: tests count those that they open."""
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
