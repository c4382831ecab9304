"""Are numbers and prints the same on other kinds of processors?

    python tests/processors.py            the tests marked `numbers`, as two other processors
    python tests/processors.py FILE ...   those of some files alone

Libraries of linear algebra and numpy choose their code by the processor that they find, which
changes the last digits of sums. They can be told to take the code of another one. The tests of
numbers run as two kinds that this machine is not, and what they print is compared byte for byte.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from numpy._core._multiarray_umath import __cpu_dispatch__ as groups
from numpy._core._multiarray_umath import __cpu_features__ as features
from threadpoolctl import threadpool_info

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests/made"))

from prints import FOLDER, compare_prints  # noqa: E402

MARK = "pytest.mark.numbers"
COUNT = 2  # of processors that are tried
X86 = ("x86_64", "AMD64")


@dataclass(frozen=True)
class Processor:
    """A kind of processor as OpenBLAS names it, and what it needs to be tried here."""

    name: str
    needs: str  # a feature of this machine
    lacks: tuple[str, ...]  # how names begin of what numpy must not use
    threads: int

    def make_environment(self, folder: Path) -> dict[str, str]:
        """What makes a process compute as this processor does, and keep what it prints."""
        without = [g for g in groups if g.startswith(self.lacks) and features.get(g)]
        return {
            **os.environ,
            "OPENBLAS_CORETYPE": self.name,
            "OPENBLAS_NUM_THREADS": str(self.threads),
            "NPY_DISABLE_CPU_FEATURES": " ".join(without),
            FOLDER: str(folder),
        }


KINDS = (  # as unlike as possible come first
    Processor("Prescott", "SSE3", ("",), 1),
    Processor("SkylakeX", "AVX512_SKX", (), 2),
    Processor("Haswell", "AVX2", ("AVX512", "X86_V4"), 2),
    Processor("Sandybridge", "AVX", ("",), 2),
)


def choose_processors() -> list[Processor]:
    """Kinds that this machine can play, and is not."""
    if platform.machine() not in X86:
        return []
    own = {library.get("architecture") for library in threadpool_info()}
    able = [one for one in KINDS if features.get(one.needs) and one.name not in own]
    return able[:COUNT]


def find_marked_files() -> Iterator[Path]:
    """Files of tests that are marked; only these are collected, which takes a tenth of the time."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if MARK in path.read_text(encoding="utf-8"):
            yield path.relative_to(ROOT)


def run_tests(as_processor: Processor, files: list[str], folder: Path) -> bool:
    """Whether all tests pass."""
    print(f"-- as {as_processor.name}", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-m", "numbers", *files]
    environment = as_processor.make_environment(folder)
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0


def main() -> int:
    """The status: 0 if all tests pass and all prints are the same."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    files = parser.parse_args().files or [str(path) for path in find_marked_files()]
    kinds = choose_processors()
    if not kinds:
        print("This machine can play no other kind of processor: nothing was tried.")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / kind.name for kind in kinds]
        for folder in folders:
            folder.mkdir()
        good = [run_tests(*each) for each in zip(kinds, [files] * len(kinds), folders, strict=True)]
        apart = [line for other in folders[1:] for line in compare_prints(folders[0], other)]
        count = len(list(folders[0].iterdir()))
    print(*apart, f"{count} texts printed, {len(apart)} differ", sep="\n")
    return 0 if all(good) and not apart and count else 1


if __name__ == "__main__":
    sys.exit(main())
