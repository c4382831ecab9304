"""Who is who in a study, and on which data sets choices are made (boulesteix2013, section 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from podium.base.checks import about
from podium.base.errors import DesignError
from podium.base.registry import unknown

ROLES = ("ours", "competitor", "baseline")
DEVELOPMENT, CONFIRMATION = "development", "confirmation"
STAGES = (DEVELOPMENT, CONFIRMATION)


def check_neutral(
    roles: Mapping[str, str],
    development: Sequence[str],
    algorithms: Sequence[str],
    datasets: Sequence[str],
) -> None:
    """Refuse roles that are not known, of algorithms that are not there, and stages likewise."""
    with about("roles"):
        for name, role in roles.items():
            if name not in algorithms:
                raise DesignError(unknown("algorithm of this study", name, algorithms))
            if role not in ROLES:
                raise DesignError(unknown("role", str(role), ROLES))
    with about("development"):
        for name in development:
            if name not in datasets:
                raise DesignError(unknown("data set of this study", name, datasets))
        if development and not set(datasets) - set(development):
            raise DesignError(
                "All data sets are for development, and none is left to claim from: keep some for "
                "confirmation."
            )
