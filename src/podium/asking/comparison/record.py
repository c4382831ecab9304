"""One analysis as one record: what JSON holds, and what page, notebook and terminal render."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from podium.asking.comparison.next_steps import next_text
from podium.core.base.formatting import printable
from podium.core.inference.comparing.comparisons import Comparisons
from podium.core.inference.layouts import Layout
from podium.core.inference.numbers import tails
from podium.core.orders.order import Order
from podium.core.results.results import RECOGNISED
from podium.core.verdicts.standing import Standing, chip, standing
from podium.core.verdicts.verdict import next_sentence, verdict
from podium.core.words.facts import DETAIL, Note
from podium.core.words.phrases import plain
from podium.core.words.saying import plain as plain_values
from podium.core.words.saying import say
from podium.core.words.statements import holds_for

SCHEMA = "podium-analysis/1"  # docs/analysis.schema.json; keys are added, never renamed
MOST_CELLS = 20_000  # cells: of more, JSON has no single scores
LEVELS = ("detail", "remark", "caution", "invalid")  # of a caveat, by severity


def record(
    c: Comparisons, order: Order, layout: Callable[[], Layout | None] = lambda: None
) -> dict[str, Any]:
    """The analysis as plain values: evidence, decision, order, its words and the scores."""
    ranking, made = standing(c), layout()
    facts = c.to_dict()
    names, values = block_values(made)
    return {
        "schema": SCHEMA,
        **facts,
        "blocks": facts["blocks"] | {"names": names},
        **words_of(c, ranking, lambda: made),
        "values": None if values is None else {c.measure: values},
        "order": order.to_dict(),
        **_judge(c),
    }


def _judge(c: Comparisons) -> dict[str, Any]:
    """Of a corrected judge: its own score of every model, and its bias with limits."""
    rows = [asdict(bias) for bias in biases(c)]
    return {"judge": plain_values(rows)} if rows else {}


def words_of(
    c: Comparisons, ranking: Standing | None, layout: Callable[[], Layout | None]
) -> dict[str, Any]:
    """The sentences: headline, evidence, what it holds for, caveats, what is next."""
    return {
        "headline": plain(verdict(c, ranking)),
        "sentence": next_sentence(c, ranking),
        "holds_for": holds_for(c.claim),
        "caveats": [caveat(note) for note in caveats(c)],
        "next": "" if ranking is None or c.is_forced else next_text(c, ranking, layout),
    }


def caveats(c: Comparisons) -> Iterator[Note]:
    """What limits the conclusion or says how to read it, the gravest first."""
    known = [n for n in c.warnings if n.severity is not DETAIL and n.code != RECOGNISED]
    yield from sorted(known, key=lambda note: -note.severity)


def caveat(note: Note) -> dict[str, Any]:
    """A note as JSON has it: `level` caution and above changes what may be concluded."""
    return {
        "code": note.code,
        "level": LEVELS[note.severity],
        "short": chip(note),
        "text": printable(say(note)),
    }


def block_values(made: Layout | None) -> tuple[list[str] | None, Mapping[str, Any] | None]:
    """Names of blocks and scores by algorithm in the measure's own sign; None beyond a bound."""
    if made is None or made.items.linearised is not None:  # influence values are no scores
        return None, None
    values, labels = block_scores(made)
    if values.size > MOST_CELLS:
        return None, None
    names = [str(label) for label in labels] or [str(i + 1) for i in range(len(values))]
    columns = zip(made.algorithms, (made.sign * values).T, strict=True)
    return names, plain_values({name: column.tolist() for name, column in columns})


def block_scores(made: Layout) -> tuple[np.ndarray, tuple[str, ...]]:
    """Scores per block, larger is better; where samples lie within data sets, per data set."""
    if made.nested.within is not None:
        return made.by_dataset(), made.nested.datasets
    return made.values, made.labels if len(made.labels) == len(made.values) else ()


@dataclass(frozen=True)
class Bias:
    """What the judge alone says of a model, and its bias on the labelled items with limits."""

    algorithm: str
    judge: float
    bias: float
    lower: float
    upper: float
    p: float

    @property
    def is_biased(self) -> bool:
        """Whether the limits, which hold for all models together, exclude no bias."""
        return self.lower > 0 or self.upper < 0


def biases(c: Comparisons) -> tuple[Bias, ...]:
    """The bias of every model (judge minus people); nothing where there was no judge."""
    note = next((n for n in c.warnings if n.code == "judge-bias"), None)
    if note is None:
        return ()
    each = 1 - (1 - c.alpha) ** (1 / len(note.by))  # Šidák over the models
    reach = float(tails.t_isf(each / 2, note.df))
    return tuple(
        Bias(name, raw, bias, bias - reach * error, bias + reach * error, p)
        for (name, bias, p), (raw, error) in zip(note.by, note.raw, strict=True)
    )
