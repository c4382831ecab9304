"""Study: data sets x algorithms x sampling x measures x seed; it lists Runs."""

from __future__ import annotations

import copy
import hashlib
import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from podium.core import samplings
from podium.core.base import options as checks
from podium.core.base.errors import DesignError
from podium.core.base.options import about, is_number, is_share, is_whole
from podium.core.base.registry import did_you_mean, unknown
from podium.core.questions.measures import DEFAULTS
from podium.core.questions.options import GAPS, OPTIONS, AnalysisPlan
from podium.core.questions.targets import TARGETS
from podium.core.results.weights import OWN_ROWS, ROWS, WEIGHTS
from podium.core.samplings import Sampling, halvings
from podium.core.words import saying
from podium.running.design.bare import algorithms_of, datasets_of
from podium.running.design.data.datasets import Dataset, task_noun
from podium.running.design.data.processes import Process
from podium.running.design.frames import Frame
from podium.running.design.learners.algorithms import Algorithm
from podium.running.design.learners.preprocessing import weight_parameter
from podium.running.design.measuring.scoring import Computed, all_computed, unsuited
from podium.running.design.samples.drawing import (
    OWN,
    check_correction,
    check_groups,
    check_sampling,
    drawing,
    own_samples,
)
from podium.running.design.samples.generators import generator_detail
from podium.running.design.samples.sampler import (
    SIZED,
    Sampler,
    SplitterSplits,
    check_halves,
    check_size,
    checked_sizes,
    halved_facts,
    in_sizes,
    read_indices,
    splitter_sampling,
)

# -- the table [analysis] of a study --------------------------------------------------------------
# What it may say, and whether it suits the study.


KEYS = (*OPTIONS, "subgroups", "sequential")
SEQUENTIAL = {"goal": str, "spending": str, "looks": int, "open": bool}
GOALS = ("order", "race")


def planned_analysis(
    given: Mapping[str, Any] | AnalysisPlan | None,
    measures: Sequence[str],
    algorithms: Sequence[str],
    datasets: Sequence[str],
) -> AnalysisPlan | None:
    """The plan that a study file, or a mapping, describes; with defaults for what it leaves out."""
    if given is None:
        return None
    plan = given.to_dict() if isinstance(given, AnalysisPlan) else given
    if not isinstance(plan, Mapping):
        raise DesignError(f"The plan of the analysis is a table, not {plan!r:.60}.")
    plan = {key: value for key, value in plan.items() if value is not None}
    for key in plan:
        if key not in KEYS:
            raise DesignError(
                f"[analysis] has no key '{key}'.{did_you_mean(key, KEYS)} Known: "
                f"{', '.join(KEYS)}.",
                (key,),
            )
    if len(algorithms) < 2:
        raise DesignError("A study of one algorithm has no pair to plan: leave out [analysis].")
    _check_texts(plan)
    _check_numbers(plan)
    _planned_analysis_check_names(plan, algorithms, datasets)
    _check_sequential(plan)
    return AnalysisPlan.of({**plan, "measure": _measure(plan.get("measure"), measures)})


def _measure(name: str | None, measures: Sequence[str]) -> str:
    if name is None and len(measures) > 1:
        raise DesignError(
            f"[analysis] needs 'measure', the primary one: one of {', '.join(measures)}."
        )
    if name is not None and name not in measures:
        raise DesignError(unknown("measure of this study", name, measures), ("measure",))
    return name or measures[0]


def _check_texts(texts: Mapping[str, Any]) -> None:
    for key in ("measure", "target", "procedure", "control", "gaps"):
        if key in texts and not isinstance(texts[key], str):
            raise DesignError(f"'{key}' must be a text, not {texts[key]!r:.60}.", (key,))
    for key, kind, known in (
        ("target", "target", tuple(TARGETS)),
        ("gaps", "way to treat gaps", GAPS),
    ):
        if key in texts and texts[key] not in known:
            raise DesignError(unknown(kind, texts[key], known), (key,))


