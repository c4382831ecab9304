"""Factors: which level of each an algorithm has, from columns, from names or as they are given.

Levels are ordered: numbers by size, what is switched off before what is on, others as they first
appear. Effects are of later levels less earlier ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from podium.core.base.errors import InferenceError
from podium.core.base.registry import unknown

JOINT = " / "  # between the parts of a name that was made of several columns
ABLATION = "ablation"  # what is said of names such as full, full-pca, w/o pca
SEPARATORS = (JOINT, " + ", " - ", "__", "_", "-", "+", "/", "|", ":", ";", ".", " ")
OFF = ("0", "no", "off", "false", "without", "w/o", "n", "-", "none", "")
ON = ("1", "yes", "on", "true", "with", "w/", "y", "+")
WITHOUT = r"(?:w/o|wo|without|no|not|minus|less|excl|[-−–])"
FULL = ("full", "all", "complete", "everything", "ours")
MOST_LEVELS = 30  # of a factor: 435 differences


@dataclass(frozen=True, eq=False)
class Factors:
    """The level of every factor in every algorithm, by its place among the levels."""

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    cells: np.ndarray  # algorithms x factors
    algorithms: tuple[str, ...]
    within: Mapping[int, int] = field(default_factory=dict)  # a factor -> the one it belongs to

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How many levels each factor has."""
        return tuple(map(len, self.levels))

    def is_switch(self, factor: int) -> bool:
        """Whether its levels are off and on."""
        low = [level.lower() for level in self.levels[factor]]
        return len(low) == 2 and low[0] in OFF and low[1] in ON

    @property
    def are_switches(self) -> bool:
        """Whether all factors are parts that are there or not."""
        return all(self.is_switch(f) for f in range(len(self.names)))

    def only(self, algorithms: Sequence[str]) -> Factors:
        """The same for algorithms in another order, or some of them."""
        places = [self.algorithms.index(name) for name in algorithms]
        rows = [self.named(self.cells[at]) for at in places]
        within = {self.names[f]: self.names[g] for f, g in self.within.items()}
        return of_rows(tuple(algorithms), self.names, rows, within)

    def named(self, cell: Iterable[int]) -> list[str]:
        """The levels of a cell."""
        return [level_names[at] for level_names, at in zip(self.levels, cell, strict=True)]


def of_rows(
    algorithms: Sequence[str],
    names: Sequence[str],
    rows: Sequence[Sequence[str]],
    within: Mapping[str, str] | None = None,
) -> Factors:
    """Factors whose levels are given algorithm by algorithm, checked."""
    within = within or {}
    if len({*names}) < len(names):
        raise InferenceError(f"A factor is named twice in {', '.join(names)}; name each once.")
    columns = [list(column) for column in zip(*rows, strict=True)]
    levels = tuple(tuple(_ordered(column)) for column in columns)
    for name, here in zip(names, levels, strict=True):
        if len(here) < 2:
            raise one_level(name, here[0])
        if len(here) > MOST_LEVELS:
            raise InferenceError(
                f"The factor '{name}' has {len(here)} levels, more than the {MOST_LEVELS} that are "
                "compared with each other. Is it a number, or an item? Group its levels, or leave "
                "it out of --factors (factors=)."
            )
    result = zip(columns, levels, strict=True)
    cells = np.array([[here.index(level) for level in column] for column, here in result]).T
    _check_once(algorithms, names, cells)
    outer = {names.index(f): names.index(g) for f, g in within.items()}
    return Factors(tuple(names), levels, cells, tuple(algorithms), outer)


def one_level(name: str, level: str) -> InferenceError:
    """That a factor never changes."""
    return InferenceError(
        f"The factor '{name}' has one level ('{level}'), so it changes nothing: leave it out of "
        "--factors (factors=)."
    )


