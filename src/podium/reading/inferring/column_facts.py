"""Facts of single columns: what kind of cells they hold, and the words of their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from podium.reading.cells.columns import FAILED, numbers_in
from podium.reading.cells.directions import is_rate
from podium.reading.cells.vocabulary import known_measure, role_of
from podium.reading.cells.words import last_part, words_of
from podium.reading.recipes.deriving import texts
from podium.reading.recipes.measuring import PASSED

# -- what names of the field look like ------------------------------------------------------------
# Algorithms, data sets, systems under test.


# columns that name what is compared, beside those that the vocabulary of tables knows
_CONTENDERS = (
    "engine library lib package product tool vendor vm runtime interpreter compiler backend "
    "optimizer optimiser sampler searcher tuner arch architecture network net encoder embedder "
    "embedding retriever reranker tokenizer kernel driver codec index implementation impl variant "
    "strategy heuristic planner controller expr func fn procedure provider llm lm checkpoint team "
    "participant competitor submission player bot language lang db database store cache queue "
    "learner wflow verfahren methode modell algorithmus lerner méthode modèle método modelo "
    "metodo modello candidate arm treatment solution function codec compressor searcher policy "
    "filesystem"
)
_BLOCKS = (
    "workload scenario dataset datensatz datensätze daten jeu conjunto suite series problem "
    "instance instanz aufgabe unique_id uid bench benchmark testcase leaderboard leaderboards "
    "track corpus trace stock label endpoint route operation pair locale"
)
_ALGORITHM = (
    "svm svc knn nn rf gbm gbdt xgb xgboost lgbm lightgbm catboost lr nb lda qda cart mlp cnn rnn "
    "lstm gru transformer bert roberta gpt llama qwen mistral mixtral gemini gemma claude phi "
    "deepseek vicuna alpaca koala falcon yi resnet vit convnext densenet vgg inception "
    "efficientnet rocket boss hydra ridge lasso elasticnet ols glm gam naive bayes forest tree "
    "boost boosting bagging ensemble baseline ours dqn ppo sac ddpg td3 cql iql rainbow a2c "
    "arima ets prophet nbeats theta kmeans dbscan adam sgd rmsprop tpe random hyperband smac "
    "ga pso de cma instruct chat large small base mini turbo preview opus sonnet haiku flash"
)
_DATASET = (
    "iris wine zoo sonar spam spambase adult car mushroom german credit breast cancer diabetes "
    "mnist cifar svhn imagenet coco voc food pets dtd flowers mmlu gsm8k gsm hellaswag arc boolq "
    "piqa winogrande race bbh gpqa musr ifeval math humaneval mbpp truthfulqa squad glue sst mrpc "
    "qnli rte cola ceval hopper walker cheetah humanoid ant pong breakout monk monks glove sift "
    "gist deep ucr uci openml python java javascript rust cpp go english german french spanish "
    "hourly daily weekly monthly quarterly yearly"
)
CONTENDERS, BLOCKS = frozenset(_CONTENDERS.split()), frozenset(_BLOCKS.split())
_ALGORITHMS, _DATASETS = frozenset(_ALGORITHM.split()), frozenset(_DATASET.split())
_VERSION = re.compile(r"v\d+(\.\d+)*|\d+\.\d+\.\d+([.-]?\w+)?", re.IGNORECASE)
_SIZED = re.compile(r"(^|[-_ ])\d+(\.\d+)?[bm]($|[-_ ])", re.IGNORECASE)  # llama-7b


_FILED = re.compile(r"\.(?!gguf|onnx|pt|pth|bin|exe|py|jar|sh)[a-z][a-z0-9]{0,4}$", re.IGNORECASE)


def looks_compared(names: Iterable[str]) -> float:
    """How much names look like those of algorithms (above 0) or of data sets (below 0).

    >>> looks_compared(["gpt-4o", "llama-7b"]) > 0 > looks_compared(["iris", "zoo"])
    True
    >>> looks_compared([f"set{i}" for i in range(5)]) < 0
    True
    """
    messages = [str(n) for n in names if str(n)]
    if not messages:
        return 0.0
    votes = 0.0
    ends = {match[0] if (match := _FILED.search(name)) else "" for name in messages}
    are_files = len(ends) == 1 < len(messages) and "" not in ends  # instances: loops/sum.c
    for name in messages:
        words = {re.sub(r"\d+$", "", w) or w for w in words_of(name)} | {*words_of(name)}
        slashed = "/" in name.lstrip("/") and name[:1] != "/" and not are_files  # no /route/of
        votes += bool(words & _ALGORITHMS) or bool(_SIZED.search(name)) or slashed
        votes += _VERSION.fullmatch(name) is not None
        votes -= bool(words & _DATASETS) or are_files
    stems = {re.sub(r"[\d\s_.-]+$", "", n).lower() for n in messages}
    running = len(messages) > 3 and len(stems) == 1 and "" not in stems
    return votes / len(messages) - (0.6 if running else 0.0)


# -- column facts ---------------------------------------------------------------------------------


LONG_TEXT = 40  # letters that a name seldom has on average
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?")

PARTS = {
    **dict.fromkeys(("test", "testing", "heldout", "eval", "evaluation"), "test"),
    **dict.fromkeys(("outofsample", "oos", "public", "private"), "test"),
    **dict.fromkeys(("train", "training", "learn", "fit", "insample"), "train"),
    **dict.fromkeys(("val", "valid", "validation", "dev", "development", "tune"), "validation"),
    **dict.fromkeys(("warmup", "warm", "jitting", "pilot", "rampup", "calibration"), "train"),
    **dict.fromkeys(("measurement", "measured", "measure", "steady", "actual", "timed"), "test"),
}
GOOD = {
    *("ok", "success", "succeeded", "successful", "done", "finished", "complete", "completed"),
    *("optimal", "solved", "passed", "pass", "true", "0", "none", "unset", "valid", "normal"),
}
BAD = {
    *("timeout", "time out", "timed out", "timedout", "tle", "failed", "fail", "failure", "error"),
    *("crash", "crashed", "oom", "out of memory", "memout", "memory", "killed", "aborted"),
    *("exception", "infeasible", "diverged", "nan", "invalid", "dnf", "unsolved", "unfinished"),
    *(
        "pruned",
        "cancelled",
        "canceled",
        "preempted",
        "segfault",
        "unknown",
        "exceeded",
        "timeout_error",
    ),
}
_NOT_ENDED = {"running", "pending", "queued", "scheduled", "waiting", "started"}
FEW_ANSWERS = 6  # kinds of them that a column of how runs ended may have
_STATUS = {"status", "state", "outcome", "termination", "exit", "condition", "result", "ok"}
_ERRORS = {"error", "exception", "info", "failure", "stderr", "traceback", "reason", "message"}
_OF_DIRECTIONS = {"direction", "directions", "proportion", "goal", "objective", "better", "sense"}
_DIRECTIONS = {
    **dict.fromkeys(("hib", "higher", "high", "maximize", "maximise", "max", "bigger"), True),
    **dict.fromkeys(("larger", "greater", "up", "more", "desc"), True),
    **dict.fromkeys(("lib", "lower", "low", "minimize", "minimise", "min", "smaller"), False),
    **dict.fromkeys(("less", "down", "asc"), False),
}
_JUDGES = {"judge", "annotator", "grader", "rater", "evaluator", "assessor", "scorer"}
_JUDGES |= {"listener", "viewer", "participant", "respondent", "labeler", "labeller"}
_PEOPLE = {"human", "people", "person", "gold", "expert", "crowd", "manual"}
_STEPS = {"epoch", "epochs", "step", "steps", "globalstep", "checkpoint"}
_WHEN = {"date", "time", "timestamp", "utc", "created", "started", "ended", "finished", "at"}
_WORKERS = {"thread", "worker", "process", "pid", "vu", "session", "replica", "shard"}
_MACHINES = {
    *("machine", "host", "hostname", "node", "nodename", "device", "gpu", "cpu", "hardware"),
}
_WHERE = {
    *_MACHINES,
    "os",
    *("version", "commit", "hash", "revision", "branch", "git", "tag", "build", "driver", "env"),
}
_SIZES = {
    *("len", "length", "size", "count", "num", "n", "number", "rows", "features", "classes"),
    *(
        "ratio",
        "share",
        "fraction",
        "proportion",
        "imbalance",
        "entropy",
        "params",
        "parameters",
        "depth",
        "width",
        "samples",
        "instances",
        "dim",
        "skewness",
        "kurtosis",
        "seasonality",
        "seasonal",
        "trend",
        "stationarity",
        "sparsity",
        "cardinality",
    ),
    *("tokens", "bytes", "kb", "mb", "gb", "iterations", "iters", "loops", "threads", "forks"),
}
_SETTINGS = {
    *("horizon", "threads", "concurrency", "clients", "users", "connections", "scale", "noise"),
    *("shots", "budget", "difficulty", "dimension", "dim", "load", "workers", "nodes", "degree"),
}
_COSTS = {"cost", "price", "usd", "eur", "dollars", "tokens", "energy", "memory", "rss"}
_WORDS_OF_TEXT = {
    *("prompt", "response", "answer", "output", "reference", "context", "contexts", "text"),
    *("completion", "instruction", "reason", "reasoning", "explanation", "judgment", "link", "url"),
    *("comment", "note", "notes", "description", "solution", "prediction", "gold", "target"),
    *("transcript", "messages", "conversation", "title", "label", "path", "dirname", "command"),
}
_STATISTICS = {
    *("mean", "avg", "average", "median", "std", "sd", "stddev", "stdev", "min", "max", "minimum"),
    *("maximum", "var", "variance", "sem", "se", "ci", "lower", "upper", "q1", "q3", "qu", "iqr"),
    *("1st", "3rd", "quartile", "p50", "p90", "p95", "p99", "percentile", "quantile", "relative"),
    *("mad", "range", "total", "sum", "n"),
}


_SIZE_BEHIND = re.compile(r"\s*[(\[]\s*[nN]\s*=\s*[\d.,]+[kM]?\s*[)\]]$")  # iris (n=150)
_OF_FLAGS = {"is", "in", "on", "of", "set", "phase", "run", "iteration", "sample", "flag", "row"}
_HOLDERS = {"data", "results", "result", "runs", "output", "outputs", "scores", "values", "records"}
_GENERIC = {"name", "id", "key", "label", "title"}  # which say little without what is above


@dataclass(frozen=True, eq=False)
class Column:
    """A column: its name, its cells as text and numbers, and what kind it is."""

    name: str
    cells: np.ndarray  # as text, empty where there is none
    codes: np.ndarray
    count: int  # of different cells that are not empty
    values: np.ndarray
    kind: str  # empty, number, outcome (pass, fail, true, false), date or text
    title: str = ""  # what it is called in full, where its name alone says little: provider.id

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name."""
        if self.title:
            return words_of(self.title)
        return words_of(last_part(_SIZE_BEHIND.sub("", self.name)))

    @property
    def filled(self) -> np.ndarray:
        """Which cells hold something."""
        return self.cells != ""

    @property
    def is_constant(self) -> bool:
        """Whether all rows have one cell there."""
        return self.count + (not self.filled.all()) < 2

    @property
    def is_whole(self) -> bool:
        """Whether all numbers are whole."""
        here = self.values[~np.isnan(self.values)]
        return self.kind == "number" and bool((here == np.floor(here)).all())

    @property
    def counts_rows(self) -> bool:
        """Whether it numbers the rows, from 0 or 1."""
        rows = np.arange(len(self.values))
        return any(np.array_equal(self.values, rows + first) for first in (0, 1))

    @property
    def is_binary(self) -> bool:
        """Whether it holds nothing but 0 and 1, or words for them, and both."""
        here = self.values[~np.isnan(self.values)]
        return bool(len(here)) and bool(np.isin(here, (0.0, 1.0)).all()) and len({*here}) == 2

    @property
    def is_long(self) -> bool:
        """Whether it holds texts rather than names."""
        if self.kind != "text":
            return False
        lengths = [len(c) for c in {*self.cells[:500]} if c]
        return float(np.mean(lengths)) > LONG_TEXT if lengths else False

    # -- by name ------------------------------------------------------------------------------

    @property
    def role(self) -> str | None:
        """The role that its name promises."""
        if self.title:
            return role_of(self.title)
        last = last_part(self.name)
        names = (self.name, last, last.removesuffix("s"))  # `models` beside a matrix
        role = next((role for role in map(role_of, names) if role), None)
        named = role == "sample" and self.kind == "text" and "split" in self.words
        if named and not self.is_split and not numbers_runs(self):
            return "dataset"  # easy and hard are parts of the data, and no draws from it
        return role

    def has(self, *kinds: set[str]) -> bool:
        """Whether a word of the name is one of these."""
        return any(w in kind for kind in kinds for w in self.words)

    @property
    def is_split(self) -> bool:
        """Whether it says which rows are of training, validation and test data."""
        if self._flag is not None:
            return not self.is_constant
        kinds = {_joined(c) for c in {*self.cells[self.filled]}}
        parts = {PARTS.get(k) for k in kinds}
        apart = "test" in parts or parts == {"train", "validation"}
        return self.kind == "text" and len(parts) > 1 and None not in parts and apart

    @property
    def test_values(self) -> list[str]:
        """The cells that mean test data; those of validation data where there are none."""
        if self._flag is not None:
            return [
                str(c) for c in {*self.cells} if (c.lower() == "true") == (self._flag == "test")
            ]
        plain = {c: PARTS.get(_joined(c)) for c in {*self.cells}}
        last = "test" if "test" in plain.values() else "validation"
        return [str(c) for c, part in plain.items() if part == last]

    @property
    def _flag(self) -> str | None:
        """The part of the rows that a column of true and false marks: `is_train`, `isWarmup`."""
        if self.kind != "outcome" or not {*self.cells} <= {"true", "false", "True", "False", ""}:
            return None
        words = [w for w in self.words if w not in _OF_FLAGS]
        return PARTS.get("".join(words)) if words else None

    @property
    def good_values(self) -> list[str] | None:
        """The cells of a status that mean success, where some mean failure; None: no status."""
        words = {c.lower() for c in {*self.cells[self.filled]}}
        exits = self.is_whole and len(
            {"exit", "returncode", "rc", "ret", "retcode"} & {*self.words}
        )
        if exits and 1 <= self.count <= 256 and not self.has({"time"}):
            return ["0"] if words != {"0"} else None
        names = self.has(_STATUS) and self.kind in ("text", "outcome")
        bad = {w for w in words if w in BAD or w.startswith(("timeout", "fail", "error", "crash"))}
        good = words - bad
        # answers of a solver (sat, unsat) beside words that can only be failures
        answers = bad <= FAILED and len(good) < FEW_ANSWERS and not good & _NOT_ENDED
        answers = answers and not self.has({"condition"})
        if names and bad and good and (good <= GOOD or answers):
            return [str(c) for c in dict.fromkeys(self.cells[self.filled]) if c.lower() in good]
        return None

    def tells_direction(self, cell: str) -> bool | None:
        """Which values are better by a cell: `maximize`, `HIB`, or true of `higher_is_better`."""
        words = cell.lower().replace("_", " ").removesuffix(" is better").strip()
        if {"better"} & {*self.words} and words in ("true", "false"):
            known = _DIRECTIONS.get(self.words[0])
            return None if known is None else known == (words == "true")
        if cell.lower() != words or self.has(_OF_DIRECTIONS):
            return _DIRECTIONS.get(words)
        return None

    @property
    def is_outcome_text(self) -> bool:
        """Whether every cell tells how a run ended: `passed`, `failed: no such name`."""
        first = {re.split(r"[\s:_-]", c.lower(), maxsplit=1)[0] for c in {*self.cells} if c}
        return self.kind == "text" and first <= GOOD | BAD | {"timed", "failure", "exception"}

    @property
    def is_error_text(self) -> bool:
        """Whether it holds what went wrong, and mostly nothing."""
        return self.has(_ERRORS) and self.kind == "text" and 0 < self.filled.mean() < 1

    @property
    def is_judge(self) -> bool:
        """Whether it names who judged."""
        return self.has(_JUDGES) and self.kind == "text" and not self.is_long

    @property
    def is_step(self) -> bool:
        """Whether it counts steps of a training."""
        trained = self.has({"training", "train", "global", "env", "total"})
        counted = self.has(_STEPS) or (trained and self.has({"iteration", "iter", "timesteps"}))
        return counted and self.kind == "number"

    @property
    def is_setting(self) -> bool:
        """Whether it tells how hard or how large what was tried is, not how it was tried."""
        return self.has(_SETTINGS) or self.is_size

    @property
    def is_contender(self) -> bool:
        """Whether its name is one for what is compared."""
        return (
            self.role == "algorithm"
            or (self.words[-1:] in (("id",), ("name",)) and bool(CONTENDERS & {*self.words[:-1]}))
            or bool(CONTENDERS & {*self.words[-1:]})
        )

    @property
    def is_block(self) -> bool:
        """Whether its name is one for what all are tried on."""
        by_name = bool(BLOCKS & {*self.words, "_".join(self.words)}) and self.kind == "text"
        return self.role in ("dataset", "item") or by_name

    @property
    def is_when(self) -> bool:
        """Whether it says when something was."""
        stamped = {"time", "stamp"} <= {*self.words}
        return self.kind == "date" or stamped or self.has({"timestamp", "utc", "tstamp", "date"})

    @property
    def is_machine(self) -> bool:
        """Whether it names machines."""
        return self.kind == "text" and self.has(_MACHINES)

    @property
    def is_where(self) -> bool:
        """Whether it says on which machine or in which version."""
        timed = self.kind == "number" and self.has({"time", "seconds"})  # cpu time
        return self.has(_WHERE) and not timed

    @property
    def is_size(self) -> bool:
        """Whether it tells how large something is, or counts."""
        own = {*self.words} & _SIZES
        if own == {"n"} and re.search(r"\bN-[A-Z]", self.name):
            own = set()  # N-BEATS is a name
        named = bool(own) and not is_rate(self.name)  # MB/s
        return self.kind == "number" and (named or self.name.lower() in ("n", "p", "k"))

    @property
    def is_cost(self) -> bool:
        """Whether it tells what something cost."""
        return self.kind == "number" and self.has(_COSTS)

    @property
    def is_statistic(self) -> bool:
        """Whether it summarises many scores."""
        bare = re.sub(r"\s*[(\[].*?[)\]]", "", self.name).strip()  # less its unit
        quantile = re.fullmatch(r"[pP]?\d+(\.\d+)?\s*%( line)?|[pP]\d\d+", bare.lower()) is not None
        return self.kind == "number" and (self.has(_STATISTICS) or quantile)

    @property
    def is_human(self) -> bool:
        """Whether it holds scores that people gave."""
        return self.kind == "number" and self.has(_PEOPLE)

    @property
    def is_text_field(self) -> bool:
        """Whether it holds texts that were asked or answered, or links and remarks.

        A `solution` that is named again and again is a system, and no answer.
        """
        named = self.words[-1:] in (("solution",), ("label",), ("title",))
        named = named and self.count <= len(self.cells) / 4
        return self.kind == "text" and (self.is_long or (self.has(_WORDS_OF_TEXT) and not named))

    @property
    def is_worker(self) -> bool:
        """Whether it names threads or processes that share the work, which are all alike."""
        return self.has(_WORKERS) and (self.kind == "text" or self.is_whole)

    @property
    def is_measure(self) -> bool:
        """Whether its name is that of a measure."""
        return known_measure(self.name) is not None or known_measure(self.words_text) is not None

    @property
    def words_text(self) -> str:
        """Its words with blanks between."""
        return "_".join(self.words)


