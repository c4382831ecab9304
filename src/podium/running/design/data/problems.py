"""The classic artificial problems, each drawn or enumerated from its published definition.

Random problems take the number of observations and a generator and return independent draws
`(X, y)`; label 0 is the first class of the publication, label 1 the second. Fixed tables have
no randomness but the sample and noise of `monks3_training`. Data sets that must be read from
a file, and the names under which a study asks for any of these, do not belong here.

>>> X, y = twonorm(100, np.random.default_rng(1))
>>> X.shape, y.shape
((100, 20), (100,))
"""

import math
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Names = npt.NDArray[np.str_]


def twonorm(n: int, rng: np.random.Generator, d: int = 20) -> tuple[Floats, Labels]:
    """Two unit normals with means (a, ..., a) and (-a, ..., -a), a = 2 / sqrt(d).

    The Bayes error is Phi(-2) in every dimension (Breiman 1996, Technical Report 460, Berkeley;
    Breiman 1998, Annals of Statistics 26, 801-849).
    """
    y = _fair_coins(n, rng)
    side = np.where(y == 0, 1, -1)[:, None]
    return rng.standard_normal((n, d)) + 2 / math.sqrt(d) * side, y


def threenorm(n: int, rng: np.random.Generator, d: int = 20) -> tuple[Floats, Labels]:
    """An even mixture of the two normals of `twonorm` against one with mean (a, -a, a, ...).

    All covariances are the identity and a = 2 / sqrt(d) (Breiman 1996, 1998).
    """
    y = _fair_coins(n, rng)
    side = np.where(_fair_coins(n, rng) == 0, 1, -1)
    alternating = np.where(np.arange(d) % 2 == 0, 1, -1)
    directions = np.where((y == 0)[:, None], side[:, None], alternating)
    return rng.standard_normal((n, d)) + 2 / math.sqrt(d) * directions, y


def ringnorm(n: int, rng: np.random.Generator, d: int = 20) -> tuple[Floats, Labels]:
    """A normal with mean zero and covariance 4 I around a unit normal with mean (a, ..., a).

    a = 1 / sqrt(d), as in R's mlbench (after Breiman 1996): a Bayes error of 1.50 % for d = 20.
    DELVE's copy has a = 2 / sqrt(d) and 1.24 %; the 1.3 % quoted from Breiman is neither.
    """
    y = _fair_coins(n, rng)
    noise = rng.standard_normal((n, d))
    return np.where((y == 0)[:, None], 2 * noise, noise + 1 / math.sqrt(d)), y


def circle(n: int, rng: np.random.Generator, d: int = 2) -> tuple[Floats, Labels]:
    """Uniform points of the cube [-1, 1]^d, by whether they lie in a central ball (class 0).

    The ball has half of the cube's volume (Leisch & Dimitriadou, R package mlbench). From d = 4
    on it juts out of the cube, so that fewer than half of the points lie inside.
    """
    X = rng.uniform(-1, 1, (n, d))
    radius = (2 ** (d - 1) * math.gamma(d / 2 + 1)) ** (1 / d) / math.sqrt(math.pi)
    return X, (np.square(X).sum(axis=1) > radius**2).astype(np.int64)


def spirals(
    n: int, rng: np.random.Generator, cycles: float = 1, sd: float = 0.05
) -> tuple[Floats, Labels]:
    """Points around two entangled spirals, the second being the first after half a turn.

    After t turns the spiral has radius (1 + 2 t) / 3, and t is uniform on [0, cycles]. The
    normal noise moves a point at right angles to its spiral (Leisch & Dimitriadou, R package
    mlbench, where t is a regular grid: its observations are not independent).
    """
    y = _fair_coins(n, rng)
    turns = rng.uniform(0, cycles, n)
    radius = (1 + 2 * turns) / 3
    tangent = 2 / 3 + 2j * np.pi * radius  # derivative in t, before the turn
    shift = 1j * tangent / np.abs(tangent) * rng.normal(0, sd, n)
    points = np.where(y == 0, 1, -1) * (radius + shift) * np.exp(2j * np.pi * turns)
    return np.column_stack([points.real, points.imag]), y


