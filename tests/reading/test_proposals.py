"""Every proposal that an error of the readers makes is followed to the letter, and works.

An example is files and a command that is refused. All ways out of its message are tried, each until
scores are read or the next question is asked; one of them must lead to the true order. At the end
every statement of the readers that words a proposal must have been run by an example.
"""

import ast
import io
import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from test_cells_and_documents import spreadsheet

import podium
from podium import PodiumError
from podium.cli.main import group
from podium.reading.files import averaged_tables
from podium.reading.formats import FORMATS

RESULTS = Path(podium.__file__).parent / "reading"
OURS = "columns|measure|sampling|step|algorithm"
OPTION = re.compile(
    rf"--(?:higher|lower)-is-better\b|--(?:{OURS})\b(?:[ =](?:'[^']*'|[^\s'-][^\s;)]*))?"
)
IN_PYTHON = re.compile(r" \(in Python: (?:[^()']|'[^']*'|\([^)]*\))*\)")
WHOLE = re.compile(r"`podium analyze ([^`]*)`")
BETWEEN = re.compile(r"; or |, or | or |; |\. |, (?=--|if )")
REWORDED = (
    (r"contradicts --\S+", ""),  # what was said, not what is proposed
    (r"--sampling \(in Python sampling=\), for example (?:cv:10, )?(\w+).*", r"--sampling \1"),
)
DEPTH = 4  # questions in a row
MEANS = {"svm": 0.9, "knn": 0.7, "forest": 0.5}
TRUTH = ["svm", "knn", "forest"]


# -- tables -----------------------------------------------------------------------------------


def scores(**levels):
    """Rows of a long table in which svm is the best, by columns; `method` and `value` besides."""
    rows = []
    for number, (name, *rest) in enumerate(product(MEANS, *levels.values())):
        value = round(MEANS[name] + 0.001 * (7 * number % 13), 4)
        rows.append({"method": name} | dict(zip(levels, rest, strict=True)) | {"value": value})
    return pd.DataFrame(rows)


def text(frame, **names):
    """The table as CSV, with other names of columns."""
    return frame.rename(columns=names).to_csv(index=False, lineterminator="\n")


def wide(**levels):
    """The same, with a column for each algorithm."""
    frame = scores(**levels).pivot(index=list(levels), columns="method", values="value")
    return frame[TRUTH].reset_index().rename_axis(columns=None)


SETS, FOLDS = ["iris", "wine", "zoo"], [1, 2, 3, 4, 5]
LONG = scores(dataset=SETS, fold=FOLDS)
ONE = scores(fold=FOLDS)
WIDE = wide(dataset=SETS)
BOTH = wide(dataset=SETS, fold=FOLDS)


def runs(depths):
    """Runs as MLflow exports them, which have a depth for each algorithm."""
    names = {"method": "params.depth", "fold": "params.part", "value": "metrics.accuracy"}
    frame = ONE.assign(method=ONE["method"].map(depths)).rename(columns=names)
    return text(frame.assign(run_id=[f"r{i}" for i in range(len(frame))], status="FINISHED"))


def monitor(ends, steps=(10, 10)):
    """A curve as Stable-Baselines3 writes it."""
    rows = "".join(f"{e},{s},0.1\n" for e, s in zip(ends, steps, strict=True))
    return '#{"t_start": 1.0, "env_id": "Cart"}\nr,l,t\n' + rows


def exported(values, start=100):
    """A curve as TensorBoard exports it."""
    rows = "".join(f"1.0,{start * (i + 1)},{v}\n" for i, v in enumerate(values))
    return "Wall time,Step,Value\n" + rows


def twice(name):
    """The sample of a format, and one of its files again in another folder."""

    def make(folder):
        record = FORMATS[name]
        (folder / "first").mkdir()
        record.samples[0].make(folder / "first")
        files = [f for f in sorted((folder / "first").rglob("*")) if f.is_file()]
        for file in (f for f in files if f.parent == files[0].parent and alike(f, files[0])):
            place = folder / "second" / file.relative_to(folder / "first")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, place)
        return [folder / "first", folder / "second"]

    return make