def _joined(cell: str) -> str:
    """A cell less case and what joins its words."""
    return re.sub(r"[-_ ]", "", cell.lower())


def column(name: str, cells: pd.Series, decimal_comma: bool = False) -> Column:
    """The facts of a column."""
    text = texts(cells)
    codes, kinds = pd.factorize(text.to_numpy(dtype=object))
    different = [k for k in kinds if k != ""]
    lower = {k.lower() for k in different}
    if not different:
        return Column(
            name, text.to_numpy(dtype=object), codes, 0, np.full(len(text), np.nan), "empty"
        )
    if lower <= {*PASSED} and not lower <= {"0", "1"}:
        values = np.array([PASSED.get(k.lower(), np.nan) for k in kinds])[codes]
        return Column(name, text.to_numpy(dtype=object), codes, len(different), values, "outcome")
    read = numbers_in(cells if cells.dtype != object else text, decimal_comma)
    odd = {k.lower() for k in text[read.odd]} - {"", *FAILED}
    kind = "text" if odd else "number"
    if np.isnan(read.values).all():
        kind = "text"
    if kind == "text" and all(_DATE.fullmatch(k) for k in different[:50]):
        kind = "date"
    return Column(name, text.to_numpy(dtype=object), codes, len(different), read.values, kind)


