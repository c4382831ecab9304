"""Boards that are used many times: how often a plain one and a sealed one call a new best falsely.

The attack is that of Blum and Hardt (2015): random guesses between two answers are submitted, those
that scored below one half are turned round, and all vote. What they get right is luck, so the vote
is worth one half on items that were not shown. Honest submitters try changes of the best so far.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import bdtrc

from podium.asking.boards.questions import level_of

PLAIN = 0.05  # level of the test of a plain board, every time


@dataclass(frozen=True)
class Attack:
    """Of many lives of a board: public and true score of the vote, and false new bests."""

    public: float
    true: float
    plain: float  # share of lives in which a plain board calls the vote a new best
    sealed: float  # the same of the sealed part, asked about the vote alone
    rushed: float  # the same where it is asked about every public best, up to the ration


def exact_p(wins: np.ndarray, losses: np.ndarray) -> np.ndarray:
    """The one-sided sign test.

    >>> exact_p(np.array([5, 0]), np.array([1, 3])).round(4).tolist()
    [0.1094, 1.0]
    """
    return np.where(wins > 0, bdtrc(np.maximum(wins, 1) - 1, wins + losses, 0.5), 1.0)


def _p(new: np.ndarray, old: np.ndarray) -> float:
    wins, losses = (new & ~old).sum(), (old & ~new).sum()
    return float(exact_p(np.array(wins), np.array(losses)))


def attack(
    lives: int,
    submissions: int,
    items: int,
    *,
    alpha: float = 0.05,
    ration: int = 10,
    seed: int = 0,
) -> Attack:
    """Lives of boards with so many public and as many sealed items, on which guesses are combined.

    >>> made = attack(20, 100, 400)
    >>> made.plain > 0.9, made.public > 0.6
    (True, True)
    """
    rng = np.random.default_rng(seed)
    rows = np.array([_life(rng, submissions, items, alpha, ration) for _ in range(lives)])
    return Attack(*rows.mean(axis=0).tolist())


def _life(
    rng: np.random.Generator, submissions: int, items: int, alpha: float, ration: int
) -> tuple[float, float, bool, bool, bool]:
    bits = np.frombuffer(rng.bytes((submissions + 1) * items // 4), np.uint8)
    right = np.unpackbits(bits).reshape(submissions + 1, 2 * items).view(bool)
    first, guesses = right[0], right[1:]
    scores = guesses[:, :items].mean(axis=1)
    turned = guesses ^ (scores < 0.5)[:, None]  # of two answers the other one
    votes = 2 * turned.sum(axis=0) - submissions
    vote = np.where(votes == 0, rng.random(2 * items) < 0.5, votes > 0)
    public, sealed = slice(None, items), slice(items, None)
    rushed, request = False, 0
    for guess in (*guesses[scores > first[public].mean()][:ration], vote):
        if request < ration:
            request += 1
            rushed |= _p(guess[sealed], first[sealed]) <= level_of(request, alpha)
    plain = _p(vote[public], first[public]) <= PLAIN
    once = _p(vote[sealed], first[sealed]) <= level_of(1, alpha)
    return float(vote[public].mean()), float(vote[sealed].mean()), plain, once, rushed


@dataclass(frozen=True)
class Honest:
    """Of many lives with honest submitters: false new bests, and real gains that were confirmed."""

    plain: float  # share of lives with a false one
    sealed: float
    found_plain: float  # share of real gains
    found_sealed: float


def honest(
    lives: int, submissions: int, items: int, *, gain: float = 0.04, share: float = 0.2,
    discordance: float = 0.2, alpha: float = 0.05, ration: int = 10, seed: int = 0,
) -> Honest:  # fmt: skip
    """Submitters change the best so far; some changes are worth `gain`, all others nothing.

    An item is won with probability (discordance + gain) / 2, lost with (discordance - gain) / 2.

    >>> honest(50, 10, 500).sealed < 0.1
    True
    """
    rng = np.random.default_rng(seed)
    false, result = np.zeros((lives, 2)), np.zeros((lives, 2))
    real = rng.random((lives, submissions)) < share
    worth = np.where(real, gain, 0.0)
    wins = rng.binomial(items, ((discordance + worth) / 2)[..., None], (lives, submissions, 2))
    rest = items - wins
    losing = ((discordance - worth) / 2 / (1 - (discordance + worth) / 2))[..., None]
    losses = rng.binomial(rest, losing)
    p = exact_p(wins, losses)  # of the public and of the sealed items
    plain = p[..., 0] <= PLAIN
    request = wins[..., 0] > losses[..., 0]
    number = np.cumsum(request, axis=1)
    levels = np.array([level_of(q, alpha) for q in range(1, submissions + 1)])
    level = np.where(request & (number <= ration), levels[np.maximum(number, 1) - 1], 0.0)
    sealed = request & (p[..., 1] <= level)
    for at, claimed in enumerate((plain, sealed)):
        false[:, at] = (claimed & ~real).any(axis=1)
        result[:, at] = (claimed & real).sum(axis=1)
    gains = result.sum(axis=0) / max(real.sum(), 1)
    return Honest(*false.mean(axis=0).tolist(), *gains.tolist())


def power(
    question: int, items: int, *, gain: float = 0.04, discordance: float = 0.2,
    alpha: float = 0.05, draws: int = 20_000, seed: int = 0,
) -> float:  # fmt: skip
    """How often the sealed part confirms a real gain at its q-th question.

    >>> power(1, 2000) > power(10, 2000)
    True
    """
    rng = np.random.default_rng(seed)
    wins = rng.binomial(items, (discordance + gain) / 2, draws)
    losing = (discordance - gain) / 2 / (1 - (discordance + gain) / 2)
    losses = rng.binomial(items - wins, losing)
    return float((exact_p(wins, losses) <= level_of(question, alpha)).mean())
