"""Verdicts by ranks that fall when one other algorithm is left out.

A rank depends on who else takes part (Benavoli, Corani, Mangili 2016): a pair may be significant
only because a third algorithm often comes between the two.
"""

from __future__ import annotations

import numpy as np

from podium.inference.comparing.decision import BETTER, SIGNIFICANT
from podium.inference.comparing.request import Request
from podium.inference.layouts.layouts import Layout
from podium.inference.procedures.block_tests import moderated_ranks
from podium.inference.procedures.procedure import Procedure

MOST_ALGORITHMS = 40  # among more a single one hardly moves a mean rank
Falls = tuple[tuple[str, str, str], ...]  # who is better, than whom, and without whom no more


def fragile(layout: Layout, procedure: Procedure, request: Request, verdicts: list[str]) -> Falls:
    """Significant pairs that are not so without another algorithm, at that analysis's own level."""
    names, count = layout.algorithms, len(layout.algorithms)
    if procedure.judge.test is not moderated_ranks or not 2 < count <= MOST_ALGORITHMS:
        return ()
    chosen = [(p, v) for p, v in zip(request.pairs, verdicts, strict=True) if v in SIGNIFICANT]
    own = -1 if request.alternative == "less" else 1
    turn = 0 if request.two_sided else own * layout.sign
    falls = []
    for gone in range(count if chosen else 0):
        kept = [i for i in range(count) if i != gone]
        place = {i: at for at, i in enumerate(kept)}
        left = [(pair, verdict) for pair, verdict in chosen if gone not in pair]
        if not left:
            continue
        pairs = tuple((place[i], place[j]) for (i, j), _ in left)
        test = moderated_ranks(layout.only(kept), _Pairs(pairs, request))
        turn = (
            0 if request.two_sided else layout.sign * (-1 if request.alternative == "less" else 1)
        )
        p = test.p(np.zeros(len(pairs)), turn)
        family = sum(gone not in pair for pair in request.pairs)
        adjusted = -np.expm1(family * np.log1p(-np.minimum(p, 1 - 1e-16)))
        for ((i, j), verdict), still in zip(left, adjusted <= request.alpha, strict=True):
            if not still:
                first, second = (i, j) if verdict == BETTER else (j, i)
                falls.append((names[first], names[second], names[gone]))
    return tuple(sorted(falls, key=lambda each: tuple(map(names.index, each))))


class _Pairs:
    """Some pairs of a request."""

    def __init__(self, pairs: tuple[tuple[int, int], ...], request: Request) -> None:
        self.pairs, self.null = pairs, request.null
        self.alternative, self.alpha = request.alternative, request.alpha
