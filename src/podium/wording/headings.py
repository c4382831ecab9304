"""One line that says what was compared, by what, on what."""

from __future__ import annotations

FORCED = "NOT LEGAL for this design, computed by force: "


def compared(
    measure: str,
    higher_is_better: bool,
    title: str,
    blocks: tuple[int, str],
    target: str,
    *,
    forced: bool,
) -> str:
    """Measure, procedure, blocks, target."""
    better = "higher" if higher_is_better else "lower"
    count, text = blocks
    return (
        f"{FORCED * forced}{measure} ({better} is better), {title}, {count} {text}, "
        f"target: {target}"
    )


def with_bricks(title: str, null: str, adjustment: str) -> str:
    """A procedure's title with the bricks that were used."""
    return f"{title} (null: {null}, adjustment: {adjustment})"


def interval_of_one(method: str) -> str:
    """The title where one algorithm has an interval of its own."""
    return f"{method} interval of one algorithm"