def _check_numbers(texts: Mapping[str, Any]) -> None:
    if "alpha" in texts and not is_share(texts["alpha"]):
        raise DesignError(f"'alpha' lies between 0 and 1, not {texts['alpha']!r:.60}.", ("alpha",))
    margin = texts.get("relevance", 0.0)
    if not is_number(margin) or not 0 <= margin < float("inf"):
        raise DesignError(f"'relevance' is a number from 0 on, not {margin!r:.60}.", ("relevance",))


def _planned_analysis_check_names(
    texts: Mapping[str, Any], algorithms: Sequence[str], datasets: Sequence[str]
) -> None:
    if "control" in texts and "pairs" in texts:
        raise DesignError("Say either 'control' or 'pairs', not both.", ("pairs",))
    pairs = texts.get("pairs", [])
    if not _are_pairs(pairs) or (pairs == [] and "pairs" in texts):
        raise DesignError("'pairs' is a list of pairs, as [['svm', 'lda']].", ("pairs",))
    for key, names in (("control", [texts[k] for k in ("control",) if k in texts]),
                       ("pairs", [name for pair in pairs for name in pair])):  # fmt: skip
        for name in names:
            if name not in algorithms:
                raise DesignError(unknown("algorithm of this study", name, algorithms), (key,))
    if "subgroups" in texts:
        _check_subgroups(texts["subgroups"], datasets)