def alike(file, first):
    """Whether both belong to one run: in formats that have a folder for each, all in it."""
    return file.parent != first.parent.parent / "first" or file == first


@dataclass
class Example:
    """Files (text by name, or what makes them), what is said, and the order of the true way out."""

    name: str
    files: dict[str, str] | Callable[[Path], list[Path]]
    said: str = ""
    order: list[str] | None = field(default_factory=lambda: TRUTH)  # None: any
    column: str | dict[str, str] = ""  # that is meant by COLUMN in a proposal, or by role=COLUMN
    command: str = "import"
    most_rows: int = 10**6  # that are read as they are, not as means

    def __str__(self):
        return self.name


def made_sheets(folder):
    """A workbook with a sheet for every measure."""
    rows = [["dataset", "svm", "knn"], ["iris", 0.9, 0.7], ["zoo", 0.8, 0.6], ["wine", 0.9, 0.8]]
    turned = [rows[0], *([name, round(1 - a, 1), round(1 - b, 1)] for name, a, b in rows[1:])]
    path = folder / "scores.xlsx"
    path.write_bytes(spreadsheet(("AUC", rows), ("RMSE", turned)))
    return path


def table(name, frame, said="", **more):
    """An example of one table, its columns called by `names`."""
    names = more.pop("names", {})
    return Example(name, {"scores.csv": text(frame, **names)}, said, **more)


SEEDED = scores(dataset=SETS, split=[1, 2], seed=[1, 2])
SHARED = [{"item": f"q{i}", "accuracy": int(i < n)} for n in (30, 25) for i in range(40)]
OLD, NEW = pd.DataFrame(SHARED[:40]), pd.DataFrame(SHARED[40:])


def gate(name, old, new, said="", **more):
    """An example of two tables, of which the new one is not worse or worse."""
    files = {"old.csv": text(old), "new.csv": text(new)}
    return Example(name, files, said, None, command="gate", **more)


def large(folder):
    """A table whose columns do not tell data sets and algorithms."""
    names = {"method": "who", "dataset": "where", "value": "accuracy"}
    scores(dataset=SETS, fold=FOLDS * 2).rename(columns=names).to_parquet(folder / "large.parquet")
    return [folder / "large.parquet"]


