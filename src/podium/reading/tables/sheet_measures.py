"""The measures of a sheet: which are asked for, what they are, whether scores keep their bounds.

A share above 1 is a percentage where all scores are, and said to be; where only some are, it is
asked.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NoReturn

import numpy as np

from podium.base.errors import ResultsError, UnknownLayout
from podium.base.registry import unknown
from podium.questions.measures import Measure
from podium.reading.cells.columns import Coded
from podium.reading.cells.measure_names import (
    BEYOND,
    PERCENT,
    ROUNDING,
    in_percent,
    is_share,
    is_statistic,
    outside,
)
from podium.reading.cells.vocabulary import known_measure, plain, same_measure
from podium.reading.tables.sheets import Sheet
from podium.words.facts import CAUTION, DETAIL, REMARK, Note

VAGUE, MIXED = "error", 5  # a word for any loss; how far apart two units are, as a factor


def chosen(sheet: Sheet, text: str | None) -> Sheet:
    """The sheet less the measures that are not asked for; the one that is has the name asked."""
    if text is None:
        return sheet
    text, names = text.strip(), sheet.about["measure"].names
    alike = [i for i, n in enumerate(names) if n and _is_asked(n, text, names)]
    alike = [i for i in alike if plain(names[i]) == plain(text)] or alike
    alike = alike or [i for i, n in enumerate(names) if not n]
    if len(alike) != 1:
        result = [names[i] for i in alike] or [n for n in names if n]
        raise ResultsError(unknown(f"measure of {sheet.what}", text, result))
    kept = sheet.about["measure"].codes == alike[0]
    about = {role: column.rows(kept) for role, column in sheet.about.items()}
    if plain(names[alike[0]]) != plain(text) and is_statistic(text):
        _refuse_averages(sheet, text, about)
    about["measure"] = about["measure"]._replace(names=[text])
    own = sheet.measures.get(names[alike[0]]) or sheet.measures.get(text)
    message = {text: replace(own, name=text)} if own else {}
    kept_rows = {"values": sheet.values[kept], "row": sheet.row[kept]}
    return replace(sheet, about=about, measures=message, **kept_rows)


def _refuse_averages(sheet: Sheet, text: str, about: dict[str, Coded]) -> None:
    """Refuse to print the mean of several rows under the name of another statistic."""
    codes, names = about["algorithm"]
    cells = about["dataset"].codes.astype(np.int64) * len(names) + codes
    most = int(np.bincount(cells).max(initial=0))
    if most < 2:
        return
    raise ResultsError(
        f"{sheet.what}: '{text}' is computed from many rows, and Podium compares the mean of the "
        f"{most} rows of an algorithm. {_way_to(text)}Name what one row holds, as in --measure "
        f"time; if every row is a {text} already, call its column '{text}' in the file."
    )


def _way_to(text: str) -> str:
    """How a quantile of the rows is asked for."""
    quantile = re.search(r"p\d{2}$", text.strip().lower())
    if quantile is None:
        return ""
    of = text[: quantile.start()].strip("_- ") or "latency"
    return f"Its own test is asked for by --measure {of}:{quantile[0]}. "


def _is_asked(name: str, text: str, names: list[str]) -> bool:
    """Whether it is meant by its name, as its negative, or as the loss that an error is."""
    if same_measure(name, text) or same_measure(f"neg_{name}", text):
        return True
    own, meant = known_measure(name), known_measure(text)
    vague = own is not None and own.spec == VAGUE and len(names) == 1
    return vague and meant is not None and not meant.higher_is_better


def named(sheet: Sheet, higher: bool | None, items: bool) -> Sheet:
    """The sheet with a name for a measure that neither the source nor the caller names."""
    measures = sheet.about["measure"]
    if "" not in measures.names:
        return sheet
    zero_or_one = np.isin(sheet.values[~np.isnan(sheet.values)], (0, 1)).all()
    if items and zero_or_one and higher is not False:
        name = "accuracy"
    elif higher is not None or sheet.higher is not None:
        name = "score"
    else:
        raise ResultsError(
            f"{sheet.what} does not say what its scores measure. Say it, as in --measure error "
            "(in Python: measure='error'), or which values are better: --higher-is-better or "
            "--lower-is-better (in Python: higher_is_better=True or False)."
        )
    names = measures._replace(names=[n or name for n in measures.names])
    return replace(sheet, about=sheet.about | {"measure": names})


def measured(sheet: Sheet, higher: bool | None) -> tuple[Sheet, dict[str, Measure]]:
    """The sheet with what is to be said of its measures, and what they are."""
    names = sheet.about["measure"].names
    results = {name: sheet.measures.get(name) or known_measure(name) for name in names}
    message = sheet.higher if higher is None else higher
    measures, notes = {}, []
    for code, (name, known) in enumerate(results.items()):
        if known is None:
            measures[name] = _unknown(name, sheet, message)
            continue
        # beside unknown measures the direction is meant for those
        if message not in (None, known.higher_is_better) and all(results.values()):
            _refuse_direction(known, bool(message))
        measures[name] = _bounded(sheet, code, known)
        if measures[name].unit == PERCENT != known.unit:
            notes.append(Note("percent", DETAIL, measure=name))
        if measures[name].bounds[1] > known.bounds[1] and measures[name].unit != PERCENT:
            notes.append(Note("error-of-any-kind", REMARK, measure=name))
        notes += _beyond(sheet, code, measures[name])
    return replace(sheet, notes=(*sheet.notes, *notes)), measures


def _refuse_direction(known: Measure, higher: bool) -> None:
    name = known.name
    negative = known_measure(f"neg_{name}")
    way = "if these scores are turned round, give the measure another name in the table"
    if negative is not None:
        way = f"or (as all scores of scikit-learn are) it is negative: --measure neg_{name}"
    raise ResultsError(
        f"Of the measure '{name}' {known.direction} values are better, which contradicts "
        f"{'--higher' if higher else '--lower'}-is-better. Leave the direction out; {way}."
    )


def _unknown(name: str, sheet: Sheet, higher: bool | None) -> Measure:
    if higher is None:
        raise UnknownLayout(
            f"{sheet.what}: whether higher or lower values of '{name}' are better is not known. "
            "Say --higher-is-better or --lower-is-better (in Python: higher_is_better=True or "
            "False), or choose another measure."
        )
    return Measure(name, bool(higher))


# -- bounds ---------------------------------------------------------------------------------


def _bounded(sheet: Sheet, code: int, known: Measure) -> Measure:
    """The measure, in percent where its scores are; an error where they can be neither."""
    rows = np.flatnonzero(sheet.about["measure"].codes == code)
    values = sheet.values[rows]
    if sheet.percent and is_share(known):
        known = in_percent(known)
    wrong = outside(values, known)
    if not wrong.any():
        return known
    small = (np.abs(values) <= 1) & (values != 0)
    if known.spec == VAGUE and _is_any_error(values, small):
        return replace(known, bounds=(0.0, np.inf), unit="")
    below = values < known.bounds[0] - BEYOND  # which no percentage explains
    if not is_share(known) or below.any() or outside(values, in_percent(known)).any():
        _refuse_cell(sheet, rows[int(np.argmax(wrong))], known, _of_others(known, values))
    if small.any():
        if 2 * wrong.sum() <= len(values):
            _refuse_cell(sheet, rows[int(np.argmax(wrong))], known, _of_shares(known))
        _refuse_share(sheet, rows[int(np.argmax(small))], known)
    return in_percent(known)


def _is_any_error(values: np.ndarray, small: np.ndarray) -> bool:
    """Whether errors, around 1 or above 100, are no shares: people call any loss an error.

    Where those below 1 are far from those above, some are percentages and some are not.
    """
    here = values[~np.isnan(values)]
    if here.min() < 0 or (here.max() <= 100 and not small.any()):
        return False
    return not small.any() or bool(MIXED * values[small].max() > here[here > 1].min())


def _beyond(sheet: Sheet, code: int, measure: Measure) -> tuple[Note, ...]:
    """What is said of scores that are a little beyond the bounds of their measure."""
    values = sheet.values[sheet.about["measure"].codes == code]
    low, high = measure.bounds
    result = values[(values < low - ROUNDING) | (values > high + ROUNDING)]
    if not len(result):
        return ()
    facts = {"scores": len(result), "first": float(result[0]), "low": low, "high": high}
    return (Note("beyond-bounds", CAUTION, measure=measure.name, **facts),)


def _of_shares(known: Measure) -> str:
    return (
        f"Some scores lie between 0 and 1 and some above: correct those that do not belong, or say "
        f"that all are percentages: --measure '{known.name}%' (in Python: measure='{known.name}%')"
    )


def _of_others(known: Measure, values: np.ndarray) -> str:
    here = values[~np.isnan(values)]
    if (here <= 0).all() and known_measure(f"neg_{known.name}"):
        name = f"neg_{known.name}"
        return (
            f"If all scores are negative losses, say --measure {name} (in Python: measure='{name}')"
        )
    if known.spec == VAGUE:
        return (
            "Correct it or leave the cell empty; if it is another loss than the share of errors, "
            "say --measure loss (in Python: measure='loss')"
        )
    return "Correct it or leave the cell empty"


def _refuse_cell(sheet: Sheet, at: int, known: Measure, way: str) -> NoReturn:
    low, high = known.bounds
    between = (
        f"between {low:g} and {high:g}"
        if np.isfinite([low, high]).all()
        else (f"from {low:g} on" if np.isfinite(low) else f"up to {high:g}")
    )
    raise ResultsError(
        f"{sheet.what}, {_place(sheet, at)}: {sheet.values[at]:g} is no "
        f"'{known.name}', which lies {between}. {way}."
    )


def _refuse_share(sheet: Sheet, at: int, known: Measure) -> NoReturn:
    raise ResultsError(
        f"{sheet.what}, {_place(sheet, at)}: {sheet.values[at]:g} stands among scores of "
        f"'{known.name}' that are percentages. {_of_shares(known)}."
    )


def _place(sheet: Sheet, at: int) -> str:
    """Where a score is found again."""
    roles = ("algorithm",) if sheet.rows_counted else ("algorithm", "dataset", "repeat", "sample")
    messages = {
        r: sheet.about[r].names[sheet.about[r].codes[at]] for r in roles if r in sheet.about
    }
    algorithm = f"'{messages.pop('algorithm')}'"
    row = [f"row {sheet.row[at]}"] if sheet.rows_counted else []
    return ", ".join([*row, algorithm, *(f"{role} '{name}'" for role, name in messages.items())])
