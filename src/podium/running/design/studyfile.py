"""Study files: TOML to Study. A study file is configuration, not code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from podium.core.base import options as checks
from podium.core.base.errors import DesignError, PodiumError
from podium.core.base.options import subject, takes
from podium.core.base.registry import unknown
from podium.core.base.shapes import (
    NUMBERS,
    TABLE,
    TEXT,
    TEXT_OR_NUMBER,
    TEXTS,
    TRUTH,
    TRUTH_OR_NAME,
    WHOLE,
    Kind,
    NoToml,
    Shape,
    find_line,
    name_tables,
    parse_toml,
)
from podium.running.design.data.datasets import Dataset
from podium.running.design.data.processes import Process
from podium.running.design.data.sources import all_from_source
from podium.running.design.frames import Frame, frame
from podium.running.design.learners.algorithms import (
    TRUSTED,
    Algorithm,
    check_preprocessing,
    named_algorithm,
    required,
    resolve,
)
from podium.running.design.measuring.outputs import PREDICTED, check_output
from podium.running.design.samples.drawing import DRAWINGS, PROCESS, check_groups, check_test_sample
from podium.running.design.study import DEVELOPMENT, ROLES, STAGES, Study

MOST_BYTES = 10_000_000
TARGET = Kind(  # of survival: time and event
    "a text, or a list of two texts",
    lambda v: isinstance(v, str) or (TEXTS.fits(v) and len(v) == 2),
)
STUDY = {
    "name": TEXT,
    "seed": WHOLE,
    "population": TEXT,
    "sampling": TEXT,
    "measures": TEXTS,
    "keep": TEXTS,
    "fits": WHOLE,
    "sizes": NUMBERS,
    "isolate": TEXT,
    "trust": TEXTS,
    "analysis": TABLE,
    "frame": TABLE,
    "datasets": name_tables("datasets"),
    "algorithms": name_tables("algorithms"),
}
DATASET = {
    "name": TEXT,
    "source": TEXT,
    "target": TARGET,
    "test": TEXT,
    "task": TEXT,
    "nominal": TEXTS,
    "ignore": TEXTS,
    "group": TEXT,
    "groups": TEXT,  # as it is called in Python
    "positive": TEXT_OR_NUMBER,
    "n": WHOLE,
    "n_test": WHOLE,
    "fresh_test": TRUTH,
    "seed": WHOLE,
    "parameters": TABLE,
    "stage": TEXT,
}
FRAME = {
    "catalogue": TEXT,
    "where": TEXTS,
    "draw": WHOLE,
    "seed": WHOLE,
    "development": WHOLE,
}
ALGORITHM = {
    "name": TEXT,
    "factors": TABLE,
    "estimator": TEXT,
    "parameters": TABLE,
    "preprocess": TRUTH_OR_NAME,
    "output": TEXT,
    "role": TEXT,
}
REQUIRED = {
    "study": ("sampling", "algorithms"),
    "datasets": ("name", "source"),
    "algorithms": ("name", "estimator"),
    "frame": ("catalogue",),
}
SHAPES = {
    "study": Shape("a study", STUDY, REQUIRED["study"]),
    "datasets": Shape("a data set", DATASET, REQUIRED["datasets"]),
    "algorithms": Shape("an algorithm", ALGORITHM, REQUIRED["algorithms"]),
    "frame": Shape("a frame", FRAME, REQUIRED["frame"]),
}


@takes("trust")
def load_study(path: str | Path, **options: Any) -> Study:
    """The study that a TOML file describes; names of files are relative to it.

    The file can ask for packages beside scikit-learn, but only who reads it can grant them
    (`trust`): to import a package is to run its code.

    Parameters
    ----------
    path : str | Path

    Returns
    -------
    Study

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import podium
    >>> text = '''
    ... sampling = "cv:5"
    ... measures = ["error"]
    ... [[datasets]]
    ... name = "iris"
    ... source = "sklearn:iris"
    ... [[algorithms]]
    ... name = "nb"
    ... estimator = "sklearn.naive_bayes.GaussianNB"
    ... '''
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "iris.toml"
    >>> _ = path.write_text(text)
    >>> len(podium.load_study(path))
    5
    """
    trust = options["trust"]
    path = Path(path)
    try:
        with path.open("rb") as file:  # which may be a device without an end
            raw = file.read(MOST_BYTES + 1)
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError:
        raise DesignError(f"There is no study file '{path}'.") from None
    except IsADirectoryError:
        raise DesignError(f"'{path}' is a folder, not a study file.") from None
    except UnicodeDecodeError:
        raise DesignError(f"The study file '{path}' is not a text in UTF-8.") from None
    except OSError as error:
        raise DesignError(f"The study file '{path}' cannot be read: {error.strerror}.") from None
    if len(raw) > MOST_BYTES:
        raise DesignError(f"The study file '{path}' has more than {MOST_BYTES // 1_000_000} MB.")
    by_name = {"origin": path.name, "default_name": path.stem}
    return parse_study(text, folder=path.parent, trust=trust, **by_name)


def parse_study(
    text: str,
    *,
    folder: Path = Path(),
    trust: Sequence[str] = (),
    origin: str = "study",
    default_name: str = "study",
) -> Study:
    """The study that a text in TOML describes."""
    try:
        content = parse_toml(text)
    except NoToml as error:
        line = find_line(text, error.where)
        place = f"{origin}, line {line}: " if line else f"{origin}: this is not TOML: "
        raise DesignError(f"{place}{error}.") from None
    return _StudyFile(text, folder, origin, _packages(trust)).study(content, default_name)


def _packages(trust: Sequence[str]) -> tuple[str, ...]:
    """The packages that somebody trusts."""
    given = (trust,) if isinstance(trust, str) else tuple(trust)
    for package in given:
        if not isinstance(package, str) or not package.isidentifier():
            raise DesignError(f"trust names packages, such as 'xgboost', not {package!r}.")
    return given


class _StudyFile:
    """A study file being read; every complaint names its line."""

    def __init__(self, text: str, folder: Path, origin: str, trust: tuple[str, ...]) -> None:
        self.text, self.folder, self.origin, self.trust = text, folder, origin, trust

    def study(self, content: dict[str, Any], default_name: str) -> Study:
        self._check_shape(content, "study", ())
        frame = self._frame(content)
        self._check_names(content, "datasets")
        self._check_names(content, "algorithms")
        of_processes = tuple(name for name, d in DRAWINGS.items() if d.source == PROCESS)
        simulate = content["sampling"].strip().lower().startswith(of_processes)
        self._check_trust(content.get("trust", []))
        entries = enumerate(content["datasets"])
        several = [self._datasets(e, i, simulate) for i, e in entries]
        datasets = [d for group in several for d in group]
        algorithms = [self._algorithm(e, i) for i, e in enumerate(content["algorithms"])]
        options = ("seed", "population", "measures", "keep", "fits", "sizes", "isolate", "analysis")
        given = {k: content[k] for k in options if k in content}
        given |= {"frame": frame, "roles": self._roles(content["algorithms"])}
        given["factors"] = {
            e["name"]: e["factors"] for e in content["algorithms"] if "factors" in e
        }
        given["development"] = [d.name for d in self._development(content["datasets"], several)]
        with self._blaming():
            made = Study(
                datasets,
                algorithms,
                sampling=content["sampling"],
                folder=self.folder,
                name=content.get("name", default_name),
                text=self.text,
                **given,
            )
        self._check_used(made, content["datasets"])
        return made

    def _check_used(self, study: Study, entries: list[dict[str, Any]]) -> None:
        """Refuse groups and test samples that the sampling would read past."""
        checks = {"group": check_groups, "groups": check_groups, "test": check_test_sample}
        for i, entry in enumerate(entries):
            for key in checks.keys() & entry.keys():
                with self._blaming("datasets", i, key):
                    if study.splits is None:
                        checks[key](study.sampling)

    def _frame(self, content: dict[str, Any]) -> Frame | None:
        """The frame that the data sets are drawn from, whose draw takes the place of a list."""
        wording = content.get("frame")
        if ("datasets" in content) == (wording is not None):
            raise self._at((), "a study needs either [[datasets]] or a [frame] to draw them from.")
        if wording is None:
            return None
        self._check_shape(wording, "frame", ("frame",))
        with self._blaming("frame"):
            made = frame(**{"seed": content.get("seed", 1)} | wording, folder=self.folder)
            content["datasets"] = made.entries()
        return made

    def _roles(self, entries: list[dict[str, Any]]) -> dict[str, str]:
        for i, entry in enumerate(entries):
            if entry.get("role", ROLES[0]) not in ROLES:
                message = unknown("role", entry["role"], ROLES)
                raise self._at(("algorithms", i, "role"), message)
        return {e["name"]: e["role"] for e in entries if "role" in e}

    def _development(
        self, entries: list[dict[str, Any]], several: list[list[Dataset | Process]]
    ) -> list[Dataset | Process]:
        for i, entry in enumerate(entries):
            if entry.get("stage", STAGES[0]) not in STAGES:
                message = unknown("stage", entry["stage"], STAGES)
                raise self._at(("datasets", i, "stage"), message)
        both = zip(entries, several, strict=True)
        return [d for e, datasets in both if e.get("stage") == DEVELOPMENT for d in datasets]

    def _check_trust(self, texts: list[str]) -> None:
        """What a file asks for is not what it gets: a file from elsewhere would run its code."""
        missing = [p for p in texts if p not in (*TRUSTED, *self.trust)]
        if missing:
            several = len(missing) > 1
            flags = " ".join(f"--trust {p}" for p in missing)
            raise self._at(
                ("trust",),
                f"this study asks to run code of the package{'s' * several} "
                f"{', '.join(map(repr, missing))}. If you trust {'them' if several else 'it'}, add "
                f"{flags} (from Python: trust={missing!r}).",
            )

    def _check_names(self, content: dict[str, Any], kind: str) -> None:
        seen: dict[str, int] = {}
        for i, entry in enumerate(content[kind]):
            self._check_shape(entry, kind, (kind, i))
            name = entry["name"]
            with self._blaming(kind, i, "name"):
                checks.name({"datasets": "data set"}.get(kind, "algorithm"), name)
            if name in seen:
                first = find_line(self.text, (kind, seen[name], "name"))
                raise self._at(
                    (kind, i, "name"), f"the name '{name}' is taken already (line {first})."
                )
            seen[name] = i

    def _check_shape(self, table: dict[str, Any], kind: str, where: tuple[Any, ...]) -> None:
        if fault := SHAPES[kind].find_fault(table, where):
            raise self._at(fault.where, fault.says)

    def _datasets(self, entry: dict[str, Any], i: int, simulate: bool) -> list[Dataset | Process]:
        source = entry["source"]
        options = {k: v for k, v in entry.items() if k not in ("name", "source", "stage")}
        if "groups" in options:
            if "group" in options:
                raise self._at(("datasets", i, "groups"), "say 'group' or 'groups', not both.")
            options["group"] = options.pop("groups")
        if "ignore" in options:
            options["ignore"] = tuple(options["ignore"])
        try:
            return all_from_source(
                entry["name"], source, folder=self.folder, simulate=simulate, **options
            )
        except PodiumError as error:
            key = next((k for k in subject(error)[:1] if k in entry), "source")
            raise self._at(("datasets", i, key), str(error)) from None

    def _algorithm(self, entry: dict[str, Any], i: int) -> Algorithm:
        trusted = (*TRUSTED, *self.trust)
        name, path, parameters = entry["name"], entry["estimator"], entry.get("parameters", {})
        options = {k: entry[k] for k in ("preprocess", "output") if k in entry}
        output = options.get("output", PREDICTED)
        with self._blaming("algorithms", i):
            check_preprocessing(f"Algorithm '{name}'", options.get("preprocess", False))
        with self._blaming("algorithms", i, "output"):
            check_output(f"Algorithm '{name}'", output)
        with self._blaming("algorithms", i, "estimator"):
            resolve(path, trusted, f"Algorithm '{name}'", required(output))
        try:
            return named_algorithm(name, path, parameters, trust=trusted, **options)
        except PodiumError as error:
            where = ("parameters", *subject(error)) if parameters else ("estimator",)
            raise self._at(("algorithms", i, *where), str(error)) from None

    @contextmanager
    def _blaming(self, *where: Any) -> Iterator[None]:
        """Say of an error where in the file it is; a study's own errors know it."""
        try:
            yield
        except PodiumError as error:
            raise self._at((*where, *subject(error)), str(error)) from None

    def _at(self, where: tuple[Any, ...], message: str) -> DesignError:
        line = find_line(self.text, where)
        return DesignError(
            f"{self.origin}, line {line}: {message}" if line else f"{self.origin}: {message}"
        )
