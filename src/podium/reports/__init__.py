"""Reports: views and closed lines (`document`), the board, and one page of HTML that holds them.

`latex` is the table of scores that papers print.
"""

from podium.base.rooms import ANALYSE, READ, Capability, Command

CAPABILITY = Capability(
    __name__,
    needs=(
        "reading",
        "inference",
        "orders",
        "cli",
        "drawing",
        "verdicts",
        "robustness",
        "planning",
        "surveys",
        "plots",
    ),
    inside=("latex:scores_latex",),
    offers={"page_text": "page:render", "notebook_hero": "page:notebook_hero"},
    commands=(
        Command(
            "plot_command:plot",
            "Draw one plot: ranks, intervals, critical differences ...",
            ANALYSE,
            30,
        ),
        Command(
            "plot_command:plots",
            "List the plots that `podium plot` draws.",
            READ,
            34,
            called="list plots",
        ),
    ),
)
__getattr__ = CAPABILITY.attribute
