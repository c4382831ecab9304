"""Measures of predictions: one record each, by the name that people type behind -m.

A measure is a mean of losses per item (`losses`), which takes the road of all item scores, or
another function of the items (`influence`), which is linearised. A name may say more: `f1:cat` is
of the class cat, `f1@0.3` of the labels that a threshold of 0.3 gives, `f2` is F-beta with beta 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from podium.asking.predictions import influence as inf
from podium.asking.predictions.influence import Influence
from podium.asking.predictions.predicted import (
    LABELS,
    NUMBERS,
    PROBABILITIES,
    RANKING,
    SCORES,
    TEXTS,
    Asked,
    Predictions,
    Rule,
)
from podium.core.base.errors import InferenceError, ResultsError
from podium.core.base.formatting import read_digits
from podium.core.base.registry import did_you_mean
from podium.core.questions.measures import INFINITY
from podium.core.results.measure_names import known_measure, plain, spelled_measure

# -- losses -------------------------------------------------------------------------------------
# Losses per item, of which measures of predictions are means; rankings within queries, texts.


BINS = 10  # of equal width, for calibration


def right(request: Asked, output: np.ndarray) -> np.ndarray:
    """1 where the label is right."""
    return (request.labels(output) == request.y).astype(float)


def wrong(request: Asked, output: np.ndarray) -> np.ndarray:
    """1 where the label is wrong."""
    return 1 - right(request, output)


def log_loss(request: Asked, output: np.ndarray) -> np.ndarray:
    """Minus the log probability of what happened, which must not be 0."""
    p = request.chance(output)[np.arange(request.predictions.n), request.y]
    if (p <= 0).any():
        place = int(np.argmax(p <= 0))
        model = next(m for m, o in request.predictions.outputs.items() if o is output)
        raise ResultsError(
            f"'{model}' gives probability 0 to what happened ({request.predictions.item(place)}; "
            f"{int((p <= 0).sum())} in all), so that its log-loss is infinite: use brier, or give "
            "probabilities that are not rounded."
        )
    return -np.log(p)


def brier(request: Asked, output: np.ndarray) -> np.ndarray:
    """(y - p)² of two classes; of more, its sum over classes, which is Brier's own."""
    if output.ndim == 1:
        return np.asarray((request.is_positive - request.score(output)) ** 2)
    p = request.chance(output)
    return np.asarray(((p - np.eye(p.shape[1])[request.y]) ** 2).sum(axis=1))


def absolute(request: Asked, output: np.ndarray) -> np.ndarray:
    """Absolute errors."""
    return np.abs(request.y - output)


def squared(request: Asked, output: np.ndarray) -> np.ndarray:
    """Squared errors."""
    return np.asarray((request.y - output) ** 2)


def pinball(request: Asked, output: np.ndarray) -> np.ndarray:
    """The loss of a quantile: pinball:0.9."""
    q = 0.5 if request.threshold is None else request.threshold
    e = request.y - output
    return np.maximum(q * e, (q - 1) * e)


def same_text(request: Asked, output: np.ndarray) -> np.ndarray:
    """1 where two texts are the same."""
    return (output == request.y).astype(float)


# -- rankings: one number per query ------------------------------------------------------------


def _by_query(request: Asked) -> list[np.ndarray]:
    queries = request.predictions.queries
    assert queries is not None
    _, place = np.unique(queries, return_inverse=True)
    order = np.argsort(place, kind="stable")
    return np.split(order, np.cumsum(np.bincount(place))[:-1])


def ndcg(request: Asked, output: np.ndarray) -> np.ndarray:
    """Of every query; documents with equal scores share the gain of their places."""
    return np.array([_ndcg(request.y[q], output[q], request.k) for q in _by_query(request)])


