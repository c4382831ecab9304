"""What a measure is, as a value: name, direction, bounds, unit. Nothing is computed here.

A table of scores that somebody else made carries a measure too; how the scores of a run are
computed is in `running/design/measuring/losses.py`. A name is a loss and, behind a colon, the
functional that turns losses into one number: `squared` is `squared:mean`;
`absolute:quantile:0.95` is the ⌈0.95·m⌉-th of the m ordered absolute errors
(hothorn2005, section 5.3).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from html import escape

from podium.core.base.errors import DesignError
from podium.core.base.registry import Registry, unknown

INFINITY = math.inf
FUNCTIONALS = ("mean", "median", "quantile", "supremum", "root-mean")


@dataclass(frozen=True)
class Measure:
    """A number that is computed for every run; `spec` tells two definitions of one name apart.

    >>> Measure("depth", higher_is_better=False, bounds=(0, 40), unit="levels").sign
    -1
    """

    name: str
    higher_is_better: bool = False
    bounds: tuple[float, float] = (-INFINITY, INFINITY)
    unit: str = ""
    spec: str = ""
    words: str = field(default="", compare=False, repr=False)  # for a paper; empty: its name

    @property
    def direction(self) -> str:
        """'higher' or 'lower': which values are better."""
        return "higher" if self.higher_is_better else "lower"

    @property
    def sign(self) -> int:
        """What turns its values into larger-is-better, and back."""
        return 1 if self.higher_is_better else -1

    def _repr_html_(self) -> str:
        unit = f", in {escape(self.unit)}" if self.unit else ""
        low, high = self.bounds
        return (
            f"<p><b>Measure {escape(self.name)}</b>: {self.direction} is better, from {low:g} to "
            f"{high:g}{unit}</p>"
        )


UTILITY = "utility"  # the spec of a weighted sum of measures, whose amounts count
KNOWN: Registry[Measure] = Registry("measure", of_rooms="measures", late=True)


def _known(
    name: str, higher: bool, low: float, high: float, unit: str = "", words: str = ""
) -> None:
    KNOWN.add(name, Measure(name, higher, (low, high), unit, spec=name, words=words))


_known("error", False, 0, 1, "share", words="the misclassification error")
_known("accuracy", True, 0, 1, "share", words="the classification accuracy")
_known("squared", False, 0, INFINITY, "target²", words="the mean squared error")
_known("absolute", False, 0, INFINITY, "target", words="the mean absolute error")
_known("rmse", False, 0, INFINITY, "target", words="the root mean squared error")
_known("log-loss", False, 0, INFINITY, "nats", words="the logarithmic loss")
_known("brier", False, 0, 2, words="the Brier score")
_known("auc", True, 0, 1, words="the area under the ROC curve")
_known("log-likelihood", True, -INFINITY, INFINITY, "nats", words="the mean log-likelihood")
_known("adjusted-rand", True, -0.5, 1, words="the adjusted Rand index")
_known("silhouette", True, -1, 1, words="the mean silhouette width")
_known("concordance", True, 0, 1, words="the concordance index")
_known("integrated-brier", False, 0, INFINITY, words="the integrated Brier score")
_known("fit-time", False, 0, INFINITY, "s", words="the training time in seconds")
_known("predict-time", False, 0, INFINITY, "s", words="the prediction time in seconds")
_known("time", False, 0, INFINITY, "s", words="the training and prediction time in seconds")
_known("peak-memory", False, 0, INFINITY, "bytes", words="the peak memory in bytes")

# what a study file measures that names no measure, by the task of its data
DEFAULTS = {
    "classification": "error",
    "regression": "squared",
    "density": "log-likelihood",
    "clustering": "silhouette",
    "survival": "concordance",
}
TIMES = ("fit-time", "predict-time", "time")  # recorded for every run, asked for or not
# one number per observation
LOSSES = ("error", "accuracy", "squared", "absolute", "log-loss", "brier", "log-likelihood")


def base_of(name: str) -> str:
    """The part of a measure's name that says which loss it is, as known measures are called."""
    return name.strip().lower().replace("_", "-").partition(":")[0]


def parse(name: str | Measure) -> Measure:
    """The measure that a name such as `error`, `absolute:median` or `squared:root-mean` means.

    >>> parse("absolute:quantile:0.95").unit
    'target'
    """
    if isinstance(name, Measure):
        return name
    if not isinstance(name, str) or not name.strip():
        raise DesignError(f"A measure is named by a text such as 'error', not {name!r}.")
    name = name.strip()
    base, functional = base_of(name), name.lower().replace("_", "-").partition(":")[2]
    measure = KNOWN[base]
    if not functional:
        return measure
    check_functional(name, base, functional)
    full = f"{base}:{functional}"
    unit = measure.unit.removesuffix("²") if functional == "root-mean" else measure.unit
    return replace(measure, name=full, spec=full, unit=unit)


def check_functional(name: str, loss: str, functional: str) -> None:
    """Refuse a functional that does not exist or does not suit the loss."""
    if loss not in LOSSES:
        raise DesignError(f"The measure '{name}' takes no functional: '{loss}' is not a loss.")
    kind, _, value = functional.partition(":")
    if kind not in FUNCTIONALS:
        raise DesignError(f"In '{name}': " + unknown("functional", kind, FUNCTIONALS))
    if (kind == "quantile") != bool(value):
        raise DesignError(
            f"The measure '{name}' is wrong: a quantile, and only a quantile, says which one, "
            f"as in '{loss}:quantile:0.95'."
        )
    if value and not _is_share(value):
        raise DesignError(f"The measure '{name}' is wrong: a quantile lies between 0 and 1.")


def _is_share(text: str) -> bool:
    try:
        return 0 < float(text) <= 1
    except ValueError:
        return False


# abbreviations and names of people, as the field writes them; other names stay as they are given
_WRITTEN = {
    **{name.lower(): name for name in (
        *("AUC", "F1", "MCC", "RMSE", "MSE", "MAE", "MAPE", "R²", "nDCG", "MRR", "mAP", "AUPRC"),
        *("BLEU", "WER", "CER", "NLL", "IoU", "mIoU", "BERTScore", "Elo", "CRPS"),
    )},
    "r2": "R²", "roc auc": "AUC", "auroc": "AUC", "macro f1": "macro F1", "micro f1": "micro F1",
    "weighted f1": "weighted F1", "brier": "Brier score", "brier score": "Brier score",
    "brier skill": "Brier skill", "correct": "accuracy", "acc": "accuracy",
    **dict.fromkeys(("pass", "passed", "solved", "resolved"), "pass rate"),
    **{name: name for name in ("balanced accuracy", "average precision", "exact match",
                               "pass rate", "log loss", "error rate", "win rate")},
}  # fmt: skip


def written(name: str) -> str:
    """A measure's name in a sentence: `auc` is AUC, `brier` the Brier score."""
    return _WRITTEN.get(name.lower().replace("_", " ").replace("-", " ").strip(), name)
