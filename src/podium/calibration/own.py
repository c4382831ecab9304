"""Scenarios of a user's own: a function that draws scores, for `calibrate`."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.calibration.scenarios import Draw, Scenario
from podium.errors import InferenceError


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
    block, sampling : what a block is (sample, fold, item ... as `podium advise` names it), and the
        sampling that has so many.
    more : further fields of a scenario: measure, binary, unequal, target, moved.

    >>> uniform = scenario("uniform", lambda rng, blocks, k: rng.random((blocks, k)))
    >>> uniform.layout(np.random.default_rng(0), 50, 2).values.shape
    (50, 2)
    """
    if not callable(draw):
        raise InferenceError(
            f"The scenario '{name}' needs a function of (rng, blocks, algorithms), not {draw!r}."
        )
    said = text or f"scores drawn by {getattr(draw, '__qualname__', name)}"
    made = Scenario(
        name, said, block, Own(name, draw), (blocks,), (sampling.format(blocks=blocks),), sampling
    )
    return replace(made, code=_code(draw), **more)


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
