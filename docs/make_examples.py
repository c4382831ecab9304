"""Write the files that items.md, judges.md, preferences.md and boards.md show.

    python docs/make_examples.py FOLDER

All scores are simulated, by fixed seeds. Called again after `podium label answers.csv --n 60 --seed
1`, it fills in what people say of the items drawn.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd


def several() -> pd.DataFrame:
    """Eight answers of three models to each of 60 items."""
    rng = np.random.default_rng(7)
    easy = rng.normal(0.4, 1.5, 60)
    rows = [(model, f"q{i:02}", k, int(rng.random() < _chance(easy[i] + skill + own[i])))
            for model, skill in {"alpha": -0.3, "beta": 0.2, "gamma": 0.2}.items()
            for own in [rng.normal(0, 0.5, 60)]
            for i in range(60)
            for k in range(8)]  # fmt: skip
    return pd.DataFrame(rows, columns=["model", "item", "answer", "correct"])


def prompts() -> pd.DataFrame:
    """Two models, 60 items under four prompts that each model likes more or less."""
    rng = np.random.default_rng(1)
    hard = rng.normal(0, 0.1, 60)
    rows = [(model, f"q{i:02}", f"t{p}", float(np.clip(0.55 + hard[i] + like + noise, 0, 1)))
            for model in ("alpha", "beta")
            for p, like in enumerate(rng.normal(0, 0.06, 4))
            for i, noise in enumerate(rng.normal(0, 0.1, 60))]  # fmt: skip
    return pd.DataFrame(rows, columns=["model", "item", "prompt", "accuracy"])


def board() -> pd.DataFrame:
    """Nine models, 160 items of four topics; one model is made for one of them."""
    rng = np.random.default_rng(4)
    names = ["fox", "owl", "hare", "lynx", "wolf", "bear", "crow", "toad", "newt"]
    hard, topics = rng.normal(0, 1.2, 160), ("code", "law", "maths", "verse")
    rows = [(name, f"q{i:03}", topics[i % 4], int(rng.random() < _chance(hard[i] + skill + made)))
            for name, skill in zip(names, np.linspace(0.9, -0.6, 9), strict=True)
            for i in range(160)
            for made in [3.0 * (name == "wolf" and i % 4 == 0)]]  # fmt: skip
    return pd.DataFrame(rows, columns=["model", "item", "topic", "accuracy"])


def submissions() -> dict[str, pd.DataFrame]:
    """Answers to 400 items: three models in one file, and two that are submitted later."""
    rng = np.random.default_rng(5)
    hard = rng.normal(size=400)
    items = [f"q{i:03}" for i in range(400)]
    strong = {"owl": 0.6, "fox": 0.3, "bat": 0.0, "cat": 1.6, "dog": 1.7}
    right = {n: [int(rng.random() < _chance(h + s)) for h in hard] for n, s in strong.items()}
    first = pd.DataFrame({"item": items, **{name: right[name] for name in ("owl", "fox", "bat")}})
    later = {n: pd.DataFrame({"item": items, "accuracy": right[n]}) for n in ("cat", "dog")}
    return {"first": first, **later}


def judged() -> pd.DataFrame:
    """Three models, 300 items: what a judge says, who errs in 15 %, and what people would say."""
    rng = np.random.default_rng(2)
    easy, parts = rng.normal(size=300), []
    for model, skill in {"owl": 0.9, "fox": 0.4, "hare": -0.2}.items():
        people = easy + skill + rng.normal(size=300) > 0
        judge = people ^ (rng.random(300) < 0.15)
        items = [f"q{i:03}" for i in range(300)]
        parts.append({"model": model, "item": items, "score": judge * 1, "people": people * 1})
    return pd.concat(map(pd.DataFrame, parts), ignore_index=True)


def battles() -> pd.DataFrame:
    """240 choices between two of three models."""
    rng = np.random.default_rng(3)
    strength = {"owl": 0.5, "fox": 0.2, "hare": -0.3}
    rows = []
    for _ in range(240):
        a, b = rng.choice(list(strength), 2, replace=False)
        winner = _choice(rng, strength[a] - strength[b] + 0.25, tie=-1.9)
        rows.append((a, b, winner, f"p{rng.integers(80):02}"))
    return pd.DataFrame(rows, columns=["model_a", "model_b", "winner", "prompt"])


def covariates() -> pd.DataFrame:
    """960 choices by three judges, who like long answers, and one of them what comes first."""
    rng = np.random.default_rng(5)
    strength = {"owl": 0.5, "fox": 0.2, "hare": -0.2, "lynx": -0.5}
    first = {"ada": 1.0, "ben": 0.2, "cy": -0.2}
    rows = []
    for i in range(960):
        a, b = rng.choice(list(strength), 2, replace=False)
        x, y = (int(rng.normal(320 if m == "hare" else 200, 40)) for m in (a, b))
        judge = rng.choice(list(first))
        odds = strength[a] - strength[b] + first[judge] + 2 * (x - y) / (x + y)
        winner = _choice(rng, odds, tie=-2.5 if judge == "ada" else -1.2)
        rows.append((a, b, winner, f"p{i % 80:02}", judge, x, y))
    names = ["model_a", "model_b", "winner", "prompt", "judge", "length_a", "length_b"]
    return pd.DataFrame(rows, columns=names)


def _chance(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def _choice(rng: np.random.Generator, odds: float, tie: float) -> str:
    weights = np.exp([odds / 2, -odds / 2, tie])
    return str(rng.choice(["model_a", "model_b", "tie"], p=weights / weights.sum()))


def label(file: Path) -> None:
    """What people say of the items that were drawn."""
    drawn = pd.read_csv(file)
    drawn["human"] = judged()["people"].where(drawn["drawn"].notna())
    drawn.to_csv(file, index=False)


def main(folder: Path) -> None:
    """Write all files, or the labels of those that were drawn."""
    answers = folder / "answers.csv"
    if answers.exists() and "drawn" in pd.read_csv(answers, nrows=1):
        label(answers)
        return
    folder.mkdir(parents=True, exist_ok=True)
    made = {"several": several(), "prompts": prompts(), "items": board(), "battles": battles(),
            "judged": covariates(), "answers": judged().drop(columns="people"),
            **submissions()}  # fmt: skip
    for name, table in made.items():
        table.to_csv(folder / f"{name}.csv", index=False)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
