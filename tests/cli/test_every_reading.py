"""Every command that takes results takes them in every form, to one answer, and says how.

The commands are those of the list that take the options of reading: a new one is tried, too.
"""

import inspect
import json
import re
import zipfile

import numpy as np
import pandas as pd
import pytest

import podium
from podium.cli.main import status_of
from podium.core.base import rooms

ABOUT_FILES = ("reading", "warnings", "caveats", "notes", "source")
OF_FILES = re.compile(r"files were read together|rows only")


def takers():
    """The commands that read results."""
    options = {*inspect.signature(podium.read).parameters} - {"source", "format"}
    for name, (room, one) in rooms.commands().items():
        command = room.load(one.at) if one.at and not one.moved else None
        if command is not None and {p.name for p in command.params} >= options:
            yield name


def scores():
    """Four algorithms on twelve data sets, and how large these are."""
    rng = np.random.default_rng(3)
    rows = [
        (f"set{d:02}", name, round(0.5 + a / 20 + d / 60 + rng.normal(0, 0.02), 4), 100 + 7 * d)
        for d in range(12)
        for a, name in enumerate(("knn", "tree", "svm", "forest"))
    ]
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "accuracy", "n"])


def samples():
    """Three algorithms on four data sets of eight bootstrap samples each."""
    rng = np.random.default_rng(4)
    rows = [
        (f"set{d}", name, s, round(0.6 + a / 20 + rng.normal(0, 0.02), 4))
        for d in range(4)
        for s in range(1, 9)
        for a, name in enumerate(("knn", "tree", "svm"))
    ]
    return pd.DataFrame(rows, columns=["dataset", "algorithm", "sample", "accuracy"])


def items():
    """Three models on the items of a benchmark."""
    rng = np.random.default_rng(5)
    rows = [
        (f"q{i:02}", name, int(rng.random() < 0.5 + a / 6))
        for i in range(80)
        for a, name in enumerate(("small", "middle", "large"))
    ]
    return pd.DataFrame(rows, columns=["item", "model", "accuracy"])


def studies():
    """Three studies of two algorithms, each on bootstrap samples of its own data."""
    rng = np.random.default_rng(6)
    rows = [
        (f"study{d}", f"data{d}", name, s, round(0.6 + a / 20 + rng.normal(0, 0.02), 4))
        for d in range(4)
        for s in range(1, 9)
        for a, name in enumerate(("knn", "svm"))
    ]
    return pd.DataFrame(rows, columns=["study", "dataset", "algorithm", "sample", "accuracy"])


# what a command is tried on, and the words around its files; of others the first
USUAL = (scores, "{}")
TRIED = {
    "plot": (scores, "bench {} -o out.svg"),
    "report": (scores, "{} -o out.html"),
    "import": (scores, "{} -o out.csv"),
    "gate": (scores, "{} --control svm --margin accuracy=0.01"),
    "board new": (scores, "{} -o board"),
    "board add": (scores, "old {}"),
    "board renew": (items, "old {} --seed 1"),
    "survey": (samples, "{} --sampling bootstrap"),
    "survey items": (items, "{}"),
    "survey recommend": (scores, "{} --by n"),
    "stability": (scores, "{} --resamples 100 --orders 10"),
    "consensus": (scores, "{} --measures accuracy"),
    "meta": (studies, "{} --sampling bootstrap --by study"),
}


