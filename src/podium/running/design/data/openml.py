"""Data sets, tasks and suites of OpenML by their numbers; a number pins the version.

The server is https://www.openml.org/api/v1, or the environment variable PODIUM_OPENML_SERVER.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from podium.core.base.errors import DesignError, MissingPackage, require
from podium.core.base.registry import Registry, did_you_mean
from podium.running.design.data.arff import Refused, fetched, read_arff
from podium.running.design.data.datasets import Dataset, dataset, without
from podium.running.design.samples.drawing import TaskDataset, task_dataset

SERVER = "https://www.openml.org/api/v1"
TASK_TYPES = {
    "supervised classification": "classification",
    "supervised regression": "regression",
}
FORCED = "+deactivated"

Loader = Callable[..., list[Dataset]]
LOADERS: Registry[Loader] = Registry("kind of thing on OpenML")


def from_openml(
    name: str,
    what: str,
    *,
    target: str | None = None,
    task: str | None = None,
    ignore: tuple[str, ...] | None = None,
    group: str | None = None,
    nominal: Sequence[str | int] | None = None,
    positive: Any = None,
) -> list[Dataset]:
    """The data sets that `61`, `task/59` or `suite/99` names, as behind `openml:`.

    A suite gives one for each of its tasks, called NAME/ and what OpenML calls the data.

    Parameters
    ----------
    name : str
        How results call it.
    what : str
        A number, task/N or suite/N; `+deactivated` behind the number admits data that OpenML has
        withdrawn.
    target, task, ignore, group, nominal, positive : as of a data set in a study file
        In the place of what OpenML says.

    Returns
    -------
    list of Dataset

    Examples
    --------
    >>> import podium
    >>> iris = podium.from_openml("iris", "61")  # doctest: +SKIP
    """
    options = {
        "target": target,
        "task": task,
        "ignore": ignore,
        "group": group,
        "nominal": nominal,
        "positive": positive,
    }
    return loaded(name, what, **{key: value for key, value in options.items() if value is not None})


def loaded(name: str, what: str, **options: Any) -> list[Dataset]:
    """The same with the keys of a study file."""
    match = re.fullmatch(r"(?:(data|task|suite)/)?(\d{1,12})(\+deactivated)?", what.strip())
    if match is None:
        raise DesignError(
            f"Data set '{name}': 'openml:{what}' is not written as 'openml:61' (a data set), "
            "'openml:task/59' or 'openml:suite/99'."
        )
    load = LOADERS[match[1] or "data"]
    return load(name, int(match[2]), deactivated=bool(match[3]), **options)


# -- data sets --------------------------------------------------------------------------------


@LOADERS.named("data")
def _data(name: str, number: int, *, deactivated: bool, **options: Any) -> list[Dataset]:
    about = _description(f"Data set '{name}'", number, deactivated)
    return [_dataset(name, about, origin=f"openml:{number}", **options)]


def _description(what: str, number: int, deactivated: bool) -> dict[str, Any]:
    about = _requests(what, f"data/{number}", "data_set_description")
    if about.get("status") == "deactivated" and not deactivated:
        raise DesignError(
            f"{what}: OpenML has deactivated its data set {number} ('{about.get('name')}', version "
            f"{about.get('version')}). Choose another version, or write '{FORCED}' behind the "
            "number to use it all the same."
        )
    return about


def _dataset(
    name: str,
    about: dict[str, Any],
    *,
    origin: str,
    target: Any = None,
    task: str | None = None,
    ignore: tuple[str, ...] = (),
    group: str | None = None,
    **options: Any,
) -> Dataset:
    what = f"Data set '{name}'"
    frame = _table(what, about)
    target = _target(what, about, frame, target)
    own = [n for k in ("ignore_attribute", "row_id_attribute") for n in _names(frame, about.get(k))]
    frame = frame.drop(columns=list({*own} - {target, group, *ignore}))
    frame = without(what, frame, ignore)
    if task is None:  # OpenML says what a column is; values need not be guessed from
        task = "regression" if frame[target].dtype.kind == "f" else "classification"
    return dataset(name, frame, target, task=task, groups=group, origin=origin, **options)


def _target(what: str, about: dict[str, Any], frame: pd.DataFrame, target: Any) -> str:
    if target is not None and not isinstance(target, str):
        raise DesignError(
            f"{what}: data of OpenML have one column as target, not {target!r}. Read survival "
            "times from a file.",
            ("target",),
        )
    stated = str(about.get("default_target_attribute") or "") if target is None else target
    shown = ", ".join(map(str, frame.columns[:20]))
    if not stated:
        raise DesignError(
            f"{what}: OpenML names no target of its data set {about.get('id')}. Say which with "
            f"target = ..., one of {shown}."
        )
    if stated not in frame.columns and set(several := _texts(stated)) <= set(frame.columns):
        raise DesignError(
            f"{what}: OpenML's data set {about.get('id')} has {len(several)} targets. Say which "
            f"with target = ..., one of {', '.join(several)}."
        )
    if stated not in frame.columns:
        hint = did_you_mean(stated, map(str, frame.columns))
        raise DesignError(
            f"{what} has no column '{stated}' for its target.{hint} Columns: {shown}.",
            ("target",),
        )
    gone = int(frame[stated].isna().sum())
    if gone:
        raise DesignError(
            f"{what}: the target '{stated}' is missing in {gone} of {len(frame)} rows of OpenML's "
            f"data set {about.get('id')}. Choose another target or another version.",
            ("target",),
        )
    return stated


def _names(frame: pd.DataFrame, stated: Any) -> list[str]:
    """The columns that a description names: a list, or a text with commas between names."""
    if isinstance(stated, str) and stated in frame.columns:
        return [stated]
    return [c for c in _texts(stated) if c in frame.columns]


# -- tables -----------------------------------------------------------------------------------


def _table(what: str, about: dict[str, Any]) -> pd.DataFrame:
    """The data as Parquet where the server has it and pyarrow is installed, else as ARFF."""
    address = about.get("parquet_url") or about.get("minio_url")
    if address and str(address).endswith((".pq", ".parquet")):
        try:
            require("pyarrow", extra="parquet", purpose="Reading Parquet files")
            return _parquet(what, about, str(address))
        except (MissingPackage, DesignError, Refused):
            pass  # the addresses of Parquet files are often outdated
    return _arff(what, about)


def _arff(what: str, about: dict[str, Any]) -> pd.DataFrame:
    title = f"{what}: OpenML's data set {about.get('id')}"
    stated = str(about.get("md5_checksum") or "").lower()

    def parse(content: bytes) -> pd.DataFrame:
        if stated and hashlib.md5(content, usedforsecurity=False).hexdigest() != stated:
            raise DesignError(
                f"{title} does not have the checksum that its description states ({stated}): it "
                "was changed or damaged on its way. Try again later."
            )
        return read_arff(_text(content, title), title)

    return _file(title, str(about.get("url") or ""), parse)


def _file(title: str, address: str, parse: Callable[[bytes], pd.DataFrame]) -> pd.DataFrame:
    try:
        return fetched(address, parse, title)
    except Refused as refused:
        raise DesignError(
            f"{title} cannot be fetched: '{address}' answers with the status {refused.status}."
        ) from None


def _text(content: bytes, title: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise DesignError(f"{title} is not a text in UTF-8.") from None


def _parquet(what: str, about: dict[str, Any], address: str) -> pd.DataFrame:
    features = _requests(what, f"data/features/{about['id']}", "data_features")["feature"]

    def parse(content: bytes) -> pd.DataFrame:
        try:
            frame = pd.read_parquet(io.BytesIO(content))
            return pd.DataFrame({f["name"]: _declared(frame[f["name"]], f) for f in features})
        except Exception as error:  # pyarrow raises many kinds
            raise DesignError(f"{what}: '{address}' is no Parquet file: {error}.") from None

    return fetched(address, parse, what)


def _declared(column: pd.Series, feature: dict[str, Any]) -> Any:
    """A column as the ARFF file of the same data has it."""
    kind = feature["data_type"]
    if kind == "numeric":
        return column.astype(float)
    if kind == "date":
        moments = pd.to_datetime(column, utc=True)
        return (moments - pd.Timestamp(0, tz="UTC")).dt.total_seconds()
    texts = column.astype(object).where(column.notna(), None)
    if kind != "nominal":
        return texts.to_numpy()
    stated = feature.get("nominal_value") or feature.get("nominal_values") or []
    levels = json.loads(stated) if isinstance(stated, str) and stated[:1] == "[" else _texts(stated)
    # truth values have lost their spelling, whole numbers may have got a fraction
    spelled = {v.casefold(): v for v in map(str, levels)}
    names = [None if v is None else spelled.get(_plain(v).casefold(), _plain(v)) for v in texts]
    occurring = (n for n in names if n is not None)
    return pd.Categorical(names, categories=list(dict.fromkeys([*spelled.values(), *occurring])))


def _plain(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


# -- tasks and suites -------------------------------------------------------------------------


@LOADERS.named("task")
def _task(name: str, number: int, **options: Any) -> list[Dataset]:
    about = _requests(f"Data set '{name}'", f"task/{number}", "task")
    return [_task_of(name, number, about, **options)]


def _task_of(
    name: str, number: int, about: dict[str, Any], *, deactivated: bool, **options: Any
) -> TaskDataset:
    what = f"Data set '{name}'"
    task = TASK_TYPES.get(str(about.get("task_type")).lower())
    if task is None:
        raise DesignError(
            f"{what}: OpenML's task {number} is of the type '{about.get('task_type')}'. These can "
            "be run: supervised classification and regression."
        )
    inputs = {i.get("name"): i for i in _listed(about.get("input"))}
    source = inputs.get("source_data", {}).get("data_set", {})
    procedure = inputs.get("estimation_procedure", {}).get("estimation_procedure", {})
    if not source.get("data_set_id") or not procedure.get("data_splits_url"):
        raise DesignError(f"{what}: OpenML's task {number} names no data set or no splits.")
    data_number = int(source["data_set_id"])
    data = _dataset(
        name,
        _description(what, data_number, deactivated),
        origin=f"openml:task/{number}",
        target=source.get("target_feature"),
        task=task,
        **options,
    )
    splits = _splits(f"{what}: the splits of OpenML's task {number}", procedure["data_splits_url"])
    return task_dataset(data, number, data_number, splits, _training_share(procedure))


def _splits(title: str, address: str) -> pd.DataFrame:
    return _file(title, address, lambda content: read_arff(_text(content, title), title))


def _training_share(procedure: dict[str, Any]) -> float | None:
    """One less the stated percentage, which is of rows to test on."""
    stated = {p.get("name"): p.get("value") for p in _listed(procedure.get("parameter"))}
    try:
        return round(1 - float(stated.get("percentage") or "") / 100, 4)
    except (TypeError, ValueError):
        return None


@LOADERS.named("suite")
def _suite(name: str, number: int, **options: Any) -> list[Dataset]:
    what = f"Data set '{name}'"
    about = _requests(what, f"study/{number}", "study")
    numbers = [int(t) for t in _texts((about.get("tasks") or {}).get("task_id"))]
    if not numbers:
        raise DesignError(f"{what}: OpenML's suite {number} lists no tasks.")
    tasks = {i: _requests(what, f"task/{i}", "task") for i in dict.fromkeys(numbers)}
    names = {i: f"{name}/{_data_name(what, about)}" for i, about in tasks.items()}
    twice = {n for n, times in Counter(names.values()).items() if times > 1}
    return [
        _task_of(f"{n}-{i}" if (n := names[i]) in twice else n, i, about, **options)
        for i, about in tasks.items()
    ]


def _data_name(what: str, task: dict[str, Any]) -> str:
    """What OpenML calls the data of a task."""
    for given in _listed(task.get("input")):
        number = (given.get("data_set") or {}).get("data_set_id")
        if number:
            return str(_requests(what, f"data/{int(number)}", "data_set_description").get("name"))
    return "task"  # which is refused when it is its turn


# -- the server -------------------------------------------------------------------------------


def server() -> str:
    """The address of the server."""
    return (os.environ.get("PODIUM_OPENML_SERVER") or SERVER).rstrip("/")


def _requests(what: str, path: str, key: str) -> dict[str, Any]:
    """What the server says in JSON about a thing such as data/61."""
    kind, _, number = path.rpartition("/")
    thing = f"{kind.replace('study', 'suite')} {number}"

    def parse(content: bytes) -> dict[str, Any]:
        try:
            text = json.loads(content)[key]
        except (ValueError, KeyError, TypeError):
            text = None
        if not isinstance(text, dict):
            raise DesignError(f"{what}: '{server()}' gives no description of {thing}.")
        return text

    try:
        return fetched(f"{server()}/json/{path}", parse, what)
    except Refused as refused:
        raise DesignError(
            f"{what}: OpenML does not give {thing}: {_reason(refused)}. Look the number up at "
            "openml.org; a data set, a task and a suite have numbers of their own."
        ) from None


def _reason(refused: Refused) -> str:
    """What the server says in its error, or the status."""
    try:
        message = str(json.loads(refused.body)["error"]["message"]).strip().rstrip(".")
    except (ValueError, KeyError, TypeError):
        message = ""
    return message or f"it answers with the status {refused.status}"


def _listed(value: Any) -> list[dict[str, Any]]:
    """A list of objects; a single one stands alone in OpenML's JSON."""
    return [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, dict)]


def _texts(value: Any) -> list[str]:
    """A list of texts, which may also be one text with commas, or nothing."""
    values = value if isinstance(value, list) else str(value or "").split(",")
    return [t for v in values if (t := str(v).strip())]
