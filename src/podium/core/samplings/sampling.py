"""What a sampling is, as a value and as a record: name, text, kind of block, sizes, what it says.

A `Kind` is all there is to know of the samplings of one name; the records stand in this folder's
other files, each beside the function that makes such a sampling. Nothing is drawn here
(`design/draws.py` does that, by drawers that register with their record): a table of scores that
somebody else made carries a sampling too, and the sampling decides which inference is legal.

`+stratified` keeps class shares, `+grouped` keeps the rows of a group together: `cv:10+grouped`;
`+independent` draws new samples for every algorithm; where every algorithm has its own anyway, as
with seeds, `+paired` says that all have the same ones; `+halves:10` adds halvings (`halvings.py`).
A third number of the two samplings in time, `moving-block:BxLxG`, is a gap between the rows learned
from and those tested on.
A number that a table does not tell is a question mark, `subsampling:30x?`, or left out at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from html import escape
from typing import Any, TypedDict

from podium.core.base.errors import DesignError
from podium.core.base.formatting import number
from podium.core.base.registry import Registry, adding, unknown
from podium.core.questions.targets import BLOCKS, FOLD, Default, Said
from podium.core.samplings import halvings
from podium.core.words.phrases import spelled

UNKNOWN = "?"  # a number that a table does not tell
OPEN = ("rows", "gap")  # may be left out in a text; what is to be run may need them
OPTIONS = ("stratified", "grouped", "independent")
PLUS = (*OPTIONS, "paired")  # what may stand behind a plus
Cite = Callable[..., str]  # numbers of references, as texts cite them


class Options(TypedDict, total=False):
    """What stands behind a plus."""

    stratified: bool
    grouped: bool
    independent: bool
    halves: int
    paired: bool


@dataclass(frozen=True)
class Grammar:
    """How samplings of one name are written: what stands behind the colon and behind a plus."""

    fields: tuple[str, ...] = ("samples",)  # what stands behind the colon, joined by "x"
    options: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()  # fields that may be left out at the end, also to be run
    rows: int | None = None  # what the field `rows` means where it is left out
    samples: int | None = None  # what the field `samples` means where it is left out
    least_folds: int = 2
    also_written: tuple[str, int, int] | None = None  # name, count and folds of another text

    @property
    def required(self) -> int:
        """How many numbers a study must say behind the colon; those it may leave out are last."""
        optional = ("gap",) if self.rows is None else ("rows", "gap")
        return sum(f not in (*optional, *self.optional) for f in self.fields)


@dataclass(frozen=True)
class Sizes:
    """How many samples there are and how large; functions take the sampling.

    Where there is none, general rules hold: the number of samples is `samples`, sizes follow from
    the training share, at least two rows are needed.
    """

    share: float | None = None  # of distinct rows learned from, where the name alone tells
    share_of: Callable[[Any], float | None] | None = None  # or the sampling tells
    count: Callable[[Any], int | None] | None = None
    folds: Callable[[Any], int | None] | None = None  # that partition the data
    repeats: Callable[[Any], int | None] | None = None  # of a whole cross-validation
    # learned from and tested on, of a sampling and the sizes of learning and test sample
    rows: Callable[[Any, int, int], tuple[float, float | None]] | None = None
    least_rows: Callable[[Any, int], int] | None = None
    fixed_size: bool = False  # `rows` are learned from, whatever the data
    tells_size: bool = True  # the training share is worth telling
    given: Callable[[Any], str] | None = None  # how rows are, where not each as it is drawn


@dataclass(frozen=True)
class Claims:
    """What may be said of samples: tests, populations, words for a paper."""

    default: Default | None = None  # the procedure for its own blocks
    overlap: tuple[float, float] | None = None  # what a correction adds to a variance, and its df
    no_test: str = ""  # why no test of its blocks is known to be valid
    no_test_way: str = ""  # and what to do instead
    no_population: str = ""  # why its samples are no evidence about new ones
    no_population_way: str = ""  # and what to do instead
    remark: str = ""  # the code of what must be said of it
    by_target: Mapping[str, Said] = field(default_factory=dict)  # where it says more
    # how samples were drawn, of `Drawn`; without it a paper says how often, and by this name
    methods: Callable[[Any, Cite], str] | None = None


@dataclass(frozen=True)
class Kind:
    """All there is to know of the samplings of one name; `block` is what one sample is."""

    name: str
    summary: str  # in a line
    block: str
    example: str
    own: bool = False  # every algorithm has samples of its own, unless they are said to be paired
    in_order: bool = False  # samples are made one after the other, so that they may drift
    optimistic: bool = False  # rows are learned from and tested on, unless there is a test sample
    counted: bool = False  # a sample depends on how many there are
    runnable: bool = True  # not only a description of tables
    merges_test: bool = False  # samples are drawn from learning and test sample together
    shared_test: bool = False  # all samples are tested on one test sample
    grammar: Grammar = Grammar()
    sizes: Sizes = Sizes()
    claims: Claims = field(default_factory=Claims)


KINDS: Registry[Kind] = Registry("sampling", of_rooms="samplings", late=True)


def register(kind: Kind) -> Kind:
    """Add a sampling; parsing, legality, words and help know it from here on."""
    BLOCKS[kind.block]  # refuses a kind of block that nobody knows
    return KINDS.add(kind.name, kind)


registered = adding(Kind, register)  # of its facts


@dataclass(frozen=True)
class Sampling:
    """How samples are drawn; equal to another sampling iff it draws the same.

    `samples` is the number B of samples (R repetitions for repeated cv), `folds` K, `share` the
    training share T, `rows` the length of a block or of a forecast, or the size of a training or
    test set; None where the name has no such part or a table's sampling leaves it out. `gap` rows
    lie between those learned from and those tested on.
    `detail` tells splitters apart, and indices read from a file from those drawn here.

    >>> import podium
    >>> made = podium.samplings.repeated_cv(4, 5)
    >>> str(made), made.count, made.folds
    ('repeated-cv:4x5', 20, 5)
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
    halves: int = 0  # halvings beside the samples, which do not depend on them
    paired: bool = False

    def __post_init__(self) -> None:
        if self.kind.own:
            object.__setattr__(self, "independent", not self.paired)
        _check(self)

    @property
    def kind(self) -> Kind:
        """The facts that hold for every sampling of this name."""
        return KINDS[self.name]

    @property
    def replicate(self) -> str:
        """What one sample is: resample, simulation, fold, split, origin, training-set or item."""
        return self.kind.block

    @property
    def block(self) -> str:
        """What one sample is as a block, also where every algorithm has samples of its own."""
        return (self.independent and BLOCKS[self.kind.block].own) or self.kind.block

    @property
    def optimistic(self) -> bool:
        """Whether rows that are learned from are tested on, where there is no test sample."""
        return self.kind.optimistic

    @property
    def folds_per_repeat(self) -> int | None:
        """The number of folds that partition the data, None where samples are no folds."""
        if self.kind.sizes.folds is not None:
            return self.kind.sizes.folds(self)
        return self.folds if self.replicate == FOLD else None

    @property
    def is_one_round(self) -> bool:
        """Whether it is one cross-validation, whose test sets are disjoint."""
        return self.kind.sizes.repeats is not None and self.kind.sizes.repeats(self) == 1

    @property
    def count(self) -> int | None:
        """The number of samples, None where it is not known without the data."""
        return self.samples if self.kind.sizes.count is None else self.kind.sizes.count(self)

    @property
    def identity(self) -> str:
        """The sampling less its number of samples: going from 250 to 500 runs 250 more."""
        left_out = () if self.kind.counted else ("samples",)
        fields = [f for f in self.kind.grammar.fields if f not in left_out]
        return self._spelled(shown for f in fields if (shown := _shown(self, f))) + self.detail

    def repeat_and_fold(self, sample: int) -> tuple[int, int] | None:
        """The repetition and the fold, both from 1, of a sample numbered repeat by repeat."""
        k = self.folds_per_repeat
        return None if not k else ((sample - 1) // k + 1, (sample - 1) % k + 1)

    @property
    def train_share(self) -> float | None:
        """The expected share of *distinct* rows of the training set that are learned from."""
        if self.kind.sizes.share_of is not None:
            return self.kind.sizes.share_of(self)
        if self.folds_per_repeat:
            return 1 - 1 / self.folds_per_repeat
        return self.share if self.kind.sizes.share is None else self.kind.sizes.share

    def sizes(self, n: int, test: int = 0) -> tuple[float, float | None]:
        """Rows learned from (copies counted) and expected rows tested on.

        `n` is the size of the training set and `test` that of a separate test sample.

        >>> parse("bootstrap:250").sizes(100)
        (100.0, 36.603234)
        >>> parse("cv:10").sizes(100)
        (90.0, 10.0)
        """
        if self.kind.sizes.rows is not None:
            learned, tested = self.kind.sizes.rows(self, n, test)
            return float(learned), None if tested is None else float(tested)
        share = self.train_share
        if share is None:
            return float(n), None
        return round(n * share, 6), round(n * (1 - share), 6)

    def least_rows(self, test: int = 0) -> int:
        """The fewest rows (groups, where grouped) of a training set that can be sampled so."""
        if self.kind.sizes.least_rows is not None:
            return self.kind.sizes.least_rows(self, test)
        return max(self.folds_per_repeat or self.folds or 2, 2)

    def with_count(self, samples: int) -> Sampling:
        """The same sampling with another number of samples (or repetitions)."""
        return replace(self, samples=samples)

    def _repr_html_(self) -> str:
        return f"<p><b>Sampling {escape(str(self))}</b>: one sample is one {self.replicate}</p>"

    def __str__(self) -> str:
        """The text that `parse` reads; a number that is not known is a question mark."""
        written = self._spelled(_shown(self, f) or UNKNOWN for f in _written(self))
        return written + halvings.spelled(self.halves)

    def _spelled(self, numbers: Iterable[str]) -> str:
        spec = "x".join(numbers)
        text = f"{self.name}:{spec}" if spec else self.name
        return text + "".join(f"+{o}" for o in self.kind.grammar.options if getattr(self, o))


def _shown(sampling: Sampling, field: str) -> str:
    value = getattr(sampling, field)
    if value is None or (field == "gap" and value == 0):
        return ""
    # every digit, and no exponent, which the grammar does not know
    return f"{Decimal(str(value)):f}" if field == "share" else str(value)


def _written(s: Sampling) -> list[str]:
    """The fields that `str` writes: none where none is known, else those that `parse` needs."""
    fields = list(s.kind.grammar.fields)
    if not any(_shown(s, f) for f in fields):
        return []
    if s.kind.grammar.samples is not None and s.samples is None:
        return [f for f in fields if f != "samples"]
    while fields[-1] in (*OPEN, *s.kind.grammar.optional) and not _shown(s, fields[-1]):
        fields.pop()
    return fields


def _check(s: Sampling) -> None:
    kind = s.kind  # refuses an unknown name
    halvings.check(s)
    for option in PLUS:
        own = option == "independent" and kind.own
        if getattr(s, option) and option not in kind.grammar.options and not own:
            raise DesignError(f"The sampling '{s.name}' cannot be {option}.")
    if s.stratified and s.grouped and s.replicate != FOLD:
        raise DesignError(f"The sampling '{s.name}' can be stratified or grouped, not both.")
    for name in ("samples", "folds", "share", "rows", "gap"):
        if getattr(s, name) not in (None, 0) and name not in kind.grammar.fields:
            _refuse(s, f"it has no {name}")
    for name, least in (
        ("samples", 1),
        ("folds", kind.grammar.least_folds),
        ("rows", 1),
        ("gap", 0),
    ):
        value = getattr(s, name)
        if value is not None and (not _is_whole(value) or value < least):
            _refuse(s, f"{name} must be a whole number of at least {least}, not {value!r}")
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
        folds = f"; {text} folds are 'cv:{text}'" if type(text) is int and text > 1 else ""
        raise DesignError(f"A sampling is a text such as 'bootstrap:250', not {text!r}{folds}.")
    body, *options = (part.strip() for part in text.lower().split("+"))
    name, colon, spec = body.partition(":")
    name = name.strip()
    values = _fields(name, KINDS[name], spec, text) if colon else {}
    values["halves"], options = halvings.taken(options, text)
    for option in options:
        if option not in PLUS:
            raise DesignError(f"In '{text}': " + unknown("option", option, PLUS))
    return Sampling(name, **values, **{o: o in options for o in PLUS})  # type: ignore[arg-type]


def _fields(name: str, kind: Kind, spec: str, text: str) -> dict[str, int | float | None]:
    """The values behind the colon, by field."""
    parts = spec.split("x") if spec.strip() else []
    needed = [f for f in kind.grammar.fields if f not in (*OPEN, *kind.grammar.optional)]
    wanted = kind.grammar.fields[: max(len(parts), len(needed))]
    if kind.grammar.samples is not None and len(parts) < len(kind.grammar.fields):
        wanted = tuple(f for f in kind.grammar.fields if f != "samples")
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
    if not kind.grammar.fields:
        return "nothing may stand behind the colon. "
    words = [("a " if f in ("share", "gap") else "a number of ") + f for f in kind.grammar.fields]
    optional = ["", ", the last may be left out", ", the last two may be left out"]
    left_out = optional[len(words) - kind.grammar.required]
    return f"behind the colon stands {' x '.join(words)}{left_out}. "


def complete(sampling: Sampling) -> Sampling:
    """The sampling with defaults filled in, or an error where a number is needed to draw it."""
    kind = sampling.kind
    if "samples" in kind.grammar.fields and sampling.samples is None:
        sampling = replace(sampling, samples=kind.grammar.samples)
    if "rows" in kind.grammar.fields and sampling.rows is None:
        sampling = replace(sampling, rows=kind.grammar.rows)
    for name in kind.grammar.fields:
        if getattr(sampling, name) is None and name not in kind.grammar.optional:
            what = "its training share" if name == "share" else f"how many {name} to draw"
            raise DesignError(
                f"The sampling '{sampling}' does not say {what}. "
                f"An example: {sampling.kind.example}."
            )
    return sampling


def renamed(sampling: Sampling) -> Sampling:
    """The sampling under the name of its own that it has, such as 5x2cv for repeated-cv:5x2."""
    written = (sampling.name, sampling.count, sampling.folds)
    for name, kind in KINDS.items():
        if kind.grammar.also_written == written:
            return replace(sampling, name=name, samples=None, folds=None)
    return sampling


# -- how samples were drawn, in words -------------------------------------------------------------
# What records may say of a sampling for a paper.


@dataclass(frozen=True)
class Drawn:
    """A sampling with what is known of its sizes; `several` data sets were each sampled so."""

    sampling: Sampling
    count: int  # of samples, of every data set
    rows: int | None = None
    test: int = 0
    several: bool = False
    shared: bool = True  # by several algorithms

    @property
    def algorithms(self) -> str:
        """Who was trained, with the verb."""
        return "the algorithms were" if self.shared else "the algorithm was"

    @property
    def source(self) -> str:
        """What samples are drawn from."""
        size = f" of {self.rows} observations" if self.rows else ""
        return ("each training set" if self.several else "the training set") + size

    @property
    def tested(self) -> str:
        """How many rows are expected to be tested on, where known."""
        size = self.sampling.sizes(self.rows, self.test)[1] if self.rows else None
        return f" (about {size:.0f})" if size and size == size else ""

    @property
    def learned(self) -> str:
        """How many rows are learned from, where known."""
        if self.rows:
            return f"{self.sampling.sizes(self.rows, self.test)[0]:.0f} observations"
        share = self.sampling.train_share
        return f"{number(100 * share, 3)} % of the observations" if share else "the others"


def drawn_in_words(drawn: Drawn, cite: Cite) -> str:
    """How samples were drawn, for a paper; general words where the record has none."""
    if drawn.sampling.kind.claims.methods is not None:
        return drawn.sampling.kind.claims.methods(drawn, cite)
    return (
        f"{drawn.source} was sampled {spelled(drawn.count, 'time')} by '{drawn.sampling.name}', "
        f"and {drawn.algorithms} trained and tested on each of these samples"
    )