def _are_pairs(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(
        isinstance(pair, (list, tuple)) and len(pair) == 2 and pair[0] != pair[1] for pair in value
    )


def _check_subgroups(groups: Any, datasets: Sequence[str]) -> None:
    is_table = isinstance(groups, Mapping) and all(
        isinstance(v, (list, tuple)) for v in groups.values()
    )
    if not is_table:
        raise DesignError(
            "'subgroups' is a table of lists of data sets, as { small = ['iris', 'glass'] }.",
            ("subgroups",),
        )
    names = [name for group in groups.values() for name in group]
    for name in names:
        if name not in datasets:
            raise DesignError(unknown("data set of this study", name, datasets), ("subgroups",))
        if names.count(name) > 1:
            raise DesignError(f"The data set '{name}' is in two subgroups.", ("subgroups",))
    sizes = {group: len(members) for group, members in groups.items()}
    if len(sizes) < 2 or max(sizes.values()) < 2:
        groups_here = ", ".join(f"'{group}' with {size}" for group, size in sizes.items()) or "none"
        raise DesignError(
            "'subgroups' are at least two, of which one has two data sets or more; here: "
            f"{groups_here}. Put data sets into another group, or leave 'subgroups' out.",
            ("subgroups",),
        )


def _check_sequential(texts: Mapping[str, Any]) -> None:
    if "sequential" not in texts:
        return
    with about("sequential"):
        rule = texts["sequential"]
        if not isinstance(rule, Mapping):
            raise DesignError("'sequential' is a table, as { goal = 'order', looks = 20 }.")
        for key, value in rule.items():
            if key not in SEQUENTIAL:
                raise DesignError(unknown("key of 'sequential'", key, tuple(SEQUENTIAL)))
            if not isinstance(value, SEQUENTIAL[key]) or (
                key == "looks" and not is_whole(value, 1)
            ):
                raise DesignError(f"'{key}' of 'sequential' cannot be {value!r:.60}.")
        if rule.get("goal", GOALS[0]) not in GOALS:
            raise DesignError(unknown("goal", rule["goal"], GOALS))
        if "procedure" in texts:
            raise DesignError("A sequential plan has its own procedure: leave 'procedure' out.")


# -- neutrality -----------------------------------------------------------------------------------
# Who is who in a study, and on which data sets choices are made (boulesteix2013, section 2).


ROLES = ("ours", "competitor", "baseline")
DEVELOPMENT, CONFIRMATION = "development", "confirmation"
STAGES = (DEVELOPMENT, CONFIRMATION)


def check_neutral(
    roles: Mapping[str, str],
    development: Sequence[str],
    algorithms: Sequence[str],
    datasets: Sequence[str],
) -> None:
    """Refuse roles that are not known, of algorithms that are not there, and stages likewise."""
    with about("roles"):
        for name, role in roles.items():
            if name not in algorithms:
                raise DesignError(unknown("algorithm of this study", name, algorithms))
            if role not in ROLES:
                raise DesignError(unknown("role", str(role), ROLES))
    with about("development"):
        for name in development:
            if name not in datasets:
                raise DesignError(unknown("data set of this study", name, datasets))
        if development and not set(datasets) - set(development):
            raise DesignError(
                "All data sets are for development, and none is left to claim from: keep some for "
                "confirmation."
            )


# -- study ----------------------------------------------------------------------------------------


KEEP = ("predictions",)
PROCESS = "process"  # what a run may be isolated in


@dataclass(frozen=True)
class Run:
    """One data set, algorithm and sample; its key is a hash of their content and the seed."""

    dataset: str
    algorithm: str
    sample: int
    key: bytes


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Study:
    """A benchmark experiment; it determines everything before anything runs.

    `datasets` are what `dataset` and `process` make, one or several, or bare data: `(X, y)`, a
    bunch of scikit-learn, a frame with `target`, or a mapping from names to these; `groups` are
    then values or a column's name. `algorithms` are estimators: a list, a mapping from names, or
    what `algorithm` makes. `measures` are names (`error`; scikit-learn's `f1`, `roc_auc` ...),
    scorers made by `make_scorer`, or what `measure` makes; by default what suits the task.

    `sampling` is a text such as 'bootstrap:250', a `Sampling`, a scikit-learn splitter,
    'indices:FILE' for samples read from a file, or 'openml' for the tasks' own.
    `keep=["predictions"]` stores what was predicted.
    """

    name: str
    datasets: tuple[Dataset | Process, ...]
    algorithms: tuple[Algorithm, ...]
    sampling: Sampling
    measures: tuple[Computed, ...]
    seed: int
    keep: tuple[str, ...] = ()
    population: str = ""
    splits: Any = field(default=None)
    text: str = ""  # the study file, where there is one
    fits: int = 1
    sizes: tuple[int | float, ...] = ()
    generator: Any = None
    isolate: str = ""
    analysis: AnalysisPlan | None = None  # what will be asked of the scores
    frame: Frame | None = None  # that the data sets were drawn from
    roles: Mapping[str, str] = field(default_factory=dict)  # ours, competitor, baseline
    development: tuple[str, ...] = ()  # data sets on which choices are made
    # levels of factors by algorithm, where algorithms are combinations
    factors: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def __init__(
        self,
        datasets: Any,
        algorithms: Any,
        *,
        sampling: Any,
        measures: Any = None,
        target: Any = None,
        groups: Any = None,
        seed: int = 1,
        name: str = "study",
        keep: Sequence[str] = (),
        population: str = "",
        folder: str | Path = ".",
        text: str = "",
        fits: int = 1,
        sizes: Sequence[int | float] = (),
        generator: Any = None,
        isolate: str = "",
        analysis: Mapping[str, Any] | AnalysisPlan | None = None,
        frame: Frame | None = None,
        roles: Mapping[str, str] | None = None,
        development: Sequence[str] = (),
        factors: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        with about("name"):
            checks.name("study", name)
        datasets = datasets_of(datasets, target, groups)
        with about("sampling"):
            value, splits = _sampling(sampling, Path(folder), datasets)
            value = replace(value, detail=value.detail + generator_detail(generator))
        with about("measures"):
            chosen = all_computed(_usual(datasets) if measures is None else measures)
        with about("sizes"):
            chosen_sizes = checked_sizes(sizes)
        fields = {
            "name": name,
            "datasets": tuple(in_sizes(datasets, chosen_sizes)),
            "algorithms": algorithms_of(algorithms),
            "sampling": value,
            "splits": splits,
            "seed": seed,
            "population": population,
            "measures": chosen,
            "keep": tuple(keep),
            "text": text,
            "fits": fits,
            "sizes": chosen_sizes,
            "generator": generator,
            "isolate": isolate,
            "frame": frame,
            "roles": dict(roles or {}),
            "development": tuple(development or (frame.development if frame else ())),
            "factors": {a: {f: str(v) for f, v in of.items()} for a, of in (factors or {}).items()},
        }
        for key, content in fields.items():
            object.__setattr__(self, key, content)
        _check(self)
        if groups is not None and splits is None:
            check_groups(value)
        check_neutral(self.roles, self.development, *_names(self))
        _check_factors(self)
        if self.learns_by_rows:
            alike = tuple(replace(a, by_rows=True) for a in self.algorithms)
            object.__setattr__(self, "algorithms", alike)
        with about("analysis"):
            names = ([x.name for x in each] for each in (chosen, self.algorithms, self.datasets))
            object.__setattr__(self, "analysis", planned_analysis(analysis, *names))

    @cached_property
    def sampler(self) -> Sampler:
        """What draws the study's samples."""
        return Sampler(
            self.sampling,
            self.seed,
            self.splits,
            fits=self.fits,
            sizes={d.name: d.size for d in self.datasets if isinstance(d, SIZED)},
            generator=self.generator,
        )

    def samples(self, data: Dataset | Process) -> int:
        """The number of samples of a data set."""
        return self.sampler.count(data)

    def __len__(self) -> int:
        of_halvings = len(halvings.samples(self.sampling.halves)) * len(self.datasets)
        return len(self.algorithms) * (sum(self.samples(d) for d in self.datasets) + of_halvings)

    def __iter__(self) -> Iterator[Run]:
        """Every run; the algorithms of a sample stand together, as they share its rows."""
        for data in self.datasets:
            samples = range(1, self.samples(data) + 1)
            yield from self._runs(data, self._sampling_identity, samples)
            halved = halvings.samples(self.sampling.halves)
            yield from self._runs(data, self._identity(halvings.identity(self.sampling)), halved)

    def _runs(self, data: Dataset | Process, identity: str, samples: range) -> Iterator[Run]:
        heads = [(a.name, self._key_head(data, a, identity)) for a in self.algorithms]
        for sample in samples:
            number = str(sample).encode()
            for name, head in heads:
                key = head.copy()
                key.update(number)
                yield Run(data.name, name, sample, key.digest()[:16])

    def _key_head(self, data: Dataset | Process, a: Algorithm, identity: str) -> Any:
        """The part of a run's key that its samples share; the number of samples is not in it."""
        parts = [data.name, data.fingerprint, a.name, a.fingerprint, identity]
        return hashlib.sha256(json.dumps([*parts, self.seed]).encode() + b"#")

    @property
    def _sampling_identity(self) -> str:
        return self._identity(self.sampling.identity)

    def _identity(self, sampling: str) -> str:
        """What else scores depend on beside data, algorithm and seed; one fit is not said."""
        return sampling + (f", {self.fits} fits" if self.fits != 1 else "")

    def with_halves(self, halves: int) -> Study:
        """The study with so many halvings beside its samples, which stay as they are."""
        made = copy.copy(self)
        made.__dict__.pop("sampler", None)
        with about("sampling"):
            object.__setattr__(made, "sampling", replace(self.sampling, halves=halves))
        _check(made)
        return made

    def uncoded(self, names: Collection[str]) -> Study:
        """The study with these algorithms defined as before code was part of their keys."""
        made = copy.copy(self)
        algorithms = tuple(replace(a, uncoded=a.name in names) for a in self.algorithms)
        object.__setattr__(made, "algorithms", algorithms)
        return made

    @property
    def definition(self) -> dict[str, Any]:
        """The study as plain values, for the store."""
        return {
            "name": self.name,
            "seed": self.seed,
            "population": self.population,
            "sampling": asdict(self.sampling),
            "sampling_identity": self._sampling_identity,
            "fits": self.fits,
            "keep": list(self.keep),
            "measures": [m.name for m in self.measures],
            "datasets": {d.name: d.fingerprint for d in self.datasets},
            "samples": {d.name: self.samples(d) for d in self.datasets},
            "algorithms": {a.name: a.fingerprint for a in self.algorithms},
            "file": self.text,
            **self._code,
            **self._halvings,
            **self._neutral,
            **self._weights,
        }

    @cached_property
    def without_weights(self) -> tuple[str, ...]:
        """The algorithms that take no weights of rows, where the sampling has them."""
        if not drawing(self.sampling).weighted:
            return ()
        return tuple(a.name for a in self.algorithms if not weight_parameter(a.estimator()))

    @property
    def learns_by_rows(self) -> bool:
        """Whether some take weights and others do not, so that all learn from the same rows.

        Where nobody takes weights, each draws rows of its own, as it always has.
        """
        return 0 < len(self.without_weights) < len(self.algorithms)

    @property
    def _weights(self) -> dict[str, Any]:
        """How algorithms are given the weights of the sampling; nothing where it has none."""
        if not drawing(self.sampling).weighted:
            return {}
        own = OWN_ROWS if self.without_weights else WEIGHTS
        by = ROWS if self.learns_by_rows else own
        return {"weights": {"by": by, "lacking": list(self.without_weights)}}

    @property
    def _code(self) -> dict[str, Any]:
        """The code of algorithms whose fingerprints do not have it."""
        code = {a.name: a.code for a in self.algorithms if a.uncoded and a.code}
        return {"code": code} if code else {}

    @property
    def _neutral(self) -> dict[str, Any]:
        """Where data sets come from and who is who; nothing where it is not said."""
        frame = self.frame.definition() if self.frame else None
        facts = {
            "frame": frame,
            "roles": self.roles,
            "development": list(self.development),
            "factors": self.factors,
        }
        return {key: value for key, value in facts.items() if value}

    @property
    def _halvings(self) -> dict[str, Any]:
        """What halvings of each data set must be judged by, where there are halvings."""
        if not self.sampling.halves:
            return {}
        known = {d.name: halved_facts(d) for d in self.datasets if isinstance(d, Dataset)}
        return {"halvings": known}

    def __repr__(self) -> str:
        return (
            f"<Study {self.name}: {_counted(self.datasets, 'data set')} x "
            f"{_counted(self.algorithms, 'algorithm')}, {self.sampling}, "
            f"{f'{self.fits} fits, ' if self.fits != 1 else ''}"
            f"{', '.join(m.name for m in self.measures)}, seed {self.seed}: {len(self)} runs>"
        )

    def _repr_html_(self) -> str:
        parts = {"Data sets": self.datasets, "Algorithms": self.algorithms}
        tables = {
            title: pd.DataFrame({"name": [t.name for t in things], "is": [repr(t) for t in things]})
            for title, things in parts.items()
        }
        return saying.html([repr(self)[1:-1]], tables, ())


def _names(study: Study) -> tuple[list[str], list[str]]:
    return [a.name for a in study.algorithms], [d.name for d in study.datasets]


def _counted(things: Sequence[object], noun: str) -> str:
    return f"{len(things)} {noun}{'s' * (len(things) != 1)}"


def _sampling(given: Any, folder: Path, datasets: Sequence[Any]) -> tuple[Sampling, Any]:
    if isinstance(given, str) and given.strip().lower() == OWN:
        return own_samples(datasets)
    if isinstance(given, str) and given.startswith("indices:"):
        return read_indices(folder / given.removeprefix("indices:"))
    if hasattr(given, "split") and hasattr(given, "get_n_splits"):
        return splitter_sampling(given), SplitterSplits(given)
    return samplings.complete(samplings.parse(given)), None


def _usual(datasets: Sequence[Any]) -> list[str]:
    return [DEFAULTS[datasets[0].task]] if datasets else []


def _check_factors(study: Study) -> None:
    """Refuse levels of algorithms that there are not, and factors that one of them lacks."""
    names = [a.name for a in study.algorithms]
    factors = list(dict.fromkeys(f for levels in study.factors.values() for f in levels))
    for name, levels in study.factors.items():
        if name not in names:
            raise DesignError(unknown("algorithm", name, names))
        if lacking := [f for f in factors if f not in levels]:
            raise DesignError(
                f"The algorithm '{name}' has no level of the factor '{lacking[0]}': give one, as "
                f'in factors = {{ {lacking[0]} = "none" }}.'
            )
    if study.factors and (without := [name for name in names if name not in study.factors]):
        raise DesignError(
            f"The algorithm '{without[0]}' has no factors, and others have: give it "
            f"{', '.join(factors)}, too."
        )


def _check(study: Study) -> None:
    for kind, things in (
        ("datasets", study.datasets),
        ("algorithms", study.algorithms),
        ("measures", study.measures),
    ):
        with about(kind):
            _check_names(study, kind.replace("datasets", "data sets"), [t.name for t in things])
    for key, called, least in (("seed", "The seed", 0), ("fits", "fits", 1)):
        value = getattr(study, key)
        with about(key):
            checks.whole(f"{called} is a whole number from {least}", value, least)
    with about("isolate"):
        if study.isolate not in ("", PROCESS):
            raise DesignError(
                f"isolate is '{PROCESS}', a fresh process for every run, or left out, not "
                f"{study.isolate!r:.80}."
            )
    with about("keep"):
        for entry in study.keep:
            if entry not in KEEP:
                raise DesignError("keep: " + unknown("thing to keep", entry, KEEP))
    for data in study.datasets:
        with about("sampling"):
            check_sampling(study.sampling, data, study.splits, study.generator)
            check_halves(study.sampling, data)
        with about("measures"):
            _check_measures(study, data)
        with about("sizes"):
            check_size(study.sampling, data, study.splits)
    for i, a in enumerate(study.algorithms):
        with about("algorithms", i, "name"):
            _check_algorithm(study, a)
    with about("sampling"):
        check_correction(study.sampling, study.measures, study.keep, study.sizes)
        if sum(study.samples(d) for d in study.datasets) * len(study.algorithms) > sys.maxsize:
            raise DesignError(f"The sampling '{study.sampling}' has more samples than can be run.")


def _check_names(study: Study, kind: str, names: list[str]) -> None:
    if not names:
        raise DesignError(f"Study '{study.name}' has no {kind}.")
    if (name := checks.twice(names)) is not None:
        way = " Name them: measures={'one': ..., 'other': ...}." if kind == "measures" else ""
        raise DesignError(f"Study '{study.name}': two {kind} are called '{name}'.{way}")


def _check_measures(study: Study, data: Dataset | Process) -> None:
    for m in study.measures:
        if why := unsuited(m, data):
            raise DesignError(why)


def _check_algorithm(study: Study, a: Algorithm) -> None:
    for data in study.datasets:
        if a.kind and a.kind != data.task:
            raise DesignError(
                f"Algorithm '{a.name}' does {a.kind}; data set '{data.name}' is a "
                f"{task_noun(data.task)}. Choose another algorithm, or set the data set's task."
            )
        if a.preprocess and data.task == "density" and _has_gaps_or_names(data):
            raise DesignError(
                f"Algorithm '{a.name}': what preprocess makes of the nominal or missing values of "
                f"'{data.name}' has no density. Leave these columns out, or preprocess yourself."
            )
    for task in dict.fromkeys(d.task for d in study.datasets):
        for m in study.measures:
            lacking = next((kinds for kinds in m.needs if a.lacks(kinds, task)), None)
            if lacking:
                raise DesignError(_lacking(a, m, lacking, task))


def _has_gaps_or_names(data: Dataset | Process) -> bool:
    return bool(data.facts["nominal"] or data.facts["missing"])


def _lacking(a: Algorithm, m: Computed, kinds: Sequence[str], task: str) -> str:
    advice = (
        "Choose another measure or algorithm; "
        "sklearn.calibration.CalibratedClassifierCV gives probabilities to any classifier."
        if task == "classification"
        else "Choose another measure or algorithm, or give a function as its output."
    )
    return (
        f"Algorithm '{a.name}' has no {' or '.join(kinds)}, which the measure '{m.name}' needs. "
        + advice
    )
