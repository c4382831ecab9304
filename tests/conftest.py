"""The collector of garbage need not look again and again at what lives as long as the tests.

Ten thousand tests and a thousand modules are a heap that takes a third of a second to look through.
"""

import gc

collect_ignore = ["conftest.py"]  # it has no examples, and its name is also another's
gc.disable()  # until all tests are known


def pytest_collection_finish():
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()
