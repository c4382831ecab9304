"""What a sampling is, as a value: name, parse, format, kind of replicate, train and test sizes.

Nothing is drawn here (`design/draws.py` does that): a table of scores that somebody else made
carries a sampling too, and the sampling decides which inference is legal.

    bootstrap:B          train on n of n with replacement, test on the out-of-bag rows
    bootstrap-2n:B       the same after merging learning and test sample
    bootstrap-cv:BxK     K-fold cross-validation inside each bootstrap sample
    competition:B        train on bootstrap samples, test on the data set's own test sample
    simulation:B         fresh learning samples from a known process
    cv:K, repeated-cv:RxK, 5x2cv, loo
    subsampling:BxT      B random splits with training share T (subsampling:T is 30 of them)
    holdout:T            one random split
    items                one row per item of a test set (for tables, not for running)
    splitter             a splitter of one's own (from Python only)

`+stratified` keeps class shares, `+grouped` keeps the rows of a group together: `cv:10+grouped`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from decimal import Decimal

from podium.errors import DesignError
from podium.registry import Registry, unknown

OPTIONS = ("stratified", "grouped")
DEFAULT_SPLITS = 30  # of subsampling:T, the number of Dietterich's resampled t test


@dataclass(frozen=True)
class Kind:
    """What all samplings of one name have in common."""

    fields: tuple[str, ...]  # what stands behind the colon, in order; joined by "x"
    replicate: str  # resample | simulation | fold | item | split: what one sample is
    example: str
    options: tuple[str, ...] = ()
    needs_test_sample: bool = False


KINDS: Registry[Kind] = Registry("sampling")
KINDS.add("bootstrap", Kind(("samples",), "resample", "bootstrap:250", OPTIONS))
KINDS.add("bootstrap-2n", Kind(("samples",), "resample", "bootstrap-2n:250", ("stratified",), True))
KINDS.add("bootstrap-cv", Kind(("samples", "folds"), "resample", "bootstrap-cv:250x5"))
KINDS.add("competition", Kind(("samples",), "resample", "competition:250", OPTIONS, True))
KINDS.add("simulation", Kind(("samples",), "simulation", "simulation:250"))
KINDS.add("cv", Kind(("folds",), "fold", "cv:10", OPTIONS))
KINDS.add("repeated-cv", Kind(("samples", "folds"), "fold", "repeated-cv:10x10", OPTIONS))
KINDS.add("5x2cv", Kind((), "fold", "5x2cv", OPTIONS))
KINDS.add("subsampling", Kind(("samples", "share"), "resample", "subsampling:30x0.9", OPTIONS))
KINDS.add("holdout", Kind(("share",), "split", "holdout:0.67", OPTIONS))
KINDS.add("loo", Kind((), "fold", "loo"))
KINDS.add("items", Kind((), "item", "items"))
KINDS.add("splitter", Kind((), "fold", "splitter"))


@dataclass(frozen=True)
class Sampling:
    """How samples are drawn; equal to another sampling iff it draws the same.

    `samples` is the number B of samples (R repetitions for repeated cv), `folds` K, `share` the
    training share T; None where the name has no such part or a table's sampling leaves it out.
    `detail` tells splitters apart, and indices read from a file from those drawn here.
    """

    name: str
    samples: int | None = None
    folds: int | None = None
    share: float | None = None
    stratified: bool = False
    grouped: bool = False
    detail: str = ""

    def __post_init__(self) -> None:
        _check(self)

    @property
    def kind(self) -> Kind:
        """The facts that hold for every sampling of this name."""
        return KINDS[self.name]

    @property
    def replicate(self) -> str:
        """What one sample is: resample, simulation, fold, split or item."""
        return self.kind.replicate

    @property
    def folds_per_repeat(self) -> int | None:
        """The number of folds that partition the data, None where samples are no folds."""
        return 2 if self.name == "5x2cv" else self.folds if self.replicate == "fold" else None

    @property
    def count(self) -> int | None:
        """The number of samples, None where it is not known without the data."""
        if self.name == "5x2cv":
            return 10
        if self.name == "holdout":
            return 1
        if self.name == "cv":
            return self.folds
        if self.name == "repeated-cv":
            return None if self.samples is None or self.folds is None else self.samples * self.folds
        return self.samples

    @property
    def identity(self) -> str:
        """The sampling less its number of samples: going from 250 to 500 runs 250 more."""
        parts = [_shown(self, f) if f != "samples" else "" for f in self.kind.fields]
        spec = "x".join(p for p in parts if p)
        return self._with_options(f"{self.name}:{spec}" if spec else self.name) + self.detail

    def repeat_and_fold(self, sample: int) -> tuple[int, int] | None:
        """The repetition and the fold, both from 1, of a sample numbered repeat by repeat."""
        k = self.folds_per_repeat
        return None if not k else ((sample - 1) // k + 1, (sample - 1) % k + 1)

    @property
    def train_share(self) -> float | None:
        """The expected share of *distinct* rows of the learning sample that are learned from."""
        if self.name in ("bootstrap", "bootstrap-2n", "competition"):
            return 1 - math.exp(-1)
        if self.name == "bootstrap-cv" and self.folds:
            # a row is seen when at least one of its about Poisson(1 - 1/K) training copies is drawn
            return 1 - math.exp(-(1 - 1 / self.folds))
        if self.folds_per_repeat:
            return 1 - 1 / self.folds_per_repeat
        return {"simulation": 1.0, "loo": 1.0}.get(self.name, self.share)

    def sizes(self, n: int, test: int = 0) -> tuple[float, float | None]:
        """Rows learned from (copies counted) and expected rows tested on.

        `n` is the size of the learning sample and `test` that of a separate test sample.

        >>> bootstrap(250).sizes(100)
        (100.0, 36.603234)
        >>> cv(10).sizes(100)
        (90.0, 10.0)
        """
        if self.name in ("competition", "simulation"):
            return float(n), float(test)
        if self.name == "bootstrap-2n":
            n = n + test
        if self.name in ("bootstrap", "bootstrap-2n"):
            return float(n), round(n * (1 - 1 / n) ** n, 6)
        if self.name == "loo":
            return n - 1.0, 1.0
        if self.name == "bootstrap-cv" and self.folds:
            return n * (1 - 1 / self.folds), None  # what is removed depends on the draw
        share = self.train_share
        if share is None:
            return float(n), None
        return round(n * share, 6), round(n * (1 - share), 6)

    def with_count(self, samples: int) -> Sampling:
        """The same sampling with another number of samples (or repetitions)."""
        return replace(self, samples=samples)

    def __str__(self) -> str:
        parts = [_shown(self, f) for f in self.kind.fields]
        spec = "x".join(p for p in parts if p)
        return self._with_options(f"{self.name}:{spec}" if spec else self.name)

    def _with_options(self, text: str) -> str:
        return text + "".join(f"+{o}" for o in OPTIONS if getattr(self, o))


def _shown(sampling: Sampling, field: str) -> str:
    value = getattr(sampling, field)
    if value is None:
        return ""
    # every digit, and no exponent, which the grammar does not know
    return f"{Decimal(str(value)):f}" if field == "share" else str(value)


def _check(s: Sampling) -> None:
    kind = s.kind  # refuses an unknown name
    for option in OPTIONS:
        if getattr(s, option) and option not in kind.options:
            raise DesignError(f"The sampling '{s.name}' cannot be {option}.")
    if s.stratified and s.grouped and s.replicate != "fold":
        raise DesignError(f"The sampling '{s.name}' can be stratified or grouped, not both.")
    for field in ("samples", "folds", "share"):
        if getattr(s, field) is not None and field not in kind.fields:
            _refuse(s, f"it has no {field}")
    for field, least in (("samples", 1), ("folds", 2)):
        value = getattr(s, field)
        if value is not None and (not _is_whole(value) or value < least):
            _refuse(s, f"{field} must be a whole number of at least {least}, not {value!r}")
    if s.share is not None and not (_is_number(s.share) and 0 < s.share < 1):
        _refuse(s, f"the training share must lie between 0 and 1, not {s.share!r}")


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _refuse(s: Sampling, why: str) -> None:
    raise DesignError(f"The sampling '{s.name}' is wrong: {why}. An example: {s.kind.example}.")


def parse(text: str | Sampling) -> Sampling:
    """The sampling that a string such as `bootstrap:250` or `repeated-cv:10x10` names.

    Numbers may be left out, as in a table's sampling; `complete` tells whether they are.

    >>> str(parse("repeated-cv:10x10+stratified"))
    'repeated-cv:10x10+stratified'
    """
    if isinstance(text, Sampling):
        return text
    if not isinstance(text, str):
        raise DesignError(f"A sampling is a text such as 'bootstrap:250', not {text!r}.")
    body, *options = (part.strip() for part in text.lower().split("+"))
    name, colon, spec = body.partition(":")
    name = name.strip()
    values = _fields(name, KINDS[name], spec, text) if colon else {}
    for option in options:
        if option not in OPTIONS:
            raise DesignError(f"In '{text}': " + unknown("option", option, OPTIONS))
    return Sampling(name, **values, **{o: o in options for o in OPTIONS})  # type: ignore[arg-type]


def _fields(name: str, kind: Kind, spec: str, text: str) -> dict[str, int | float]:
    """The values behind the colon, by field."""
    wanted = kind.fields
    if name == "subsampling" and "x" not in spec:
        wanted = ("share",)
    parts = spec.split("x") if spec.strip() else []
    try:
        values = [float(p) if f == "share" else int(p) for f, p in zip(wanted, parts, strict=True)]
    except ValueError:
        raise DesignError(
            f"The sampling '{text}' cannot be read: {_grammar(kind)}An example: {kind.example}."
        ) from None
    if any(re.search(r"[^0-9.\s]", p) for p in parts):  # no signs, exponents or underscores
        raise DesignError(f"The sampling '{text}' cannot be read. An example: {kind.example}.")
    return dict(zip(wanted, values, strict=True))


def _grammar(kind: Kind) -> str:
    words = {"samples": "a number of samples", "folds": "a number of folds", "share": "a share"}
    if not kind.fields:
        return "nothing may stand behind the colon. "
    return "behind the colon stands " + " x ".join(words[f] for f in kind.fields) + ". "


def complete(sampling: Sampling) -> Sampling:
    """The sampling with defaults filled in, or an error where a number is needed to draw it."""
    if sampling.name == "subsampling" and sampling.samples is None:
        sampling = sampling.with_count(DEFAULT_SPLITS)
    for field in sampling.kind.fields:
        if getattr(sampling, field) is None:
            what = "its training share" if field == "share" else f"how many {field} to draw"
            raise DesignError(
                f"The sampling '{sampling}' does not say {what}. "
                f"An example: {sampling.kind.example}."
            )
    return sampling


def bootstrap(samples: int, *, stratified: bool = False, grouped: bool = False) -> Sampling:
    """Bootstrap samples tested on their out-of-bag rows."""
    return Sampling("bootstrap", samples, stratified=stratified, grouped=grouped)


def bootstrap_2n(samples: int) -> Sampling:
    """Bootstrap samples of the merged learning and test samples (hothorn2005, RW-OOB-2n)."""
    return Sampling("bootstrap-2n", samples)


def bootstrap_cv(samples: int, folds: int) -> Sampling:
    """Cross-validation inside bootstrap samples (hothorn2005, RW-CV)."""
    return Sampling("bootstrap-cv", samples, folds)


def competition(samples: int) -> Sampling:
    """Bootstrap samples tested on the data set's own test sample."""
    return Sampling("competition", samples)


def simulation(samples: int) -> Sampling:
    """Fresh learning samples from a process."""
    return Sampling("simulation", samples)


def cv(folds: int, *, stratified: bool = False, grouped: bool = False) -> Sampling:
    """One cross-validation."""
    return Sampling("cv", folds=folds, stratified=stratified, grouped=grouped)


def repeated_cv(
    repeats: int, folds: int, *, stratified: bool = False, grouped: bool = False
) -> Sampling:
    """Several cross-validations with new folds each time."""
    return Sampling("repeated-cv", repeats, folds, stratified=stratified, grouped=grouped)


def five_by_two_cv(*, stratified: bool = False) -> Sampling:
    """Five twofold cross-validations (dietterich1998)."""
    return Sampling("5x2cv", stratified=stratified)


def subsampling(
    share: float, samples: int = DEFAULT_SPLITS, *, stratified: bool = False
) -> Sampling:
    """Random splits with a given training share."""
    return Sampling("subsampling", samples, share=share, stratified=stratified)


def holdout(share: float, *, stratified: bool = False) -> Sampling:
    """One random split with a given training share."""
    return Sampling("holdout", share=share, stratified=stratified)


def loo() -> Sampling:
    """Leave one out."""
    return Sampling("loo")