def _ndcg(relevance: np.ndarray, score: np.ndarray, k: int | None) -> float:
    discount = 1 / np.log2(np.arange(len(score)) + 2)
    if k is not None:
        discount[k:] = 0.0
    gain = 2.0**relevance - 1
    ideal = float((np.sort(gain)[::-1] * discount).sum())
    if not ideal:
        return np.nan
    _, place = np.unique(-score, return_inverse=True)
    sizes = np.bincount(place)
    ends = np.cumsum(sizes)
    total = np.concatenate([[0.0], np.cumsum(discount)])
    share = (total[ends] - total[ends - sizes]) / sizes
    return float((share * np.bincount(place, gain)).sum() / ideal)


def reciprocal_rank(request: Asked, output: np.ndarray) -> np.ndarray:
    """One over the place of the first relevant document; ties count against it."""
    return np.array([1 / _first(request.y[q], output[q], request.k) for q in _by_query(request)])


def hit(request: Asked, output: np.ndarray) -> np.ndarray:
    """Whether a relevant document is among the first k."""
    k = request.k or 1
    return np.array([float(_first(request.y[q], output[q], k) <= k) for q in _by_query(request)])


def _first(relevance: np.ndarray, score: np.ndarray, k: int | None) -> float:
    """The place of the first relevant document; infinite where there is none among the first k."""
    hits = score[relevance > 0]
    if not len(hits):
        return np.inf
    place = float((score >= hits.max()).sum() - (score[relevance > 0] == hits.max()).sum() + 1)
    return place if k is None or place <= k else np.inf


# -- texts -------------------------------------------------------------------------------------


def edits(truth: np.ndarray, values: np.ndarray, *, by_word: bool) -> tuple[np.ndarray, np.ndarray]:
    """Insertions, deletions and substitutions of every item, and the length of its truth."""
    cut = str.split if by_word else list
    pairs = [(cut(str(a)), cut(str(b))) for a, b in zip(truth, values, strict=True)]
    wrong = np.array([_distance(a, b) for a, b in pairs], float)
    return wrong, np.array([len(a) for a, _ in pairs], float)


def _distance(a: list[str], b: list[str]) -> int:
    """Levenshtein's, a row at a time."""
    if a == b:
        return 0
    codes = {word: i for i, word in enumerate(dict.fromkeys([*a, *b]))}
    other = np.array([codes[word] for word in b], int)
    row = np.arange(len(b) + 1)
    places = np.arange(len(b) + 1)
    for i, word in enumerate(a, 1):
        best = np.minimum(row[1:] + 1, row[:-1] + (other != codes[word]))
        # insertions: the least of all before, one more for every step
        row = np.minimum.accumulate(np.concatenate([[i], best]) - places) + places
    return int(row[-1])


# -- calibration -------------------------------------------------------------------------------


def calibration(positive: np.ndarray, p: np.ndarray) -> Influence:
    """Sum over bins of share x (mean of y - p)², less what chance adds: it may be below 0.

    In a bin of m items the mean over pairs of different items of r_i r_j, r = y - p, is unbiased
    for the square of the mean residual; a bin with one item counts nothing.
    """
    at = np.minimum((p * BINS).astype(int), BINS - 1)
    r = positive.astype(float) - p
    sums, squares, count = (np.bincount(at, x, BINS) for x in (r, r * r, np.ones(len(r))))
    value = np.where(count > 1, (sums**2 - squares) / np.maximum(count - 1, 1), 0.0).sum() / len(r)
    mean = sums / np.maximum(count, 1)
    psi = 2 * mean[at] * (r - mean[at]) + mean[at] ** 2
    return Influence(float(value), psi - psi.mean())


# -- measures -----------------------------------------------------------------------------------


SHARE, CORRELATION, ABOVE = (0.0, 1.0), (-1.0, 1.0), (0.0, INFINITY)
OF_LABELS = (LABELS, PROBABILITIES)
RANKED = (PROBABILITIES, SCORES)
GLANCE = 100  # items that tell whether they are texts
LEAST, LEAST_RANKED = 10, 5  # items of the rarest class, from which on a measure has limits


# -- functions of the table truth x prediction -------------------------------------------------


