"""How numbers and names are written for people: in terminals, tables, LaTeX."""

from __future__ import annotations

import math

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "≈": r"$\approx$",
    "≲": r"$\lesssim$",
    "−": "--",
}


def number(value: float, digits: int = 3) -> str:
    """A number with three significant digits; a dash where there is none.

    >>> number(-0.012345), number(1234.5), number(float("nan"))
    ('-0.0123', '1234', '–')
    """
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if abs(value) >= 10**digits:
        return f"{value:.0f}"
    return f"{value:.{digits}g}"


def p_value(value: float) -> str:
    """A p-value with three decimals; '<0.001' below.

    >>> p_value(0.04567), p_value(1e-9)
    ('0.046', '<0.001')
    """
    if value is None or math.isnan(value):
        return "–"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def latex(text: str) -> str:
    r"""Text with LaTeX's special characters escaped.

    >>> latex("a_b & <c>")
    'a\\_b \\& \\textless{}c\\textgreater{}'
    """
    return "".join(_LATEX.get(c, c) for c in str(text))
