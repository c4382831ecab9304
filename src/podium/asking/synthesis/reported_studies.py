"""What studies report: differences with their errors, or means with how their errors vary together.

A table of studies has one row per study and pair (study, first, second, estimate, se) or one per
study and algorithm (study, algorithm, mean, with sd and n, with se, or with a column of covariances
for every algorithm).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from podium.asking.synthesis.random_effects import Study
from podium.core.base.errors import InferenceError, ResultsError
from podium.core.base.formatting import listed
from podium.core.base.registry import did_you_mean, unknown
from podium.core.words.facts import Note
from podium.reading.cells.columns import Tabular

Pair = tuple[str, str]
Parts = Mapping[str, tuple[float, float]]  # a difference and its variance on every data set
CALLED = {  # what people call a column
    "study": ("study", "studlab", "paper", "trial"),
    "first": ("first", "algorithm1", "treat1", "a"),
    "second": ("second", "algorithm2", "treat2", "b"),
    "estimate": ("estimate", "difference", "effect", "yi", "te"),
    "se": ("se", "standard_error", "error", "sete", "sei"),
    "variance": ("variance", "var", "vi"),
    "algorithm": ("algorithm", "method", "model", "arm", "treatment", "treat"),
    "mean": ("mean",),
    "sd": ("sd", "std"),
    "n": ("n", "blocks"),
    "correlation": ("correlation", "r"),
    "dataset": ("dataset", "datasets", "data"),
}
COVARIANCE = ("cov_", "cov:", "covariance_")
ROUNDED = 0.1  # of a standard error: what rounding may leave of differences that add up
CONTENT = "the content "  # of a data set, whatever its name
ONE_PAIR = ("first", "second")  # where a table has one difference and does not name its algorithms
FORMS = (
    "study, first, second, estimate and se; or study, algorithm, mean, sd and n; or study, "
    "algorithm, mean and a column of covariances for every algorithm"
)


@dataclass(frozen=True, eq=False)
class Reported:
    """One study: the differences it reports with their variances and, where known, all at once."""

    name: str
    pairs: Mapping[Pair, tuple[float, float]]
    arms: Study | None  # None where it reports some of the differences only
    datasets: tuple[str, ...] = ()  # that its scores come from, where known
    notes: tuple[Note, ...] = field(default=())
    parts: Mapping[Pair, Parts] = field(default_factory=dict)  # where it tells them by data set
    contents: Mapping[str, str] = field(default_factory=dict)  # of data sets, where known

    @property
    def algorithms(self) -> tuple[str, ...]:
        """In the order in which they appear."""
        return tuple(dict.fromkeys(name for pair in self.pairs for name in pair))

    def difference(self, first: str, second: str) -> tuple[float, float] | None:
        """First less second with its variance; None where it has not compared them."""
        if (first, second) in self.pairs:
            return self.pairs[first, second]
        if (second, first) in self.pairs:
            value, variance = self.pairs[second, first]
            return -value, variance
        return None

    def by_dataset(self, first: str, second: str) -> Parts:
        """The same on every data set (variance 0 where not known); none where it does not tell."""
        if (first, second) in self.parts:
            return self.parts[first, second]
        turned = self.parts.get((second, first), {})
        return {name: (-value, variance) for name, (value, variance) in turned.items()}


NO_PARTS: Mapping[Pair, Parts] = {}
NO_CONTENTS: Mapping[str, str] = {}


def of_means(
    name: str,
    algorithms: Sequence[str],
    means: np.ndarray,
    covariance: np.ndarray,
    datasets: Sequence[str] = (),
    notes: Sequence[Note] = (),
    contents: Mapping[str, str] = NO_CONTENTS,
) -> Reported:
    """A study of means whose errors vary together."""
    if len(algorithms) < 2:
        raise InferenceError(f"The study '{name}' has one algorithm: leave it out.")
    pairs = {}
    for i, j in combinations(range(len(algorithms)), 2):
        variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
        pairs[algorithms[i], algorithms[j]] = float(means[i] - means[j]), float(variance)
    _check_variances(name, pairs)
    arms = Study(name, tuple(algorithms), means, covariance)
    return Reported(name, pairs, arms, tuple(datasets), tuple(notes), contents=contents)


def of_differences(
    name: str,
    pairs: Mapping[Pair, tuple[float, float]],
    datasets: Sequence[str] = (),
    parts: Mapping[Pair, Parts] = NO_PARTS,
) -> Reported:
    """A study of differences; with those of all its pairs it is known how these vary together."""
    _check_variances(name, pairs)
    made = Reported(name, pairs, None, tuple(datasets), parts=parts)
    k = len(made.algorithms)
    several = any(len(values) > 1 for values in parts.values())
    if several or len(pairs) < k * (k - 1) // 2:
        return made
    return replace(made, arms=_arms(made))


def _arms(study: Reported) -> Study:
    """Means about 0, and the covariance that differences with these variances have.

    -1/2 J D J of the variances D of all differences gives them back, as distances do.
    """
    names = study.algorithms
    k = len(names)
    values, variances = np.zeros((2, k, k))
    for i, j in combinations(range(k), 2):
        difference = study.difference(names[i], names[j])
        assert difference is not None  # all pairs are there
        values[i, j], values[j, i] = difference[0], -difference[0]
        variances[i, j] = variances[j, i] = difference[1]
    means = values.mean(axis=1)
    off = np.abs(values - np.subtract.outer(means, means)).max()
    if off > ROUNDED * np.sqrt(variances[variances > 0].min()):
        raise InferenceError(
            f"Study '{study.name}': {names[0]} − {names[1]} plus {names[1]} − {names[2]} should "
            f"equal {names[0]} − {names[2]}, and so for all {k} algorithms; check the file."
        )
    centring = np.eye(k) - 1 / k
    return Study(study.name, names, means, -0.5 * centring @ variances @ centring)


def _check_variances(name: str, pairs: Mapping[Pair, tuple[float, float]]) -> None:
    for (first, second), (value, variance) in pairs.items():
        if not np.isfinite([value, variance]).all() or variance <= 0:
            raise InferenceError(
                f"The study '{name}' needs an estimate and a standard error above 0 of {first} "
                f"less {second}; it has {_given(value)} and {_given(variance**0.5)}. Correct it, "
                "or leave the study out."
            )


def _given(value: float) -> str:
    return "none" if np.isnan(value) else f"{value:g}"


# -- tables ---------------------------------------------------------------------------------------


def is_of_studies(columns: Sequence[str], by: str | None = None) -> bool:
    """Whether a table's columns are those of studies that report."""
    known = _roles(columns, by)
    pairs = set(ONE_PAIR) <= known.keys()  # scores name no pairs
    return "study" in known and (pairs or _is_complete(known))