def _parts(t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Right, true and said shares of every class."""
    return np.diagonal(t, axis1=-2, axis2=-1), t.sum(-1), t.sum(-2)


def _share(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """A quotient; 0 where a class is neither true nor said."""
    return np.divide(above, below, out=np.zeros(np.broadcast(above, below).shape), where=below != 0)


def f_beta(t: np.ndarray, beta: float = 1.0) -> np.ndarray:
    """F-beta of every class."""
    right, true, text = _parts(t)
    return _share((1 + beta**2) * right, beta**2 * true + text)


def matthews(t: np.ndarray) -> np.ndarray:
    """Gorodkin's correlation, which is Matthews's of two classes."""
    right, true, text = _parts(t)
    total = t.sum((-1, -2))
    together = right.sum(-1) * total - (true * text).sum(-1)
    spread = (total**2 - (true**2).sum(-1)) * (total**2 - (text**2).sum(-1))
    return _share(together, np.sqrt(np.maximum(spread, 0.0)))


def kappa(t: np.ndarray) -> np.ndarray:
    """Cohen's: agreement beyond that of independent labels."""
    right, true, text = _parts(t)
    total = t.sum((-1, -2))
    chance = (true * text).sum(-1) / total
    return _share(right.sum(-1) - chance, total - chance)


def _one(request: Asked, of: Callable[..., np.ndarray], output: np.ndarray) -> Influence:
    """Of the positive class."""
    at = request.predictions.positive
    return _confusion(request, lambda t: of(t)[..., at], output)


def _confusion(
    request: Asked, of: Callable[[np.ndarray], np.ndarray], output: np.ndarray
) -> Influence:
    classes = len(request.predictions.classes)
    return inf.of_table(request.y, request.labels(output), classes, of, request.w)


def _of_confusion(of: Callable[[np.ndarray], np.ndarray]) -> Callable[..., Influence]:
    return lambda request, output: _confusion(request, of, output)


def _of_one(of: Callable[..., np.ndarray]) -> Callable[..., Influence]:
    return lambda request, output: _one(request, of, output)


def _f_of_one(request: Asked, output: np.ndarray) -> Influence:
    return _one(request, partial(f_beta, beta=request.beta), output)


def _specificity(t: np.ndarray) -> np.ndarray:
    """Of every class: the share of the others that are not said to be it."""
    right, true, text = _parts(t)
    total = t.sum((-1, -2))[..., None]
    return _share(total - true - text + right, total - true)


# -- ranks -------------------------------------------------------------------------------------


def _against_rest(
    curve: Callable[[np.ndarray, np.ndarray, np.ndarray | None], Influence],
) -> Callable[[Asked, np.ndarray], Influence]:
    """A measure of two classes; of several the mean over each against the rest."""

    def judged(request: Asked, output: np.ndarray) -> Influence:
        if output.ndim == 1 or request.of_class is not None:
            return curve(request.is_positive, request.score(output), request.w)
        everything = np.ones(len(output), bool)
        parts = [
            (everything, curve(request.y == c, output[:, c], request.w))
            for c in range(output.shape[1])
        ]
        return inf.mean_over(parts, len(output))

    return judged


_auc, _average_precision = _against_rest(inf.auc), _against_rest(inf.average_precision)


def _hand_till(request: Asked, output: np.ndarray) -> Influence:
    """The mean over ordered pairs of classes (Hand and Till 2001)."""
    p, y, w = request.chance(output), request.y, request.w
    parts = []
    for a in range(p.shape[1]):
        for b in range(p.shape[1]):
            if a != b:
                here = (y == a) | (y == b)
                own = None if w is None else w[here] / w[here].mean()
                parts.append((here, inf.auc(y[here] == a, p[here, a], own)))
    return inf.mean_over(parts, len(y))


# -- numbers -----------------------------------------------------------------------------------


def _brier_skill(request: Asked, output: np.ndarray) -> Influence:
    return inf.explained(request.is_positive.astype(float), request.score(output), request.w)


def _is_numeral(text: object) -> bool:
    try:
        float(str(text))
    except ValueError:
        return False
    return True


def _word_errors(request: Asked, output: np.ndarray, split: bool = True) -> Influence:
    if all(map(_is_numeral, request.y[:GLANCE])):
        raise InferenceError(
            f"'{request.typed}' compares texts, and the truth is numbers. Ask for accuracy, brier "
            "or rmse."
        )
    wrong, length = edits(request.y, output, by_word=split)
    return inf.ratio(wrong, length, request.w)


# -- the list ----------------------------------------------------------------------------------

_RULES: dict[str, Rule] = {}


def _rule(name: str, kinds: Sequence[str], higher: bool, bounds: tuple[float, float],
          **more: object) -> None:  # fmt: skip
    _RULES[name] = Rule(name, tuple(kinds), higher, bounds, **more)  # type: ignore[arg-type]


_rule("accuracy", OF_LABELS, True, SHARE, losses=right, unit="share",
      words="the classification accuracy")  # fmt: skip
_rule("error", OF_LABELS, False, SHARE, losses=wrong, unit="share",
      words="the misclassification error")  # fmt: skip
_rule("log-loss", (PROBABILITIES,), False, ABOVE, losses=log_loss, unit="nats",
      words="the logarithmic loss")  # fmt: skip
_rule("brier", (PROBABILITIES,), False, (0.0, 2.0), losses=brier,
      words="the Brier score")  # fmt: skip
_rule("absolute", (NUMBERS,), False, ABOVE, losses=absolute, unit="target",
      words="the mean absolute error")  # fmt: skip
_rule("squared", (NUMBERS,), False, ABOVE, losses=squared, unit="target²",
      words="the mean squared error")  # fmt: skip
_rule("pinball", (NUMBERS,), False, ABOVE, losses=pinball, unit="target",
      words="the mean pinball loss")  # fmt: skip
_rule("ndcg", (RANKING,), True, SHARE, losses=ndcg,
      words="the normalised discounted cumulative gain")  # fmt: skip
_rule("mrr", (RANKING,), True, SHARE, losses=reciprocal_rank,
      words="the mean reciprocal rank", also=("reciprocalrank",))  # fmt: skip
_rule("hit", (RANKING,), True, SHARE, losses=hit,
      words="the share of queries with a hit", also=("hitrate", "hits"))  # fmt: skip
_rule("exact-match", (TEXTS,), True, SHARE, losses=same_text, unit="share",
      words="the share of exact matches", also=("em",))  # fmt: skip
_rule("f1", OF_LABELS, True, SHARE, influence=_f_of_one, least=LEAST, two=True,
      words="the F1 score", also=("fmeasure", "f1score"))  # fmt: skip
_rule("precision", OF_LABELS, True, SHARE, least=LEAST, two=True,
      influence=_of_one(lambda t: _share(_parts(t)[0], _parts(t)[2])),
      words="the precision")  # fmt: skip
_rule("recall", OF_LABELS, True, SHARE, least=LEAST, two=True,
      influence=_of_one(lambda t: _share(_parts(t)[0], _parts(t)[1])),
      words="the recall", also=("sensitivity",))  # fmt: skip
_rule("specificity", OF_LABELS, True, SHARE, least=LEAST, two=True,
      influence=_of_one(_specificity), words="the specificity")  # fmt: skip
_rule("macro-f1", OF_LABELS, True, SHARE, least=LEAST, whole=True,
      influence=_of_confusion(lambda t: f_beta(t).mean(-1)),
      words="the macro-averaged F1 score", also=("f1macro",))  # fmt: skip
_rule("balanced-accuracy", OF_LABELS, True, SHARE, least=LEAST, whole=True,
      influence=_of_confusion(lambda t: _share(_parts(t)[0], _parts(t)[1]).mean(-1)),
      words="the balanced accuracy", also=("bacc", "macrorecall"))  # fmt: skip
_rule("mcc", OF_LABELS, True, CORRELATION, influence=_of_confusion(matthews), least=LEAST,
      words="Matthews's correlation coefficient",
      also=("matthewscorrcoef", "matthews"))  # fmt: skip
_rule("kappa", OF_LABELS, True, CORRELATION, influence=_of_confusion(kappa), least=LEAST,
      words="Cohen's kappa", also=("cohenkappa",))  # fmt: skip
_rule("auc", RANKED, True, SHARE, influence=_auc, least=LEAST_RANKED, whole=True,
      words="the area under the ROC curve")  # fmt: skip
_rule("auc:ovo", (PROBABILITIES,), True, SHARE, influence=_hand_till, least=LEAST_RANKED,
      whole=True, words="Hand and Till's area under the ROC curve")  # fmt: skip
_rule("average-precision", RANKED, True, SHARE, influence=_average_precision, least=LEAST_RANKED,
      whole=True, words="the average precision",
      also=("ap", "prauc", "auprc", "aucpr"))  # fmt: skip
_rule("brier-skill", (PROBABILITIES,), True, (-INFINITY, 1.0), influence=_brier_skill, two=True,
      words="the Brier skill score", also=("bss", "brierskillscore"))  # fmt: skip
_rule("calibration", (PROBABILITIES,), False, (-INFINITY, 1.0), two=True,
      influence=lambda request, p: calibration(request.is_positive, request.score(p)),
      words="the squared calibration error, less what chance adds")  # fmt: skip
_rule("rmse", (NUMBERS,), False, ABOVE, unit="target",
      influence=lambda request, p: inf.root_mean((request.y - p) ** 2, request.w),
      words="the root mean squared error")  # fmt: skip
_rule("r2", (NUMBERS,), True, (-INFINITY, 1.0),
      influence=lambda request, p: inf.explained(request.y, p, request.w),
      words="R², the share of variance explained",
      also=("r²", "r^2", "rsquared", "r2score"))  # fmt: skip
_rule("correlation", (NUMBERS,), True, CORRELATION,
      influence=lambda request, p: inf.correlation(request.y, p, request.w),
      words="Pearson's correlation", also=("pearson", "pearsonr"))  # fmt: skip
_rule("wer", (TEXTS,), False, ABOVE, influence=_word_errors,
      words="the word error rate", also=("worderrorrate",))  # fmt: skip
_rule("cer", (TEXTS,), False, ABOVE, influence=partial(_word_errors, split=False),
      words="the character error rate", also=("charactererrorrate",))  # fmt: skip

RULES = dict(_RULES)
SPELLED = {plain(w): r.name for r in RULES.values() for w in (r.name, *r.also)}
DEFAULT = {LABELS: "accuracy", PROBABILITIES: "brier", SCORES: "auc", NUMBERS: "rmse"}
_F = re.compile(r"f-?(?:beta:)?(\d+(?:\.\d+)?)(?:-?score)?")
TUNED = ("best", "max", "optimal", "tuned")  # before a name: a threshold chosen on these items
ECE = frozenset(("ece", "expectedcalibrationerror", "calibrationerror", "mce"))


@dataclass(frozen=True)
class Named:
    """A rule with what a name says of it."""

    rule: Rule
    typed: str
    said: dict[str, object] = field(default_factory=dict)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The predictions that it reads: a threshold is of probabilities."""
        cut = "threshold" in self.said
        return tuple(kind for kind in self.rule.kinds if not (cut and kind == LABELS))

    def of(self, predictions: Predictions) -> Asked:
        """Asked of some predictions."""
        if "of_class" in self.said:
            predictions = predictions.with_positive(str(self.said["of_class"]))
        return Asked(self.rule, self.typed, predictions, **self.said)  # type: ignore[arg-type]


def rule_named(text: str) -> Named | None:
    """The rule that a name means; None where it is no measure of predictions.

    >>> rule_named("ROC_AUC").rule.name, rule_named("f2:cat").said, rule_named("ndcg@10").said["k"]
    ('auc', {'beta': 2.0, 'of_class': 'cat'}, 10)
    """
    typed = text.strip()
    if plain(typed).startswith(TUNED):
        return None
    base, _, at = typed.partition("@")
    if (whole := SPELLED.get(plain(typed))) is not None:
        return Named(RULES[whole], typed)
    base, _, of_class = base.partition(":")
    texts: dict[str, object] = {}
    rule = RULES.get(SPELLED.get(plain(base), ""))
    if rule is None and (beta := _F.fullmatch(typed.partition("@")[0].lower())):
        return Named(RULES["f1"], typed, {"beta": float(beta[1])} | _at(RULES["f1"], at, typed))
    if rule is None and (beta := _F.fullmatch(base.lower())):  # of a class: f2:cat
        rule, texts["beta"] = RULES["f1"], float(beta[1])
    if rule is None and (known := known_measure(base)) is not None:
        rule = RULES.get(known.spec)
        rule = rule if rule is None or rule.higher == known.higher_is_better else None
    if rule is None:
        return None
    if of_class:
        if rule.name == "pinball":
            texts["threshold"] = _number(of_class, typed)
        elif not (rule.two or rule.kinds == RANKED):
            raise ResultsError(
                f"'{typed}': {rule.name} is of all items and classes. Leave ':{of_class}' out."
            )
        else:
            texts["of_class"] = of_class
    return Named(rule, typed, texts | _at(rule, at, typed))


def spelled_rule(name: str) -> Rule | None:
    """The rule that a name is a spelling of; a name that only has a word of it spells none.

    >>> spelled_rule("ROC_AUC").name, spelled_rule("f2").name, spelled_rule("own-auc")
    ('auc', 'f1', None)
    """
    word = plain(name)
    if word in SPELLED:
        return RULES[SPELLED[word]]
    if _F.fullmatch(name.strip().lower()):
        return RULES["f1"]
    known = spelled_measure(word)
    return RULES.get(known.spec) if known is not None else None


def _at(rule: Rule, at: str, typed: str) -> dict[str, object]:
    """What stands behind @: how many places of a ranking, or a threshold."""
    if not at:
        return {}
    if RANKING in rule.kinds:
        if not at.isdecimal() or read_digits(at) < 1:
            raise ResultsError(f"'{typed}': behind @ comes a number of ranks, as in ndcg@10.")
        return {"k": read_digits(at)}
    if LABELS not in rule.kinds:
        raise ResultsError(f"'{typed}': {rule.name} takes no threshold. Leave '@{at}' out.")
    return {"threshold": _number(at, typed)}


def _number(text: str, typed: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise ResultsError(f"'{typed}': '{text}' is no number between 0 and 1, as in f1@0.5.")
    return value


def refuse_unknown(text: str) -> None:
    """Refuse a name that is no measure of predictions; of some, with what to use instead."""
    if plain(text.partition("@")[0].partition(":")[0]) in ECE:
        raise InferenceError(
            "The expected calibration error of equally good models grows with chance and its "
            "intervals miss: use brier or log-loss, or 'calibration', the squared error less what "
            "chance adds."
        )
    if plain(text).startswith(TUNED):
        raise InferenceError(
            f"'{text}' would choose a threshold on the items that judge it: choose one on other "
            "data and name it, as in f1@0.4."
        )
    known = [*RULES]
    raise InferenceError(
        f"'{text}' is no measure of predictions.{did_you_mean(text, known)} Known: "
        f"{', '.join(known)}."
    )


def with_default(kind: str, classes: int) -> str:
    """The measure where none is named."""
    if kind == SCORES or kind in DEFAULT:
        return DEFAULT[kind]
    return "exact-match" if kind == TEXTS else "ndcg"


def in_words(rule: Rule) -> str:
    """Which predictions a measure reads."""
    return {
        (NUMBERS,): "numbers",
        (PROBABILITIES,): "probabilities",
        RANKED: "probabilities or scores",
        OF_LABELS: "labels or probabilities",
        (TEXTS,): "texts",
        (RANKING,): "scores of documents with a column of queries",
    }[rule.kinds]
