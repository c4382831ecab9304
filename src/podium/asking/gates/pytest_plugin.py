"""The pytest plugin: the fixture `podium_gate`, which fails a test where the new one is worse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from podium.core.base.errors import DesignError

if TYPE_CHECKING:
    from podium.asking.gates.decisions import Decision
    from podium.asking.gates.gates import Candidates, Gate

OUTCOMES = ("fail", "skip", "pass")


class Gatekeeper:
    """What the fixture gives: call it with the old and the new scores."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(
        self,
        old: Any,
        new: Any,
        *,
        margin: float | str | Mapping[str, float | str] | None = None,
        improve: str | Sequence[str] | None = None,
        measure: str | None = None,
        algorithm: str | None = None,
        sampling: str | None = None,
        higher_is_better: bool | None = None,
        columns: str | Mapping[str, str | Iterable[str]] | None = None,
        step: str | int | None = None,
        procedure: str | None = None,
        alpha: float = 0.05,
        gaps: str | None = None,
        undecided: str = "fail",
    ) -> Gate | Decision | Candidates:
        """`podium.gate`, and a failed test where the new one is worse.

        Paths are relative to the file of the test. Where it is `undecided` the test fails, unless
        this says skip or pass.
        """
        # pytest loads every plugin, and most runs need no gate
        from podium.asking.gates.verbs import gate

        if undecided not in OUTCOMES:
            raise DesignError(f"`undecided` is {', '.join(OUTCOMES)}, not '{undecided}'.")
        result = gate(
            self._beside(old),
            self._beside(new),
            margin=margin,
            improve=improve,
            measure=measure,
            algorithm=algorithm,
            sampling=sampling,
            higher_is_better=higher_is_better,
            columns=columns,
            step=step,
            procedure=procedure,
            alpha=alpha,
            gaps=gaps,
        )
        _end(result, undecided)
        return result

    def _beside(self, given: Any) -> Any:
        return self.folder / given if isinstance(given, (str, Path)) else given


def _end(result: Gate | Decision | Candidates, undecided: str) -> None:
    __tracebackhide__ = True  # the test's own line is what matters
    outcome = "fail" if result.is_worse else undecided if result.status else "pass"
    if outcome == "fail":
        pytest.fail(repr(result), pytrace=False)
    if outcome == "skip":
        pytest.skip(repr(result).partition("\n")[0])


@pytest.fixture
def podium_gate(request: pytest.FixtureRequest) -> Gatekeeper:
    """Fail where new scores are worse: `podium_gate(OLD, NEW, margin="5%")`."""
    return Gatekeeper(request.path.parent)