EXAMPLES = [
    # rows
    Example(
        "a chart of curves",
        {
            "wandb_export.csv": ",".join(
                ["Step"]
                + [
                    f"{run} - eval/return{end}"
                    for run in ("ppo_seed0", "ppo_seed1", "sac_seed0", "sac_seed1")
                    for end in ("", "__MIN", "__MAX")
                ]
            )
            + "\n0,1,1,1,2,2,2,1,1,1,2,2,2\n10,5,5,5,6,6,6,8,8,8,9,9,9\n"
        },
        order=None,
    ),
    Example(
        "more rows than fit",
        large,
        "--measure accuracy",
        column={"dataset": "where", "algorithm": "who"},
        most_rows=50,
    ),
    # cells and scores
    table("a cell", WIDE.assign(odd=["0.8x", "0.7", "0.6"]), "--measure accuracy"),
    table("no measure", WIDE),
    table("no direction", WIDE, "--measure gloss"),
    table(
        "a statistic of rows",
        LONG.assign(value=1 - LONG["value"]),
        "--measure p95",
    ),
    table("a mixture", WIDE.assign(svm=[0.9, 90.0, 0.9]), "--measure accuracy"),
    table("negative losses", WIDE.assign(**{n: -(1 - WIDE[n]) for n in TRUTH}), "--measure mse"),
    table(
        "another loss", WIDE.assign(**{n: (1 - WIDE[n]) - 0.3 for n in TRUTH}), "--measure error"
    ),
    table(
        "a direction that contradicts",
        WIDE.assign(**{n: -(1 - WIDE[n]) for n in TRUTH}),
        "--measure mse --higher-is-better",
    ),
    table(
        "an error beside a metric",
        LONG.assign(value=1 - LONG["value"], metric="auc"),
        names={"value": "test_error"},
    ),
    table(
        "an accuracy beside a loss",
        LONG.assign(value=1 - LONG["value"], metric="rmse"),
        names={"value": "accuracy"},
    ),
    table("times and others", LONG.assign(fit_time=1.5), names={"value": "outcome"}),
    table(
        "numbers of no name",
        LONG.assign(gizmo=[1.5 + i % 7 for i in range(len(LONG))]),
        names={"value": "outcome"},
        said="--higher-is-better",
        column="dataset;fold",
    ),
    table("two values", LONG.assign(score=0.5), "--higher-is-better", names={}),
    table("a summary or an algorithm", WIDE.assign(Average=[0.1, 0.2, 0.3]), "--measure accuracy"),
    # what columns are
    table(
        "two algorithms",
        LONG.assign(kind=LONG["method"].map({"svm": "a", "knn": "a", "forest": "b"})),
        names={"value": "accuracy", "kind": "system"},
    ),
    table(
        "two algorithms, parts",
        scores(system=["a", "b"], fold=FOLDS),
        names={"value": "accuracy"},
        order=None,
    ),
    table(
        "names of two kinds", LONG, names={"value": "accuracy", "method": "who", "dataset": "where"}
    ),
    table(
        "names of two kinds alone",
        scores(where=SETS * 2),
        names={"value": "accuracy", "method": "who"},
    ),
    table("what differs is the data set", scores(where=SETS), names={"value": "accuracy"}),
    table(
        "what differs is a part",
        scores(task=["a", "b"], suite=["u", "v"], fold=FOLDS),
        names={"value": "accuracy"},
    ),
    table(
        "what differs is the sample", scores(dataset=SETS, nth=FOLDS), names={"value": "accuracy"}
    ),
    table(
        "rows of no sample in common",
        ONE.assign(fold=range(1, 16)),
        "--sampling bootstrap",
        names={"value": "accuracy", "fold": "sample"},
    ),
    table(
        "no algorithms but measures",
        scores(place=["a"]).assign(f1=0.5)[["method", "value", "f1"]],
        names={"value": "accuracy", "method": "run"},
        column="run",
    ),
    table(
        "train and test",
        scores(dataset=SETS).assign(split="train"),
        names={"value": "accuracy"},
        said="--columns sample=split",
        order=None,
    ),
    table(
        "an item in two clusters",
        scores(item=range(6)).assign(topic=[*"ababab", *"bababa", *"ababab"]),
        "--columns cluster=topic",
        names={"value": "accuracy"},
    ),
    table(
        "a row for every algorithm",
        wide(dataset=SETS).set_index("dataset").T.reset_index(names="method"),
        "--measure accuracy",
    ),
    table(
        "a row for every algorithm of no name",
        wide(dataset=SETS).set_index("dataset").T.reset_index(names="who"),
        "--measure accuracy",
    ),
    table(
        "a measure that only one has",
        WIDE.assign(svm_f1=WIDE["knn"], knn_f1=WIDE["knn"], svm_auc=WIDE["knn"]),
        "--measure accuracy",
        names={n: f"{n}_accuracy" for n in TRUTH},
        order=[f"{n}_accuracy" for n in TRUTH],
    ),
    table(
        "runs of no number",
        ONE[["method", "value"]][:-1],
        names={"value": "accuracy"},
    ),
    table(
        "what differs is the item",
        scores(key=[f"k{i}" for i in range(20)]),
        names={"value": "accuracy"},
    ),
    # designs
    table("folds said to be samples", ONE, "--sampling bootstrap", names={"value": "accuracy"}),
    table(
        "folds numbered through",
        scores(fold=range(1, 11)),
        "--sampling repeated-cv:5x2",
        names={"value": "accuracy"},
    ),
    table(
        "data sets that are seeds",
        scores(dataset=["seed 1", "seed 2", "seed 3"]),
        names={"value": "accuracy"},
    ),
    table(
        "data sets that are runs",
        scores(dataset=["run 1", "run 2", "run 3"]),
        names={"value": "accuracy"},
    ),
    table(
        "data sets that hold folds",
        scores(dataset=["zoo fold1", "zoo fold2", "ape fold1"]),
        names={"value": "accuracy"},
    ),
    table("seeds within splits", SEEDED, "--sampling seeds", names={"value": "accuracy"}),
    table("seeds beside splits", SEEDED, names={"value": "accuracy"}),
    table(
        "items of no sample",
        scores(item=range(4), nth=[1, 2]),
        "--sampling bootstrap",
        names={"value": "accuracy"},
        column="nth",
    ),
    # wide tables
    table("no block", WIDE, "--measure accuracy", names={"dataset": "where"}),
    table("no block, numbered", wide(b=[1, 2, 3]), "--measure accuracy", names={"b": ""}),
    table(
        "no block, numbered, and a data set",
        WIDE.assign(n=1)[["n", "dataset", *TRUTH]],
        "--measure accuracy",
        names={"n": ""},
    ),
    table(
        "names behind",
        BOTH[["svm", "fold", "knn", "dataset", "forest"]],
        "--measure accuracy",
        names={"dataset": "where"},
    ),
    table("names before a fold", BOTH, "--measure accuracy", names={"dataset": "where"}),
    table(
        "long, and nothing says it",
        scores(place=["a"]).assign(f1=0.1)[["method", "value", "f1"]],
        names={"value": "accuracy", "method": "who"},
        order=None,
    ),
    table("no name at all", WIDE[TRUTH], "--measure accuracy", order=None, column="svm"),
    table(
        "a block of no kind",
        WIDE,
        "--measure accuracy --columns block=where",
        names={"dataset": "where"},
    ),
    table("columns that are none", WIDE.assign(flow_id=[7, 8, 9]), "--measure accuracy"),
    table("a sample of no name", BOTH, "--measure accuracy", names={"fold": "nth"}),
    table(
        "text among algorithms",
        BOTH[["fold", *TRUTH, "dataset"]],
        "--measure accuracy",
        names={"dataset": "where"},
    ),
    Example(
        "sheets called by measures",
        lambda folder: [made_sheets(folder)],
        order=["svm", "knn"],
    ),
    Example(
        "curves of two measures",
        {
            f"{model}_{seed}.json": "".join(
                json.dumps(
                    {"accuracy": level + i / 50, "loss": 1 - level, "training_iteration": i}
                    | {"trial_id": f"{model}{seed}", "config": {"model": model, "seed": seed}}
                )
                + "\n"
                for i in (1, 2)
            )
            for model, level in (("svm", 0.8), ("knn", 0.6))
            for seed in (0, 1, 2)
        },
        order=["svm", "knn"],
    ),
    Example(
        "two tables",
        {
            "page.html": (
                page := "".join(
                    f"<table><tr><th>dataset<th>svm<th>knn</tr><tr><td>iris<td>0.{n}<td>0.1</tr>"
                    f"<tr><td>zoo<td>0.{n}<td>0.2</tr></table>"
                    for n in (8, 9)
                )
            )
        },
        "--measure accuracy",
        ["svm", "knn"],
    ),
    # files of tools
    Example(
        "runs that do not say it",
        {"runs.csv": runs({"svm": 2, "knn": 4, "forest": 8})},
        column="params.part",
        order=["2", "4", "8"],
    ),
    Example(
        "a run that does not say it",
        {
            "runs.csv": text(
                ONE.assign(run_id=[f"r{i}" for i in range(15)], own=["", *["x"] * 14]),
                method="params.kind",
                fold="params.fold",
                value="metrics.accuracy",
                own="params.model",
            )
        },
        column="params.kind",
    ),
    Example(
        "a run of each",
        {
            "runs.csv": text(
                ONE.assign(run_id=[f"r{i}" for i in range(15)], own=[f"m{i}" for i in range(15)]),
                method="params.kind",
                fold="params.part",
                value="metrics.accuracy",
                own="params.model",
            )
        },
        column={"algorithm": "params.kind", "sample": "params.part"},
    ),
    Example(
        "curves",
        {
            f"{n}_{s}.monitor.csv": monitor((1, e + s))
            for n, e in (("ppo", 5), ("sac", 9))
            for s in (0, 1)
        },
        order=["sac", "ppo"],
    ),
    Example(
        "a step before all",
        {
            f"{n}_{s}.monitor.csv": monitor((e, e + s), (10 + s, 10))
            for n, e in (("ppo", 5), ("sac", 9))
            for s in (0, 1)
        },
        "--step 10",
        ["sac", "ppo"],
    ),
    Example(
        "a step behind a run",
        {
            f"{n}_{s}.monitor.csv": monitor((e, e + s), (10 + s, 10))
            for n, e in (("ppo", 5), ("sac", 9))
            for s in (0, 1)
        },
        "--step 21",
        ["sac", "ppo"],
    ),
    Example(
        "the best of what is unknown",
        {
            f"run-{n}_{s}-tag-gloss.csv": exported((1, e + s))
            for n, e in (("ppo", 5), ("sac", 9))
            for s in (0, 1)
        },
        "--step best",
        ["sac", "ppo"],
    ),
    Example("a model in two files", twice("lm-eval"), order=None),
    Example("a run in two folders", twice("helm"), order=None),
    Example("a log in two folders", twice("inspect"), order=None),
    # gates
    gate("whom", OLD.assign(model="a"), pd.concat([NEW.assign(model="b"), NEW.assign(model="c")])),
    gate(
        "two columns of algorithms",
        OLD.assign(model="a", method="x"),
        NEW.assign(model="a", method="x"),
    ),
    gate("rows of nothing", OLD[["accuracy"]].assign(n=1), NEW[["accuracy"]].assign(n=1)),
    gate(
        "rows of something",
        OLD.assign(where=["a", "b"] * 20)[["where", "accuracy"]],
        NEW.assign(where=["a", "b"] * 20)[["where", "accuracy"]],
    ),
]


