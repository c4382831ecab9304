"""The options that verbs, commands and study files share, each declared once."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import pandas as pd

from podium.core.base.errors import InferenceError
from podium.core.base.formatting import listed
from podium.core.base.options import (
    INPUT,
    OUTPUT,
    QUESTION,
    TEST,
    Option,
    declare,
    is_number,
    is_share,
    is_whole,
)
from podium.core.base.options import OPTIONS as DECLARED
from podium.core.base.registry import unknown

PAIRS, COMPLETE, WORST = GAPS = ("pairs", "complete", "worst")  # what to do about missing scores
ALPHA = 0.05  # the usual level


def check_alpha(alpha: Any) -> None:
    """Refuse a level that does not lie between 0 and 1."""
    if not is_share(alpha):
        raise InferenceError(f"alpha must lie between 0 and 1, not {alpha!r}.")


def check_relevance(relevance: Any) -> None:
    """Refuse what is no finite number."""
    if not is_number(relevance) or not math.isfinite(relevance):
        raise InferenceError(f"relevance must be a number of at least 0, not {relevance!r}.")


def check_gaps(gaps: Any) -> None:
    """Refuse another way to treat missing scores than those that are known."""
    if gaps is not None and gaps not in GAPS:
        raise InferenceError(unknown("policy for missing scores", gaps, GAPS))


def check_seed(seed: Any) -> None:
    """Refuse a seed that no generator takes."""
    if not is_whole(seed, 0, numpy=True):
        raise InferenceError(f"A seed is a whole number from 0 on, not {seed!r}.")


FLAG = {"is_flag": True, "default": None}
NUMBER = {"type": float}
WHOLE = {"type": int}

declare(
    # -- what a file holds
    Option(
        "sampling",
        "How the scores were made, if the file does not say: cv:10, bootstrap, seeds.",
        "str | Sampling | None",
        sets=("reading",),
        section=INPUT,
    ),
    Option(
        "measure",
        "What the scores are, or which of several measures.",
        sets=("reading", "choosing"),
        section=INPUT,
        flags=("--measure", "-m"),
        in_plan=True,
    ),
    Option(
        "columns",
        "Roles of columns, e.g. algorithm=method,value=acc,ignore=n.",
        "str | Mapping[str, str | Iterable[str]] | None",
        sets=("reading",),
        section=INPUT,
    ),
    Option(
        "higher_is_better",
        "Direction of the measure.",
        "bool | None",
        sets=("reading",),
        section=INPUT,
        flags=("--higher-is-better/--lower-is-better",),
        line={"default": None},
    ),
    Option(
        "step",
        "Training curves: which score counts: last, best, mean or a number of steps [last].",
        "str | int | None",
        sets=("reading",),
        section=INPUT,
        rare=True,
    ),
    Option(
        "where",
        "Only rows with this value, e.g. split=test; may be repeated.",
        "str | Iterable[str] | None",
        sets=("reading",),
        section=INPUT,
        line={"multiple": True, "metavar": "COLUMN=VALUE"},
    ),
    Option(
        "recipe",
        "A TOML file with the roles of columns, as `podium read FILE -o` writes it.",
        "str | None",
        sets=("reading",),
        section=INPUT,
        rare=True,
    ),
    Option(
        "exclude",
        "Leave out these data sets, separated by commas; add a --reason.",
        sets=("excluding",),
        section=INPUT,
    ),
    Option(
        "reason",
        "Reason for excluding them; shown in the results.",
        sets=("excluding",),
        section=INPUT,
        rare=True,
    ),
    # -- what is compared
    Option(
        "target",
        "What the conclusion is about: sample, population, test-set, datasets or "
        "dataset-population [depends on the design].",
        sets=("choosing",),
        section=QUESTION,
        in_plan=True,
    ),
    Option(
        "dataset",
        "Only this data set of several.",
        sets=("choosing",),
        section=INPUT,
        flags=("--dataset", "-d"),
    ),
    Option(
        "scale",
        "Compare data sets by raw, ranks, best, baseline:NAME, ratio:NAME or normalised [raw].",
        sets=("choosing",),
        section=TEST,
        rare=True,
    ),
    # -- how
    Option(
        "procedure",
        "A test from `podium list tests` [chosen by the design].",
        "str | Procedure | None",
        sets=("line",),
        section=TEST,
        flags=("--procedure", "-p"),
        in_plan=True,
    ),
    Option(
        "null",
        "Null distribution: asymptotic, normal, permutation:N, exact, bootstrap:N; for counts also "
        "corrected, mid-p [the test's].",
        "str | NullBrick | None",
        sets=("testing",),
        section=TEST,
        rare=True,
    ),
    Option(
        "adjust",
        "Adjustment for several comparisons: holm, single-step, closed, bonferroni ... "
        "[the test's].",
        sets=("testing",),
        section=TEST,
        rare=True,
    ),
    Option(
        "control",
        "Compare every algorithm with this one only.",
        sets=("testing",),
        section=QUESTION,
        in_plan=True,
    ),
    Option(
        "pairs",
        'Compare these pairs only, e.g. [("svm", "lda")].',
        "Sequence[tuple[str, str]] | None",
        sets=("testing",),
        flags=(),
        in_plan=True,
    ),
    Option(
        "contrasts",
        'Contrasts of your own, e.g. {"new": {"svm": 1, "lda": -0.5, "nb": -0.5}}, or a matrix '
        "with one column per algorithm.",
        "Contrasts | np.ndarray | None",
        sets=("comparing",),
        flags=(),
    ),
    Option(
        "estimate",
        "Another estimate: means, mixed, block-sums, block-sums:ranks ..., or a function of a "
        "layout.",
        "str | Estimator | None",
        sets=("testing",),
        flags=(),
    ),
    Option(
        "alternative",
        "Alternative hypothesis for first - second: two-sided, less or greater [two-sided].",
        "str",
        "two-sided",
        sets=("testing",),
        section=TEST,
        rare=True,
    ),
    Option(
        "alpha",
        "Error level [0.05].",
        "float",
        ALPHA,
        check_alpha,
        sets=("testing",),
        section=TEST,
        line=NUMBER,
        in_plan=True,
    ),
    Option(
        "relevance",
        "Smallest difference that matters [0].",
        "float",
        0.0,
        check_relevance,
        sets=("testing",),
        section=TEST,
        line=NUMBER,
        in_plan=True,
    ),
    Option(
        "non_inferiority",
        "Test that the first, or each against --control, is not worse by M.",
        "float | None",
        sets=("comparing", "margins"),
        section=QUESTION,
        line={**NUMBER, "metavar": "M"},
    ),
    Option(
        "equivalence",
        "Test that two differ by no more than M.",
        "float | None",
        sets=("comparing", "margins"),
        section=QUESTION,
        line={**NUMBER, "metavar": "M"},
    ),
    Option(
        "gaps",
        "Missing scores: pairs, complete or worst [pairs, with failed runs as worst].",
        "str | None",
        None,
        check_gaps,
        sets=("testing",),
        section=INPUT,
        in_plan=True,
    ),
    Option(
        "force",
        "Run a test that is not valid here; the output is marked.",
        "bool",
        False,
        sets=("testing",),
        section=TEST,
        rare=True,
        line={"is_flag": True},
    ),
    Option(
        "posterior",
        "Bayesian analysis: P(better), P(best), expected rank.",
        "bool | str",
        False,
        sets=("comparing", "bayes"),
        section=QUESTION,
        flags=("--bayes", "posterior"),
        line=FLAG,
    ),
    Option(
        "rope",
        "With --bayes: two that differ by no more than D are practically the same [0].",
        "float | None",
        sets=("comparing", "bayes"),
        section=QUESTION,
        rare=True,
        line={**NUMBER, "metavar": "D"},
    ),
    Option(
        "rho",
        "With --bayes: correlation of scores that share training rows [by the sampling].",
        "float | None",
        sets=("comparing", "bayes"),
        section=QUESTION,
        rare=True,
        line={**NUMBER, "metavar": "R"},
    ),
    Option(
        "weights",
        "Weights of data sets for survey-fixed, e.g. iris=2,glass=1, or a table [all 1]; with -m "
        "accuracy,cost of these measures, whose sum is compared: accuracy=1,cost=-0.02.",
        "Mapping[str, float] | str | None",
        sets=("comparing",),
        section=TEST,
        rare=True,
    ),
    Option(
        "covariates",
        "Battles: covariates to adjust for besides position, e.g. judge,length; none drops "
        "position.",
        "str | Sequence[str] | None",
        sets=("comparing",),
        section=QUESTION,
        rare=True,
        line={"metavar": "NAMES"},
    ),
    Option(
        "judge",
        "Column of a judge's scores, for all items.",
        sets=("comparing", "judged"),
        section=QUESTION,
        line={"metavar": "COLUMN"},
    ),
    Option(
        "human",
        "With --judge: column of people's scores, of some items.",
        sets=("comparing", "judged"),
        section=QUESTION,
        line={"metavar": "COLUMN"},
    ),
    Option(
        "factors",
        "Parts that algorithms are made of: columns, as in encoder,loss; or how names are made, "
        "as in encoder-loss, + or ablation.",
        "str | Sequence[str] | Mapping[str, Any] | None",
        section=QUESTION,
        line={"metavar": "NAMES"},
    ),
    Option(
        "margin",
        "Several measures: a loss that does not count, e.g. accuracy=0.01; may be repeated.",
        "Sequence[str]",
        (),
        section=QUESTION,
        line={"metavar": "MEASURE=M", "multiple": True},
    ),
    # -- of studies that stop early
    Option(
        "spending",
        "How alpha is spent over the looks: obf or power2 [obf].",
        "str",
        "obf",
        sets=("stopping",),
        section=TEST,
    ),
    Option(
        "looks",
        "Number of looks at the scores [20].",
        "int",
        20,
        sets=("stopping",),
        section=TEST,
        line=WHOLE,
    ),
    Option(
        "open",
        "No fixed number: look at any time, with less power.",
        "bool",
        False,
        sets=("stopping",),
        section=TEST,
        rare=True,
        line=FLAG,
    ),
    # -- of runs and draws
    Option("seed", "Seed of the random draw [0].", "int", 0, check_seed, line=WHOLE),
    Option(
        "trust",
        "A package besides scikit-learn that the study may run code of; may be repeated.",
        "Sequence[str]",
        (),
        line={"metavar": "PACKAGE", "multiple": True},
    ),
    Option(
        "progress",
        "A function that is called with (done, total) as the work goes on.",
        "Progress | None",
        flags=(),
    ),
)

# -- of the command line alone: where results go, and how much is shown ---------------------------
declare(
    Option("item", "Column that names the items [item, question, id ...].", section=INPUT),
    Option(
        "score_bounds",
        "Between which scores lie.",
        section=INPUT,
        flags=("--bounds",),
        line={"metavar": "LOW,HIGH"},
    ),
    Option("watch", "Watch the study while it runs.", section=OUTPUT, line={"is_flag": True}),
    Option("store", "The results file [STUDY.db beside the study].", section=OUTPUT),
    Option(
        "jobs",
        "Number of processes; -1 is one per core.",
        flags=("--jobs", "-j"),
        line={"default": -1, "show_default": True},
    ),
    Option(
        "family",
        "Kind of consensus: linear (no ties), weak (layers), partial or strict [weak].",
        section=TEST,
    ),
    Option("json", "Write everything as JSON; - for the screen.", section=OUTPUT),
    Option("report", "Write a page.", section=OUTPUT),
    Option("csv", "Write the table as CSV.", section=OUTPUT),
    Option("latex", "Write the table in LaTeX.", section=OUTPUT),
    Option("markdown", "Write the table in Markdown.", section=OUTPUT, rare=True),
    Option("output", "The file to write.", section=OUTPUT, flags=("--output", "-o")),
    Option(
        "every",
        "Show all rows, however many there are.",
        section=OUTPUT,
        flags=("--all", "every"),
        line={"is_flag": True},
    ),
    Option("why", "Show all notes in full.", section=OUTPUT, line={"is_flag": True}),
    Option(
        "quiet",
        "No progress, no summary.",
        section=OUTPUT,
        flags=("--quiet", "-q"),
        line={"is_flag": True},
    ),
)


# -- plans that are fixed -----------------------------------------------------------------------
# A plan of analysis that is fixed before the first score, its versions, and what came of it.


FIXED = ("name", "seed", "sampling_identity", "fits", "measures", "datasets", "samples",
         "algorithms", "frame", "roles", "development")  # fmt: skip
OPTIONS = tuple(option.name for option in DECLARED.values() if option.in_plan)


@dataclass(frozen=True)
class AnalysisPlan:
    """What will be asked of the scores; None leaves a choice to the design."""

    measure: str
    target: str | None = None
    procedure: str | None = None
    alpha: float = ALPHA
    relevance: float = 0.0
    control: str | None = None
    pairs: tuple[tuple[str, str], ...] | None = None
    subgroups: Mapping[str, tuple[str, ...]] | None = None  # data sets of each
    gaps: str = PAIRS
    sequential: Mapping[str, Any] | None = None  # goal, spending, looks, open

    def options(self) -> dict[str, Any]:
        """What `compare` is asked."""
        every = {name: getattr(self, name) for name in OPTIONS}
        if self.gaps == PAIRS:  # a plan does not tell whether it was written or left out
            del every["gaps"]
        return {name: value for name, value in every.items() if value is not None}

    def to_dict(self) -> dict[str, Any]:
        """As a store keeps it."""
        return dict(json.loads(json.dumps(asdict(self))))

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> AnalysisPlan:
        """From what a store keeps."""
        known = {f.name for f in fields(cls)}
        made = {name: value for name, value in kept.items() if name in known}
        if made.get("pairs") is not None:
            made["pairs"] = tuple((first, second) for first, second in made["pairs"])
        if made.get("subgroups") is not None:
            made["subgroups"] = {g: tuple(names) for g, names in made["subgroups"].items()}
        return cls(**made)


@dataclass(frozen=True)
class Version:
    """A plan with what of its study was fixed, when, and how many runs were done by then."""

    plan: AnalysisPlan
    study: Mapping[str, Any]
    time: str
    done: int = 0

    @property
    def fingerprint(self) -> str:
        """The same for the same study, data and plan, whenever and wherever registered."""
        content = json.dumps([self.plan.to_dict(), self.study], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def to_dict(self) -> dict[str, Any]:
        """As a store keeps it."""
        plan = self.plan.to_dict()
        kept = {"fingerprint": self.fingerprint, "plan": plan, "study": dict(self.study)}
        return {**kept, "time": self.time, "done": self.done}

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Version:
        """From what a store keeps."""
        return cls(AnalysisPlan.of(kept["plan"]), kept["study"], kept["time"], kept["done"])


def planned_value(value: Any) -> str:
    """What a plan says under a key, as people write it.

    >>> planned_value([["svm", "lda"], ["nb", "lda"]])
    'svm and lda, nb and lda'
    >>> planned_value({"small": ["iris", "glass"], "large": ["letter"]})
    'small (iris, glass), large (letter)'
    >>> planned_value({"goal": "order", "looks": 20})
    'goal order, looks 20'
    """
    if isinstance(value, Mapping):
        return listed(
            [
                f"{key} ({listed(held)})" if _is_list(held) else f"{key} {held}"
                for key, held in value.items()
            ]
        )
    if _is_list(value):
        return listed([" and ".join(one) if _is_list(one) else str(one) for one in value])
    return str(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def fixed_of(definition: Mapping[str, Any]) -> dict[str, Any]:
    """What a plan fixes of a study's definition."""
    return {name: definition[name] for name in FIXED if name in definition}


def binding(versions: Sequence[Version]) -> Version:
    """The version that holds: the last one before the first score."""
    return [v for v in versions if not v.done][-1]


@dataclass(frozen=True, eq=False)
class PlannedAndDone:
    """What a study planned, and all that was done otherwise.

    Attributes
    ----------
    deviations : one row each: about what, what was planned, what was done.
    exploratory : whether more or other things were asked than planned.
    """

    version: Version
    versions: tuple[Version, ...]
    deviations: pd.DataFrame
    exploratory: bool

    def to_dict(self) -> dict[str, Any]:
        """What JSON holds of it."""
        # what was planned does not have the word at all
        return ({"exploratory": True} if self.exploratory else {}) | {
            "registered": {
                "fingerprint": self.version.fingerprint,
                "time": self.version.time,
                "plan": self.version.plan.to_dict(),
                "versions": [version.to_dict() for version in self.versions],
            },
            "planned_and_done": self.deviations,
        }
