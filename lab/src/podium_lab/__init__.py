"""The laboratory of Podium: error rates of procedures measured, tables of papers recomputed.

`podium_lab.calibrate` and `podium_lab.replicate`, or `python -m podium_lab`. What results rest on
(`podium/core/inference/calibration.csv`) is data of Podium, which never imports this package.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from podium.running.design.data.identity import PACKAGES as _PACKAGES

if TYPE_CHECKING:
    from podium_lab.calibration.calibrate import calibrate
    from podium_lab.calibration.scenario import scenario
    from podium_lab.calibration.tables import table_scenario
    from podium_lab.papers.replication import replicate

__all__ = ["calibrate", "replicate", "scenario", "table_scenario"]

_PACKAGES[__name__] = "podium"  # where all of it stood when keys of runs were first made
_HOMES = {
    "calibrate": "calibration.calibrate",
    "scenario": "calibration.scenario",
    "table_scenario": "calibration.tables",
    "replicate": "papers.replication",
}


def __getattr__(name: str) -> Any:  # loaded when used, as names of Podium are
    if name not in _HOMES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    value = globals()[name] = getattr(_import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value