def _is_complete(known: Mapping[str, str]) -> bool:
    """Whether there is all that a study must report."""
    differs = "estimate" in known and bool({"se", "variance"} & known.keys())
    return differs or {"algorithm", "mean"} <= known.keys()


def studies_in(table: Tabular, by: str | None) -> list[Reported]:
    """The studies of a table."""
    if by is not None:
        table.check_column(by)
    known = _roles(table.columns, by)
    if not _is_complete(known):
        raise ResultsError(
            f"{table.what} does not report studies: it needs the columns {FORMS}."
            f"{_way_out(table.columns, known)}"
        )
    places, names = table.names(known["study"])
    read = _differences if "estimate" in known else _means
    return [read(table, known, name, places == i) for i, name in enumerate(names)]


def _way_out(columns: Sequence[str], known: Mapping[str, str]) -> str:
    """What may have been meant: limits instead of an error, or a column that is misspelt."""
    lower = {c.lower().strip() for c in columns}
    if "estimate" in known and {"lower", "upper"} <= lower:
        return " Of 95 % limits of a normal estimate se is (upper - lower) / 3.92."
    free = [c for c in columns if c not in known.values()]
    lacking = [role for role in ("estimate", "se", "mean") if role not in known]
    near = {role: did_you_mean(role, free) for role in lacking}
    return "".join(f" There is no '{role}'.{meant}" for role, meant in near.items() if meant)


def _roles(columns: Sequence[str], by: str | None) -> dict[str, str]:
    """The column of each role."""
    lower = {c.lower().strip(): c for c in columns}
    roles = {
        role: lower[word] for role, words in CALLED.items() for word in words[::-1] if word in lower
    }
    return roles | ({"study": by} if by else {})


