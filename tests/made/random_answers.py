"""What may not contradict in the answer to a table: pairs, decision, texts, and every surface."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from itertools import combinations, groupby
from typing import Any

import numpy as np
from random_cases import (
    COMPARE,
    FACTORS,
    FRONT,
    GATE,
    META,
    STABILITY,
    Case,
    renamed,
    shuffled,
    turned,
)

import podium
from podium import PodiumError
from podium.asking.comparison.answer import Shown
from podium.asking.comparison.pages import page_of
from podium.asking.comparison.record import record
from podium.asking.comparison.screen import say_comparisons
from podium.core.verdicts import how_to_report
from podium.core.verdicts.methods import methods_text
from podium.core.verdicts.standing import standing
from podium.core.verdicts.verdict import next_sentence, verdict
from podium.core.words.phrases import plain
from podium.showing.plots import PLOTS

critical_difference_data = PLOTS["critical_difference"].data
intervals_data = PLOTS["intervals"].data
matrix_data = PLOTS["matrix"].data

SIGNIFICANT, INCONCLUSIVE = ("better", "worse"), ("undecided", "withheld")
HOLES = re.compile(
    r"\bp = –|\bat (?:most|least) –|"
    r"\bnan\b|\binf\b|\bNone\b(?! of )|(?<!=)\b(?:True|False)\b|[{}]|\bdtype\b"
)


def answered(case: Case) -> Any:
    """The answer, or None where the request is refused by a sentence."""
    try:
        return case.answer()
    except PodiumError:
        return None


# -- what may not contradict ----------------------------------------------------------------------


def contradictions(c: podium.Comparisons) -> list[str]:
    """Statements of one answer that do not go together."""
    made = podium.decide(c)
    return [*_of_pairs(c), *_of_decision(c, made), *_of_texts(c)]


def _of_pairs(c: podium.Comparisons) -> Iterator[str]:
    margin = c.relevance
    strengths = c.judged is not None and c.judged.procedure.quantity.strengths
    is_share = c.measure in ("accuracy", "error", "auc") and not strengths
    for row in c.table.itertuples():
        pair = f"{row.first} - {row.second}"
        p = row.p_adjusted
        if p == p and row.p == row.p and p < row.p - 1e-12:
            yield f"{pair}: adjusted p below p"
        claimed = row.verdict in (*SIGNIFICANT, "non-inferior", "non-superior")
        if p == p and (p <= c.alpha) != claimed and row.verdict != "equivalent":
            yield f"{pair}: p adjusted {p} but {row.verdict}"
        low, high = c.sign * row.lower, c.sign * row.upper
        low, high = (low, high) if c.sign > 0 else (high, low)
        if low == low or high == high:
            beyond = low > margin or high < -margin
            if beyond != claimed and row.verdict != "withheld":
                yield f"{pair}: {row.verdict} with {row.lower} to {row.upper} (margin {margin})"
        if c.asks_equivalence:
            yield from _of_equivalence(c, row)
        if row.verdict == "withheld" and p == p:
            yield f"{pair}: withheld with a p-value"
        ends = [e for e in (row.lower, row.upper) if e == e]
        by_ranks = c.decides == "ranks"
        if is_share and not by_ranks and any(abs(e) > 1 + 1e-12 for e in ends):
            yield f"{pair}: limits beyond what can be"
        if by_ranks and any(abs(e) > len(c.algorithms) - 1 + 1e-12 for e in ends):
            yield f"{pair}: limits beyond what ranks can be"
        ahead = c.sign * row.estimate > 0
        if row.verdict in SIGNIFICANT and ahead != (row.verdict == "better"):
            yield f"{pair}: {row.verdict} with the estimate {row.estimate}"


def _of_equivalence(c: podium.Comparisons, row: Any) -> Iterator[str]:
    """Equivalent exactly where limits of two one-sided tests lie within the margin."""
    pair, p = f"{row.first} - {row.second}", row.p_equivalence
    low, high = row.equivalence_lower, row.equivalence_upper
    same = row.verdict == "equivalent"
    if low == low and high == high:
        within = low >= -c.relevance and high <= c.relevance
        if within != same and row.verdict != "withheld":
            yield f"{pair}: {row.verdict} with {low} to {high} (margin {c.relevance})"
    if p == p and (p <= c.alpha) != same:
        yield f"{pair}: p of equivalence {p} but {row.verdict}"


def _of_decision(c: podium.Comparisons, order: podium.Order) -> Iterator[str]:
    made = c.decision
    names = list(c.algorithms)
    beaten: dict[str, set[str]] = {name: set() for name in names}
    for row in c.table.itertuples():
        if row.verdict in SIGNIFICANT:
            pair = (row.first, row.second) if row.verdict == "better" else (row.second, row.first)
            beaten[pair[1]].add(pair[0])
    lead = [name for name in names if not beaten[name]]
    if c.lead != lead or c.best_set != lead:
        yield f"lead {c.lead}, best set {c.best_set}, unbeaten {lead}"
    wins = {name: sum(name in by for by in beaten.values()) for name in names}
    places = {name: (1 + len(beaten[name]), len(names) - wins[name]) for name in names}
    if dict(made.places) != places:
        yield f"places {made.places} instead of {places}"
    better = {(a, b) for b, by in beaten.items() for a in by}
    told = {(names[i], names[j]) for i, j in np.argwhere(order.better)}
    if told != better:
        yield f"order {order.text} instead of {better}"
    ahead = {name: set() for name in names}
    for row in c.table.itertuples():
        size = c.sign * row.estimate
        if abs(size) > 1e-9:
            ahead[row.second if size > 0 else row.first].add(row.first if size > 0 else row.second)
    free = [name for name in names if not ahead[name]]
    best = c.extras.standing if c.control is None else None
    if best is not None:
        if best[made.rows[0]].best < max(each.best for each in best.values()) - 1e-12:
            yield f"{made.rows[0]} stands first, the likeliest best is another: {best}"
    elif free and made.rows[0] not in free:
        yield f"{made.rows[0]} stands first behind {ahead[made.rows[0]]}"
    count = c.table["verdict"].isin(SIGNIFICANT).sum()
    if made.significant != count or made.blocks != c.blocks.count:
        yield "counts differ"
    held = not c.is_unadjusted and not c.method.adjust.told and not c.relevance
    if count and held and c.overall is not None and c.overall.p > c.alpha:
        yield f"pairs are significant and the overall test is not: {c.overall.p}"


def _of_texts(c: podium.Comparisons) -> Iterator[str]:
    found = standing(c)
    text, more = plain(verdict(c, found)), next_sentence(c, found)
    lead = c.decision.lead or ()
    if "nan" in f"{text} {more}".replace("analyze", ""):
        yield f"nan in {text} {more}"
    if "cannot tell which" in text and len(lead) < 2:
        yield f"'{text}' with the lead {lead}"
    if "full ranking is settled" in text and not c.decision.is_settled:
        yield f"'{text}' with {c.decision.inconclusive} inconclusive"
    if c.decision.significant and "No significant difference" in text:
        yield f"'{text}' with significant pairs"
    shown = set(c.table["verdict"]) & {"non-inferior", "equivalent"}
    if shown and text.startswith(("None of", "No significant", "Nobody is shown")):
        yield f"'{text}' denies what is shown: {shown}"


# -- every surface says the same ------------------------------------------------------------------


def surfaces(of: Case, c: podium.Comparisons) -> list[str]:
    """What JSON, screen, paper text and plots of an answer say otherwise than its decision."""
    order = podium.decide(c)
    written = json.loads(json.dumps(record(c, order), allow_nan=False))
    head = plain(verdict(c, standing(c)))
    return [*_of_record(c, written, head), *_of_screen(c, order, head), *_of_paper(of, c, order)]


def _of_record(c: podium.Comparisons, written: dict[str, Any], head: str) -> Iterator[str]:
    if written["headline"] != head:
        yield f"JSON: {written['headline']!r}, screen: {head!r}"
    if written["lead"] != written["best_set"]:
        yield "JSON: lead and best_set differ"
    if written["lead"] is not None and sorted(written["lead"]) != sorted(c.decision.lead or ()):
        yield f"JSON: lead {written['lead']}"
    for text in (written["headline"], written["sentence"], written["next"]):
        if HOLES.search(text):
            yield f"JSON: a hole in {text!r}"
    for caveat in written["caveats"]:
        if HOLES.search(caveat["text"]):
            yield f"JSON: a hole in {caveat['text']!r}"
    table = written["pairs"]
    if [row["verdict"] for row in table] != c.table["verdict"].tolist():
        yield "JSON: other verdicts"


def screen_of(c: podium.Comparisons, order: podium.Order, shown: Shown) -> str:
    """What `podium analyze` prints of it."""
    stream = io.StringIO()
    with redirect_stdout(stream):
        say_comparisons(c, order, shown, lambda: None, lambda: None)
    return re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())


def _of_screen(c: podium.Comparisons, order: podium.Order, head: str) -> Iterator[str]:
    text = screen_of(c, order, Shown(pairs=True, why=True, algorithms=True))
    flat = " ".join(text.split())
    if not flat.startswith(" ".join(head.split())):
        yield f"screen: {flat[:80]!r} instead of {head!r}"
    if found := HOLES.search(flat):
        yield f"screen: a hole, {flat[max(0, found.start() - 60) : found.end() + 20]!r}"
    made = c.decision
    for count, total in re.findall(r"(\d+) of (\d+) comparisons (?:is|are) significant", flat):
        if (int(count), int(total)) != (made.significant, made.comparisons):
            yield f"screen: {count} of {total} comparisons significant, {made.significant} are"
    said = re.search(r"All (\d+) comparisons are significant", flat)
    if said and made.significant != int(said[1]):
        yield f"screen: {said[0]!r}, {made.significant} are"
    first = re.search(r"rank  (?:algorithm|model).*\n[ ▌]*\s*(?:\S+)\s+(\S+)", text)
    if first and made.control is None and first[1] != made.rows[0]:
        yield f"screen: {first[1]} stands first instead of {made.rows[0]}"


def _of_paper(of: Case, c: podium.Comparisons, order: podium.Order) -> Iterator[str]:
    paper = how_to_report(c, order)
    if not c.is_race and not c.has_contrasts:
        better = len(re.findall(r"was significantly (?:better|worse)", paper))
        whole = "more pairs were decided" not in paper
        if better and better != c.decision.significant <= 5 and whole:
            yield f"paper: {better} significant comparisons instead of {c.decision.significant}"
    text = paper
    if "judge" not in of.ask:
        text += " ".join(methods_text(of.results, c, order))
    if found := HOLES.search(text):
        yield f"paper: a hole, {text[max(0, found.start() - 60) : found.end() + 20]!r}"


# -- plots ----------------------------------------------------------------------------------------


def of_plots(c: podium.Comparisons) -> Iterator[str]:
    """What the data behind plots say otherwise than the decision."""
    if c.has_contrasts or c.is_race:
        return
    verdicts = {pair: told for pair, (told, _) in relation(c).items()}
    for row in _of_data(intervals_data, c, lambda data: data.table):
        if row["verdict"] != verdicts[row["first"], row["second"]]:
            yield f"plot of intervals: {row['first']} - {row['second']} {row['verdict']}"
        if row["verdict"] in SIGNIFICANT and row["start"] <= 0 <= row["end"]:
            yield f"plot of intervals: {row['verdict']} with {row['start']} to {row['end']}"
    for row in _of_data(matrix_data, c, lambda data: data.cells):
        told = verdicts.get((row["first"], row["second"]))
        if told is not None and row["significant"] != (told in SIGNIFICANT):
            yield f"plot of a matrix: {row['first']} - {row['second']} {row['significant']}"
    members = _of_data(critical_difference_data, c, lambda data: data.members)
    for _, bar in groupby(members, key=lambda row: row["bar"]):
        joined = [row["algorithm"] for row in bar]
        apart = [pair for pair in combinations(joined, 2) if verdicts.get(pair) in SIGNIFICANT]
        if apart:
            yield f"critical differences: a bar joins {apart}"


def _of_data(data: Any, c: podium.Comparisons, table: Any) -> list[dict[str, Any]]:
    try:
        return list(table(data(c)).to_dict("records"))
    except PodiumError:  # which are not drawn of everything
        return []


# -- the page -------------------------------------------------------------------------------------


def of_page(of: Case, c: podium.Comparisons) -> list[str]:
    """What the page says otherwise than the decision."""
    page = page_of(of.results, [c])
    first = page.views[0]
    head = "".join(text for text, _ in first.headline)
    wrong = []
    if head != plain(verdict(c, standing(c))):
        wrong.append(f"page: {head!r}, screen: {plain(verdict(c, standing(c)))!r}")
    if first.sentence and first.sentence != next_sentence(c, standing(c)):
        wrong.append(f"page: {first.sentence!r}, screen: {next_sentence(c, standing(c))!r}")
    text = page.html() if hasattr(page, "html") else ""
    if "nan" in re.findall(r"\bnan\b", text):
        wrong.append("page: nan")
    return wrong


# -- told otherwise -------------------------------------------------------------------------------


def moved(of: Case, c: podium.Comparisons) -> list[str]:
    """What changes with other names, with rows shuffled, or with the measure turned."""
    usual, wrong = relation(c), []
    means = np.round(np.fromiter(c.means.values(), float), 9)
    of_first = "alternative" in of.ask or ("non_inferiority" in of.ask and "control" not in of.ask)
    if of_first or len({*means.tolist()}) < len(means):
        return []  # another one is the first of a pair then; which of two twins is drawn first
    other, new = renamed(of)
    told = {"renamed": (other, new)}
    same = {name: name for name in of.names}
    told["shuffled"] = (shuffled(of, np.random.default_rng(0)), same)
    if (turn := turned(of)) is not None:
        told["turned"] = (turn, same)
    for how, (twin, names) in told.items():
        there = relation(twin.answer())
        for (a, b), (said, p) in usual.items():
            also, q = there[names[a], names[b]]
            if said != also or not np.isclose(p, q, rtol=2e-3, atol=5e-4, equal_nan=True):
                wrong.append(f"{how}: {a} - {b} {said} ({p}) is {also} ({q})")
    return wrong


def relation(c: podium.Comparisons) -> dict[tuple[str, str], tuple[str, float]]:
    """Verdict and p of every pair, in both directions."""
    found = {}
    opposite = {"better": "worse", "worse": "better", "non-inferior": "non-superior",
                "non-superior": "non-inferior"}  # fmt: skip
    for r in c.table.itertuples():
        p = r.p_adjusted
        found[r.first, r.second] = (r.verdict, p)
        found[r.second, r.first] = (opposite.get(r.verdict, r.verdict), p)
    return found


# -- gates, studies together, factors, fronts -----------------------------------------------------


def of_gate(made: Any) -> Iterator[str]:
    """Of a gate on one measure."""
    text = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    if HOLES.search(repr(made)):
        yield f"gate: a hole in {made!r}"
    if text["verdict"] != made.verdict or text["status"] != made.status:
        yield "gate: JSON has another verdict"
    if not hasattr(made, "table"):
        for part in made.parts:
            if part.shown != (part.p <= made.alpha):
                yield f"gate: {part.measure} shown is {part.shown} with p {part.p}"
        if (made.verdict == "ship") != (made.p <= made.alpha):
            yield f"gate: {made.verdict} with p {made.p}"
        return
    sign = 1 if made.higher_is_better else -1
    for row in made.table.itertuples():
        low, high = (sign * row.lower, sign * row.upper)
        low, high = (low, high) if sign > 0 else (high, low)
        worse, fine = row.verdict == "worse", row.verdict == "not worse"
        if high == high and worse and high >= 0:
            yield f"gate: worse with the upper end {high}"
        asked = (row.margin or 0) > 0 and low == low and not worse
        if asked and fine != (low > -row.margin):
            yield f"gate: {row.verdict} with the lower end {low}, margin {row.margin}"


def of_meta(made: Any) -> Iterator[str]:
    """Of several studies together."""
    json.dumps(made.to_dict(), allow_nan=False)
    if HOLES.search(repr(made)):
        yield f"meta: a hole in {made!r}"
    for row in made.pairs.itertuples():
        outside = row.lower > 0 or row.upper < 0
        if outside != (row.verdict in SIGNIFICANT):
            yield f"meta: {row.verdict} with {row.lower} to {row.upper}"
        if (row.p_adjusted <= made.alpha) != outside:
            yield f"meta: p {row.p_adjusted} with {row.lower} to {row.upper}"


def of_factors(made: Any) -> Iterator[str]:
    """Of effects of factors."""
    json.dumps(made.to_dict(), allow_nan=False)
    if HOLES.search(repr(made)):
        yield f"factors: a hole in {made!r}"
    for row in made.table.itertuples():
        outside = row.lower > 0 or row.upper < 0
        if outside != (row.verdict != "undecided"):
            yield f"factors: {row.verdict} with {row.lower} to {row.upper}"


def of_front(made: Any) -> Iterator[str]:
    """Of a front of several measures."""
    json.dumps(made.to_dict(), allow_nan=False)
    if HOLES.search(repr(made)):
        yield f"front: a hole in {made!r}"
    if not made.members:
        yield "front: nobody is on it"
    out = set(made.pairs["algorithm"][made.pairs["p_adjusted"] <= made.alpha])
    if out != {*made.algorithms} - {*made.members}:
        yield f"front: {out} are dominated, {made.members} are members"


def of_stability(made: Any) -> Iterator[str]:
    """Of bootstrap samples of the blocks."""
    json.dumps(made.to_dict(), allow_nan=False)
    if HOLES.search(repr(made)):
        yield f"stability: a hole in {made!r}"
    yield from contradictions(made.comparisons)
    if made.order.text != podium.decide(made.comparisons).text:
        yield f"stability: of {made.order.text}, decided {podium.decide(made.comparisons).text}"
    places = made.places.to_numpy(float)
    if not np.isnan(places).any() and not np.allclose(
        [*places.sum(axis=0), *places.sum(axis=1)], 1.0
    ):
        yield f"stability: places do not add up: {places}"
    shares = made.pairs[["before", "after", "alike"]].sum(axis=1)
    if not np.allclose(shares[shares.notna()], 1.0):
        yield "stability: shares of pairs do not add up"


OTHERS = {GATE: of_gate, META: of_meta, FACTORS: of_factors, FRONT: of_front,
          STABILITY: of_stability}  # fmt: skip


def wrongs(of: Case, *, twins: bool = False, page: bool = False) -> list[str] | None:
    """All that contradicts in the answer to a case; None where it is refused."""
    made = answered(of)
    if made is None:
        return None
    if of.verb != COMPARE:
        return list(OTHERS[of.verb](made))
    found = [*contradictions(made), *surfaces(of, made), *of_plots(made)]
    twins = twins and of.queue is None  # whose plan is signed, names and all
    return found + (moved(of, made) if twins else []) + (of_page(of, made) if page else [])
