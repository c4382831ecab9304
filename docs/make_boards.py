"""Measure how boards err and what they find: the tables in docs/boards.md.

    python docs/make_boards.py

Simulations of the laboratory (`podium_lab.boards`), seed 0; half a minute.
"""

from __future__ import annotations

from pathlib import Path

from podium_lab.boards import attack, honest, power

PAGE = Path(__file__).parent / "boards.md"
BEGIN, END = "<!-- measured -->", "<!-- end -->"
LIVES, HONEST_LIVES = 1000, 4000


def tables() -> str:
    """All tables, as Markdown."""
    lines = [
        f"Random guesses, combined by what the board shows; 1000 public and 1000 sealed items, "
        f"{LIVES} lives:",
        "",
        "| submissions | public score of the vote | true score | plain board: new best "
        "| sealed, asked once | sealed, asked at every public best |",
        "|---|---|---|---|---|---|",
    ]
    for submissions in (10, 100, 1000):
        a = attack(LIVES, submissions, 1000)
        rates = " | ".join(f"{100 * rate:.1f} %" for rate in (a.plain, a.sealed, a.rushed))
        lines.append(f"| {submissions} | {a.public:.2f} | {a.true:.2f} | {rates} |")
    lines += [
        "",
        f"Honest submitters, 2000 public and 2000 sealed items, {HONEST_LIVES} lives; one change "
        "in five is worth 0.04, the others nothing (one item in five changes):",
        "",
        "| submissions | plain: a false new best | sealed: a false new best "
        "| plain: gains found | sealed: gains found |",
        "|---|---|---|---|---|",
    ]
    for submissions in (5, 10, 20, 50):
        h = honest(HONEST_LIVES, submissions, 2000)
        rates = (h.plain, h.sealed, h.found_plain, h.found_sealed)
        lines.append(f"| {submissions} | " + " | ".join(f"{100 * r:.1f} %" for r in rates) + " |")
    lines += [
        "",
        "Power of the q-th question for a gain of 0.04 where one item in five changes:",
        "",
        "| sealed items | q = 1 | q = 3 | q = 5 | q = 10 |",
        "|---|---|---|---|---|",
    ]
    for items in (1000, 2000, 5000):
        row = " | ".join(f"{power(q, items):.2f}" for q in (1, 3, 5, 10))
        lines.append(f"| {items} | {row} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the tables into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n{tables()}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
