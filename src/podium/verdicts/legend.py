"""What the signs of an order mean, in a sentence."""

from __future__ import annotations

from podium.orders.order import Order

ALIKE = "not significantly different"
MEANT = {
    "≻": "≻ significantly better",
    "≿": "≿ better than some of those that follow",
    "∥": "∥ was not compared",
}


def legend(order: Order, margin: float = 0.0, alike: str = ALIKE, better: str = MEANT["≻"]) -> str:
    """The signs that are there, with the least difference that mattered; empty without any.

    >>> from podium.orders.notation import order as parse_order
    >>> legend(parse_order("a ≻ b"), margin=0.01)
    'Best first. ≻ significantly better by more than 0.01.'
    """
    signs = order.signs
    if not signs:
        return ""
    by = f" by more than {margin:g}" if margin > 0 else ""
    same = f"≈ not shown to differ{by}" if by else f"≈ {alike}"
    meant = {"≻": better + by, "≈": same, "≿": MEANT["≿"], "∥": MEANT["∥"]}
    text = f"Best first. {'; '.join(meant[sign] for sign in meant if sign in signs)}."
    hidden = "≈" in signs and "∥" not in signs and bool(order.uncompared)
    return text + " Pairs that were not compared are ≈, too." * hidden