def _rows(table: Tabular, mine: np.ndarray) -> Iterator[int]:
    return iter(np.flatnonzero(mine).tolist())


def _differences(table: Tabular, known: Mapping[str, str], name: str, mine: np.ndarray) -> Reported:
    values = table.numbers(known["estimate"])
    errors = table.numbers(known.get("se") or known["variance"])
    variances = errors**2 if "se" in known else errors
    _check_errors(table, known, name, mine)
    if ("first" in known) != ("second" in known):
        raise ResultsError(f"{table.what} names one algorithm of a pair: add first or second.")
    firsts, seconds = (
        table.texts(known[side]).to_list() if side in known else [side] * len(mine)
        for side in ONE_PAIR
    )
    result = _one_each(table, known)
    parts: dict[Pair, dict[str, tuple[float, float]]] = {}
    for i in _rows(table, mine):
        pair = firsts[i], seconds[i]
        if pair[0] == pair[1] or not all(pair):
            raise ResultsError(
                f"{table.what}, row {table.row[i]}: a pair needs two algorithms, not {pair}."
            )
        own = parts.setdefault(pair, {})
        if result[i] in own or pair[::-1] in parts:
            raise ResultsError(
                f"{table.what} has two estimates of {pair[0]} less {pair[1]} of the study "
                f"'{name}': they share its luck. Give one (their mean, with its own standard "
                "error), one of every data set with a column dataset, or name the studies apart."
            )
        own[result[i]] = float(values[i]), float(variances[i])
        _check_variances(name, {pair: own[result[i]]})
    pairs = {pair: _together(of) for pair, of in parts.items()}
    message = {} if "" in result[mine] else parts
    return of_differences(name, pairs, _datasets(table, known, mine), message)


def _check_errors(table: Tabular, known: Mapping[str, str], name: str, mine: np.ndarray) -> None:
    """Refuse errors below 0, and those of which two columns tell different things."""
    told_errors = {r: table.numbers(known[r])[mine] for r in ("se", "variance") if r in known}
    if any((errors < 0).any() for errors in told_errors.values()):
        uncertainty = "standard error" if "se" in known else "variance"
        raise ResultsError(
            f"{table.what}: the study '{name}' has a {uncertainty} below 0. Correct it, or leave "
            "the study out."
        )
    squares = told_errors.get("se", np.nan) ** 2
    if len(told_errors) > 1 and not np.allclose(
        squares, told_errors["variance"], 2 * ROUNDED, 0, equal_nan=True
    ):
        raise ResultsError(
            f"{table.what}: of the study '{name}' the columns '{known['se']}' and "
            f"'{known['variance']}' give different errors (a variance is the square of a standard "
            "error). Leave the wrong one out."
        )


def _together(parts: Parts) -> tuple[float, float]:
    """The mean of what a study says on its data sets, by precision."""
    y, v = np.array(list(parts.values())).T
    return float((y / v).sum() / (1 / v).sum()), float(1 / (1 / v).sum())


def _one_each(table: Tabular, known: Mapping[str, str]) -> np.ndarray:
    """The data set of every row; empty where a row rests on none that is named, or on several."""
    if "dataset" not in known:
        return np.full(len(table.frame), "")
    cells = table.texts(known["dataset"]).to_numpy()
    return np.array(["" if ";" in cell else cell.strip() for cell in cells], dtype=str)


def _means(table: Tabular, known: Mapping[str, str], name: str, mine: np.ndarray) -> Reported:
    rows = list(_rows(table, mine))
    texts = table.texts(known["algorithm"]).to_list()
    algorithms = [texts[i] for i in rows]
    again = [a for a in algorithms if algorithms.count(a) > 1]
    if again or not all(algorithms):
        raise ResultsError(
            f"{table.what}: the study '{name}' needs one row of every algorithm, named; "
            f"'{again[0] if again else ''}' is not."
        )
    means = table.numbers(known["mean"])[rows]
    covariance, notes = _covariance(table, known, name, algorithms, rows)
    result = _datasets(table, known, mine)
    return of_means(name, algorithms, means, covariance, result, notes)


