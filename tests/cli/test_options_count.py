"""What is asked for on the line is done, or refused; nothing is taken and ignored."""

from __future__ import annotations

from importlib import import_module

import click
import numpy as np
import pytest

MODELS = ("svm", "knn", "tree")
SHARES = (0.8, 0.7, 0.5)
RNG = np.random.default_rng(3)


def _wide(block: str, rows: int, gap: int | None = None) -> str:
    lines = [",".join([block, *MODELS])]
    for row in range(rows):
        hard = RNG.normal(0, 0.05)
        cells = [f"{p + hard + RNG.normal(0, 0.03):.3f}" for p in SHARES]
        lines.append(",".join([f"d{row}", *(["", *cells[1:]] if row == gap else cells)]))
    return "\n".join(lines)


def _battles() -> str:
    names = [RNG.choice(MODELS, 2, replace=False) for _ in range(150)]
    won = [("model_a", "model_b")[int(RNG.random() < 0.4)] for _ in names]
    rows = [f"{a},{b},{w},p{i % 25},j{i % 3}" for i, ((a, b), w) in enumerate(zip(names, won))]  # noqa: B905
    return "\n".join(["model_a,model_b,winner,prompt,judge", *rows])


def _judged() -> str:
    rows = ["item,model,judge,human"]
    for item in range(60):
        for model, share in zip(MODELS, SHARES, strict=True):
            human = int(RNG.random() < share)
            judge = human if RNG.random() < 0.8 else 1 - human
            rows.append(f"q{item},{model},{judge},{human if item < 30 else ''}")
    return "\n".join(rows)


def _items() -> str:
    rows = ["item,topic,svm,knn,tree"]
    for item in range(60):
        rows.append(f"q{item},t{item % 3}," + ",".join(str(int(RNG.random() < p)) for p in SHARES))
    return "\n".join(rows)


TOPIC = ("--columns", "ignore=topic")
DESIGNS = {
    "sets": (_wide("dataset", 12), ("-m", "accuracy")),
    "gaps": (_wide("dataset", 30, gap=4), ("-m", "accuracy")),
    "folds": (_wide("fold", 10), ("-m", "accuracy", "--sampling", "cv:10")),
    "items": (_items(), ("-m", "accuracy", "--sampling", "items", *TOPIC)),
    "battles": (_battles(), ()),
    "judged": (_judged(), ("--judge", "judge", "--human", "human")),
}
# a value of every option that tells, and where the output may be the same for a good reason
VALUES: dict[str, tuple[str | None, ...]] = {
    "sampling": ("bootstrap", "nonsense"), "measure": ("nonsense",), "columns": ("ignore=knn",),
    "higher_is_better": (None,), "step": ("3",), "where": ("nothing=1",), "recipe": ("nothing",),
    "exclude": ("d1",), "reason": ("because",), "target": ("sample", "datasets"),
    "dataset": ("d1",), "scale": ("logit", "nonsense"), "sample": ("1",), "queue": ("none.csv",),
    "open": (None,), "strata": ("topic",), "procedure": ("sign", "nonsense"),
    "null": ("permutation", "nonsense"), "adjust": ("holm", "nonsense"), "control": ("knn", "none"),
    "alternative": ("greater", "nonsense"), "alpha": ("0.2", "2"), "relevance": ("0.05", "-1"),
    "non_inferiority": ("0.05",), "equivalence": ("0.05",), "gaps": ("complete", "nonsense"),
    "force": (None,), "posterior": (None,), "rope": ("0.03",), "rho": ("0.3",),
    "weights": ("nothing",), "covariates": ("none", "nonsense"), "judge": ("judge",),
    "human": ("human",), "report": (), "pairs": (None,), "why": (None,), "every": (None,),
    "json": (), "csv": (), "latex": (), "markdown": (), "diagram": (), "scores": (),
    "methods": (), "order": (), "factors": ("nonsense",), "margin": ("accuracy=0.01",),
}  # fmt: skip
SAME = {
    "force": "a valid test needs no force",
    "every": "there are few algorithms",
    "higher_is_better": "accuracy is",
    ("gaps", "complete"): "where nothing is missing",
    ("judged", "judge"): "named already",
    ("judged", "human"): "named already",
}


def _line(option: click.Option, value: str | None) -> list[str]:
    flag = next(name for name in option.opts if name.startswith("--"))
    return [flag] if value is None else [flag, value]


def _ended(args: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[object, str, str]:
    main = import_module("podium.cli.main").main
    try:
        status = main(args)
    except SystemExit as end:
        status = end.code
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return status, out, err


def test_every_option_of_analyze_has_a_telling_value():
    command = import_module("podium.answers.analyze_command").analyze
    assert {p.name for p in command.params if isinstance(p, click.Option)} == VALUES.keys()


@pytest.mark.parametrize("design", DESIGNS)
def test_an_option_changes_the_answer_or_is_refused(design, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text, options = DESIGNS[design]
    (tmp_path / "scores.csv").write_text(text + "\n")
    base = ["analyze", "scores.csv", *options]
    plain = _ended(base, capsys)
    assert plain[0] == 0, plain
    ignored = []
    command = import_module("podium.answers.analyze_command").analyze
    for option in command.params:
        for value in VALUES.get(option.name or "", ()):
            if {option.name, (option.name, value), (design, option.name)} & SAME.keys():
                continue
            if _ended([*base, *_line(option, value)], capsys) == plain:
                ignored.append((option.name, value))
    assert ignored == []


def test_gaps_that_are_there_are_treated_as_asked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text, options = DESIGNS["gaps"]
    (tmp_path / "scores.csv").write_text(text + "\n")
    ways = [[], ["--gaps", "complete"], ["--gaps", "worst"]]
    told = {_ended(["analyze", "scores.csv", *options, *way], capsys)[1] for way in ways}
    assert len(told) == len(ways)
