"""Battles: what else decides who is chosen, on screen and page."""

from podium.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("inference", "cli", "reports"),
    words=("words",),
    sections=("section",),
    offers={"say_covariates": "section:say_covariates"},
)