def quarter_circle(n: int, rng: np.random.Generator, gamma: float = 0.0) -> tuple[Floats, Labels]:
    """Normals with covariance 0.2 I: one around the origin, against two at distance 1 from it.

    The second class is an even mixture with means (0, 1) and (cos gamma, sin gamma), gamma in
    degrees (Hothorn, Leisch, Zeileis & Hornik 2005, Section 5.2).
    """
    y = _fair_coins(n, rng)
    angle = np.where(_fair_coins(n, rng) == 0, 90.0, gamma) * np.pi / 180
    means = y[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return means + rng.normal(0, math.sqrt(0.2), (n, 2)), y  # 0.2 is the variance


def friedman1(n: int, rng: np.random.Generator, sd: float = 1.0) -> tuple[Floats, Floats]:
    """Ten uniform inputs on [0, 1], of which the first five matter.

    y = 10 sin(pi x1 x2) + 20 (x3 - 1/2)^2 + 10 x4 + 5 x5 + noise (Friedman 1991, Annals of
    Statistics 19, 1-67; Breiman 1996, Machine Learning 24, 123-140).
    """
    X = rng.random((n, 10))
    x1, x2, x3, x4, x5 = X[:, :5].T
    mean = 10 * np.sin(np.pi * x1 * x2) + 20 * (x3 - 0.5) ** 2 + 10 * x4 + 5 * x5
    return X, mean + rng.normal(0, sd, n)


def friedman2(n: int, rng: np.random.Generator, sd: float = 125.0) -> tuple[Floats, Floats]:
    """The impedance of a series circuit, sqrt(R^2 + (w L - 1 / (w C))^2), plus noise.

    Inputs as in `friedman3` (Friedman 1991; Breiman 1996, Machine Learning 24, 123-140).
    """
    X = _circuits(n, rng)
    return X, np.hypot(X[:, 0], _reactance(X)) + rng.normal(0, sd, n)


def friedman3(n: int, rng: np.random.Generator, sd: float = 0.1) -> tuple[Floats, Floats]:
    """The phase of a series circuit, arctan((w L - 1 / (w C)) / R), plus noise.

    Uniform inputs: resistance R on [0, 100], frequency w on [40 pi, 560 pi], inductance L on
    [0, 1], capacitance C on [1, 11] (Friedman 1991; Breiman 1996, Machine Learning 24, 123-140).
    """
    X = _circuits(n, rng)
    return X, np.arctan(_reactance(X) / X[:, 0]) + rng.normal(0, sd, n)


def nested_linear(
    n: int, rng: np.random.Generator, beta1: float = 2.0, beta2: float = 0.0
) -> tuple[Floats, Floats]:
    """y = beta1 x + beta2 x^2 plus standard normal noise, with x uniform on [0, 5].

    The input is x alone: an algorithm that wants the square makes it (Hothorn, Leisch,
    Zeileis & Hornik 2005, Section 5.1, Equation 4).
    """
    x = rng.uniform(0, 5, n)
    return x[:, None], beta1 * x + beta2 * x**2 + rng.standard_normal(n)


_ROBOT = {
    "head_shape": ("round", "square", "octagon"),
    "body_shape": ("round", "square", "octagon"),
    "is_smiling": ("yes", "no"),
    "holding": ("sword", "balloon", "flag"),
    "jacket_color": ("red", "yellow", "green", "blue"),
    "has_tie": ("yes", "no"),
}

_SQUARES = ("tl", "tm", "tr", "ml", "mm", "mr", "bl", "bm", "br")
_ROWS_OF_THREE = ("012", "345", "678", "036", "147", "258", "048", "246")

_PASSENGER = {
    "Class": ("1st", "2nd", "3rd", "Crew"),
    "Sex": ("Male", "Female"),
    "Age": ("Child", "Adult"),
}
# One row per Class and Sex; child died, child survived, adult died, adult survived.
_TITANIC_COUNTS = (
    (0, 5, 118, 57), (0, 1, 4, 140),
    (0, 11, 154, 14), (0, 13, 13, 80),
    (35, 13, 387, 75), (17, 14, 89, 76),
    (0, 0, 670, 192), (0, 0, 3, 20),
)  # fmt: skip


def monks3_domain() -> tuple[pd.DataFrame, Labels]:
    """All 432 robots of the third MONK's problem with their true classes.

    Class 1 has a green jacket and a sword, or a jacket that is not blue and a body that is not
    an octagon (Thrun et al. 1991, Technical Report CMU-CS-91-197).
    """
    X = _nominal(list(product(*_ROBOT.values())), _ROBOT)
    green_with_sword = (X["jacket_color"] == "green") & (X["holding"] == "sword")
    not_blue_nor_octagon = (X["jacket_color"] != "blue") & (X["body_shape"] != "octagon")
    return X, (green_with_sword | not_blue_nor_octagon).to_numpy().astype(np.int64)


def monks3_training(rng: np.random.Generator) -> tuple[pd.DataFrame, Labels]:
    """122 different robots of `monks3_domain`, six of them (5 %) in the wrong class.

    A new draw of the robots and errors, not the published training file (Thrun et al. 1991).
    """
    X, y = monks3_domain()
    chosen = rng.choice(len(y), 122, replace=False)
    wrong = rng.choice(chosen, 6, replace=False)
    y[wrong] = 1 - y[wrong]
    return X.iloc[chosen].reset_index(drop=True), y[chosen]


def tictactoe() -> tuple[pd.DataFrame, Names]:
    """The 958 boards on which a game of tic-tac-toe can end; "positive" if x has won.

    x moves first, and "b" is a blank square (Aha 1991, UCI repository, Tic-Tac-Toe Endgame).
    """
    finished, running = set[str](), {"b" * 9}
    for player in "xoxoxoxox":
        after = {board for before in running for board in _moves(before, player)}
        won = {board for board in after if _has_won(board, player)}
        finished |= won
        running = after - won
    boards = sorted(finished | running, reverse=True)  # a full board without a winner is a draw
    y = np.array(["positive" if _has_won(board, "x") else "negative" for board in boards])
    return _nominal(boards, dict.fromkeys(_SQUARES, ("b", "o", "x"))), y


def titanic() -> tuple[pd.DataFrame, Names]:
    """The 2201 people aboard the Titanic by class, sex and age, and whether they survived.

    Expanded from the table of counts of Dawson (1995, Journal of Statistics Education 3(3)).
    """
    cells = list(product(*_PASSENGER.values(), ("No", "Yes")))
    people = np.repeat(np.array(cells), np.ravel(_TITANIC_COUNTS), axis=0)
    return _nominal(people[:, :3].tolist(), _PASSENGER), people[:, 3]


def _fair_coins(n: int, rng: np.random.Generator) -> Labels:
    """Independent zeros and ones, each with probability 1/2."""
    return rng.integers(2, size=n)


def _circuits(n: int, rng: np.random.Generator) -> Floats:
    """Uniform resistance, frequency, inductance and capacitance of Friedman's circuits."""
    return rng.uniform([0, 40 * np.pi, 0, 1], [100, 560 * np.pi, 1, 11], (n, 4))


def _reactance(circuits: Floats) -> Floats:
    """w L - 1 / (w C), with C not scaled to microfarads: Breiman's formula has no 1e-6."""
    frequency, inductance, capacitance = circuits[:, 1], circuits[:, 2], circuits[:, 3]
    return frequency * inductance - 1 / (frequency * capacitance)


def _nominal(rows: Sequence[Sequence[str]], levels: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Rows of names as categorical columns that know all of their levels."""
    dtypes = {name: pd.CategoricalDtype(list(names)) for name, names in levels.items()}
    return pd.DataFrame(map(tuple, rows), columns=list(levels)).astype(dtypes)


def _moves(board: str, player: str) -> list[str]:
    """The boards after each of the player's possible moves."""
    return [board[:i] + player + board[i + 1 :] for i in range(9) if board[i] == "b"]


def _has_won(board: str, player: str) -> bool:
    """Whether the player holds three squares in a row."""
    return any(all(board[int(i)] == player for i in three) for three in _ROWS_OF_THREE)
