"""Which question a design answers, of results or of a study that has not been run."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from podium.base.errors import DesignError, UnknownName
from podium.base.faces import takes
from podium.base.registry import unknown
from podium.inference.comparing.advice import Advice, advise_design
from podium.inference.comparing.advice import advise as advise_layout
from podium.inference.comparing.arranging import layout
from podium.questions.measures import Measure
from podium.reading.dataset_facts import exclusions
from podium.reading.formats import read
from podium.reading.results import Results
from podium.words.statements import excluded

if TYPE_CHECKING:  # a table is advised where nothing can be run
    from podium.design.study import Study


@takes("target", "measure", "sampling", "higher_is_better", "columns", "trust")
def advise(source: Any, **options: Any) -> Advice:
    """Which question a design answers: of a study (or its file), of results or of a table.

    Parameters
    ----------
    source : Study, the path of a study file, Results, or anything that `read` takes

    Returns
    -------
    Advice
        `.procedure` is the recommended test; printed, what can be tested and what cannot.

    Examples
    --------
    >>> import podium
    >>> scores = {"svm": [0.1, 0.2, 0.3, 0.2], "lda": [0.3, 0.5, 0.4, 0.4]}
    >>> podium.advise(podium.read(scores, sampling="cv:4", measure="error")).procedure
    'corrected-t'
    """
    trust, target, measure = (options.pop(name) for name in ("trust", "target", "measure"))
    if isinstance(source, (str, Path)) and str(source).endswith(".toml"):
        from podium.design.studyfile import load_study

        source = load_study(source, trust=trust)
    if _is_study(source):
        return _advise_study(source, measure, {"target": target, **options})
    result = source if isinstance(source, Results) else read(source, measure=measure, **options)
    made = advise_layout(layout(result, measure=measure, target=target or ""))
    gone = [excluded(name, why) for name, why in exclusions(result).items()]
    return replace(made, cannot=(*made.cannot, *gone))


def _is_study(source: Any) -> TypeGuard[Study]:
    """Whether it is one; without the package that makes studies there is none."""
    made = sys.modules.get("podium.design.study")
    return made is not None and isinstance(source, made.Study)


def _advise_study(study: Study, measure: str | None, texts: Mapping[str, object]) -> Advice:
    """The advice for a study that has not been run; it says itself how samples are drawn."""
    for name, value in texts.items():
        if value is not None:
            raise DesignError(
                f"A study is advised as it is: leave out {name}, or change the study."
            )
    rows = getattr(study.datasets[0], "n", None) if len(study.datasets) == 1 else None
    chosen = _measure_of(study, measure)
    return advise_design(len(study.algorithms), len(study.datasets), study.sampling, chosen, rows)


def _measure_of(study: Study, name: str | None) -> Measure:
    """The study's measure of this name; without a name its first."""
    known = {scored.name: scored.measure for scored in study.measures}
    if name is None:
        return next(iter(known.values()))
    written = name if name in known else name.strip().lower().replace("_", "-")
    if written not in known:
        raise UnknownName(unknown(f"measure of the study '{study.name}'", name, known))
    return known[written]
