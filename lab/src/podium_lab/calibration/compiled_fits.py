"""The fits of hothorn2005's Table 2 by a compiled twin, for simulations of many millions of trees.

`rpart.c` is compiled once by the system's C compiler (`cc`, or $CC). It grows the trees of
`podium_lab.calibration.rpart` leaf by leaf and counts errors; everything else is what Podium does.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from podium_lab.calibration.rpart import MIN_LEAF, Leaves
from podium_lab.calibration.tree_or_discriminant import (
    Fits,
    class_moments,
    discriminant,
    moment_sums,
)

SOURCE = Path(__file__).with_name("rpart.c")
LEAF = np.dtype([("low", float, 2), ("high", float, 2), ("said", np.int32)], align=True)


@dataclass(frozen=True)
class CompiledFits(Fits):
    """As `Fits`; the leaves are also kept as the compiled functions want them."""

    packed: np.ndarray
    ends: np.ndarray

    @classmethod
    def to_draws(
        cls, x: np.ndarray, y: np.ndarray, counts: np.ndarray, inner: np.ndarray | None = None
    ) -> CompiledFits:
        """To numbers of draws (fits x rows) from one sample."""
        rule = discriminant(counts @ class_moments(x, y))
        return cls._made(x[None], y[None], counts, inner, rule)

    @classmethod
    def to_samples(
        cls, x: np.ndarray, y: np.ndarray, inner: np.ndarray | None = None
    ) -> CompiledFits:
        """To samples of their own: fits x rows."""
        return cls._made(x, y, np.ones(y.shape), inner, discriminant(moment_sums(x, y)))

    @classmethod
    def _made(
        cls,
        x: np.ndarray,
        y: np.ndarray,
        counts: np.ndarray,
        inner: np.ndarray | None,
        rule: np.ndarray,
    ) -> CompiledFits:
        (fits, n), values = counts.shape, np.ascontiguousarray(np.moveaxis(x, 2, 1))
        orders, draws = np.argsort(values, axis=2).astype(np.int32), counts.astype(np.uint8)
        folds = None if inner is None else np.ascontiguousarray(inner, np.uint8)
        table = np.empty(int(counts.sum()) // MIN_LEAF + fits, LEAF)
        ends = np.empty(fits, np.int64)
        flags = int(len(x) == 1), int(folds is not None and len(folds) == 1)
        library().forest(fits, n, *flags, *map(_at, (values, orders, y.astype(np.uint8), draws,
                         folds, table, ends)))  # fmt: skip
        table = table[: ends[-1]]
        tree = np.repeat(np.arange(fits), np.diff(ends, prepend=0))
        leaves = Leaves(tree, table["low"], table["high"], table["said"])
        return cls(leaves, np.ascontiguousarray(rule), table, ends)

    def test_errors(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The errors of trees and of discriminants on a test sample: 2 x fits."""
        return self._missed(x, y, None) / len(y)

    def draws_errors(self, x: np.ndarray, y: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """The same on each fit's own draws from one sample; unknown where there are none."""
        with np.errstate(invalid="ignore"):
            return self._missed(x, y, counts.astype(np.uint8)) / counts.sum(axis=-1)

    def _missed(self, x: np.ndarray, y: np.ndarray, draws: np.ndarray | None) -> np.ndarray:
        wrong = np.empty((2, len(self.rule)), np.int64)
        given = self.packed, self.ends, self.rule
        sample = np.ascontiguousarray(x.T), y.astype(np.int64), draws, np.empty(len(y), np.int64)
        library().missed(len(self.rule), *map(_at, given), len(y), *map(_at, sample), _at(wrong))
        return wrong


def _at(array: np.ndarray | None) -> Any:
    # `data_as` keeps the array alive, as a bare address would not
    return None if array is None else array.ctypes.data_as(ctypes.c_void_p)


def compiler() -> str | None:
    """The system's C compiler."""
    return shutil.which(os.environ.get("CC", "cc"))


def fastest() -> type[Fits]:
    """Compiled fits where there is a compiler; the numbers are the same."""
    return CompiledFits if compiler() else Fits


@cache
def library() -> ctypes.CDLL:
    """The compiled file; once loaded, it need not be kept."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "rpart.so"
        command = [str(compiler()), "-O3", "-march=native", "-ffp-contract=off", "-shared", "-fPIC"]
        subprocess.run([*command, "-o", made, SOURCE], check=True)
        return ctypes.CDLL(str(made))
