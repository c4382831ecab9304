"""Write the measured rates of measures, decisions, fronts and factors into their pages.

    python docs/make_rates.py            # from podium_lab/rates.csv, which podium_lab.rates grows

Every rate stands with its Monte-Carlo standard error, which is why some are printed as 5 and not
as 5.03.
"""

from __future__ import annotations

import csv
import math
from fnmatch import fnmatchcase
from pathlib import Path

from podium_lab.rates import RATES, Counts, read_rates

HERE = Path(__file__).parent
SIZES = ("100", "400", "1000")  # items of intervals that may miss
RULES = RATES.with_name("rules.csv")  # what is claimed, where, and by which cells it is measured
BEGIN, END = "<!-- measured -->", "<!-- end -->"
NULLS = {
    "heavy": "scores with t3 errors, one positive in ten",
    "heavy of five": "the same, five models, any of ten pairs",
    "coarse": "scores of five values",
    "clustered": "clusters of 1 to 19 items",
    "classes": "labels of four classes, the rarest one in twelve",
    "laplace": "numbers with Laplace errors",
    "few": "scores with Laplace errors, five positives",
    "few labels": "labels, ten positives",
    "calibrated": "calibrated probabilities",
    "gamma": "gamma times that they share in part",
    "rare": "logistic scores, one positive in a hundred",
    "rare labels": "the same cut into labels, one positive in a hundred",
    "twins": "scores that correlate by 0.99",
    "twin labels": "labels that differ on one item in thirty",
    "patients": "labels of 1 to 19 items per patient",
    "gathered": "clusters of ten, all positives in seven of them",
    "houses": "numbers in clusters of 1 to 19 items",
    "surveyed": "lognormal weights, larger where it is harder",
    "surveyed labels": "the same cut into labels",
    "fanned": "numbers whose errors grow with the truth",
    "pareto": "times with a Pareto tail (index 1.8)",
    "texts": "utterances of unequal length",
    "tuned": "labels cut where F1 is highest on these items, against an equal model's fixed cut",
}
OWN = "own of classes or numbers"
COVERED = {"own interval": "its own interval", "true difference": "the interval of a difference"}


RULES_HEAD = """\
# Rules, tests and measured rates

What [predictions](predictions.md), [several measures](several-measures.md),
[factors](factors.md) and [several answers](items.md#several-answers-to-an-item) rest on: each rule
with the test that fails without it, and how often it claims what is not so, or its interval misses,
at nominal 5 %. A cell is one kind of truth and one number of items or data sets, mostly of 2000
simulated studies (standard error 0.5). `python -m podium_lab.rates` counts on; the cells are in
`lab/src/podium_lab/rates.csv`. Above 6 % are costs with a longer tail of the new version and
thresholds tuned on the same items, which the output or this site says, and what Podium does not
use: the front of means, one variance for all.
"""


def percent(counts: tuple[int, int, int]) -> str:
    """A rate in per cent with its standard error."""
    _, studies, claims = counts
    rate = claims / max(studies, 1)
    error = math.sqrt(max(rate * (1 - rate), 0.25 / max(studies, 1)) / max(studies, 1))
    return f"{100 * rate:.1f} ± {100 * error:.1f}"


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def of_predictions(rates: Counts) -> list[str]:
    """Equal models that are told apart, by measure and null."""
    rows, missed = [], []
    for name in sorted(n for n in rates if n.startswith("predictions/")):
        _, measure, null, items = name.split("/")
        if null in NULLS:
            rows.append([measure, NULLS[null], items, str(rates[name][1]), percent(rates[name])])
        elif null == OWN:
            continue
        elif items == SIZES[0]:
            cells = [rates[f"predictions/{measure}/{null}/{n}"] for n in SIZES]
            missed.append([measure, COVERED[null], *map(percent, cells)])
    head = [
        "measure",
        "misses, %, of normal scores, one positive in ten",
        *(f"{n} items" for n in SIZES),
    ]
    apart = table(["measure", "equal models with", "items", "tables", "told apart, %"], rows)
    return [*apart, "", *table(head, missed), "", *_own_intervals(rates)]


def _own_intervals(rates: Counts) -> list[str]:
    """Own intervals that miss, of labels of four classes and of numbers with Laplace errors."""
    sizes = ("200", "1000")
    measures = sorted({n.split("/")[1] for n in rates if f"/{OWN}/" in n})
    rows = [[m, *(percent(rates[f"predictions/{m}/{OWN}/{n}"]) for n in sizes)] for m in measures]
    head = "own interval misses, %, of labels of four classes or numbers with Laplace errors"
    return table([head, *(f"{n} items" for n in sizes)], rows)


