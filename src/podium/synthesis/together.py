"""Several studies together: every pair over the studies that compared it, or a network.

Pair by pair each difference has random effects of its own, by REML with Hartung and Knapp's error
and by the plain t over studies, of which the more careful counts. A network takes all studies at
once, with one tau, so that algorithms which no study compared can be compared through others; t has
the df that the contrasts leave. Limits are for all pairs at once, and they decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.base.errors import InferenceError
from podium.inference.bricks.adjustments import sidak
from podium.questions.options import check_alpha
from podium.questions.targets import STUDY, STUDY_POPULATION, said_of
from podium.synthesis.pooled_pairs import Level, compared_pairs, of_network, p_scores, pair_by_pair
from podium.synthesis.random_effects import LEAST_FOR_BIAS, LEAST_STUDIES, METHODS
from podium.synthesis.reported_studies import Reported, check_apart, check_names
from podium.synthesis.words import PAIRS_INSTEAD, SAME_OVER_STUDIES, meta_heading, meta_verdict
from podium.words.facts import DETAIL, REMARK, Hypothesis, Note, Statement
from podium.words.presentation import Presented, written
from podium.words.statements import statement

UNDECIDED = "undecided"
ROUGH = 30  # studies, below which an interval of prediction covers less than it says


@dataclass(frozen=True, eq=False, repr=False)
class MetaAnalysis(Presented):
    """Studies taken together.

    Attributes
    ----------
    pairs : one row per pair: over how many studies, first less second with its standard error and
        limits (for all pairs at once), p, p adjusted (Šidák) over the pairs, tau2 between studies
        with its interval, i2 (the share of the variation that is between studies), Q, the interval
        of the result of a new study, the verdict (decided where the limits exclude 0), and Egger's
        t and p where 10 studies allow it.
    studies : one row per study and pair: its difference, standard error, and weight.
    network : of a network its tau2, Q, I2 and inconsistency, else None.
    splits : of a network what studies of a pair say directly, and what all others say.
    scores : of a network the P-score of each algorithm: how surely it is better than the others.
    """

    pairs: pd.DataFrame
    studies: pd.DataFrame
    names: tuple[str, ...]
    measure: str
    higher_is_better: bool | None
    method: str
    alpha: float
    statement: str
    network: dict[str, Any] | None
    splits: pd.DataFrame
    scores: pd.DataFrame
    notes: tuple[Note, ...]
    target: str = STUDY_POPULATION

    def _said(self) -> list[str]:
        texts = [
            meta_verdict(row, self.measure, self.alpha)
            for row in self.pairs.to_dict("records")
            if len(self.pairs) == 1 or row["verdict"] != UNDECIDED
        ]
        heading = meta_heading(
            self.measure,
            self.higher_is_better,
            len(self.names),
            self.method,
            self.network,
            texts,
            by_dataset="datasets" in self.pairs,
        )
        return [*heading, self.statement]

    def _tables(self) -> dict[str, pd.DataFrame]:
        return {
            "Pairs": _judgement(self.pairs),
            "How studies differ, and what a new one would show": _spread(
                self.pairs, self.network is not None
            ),
            "Direct against indirect": self.splits,
            "P-scores": self.scores,
            "Studies": self.studies,
        }

    def to_csv(self, path: str | Path | None = None) -> str:
        """All that is known of the pairs, as CSV."""
        return written(_flat(self.pairs).to_csv(index=False, lineterminator="\n"), path)

    def _facts(self) -> dict[str, Any]:
        network = self.network and self.network | {"splits": self.splits, "scores": self.scores}
        return {
            "measure": self.measure,
            "higher_is_better": self.higher_is_better,
            "blocks": {"kind": STUDY, "count": len(self.names)},
            "target": self.target,
            "statement": self.statement,
            "method": self.method,
            "alpha": self.alpha,
            "pairs": self.pairs,
            "studies": self.studies,
            "network": network,
            "warnings": self.notes,
        }


PAIR, NEW = ["first", "second"], ["new_lower", "new_upper"]
BETWEEN = ["tau2", "tau2_dataset", "tau2_rest", "i2"]
EGGER = ["egger_t", "egger_p"]


def _judgement(pairs: pd.DataFrame) -> pd.DataFrame:
    """What is said of the mean over studies, as far as a terminal is wide; CSV has the rest."""
    error, p = (["error"], "p") if len(pairs) == 1 else ([], "p_adjusted")
    limits = ["estimate", *error, "lower", "upper"]
    return _some(_flat(pairs), [*PAIR, "studies", "datasets", *limits, p, "verdict"])


def _spread(pairs: pd.DataFrame, network: bool) -> pd.DataFrame:
    """How studies differ, which a network says of all pairs at once."""
    between = [] if network else BETWEEN
    return _some(_flat(pairs), [*PAIR, *between, *NEW, *EGGER])


def _some(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    return table[[name for name in names if name in table]]


def _flat(pairs: pd.DataFrame) -> pd.DataFrame:
    """The pairs with two columns for every interval, less what only JSON holds."""
    lower, upper = (pairs["prediction"].str[side] for side in (0, 1))
    some = pairs.drop(columns=["prediction", "tau2_interval", "q", "df"])
    place = some.columns.get_loc("verdict")
    some.insert(place, "new_lower", lower)
    some.insert(place + 1, "new_upper", upper)
    return some.dropna(axis=1, how="all")


def together(
    studies: Sequence[Reported],
    *,
    network: bool = False,
    measure: str = "",
    higher_is_better: bool | None = None,
    method: str = "reml",
    alpha: float = 0.05,
) -> MetaAnalysis:
    """Studies taken together, pair by pair or as a network."""
    check_alpha(alpha)
    METHODS[method]
    if len(studies) < LEAST_STUDIES:
        raise InferenceError(
            f"A synthesis needs {LEAST_STUDIES} studies, and there is {len(studies)}: "
            "name more stores or tables, or name the column of studies by --by."
        )
    check_names(studies)
    every = compared_pairs(studies)
    if network:
        check_apart(studies, PAIRS_INSTEAD)
        result = of_network(studies, method, alpha)
        family = len(result.pairs)
    else:
        family = len(every)
        result = pair_by_pair(studies, every, method, Level(alpha, family))
    table = _judged(result.pairs, higher_is_better, family)
    fewest = len(studies) if network else int(table["studies"].min())
    modelled = network or "datasets" in table  # by tau, what a new study would show
    notes = _notes(table, higher_is_better, fewest, modelled)
    return MetaAnalysis(
        table,
        result.rows,
        tuple(s.name for s in studies),
        measure or "estimate",
        higher_is_better,
        method,
        alpha,
        _stated(measure),
        result.facts,
        result.splits,
        p_scores(result.fitted, higher_is_better),
        (
            *result.notes,
            *_messages(studies),
            *notes,
        ),
    )


# -- what is said ---------------------------------------------------------------------------------


def _judged(table: pd.DataFrame, higher_is_better: bool | None, family: int) -> pd.DataFrame:
    """With p adjusted over the pairs, and verdicts; without a direction these tell the sign."""
    if higher_is_better is None:
        words = ("higher", "lower")
    else:
        words = ("better", "worse") if higher_is_better else ("worse", "better")
    adjusted = np.fmax(sidak(table["p"].to_numpy(float), family), table["p"])
    table.insert(table.columns.get_loc("p") + 1, "p_adjusted", adjusted)
    verdicts = np.select([table["lower"] > 0, table["upper"] < 0], words, UNDECIDED)
    table.insert(table.columns.get_loc("prediction") + 1, "verdict", verdicts)
    return table


def _stated(measure: str) -> str:
    text = said_of(STUDY, STUDY_POPULATION)
    tested = Hypothesis(SAME_OVER_STUDIES)
    return statement(Statement(tested, measure, STUDY, STUDY_POPULATION, text))


def _messages(studies: Sequence[Reported]) -> Iterator[Note]:
    """What is said of single studies, together where it is the same."""
    every = [note for study in studies for note in study.notes]
    for code in dict.fromkeys(note.code for note in every):
        same = [note for note in every if note.code == code]
        yield Note(code, studies=tuple(note.study for note in same))


def _notes(
    table: pd.DataFrame, higher_is_better: bool | None, fewest: int, modelled: bool
) -> Iterator[Note]:
    if higher_is_better is None:
        yield Note("direction-not-said", REMARK)
    if modelled and fewest < ROUGH:
        yield Note("prediction-rough", REMARK, studies=fewest, least=ROUGH)
    tested = table[table["egger_p"].notna()]
    odd = tested[tested["egger_p"] < 0.05]
    if len(odd):
        pairs = tuple(zip(odd["first"], odd["second"], strict=True))
        yield Note("small-studies-differ", pairs=pairs, p=float(odd["egger_p"].min()))
    if not len(tested):
        yield Note("bias-not-tested", DETAIL, least=LEAST_FOR_BIAS)
