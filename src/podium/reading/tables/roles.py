"""Which column of a long table is what: by what people call it, and by what it holds.

A name proposes, the content decides: fractions are no algorithms, a number of its own in every row
is no sample, two columns that tell the same rows apart are one. What remains open is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
import pandas as pd

from podium.core.base.errors import ResultsError
from podium.core.samplings import ITEMS, Sampling
from podium.reading.cells.columns import (
    Tabular,
    count,
    free,
    groups,
    is_apart,
    is_constant,
    number_of,
    one_each,
)
from podium.reading.cells.vocabulary import (
    ABOUT_ROWS,
    BLOCKS,
    CONDITION,
    CONDITIONS,
    OF_BLOCKS,
    OF_ITEMS,
    Options,
    Said,
    candidates,
    is_id,
    is_size,
    is_word,
    known_measure,
    role_of,
)
from podium.reading.tables.sheets import has_items

STEPS = ("epoch",)  # of a training, unless there are items: then several answers of each
_FOLDS = re.compile(r"(fold|rep|boot|resample|split)[a-z]*[\s_-]?\d+", re.IGNORECASE)
FREE_WORDS = ("function", "scorer", "criterion")  # head measures only where they hold such


@dataclass(frozen=True)
class Roles:
    """The column of each role, and those columns whose names promised one that they do not have."""

    called: dict[str, str]
    left: list[str] = field(default_factory=list)


# -- what columns tell apart ----------------------------------------------------------------


def long_roles(table: Tabular, options: Options) -> Roles:
    """The column of each role of a long table; scores aside."""
    wording, design = options.columns, options.sampling
    called = {r: c[0] for r, c in wording.items() if r not in ("value", "ignore", "block", "sheet")}
    open_columns = free(table.columns, wording)
    for role in ("algorithm", "dataset", "measure"):
        if role not in called:
            _name(table, role, open_columns, called)
    if "measure" not in called:
        _measures_by_content(table, open_columns, called)
    blocks = _block_candidates(table, open_columns, called, wording, design)
    if "algorithm" not in called:
        text = algorithm_by_content(table, open_columns, called, list(blocks))
        called |= {"algorithm": text} if text else {}
    table = _condition(table, open_columns, called, blocks, design)
    called |= _blocks(table, called, blocks, has_items(design))
    if "cluster" not in called:
        _cluster(table, open_columns, called, design)
    promised = [c for c in open_columns if role_of(c) in ("algorithm", *ABOUT_ROWS)]
    return Roles(called, [c for c in promised if c not in called.values()])


def _name(table: Tabular, role: str, columns: Sequence[str], called: dict[str, str]) -> None:
    """The one column that is called by a role and can have it."""
    texts = [c for c in candidates(columns, role) if _suits(table, role, c)]
    if len(texts) > 1:
        texts = [c for c in texts if not is_constant(table, c)] or texts[:1]
        texts = one_each(table, texts)
    if len(texts) > 1:
        refuse_two(table, role, texts, called)
    if texts:
        called[role] = texts[0]


def _suits(table: Tabular, role: str, column: str) -> bool:
    """Whether a column can have the role that its name promises."""
    if role == "measure":
        return not is_word(column, FREE_WORDS) or _holds_measures(table, column)
    if role == "algorithm":
        return names_algorithms(table, column)
    return table.is_label(column)


def names_algorithms(table: Tabular, column: str) -> bool:
    """Whether a column of that name can name algorithms: no fractions, no number of every row."""
    numbers = table.is_numeric(column) and (is_id(column) or len(table.frame) > 2)
    label = table.is_label(column) or _is_headed(table, column)
    return label and not (numbers and is_apart(table, [column]))


def _is_headed(table: Tabular, column: str) -> bool:
    """Whether fractions are names: a score stands beside them, or their type is that of text.

    Learning rates and temperatures come again in every block, as scores do not.
    """
    if isinstance(table.frame[column].dtype, (pd.StringDtype, pd.CategoricalDtype)):
        return True
    scores = [c for c in table.columns if c != column and table.is_numeric(c)]
    if not any(role_of(c) == "value" or known_measure(c) for c in scores):
        return False
    return 2 * count(table.codes(column)) <= len(table.frame)


def _holds_measures(table: Tabular, column: str) -> bool:
    return table.is_text(column) and all(map(known_measure, table.names(column).names))


def _measures_by_content(table: Tabular, columns: Sequence[str], called: dict[str, str]) -> None:
    """A column of an unknown name that holds nothing but names of measures."""
    texts = [c for c in columns if c not in called.values() and not role_of(c) and table.is_text(c)]
    results = [c for c in texts if _full(table, c) and _holds_measures(table, c)]
    if len(results) == 1:
        called["measure"] = results[0]


def _full(table: Tabular, column: str) -> bool:
    return "" not in table.kinds(column).names


def refuse_two(
    table: Tabular, role: str, texts: Sequence[str], called: dict[str, str] | None = None
) -> NoReturn:
    """Ask which of several columns has a role; of two that name parts, both are proposed."""
    if role in ("algorithm", "dataset"):
        texts = sorted(texts, key=lambda c: -count(table.codes(c)))
        finest = count(groups(table, texts)) == count(table.codes(texts[0]))
        chosen = texts[0] if finest else "+".join(texts)
        rest = [] if chosen != texts[0] else texts[1:]
    else:
        chosen, rest = texts[0], list(texts[1:])
    text = {role: chosen} | ({"ignore": rest} if rest else {})
    raise ResultsError(
        f"{table.what} has {len(texts)} columns that may be the {role}: {', '.join(texts)}. "
        f"Say which: {table.way_out(**text)}."
    )


# -- blocks ---------------------------------------------------------------------------------


def _block_candidates(
    table: Tabular,
    columns: Sequence[str],
    called: dict[str, str],
    text: Said,
    design: Sampling | None,
) -> dict[str, list[str]]:
    """The columns that may tell the scores of one data set apart, by role."""
    messages = {b for b in BLOCKS if b in text}
    together = (
        {"sample", "fold", "seed", "item"} if has_items(design) else {"repeat", "fold", "seed"}
    )
    results: dict[str, list[str]] = {}
    for role in BLOCKS:
        # who says what the samples are means it; only some go together
        if role in called or (messages and not {role, *messages} <= together):
            continue
        labels = [c for c in candidates(columns, role) if c not in called.values()]
        results[role] = [c for c in labels if table.is_label(c) and _full(table, c)]
    folds = [c for c in results.get("item", []) if _labels_folds(table, c)]
    if folds:  # as the id of tidymodels
        results["item"] = [c for c in results["item"] if c not in folds]
        results["fold"] = results.get("fold", []) + folds
    if not results.get("item") and "item" not in called:
        steps = [c for c in results.get("sample", []) if is_word(c, STEPS)]
        results["sample"] = [c for c in results.get("sample", []) if c not in steps]
    return {role: names for role, names in results.items() if names}


def _labels_folds(table: Tabular, column: str) -> bool:
    """Whether all labels are such as Fold01, Fold01.Rep1, Repeat2 or Bootstrap07."""
    return all(_FOLDS.match(name) for name in table.names(column).names)


def _blocks(
    table: Tabular, called: dict[str, str], results: dict[str, list[str]], crossed: bool
) -> dict[str, str]:
    """Of the columns that may tell scores apart those that do, and that algorithms share.

    Where samples are `crossed` with items, both are needed.
    """
    every = [
        c for role in ("item", "fold", "repeat", "sample", "seed") for c in results.get(role, [])
    ]
    keys = [c for r, c in called.items() if r not in OF_BLOCKS]
    if len(every) > 1 and not crossed:
        every = one_each(table, [c for c in every if not is_constant(table, c)] or every[:1])
    if len(every) > 1 and not crossed:
        every = [c for c in every if not _is_own(table, called, c)] or every
    for column in [] if crossed else reversed(every):  # what the others tell apart needs no more
        others = [c for c in every if c != column]
        if others and is_apart(table, [*keys, *others]):
            every = others
    if len(every) == 1 and not _is_shared(table, called, every[0]):
        every = [] if _is_row_number(table, every[0]) else every
    chosen: dict[str, str] = {}
    for role, names in results.items():
        kept = [c for c in names if c in every]
        if len(kept) > 1:
            refuse_two(table, role, kept)
        chosen |= {role: kept[0]} if kept else {}
    return chosen


def _condition(
    table: Tabular,
    columns: Sequence[str],
    called: dict[str, str],
    blocks: dict[str, list[str]],
    design: Sampling | None,
) -> Tabular:
    """The column of what items are tried under: called so, and crossed with the items.

    Two that are crossed with each other, too (prompts and judges), are joined: the table then has
    a column of both.
    """
    names = [c for c in columns if is_word(c, CONDITIONS) and c not in called.values()]
    items = [called["item"]] if "item" in called else blocks.get("item", [])
    items = [c for c in items if c not in names]
    of_items = design is None or design.name == ITEMS.name
    if len(items) != 1 or not of_items:
        called.pop(CONDITION, None)
        return table
    if CONDITION not in called:
        labels = [c for c in names if table.is_label(c) and _full(table, c)]
        texts = one_each(table, [c for c in labels if _is_crossed(table, called, items[0], c)])
        if len(texts) > 1 and not _are_both_crossed(table, called, items[0], texts):
            refuse_two(table, CONDITION, texts)
        called |= {CONDITION: "+".join(texts)} if texts else {}
    parts = called.get(CONDITION, "").split("+")
    if any(part in blocks.get("item", []) for part in parts):
        blocks["item"] = items
    return table.joined("+".join(parts))


def _is_crossed(table: Tabular, called: dict[str, str], item: str, column: str) -> bool:
    """Whether most items come under several conditions, and conditions with several items."""
    within = [called[r] for r in ("dataset",) if r in called]
    pairs = count(groups(table, [*within, item, column]))
    return pairs > 1.5 * count(groups(table, [*within, item])) and pairs > 1.5 * count(
        groups(table, [*within, column])
    )


def _are_both_crossed(
    table: Tabular, called: dict[str, str], item: str, texts: Sequence[str]
) -> bool:
    """Whether two conditions are crossed with each other on the items of an algorithm."""
    within = [called[r] for r in ("dataset", "algorithm") if r in called]
    cells = count(groups(table, [*within, item, *texts]))
    once = [count(groups(table, [*within, item, column])) for column in texts]
    return len(texts) == 2 and _is_crossed(table, called, *texts) and cells > 1.5 * max(once)


def _is_shared(table: Tabular, called: dict[str, str], column: str) -> bool:
    """Whether some value of a column has rows of two algorithms."""
    if "algorithm" not in called or is_constant(table, called["algorithm"]):
        return True
    within = [called[r] for r in ("dataset",) if r in called]
    samples, algorithms = groups(table, [*within, column]), table.codes(called["algorithm"])
    size = count(algorithms)
    return number_of(samples * size + algorithms, count(samples) * size) > count(samples)


def _is_own(table: Tabular, called: dict[str, str], column: str) -> bool:
    return not _is_shared(table, called, column)


def _is_row_number(table: Tabular, column: str) -> bool:
    """Whether it is an id of which every row has its own: it numbers rows, and tells no samples."""
    return is_id(column) and is_apart(table, [column])


# -- clusters -------------------------------------------------------------------------------


def _cluster(
    table: Tabular, columns: Sequence[str], called: dict[str, str], design: Sampling | None
) -> None:
    """The column of clusters; words such as topic are clusters of items only."""
    items = "item" in called or (design is not None and design.name == ITEMS.name)
    texts = [c for c in candidates(columns, "cluster") if c not in called.values()]
    texts = [c for c in texts if items or not is_word(c, OF_ITEMS)]
    if "item" in called:
        within = [called[r] for r in ("dataset", "item") if r in called]
        texts = [c for c in texts if _is_cluster(table, c, within)]
    elif not any(b in called for b in BLOCKS):
        names = [c for c in texts if not is_word(c, OF_ITEMS)]
        if names:
            called["item"] = names[0]  # nothing else tells scores apart, as doc_id does
            texts = []
    if len(texts) > 1:
        texts = _coarsest(table, texts)
    if texts:
        called["cluster"] = texts[0]


def _is_cluster(table: Tabular, column: str, within: list[str]) -> bool:
    """Whether every item is in one cluster, and some cluster holds several items."""
    items = count(groups(table, within))
    clusters = count(groups(table, [*within[:-1], column]))
    one_each = count(groups(table, [*within, column])) == items
    return one_each and 1 < clusters < items and _full(table, column)


def _coarsest(table: Tabular, texts: list[str]) -> list[str]:
    """Of nested clusters the largest ones: what they hold may depend on each other."""
    texts = sorted(one_each(table, texts), key=lambda c: count(table.codes(c)))
    nested = all(count(groups(table, [texts[0], c])) == count(table.codes(c)) for c in texts)
    if not nested:
        refuse_two(table, "cluster", texts)
    return texts[:1]


# -- by content -----------------------------------------------------------------------------


def algorithm_by_content(
    table: Tabular, columns: Sequence[str], called: dict[str, str], blocks: Sequence[str]
) -> str | None:
    """A column of text whose few values repeat within every block."""
    heads = [c for c in columns if c not in called.values() and not role_of(c)]
    texts = [c for c in heads if table.is_text(c) and _full(table, c)]
    names = [c for role in blocks for c in candidates(columns, role)]
    within = [called[r] for r in ("dataset", "measure", *BLOCKS) if r in called]
    within += [c for c in names if table.is_label(c) and not is_apart(table, [c])]
    if not texts or not _has_scores(table, columns):
        return None
    if not within:
        return _alone(table, texts)
    results = [c for c in texts if _repeats_within(table, c, within)]
    results = one_each(table, results)
    if len(results) > 1:
        _refuse_names(table, results)
    return results[0] if results else None


def _alone(table: Tabular, texts: Sequence[str]) -> str | None:
    """The algorithm in a table that names no block: its only column of text, or it is asked."""
    some = [c for c in texts if 1 < count(table.codes(c)) <= len(table.frame) / 2]
    again = one_each(table, some)
    if len(again) > 1 and count(groups(table, again)) > max(count(table.codes(c)) for c in again):
        _refuse_names(table, again)
    return texts[0] if len(texts) == 1 and _repeats_evenly(table, texts[0]) else None


def _refuse_names(table: Tabular, texts: Sequence[str]) -> NoReturn:
    """Ask which of several columns of names holds the algorithms, and what the other one is."""
    ways = [table.way_out(algorithm=column) for column in texts]  # the others are asked about then
    if len(texts) == 2:
        both = (tuple(texts), tuple(reversed(texts)))
        ways = [table.way_out(algorithm=first, dataset=second) for first, second in both]
    refuse_half_battles(table)
    raise ResultsError(
        f"{table.what} has {len(texts)} columns that may be the algorithm: {', '.join(texts)}. "
        f"Say which is what: {' or '.join(ways)}; or all are: "
        f"{table.way_out(algorithm='+'.join(texts))}."
    )


def _has_scores(table: Tabular, columns: Sequence[str]) -> bool:
    """Whether one column alone can hold scores, or is called so: more may be algorithms."""
    numeric = [c for c in columns if role_of(c) in (None, "value") and table.is_numeric(c)]
    names = [c for c in numeric if role_of(c) == "value" or known_measure(c)]
    scores = [c for c in numeric if not is_size(c) and not is_id(c)]
    return bool(names) or len(scores) == 1


def _repeats_within(table: Tabular, column: str, within: Sequence[str]) -> bool:
    blocks = groups(table, within)
    pairs = np.unique(blocks * (count(table.codes(column)) + 1) + table.codes(column))
    each = np.bincount(pairs // (count(table.codes(column)) + 1))
    return bool((each > 1).all()) and 2 * count(table.codes(column)) <= len(table.frame)


def _repeats_evenly(table: Tabular, column: str) -> bool:
    each = pd.Series(table.codes(column)).value_counts()
    return len(each) > 1 and each.nunique() == 1 and each.iloc[0] > 1


BATTLE = (
    "model_a",
    "model_b",
    "winner",
)  # the columns of battles, which are read elsewhere


def refuse_half_battles(table: Tabular) -> None:
    """A table of battles that lacks one of its columns."""
    there = [c for c in BATTLE if c in table.columns and table.is_text(c)]
    gone = [f"'{c}'" for c in BATTLE if c not in table.columns]
    if len(there) == 2 and gone:
        raise ResultsError(
            f"{table.what} looks like battles and has no column {gone[0]}: they need 'model_a', "
            "'model_b' and 'winner' (model_a, model_b, tie or both_bad). Name the column so."
        )
