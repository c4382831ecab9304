"""Battles: what else decides who is chosen, on screen and page."""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("inference", "terminal", "reports", "comparison"),
    words=("words",),
    sections=("section",),
    offers={"say_covariates": "section:say_covariates"},
)
