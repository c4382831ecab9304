"""What a sampling is, as a value: name, parse, format, kind of replicate, train and test sizes.

Nothing is drawn here (`design/draws.py` does that): a table of scores that somebody else made
carries a sampling too, and the sampling decides which inference is legal.

    bootstrap:B          train on n of n with replacement, test on the out-of-bag rows
    bootstrap-2n:B       the same after merging learning and test sample
    bootstrap-cv:BxK     K-fold cross-validation inside each bootstrap sample
    bootstrap-632:B      out-of-bag and apparent performance, weighted .632 and .368
    bootstrap-632plus:B  the same, the weight depending on how much the algorithm overfits
    bootstrap-whole:B    train on bootstrap samples, test on the whole learning sample: optimistic
    bayesian-bootstrap:B train on all rows with random weights; test sample, or optimistic
    parametric-bootstrap:B   samples of a generator fitted to the data; BxM tests on M rows of it
    competition:B        train on bootstrap samples, test on the data set's own test sample
    simulation:B         fresh learning and test samples from a known process
    training-sets:RxN    R disjoint training sets of N rows, one test set for all
    cv:K, repeated-cv:RxK, 5x2cv, loo
    subsampling:BxT      B random splits with training share T (subsampling:T is 30 of them)
    holdout:T            one random split
    moving-block:BxL     blocks of L consecutive rows with replacement, test on the rows outside
    rolling-origin:B     learn from all rows before an origin, test on the next; BxH on the next H
    items                one row per item of a test set (for tables, not for running)
    splitter             a splitter of one's own (from Python only)

`+stratified` keeps class shares, `+grouped` keeps the rows of a group together: `cv:10+grouped`;
`+independent` draws new samples for every algorithm. A third number of the two samplings in time,
`moving-block:BxLxG`, is a gap: G rows between those learned from and those tested on are left out.
A number that a table does not tell is a question mark, `subsampling:30x?`, or left out at the end.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from html import escape
from typing import TypedDict, Unpack

from podium.errors import DesignError
from podium.registry import Registry, unknown
from podium.sampling_kinds import KINDS, OPTIONS, Kind

UNKNOWN = "?"  # a number that a table does not tell
OPEN = ("rows", "gap")  # may be left out in a text; what is to be run may need them
DEFAULT_SPLITS = 30  # of subsampling:T, the number of Dietterich's resampled t test


@dataclass(frozen=True)
class Sampling:
    """How samples are drawn; equal to another sampling iff it draws the same.

    `samples` is the number B of samples (R repetitions for repeated cv), `folds` K, `share` the
    training share T, `rows` the length of a block or of a forecast, or the size of a training or
    test set; None where the name has no such part or a table's sampling leaves it out. `gap` rows
    lie between those learned from and those tested on.
    `detail` tells splitters apart, and indices read from a file from those drawn here.
    """

    name: str
    samples: int | None = None
    folds: int | None = None
    share: float | None = None
    stratified: bool = False
    grouped: bool = False
    detail: str = ""
    independent: bool = False
    rows: int | None = None
    gap: int = 0

    def __post_init__(self) -> None:
        _check(self)

    @property
    def kind(self) -> Kind:
        """The facts that hold for every sampling of this name."""
        return KINDS[self.name]

    @property
    def replicate(self) -> str:
        """What one sample is: resample, simulation, fold, split, origin, training-set or item."""
        return self.kind.replicate

    @property
    def optimistic(self) -> bool:
        """Whether rows that are learned from are tested on, where there is no test sample."""
        return self.kind.optimistic

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
        left_out = () if self.kind.counted else ("samples",)
        fields = [f for f in self.kind.fields if f not in left_out]
        return self._spelled(shown for f in fields if (shown := _shown(self, f))) + self.detail

    def repeat_and_fold(self, sample: int) -> tuple[int, int] | None:
        """The repetition and the fold, both from 1, of a sample numbered repeat by repeat."""
        k = self.folds_per_repeat
        return None if not k else ((sample - 1) // k + 1, (sample - 1) % k + 1)

    @property
    def train_share(self) -> float | None:
        """The expected share of *distinct* rows of the learning sample that are learned from."""
        if self.name == "bootstrap-cv" and self.folds:
            # a row is seen when at least one of its about Poisson(1 - 1/K) training copies is drawn
            return 1 - math.exp(-(1 - 1 / self.folds))
        if self.folds_per_repeat:
            return 1 - 1 / self.folds_per_repeat
        return self.share if self.kind.share is None else self.kind.share

    def sizes(self, n: int, test: int = 0) -> tuple[float, float | None]:
        """Rows learned from (copies counted) and expected rows tested on.

        `n` is the size of the learning sample and `test` that of a separate test sample.

        >>> bootstrap(250).sizes(100)
        (100.0, 36.603234)
        >>> cv(10).sizes(100)
        (90.0, 10.0)
        """
        if self.name in SIZES:
            learned, tested = SIZES[self.name](self, n, test)
            return float(learned), None if tested is None else float(tested)
        share = self.train_share
        if share is None:
            return float(n), None
        return round(n * share, 6), round(n * (1 - share), 6)

    def least_rows(self, test: int = 0) -> int:
        """The fewest rows (groups, where grouped) of a learning sample that can be sampled so."""
        rows, samples = self.rows or 1, self.samples or 1
        if self.name == "moving-block":
            return rows + self.gap + 1
        if self.name == "rolling-origin":
            return samples * rows + self.gap + 2
        if self.name == "training-sets":
            return samples * rows + (0 if test else 1)
        return max(self.folds_per_repeat or self.folds or 2, 2)

    def with_count(self, samples: int) -> Sampling:
        """The same sampling with another number of samples (or repetitions)."""
        return replace(self, samples=samples)

    def _repr_html_(self) -> str:
        return f"<p><b>Sampling {escape(str(self))}</b>: one sample is one {self.replicate}</p>"

    def __str__(self) -> str:
        """The text that `parse` reads; a number that is not known is a question mark."""
        return self._spelled(_shown(self, f) or UNKNOWN for f in _written(self))

    def _spelled(self, numbers: Iterable[str]) -> str:
        spec = "x".join(numbers)
        text = f"{self.name}:{spec}" if spec else self.name
        return text + "".join(f"+{o}" for o in OPTIONS if getattr(self, o))


def _shown(sampling: Sampling, field: str) -> str:
    value = getattr(sampling, field)
    if value is None or (field == "gap" and value == 0):
        return ""
    # every digit, and no exponent, which the grammar does not know
    return f"{Decimal(str(value)):f}" if field == "share" else str(value)


def _written(s: Sampling) -> list[str]:
    """The fields that `str` writes: none where none is known, else those that `parse` needs."""
    fields = list(s.kind.fields)
    if not any(_shown(s, f) for f in fields):
        return []
    if s.name == "subsampling" and s.samples is None:
        return ["share"]
    while fields[-1] in OPEN and not _shown(s, fields[-1]):
        fields.pop()
    return fields


Sizes = Callable[[Sampling, int, int], tuple[float, float | None]]
SIZES: Registry[Sizes] = Registry("sampling with sizes of its own")
for _name in ("bootstrap", "bootstrap-632", "bootstrap-632plus"):
    SIZES.add(_name, lambda s, n, test: (n, round(n * (1 - 1 / n) ** n, 6)))
SIZES.add("bootstrap-2n", lambda s, n, test: SIZES["bootstrap"](s, n + test, 0))
# what is removed from the test side depends on the draw
SIZES.add("bootstrap-cv", lambda s, n, test: (n * (1 - 1 / s.folds) if s.folds else n, None))
SIZES.add("bootstrap-whole", lambda s, n, test: (n, n))
SIZES.add("bayesian-bootstrap", lambda s, n, test: (n, test or n))
SIZES.add("parametric-bootstrap", lambda s, n, test: (n, s.rows))
for _name in ("competition", "simulation"):
    SIZES.add(_name, lambda s, n, test: (n, test))
SIZES.add("loo", lambda s, n, test: (n - 1, 1))
SIZES.add("moving-block", lambda s, n, test: (n, _far_from_blocks(s, n)))
# the first origin, which learns least
SIZES.add("rolling-origin", lambda s, n, test: (n - s.gap - _in_all(s), s.rows))
SIZES.add("training-sets", lambda s, n, test: (s.rows or n, test or n - _in_all(s)))


def _far_from_blocks(s: Sampling, n: int) -> float | None:
    """How many rows are expected outside all of ceil(n / L) blocks and the gaps around them.

    A row is missed by a block unless the block starts at one of `near` of all n - L + 1 places.
    """
    if s.rows is None or s.rows > n:
        return None
    last, before = n - s.rows, s.rows - 1 + s.gap
    near = (min(row + s.gap, last) - max(row - before, 0) + 1 for row in range(n))
    return round(sum((1 - places / (last + 1)) ** -(-n // s.rows) for places in near), 6)


def _in_all(s: Sampling) -> int:
    """The rows that all origins together test, or that all training sets together learn from."""
    return (s.samples or 0) * (s.rows or 0)


def _check(s: Sampling) -> None:
    kind = s.kind  # refuses an unknown name
    for option in OPTIONS:
        if getattr(s, option) and option not in kind.options:
            raise DesignError(f"The sampling '{s.name}' cannot be {option}.")
    if s.stratified and s.grouped and s.replicate != "fold":
        raise DesignError(f"The sampling '{s.name}' can be stratified or grouped, not both.")
    for field in ("samples", "folds", "share", "rows", "gap"):
        if getattr(s, field) not in (None, 0) and field not in kind.fields:
            _refuse(s, f"it has no {field}")
    for field, least in (("samples", 1), ("folds", 2), ("rows", 1), ("gap", 0)):
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

    Numbers may be left out or a question mark, as in a table's sampling; `complete` tells whether
    they are.

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


def _fields(name: str, kind: Kind, spec: str, text: str) -> dict[str, int | float | None]:
    """The values behind the colon, by field."""
    parts = spec.split("x") if spec.strip() else []
    wanted = kind.fields[: max(len(parts), sum(f not in OPEN for f in kind.fields))]
    if name == "subsampling" and "x" not in spec:
        wanted = ("share",)
    try:
        values = [_number(f, p.strip()) for f, p in zip(wanted, parts, strict=True)]
    except ValueError:
        raise DesignError(
            f"The sampling '{text}' cannot be read: {_grammar(kind)}An example: {kind.example}."
        ) from None
    if any(re.search(r"[^0-9.\s?]", p) for p in parts):  # no signs, exponents or underscores
        raise DesignError(f"The sampling '{text}' cannot be read. An example: {kind.example}.")
    return dict(zip(wanted, values, strict=True))


def _number(field: str, text: str) -> int | float | None:
    if text == UNKNOWN and field != "gap":
        return None
    return float(text) if field == "share" else int(text)


def _grammar(kind: Kind) -> str:
    if not kind.fields:
        return "nothing may stand behind the colon. "
    words = [("a " if f in ("share", "gap") else "a number of ") + f for f in kind.fields]
    optional = ["", ", the last may be left out", ", the last two may be left out"]
    return f"behind the colon stands {' x '.join(words)}{optional[len(words) - kind.required]}. "


def complete(sampling: Sampling) -> Sampling:
    """The sampling with defaults filled in, or an error where a number is needed to draw it."""
    if sampling.name == "subsampling" and sampling.samples is None:
        sampling = sampling.with_count(DEFAULT_SPLITS)
    if "rows" in sampling.kind.fields and sampling.rows is None:
        sampling = replace(sampling, rows=sampling.kind.rows)
    for field in sampling.kind.fields:
        if getattr(sampling, field) is None:
            what = "its training share" if field == "share" else f"how many {field} to draw"
            raise DesignError(
                f"The sampling '{sampling}' does not say {what}. "
                f"An example: {sampling.kind.example}."
            )
    return sampling


# -- one function per sampling --------------------------------------------------------------------


class Options(TypedDict, total=False):
    """What stands behind a plus."""

    stratified: bool
    grouped: bool
    independent: bool


def bootstrap(samples: int, **options: Unpack[Options]) -> Sampling:
    """Bootstrap samples tested on their out-of-bag rows."""
    return Sampling("bootstrap", samples, **options)


def bootstrap_2n(samples: int, **options: Unpack[Options]) -> Sampling:
    """Bootstrap samples of the merged learning and test samples (hothorn2005, RW-OOB-2n)."""
    return Sampling("bootstrap-2n", samples, **options)


def bootstrap_cv(samples: int, folds: int, **options: Unpack[Options]) -> Sampling:
    """Cross-validation inside bootstrap samples (hothorn2005, RW-CV)."""
    return Sampling("bootstrap-cv", samples, folds, **options)


def bootstrap_632(samples: int, *, plus: bool = False, **options: Unpack[Options]) -> Sampling:
    """The .632 estimator (Efron 1983), or .632+ (Efron & Tibshirani 1997), of every sample."""
    return Sampling("bootstrap-632plus" if plus else "bootstrap-632", samples, **options)


def bootstrap_whole(samples: int, **options: Unpack[Options]) -> Sampling:
    """Bootstrap samples tested on the whole learning sample: optimistic."""
    return Sampling("bootstrap-whole", samples, **options)


def bayesian_bootstrap(samples: int, **options: Unpack[Options]) -> Sampling:
    """All rows with weights from the flat Dirichlet distribution (Rubin 1981)."""
    return Sampling("bayesian-bootstrap", samples, **options)


def parametric_bootstrap(
    samples: int, test_rows: int = 2000, **options: Unpack[Options]
) -> Sampling:
    """Samples of a generator fitted to the learning sample, tested on fresh rows of it."""
    return Sampling("parametric-bootstrap", samples, rows=test_rows, **options)


def competition(samples: int, **options: Unpack[Options]) -> Sampling:
    """Bootstrap samples tested on the data set's own test sample."""
    return Sampling("competition", samples, **options)


