"""What is said of models that answered items several times."""

from __future__ import annotations

from typing import Any

from podium.words.phrases import counted


def repeats_heading(r: Any) -> str:
    """Flaky items, and what pass^k says beside pass@k."""
    flaky = len(r.flaky_items)
    if not flaky:
        return (
            f"No item is flaky: each of {counted(r.items, 'item')} is always right or always wrong "
            "in all answers of a model, which does not show that it stays so."
        )
    alone = r.flaky.loc[r.flaky["models"] == 1, "item"].nunique()
    verb = "is" if flaky == 1 else "are"
    of_one = f", {alone} of them for one model alone" if alone else ""
    return (
        f"{counted(flaky, 'item')} of {r.items} {verb} flaky: a model has them right in some "
        f"answers and wrong in others{of_one}."
    )


def cost_heading(r: Any) -> str:
    """What a solved task costs, in the column's unit."""
    return f"Cost per solved task ({r.cost} of an answer over the share of right ones)"
