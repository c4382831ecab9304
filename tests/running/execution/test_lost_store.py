"""An algorithm that does away with the store: noticed at once, and what was done is saved."""

from __future__ import annotations

import re
import time
from pathlib import Path

import numpy as np
import pytest
from villains import SPOILING, Good, Spoils

import podium
from podium.errors import StoreError
from podium.reading.store import Store

X = np.random.default_rng(0).normal(size=(40, 2))
DATA = podium.dataset("d", X, (X[:, 0] > 0).astype(int))


class Slow(Good):
    """Takes long enough that waiting for its end would be seen."""

    def fit(self, X, y):
        time.sleep(0.2)
        return super().fit(X, y)


def study(algorithms, samples=40):
    return podium.Study(DATA, algorithms, sampling=f"bootstrap:{samples}", seed=5)


@pytest.mark.parametrize("how", SPOILING)
@pytest.mark.parametrize("jobs", [1, 2])
def test_it_is_noticed_at_once_and_saved_beside(tmp_path, how, jobs):
    folder = tmp_path / "held"
    folder.mkdir()
    path = folder / "study.db"
    good = podium.algorithm("good", Good())
    podium.run(study([good], 4), path, quiet=True)
    spoils = podium.algorithm("spoils", Spoils(str(path), how))
    slow = podium.algorithm("slow", Slow())
    with pytest.raises(StoreError) as caught:
        podium.run(study([good, spoils, slow]), path, quiet=True, jobs=jobs)
    message = str(caught.value)
    assert message.startswith(
        f"The store '{path}' was deleted, moved, replaced or shortened while its study ran. "
    )
    saved = Path(re.search("in '(.+?)'", message)[1])
    assert saved == path.with_name("study-saved.db")
    assert message.endswith(f"go on with --store {saved}")
    results = podium.read(saved)
    done = results.scores["algorithm"].value_counts()
    assert len(results.scores) < 110, "not at the end"
    assert done["spoils"] >= 1
    if how != "cut":  # of which SQLite holds the last runs alone
        assert done["good"] >= 4
    with Store(saved) as store:
        store.check()


def test_what_was_saved_is_a_store_to_go_on_with(tmp_path):
    path = tmp_path / "study.db"
    algorithms = [
        podium.algorithm("good", Good()),
        podium.algorithm("spoils", Spoils(str(path), "delete all")),
    ]
    with pytest.raises(StoreError):
        podium.run(study(algorithms), path, quiet=True)
    results = podium.run(study(algorithms[:1]), tmp_path / "study-saved.db", quiet=True)
    alone = podium.run(study(algorithms[:1]), tmp_path / "alone.db", quiet=True)
    columns = ["sample", "value"]
    assert results.scores[columns].equals(alone.scores[columns])


def test_a_second_loss_overwrites_nothing(tmp_path):
    path = tmp_path / "study.db"
    for place in ("study-saved.db", "study-saved-2.db"):
        spoils = podium.algorithm("spoils", Spoils(str(path), "delete all"))
        with pytest.raises(StoreError, match=re.escape(f"'{tmp_path / place}'")):
            podium.run(study([spoils]), path, quiet=True)
        Path(f"{path}-spoilt").unlink()


def test_a_file_system_that_numbers_files_anew_is_no_loss(tmp_path, monkeypatch):
    """Some have another number for the same file every time that they are asked."""
    path = tmp_path / "study.db"
    with Store(path, create=True) as store:
        store.identity = (0, 0)
        store.refuse_lost()
