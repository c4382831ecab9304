"""Units of numbers in cells: durations, thousands and millions, as people write them."""

from __future__ import annotations

import re

TIMES = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0}
TIMES |= dict.fromkeys(("secs", "seconds"), 1.0) | dict.fromkeys(("min", "mins"), 60.0)
TIMES |= dict.fromkeys(("h", "hours"), 3600.0)
UNITS = {*TIMES, "x", "×", "b", "kb", "mb", "gb", "kib", "mib", "gib", "hz", "khz", "mhz", "ghz"}
_CLOCK = re.compile(r"(?P<h>\d{1,3}):(?P<m>[0-5]\d):(?P<s>[0-5]\d(?:\.\d+)?)")
_SPELLED = re.compile(
    r"(?:(?P<d>\d+)\s*d)?\s*(?:(?P<h>\d+)\s*h)?\s*(?:(?P<m>\d+)\s*m(?:in)?)?"
    r"\s*(?:(?P<s>\d+(?:\.\d+)?)\s*s)?"
)
_SECONDS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0}


def durations(texts: list[str]) -> list[float] | None:
    """Durations in seconds, where all are written alike: `00:01:23`, or `1m 23s` beside `41s`.

    >>> durations(["1m 23s", "41s"]), durations(["00:01:23"]), durations(["41 s"])
    ([83.0, 41.0], [83.0], None)
    """
    for pattern in (_CLOCK, _SPELLED):
        found = [m.groupdict() for text in texts if text and (m := pattern.fullmatch(text))]
        parts = max((sum(map(bool, m.values())) for m in found), default=0)
        if len(found) == len(texts) and parts > 1:
            return [sum(_SECONDS[p] * float(n) for p, n in m.items() if n) for m in found]
    return None


_THOUSANDFOLD = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}
_SHORTENED = re.compile(r"(?P<number>[+-]?[\d.,]*\d)\s?(?P<unit>[kKMG]?)")


def shortened(texts: list[str]) -> tuple[list[str], list[float]]:
    """The numbers of texts and what each counts, where one counts thousands: `12.3k`, `1.2M`.

    >>> shortened(["12.3k", "980"])
    (['12.3', '980'], [1000.0, 1.0])
    """
    found = [m for text in texts if (m := _SHORTENED.fullmatch(text))]
    if len(found) < len(texts) or not any(m["unit"] for m in found):
        return [], []
    return [m["number"] for m in found], [_THOUSANDFOLD[m["unit"]] for m in found]
