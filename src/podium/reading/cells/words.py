"""The words of a name."""

from __future__ import annotations

import re
from functools import lru_cache


@lru_cache(maxsize=2**14)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name: `evalAccuracy_2` is eval, accuracy, 2.

    >>> words_of("latencyMs"), words_of("is_correct")
    (('latency', 'ms'), ('is', 'correct'))
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return tuple(w for w in re.split(r"[^a-z0-9äöüßéèñó'@]+", spaced.lower()) if w)


_UNIT = r"(?:s|sec|seconds?|ms|us|ns|min|minutes?|h|hours?|op|ops)"
_ABOVE = re.compile(rf"^.*(?<=\w)[./:](?=[A-Za-z_])(?!{_UNIT}\b)", re.IGNORECASE)


@lru_cache(maxsize=2**14)
def last_part(name: str) -> str:
    """The end of a path; a rate such as `img/s` is none.

    >>> [last_part(name) for name in ("params.yaml:model", "test/f1", "img/s", "Game / Agent")]
    ['model', 'f1', 'img/s', 'Game / Agent']
    """
    return _ABOVE.sub("", name) or name
