"""Procedures: the named tests, each a record of bricks and of what it may be used for.

They stand beside their estimates: tests within blocks in `rank_tests.py` and `mean_tests.py`, of
independent samples in `unpaired.py`, training sets x items in `crossed.py`, training runs x items
in `seeds.py`, held-out items in `held_out.py`, series in `series.py`, samples within data sets in
`survey.py`. Somebody else's is one `PROCEDURES.add(name, record)`.
"""

from __future__ import annotations

from podium.inference import (
    crossed,
    held_out,
    mean_tests,
    rank_tests,
    seeds,
    series,
    survey,
    unpaired,
)
from podium.inference.procedure import Procedure
from podium.registry import Registry

PROCEDURES: Registry[Procedure] = Registry("procedure")
for _home in (rank_tests, mean_tests, unpaired, crossed, seeds, held_out, series, survey):
    for _procedure in _home.PROCEDURES:
        PROCEDURES.add(_procedure.name, _procedure)


def named(name: str) -> Procedure:
    """The procedure of a name, as people write it."""
    return PROCEDURES[str(name).strip().lower().replace("_", "-")]
