"""`podium analyze -m accuracy,cost`: the screen of a front."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from podium.base.errors import InferenceError
from podium.base.formatting import aligned, cells, columns, p_value, screen, shortened, wrapped
from podium.cli.main import say
from podium.cli.options import READING, TESTING, less_excluded, refuse, said
from podium.cli.writing import say_lines
from podium.words.phrases import p_text

if TYPE_CHECKING:
    from podium.fronts.dominance import Front
    from podium.reading.results import Results

TAKEN = ("alpha", "gaps")
OTHERS = (*(name for name in TESTING if name not in TAKEN), "strata", "queue", "open", "sample",
          "scale", "order", "diagram", "scores", "methods", "factors")  # fmt: skip


def measured_results(file: Path | list[Path], options: dict[str, Any]) -> Results:
    """The results of the first measure; the options then know those of all."""
    from podium.fronts.verbs import ASKED, WHOLE, front_of_results, read_margins, read_measures
    from podium.reading.cells.measure_names import asked_measures

    others = [name for name in OTHERS if options.get(name)]
    refuse(options, others, "is for one measure, and --measure names several: name one")
    request = asked_measures(options["measure"])
    reading = {name: value for name, value in said(options, READING).items() if name != "measure"}
    if len(request) > 1:
        way = "is for one measure: say it behind the name, as in -m accuracy,depth=lower"
        refuse(reading, ["higher_is_better"], way)
    result = read_measures(file, request, reading)
    margins = read_margins(options.get("margin") or (), [each.name for each in request])
    options["measures"] = {name: less_excluded(each, options) for name, each in result.items()}
    options["measure"], first = next(iter(options["measures"].items()))
    chosen = said(options, ("target", "dataset", *TAKEN))
    whole = cache(partial(front_of_results, options["measures"], margins=margins, **chosen))
    return replace(first, design={**first.design, ASKED: options["measures"], WHOLE: whole})


def utility_results(file: Path | list[Path], options: dict[str, Any]) -> Results:
    """The results of a weighted sum of measures; the options then ask for that one."""
    from podium.fronts.verbs import read_measures, read_weights, utility_of
    from podium.questions.measures import UTILITY
    from podium.reading.cells.measure_names import asked_measures

    refuse(options, ["margin"], "is of a front: leave --weights out")
    request = asked_measures(options["measure"])
    reading = {name: value for name, value in said(options, READING).items() if name != "measure"}
    way = "is for one measure: say it behind the name, as in -m accuracy,depth=lower"
    refuse(reading, ["higher_is_better"], way)
    several = read_measures(file, request, reading)
    made = utility_of(several, read_weights(options["weights"]))
    options["measure"], options["weights"] = UTILITY, None
    return less_excluded(made, options)


def front_answer(results: Results, _options: Mapping[str, Any]) -> Front:
    """The front that `podium analyze -m A,B` asks for: one for screen, JSON and page."""
    from podium.fronts.verbs import WHOLE

    return cast("Front", results.design[WHOLE]())


def front_of_file(file: Path | list[Path], options: dict[str, Any]) -> Front:
    """The front that a plot shows."""
    if "," not in (options["measure"] or ""):
        raise InferenceError("Which measures? Add -m accuracy,cost or so.")
    return front_answer(measured_results(file, options), options)


# -- the screen -----------------------------------------------------------------------------------


def say_front(front: Front, *, pairs: bool = False, why: bool = False) -> None:
    """The headline, every algorithm in every measure, and labelled lines."""
    from podium.fronts import words
    from podium.verdicts.standings import coloured, say_label

    width = screen()
    say(coloured(wrapped(words.headline(front), width, "  "), bold=True))
    say()
    left = ["algorithm", "dominated"]
    text = columns(screen_table(front), left=left, indent="  ")
    if max(map(cells, text.splitlines())) > width:
        text = columns(screen_table(front, limits=False), left=left, indent="  ")
    say_lines(text)
    if pairs:
        say()
        say_lines(columns(pair_table(front), left=["algorithm", "dominated by"], indent="  "))
    say()
    for label, texts in labelled(front, pairs=pairs, why=why):
        say_label(label, texts, width)


def screen_table(front: Front, *, limits: bool = True) -> dict[str, list[str]]:
    """Means with intervals of their own, or without, members of the front first."""

    confidence = f"{100 * (1 - front.alpha):g} %"
    order = row_order(front)
    short = shortened(order, 30 if limits else 15)
    table = {"algorithm": [short[name] for name in order]}
    for measure in front.measures:
        own = front.scores[front.scores["measure"] == measure.name].set_index("algorithm")
        rows = own.loc[order, ["mean", "lower", "upper"]]
        width = float((rows["upper"] - rows["lower"]).median()) / 2
        unit = width if width > 0 else float(rows["mean"].abs().max()) / 100 or 1.0
        cells = aligned(rows.to_numpy(float).ravel().tolist(), unit, digits=2)
        own_limits = limits and width > 0  # a size, say, never varies
        texts = [
            f"{mean} ({low} to {high})" if own_limits else mean
            for mean, low, high in zip(cells[::3], cells[1::3], cells[2::3], strict=True)
        ]
        table[f"{measure.name} ({confidence} CI)" if own_limits else measure.name] = texts
    out = {row["algorithm"]: row for row in front.dominated.to_dict("records")}
    table["dominated"] = [
        f"by {short[out[name]['by']]} ({p_text(out[name]['p_adjusted'])})"
        if name in out
        else "not shown"
        for name in order
    ]
    return table


def row_order(front: Front) -> list[str]:
    """Members of the front first, each part by the first measure."""
    first = front.measures[0]
    means = front.scores[front.scores["measure"] == first.name].set_index("algorithm")["mean"]
    members = {*front.members}
    return sorted(front.algorithms, key=lambda a: (a not in members, -first.sign * means[a]))


def pair_table(front: Front) -> dict[str, list[str]]:
    """All directed pairs."""

    pairs = front.pairs.sort_values("p", kind="stable")
    return {
        "algorithm": pairs["algorithm"].tolist(),
        "dominated by": pairs["by"].tolist(),
        "p": [p_value(p) for p in pairs["p"]],
        "p adjusted": [p_value(p) for p in pairs["p_adjusted"]],
    }


def labelled(front: Front, *, pairs: bool, why: bool) -> Iterator[tuple[str, list[str]]]:
    """How it was judged, what a trade is worth, what limits it, and what else there is."""
    from podium.fronts import words
    from podium.reading.results import RECOGNISED
    from podium.verdicts import terminal as lines
    from podium.words.facts import CAUTION
    from podium.words.saying import say as in_words

    texts = [f"{name}: {front.procedures[name]} over {blocks}"
            for name, blocks in front.blocks.items()]  # fmt: skip
    level = f"{100 * (1 - front.alpha):g} %"
    tested = (
        f"{'; '.join(texts)}. Dominated: {words.rule_text(front)} (largest one-sided p), Holm over "
        f"{len(front.pairs)} directed pairs. With {level} confidence the others hold the front."
    )
    better = [f"{m.direction} {m.name}" for m in front.measures]
    yield "Better", [f"{', '.join(better)}."]
    yield lines.TEST, [tested]
    if trades := list(words.trades_text(front)):
        yield "Trade", trades
    labels = {m.name for m in front.measures}
    notes = [n for n in front.notes if n.code != RECOGNISED
             and (why or n.severity is CAUTION or n.code in lines.IN_FULL)
             and not (n.code == "unused-columns" and {*n.columns} <= labels)]  # fmt: skip
    notes.sort(key=lambda n: n.severity is not CAUTION)
    yield lines.CARE, list(dict.fromkeys(in_words(n) for n in notes))
    more = [] if pairs else ["--pairs  all directed pairs"]
    names = ",".join(m.name for m in front.measures)
    yield (
        lines.MORE,
        ["    ".join([*more, "--json front.json", f"podium plot front FILE -m {names}"])],
    )