# -- following --------------------------------------------------------------------------------


def ways(message, example):
    """The proposals of a message, each a list of arguments; what is joined by `and` is one."""
    whole = [shlex.split(found) for found in WHOLE.findall(message)]
    plain = IN_PYTHON.sub("", WHOLE.sub("", message))
    for told, meant in REWORDED:
        plain = re.sub(told, meant, plain)
    found = []
    for part in BETWEEN.split(plain):
        said = [w for o in OPTION.findall(part) for w in shlex.split(o.rstrip(".,:"))]
        said = [filled(word, example.column) for word in said]
        if said:
            found.append(said)
    return found + [
        words[next(i for i, w in enumerate(words) if w[:2] == "--") :] for words in whole
    ]


def filled(word, column):
    """An argument with the columns that are meant."""
    for role, name in column.items() if isinstance(column, dict) else ():
        word = word.replace(f"{role}=COLUMN", f"{role}={name}")
    return word if isinstance(column, dict) else word.replace("COLUMN", column)


def joined(said, more):
    """What was said, and what is said now in its place or besides."""
    given = dict(pairs(said))
    given.update(pairs(more))
    if any(key.endswith("-is-better") for key, _ in pairs(more)):
        given = {k: v for k, v in given.items() if not k.endswith("-is-better")} | dict(pairs(more))
    return [w for key, value in given.items() for w in (key, *([value] if value else []))]


