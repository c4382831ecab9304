"""What comes of asking, to be kept: facts and what is said of them, or why it was refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from podium import PodiumError
from podium.core.words.saying import Presented, noted


def outcome(ask: Callable[..., object], *args: Any, **options: Any) -> Any:
    """What a call gives: a result's facts and lines, any other value itself, or its refusal."""
    try:
        result = ask(*args, **options)
    except PodiumError as error:
        return error
    return of_result(result) if isinstance(result, Presented) else result


def of_result(result: Presented) -> dict[str, Any]:
    """The facts of a result, and all lines about its tables."""
    said = [*result.above, *map(noted, result.below)]
    facts = {key: short(value) for key, value in result.to_dict().items() if value not in said}
    facts.pop("warnings", None)  # they are said
    return {"facts": facts, "said": said}


def short(value: object) -> Any:
    """Records with the same keys as columns, which say the keys once."""
    if isinstance(value, Mapping):
        return {key: short(each) for key, each in value.items()}
    if not isinstance(value, list):
        return value
    keys = {tuple(each) if isinstance(each, Mapping) else None for each in value}
    if len(value) > 1 and len(keys) == 1 and None not in keys:
        return {key: short([each[key] for each in value]) for key in value[0]}
    return [short(each) for each in value]