def columns_of(
    frame: pd.DataFrame, decimal_comma: bool = False, paths: Mapping[str, str] | None = None
) -> dict[str, Column]:
    """The facts of all columns; of names that say little, such as `id`, by the one above them."""
    made = {str(c): column(str(c), frame[c], decimal_comma) for c in frame.columns}
    for name, facts in made.items():
        path = (paths or {}).get(name, name)
        if path.endswith("{}") and path.rstrip("{}").rpartition(".")[2].lower() in _HOLDERS:
            made[name] = replace(facts, title="key")  # what holds the keys does not name them
            continue
        parts = [p for p in re.sub(r"[\[\]{}]", "", path).split(".") if p]
        if len(parts) > 1 and parts[-1].lower() in _GENERIC:
            made[name] = replace(facts, title=".".join(parts[-2:]))
    return made


def groups(columns: list[Column], rows: int) -> tuple[np.ndarray, int]:
    """The number of each row's group by some columns, and how many groups there are."""
    cells = np.zeros(rows, np.int64)
    size = 1
    for each in columns:
        cells = cells * (each.codes.max(initial=0) + 1) + each.codes
        used, cells = np.unique(cells, return_inverse=True)
        size = len(used)
    return cells, size


def likely_higher(c: Column) -> bool | None:
    """The likelier direction of a measure that nobody knows: of shares and marks higher is better.

    What has no upper end (fitness, a return, a distance) may be either.
    """
    if c.has({"score", "scores", "points", "rating", "grade", "mark", "reward", "level"}):
        return True
    if c.has(_JUDGES) and not c.has(_OF_FAULTS):
        return True
    if c.has({"samples", "measurements", "timings"}):
        return None
    here = c.values[~np.isnan(c.values)]
    if c.is_whole and here.min(initial=0) >= 0 and _are_marks(here):
        return True
    return True if here.min(initial=0.0) >= 0.0 and here.max(initial=0.0) <= 1.0 else None


