"""Scenarios of a user's own: a function that draws scores, for `calibrate`."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from podium.calibration.scenarios import Draw, Scenario
from podium.errors import InferenceError
from podium.inference.layouts import DEFAULT_TARGETS, TARGETS
from podium.measures import parse
from podium.registry import unknown
from podium.samplings import parse as parse_sampling


def scenario(
    name: str,
    draw: Draw,
    *,
    block: str = "simulation",
    blocks: int = 50,
    sampling: str = "simulation:{blocks}",
    text: str = "",
    **more: Any,
) -> Scenario:
    """A scenario of your own, for `calibrate`.

    Parameters
    ----------
    draw : `draw(rng, blocks, algorithms)` gives blocks x algorithms scores, larger is better, in
        which all algorithms are equal; effects are added to them. A store knows it by its own
        code, not by that of functions it calls.
    block, sampling : what a block is (simulation, resample, fold, item, dataset ...), and the
        sampling that has so many.
    more : further fields of a scenario: measure, binary, unequal, target, moved.

    >>> import numpy as np
    >>> uniform = scenario("uniform", lambda rng, blocks, k: rng.random((blocks, k)))
    >>> uniform.layout(np.random.default_rng(0), 50, 2).values.shape
    (50, 2)
    """
    if not callable(draw):
        raise InferenceError(
            f"The scenario '{name}' needs a function of (rng, blocks, algorithms), not {draw!r}."
        )
    _known("block", [block], DEFAULT_TARGETS)
    _known("target", [more["target"]] if more.get("target") else [], TARGETS)
    _known("field of a scenario", more, [each.name for each in fields(Scenario)])
    if "measure" in more:
        more["measure"] = parse(more["measure"])
    said = text or f"scores drawn by {getattr(draw, '__qualname__', name)}"
    used = sampling.format(blocks=blocks)
    parse_sampling(used)
    made = Scenario(name, said, block, Own(name, draw), (blocks,), (used,), sampling)
    return replace(made, code=_code(draw), **more)


def _known(kind: str, asked: Iterable[str], known: Iterable[str]) -> None:
    for name in asked:
        if name not in known:
            raise InferenceError(unknown(kind, name, known))


@dataclass(frozen=True)
class Own:
    """A user's own draw, whose failures are said in one sentence."""

    name: str
    draw: Draw

    def __call__(self, rng: np.random.Generator, blocks: int, algorithms: int) -> np.ndarray:
        """Its scores as numbers."""
        try:
            return np.asarray(self.draw(rng, blocks, algorithms), float)
        except Exception as error:
            raise InferenceError(
                f"The scenario '{self.name}' cannot draw {blocks} blocks x {algorithms} "
                f"algorithms: {type(error).__name__}: {error}"
            ) from error


def _code(draw: Draw) -> str:
    """The text of a function, or its instructions where the text is not kept."""
    try:
        return inspect.getsource(draw)
    except (OSError, TypeError):
        code = getattr(draw, "__code__", None)
        return "" if code is None else repr((code.co_code, code.co_consts, code.co_names))
