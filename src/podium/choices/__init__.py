"""Battles: what else decides who is chosen, on screen and page."""

from podium.base.capability import Capability

CAPABILITY = Capability(
    __name__,
    needs=("inference", "cli", "reports"),
    words=("words",),
    sections=("section", "hero"),
    offers={"say_covariates": "screen:say_covariates"},
)