def of_decisions(rates: Counts) -> list[str]:
    """Versions that are shipped though they just may not be, and fronts that lose a member."""
    words = {
        "a loss of just the margin, far cheaper": "a loss of just the margin of 0.1, far cheaper",
        "as good, as dear": "as good, as dear (lognormal costs, sigma 1)",
        "as good, as dear, with a longer tail": "as good, as dear, but the new one has the longer "
        "tail (sigma 1.5)",
    }
    rows = []
    for truth, text in words.items():
        for rule, kind in (("gate", text), ("gate by logs", f"{text}: a t test of logarithms")):
            if f"{rule}/{truth}/50" in rates:
                cells = [rates[f"{rule}/{truth}/{n}"] for n in (50, 200)]
                rows.append([kind, *map(percent, cells), str(min(c[1] for c in cells))])
    for measures in (2, 4):
        truth = f"none of {measures} costs improves, any is enough"
        cells = [rates[f"gate/{truth}/{n}"] for n in (50, 200)]
        rows.append([truth, *map(percent, cells), str(min(c[1] for c in cells))])
    for candidates in (2, 4):
        truth = f"any of {candidates} candidates, each loses just the margin"
        cells = [rates[f"gate/{truth}/{n}"] for n in (50, 200)]
        rows.append([truth, *map(percent, cells), str(min(c[1] for c in cells))])
    price = [rates[f"trade/price of a right answer/{n}"] for n in (50, 200)]
    text = "the interval of the price of a right answer misses it"
    rows.append([text, *map(percent, price), str(min(c[1] for c in price))])
    truth = "worth the same, cheaper and less often right"
    worth = [rates[f"utility/{truth}/{n}"] for n in (50, 200)]
    rows.append([f"{truth}: told apart by weights", *map(percent, worth),
                 str(min(c[1] for c in worth))])  # fmt: skip
    shipped = table(["truth", "50 items", "200 items", "studies"], rows)
    rows = []
    for name in sorted(n for n in rates if n.startswith("front/")):
        _, truth, scores = name.split("/")
        means = rates[name.replace("front/", "front of means/")]
        rows.append([truth, scores, percent(rates[name]), percent(means), str(rates[name][1])])
    head = [
        "truth (four algorithms, two measures)",
        "scores",
        "a member lost, %",
        "by means, %",
        "studies",
    ]
    margins = [
        [name.split("/")[1], name.split("/")[2], percent(rates[name]), str(rates[name][1])]
        for name in sorted(n for n in rates if n.startswith("front with margins/"))
    ]
    with_margins = ["the same with margins of 0.5 sd", "scores", "a member lost, %", "studies"]
    return [*shipped, "", *table(head, rows), "", *table(with_margins, margins)]


def of_factors(rates: Counts) -> list[str]:
    """Effects that are found though they are none, by design, scores and number of blocks."""
    rows = []
    blocks = ["5", "10", "20", "50"]
    for name in sorted(n for n in rates if n.startswith("factors/") and n.endswith("/5")):
        _, design, scores, _ = name.split("/")
        cells = [rates[f"factors/{design}/{scores}/{b}"] for b in blocks]
        pooled = rates.get(f"factors, one variance/{design}/normal/10")
        studies = str(min(c[1] for c in (*cells, *filter(None, [pooled]))))
        by_one = percent(pooled) if pooled else ""
        rows.append([design, scores, *map(percent, cells), by_one, studies])
    head = ["design", "scores", "5 data sets", "10", "20", "50", "one variance, 10", "studies"]
    return table(head, rows)


def of_answers(rates: Counts) -> list[str]:
    """Equal models by pass^k."""
    rows = [
        [name.split("/")[1], name.split("/")[2], str(rates[name][1]), percent(rates[name])]
        for name in sorted(n for n in rates if n.startswith("answers/"))
    ]
    return table(["measure", "items", "studies", "told apart, %"], rows)


def of_rules(rates: Counts) -> list[str]:
    """Every rule with where it is told, its test, and what was measured of it."""
    lines: list[str] = []
    with RULES.open(encoding="utf-8", newline="") as file:
        rules = list(csv.DictReader(file))
    for part in dict.fromkeys(rule["part"] for rule in rules):
        rows = [
            [rule["rule"], _linked(rule["where"]), f"`{rule['test']}`",
             _range(rates, rule["cells"])]
            for rule in rules if rule["part"] == part
        ]  # fmt: skip
        head = ["rule", "page", "test", "false claims or misses, %"]
        lines += [f"## {part}", "", *table(head, rows), ""]
    return lines


def rules_page(rates: Counts) -> str:
    """The page of rules."""
    return "\n".join([RULES_HEAD, *of_rules(rates)]).rstrip() + "\n"


def _linked(where: str) -> str:
    return f"[{where.partition('.md')[0]}]({where})"


def _range(rates: Counts, patterns: str) -> str:
    """The lowest and the highest rate of some cells; a dash where no rate is about it."""
    cells = [
        each
        for name, each in rates.items()
        if any(fnmatchcase(name, p) for p in patterns.split(";") if p)
    ]
    if not cells:
        return "–"
    low, high = (of(c[2] / c[1] for c in cells) for of in (min, max))
    text = f"{100 * low:.1f}" if len(cells) == 1 else f"{100 * low:.1f} to {100 * high:.1f}"
    return f"{text} ({len(cells)} cell{'s' * (len(cells) > 1)})"


PAGES = {
    "predictions.md": of_predictions,
    "several-measures.md": of_decisions,
    "items.md": of_answers,
    "factors.md": of_factors,
}


def written(text: str, lines: list[str]) -> str:
    """A page with the lines between its marks."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    body = "\n".join(lines)
    return f"{before}{BEGIN}\n{body}\n{END}{after}"


def main() -> None:
    """Write all pages."""
    rates = read_rates()
    for name, lines in PAGES.items():
        path = HERE / name
        path.write_text(written(path.read_text("utf-8"), lines(rates)), "utf-8")
    (HERE / "rules.md").write_text(rules_page(rates), "utf-8")


if __name__ == "__main__":
    main()
