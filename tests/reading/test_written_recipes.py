"""The recipe that `podium read -o` writes reads a file to the same answer."""

from dataclasses import asdict
from pathlib import Path

import odd_world_habits
import odd_world_layouts
import odd_world_tables
import odd_world_tools
import pytest
from odd_world import CASES

import podium
from podium.cli.main import status_of
from podium.errors import PodiumError
from podium.reading.formats import FORMATS
from podium.reading.inferring.asking import Question, options_of
from podium.reading.inferring.showing import shown_reading
from podium.reading.recipes import recipe as recipes
from podium.reading.recipes.recipe import recipe_of, recipe_text

assert odd_world_habits  # adds its cases
assert odd_world_layouts  # as well
assert odd_world_tables  # as well
assert odd_world_tools  # and these
SHIPPED = Path(recipes.__file__).parent / "shipped"


def answer(source, **options):
    """The table of a comparison, or why there is none."""
    results = podium.read(source, **options)
    try:
        return podium.compare(results).table.to_csv()
    except PodiumError as error:
        return str(error)


def check_round_trip(files, options, folder):
    """That what is read without a recipe is read the same by the one that is written."""
    source = files if len(files) > 1 else files[0]
    try:
        expected = answer(source, **options)
    except PodiumError:
        return False
    text = shown_reading(files, options).recipe
    (folder / "written.toml").write_text(text, encoding="utf-8")
    assert answer(source, recipe=folder / "written.toml") == expected, text
    return True


def words_of(options):
    """Options as a command has them."""
    words = []
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            words += [f"--{name}", str(one)]
    return words


def followed(question):
    """The options of the best guess, as a caller says them."""
    told = options_of(question.words)
    options = {
        "sampling": None if told.sampling is None else str(told.sampling),
        "measure": told.measure,
        "higher_is_better": told.higher_is_better,
        "columns": told.columns,
        "step": told.step,
        "where": [f"{c}={';'.join(v)}" for c, v in told.where.items()],
    }
    return {name: value for name, value in options.items() if value not in (None, {}, [])}


def samples():
    """The samples of all formats that are files."""
    for name, record in FORMATS.items():
        for at, sample in enumerate(record.samples):
            yield pytest.param(sample, id=f"{name}-{at}")


@pytest.mark.parametrize("sample", list(samples()))
def test_every_format_has_a_recipe(sample, tmp_path):
    (tmp_path / "files").mkdir()
    made = sample.make(tmp_path / "files")
    files = made if isinstance(made, list) else [made]
    if all(isinstance(file, Path) for file in files):  # others are in memory
        assert check_round_trip(files, dict(sample.options), tmp_path)


def check_case(name, folder):
    (folder / "files").mkdir()
    truth = CASES[name](folder / "files")
    files, options = list(truth.files), dict(truth.options)
    try:
        podium.read(files, **options)
    except Question as question:
        options = followed(question) if "--judge" not in question.words else options
    except PodiumError:
        pass
    return check_round_trip(files, options, folder)


@pytest.mark.parametrize("name", list(CASES)[::8])
def test_files_of_the_world_have_a_recipe(name, tmp_path):
    check_case(name, tmp_path)


@pytest.mark.long
def test_all_files_of_the_world_have_a_recipe(tmp_path):
    for name in CASES:
        (tmp_path / name).mkdir()
    assert sum(check_case(name, tmp_path / name) for name in CASES) > 100


# -- the command ----------------------------------------------------------------------------------

