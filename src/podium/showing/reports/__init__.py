"""Reports: views and closed lines (`document`), the board, and one page of HTML that holds them.

`latex` is the table of scores that papers print.
"""

from podium.core.base.rooms import Capability

CAPABILITY = Capability(
    __name__,
    needs=("results", "inference", "orders", "verdicts", "reading", "screens"),
    inside=("latex:scores_latex",),
    offers={"page_text": "page:render"},
)
__getattr__ = CAPABILITY.attribute