def pairs(words):
    """Options with their values."""
    words, found = list(words), []
    while words:
        key = words.pop(0)
        found.append((key, words.pop(0) if words and not words[0].startswith("--") else None))
    return found


def ran(example, paths, said):
    """What comes of a command: the order of the algorithms, or the message."""
    arguments = [example.command, *map(str, paths), *said]
    arguments += ["-o", "-"] if example.command == "import" else []
    done = CliRunner().invoke(group, arguments)
    if isinstance(done.exception, PodiumError):
        return str(done.exception), None
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    assert example.command == "gate" or done.exit_code == 0, done.output
    return None, order_of(done.output) if example.command == "import" else []


def order_of(output):
    """The algorithms of a table that was imported, the best first."""
    head, _, body = output.partition("\n")
    told = pd.io.json.ujson_loads(head.partition(": ")[2])
    frame = pd.read_csv(io.StringIO(body))
    first = next(iter(told["measures"]))
    frame = frame[frame["measure"] == first]
    means = frame.groupby(["algorithm", "dataset"])["value"].mean().groupby("algorithm").mean()
    higher = told["measures"][first]["higher_is_better"]
    return [str(name) for name in means.sort_values(ascending=not higher).index]


def followed(example, paths, said, asked=(), depth=DEPTH):
    """All orders that the ways out of messages lead to; none leads in a circle."""
    message, order = ran(example, paths, said)
    if message is None:
        return [order]
    assert (message, said) not in asked, f"in a circle: {message}"
    found = []
    for way in ways(message, example) if depth else []:
        found += followed(example, paths, joined(said, way), (*asked, (message, said)), depth - 1)
    return found