WIDE = "dataset,measure,svm,knn\n" + "".join(
    f"d{i},{m},{0.6 + i / 50},{0.55 + (i * 7 % 5) / 20}\n" for m in ("acc", "auc") for i in range(8)
)
SEARCH = "params,split0_test_score,split1_test_score,split2_test_score\n" + "".join(
    f"\"{{'C': {c}}}\",{0.7 + c / 50},{0.8 + c / 60},{0.75 + c / 40}\n" for c in (1, 5, 10)
)
BATTLES = "prompt_id,system_1,system_2,preferred\n" + "".join(
    f"p{i},{a},{b},{'tie' if i % 7 == 0 else (a, b)[i % 3 == 0]}\n"
    for i in range(30)
    for a, b in (("m1", "m2"), ("m2", "m3"), ("m3", "m1"))
)
LONG = "method,problem,split,acc,auc,fold\n" + "".join(
    f"{m},d,{part},{0.5 + f / 30 + len(m) / 20},{0.6 + f / 40 - len(m) / 50 + f % 2 / 90},{f}\n"
    for part in ("train", "test")
    for m in ("a", "bb", "ccc")
    for f in range(5)
)


@pytest.mark.parametrize(
    ("text", "options", "kept"),
    [
        (WIDE, {"measure": "auc"}, 'measure = "auc"'),
        (SEARCH, {"measure": "accuracy"}, 'format = "cv-results"'),
        (BATTLES, {}, 'format = "any"'),
        (LONG, {"where": ["split=test"], "measure": "auc", "sampling": "cv"}, 'sampling = "cv"'),
        (
            LONG,
            {
                "where": ["split=test"],
                "columns": "algorithm=method,value=auc,sample=fold,ignore=acc",
                "sampling": "bootstrap",
            },
            "auc",
        ),
    ],
)
def test_what_was_said_stays_in_the_recipe(text, options, kept, tmp_path, capsys):
    (tmp_path / "t.csv").write_text(text)
    files, recipe = [str(tmp_path / "t.csv")], str(tmp_path / "r.toml")
    assert status_of(["read", *files, *words_of(options), "-o", recipe]) == 0
    assert "Read as: " in capsys.readouterr().out
    assert kept in (tmp_path / "r.toml").read_text()
    assert answer(files[0], recipe=recipe) == answer(files[0], **options)
    # and again, by the recipe itself
    assert status_of(["read", *files, "--recipe", recipe, "-o", str(tmp_path / "s.toml")]) == 0
    assert answer(files[0], recipe=tmp_path / "s.toml") == answer(files[0], **options)


def test_what_the_caller_says_counts_before_the_recipe(tmp_path):
    (tmp_path / "t.csv").write_text(WIDE)
    (tmp_path / "r.toml").write_text('format = "wide-table"\n[options]\nmeasure = "auc"\n')
    by_recipe = podium.read(tmp_path / "t.csv", recipe=tmp_path / "r.toml")
    said = podium.read(tmp_path / "t.csv", recipe=tmp_path / "r.toml", measure="acc")
    assert (list(by_recipe.measures), list(said.measures)) == (["auc"], ["acc"])


def test_nothing_is_written_of_what_cannot_be_read(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("a,b\nx,y\n")
    words = ["read", str(tmp_path / "t.csv"), "-o", str(tmp_path / "r.toml")]
    assert status_of(words) == 2
    assert not (tmp_path / "r.toml").exists()


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.toml")), ids=lambda path: path.stem)
def test_recipes_of_tools_are_written_as_they_are_read(path):
    recipe = recipe_of(path.read_text(encoding="utf-8"), "It")
    one, other = asdict(recipe), asdict(recipe_of(recipe_text(recipe), "It"))
    for parts in (one, other):  # an empty list says as much as none
        parts["tool"] = {key: value for key, value in parts["tool"].items() if value}
    assert one == other


def test_one_column_across_stays_a_list():
    recipe = recipe_of('[across]\nrole = "algorithm"\ncolumns = ["svm"]\n', "It")
    assert recipe_of(recipe_text(recipe), "It") == recipe


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ('format = "asv"\n[roles]\nvalue = "x"', "roles beside it"),
        ("[options]\nmeasur = 'x'", "measur"),
        ('format = "asw"', "asv"),
    ],
)
def test_a_wrong_name_ends_in_a_sentence(text, match, tmp_path):
    (tmp_path / "t.csv").write_text(WIDE)
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(PodiumError, match=match):
        podium.read(tmp_path / "t.csv", recipe=tmp_path / "r.toml")
