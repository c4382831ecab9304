"""What is asked for on the line is done, or refused; nothing is taken and ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

import click
import numpy as np
import pytest

import podium
from podium import PodiumError

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


def _folds_of_sets() -> str:
    rows = ["dataset,fold,svm,knn,tree"]
    for row in range(60):
        cells = ",".join(f"{p + RNG.normal(0, 0.03):.3f}" for p in (0.72, 0.71, 0.69))
        rows.append(f"d{row // 10},{row % 10},{cells}")
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
CLOSE = "dataset,svm,knn,tree\n" + "\n".join(
    f"d{i}," + ",".join(f"{p + RNG.normal(0, 0.03):.3f}" for p in (0.72, 0.71, 0.69))
    for i in range(12)
)
MORE = {
    "close": (CLOSE, ("-m", "accuracy")),
    "many": (_folds_of_sets(),
             ("-m", "accuracy", "--sampling", "runs", "--columns", "sample=fold")),
}  # fmt: skip
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


# other commands: a line for a table, and what else may be the same there
SHORT = {"table": "out.csv", "sizes": "none.csv", "declared": "none.csv", "pair": "svm,tree"}
NUMBERS = {"resamples": "60", "orders": "25", "seed": "7", "looks": "4", "power": "0.6",
           "item_cost": "3", "replications": "30", "labels": "20"}  # fmt: skip
WRITTEN = (
    "output",
    "report",
    "comment",
    "json",
    "csv",
    "markdown",
    "ledger",
    "forest",
    "funnel",
    "name",
)
SETS_ALIKE = ("sampling", "bootstrap")  # data sets with one score each, however that was made
LINES: dict[str, tuple[str, tuple[str, ...], tuple[object, ...]]] = {
    "report sets": ("sets", ("report", "scores.csv", "-o", "page.html"), ()),
    "report battles": ("battles", ("report", "scores.csv", "-o", "page.html"), ()),
    "plot intervals": ("sets", ("plot", "intervals", "scores.csv", "-o", "p.svg"), (SETS_ALIKE,)),
    "plot boxes": ("items", ("plot", "boxes", "scores.csv", "-o", "p.svg"), ()),
    "plan": ("sets", ("plan", "scores.csv"), (SETS_ALIKE,)),
    "gate": ("sets", ("gate", "scores.csv", "scores.csv", "--algorithm", "svm"),
             (SETS_ALIKE, ("columns", "ignore=knn"))),
    "survey": ("many", ("survey", "scores.csv"), (("target", "sample"),)),
}  # fmt: skip
LONG = {
    "stability": ("close", ("stability", "scores.csv"), (SETS_ALIKE,)),
    "report folds": ("folds", ("report", "scores.csv", "-o", "page.html"), ()),
    "report items": ("items", ("report", "scores.csv", "-o", "page.html"), ()),
    "report judged": ("judged", ("report", "scores.csv", "-o", "page.html"), ()),
    "plot matrix": ("folds", ("plot", "matrix", "scores.csv", "-o", "p.svg"), ()),
    "plot summary": ("items", ("plot", "summary", "scores.csv", "-o", "p.svg"), ()),
    "plan items": ("items", ("plan", "scores.csv"), ()),
    "gate items": ("items", ("gate", "scores.csv", "scores.csv", "--algorithm", "svm"), ()),
}


def _line(option: click.Option, value: str | None) -> list[str]:
    flag = next(name for name in option.opts if name.startswith("--"))
    return [flag] if value is None else [flag, value]


def _values(option: click.Option) -> tuple[str | None, ...]:
    """Values of an option that tell: those above, or what its kind suggests."""
    name = option.name or ""
    if option.is_flag:
        return (None,)
    if name in SHORT or name in NUMBERS:
        return (SHORT.get(name) or NUMBERS[name],)
    return () if name in WRITTEN else VALUES.get(name, ("nonsense",))


def _ended(
    args: list[str], capsys: pytest.CaptureFixture[str], made: Path | None = None
) -> tuple[object, str, str, bytes]:
    """Status, both streams, and the file that was to be made."""
    main = import_module("podium.cli.main").main
    try:
        status = main(args)
    except SystemExit as end:
        status = end.code
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    content = made.read_bytes() if made is not None and made.exists() else b""
    if made is not None:
        made.unlink(missing_ok=True)
    return status, out, err, content


def test_every_option_of_analyze_has_a_telling_value():
    command = import_module("podium.asking.comparison.analyze_command").analyze
    assert {p.name for p in command.params if isinstance(p, click.Option)} == VALUES.keys()


def _ignored(
    base: list[str],
    values: Callable[[click.Option], Iterable[str | None]],
    same: set[object],
    capsys: pytest.CaptureFixture[str],
    made: Path | None = None,
) -> list[tuple[str | None, str | None]]:
    """The options of a line, with a value, which change nothing and are not refused."""
    plain = _ended(base, capsys, made)
    assert plain[0] in (0, 1), plain
    group = import_module("podium.cli.main").group
    command = group.get_command(click.Context(group), base[0])
    return [
        (option.name, value)
        for option in command.params
        if isinstance(option, click.Option)
        for value in values(option)
        if not {option.name, (option.name, value)} & same
        if _ended([*base, *_line(option, value)], capsys, made) == plain
    ]


def _of_design(design: str) -> set[str]:
    return {key[1] for key in SAME if isinstance(key, tuple) and key[0] == design}


@pytest.mark.parametrize("design", DESIGNS)
def test_an_option_changes_the_answer_or_is_refused(design, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text, options = DESIGNS[design]
    (tmp_path / "scores.csv").write_text(text + "\n")
    same = {*SAME, *_of_design(design)}
    base = ["analyze", "scores.csv", *options]
    assert _ignored(base, lambda o: VALUES.get(o.name or "", ()), same, capsys) == []


@pytest.mark.parametrize(
    "line", [*LINES, *(pytest.param(line, marks=pytest.mark.long) for line in LONG)]
)
def test_an_option_of_other_commands_too(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    design, words, alike = {**LINES, **LONG}[line]
    text, options = {**DESIGNS, **MORE}[design]
    (tmp_path / "scores.csv").write_text(text + "\n")
    same = {*SAME, *alike, *_of_design(design)}
    made = tmp_path / words[words.index("-o") + 1] if "-o" in words else None
    assert _ignored([*words, *options], _values, same, capsys, made) == []


@pytest.mark.parametrize("table", ["battles", "sets"])
def test_a_page_of_a_measure_that_is_not_there_is_refused(table, tmp_path):
    (tmp_path / "scores.csv").write_text(DESIGNS[table][0] + "\n")
    measure = None if table == "battles" else "accuracy"
    results = podium.read(tmp_path / "scores.csv", measure=measure)
    (known,) = results.measures
    with pytest.raises(PodiumError, match=f"'nonsense' is not a measure.* Known: {known}."):
        podium.report(results, measure="nonsense")


def test_gaps_that_are_there_are_treated_as_asked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text, options = DESIGNS["gaps"]
    (tmp_path / "scores.csv").write_text(text + "\n")
    ways = [[], ["--gaps", "complete"], ["--gaps", "worst"]]
    told = {_ended(["analyze", "scores.csv", *options, *way], capsys)[1] for way in ways}
    assert len(told) == len(ways)
