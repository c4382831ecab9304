"""What a malformed case is, and the sound studies that the cases spoil."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

CULPRIT = "#!"  # ends the line that the message has to name; a comment for TOML

STUDY = """\
name = "malformed"
seed = 1
sampling = "cv:2"
measures = ["error"]

[[datasets]]
name = "iris"
source = "sklearn:iris"

[[algorithms]]
name = "tree"
estimator = "sklearn.tree.DecisionTreeClassifier"
"""

FILE_STUDY = """\
sampling = "cv:2"

[[datasets]]
name = "flowers"
source = "file:flowers.csv"
target = "class"

[[algorithms]]
name = "tree"
estimator = "sklearn.tree.DecisionTreeClassifier"
preprocess = true
"""

FLOWERS = """\
length,width,colour,class
1.5,0.2,red,a
2.5,0.4,blue,b
1.7,0.3,red,a
2.9,0.5,blue,b
1.1,0.1,red,a
2.2,0.6,blue,b
"""


@dataclass(frozen=True)
class Case:
    """A study (and the files beside it) with one thing wrong, and what the message has to say."""

    name: str
    study: bytes
    says: tuple[str, ...]
    files: Mapping[str, bytes] = field(default_factory=dict)
    line: int | None = None  # of the study file, from 1
    granted: tuple[str, ...] = ()  # packages that the command line trusts

    def __str__(self) -> str:
        return self.name.replace(" ", "-")


def case(
    name: str,
    study: Mapping[str, str] | str | bytes,
    *says: str,
    files: Mapping[str, str | bytes] | None = None,
    base: str = STUDY,
) -> Case:
    """A case from a whole study, or from changes (old text: new text) of a sound one."""
    if isinstance(study, Mapping):
        study = changed(base, study)
    if isinstance(study, str):
        study = study.encode()
    contents = {n: c.encode() if isinstance(c, str) else c for n, c in (files or {}).items()}
    return Case(name, study, says, contents, _culprit(study))


def in_file(
    name: str,
    content: str | bytes,
    *says: str,
    changes: Mapping[str, str] | None = None,
    file: str = "flowers.csv",
    files: Mapping[str, str | bytes] | None = None,
) -> Case:
    """A case of a data file; the line of its source is to blame unless a change says otherwise."""
    text = FILE_STUDY.replace("flowers.csv", file)
    text = changed(text, changes or {})
    if CULPRIT not in text:
        text = changed(text, {f'"file:{file}"': f'"file:{file}"  {CULPRIT}'})
    return case(name, text, *says, files={file: content, **(files or {})})


def changed(text: str, changes: Mapping[str, str]) -> str:
    """The text after some replacements, each of which must find its place."""
    for old, new in changes.items():
        assert old in text, f"{old!r} is not in the study that it should be changed in"
        text = text.replace(old, new, 1)
    return text


def _culprit(study: bytes) -> int | None:
    lines = study.split(b"\n")
    return next((i for i, line in enumerate(lines, 1) if line.endswith(CULPRIT.encode())), None)
