"""The fault harness: signals at random moments, and not one score lost or changed.

The short version runs with all tests; `make faults` sends 1000 signals and prints the count.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from attacks import Attack


@pytest.mark.parametrize(
    ("kills", "samples"), [(5, 12), pytest.param(1000, 150, marks=pytest.mark.long)]
)
def test_no_score_is_lost_or_changed(
    kills: int, samples: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    attack = Attack(tmp_path, samples, seed=kills)
    if kills > 100:
        with capsys.disabled():  # it takes long: who ends it early knows how far it came
            attack.kill(kills, print)
    else:
        attack.kill(kills)
    assert sum(attack.sent.values()) >= kills
    assert (attack.lost, attack.changed) == (0, 0)
