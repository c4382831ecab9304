"""Tables of scores as people may write them, made from a truth that the reader should find."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

ALGORITHMS = ("svm", "forest", "knn")
WORDS = {
    "algorithm": "algorithm method Model classifier learner.id framework Key_Scheme flow_name "
    "solver generator technique approach who mystery",
    "dataset": "dataset data task_name problem Key_Dataset ds db series where collection",
    "sample": "sample fold seed run split iter rep replicate number nth",
    "value": "value score result .estimate {} test_{} val/{} metrics.{} outcome",
}
MEASURES = {"accuracy": True, "auc": True, "f1": True, "error": False, "rmse": False, "loss": False}
EXTRAS = {
    "id": lambda rng, n: np.arange(n),
    "run_id": lambda rng, n: [f"{i:08x}" for i in rng.permutation(10**6)[:n]],
    "utc": lambda rng, n: [f"2024-01-01T00:{i // 60:02d}:{i % 60:02d}" for i in range(n)],
    "version": lambda rng, n: ["1.2"] * n,
    "tag": lambda rng, n: ["stable"] * n,
    "fit_time": lambda rng, n: rng.gamma(2, 3, n).round(5),
    "n_features": lambda rng, n: rng.integers(5, 500, n),
    "comment": lambda rng, n: [""] * n,
    "host": lambda rng, n: [f"node{i}" for i in rng.integers(0, 9, n)],
    "state": lambda rng, n: ["finished"] * n,
}


@dataclass
class Made:
    """A table, what may be said of it, and what it was made from."""

    text: str
    measure: str
    higher: bool
    means: pd.Series  # of algorithms, over data sets
    suffix: str = ".csv"
    said: dict = field(default_factory=dict)

    @property
    def order(self):
        """The algorithms, the best first."""
        return list(self.means.sort_values(ascending=not self.higher).index)


def made(seed):
    """A table with random words, columns, order, separator and cells."""
    rng = np.random.default_rng(seed)
    measure = rng.choice(list(MEASURES))
    truth = _truth(rng, measure)
    means = truth.groupby(["algorithm", "dataset"])["value"].mean().groupby("algorithm").mean()
    wide = rng.random() < 0.4
    named = not wide and rng.random() < 0.7
    frame = _wide(rng, truth) if wide else _long(rng, truth, measure if named else "")
    said = {} if named else {"measure": measure}
    text, suffix = _written(rng, frame, wide)
    return Made(text, measure, MEASURES[measure], means, suffix, said)


def _truth(rng, measure):
    """Scores in which the algorithms differ clearly, in an order of their own."""
    datasets = [f"d{i}" for i in range(rng.integers(2, 7))]
    samples = range(1, rng.integers(1, 5) + 1)
    shift = dict(zip(rng.permutation(ALGORITHMS), (0.0, 0.1, 0.2), strict=True))
    scale = 10.0 if measure == "rmse" else 1.0
    percent = 100.0 if measure in ("accuracy", "error", "auc") and rng.random() < 0.3 else 1.0
    rows = [
        (d, a, s, percent * scale * (0.5 + shift[a] + 0.05 * rng.random()))
        for d in datasets
        for s in samples
        for a in ALGORITHMS
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "value"])
    return frame.assign(value=frame["value"].round(4))


def _long(rng, truth, measure):
    names = {r: rng.choice(words.split()) for r, words in WORDS.items()}
    general = [w for w in WORDS["value"].split() if ("{}" in w) == bool(measure)]
    names["value"] = rng.choice(general).format(measure)
    frame = truth.rename(columns=names)
    if rng.random() < 0.3:
        frame = frame.drop(columns=names["sample"])
    for name in rng.permutation(list(EXTRAS))[: rng.integers(0, 4)]:
        if name not in frame:
            frame[name] = EXTRAS[name](rng, len(frame))
    if rng.random() < 0.2:
        frame["metric"] = measure or "accuracy" if measure else ""
        frame = frame if measure else frame.drop(columns="metric")
    frame = frame.sample(frac=1, random_state=int(rng.integers(1000)))
    return frame[rng.permutation(frame.columns)]


def _wide(rng, truth):
    sets = rng.choice(WORDS["dataset"].split())
    index = ["dataset"] if truth["sample"].max() == 1 else ["dataset", "sample"]
    frame = truth.pivot(index=index, columns="algorithm", values="value").reset_index()
    frame = frame.rename_axis(columns=None)
    frame = frame.rename(columns={"dataset": sets, "sample": rng.choice(["sample", "fold", "nth"])})
    if rng.random() < 0.3 and len(index) == 1:
        last = {sets: rng.choice(["Average", "Avg rank", "Mean"])}
        frame = pd.concat([frame, pd.DataFrame([{**frame.mean(numeric_only=True), **last}])])
    if rng.random() < 0.2:
        frame["Average"] = frame[list(ALGORITHMS)].mean(axis=1)
    for name in rng.permutation(["id", "n_features", "flow_id", "comment"])[: rng.integers(0, 2)]:
        frame[name] = EXTRAS.get(name, EXTRAS["id"])(rng, len(frame))
    front = [c for c in frame.columns if c not in ALGORITHMS]
    mixed = [*front, *rng.permutation(ALGORITHMS)]
    return frame[rng.permutation(frame.columns) if rng.random() < 0.3 else mixed]


def _written(rng, frame, wide):
    """The table as a text: its separator, decimal sign, spreads, marks."""
    frame = frame.astype(object).where(frame.notna(), "")
    kind = rng.choice(["comma", "semicolon", "tab", "decimal", "markdown", "latex", "html"])
    scores = [c for c in frame.columns if c in ALGORITHMS] if wide else []
    if scores and rng.random() < 0.3:
        frame[scores] = frame[scores].map(lambda v: f"{v} ± 0.01" if v != "" else v)
    if kind == "markdown":
        heads = " | ".join(map(str, frame.columns))
        rows = [" | ".join(map(str, row)) for row in frame.itertuples(index=False)]
        rule = "|".join("---" for _ in frame.columns)
        return "\n".join(f"| {line} |" for line in (heads, rule, *rows)) + "\n", ".md"
    if kind == "html":
        return frame.to_html(index=False), ".html"
    if kind == "latex":
        body = [" & ".join(map(str, row)) for row in [frame.columns, *frame.to_numpy().tolist()]]
        body = [line.replace("_", r"\_").replace("±", r"$\pm$") for line in body]
        head, *rest = body
        lines = [rf"\begin{{tabular}}{{{'l' * len(frame.columns)}}}", rf"{head} \\ \midrule"]
        return "\n".join([*lines, *(rf"{line} \\" for line in rest), r"\end{tabular}"]), ".tex"
    separator = {"comma": ",", "tab": "\t"}.get(kind, ";")
    if kind == "decimal":
        frame = frame.map(lambda v: str(v).replace(".", ",") if isinstance(v, float) else v)
    out = io.StringIO()
    frame.to_csv(out, index=False, sep=separator)
    return out.getvalue(), ".csv"
