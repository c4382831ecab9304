"""What headers say: measures beside names, units, numbered repetitions, what columns are."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from podium.reading.cells.directions import HIGHER, LOWER, is_higher_better, is_rate
from podium.reading.cells.vocabulary import is_summary, role_of
from podium.reading.cells.words import words_of
from podium.reading.inferring.column_facts import BLOCKS, CONTENDERS, PARTS, STATISTICS, Column

LEAST_ITEMS = 10  # tasks from which they are items
JOINT = "~"  # between the rows of a header of several rows
BETWEEN_TWO = {
    "diff",
    "difference",
    "delta",
    "gain",
    "gap",
    "drop",
    "improvement",
    "change",
    "lift",
}
ABOUT_OTHERS = {"rank", "ranks", "speedup", "ratio", "votes", "ci", "lower", "upper", "pvalue"}
ABOUT_OTHERS |= BETWEEN_TWO


# what one item of a test set is called, beside the words of tables
_UNITS = {"user", "participant", "patient", "respondent", "speaker", "customer", "case", "image"}
_UNITS |= {"img", "sentence", "bug", "issue", "id", "uid", "idx", "index"}
# what is told of people who judge or take part
_OF_PEOPLE = {"age", "gender", "sex", "education", "experience", "income", "handedness"}
OF_ALL = {"all", "overall", "avg", "average", "mean", "total", "macro avg", "weighted avg"}
_AVERAGES = {"macro", "micro", "weighted", "binary", "top"}  # ways to average one measure
# roles of columns that hold no scores
_LABELS = ("fold", "repeat", "seed", "sample", "item", "dataset", "algorithm")


def is_of_all(name: str) -> bool:
    """Whether a row or column called so aggregates the others."""
    return str(name).strip().lower() in OF_ALL or is_summary(str(name))


def describes(c: Column, others: Sequence[Column]) -> bool:
    """Whether a header says that its numbers are no scores of an algorithm or a data set."""
    bare = c.name.rpartition(JOINT)[2]
    if c.is_step or c.name.endswith("#"):
        return True
    if c.role in _LABELS and c.name.lower() != "b":  # which may number bootstrap samples
        return True
    if c.is_setting or c.is_cost or c.is_where or c.is_when or is_of_all(bare):
        return True
    if c.is_statistic and len(c.words) == 1 + bool(re.search(r"[(\[]", bare)):
        return not is_numbered(c, others)  # p99 (ms)
    if bare.strip()[:1] in ("Δ", "∆", "δ"):
        return True
    about = _is_about_others(c) and c.words != ("drop",)  # a test set of that name
    if about and not all(map(_is_about_others, others)):
        return True  # speedup, svm_rank, ci_low
    return c.has(_OF_PEOPLE) or (is_rate(bare) and JOINT not in c.name)


def _is_about_others(c: Column) -> bool:
    return any(w.rstrip("0123456789") in ABOUT_OTHERS for w in c.words)


def bounds_of(heads: Sequence[Column]) -> set[Column]:
    """Columns called as another one with more, of which one is below it and one above it."""
    bounds: set[Column] = set()
    for c in heads:
        longer = [
            h for h in heads if h.name.startswith(c.name) and h.name[len(c.name) :][:1] in SIGNS
        ]
        below = [h for h in longer if (h.values <= c.values).all()]
        above = [h for h in longer if (h.values >= c.values).all()]
        if len(longer) == 2 and len({*below, *above}) == 2 and below and above:
            bounds |= {*longer}
    return bounds


def tell_of_others(left: Sequence[Column], heads: Sequence[Column]) -> bool:
    """Whether columns that are no heads are so by their names, or as bounds of heads."""
    every = [*heads, *left]
    bounds = bounds_of(every)
    return any(c in bounds or _is_about_others(c) for c in left)


def are_items(label: Column, heads: Sequence[Column]) -> bool:
    """Whether rows are items of one test set: by what names them, or as all are right or wrong."""
    if label.role == "dataset" or label.count < LEAST_ITEMS:
        return False
    units = bool(_UNITS & {*label.words[-1:], label.words[0] if label.words else ""})
    return label.role == "item" or units or all(h.is_binary for h in heads)


def is_numbered(c: Column, others: Sequence[Column]) -> bool:
    """Whether it is one of several questions, q1, q2, q3 ..., of which quartiles are but two."""
    stem, number = re.sub(r"\d+$", "", c.name), re.search(r"\d+$", c.name)
    alike = {re.sub(r"\d+$", "", o.name) == stem and o.name[len(stem) :] for o in others}
    return bool(number) and {"1", "2", "3"} <= {str(a) for a in alike}


def is_on_scale(c: Column, heads: Sequence[Column]) -> bool:
    """Whether the one number of a column is a score that its neighbours could have had.

    That is one between theirs, the first or last of shares (0 and 1, or 0 and 100 percent), or a
    rank next to theirs.
    """
    values = np.concatenate([h.values for h in heads])
    low, high, value = float(np.nanmin(values)), float(np.nanmax(values)), float(c.values[0])
    if low >= 0 and value in ((0.0, 100.0) if 1 < high <= 100 else (0.0,)):
        return True
    if low >= 0 and high <= 1:
        return 0 <= value <= 1
    next_to = float(all(h.is_whole for h in heads))
    return low - next_to <= value <= high + next_to


def corner(name: str) -> str | None:
    """What the columns are, where the corner of a table names rows and columns: `Game / Agent`."""
    parts = [p for p in re.split(r"\s*[\\/|→↓]+\s*|\s+(?:vs\.?|by|x)\s+", name) if p]
    roles = [role_of(p) or _kind_of(p) for p in parts]
    if len(roles) != 2 or {*roles} != {"algorithm", "dataset"}:
        return None
    return str(roles[1])


def _kind_of(word: str) -> str | None:
    """What rows or columns are that are called so, beside the words of tables."""
    words = {w.removesuffix("s") for w in words_of(word)}
    return "algorithm" if words & CONTENDERS else "dataset" if words & BLOCKS else None


def unit_of(heads: Sequence[Column]) -> str:
    """The unit that all headers have in brackets, where it tells which values are better."""
    found = [re.search(r"[(\[]([^)\]]+)[)\]]\s*$|_([mun]s|sec)$", h.name) for h in heads]
    units = {(m[1] or m[2]).strip() if m else "" for m in found}
    unit = units.pop() if len(units) == 1 else ""
    if unit in ("s", "h", "min"):
        return "time"
    return unit if unit and is_higher_better(unit) is not None else ""


def measures_among(heads: Sequence[Column]) -> list[str]:
    """Headers that name measures, where many do and not all the same one.

    `pass_rate_1` and `pass_rate_2` are two measures; of `acc_iris` and `acc_wine` it is one.
    """
    told = [h.name for h in heads if JOINT not in h.name and is_higher_better(h.name) is not None]
    common = set.intersection(*({*words_of(h.name)} for h in heads)) & (HIGHER | LOWER)
    numbered = len({re.sub(r"\d+", "", h.name) for h in heads}) == 1 and len(heads) < 4
    return told if 3 * len(told) > len(heads) and (not common or numbered) else []


_SPREADS = {"std", "sd", "stddev", "var", "sem", "count", "size", "n", "min", "max", "median"}
_SPREADS |= {"25%", "50%", "75%", "stderr", "se", "ci", "sum", "first", "last"}


def means_among(names: Sequence[str]) -> list[str]:
    """Headers of two rows that name means, where the others name what is beside a mean.

    >>> means_among(["dataset", "mean~svm", "mean~knn", "std~svm", "std~knn"])
    ['mean~svm', 'mean~knn']
    """
    for place in (0, -1):
        parts = {n: n.split(JOINT) for n in names if JOINT in n}
        said = {n: p[place].lower() for n, p in parts.items()}
        beside = [{*p} - {p[place]} for p in parts.values()]
        means = [n for n, word in said.items() if word in ("mean", "avg", "average")]
        if 0 < len(means) < len(said) and {*said.values()} <= _SPREADS | {"mean", "avg", "average"}:
            return means if all(beside) else []
    return []


SIGNS = (JOINT, ".", "/", ":", "_", "-", " ")  # between a measure and a name in a header


def by_measure(heads: Sequence[Column], sign: str) -> dict[str, list[Column]] | None:
    """Columns by the measure that their headers name, where all have the same names beside it."""
    if not heads or not all(sign in h.name for h in heads):
        return None
    for place in (0, 2):
        by_measure: dict[str, list[Column]] = {}
        beside: dict[str, list[str]] = {}
        for h in heads:
            parts = h.name.partition(sign) if place == 0 else h.name.rpartition(sign)
            by_measure.setdefault(parts[place], []).append(h)
            beside.setdefault(parts[place], []).append(parts[2 - place])
        named = all(m and is_higher_better(m) is not None for m in by_measure)
        names = {tuple(sorted(n)) for n in beside.values()}
        if not named or (sign != JOINT and (len(names) > 1 or len(by_measure) < 2)):
            continue
        held = names.pop()
        told = any(is_higher_better(n) is not None or is_summary(n) or not n for n in held)
        told = told or any(n.lower() in PARTS for n in held)  # train_acc, test_acc
        if sign == JOINT or (len({*held}) == len(held) > 1 and not told):
            return by_measure
    return None


def of_one_measure(heads: Sequence[Column]) -> dict[str, list[Column]] | None:
    """Columns that have one measure in their headers, beside others: `AMI WER`, `wer_whisper`."""
    alike: dict[str, list[Column]] = {}
    for sign, place in ((s, p) for s in SIGNS[1:] for p in (0, 2)):
        parts = {
            h: h.name.partition(sign) if place == 0 else h.name.rpartition(sign) for h in heads
        }
        for measure in {p[place] for p in parts.values() if p[1] and _is_measure(p[place])}:
            names = {h: parts[h][2 - place] for h in heads if parts[h][place] == measure}
            held = [h for h in names if not _tells_part(names[h])]
            others = [h for h in held if not _is_measure(names[h])]  # AMI is a test set, too
            held = held if 2 * len(others) > len(held) else others
            if len({names[h] for h in held}) == len(held):
                alike.setdefault(measure, held)
    measure, most = max(alike.items(), key=lambda e: len(e[1]), default=("", []))
    rest = [h for h in heads if h not in most and not describes(h, heads)]
    return {measure: most} if len(most) >= max(2, len(rest) + 1) else None


def _is_measure(word: str) -> bool:
    return word.isalnum() and is_higher_better(word) is not None


def _tells_part(name: str) -> bool:
    """Whether what stands beside a measure is none that is compared: `mean`, `test`, `2`, `ms`."""
    words = {*words_of(name)}
    told = is_summary(name) or name.isdigit() or not words
    return told or bool(words & (ABOUT_OTHERS | STATISTICS | _AVERAGES | {*PARTS}))


LAST_NUMBER = r"(\d+)\D*$"
_REPEATED = re.compile(
    r"(?P<measure>.*?)[\s_.(\[:/-]*(?P<mark>seed|fold|run|repeat|repetition|replicate|trial)"
    r"[\s_.#=-]*\d+[)\]]*",
    re.IGNORECASE,
)


def side_by_side(names: list[str]) -> dict[tuple[str, str], list[str]]:
    """Columns that number repetitions, by their measure and the word: seed, fold, run.

    >>> side_by_side(["model", "acc (seed 0)", "acc (seed 1)"])
    {('acc', 'seed'): ['acc (seed 0)', 'acc (seed 1)']}
    """
    side: dict[tuple[str, str], list[str]] = {}
    for name in names:
        if match := _REPEATED.fullmatch(name.strip()):
            side.setdefault((match["measure"], match["mark"].lower()), []).append(name)
    numbers = {tuple(re.search(LAST_NUMBER, c)[1] for c in held) for held in side.values()}  # type: ignore[index]
    apart = all(len({*held}) == len(held) > 1 for held in numbers)
    return side if len(numbers) == 1 and apart else {}


_NUMBERED = r"^(?P<stem>.+?)[-_. /:]*(?P<mark>seed|fold|repeat)[-_. =]?(?P<no>\d+)$"


def numbers_in_names(names: set[str]) -> dict[str, str]:
    """The role of the number that all names end in, by the word before it, and the pattern.

    >>> [*numbers_in_names({"tpe_seed0", "tpe_seed1", "cma_seed0", "cma_seed1"})]
    ['seed']
    """
    matches = [re.match(_NUMBERED, name, re.IGNORECASE) for name in names]
    if len(names) < 4 or not all(matches):
        return {}
    marks = {m["mark"].lower() for m in matches if m}
    stems: dict[str, set[str]] = {}
    for m in filter(None, matches):
        stems.setdefault(m["stem"], set()).add(m["no"])
    alike = len({frozenset(held) for held in stems.values()}) == 1
    if len(marks) != 1 or len(stems) < 2 or not alike or len(next(iter(stems.values()))) < 2:
        return {}
    return {marks.pop(): f"(?i){_NUMBERED}"}


_RUNS_OF = re.compile(
    r"(?P<stem>.+?)[-_. (/]+(?P<mark>seed|run|fold|repeat|rep|trial|split|s)[-_. =]?(?P<no>\d+)\)?",
    re.IGNORECASE,
)


def runs_of_each(names: Sequence[str]) -> tuple[str, str] | None:
    """The role of the numbers that headers end in, and their pattern, alike for all names.

    >>> runs_of_each(["rf_s1", "rf_s2", "svm_s1", "svm_s2"])[0]
    'seed'
    >>> runs_of_each(["rf_s1", "rf_s2", "svm_s1"])
    """
    matches = [m for name in names if (m := _RUNS_OF.fullmatch(name))]
    stems: dict[str, set[str]] = {}
    for m in matches:
        stems.setdefault(m["stem"], set()).add(m["no"])
    marks = {m["mark"].lower() for m in matches}
    alike = len({frozenset(numbers) for numbers in stems.values()}) == 1
    full = len(matches) == len(names) == len({*names})
    if not full or not alike or len(marks) != 1 or len(stems) < 2 or len(matches) == len(stems):
        return None
    mark = marks.pop()
    return ("seed" if mark == "s" else str(role_of(mark) or "sample")), _RUNS_OF.pattern


def are_pairs(compared: Column | None, tried: Column | None) -> bool:
    """Whether data sets are called as algorithms are: each was held against each."""
    if compared is None or tried is None or compared.name == tried.name:
        return False
    first, second = {*compared.cells} - {""}, {*tried.cells} - {""}
    return len(first) > 2 and len(first & second) > 0.8 * len(second)
