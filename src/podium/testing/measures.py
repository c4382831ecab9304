"""The laws of a measure, as a suite that any record can be held against."""

from __future__ import annotations

import math

from podium.measures import KNOWN, Measure, parse
from podium.testing.laws import law
from podium.wording.methods import measured


def check_measure(measure: Measure) -> None:
    """Hold a measure's record against its laws; the first one that it breaks raises.

    The laws:

    1. It has a name without blanks around it, and, where it is registered, that name means it.
    2. It knows its direction: `sign` turns its values into larger-is-better.
    3. Its bounds are two numbers, the lower first.
    4. It can be told in a paper, with its direction.
    """
    name = measure.name
    law(1, name and name == name.strip(), f"{name!r} is no name")
    law(1, name not in KNOWN or parse(name) == measure, f"'{name}' means another measure")
    law(2, measure.sign == (1 if measure.higher_is_better else -1), "the sign is wrong")
    low, high = measure.bounds
    law(3, not math.isnan(low) and not math.isnan(high) and low < high, "no bounds")
    law(4, measure.direction in measured(measure), "the direction is not told")