def _covariance(
    table: Tabular, known: Mapping[str, str], name: str, algorithms: Sequence[str], rows: list[int]
) -> tuple[np.ndarray, tuple[Note, ...]]:
    columns = _covariances(table.columns)
    if all(a in columns for a in algorithms):
        scores = np.column_stack([table.numbers(columns[a])[rows] for a in algorithms])
        if not np.allclose(scores, scores.T, rtol=1e-6, atol=1e-12):
            raise ResultsError(
                f"{table.what}: the covariances of the study '{name}' are not the same both ways, "
                "or some are missing: correct them."
            )
        return scores, ()
    errors = _errors(table, known, name, rows)
    if "correlation" not in known:
        return np.diag(errors**2), (Note("arms-independent", study=name),)
    shared = table.numbers(known["correlation"])[rows]
    if not (np.abs(shared) < 1).all() or np.ptp(shared) > 0:
        raise ResultsError(
            f"{table.what}: the study '{name}' needs one correlation above -1 and below 1, the "
            "same in all its rows."
        )
    both = np.outer(errors, errors)
    return np.where(np.eye(len(rows)) > 0, both, shared[0] * both), ()


def _covariances(columns: Sequence[str]) -> dict[str, str]:
    """The column of covariances with each algorithm: `svm`, or `cov_svm`."""
    covariances = {c: c for c in columns}
    return covariances | {
        c[len(head) :]: c for c in columns for head in COVARIANCE if c.lower().startswith(head)
    }


def _errors(table: Tabular, known: Mapping[str, str], name: str, rows: list[int]) -> np.ndarray:
    """The standard errors of means."""
    if "se" in known:
        return np.asarray(table.numbers(known["se"])[rows])
    if not {"sd", "n"} <= known.keys():
        raise ResultsError(
            f"{table.what} has means and no errors of them: add sd and n, se, or covariances."
        )
    n = table.numbers(known["n"])[rows]
    if not (n > 1).all():
        raise ResultsError(f"{table.what}: the study '{name}' needs n above 1 in every row.")
    return np.asarray(table.numbers(known["sd"])[rows] / np.sqrt(n))


def _datasets(table: Tabular, known: Mapping[str, str], mine: np.ndarray) -> list[str]:
    """The data sets that a study names, with semicolons between."""
    if "dataset" not in known:
        return []
    cells = table.texts(known["dataset"]).to_numpy()[mine]
    each = [part.strip() for cell in dict.fromkeys(cells) for part in cell.split(";")]
    return [name for name in dict.fromkeys(each) if name]


# -- studies that go together ---------------------------------------------------------------------


def check_names(studies: Sequence[Reported]) -> None:
    """Refuse studies of one name."""
    names = [s.name for s in studies]
    for name in names:
        if names.count(name) > 1:
            raise InferenceError(f"Two studies are called '{name}': give each a name of its own.")


def shared_data(studies: Sequence[Reported]) -> tuple[str, str, list[str]] | None:
    """The first two studies that share data sets, and which; None where all are apart."""
    for one, other in combinations(studies, 2):
        shared = [d for d in one.datasets if d in other.datasets]
        if shared:
            names = [d for d in shared if not d.startswith(CONTENT)] or shared
            return one.name, other.name, names
    return None


def check_apart(studies: Sequence[Reported], way_out: str) -> None:
    """Refuse studies that share data sets, whose luck they share."""
    if (result := shared_data(studies)) is not None:
        one, other, names = result
        raise InferenceError(
            f"The studies '{one}' and '{other}' share {listed(names, 5)}: both have the luck of "
            f"these data, and studies taken together are independent. {way_out}"
        )


def known_pair(pairs: Sequence[Pair], first: str | None, second: str | None) -> Pair:
    """The pair that is asked for, in the order in which it stands; without names the first."""
    if first is None and second is None:
        return pairs[0]
    wanted = {first, second} - {None}
    results = [pair for pair in pairs if wanted <= {*pair}]
    if not results:
        text = " and ".join(str(name) for name in (first, second) if name is not None)
        raise InferenceError(
            unknown("pair of these studies", text, [" and ".join(p) for p in pairs])
        )
    return results[0]
