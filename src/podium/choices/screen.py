"""Covariates of choices in a terminal: their effects, and whether all levels are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from podium.base.formatting import aligned, columns, p_value, printable, screen, wrapped
from podium.cli.main import say

if TYPE_CHECKING:
    from podium.inference.comparing.comparisons import Comparisons


def say_covariates(c: Comparisons) -> None:
    """A row per effect, and one per question about all levels of a covariate."""
    from podium.choices.words import ALL_ALIKE, NO_TEST, covariates_heading

    assert c.extras.covariates is not None
    terms, tests = c.extras.covariates.terms, c.extras.covariates.tests
    say(
        "\n"
        + wrapped(covariates_heading(c.alpha, c.extras.covariates.blocks), screen(), "  ")
        + "\n"
    )
    unit = min((e for e in terms["standard_error"] if e > 0), default=1.0)
    names = ("covariate", "term", "about")
    table = {name: [printable(str(v)) for v in terms[name]] for name in names}
    for name in ("estimate", "lower", "upper"):
        table[name] = aligned(terms[name].tolist(), unit, digits=2)
    table |= {"p": terms["p"].map(p_value).tolist()}
    table |= {"p adjusted": terms["p_adjusted"].map(p_value).tolist()}
    say(columns(table, left=list(names), indent="  "))
    if not len(tests):
        return
    shown = {name: [printable(str(v)) for v in tests[name]] for name in ("covariate", "about")}
    shown["F"] = aligned(tests["statistic"].tolist(), 1.0, digits=3)
    shown["df"] = [
        f"{a:g} and {b:g}" if b == b else NO_TEST
        for a, b in zip(tests["df"], tests["df2"], strict=True)
    ]
    shown["p"] = tests["p"].map(p_value).tolist()
    say(f"\n{wrapped(ALL_ALIKE + '.', screen(), '  ')}\n")
    say(columns(shown, left=["covariate", "about"], indent="  "))
