"""What was printed while tests ran, kept in a folder: other processors must print the same.

Nothing is kept unless the environment names the folder (PODIUM_PRINTS), as `tests/processors.py`
does.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
from itertools import zip_longest
from pathlib import Path

FOLDER = "PODIUM_PRINTS"


def keep_print(title: str, text: str) -> None:
    """Keep a text under a title; the folder that the test stands in is cut out."""
    if folder := os.environ.get(FOLDER):
        place = Path(folder) / f"{hashlib.sha256(title.encode()).hexdigest()[:24]}.txt"
        content = text.replace(str(Path.cwd()), ".")
        place.write_text(f"{title}\n{content}", encoding="utf-8")


def name_test() -> str:
    """The test that runs."""
    return os.environ["PYTEST_CURRENT_TEST"].rpartition(" (")[0]


JSON_NUMBER = re.compile(r'( +"\w+": )(-?[\d.]+(?:e-?\d+)?)(,?)')
RELATIVE, ABSOLUTE = 1e-6, 1e-15  # of a quadratic form in a covariance that is nearly singular


def _are_same(line: str, other: str) -> bool:
    """Whether two lines are the same to the letter; of JSON's nine digits six may be sure."""
    one, two = JSON_NUMBER.fullmatch(line), JSON_NUMBER.fullmatch(other)
    if line == other or one is None or two is None or (one[1], one[3]) != (two[1], two[3]):
        return line == other
    return math.isclose(float(one[2]), float(two[2]), rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def compare_prints(one: Path, other: Path) -> list[str]:
    """The first line of each text that differs between two folders, or where one has no text."""
    result = []
    for name in sorted({path.name for path in (*one.iterdir(), *other.iterdir())}):
        if not ((one / name).exists() and (other / name).exists()):
            there = one / name if (one / name).exists() else other / name
            title = there.read_text(encoding="utf-8").partition("\n")[0]
            result.append(f"{title}\n    printed by {there.parent.name} alone")
            continue
        lines = [(place / name).read_text(encoding="utf-8").split("\n") for place in (one, other)]
        apart = [(a, b) for a, b in zip_longest(*lines, fillvalue="") if not _are_same(a, b)]
        if apart:
            result.append(f"{lines[0][0]}\n    {apart[0][0]}\n    {apart[0][1]}")
    return result
