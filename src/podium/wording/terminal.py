"""What the terminal says of comparisons besides their numbers."""

from __future__ import annotations

from podium.facts import Overall
from podium.formatting import cells, number, p_value
from podium.inference.comparisons import Comparisons
from podium.orders.order import Order
from podium.orders.writing import quoted
from podium.wording.legend import legend as signs
from podium.wording.phrases import level

LETTERS = "Those that share a letter are not distinguishable."


def head(c: Comparisons) -> str:
    """What was measured on what."""
    better = "higher" if c.higher_is_better else "lower"
    sampling = f" ({c.blocks.sampling})" if c.blocks.sampling else ""
    blocks = f"{c.blocks.count} {c.blocks.text}{sampling}"
    of = {note.code: note for note in c.warnings}
    failed = of.get("failures")
    runs = f"; {failed.runs} of {failed.of} runs failed" if failed else ""
    classes = {name for _, name in of["positive-class"].positive} if "positive-class" in of else ()
    positive = f" of class {quoted(next(iter(classes)))}" if len(classes) == 1 else ""
    return f"{c.measure}{positive} ({better} is better), {blocks}, target: {c.target}{runs}"


def legend(order: Order, margin: float) -> str:
    """What the signs of this order mean, and who is better than each other."""
    circles = (f"Better than each other around a circle: {', '.join(c)}." for c in order.cycles)
    return " ".join([signs(order, margin), *circles])


def order_in_lines(order: Order, width: int) -> str:
    """The order in lines that break behind a sign."""
    lines = [" "]
    for group, joint in zip(order.groups, [*order.joints, ""], strict=True):
        between = ["≈"] * (len(group) - 1) + [joint]
        for name, sign in zip(group, between, strict=True):
            part = f" {quoted(name)} {sign}"
            if lines[-1].strip() and cells(lines[-1] + part) > width:
                lines.append("   ")
            lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def overall(found: Overall) -> str:
    """The test of no difference at all."""
    df = found.df if isinstance(found.df, tuple) else (found.df,)
    shown = " and ".join(f"{round(x, 1):g}" for x in df if x is not None)
    p = p_value(found.p)
    return (
        f"Are all alike? {found.test} {number(found.statistic, 4)}"
        f"{f', df {shown}' if shown else ''}, p {'<' if p[0] == '<' else '='} {p.lstrip('<')}"
    )


def interval(c: Comparisons) -> str:
    """The head of the column of intervals."""
    assert c.interval is not None
    return f"{level(c.alpha)} interval ({c.interval.method})"


def columns(c: Comparisons, intervals: bool) -> str:
    """What the numbers of a pair are."""
    of = c.judged.procedure.of if c.judged else "mean"
    text = f"Estimates are first - second in {f'{of} of ' if of != 'mean' else ''}{c.measure}"
    if intervals:
        scope = "of each pair alone" if c.is_unadjusted else "for all pairs at once"
        text += f", with {level(c.alpha)} limits {scope}"
    if c.alternative != "two-sided":
        margin = (c.relevance if c.alternative == "greater" else -c.relevance) + 0.0  # no -0
        text += f"; looked for: {c.alternative} than {margin:g}"
    elif c.relevance:
        text += f"; differences up to {c.relevance:g} do not matter"
    return text + "."


def more_pairs(count: int) -> str:
    """Pairs that are not shown."""
    return f"... and {count} more pairs; --csv FILE writes all of them."