_OF_FAULTS = {"difficulty", "effort", "workload", "harm", "toxicity", "disagreement", "errors"}
MOST_MARKS = 11  # of a scale from 0 to 10


def _are_marks(values: np.ndarray) -> bool:
    """Whether whole numbers are those of a scale of answers: 1 to 5, 1 to 7, 0 to 10."""
    kinds = np.unique(values)
    scale = 2 < len(kinds) <= MOST_MARKS and kinds[-1] in (5, 7, 9, 10)
    return bool(scale and kinds[0] <= kinds[-1] / 2 and len(values) >= 3 * len(kinds))


_NUMBERED = re.compile(
    r"(seed|run|rep|repeat|repetition|replicate|trial|version|exp|experiment|fold|split|iter|s|r)"
    r"[-_ ]?\d+",
    re.IGNORECASE,
)


def numbers_runs(c: Column) -> bool:
    """Whether cells number runs: `seed0`, `version_1`."""
    return all(_NUMBERED.fullmatch(cell) for cell in {*c.cells} if cell)


def why_unused(c: Column) -> str:
    """Why a column has no role."""
    if c.is_constant:
        return "the same in all rows"
    if c.is_when:
        return "a time"
    if c.is_text_field:
        return "a text"
    if c.is_size or c.is_cost:
        return "a size or cost"
    if c.is_where or c.is_worker:
        return "a version or machine"
    return "no role"
