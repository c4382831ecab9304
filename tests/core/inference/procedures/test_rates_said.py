"""No measured rate above 0.065 is left unsaid in the words of its procedure."""

from __future__ import annotations

import re

import pytest

from podium.core.inference.comparing.known import procedure_named, published

MOST = 0.065
RATES = [r for r in published() if r.kind == "error" and r.null_holds and not r.adjust]
WORST = {r.procedure: r.rate for r in sorted(RATES, key=lambda r: r.rate)}


@pytest.mark.parametrize("name", [name for name, rate in WORST.items() if rate > MOST])
def test_the_largest_rate_under_its_own_null_is_said(name):
    procedure = procedure_named(name)
    text = f"{procedure.null} {procedure.controls}"
    said = [float(number) for number in re.findall(r"(\d+) %", text)]
    assert said, name
    assert max(said) >= 100 * WORST[name] - 1