def split(frame):
    """The table in two files of one shape."""
    first = frame.iloc[:, 0]
    names = sorted(set(first))
    for number, part in enumerate((names[: len(names) // 2], names[len(names) // 2 :]), 1):
        yield f"part{number}.csv", frame[first.isin(part)]


def plain(frame, folder):
    frame.to_csv(folder / "scores.csv", index=False)
    return ["scores.csv"]


def two_files(frame, folder):
    for name, part in split(frame):
        part.to_csv(folder / name, index=False)
    return ["part1.csv", "part2.csv"]


def a_folder(frame, folder):
    (folder / "results").mkdir()
    two_files(frame, folder / "results")
    return ["results"]


def an_archive(frame, folder):
    with zipfile.ZipFile(folder / "results.zip", "w") as archive:
        for name, part in split(frame):
            archive.writestr(name, part.to_csv(index=False))
    return ["results.zip"]


def by_a_recipe(frame, folder):
    (path,) = plain(frame, folder)
    assert status_of(["read", str(folder / path), "-o", str(folder / "r.toml")]) == 0
    return [path, "--recipe", "r.toml"]


def some_rows(frame, folder):
    worse = frame.assign(accuracy=1 - frame["accuracy"], part="dev")
    pd.concat([worse, frame.assign(part="final")]).to_csv(folder / "scores.csv", index=False)
    return ["scores.csv", "--where", "part=final"]


FORMS = (two_files, a_folder, an_archive, by_a_recipe, some_rows)


def asked(name, form, folder, monkeypatch, capsys):
    """What a command answers to a table in this form: status, screen, and facts."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    made, words = TRIED.get(name, USUAL)
    table = made()
    if name.startswith("board ") and name != "board new":
        more = ["--sealed", "--seed", "1"] if name == "board renew" else []
        table.to_csv("first.csv", index=False)
        assert status_of(["board", "new", "first.csv", "-o", "old", *more]) == 0
        renamed = {name: f"{name}2" for name in set(table.iloc[:, 1])}
        changed = {"algorithm": table["algorithm"].map(renamed)} if name == "board add" else {}
        changed |= {"item": "new" + table["item"]} if name == "board renew" else {}
        table = table.assign(**changed)
    given = form(table, folder)
    files = [word for word in given if not word.startswith("-") and (folder / word).exists()]
    files = [word for word in files if word != "r.toml"]
    options = given[len(files) :]
    command = [part for word in words.split() for part in (files if word == "{}" else [word])]
    takes_json = any(p.name == "json" for p in loaded(name).params)
    capsys.readouterr()
    status = status_of([*name.split(), *command, *options])
    screen = capsys.readouterr()
    assert not screen.err.startswith("podium: "), screen.err
    facts = {}
    if takes_json:
        again = status_of([*name.split(), *command, *options, "--json", "facts.json"])
        assert again == status
        facts = json.loads((folder / "facts.json").read_text())
        assert facts["reading"]["text"].startswith("Read as")
        facts = less_about_files(facts)
    for out in folder.glob("out.*"):
        facts[out.name] = written(out)
    return status, screen.out, facts


def less_about_files(value):
    """Facts without what they say of files."""
    if isinstance(value, dict):
        return {k: less_about_files(v) for k, v in value.items() if k not in ABOUT_FILES}
    return [less_about_files(each) for each in value] if isinstance(value, list) else value


def loaded(name):
    room, one = rooms.commands()[name]
    return room.load(one.at)


def written(path):
    """What a file says, less what it says of files."""
    text = path.read_text()
    if path.suffix == ".csv":
        rows = text.partition("\n")[2].splitlines()
        return sorted(rows)
    if path.suffix == ".html":
        assert "Read as" in text
        return re.findall(r'"(?:mean|estimate|p|lower|upper)": ?(-?[0-9.e-]+)', text)
    return text


def told(screen):
    """The numbers on the screen above the reading; its sentences may tell of files."""
    lines = screen.partition("Read as")[0].splitlines()
    kept = [line for line in lines if not OF_FILES.search(line)]
    return [re.findall(r"-?\d+\.\d+", line) for line in kept if re.search(r"\d\.\d", line)]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@pytest.mark.parametrize("name", list(takers()))
def test_a_command_gives_one_answer_to_every_form(name, form, tmp_path, monkeypatch, capsys):
    first = asked(name, plain, tmp_path / "plain", monkeypatch, capsys)
    other = asked(name, form, tmp_path / "other", monkeypatch, capsys)
    assert other[0] == first[0]
    assert "Read as" in first[1]
    assert "Read as" in other[1]
    assert other[2] == first[2]
    if name != "read":  # which shows the first rows as they are
        assert told(other[1]) == told(first[1])