# -- statements that propose ------------------------------------------------------------------


def proposes(node):
    """Whether a statement words a proposal."""
    for part in ast.walk(node):
        text_of = part.value if isinstance(part, ast.Constant) else ""
        called = part.func if isinstance(part, ast.Call) else None
        name = getattr(called, "attr", getattr(called, "id", ""))
        if name == "way_out" or re.search(rf"--(?:{OURS})\b", str(text_of)):
            return True
    return False


@cache
def statements():
    """Every statement of the readers that words a proposal: file, first and last line."""
    return list(_statements())


def _statements():
    kinds = (ast.Raise, ast.Return, ast.Assign, ast.AugAssign, ast.Expr)
    # what is inferred is proposed as a whole command, which was tried before it is printed
    files = (f for f in sorted(RESULTS.rglob("*.py")) if f.parent.name != "inferring")
    for file in files:
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                if isinstance(node, kinds) and not docstring and proposes(node):
                    yield str(file), function.name, node.lineno, node.end_lineno


@pytest.fixture(scope="module")
def seen():
    """The lines of proposing functions that examples have run."""
    return set()


@contextmanager
def watching(seen):
    """Note which lines run in functions that propose something."""
    names = {(file, name) for file, name, _, _ in statements()}

    def lines(frame, event, argument):
        if event == "line":
            seen.add((frame.f_code.co_filename, frame.f_lineno))
        return lines

    def calls(frame, event, argument):
        code = frame.f_code
        return lines if (code.co_filename, code.co_name) in names else None

    before = sys.gettrace()
    sys.settrace(calls)
    try:
        yield
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_every_proposal_works(example, tmp_path, seen, monkeypatch):
    monkeypatch.setattr(averaged_tables, "MOST_ROWS", example.most_rows)
    with watching(seen):
        check_example(example, tmp_path)
    seen.add(str(example))


def check_example(example, tmp_path):
    if callable(example.files):
        paths = example.files(tmp_path)
    else:
        paths = [tmp_path / name for name in example.files]
        for path, content in zip(paths, example.files.values(), strict=True):
            path.write_text(content, encoding="utf-8")
    said = shlex.split(example.said)
    message, _ = ran(example, paths, said)
    assert message is not None, "read without a question"
    proposed = ways(message, example)
    assert proposed, message
    orders = []
    for way in proposed:
        found = followed(example, paths, joined(said, way), ((message, said),))
        assert found, (message, way)
        orders += found
    assert example.order is None or example.order in orders, (message, orders)


def test_every_wording_of_a_proposal_is_followed(seen, tmp_path, monkeypatch):
    """Examples reach every such statement; those that another process had are run again here."""
    for number, example in enumerate(EXAMPLES):
        if str(example) not in seen:
            monkeypatch.setattr(averaged_tables, "MOST_ROWS", example.most_rows)
            (folder := tmp_path / str(number)).mkdir()
            with watching(seen):
                check_example(example, folder)
    left = [
        (Path(file).name, name, first)
        for file, name, first, last in statements()
        if not any((file, line) in seen for line in range(first, last + 1))
    ]
    assert not left, "\n".join(map(str, left))