def simulation(samples: int, **options: Unpack[Options]) -> Sampling:
    """Fresh learning samples from a process."""
    return Sampling("simulation", samples, **options)


def training_sets(sets: int, rows: int, **options: Unpack[Options]) -> Sampling:
    """Disjoint training sets and one test set (DELVE; dietterich1998, question 7)."""
    return Sampling("training-sets", sets, rows=rows, **options)


def cv(folds: int, **options: Unpack[Options]) -> Sampling:
    """One cross-validation."""
    return Sampling("cv", folds=folds, **options)


def repeated_cv(repeats: int, folds: int, **options: Unpack[Options]) -> Sampling:
    """Several cross-validations with new folds each time."""
    return Sampling("repeated-cv", repeats, folds, **options)


def five_by_two_cv(**options: Unpack[Options]) -> Sampling:
    """Five twofold cross-validations (dietterich1998)."""
    return Sampling("5x2cv", **options)


def subsampling(
    share: float, samples: int = DEFAULT_SPLITS, **options: Unpack[Options]
) -> Sampling:
    """Random splits with a given training share."""
    return Sampling("subsampling", samples, share=share, **options)


def holdout(share: float, **options: Unpack[Options]) -> Sampling:
    """One random split with a given training share."""
    return Sampling("holdout", share=share, **options)


def loo() -> Sampling:
    """Leave one out."""
    return Sampling("loo")


def moving_block(samples: int, length: int, gap: int = 0, **options: Unpack[Options]) -> Sampling:
    """Blocks of consecutive rows, tested on the rows outside (Künsch 1989)."""
    return Sampling("moving-block", samples, rows=length, gap=gap, **options)


def rolling_origin(samples: int, horizon: int = 1, gap: int = 0) -> Sampling:
    """Forecasts of the next rows from all rows before, at the end of the series."""
    return Sampling("rolling-origin", samples, rows=horizon, gap=gap)