def nested_names(names: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """Plain names, and which factor belongs to which: `width(encoder)` has levels of its own there.

    >>> nested_names(["encoder", "width(encoder)"])
    (['encoder', 'width'], {'width': 'encoder'})
    """
    parts = [re.fullmatch(r"(.+?)\s*\(\s*(.+?)\s*\)", name) for name in names]
    plain = [m[1] if m else name for m, name in zip(parts, names, strict=True)]
    within = {m[1]: m[2] for m in parts if m}
    for name, outer in within.items():
        if outer not in plain:
            raise InferenceError(
                f"'{name}({outer})' belongs to '{outer}', which is not among the factors: name it "
                f"too, as in --factors '{outer},{name}({outer})'."
            )
        if outer in within:
            raise InferenceError(
                f"'{name}' belongs to '{outer}', which itself belongs to '{within[outer]}': only "
                "one factor inside another is judged. Leave one of them out of --factors."
            )
    return plain, within


def _check_once(algorithms: Sequence[str], names: Sequence[str], cells: np.ndarray) -> None:
    seen: dict[tuple[int, ...], str] = {}
    for name, cell in zip(algorithms, map(tuple, cells.tolist()), strict=True):
        if cell in seen:
            raise InferenceError(
                f"'{seen[cell]}' and '{name}' have the same levels of {', '.join(names)}. Name "
                "the factor in which they differ, too, or leave one of them out."
            )
        seen[cell] = name


def _ordered(column: Sequence[str]) -> list[str]:
    """The levels: numbers by size, off before on, others as they first appear."""
    levels = list(dict.fromkeys(column))
    try:
        return sorted(levels, key=float)
    except ValueError:
        pass
    first = [level for level in levels if level.lower() in OFF]
    return [*first, *(level for level in levels if level.lower() not in OFF)]


# -- what a caller says ---------------------------------------------------------------------------


def split_names(text: str | Sequence[str]) -> list[str]:
    """The names of factors that a text lists.

    >>> split_names("encoder, loss"), split_names("encoder-loss")
    (['encoder', 'loss'], ['encoder-loss'])
    """
    parts = text.split(",") if isinstance(text, str) else list(text)
    return [part.strip() for part in parts if str(part).strip()]


def of_algorithms(algorithms: Sequence[str], text: str | Sequence[str] | Mapping[str, Any]
                  ) -> Factors:  # fmt: skip
    """The factors of algorithms by their names: a list of factors, a pattern, or what is given."""
    if isinstance(text, Factors):
        return text.only(algorithms)
    if isinstance(text, Mapping):
        return _given(algorithms, text)
    names = split_names(text)
    if not names:
        raise InferenceError(
            "No factor is named. Say which, as in --factors encoder,loss (factors='encoder,loss')."
        )
    if len(names) == 1:
        return _by_pattern(algorithms, names[0])
    names, within = nested_names(names)
    separators = [s for s in SEPARATORS if all(len(a.split(s)) == len(names) for a in algorithms)]
    separators = [s for i, s in enumerate(separators) if not any(s in t for t in separators[:i])]
    if len(separators) == 1:
        rows = [[part.strip() for part in a.split(separators[0])] for a in algorithms]
        return of_rows(algorithms, names, rows, within)
    raise _not_split(algorithms, names, separators)


def _not_split(
    algorithms: Sequence[str], names: Sequence[str], separators: Sequence[str]
) -> InferenceError:
    listed = ", ".join(names)
    if separators:
        ways = " or ".join(f"--factors '{s.join(names)}'" for s in separators)
        return InferenceError(
            f"Names such as '{algorithms[0]}' can be split into {listed} at more than one sign. "
            f"Say at which: {ways}."
        )
    odd = _odd_name(algorithms, len(names))
    pattern = "_".join(names)
    return InferenceError(
        f"There is no column of {listed}, and '{odd}' does not split into {len(names)} parts at "
        f"one sign. Name columns of the table, or write the names as {len(names)} parts, such as "
        f"{'_'.join(f'{n[:3]}1' for n in names)}, and say how: --factors {pattern}."
    )


def _odd_name(algorithms: Sequence[str], parts: int) -> str:
    """A name that does not split where most of the others do."""
    best = max(SEPARATORS, key=lambda s: sum(len(a.split(s)) == parts for a in algorithms))
    return next((a for a in algorithms if len(a.split(best)) != parts), algorithms[0])


def _given(algorithms: Sequence[str], texts: Mapping[str, Any]) -> Factors:
    """Levels by factor and algorithm, or by algorithm and factor."""
    if {*texts} == {*algorithms}:
        names = list(dict.fromkeys(name for given in texts.values() for name in given))
        texts = {name: {a: given.get(name) for a, given in texts.items()} for name in names}
    for name, given in texts.items():
        for algorithm in algorithms:
            if algorithm not in given or given[algorithm] is None:
                raise InferenceError(
                    f"The factor '{name}' has no level for '{algorithm}': give one for every "
                    "algorithm."
                )
        for algorithm in given:
            if algorithm not in algorithms:
                raise InferenceError(unknown("algorithm", algorithm, list(algorithms)))
    rows = [[_level(texts[name][a]) for name in texts] for a in algorithms]
    return of_rows(algorithms, list(texts), rows)


def _level(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _by_pattern(algorithms: Sequence[str], pattern: str) -> Factors:
    """By a pattern of names: `encoder-loss`, `+` for parts that are there or not, or ablation."""
    if pattern.lower() == ABLATION:
        return _ablation(algorithms)
    signs = re.findall(r"[^A-Za-z0-9 ]+", pattern)
    if not re.search(r"[A-Za-z0-9]", pattern):
        return _components(algorithms, pattern)
    names = [part.strip() for part in re.split(r"[^A-Za-z0-9 ]+", pattern)]
    if not signs or not all(names):
        raise InferenceError(
            f"There is no column '{pattern}', and it is no pattern of names. Name columns of the "
            "table, as in --factors encoder,loss; or how names such as 'resnet_ce' are made, as in "
            "--factors encoder_loss; or --factors + for parts, as in 'rf+pca'; or --factors "
            "ablation."
        )
    rows = [_matched(name, signs, pattern) for name in algorithms]
    return of_rows(algorithms, names, rows)


def _matched(name: str, signs: Sequence[str], pattern: str) -> list[str]:
    """The parts of a name between the signs of a pattern, where there is one way to see them."""
    ways = [
        re.fullmatch(part + "".join(re.escape(s) + part for s in signs), name)
        for part in ("(.+?)", "(.+)")
    ]
    if ways[0] is None or ways[1] is None or ways[0].groups() != ways[1].groups():
        raise InferenceError(
            f"The name '{name}' does not split as '{pattern}' does"
            + (" in one way only" if ways[0] else "")
            + f": it needs {', '.join(repr(s) for s in dict.fromkeys(signs))} just "
            f"{len(signs)} time{'s' * (len(signs) > 1)}. Rename it, or give the levels in columns "
            "of the table."
        )
    return [part.strip() for part in ways[0].groups()]


def _components(algorithms: Sequence[str], sign: str) -> Factors:
    """Parts that are there or not: rf, rf+pca, rf+pca+smote; what all have is no factor."""
    parts = [[p.strip() for p in name.split(sign) if p.strip()] for name in algorithms]
    every = list(dict.fromkeys(p for parts_of in parts for p in parts_of))
    names = [p for p in every if not all(p in parts_of for parts_of in parts)]
    if not names or not any(sign in name for name in algorithms):
        raise InferenceError(
            f"No name such as '{algorithms[0]}' has a part behind '{sign}' that another one lacks, "
            f"so --factors {sign} finds no factor."
        )
    if len({len(parts_of) for parts_of in parts}) == 1 and len(parts[0]) > 1:
        levels = [{*column} for column in zip(*parts, strict=True)]
        if sum(map(len, levels)) == len(every):  # each in one place only: some part is always there
            called = sign.join("ABCDEFGHIJ"[: len(levels)])
            raise InferenceError(
                f"Every name has {len(levels)} parts, as '{algorithms[0]}' has, so these are "
                f"levels of {len(levels)} factors: name them, as in --factors '{called}'."
            )
    return of_rows(
        algorithms,
        names,
        [["yes" if n in parts_of else "no" for n in names] for parts_of in parts],
    )


def _ablation(algorithms: Sequence[str]) -> Factors:
    """The full one, and others that lack a part: full-pca, w/o pca, no-pca."""
    for base in sorted(algorithms, key=lambda a: (a.lower() not in FULL, len(a))):
        lacking = [None if a == base else _lacking(a, base) for a in algorithms]
        if all(part for a, part in zip(algorithms, lacking, strict=True) if a != base):
            names = list(dict.fromkeys(p for p in lacking if p))
            rows = [["no" if n == part else "yes" for n in names] for part in lacking]
            return of_rows(algorithms, names, rows)
    raise InferenceError(
        f"Names such as {', '.join(map(repr, algorithms[:3]))} are no ablation: one is the full "
        "one, and every other says what it lacks, as in full, full-pca, 'w/o pca' or no-pca."
    )


def _lacking(name: str, base: str) -> str | None:
    """The part that a name says is lacking."""
    own = name[len(base) :] if name.lower().startswith(base.lower()) else name
    match = re.fullmatch(rf"[\s_(,]*{WITHOUT}[\s_:-]*(\S.*?)\)?", own.strip(), re.IGNORECASE)
    return match[1].strip() if match else None
