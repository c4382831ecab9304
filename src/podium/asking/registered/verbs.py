"""Registering a study: its plan is fixed before the first score, and kept in the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.asking.registered.words import registered_lines
from podium.core.base.errors import DesignError
from podium.core.base.options import takes
from podium.core.questions.options import Version
from podium.core.words.saying import Presented
from podium.reading.store import Store
from podium.running.design.study import Study
from podium.running.execution.runner import begun
from podium.running.studies.verbs import loaded, registered, with_kept_code

# -- execution ------------------------------------------------------------------------------------
# A study that is registered, and not yet run.


def begin_registered(study: Study, path: str | Path, registered: Mapping[str, Any]) -> None:
    """Note a study with its data and plan in a store, which is made where there is none."""
    with Store(path, create=True) as store, store.writing():
        begun(store, study, registered=registered)


# -- verbs ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Registration(Presented):
    """A plan as the store keeps it."""

    version: Version
    versions: tuple[Version, ...]

    @property
    def fingerprint(self) -> str:
        """Of study, data and plan, for a paper."""
        return self.version.fingerprint

    def _lines_above(self) -> list[str]:
        return registered_lines(self.version, len(self.versions))

    def _facts(self) -> Mapping[str, Any]:
        return {
            "fingerprint": self.fingerprint,
            "time": self.version.time,
            "plan": self.version.plan.to_dict(),
            "study": self.version.study,
            "versions": [version.to_dict() for version in self.versions],
        }


@takes("trust")
def register(study: Study | str | Path, store: str | Path, **options: Any) -> Registration:
    """Fix the plan of a study (its `[analysis]`) in a store, before its first score.

    The same again changes nothing. Another plan is another version; after the first score it is a
    deviation, and the plan that was registered before holds.

    Parameters
    ----------
    study : Study, or the path of a study file
    store : str | Path
        The store that the study will be run in.

    Returns
    -------
    Registration
        `.fingerprint` of study, data and plan is for the paper.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import podium
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> data = podium.dataset("tiny", [[0.1], [0.2], [0.8], [0.9]] * 5, ["a", "a", "b", "b"] * 5)
    >>> both = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> plan = {"measure": "error", "alpha": 0.01}
    >>> study = podium.Study(data, both, sampling="bootstrap:9", measures=["error"], analysis=plan)
    >>> store = pathlib.Path(tempfile.mkdtemp()) / "tiny.db"
    >>> len(podium.register(study, store).fingerprint)
    16
    """
    study = loaded(study, options["trust"])
    if study.analysis is None:
        raise DesignError(
            f"The study '{study.name}' has no plan to register: add a table [analysis] (in Python "
            "analysis=) with the primary measure, alpha and relevance."
        )
    study, _ = with_kept_code(study, store)
    kept = registered(study, store)
    assert kept is not None
    begin_registered(study, store, kept)
    versions = tuple(Version.of(v) for v in kept["versions"])
    return Registration(versions[-1], versions)
